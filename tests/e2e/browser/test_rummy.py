"""Rummy on the page: a deal of two browsers and a bot; laying melds; what is refused, and why."""

import re
import time

import msgspec
import pytest

from games.engine import rummy
from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.scripted import Scripted
from tests.e2e.browser.tables import CORNER, held, my_turn, sit_down
from tests.e2e.browser.test_pages import serious
from tests.e2e.players import PATIENCE
from tests.engine.rummy_decks import amid, dealt, played

MOST_TURNS = 60
MOST_LINES = 160
LAID = ".laid-out .meld"
ROOM = 627
"""The height that a window of 800 leaves to the board, below the seats and above the status."""
READY = "7H 8H 9H QC QD QS TH JH 2C 5D"
LOST = "AS 3D 4C 6S 8C TD JS KC 2H 9S"


@pytest.fixture
def table(visit):
    """table(state, seat) -> the page's table of a scripted match."""

    def sit_down(state, seat=0, **options):
        scripted = Scripted(visit(**options), rummy, state, seat)
        scripted.show()
        return scripted

    return sit_down


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def choose(page, cards):
    for card in cards.split():
        held(page, card).click(position=CORNER)


def melds(page):
    """The cards of each meld on the table."""
    shown = page.locator(LAID)
    cards = "all => all.map(e => e.dataset.card).join(' ')"
    return [shown.nth(n).locator(".card").evaluate_all(cards) for n in range(shown.count())]


def test_melds_are_laid_and_grow_by_cards_dragged_onto_them(table):
    scripted = table(dealt(rummy.Options(), READY, LOST, upcard="4S", stock="KD"))
    page = scripted.page
    stock = page.locator(".pile.stock").bounding_box()

    press(page, "Draw")
    choose(page, "7H 8H 9H")
    page.locator(".new-meld.ready").click(position={"x": 4, "y": 4})  # anywhere in it
    page.locator(LAID).wait_for()
    choose(page, "JH TH")
    held(page, "JH").drag_to(page.locator(LAID), source_position=CORNER)
    page.locator(f"{LAID} .card").nth(4).wait_for()
    press(page, "Lay Q♣ Q♦ Q♠")  # which are told to be in the hand
    page.locator(LAID).nth(1).wait_for()
    held(page, "KD").drag_to(page.locator(".pile.discards"), source_position=CORNER)
    page.get_by_text("Discards, 2 cards").or_(
        page.get_by_label("Discards, 2 cards, king of diamonds on top")
    ).wait_for()

    assert melds(page) == ["7H 8H 9H TH JH", "QC QD QS"]
    assert page.locator(".pile.stock").bounding_box()["x"] == stock["x"]  # it has not moved away
    assert [action["type"] for action in scripted.actions] == [
        "draw_stock", "meld", "lay_off", "lay_off", "meld", "discard",
    ]  # fmt: skip
    assert not scripted.misguessed
    assert not scripted.told


def test_a_meld_is_staged_by_dropping_its_cards_and_laid_by_dropping_them_all(table):
    page = table(dealt(rummy.Options(), READY, LOST, upcard="4S", stock="KD")).page
    press(page, "Draw")

    for card in ("QC", "QD"):
        held(page, card).drag_to(page.locator(".new-meld"), source_position=CORNER)
    page.get_by_text("Q♣ Q♦").wait_for()
    choose(page, "QS")
    held(page, "QS").drag_to(page.locator(".new-meld"), source_position=CORNER)

    page.locator(LAID).wait_for()
    assert melds(page) == ["QC QD QS"]


@pytest.fixture
def setting(table):
    """ann has drawn; she can lay two melds, and a king on the meld of the table."""

    def sit_down(**options):
        state = amid(rummy.Options(**options), READY, "3D 4C", table=("KH KC KS",), stock="KD")
        scripted = table(state)
        press(scripted.page, "Draw")
        held(scripted.page, "KD").wait_for()
        return scripted

    return sit_down


def put_aside(page, cards):
    choose(page, cards)
    press(page, "Set aside")


def aside(page):
    """What is set aside, as it is told to who cannot see it."""
    names = page.locator(".aside").evaluate_all("all => all.map(e => e.ariaLabel)")
    return [name.removeprefix("Set aside: ") for name in names]


def test_melds_and_lay_offs_are_set_aside_and_laid_all_at_once(setting):
    scripted = setting()
    page = scripted.page
    put_aside(page, "KD")
    put_aside(page, "7H 8H 9H")
    choose(page, "QC QD QS")
    page.keyboard.press("a")

    assert aside(page) == ["K♦ on meld 1", "7♥ 8♥ 9♥", "Q♣ Q♦ Q♠"]
    assert page.locator("button.held").count() == 4
    assert len(scripted.actions) == 1  # nothing of it has been sent
    press(page, "Lay all")

    page.locator(LAID).nth(2).wait_for()
    page.locator(".aside").first.wait_for(state="detached")
    assert melds(page) == ["KC KD KH KS", "7H 8H 9H", "QC QD QS"]
    assert [each["type"] for each in scripted.actions[1:]] == ["meld", "meld", "lay_off"]
    assert not scripted.told


def test_what_is_set_aside_is_laid_alone_or_taken_back(setting):
    scripted = setting()
    page = scripted.page
    put_aside(page, "7H 8H 9H")
    put_aside(page, "QC QD QS")
    press(page, "Take 7♥ 8♥ 9♥ back")
    held(page, "7H").wait_for()

    press(page, "Lay Q♣ Q♦ Q♠")

    page.locator(LAID).nth(1).wait_for()
    assert melds(page) == ["KC KH KS", "QC QD QS"]
    assert aside(page) == []


def test_a_discard_lays_first_what_is_set_aside(setting):
    scripted = setting()
    page = scripted.page
    put_aside(page, "7H 8H 9H")
    held(page, "KD").drag_to(page.locator(LAID), source_position=CORNER)  # set aside like the rest
    assert aside(page) == ["7♥ 8♥ 9♥", "K♦ on meld 1"]
    choose(page, "2C")

    press(page, "Lay and discard 2♣")

    page.get_by_label("Discards, 2 cards, 2 of clubs on top").wait_for()
    assert [each["type"] for each in scripted.actions[1:]] == ["meld", "lay_off", "discard"]
    assert aside(page) == []


def test_cards_dropped_on_what_is_set_aside_join_it(setting):
    scripted = setting()
    page = scripted.page
    put_aside(page, "7H 8H 9H")
    held(page, "TH").drag_to(page.locator(".aside"), source_position=CORNER)
    choose(page, "JH")
    page.keyboard.press("a")
    assert aside(page) == ["7♥ 8♥ 9♥ 10♥ J♥"]

    held(page, "2C").drag_to(page.locator(".aside"), source_position=CORNER)
    assert scripted.told == ["2♣ does not fit 7♥ 8♥ 9♥ 10♥ J♥."]
    press(page, "Lay it")

    page.get_by_role("button", name="Meld 2, seat 0: 7 of hearts").wait_for()  # whose it is
    assert melds(page) == ["KC KH KS", "7H 8H 9H TH JH"]


def test_what_may_not_be_laid_stays_aside_and_the_page_says_why(setting):
    scripted = setting(max_melds_per_turn=1)
    page = scripted.page
    put_aside(page, "7H 8H 9H")
    put_aside(page, "QC QD QS")

    press(page, "Lay all")

    page.locator(LAID).nth(1).wait_for()
    page.wait_for_function("window.told.length")
    assert scripted.told == ["At most 1 of your melds may be laid in one turn."]
    assert [each["type"] for each in scripted.actions[1:]] == ["meld"]
    assert aside(page) == ["Q♣ Q♦ Q♠"]


def test_what_the_rules_forbid_is_not_sent_and_the_page_says_why(table):
    state = amid(
        rummy.Options(layoff_needs_meld=True), "2C 5D KD 6C", "3D 4C", table=("7H 8H 9H",),
        pile="JD 4S", tabled=False,
    )  # fmt: skip
    scripted = table(state)
    page = scripted.page
    choose(page, "2C")
    page.locator(LAID).dispatch_event("click")

    page.get_by_role("button", name=re.compile("^Take")).click()
    held(page, "4S").wait_for()
    choose(page, "5D")
    page.keyboard.press("m")
    choose(page, "KD")
    page.keyboard.press("m")
    discard = page.get_by_role("button", name="Discard", exact=True)
    assert discard.get_attribute("aria-disabled") == "true"
    discard.click(force=True)
    choose(page, "5D KD 2C 4S")
    taken = page.get_by_role("button", name="Discard 4♠")
    assert taken.get_attribute("aria-disabled") == "true"
    assert "not discarded" in held(page, "4S").get_attribute("title")
    taken.click(force=True)
    page.locator(LAID).dispatch_event("click")

    assert scripted.told == [
        "Draw a card first.",
        "A meld has three cards or more: choose them all.",
        "2♣ 5♦ K♦ is neither a set nor a run.",
        "Choose one card to discard.",
        "4♠ was taken this turn and may not be discarded in it.",
        "4♠ does not fit 7♥ 8♥ 9♥.",
    ]
    assert [action["type"] for action in scripted.actions] == ["take_discard"]


def test_a_card_dragged_where_it_may_not_go_is_refused_in_words_too(visit):
    page = visit("/")
    sit_down(page, "Basic Rummy")
    my_turn(page)

    page.locator(".held").last.drag_to(page.locator(".pile.discards"), source_position=CORNER)

    assert page.get_by_role("alert").inner_text().startswith("Draw a card first.")


def test_a_double_click_discards_nothing(table):
    scripted = table(dealt(rummy.Options(), READY, LOST, upcard="4S", stock="KD"))
    page = scripted.page
    press(page, "Draw")

    held(page, "KD").dblclick(position=CORNER)
    choose(page, "KD")
    press(page, "Discard K♦")

    assert [action["type"] for action in scripted.actions] == ["draw_stock", "discard"]


def test_the_newest_move_is_in_view_however_many_there_have_been(visit):
    page = visit("/")
    sit_down(page, "Basic Rummy")
    my_turn(page)
    page.route("**/moves?*", many)
    page.reload()
    my_turn(page)
    press(page, "Draw")
    page.locator(".log li").last.get_by_text("You draw").wait_for()

    assert page.locator(".log li").count() == MOST_LINES
    end = "list => list.scrollHeight - list.clientHeight - list.scrollTop"
    assert page.locator(".log ol").evaluate(end) < 2


def many(route):
    """The moves so far, and before them as many as the page keeps."""
    moves = route.fetch().json()
    first = moves["results"][0]
    before = [first | {"version": n - MOST_LINES} for n in range(MOST_LINES)]
    route.fulfill(json=moves | {"results": before + moves["results"]})


def test_what_is_chosen_is_let_go_by_escape_and_the_box_tells_what_is_missing(table):
    hand = "4H 5H 8H 9D QC TC KS 2S 6D JH"
    page = table(dealt(rummy.Options(), hand, LOST[:-3], upcard="4S", stock="KD")).page
    press(page, "Draw")
    box = page.locator(".new-meld")

    choose(page, "4H")
    assert box.inner_text().split() == ["4♥", "and", "two", "more?"]
    choose(page, "5H")
    assert box.inner_text().split() == ["4♥", "5♥", "and", "more?"]
    choose(page, "5H 9D")
    assert box.inner_text().split() == ["4♥", "9♦", "is", "no", "meld"]
    page.keyboard.press("Escape")

    page.get_by_text("Choose or drop cards here").wait_for()
    assert page.locator(".held.chosen").count() == 0


def test_the_last_stock_is_told_before_it_runs_out(table):
    remember = "What to remember"
    page = table(dealt(rummy.Options(max_restocks=0), READY, LOST, upcard="4S")).page
    assert "Last stock" in page.get_by_role("list", name=remember).inner_text()
    page = table(dealt(rummy.Options(), READY, LOST, upcard="4S")).page
    assert page.get_by_role("list", name=remember).count() == 0


ENDS = """async ({views, seats}) => {
  const {html, render, styles} = await import("/static/client/html.js");
  const {Table} = await import("/static/client/table.js");
  const game = await import("/static/client/games/rummy.js");
  await Promise.all(game.styleSheets.map(styles));
  const listeners = new Set();
  const match = {id: "none", game: "rummy", you: 0, status: "playing", seats, options: {}};
  const subscribe = (told) => (listeners.add(told), () => listeners.delete(told));
  const store = {match, view: views.shift(), log: [], live: true, hold() {}, subscribe};
  Object.defineProperty(store, "seen", {get: () => store.view});
  const root = document.createElement("main");
  document.body.replaceChildren(root);
  render(html`<${Table} store=${store} game=${game} title="Rummy" />`, root);
  window.next = () => { store.view = views.shift(); listeners.forEach((told) => told()); };
}"""


def test_the_table_of_a_deal_that_has_ended_can_be_looked_at_but_not_yet_the_next(visit):
    page = visit("/play/rummy")
    page.route("**/deals?*", lambda route: route.fulfill(json={"results": []}))
    melds = ("7H 8H 9H", "QC QD QS")
    before = amid(rummy.Options(), "KC", "7C", table=melds, stock="TH", turn=1, dealer=0)
    ended = played(before, "draw", "lay off TH on 0", "discard 7C")
    seats = [{"number": n, "player": name, "score": 0} for n, name in enumerate(("ann", "bob"))]
    states = (before, ended, dealt(before=ended))
    views = [msgspec.to_builtins(rummy.view(state, 0)) for state in states]
    page.evaluate(ENDS, {"views": views, "seats": seats})

    page.evaluate("window.next()")
    press(page, "Look at the table")
    assert page.get_by_role("heading", name=" out").is_hidden()
    assert page.locator(LAID).first.is_visible()
    press(page, "The points")
    page.locator("#showdown-title").wait_for()
    page.evaluate("window.next()")

    page.get_by_role("button", name="Look at the table").wait_for(state="detached")
    assert page.locator(".felt .hand").is_hidden()
    press(page, "Next deal")
    page.locator(".felt .hand").wait_for()


def test_a_pile_dragged_into_the_hand_is_drawn_from(table):
    scripted = table(dealt(rummy.Options(), READY, LOST, upcard="4S", stock="KD"))
    page = scripted.page

    page.locator(".pile.discards").drag_to(page.locator(".hand"))
    held(page, "4S").wait_for()

    assert [action["type"] for action in scripted.actions] == ["take_discard"]


def test_a_spectator_sees_the_table_and_nobodys_hand(table):
    state = amid(rummy.Options(), "2C 5D KD", "3D 4C", table=("7H 8H 9H", "QC QD QS"))
    page = table(state, seat=None).page

    page.get_by_role("button", name="Meld 2: queen of clubs").wait_for()
    assert page.locator(".held").count() == 0
    assert page.get_by_role("button", name="Stock, 40 cards").is_disabled()


def test_a_lay_off_by_keys_alone(table):
    state = amid(rummy.Options(), "2C 5D TH", "3D 4C", table=("7H 8H 9H",), stock="KD")
    page = table(state).page
    page.keyboard.press("d")
    held(page, "TH").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Meld 1: .* Lay 10 of hearts off")).focus()
    page.keyboard.press("Enter")

    page.locator(f"{LAID} .card").nth(3).wait_for()
    assert melds(page) == ["7H 8H 9H TH"]


PLACES = """() => [...document.querySelectorAll(".pile, .laid-out .meld")].map((each) => {
  const {x, y, width} = each.getBoundingClientRect();
  return [x, y, width].map(Math.round).join(" ");
})"""


@pytest.mark.parametrize(("viewport", "melds"), [(DESK, 5), (PHONE, 1)], ids=["desk", "phone"])
@pytest.mark.parametrize("seats", [2, 4])
def test_piles_and_melds_stay_where_they_are_whatever_one_does(table, seats, viewport, melds):
    hands = ("5D 6D KD 9H", "3D 4C", "2C", "AS")[:seats]
    laid = ("QC QD QS", "6H 7H 8H", "2D 2H 2S", "TC TD TS", "7C 7D 7S")[:melds]
    before = amid(rummy.Options(), *hands, table=laid, stock="JS")
    page = table(before, viewport=viewport).page
    places = page.evaluate(PLACES)

    press(page, "Draw")
    assert page.evaluate(PLACES) == places
    choose(page, "5D KD")
    assert page.evaluate(PLACES) == places
    choose(page, "KD 6D")
    page.locator(".new-meld").get_by_text("and more?").wait_for()
    assert page.evaluate(PLACES) == places


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_what_others_have_taken_is_told_without_moving_a_pile(table, viewport):
    before = amid(rummy.Options(), "5D KD", "3D 4C", table=("QC QD QS",), turn=1)
    taken = played(before, "take", "discard 4C")
    places = [table(state, viewport=viewport).page.evaluate(PLACES) for state in (before, taken)]
    page = table(taken, viewport=viewport).page

    page.get_by_role("list", name="What to remember").get_by_text("took 9♠").wait_for()
    assert places[0] == places[1]


@pytest.mark.parametrize("seats", [2, 4])
def test_many_melds_on_the_table_leave_the_hand_in_view(table, seats):
    melds = ("4C 4D 4H 4S", "5C 6C 7C 8C", "QC QD QH QS", "7H 8H 9H TH", "3C 3D 3H 3S", "9C TC JC")
    hands = ("AS 2D", "AD", "KC", "KD")[:seats]
    state = amid(rummy.Options(), *hands, table=melds, pile="2S", stock="JS")
    page = table(state, viewport={"width": 1280, "height": 800}).page
    press(page, "Draw")
    page.get_by_text("Choose or drop cards here").wait_for()

    assert page.locator(".rummy").bounding_box()["height"] <= ROOM


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_amid_a_deal_and_it_fits_a_phone(table, scheme):
    state = amid(rummy.Options(), READY, LOST[:-3], table=("KD KH KS",), stock="9C")
    page = table(state, viewport=PHONE, color_scheme=scheme).page
    press(page, "Draw")
    choose(page, "7H 8H 9H")

    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_browsers_and_a_bot_play_a_deal(visit, service):
    ann = visit("/play/rummy")
    post(ann, "/players/guest", {"cookie": True})
    body = {"game": "rummy", "seats": ["me", "open", {"bot": "easy"}], "options": {"max_deals": 1}}
    match = post(ann, "/matches", body)
    ann.goto(f"/matches/{match['id']}")
    bob = visit(f"/matches/{match['id']}", viewport=PHONE)
    bob.get_by_role("button", name="Sit down").click()

    for _ in range(MOST_TURNS):
        page = whose_turn(ann, bob)
        if not page:
            break
        take_a_turn(page)

    result = service.call("GET", f"/api/v1/matches/{match['id']}")[1]["result"]
    for page, seat in ((ann, 0), (bob, 1)):
        title = page.locator("#showdown-title").inner_text()
        if result["winner"] is None:
            assert title == "Nobody goes out"
        else:
            assert title.startswith("You go") == (result["winner"] == seat)
            assert f" {max(result['points'])} point" in title
        totals = page.locator("dialog .scores tfoot td")
        totals.first.wait_for()  # open by itself, for it is the match's result
        assert totals.all_inner_texts() == [str(points) for points in result["points"]]
        page.get_by_role("button", name="Look at the table").click()


def test_bots_of_one_level_are_told_apart_in_lists_and_have_room_for_all_on_their_plates(visit):
    page = visit("/play/rummy")
    post(page, "/players/guest", {"cookie": True})
    seats = ["me", *[{"bot": "easy"}] * 3]
    match = post(page, "/matches", {"game": "rummy", "seats": seats})["id"]
    page.goto("/me")
    row = page.locator("li", has=page.locator(f'a[href="/matches/{match}"]'))
    assert re.search(r"easy bot 2: 0 · easy bot 3: 0 · easy bot 4: 0", row.inner_text())
    page.goto(f"/matches/{match}")
    page.locator(".seat .dealer").wait_for()

    sides = "all => all.map(each => each.offsetTop)"
    for plate in page.locator(".seat:not(.mine)").all():
        face, who = plate.locator(".face, .who").evaluate_all(sides)
        assert abs(face - who) < 8  # beside each other


CALL = """async ([path, body]) => {
  const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const sent = {method: "POST", headers, body: JSON.stringify(body)};
  return await (await fetch("/api/v1" + path, sent)).json();
}"""


FITTING = """async () => {
  const {melds} = await import("/static/client/melds.js");
  const cards = (all) => [...all].map((each) => each.dataset.card);
  const laid = [...document.querySelectorAll(".laid-out .meld")];
  const table = laid.map((meld) => cards(meld.querySelectorAll(".card")));
  const fits = (card) => table.some((meld) =>
    melds([...meld, card]).some((each) => each.length === meld.length + 1));
  return cards(document.querySelectorAll("button.held")).find(fits) ?? null;
}"""


def post(page, path, body):
    return page.evaluate(CALL, [path, body])


def over(page):
    return page.locator("dialog.showdown").count()


def whose_turn(*pages):
    """The page that has something to do; None once all show how the deal has ended."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for page in pages:
            if page.locator(".mine .controls button").count() and not over(page):
                return page
        if all(map(over, pages)):
            return None
        pages[0].wait_for_timeout(100)
    raise AssertionError([page.locator(".log li").all_inner_texts() for page in pages])


def take_a_turn(page):
    """Draw, lay what can be laid, throw the last card; or stop as soon as the deal is over."""
    press(page, "Draw")
    settled(page)
    while not over(page) and page.locator(".new-meld .button").count():
        page.locator(".new-meld .button").first.click()
        settled(page)
    while not over(page) and (card := page.evaluate(FITTING)):
        choose(page, card)
        page.locator(f"{LAID}.fits").first.click()
        settled(page)
    if not over(page):
        page.locator("button.held:not(.barred)").last.click(position=CORNER)
        page.keyboard.press("d")
        settled(page)


def settled(page):
    page.wait_for_function('() => document.querySelector(".status .todo").innerText.trim() !== "…"')
