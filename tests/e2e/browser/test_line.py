"""The line is lost, in the middle of a move and between moves."""

import pytest

from tests.e2e.browser.tables import my_turn, settled, sit_down, worst

STOCK = "button.pile.stock:not(:disabled)"
GAMES = {
    "Gin Rummy": (STOCK, "draw_stock", ".held >> nth=10"),
    "Basic Rummy": (STOCK, "draw_stock", ".held >> nth=10"),
    "Pyramid": (".draws .lies", "draw", ".waste .lies"),
}
"""For each game: what is clicked twice, the move that it makes, and what shows it."""

AT_ONCE = """async () => {
  const {html, render} = await import("/static/client/html.js");
  const {useStore} = await import("/static/client/store.js");
  const listeners = new Set();
  const store = {n: 1, subscribe: (listener) => listeners.add(listener) && (() => {})};
  const Shown = () => html`${useStore(store).n}`;
  const root = document.createElement("div");
  render(html`<${Shown} />`, root);
  store.n = 2;
  listeners.forEach((listener) => listener());
  await new Promise((done) => setTimeout(done, 300));
  return root.textContent;
}"""
"""A store that has something new right after the first drawing."""


def test_an_answer_that_is_lost_is_asked_for_again_and_the_move_happens_once(visit, service):
    page = visit()
    match = sit_down(page)
    assert my_turn(page) == "draw"
    lost = []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)  # the service has played it
        return route.abort()

    page.route("**/moves", lose)
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()

    assert lost == [201]
    moves = service.call("GET", f"/api/v1/matches/{match}/moves?limit=100")[1]["results"]
    mine = [each for each in moves if each["last"]["seat"] == 0]
    assert [each["last"]["action"]["type"] for each in mine] == ["draw_stock"]


@pytest.mark.parametrize("answered", [True, False], ids=["played", "not-sent"])
@pytest.mark.parametrize("title", GAMES)
def test_the_line_is_lost_in_mid_move_and_comes_back(visit, service, title, answered):
    what, move, shows = GAMES[title]
    page = visit()
    match = sit_down(page, title)
    page.locator(what).wait_for()
    while page.locator('.draws .lies[data-card^="K"]').count():  # it goes at the first click
        page.goto("/")
        match = sit_down(page, title)
        page.locator(what).wait_for()
    sent = []

    def lose(route):
        """The line goes before the move has come to the service, or before its answer is back."""
        if not sent:
            sent.append(route.fetch().status if answered else None)
            page.context.set_offline(True)
            return route.abort()
        return route.continue_()

    page.route("**/moves", lose)
    page.locator(what).dblclick()
    page.get_by_text("Connection lost").wait_for()
    page.locator(shows).wait_for()  # the move shows all the same
    page.context.set_offline(False)
    page.get_by_text("Connection lost").wait_for(state="detached")
    settled(page)

    assert sent == [201 if answered else None]
    page.locator(shows).wait_for()
    assert not page.get_by_role("alert").count()
    moves = service.call("GET", f"/api/v1/matches/{match}/moves?limit=100")[1]["results"]
    mine = [each["last"] for each in moves if each["last"]["seat"] == 0]
    assert [each["action"]["type"] for each in mine] == [move], "once, and nothing else"


def test_a_proxy_that_answers_with_a_page_is_asked_again_and_the_move_happens_once(visit, service):
    page = visit()
    match = sit_down(page)
    assert my_turn(page) == "draw"
    keys = []

    def answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()  # the service has played it
        return route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")

    page.route("**/moves", answer)
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    settled(page)

    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert not page.get_by_role("alert").count()
    moves = service.call("GET", f"/api/v1/matches/{match}/moves?limit=100")[1]["results"]
    mine = [each for each in moves if each["last"]["seat"] == 0]
    assert [each["last"]["action"]["type"] for each in mine] == ["draw_stock"]


def test_a_move_made_without_a_line_is_sent_when_it_is_back(visit):
    page = visit()
    sit_down(page)
    assert my_turn(page) == "draw"
    page.context.set_offline(True)

    page.locator(".pile.stock").click()
    page.get_by_text("Connection lost").wait_for()
    page.context.set_offline(False)
    page.locator("button.held").nth(10).wait_for()


def test_where_no_stream_comes_through_events_are_asked_for_by_long_poll(visit):
    page = visit()
    asked = []

    def refuse(route):
        polls = "wait=" in route.request.url
        asked.append(polls)
        return route.continue_() if polls else route.abort()

    page.route("**/events*", refuse)
    sit_down(page)
    assert my_turn(page) == "draw"
    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    settled(page)
    page.locator(f'.held[data-card="{worst(page)}"]').dblclick(position={"x": 8, "y": 16})
    page.locator("button.held").nth(10).wait_for(state="detached")

    assert my_turn(page)
    assert asked[:2] == [False, False] and asked[-1]


def test_who_looks_for_people_is_told_when_bots_will_come(visit):
    page = visit("/play/gin")
    page.get_by_label("people, now").check()
    page.get_by_role("button", name="Sit down").click()

    page.get_by_text("Bots take the empty seats in").wait_for()


def test_what_happened_meanwhile_is_heard_without_a_reload(visit):
    page = visit()
    sit_down(page)
    assert my_turn(page) == "draw"
    behind = page.context.new_page()
    behind.goto(page.url)
    my_turn(behind)
    behind.route("**/*", lambda route: route.abort())
    behind.evaluate("dispatchEvent(new Event('offline'))")
    behind.get_by_text("Connection lost").wait_for()

    page.locator(".pile.stock").click()
    page.locator("button.held").nth(10).wait_for()
    settled(page)
    card = worst(page)
    page.locator(f'.held[data-card="{card}"]').dblclick(position={"x": 8, "y": 16})
    my_turn(page)
    behind.unroute("**/*")
    behind.evaluate("dispatchEvent(new Event('online'))")
    behind.get_by_text("Connection lost").wait_for(state="detached")
    heard = page.locator(".log li").count()
    behind.wait_for_function(f"() => document.querySelectorAll('.log li').length >= {heard}")


def test_what_is_told_right_after_the_first_drawing_is_drawn(visit):
    assert visit().evaluate(AT_ONCE) == "2"
