"""Many hands at once: arrays of sets of cards. engine/melds.py has the same for one."""

from typing import Any

import numpy as np
import numpy.typing as npt

from games.engine import melds
from games.engine.cards import SUIT_BITS
from games.engine.melds import FOUR, LOOSE

Sets = npt.NDArray[Any]
"""Of 64-bit unsigned integers."""
Numbers = npt.NDArray[Any]
"""Also indices of cards, and of rows."""

LOOSE_POINTS = np.array(LOOSE, dtype=np.int64)
ONE = np.uint64(1)


def sets(cards: Any) -> Sets:
    """Sets from integers."""
    return np.array(cards, dtype=np.uint64)


def single(cards: Any) -> Sets:
    """The set of one card for each index."""
    return ONE << np.asarray(cards).astype(np.uint64)


def bits(cards: Sets) -> npt.NDArray[np.uint8]:
    """A row of 52 for each set, 1 where the card is in it."""
    octets = np.ascontiguousarray(cards, dtype="<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, count=52, bitorder="little")


def each(cards: Sets) -> tuple[Numbers, Numbers]:
    """Every card of every set: whose, and which, in order."""
    whose, which = np.nonzero(bits(cards))
    return whose, which


def in_melds(cards: Any) -> Any:
    """As the engine's, whose operators do for arrays too."""
    return melds.in_melds(cards)


def completing(cards: Any) -> Any:
    return melds.completing(cards)


def count(cards: Sets) -> Numbers:
    numbers: Numbers = np.bitwise_count(cards).astype(np.int64)
    return numbers


def loose(cards: Sets) -> Numbers:
    """Points that runs cannot cover."""
    points: Numbers = LOOSE_POINTS[cards & SUIT_BITS]
    for suit in (13, 26, 39):
        points = points + LOOSE_POINTS[cards >> suit & SUIT_BITS]
    return points


def of_three(cards: Sets) -> Sets:
    """The ranks of which there are three or four, in the bits of clubs."""
    c, d, h, s = (cards >> suit & SUIT_BITS for suit in (0, 13, 26, 39))
    ranks: Sets = c & d & (h | s) | h & s & (c | d)
    return ranks


def deadwood(hands: Sets) -> Numbers:
    """The least deadwood of each hand: runs by look-up, every choice of sets tried."""
    least, ranks = loose(hands), of_three(hands)
    whose = np.flatnonzero(ranks)
    left, ranks = hands[whose], ranks[whose]
    while whose.size:
        first = ranks & (~ranks + ONE)
        ranks = ranks ^ first
        whole = first * FOUR
        laid = [left & ~whole]
        four = np.flatnonzero(left & whole == whole)
        laid += [laid[0][four] | first[four] << suit for suit in (0, 13, 26, 39)]
        owners = np.concatenate([whose, *[whose[four]] * 4])
        left = np.concatenate([left, *laid])
        np.minimum.at(least, owners, loose(left[whose.size :]))
        ranks = np.concatenate([ranks, ranks, *[ranks[four]] * 4])
        whose = np.concatenate([whose, owners])
        open_ = np.flatnonzero(ranks)
        whose, left, ranks = whose[open_], left[open_], ranks[open_]
    return least


def ways(cards: Numbers, others: Sets) -> Numbers:
    """How many melds of three each card makes with two of the others."""
    card = cards.astype(np.uint64)
    rank = card % 13
    same = count(others & np.left_shift(np.uint64(FOUR), rank) & ~single(cards))
    around: Sets = (others >> (card - rank) & SUIT_BITS) << 2 >> rank
    total: Numbers = same * (same - 1) // 2
    for pair in (3, 10, 24):  # two below, one on each side, two above
        total += around & pair == pair
    return total


def gins(hands: Sets, outs: Sets) -> Numbers:
    """How many of the outs would make gin of ten of the eleven cards."""
    whose, card = each(outs)
    eleven = hands[whose] | single(card)
    melded = in_melds(eleven)
    unmelded = count(eleven ^ melded)
    gin = np.zeros(whose.size, dtype=bool)
    one = np.flatnonzero(unmelded == 1)
    gin[one] = deadwood(melded[one]) == 0
    all_in = np.flatnonzero(unmelded == 0)
    mine, thrown = each(hands[whose[all_in]])
    without = deadwood(eleven[all_in][mine] ^ single(thrown)) == 0
    gin[all_in] = np.bincount(mine[without], minlength=all_in.size) > 0
    return np.bincount(whose[gin], minlength=hands.size)
