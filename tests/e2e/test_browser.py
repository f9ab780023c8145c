"""What a person sees, in a real Chromium."""

import pytest

pytestmark = pytest.mark.browser


def test_an_operator_signs_in_to_the_admin(page):
    page.goto("/admin/")
    page.get_by_label("Name").fill("operator")
    page.get_by_label("Password").fill("operator")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Players").first.wait_for()
