"""The plan of most cards: it can be played, comes to what it says, and as brute force finds."""

from functools import cache
from random import Random
from typing import Any

import pytest

from games.bots.pyramid import BOTS
from games.bots.pyramid.plan import plan
from games.engine import pyramid
from games.engine.cards import INDEX, NAMES, rank
from games.engine.pyramid import DRAW, NEXT_ROUND, REDEAL, Options, Remove
from tests.engine.pyramid_decks import amid

HARD, EXPERT = BOTS["hard"], BOTS["expert"]


def planned(state: pyramid.State, width: int = 1000) -> Any:
    seen = pyramid.revealed(state)
    draw = [card for card in seen.draw if card]
    return plan(seen.pyramid, draw, seen.waste, seen.redeals_left, state.options.overlap, width)


def small(rng: Random, overlap: bool) -> pyramid.State:
    """Three rows and six cards of stock, out of few ranks so that there is much to choose."""
    some = [card for card in NAMES if rank(INDEX[card]) in (1, 4, 5, 6, 7, 10)]
    cards = rng.sample(some, 12)
    return amid(
        Options(overlap=overlap),
        places=" ".join(cards[:6]),
        draw=" ".join(cards[6:]),
        redeals=rng.choice((1, 2)),
    )


def most(state: pyramid.State) -> tuple[bool, int]:
    """By brute force: whether it can be cleared, and the most cards that can go then."""

    @cache
    def best(state: pyramid.State) -> tuple[bool, int]:
        actions = [a for a in pyramid.legal_actions(state) if isinstance(a, Remove)]
        actions += [a for a in (DRAW, REDEAL) if a in pyramid.legal_actions(state)]
        found = [(max(state.pyramid) < 0, len(state.removed))]
        return max(found + [best(bare(pyramid.apply(state, action))) for action in actions])

    return best(bare(state))


def bare(state: pyramid.State) -> pyramid.State:
    """Without what does not matter here, so that positions meet again."""
    fields = {"last_action": None, "last_card": None, "last_seat": None, "result": None}
    removed = tuple(sorted(state.removed))
    return pyramid.replace(state, removed=removed, points=0, scores=(0,), **fields)


@pytest.mark.parametrize("overlap", [False, True])
def test_a_wide_plan_finds_what_brute_force_finds(overlap):
    rng, cleared = Random(4), set()
    for _ in range(60):
        state = small(rng, overlap)
        found = planned(state)
        assert (found.clears, len(state.removed) + 2 * len(found.pairs)) == most(state)
        cleared.add(found.clears)
    assert cleared == {True, False}


def played_out(bot: Any, state: pyramid.State) -> pyramid.State:
    """The end of the round."""
    while state.turn == 0:
        action = bot(pyramid.view(state, 0), Random(1))
        if action == NEXT_ROUND:
            break
        state = pyramid.apply(state, action)
    return state


def test_where_all_is_lost_expert_takes_as_many_cards_as_can_go_and_hard_does_not():
    rng, totals = Random(6), []
    for _ in range(60):
        state = small(rng, overlap=False)
        clears, cards = most(state)
        if not clears:
            totals.append([len(played_out(bot, state).removed) for bot in (HARD, EXPERT)])
            assert totals[-1][1] == cards
    assert sum(hard for hard, _ in totals) < sum(expert for _, expert in totals)


@pytest.mark.parametrize("seed", range(12))
def test_expert_comes_at_least_to_what_its_first_plan_says(seed):
    state = pyramid.apply(
        pyramid.new(Options(), 1), pyramid.Deal(tuple(Random(seed).sample(NAMES, 52)))
    )
    for action in [DRAW] * 24 + [REDEAL]:
        state = pyramid.apply(state, action)
    found = planned(state, width=16)
    ended = played_out(EXPERT, state)
    pairs = [card for card in ended.removed if rank(card) != pyramid.KING]
    assert len(pairs) >= 2 * len(found.pairs)
    assert (max(ended.pyramid) < 0) >= found.clears
