"""The order known, how do most cards go? A search that keeps the best of each moment.

It goes through the time as solver.py has it, a place in the stock in one of the passes
left, and at each keeps the WIDTH positions from which most is to be hoped. So it proves nothing:
whether a pyramid can be cleared at all the solver knows.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.bots.pyramid.solver import Pyramid, Search, without_kings
from games.engine.pyramid import PLACES

WIDTH: Final = 16

PYRAMID: Final = 2
"""Of how many cards of the stock a card of the pyramid is worth, as far as hopes go."""

Way = tuple[int, "Way"] | tuple[()]
"""The pairs taken, the last first."""


class Position(NamedTuple):
    """What is left of the pyramid and the stock, the pairs that may yet go, and the way here.

    `bag` counts the stock.
    """

    left: int
    stock: int
    may: int
    bag: int
    way: Way


class Plan(NamedTuple):
    """The pairs to take, by name and in order, and whether they clear the pyramid."""

    pairs: list[tuple[str, ...]]
    clears: bool


def plan(
    pyramid: Pyramid,
    draw: Sequence[str],
    waste: Sequence[str],
    redeals: int,
    overlap: bool = False,
    width: int = WIDTH,
) -> Plan:
    """The way on which most cards go; one that clears the pyramid is better than any other."""
    seen, unseen = without_kings(waste), without_kings(draw)
    search = Search(pyramid, seen + unseen, redeals, overlap, cap=1 << 30)
    return _Beam(search, width).run(len(seen))


class _Beam:
    """Positions by the time at which the next card of the stock comes, the earliest first."""

    def __init__(self, search: Search, width: int) -> None:
        self.search = search
        self.width = width
        self.at: list[dict[tuple[int, int], Position]] = [{} for _ in range(search.end)]
        self.most = (False, -1000)
        self.way: Way = ()

    def run(self, seen: int) -> Plan:
        search = self.search
        left = sum(1 << place for place in range(PLACES) if search.ranks[place] >= 0)
        stock = (1 << search.size) - 1
        self.add(seen, Position(search.kingless(left), stock, search.may, search.bag(), ()))
        for at in range(seen, search.end):
            self.go_through(at)
        taken, way = [], self.way
        while way:
            pair, way = way
            taken.append(search.named(search.cards[pair]))
        return Plan(taken[::-1], self.most[0])

    def add(self, at: int, position: Position) -> None:
        most = not position.left, -position.left.bit_count() - position.stock.bit_count()
        if most > self.most:
            self.most, self.way = most, position.way
        at = self.search.settled(position.stock, at)
        self.at[at].setdefault((position.left, position.stock), position)

    def go_through(self, at: int) -> None:
        """From the best positions of a moment: with each pair taken that can go, and with none."""
        search, bucket = self.search, self.at[at]
        for _ in range(self.width):
            if not bucket:
                break
            position = max(bucket.values(), key=self.hope)
            del bucket[position.left, position.stock]
            left, stock, may, bag, way = position
            for pair in search.pairs_now(left, stock, at, may):
                rest, pile, still, heap = search.without(pair, left, stock, may, bag)
                self.add(at, Position(search.kingless(rest), pile, still, heap, (pair, way)))
            is_last = (at + 1) % search.width == 0
            if at + 1 < search.end and (left or not is_last):
                self.add(at + 1, position)
        bucket.clear()

    def hope(self, position: Position) -> tuple[bool, int]:
        left = position.left
        clears = self.search.bag_clears(left, position.bag)
        return clears, -PYRAMID * left.bit_count() - position.stock.bit_count()
