"""Webhooks and their deliveries: made, changed, switched off, sent, sent again.

A delivery is a row, written in the transaction of what it tells of; the broker only says sooner
that there is one. Whoever sends it first moves `next_at` beyond the end of his attempt, so that
nobody else sends it meanwhile, and a process which dies in the middle has lost nothing.
"""

import base64
import secrets
import time
from collections.abc import Collection
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import standardwebhooks
import structlog
from django.db import transaction
from django.utils import timezone

from ginservice import broker, metrics
from players import sender
from players.models import Delivery, Player, Webhook
from players.services import Refused

logger = structlog.get_logger(__name__)

MOST_WEBHOOKS = 5
AGAIN = [timedelta(seconds=s) for s in (10, 60, 300, 1800, 7200, 21600)]
"""After how long a failed attempt is followed by another; after the last it is given up."""

PATIENCE = timedelta(seconds=30)
"""For which a delivery may wait in the queue before it is queued again."""

LEASE = timedelta(seconds=3 * sender.SECONDS)
"""For which an attempt is nobody else's: twice as long as one can take."""

MOST_AT_ONCE = 200
KEPT = timedelta(days=30)

for _outcome in ("delivered", "failed", "given_up"):
    metrics.DELIVERIES.labels(_outcome)  # told as 0 until it happens


class UrlNotAllowed(Refused):
    code = "url-not-allowed"
    pointer = "/url"


class TooManyWebhooks(Refused):
    code = "too-many-webhooks"


class Notice(NamedTuple):
    """What a player is to be told: an event of EVENTS, and data about it."""

    player: UUID
    event: str
    data: dict[str, Any]


@transaction.atomic
def add(player: Player, url: str, events: Collection[str]) -> Webhook:
    """A webhook with a new secret. Raises UrlNotAllowed, TooManyWebhooks."""
    check(url)
    Player.objects.select_for_update().get(pk=player.pk)  # one at a time is counted
    if Webhook.objects.filter(player=player).count() >= MOST_WEBHOOKS:
        raise TooManyWebhooks(f"A player has at most {MOST_WEBHOOKS} webhooks; delete one.")
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    return Webhook.objects.create(player=player, url=url, events=list(events), secret=secret)


@transaction.atomic
def change(webhook: Webhook, on: bool | None = None, **fields: Any) -> Webhook:
    """Another `url`, or other `events`; it is on or off as before, or as is said. Raises
    UrlNotAllowed.
    """
    if "url" in fields:
        check(fields["url"])
    if on:
        fields["off_since"] = None
    for name, value in fields.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(fields))
    if on is False:
        switch_off(webhook)
    return webhook


def check(url: str) -> None:
    try:
        sender.checked(url)
    except ValueError as error:
        raise UrlNotAllowed(str(error)) from None


def announce(notices: Collection[Notice]) -> None:
    """Write what is to be sent, in the caller's transaction, and send it after the commit."""
    hooks = Webhook.objects.filter(player__in={notice.player for notice in notices}, off_since=None)
    told = [
        (hook, notice)
        for hook in hooks
        for notice in notices
        if hook.player_id == notice.player and notice.event in hook.events
    ]
    store(told)


def send_test(webhook: Webhook) -> Delivery:
    """A delivery of nothing but a test."""
    [delivery] = store([(webhook, Notice(webhook.player_id, "test", {}))])
    return delivery


def store(told: Collection[tuple[Webhook, Notice]]) -> list[Delivery]:
    now = timezone.now()
    deliveries = Delivery.objects.bulk_create(
        Delivery(
            webhook=hook,
            event=notice.event,
            data=notice.data,
            created_at=now,
            next_at=now + PATIENCE,
        )
        for hook, notice in told
    )
    for delivery in deliveries:
        transaction.on_commit(lambda pk=delivery.pk: queue(pk, 0), robust=True)  # type: ignore[misc]
    return deliveries


def queue(delivery: UUID, attempts: int) -> bool:
    """Hand it to a worker. A message that is lost is sent again by `queue_due`."""
    return broker.send("players.tasks.deliver", str(delivery), attempts)


def queue_due() -> int:
    """Queue what is due, be it new and lost or to be tried again. Returns how many."""
    now = timezone.now()
    with transaction.atomic():
        due = Delivery.objects.select_for_update(skip_locked=True).filter(next_at__lte=now)
        found = list(due.order_by("next_at").values_list("pk", "attempts")[:MOST_AT_ONCE])
        Delivery.objects.filter(pk__in=[pk for pk, _ in found]).update(next_at=now + PATIENCE)
    return sum(queue(pk, attempts) for pk, attempts in found)


def deliver(delivery_id: UUID, attempts: int) -> None:
    """Make the attempt after so many, unless another worker does: a late message does nothing."""
    now = timezone.now()
    due = Delivery.objects.filter(pk=delivery_id, attempts=attempts, next_at__isnull=False)
    last = attempts >= len(AGAIN)
    if not due.update(attempts=attempts + 1, next_at=None if last else now + LEASE):
        return
    delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    status, error, started = None, "", time.perf_counter()
    try:
        status = send(delivery, now)
    except sender.NotSent as reason:
        error = str(reason)[:200]
    done: dict[str, Any] = {"status": status, "error": error}
    if status is not None and 200 <= status < 300:
        done |= {"delivered_at": timezone.now(), "next_at": None}
    if status == HTTPStatus.GONE:
        switch_off(delivery.webhook)
    mine = Delivery.objects.filter(pk=delivery_id, attempts=attempts + 1)
    mine.update(**done)
    given_up = "delivered_at" not in done and (last or status == HTTPStatus.GONE)
    if "delivered_at" not in done and not given_up:  # nor if it was switched off meanwhile
        mine.filter(next_at__isnull=False).update(next_at=timezone.now() + AGAIN[attempts])
    outcome = "delivered" if "delivered_at" in done else "given_up" if given_up else "failed"
    metrics.DELIVERIES.labels(outcome).observe(time.perf_counter() - started)
    logger.info(
        "webhook_sent",
        delivery=str(delivery_id),
        webhook=str(delivery.webhook_id),
        attempt=attempts + 1,
        status=status,
        error=error,
        given_up=given_up,
    )


def switch_off(webhook: Webhook) -> None:
    """It is told nothing more, and nothing that waits is sent. It may be gone already."""
    webhook.off_since = timezone.now()
    Webhook.objects.filter(pk=webhook.pk).update(off_since=webhook.off_since)
    waiting = Delivery.objects.filter(webhook=webhook, next_at__isnull=False)
    waiting.update(next_at=None, error="the webhook was switched off")


def send(delivery: Delivery, now: datetime) -> int:
    """One signed POST, as Standard Webhooks has it. Raises sender.NotSent."""
    body = msgspec.json.encode(
        {"type": delivery.event, "timestamp": delivery.created_at, "data": delivery.data}
    )
    hook = delivery.webhook
    signature = standardwebhooks.Webhook(hook.secret).sign(str(delivery.pk), now, body.decode())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "ginservice",
        "webhook-id": str(delivery.pk),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
    return sender.post(hook.url, body, headers)


def forget() -> int:
    """Delete deliveries older than thirty days. Returns how many."""
    return Delivery.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
