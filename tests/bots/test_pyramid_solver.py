"""The solver of Pyramid: right on handed deals and against brute force, capped or not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots.pyramid.solver import Verdict, solve
from games.engine import pyramid
from games.engine.cards import NAMES
from games.engine.game import play
from games.engine.pyramid import DRAW, GONE, PLACES, REDEAL, Options, Remove
from tests.engine.pyramid_decks import amid, dealt
from tests.engine.test_data import Line, check_every_line

# Handed deals


def named(state: pyramid.State) -> tuple[list[str | None], list[str], list[str]]:
    """Pyramid, draw pile and waste by name."""
    places = [None if card == GONE else NAMES[card] for card in state.pyramid]
    return places, [NAMES[card] for card in state.draw], [NAMES[card] for card in state.waste]


def verdict(state: pyramid.State, cap: int = 1_000_000) -> Verdict:
    options = state.options
    left = options.redeals - state.redeals
    return solve(*named(state), redeals=left, overlap=options.overlap, cap=cap)


def check_line(state: pyramid.State, found: Verdict) -> None:
    """Each action of the line is legal, and the last one clears."""
    for action in found.line:
        assert max(state.pyramid) != GONE
        state = play(pyramid, state, 0, action)
    assert max(state.pyramid) == GONE


def check_deal(line: Line) -> None:
    for redeals, clearable in ((2, line["solvable"]), (0, line["solvable_1deal"])):
        state = pyramid.new(Options(redeals=redeals), 1)
        state = pyramid.apply(state, pyramid.Deal(tuple(line["deal"])))
        found = verdict(state)
        assert found.clearable == clearable
        if clearable:
            check_line(state, found)
    for position in line["positions"]:
        check_position(position)


def check_position(position: Line) -> None:
    places = " ".join(card or "--" for card in position["pyramid"])
    draw, waste = " ".join(position["draw"]), " ".join(position["waste"])
    state = amid(places=places, draw=draw, waste=waste, redeals=position["deal_no"] - 1)
    found = verdict(state)
    assert found.clearable == position["solvable"]
    if found.clearable:
        check_line(state, found)


def test_right_on_every_handed_deal_and_position():
    check_every_line("pyramid_deals.jsonl", check_deal)


def test_capped_it_is_right_or_says_that_it_does_not_know():
    def check(line: Line) -> None:
        places, draw = line["deal"][:PLACES], line["draw"]
        for cap in (0, 1, 10, 25):
            found = solve(places, draw, cap=cap)
            assert found.clearable in (None, line["solvable"])
            assert found.nodes <= cap + 1

    check_every_line("pyramid_deals.jsonl", check)


# Against brute force


def clearable(state: pyramid.State) -> bool:
    """Whether any play clears, by trying all."""
    seen, waiting = set(), [state]
    while waiting:
        state = waiting.pop()
        if max(state.pyramid) == GONE:
            return True
        key = (state.pyramid, state.draw, state.waste, state.redeals)
        if key not in seen:
            seen.add(key)
            waiting += [pyramid.apply(state, a) for a in pyramid.legal_actions(state)]
    return False


@st.composite
def small_positions(draw: st.DrawFn) -> pyramid.State:
    """The tip of a pyramid and a small stock, of few ranks, so that many cards fit."""
    groups = draw(st.sets(st.integers(0, 5), min_size=1, max_size=3))
    ranks = {*groups, *(11 - group for group in groups), 12}
    cards = draw(st.permutations([card for card in range(52) if card % 13 in ranks]))
    size = draw(st.sampled_from((1, 3, 6, 6, 10, 10)))
    stock = cards[size : size + draw(st.integers(0, 9))]
    seen = draw(st.integers(0, len(stock)))
    options = Options(redeals=draw(st.integers(0, 2)), overlap=draw(st.booleans()))
    return pyramid.State(
        options,
        deal=1,
        dealer=0,
        turn=0,
        pyramid=(*cards[:size], *[GONE] * (PLACES - size)),
        draw=tuple(stock[seen:]),
        waste=tuple(stock[:seen]),
    )


@given(state=small_positions())
@settings(max_examples=300)
def test_it_agrees_with_brute_force_on_small_positions(state):
    found = verdict(state)
    assert found.clearable == clearable(state)
    if found.clearable:
        check_line(state, found)


@given(state=small_positions(), cap=st.integers(0, 5))
@settings(max_examples=100)
def test_a_cap_changes_no_verdict(state, cap):
    found = verdict(state)
    assert verdict(state, cap).clearable == (found.clearable if found.nodes <= cap else None)


# By hand


def solved(**position: Any) -> Verdict:
    return verdict(amid(**position))


def test_an_empty_pyramid_is_cleared():
    assert solved(places="--", draw="2C") == Verdict(True, 1)


def test_kings_go_from_wherever_they_lie():
    found = solved(places="2C KC 3C", draw="KD TD", waste="JD KH")
    assert found.clearable
    assert {Remove(("KC",)), Remove(("KD",)), Remove(("KH",))} <= set(found.line)


def test_a_card_whose_partners_are_gone_is_the_end():
    assert solved(places="2C", draw="3C TC").clearable is False


def test_a_card_whose_partners_all_lie_on_it_is_the_end():
    assert solved(places="2C JC JD JH JS 3C 4C", draw="2D 2H 2S TC 9C").clearable is False
    assert verdict(dealt(places="JC 2C 2D 2H 2S")).clearable is False


def test_what_needs_a_redeal_is_cleared_with_one_only():
    """JD comes too early and lies under 8H."""
    position = {"places": "2C 3C 4C", "draw": "JD 8H TD 9D"}
    assert solved(**position, redeals=2).clearable is False
    assert solved(**position, redeals=1).line == (
        DRAW,
        DRAW,
        Remove(("3C", "TD")),
        Remove(("4C", "9D")),
        REDEAL,
        Remove(("2C", "JD")),
    )


def test_a_card_of_the_waste_is_reached_by_removing_what_lies_on_it():
    """JD lies under 5D, which goes with the draw card 8D."""
    found = solved(places="2C", draw="8D", waste="JD 5D", redeals=2)
    assert found.line == (Remove(("5D", "8D")), Remove(("2C", "JD")))


def test_with_overlap_a_card_goes_with_its_last_coverer():
    position = {"places": "6C 7C", "draw": "5D"}
    assert solved(**position).clearable is False
    found = solved(options=Options(overlap=True), **position)
    assert found.line == (Remove(("6C", "7C")),)


def test_it_is_the_same_whenever_it_is_asked():
    state = dealt(places="JC JD 2C 2D 3C 4C 5C 6C 7C 8C 9C TC QC AC KC")
    assert verdict(state) == verdict(state)


@pytest.mark.parametrize("redeals", [0, 1, 2, 9])
def test_any_number_of_redeals(redeals):
    state = amid(Options(redeals=redeals), places="2C", draw="4D 5D JC")
    check_line(state, verdict(state))
