"""What a person sees, in a real Chromium."""

import pytest

pytestmark = pytest.mark.browser


def test_the_docs_page_shows_every_call_and_no_error(page):
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    page.goto("/api/docs/")
    page.get_by_role("heading", name="ginservice").wait_for()
    page.get_by_text("/api/v1/players/guest").first.wait_for()
    assert not wrong


def test_an_operator_signs_in_to_the_admin(page):
    page.goto("/admin/")
    page.get_by_label("Name").fill("operator")
    page.get_by_label("Password").fill("operator")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Players").first.wait_for()
