"""A match that goes on from any moment of an ended one: one player, the others are bots."""

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from msgspec.structs import replace

from games import replays
from games.engine import log
from games.engine.game import DEALER, MatchOver, Reshuffle
from games.models import Match
from games.services.errors import Malformed, MatchNotOver, MatchNotStarted
from games.services.moves import seat_of
from games.services.tables import open_table
from games.services.wishes import bot_level, joined, read_clock
from players.models import Player


@transaction.atomic
def continue_match(
    source: Match,
    player: Player,
    version: int,
    seat: int | None = None,
    bots: str | None = None,
    entropy: str = "",
) -> Match:
    """A new match that begins as the source did up to that version, for practice.

    `seat`: the player's; by default his own of the source, or else that to move. Bots of a level
    take the others. What is dealt from then on follows from a secret of its own. Raises Malformed,
    MatchNotOver, MatchNotStarted, MatchOver.
    """
    level = bot_level(source.game, bots)
    if not source.over:
        raise MatchNotOver("The match is not over; it can be played on from when it is.")
    position = at_version(source, version)
    seat = seat_for(source, position, player, seat)
    match = Match.opened(
        source.game,
        with_helps(source.chosen),
        len(position.seats),
        created_by=player,
        visibility=source.visibility,
        rated=False,
        rated_wish=False,
        starts="later",  # it starts among the entries that are written
        clock=read_clock(None),
    )
    table = [
        joined(n, player=str(player.pk), entropy=entropy) if n == seat else joined(n, bot=level)
        for n in range(len(position.seats))
    ]
    entries = [log.Entry(log.TABLE, log.Started("")), *copied(source, version)]
    return open_table(match, [*table, *halted(entries, len(table))])


def at_version(source: Match, version: int) -> log.Position:
    """The position to go on from: dealt, and not played out."""
    if not 1 <= version <= source.version:
        raise Malformed(f"The match has the versions 1 to {source.version}.", "/version")
    position = replays.step_at(source, version).position
    if position.state is None or position.state.deal == 0:
        raise MatchNotStarted("At that version no card was dealt yet.", version=version)
    if position.state.turn is None:
        raise MatchOver("At that version nothing was left to play.")
    return position


def seat_for(source: Match, position: log.Position, player: Player, seat: int | None) -> int:
    if seat is None:
        seat = seat_of(source.folded(), player)
    if seat is None:
        seat = max(position.state.turn, 0)  # between deals it is the dealer's turn
    if seat not in range(len(position.seats)):
        raise Malformed(f"Seats are 0 to {len(position.seats) - 1}.", "/seat")
    return seat


def with_helps(options: Any) -> Any:
    """The options with the helps of practice, in games that have them."""
    return replace(options, practice=True) if hasattr(options, "practice") else options


def copied(source: Match, version: int) -> list[log.Entry]:
    """Where the match comes from, and what was played there up to the version."""
    played = standing(source, version)
    shuffles = tuple(shuffle for shuffle, entry in played if entry.seat == DEALER)
    told = log.Continued(str(source.pk), version, shuffles)
    entries = [entry for _, entry in played]
    return [log.Entry(log.TABLE, told), *entries]


def halted(entries: list[log.Entry], version: int) -> Iterator[log.Entry]:
    """The entries that follow that version; the dealer reshuffles as he did, when he is asked to.

    What asks him is an entry that takes a match back: here to where it stands.
    """
    for entry in entries:
        if isinstance(entry.action, Reshuffle):
            yield log.Entry(log.TABLE, log.RolledBack(version))
            version += 1
        yield entry
        version += 1


def standing(source: Match, version: int) -> list[tuple[log.Shuffle, log.Entry]]:
    """The game's entries that stand at the version, each with the shuffle that comes next.

    Those that an operator has taken back stand no more, but their shuffles count.
    """
    found: list[tuple[int, log.Shuffle, log.Entry]] = []
    moves = [
        (move.version, log.read_entry(source.rules, move.seat, move.action))
        for move in source.moves.order_by("version")
    ]
    added = [e.action.entropy for _, e in moves if isinstance(e.action, log.RolledBack)]
    position, secret, number = source.folded(), bytes(source.secret), 0
    given = len(position.entropies) - sum(entropy is not None for entropy in added)
    for at, entry in moves[:version]:
        if isinstance(entry.action, log.RolledBack):
            to = entry.action.to
            found = [each for each in found if each[0] <= to]
            given += entry.action.entropy is not None
        if entry.seat != log.TABLE:
            then = replace(position, entropies=position.entropies[:given])
            found.append((at, log.shuffle_of(then, secret, number), entry))
        number += entry.seat == DEALER
    return [(shuffle, entry) for _, shuffle, entry in found]
