"""Healing: bots' turns whose message was lost are queued again, and in the end played here."""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Min, OuterRef, Q
from django.utils import timezone

from games.engine import log
from games.engine.game import RuleError
from games.models import ONE_ATTEMPT_MORE, Match, Move
from games.services.errors import Refused
from games.services.moves import play_move
from games.services.turns import count_bot_error, note_bot_error
from games.wake import QUICK, queue_bot_turn
from ginservice import metrics

logger = structlog.get_logger(__name__)

SWEEP_LOCK = 0x67696E  # any number that no other advisory lock of this database uses
MOST_ATTEMPTS = 3
MOST_TURNS = 500
"""Turns looked at in one sweep: the next comes two seconds later."""


def sweep() -> int:
    """Queue every overdue bot's turn again; play those tried too often. Returns how many.

    A turn is overdue when it was queued longer ago than its time, doubled with each attempt.
    Two sweeps at once are harmless: the second finds the lock taken and does nothing.
    """
    now = timezone.now()
    with transaction.atomic():
        if not only_one(SWEEP_LOCK):
            return 0
        overdue = _overdue(now)
        Match.objects.filter(pk__in=[match.pk for match in overdue]).update(
            queued_at=now, attempts=ONE_ATTEMPT_MORE
        )
    for match in overdue:
        if match.attempts < MOST_ATTEMPTS:
            _queue_again(match)
        else:
            _play_for_the_bot(match)
    return len(overdue)


def waiting() -> tuple[int, timedelta]:
    """How many bots' turns nobody has played yet, and for how long the oldest of them waits."""
    last = Move.objects.filter(match=OuterRef("pk"), version=OuterRef("version"))
    turns = Match.objects.filter(bot_to_move=True).annotate(since=last.values("created_at"))
    found = turns.aggregate(count=Count("pk"), oldest=Min("since"))
    oldest = found["oldest"] or timezone.now()
    return found["count"], timezone.now() - oldest


def only_one(lock: int) -> bool:
    """Whether nobody else has taken the lock, which is held until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [lock])
        return bool(cursor.fetchone()[0])


def _overdue(now: datetime) -> list[Match]:
    """The longest waiting; a match whose row is locked is being played just now."""
    late = Q(attempts__gte=MOST_ATTEMPTS, queued_at__lte=now - _patience(MOST_ATTEMPTS))
    for attempts in range(MOST_ATTEMPTS):
        late |= Q(attempts=attempts, queued_at__lte=now - _patience(attempts))
    # The first condition is the index's: it follows from every other.
    waiting = Match.objects.filter(late, bot_to_move=True, queued_at__lte=now - _patience(0))
    return list(waiting.select_for_update(skip_locked=True).order_by("queued_at")[:MOST_TURNS])


def _patience(attempts: int) -> timedelta:
    return timedelta(seconds=settings.BOT_TURN_SECONDS * int(2**attempts))


def _queue_again(match: Match) -> None:
    """Where turns are played at once: a bot that thinks longer has had its time (`turns.late`)."""
    logger.warning("bot_turn_requeued", match=str(match.pk), attempts=match.attempts + 1)
    queue_bot_turn(match.pk, match.version, QUICK, match.attempts + 1)
    try:
        metrics.REQUEUED.labels(match.game, match.folded().bot_to_move).inc()
    except Exception as error:  # one broken match must not keep the others waiting
        note_bot_error(match, "", "stuck", error)


def _play_for_the_bot(match: Match) -> None:
    """The first legal action, so that nobody waits for ever; counted as the bot's error."""
    logger.error("bot_turn_given_up", match=str(match.pk), attempts=match.attempts)
    try:
        position = match.folded()
        seen = match.rules.view(position.state, position.turn)
        play_move(match.pk, None, match.version, log.plain(seen.legal[0]))
        count_bot_error(match, position.bot_to_move, "given_up")
    except (Refused, RuleError) as error:
        logger.warning("bot_turn_played_meanwhile", match=str(match.pk), error=str(error))
    except Exception as error:  # nor must it here
        logger.exception("bot_turn_stuck", match=str(match.pk))
        note_bot_error(match, "", "stuck", error)
