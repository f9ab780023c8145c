"""Hints: what a seat is advised, in matches that give them."""

from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from games import bots
from games.bots import advice
from games.engine import GAMES, log
from games.engine.game import MatchOver, NotYourTurn
from games.models import Match
from games.services.errors import Malformed, MatchNotStarted, NoHints, NotOffered
from games.services.moves import seated
from games.services.numbers import practised
from players.models import Player


class Advised(Struct, frozen=True):
    """An action, and what it is expected to come to for you less the others' mean.

    In points of this deal, the mean of `samples` guessed deals; `low` to `high` is its 95 %
    interval. They are null, and `samples` is 0, where no deals were guessed.
    """

    action: Any
    words: str
    points: float | None
    low: float | None
    high: float | None
    samples: int
    reason: str


class Hint(Struct, frozen=True):
    """What you are advised to do at that version, the best first."""

    version: int
    best: tuple[Advised, ...]


def gives_hints(match: Match) -> bool:
    """Whether its players may ask for hints, as long as it is as it is.

    Never where it counts; a game with practice matches gives them in these only.
    """
    options = match.chosen
    helped = practised(options) if hasattr(options, "practice") else not match.rated
    return match.hints and helped and offered(match)


def offered(match: Match) -> bool:
    """Whether there is a bot that knows better than chance."""
    return bots.LEVELS[match.game][-1] != "random"


def wished(hints: bool | None, rated: bool, options: Any) -> bool:
    """The wish for a new match; None: as is usual. Raises Malformed where it cannot be had."""
    if hints and rated and not practised(options):
        raise Malformed(
            'A match with hints does not count: make it with `"rated": false`.', "/hints"
        )
    return hints is not False


def hint(match: Match, player: Player) -> Hint:
    """What the player is advised, from what he sees; for the same view always the same.

    Raises MatchNotFound, NotSeated, NotOffered, NoHints, MatchNotStarted, MatchOver, NotYourTurn.
    """
    position = match.folded()
    seat = seated(match, position, player)
    _refuse(match, position, seat)
    return advised(match.game, position, seat)


def advised(game: str, position: log.Position, seat: int) -> Hint:
    """What a seat to move is advised, by its view alone: that is the seed of what is guessed."""
    seen = log.view(GAMES[game], position, seat)
    chance = Random(msgspec.json.encode(seen))
    found = advice.advise(game, seen, chance, advice.samples_for_hints(game))
    return Hint(position.version, tuple(_told(game, one) for one in found))


def _refuse(match: Match, position: log.Position, seat: int) -> None:
    if not offered(match):
        raise NotOffered(f"{match.rules.TITLE} has no bot that could give a hint.")
    if position.state is None:
        raise MatchNotStarted("The match has not begun.", version=position.version)
    if not gives_hints(match):
        raise NoHints(_why_none(match))
    if position.status != "playing":
        raise MatchOver("The match is over.", version=position.version)
    if position.turn != seat:
        raise NotYourTurn(f"It is seat {position.turn}'s turn, not yours (seat {seat}).")


def _why_none(match: Match) -> str:
    if not match.hints:
        return "This match was made without hints."
    if hasattr(match.chosen, "practice"):
        return f"In {match.rules.TITLE} only practice matches give hints."
    return "This match counts for ratings; there are no hints in it."


def _told(game: str, one: advice.Advice) -> Advised:
    points, low, high = (_rounded(number) for number in (one.points, one.low, one.high))
    words = GAMES[game].words(one.action, None)
    return Advised(one.action, words, points, low, high, one.samples, one.reason)


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 2) + 0.0  # no -0.0
