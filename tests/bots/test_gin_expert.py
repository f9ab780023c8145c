"""How `expert` looks ahead in Gin Rummy: in deals that could be, and no further than it says."""

from importlib import import_module
from random import Random

import numpy as np
import pytest

from games.bots import choose
from games.bots.gin import many
from games.bots.gin.guesses import guessed
from games.engine import gin
from games.engine.cards import INDEX, NAMES, PACK, card_set

expert = import_module("games.bots.gin.expert")

WORLDS = expert.WORLDS
RESEARCH = gin.PRESETS["research"]


def mid_deal(seed=1):
    """A view of a seat that is to throw, some turns into a deal of two bots."""
    rng = Random(seed)
    pack = list(NAMES)
    rng.shuffle(pack)
    state = gin.apply(gin.new(RESEARCH, 2), gin.Deal(1, tuple(pack)))
    while state.phase != "discard" or len(state.turns) < 6:
        state = gin.apply(state, choose("gin", gin.view(state, state.turn), "medium", rng))
    return gin.view(state, state.turn)


@pytest.mark.parametrize("seed", range(1, 6))
def test_guessed_deals_hold_what_is_seen_and_every_card_once(seed):
    view = mid_deal(seed)
    me = view.seat
    deals = guessed(view, WORLDS, 3, np.random.default_rng(1), throw=INDEX[view.hand[0]])
    assert len(deals.rows) == 3 * WORLDS
    pile = card_set(view.discards)
    for row in deals.rows.tolist():
        own, other = int(deals.hands[row, me]), int(deals.hands[row, 1 - me])
        stock = sum(1 << card for card in deals.stock[row].tolist())
        assert own == card_set(view.hand)
        assert other & card_set(view.taken[1 - me]) == card_set(view.taken[1 - me])
        assert other.bit_count() == 10
        assert deals.stock[row].size == deals.left[row] == view.stock_size
        assert own | other | stock | pile == PACK
        assert own.bit_count() + 10 + view.stock_size + len(view.discards) == 52
    assert len({int(other) for other in deals.hands[:, 1 - me]}) > WORLDS // 2


def test_each_guess_is_tried_with_every_throw():
    view = mid_deal()
    deals = guessed(view, WORLDS, 2, np.random.default_rng(1), throw=INDEX[view.hand[0]])
    assert (deals.hands[::2] == deals.hands[1::2]).all()
    assert (deals.stock[::2] == deals.stock[1::2]).all()


def test_it_never_looks_at_more_than_it_says(monkeypatch):
    """So there is a bound to its time, whatever the position."""
    looked = []
    monkeypatch.setattr(expert, "NEAR", 100)
    real = expert.look_ahead

    def counted(view, cards, rng):
        found = real(view, cards, rng)
        looked.append(found.shape)
        return found

    monkeypatch.setattr(expert, "look_ahead", counted)
    for seed in range(1, 9):
        choose("gin", mid_deal(seed), "expert", Random(1))
    assert looked
    assert {shape[0] for shape in looked} == {expert.WORLDS}
    assert {shape[1] for shape in looked} == {expert.MOST}


def test_it_does_what_came_out_best_ahead(monkeypatch):
    view = mid_deal()
    monkeypatch.setattr(expert, "NEAR", 100)
    monkeypatch.setattr(expert, "PRIOR", 0)
    seen = {}

    def last_is_best(view, cards, rng):
        seen["last"] = int(cards[-1])
        return np.tile(np.arange(cards.size, dtype=np.float32), (expert.WORLDS, 1))

    monkeypatch.setattr(expert, "look_ahead", last_is_best)
    answer = choose("gin", view, "expert", Random(1))
    assert answer == gin.DISCARDS[seen["last"]]


def test_points_of_guessed_deals_count_as_the_match_has_it():
    view = mid_deal()
    deals = guessed(view, WORLDS, 1, np.random.default_rng(1), throw=INDEX[view.hand[0]])
    match = expert.equity(view, view.seat)
    deals.over[:] = True
    deals.points[:, view.seat] = 30
    networked = expert.Networked((match, match), view.options)
    assert expert.worth(deals, view.seat, networked, match) == pytest.approx(match.gain(30, 0))
    assert expert.worth(deals, 1 - view.seat, networked, match) == pytest.approx(match.gain(0, 30))
    assert many.count(deals.hands[:, view.seat]).tolist() == [11] * WORLDS
