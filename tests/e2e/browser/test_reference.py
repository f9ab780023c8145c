"""The API's page as an integrator uses it: a call is found, opened by keys, tried out."""

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious

FOCUSED = "button => button === document.activeElement"


def sound(page):
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_call_is_opened_and_tried_out_by_keys_and_axe_finds_nothing_serious(
    visit, scheme, viewport
):
    page = visit("/problems", color_scheme=scheme, viewport=viewport)
    wrong = []
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    page.goto("/api/docs/")
    page.get_by_role("heading", name="ginservice", level=1).wait_for()
    assert page.title() == "API · ginservice"
    assert page.locator("html").get_attribute("lang") == "en"
    sound(page)

    guest = page.locator("#operations-players-make_guest")
    control = guest.locator(".opblock-summary-control")
    page.locator("#operations-players-stats .opblock-summary-control").focus()
    for _ in range(5):
        page.keyboard.press("Tab")
        if control.evaluate(FOCUSED):
            break
    page.keyboard.press("Enter")
    guest.get_by_role("button", name="Execute").wait_for()
    assert control.get_attribute("aria-expanded") == "true"
    assert control.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"
    guest.get_by_role("button", name="Execute").press("Enter")
    guest.locator(".live-responses-table").get_by_text("gin_").first.wait_for()
    sound(page)
    control.press("Enter")

    matches = page.locator("#operations-matches-matches")
    matches.locator(".opblock-summary-control").press("Enter")
    matches.get_by_label("status").select_option("playing")
    matches.get_by_role("tab", name="Schema").first.click()
    page.locator(".models-control").click()
    page.locator(".models .json-schema-2020-12").first.wait_for()
    sound(page)
    assert not wrong


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_a_link_leads_to_a_part_or_to_a_call_and_opens_it(visit, viewport):
    page = visit("/api/docs/", viewport=viewport)
    page.get_by_role("navigation", name="Parts").get_by_role("link", name="matches").click()
    page.wait_for_url("**#operations-tag-matches")
    seen(page, "#operations-tag-matches")

    page = visit("/api/docs/#/players/make_guest", viewport=viewport)
    page.locator("#operations-players-make_guest").get_by_role("button", name="Execute").wait_for()
    seen(page, "#operations-players-make_guest")


def seen(page, what):
    """It is at the top, and nothing lies over it."""
    page.wait_for_function(
        """what => {
          const top = document.querySelector(what).getBoundingClientRect().top;
          const bar = document.querySelector(".reference-bar");
          const hidden = Math.max(0, bar.getBoundingClientRect().bottom);
          return top >= hidden && top < hidden + 100;
        }""",
        arg=what,
    )


def test_a_document_that_cannot_be_read_is_told(browser, service):
    page = browser.new_page(base_url=service.url)
    page.route("**/api/schema/", lambda route: route.fulfill(status=503, body=""))
    page.goto("/api/docs/")
    page.get_by_role("alert").filter(has_text="The API cannot be read").wait_for()


def test_a_token_is_given_once_and_kept_for_every_call(visit, service):
    page = visit("/api/docs/")
    token = service.guest()
    page.get_by_role("button", name="Authorize").first.press("Enter")
    page.get_by_label("Value").fill(token)
    assert not serious(page)
    page.locator(".modal-ux").get_by_role("button", name="Apply credentials").press("Enter")
    page.keyboard.press("Escape")
    page.reload()

    me = page.locator("#operations-me-me")
    me.locator(".opblock-summary-control").press("Enter")
    me.get_by_role("button", name="Execute").press("Enter")
    me.locator(".live-responses-table").get_by_text("guest-").first.wait_for()
