"""The docs and problems as read: nothing too wide, nothing that axe finds serious."""

import pytest

from ginservice import documents
from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious

PROBLEMS = ["/problems", "/problems/throttled", "/problems/illegal-action"]
RULES = [name for name in documents.names() if name.startswith("rules-")]


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"]
)
def test_every_page_of_the_docs_and_of_problems_can_be_read(visit, viewport, scheme):
    page = visit(viewport=viewport, color_scheme=scheme)
    for path in ["/docs/", *(f"/docs/{name}" for name in documents.names()), *PROBLEMS]:
        page.goto(path)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"], path
        assert not serious(page), path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_that_is_not_there_leads_on_and_axe_finds_nothing_serious(browser, service, scheme):
    page = browser.new_page(base_url=service.url, color_scheme=scheme, viewport=PHONE)
    page.goto("/nothing/of/this/name")

    assert page.get_by_role("link", name="To the start page").is_visible()
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.close()


@pytest.mark.parametrize("name", RULES)
def test_a_picture_is_told_to_who_cannot_see_it(visit, name):
    page = visit(f"/docs/{name}")

    pictures = page.get_by_role("img")
    assert pictures.count() >= 2
    told = [picture.get_attribute("aria-label") for picture in pictures.all()]
    assert all(" of " in words for words in told)


def test_the_start_page_leads_a_player_to_the_rules_and_the_contents_to_each_part(visit):
    page = visit("/")
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_role("link", name="Gin Rummy").click()
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Points").click()

    assert page.url.endswith("/docs/rules-gin.md#points")
    top = page.locator("h2#points").evaluate("e => e.getBoundingClientRect().top")
    assert 0 <= top < 200


def test_the_start_page_leads_an_integrator_to_the_api_and_an_operator_to_the_admin(visit):
    page = visit("/")
    for link, address in (("API docs", "/api/docs/"), ("client.py", "/docs/client.py")):
        assert page.get_by_role("link", name=link).get_attribute("href") == address
    admin = page.locator(".ways").get_by_role("link", name="Admin")
    assert admin.get_attribute("href") == "/admin/"


def test_the_start_page_leads_to_replays_of_what_has_ended(visit, service):
    token = service.guest()
    body = {"game": "pyramid", "seats": ["me"]}
    match = service.call("POST", "/api/v1/matches", body, token)[1]["id"]
    service.call("POST", f"/api/v1/matches/{match}/resignation", None, token)
    page = visit("/")

    page.locator(f'a[href="/matches/{match}/replay"]').click()

    page.get_by_role("slider").wait_for()
