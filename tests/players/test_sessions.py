import pytest
from django.test import Client

from players import services
from players.models import Player

pytestmark = pytest.mark.django_db
ANN = {"name": "ann", "password": "correct horse battery"}


@pytest.fixture
def ann(db) -> Player:
    return services.register(**ANN)


def sign_in_by_cookie(client, password=ANN["password"]):
    body = {**ANN, "password": password, "cookie": True}
    return client.post("/api/v1/sessions", body, content_type="application/json")


def test_signing_in_answers_with_a_token(call, ann):
    response = call("post", "/sessions", {**ANN, "name": "ANN"})

    assert response.status_code == 201
    assert response["Location"] == "/api/v1/sessions/current"
    assert call("get", "/me", token=response.json()["token"]).json()["name"] == "ann"


def test_signing_in_with_cookie_answers_with_a_session(client, ann):
    response = sign_in_by_cookie(client)

    assert response.json()["token"] is None
    assert client.get("/api/v1/me").json()["scopes"] == ["play", "read"]
    assert response.cookies["sessionid"]["httponly"]


def test_a_cookie_costs_two_statements(client, ann, django_assert_num_queries):
    sign_in_by_cookie(client)

    with django_assert_num_queries(2):
        client.get("/api/v1/me")


def test_a_write_by_cookie_needs_the_csrf_token(ann):
    browser = Client(enforce_csrf_checks=True)
    csrf = sign_in_by_cookie(browser).cookies["csrftoken"].value

    refused = browser.delete("/api/v1/sessions/current")
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf-failed")
    assert "X-CSRFToken" in refused.json()["detail"]

    headers = {"X-CSRFToken": csrf}
    assert browser.delete("/api/v1/sessions/current", headers=headers).status_code == 204


def test_signing_out_ends_the_session_for_good(client, ann):
    cookie = sign_in_by_cookie(client).cookies["sessionid"].value
    client.delete("/api/v1/sessions/current")

    client.cookies["sessionid"] = cookie
    assert client.get("/api/v1/me").json()["code"] == "not-authenticated"


def test_signing_out_revokes_the_token(call, ann):
    token = call("post", "/sessions", ANN).json()["token"]

    assert call("delete", "/sessions/current", token=token).status_code == 204

    assert call("get", "/me", token=token).json()["code"] == "invalid-token"


def test_even_a_token_that_only_reads_can_sign_out(call, ann, token_of):
    assert call("delete", "/sessions/current", token=token_of(ann, "read")[1]).status_code == 204


@pytest.mark.parametrize("wrong", [{"name": "nobody"}, {"password": "another horse"}])
def test_wrong_credentials_are_refused_in_the_same_words(call, ann, wrong):
    response = call("post", "/sessions", {**ANN, **wrong})

    assert (response.status_code, response.json()["code"]) == (401, "wrong-credentials")
    assert response.json()["detail"].startswith("No player has that name and password")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_player_who_is_not_active_is_shut_out(call, ann):
    token = call("post", "/sessions", ANN).json()["token"]
    Player.objects.update(is_active=False)

    assert call("get", "/me", token=token).json()["code"] == "invalid-token"
    assert call("post", "/sessions", ANN).json()["code"] == "wrong-credentials"


def test_a_new_password_ends_the_other_sessions_but_not_this_one(ann):
    here, there = Client(), Client()
    sign_in_by_cookie(here)
    sign_in_by_cookie(there)

    body = {"current_password": ANN["password"], "password": "a better horse"}
    response = here.patch("/api/v1/me", body, content_type="application/json")

    assert response.status_code == 200
    assert here.get("/api/v1/me").status_code == 200
    assert there.get("/api/v1/me").status_code == 401
    assert sign_in_by_cookie(Client(), "a better horse").status_code == 201


def test_a_new_password_needs_the_current_one(call, ann, token_of):
    body = {"current_password": "guess", "password": "a better horse"}
    response = call("patch", "/me", body, token=token_of(ann)[1])

    assert response.json()["code"] == "wrong-credentials"


def test_a_new_password_must_not_be_weak(call, ann, token_of):
    body = {"current_password": ANN["password"], "password": "short"}
    response = call("patch", "/me", body, token=token_of(ann)[1])

    assert response.json()["code"] == "weak-password"


@pytest.mark.parametrize("value", [r"\000", "a b", "é"])
def test_a_cookie_that_was_not_made_here_is_no_session(client, db, value):
    client.cookies["sessionid"] = value

    assert client.get("/api/v1/me").json()["code"] == "not-authenticated"
    assert client.get("/admin/").status_code == 302
