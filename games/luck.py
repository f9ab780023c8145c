"""Whether deals are as luck would have it: what many of them show, against what chance says.

Pure, and fed one deal after the other, so that any number of them can be looked at.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import erfc, exp, lgamma, log, sqrt
from random import Random
from typing import Any

from msgspec import Struct

from games.engine.cards import INDEX, NAMES
from games.engine.game import Game

PACK = len(NAMES)
FEWEST = 5 * PACK
"""Deals from which on the figures say something: each card five times in each place."""
DECKS = 20_000
"""At least so many packs are shuffled for what no formula tells."""
IN_A_GROUP = 10
"""Values that come up more seldom are counted together."""
ODD = 0.001
"""The verdict is wrong about fair deals once in a thousand times."""


class Figure(Struct, frozen=True):
    """Something found, what chance says, and how likely chance strays as far or farther."""

    name: str
    found: float
    theory: float
    likely: float


class Tally:
    """Counts over the deals of one game. Nothing is kept of a single deal."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deals = self.followers = self.kept = self.compared = 0
        self.places = [[0] * PACK for _ in NAMES]
        self.first_dealers: dict[int, Counter[int]] = {}
        self.seats: Counter[int] = Counter()
        self.shown: dict[str, Counter[int]] = {}

    def add(
        self,
        seats: int,
        cards: list[str],
        before: list[str] | None = None,
        first_dealer: int | None = None,
    ) -> None:
        """A deal: the pack's order, that of the match's deal before, or who was drawn to deal."""
        self.deals += 1
        self.seats[seats] += 1
        order = [INDEX[card] for card in cards]
        for place, card in enumerate(order):
            self.places[place][card] += 1
        self.followers += sum(b == a + 1 for a, b in pairwise(order))
        if before is not None:
            self.compared += 1
            self.kept += sum(a == b for a, b in zip(cards, before, strict=True))
        if first_dealer is not None and seats > 1:
            self.first_dealers.setdefault(seats, Counter())[first_dealer] += 1
        count(self.shown, self.game, seats, cards)

    def figures(self, decks: int = DECKS) -> Iterator[Figure]:
        """All that is found, first what formulas tell. Raises ValueError with too few deals."""
        if self.deals < FEWEST:
            raise ValueError(f"{self.deals} deals are too few; from {FEWEST} on they say something")
        yield self.spread()
        yield self.followed()
        if self.compared:
            mean = self.kept / self.compared
            yield Figure(
                "cards where they lay a deal before",
                mean,
                1.0,
                both_sides((mean - 1) * sqrt(self.compared)),
            )
        for seats, drawn in sorted(self.first_dealers.items()):
            yield first_dealer(seats, drawn)
        theory = packs(self.game, self.seats, -(-decks // self.deals))
        for name, found in self.shown.items():
            likely = alike(found, theory[name])
            yield Figure(f"{name}, mean", mean_of(found), mean_of(theory[name]), likely)

    def spread(self) -> Figure:
        """Chi-square of card by place. Rows and columns are fixed: hence 51/52, and 51 * 51."""
        each = self.deals / PACK
        square = sum((cell - each) ** 2 for row in self.places for cell in row) / each
        freedom = (PACK - 1) ** 2
        found = square * (PACK - 1) / PACK
        farther = above(found, freedom)
        likely = 2 * min(farther, 1 - farther)  # too even is no luck either
        return Figure("each card in each place, chi-square", found, freedom, likely)

    def followed(self) -> Figure:
        """How many cards have the next of the pack after them, as in a pack that is not mixed."""
        theory = (PACK - 1) / PACK
        variance = (PACK - 2) / PACK + theory - theory**2
        mean = self.followers / self.deals
        likely = both_sides((mean - theory) / sqrt(variance / self.deals))
        return Figure("cards followed by the next of the pack", mean, theory, likely)


def first_dealer(seats: int, drawn: Counter[int]) -> Figure:
    total = drawn.total()
    each = total / seats
    square = sum((drawn[seat] - each) ** 2 / each for seat in range(seats))
    name = f"first dealer of {seats}, share of seat 0"
    return Figure(name, drawn[0] / total, 1 / seats, above(square, seats - 1))


def count(shown: dict[str, Counter[int]], game: Game, seats: int, cards: Any) -> None:
    """Add what the game says that a deal shows; a game need say nothing."""
    dealt = getattr(game, "dealt", None)
    for name, number in dealt(seats, cards).items() if dealt else ():
        shown.setdefault(name, Counter())[number] += 1


def packs(game: Game, seats: Counter[int], times: int) -> dict[str, Counter[int]]:
    """The same of packs that Python's own generator has shuffled, for as many seats each."""
    rng, shown = Random(1), dict[str, Counter[int]]()
    for number, deals in sorted(seats.items()):
        pack = list(NAMES)
        for _ in range(deals * times):
            rng.shuffle(pack)
            count(shown, game, number, pack)
    return shown


def mean_of(counts: Counter[int]) -> float:
    return sum(value * times for value, times in counts.items()) / counts.total()


def alike(one: Counter[int], other: Counter[int]) -> float:
    """How likely two counts of the same thing differ as much: chi-square of two samples."""
    pairs = grouped(one, other)
    scale = sqrt(other.total() / one.total())
    square = sum((a * scale - b / scale) ** 2 / (a + b) for a, b in pairs)
    return above(square, len(pairs) - 1) if len(pairs) > 1 else 1.0


def grouped(one: Counter[int], other: Counter[int]) -> list[tuple[int, int]]:
    """How often both have each value, rare neighbours together."""
    share = one.total() / (one.total() + other.total())
    pairs, a, b = list[tuple[int, int]](), 0, 0
    for value in sorted({*one, *other}):
        a, b = a + one[value], b + other[value]
        if (a + b) * min(share, 1 - share) >= IN_A_GROUP:
            pairs.append((a, b))
            a = b = 0
    if a + b and pairs:
        last = pairs.pop()
        a, b = a + last[0], b + last[1]
    return [*pairs, (a, b)] if a + b else pairs


def above(square: float, freedom: int) -> float:
    """How likely chi-square is this or more: its upper tail, by the recursion over freedom."""
    if square <= 0:
        return 1.0
    half = square / 2
    tail = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    for n in range(4 - freedom % 2, freedom + 1, 2):
        tail += exp((n / 2 - 1) * log(half) - half - lgamma(n / 2))
    return tail


def both_sides(deviations: float) -> float:
    """How likely so many standard deviations or more are, to either side."""
    return erfc(abs(deviations) / sqrt(2))


def odd(figures: list[Figure]) -> list[Figure]:
    """Those that chance hardly gives, however many are looked at."""
    return [figure for figure in figures if figure.likely < ODD / len(figures)]
