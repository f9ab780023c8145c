"""What follows a commit: streams are told the version, and a bot's turn is queued. Every writer
ends with it.

Nothing here may fail or delay the answer to a move that is stored. A message lost is no harm:
`sweep` queues again what waits too long, and streams look at the database too.
"""

from functools import cache
from uuid import UUID

import redis
import structlog
from django.conf import settings
from django.db import transaction

from games import bots
from games.models import Match
from ginservice import metrics
from ginservice.broker import breaker, send

logger = structlog.get_logger(__name__)

CHANNEL = "matches"
"""Where each new version is published, as "<match's id> <version>"."""


def wake(match: Match) -> None:
    """To be called inside the writer's transaction, after its last write."""
    match_id, version = match.id, match.version
    transaction.on_commit(lambda: publish(match_id, version), robust=True)
    if match.bot_to_move:
        queue = queue_of(match)
        transaction.on_commit(lambda: queue_bot_turn(match_id, version, queue), robust=True)


def publish(match_id: UUID, version: int) -> None:
    """Tell every process that streams the match."""
    if not breaker.may_ask():
        return
    try:
        publisher().publish(CHANNEL, f"{match_id} {version}")
        breaker.worked()
    except redis.RedisError as error:
        breaker.failed()
        metrics.NOT_PUBLISHED.inc()
        logger.warning("not_published", match=str(match_id), version=version, error=str(error))


@cache
def publisher() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=0.5, retry=None
    )


QUICK, THINKERS = "bots", "thinkers"
"""The queues of bots' turns: of those that are played at once, and of those that take longer."""


def queue_of(match: Match) -> str:
    """Where the turn of the bot that is to move waits. Raises where the cached position is bad."""
    level = match.folded().bot_to_move
    return THINKERS if level and bots.thinks(match.game, level) else QUICK


def queue_bot_turn(match_id: UUID, version: int, queue: str, *again: int) -> None:
    """Hand the turn to a worker, by the task's name. `again`: for which time it is sent again."""
    send("games.tasks.play_bot_turn", str(match_id), version, *again, queue=queue)
