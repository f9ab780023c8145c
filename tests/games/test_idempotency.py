"""Idempotency-Key"""

from datetime import timedelta

import pytest
from cryptography.fernet import InvalidToken
from django.test import Client

from games.models import Match, Move
from ginservice import idempotency
from players import tasks
from players.models import StoredAnswer
from tests.games.people import Person, refused, sit

DRAW = {"type": "draw_stock"}


@pytest.fixture
def match(ann, bob):
    return sit(ann, bob)


def draw(person, match, key, version=5, query="", **headers):
    body = {"version": version, "action": DRAW}
    path = f"/matches/{match.pk}/moves{query}"
    return person.post(path, body, Idempotency_Key=key, **headers)


def test_a_move_sent_again_with_its_key_is_played_once_and_answered_twice(ann, match):
    first, again = draw(ann, match, "k1"), draw(ann, match, "k1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert first["ETag"] == again["ETag"]
    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"
    assert Match.objects.get().version == 6


def test_the_answer_is_the_first_one_even_when_the_match_has_moved_on(ann, bob, match):
    first = draw(ann, match, "k1")
    ann.move(match, "discard KD")
    bob.move(match, "draw")

    assert draw(ann, match, "k1").content == first.content


def test_the_answer_to_a_retry_is_no_more_shared_than_any_other(ann, match):
    draw(ann, match, "k1")

    response = draw(ann, match, "k1")
    assert response["Cache-Control"] == "private, no-store"
    assert "Authorization" in response["Vary"]


def test_what_is_kept_can_be_read_only_by_who_sends_the_key_again(ann, match):
    body = {"game": "gin", "seats": ["me", "open"], "visibility": "private"}
    first = ann.post("/matches", body, Idempotency_Key="my key")
    secret = first.json()["key"]

    stored = StoredAnswer.objects.get()
    row = str([getattr(stored, field.name) for field in StoredAnswer._meta.fields])
    row += str(bytes(stored.body))
    assert secret not in row
    assert "my key" not in row
    assert str(first.json()["id"]) in row, "the address of the match is no secret"
    with pytest.raises(InvalidToken):
        idempotency.cipher(stored, "my keys").decrypt(bytes(stored.body))
    assert ann.post("/matches", body, Idempotency_Key="my key").content == first.content


def test_a_browsers_session_may_send_keys_too(ann, bob, match):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ann.player)
    browser.cookies["csrftoken"] = token = "a" * 32
    body = {"version": 5, "action": DRAW}
    headers = {"Idempotency-Key": "k1", "X-CSRFToken": token}
    path = f"/api/v1/matches/{match.pk}/moves"

    sent = [browser.post(path, body, "application/json", headers=headers) for _ in range(2)]

    assert [answer.status_code for answer in sent] == [201, 201]
    assert sent[0].content == sent[1].content


def test_the_same_key_with_another_request_is_refused(ann, bob, match):
    draw(ann, match, "k1")
    other = sit(ann, bob)
    tag = ann.get(f"/matches/{other.pk}")["ETag"]

    for response in (
        draw(ann, match, "k1", version=6),
        draw(ann, other, "k1"),
        draw(ann, match, "k1", query="?key=x"),
        draw(ann, match, "k1", If_Match=tag),
        ann.post("/matches", {"game": "gin", "seats": ["me", "open"]}, Idempotency_Key="k1"),
    ):
        refused(response, 422, "key-reused")
    assert Match.objects.get(pk=other.pk).version == 5


def test_a_key_is_its_players_own_and_not_his_tokens(ann, bob):
    body = {"game": "gin", "seats": ["me", "open"]}
    people = (ann, bob, Person(ann.player))

    answers = [who.post("/matches", body, Idempotency_Key="k1") for who in people]

    assert len({answer.json()["id"] for answer in answers}) == 2
    assert answers[0].content == answers[2].content
    assert Match.objects.count() == 2


def test_a_browser_may_send_keys_too(ann, match):
    browser = Person()
    browser.client.force_login(ann.player)

    first, again = draw(browser, match, "k1"), draw(browser, match, "k1")

    assert first.content == again.content
    assert again["Idempotent-Replayed"] == "true"


def test_a_refused_request_is_not_kept_and_may_be_sent_again(ann, bob, match):
    ann.move(match, "draw")
    body = {"version": 7, "action": DRAW}
    path = f"/matches/{match.pk}/moves"
    refused(bob.post(path, body, Idempotency_Key="k1"), 409, "stale-version")
    assert not StoredAnswer.objects.exists()
    ann.move(match, "discard KD")

    assert bob.post(path, body, Idempotency_Key="k1").status_code == 201


def test_a_crash_leaves_neither_effect_nor_key(ann, match, monkeypatch):
    ann.client = Client(raise_request_exception=False)
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "keep", lambda stored, answer: 1 / 0)
        refused(draw(ann, match, "k1"), 500, "server-error")
    assert (Move.objects.filter(version__gt=5).count(), StoredAnswer.objects.count()) == (0, 0)

    assert draw(ann, match, "k1").status_code == 201


def test_a_dry_run_looks_at_no_key(ann, match):
    draw(ann, match, "k1")
    for key in ("k1", "k2", ""):
        response = draw(ann, match, key, version=5, query="?dry_run=true")
        refused(response, 409, "stale-version")
    assert StoredAnswer.objects.count() == 1


def test_what_follows_a_commit_follows_once(ann, django_capture_on_commit_callbacks):
    """A bot's turn is queued, and the streams are woken."""
    body = {"game": "gin", "seats": [{"bot": "easy"}, {"bot": "easy"}]}
    queued = []
    for _ in range(2):
        with django_capture_on_commit_callbacks() as callbacks:
            ann.post("/matches", body, Idempotency_Key="k1")
        queued.append(len(callbacks))

    assert queued == [2, 0]


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb", "a\x00b", "a\x7fb"])
def test_a_malformed_key_is_told(ann, match, key):
    told = refused(draw(ann, match, key), 400, "malformed")

    assert told["errors"][0]["header"] == "Idempotency-Key"
    assert Match.objects.get().version == 5


def test_a_key_of_255_characters_is_kept(ann, match):
    first = draw(ann, match, "x" * 255)

    assert draw(ann, match, "x" * 255).content == first.content


def test_of_nobody_in_particular_no_key_is_kept(nobody, match):
    refused(draw(nobody, match, "k1"), 401, "not-authenticated")
    refused(nobody.post("/players/guest", Idempotency_Key="k1"), 400, "key-not-supported")


def test_who_may_not_play_is_not_answered_from_what_was_kept(ann, match):
    draw(ann, match, "k1")

    refused(draw(Person(ann.player, "read"), match, "k1"), 403, "missing-scope")


def test_what_was_asked_cannot_be_guessed_from_what_is_kept(ann, match, settings):
    """A body may hold a password: the digest needs the secret key of the service."""
    draw(ann, match, "k1")
    settings.SECRET_KEY = "another"

    refused(draw(ann, match, "k1"), 422, "key-reused")


def test_the_service_may_change_its_own_key_between_a_request_and_its_retry(ann, match, settings):
    first, old = draw(ann, match, "k1"), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [old]

    again = draw(ann, match, "k1")

    assert (again.status_code, again.content) == (201, first.content)
    refused(draw(ann, match, "k1", version=6), 422, "key-reused")
    settings.SECRET_KEY_FALLBACKS = []
    told = refused(draw(ann, match, "k1"), 422, "key-reused")
    assert "SECRET_KEY" in told["detail"]
    assert Match.objects.get().version == 6


def test_a_key_is_forgotten_after_a_day(ann, clock):
    start = clock("2026-11-30 12:00:00")
    body = {"game": "gin", "seats": ["me", "open"]}
    first = ann.post("/matches", body, Idempotency_Key="k1")

    clock(str(start + timedelta(days=1))[:19])
    tasks.forget()
    assert ann.post("/matches", body, Idempotency_Key="k1").content == first.content
    clock(str(start + timedelta(days=1, seconds=1))[:19])
    tasks.forget()
    tasks.forget()
    second = ann.post("/matches", body, Idempotency_Key="k1")

    assert second.json()["id"] != first.json()["id"]
