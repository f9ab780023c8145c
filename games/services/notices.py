"""What webhooks are told: a match has started, it is its player's turn, it is over."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from games.engine import log
from games.models import Match
from players import webhooks
from players.webhooks import Notice


def write_notices(match: Match, before: log.Position, after: log.Position) -> None:
    """Queue what the step from one position to another tells; nothing where nobody listens.

    A match that was read by `locked` knows who had a webhook among those who sat there then.
    """
    told = list(notices(match, before, after))
    if before.status != "open":
        told = [notice for notice in told if notice.player in match.hooked]
    if told:
        webhooks.announce(told)


def notices(match: Match, before: log.Position, after: log.Position) -> Iterator[Notice]:
    seats = {seat: UUID(who.player) for seat, who in enumerate(after.seats) if who.player}
    if before.status == "open" and after.status == "playing":
        for seat, player in seats.items():
            yield Notice(player, "match.started", data(match, after, seat))
    turn = after.turn
    if turn in seats and not after.bot_to_move and turn != before.turn:
        yield Notice(seats[turn], "match.your_turn", data(match, after, turn))
    if after.over and not before.over:
        for seat, player in seats.items():
            yield Notice(player, "match.over", data(match, after, seat))


def data(match: Match, position: log.Position, seat: int) -> dict[str, Any]:
    """Nothing of the cards: whoever is told looks at the match."""
    return {
        "match": str(match.pk),
        "game": match.game,
        "version": position.version,
        "status": position.status,
        "ended_by": position.ended_by,
        "seat": seat,
    }
