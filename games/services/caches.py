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
from games.services.moves import deal_ended, deal_reopened, played_out, standings, write_match
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
    return Told(
        after,
        changed_deals(told.deals, before, after, at),
        at if started else told.started_at,
        at if ended else told.finished_at,
    )


def changed_deals(
    deals: Mapping[int, dict[str, Any]], before: log.Position, after: log.Position, at: datetime
) -> Mapping[int, dict[str, Any]]:
    if before.state is None:
        return deals
    changed = dict(deals)
    number = before.state.deal
    if deal_ended(before, after):
        changed[number] = changed[number] | ended_deal(after, at)
    if deal_reopened(before, after):
        changed[number] = changed[number] | OPEN
    if after.state.deal != number:
        changed[after.state.deal] = begun_deal(before, after, at)
    return changed


OPEN = {"last_version": None, "result": None, "ended_at": None}


def begun_deal(before: log.Position, after: log.Position, at: datetime) -> dict[str, Any]:
    return {
        "dealer": after.state.dealer,
        "first_version": after.version,
        "before": log.plain(before),
        "started_at": at,
        **OPEN,
    }


def ended_deal(after: log.Position, at: datetime) -> dict[str, Any]:
    result = log.plain(after.state.result) if played_out(after) else None
    return {"last_version": after.version, "result": result, "ended_at": at}


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
