"""What is worth a look in Pyramid, and what it comes to in guessed rounds."""

from collections.abc import Sequence
from functools import reduce
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
    states = [guessed(view, rng) for _ in range(1 if known else samples)]
    reach = FAR if known else NEAR
    return np.stack([_column(view, action, states, reach) for action in actions], axis=1)


def _column(
    view: View, action: Action, states: Sequence[State], reach: Reach
) -> npt.NDArray[np.float64]:
    """What an action comes to in each guess, gone on with in the way that is best on average."""
    if action == UNDO:  # what was done can be done again: all that is open here, and maybe more
        others = [other for other in view.legal if other != UNDO]
        found = np.array([_column(view, other, states, reach) for other in others])
        most: npt.NDArray[np.float64] = found.max(axis=0)
        return most
    plans = [(action,), *((action, more) for more in _at_once(view, states[0], action))]
    points = np.array([[_gain(state, plan, reach) for state in states] for plan in plans], float)
    best: npt.NDArray[np.float64] = points[points.mean(axis=1).argmax()]
    return best


def _at_once(view: View, state: State, action: Action) -> list[Remove]:
    """What may follow with the card on top of the draw pile, which is open on the waste as well."""
    if not view.draw:
        return []
    seen = {*view.pyramid, *view.waste, *view.draw[:1]}
    return [
        more
        for more in legal_actions(apply(state, action))
        if isinstance(more, Remove) and view.draw[0] in more.cards and seen.issuperset(more.cards)
    ]


def _gain(state: State, plan: Sequence[Action], reach: Reach) -> int:
    after = reduce(apply, plan, state)
    gained = after.points - state.points
    unseen = not after.redeals and len(after.draw) > 1
    if after.turn == 0 and unseen and after.options.redeals and max(after.pyramid) >= 0:
        after = looked_through(after)
    return gained + worth(after, reach)


def looked_through(state: State) -> State:
    """At the beginning of the next pass, nothing more taken in this one."""
    return replace(state, draw=(*state.waste, *state.draw), waste=(), redeals=state.redeals + 1)
