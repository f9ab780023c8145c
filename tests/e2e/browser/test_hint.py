"""A hint at the table: asked for, read and followed with keys alone; not where the match counts."""

import re

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.tables import my_turn, settled, sit_down

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


def test_rummy_has_it_too(visit):
    page = visit("/")
    sit_down(page, "Basic Rummy")
    page.get_by_role("button", name="Hint").click()

    best = page.get_by_role("region", name="Hint").get_by_role("listitem").first
    best.wait_for()
    assert best.get_by_role("button").inner_text().startswith(PLAY)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("title", ["Gin Rummy", "Basic Rummy"])
def test_it_lies_between_the_piles_and_the_hand(visit, title, viewport):
    page = visit("/", viewport=viewport)
    sit_down(page, title)
    page.get_by_role("button", name="Hint").click()

    told = page.get_by_role("region", name="Hint")
    told.wait_for()
    piles = page.locator(".pile.discards").bounding_box()
    hand, panel = page.locator(".mine .hand").bounding_box(), told.bounding_box()
    assert piles["y"] + piles["height"] <= panel["y"]
    assert panel["y"] + panel["height"] <= hand["y"]
