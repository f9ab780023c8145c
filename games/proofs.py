"""Proof that every cache of a match is what the fold of its log says."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.engine import log
from games.engine.game import DEALER
from games.engine.shuffle import commitment
from games.models import Deal, Match, Move, Score, Seat, Tally
from games.services import caches
from games.services.moves import seat_of, standings
from games.services.records import utc_day
from games.services.tallies import DealOutcome, tallies


def difference(
    match: Match,
    moves: Sequence[Move],
    deals: Sequence[Deal],
    seats: Sequence[Seat],
    posted: Sequence[Score],
    stored: Sequence[Tally],
) -> str | None:
    """The first version and field where caches and log differ, in words; None when nowhere.

    Rows by version and number. Every action of a seat must have been legal, every shuffle
    must follow from the secret.
    """
    return next(differences(match, moves, deals, seats, posted, stored), None)


def differences(
    match: Match,
    moves: Sequence[Move],
    deals: Sequence[Deal],
    seats: Sequence[Seat],
    posted: Sequence[Score],
    stored: Sequence[Tally],
) -> Iterator[str]:
    yield from unequal(0, "commitment", match.commitment, commitment(bytes(match.secret)))
    course = [caches.begin(match, len(seats))]
    rows = {deal.number: deal for deal in deals}
    for version, move in enumerate(moves, 1):
        yield from unequal(version, "version", move.version, version)
        try:
            entry = caches.read(match, move, course)
            yield from misplayed(match, course[-1].position, entry, version)
            course.append(caches.advance(match, course, entry, move.created_at))
        except Exception as error:  # a damaged log may break the fold in any way
            yield f"version {version}: action {move.action!r} cannot be folded: {error!r}"
            return
    position, told = course[-1].position, course[-1].deals
    times = {"started_at": course[-1].started_at, "finished_at": course[-1].finished_at}
    for number in sorted({*rows, *told}):
        yield from deal_differences(number, rows.get(number), told.get(number))
    yield from match_differences(match, position, times)
    numbers = [seat.number for seat in seats]
    yield from unequal(position.version, "seats", numbers, list(range(len(position.seats))))
    for seat in seats:
        yield from seat_differences(seat, position)
    for score in posted:
        yield from score_differences(score, match, position, times)
    results = [deal["result"] for deal in told.values() if deal["result"]]
    yield from tally_differences(match, position, results, times, stored)


def unequal(version: int, field: str, stored: Any, folded: Any) -> Iterator[str]:
    if stored != folded:
        yield f"version {version}: {field} is {stored!r}, the log says {folded!r}"


def misplayed(match: Match, before: log.Position, entry: log.Entry, version: int) -> Iterator[str]:
    """An action that was not legal or too late, or a shuffle that is not the secret's."""
    if late := log.untimely(before, entry):
        yield f"version {version}: {late}"
    if entry.seat == log.TABLE:
        return
    yield from unequal(version, "seat", entry.seat, before.turn)
    if entry.seat == DEALER:
        dealt = log.dealers_entry(match.rules, before, bytes(match.secret))
        yield from unequal(version, "action", entry.action, dealt.action)
    elif entry.action not in match.rules.legal_actions(before.state):
        yield f"version {version}: action {log.plain(entry.action)} was not legal"


def deal_differences(number: int, deal: Deal | None, told: dict[str, Any] | None) -> Iterator[str]:
    if deal is None or told is None:
        version = told["first_version"] if told else deal.first_version if deal else 0
        yield f"version {version}: deal {number} has {'no row' if deal is None else 'a row only'}"
        return
    for field, value in told.items():
        yield from unequal_parts(
            told["first_version"], f"deals.{number}.{field}", getattr(deal, field), value
        )


def match_differences(match: Match, position: log.Position, times: dict[str, Any]) -> Iterator[str]:
    version, folded = position.version, log.plain(position)
    told = {
        "version": version,
        "status": position.status,
        "ended_by": position.ended_by or "",
        "turn": position.turn,
        "bot_to_move": position.bot_to_move is not None,
        "ends_at": position.ends_at,
        **times,
    }
    if position.bot_to_move is None:  # a bot's says when it is looked after, and is in no log
        told["deadline"] = position.deadline
    for field, value in told.items():
        yield from unequal(version, field, getattr(match, field), value)
    yield from unequal_parts(version, "position", match.position, folded)


def unequal_parts(version: int, path: str, stored: Any, folded: Any) -> Iterator[str]:
    """Like unequal, but names the part of an object that differs."""
    if not (isinstance(stored, dict) and isinstance(folded, dict)):
        yield from unequal(version, path, stored, folded)
        return
    for name in sorted({*stored, *folded}):
        yield from unequal_parts(version, f"{path}.{name}", stored.get(name), folded.get(name))


def seat_differences(seat: Seat, position: log.Position) -> Iterator[str]:
    who = position.seats[seat.number]
    score, place = standings(position)[seat.number]
    told = {
        "player_id": who.player,
        "bot": who.bot or "",
        "invited_id": who.invited,
        "score": score,
        "place": place,
    }
    for field, value in told.items():
        stored = getattr(seat, field)
        if field.endswith("_id") and stored is not None:
            stored = str(stored)
        yield from unequal(position.version, f"seats.{seat.number}.{field}", stored, value)


def score_differences(
    score: Score, match: Match, position: log.Position, times: dict[str, Any]
) -> Iterator[str]:
    """A posted score must be that of a finished match, in which its player sat."""
    seat, ended = seat_of(position, score.player), times["finished_at"]
    own = None if seat is None or position.state is None else position.state.scores[seat]
    told = {
        "game": match.game,
        "points": own if position.status == "finished" else None,
        "day": utc_day(ended) if ended else None,
    }
    for field, value in told.items():
        yield from unequal(position.version, f"posted.{field}", getattr(score, field), value)


def tally_differences(
    match: Match,
    position: log.Position,
    results: Sequence[dict[str, Any]],
    times: dict[str, Any],
    stored: Sequence[Tally],
) -> Iterator[str]:
    """Each player of a finished match must have the row that follows from its deals."""
    deals = [DealOutcome(result["points"], result["counts"]) for result in results]
    told = {
        str(row.player_id): row for row in tallies(match, position, deals, times["finished_at"])
    }
    found = {str(row.player_id): row for row in stored}
    yield from unequal(position.version, "tallies", sorted(found), sorted(told))
    for player in sorted(told.keys() & found.keys()):
        for field in ("game", "ended_at", "public", "opponents", "score", "done", "counts"):
            yield from unequal(
                position.version,
                f"tallies.{player}.{field}",
                getattr(found[player], field),
                getattr(told[player], field),
            )
