"""Which card to throw."""

from functools import partial
from itertools import combinations
from random import Random
from typing import Final

from games.bots.rummy.sight import Sight
from games.engine.cards import VALUES, members
from games.engine.melds import Arrangement, completing, is_meld, leftovers

FEW: Final = 4
"""Loose cards, the one to throw among them, with which going out may be a turn away."""


def ranked(sight: Sight, loose: int, rng: Random) -> list[int]:
    """The loose cards that may be thrown, or else all, the one of least use comes first.

    It is dear, and of least use to this seat and the next.
    """
    live = sight.live
    each = 100 / (live.bit_count() or 1)
    all_ways = (completing(loose) & live).bit_count()
    is_fed = sight.taken[sight.follower]
    found = []
    for card in members(loose & sight.throwable or sight.throwable):
        friends, ways = (FRIENDS[card] & loose).bit_count(), all_ways
        if friends:
            ways = (completing(loose & ~(1 << card)) & live).bit_count()
        worth = VALUES[card] / 2 - 4 * friends + each * ways
        if is_fed:
            worth -= 20 * feeds(sight, card)
        found.append((worth, rng.random(), card))
    found.sort(reverse=True)
    return [card for *_, card in found]


def racing(sight: Sight, loose: int, throws: list[int]) -> list[int]:
    """With few loose cards: first the throw after which most cards let one go out."""
    if loose.bit_count() > FEW:
        return throws
    return sorted(throws, key=partial(_lost, sight, throws))


def _lost(sight: Sight, throws: list[int], card: int) -> int:
    """How many cards would not let one go out next turn after this throw; a rank counts as one."""
    return throws.index(card) - outs(sight, card).bit_count()


def outs(sight: Sight, card: int) -> int:
    """The cards that would let one go out next turn after this throw."""
    kept, table = sight.hand & ~(1 << card), sight.open_melds
    return sum(1 << c for c in members(sight.live) if _goes_out(kept | 1 << c, table))


def _goes_out(hand: int, table: Arrangement) -> bool:
    """Whether a turn can leave at most one card."""
    return any(left & left - 1 == 0 for left in leftovers(hand, table))


def feeds(sight: Sight, card: int) -> float:
    """About how many melds the next seat could make of a card, of what it was seen to take."""
    known = sight.taken[sight.follower]
    one_more = sight.sizes[sight.follower] / (sight.live.bit_count() or 1)
    pairs = [pair for pair in PAIRS[card] if pair & known]
    certain = sum(pair & ~known == 0 for pair in pairs)
    return certain + one_more * sum(pair & sight.live != 0 for pair in pairs)


def _pairs(card: int) -> tuple[int, ...]:
    """The pairs of cards that make a meld with a card."""
    near = [other for other in range(52) if other != card and _are_friends(card, other)]
    pairs = (1 << one | 1 << other for one, other in combinations(near, 2))
    return tuple(pair for pair in pairs if is_meld(pair | 1 << card))


def _are_friends(card: int, other: int) -> bool:
    """Whether two cards are a pair, or two thirds of a run."""
    return card % 13 == other % 13 or (card // 13 == other // 13 and abs(card - other) <= 2)


PAIRS: Final = tuple(map(_pairs, range(52)))
FRIENDS: Final = tuple(
    sum(1 << other for other in range(52) if other != card and _are_friends(card, other))
    for card in range(52)
)
