"""The broker: a task is handed to it, a worker outlives it, and nobody waits for it twice.

To outlive it needs two faults of kombu's Redis transport mended (seen in 5.7.0). When the
connection is gone a worker still tries to give back the turns it holds, and to acknowledge
those it ends, both through that connection; either ends the whole worker with an
AttributeError. Neither is needed: a broker that died has forgotten the messages, one that
comes back delivers them again, and the sweep heals what is lost.
"""

import time
from typing import Any

import redis
import structlog
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel

from ginservice import metrics

logger = structlog.get_logger(__name__)

QUEUES = ("bots", "thinkers", "default", "analysis", "webhooks")
"""Each kind of work waits by itself. `bots` and `default` share a worker, which takes from both in
turns; each other queue has a worker of its own (ginservice/run.py), so that no turn waits for more
than turns of its own kind."""

acknowledge = Channel.basic_ack

PAUSE = 2.0
"""Seconds for which a Redis that did not answer is not asked again."""


class Breaker:
    """Whether Redis may be asked for what can be left out: counting requests, waking streams.

    After a failure nobody asks for a while; then one tries, and all when that has worked.
    """

    def __init__(self) -> None:
        self.until = 0.0

    def may_ask(self) -> bool:
        now = time.monotonic()
        if now < self.until:
            return False
        if self.until:
            self.until = now + PAUSE  # while this one tries, no other does
        return True

    def worked(self) -> None:
        self.until = 0.0

    def failed(self) -> None:
        self.until = time.monotonic() + PAUSE


breaker = Breaker()
"""One for all of a process: they ask the same Redis."""


def survive_its_death() -> None:
    """To be called once, before there is a channel."""
    Channel.do_restore = False
    Channel.basic_ack = acknowledge_where_it_can


def acknowledge_where_it_can(channel: Channel, delivery_tag: Any, multiple: bool = False) -> None:
    """A closed channel has no connection, and nobody there who waits for it."""
    if channel.connection is not None:
        acknowledge(channel, delivery_tag, multiple)


def send(task: str, *args: Any, queue: str | None = None) -> bool:
    """Hand a task to a worker, by its name. Where there is no broker, say so in the log.

    `queue`: another one than the settings say.
    """
    try:
        current_app.send_task(task, args=args, queue=queue)
    except OperationalError as error:
        metrics.NOT_SENT.inc()
        logger.warning("broker_unreachable", task=task, args=args, error=str(error))
        return False
    return True


def queue_lengths() -> dict[str, int]:
    """How many tasks wait in each queue for a worker. Raises RedisError.

    By a connection of its own each time, so that it is never an old one that answers.
    """
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=0.5, retry=None
    )
    try:
        with client.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                pipe.llen(queue)
            return dict(zip(QUEUES, pipe.execute(), strict=True))
    finally:
        client.close()
