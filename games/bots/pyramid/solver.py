"""Can a pyramid still be cleared? An exact search that knows every card, capped by its nodes.

A node is what is left of the pyramid, what is left of the stock (waste, then draw pile: the
order in which cards are drawn), and the time: a place in the stock in one of the passes left.
What keeps it small, all of it sound:

- A king that can go goes at once, and kings of the stock are in nobody's way.
- Now or never: once a pair that can go now was tried in vain, no solution from here has that
  pair later, for it could have it now: cards gone are in nobody's way. So a pair is tried once,
  before time passes, and is then ruled out further down the path.
- Each card left in the pyramid needs a partner of its own among the pairs not ruled out. If it
  has one only and both can go, they go, and nothing else is tried.
- With the stock as a bag, every card at hand at any time, the pyramid must be clearable. That
  is a small search of its own, and nearly always right about the whole; its nodes count too.
- What cannot be cleared now cannot be cleared later; so the earliest dead time is kept.

Pairs are bits. Ranks that make 13 are a group: 6 groups of 4 x 4 pairs (low rank, high rank).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from games.engine.cards import INDEX, rank
from games.engine.pyramid import COVERERS, DRAW, KING, PLACES, REDEAL, Action, Remove

CAP: Final = 100_000
NEVER: Final = 1 << 30
UNIT: Final = tuple(1 << 3 * r for r in range(12))  # a bag counts each rank in three bits

Pyramid = Sequence[str | None]


class Verdict(Struct, frozen=True):
    """`clearable` is None where the cap was reached; where it is true, `line` clears."""

    clearable: bool | None
    nodes: int
    line: tuple[Action, ...] = ()


def solve(
    pyramid: Pyramid,
    draw: Sequence[str],
    waste: Sequence[str] = (),
    redeals: int = 2,
    overlap: bool = False,
    cap: int = CAP,
) -> Verdict:
    """Whether the pyramid can be cleared from here with that many redeals left.

    Cards by name; `pyramid` by place, None where the card is gone; `draw` top first, `waste`
    top last. Rules as in engine/pyramid.py.
    """
    seen, unseen = without_kings(waste), without_kings(draw)
    search = Search(pyramid, seen + unseen, redeals, overlap, cap)
    try:
        clearable = search.run(len(seen))
    except _Capped:
        return Verdict(None, search.nodes)
    if not clearable:
        return Verdict(False, search.nodes)
    return Verdict(True, search.nodes, _line(pyramid, draw, waste, search.pairs_taken()))


def hopeless(pyramid: Pyramid, stock: Sequence[str], overlap: bool = False, cap: int = CAP) -> bool:
    """Whether it cannot be cleared even with every card of the stock at hand at any time.

    False, too, where the cap was reached.
    """
    search = Search(pyramid, without_kings(stock), 0, overlap, cap)
    try:
        return not search.bag_clears(search.whole(), search.bag())
    except _Capped:
        return False


def without_kings(names: Sequence[str]) -> list[str]:
    return [name for name in names if rank(INDEX[name]) != KING]


class _Capped(Exception):
    """The cap was reached."""


class _Inside(NamedTuple):
    """What the search with the stock as a bag asks of what is left of a pyramid.

    `low`, `high`: the pairs of its open cards of low and of high rank; `lapped`: pairs of a
    card with its last coverer. `pairs`: those within it that can go, as cards.
    """

    low: int
    high: int
    lapped: int
    pairs: list[tuple[int, int]]


class _Shape(NamedTuple):
    """What the whole search asks of it.

    `needed`: by group, the shift to its pairs, and its cards as bits (four of low rank, four
    of high).
    """

    low: int
    high: int
    lapped: int
    needed: list[tuple[int, int]]


class Search:
    """A position's tables and what is known of it. Cards: 0..27 by place, 28.. in the stock."""

    def __init__(
        self, pyramid: Pyramid, stock: Sequence[str], redeals: int, overlap: bool, cap: int
    ) -> None:
        self.names = (*pyramid, *stock)
        self.ranks = [-1 if name is None else rank(INDEX[name]) for name in self.names]
        self.size = len(stock)
        self.width = self.size + 1  # of a pass in time: a place for each card, and the end
        self.end = self.width * (redeals + 1)
        self.overlap = overlap
        self.cap = cap
        self.nodes = 0
        self.taken: list[tuple[int, int]] = []
        self.dead: dict[int, int] = {}
        self.bags: dict[int, bool] = {}
        self.shapes: dict[int, _Shape] = {}
        self.insides: dict[int, _Inside] = {}
        self._pair_up()

    def _pair_up(self) -> None:
        """The pairs: `cards` of each bit, `partners` of each card, those `inner` and `outer`.

        `may`: those that could ever go, neither card lying under the other.
        """
        of_rank: list[list[int]] = [[] for _ in range(KING + 1)]
        for card, own in enumerate(self.ranks):
            if own >= 0:
                of_rank[own].append(card)
        self.cards: dict[int, tuple[int, int]] = {}
        self.partners = [0] * len(self.ranks)
        self.inner = self.outer = self.may = 0
        meeting = _meeting(self.overlap)
        for group in range(6):
            for row, low in enumerate(of_rank[group]):
                for column, high in enumerate(of_rank[11 - group]):
                    bit = 1 << 16 * group + 4 * row + column
                    self.cards[bit] = low, high
                    self.partners[low] |= bit
                    self.partners[high] |= bit
                    if low >= PLACES or high >= PLACES:
                        self.may |= bit
                        self.outer |= bit if low >= PLACES and high >= PLACES else 0
                    else:
                        self.inner |= bit
                        self.may |= bit if meeting[low] >> high & 1 else 0
        self.low = [p if r < 6 else 0 for p, r in zip(self.partners, self.ranks, strict=True)]
        self.high = [p if r >= 6 else 0 for p, r in zip(self.partners, self.ranks, strict=True)]
        self.stock_low = [0, *self.low[PLACES:], 0]
        self.stock_high = [0, *self.high[PLACES:], 0]
        self._place(of_rank)

    def _place(self, of_rank: list[list[int]]) -> None:
        """`places` of each rank in the pyramid; by place, its `slot` among eight bits a group."""
        inside = [[card for card in cards if card < PLACES] for cards in of_rank]
        self.places = [sum(1 << card for card in cards) for cards in inside]
        self.kings = self.places[KING]
        self.groups = [(self.places[r], self.places[11 - r], 3 * r, 33 - 3 * r) for r in range(6)]
        self.slots = [0] * PLACES
        for r, cards in enumerate(inside[:KING]):
            for n, card in enumerate(cards):
                self.slots[card] = 1 << 8 * min(r, 11 - r) + (n if r < 6 else n + 4)
        self.partner_unit = [UNIT[11 - r] if 0 <= r < KING else 0 for r in self.ranks]

    def run(self, seen: int) -> bool:
        """Whether it can be cleared, when so many cards of the stock lie in the waste."""
        left, bag = self.whole(), self.bag()
        return self.bag_clears(left, bag) and self.clears(
            left, (1 << self.size) - 1, seen, self.may, bag
        )

    def whole(self) -> int:
        """All that is left of the pyramid."""
        return sum(1 << card for card in range(PLACES) if self.ranks[card] >= 0)

    def bag(self) -> int:
        """The whole stock as a bag."""
        return sum(UNIT[r] for r in self.ranks[PLACES:])

    def pairs_taken(self) -> list[tuple[str, ...]]:
        """The pairs of the solution, in order."""
        return [self.named(pair) for pair in reversed(self.taken)]

    def named(self, pair: tuple[int, int]) -> tuple[str, ...]:
        return tuple(str(self.names[card]) for card in pair)

    # The search

    def clears(self, left: int, stock: int, at: int, may: int, bag: int) -> bool:
        """Whether this is cleared from time `at` on by pairs of `may`; `bag` counts the stock."""
        left = self.kingless(left)
        if not left:
            return True
        key, at = left << 24 | stock, self.settled(stock, at)
        if self.dead.get(key, NEVER) <= at:
            return False
        self._count()
        began, shape = at, self._shape(left)
        while at < self.end:
            pairs = self._pairs(shape, stock, at, may)
            for pair in pairs:
                if self._takes(pair, left, stock, at, may, bag):
                    return True
                may &= ~pair
            if pairs and not all(_matched(may >> s & 0xFFFF, cards) for s, cards in shape.needed):
                break
            at = self.settled(stock, at + 1)
        self.dead[key] = began
        return False

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.cap:
            raise _Capped

    def settled(self, stock: int, at: int) -> int:
        """The time when the next card left in the stock is on top of the draw pile, or none is."""
        place = at % self.width
        rest = stock >> place
        return at + (rest & -rest).bit_length() - 1 if rest else at - place + self.size

    def _pairs(self, shape: _Shape, stock: int, at: int, may: int) -> list[int]:
        """The pairs of `may` that can go now: within the pyramid first, within the stock last.

        Only one, if it is the only one left for a card of the pyramid.
        """
        now = self._now(shape, stock, at) & may
        if not now:
            return []
        inner, outer = now & self.inner, now & self.outer
        bits = [*_bits(inner), *_bits(now ^ inner ^ outer), *_bits(outer)]
        for bit in bits:
            for card in self.cards[bit]:
                if card < PLACES and may & self.partners[card] == bit:
                    return [bit]
        return bits

    def _now(self, shape: _Shape, stock: int, at: int) -> int:
        """The pairs whose cards are both playable, gone pairs among them."""
        place = at % self.width
        waste = (stock & (1 << place) - 1).bit_length()
        low = shape.low | self.stock_low[waste] | self.stock_low[place + 1]
        high = shape.high | self.stock_high[waste] | self.stock_high[place + 1]
        return low & high | shape.lapped

    def pairs_now(self, left: int, stock: int, at: int, may: int) -> list[int]:
        """All pairs of `may` that can go now."""
        return _bits(self._now(self._shape(left), stock, at) & may)

    def _takes(self, pair: int, left: int, stock: int, at: int, may: int, bag: int) -> bool:
        left, stock, may, bag = self.without(pair, left, stock, may, bag)
        if self.bag_clears(left, bag) and self.clears(left, stock, at, may, bag):
            self.taken.append(self.cards[pair])
            return True
        return False

    def without(
        self, pair: int, left: int, stock: int, may: int, bag: int
    ) -> tuple[int, int, int, int]:
        """The same when a pair is gone."""
        for card in self.cards[pair]:
            may &= ~self.partners[card]
            if card < PLACES:
                left ^= 1 << card
            else:
                stock ^= 1 << card - PLACES
                bag -= UNIT[self.ranks[card]]
        return left, stock, may, bag

    # The stock as a bag

    def bag_clears(self, left: int, bag: int) -> bool:
        """Whether this could be cleared if every card of the stock were at hand at any time."""
        key = left << 36 | bag
        known = self.bags.get(key)
        if known is None:
            self._count()
            known = self.bags[key] = self._bag_clears(left, bag)
        return known

    def _bag_clears(self, left: int, bag: int) -> bool:
        """Cards of a group for which the bag suffices go at once; of the others, all ways."""
        free = self._free(left, bag)
        if free is None:
            return False
        units = self.partner_unit
        while gone := _open_bits(left) & free:
            left ^= gone
            while gone:
                bag -= units[gone.bit_length() - 1]
                gone ^= 1 << gone.bit_length() - 1
        if not left:
            return True
        for one, other in self._inside(left).pairs:
            if self.bag_clears(left ^ 1 << one ^ 1 << other, bag):
                return True
        for card in _open(left):
            unit = units[card]
            if bag & 7 * unit and self.bag_clears(left ^ 1 << card, bag - unit):
                return True
        return False

    def _free(self, left: int, bag: int) -> int | None:
        """Kings, and all cards of a group that needs no pair within the pyramid.

        None where a group needs more such pairs than it has cards for.
        """
        free = self.kings
        for low, high, below, above in self.groups:
            lows, highs = (left & low).bit_count(), (left & high).bit_count()
            of_low, of_high = lows - (bag >> above & 7), highs - (bag >> below & 7)
            missing = of_low if of_low > of_high else of_high
            if missing <= 0:
                free |= low | high
            elif missing > lows or missing > highs:
                return None
        return free

    # What is left of the pyramid

    def kingless(self, left: int) -> int:
        """What is left when the kings that can go are gone."""
        while gone := left & self.kings and _open_bits(left) & self.kings:
            left ^= gone
        return left

    def _inside(self, left: int) -> _Inside:
        inside = self.insides.get(left)
        if inside is None:
            inside = self.insides[left] = self._seen_inside(left)
        return inside

    def _seen_inside(self, left: int) -> _Inside:
        low = high = lapped = 0
        for card in _open(left):
            low |= self.low[card]
            high |= self.high[card]
        if self.overlap:
            for under, over in _lapping(left):
                lapped |= self.partners[under] & self.partners[over]
        pairs = [self.cards[bit] for bit in _bits((low & high | lapped) & self.inner)]
        return _Inside(low, high, lapped, pairs)

    def _shape(self, left: int) -> _Shape:
        shape = self.shapes.get(left)
        if shape is None:
            shape = self.shapes[left] = self._shaped(left)
        return shape

    def _shaped(self, left: int) -> _Shape:
        low, high, lapped, _ = self._inside(left)
        cards, rest = 0, left
        while rest:
            place = rest.bit_length() - 1
            cards |= self.slots[place]
            rest ^= 1 << place
        needed = [(16 * g, cards >> 8 * g & 255) for g in range(6) if cards >> 8 * g & 255]
        return _Shape(low, high, lapped, needed)


def _bits(number: int) -> list[int]:
    bits = []
    while number:
        low = number & -number
        bits.append(low)
        number ^= low
    return bits


@lru_cache(maxsize=1 << 12)
def _open(left: int) -> tuple[int, ...]:
    """The places left whose coverers are gone. There are 1,430 shapes."""
    return tuple(
        place
        for place, over in enumerate(COVERERS)
        if left >> place & 1 and not any(left >> above & 1 for above in over)
    )


@lru_cache(maxsize=1 << 12)
def _open_bits(left: int) -> int:
    return sum(1 << place for place in _open(left))


def _lapping(left: int) -> list[tuple[int, int]]:
    """(place, its last coverer, which is open)."""
    free = _open(left)
    last = [(p, [c for c in COVERERS[p] if left >> c & 1]) for p in range(PLACES) if left >> p & 1]
    return [(place, over[0]) for place, over in last if len(over) == 1 and over[0] in free]


@lru_cache(maxsize=2)
def _meeting(overlap: bool) -> list[int]:
    """By place, those that could ever be open together with it: neither lies under the other."""
    apart = [~_above(place) for place in range(PLACES)]
    if overlap:
        for place, coverers in enumerate(COVERERS):
            apart[place] |= sum(1 << over for over in coverers)
    return [
        sum(1 << b for b in range(PLACES) if apart[a] >> b & 1 and apart[b] >> a & 1)
        for a in range(PLACES)
    ]


@lru_cache(maxsize=PLACES)
def _above(place: int) -> int:
    """All places that must be gone before this one is open."""
    bits = 0
    for over in COVERERS[place]:
        bits |= 1 << over | _above(over)
    return bits


@lru_cache(maxsize=1 << 16)
def _matched(pairs: int, cards: int) -> bool:
    """Whether each of these cards of a group can have a partner of its own.

    `pairs`: 4 x 4 bits by rows; `cards`: 4 bits of rows, 4 of columns. If rows can be matched
    and columns can, then both can at once (Mendelsohn and Dulmage, 1958).
    """
    rows = [pairs >> 4 * n & 15 for n in range(4)]
    columns = [sum((rows[m] >> n & 1) << m for m in range(4)) for n in range(4)]
    lines = [line for n, line in enumerate(rows) if cards >> n & 1]
    others = [line for n, line in enumerate(columns) if cards >> n + 4 & 1]
    return _distinct(lines, 0) and _distinct(others, 0)


def _distinct(lines: list[int], taken: int) -> bool:
    """Whether a bit can be chosen from each line, all different."""
    if not lines:
        return True
    return any(_distinct(lines[1:], taken | bit) for bit in _bits(lines[0] & ~taken))


# The line


def _line(
    pyramid: Pyramid, draw: Sequence[str], waste: Sequence[str], pairs: list[tuple[str, ...]]
) -> tuple[Action, ...]:
    """The pairs as actions: each as soon as it can go, kings too, and until then cards drawn."""
    place = {name: place for place, name in enumerate(pyramid) if name}
    left = sum(1 << at for at in place.values())
    seen, unseen, coming = list(waste), [*reversed(draw)], [*reversed(pairs)]
    line: list[Action] = []
    while left:
        playable = [str(pyramid[at]) for at in _open(left)] + unseen[-1:] + seen[-1:]
        gone: tuple[str, ...] = next(((name,) for name in playable if name[0] == "K"), ())
        if not gone and coming and _goes(coming[-1], playable, left, place):
            gone = tuple(sorted(coming.pop(), key=INDEX.__getitem__))
        if gone:
            line.append(Remove(gone))
        elif unseen:
            line.append(DRAW)
            seen.append(unseen.pop())
        else:
            line.append(REDEAL)
            seen, unseen = [], seen[::-1]
        for name in gone:
            if name in place:
                left ^= 1 << place[name]
            else:
                (unseen if name in unseen[-1:] else seen).pop()
    return tuple(line)


def _goes(pair: tuple[str, ...], playable: list[str], left: int, place: dict[str, int]) -> bool:
    """Whether both are playable, or (with overlap) one is the other's last coverer."""
    one, other = pair
    if one in playable and other in playable:
        return True
    if one not in place or other not in place:
        return False
    under, over = sorted((place[one], place[other]))
    return (under, over) in _lapping(left)
