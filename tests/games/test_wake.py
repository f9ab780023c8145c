"""What follows a commit: the bot's turn is queued, and nothing that fails there is felt."""

import base64
import json
import logging

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import transaction

from games import wake
from games.models import Match
from ginservice.broker import breaker
from tests.games.people import events, played, sit


@pytest.fixture
def broker():
    """The queues of bots' turns at the real broker, empty."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete("bots", "thinkers")
        yield client
        client.delete("bots", "thinkers")


def messages(broker, queue="bots"):
    """(task, match, version) of what waits in the queue, the oldest first."""
    told = []
    for raw in reversed(broker.lrange(queue, 0, -1)):
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
    monkeypatch.setattr("ginservice.broker.current_app", app)


@pytest.mark.django_db(transaction=True)
def test_the_bots_turn_waits_in_its_own_queue_at_the_broker(ann, broker):
    match = sit(ann, "easy")
    ann.move(match, "draw")
    assert messages(broker) == []

    ann.move(match, "discard KD")

    assert messages(broker) == [("games.tasks.play_bot_turn", str(match.pk), 6)]


@pytest.mark.django_db(transaction=True)
def test_the_turn_of_a_bot_that_thinks_longer_waits_where_it_holds_up_no_other(ann, broker):
    match = played(sit(ann, "expert"), "draw", "discard KD")

    assert messages(broker) == []
    assert messages(broker, "thinkers") == [("games.tasks.play_bot_turn", str(match.pk), 6)]


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
    monkeypatch.setattr("ginservice.broker.current_app.send_task", fails)

    assert ann.move(match, "discard KD").status_code == 201
    assert Match.objects.get().version == 6
    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_nothing_is_queued_before_the_commit(ann, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(wake, "send", lambda task, *args, queue: sent.append(args))
    match = sit(ann, "easy")
    ann.move(match, "draw")

    with django_capture_on_commit_callbacks() as callbacks:
        ann.move(match, "discard KD")
    assert sent == []
    for callback in callbacks:
        callback()
    assert sent == [(str(match.pk), 6)]


# Streams are told


@pytest.fixture
def told():
    """told() is the next thing published; None if there is nothing for a while."""
    with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as channel:
        channel.subscribe(wake.CHANNEL)
        assert channel.get_message(timeout=5)["type"] == "subscribe"
        yield lambda: (message := channel.get_message(timeout=1)) and message["data"].decode()


@pytest.mark.django_db(transaction=True)
def test_each_new_version_is_published_after_its_commit_and_nothing_else(ann, bob, told):
    match = sit(ann, bob)
    assert [told(), told(), told()] == [f"{match.pk} 2", f"{match.pk} 5", None]

    with transaction.atomic():
        ann.move(match, "draw")
        assert told() is None
    assert told() == f"{match.pk} 6"
    ann.move(match, "draw")
    ann.move(match, "discard 5S", query="?dry_run=true")
    assert told() is None


@pytest.fixture
def no_redis(monkeypatch):
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(breaker, "until", 0.0)
    wake.publisher.cache_clear()
    yield
    wake.publisher.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_published_is_logged_once_and_then_not_tried_for_a_while(
    ann, bob, no_redis, monkeypatch, caplog
):
    match = sit(ann, bob)

    assert ann.move(match, "draw").status_code == 201
    assert ann.move(match, "discard 5S").status_code == 201
    assert tries(caplog) == 1
    monkeypatch.setattr(breaker, "until", 0.0)  # the while is over
    assert bob.move(match, "draw").status_code == 201
    assert tries(caplog) == 2


def tries(caplog):
    return len([event for event in events(caplog) if event["event"] == "not_published"])
