"""The operator's pages: all is well?, every list and what it leads to, a replay by the keyboard."""

import re
from uuid import uuid4

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.e2e.browser.conftest import DESK, PHONE
from tests.e2e.browser.test_pages import serious

PASSWORD = "a long and quiet password"
URL = "https://bot.example.org/turn"
SIZES = pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
LOOKS = pytest.mark.parametrize(
    ("viewport", "scheme"), [(DESK, "dark"), (PHONE, "light")], ids=["desk", "phone"]
)
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture
def operator(visit):
    """operator(path, **options) -> the page, as whom `make run` makes on a loopback address."""

    def sign_in(path, **options):
        page = visit(f"/admin/login/?next={path}", **options)
        log_in(page, "operator", "operator")
        page.wait_for_url(f"**{path}")
        return page

    return sign_in


def log_in(page, name, password):
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


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


@LOOKS
def test_a_replay_is_stepped_through_by_the_keyboard(operator, over, viewport, scheme):
    last = over["version"]
    page = operator(
        f"/admin/games/match/{over['id']}/replay/", viewport=viewport, color_scheme=scheme
    )

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


def sound(page):
    assert not serious(page), page.url
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


@pytest.fixture
def rows(service, over):
    """Something in the lists of matches, players and records."""
    tokens = [
        service.call("POST", "/api/v1/players", {"name": name, "password": PASSWORD})[1]["token"]
        for name in (f"{who}-{uuid4().hex[:8]}" for who in ("ann", "bob"))
    ]
    body = {"game": "gin", "seats": ["me", "open"]}
    match = service.call("POST", "/api/v1/matches", body, tokens[0])[1]["id"]
    service.call("POST", f"/api/v1/matches/{match}/seats", {}, tokens[1])
    service.call("POST", f"/api/v1/matches/{match}/resignation", None, tokens[0])
    service.call("POST", f"/api/v1/matches/{match}/analysis", None, tokens[0])
    hook = service.call("POST", "/api/v1/me/webhooks", {"url": URL}, tokens[0])[1]["id"]
    service.call("POST", f"/api/v1/me/webhooks/{hook}/test", None, tokens[0])
    body = {"game": "pyramid", "seats": ["me"]}
    assert service.call("POST", "/api/v1/matches", body, tokens[0])[0] == 201


@LOOKS
def test_axe_finds_nothing_serious_in_any_list_or_what_it_leads_to(
    operator, rows, viewport, scheme
):
    page = operator("/admin/", viewport=viewport, color_scheme=scheme)
    asked = 0
    for model in admin.site._registry:
        there = f"{model._meta.app_label}_{model._meta.model_name}"
        page.goto(reverse(f"admin:{there}_changelist"))
        sound(page)
        row = page.locator('#result_list th a[href*="/change/"]').first
        if row.count():
            page.goto(row.get_attribute("href"))
            sound(page)
            asks = page.locator('a[href*="/mend/"], a[href*="/restore/"]')
            if asks.count():
                asks.first.click()
                page.get_by_label("Reason").wait_for()
                sound(page)
                asked += 1
    assert asked == 3  # of a match, a player, a rating
    page.goto("/admin/games/match/")
    page.get_by_text("Filters").first.click()
    page.get_by_role("heading", name="By status").wait_for()
    sound(page)


@LOOKS
def test_axe_finds_nothing_serious_where_an_operator_is_refused(
    operator, visit, service, over, viewport, scheme
):
    name = f"ann-{uuid4().hex[:8]}"
    service.call("POST", "/api/v1/players", {"name": name, "password": PASSWORD})
    page = operator(f"/admin/players/player/?q={name}", viewport=viewport, color_scheme=scheme)
    page.get_by_role("link", name=name).first.click()
    page.locator('a[href*="/mend/permit/"]').click()
    sound(page)
    page.get_by_label("Can look at everything").check()
    page.get_by_label("Reason").fill("she helps on Sundays")
    page.get_by_role("button", name="Say what he may do").click()
    page.get_by_text("Done:").wait_for()
    sound(page)

    page = visit("/admin/login/", viewport=viewport, color_scheme=scheme)
    sound(page)
    log_in(page, name, "not the password")
    page.get_by_text("Please enter").wait_for()
    sound(page)
    log_in(page, name, PASSWORD)
    page.wait_for_url("**/admin/")
    page.goto(f"/admin/games/match/{over['id']}/mend/void/")
    page.get_by_role("heading", name="You may not do this").wait_for()
    sound(page)


@SCHEMES
def test_who_signs_out_is_told_so_and_axe_finds_nothing_serious(operator, scheme):
    page = operator("/admin/", color_scheme=scheme)
    page.locator("form[action='/admin/logout/']").first.evaluate("form => form.submit()")
    page.get_by_text("Log in again").wait_for()

    sound(page)
    page.goto("/admin/")
    page.get_by_role("button", name="Log in").wait_for()
