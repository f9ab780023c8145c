"""How seats play in playouts: at random, thriftily as `easy` does, or as `hard` does."""

import numpy as np

from games.bots.gin import many, network
from games.bots.gin.equity import Equity
from games.bots.gin.judge import judge, leaving, taken, worth_a_look
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


class Networked:
    """Does what the networks hold best, with either seat's view of the deal."""

    def __init__(self, seats: tuple[Equity, Equity], options: Options) -> None:
        self.needs = np.array([seat.need for seat in seats])
        self.knocks = np.stack([seat.of_knocks() for seat in seats])
        self.options = options

    def seen(self, deals: Deals, rows: Numbers, seat: Numbers) -> network.Seen:
        """What these seats see of these deals."""
        return network.Seen(
            known=deals.known[rows, 1 - seat],
            theirs=deals.thrown[rows, 1 - seat],
            mine=deals.thrown[rows, seat],
            stock=deals.left[rows],
            limit=deals.limit[rows],
            need=self.needs[seat],
            others_need=self.needs[1 - seat],
        )

    def takes(self, deals: Deals, rows: Numbers) -> Flags:
        wants = np.zeros(rows.size, dtype=bool)
        look = worth_a_look(deals.hands[rows, deals.mover[rows]], deals.top[rows])
        if look.size:
            rows = rows[look]
            seat, tops = deals.mover[rows], deals.top[rows]
            seen, hands = self.seen(deals, rows, seat), deals.hands[rows, seat]
            eleven = hands | many.single(tops)
            free = eleven if self.options.may_return_taken else hands
            found = judge(taken(seen, tops), eleven, free, self.knocks[seat], play_on=True)
            wants[look] = found.best()[2] > leaving(seen, hands, tops, network.DRAWING)
        return wants

    def ends(self, deals: Deals, rows: Numbers) -> tuple[Numbers, Flags]:
        if not rows.size:
            return rows, rows > 0
        hands, free = held(deals, rows, self.options)
        seat = deals.mover[rows]
        found = judge(self.seen(deals, rows, seat), hands, free, self.knocks[seat], play_on=True)
        throw, knock, _ = found.best()
        at_wall = deals.at_wall(rows, self.options)  # not to knock there is to have passed
        knocks = found.knock[knock] >= np.where(at_wall, 0, found.throw[throw])
        return np.where(knocks, found.card[knock], found.card[throw]), knocks


def held(deals: Deals, rows: Numbers, options: Options) -> tuple[Sets, Sets]:
    """The movers' eleven cards, and those of them that may be thrown."""
    hands = deals.hands[rows, deals.mover[rows]]
    free = hands.copy()
    if not options.may_return_taken:
        taken = np.flatnonzero(deals.taken[rows] != NONE)
        free[taken] &= ~many.single(deals.taken[rows[taken]])
    return hands, free
