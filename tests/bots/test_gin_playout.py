"""Playouts against the engine: thousands of deals through both, with equal scores."""

import numpy as np
import pytest

from games.bots.gin.equity import Equity
from games.bots.gin.playout import dealt, play
from games.bots.gin.policies import AtRandom, Networked, Thrifty
from games.engine import gin
from games.engine.cards import NAMES
from games.engine.gin import BIG_GIN, DISCARDS, DRAW, FINISH, KNOCKS, PASS, TAKE, Knock, LayOff
from games.engine.melds import best_layoffs

DEALS = 10_000


class Noted:
    """A policy, and what it did in each deal."""

    def __init__(self, policy, count):
        self.policy, self.done = policy, [[] for _ in range(count)]

    def takes(self, deals, rows):
        wants = self.policy.takes(deals, rows)
        for row, takes in zip(rows.tolist(), wants.tolist(), strict=True):
            self.done[row].append(takes)
        return wants

    def ends(self, deals, rows):
        cards, knocks = self.policy.ends(deals, rows)
        for row, card, knock in zip(rows.tolist(), cards.tolist(), knocks.tolist(), strict=True):
            self.done[row].append((KNOCKS if knock else DISCARDS)[card])
        return cards, knocks


def replayed(options, pack, dealer, done):
    """The same deal by the engine: both seats' points."""
    state = gin.new(options, 2)
    names = tuple(NAMES[card] for card in pack)
    state, apply = gin.apply(state, gin.Deal(dealer, names)), gin.apply
    for what in done:
        if state.phase == "wall":
            knocks = isinstance(what, Knock)
            state = apply(state, TAKE if knocks else PASS)
            if knocks:
                state = apply(state, what)
        elif what is False and state.phase == "offer":
            state = apply(state, PASS)
            if state.phase == "first_draw":
                state = apply(state, DRAW)
        else:
            state = apply(state, what if not isinstance(what, bool) else TAKE if what else DRAW)
    if state.phase == "wall":  # the upcard makes a big gin
        state = apply(state, TAKE)
    if state.result is None and state.phase in ("discard", "wall_knock"):
        state = apply(state, BIG_GIN)
    if state.phase == "layoff":
        hand = state.hands[state.turn]
        for card, index in best_layoffs(hand, state.laid.melds)[1]:
            state = apply(state, LayOff(NAMES[card], index))
        state = apply(state, FINISH)
    return state.result.points


def networked(_, options):
    even = Equity(options, (0, 0), doubled=False)
    return Networked((even, even), options)


TO_THE_WALL = gin.Options(wall="knock_upcard", stock_floor=20, gin_bonus=11)
TWO_IN_A_ROW = gin.Options(may_return_taken=True, idle_limit=2, stock_floor=9, gin_bonus=7)


@pytest.mark.parametrize(
    ("options", "policy", "count", "kinds"),
    [
        (gin.PRESETS["research"], Thrifty, DEALS // 2, 100),
        (gin.PRESETS["arcade"], Thrifty, DEALS // 8, 100),
        (TO_THE_WALL, Thrifty, DEALS // 8, 100),
        (TO_THE_WALL, networked, DEALS // 40, 50),
        (gin.PRESETS["oklahoma"], Thrifty, DEALS // 8, 100),
        (gin.PRESETS["research"], AtRandom, DEALS // 16, 4),
        (TWO_IN_A_ROW, AtRandom, DEALS // 16, 1),
    ],
)
def test_playouts_and_the_engine_find_equal_scores(options, policy, count, kinds):
    """Ten thousand deals in all; a spade that doubles is left to who counts the points."""
    rng = np.random.default_rng(count)
    packs, dealers = rng.random((count, 52)).argsort(axis=1), rng.integers(2, size=count)
    deals, noted = dealt(packs, dealers, options), Noted(policy(1, options), count)
    play(deals, noted, options)
    found = deals.points.tolist()
    for row in range(count):
        doubled = 2 if options.spade_doubles and packs[row, 20] // 13 == gin.SPADES else 1
        points = replayed(options, packs[row].tolist(), int(dealers[row]), noted.done[row])
        assert [p // doubled for p in points] == found[row], row
    assert len({tuple(points) for points in found}) >= kinds
