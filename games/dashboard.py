"""Is all well? What the operator's first page shows, as numbers. Reads only.

Nothing here counts more than a few rows: figures come from the hours that a task has filled, and
what is looked at now has a partial index.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import redis
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from msgspec import Struct

from games.models import Board, BotError, Hour, Match
from games.services import analyses, repairs
from games.services.figures import HOUR, WAITS, hour_at
from games.services.records import PERIODS, first_day, utc_day
from ginservice.broker import queue_lengths
from players.models import Delivery

MONTH = timedelta(days=31)
DAY = timedelta(days=1)
SHOWN = 10
MOST = 100
"""More are not counted."""
LATE = timedelta(seconds=60)
"""After which a delivery should long have been tried, and a figure looked at again (twice)."""

FIGURES = ("moves", "matches", "players", "guests", "bot_errors")


class Totals(Struct):
    """The sums of some hours."""

    moves: int = 0
    matches: int = 0
    players: int = 0
    guests: int = 0
    bot_errors: int = 0
    bot_waits: list[int] = []


class Bar(Struct):
    """An hour, or a day, of a chart."""

    starts: datetime
    totals: Totals


class Dashboard(Struct):
    """How things are. `queues`: None where the broker does not answer."""

    now: datetime
    latest: Hour | None
    turns: int
    oldest: timedelta
    stuck: list[Any]
    errors: list[Any]
    queues: dict[str, int] | None
    undelivered: int
    unanalysed: int
    boards: list[Board]
    hours: list[Bar]
    days: list[Bar]
    grown_day: int | None
    grown_month: int | None

    @property
    def day(self) -> Totals:
        """Of the last 24 hours, begun hours whole."""
        return total([bar.totals for bar in self.hours])

    @property
    def hour(self) -> Totals:
        """Of the last whole hour."""
        return self.hours[-2].totals

    @property
    def counts(self) -> bool:
        """Whether figures are counted: that beat runs, and a worker."""
        counted_at = self.latest and self.latest.counted_at
        return counted_at is not None and self.now - counted_at < 3 * LATE


def dashboard() -> Dashboard:
    """A fixed number of statements, whatever there is."""
    now = timezone.now()
    rows = list(Hour.objects.filter(starts__gt=now - MONTH).order_by("starts"))
    turns, oldest = repairs.waiting()
    latest = rows[-1] if rows else None
    return Dashboard(
        now=now,
        latest=latest,
        turns=turns,
        oldest=oldest,
        stuck=list(stuck()),
        errors=list(BotError.objects.select_related("match").defer(*HIDDEN).order_by("-id")[:5]),
        queues=queues(),
        undelivered=Delivery.objects.filter(next_at__lt=now - LATE).count(),
        unanalysed=len(analyses.stuck(now).values_list("pk")[:MOST]),
        boards=list(Board.objects.filter(current(utc_day(now))).order_by("game", "period")),
        hours=bars(rows, [hour_at(now) - HOUR * n for n in range(24)], HOUR),
        days=bars(rows, [midnight(now) - DAY * n for n in range(30)], DAY),
        grown_day=grown(rows, latest, now - DAY),
        grown_month=grown(rows, latest, now - MONTH),
    )


HIDDEN = ("match__position", "match__secret")


def stuck() -> Any:
    """Bots' turns that were queued again, with the last thing that went wrong in their match."""
    last = BotError.objects.filter(match=OuterRef("pk")).order_by("-id")
    tried = Match.objects.filter(bot_to_move=True, attempts__gt=0).defer("position", "secret")
    return tried.annotate(
        error=Subquery(last.values("reason")[:1]), place=Subquery(last.values("place")[:1])
    ).order_by("queued_at")[:SHOWN]


def queues() -> dict[str, int] | None:
    try:
        return queue_lengths()
    except redis.RedisError:
        return None


def current(day: date) -> Q:
    """The boards of the day, its week and all time."""
    found = Q()
    for period in PERIODS:
        found |= Q(period=period, starts=first_day(period, day))
    return found


def midnight(now: datetime) -> datetime:
    return hour_at(now).replace(hour=0)


def bars(rows: Sequence[Hour], starts: Sequence[datetime], length: timedelta) -> list[Bar]:
    """For each span, the oldest first, the sums of its hours; of none where none was counted."""
    found: dict[datetime, list[Hour]] = {start: [] for start in reversed(starts)}
    for row in rows:
        start = row.starts if length == HOUR else midnight(row.starts)
        if start in found:
            found[start].append(row)
    return [Bar(start, total(hours)) for start, hours in found.items()]


def total(hours: Sequence[Any]) -> Totals:
    totals = Totals(bot_waits=[0] * (len(WAITS) + 1))
    for hour in hours:
        for figure in FIGURES:
            setattr(totals, figure, getattr(totals, figure) + getattr(hour, figure))
        for bucket, count in enumerate(hour.bot_waits):
            totals.bot_waits[bucket] += count
    return totals


def within(waits: Sequence[int], share: float) -> float | None:
    """Seconds within which that share of the turns was played; infinite beyond the longest."""
    wanted, seen = share * sum(waits), 0
    if not wanted:
        return None
    for bound, count in zip((*WAITS, float("inf")), waits, strict=True):
        seen += count
        if seen >= wanted:
            return bound
    raise AssertionError("shares end at 1")


def grown(rows: Sequence[Hour], latest: Hour | None, since: datetime) -> int | None:
    """By how many bytes the database has grown since then, or since it was first looked at.

    None where it was looked at in one hour only.
    """
    if latest is None or latest.database_bytes is None:
        return None
    hours = [row for row in rows if row.database_bytes and since <= row.starts < latest.starts]
    sizes = [row.database_bytes for row in hours]
    if not sizes:
        return None
    return int(latest.database_bytes) - int(sizes[0])
