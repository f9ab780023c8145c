"""Help for who practises: whether it can still be done, the same deal again."""

from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from msgspec import Struct
from msgspec.structs import replace

from games import bots
from games.engine import log
from games.engine.game import MatchOver
from games.models import Match
from games.services.errors import MatchNotStarted, NotAPracticeMatch, NotOffered
from games.services.moves import locked, seated
from games.services.numbers import for_practice
from games.services.tables import next_match
from players.models import Player


class Prospect(Struct, frozen=True):
    """Whether what is left can still be cleared. `line` leads there, each action legal in turn."""

    version: int
    clearable: Literal["yes", "no", "unknown"]
    line: tuple[Any, ...] | None


def prospect(match: Match, player: Player) -> Prospect:
    """Whether it can still be cleared, by a solver that knows every card.

    Raises MatchNotFound, NotSeated, NotAPracticeMatch, MatchNotStarted, MatchOver, NotOffered.
    """
    position, _ = practising(match, player)
    if position.status != "playing":
        raise MatchOver("The match is over.", version=position.version)
    revealed = getattr(match.rules, "revealed", None)
    found = bots.clearable(match.game, revealed(position.state)) if revealed else None
    if found is None:
        raise NotOffered(f"{match.rules.TITLE} has no solver.")
    if found.clearable is None:
        return Prospect(position.version, "unknown", None)
    if not found.clearable:
        return Prospect(position.version, "no", None)
    return Prospect(position.version, "yes", found.line)


@transaction.atomic
def restart(match_id: UUID, player: Player) -> Match:
    """A new match of the same seats and options that begins with the deal last dealt.

    Raises MatchNotFound, NotAPracticeMatch, NotSeated, MatchNotStarted, NotOffered.
    """
    match = locked(match_id)
    position, seat = practising(match, player)
    number = log.deal_number(match.rules, position.state, position.state.deal)
    if number is None:
        raise NotOffered(f"{match.rules.TITLE} does not deal by number; no deal can come again.")
    options = replace(match.chosen, deal_number=number)
    return next_match(match, position, seat, player, options)


def practising(match: Match, player: Player) -> tuple[log.Position, int]:
    """The position of a practice match that has begun, and the player's seat there."""
    position = match.folded()
    seat = seated(match, position, player)
    if not for_practice(match.chosen, position):
        raise NotAPracticeMatch("This is no practice match; only these give help.")
    if position.state is None:
        raise MatchNotStarted("The match has not begun.", version=position.version)
    return position, seat
