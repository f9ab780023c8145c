"""The docs as a reader sees them: nothing too wide, nothing that axe finds serious."""

import pytest

from ginservice import documents
from tests.e2e.browser.conftest import PHONE
from tests.e2e.browser.test_pages import serious

RULES = [name for name in documents.names() if name.startswith("rules-")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["", *RULES, "api.md", "fairness.md"])
def test_a_page_of_the_docs_can_be_read_on_a_phone(visit, name, scheme):
    page = visit(f"/docs/{name}", viewport=PHONE, color_scheme=scheme)

    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert not serious(page)


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
