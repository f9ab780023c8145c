"""Melds: which there are, the least deadwood, and what can be laid off on them.

A meld is a set of cards (int): 3-4 of a rank, or 3 or more of a suit in sequence, ace low.
An arrangement is a tuple of disjoint melds, ordered by their first card.
"""

from collections.abc import Iterator
from functools import lru_cache

from games.engine.cards import SUIT_BITS, SUIT_VALUES, members, value

Arrangement = tuple[int, ...]

TWO_SUITS = (1 << 26) - 1

FOUR = 1 | 1 << 13 | 1 << 26 | 1 << 39
SETS_OF = tuple(
    tuple(FOUR << r & ~(1 << r + 13 * out) for out in range(4)) + (FOUR << r,) for r in range(13)
)
"""The five sets of each rank: four of three cards, one of four."""


ABOVE_ACES = FOUR * (1 << 13) - FOUR * 2
BELOW_KINGS = FOUR * (1 << 12) - FOUR
FIRST_OF_RUNS = FOUR * (1 << 11) - FOUR
"""Twos to kings, aces to queens, and aces to jacks, with which a run of three can begin."""


def _most_melded_in_runs() -> tuple[int, ...]:
    """For each set of ranks of one suit, the most points that disjoint runs can cover."""
    best = [0] * (1 << 13)
    for mask in range(1, 1 << 13):
        top = mask.bit_length() - 1
        best[mask] = best[mask ^ 1 << top]
        low = top
        while low and mask >> low - 1 & 1:
            low -= 1
            if top - low >= 2:
                run = (1 << top + 1) - (1 << low)
                best[mask] = max(best[mask], SUIT_VALUES[run] + best[mask ^ run])
    return tuple(best)


IN_RUNS = _most_melded_in_runs()
LOOSE = tuple(total - melded for total, melded in zip(SUIT_VALUES, IN_RUNS, strict=True))
"""For each set of ranks of one suit, the points that runs cannot cover."""


def deadwood(hand: int) -> int:
    """The least points in no meld over every arrangement of the hand.

    Runs never cross suits, so each suit is one look-up; only sets have to be tried.
    """
    low, high = hand & TWO_SUITS, hand >> 26
    c, d, h, s = low & SUIT_BITS, low >> 13, high & SUIT_BITS, high >> 13
    ranks = c & d & (h | s) | h & s & (c | d)
    if ranks:
        return _least(c, d, h, s, ranks)
    return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]


def _least(c: int, d: int, h: int, s: int, ranks: int) -> int:
    """The least deadwood of four suits, with sets of these ranks only."""
    least = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
    while ranks and least:
        rank = ranks & -ranks
        ranks, rest = ranks ^ rank, ~rank
        no_c, no_d, no_h, no_s = c & rest, d & rest, h & rest, s & rest
        with_set = _least(no_c, no_d, no_h, no_s, ranks)
        if c & d & h & s & rank:
            with_set = min(
                with_set,
                _least(c, no_d, no_h, no_s, ranks),
                _least(no_c, d, no_h, no_s, ranks),
                _least(no_c, no_d, h, no_s, ranks),
                _least(no_c, no_d, no_h, s, ranks),
            )
        if with_set < least:
            least = with_set
    return least


def is_set(cards: int) -> bool:
    """True for 3-4 cards of one rank."""
    return cards.bit_count() >= 3 and any(cards & ~(FOUR << rank) == 0 for rank in range(13))


def is_run(cards: int) -> bool:
    """True for 3 or more cards of one suit in sequence; king and ace do not join."""
    return any(
        cards & ~(SUIT_BITS << 13 * suit) == 0 and _in_sequence(cards >> 13 * suit)
        for suit in range(4)
    )


def _in_sequence(ranks: int) -> bool:
    return ranks.bit_count() >= 3 and (ranks + (ranks & -ranks)) & ranks == 0


def is_meld(cards: int) -> bool:
    """True for a valid set or run."""
    return is_set(cards) or is_run(cards)


def melds_in(hand: int) -> tuple[int, ...]:
    """Every meld that the hand holds, by first card, then by size."""
    return _melds_of(in_melds(hand))


@lru_cache(maxsize=1 << 14)
def _melds_of(cards: int) -> tuple[int, ...]:
    found = [
        m for rank in members(_ranks_of_three(cards)) for m in SETS_OF[rank] if m & ~cards == 0
    ]
    for first in members(cards):
        run, card = 1 << first, first
        while card % 13 < 12 and cards >> card + 1 & 1:
            card += 1
            run |= 1 << card
            if card - first >= 2:
                found.append(run)
    return tuple(sorted(found, key=lambda m: ((m & -m), m)))


def _ranks_of_three(cards: int) -> int:
    """The ranks of which there are three or four, as bits of one suit."""
    c, d, h, s = cards & SUIT_BITS, cards >> 13 & SUIT_BITS, cards >> 26 & SUIT_BITS, cards >> 39
    return c & d & (h | s) | h & s & (c | d)


def arrangements(hand: int, limit: int) -> Iterator[Arrangement]:
    """Every arrangement that leaves at most `limit` points of deadwood, once each."""
    need = value(hand) - limit
    melds = [(meld, value(meld)) for meld in melds_in(hand)]
    reach = [value(_union(m for m, _ in melds[i:])) for i in range(len(melds) + 1)]

    def choose(start: int, free: int, need: int, chosen: Arrangement) -> Iterator[Arrangement]:
        if need <= 0:
            yield chosen
        for i in range(start, len(melds)):
            if reach[i] < need:
                return
            meld, points = melds[i]
            if meld & ~free == 0:
                yield from choose(i + 1, free ^ meld, need - points, (*chosen, meld))

    return choose(0, hand, need, ())


def _union(sets: Iterator[int]) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union


def best_arrangement(hand: int, seen: int) -> Arrangement:
    """The arrangement of least deadwood that helps a defender least.

    Among those of least deadwood: the one for which the fewest cards outside `seen` fit one
    of its melds; still equal, the first in card order, runs whole rather than in pieces.
    """

    def preference(melds: Arrangement) -> tuple[int, tuple[int, ...], int]:
        fitting = _union(fits(meld) for meld in melds) & ~(hand | seen)
        order = tuple(card for meld in melds for card in members(meld))
        return fitting.bit_count(), order, len(melds)

    return min(arrangements(hand, deadwood(hand)), key=preference)


def fits(meld: int) -> int:
    """The cards any one of which can be laid off on a meld."""
    first = (meld & -meld).bit_length() - 1
    if meld >> first + 1 & 1:
        last = meld.bit_length() - 1
        below = 1 << first - 1 if first % 13 else 0
        above = 1 << last + 1 if last % 13 < 12 else 0
        return below | above
    return FOUR << first % 13 & ~meld


def chained(meld: int, cards: int) -> int:
    """Those of the cards that can be laid off on a meld one after another."""
    laid = meld
    while more := fits(laid) & cards & ~laid:
        laid |= more
    return laid & ~meld


def in_melds(cards: int) -> int:
    """Those of the cards that lie in some meld made of these cards."""
    first = cards & cards >> 1 & cards >> 2 & FIRST_OF_RUNS
    return first | first << 1 | first << 2 | cards & _ranks_of_three(cards) * FOUR


def completing(cards: int) -> int:
    """The cards any one of which makes a meld with two of these."""
    below, above = cards << 1 & ABOVE_ACES, cards >> 1 & BELOW_KINGS
    runs = below & above | below & below << 1 & ABOVE_ACES | above & above >> 1 & BELOW_KINGS
    c, d, h, s = cards & SUIT_BITS, cards >> 13 & SUIT_BITS, cards >> 26 & SUIT_BITS, cards >> 39
    pairs = c & d | (c | d) & (h | s) | h & s
    return (runs | pairs * FOUR) & ~cards


def leftovers(hand: int, table: Arrangement) -> frozenset[int]:
    """Every set of cards in which melds and lay-offs of one turn, in any order, can leave a hand.

    Laying off on one's own new meld is not tried: the same cards can be laid in a longer meld.
    """
    left = {hand}
    for meld in table:
        if not fits(meld) & hand:
            continue
        left = {
            rest & ~sum(1 << card for card in cards)
            for rest in left
            for cards in _extensions(meld, rest)
        }
    for meld in melds_in(hand):
        left |= {rest ^ meld for rest in left if meld & ~rest == 0}
    return frozenset(left)


def _extensions(meld: int, hand: int) -> list[tuple[int, ...]]:
    """Every order of cards of the hand that can go on one meld, chained; () first."""
    found: list[tuple[int, ...]] = [()]
    first = (meld & -meld).bit_length() - 1
    if not meld >> first + 1 & 1:
        return found + [(card,) for card in members(fits(meld) & hand)]
    below: list[tuple[int, ...]] = [()]
    card = first
    while card % 13 and hand >> card - 1 & 1:
        card -= 1
        below.append((*below[-1], card))
    above: list[tuple[int, ...]] = [()]
    card = meld.bit_length() - 1
    while card % 13 < 12 and hand >> card + 1 & 1:
        card += 1
        above.append((*above[-1], card))
    return [low + high for low in below for high in above]


def best_layoffs(hand: int, table: Arrangement) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The defender's least deadwood over every joint choice of lay-offs and own melds.

    Returns the deadwood and the lay-offs in a playable order, as (card, index of the meld).
    The fewest lay-offs among equals, so that nothing is shown that need not be.
    """
    best: tuple[int, int, tuple[tuple[int, int], ...]] = (deadwood(hand), 0, ())

    def choose(index: int, left: int, chosen: tuple[tuple[int, int], ...]) -> None:
        nonlocal best
        if index == len(table):
            best = min(best, (deadwood(left), len(chosen), chosen))
            return
        for cards in _extensions(table[index], left):
            rest = left
            for card in cards:
                rest ^= 1 << card
            choose(index + 1, rest, chosen + tuple((card, index) for card in cards))

    choose(0, hand, ())
    return best[0], best[2]
