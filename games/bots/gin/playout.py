"""Many deals of Gin Rummy played at once on arrays, for search; one step is a turn of every deal.

It restates the rules of engine/gin.py for speed. tests/bots/test_gin_playout.py plays thousands of
deals through both. At the wall everybody takes the upcard here: who does not knock has passed.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from games.bots.gin import many
from games.bots.gin.many import Numbers, Sets
from games.engine.cards import value
from games.engine.gin import Options, knock_points
from games.engine.melds import Arrangement, best_arrangement, best_layoffs
from games.engine.melds import deadwood as deadwood_of

Flags = npt.NDArray[np.bool_]
NONE = -1


class Deals:
    """Deals under way. Rows are deals; `mover` is the seat to move, `own` and `other` index hands.

    `known` are cards seen to be taken into a hand, `thrown` those in the pile by who threw them.
    """

    def __init__(self, hands: Sets, stock: Numbers, left: Numbers, top: Numbers, mover: Numbers):
        count = len(hands)
        self.rows = np.arange(count)
        self.hands, self.stock, self.left, self.top, self.mover = hands, stock, left, top, mover
        self.known = np.zeros((count, 2), np.uint64)
        self.thrown = np.zeros((count, 2), np.uint64)
        self.taken = np.full(count, NONE)
        self.idle = np.zeros(count, int)
        self.limit = np.full(count, 10)
        self.over = np.zeros(count, bool)
        self.points = np.zeros((count, 2), int)

    def draw(self, rows: Numbers) -> None:
        """The movers of these deals draw from the stock, whose last card is its top."""
        self.left[rows] -= 1
        self.hands[rows, self.mover[rows]] |= many.single(self.stock[rows, self.left[rows]])
        self.taken[rows] = NONE

    def take(self, rows: Numbers) -> None:
        """The movers of these deals take the top of the pile."""
        mover, card = self.mover[rows], many.single(self.top[rows])
        self.hands[rows, mover] |= card
        self.known[rows, mover] |= card
        self.thrown[rows] &= ~card[:, None]
        self.taken[rows] = self.top[rows]

    def throw(self, rows: Numbers, cards: Numbers, options: Options) -> None:
        """The movers throw a card each; the turn passes, or the deal is drawn."""
        self._put(rows, cards)
        self.idle[rows] = np.where(self.taken[rows] == NONE, 0, self.idle[rows] + 1)
        wall = self.left[rows] <= options.stock_floor
        if options.wall == "knock_upcard":
            wall = self.at_wall(rows, options)
        self.over[rows[wall | (self.idle[rows] >= options.idle_limit)]] = True
        self.mover[rows] = 1 - self.mover[rows]

    def at_wall(self, rows: Numbers, options: Options) -> Flags:
        """Where the mover has taken the top once the stock had run down."""
        wall: Flags = (self.left[rows] <= options.stock_floor) & (self.taken[rows] != NONE)
        return wall

    def knock(
        self, rows: Numbers, cards: Numbers, options: Options, melds: Arrangement | None = None
    ) -> None:
        """The movers throw a card each and lay down; these melds, or the engine's."""
        self._put(rows, cards)
        for row in rows.tolist():
            seat = int(self.mover[row])
            own, other = int(self.hands[row, seat]), int(self.hands[row, 1 - seat])
            seen = int(self.thrown[row, 0] | self.thrown[row, 1])
            points = laid(own, other, seen, options, melds)
            self.points[row, seat], self.points[row, 1 - seat] = points
        self.over[rows] = True

    def _put(self, rows: Numbers, cards: Numbers) -> None:
        mover, card = self.mover[rows], many.single(cards)
        self.hands[rows, mover] &= ~card
        self.known[rows, mover] &= ~card
        self.thrown[rows, mover] |= card
        self.top[rows] = cards

    def big_gin(self, rows: Numbers, options: Options) -> None:
        """The movers have all eleven cards in melds."""
        mover = self.mover[rows]
        bonus = options.gin_bonus + options.big_gin_extra
        self.points[rows, mover] = many.deadwood(self.hands[rows, 1 - mover]) + bonus
        self.over[rows] = True


def laid(
    own: int, other: int, seen: int, options: Options, melds: Arrangement | None = None
) -> tuple[int, int]:
    """Points of a knock with these ten cards: the knocker's, the defender's. Nothing is doubled."""
    loose = deadwood_of(own) if melds is None else value(own & ~sum(melds))
    if loose == 0:
        return deadwood_of(other) + options.gin_bonus, 0
    left = best_layoffs(other, best_arrangement(own, seen) if melds is None else melds)[0]
    return knock_points(options, loose, left)[1:]


class Policy(Protocol):
    """How both seats play: of some rows, who takes the top; and who throws what, or knocks."""

    def takes(self, deals: Deals, rows: Numbers) -> Flags: ...
    def ends(self, deals: Deals, rows: Numbers) -> tuple[Numbers, Flags]: ...


def dealt(packs: npt.NDArray[np.int64], dealers: Numbers, options: Options) -> Deals:
    """Deals from packs in the order of the dealer's action."""
    first, second = (np.bitwise_or.reduce(many.single(packs[:, s]), axis=1) for s in HANDS)
    beginner = 1 - dealers
    hands = np.where(beginner[:, None] == (0, 1), first[:, None], second[:, None])
    left = np.full(len(packs), packs.shape[1] - 21)
    deals = Deals(hands, packs[:, :20:-1].copy(), left, packs[:, 20].copy(), beginner)
    deals.thrown[deals.rows, dealers] = many.single(deals.top)
    if options.knock_limit == "oklahoma":
        rank = deals.top % 13
        deals.limit = np.where(rank == 0, 0, np.minimum(rank + 1, 10))
    else:
        deals.limit[:] = options.knock_limit
    return deals


HANDS = (slice(0, 10), slice(10, 20))


def play(deals: Deals, policy: Policy, options: Options) -> None:
    """Every deal from its first turn to its end."""
    end_turns(deals, open_(deals, policy, options), policy, options)
    while (rows := deals.rows[~deals.over]).size:
        turn(deals, rows, policy, options)


def open_(deals: Deals, policy: Policy, options: Options) -> Numbers:
    """The first draw of every deal, by offer or freely."""
    rows = deals.rows
    if options.opening == "free":
        _take_or_draw(deals, rows, policy)
        return rows
    wants = policy.takes(deals, rows)
    deals.take(rows[wants])
    passed = rows[~wants]
    deals.mover[passed] = 1 - deals.mover[passed]
    wants = policy.takes(deals, passed)
    deals.take(passed[wants])
    passed = passed[~wants]
    deals.mover[passed] = 1 - deals.mover[passed]
    deals.draw(passed)
    return rows


def turn(deals: Deals, rows: Numbers, policy: Policy, options: Options) -> None:
    """A whole turn of each of these deals."""
    wall = deals.left[rows] <= options.stock_floor
    deals.take(rows[wall])
    _take_or_draw(deals, rows[~wall], policy)
    end_turns(deals, rows, policy, options)


def settle(deals: Deals, policy: Policy, options: Options) -> None:
    """The last turn of deals that are at the wall."""
    turn(deals, deals.rows[~deals.over & (deals.left <= options.stock_floor)], policy, options)


def _take_or_draw(deals: Deals, rows: Numbers, policy: Policy) -> None:
    wants = policy.takes(deals, rows)
    deals.take(rows[wants])
    deals.draw(rows[~wants])


def end_turns(deals: Deals, rows: Numbers, policy: Policy, options: Options) -> None:
    """What follows the draw."""
    if options.big_gin:
        all_laid = many.deadwood(deals.hands[rows, deals.mover[rows]]) == 0
        deals.big_gin(rows[all_laid], options)
        rows = rows[~all_laid]
    cards, knocks = policy.ends(deals, rows)
    deals.knock(rows[knocks], cards[knocks], options)
    deals.throw(rows[~knocks], cards[~knocks], options)
