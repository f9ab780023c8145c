"""What is forgotten in time, and what is sent to webhooks. Two beats at once are harmless."""

from uuid import UUID

import structlog
from celery import shared_task

from players import services, webhooks

logger = structlog.get_logger(__name__)


@shared_task(name="players.tasks.forget")
def forget() -> None:
    """Answers kept for retries, after a day; guests whom nobody has seen, and what was sent to
    webhooks, after 30 days. Beat calls it once an hour."""
    logger.info(
        "forgotten",
        answers=services.forget_answers(),
        guests=services.forget_guests(),
        deliveries=webhooks.forget(),
    )


@shared_task(name="players.tasks.deliver")
def deliver(delivery: str, attempts: int) -> None:
    """Send an event to a webhook."""
    webhooks.deliver(UUID(delivery), attempts)


@shared_task(name="players.tasks.queue_due")
def queue_due() -> None:
    """Queue the deliveries that are due. Beat calls it often."""
    webhooks.queue_due()
