"""What follows a commit: the bot's turn is queued. Every writer ends with it.

Nothing here may fail or delay the answer to a move that is stored. A message lost is no harm:
`sweep` queues again what waits too long.
"""

from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games.models import Match

logger = structlog.get_logger(__name__)


def wake(match: Match) -> None:
    """To be called inside the writer's transaction, after its last write."""
    if match.bot_to_move:
        match_id, version = match.id, match.version
        transaction.on_commit(lambda: queue_bot_turn(match_id, version), robust=True)


def queue_bot_turn(match_id: UUID, version: int) -> None:
    """Hand the turn to a worker, by the task's name."""
    send("games.tasks.play_bot_turn", str(match_id), version)


def send(task: str, *args: Any) -> None:
    try:
        current_app.send_task(task, args=args)
    except OperationalError as error:
        logger.warning("broker_unreachable", task=task, args=args, error=str(error))
