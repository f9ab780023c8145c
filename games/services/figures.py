"""What each hour has brought: figures that are counted once, so that the dashboard never counts.

A task of beat's calls `count_on`. Two at once, or a late one, are harmless: the second finds a
lock taken, and what was counted is not counted again.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Max, Model
from django.utils import timezone

from games.models import BotError, Hour, Match
from games.services.repairs import only_one
from players.models import Player, first_id

COUNT_LOCK = 0x686F7572  # any number that no other advisory lock of this database uses
ENTRIES = 20_000
"""Entries of the log counted in one transaction…"""

MOST_TIMES = 20
"""…and how many of these at a time: the next comes a minute later."""

SETTLED = timedelta(seconds=20)
"""Newer entries are left for the next time: an older one might still be about to be committed."""

HOUR = timedelta(hours=1)
ERRORS_KEPT = timedelta(days=30)
WAITS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0, 80.0)
"""Seconds. `Hour.bot_waits` has how many turns took less than each, and at last all longer ones."""

FRESH = """
    SELECT MAX(id) FILTER (WHERE created_at < %(settled)s), COUNT(*)
    FROM (SELECT id, created_at FROM games_move WHERE id > %(after)s ORDER BY id LIMIT %(most)s)
"""
MOVES = """
    SELECT date_trunc('hour', created_at, 'UTC'), COUNT(*) FROM games_move
    WHERE id > %(after)s AND id <= %(until)s AND seat >= 0
    GROUP BY 1
"""
TURNS = """
    SELECT hour, bucket, COUNT(*) FROM (
        SELECT date_trunc('hour', created_at, 'UTC') AS hour, (
            SELECT width_bucket(EXTRACT(EPOCH FROM move.created_at - earlier.created_at)::float8,
                %(waits)s::float8[])
            FROM games_move AS earlier, games_seat AS seat
            WHERE earlier.match_id = move.match_id AND earlier.version = move.version - 1
                AND seat.match_id = move.match_id AND seat.number = move.seat AND seat.bot <> ''
        ) AS bucket
        FROM games_move AS move
        WHERE id > %(after)s AND id <= %(until)s AND seat >= 0
    )
    WHERE bucket IS NOT NULL
    GROUP BY 1, 2
"""


def count_on() -> None:
    """Count what is new in the log, and look at how things are."""
    now = timezone.now()
    touched = {hour_at(now), hour_at(now) - HOUR}
    for _ in range(MOST_TIMES):
        hours, more = count_entries(now)
        touched |= hours
        if not more:
            break
    look_around(now, touched)
    BotError.objects.filter(pk__lt=first_id(now - ERRORS_KEPT)).delete()


@transaction.atomic
def count_entries(now: datetime) -> tuple[set[datetime], bool]:
    """Count the next entries. Returns the hours in which they lie, and whether there are more."""
    if not only_one(COUNT_LOCK):
        return set(), False
    after = Hour.objects.aggregate(last=Max("last_move"))["last"] or 0
    asked: dict[str, Any] = {"after": after, "most": ENTRIES, "settled": now - SETTLED}
    [[until, found]] = rows(FRESH, asked)
    if until is None:
        return set(), False
    asked |= {"until": until, "waits": list(WAITS)}
    moves = dict(rows(MOVES, asked))
    waits: dict[datetime, list[int]] = defaultdict(lambda: [0] * (len(WAITS) + 1))
    for hour, bucket, count in rows(TURNS, asked):
        waits[hour][bucket] = count
    for hour, count in moves.items():
        row = hour_of(hour)
        row.moves += count
        row.bot_waits = added(row.bot_waits, waits[hour])
        row.last_move = until
        row.save()
    if not moves:  # only what the table and its dealer did
        Hour.objects.update_or_create(starts=hour_at(now), defaults={"last_move": until})
    return set(moves), found == ENTRIES


def rows(sql: str, asked: dict[str, Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        return list(cursor.fetchall())


def hour_of(starts: datetime) -> Hour:
    return Hour.objects.get_or_create(starts=starts)[0]


def hour_at(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


def added(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one or [0] * len(other), other, strict=True)]


@transaction.atomic
def look_around(now: datetime, hours: set[datetime]) -> None:
    """What was made in these hours, by ranges of ids; and how things are now, for this one."""
    if not only_one(COUNT_LOCK):
        return
    for starts in sorted(hours):
        guests = made(Player, starts, is_guest=True)
        Hour.objects.update_or_create(
            starts=starts,
            defaults={
                "matches": made(Match, starts),
                "guests": guests,
                "players": made(Player, starts) - guests,
                "bot_errors": made(BotError, starts),
            },
        )
    [[size]] = rows("SELECT pg_database_size(current_database())", {})
    Hour.objects.filter(starts=hour_at(now)).update(
        live=Match.objects.filter(status="playing").count(),
        open=Match.objects.filter(status="open").count(),
        database_bytes=size,
        counted_at=now,
    )


def made(model: type[Model], starts: datetime, **only: Any) -> int:
    """How many rows were made in the hour; their ids tell."""
    made_then = {"pk__gte": first_id(starts), "pk__lt": first_id(starts + HOUR)}
    return model._default_manager.filter(**made_then, **only).count()
