"""What is forgotten in time. Beat calls it once an hour; two at once are harmless."""

import structlog
from celery import shared_task

from players import services

logger = structlog.get_logger(__name__)


@shared_task(name="players.tasks.forget")
def forget() -> None:
    """Delete the answers kept for retries that are older than a day."""
    logger.info("forgotten", answers=services.forget_answers())
