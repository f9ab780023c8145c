"""What workers do: bots' turns, and the sweep that heals lost ones."""

import time
from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from games import bots
from games.engine import log
from games.models import Match
from games.services import analyses, ends, figures, lobby, records, repairs, turns
from games.services.errors import StaleVersion
from games.services.moves import play_move
from games.wake import QUICK, queue_of
from ginservice import metrics

logger = structlog.get_logger(__name__)
PARTS = (
    repairs.sweep,
    lobby.tend_tables,
    ends.end_overdue,
    records.forget_replaced,
    analyses.heal_analyses,
    analyses.forget_analyses,
)

# What seldom happens is told as 0 until it does, so that its first time is seen as a rise.
for _game, _levels in bots.LEVELS.items():
    for _level in _levels:
        metrics.REQUEUED.labels(_game, _level)
        for _reason in turns.REASONS:
            metrics.FALLBACKS.labels(_game, _level, _reason)
for _game in bots.LEVELS:
    metrics.ANALYSIS_PIECES.labels(_game)
    metrics.ANALYSIS_ERRORS.labels(_game)
for _part in PARTS:
    metrics.SWEEPS_FAILED.labels(_part.__name__)


@shared_task(name="games.tasks.play_bot_turn")
def play_bot_turn(match_id: str, version: int, again: int = 0) -> None:
    """Play the bot's turn at that version; a duplicate or late delivery does nothing.

    `again`: which message this is of those that the sweep has sent for the turn; 0: the first.
    """
    match = Match.objects.get(pk=match_id)
    try:
        position = match.folded()
    except Exception as error:  # a damaged cache; the operator can fold it again
        turns.note_bot_error(match, "", "stuck", error)
        raise
    if match.version != version or position.bot_to_move is None:
        logger.info("bot_turn_stale", match=match_id, version=version, now=match.version)
        return
    started, level = time.perf_counter(), position.bot_to_move
    waited = (timezone.now() - (match.queued_at or timezone.now())).total_seconds()
    metrics.WAITS.labels(match.game, QUICK if again else queue_of(match)).observe(waited)
    choice = turns.chosen(match, match.rules.view(position.state, position.turn), level, again)
    try:
        played = play_move(match.pk, None, version, log.plain(choice.action))
    except StaleVersion:
        logger.info("bot_turn_overtaken", match=match_id, version=version)
        return
    seconds = time.perf_counter() - started
    metrics.TURNS.labels(match.game, level).observe(seconds)
    logger.info(
        "bot_turn",
        match=match_id,
        version=played.version,
        bot=level,
        action=log.plain(choice.action),
        **({"instead": choice.by, "reason": choice.reason} if choice.reason else {}),
        attempts=match.attempts,
        waited_ms=round(waited * 1000, 1),
        ms=round(seconds * 1000, 1),
    )


@shared_task(name="games.tasks.analyse")
def analyse(analysis_id: str, done: int) -> None:
    """Make the next piece of an analysis."""
    analyses.work(UUID(analysis_id), done)


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Heal bots' turns whose message was lost, tend open tables, end what waits in vain.

    Beat calls it often.
    """
    metrics.SWEEPS.inc()
    for part in PARTS:
        try:
            part()
        except Exception:  # of one part; the others do not wait until somebody has mended it
            metrics.SWEEPS_FAILED.labels(part.__name__).inc()
            logger.exception("sweep_failed", part=part.__name__)


@shared_task(name="games.tasks.count_on")
def count_on() -> None:
    """Fill the hours that the dashboard shows. Beat calls it every minute."""
    figures.count_on()
