"""Analyses of matches that are over: asked for, made piece by piece, healed, forgotten.

A piece is a second's work of a worker. What it found is stored before the next one is queued, so
that a worker killed at any moment loses one piece, and a message that comes twice does nothing.
"""

import time
from bisect import bisect
from collections.abc import Iterator
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, JSONField, Q, QuerySet, Value
from django.db.models.expressions import CombinedExpression
from django.utils import timezone

from games import coach, replays
from games.bots import findings
from games.engine import log
from games.engine.game import DEALER
from games.models import UNFINISHED, Analysis, Match
from games.services.errors import (
    MatchNotOver,
    MatchNotStarted,
    NotOffered,
    TooManyAnalyses,
)
from games.services.moves import locked, seated
from ginservice import metrics
from ginservice.broker import send
from players.models import Player

logger = structlog.get_logger(__name__)

PIECE_SECONDS = 1.0
"""Of a processor: when so much was used no further unit is begun in a piece."""
LEASE = timedelta(
    seconds=settings.CELERY_TASK_ANNOTATIONS["games.tasks.analyse"]["time_limit"] + 10
)
"""A piece is not taken twice within so long: longer than any worker may be at it."""
PATIENCE = timedelta(seconds=60)
"""After which a message is thought lost, and sent again."""
MOST_ATTEMPTS = 3
MOST_UNFINISHED = 5
"""Of one player's."""
MOST_AT_ONCE = 100
"""Looked at in one sweep: the next comes two seconds later."""
KEPT = timedelta(days=settings.ANALYSIS_DAYS)
STATUSES = (*UNFINISHED, "done", "failed")
TASK = "games.tasks.analyse"


@transaction.atomic
def ask(match_id: UUID, player: Player) -> tuple[Analysis, bool]:
    """The match's analysis, and whether it was begun now: anew where one had failed.

    Raises MatchNotFound, NotSeated, MatchNotOver, MatchNotStarted, NotOffered, TooManyAnalyses.
    """
    match = locked(match_id)
    position = match.folded()
    seated(match, position, player)
    check_over(match)
    if position.state is None or not position.state.deal:
        raise MatchNotStarted("No card was dealt in this match.", version=position.version)
    if not coach.can_coach(match.game):
        raise NotOffered(f"Nobody can judge how {match.rules.TITLE} was played.")
    there = Analysis.objects.filter(match=match).first()
    if there and there.status != "failed":
        return there, False
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # one at a time is counted
    if Analysis.objects.filter(asked_by=player, status__in=UNFINISHED).count() >= MOST_UNFINISHED:
        raise TooManyAnalyses(f"{MOST_UNFINISHED} of yours are not done yet; wait for one of them.")
    if there:
        there.delete()
    now = timezone.now()
    versions = decisions(match)
    analysis = Analysis.objects.create(
        match=match,
        asked_by=player,
        versions=versions,
        deals=whole_deals(match, versions),
        asked_at=now,
        queued_at=now,
    )
    queue(analysis.pk, 0)
    return analysis, True


def check_over(match: Match) -> None:
    if not match.over:
        raise MatchNotOver("A match is analysed when it is over: before, nobody is told anything.")


def of(match: Match) -> Analysis | None:
    """The analysis of a match, if anybody has asked for one. Raises MatchNotOver."""
    check_over(match)
    return Analysis.objects.filter(match=match).first()


def decisions(match: Match) -> list[int]:
    """The versions at which a seat has decided, in the course that counts.

    Not what an operator or a player has taken back, nor what comes from another match.
    """
    last, before = 0, {0: 0}  # the decision that stands last; of each, the one before it
    stood = [(0, last)]  # which one stood last from a version on
    moves = match.moves.exclude(seat=DEALER).order_by("version")
    for version, seat, action in moves.values_list("version", "seat", "action"):
        if action["type"] == "rolled_back" and seat == log.TABLE:
            last = stood[bisect(stood, action["to"], key=itemgetter(0)) - 1][1]
        elif seat >= 0 and action["type"] in findings.taking_back(match.game):
            last = before[last]
        elif seat >= 0:
            before[version], last = last, version
        stood.append((version, last))
    found, copied = [], last_copied(match)
    while last > copied:
        found.append(last - 1)
        last = before[last]
    return found[::-1]


def last_copied(match: Match) -> int:
    """The version of the last move that comes from another match; 0 where none does."""
    moves = match.moves.order_by("version")
    begun = moves.filter(seat=log.TABLE, action__type="continued").first()
    if begun is None:
        return 0
    copied = moves.filter(seat__gte=0, created_at=begun.created_at).last()
    return copied.version if copied else 0


def whole_deals(match: Match, versions: list[int]) -> list[int]:
    """The deals in which somebody has decided, where a solver can look at them."""
    if not versions or not findings.can_tell_moments(match.game):
        return []
    begun = match.deals.filter(Q(last_version=None) | Q(last_version__gt=versions[0]))
    return list(begun.order_by("number").values_list("number", flat=True))


def queue(analysis_id: UUID, done: int) -> None:
    """Hand the next piece to a worker after the commit; where that fails the sweep does."""
    transaction.on_commit(lambda: send(TASK, str(analysis_id), done), robust=True)


# A worker's side


def work(analysis_id: UUID, done: int) -> None:
    """Make the next piece, if so much is done; a duplicate or late message does nothing."""
    analysis = take(analysis_id, done)
    if analysis is None:
        logger.info("analysis_stale", analysis=str(analysis_id), done=done)
        return
    game, started = analysis.match.game, time.perf_counter()
    try:
        found = list(piece(analysis))
        result = summary(analysis, found) if done + len(found) == analysis.total else None
        if not found and result is None:
            raise LookupError("The log lacks what was to be judged.")
    except Exception as error:  # whatever it is: tried again a few times, then told
        metrics.ANALYSIS_ERRORS.labels(game).inc()
        logger.exception("analysis_failed", match=str(analysis.match_id), done=done)
        give_up_or_wait(analysis, f"Unit {done + 1} could not be judged: {type(error).__name__}.")
        return
    metrics.ANALYSIS_PIECES.labels(game).observe(time.perf_counter() - started)
    keep(analysis, done, found, result)


def take(analysis_id: UUID, done: int) -> Analysis | None:
    """The analysis, for one worker alone; None where another is at it, or is further."""
    now = timezone.now()
    free = Q(taken_at=None) | Q(taken_at__lt=now - LEASE)
    waiting = Analysis.objects.filter(free, pk=analysis_id, done=done, status__in=UNFINISHED)
    if not waiting.update(status="running", taken_at=now, attempts=F("attempts") + 1):
        return None
    # What was found is read where it is summed up, and not for each piece.
    return Analysis.objects.select_related("match").defer("found").filter(pk=analysis_id).first()


def piece(analysis: Analysis) -> Iterator[object]:
    """What the next units come to, for about a second: None where nothing was to be decided."""
    until = time.process_time() + PIECE_SECONDS
    match, done = analysis.match, analysis.done
    for found in judged(match, analysis.versions[done:]):
        yield found
        if time.process_time() > until:
            return
    for number in analysis.deals[max(0, done - len(analysis.versions)) :]:
        yield looked_at(match, number, analysis.versions)
        if time.process_time() > until:
            return


def judged(match: Match, versions: list[int]) -> Iterator[object]:
    """Each decision, in one pass over the log."""
    if not versions:
        return
    wanted, before = set(versions), replays.position_at(match, versions[0])
    for step in replays.steps_from(match, before, versions[-1] + 1):
        if before.version in wanted:
            seed = f"{match.pk} {before.version}"
            yield log.plain(coach.judge(match.game, match.rules, before, step.entry, seed))
        before = step.position


def looked_at(match: Match, number: int, versions: list[int]) -> object:
    """A whole deal, by a solver that knows its cards; None where nobody decided anything in it.

    Where an operator had it shuffled anew, from then on.
    """
    deal = match.deals.get(number=number)
    last, wanted = deal.last_version or match.version, set(versions)
    before = log.read_position(match.rules, deal.before)
    steps: list[findings.Step] = []
    whole = deal.first_version > last_copied(match)
    for step in replays.steps_from(match, before, last):
        if step.entry.seat == DEALER:
            whole = whole and step.position.version == deal.first_version
            steps = []
        if before.version in wanted:
            steps.append((before.version, before.state, step.entry.action, step.position.state))
        before = step.position
    if not steps:
        return None
    return log.plain(coach.moment(match.game, match.rules, number, steps, whole))


@transaction.atomic
def keep(analysis: Analysis, done: int, found: list[object], result: object) -> None:
    """Store a piece, unless another has or the match was taken back; then queue the next."""
    still = Analysis.objects.filter(pk=analysis.pk, done=done, status="running")
    now = timezone.now()
    kept: dict[str, Any] = {
        "done": done + len(found),
        "attempts": 0,
        "taken_at": None,
        "queued_at": now,
    }
    if result is None:
        kept["found"] = CombinedExpression(F("found"), "||", Value(found, JSONField()))
    else:
        kept |= {"status": "done", "result": result, "found": [], "finished_at": now}
    if not still.update(**kept):
        logger.info("analysis_overtaken", analysis=str(analysis.pk), done=done)
    elif result is None:
        queue(analysis.pk, done + len(found))


def summary(analysis: Analysis, found: list[object]) -> object:
    """All that was found, as it is told."""
    match, both = analysis.match, [*analysis.found, *found]
    decided = [each for each in both[: len(analysis.versions)] if each is not None]
    looked = [each for each in both[len(analysis.versions) :] if each is not None]
    points = {
        deal.number: deal.result["points"]
        for deal in match.deals.filter(first_version__gt=last_copied(match)).order_by("number")
        if deal.result is not None
    }
    return log.plain(
        coach.found(
            len(match.position["seats"]),
            msgspec.convert(decided, list[coach.Decision]),
            msgspec.convert(looked, list[coach.Moment]),
            points,
        )
    )


def give_up_or_wait(analysis: Analysis, words: str) -> None:
    """After a piece that failed: the sweep queues it again, but not for ever."""
    mine = Analysis.objects.filter(pk=analysis.pk, done=analysis.done, status__in=UNFINISHED)
    if analysis.attempts < MOST_ATTEMPTS:
        mine.update(taken_at=None, queued_at=timezone.now())
    else:
        fail(mine, words)


def fail(analyses: QuerySet[Analysis], words: str) -> None:
    """They are told to have failed; who asks again begins anew."""
    now = timezone.now()
    analyses.update(status="failed", error=words[:200], found=[], taken_at=None, finished_at=now)


# Beat's side


def heal_analyses() -> None:
    """Queue again what waits too long, and give up what no worker could end. Part of the sweep.

    Two at once are harmless: a row that another holds is passed over, and a message too many does
    nothing.
    """
    now = timezone.now()
    free = Q(taken_at=None) | Q(taken_at__lt=now - LEASE)
    late = Analysis.objects.filter(free, status__in=UNFINISHED, queued_at__lt=now - PATIENCE)
    again = []
    with transaction.atomic():
        rows = late.select_for_update(skip_locked=True).order_by("queued_at")
        for analysis in rows.only("pk", "done", "attempts")[:MOST_AT_ONCE]:
            mine = Analysis.objects.filter(pk=analysis.pk)
            if analysis.attempts >= MOST_ATTEMPTS:
                logger.error("analysis_given_up", analysis=str(analysis.pk), done=analysis.done)
                fail(mine, f"Unit {analysis.done + 1} was lost by {MOST_ATTEMPTS} workers.")
            else:
                mine.update(queued_at=now)
                again.append(analysis)
    for analysis in again:
        logger.warning("analysis_requeued", analysis=str(analysis.pk), done=analysis.done)
        send(TASK, str(analysis.pk), analysis.done)


def forget_analyses() -> None:
    """Delete what is old: whoever wants it asks again. Part of the sweep."""
    old = Analysis.objects.filter(finished_at__lt=timezone.now() - KEPT)
    Analysis.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:MOST_AT_ONCE])).delete()


def stuck(now: datetime) -> QuerySet[Analysis]:
    """Those that have failed in a day, and those that nobody has ended in an hour."""
    slow = Q(status__in=UNFINISHED, asked_at__lt=now - timedelta(hours=1))
    return Analysis.objects.filter(slow | Q(status="failed", asked_at__gt=now - timedelta(days=1)))


def counted() -> dict[str, int]:
    """How many there are of each status."""
    found = Analysis.objects.values_list("status").annotate(count=Count("pk")).order_by()
    return dict.fromkeys(STATUSES, 0) | dict(found)
