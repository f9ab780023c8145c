"""What the fold of a log says of a match and its deals, which the database repeats.

`proofs` compares with it; `fold_again` writes it anew where it is damaged, or where a match was
taken back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from msgspec import Struct

from games.engine import log
from games.models import Deal, Match, Move, Seat, Tally
from games.services import deals
from games.services.moves import standings, write_match
from games.services.tallies import write_tallies


class Told(Struct, frozen=True):
    """A match after some entries. `deals` has by number the fields of each deal's row."""

    position: log.Position
    deals: Mapping[int, dict[str, Any]] = {}
    started_at: datetime | None = None
    finished_at: datetime | None = None


def begin(match: Match, seats: int) -> Told:
    return Told(log.opened(seats, match.timing))


def read(match: Match, move: Move, course: Sequence[Told]) -> log.Entry:
    """A stored entry, `course` being what came before it."""
    entry = log.read_entry(match.rules, move.seat, move.action, move.created_at)
    return log.aimed(entry, lambda version: course[version].position)


def advance(match: Match, course: Sequence[Told], entry: log.Entry, at: datetime) -> Told:
    """What is told after one more entry."""
    told = course[-1]
    before = told.position
    after = log.fold(match.rules, match.chosen, before, entry)
    if isinstance(entry.action, log.RolledBack):
        then = course[entry.action.to]
        return Told(after, then.deals, told.started_at, then.finished_at)
    started = before.status == "open" and after.status == "playing"
    ended = after.over and not before.over
    rows = dict(told.deals)
    for number, fields in deals.told(before, after, at):
        rows[number] = rows.get(number, {}) | fields
    return Told(after, rows, at if started else told.started_at, at if ended else told.finished_at)


def fold_again(match: Match) -> Told:
    """Write every cache of a match anew from its log; its row must be locked.

    Raises whatever a damaged log makes the fold raise.
    """
    moves = match.moves.order_by("version")
    course = [begin(match, match.seats.count())]
    for move in moves:
        entry = read(match, move, course)
        course.append(advance(match, course, entry, move.created_at))
    told = course[-1]
    write_deals(match, told)
    write_seats(match, told.position)
    match.started_at, match.finished_at = told.started_at, told.finished_at
    write_match(match, told.position, timezone.now())
    Tally.objects.filter(match=match).delete()
    if told.finished_at is not None:
        write_tallies(match, told.position, told.finished_at)
    return told


def write_deals(match: Match, told: Told) -> None:
    """The rows of the deals that there are now, and no others."""
    match.deals.exclude(number__in=list(told.deals)).delete()
    for number, fields in told.deals.items():
        Deal.objects.update_or_create(match=match, number=number, defaults=fields)


def write_seats(match: Match, position: log.Position) -> None:
    match.seats.update(player=None, invited=None, bot="")  # nobody sits twice meanwhile
    for number, (who, (score, place)) in enumerate(
        zip(position.seats, standings(position), strict=True)
    ):
        Seat.objects.filter(match=match, number=number).update(
            player_id=who.player,
            bot=who.bot or "",
            invited_id=who.invited,
            score=score,
            place=place,
        )
