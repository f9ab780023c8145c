"""What the networks hold of all that may be done, for the movers of many deals at once."""

from typing import NamedTuple

import numpy as np

from games.bots.gin import many, network
from games.bots.gin.many import Numbers, Sets
from games.bots.gin.network import Floats
from games.engine.cards import VALUES

SPARED = 12
"""A throw that leaves so much more deadwood than the best is not looked at."""
LOW = 5
"""A card that completes no meld is not taken if it is worth more."""
NEVER = np.float32(-1e9)
POINTS = np.array(VALUES)


class Judged(NamedTuple):
    """Throws that were looked at: in which deal, what it is worth to play on, and to knock."""

    whose: Numbers
    card: Numbers
    throw: Floats
    knock: Floats

    def best(self) -> tuple[Numbers, Numbers, Floats]:
        """Of each deal the indices of the best throw and knock, and the better's worth."""
        throw, knock = (_first_of_best(self.whose, w) for w in (self.throw, self.knock))
        return throw, knock, np.maximum(self.throw[throw], self.knock[knock])


def _first_of_best(whose: Numbers, worth: Floats) -> Numbers:
    """In each group the index of the best; groups are in order and none is empty."""
    order = np.lexsort((-worth, whose))
    starts = np.flatnonzero(np.diff(whose, prepend=-1))
    first: Numbers = order[starts]
    return first


def judge(seen: network.Seen, hands: Sets, free: Sets, knocks: Floats, play_on: bool) -> Judged:
    """Eleven cards of each deal, of which the free may be thrown.

    `knocks`: for each deal the table of Equity.of_knocks. Unless one may play on, no throw is
    worth anything.
    """
    whose, card = many.each(free)
    left = many.deadwood(hands[whose] ^ many.single(card))
    least = np.minimum.reduceat(left, np.flatnonzero(np.diff(whose, prepend=-1)))
    kept = left <= least[whose] + SPARED
    whose, card, left = whose[kept], card[kept], left[kept]
    inputs = network.own(seen, whose, hands[whose] ^ many.single(card), card)
    throw = np.full(whose.size, NEVER)
    if play_on:
        throw = network.values(network.shared("value", seen, network.THROWN)[whose], inputs)
    knock = np.full(whose.size, NEVER)
    may = np.flatnonzero((left == least[whose]) & (left <= seen.limit[whose]))
    if may.size:
        rows = whose[may]
        base = network.shared("knock", seen, network.THROWN)[rows]
        odds = network.deadwood_odds(base, inputs.of(may))
        knock[may] = (odds * knocks[rows, left[may]]).sum(axis=1)
    return Judged(whose, card, throw, knock)


def leaving(seen: network.Seen, hands: Sets, tops: Numbers, phase: int) -> Floats:
    """What it is worth to leave the top: to draw from the stock, or to pass."""
    top = many.single(tops)
    under = seen._replace(theirs=seen.theirs & ~top, mine=seen.mine & ~top)
    inputs = network.own(under, np.arange(hands.size), hands, tops)
    return network.values(network.shared("value", under, phase), inputs)


def taken(seen: network.Seen, tops: Numbers) -> network.Seen:
    """What is seen once the top is in the own hand."""
    top = many.single(tops)
    return seen._replace(theirs=seen.theirs & ~top, mine=seen.mine & ~top)


def worth_a_look(hands: Sets, tops: Numbers) -> Numbers:
    """Of which deals the top could be worth taking."""
    completes = many.completing(hands) & many.single(tops) != 0
    return np.flatnonzero(completes | (POINTS[tops] <= LOW))
