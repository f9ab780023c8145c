"""What the coach says on the page of a replay: asked for, waited for, and each moment shown."""

import re

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious
from tests.e2e.players import new_match, play_out
from tests.processes import eventually

AWAIT = 180_000  # ms: other tests run beside it

PLAYED_AND_RESIGNED = """async () => {
  const { get, post } = await import("/static/client/api.js");
  await (await import("/static/client/who.js")).somebody();
  let match = null;  // the bot may knock at once: then another
  while (!match?.view.legal.some((each) => each.type === "draw_stock")) {
    match = await post("/matches", { game: "gin", seats: ["me", { bot: "easy" }] });
    while (match.turn !== 0) match = await get(`/matches/${match.id}`);
  }
  for (const type of ["draw_stock", "discard"]) {
    const action = match.view.legal.find((each) => each.type === type);
    match = await post(`/matches/${match.id}/moves`, { version: match.version, action });
  }
  await post(`/matches/${match.id}/resignation`);
  return match.id;
}"""


def opened(page, match):
    page.goto(f"/matches/{match}/replay")
    page.get_by_text("Analysis", exact=True).click()
    return page.locator(".analysis .found")


def test_a_player_has_his_match_analysed_and_waits_for_it(visit):
    page = visit("/")
    found = opened(page, page.evaluate(PLAYED_AND_RESIGNED))

    found.get_by_role("button", name="Analyse the match").click()

    found.get_by_role("heading", name="You").wait_for(timeout=AWAIT)
    assert found.get_by_text(re.compile(r"\d mistakes? in \d decisions")).count() >= 1
    assert found.get_by_role("button", name="Analyse the match").count() == 0


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_whoever_watches_reads_it_and_is_led_to_the_worst_moves(visit, analysed, viewport):
    match, result = analysed
    page = visit(f"/matches/{match['id']}/replay", viewport=viewport)
    found = opened(page, match["id"])
    worst = next(seat for seat in result["seats"] if seat["worst"])
    name = page.get_by_label("Seen by").locator("option").nth(worst["seat"]).inner_text()
    own = found.get_by_role("region", name=f"Analysis of {name}")
    own.wait_for()
    assert re.search(r"\d points (ahead|behind):", own.inner_text())
    split = own.locator("dd").all_inner_texts()
    assert len(split) == 2 and all(re.match(r"[+−]?\d", each) for each in split)  # skill and luck
    top = page.locator(".analysis").evaluate("it => it.getBoundingClientRect().top")
    assert top < viewport["height"] / 2  # a phone has gone there
    assert own.get_by_role("listitem").count() == min(3, worst["mistakes"])

    first = own.get_by_role("listitem").first.get_by_role("button")
    assert "Better: " in first.inner_text()
    first.click()

    page.wait_for_function(
        "at => new URL(location).searchParams.get('at') === String(at)", arg=worst["worst"][0]
    )
    assert page.get_by_label("Seen by").input_value() == str(worst["seat"])
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert serious(page) == []


def test_of_a_match_that_nobody_has_had_analysed_others_are_told_so(visit, service):
    token = service.guest()
    match = new_match(service, token, game="gin")
    service.call("POST", f"/api/v1/matches/{match['id']}/resignation", token=token)
    found = opened(visit("/"), match["id"])

    found.get_by_text("None of the players has had this match analysed.").wait_for()
    assert found.get_by_role("button").count() == 0


def test_nobody_asks_on_after_a_refusal_and_not_too_soon_after_too_many(visit, service):
    token = service.guest()
    match = new_match(service, token, game="gin")
    service.call("POST", f"/api/v1/matches/{match['id']}/resignation", token=token)
    page = visit("/")
    page.clock.install()
    running = {"status": "running", "done": 1, "total": 9, "error": "", "result": None}
    busy = {"code": "throttled", "title": "Too many requests", "detail": "Wait."}
    no = {"code": "forbidden", "title": "You may not do this", "detail": "Not for you."}
    answers = [
        {"status": 429, "json": busy, "headers": {"Retry-After": "30"}},
        {"json": running},
        {"status": 403, "json": no},
        {"json": running | {"done": 2}},
    ]
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(**answers[len(asked) - 1])

    page.route("**/analysis", answer)
    found = opened(page, match["id"])
    found.get_by_role("alert").filter(has_text="Wait.").wait_for()
    page.clock.fast_forward(20_000)
    assert len(asked) == 1
    page.clock.fast_forward(10_000)
    found.get_by_text("1 of 9").wait_for()
    page.clock.fast_forward(1500)
    found.get_by_role("alert").filter(has_text="Not for you.").wait_for()
    page.clock.fast_forward(600_000)
    assert len(asked) == 3
    found.get_by_role("button", name="Look again").click()
    page.clock.fast_forward(1500)
    found.get_by_text("2 of 9").wait_for()
    assert not found.get_by_role("alert").count()


@pytest.fixture(scope="module")
def analysed(service):
    """A match in which seat 0 has always thrown what it should not, and what is said of it."""
    token = service.guest()
    match = play_out(
        service, token, new_match(service, token, game="gin", options={"max_deals": 3})
    )
    path = f"/api/v1/matches/{match['id']}/analysis"
    assert service.call("POST", path, token=token)[0] == 201

    def told():
        answer = service.call("GET", path)[1]
        assert answer["status"] != "failed", answer
        return answer["result"]

    return match, eventually(told, 300)
