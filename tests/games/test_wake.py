"""What follows a commit: the bot's turn is queued, and nothing that fails there is felt."""

import base64
import json
import logging

import pytest
import redis
from celery import Celery
from django.conf import settings

from games import wake
from games.models import Match
from tests.games.people import events, sit


@pytest.fixture
def broker():
    """The queue of bots' turns at the real broker, empty."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete("bots")
        yield client
        client.delete("bots")


def messages(broker):
    """(task, match, version) of what waits in the queue, the oldest first."""
    told = []
    for raw in reversed(broker.lrange("bots", 0, -1)):
        message = json.loads(raw)
        args = json.loads(base64.b64decode(message["body"]))[0]
        told.append((message["headers"]["task"], *args))
    return told


@pytest.fixture
def no_broker(monkeypatch):
    """Redis is down: nothing listens where it should be."""
    app = Celery("lost", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.broker_url = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(wake, "current_app", app)


@pytest.mark.django_db(transaction=True)
def test_the_bots_turn_waits_in_its_own_queue_at_the_broker(ann, broker):
    match = sit(ann, "easy")
    ann.move(match, "draw")
    assert messages(broker) == []

    ann.move(match, "discard KD")

    assert messages(broker) == [("games.tasks.play_bot_turn", str(match.pk), 6)]


@pytest.mark.django_db(transaction=True)
def test_a_match_that_begins_with_a_bot_is_queued_with_its_creation(ann, broker):
    body = {"game": "gin", "seats": [{"bot": "easy"}, "me"]}
    match = ann.post("/matches", body).json()["id"]

    assert messages(broker) == [("games.tasks.play_bot_turn", match, 4)]


@pytest.mark.django_db(transaction=True)
def test_a_refused_move_queues_nothing(ann, broker):
    match = sit(ann, "easy")
    ann.move(match, "draw")
    ann.move(match, "discard 2D")
    ann.move(match, "discard KD", query="?dry_run=true")
    ann.move(match, "discard KD", version=3)

    assert messages(broker) == []


@pytest.mark.django_db(transaction=True)
def test_with_redis_down_the_move_is_stored_answered_and_a_warning_logged(ann, no_broker, caplog):
    match = sit(ann, "easy")
    ann.move(match, "draw")

    response = ann.move(match, "discard KD")

    assert (response.status_code, response.json()["version"]) == (201, 6)
    match = Match.objects.get()
    assert (match.version, match.bot_to_move) == (6, True)
    assert match.queued_at
    [line] = [event for event in events(caplog) if event["event"] == "broker_unreachable"]
    assert (line["level"], line["args"]) == ("warning", (str(match.pk), 6))


@pytest.mark.django_db(transaction=True)
def test_whatever_else_fails_there_the_move_is_answered(ann, monkeypatch, caplog):
    def fails(*args, **kwargs):
        raise RuntimeError("anything")

    match = sit(ann, "easy")
    ann.move(match, "draw")
    monkeypatch.setattr(wake.current_app, "send_task", fails)

    assert ann.move(match, "discard KD").status_code == 201
    assert Match.objects.get().version == 6
    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_nothing_is_queued_before_the_commit(ann, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(wake, "send", lambda task, *args: sent.append(args))
    match = sit(ann, "easy")
    ann.move(match, "draw")

    with django_capture_on_commit_callbacks() as callbacks:
        ann.move(match, "discard KD")
    assert sent == []
    for callback in callbacks:
        callback()
    assert sent == [(str(match.pk), 6)]
