"""A bot's turn: what it chooses, and who chooses in its place where it fails or comes too late.

Whatever a bot does, its turn is played. What went wrong is kept for the operator.
"""

import secrets
import traceback
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import F
from django.utils import timezone
from msgspec import Struct

from games import bots
from games.models import BotError, Match
from ginservice import metrics

logger = structlog.get_logger(__name__)

REASONS = ("answered_nonsense", "raised", "out_of_time", "waited", "given_up")
FIRST_LEGAL = "first legal action"


class Choice(Struct, frozen=True):
    """An action, and by whom: the level itself, or for that `reason` its stand-in.

    `by` is FIRST_LEGAL where there was none, or it failed too.
    """

    action: Any
    by: str
    reason: str = ""


class Failure(Struct, frozen=True):
    reason: str
    error: Exception | None = None


def late(match: Match, level: str, again: int, now: datetime) -> bool:
    """Whether the turn has waited too long to be thought about.

    That is: for BOT_WAIT_SECONDS, or it had to be queued again. A level that answers at once gains
    nothing from another: it is only not tried for a third time, by the third message. However
    often the turn was queued, messages are taken in their order, and the first is the first try.
    """
    if not bots.thinks(match.game, level):
        return again > 1
    waited = now - (match.queued_at or now)
    return bool(match.attempts or waited > timedelta(seconds=settings.BOT_WAIT_SECONDS))


def chosen(match: Match, seen: Any, level: str, again: int = 0) -> Choice:
    """The bot's action; or its stand-in's, or the first legal one: then counted and logged.

    `again`: which message this is of those that were sent again; 0: the first.
    """
    other = bots.stand_in(match.game, level)
    if other is not None and late(match, level, again, timezone.now()):
        reason = "waited"
        metrics.FALLBACKS.labels(match.game, level, reason).inc()
    else:
        answer = asked(match, seen, level)
        if not isinstance(answer, Failure):
            return Choice(answer, level)
        reason = answer.reason
        count_bot_error(match, level, reason, answer.error)
    if other is not None:
        answer = asked(match, seen, other)
        if not isinstance(answer, Failure):
            return Choice(answer, other, reason)
        count_bot_error(match, other, answer.reason, answer.error)
    return Choice(seen.legal[0], FIRST_LEGAL, reason)


def asked(match: Match, seen: Any, level: str) -> Any:
    """What a level answers, if it is legal; else a Failure, logged."""
    try:
        action = bots.choose(match.game, seen, level, Random(secrets.randbits(64)))
        if action in seen.legal:
            return action
        logger.error("bot_answered_nonsense", match=str(match.pk), bot=level, action=str(action))
        return Failure("answered_nonsense")
    except SoftTimeLimitExceeded as error:
        logger.exception("bot_failed", match=str(match.pk), bot=level)
        return Failure("out_of_time", error)
    except Exception as error:  # whatever a bot does, its turn is played
        logger.exception("bot_failed", match=str(match.pk), bot=level)
        return Failure("raised", error)


def count_bot_error(
    match: Match, level: str | None, reason: str, error: Exception | None = None
) -> None:
    metrics.FALLBACKS.labels(match.game, level, reason).inc()
    Match.objects.filter(pk=match.pk).update(bot_errors=F("bot_errors") + 1)
    note_bot_error(match, level or "", reason, error)


def note_bot_error(match: Match, level: str, reason: str, error: Exception | None = None) -> None:
    """For the operator: what went wrong, and where, but not in words that may hold cards."""
    BotError.objects.create(
        match_id=match.pk,
        version=match.version,
        bot=level,
        reason=reason,
        place=place(error) if error else "",
        at=timezone.now(),
    )


def place(error: Exception) -> str:
    """Of which kind an error is, and in which line it was raised."""
    found = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(found[-1].filename).name}:{found[-1].lineno}" if found else ""
    return f"{type(error).__name__}{where}"
