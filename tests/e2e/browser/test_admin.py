"""The operator's first page, and the replay of a match that he steps through by the keyboard."""

import re

import pytest

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious

SIZES = pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture
def operator(visit):
    """operator(path, **options) -> the page, as whom `make run` makes on a loopback address."""

    def sign_in(path, **options):
        page = visit(f"/admin/login/?next={path}", **options)
        page.get_by_label("Name").fill("operator")
        page.get_by_label("Password").fill("operator")
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(f"**{path}")
        return page

    return sign_in


@pytest.fixture
def over(service):
    """A match that has ended, of some moves."""
    token = service.guest()
    status, match = service.call(
        "POST", "/api/v1/matches", {"game": "gin", "seats": ["me", "open"]}, token
    )
    assert status == 201, match
    path = f"/api/v1/matches/{match['id']}"
    other = service.guest()
    _, match = service.call("POST", f"{path}/seats", {}, other)
    for _ in range(2):
        body = {"version": match["version"], "action": {"type": "pass"}}
        for who in (token, other):
            status, answer = service.call("POST", f"{path}/moves", body, who)
            match = answer if status == 201 else match
            if status == 201:
                break
    status, match = service.call("POST", f"{path}/resignation", {}, token)
    assert match["status"] == "finished", match
    return match


@SIZES
@SCHEMES
def test_the_first_page_says_whether_all_is_well_and_axe_finds_nothing_serious(
    operator, viewport, scheme
):
    page = operator("/admin/", viewport=viewport, color_scheme=scheme)

    page.get_by_role("heading", name=re.compile("All is well|Something needs you")).wait_for()
    assert page.get_by_text("Bots' turns waiting").is_visible()
    assert not serious(page)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing sticks out at the side"


@SIZES
def test_a_replay_is_stepped_through_by_the_keyboard(operator, over, viewport):
    last = over["version"]
    page = operator(f"/admin/games/match/{over['id']}/replay/", viewport=viewport)

    def at(version):
        page.get_by_text(f"{version} of {last}", exact=True).wait_for()

    at(last)
    assert not serious(page)
    for key, version in (
        ("ArrowLeft", last - 1),
        ("ArrowLeft", last - 2),
        ("ArrowRight", last - 1),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
        ("End", last),
    ):
        page.keyboard.press(key)
        at(version)
