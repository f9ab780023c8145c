import pytest
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from players.models import Token
from players.permissions import HasScope, granted_scopes


def ask(ann, method, needed, scopes):
    request = getattr(APIRequestFactory(), method)("/")
    request.user = ann
    request.auth = None if scopes is None else Token(scopes=scopes)
    view = APIView()
    view.required_scope = needed
    return HasScope().has_permission(request, view)


def test_each_scope_includes_the_smaller_ones():
    assert granted_scopes(Token(scopes=["read"])) == {"read"}
    assert granted_scopes(Token(scopes=["play"])) == {"read", "play"}
    assert granted_scopes(Token(scopes=["bot"])) == {"read", "play", "bot"}
    assert granted_scopes(Token(scopes=["admin"])) == {"read", "play", "bot", "admin"}
    assert granted_scopes(None) == {"read", "play"}


def test_reading_needs_only_read(ann):
    assert ask(ann, "get", "play", ["read"])


@pytest.mark.parametrize(
    ("method", "needed", "scopes"),
    [
        ("post", "play", ["read"]),
        ("post", "bot", ["play"]),
        ("post", "bot", None),
        ("get", "admin", ["bot"]),
        ("post", "admin", None),
    ],
)
def test_a_missing_scope_is_named(ann, method, needed, scopes):
    with pytest.raises(PermissionDenied, match=f"scope {needed}") as refused:
        ask(ann, method, needed, scopes)
    assert refused.value.get_codes() == "missing-scope"


def test_a_token_that_only_reads_cannot_make_tokens(call, ann, token_of):
    body = {"name": "x", "scopes": ["read"]}

    response = call("post", "/me/tokens", body, token=token_of(ann, "read")[1])

    assert (response.status_code, response.json()["code"]) == (403, "missing-scope")


def test_nobody_in_particular_may_not_ask_who_he_is(call):
    response = call("get", "/me")

    assert (response.status_code, response.json()["code"]) == (401, "not-authenticated")
    assert response["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["gin_unknown", "", "a b", "\x00", "é"])
def test_an_unknown_token_is_told_apart_from_none(call, text):
    response = call("get", "/me", Authorization=f"Bearer {text}")

    assert (response.status_code, response.json()["code"]) == (401, "invalid-token")
    assert 'error="invalid_token"' in response["WWW-Authenticate"]


def test_without_a_player_nothing_is_permitted():
    from django.contrib.auth.models import AnonymousUser

    with pytest.raises(NotAuthenticated):
        ask(AnonymousUser(), "get", "read", None)
