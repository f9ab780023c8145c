"""Tables that look for players: play now, filling up with bots, closing what waits too long."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import Exact
from django.utils import timezone

from games.engine import log
from games.engine.clock import Clock
from games.models import ONE_ATTEMPT_MORE, Match, Seat
from games.services.errors import Malformed
from games.services.hints import wished
from games.services.moves import locked, seat_of, write
from games.services.tables import begin, leave, open_seats, open_table, sit_down
from games.services.wishes import (
    bot_level,
    counting,
    joined,
    read_clock,
    read_options,
    rules_of,
    seat_numbers,
)
from players.models import Player

logger = structlog.get_logger(__name__)

PLAY_NOW_LOCK = 0x6E6F77  # the first of two keys: any number that no other pair of them uses
MOST_TABLES = 100
"""Tables of each sort tended in one sweep: the next comes two seconds later."""

REST = timedelta(minutes=1)
"""Until a table that could not be tended is tried again. Its `attempts` count how often it was."""


@transaction.atomic
def play_now(
    player: Player,
    game: str,
    options: dict[str, Any],
    seats: int | None = None,
    wait: int = 30,
    bots: str | None = None,
    rated: bool | None = None,
    clock: Clock | None = None,
    hints: bool | None = None,
) -> tuple[Match, bool]:
    """A seat at the longest waiting table of that game, options and clock, or at a new one.

    A new one gives its empty seats to bots of the level `bots` (the game's first but `random`)
    after `wait` seconds. Another will do only if the player fills it or such bots come to it in
    that time too, and if it will be rated or not, as he wishes; None: if it can be. One that is
    not gives `hints`, unless he wishes none. Who waits at such a table already keeps his seat.
    Returns the match, and whether it is new. Raises Malformed.
    """
    rules, chosen = rules_of(game), read_options(game, options)
    count = rules.SEATS[0] if seats is None else seats
    if count not in rules.SEATS:
        raise Malformed(f"{rules.TITLE} has {seat_numbers(rules.SEATS)} seats.", "/seats")
    level, counts = bot_level(game, bots), counting(rated, game, chosen) and not player.is_guest
    wanted = Match.opened(
        game,
        chosen,
        count,
        clock or read_clock(None),
        created_by=player,
        rated=counts,
        rated_wish=rated is not False,
        hints=wished(hints, counts, chosen),
        fill_with=level,
    )
    one_at_a_time(wanted, count)
    wanted.fill_at = timezone.now() + timedelta(seconds=wait)  # later than all who came before
    found = kept_seat(wanted, count, player) or seat_found(wanted, count, player)
    if found is not None:
        return found, False
    return open_table(wanted, [joined(0, player=str(player.pk))]), True


def kept_seat(wanted: Match, count: int, player: Player) -> Match | None:
    """The match of play now at which the player waits already.

    He leaves a table that will not do any more, since bots come to it later than he wants now.
    """
    waiting = fitting(wanted, count).filter(taken_by(player), fill_at__isnull=False).first()
    if waiting is None:
        return None
    table = locked(waiting.pk)
    if table.status == "playing" or (table.status == "open" and fills_in_time(table, wanted)):
        return table
    if table.status == "open":
        leave(table.pk, player)
    return None


def seat_found(wanted: Match, count: int, player: Player) -> Match | None:
    """A table of others at which the player has sat down."""
    for table in with_room(fitting(wanted, count), wanted, player)[:1]:
        position = table.folded()  # newer than the seats' rows that the search has seen
        empty = open_seats(position)
        free = [n for n in empty if position.seats[n].invited is None]
        will_do = len(empty) == 1 or fills_in_time(table, wanted)
        if free and will_do and position.status == "open" and seat_of(position, player) is None:
            sit_down(table, position, [joined(free[0], player=str(player.pk))])
            return locked(table.pk)
    return None


def fills_in_time(table: Match, wanted: Match) -> bool:
    """Whether the bots wanted come to an open table, and no later than wanted."""
    assert wanted.fill_at is not None
    in_time = table.fill_at is not None and table.fill_at <= wanted.fill_at
    return in_time and table.fill_with == wanted.fill_with


def one_at_a_time(wanted: Match, count: int) -> None:
    """Wait for whoever looks for such a table too, until the transaction ends.

    So players who come at once meet, and one who asks twice at once is not given two seats.
    """
    text = f"{wanted.game} {count} {json.dumps(wanted.options, sort_keys=True)}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [PLAY_NOW_LOCK, text])


def fitting(wanted: Match, count: int) -> QuerySet[Match]:
    """Open tables like the one wanted, the longest waiting first. None that could not be tended."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    counts = Q(rated=True) & ~Exists(seats.filter(player__is_guest=True))
    return Match.objects.filter(
        counts if wanted.rated else ~counts & Q(hints=wanted.hints),
        Exists(seats.filter(number=count - 1)),
        ~Exists(seats.filter(number=count)),
        status="open",
        attempts=0,
        game=wanted.game,
        options=wanted.options,
        clock=wanted.clock,
        visibility="public",
        starts="full",
    ).order_by("id")


def with_room(tables: QuerySet[Match], wanted: Match, player: Player) -> QuerySet[Match]:
    """Those at which the player would play in time; none that others are joining just now."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    empty = seats.filter(player=None, bot="").values("match").annotate(count=Count("pk"))
    fills_in_time = Q(fill_at__lte=wanted.fill_at, fill_with=wanted.fill_with)
    return tables.filter(
        fills_in_time | Q(Exact(Subquery(empty.values("count")), 1)),
        Exists(seats.filter(player=None, bot="", invited=None)),
        ~taken_by(player),
        ~Exists(seats.filter(invited=player)),
    ).select_for_update(of=("self",), skip_locked=True)


def taken_by(player: Player) -> Exists:
    return Exists(Seat.objects.filter(match=OuterRef("pk"), player=player))


def tend_tables() -> None:
    """Give seats that have waited long enough to bots, and close tables that have waited too long.

    Part of the sweep; two at once are harmless, for each table is looked at again when locked.
    One that cannot be tended rests for a while, so that many such leave time for the others.
    """
    now = timezone.now()
    too_old = now - timedelta(hours=settings.OPEN_TABLE_HOURS)
    tables = Match.objects.filter(status="open").exclude(queued_at__gt=now - REST)
    to_fill = tables.filter(fill_at__lte=now).order_by("fill_at")
    expired = tables.filter(created_at__lte=too_old).order_by("created_at")
    for found, change in ((to_fill, fill), (expired, expire)):
        for match_id in found.values_list("pk", flat=True)[:MOST_TABLES]:
            tend(match_id, change)


def tend(match_id: UUID, change: Callable[[Match, log.Position], None]) -> None:
    """One table in a transaction of its own, so that a broken one holds up no other."""
    try:
        with transaction.atomic():
            match = locked(match_id)
            position = match.folded()
            if position.status == "open":
                change(match, position)
    except Exception:
        logger.exception("table_not_tended", match=str(match_id))
        table = Match.objects.filter(pk=match_id, status="open")
        table.update(queued_at=timezone.now(), attempts=ONE_ATTEMPT_MORE)


def fill(match: Match, position: log.Position) -> None:
    """Bots take the empty seats, and the match starts."""
    begin(match, position, *(joined(seat, bot=match.fill_with) for seat in open_seats(position)))


def expire(match: Match, position: log.Position) -> None:
    write(match, position, log.Entry(log.TABLE, log.Aborted("expired")))
