"""How seats play in playouts: at random, or thriftily as `easy` does."""

import numpy as np

from games.bots.gin import many
from games.bots.gin.many import Numbers, Sets
from games.bots.gin.playout import NONE, Deals, Flags
from games.engine.gin import Options


class AtRandom:
    """Takes every second upcard; throws any card; knocks with every second throw that admits it."""

    def __init__(self, seed: int, options: Options) -> None:
        self.rng, self.options = np.random.default_rng(seed), options

    def takes(self, deals: Deals, rows: Numbers) -> Flags:
        return self.rng.integers(2, size=rows.size).astype(bool)

    def ends(self, deals: Deals, rows: Numbers) -> tuple[Numbers, Flags]:
        hands, free = held(deals, rows, self.options)
        cards = (many.bits(free) * self.rng.random((rows.size, 52), np.float32)).argmax(axis=1)
        limit, knocks = deals.limit[rows], self.rng.integers(2, size=rows.size).astype(bool)
        maybe = np.flatnonzero(knocks)
        knocks[maybe] = many.deadwood(hands[maybe] & ~many.single(cards[maybe])) <= limit[maybe]
        return cards, knocks


class Thrifty:
    """Takes what completes a meld, keeps least deadwood, knocks as soon as it may."""

    def __init__(self, seed: int, options: Options) -> None:
        self.rng, self.options = np.random.default_rng(seed), options

    def takes(self, deals: Deals, rows: Numbers) -> Flags:
        top = many.single(deals.top[rows])
        with_top = deals.hands[rows, deals.mover[rows]] | top
        wants: Flags = many.in_melds(with_top) & top != 0
        return wants

    def ends(self, deals: Deals, rows: Numbers) -> tuple[Numbers, Flags]:
        hands, free = held(deals, rows, self.options)
        whose, card = many.each(free)
        left = many.deadwood(hands[whose] ^ many.single(card))
        order = np.lexsort((self.rng.random(card.size), left, whose))
        first = order[np.searchsorted(whose, np.arange(rows.size))]
        return card[first], left[first] <= deals.limit[rows]


def held(deals: Deals, rows: Numbers, options: Options) -> tuple[Sets, Sets]:
    """The movers' eleven cards, and those of them that may be thrown."""
    hands = deals.hands[rows, deals.mover[rows]]
    free = hands.copy()
    if not options.may_return_taken:
        taken = np.flatnonzero(deals.taken[rows] != NONE)
        free[taken] &= ~many.single(deals.taken[rows[taken]])
    return hands, free
