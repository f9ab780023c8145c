"""What actions of Gin Rummy come to in guessed deals."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from games.bots import advice, choose
from games.bots.gin.advice import candidates, roll_outs
from games.bots.gin.equity import equity
from games.bots.gin.guesses import guessed
from games.bots.gin.hard import unfailing
from games.bots.gin.playout import settle
from games.bots.gin.policies import Networked
from games.engine import gin
from games.engine.cards import INDEX, NAMES, card_set
from games.engine.game import DEALER
from games.engine.melds import deadwood

pytestmark = pytest.mark.usefixtures("few_guesses")

OPTIONS = {
    "arcade": gin.PRESETS["arcade"],
    "classic": gin.PRESETS["classic"],
    "oklahoma": gin.PRESETS["oklahoma"],
    "to the wall": gin.Options(wall="knock_upcard", stock_floor=18),
}


def states(options, seed, level="medium", deals=4):
    """Every state of some deals in which a seat is to move."""
    rng, state = Random(seed), gin.new(options, 2)
    while state.turn is not None:
        if state.turn == DEALER:
            if state.deal == deals:
                return
            cards = rng.sample(NAMES, 52)
            state = gin.apply(state, gin.Deal(rng.randrange(2), tuple(cards)))
            continue
        yield state
        state = gin.apply(state, choose("gin", gin.view(state, state.turn), level, rng))


def views(options, seed, level="medium", deals=4):
    return (gin.view(state, state.turn) for state in states(options, seed, level, deals))


def in_another_world(state, seed):
    """The same for the seat to move, with all that it does not know dealt anew."""
    view = gin.view(state, state.turn)
    known = card_set(view.taken[1 - state.turn])
    unseen = [INDEX[c] for c in NAMES if (1 << INDEX[c]) & state.hands[1 - state.turn] & ~known]
    count = len(unseen)
    cards = Random(seed).sample([*unseen, *state.stock], count + len(state.stock))
    other = known | sum(1 << card for card in cards[:count])
    hands = (state.hands[0], other) if state.turn == 0 else (other, state.hands[1])
    return replace(state, hands=hands, stock=tuple(cards[count:]))


@pytest.mark.parametrize("preset", OPTIONS)
def test_candidates_are_few_and_legal_and_hold_what_the_strongest_bot_does(preset):
    phases = set()
    for view in views(OPTIONS[preset], 1):
        phases.add(view.phase)
        found = candidates(view, Random(1))
        assert set(found) <= set(view.legal)
        others = [a for a in view.legal if getattr(a, "melds", None) is None]
        assert len(set(found)) == len(found) >= min(2, len(others))
        assert choose("gin", view, "expert", Random(1)) in found
        assert len(found) <= 6 or view.phase == "layoff"
    assert phases >= {"draw", "discard"}


@pytest.mark.parametrize("preset", OPTIONS)
def test_every_action_of_every_phase_comes_to_something(preset):
    phases = set()
    for view in views(OPTIONS[preset], 3):
        if view.phase in phases:
            continue
        phases.add(view.phase)
        actions = (*view.legal[:9], *view.legal[-1:])
        found = roll_outs(view, actions, Random(1), 8)
        assert found.shape == (1 if view.phase == "layoff" else 8, len(actions))
        assert np.isfinite(found).all()
    assert len(phases) >= 3


def test_the_same_view_and_generator_give_the_same_and_other_cards_unseen_too():
    told = set()
    state = next(s for s in states(OPTIONS["arcade"], 5) if s.phase == "discard")
    for seed in range(4):
        view = gin.view(in_another_world(state, seed), state.turn)
        told.add(advice.advise("gin", view, Random(1), 16))
    assert len(told) == 1


def test_a_knock_comes_to_what_the_engine_scores_in_every_guess():
    """Ended at once it depends on the other hand alone; so all guesses are looked at."""
    options = gin.Options(auto_layoff=True, spade_doubles=True)
    checked = 0
    for state in states(options, 2):
        view = gin.view(state, state.turn)
        knocks = tuple(a for a in view.legal if isinstance(a, gin.Knock | gin.BigGin))[:6]
        if not knocks:
            continue
        found = roll_outs(view, knocks, Random(7), 12)
        for row, other in enumerate(others(view, knocks, 12)):
            hands = [other, other]
            hands[state.turn] = state.hands[state.turn]
            for column, knock in enumerate(knocks):
                result = gin.apply(replace(state, hands=tuple(hands)), knock).result
                points = result.points[state.turn] - result.points[1 - state.turn]
                assert found[row, column] == points
                checked += 1
    assert checked > 200


def others(view, actions, count):
    """The other hands of the guesses of Random(7)."""
    chance = np.random.default_rng(Random(7).getrandbits(64))
    throw = next((INDEX[a.card] for a in actions if isinstance(a, gin.Knock)), 0)
    deals = guessed(view, count, 1, chance, throw=throw)
    return [int(hand) for hand in deals.hands[:, 1 - view.seat]]


def test_lay_offs_are_exact():
    checked = 0
    for seed in range(12):
        for state in states(OPTIONS["arcade"], seed, "easy"):
            if state.phase != "layoff":
                continue
            view, seat = gin.view(state, state.turn), state.turn
            (found,) = roll_outs(view, view.legal, Random(1), 50)
            for action, points in zip(view.legal, found, strict=True):
                after = gin.apply(state, action)
                while after.phase == "layoff":
                    best = choose("gin", gin.view(after, seat), "easy", Random(1))
                    after = gin.apply(after, best)
                assert points == after.result.points[seat] - after.result.points[1 - seat]
                checked += 1
    assert checked > 40


def test_to_pass_at_the_wall_draws_the_deal():
    view = next(
        v for v in views(OPTIONS["to the wall"], 3) if len(v.legal) == 2 and v.phase == "wall"
    )
    found = roll_outs(view, view.legal, Random(1), 20)
    assert (found[:, view.legal.index(gin.PASS)] == 0).all()
    assert found[:, view.legal.index(gin.TAKE)].std() > 0


def test_at_the_wall_a_playout_knocks_where_the_bots_do():
    options, found = OPTIONS["to the wall"], Counter()
    for seed in range(30):
        for view in views(options, seed, "easy"):
            if view.phase != "wall" or gin.TAKE not in view.legal:
                continue
            deals = guessed(view, 1, 1, np.random.default_rng(seed), throw=-1)
            settle(deals, Networked((equity(view, 0), equity(view, 1)), options), options)
            knocks = unfailing(view) == gin.TAKE
            assert deals.over.all() and deals.points.any() == knocks
            found[knocks] += 1
    assert found[True] and found[False], found


def test_gin_is_advised_to_who_has_it():
    seen = 0
    for seed in range(6):
        for view in views(OPTIONS["classic"], seed):
            gins = [
                a
                for a in view.legal
                if isinstance(a, gin.Knock)
                and deadwood(card_set(view.hand) ^ 1 << INDEX[a.card]) == 0
            ]
            if gins and gin.BIG_GIN not in view.legal:
                (best, *_) = advice.advise("gin", view, Random(1), 32)
                assert best.action in gins
                seen += 1
    assert seen >= 3


def test_at_the_start_of_a_match_a_point_is_worth_a_point():
    view = next(v for v in views(OPTIONS["classic"], 3) if len(v.turns) > 5)
    found = advice.rolled("gin", view, Random(1), 64)
    assert view.scores == (0, 0)
    assert np.allclose(found.points, found.worth, atol=1)


def test_whom_few_points_make_the_winner_takes_them_though_more_could_be_had():
    """Both need five: a small knock now wins as surely as gin would later."""
    firsts = Counter()
    for view in views(OPTIONS["classic"], 1):
        if any(isinstance(action, gin.Knock) for action in view.legal):
            early = advice.advise("gin", view, Random(1), 64)[0]
            late = advice.advise("gin", replace(view, scores=(95, 95)), Random(1), 64)
            firsts[type(early.action).__name__, type(late[0].action).__name__] += 1
            if advice.AT_THIS_SCORE in late[0].reason:
                firsts["said"] += 1
                assert max(one.points for one in late) > late[0].points
    assert firsts["Discard", "Knock"] > 0
    assert firsts["said"] > 0
