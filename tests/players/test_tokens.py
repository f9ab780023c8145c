from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from players import services
from players.models import Token

pytestmark = pytest.mark.django_db
BOT = {"name": "my bot", "scopes": ["bot"]}


def test_a_token_is_made_shown_once_and_listed(call, ann, token_of):
    mine = token_of(ann)[1]

    response = call("post", "/me/tokens", BOT, token=mine)

    assert response.status_code == 201
    made = response.json()
    assert made["token"].startswith("gin_")
    assert made["token"].startswith(made["prefix"])
    listed = call("get", "/me/tokens", token=mine).json()["results"]
    assert [token["name"] for token in listed] == ["my bot", "test"]
    assert "token" not in listed[0]
    assert call("get", response["Location"].removeprefix("/api/v1"), token=mine).json() == listed[0]
    assert call("get", "/me", token=made["token"]).json()["scopes"] == ["bot", "play", "read"]


def test_a_token_rests_only_as_its_digest(ann, token_of):
    token, text = token_of(ann)

    row = str(Token.objects.filter(pk=token.pk).values().get())
    assert text not in row
    assert len(token.digest) == 64


def test_a_revoked_token_opens_nothing_and_leaves_the_list(call, ann, token_of):
    mine = token_of(ann)[1]
    old, text = token_of(ann)

    assert call("delete", f"/me/tokens/{old.pk}", token=mine).status_code == 204

    assert call("get", "/me", token=text).json()["code"] == "invalid-token"
    assert len(call("get", "/me/tokens", token=mine).json()["results"]) == 1
    assert call("delete", f"/me/tokens/{old.pk}", token=mine).status_code == 404


def test_nobody_sees_or_revokes_the_token_of_another(call, ann, eve, token_of):
    token, text = token_of(ann)
    eves = token_of(eve)[1]

    assert call("get", f"/me/tokens/{token.pk}", token=eves).status_code == 404
    assert call("delete", f"/me/tokens/{token.pk}", token=eves).status_code == 404
    assert call("get", "/me", token=text).status_code == 200


def test_a_bearer_costs_one_statement(call, ann, token_of, django_assert_num_queries):
    text = token_of(ann)[1]
    call("get", "/me", token=text)

    with django_assert_num_queries(1):
        call("get", "/me", token=text)


def test_last_use_is_written_at_most_once_a_minute(call, ann, token_of, django_assert_num_queries):
    token, text = token_of(ann)
    with django_assert_num_queries(2):
        call("get", "/me", token=text)
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None

    call("get", "/me", token=text)
    token.refresh_from_db()
    assert token.last_used_at == first

    long_ago = timezone.now() - timedelta(minutes=2)
    Token.objects.update(last_used_at=long_ago)
    call("get", "/me", token=text)
    token.refresh_from_db()
    assert token.last_used_at > long_ago


def test_the_list_is_read_page_by_page(call, ann, token_of):
    mine = token_of(ann)[1]
    for _ in range(4):
        token_of(ann)

    first = call("get", "/me/tokens?limit=2", token=mine).json()
    services.issue_token(ann, "written meanwhile", ["read"])
    second = call("get", first["next"].removeprefix("/api/v1"), token=mine).json()
    third = call("get", second["next"].removeprefix("/api/v1"), token=mine).json()
    back = call("get", second["previous"].removeprefix("/api/v1"), token=mine).json()

    pages = [page["results"] for page in (first, second, third)]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert len({token["id"] for page in pages for token in page}) == 5
    assert third["next"] is None
    assert back["results"] == first["results"]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", f"limit={'0' * 20}5", "limit=x", "limit=", "cursor=x"]
)
@pytest.mark.parametrize("more", ["", "&cursor=cD14"])
def test_a_page_that_cannot_be_is_malformed(call, ann, token_of, query, more):
    response = call("get", f"/me/tokens?{query}{more}", token=token_of(ann)[1])

    assert (response.status_code, response.json()["code"]) == (400, "malformed")
    assert response.json()["errors"][0]["parameter"] in ("limit", "cursor")


@pytest.mark.parametrize("scopes", [[], ["everything"], "play"])
def test_unknown_scopes_are_malformed(call, ann, token_of, scopes):
    response = call("post", "/me/tokens", {"name": "x", "scopes": scopes}, token=token_of(ann)[1])

    assert (response.status_code, response.json()["code"]) == (400, "malformed")


def test_me_tells_who_can_have_an_admin_token(call, ann, token_of):
    text = token_of(ann)[1]
    assert call("get", "/me", token=text).json()["staff"] is False
    ann.is_staff = True
    ann.save()
    assert call("get", "/me", token=text).json()["staff"] is True


def test_only_staff_can_have_an_admin_token(ann):
    with pytest.raises(services.ScopeNotAllowed):
        services.issue_token(ann, "x", ["admin"])
    ann.is_staff = True
    assert services.issue_token(ann, "x", ["admin"])[0].scopes == ["admin"]


def test_a_token_cannot_make_one_that_may_do_more_than_itself(call, ann, token_of):
    ann.is_staff = True
    ann.save()
    body = {"name": "x", "scopes": ["admin"]}

    response = call("post", "/me/tokens", body, token=token_of(ann, "play")[1])
    assert (response.status_code, response.json()["code"]) == (403, "scope-not-allowed")

    assert call("post", "/me/tokens", body, token=token_of(ann, "admin")[1]).status_code == 201


def test_the_database_knows_the_scopes(ann):
    with pytest.raises(IntegrityError, match="a_token_has_known_scopes"):
        Token.objects.create(player=ann, digest="x", scopes=["root"])


def test_no_idempotency_key_is_kept_for_a_token(call, ann, token_of):
    response = call("post", "/me/tokens", BOT, token=token_of(ann)[1], Idempotency_Key="k")

    assert response.json()["code"] == "key-not-supported"
