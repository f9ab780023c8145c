"""A player's webhooks: made, told of events, told again when they do not answer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players import sender, services, webhooks
from players.models import EVENTS, Delivery, Player, Webhook
from players.webhooks import AGAIN, Notice
from tests.receiver import Receiver

URL = "https://bot.example.org/turn"


@pytest.fixture
def ask(call, ann, eve, token_of):
    """ask("eve", "get", path, body): as ann or eve."""
    tokens = {player.name: token_of(player)[1] for player in (ann, eve)}
    return lambda who, method, path, body=None, **more: call(
        method, path, body, token=tokens[who], **more
    )


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_ANYWHERE = True
    one = Receiver()
    yield one
    one.close()


@pytest.fixture
def hook(ann, receiver):
    webhook = webhooks.add(ann, receiver.url, EVENTS)
    receiver.secret = webhook.secret
    return webhook


def told(hook, event="match.your_turn"):
    webhooks.announce([Notice(hook.player_id, event, {"match": "x", "version": 7})])
    return Delivery.objects.latest("id")


def after(delivery):
    delivery.refresh_from_db()
    return delivery


# Kept by their player


def test_a_webhook_is_made_looked_at_changed_and_deleted(ask):
    made = ask("ann", "post", "/me/webhooks", {"url": URL, "events": ["match.over"]})
    assert made.status_code == 201
    body = made.json()
    assert body.pop("secret").startswith("whsec_")
    path = f"/me/webhooks/{body['id']}"
    assert made["Location"] == f"/api/v1{path}"
    assert ask("ann", "get", path).json() == body
    assert ask("ann", "get", "/me/webhooks").json()["results"] == [body]

    other = {"events": ["match.started", "match.over"]}
    assert ask("ann", "patch", path, other).json() == body | other
    assert ask("ann", "patch", path, {"url": URL + "2"}).json()["url"] == URL + "2"

    assert ask("ann", "delete", path).status_code == 204
    assert ask("ann", "get", path).status_code == 404


def test_of_whatever_is_not_said_a_webhook_is_told_too(ask):
    assert ask("ann", "post", "/me/webhooks", {"url": URL}).json()["events"] == list(EVENTS)


def test_nobody_else_finds_it(ask, ann):
    path = f"/me/webhooks/{webhooks.add(ann, URL, EVENTS).pk}"

    for method, tail in [
        ("get", ""),
        ("patch", ""),
        ("delete", ""),
        ("post", "/test"),
        ("get", "/deliveries"),
    ]:
        response = ask("eve", method, path + tail, {} if method == "patch" else None)
        assert (response.status_code, response.json()["code"]) == (404, "not-found")
    assert ask("eve", "get", "/me/webhooks").json()["results"] == []


def test_the_secret_is_shown_once(ask):
    made = ask("ann", "post", "/me/webhooks", {"url": URL}).json()
    secret, path = made["secret"], f"/me/webhooks/{made['id']}"

    for method, where, body in [
        ("get", path, None),
        ("get", "/me/webhooks", None),
        ("patch", path, {"url": URL}),
        ("post", f"{path}/test", None),
        ("get", f"{path}/deliveries", None),
    ]:
        response = ask("ann", method, where, body)
        assert response.status_code in (200, 201)
        assert secret not in response.content.decode()
    refused = ask("ann", "post", "/me/webhooks", {"url": URL}, Idempotency_Key="x")
    assert refused.json()["code"] == "key-not-supported"


@pytest.mark.parametrize("url", ["http://example.org/", "https://127.0.0.1/", "x"])
def test_an_address_that_cannot_be_told_is_refused(ask, ann, url):
    path = f"/me/webhooks/{webhooks.add(ann, URL, EVENTS).pk}"

    for method, where in (("post", "/me/webhooks"), ("patch", path)):
        response = ask("ann", method, where, {"url": url})
        assert (response.status_code, response.json()["code"]) == (400, "url-not-allowed")
        assert response.json()["errors"][0]["pointer"] == "/url"


@pytest.mark.parametrize("events", [[], ["match.lost"], "match.over", ["match.over"] * 4])
def test_events_that_are_none_are_refused(ask, events):
    response = ask("ann", "post", "/me/webhooks", {"url": URL, "events": events})

    assert (response.status_code, response.json()["code"]) == (400, "malformed")


def test_nobody_has_more_than_five(ask):
    for _ in range(5):
        assert ask("ann", "post", "/me/webhooks", {"url": URL}).status_code == 201

    response = ask("ann", "post", "/me/webhooks", {"url": URL})

    assert (response.status_code, response.json()["code"]) == (409, "too-many-webhooks")
    assert ask("eve", "post", "/me/webhooks", {"url": URL}).status_code == 201


def test_a_token_that_only_reads_changes_none(call, ann, token_of):
    hook, text = webhooks.add(ann, URL, EVENTS), token_of(ann, "read")[1]
    path = f"/me/webhooks/{hook.pk}"

    assert call("get", path, token=text).status_code == 200
    for method, where in [("post", "/me/webhooks"), ("delete", path), ("post", f"{path}/test")]:
        response = call(method, where, token=text)
        assert (response.status_code, response.json()["code"]) == (403, "missing-scope")


# Told


def test_it_is_told_signed_as_standard_webhooks_says(hook, receiver):
    delivery = told(hook)

    webhooks.deliver(delivery.pk, 0)

    assert receiver.bad == []
    assert receiver.ids == [str(delivery.pk)]
    [body] = receiver.got
    assert (body["type"], body["data"]) == ("match.your_turn", {"match": "x", "version": 7})
    assert body["timestamp"].startswith(f"{delivery.created_at:%Y-%m-%dT%H:%M:%S}")
    delivery = after(delivery)
    assert (delivery.status, delivery.error, delivery.attempts) == (204, "", 1)
    assert delivery.delivered_at
    assert delivery.next_at is None


def test_it_is_told_only_what_it_wants_and_only_of_its_player(hook, eve):
    webhooks.change(hook, events=["match.over"])

    webhooks.announce([Notice(hook.player_id, event, {}) for event in EVENTS])
    webhooks.announce([Notice(eve.pk, "match.over", {})])

    assert [delivery.event for delivery in Delivery.objects.all()] == ["match.over"]


def test_a_test_is_sent_and_stands_in_the_log(ask, hook, receiver):
    path = f"/me/webhooks/{hook.pk}"

    sent = ask("ann", "post", f"{path}/test")
    webhooks.deliver(Delivery.objects.get().pk, 0)

    assert sent.status_code == 201
    assert [body["type"] for body in receiver.got] == ["test"]
    [line] = ask("ann", "get", f"{path}/deliveries").json()["results"]
    assert (line["id"], line["event"], line["status"]) == (sent.json()["id"], "test", 204)


@pytest.mark.parametrize("status", [199 + 101, 404, 409, 500])
def test_what_is_not_answered_with_2xx_is_tried_again_and_at_last_given_up(hook, receiver, status):
    receiver.status = status
    delivery = told(hook)

    waits = []
    for attempt in range(len(AGAIN) + 1):
        before = timezone.now()
        webhooks.deliver(delivery.pk, attempt)
        delivery = after(delivery)
        assert (delivery.attempts, delivery.status) == (attempt + 1, status)
        assert delivery.delivered_at is None
        if delivery.next_at:
            waits.append(delivery.next_at - before)

    assert delivery.next_at is None
    assert [round(wait.total_seconds(), -1) for wait in waits] == [
        step.total_seconds() for step in AGAIN
    ]
    assert sum(AGAIN, timedelta()) > timedelta(hours=8)
    assert set(receiver.ids) == {str(delivery.pk)}, "one id, by which doubles are known"
    webhooks.deliver(delivery.pk, len(AGAIN) + 1)
    assert len(receiver.got) == len(AGAIN) + 1


def test_one_that_answers_410_is_off_until_it_is_switched_on(ask, hook, receiver, caplog):
    path = f"/me/webhooks/{hook.pk}"
    first, waiting = told(hook), told(hook)
    receiver.status = 410

    webhooks.deliver(first.pk, 0)

    assert (after(first).status, first.next_at, first.delivered_at) == (410, None, None)
    assert (after(waiting).next_at, waiting.error) == (None, "the webhook was switched off")
    assert ask("ann", "get", path).json()["off_since"]
    webhooks.announce([Notice(hook.player_id, "match.over", {"match": "x", "version": 8})])
    webhooks.deliver(waiting.pk, 0)
    assert (Delivery.objects.count(), len(receiver.got)) == (2, 1)
    assert any('"given_up": true' in line or "'given_up': True" in line for line in caplog.messages)

    assert ask("ann", "patch", path, {"on": True}).json()["off_since"] is None
    receiver.status = 204
    again = told(hook)
    webhooks.deliver(again.pk, 0)
    assert after(again).delivered_at


def test_one_that_is_deleted_while_it_answers_410_leaves_nothing(hook, receiver, monkeypatch):
    first, sends = told(hook), webhooks.send

    def meanwhile(*args):
        Webhook.objects.filter(pk=hook.pk).delete()
        return sends(*args)

    monkeypatch.setattr(webhooks, "send", meanwhile)
    receiver.status = 410
    webhooks.deliver(first.pk, 0)

    assert not Webhook.objects.exists() and not Delivery.objects.exists()


def test_its_player_switches_it_off_and_on(ask, hook, receiver):
    path = f"/me/webhooks/{hook.pk}"
    waiting = told(hook)

    off = ask("ann", "patch", path, {"on": False}).json()

    assert off["off_since"] and off == ask("ann", "get", path).json()
    assert (after(waiting).next_at, waiting.error) == (None, "the webhook was switched off")
    webhooks.announce([Notice(hook.player_id, "match.over", {"match": "x", "version": 8})])
    assert Delivery.objects.count() == 1
    assert ask("ann", "patch", path, {"on": "no"}).status_code == 400
    moved = {"url": receiver.url, "events": ["match.over"]}
    for other in ({}, {"events": ["match.over"]}, moved):
        assert ask("ann", "patch", path, other).json() == off | other, "nothing is said of `on`"

    assert ask("ann", "patch", path, {"on": True}).json()["off_since"] is None
    webhooks.deliver(told(hook, "match.over").pk, 0)
    assert len(receiver.got) == 1


def test_one_that_is_off_can_be_sent_a_test(ask, hook, receiver):
    webhooks.switch_off(hook)

    delivery = ask("ann", "post", f"/me/webhooks/{hook.pk}/test").json()["id"]
    webhooks.deliver(delivery, 0)

    assert receiver.got[0]["type"] == "test"


def test_why_nothing_was_answered_is_told(hook, monkeypatch):
    def fails(*_):
        raise sender.NotSent("the host's name is not known")

    monkeypatch.setattr(sender, "post", fails)
    delivery = told(hook)

    webhooks.deliver(delivery.pk, 0)

    assert (after(delivery).status, delivery.error) == (None, "the host's name is not known")


@pytest.mark.parametrize("attempts", [1, 2])
def test_a_message_that_comes_twice_or_late_sends_nothing(hook, receiver, attempts):
    delivery = told(hook)
    webhooks.deliver(delivery.pk, 0)

    webhooks.deliver(delivery.pk, 0)
    webhooks.deliver(delivery.pk, attempts)

    assert len(receiver.got) == 1


def test_a_process_that_dies_in_the_middle_has_lost_nothing(hook, receiver, monkeypatch, due):
    class Killed(BaseException):
        pass

    def dies(*_):
        raise Killed

    delivery = told(hook)
    with monkeypatch.context() as patched:
        patched.setattr(sender, "post", dies)
        with pytest.raises(Killed):
            webhooks.deliver(delivery.pk, 0)

    assert due(webhooks.LEASE) == [(str(delivery.pk), 1)]
    webhooks.deliver(delivery.pk, 1)
    assert after(delivery).delivered_at


def test_nobody_sends_again_what_is_answered_slowly(hook, receiver, monkeypatch, due):
    delivery, sends, queued = told(hook), webhooks.send, []

    def slowly(*args):
        queued.extend(due(timedelta(seconds=1.5 * sender.SECONDS)))
        return sends(*args)

    monkeypatch.setattr(webhooks, "send", slowly)
    webhooks.deliver(delivery.pk, 0)

    assert queued == []
    assert after(delivery).delivered_at
    assert delivery.status == 204


def test_the_wait_for_the_next_attempt_begins_with_the_end_of_the_last(hook, receiver, monkeypatch):
    delivery, sends, receiver.status = told(hook), webhooks.send, 500
    later = timezone.now() + timedelta(seconds=25)

    def slowly(*args):
        monkeypatch.setattr(timezone, "now", lambda: later)
        return sends(*args)

    monkeypatch.setattr(webhooks, "send", slowly)
    webhooks.deliver(delivery.pk, 0)

    assert after(delivery).next_at == later + AGAIN[0]


def test_one_that_is_switched_off_while_it_answers_is_told_nothing_more(
    ask, hook, receiver, monkeypatch
):
    delivery, sends, receiver.status = told(hook), webhooks.send, 500

    def meanwhile(*args):
        ask("ann", "patch", f"/me/webhooks/{hook.pk}", {"on": False})
        return sends(*args)

    monkeypatch.setattr(webhooks, "send", meanwhile)
    webhooks.deliver(delivery.pk, 0)

    assert (after(delivery).status, delivery.next_at) == (500, None)


@pytest.fixture
def due(monkeypatch):
    """due(wait): what is queued when so much time has passed."""

    def later(wait):
        queued, now = [], timezone.now() + wait
        with monkeypatch.context() as patched:
            patched.setattr(timezone, "now", lambda: now)
            patched.setattr(webhooks, "queue", lambda *args: not queued.append(args))
            webhooks.queue_due()
        return [(str(pk), attempts) for pk, attempts in queued]

    return later


def test_what_redis_has_lost_is_queued_again(hook, due):
    first, second = told(hook), told(hook)

    assert due(timedelta(seconds=1)) == []
    assert due(webhooks.PATIENCE) == [(str(first.pk), 0), (str(second.pk), 0)]
    assert due(webhooks.PATIENCE) == [], "not again before it can have been sent"
    assert due(2 * webhooks.PATIENCE) != []


def test_a_deleted_webhook_is_told_nothing_more(hook, receiver):
    delivery = told(hook)
    hook.delete()

    webhooks.deliver(delivery.pk, 0)

    assert receiver.got == []


def test_deliveries_are_kept_for_thirty_days(hook):
    old, young = told(hook), told(hook)
    Delivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))

    assert webhooks.forget() == 1
    assert Delivery.objects.get() == young


def test_a_forgotten_guest_has_no_webhooks(db):
    long_ago = timezone.now() - timedelta(days=40)
    guest = services.make_guest()
    Player.objects.filter(pk=guest.pk).update(created_at=long_ago)
    webhooks.add(guest, URL, EVENTS)

    services.forget_guests()

    assert not Webhook.objects.exists()
