"""What a seat is advised, whatever the game: on plain arrays."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from games import bots
from games.bots import advice
from games.bots.advice import Rolled
from games.engine import GAMES

POINTS = np.array([[1.0, 5.0, 3.0, 0.0], [3.0, 7.0, 3.0, 0.0], [2.0, 3.0, 3.0, 0.0]])
ACTIONS = ("one", "two", "three", "four")


@pytest.fixture
def plain(monkeypatch):
    """A game whose advice is the arrays above, and its reasons what they compare."""
    module = SimpleNamespace(
        candidates=lambda view, rng: ACTIONS,
        roll_outs=lambda view, actions, rng, samples: POINTS[:samples, : len(actions)],
        reason=lambda view, action, over: f"{action}, not {over}",
    )
    monkeypatch.setattr(advice, "advice_of", lambda game: module)
    return module


def test_the_best_three_come_best_first_each_with_its_interval(plain):
    best = advice.advise("plain", None, Random(1), 3)

    assert [one.action for one in best] == ["two", "three", "one"]
    assert [one.points for one in best] == [5, 3, 2]
    assert [one.samples for one in best] == [3, 3, 3]
    half = 1.96 * 2 / 3**0.5
    assert (best[0].low, best[0].high) == pytest.approx((5 - half, 5 + half))
    assert (best[1].low, best[1].high) == (3, 3)


def test_the_best_is_compared_with_the_second_and_the_others_with_the_best(plain):
    best = advice.advise("plain", None, Random(1), 3)

    assert [one.reason for one in best] == ["two, not three", "three, not two", "one, not two"]


def test_of_one_sample_all_is_certain(plain):
    best = advice.advise("plain", None, Random(1), 1, best=1)

    assert (best[0].low, best[0].points, best[0].high, best[0].samples) == (5, 5, 5, 1)
    assert len(best) == 1


def test_the_strongest_bots_choice_comes_first_unless_another_is_surely_better(plain):
    plain.candidates = lambda view, rng: ("two", "one", "three", "four")
    near = np.array([[4.0, 5.0, 3.0, 0.0], [8.0, 5.0, 3.0, 0.0], [3.0, 7.0, 3.0, 0.0]])
    plain.roll_outs = lambda *_: near
    best = advice.advise("plain", None, Random(1), 3)
    assert [one.action for one in best] == ["two", "one", "three"]
    assert best[0].points < best[1].points
    assert best[0].reason == f"two, not one {advice.NOT_SURE}"

    plain.roll_outs = lambda *_: near + [[0, 9, 0, 0]]
    best = advice.advise("plain", None, Random(1), 3)
    assert [one.action for one in best] == ["one", "two", "three"]
    assert best[0].reason == "one, not two"


def test_what_is_surely_worth_more_at_this_score_comes_first_and_says_so(plain):
    worth = POINTS.copy()
    worth[:, 2] = 9
    plain.weighed = lambda *_: (POINTS, worth)
    best = advice.advise("plain", None, Random(1), 3)
    assert [one.action for one in best] == ["three", "two", "one"]
    assert best[0].points == 3
    assert best[0].reason.endswith(advice.AT_THIS_SCORE)
    assert advice.AT_THIS_SCORE not in best[1].reason


def test_what_is_lost_is_paired_guess_by_guess():
    """Four, four and one: the interval is that of the differences, not of both for themselves."""
    found = Rolled(ACTIONS, POINTS)
    lost = advice.loss(found, "one")

    assert (lost.mean, lost.samples) == (3, 3)
    assert lost.high - lost.mean == pytest.approx(1.96 * 3**0.5 / 3**0.5)
    assert advice.loss(found, "two").mean == advice.loss(found, "two").high == 0


def test_what_is_lost_against_a_named_action_may_be_a_gain():
    assert advice.loss(Rolled(ACTIONS, POINTS), "two", better="one").mean == -3


def test_only_the_actions_asked_for_are_rolled(plain):
    assert advice.rolled("plain", None, Random(1), 2, actions=["one", "two"]).points.shape == (2, 2)


def test_where_a_game_has_no_advice_it_is_what_the_strongest_bot_does(monkeypatch):
    monkeypatch.setattr(advice, "advice_of", lambda game: None)
    monkeypatch.setitem(bots.BOTS, "plain", {"bold": lambda view, rng: view[-1]})
    monkeypatch.setitem(bots.LEVELS, "plain", ("random", "bold"))

    assert advice.rolled("plain", ACTIONS, Random(1), 9) is None
    (only,) = advice.advise("plain", ACTIONS, Random(1), 9)
    assert (only.action, only.points, only.low, only.high, only.samples) == ("four", *[None] * 3, 0)
    assert "bold" in only.reason


def test_a_module_of_advice_is_found_by_its_games_name():
    assert advice.advice_of("gin").__name__ == "games.bots.gin.advice"
    assert advice.advice_of("whist") is None
    for game in GAMES:
        module = advice.advice_of(game)
        assert module is None or {"candidates", "roll_outs", "reason"} <= set(vars(module))


def test_bots_that_are_one_file_have_none_and_that_is_no_error():
    assert bots.module("advice") is advice  # a file beside the packages of games
    assert bots.module("advice", "advice") is None
