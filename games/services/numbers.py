"""Which number a new practice match is dealt by, in games that deal by number.

Such a game is `ByNumber` (games/engine/game.py).
"""

import secrets
from typing import Any, cast

from msgspec.structs import replace

from games import bots
from games.engine import GAMES, log
from games.engine.game import ByNumber
from games.services.errors import NoClearableDeal, NotAPracticeMatch

TRIES = 200
NODES = 500
"""How many deals are drawn for a clearable one, and how far the solver looks into each: half a
second at most, two milliseconds where most deals can be cleared."""


def practised(options: Any) -> bool:
    """Whether a match with these options is for practice: it has helps, and counts for nothing."""
    return bool(getattr(options, "practice", False))


def comparable(game: str, options: Any) -> bool:
    """Whether a match with these options can count: who chooses others could choose easy ones."""
    return options in GAMES[game].PRESETS.values() and not practised(options)


def for_practice(options: Any, position: log.Position) -> bool:
    """Whether a match is for practice: by its options, or as one that goes on from another."""
    return practised(options) or position.continued is not None


def numbered(game: str, options: Any) -> Any:
    """The options with the number of their deal: the one asked for, or one drawn.

    Raises NotAPracticeMatch where a number is asked for elsewhere, NoClearableDeal.
    """
    if practised(options):
        to_draw = hasattr(options, "deal_number") and options.deal_number is None
        return drawn(game, options) if to_draw else options
    for option in ("deal_number", "clearable"):
        if getattr(options, option, None):
            words = f"Only a practice match has `{option}`: add `practice`."
            raise NotAPracticeMatch(words, f"/options/{option}")
    return options


def with_another(game: str, options: Any) -> Any:
    """The options for the next match: where deals have numbers, with another number."""
    if getattr(options, "deal_number", None) is None:
        return options
    return drawn(game, options)


def drawn(game: str, options: Any) -> Any:
    """The options with any number, or the first of some whose deal is seen to be clearable."""
    numbers = cast(ByNumber, GAMES[game]).NUMBERS
    for _ in range(TRIES):
        found = replace(options, deal_number=secrets.choice(numbers))
        if not found.clearable or can_be_cleared(game, found):
            return found
    raise NoClearableDeal(f"Of {TRIES} deals none was seen to be clearable. Ask again.")


def can_be_cleared(game: str, options: Any) -> bool:
    """Whether the solver soon finds how the first deal can be cleared, by who plays alone."""
    rules, started = cast(ByNumber, GAMES[game]), log.Entry(log.TABLE, log.Started())
    *_, (_, dealt) = log.follow(rules, options, log.opened(1), [started], b"")
    found = bots.clearable(game, rules.revealed(dealt.state), cap=NODES)
    return bool(found.clearable)
