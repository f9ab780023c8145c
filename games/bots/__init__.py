"""Bots, pure: each sees the View of its seat and nothing else.

A game's bots are the BOTS (level -> function of view and rng) of the module here that has the
game's name; a game without one still has `random`. That module's own `at_random`, if it has one, is
`random` of the game.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from games.engine import GAMES

Bot = Callable[[Any, Random], Any]


def at_random(view: Any, rng: Random) -> Any:
    """Any legal action, all equally likely."""
    return rng.choice(view.legal)


AVERAGE = 25.0


def module(game: str, part: str = "") -> Any:
    """The module of a game here, or one inside it; None where there is none."""
    name = f"{__name__}.{game}"
    found = import_module(name) if find_spec(name) else None
    if not part:
        return found
    within = hasattr(found, "__path__") and find_spec(f"{name}.{part}")
    return import_module(f"{name}.{part}") if within else None


def _bots(game: str) -> dict[str, Bot]:
    found = module(game)
    return {"random": getattr(found, "at_random", at_random), **getattr(found, "BOTS", {})}


BOTS: dict[str, dict[str, Bot]] = {game: _bots(game) for game in GAMES}

LEVELS: dict[str, tuple[str, ...]] = {game: tuple(bots) for game, bots in BOTS.items()}
"""The levels of each game, weakest first."""


def rating(game: str, level: str) -> float:
    """A bot's strength, mu as people's ratings have it: a constant, measured in the arena.

    AVERAGE where a game's module has no RATINGS, as in one that is played for points.
    """
    return float(getattr(module(game), "RATINGS", {}).get(level, AVERAGE))


def rival(game: str, level: str, below: str) -> str:
    """Whom a short check compares a level with: the one below, or who else RIVALS names."""
    return str(getattr(module(game), "RIVALS", {}).get(level, below))


def thinks(game: str, level: str) -> bool:
    """Whether a level may think for so long that others should not have to wait behind it.

    Those that a game's module names as its THINKERS; all others answer at once.
    """
    return level in getattr(module(game), "THINKERS", ())


def stand_in(game: str, level: str) -> str | None:
    """Who plays where a level does not: the strongest below it that answers at once.

    Of a level that there is no more, the strongest of all that do; None below the weakest.
    """
    below = LEVELS[game][: LEVELS[game].index(level)] if level in LEVELS[game] else LEVELS[game]
    quick = [other for other in below if not thinks(game, other)]
    return quick[-1] if quick else None


def clearable(game: str, view: Any, **cap: int) -> Any:
    """Whether and how what is left can be cleared, by a view with every card open.

    A verdict with `clearable` (None: unknown) and `line`; None where the game has no solver.
    """
    solver = getattr(module(game), "clearable", None)
    return solver(view, **cap) if solver else None


def choose(game: str, view: Any, level: str, rng: Random) -> Any:
    """The action of a bot to move, one of `view.legal`. Raises ValueError for an unknown level."""
    bot = BOTS.get(game, {}).get(level)
    if bot is None:
        known = ", ".join(LEVELS.get(game, ())) or "none"
        raise ValueError(f"There is no bot {level!r} for {game!r}; there are: {known}.")
    return bot(view, rng)
