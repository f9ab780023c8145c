"""A replay: to and fro, by mouse and keys, from each seat, a link to a moment, playing on."""

import json
import re

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious
from tests.e2e.players import new_match, play_out

GAMES = {
    "gin": {"options": {"max_deals": 2}},
    "rummy": {"seats": ["me", *[{"bot": "easy"}] * 3], "options": {"max_deals": 1}},
    "pyramid": {"seats": ["me"]},
}


LONG_ENOUGH = 30
"""Versions: the tests look at moments as late as this, and two deals may be over sooner."""


def played_out(service, game):
    token = service.guest()
    return play_out(service, token, new_match(service, token, game=game, **GAMES[game]))


@pytest.fixture(scope="session")
def played(service):
    """played("gin") -> a match of that game which a guest has played to its end."""
    found = {}

    def match(game):
        while game not in found or found[game]["version"] < LONG_ENOUGH:
            found[game] = played_out(service, game)
        return found[game]

    return match


def told(page):
    return page.locator(".player .now").inner_text()


def version(page):
    return int(page.locator(".scrub output").inner_text().split(" / ")[0])


def at(page, wanted):
    """Waits until that version is shown, in the address too."""
    page.wait_for_function(
        "at => document.querySelector('.scrub output')?.innerText.startsWith(`${at} /`)"
        " && new URL(location).searchParams.get('at') === String(at)",
        arg=wanted,
    )


def words(service, match, version, seat="all"):
    path = f"/api/v1/matches/{match['id']}/replay?at={version}&seat={seat}"
    status, event = service.call("GET", path)
    assert status == 200
    return event["words"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_is_stepped_through(visit, service, played, game):
    match = played(game)
    page = visit(f"/matches/{match['id']}/replay")
    page.locator(".player").wait_for()
    begin = version(page)
    at(page, begin)
    assert "deal" in words(service, match, begin)

    for _ in range(3):
        page.get_by_role("button", name="Next move").click()
    at(page, begin + 3)
    assert_told(page, service, match, begin + 3)
    page.get_by_role("button", name="Move before").click()
    at(page, begin + 2)
    page.get_by_role("slider").fill(str(match["version"] - 1))
    at(page, match["version"] - 1)
    page.get_by_role("button", name="Next move").click()
    assert page.get_by_role("button", name="Next move").is_disabled()
    assert_told(page, service, match, match["version"])


def assert_told(page, service, match, at):
    """The cards that the line names are those that the service tells."""
    said = words(service, match, at)
    named = re.findall(r"\b[A2-9TJQK][CDHS]\b", said)
    shown = [card.replace("10", "T") for card in re.findall(r"(?:10|[A2-9JQK])[♣♦♥♠]", told(page))]
    assert [card[0] for card in shown] == [card[0] for card in named], (said, told(page))
    assert page.locator('.log [aria-current="step"]').count() == 1


def test_it_is_played_with_the_keyboard_alone(visit, service, played):
    match = played("gin")
    deals = service.call("GET", f"/api/v1/matches/{match['id']}/deals")[1]["results"]
    first, second = (deal["first_version"] for deal in deals)
    page = visit(f"/matches/{match['id']}/replay?at=10")
    at(page, 10)
    for key, expected in (
        ("ArrowRight", 11),
        ("ArrowLeft", 10),
        ("End", match["version"]),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        at(page, expected)
    for key, expected in (("PageDown", first), ("PageDown", second), ("PageUp", first)):
        page.keyboard.press(key)
        at(page, expected)
    page.get_by_label("Speed").select_option("8")
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    page.keyboard.press(" ")
    page.wait_for_function(  # it does not wait for us to look
        "at => parseInt(document.querySelector('.scrub output').innerText) >= at", arg=first + 3
    )
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_it_plays_by_itself_to_the_end_and_stops(visit, played):
    match = played("rummy")
    page = visit(f"/matches/{match['id']}/replay?at={match['version'] - 4}")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    at(page, match["version"])
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_each_seat_sees_what_it_saw_and_all_see_all(visit, service, played):
    match = played("gin")
    drawn = next(v for v in range(5, 30) if "draws" in words(service, match, v))
    said = words(service, match, drawn)
    seat = service.call("GET", f"/api/v1/matches/{match['id']}/replay?at={drawn}&seat=all")[1]
    seat = seat["last"]["seat"]
    page = visit(f"/matches/{match['id']}/replay?at={drawn}&seat={seat}")
    at(page, drawn)
    assert re.search("[♣♦♥♠]", told(page)), said

    page.get_by_label("Seen by").select_option(str(1 - seat))
    page.wait_for_function("() => document.querySelector('.now').innerText.includes('a card')")
    assert page.locator(".open").count() == 0
    page.get_by_label("Seen by").select_option("all")
    page.locator(".open .card").nth(9).wait_for()
    page.get_by_label("Seen by").select_option("spectator")
    page.locator(".open").wait_for(state="detached")
    assert page.locator(".held").count() == 0


def test_a_line_of_the_list_leads_there_and_the_link_leads_others_there(visit, played):
    match = played("gin")
    page = visit(f"/matches/{match['id']}/replay", permissions=["clipboard-write"])
    page.locator(".log button").nth(11).click()
    at(page, 12)
    page.get_by_role("button", name="Share this moment").click()
    link = page.get_by_label("Link to this moment, copied").input_value()
    assert link.endswith(f"/matches/{match['id']}/replay?at=12&seat=all")

    other = visit(link)
    at(other, 12)
    assert told(other) == told(page)


def test_it_can_be_taken_away(visit, service, played):
    match = played("gin")
    page = visit(f"/matches/{match['id']}/replay")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    head = json.loads(download.value.path().read_text().splitlines()[0])
    assert (head["match"], head["versions"]) == (match["id"], match["version"])


def test_one_plays_on_from_there_against_a_bot(visit, service, played):
    match = played("gin")
    rows = service.call("GET", f"/api/v1/matches/{match['id']}/moves?limit=1000&seat=all")[1]
    moves = [row for row in rows["results"] if row["last"]["seat"] == 0]
    draws = [row for row in moves if row["last"]["action"]["type"] == "draw_stock"]
    here = draws[1]["version"] - 1
    page = visit(f"/matches/{match['id']}/replay?at={here}&seat=0")
    page.locator(".held").nth(9).wait_for()
    held = page.locator(".held").evaluate_all("all => all.map(e => e.dataset.card).sort()")

    page.get_by_role("button", name="Play from here").click()

    page.wait_for_url(re.compile(f"/matches/(?!{match['id']})[^/]+$"))
    page.locator(".held").nth(9).wait_for()
    assert page.locator(".held").evaluate_all("all => all.map(e => e.dataset.card).sort()") == held
    made = service.call("GET", f"/api/v1/matches/{page.url.rpartition('/')[2]}")[1]
    assert made["continues"] == {"match": match["id"], "version": here}
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("region", name="Hint").get_by_text(re.compile("points")).first.wait_for()
    page.get_by_label("Menu").click()
    assert page.get_by_role("button", name="Call the match off").is_visible(), "not yet moved here"
    page.get_by_role("link", name="Where it goes on from").click()
    at(page, here)


def test_a_match_that_is_played_can_be_looked_back_on_from_ones_own_seat(visit, service):
    page = visit("/")
    page.get_by_role("region", name="Gin Rummy", exact=True).get_by_role(
        "button", name="Play now"
    ).click()
    page.locator(".held").nth(9).wait_for()
    match = page.url.rpartition("/")[2]
    page.goto(f"/matches/{match}/replay")
    page.locator(".held").nth(9).wait_for()
    readers = page.get_by_label("Seen by").locator("option")
    assert readers.all_inner_texts() == ["You", "a spectator"]
    assert page.get_by_role("button", name="Play from here").count() == 0


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("game", ["gin", "rummy"])
def test_all_of_it_is_seen_at_once(visit, played, game, viewport):
    page = visit(f"/matches/{played(game)['id']}/replay?at=20&seat=all", viewport=viewport)
    at(page, 20)
    others = {"gin": 1, "rummy": 3}[game]
    page.locator(".open .card").nth(5).wait_for()

    assert page.locator(".open").count() == others
    assert page.evaluate("document.documentElement.scrollHeight") <= viewport["height"]
    lines = page.locator(".replay .hand").bounding_box()
    player = page.locator(".player").bounding_box()
    assert lines["y"] + lines["height"] < player["y"]


def test_whoever_only_watches_sees_how_an_ended_match_ended(visit, played):
    page = visit(f"/matches/{played('gin')['id']}")
    told = page.locator(".ended #showdown-title")
    told.wait_for()

    assert re.search("score|Nobody", told.inner_text())
    assert page.locator(".ended h3").count() == 2
    assert not page.get_by_role("dialog").count()


def test_what_is_not_there_is_told(page):
    page.goto("/matches/01a22c64-b1fc-72c9-a545-c7604fd95a99/replay")
    page.get_by_text("There is no such match").wait_for()
    assert not serious(page)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_at_a_replay(visit, played, scheme, viewport):
    match = played("gin")
    for at_version in (20, match["version"]):
        page = visit(
            f"/matches/{match['id']}/replay?at={at_version}", color_scheme=scheme, viewport=viewport
        )
        at(page, at_version)
        page.locator(".log summary").click()
        assert not serious(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
