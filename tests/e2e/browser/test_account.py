"""A player's own things and what all may see: tokens, webhooks, what one has done."""

import re
from uuid import uuid4

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious

PASSWORD = "a long and quiet password"
URL = "https://bot.example.org/turn"
SIZES = pytest.mark.parametrize(
    ("viewport", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"]
)


@pytest.fixture
def person(visit, service):
    """A new player: the page of a browser that is signed in, the name, a token."""

    def arrive(name, **options):
        name = f"{name}-{uuid4().hex[:8]}"
        body = {"name": name, "password": PASSWORD}
        token = service.call("POST", "/api/v1/players", body)[1]["token"]
        page = visit("/sign-in", **options)
        form = page.locator("section", has_text="I have a name")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button").click()
        page.get_by_role("heading", name=name).wait_for()
        return page, name, token

    return arrive


def fits(page):
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@SIZES
def test_a_token_is_made_by_keys_shown_once_and_revoked(person, service, viewport, scheme):
    page, _, _ = person("ann", viewport=viewport, color_scheme=scheme)
    page.get_by_role("link", name="Tokens").click()
    page.get_by_label("Name").focus()
    page.keyboard.type("my bot")
    for key in ("Tab", "Space", "Tab", "Space", "Tab", "Space"):
        page.keyboard.press(key)  # read on, play off, bot on
    page.keyboard.press("Enter")

    field = page.get_by_label("The token my bot")
    field.wait_for()
    text = field.input_value()
    assert field.evaluate("field => field === document.activeElement")
    status, told = service.call("GET", "/api/v1/me", None, text)
    assert (status, told["scopes"]) == (200, ["bot", "play", "read"])
    fits(page)

    row = page.get_by_role("listitem").filter(has_text="my bot")
    assert "read, bot" in row.inner_text()
    page.reload()
    row.wait_for()
    assert not field.count()
    row.get_by_role("button", name="Revoke my bot").press("Enter")
    row.get_by_role("button", name="No").click()
    row.get_by_role("button", name="Revoke my bot").press("Enter")
    page.keyboard.press("Enter")
    row.wait_for(state="detached")
    assert service.call("GET", "/api/v1/me", None, text)[0] == 401


def test_a_token_that_cannot_be_had_is_refused_in_words(person):
    page, _, _ = person("ann")
    page.goto("/me/tokens")
    page.get_by_label("Name").fill("too much")
    assert not page.get_by_label("admin").count()  # it is offered to staff
    page.get_by_label("Play too").uncheck()
    page.get_by_role("button", name="Make a token").click()

    assert page.get_by_role("alert").inner_text()
    assert not page.get_by_text("too much").count()


def test_staff_are_offered_admin_tokens_as_soon_as_they_have_signed_in(visit):
    page = visit("/sign-in")
    form = page.locator("section", has_text="I have a name")
    form.get_by_label("Name").fill("operator")
    form.get_by_label("Password").fill("operator")
    form.get_by_role("button").click()
    page.get_by_role("link", name="Tokens").click()
    page.get_by_role("heading", name="A new one").wait_for()

    assert page.get_by_label("admin").count() == 1


@SIZES
def test_a_password_is_changed_by_keys(person, visit, viewport, scheme):
    page, name, _ = person("ann", viewport=viewport, color_scheme=scheme)
    page.get_by_text("Change your password").press("Enter")
    page.get_by_label("The password now").fill(PASSWORD)
    page.get_by_label("The new one").fill("12345678")
    page.keyboard.press("Enter")
    wrong = page.locator('[aria-invalid="true"]')
    wrong.wait_for()
    assert wrong.get_attribute("name") == "password"
    fits(page)

    page.keyboard.press("Control+A")
    page.keyboard.type("another long and quiet password")
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="It is changed.").wait_for()
    page.reload()
    page.get_by_role("heading", name=name).wait_for()

    form = visit("/sign-in").locator("section", has_text="I have a name")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill("another long and quiet password")
    form.get_by_role("button").click()
    form.page.get_by_role("heading", name=name).wait_for()


@SIZES
def test_a_webhook_is_added_tested_switched_off_and_on_and_deleted(
    person, service, viewport, scheme
):
    page, _, token = person("ann", viewport=viewport, color_scheme=scheme)
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address").fill("https://127.0.0.1/turn")
    page.get_by_role("button", name="Add a webhook").click()
    assert "public" in page.get_by_role("alert").inner_text()
    page.get_by_label("Address").fill(URL)
    page.get_by_label("A match has started").press("Space")
    page.get_by_label("Address").press("Enter")

    field = page.get_by_label("The secret")
    field.wait_for()
    assert field.input_value().startswith("whsec_")

    def told():
        [hook] = service.call("GET", "/api/v1/me/webhooks", None, token)[1]["results"]
        return hook

    assert told()["events"] == ["match.your_turn", "match.over"]
    hook = page.get_by_role("listitem").filter(has_text=URL)
    hook.get_by_role("button", name="Send a test").press("Enter")
    hook.get_by_role("cell", name="test").wait_for()
    fits(page)

    hook.get_by_role("button", name="Switch off").press("Enter")
    hook.get_by_text("Off since").wait_for()
    assert told()["off_since"]
    fits(page)
    hook.get_by_role("button", name="Switch on").press("Enter")
    hook.get_by_role("button", name="Switch off").wait_for()
    assert told()["off_since"] is None

    refused = {"code": "forbidden", "title": "You may not do this", "detail": "Not now."}
    page.route("**/api/v1/me/webhooks/*", lambda route: route.fulfill(status=403, json=refused))
    hook.get_by_role("button", name="Delete").click()
    page.keyboard.press("Enter")
    hook.get_by_role("alert").filter(has_text="Not now.").wait_for()
    delete = hook.get_by_role("button", name="Delete")
    assert delete.evaluate("button => button === document.activeElement")  # nothing is asked now
    page.unroute("**/api/v1/me/webhooks/*")
    hook.get_by_role("button", name="Send a test").click()
    hook.get_by_role("alert").wait_for(state="detached")
    delete.click()
    page.keyboard.press("Enter")
    page.get_by_text("None yet.").wait_for()
    assert service.call("GET", "/api/v1/me/webhooks", None, token)[1]["results"] == []


@SIZES
def test_what_a_player_has_done_is_a_page_that_names_lead_to(person, service, viewport, scheme):
    page, _, token = person("ann", viewport=viewport, color_scheme=scheme)
    bob = f"bob-{uuid4().hex[:8]}"
    body = {"name": bob, "password": PASSWORD}
    other = service.call("POST", "/api/v1/players", body)[1]["token"]
    for loser in (other, other, token):
        game = {"game": "gin", "seats": ["me", "open"]}
        match = service.call("POST", "/api/v1/matches", game, token)[1]["id"]
        service.call("POST", f"/api/v1/matches/{match}/seats", {}, other)
        service.call("POST", f"/api/v1/matches/{match}/resignation", {}, loser)

    page.goto("/boards/gin")
    page.get_by_role("link", name=bob).wait_for()
    fits(page)
    page.get_by_role("link", name=bob).press("Enter")
    page.get_by_role("heading", name=bob, level=1).wait_for()
    assert page.title() == f"{bob} · ginservice"
    game = page.locator("section", has=page.get_by_role("heading", name="Gin Rummy"))
    figures = dict(re.findall(r"(\w[\w ]*)\n(\d+)", game.locator("dl").inner_text()))
    assert (figures["Matches"], figures["Won"], figures["In a row"]) == ("3", "1", "1")
    assert "over the last 3 rated matches" in game.get_by_role("img").get_attribute("aria-label")
    page.get_by_role("link", name="Gin Rummy").nth(2).wait_for()
    assert page.get_by_role("link", name="Gin Rummy").count() == 3  # the matches between them
    fits(page)

    assert not game.get_by_role("link", name="you").count()  # one's own page is in the bar
    game.get_by_role("link", name=f"Play {bob}").click()
    assert page.get_by_label("Whom").input_value() == bob


def test_a_player_who_is_not_there_is_said_not_to_be(browser, service):
    page = browser.new_page(base_url=service.url)
    page.goto("/players/nobody-of-this-name")
    page.get_by_role("heading", name="There is no such player").wait_for()
    assert not serious(page)
