"""A whole deal of gin, by mouse and by keyboard; what is refused; two tabs."""

import json
import re

import pytest

from games.engine import gin
from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.scripted import Scripted
from tests.e2e.browser.tables import CORNER, held, my_turn, settled, sit_down, worst
from tests.e2e.browser.test_pages import serious
from tests.e2e.browser.test_rummy import post
from tests.engine.decks import dealt, played

MOST_TURNS = 60
ONE_LOOSE = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
LOOSE = "2D 4D 6D 8D TD QD 3S 9S KS 6H"


@pytest.fixture
def table(visit):
    """table(stock="KD") -> a scripted match: ann holds ONE_LOOSE and is to draw that card."""

    def sit_down(stock, **options):
        state = dealt(first=ONE_LOOSE, second=LOOSE, upcard="9D", stock=stock)
        scripted = Scripted(visit(**options), gin, state)
        scripted.show()
        return scripted

    return sit_down


def scores(service, match):
    seats = service.call("GET", f"/api/v1/matches/{match}")[1]["seats"]
    return [str(seat["score"]) for seat in seats]


def assert_showdown(page, service, match):
    title = page.locator("#showdown-title").inner_text()
    assert "score" in title or "Nobody" in title or "tie" in title
    sheet = page.locator("dialog.showdown .score-sheet summary")
    assert sheet.inner_text() == "Score sheet, played to 100"
    assert "of 100" in page.locator(".seat.mine .score").text_content()
    sheet.click()
    totals = page.locator(".scores tfoot td")
    totals.first.wait_for()
    assert totals.all_inner_texts() == scores(service, match)


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
def test_a_deal_is_played_by_mouse(visit, service, viewport):
    page = visit(**({"viewport": viewport} if viewport else {}))
    match = sit_down(page)
    drag = True
    for _ in range(MOST_TURNS):
        match what := my_turn(page):
            case "draw":
                page.locator(".pile.stock").click()
            case "knock":
                page.get_by_role("button", name="Knock …").click()
                page.locator("dialog.knocking .button.main").click()
            case "lay off":
                page.get_by_role("button", name="Done").click()
            case "discard" if drag:
                card = held(page, worst(page))
                card.drag_to(page.locator(".pile.discards"), source_position=CORNER)
                card.wait_for(state="detached")
                drag = False
            case "discard":
                held(page, worst(page)).click(position=CORNER)
                page.locator(".pile.discards").click()
            case "over":
                break
            case "pass":
                page.get_by_role("button", name="Pass").click()
        if what != "over":
            settled(page)

    lines = page.locator(".log li").all_text_contents()
    assert any(re.search(r"scores? \d|Nobody scores", line) for line in lines), lines
    assert_showdown(page, service, match)
    assert not serious(page)
    if page.locator(".felt.between").count():  # the next deal lies there already
        assert not page.locator(".gin, .status").first.is_visible()
    page.get_by_role("button", name="Next deal").click()
    page.locator(".gin").wait_for()


def test_a_deal_is_played_by_keys_alone(visit, service):
    page = visit()
    page.get_by_role("button", name="Play now").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/*")
    match = page.url.rpartition("/")[2]
    for _ in range(MOST_TURNS):
        match my_turn(page):
            case "draw":
                page.keyboard.press("s")
            case "knock":
                page.keyboard.press("k")
                page.locator("dialog.knocking").wait_for()
                page.keyboard.press("Enter")
            case "lay off":
                page.keyboard.press("f")
            case "discard":
                walk_to(page, worst(page))
                page.keyboard.press("Enter")
                page.keyboard.press("d")
            case "over":
                break
        settled(page)

    assert_showdown(page, service, match)
    page.keyboard.press("Escape")
    page.locator("dialog.showdown").wait_for(state="detached")


def test_what_happens_while_one_reads_how_a_deal_ended_is_shown_afterwards(visit):
    page = visit()
    post(page, "/players/guest", {"cookie": True})
    options = {"stock_floor": 30}  # the first card drawn ends a deal, and who began begins again
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "options": options}
    while (match := post(page, "/matches", body))["view"]["dealer"] != 0:
        pass  # until the bot begins
    page.goto(f"/matches/{match['id']}")
    if my_turn(page) == "draw":  # the bot took the upcard
        draw(page)
        held(page, worst(page)).dblclick(position=CORNER)
    next_deal = page.get_by_role("button", name="Next deal")
    next_deal.wait_for()
    eve = visit(page.url)
    moves, heard = (each.locator(".log li", has_text="Easy bot discards") for each in (page, eve))
    told = moves.count()

    heard.nth(told).wait_for()  # it has moved in the next deal, and all have been told
    assert moves.count() == told
    next_deal.click()
    moves.nth(told).wait_for()


def walk_to(page, card):
    """Tab leads into the hand, arrows along it."""
    for _ in range(20):
        if page.evaluate("document.activeElement.classList.contains('held')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    for _ in range(11):
        if page.evaluate("document.activeElement.dataset.card") == card:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{card} cannot be reached")


def test_two_taps_of_a_finger_lift_a_card_and_let_it_down_again(visit):
    page = visit("/", has_touch=True, viewport=PHONE)
    sit_down(page)
    while (what := my_turn(page)) != "discard":
        page.keyboard.press({"draw": "s", "pass": "p"}[what])
        settled(page)
    card = held(page, worst(page))

    for pressed in ("true", "false"):
        card.tap(position=CORNER)
        assert card.get_attribute("aria-pressed") == pressed
    assert my_turn(page) == "discard"
    assert page.locator(".held").count() == 11


def test_the_hand_is_put_in_order_by_dragging_and_by_keys(visit):
    page = visit()
    sit_down(page)
    my_turn(page)
    order = lambda: [each.get_attribute("data-card") for each in page.locator(".held").all()]  # noqa: E731
    first, *_, last = order()

    held(page, last).drag_to(held(page, first), target_position=CORNER, source_position=CORNER)
    assert order()[0] == last
    assert page.get_by_label("Hand sorted by").input_value() == "own"
    held(page, first).focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert order()[:2] == [first, last]


def test_a_card_just_taken_is_not_thrown_and_the_page_says_why(visit):
    page = visit()
    sit_down(page)
    while my_turn(page) != "draw":
        page.get_by_role("button", name="Pass").click()
    page.locator(".pile.discards").click()
    barred = page.locator(".held.barred")
    barred.wait_for()

    barred.click(position=CORNER)
    assert page.get_by_role("button", name="Discard", exact=True).get_attribute("aria-disabled")
    assert "taken this turn" in page.get_by_role("alert").inner_text()
    assert page.locator(".held").count() == 11


def test_the_stock_is_drawn_from_by_dragging_it_into_the_hand(table):
    scripted = table(stock="KD")

    scripted.page.locator(".pile.stock").drag_to(scripted.page.locator(".hand"))
    held(scripted.page, "KD").wait_for()

    assert [action["type"] for action in scripted.actions] == ["draw_stock"]


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_piles_stay_where_they_are_when_one_may_knock(table, viewport):
    page = table(stock="KD", viewport=viewport).page
    before = page.locator(".pile.stock").bounding_box()

    page.keyboard.press("s")
    knock = page.locator(".pile.knock")
    knock.wait_for()

    assert page.locator(".pile.stock").bounding_box() == before
    box = knock.bounding_box()
    assert box["x"] + box["width"] <= page.locator("main").bounding_box()["width"]


def test_the_deadwood_told_before_a_discard_is_what_the_best_one_leaves(table):
    page = table(stock="KD").page
    page.get_by_text("5 deadwood knock with 10 or less").wait_for()
    page.keyboard.press("s")
    page.get_by_text("5 deadwood after a discard").wait_for()
    held(page, "5S").click(position=CORNER)
    page.get_by_text("10 deadwood without 5♠").wait_for()


def test_cards_are_laid_off_by_dragging_them_and_by_clicks(visit):
    state = dealt(first=ONE_LOOSE, second=LOOSE.replace("2D 4D", "4C 7C"), stock="KD")
    scripted = Scripted(visit(), gin, played(state, "draw", "knock KD"), seat=1)
    scripted.show()
    page = scripted.page
    clubs, sevens = (page.locator(".laid .meld").nth(n) for n in (0, 1))

    held(page, "KS").drag_to(clubs, source_position=CORNER)
    assert scripted.told == ["K♠ does not fit there."]
    held(page, "4C").drag_to(clubs, source_position=CORNER)
    clubs.locator('[data-card="4C"]').wait_for()
    held(page, "7C").click(position=CORNER)
    sevens.click()
    sevens.locator('[data-card="7C"]').wait_for()
    page.get_by_role("button", name="Done").click()

    kinds = [(each["type"], each.get("card"), each.get("meld")) for each in scripted.actions]
    assert kinds == [("lay_off", "4C", 0), ("lay_off", "7C", 1), ("finish_layoffs", None, None)]
    assert not scripted.misguessed


def test_a_lay_off_that_costs_points_is_asked_twice(visit):
    mine = "5C 5D 5H 2D 4D 8D TD QD 3S 9S"
    state = dealt(first=ONE_LOOSE.replace("AC 2C 3C", "2C 3C 4C"), second=mine, stock="KD")
    scripted = Scripted(visit(), gin, played(state, "draw", "knock KD"), seat=1)
    scripted.show()
    page = scripted.page
    page.get_by_text("46 deadwood").wait_for()
    assert not page.get_by_text("knock with 10").count()
    clubs = page.locator(".laid .meld").first

    held(page, "5C").drag_to(clubs, source_position=CORNER)
    assert scripted.told == [
        "Without 5♣ you have 56 deadwood, now 46. Once more lays it off all the same."
    ]
    page.get_by_text("56 deadwood without 5♣").wait_for()
    assert not scripted.actions
    clubs.click()
    clubs.locator('[data-card="5C"]').wait_for()


def test_enter_on_a_chosen_card_discards_it_and_space_takes_it_back(table):
    scripted = table(stock="KD")
    page = scripted.page
    page.keyboard.press("d")  # draws
    king = held(page, "KD")
    king.focus()
    for key, pressed in (("Enter", "true"), ("Space", "false"), ("Enter", "true")):
        page.keyboard.press(key)
        assert king.get_attribute("aria-pressed") == pressed
    page.keyboard.press("Enter")
    king.wait_for(state="detached")

    assert [action["type"] for action in scripted.actions] == ["draw_stock", "discard"]


def test_an_arrow_leads_into_the_hand(table):
    page = table(stock="KD").page
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('.held')")


def test_a_card_dropped_on_the_knock_is_discarded_and_the_melds_picked_are_laid(visit):
    two_ways = "7C 7D 7S 7H 8H 9H TH AC 2C 3D"
    scripted = Scripted(visit(), gin, dealt(first=two_ways, second="", upcard="9D", stock="KD"))
    page = scripted.page
    advice = {"foresight": {"melds": [["7C", "7D", "7S"], ["7H", "8H", "9H", "TH"]]}}
    page.route("**/moves*", lambda route: route.fulfill(json=advice))  # what the referee would lay
    scripted.show()
    page.keyboard.press("s")

    held(page, "KD").drag_to(page.locator(".pile.knock"), source_position=CORNER)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="Knock with 6").wait_for()
    ways = dialog.get_by_role("radio")
    dialog.get_by_text("Lay these melds").wait_for()
    ways.nth(1).check()
    dialog.get_by_role("button", name="Knock with 6").click()
    page.locator(".laid").wait_for()

    assert scripted.actions[-1]["card"] == "KD"
    laid = {frozenset(meld) for meld in scripted.actions[-1]["melds"]}
    assert laid == {frozenset(["7C", "7D", "7H", "7S"]), frozenset(["8H", "9H", "TH"])}


def test_a_card_chosen_before_the_draw_is_not_the_one_to_discard(table):
    page = table(stock="KD").page
    held(page, "QH").click(position=CORNER)
    assert held(page, "QH").get_attribute("aria-pressed") == "true"

    page.keyboard.press("s")

    discard = page.get_by_role("button", name="Discard", exact=True)
    discard.wait_for()
    assert discard.get_attribute("aria-disabled") == "true"
    assert held(page, "QH").get_attribute("aria-pressed") == "false"


def test_what_is_refused_is_told_until_one_goes_on_or_has_read_it(visit):
    page = visit()
    page.clock.install()
    sit_down(page)
    draw(page)
    discard = page.get_by_role("button", name="Discard", exact=True)
    alert = page.get_by_role("alert")

    discard.click(force=True)
    assert alert.inner_text().startswith("Choose a card first.")
    held(page, worst(page)).click(position=CORNER)
    alert.wait_for(state="detached")
    held(page, worst(page)).click(position=CORNER)
    discard.click(force=True)
    alert.wait_for()
    page.clock.fast_forward(10_000)
    alert.wait_for(state="detached")


def test_a_match_is_called_off_as_long_as_nobody_has_moved(visit):
    page = visit()
    sit_down(page)
    call_off = page.get_by_role("button", name="Call the match off")
    page.get_by_label("Menu").click()
    call_off.wait_for()
    page.get_by_label("Menu").click()
    draw(page)

    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Resign …").wait_for()
    assert not call_off.count()


def draw(page):
    while my_turn(page) != "draw":
        page.get_by_role("button", name="Pass").click()
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    settled(page)


def test_a_move_that_the_service_refuses_is_put_back(visit):
    page = visit()
    sit_down(page)
    assert my_turn(page) == "draw"
    told = {"title": "The rules forbid this", "status": 422, "code": "illegal-action"}
    problem = {**told, "detail": "Not today.", "errors": [{"detail": "Not today."}]}
    answer = {"status": 409, "content_type": "application/problem+json"}
    page.route("**/moves", lambda route: route.fulfill(**answer, body=json.dumps(problem)))

    page.locator(".pile.stock").click()
    page.get_by_role("alert").filter(has_text="Not today.").wait_for()
    assert page.locator(".held").count() == 10
    page.unroute("**/moves")
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()


def test_a_move_shows_before_the_service_has_answered(visit):
    page = visit()
    sit_down(page)
    while my_turn(page) != "draw":
        page.get_by_role("button", name="Pass").click()
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    settled(page)
    held_back = []
    page.route("**/moves", lambda route: held_back.append(route))  # it is not sent on yet

    card = worst(page)
    held(page, card).dblclick(position=CORNER)
    page.locator(f'.pile.discards [data-card="{card}"]').wait_for()
    assert page.locator(".held").count() == 10
    assert len(held_back) == 1
    held_back[0].continue_()
    settled(page)


def test_two_tabs_agree_and_one_that_is_behind_is_told(visit):
    page = visit()
    sit_down(page)
    assert my_turn(page) == "draw"
    other = page.context.new_page()
    other.route("**/events*", lambda route: route.abort())  # it hears nothing
    other.goto(page.url)
    assert my_turn(other) == "draw"

    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    other.locator(".pile.stock").click()
    other.get_by_role("alert").wait_for()
    other.locator("button.held").nth(10).wait_for()
    cards = [sorted(p.locator(".held").evaluate_all("all => all.map(e => e.dataset.card)"))
             for p in (page, other)]  # fmt: skip
    assert cards[0] == cards[1]


def test_a_spectator_sees_no_hand_and_hears_the_moves(visit):
    page = visit()
    sit_down(page)
    assert my_turn(page) == "draw"
    eve = visit(page.url)
    eve.locator(".pile.stock").wait_for()
    assert eve.locator(".held").count() == 0

    page.locator(".pile.stock").click()
    eve.locator(".log").get_by_text("draws a card from the stock").last.wait_for()


def test_a_double_click_does_not_resign_and_the_button_that_does_can_be_read(visit):
    page = visit()
    sit_down(page)
    page.get_by_label("Menu").click()
    resign = page.get_by_role("button", name="Resign …")

    resign.dblclick()
    page.locator(".drawer").wait_for(state="hidden")
    page.get_by_label("Menu").click()
    resign.click()
    page.get_by_role("button", name="Yes, resign").hover()

    assert not serious(page)
    assert my_turn(page) in ("draw", "pass")


def test_who_resigns_is_told_who_has_won_and_plays_again(visit):
    page = visit()
    sit_down(page)
    before = page.url
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Resign …").click()
    page.get_by_role("button", name="Yes, resign this match").click()
    page.get_by_text("Easy bot has won the match.").first.wait_for()

    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)
    page.locator(".held").nth(9).wait_for()
