"""What is worth a look in Pyramid, and what it comes to in guessed rounds."""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from games.bots.pyramid.guesses import guessed
from games.bots.pyramid.levels import expert, ranked
from games.bots.pyramid.reasons import reason
from games.bots.pyramid.worth import FAR, NEAR, Reach, worth
from games.engine.pyramid import UNDO, Action, Remove, State, View, apply, legal_actions

__all__ = ["candidates", "reason", "roll_outs"]

SAMPLES: Final = 32
"""Of a hint."""
MOST: Final = 6


def candidates(view: View, rng: Random) -> tuple[Action, ...]:
    """At most MOST: what `expert` does, to wait or go on, and the removals that do most."""
    first = expert(view, rng)
    others = [action for action in view.legal if not isinstance(action, Remove) and action != UNDO]
    return tuple(dict.fromkeys([first, *others, *ranked(view)]))[:MOST]


def roll_outs(
    view: View, actions: Sequence[Action], rng: Random, samples: int
) -> npt.NDArray[np.float64]:
    """Points that the rest of the round comes to: a row for each guess, a column for each action.

    One row where every card has been seen. Otherwise the rest of the pass is only looked through
    after the action, and then most is made of what is known; only where there is no redeal is the
    guess known from the start.
    """
    known = None not in view.draw
    points = np.empty((1 if known else samples, len(actions)))
    for row in points:
        state = guessed(view, rng)
        for column, action in enumerate(actions):
            row[column] = _gain(state, action, FAR if known else NEAR)
    return points


def _gain(state: State, action: Action, reach: Reach) -> int:
    if action == UNDO:  # what was done can be done again: all that is open here, and maybe more
        return max(_gain(state, other, reach) for other in legal_actions(state) if other != UNDO)
    after = apply(state, action)
    gained = after.points - state.points
    if after.turn == 0 and not after.redeals and after.options.redeals and max(after.pyramid) >= 0:
        after = looked_through(after)
    return gained + worth(after, reach)


def looked_through(state: State) -> State:
    """At the beginning of the next pass, nothing more taken in this one."""
    return replace(state, draw=(*state.waste, *state.draw), waste=(), redeals=state.redeals + 1)
