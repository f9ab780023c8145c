"""What is worth a look, and what it comes to in guessed deals."""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from games.bots.rummy.guesses import guessed
from games.bots.rummy.levels import expert
from games.bots.rummy.playout import Deal, end_turn, play
from games.bots.rummy.reasons import reason
from games.bots.rummy.sight import sight
from games.bots.rummy.tabling import Step, fewest_left
from games.bots.rummy.throws import ranked
from games.engine.cards import INDEX, card_set
from games.engine.rummy import DISCARDS, Action, Discard, DrawStock, LayOff, Meld, TakeDiscard, View

__all__ = ["candidates", "reason", "roll_outs"]

SAMPLES: Final = 48
"""Of a hint."""
MOST: Final = 6
TABLED: Final = 3
"""Of the actions looked at, those that table something."""


def candidates(view: View, rng: Random) -> tuple[Action, ...]:
    """At most MOST: what `expert` does, what can be tabled, and the throws of least use."""
    first = expert(view, rng)
    if view.phase == "draw":
        return (first, *(action for action in view.legal if action != first))
    seen = sight(view)
    tabling = [action for action in view.legal if not isinstance(action, Discard)]
    throws = [DISCARDS[card] for card in ranked(seen, fewest_left(seen), rng)]
    return tuple(dict.fromkeys([first, *tabling[:TABLED], *throws]))[:MOST]


def roll_outs(
    view: View, actions: Sequence[Action], rng: Random, samples: int
) -> npt.NDArray[np.float64]:
    """A row for each guess, a column for each action: this deal's points less the others' mean.

    All seats play on as `hard` does. What chance is left is the same along a row.
    """
    points = np.empty((samples, len(actions)))
    for row in points:
        deal, seed = Deal.of(guessed(view, rng)), rng.getrandbits(64)
        for column, action in enumerate(actions):
            row[column] = _margin(deal.copy(), action, Random(seed))
    return points


def _margin(deal: Deal, action: Action, chance: Random) -> float:
    """Of the mover, who takes this action first."""
    seat = deal.mover
    _do(deal, action, chance)
    if deal.points is None and deal.mover == seat and not isinstance(action, Discard):
        end_turn(deal, chance)
    points = play(deal, chance)
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def _do(deal: Deal, action: Action, chance: Random) -> None:
    match action:
        case DrawStock():
            deal.draw()
        case TakeDiscard():
            deal.take()
        case Meld():
            deal.lay(Step(card_set(action.cards)))
        case LayOff():
            deal.lay(Step(1 << INDEX[action.card], action.meld))
        case Discard():
            deal.throw(INDEX[action.card], chance)
