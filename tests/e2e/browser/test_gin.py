"""A whole deal of gin, by mouse and by keyboard; what is refused; two tabs."""

import json
import re

import pytest

from tests.e2e.browser.conftest import PHONE
from tests.e2e.browser.tables import CORNER, held, my_turn, settled, sit_down, worst

MOST_TURNS = 60


def scores(service, match):
    seats = service.call("GET", f"/api/v1/matches/{match}")[1]["seats"]
    return [str(seat["score"]) for seat in seats]


def assert_showdown(page, service, match):
    title = page.locator("#showdown-title").inner_text()
    assert "score" in title or "Nobody" in title or "tie" in title
    page.locator("dialog.showdown .score-sheet summary").click()
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
                held(page, worst(page)).drag_to(
                    page.locator(".pile.discards"), source_position=CORNER
                )
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

    assert_showdown(page, service, match)
    page.get_by_role("button", name="Next deal").click()
    page.get_by_text("deal", exact=False).first.wait_for()


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
    page.get_by_role("button", name=re.compile("^Discard ")).last.click()
    assert "taken this turn" in page.get_by_role("alert").inner_text()
    assert page.locator(".held").count() == 11


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
