"""Every page: no error, nothing that axe finds serious, addresses, who is signed in."""

import gzip
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.tables import my_turn, settled, sit_down

PAGES = ["/", "/play/gin", "/play/rummy", "/play/pyramid", "/tables", "/boards", "/boards/rummy"]
PAGES += ["/boards/pyramid", "/me", "/sign-in"]


def serious(page):
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        (each["id"], node["html"][:200], node["failureSummary"][:300])
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_shows_itself_and_axe_finds_nothing_serious(visit, path, scheme):
    page = visit(path, color_scheme=scheme, viewport=PHONE)
    page.locator("#app h1").wait_for()
    page.wait_for_load_state("networkidle")

    assert not serious(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], "it is wider than a phone"
    assert page.title().endswith("ginservice")
    last = page.locator("#app").evaluate("it => it.lastElementChild.getBoundingClientRect().bottom")
    assert last <= page.locator(".foot").evaluate("it => it.getBoundingClientRect().top")
    page.set_viewport_size(DESK)
    assert not serious(page)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("title", ["Gin Rummy", "Basic Rummy", "Pyramid"])
def test_axe_finds_nothing_serious_at_a_table(visit, title, scheme, viewport):
    page = visit(color_scheme=scheme, viewport=viewport)
    sit_down(page, title)
    page.locator(".controls .button").first.wait_for()

    assert not serious(page)
    page.get_by_label("Menu").click()
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    if viewport == DESK and title != "Pyramid":  # one's own seat is at one's hand
        seat, hand = (page.locator(at).bounding_box()["y"] for at in (".seat.mine", ".mine .hand"))
        assert seat > hand


COVERED = """() => {
  const beside = (a, b) => a.left >= b.right || b.left >= a.right;
  const over = (a, b) => !beside(a, b) && a.top < b.bottom && b.top < a.bottom;
  const told = document.querySelector(".felt .refusal").getBoundingClientRect();
  const all = [...document.querySelectorAll(".felt .card, .felt .controls .button")];
  return all.filter((each) => over(told, each.getBoundingClientRect())).length;
}"""


@pytest.mark.parametrize("title", ["Gin Rummy", "Basic Rummy", "Pyramid"])
def test_a_refusal_lies_over_no_card_and_no_button_and_goes_by_escape(visit, title):
    page = visit(viewport=PHONE)
    sit_down(page, title)
    told = {"code": "forbidden", "title": "No", "detail": "The rules of this table forbid it. " * 2}
    page.route("**/moves", lambda route: route.fulfill(status=403, json=told))
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("alert").filter(has_text="forbid").wait_for()

    assert page.evaluate(COVERED) == 0
    page.keyboard.press("Escape")
    assert page.get_by_role("alert").count() == 0  # long before it goes by itself


def test_the_bar_has_room_for_everything_on_the_smallest_phone(visit):
    page = visit("/boards/gin", viewport={"width": 320, "height": 640})
    who = page.locator("#who a")
    assert who.inner_text() == "Sign in"
    assert who.evaluate("link => link.scrollWidth <= link.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    who.evaluate("link => { link.textContent = 'eve' }")
    before = page.get_by_role("link", name="Rules", exact=True).first.bounding_box()
    assert who.bounding_box()["x"] - before["x"] - before["width"] < 16  # no hole


def test_an_empty_board_says_what_counts_there(visit):
    page = visit()
    empty = {"results": [], "next": None, "ranks": "wins"}
    page.route("**/leaderboards/**", lambda route: route.fulfill(json=empty))
    page.goto("/boards/gin")
    page.get_by_text("What counts is how many matches are won.").wait_for()


def test_back_and_forward_lead_through_the_pages(visit):
    page = visit()
    page.get_by_role("link", name="Boards").first.click()
    page.get_by_role("heading", name="Boards", level=1).wait_for()
    page.get_by_role("link", name="Tables", exact=True).first.click()
    page.get_by_role("heading", name="Tables", level=1).wait_for()

    page.go_back()
    page.get_by_role("heading", name="Boards", level=1).wait_for()
    assert page.title() == "Boards · ginservice"
    page.go_back()
    page.get_by_role("heading", name="Card games").wait_for()
    page.go_forward()
    page.get_by_role("heading", name="Boards", level=1).wait_for()


def test_the_link_to_a_table_opens_it_after_a_reload_too(visit):
    page = visit()
    match = sit_down(page)
    hand = page.locator(".held").evaluate_all("all => all.map(e => e.dataset.card)")

    page.goto("/")
    page.goto(f"/matches/{match}")
    page.locator(".held").first.wait_for()
    assert sorted(page.locator(".held").evaluate_all("all => all.map(e => e.dataset.card)"))[
        :10
    ] == sorted(hand)


def test_the_start_page_can_be_read_without_scripts(visit):
    page = visit(java_script_enabled=False)

    for words in ("Gin Rummy", "Basic Rummy", "Pyramid", "API docs", "Operate"):
        assert page.get_by_text(words).first.is_visible()


ANOTHER = """async () => {
  const { post } = await import("/static/client/api.js");
  await post("/matches", { game: "gin", seats: ["me", { bot: "easy" }] });
}"""


@pytest.fixture
def slow(visit):
    """slow() -> the start page as the server draws it, and what lets the client come."""

    def open_():
        page, kept = visit("/problems"), []
        page.route("**/client/main.js", lambda route: kept.append(route))
        page.goto("/", wait_until="commit")
        button = page.get_by_role("region", name="Pyramid").get_by_role("button", name="Play now")
        button.hover()
        return page, button, lambda: kept[0].continue_()

    return open_


def test_a_press_before_the_client_is_there_is_not_lost(slow):
    page, button, come = slow()

    button.click()
    page.get_by_role("button", name="Dealing …").wait_for()
    come()

    page.get_by_role("group", name="Pyramid").wait_for()


def test_the_client_takes_over_the_button_that_is_just_being_pressed(slow):
    page, button, come = slow()
    before = button.bounding_box()

    page.mouse.down()
    come()
    page.locator(".tile .card").first.wait_for()
    assert button.bounding_box() == before
    page.mouse.up()

    page.get_by_role("group", name="Pyramid").wait_for()


def test_a_game_that_cannot_begin_yet_says_why(visit):
    page = visit()
    busy = {"title": "Too many", "detail": "Too many matches in a minute.", "code": "throttled"}
    later = {"Retry-After": "1"}
    page.route("**/api/v1/matches", lambda it: it.fulfill(status=429, json=busy, headers=later))
    tile = page.get_by_role("region", name="Pyramid")
    tile.get_by_role("button", name="Play now").click()

    tile.get_by_role("alert").filter(has_text="Too many matches in a minute.").wait_for()
    page.unroute("**/api/v1/matches")
    page.get_by_role("group", name="Pyramid").wait_for()


def test_the_first_page_is_light(visit):
    sizes = {}
    page = visit("/problems")
    page.on("response", lambda answer: sizes.update({answer.url: answer}))
    page.goto("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    page.wait_for_load_state("networkidle")

    packed = sum(len(gzip.compress(answer.body())) for answer in sizes.values())
    assert len(sizes) > 10
    assert packed < 150_000


def test_a_guest_takes_a_name_and_keeps_the_matches_in_all_tabs(visit):
    page = visit()
    match = sit_down(page)
    other = page.context.new_page()
    other.goto("/")
    other.get_by_role("link", name="My matches", exact=True).wait_for()

    page.goto("/sign-in")
    new = page.get_by_role("region").filter(has_text="I am new")
    form = page.locator("section", has_text="I am new") if not new.count() else new
    form.get_by_label("Name").fill("ann-at-the-page")
    form.get_by_label("Password").fill("a long and quiet password")
    form.get_by_role("button").click()
    page.get_by_role("heading", name="ann-at-the-page").wait_for()
    page.locator(f'a[href="/matches/{match}"]').wait_for()
    other.get_by_role("link", name="ann-at-the-page").first.wait_for()

    page.get_by_role("button", name="Sign out", exact=True).click()
    other.get_by_role("link", name="Sign in").wait_for()


def test_a_guest_who_comes_back_is_led_to_the_match_and_loses_it_only_knowingly(visit):
    page = visit()
    match = sit_down(page)
    page.goto("/")
    tile = page.get_by_role("region", name="Gin Rummy")
    before = tile.bounding_box()
    tile.get_by_role("link", name="Go on with your match").click()
    page.wait_for_url(f"**/matches/{match}")
    page.evaluate(ANOTHER)
    page.goto("/")
    tile.get_by_role("link", name="Go on with one of your 2").wait_for()
    assert tile.bounding_box() == before  # nothing has moved under the mouse

    page.locator("#who a").click()
    page.get_by_role("button", name="Sign out …").click()
    page.get_by_role("link", name="Take a name of your own").click()
    page.get_by_role("heading", name="Take a name").wait_for()
    assert page.locator("main h2").all_inner_texts() == ["I am new", "I have a name"]
    page.go_back()
    page.get_by_role("button", name="Sign out …").click()
    page.get_by_role("button", name="Sign out and lose these matches").click()
    page.get_by_role("link", name="Sign in").wait_for()


def test_what_is_wrong_with_a_name_or_password_is_told_at_its_field(visit):
    page = visit("/sign-in")
    form = page.locator("section", has_text="I am new")
    name, password = form.get_by_label("Name"), form.get_by_label("Password")
    form.get_by_text("At least 8 characters").wait_for()
    name.fill("me")
    password.fill("12345678")
    form.get_by_role("button").click()

    form.get_by_role("alert").nth(1).wait_for()
    assert name.get_attribute("aria-invalid") == password.get_attribute("aria-invalid") == "true"
    assert name.evaluate("field => field === document.activeElement")
    assert page.get_by_role("alert").count() == 2
    assert not serious(page)

    name.fill("eve-at-the-page")
    form.get_by_role("button").click()
    page.locator('[name="name"][aria-invalid="true"]').wait_for(state="detached")
    form.locator('[type="password"][aria-invalid="true"]').wait_for()


def test_my_matches_tell_where_it_is_my_turn_and_call_me_you(visit):
    page = visit()
    match = sit_down(page)
    my_turn(page)
    page.goto("/me")

    row = page.locator("li", has=page.locator(f'a[href="/matches/{match}"]'))
    row.get_by_text("your turn").wait_for()
    assert "you: 0" in row.inner_text()
    assert not serious(page)


def test_the_sounds_and_the_four_colours_are_off_until_switched_on(visit):
    page = visit("/me")
    page.goto("/")
    sit_down(page)
    shown = "document.documentElement.className"
    assert not re.search("sounds|colours", page.evaluate(shown))
    page.get_by_label("Menu").click()
    page.get_by_label("Four colours for the suits").check()
    page.reload()
    page.locator(".held").first.wait_for()
    assert "colours" in page.evaluate(shown)


def test_the_key_of_a_private_table_is_in_its_link(visit):
    page = visit("/play/gin")
    page.get_by_label("whoever opens the link").check()
    page.get_by_label("Private").check()
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("heading", name="Waiting for players").wait_for()
    link = page.get_by_label("Link to this table").input_value()
    assert "?key=" in link
    page.locator(".status .told", has_text="You take seat 1").wait_for()
    assert not serious(page)

    bob = visit(link)
    bob.get_by_role("button", name="Sit down").click()
    for each in (page, bob):
        each.locator(".held").nth(9).wait_for()
        assert each.locator('.seat a[href^="/players/guest-"]').count() == 2


def test_a_game_without_a_page_is_played_on_the_plain_table(visit):
    def forget(route):
        answer = route.fetch()
        body = re.sub(
            'name="game-pages" content="[^"]*"', 'name="game-pages" content=""', answer.text()
        )
        route.fulfill(response=answer, body=body)

    page = visit()
    match = sit_down(page)
    page.route("**/matches/*", forget)
    page.goto(f"/matches/{match}")
    page.locator(".log li", has_text="Easy bot takes seat 2").wait_for(state="attached")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("region", name="Hint").get_by_text("Play: draw").wait_for()
    page.get_by_role("button", name="Draw stock").click()
    page.get_by_role("button", name=re.compile("^Discard ")).first.click()
    settled(page)
    page.locator(".plain .controls button:enabled").first.wait_for()  # the bot may have knocked


def test_house_rules_are_chosen_from_what_the_game_says_of_its_options(visit, service):
    page = visit("/play/gin")
    page.get_by_label("A short match, to 30 points").check()
    page.get_by_label("Rules").select_option("classic")
    page.get_by_text("tie: undercut · next dealer: loser").wait_for()  # what it changes
    page.get_by_text("House rules (1 changed)").click()
    assert page.get_by_label("Target").input_value() == "30"
    assert page.get_by_label("Game bonus").input_value() == "100"
    about = page.get_by_label("Target").get_attribute("aria-describedby")
    assert page.locator(f"#{about}").inner_text() == "Who has so many points has won."
    assert page.get_by_text("counts for no rating and no board").is_visible()
    page.get_by_label("Target").fill("31")
    assert not page.get_by_label("A short match, to 30 points").is_checked()
    page.get_by_label("Knock limit").select_option("oklahoma")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/matches/*")

    match = service.call("GET", f"/api/v1/matches/{page.url.rpartition('/')[2]}")[1]
    options = match["options"]
    assert match["rated"] is False
    assert (options["target"], options["knock_limit"]) == (31, "oklahoma")
    assert options["game_bonus"] == 100


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ({"status": "voided"}, "An operator has declared this match void"),
        ({"status": "aborted", "ended_by": "abandoned"}, "All have abandoned this match"),
        ({"status": "aborted", "ended_by": "called_off"}, "This match was called off"),
    ],
    ids=lambda each: each if isinstance(each, str) else each["status"],
)
def test_a_match_without_a_winner_says_how_it_ended(visit, ending, words):
    page = visit("/play/gin")
    page.get_by_role("button", name="Sit down").click()
    page.locator(".held").nth(9).wait_for()
    path = page.evaluate("location.pathname")
    page.route(f"**/api/v1{path}", lambda route: route.fulfill(json=route.fetch().json() | ending))
    page.reload()

    page.get_by_role("status").get_by_text(words).wait_for()
    assert page.get_by_role("button", name="Play again").is_visible()


def test_a_clock_is_shown_and_a_win_is_claimed_when_it_has_run_out(visit):
    page = visit("/play/gin")
    page.get_by_label("whoever opens the link").check()
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("heading", name="Waiting for players").wait_for()
    bob = visit(page.url)
    bob.get_by_role("button", name="Sit down").click()
    for each in (page, bob):
        each.locator(".held").nth(9).wait_for()
    assert not page.get_by_role("timer").count()
    waiting = page if not page.locator(".mine .controls button").count() else bob
    match = waiting.evaluate("location.pathname")
    past = {"at": "2020-01-01T00:00:00Z", "take": ["win"]}

    def late(route):
        told = route.fetch().json()
        told["awaiting"] |= {"claims": past, "deadline": "2020-01-01T00:00:00Z"}
        route.fulfill(json=told)

    waiting.route(f"**/api/v1{match}", late)
    waiting.reload()
    assert waiting.get_by_role("timer").inner_text() == "0:00"
    waiting.get_by_role("button", name="Claim the win").click()
    waiting.get_by_role("alert").wait_for()  # the service knows better
