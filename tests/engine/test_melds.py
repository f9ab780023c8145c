"""Melds against a naive enumeration that shares nothing with the engine but the cards' names."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import melds
from games.engine.cards import NAMES, card_set, names, value

RANKS, SUITS = "A23456789TJQK", "CDHS"
Cards = frozenset[str]


def points(cards: Cards) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def naive_is_meld(cards: Cards) -> bool:
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(cards) < 3:
        return False
    if len(ranks) == 1:
        return True
    places = sorted(RANKS.index(rank) for rank in ranks)
    return len(suits) == 1 and places == list(range(places[0], places[0] + len(places)))


SUITS_OF_SETS = [*combinations(SUITS, 3), tuple(SUITS)]
RANKS_OF_RUNS = [RANKS[a:b] for a in range(11) for b in range(a + 3, 14)]
ALL_MELDS = [frozenset(r + s for s in suits) for r in RANKS for suits in SUITS_OF_SETS]
ALL_MELDS += [frozenset(r + s for r in ranks) for s in SUITS for ranks in RANKS_OF_RUNS]


@cache
def naive_arrangements(hand: Cards) -> frozenset[frozenset[Cards]]:
    """Every set of disjoint melds of a hand."""

    def choose(held: list[Cards], free: Cards) -> Iterator[frozenset[Cards]]:
        if not held:
            yield frozenset()
            return
        meld, *others = held
        yield from choose(others, free)
        if meld <= free:
            for rest in choose(others, free - meld):
                yield rest | {meld}

    return frozenset(choose([meld for meld in ALL_MELDS if meld <= hand], hand))


def naive_deadwood(hand: Cards) -> int:
    return min(
        points(hand) - sum(points(meld) for meld in melds) for melds in naive_arrangements(hand)
    )


def naive_best_layoffs(hand: Cards, table: frozenset[Cards]) -> int:
    """The least deadwood, trying every lay-off of one card, or none, again and again."""

    @cache
    def least(hand: Cards, table: frozenset[Cards]) -> int:
        best = naive_deadwood(hand)
        for meld in table:
            for card in hand:
                if naive_is_meld(grown := meld | {card}):
                    best = min(best, least(hand - {card}, table - {meld} | {grown}))
        return best

    return least(hand, table)


@st.composite
def hands(draw, sizes: tuple[int, ...] = (10, 11)) -> Cards:
    """Hands with many melds: from a few ranks, or from two suits, or from anywhere."""
    low = draw(st.integers(0, 10))
    pool = draw(
        st.sampled_from(
            [
                [card for card in NAMES if RANKS.index(card[0]) in range(low, low + 4)],
                [card for card in NAMES if card[1] in "CH"],
                list(NAMES),
            ]
        )
    )
    size = min(draw(st.sampled_from(sizes)), len(pool))
    return frozenset(draw(st.permutations(pool))[:size])


def bits(cards: Cards) -> int:
    return card_set(cards)


def cards(bits: int) -> Cards:
    return frozenset(names(bits))


@given(hands())
@settings(max_examples=1000)
def test_deadwood_is_the_least_over_every_arrangement(hand):
    assert melds.deadwood(bits(hand)) == naive_deadwood(hand)


@given(hands(), st.integers(0, 40))
@settings(max_examples=300)
def test_arrangements_are_all_within_the_limit_once_each(hand, limit):
    found = list(melds.arrangements(bits(hand), limit))
    wanted = {
        melds
        for melds in naive_arrangements(hand)
        if points(hand) - sum(points(meld) for meld in melds) <= limit
    }
    assert len(found) == len(wanted)
    assert {frozenset(cards(meld) for meld in arrangement) for arrangement in found} == wanted


@given(hands())
@settings(max_examples=100)
def test_the_melds_of_a_hand_are_listed_by_first_card_and_once_each(hand):
    found = melds.melds_in(bits(hand))
    assert sorted(map(bits, (meld for meld in ALL_MELDS if meld <= hand))) == sorted(found)
    assert [meld & -meld for meld in found] == sorted(meld & -meld for meld in found)


@given(hands(sizes=(2, 3, 4, 5)))
def test_a_meld_is_a_set_or_a_run(hand):
    assert melds.is_meld(bits(hand)) == naive_is_meld(hand)


def test_every_meld_is_one_and_stops_being_one_with_a_stranger():
    for meld in ALL_MELDS:
        assert melds.is_meld(bits(meld))
        for card in set(NAMES) - meld:
            assert melds.is_meld(bits(meld | {card})) == naive_is_meld(meld | {card})


def test_what_fits_a_meld_makes_a_meld_of_it():
    for meld in ALL_MELDS:
        fitting = {card for card in set(NAMES) - meld if naive_is_meld(meld | {card})}
        assert cards(melds.fits(bits(meld))) == fitting


@given(hands(sizes=(10,)))
@settings(max_examples=300)
def test_the_best_arrangement_is_least_then_helps_least_then_is_first(hand):
    """Seen: every second card of the pack."""
    seen = frozenset(NAMES[::2])

    def preference(arrangement: frozenset[Cards]) -> tuple[Any, ...]:
        outside = set(NAMES) - hand - seen
        fitting = {c for c in outside for meld in arrangement if naive_is_meld(meld | {c})}
        ordered = sorted(sorted(map(NAMES.index, meld)) for meld in arrangement)
        left = points(hand) - sum(points(meld) for meld in arrangement)
        in_a_row = [card for meld in ordered for card in meld]
        return left, len(fitting), in_a_row, len(ordered), ordered

    best = min(naive_arrangements(hand), key=preference)
    found = melds.best_arrangement(bits(hand), bits(seen))
    assert {cards(meld) for meld in found} == best


@st.composite
def knocks(draw) -> tuple[Cards, tuple[int, ...]]:
    """A defender's hand, and two or three of a knocker's melds, from few ranks so that many fit."""
    low = draw(st.integers(0, 7))
    pool = [card for card in NAMES if RANKS.index(card[0]) in range(low, low + 6)]
    near = [meld for meld in ALL_MELDS if meld <= frozenset(pool) and len(meld) <= 4]
    table: list[Cards] = []
    for meld in draw(st.permutations(near))[:40]:
        if len(table) < 3 and not any(meld & other for other in table):
            table.append(meld)
    left = [card for card in pool if not any(card in meld for meld in table)]
    hand = frozenset(draw(st.permutations(left))[: draw(st.integers(4, 10))])
    return hand, tuple(sorted(map(bits, table)))


@given(knocks())
@settings(max_examples=300)
def test_the_best_layoffs_are_the_joint_optimum_in_a_playable_order(knock):
    hand, table = knock
    least, layoffs = melds.best_layoffs(bits(hand), table)
    assert least == naive_best_layoffs(hand, frozenset(map(cards, table)))
    left, grown = bits(hand), list(table)
    for card, index in layoffs:
        assert melds.fits(grown[index]) & left & 1 << card
        grown[index] |= 1 << card
        left ^= 1 << card
    assert melds.deadwood(left) == least


@given(hands(sizes=(5, 10, 14)))
def test_the_cards_in_some_meld_are_those_of_all_melds(hand):
    assert cards(melds.in_melds(bits(hand))) == frozenset().union(
        *(meld for meld in ALL_MELDS if meld <= hand)
    )


@given(hands(sizes=(2, 5, 10)))
def test_the_cards_that_complete_a_meld_with_two_of_a_hand(hand):
    pairs = [frozenset(pair) for pair in combinations(hand, 2)]
    wanted = {c for c in set(NAMES) - hand if any(naive_is_meld(pair | {c}) for pair in pairs)}
    assert cards(melds.completing(bits(hand))) == wanted


@given(st.sampled_from(ALL_MELDS), hands(sizes=(5, 10, 20)))
def test_the_cards_that_go_on_a_meld_one_after_another(meld, hand):
    grown = meld
    while more := {card for card in hand - grown if naive_is_meld(grown | {card})}:
        grown |= more
    assert cards(melds.chained(bits(meld), bits(hand - meld))) == grown - meld


def naive_leftovers(hand: Cards, table: frozenset[Cards]) -> set[Cards]:
    """What is left by laying a meld or a card off, or nothing, again and again."""
    seen = {(hand, table)}
    waiting = [(hand, table)]
    while waiting:
        hand, table = waiting.pop()
        found = [(hand - meld, table | {meld}) for meld in ALL_MELDS if meld <= hand]
        for meld in table:
            fitting = (card for card in hand if naive_is_meld(meld | {card}))
            found += [(hand - {card}, table - {meld} | {meld | {card}}) for card in fitting]
        waiting += [step for step in found if step not in seen]
        seen.update(found)
    return {hand for hand, _ in seen}


@given(knocks())
@settings(max_examples=60, deadline=None)
def test_leftovers_are_all_that_melds_and_lay_offs_in_any_order_can_leave(knock):
    hand, table = knock
    wanted = naive_leftovers(hand, frozenset(map(cards, table)))
    assert {cards(left) for left in melds.leftovers(bits(hand), table)} == wanted


@pytest.mark.parametrize(
    ("hand", "least"),
    [
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", 0),
        ("QS KS AS 2S 3D 4D 6H 8H TC QC", 64),
        ("5H 6H 7H 7C 7D 7S KC KD KH 2S", 2),
        ("AC 4C 5C 6C 3D 4D 5D 6D 3H 5H 6H", 15),
        ("AC 4C 5C 6C 3D 4D 5D 6D 3H 5H", 9),
        ("", 0),
    ],
)
def test_deadwood_of(hand, least):
    assert melds.deadwood(card_set(hand.split())) == least


def test_the_value_of_cards():
    assert [value(card_set([rank + "D"])) for rank in RANKS] == [*range(1, 11), 10, 10, 10]
