"""Seats, deals and moves in few words, without what nobody may know yet."""

import json
from typing import Any

from django.contrib import admin

from games.engine import log
from games.engine.game import DEALER
from games.models import Deal, Move, Seat

HIDDEN = "hidden while the match lives"


class DealWords:
    """A deal in few words."""

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
        return {log.TABLE: "the table", DEALER: "the dealer"}.get(move.seat, f"seat {move.seat}")

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
    told = [f"{name.replace('_', ' ')} {plain(each)}" for name, each in values.items()]
    return ", ".join(told) or "—"


def plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def sitting(seat: Seat) -> str:
    """Who plays a seat: a player, a bot, or a bot for a player who is gone."""
    if seat.player and seat.bot:
        return f"{seat.player.name} (bot {seat.bot})"
    return seat.player.name if seat.player else f"bot {seat.bot}" if seat.bot else "open"
