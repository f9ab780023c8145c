"""What browsers are told: which scripts run, who may frame a page, which sites may call."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

PAGES = ["/", "/problems", "/problems/throttled", "/docs/rules-gin.md", "/api/docs/"]
FRIEND, STRANGER = "https://friend.example", "https://stranger.example"


def policy(response):
    parts = (part.split() for part in response["Content-Security-Policy"].split(";"))
    return {name: values for name, *values in parts}


@pytest.fixture
def operator(db):
    made = get_user_model().objects.create_superuser("operator", "correct horse battery")
    client = Client()
    client.force_login(made)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_no_script_but_this_servers(client, path):
    response = client.get(path)

    told = policy(response)
    scripts = [value for value in told["script-src"] if not value.startswith("'nonce-")]
    assert scripts == ["'self'"]
    assert told["default-src"] == ["'self'"]
    assert told["frame-ancestors"] == told["object-src"] == told["base-uri"] == ["'none'"]
    assert_no_script_is_stopped(response)


def assert_no_script_is_stopped(response):
    nonces = re.findall(r"'nonce-([^']+)'", response["Content-Security-Policy"])
    page = response.content.decode()
    for attributes in re.findall(r"<script\b([^>]*)>", page):
        assert 'src="/' in attributes or any(f'nonce="{n}"' in attributes for n in nonces)
    assert not re.search(r"\son(click|load|submit|change)=|javascript:", page)


def test_the_admins_pages_work_under_the_policy(operator):
    for path in ("/admin/", "/admin/games/match/", "/admin/players/player/"):
        assert_no_script_is_stopped(operator.get(path))


def test_the_admin_alone_may_evaluate_text_and_takes_scripts_from_nowhere_else(client, db):
    told = policy(client.get("/admin/login/"))

    assert told["script-src"] == ["'self'", "'unsafe-eval'"]
    assert told["frame-ancestors"] == told["object-src"] == told["base-uri"] == ["'none'"]


def test_a_nonce_is_used_once(client, db):
    found = [policy(client.get("/"))["script-src"] for _ in range(2)]

    assert len(found[0]) == 2 and found[0] != found[1]


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, "/admin/login/", "/nothing", "/api/v1/games", "/healthz"])
def test_every_answer_is_what_it_says_and_in_no_frame(client, path):
    response = client.get(path, headers={"Accept": "text/html"})

    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


# Other sites


def preflight(client, origin, path="/api/v1/matches"):
    asks = {"Access-Control-Request-Method": "POST", "Origin": origin}
    asks["Access-Control-Request-Headers"] = "authorization, content-type, idempotency-key"
    return client.options(path, headers=asks)


@pytest.mark.django_db
def test_no_other_site_may_call_unless_it_is_named(client):
    for response in (
        preflight(client, STRANGER),
        client.get("/api/v1/games", headers={"Origin": STRANGER}),
    ):
        assert not [name for name in response.headers if name.startswith("Access-Control-")]


@pytest.mark.django_db
def test_a_site_that_is_named_may_call_with_a_token_and_read_what_it_needs(client, settings):
    settings.CORS_ALLOWED_ORIGINS = [FRIEND]

    allowed = preflight(client, FRIEND)
    assert allowed["Access-Control-Allow-Origin"] == FRIEND
    assert "idempotency-key" in allowed["Access-Control-Allow-Headers"]
    for path, status in (("/api/v1/games", 200), ("/api/v1/me", 401), ("/api/v1/nothing", 404)):
        response = client.get(path, headers={"Origin": FRIEND})
        assert (response.status_code, response["Access-Control-Allow-Origin"]) == (status, FRIEND)
        assert "Retry-After" in response["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response
        assert "origin" in response["Vary"].lower()
    assert "Access-Control-Allow-Origin" not in preflight(client, STRANGER)
    assert "Access-Control-Allow-Origin" not in preflight(client, FRIEND, "/admin/")
