"""What is forgotten in time. Beat calls it once an hour; two at once are harmless."""

import structlog
from celery import shared_task

from players import services

logger = structlog.get_logger(__name__)


@shared_task(name="players.tasks.forget")
def forget() -> None:
    """Answers kept for retries, after a day; guests whom nobody has seen for 30 days."""
    answers, guests = services.forget_answers(), services.forget_guests()
    logger.info("forgotten", answers=answers, guests=guests)
