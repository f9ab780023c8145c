"""A hint at the table: asked for, read and followed with keys alone; not where the match counts."""

import re

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.tables import my_turn, settled, sit_down
from tests.e2e.browser.test_rummy import post

POINTS = re.compile(r"^[+−]?\d+ points? \([+−]?\d+ to [+−]?\d+\)$")

PLAY = ("Play: draw", "Play: take")


def test_a_hint_tells_what_to_do_with_points_and_reasons_and_is_followed_by_keys(visit, service):
    page = visit("/")
    match = sit_down(page)
    assert my_turn(page) == "draw"
    before = service.call("GET", f"/api/v1/matches/{match}")[1]["version"]

    page.keyboard.press("h")
    told = page.get_by_role("region", name="Hint")
    told.wait_for()
    assert told.get_by_role("listitem").count() == 2
    assert all(POINTS.match(points) for points in told.locator("b").all_inner_texts())
    assert all(reason.endswith(".") for reason in told.locator("span").all_inner_texts())
    assert told.evaluate("section => section === document.activeElement")
    page.keyboard.press("Escape")
    told.wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText") == "Hint"

    page.keyboard.press("Enter")
    told.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText").startswith(PLAY)
    page.keyboard.press("Enter")
    told.wait_for(state="detached")
    settled(page)
    assert service.call("GET", f"/api/v1/matches/{match}")[1]["version"] > before


def test_rummy_has_it_too_and_its_piles_stay_where_they_lie_on_a_phone(visit):
    page = visit("/", viewport=PHONE)
    sit_down(page, "Basic Rummy")
    my_turn(page)
    stock = page.locator(".pile.stock").bounding_box()
    assert page.locator(".seat.mine").bounding_box()["height"] < 48  # "0 of 100" on one line
    page.get_by_role("button", name="Hint").click()

    best = page.get_by_role("region", name="Hint").get_by_role("listitem").first
    best.wait_for()
    assert best.get_by_role("button").inner_text().startswith(PLAY)
    assert page.locator(".pile.stock").bounding_box() == stock


def thrice(route):
    """As many hints as there can be, the one that is given three times over."""
    told = route.fetch().json()
    route.fulfill(json=told | {"best": [told["best"][0]] * 3})


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("game", ["gin", "rummy"])
def test_it_lies_between_the_piles_and_the_hand_and_needs_no_scrolling(visit, game, viewport):
    page = visit("/play/rummy", viewport=viewport)
    seats = ["me", *[{"bot": "easy"}] * (3 if game == "rummy" else 1)]
    post(page, "/players/guest", {"cookie": True})
    turn = ""
    while turn != "draw":  # but where a bot has knocked at once
        page.goto(f"/matches/{post(page, '/matches', {'game': game, 'seats': seats})['id']}")
        turn = my_turn(page)
    page.route("**/hint", thrice)
    page.get_by_role("button", name="Hint").click()

    told = page.get_by_role("region", name="Hint")
    told.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= viewport["height"]
    piles = page.locator(".pile.discards").bounding_box()
    hand, panel = page.locator(".mine .hand").bounding_box(), told.bounding_box()
    assert piles["y"] + piles["height"] <= panel["y"]
    assert panel["y"] + panel["height"] <= hand["y"]
