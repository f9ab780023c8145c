"""Melds in a hand, for the players of both rummies."""

from functools import cache
from itertools import combinations

from page import row

RANKS = "A23456789TJQK"


def points(card):
    return min(10, RANKS.index(card[0]) + 1)


def melds_in(hand):
    """Every set and run in a hand."""
    for rank in {card[0] for card in hand}:
        same = sorted(card for card in hand if card[0] == rank)
        for size in (3, 4):
            yield from map(frozenset, combinations(same, size))
    for suit in "CDHS":
        ranks = "".join(r if r + suit in hand else " " for r in RANKS)
        for run in ranks.split():
            for start, end in combinations(range(len(run) + 1), 2):
                if end - start >= 3:
                    yield frozenset(rank + suit for rank in run[start:end])


@cache
def arrange(hand):
    """The least deadwood of a frozenset of cards, and melds that leave it."""
    best = sum(map(points, hand)), ()
    for meld in melds_in(hand):
        left, others = arrange(hand - meld)
        best = min(best, (left, (meld, *others)), key=lambda found: found[0])
    return best


def grouped(hand, melds=None):
    """A hand by its melds, and the loose cards last."""
    melds = list(arrange(frozenset(hand))[1] if melds is None else map(frozenset, melds))
    loose = set(hand).difference(*melds)
    return " │ ".join([row(meld) for meld in melds] + ([row(loose)] if loose else []))
