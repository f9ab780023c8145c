"""Cards, and sets of cards as 52-bit integers.

A card's index is its place in deck order: suit by suit (C D H S), ace to king in each, so
`index = 13 * suit + rank` with ranks from 0. Bit i of a set stands for card i. Outside the
engine a card is its name, "TS".
"""

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

RANKS = "A23456789TJQK"
SUITS = "CDHS"
NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX = {name: index for index, name in enumerate(NAMES)}
VALUES = tuple(min(rank + 1, 10) for _ in SUITS for rank in range(13))

SUIT_BITS = (1 << 13) - 1
PACK = (1 << 52) - 1

Card = Annotated[
    str, msgspec.Meta(pattern="^[A23456789TJQK][CDHS]$", max_length=2, examples=["TS"])
]
"""A card's name in JSON: rank, then suit."""


def rank(card: int) -> int:
    """0 for an ace to 12 for a king."""
    return card % 13


def suit(card: int) -> int:
    """0..3 for clubs, diamonds, hearts, spades."""
    return card // 13


def members(cards: int) -> Iterator[int]:
    """The indices in a set, in deck order."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def names(cards: int) -> tuple[str, ...]:
    """The names in a set, in deck order."""
    return tuple(NAMES[card] for card in members(cards))


def card_set(cards: Iterable[str]) -> int:
    """The set of the named cards."""
    bits = 0
    for name in cards:
        bits |= 1 << INDEX[name]
    return bits


SUIT_VALUES = tuple(
    sum(VALUES[rank] for rank in range(13) if mask >> rank & 1) for mask in range(1 << 13)
)
"""Points of each set of ranks of one suit."""


def value(cards: int) -> int:
    """Points of a set: ace 1, pips at face value, court cards 10."""
    return (
        SUIT_VALUES[cards & SUIT_BITS]
        + SUIT_VALUES[cards >> 13 & SUIT_BITS]
        + SUIT_VALUES[cards >> 26 & SUIT_BITS]
        + SUIT_VALUES[cards >> 39]
    )
