"""Seats, deals and moves in few words, without what nobody may know yet.

People count seats and melds from 1, here as at the table; the API and the log from 0.
"""

import json
import re
from typing import Any

from django.contrib import admin

from games.engine import log
from games.engine.game import DEALER
from games.models import Deal, Move, Seat

HIDDEN = "hidden while the match lives"
COUNTED = ("seat", "by", "dealer", "turn", "winner", "meld")
"""Fields of actions and views that hold the number of a seat or a meld."""


class DealWords:
    """A deal in few words."""

    @admin.display(description="dealer")
    def dealt_by(self, deal: Deal) -> str:
        return seat_name(deal.dealer)

    @admin.display(description="versions")
    def versions(self, deal: Deal) -> str:
        return f"{deal.first_version} to {deal.last_version or 'now'}"

    @admin.display(description="outcome")
    def outcome(self, deal: Deal) -> str:
        """How it ended, and what it gave each seat."""
        if deal.result is None:
            return "—" if deal.last_version is None else "cut off"
        points = " : ".join(map(str, deal.result["points"]))
        return f"{deal.result['ending'].replace('_', ' ')}, {points}"


class MoveWords:
    """A line of the log, told without what nobody may know yet."""

    @admin.display(description="by")
    def by(self, move: Move) -> str:
        return seat_name(move.seat)

    @admin.display(description="action")
    def told(self, move: Move) -> str:
        """The action, without the cards of a dealer's entry while the match lives."""
        action = dict(move.action)
        if move.seat == DEALER and not move.match.over:
            action = {"type": action["type"], "cards": HIDDEN}
        if not move.match.over:
            action.pop("shuffles", None)  # of the match that this one goes on from
            action.pop("entropy", None) if action["type"] == "rolled_back" else None
        kind = action.pop("type")
        return f"{kind.replace('_', ' ')}: {listed(action)}" if action else kind.replace("_", " ")


def listed(values: dict[str, Any]) -> str:
    """Named values on a line."""
    told = [f"{name.replace('_', ' ')} {from_one(name, each)}" for name, each in values.items()]
    return ", ".join(told) or "—"


def from_one(field: str, value: Any) -> str:
    """A field's value in words."""
    is_counted = field in COUNTED and isinstance(value, int)
    return str(value + 1) if is_counted and value >= 0 else plain(value)


def words_from_one(words: str) -> str:
    """A line of the log as people count."""
    return re.sub(r"\b(seat|meld) (\d+)\b", lambda found: f"{found[1]} {int(found[2]) + 1}", words)


def seat_name(seat: int) -> str:
    return {log.TABLE: "the table", DEALER: "the dealer"}.get(seat, f"seat {seat + 1}")


class SeatWords:
    """A seat's number."""

    @admin.display(description="seat")
    def counted(self, seat: Seat) -> int:
        return seat.number + 1


def plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def sitting(seat: Seat) -> str:
    """Who plays a seat: a player, a bot, or a bot for a player who is gone."""
    if seat.player and seat.bot:
        return f"{seat.player.name} (bot {seat.bot})"
    return seat.player.name if seat.player else f"bot {seat.bot}" if seat.bot else "open"
