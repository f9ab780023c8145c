"""What a seat is advised: what its actions come to in guessed deals, and why.

A game's advice is the module `<game>.advice` here, pure and from a seat's view alone, with
`candidates(view, rng)`, the first of which is what the strongest bot would do,
`roll_outs(view, actions, rng, samples)` and `reason(view, action, over)`; and `weighed`, as
`roll_outs` but of points and of what they are worth, where points are not all that counts. Same
view and generator: same advice. Nothing looks at a clock; the bound is the number of samples.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from games import bots
from games.bots.means import Mean, mean

Floats = npt.NDArray[np.floating[Any]]

AT_THIS_SCORE: Final = "At this score of the match it is worth more than its points tell."
NOT_SURE: Final = "No other is surely better in so many guesses."


class Rolled(Struct, frozen=True):
    """Points for the seat less the mean of the others', to the end of the deal.

    A row for each guessed deal, a column for each action; in a row all actions met the same guess
    and, as far as can be, the same chance. One row where nothing had to be guessed. `worth`: what
    the points count for winning the match at this score, in points, where a game weighs that.
    """

    actions: tuple[Any, ...]
    points: Floats
    worth: Floats | None = None

    @property
    def weighed(self) -> Floats:
        """What actions are compared by."""
        return self.points if self.worth is None else self.worth


class Advice(Struct, frozen=True):
    """An action and what it is expected to come to; points are None where nobody can tell."""

    action: Any
    points: float | None
    low: float | None
    high: float | None
    samples: int
    reason: str


def advice_of(game: str) -> Any:
    """The module of a game's advice, or None."""
    return bots.module(game, "advice")


def samples_for_hints(game: str) -> int:
    """As many as take a tenth of a second or so, by the game's own measure; SAMPLES is its name."""
    return int(getattr(advice_of(game), "SAMPLES", 1))


def rolled(
    game: str, view: Any, rng: Random, samples: int, actions: Sequence[Any] | None = None
) -> Rolled | None:
    """What these actions, or else the game's candidates, come to; None: the game has no advice."""
    module = advice_of(game)
    if module is None:
        return None
    chosen = module.candidates(view, rng) if actions is None else tuple(actions)
    if hasattr(module, "weighed"):
        return Rolled(chosen, *module.weighed(view, chosen, rng, samples))
    return Rolled(chosen, module.roll_outs(view, chosen, rng, samples))


def advise(game: str, view: Any, rng: Random, samples: int, best: int = 3) -> tuple[Advice, ...]:
    """The best so many, the best first; what the strongest bot does where there is no advice."""
    found = rolled(game, view, rng, samples)
    if found is None:
        return (_strongest(game, view, rng),)
    reason = advice_of(game).reason
    order = _best_first(found)[:best]
    against = [order[1] if len(order) > 1 else order[0], *[order[0]] * (len(order) - 1)]
    told = [
        _advice(found, one, reason(view, found.actions[one], found.actions[over]))
        for one, over in zip(order, against, strict=True)
    ]
    told[0] = replace(told[0], reason=f"{told[0].reason} {_though(found, order)}".strip())
    return tuple(told)


def _best_first(found: Rolled) -> list[int]:
    """By points; but first the strongest bot's choice, or what is surely worth more than that."""
    order: list[int] = np.argsort(-found.points.mean(axis=0), kind="stable").tolist()
    most = int(found.weighed.mean(axis=0).argmax())
    first = most if loss(found, found.actions[0], found.actions[most]).low > 0 else 0
    order.remove(first)
    return [first, *order]


def _though(found: Rolled, order: list[int]) -> str:
    """What is to say where the first is not the first by points."""
    points = found.points.mean(axis=0)
    most = max(order, key=lambda one: points[one])
    if points[most] <= points[order[0]]:
        return ""
    surely = loss(found, found.actions[most], found.actions[order[0]]).low > 0
    return AT_THIS_SCORE if surely else NOT_SURE


def _advice(found: Rolled, column: int, reason: str) -> Advice:
    worth = mean(found.points[:, column])
    action = found.actions[column]
    return Advice(action, worth.mean, worth.low, worth.high, worth.samples, reason)


def _strongest(game: str, view: Any, rng: Random) -> Advice:
    level = bots.LEVELS[game][-1]
    action = bots.choose(game, view, level, rng)
    return Advice(action, None, None, None, 0, f"This is what the bot {level!r} would do.")


def loss(found: Rolled, action: Any, better: Any = None) -> Mean:
    """How much less an action is worth than a better one, or else the best, guess by guess."""
    worth = found.weighed
    best = int(worth.mean(axis=0).argmax()) if better is None else found.actions.index(better)
    return mean(worth[:, best] - worth[:, found.actions.index(action)])
