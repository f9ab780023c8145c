"""What `medium` and `hard` see and do in Gin Rummy, beyond what is asked of every bot."""

from importlib import import_module
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from games.bots import choose
from games.bots.gin import many, network
from games.bots.gin.equity import Equity, equity
from games.bots.gin.sight import sight, ways
from games.engine import gin, melds
from games.engine.cards import NAMES, card_set, names
from games.engine.gin import DRAW, PASS, TAKE, Discard, Knock, Options
from tests.engine.decks import dealt, played

RESEARCH = gin.PRESETS["research"]


def answer(state: gin.State, level: str, seed: int = 1) -> gin.Action:
    action: gin.Action = choose("gin", gin.view(state, state.turn), level, Random(seed))
    return action


def hands(count: int, pool: int = 52) -> list[int]:
    """Ten cards of the first so many of each suit's ranks, so that small pools meld often."""
    rng, cards = Random(pool), [c for c in range(52) if c % 13 < pool // 4]
    return [sum(1 << card for card in rng.sample(cards, 10)) for _ in range(count)]


# Many hands at once


@pytest.mark.parametrize("pool", [52, 28, 20])
def test_what_is_found_for_many_hands_is_what_the_engine_finds_for_each(pool):
    each = hands(2000, pool)
    together = many.sets(each)
    assert many.deadwood(together).tolist() == [melds.deadwood(hand) for hand in each]
    assert many.in_melds(together).tolist() == [melds.in_melds(hand) for hand in each]
    assert many.completing(together).tolist() == [melds.completing(hand) for hand in each]
    cards = [Random(hand).randrange(52) for hand in each]
    found = many.ways(np.array(cards), together).tolist()
    assert found == [ways(card, hand) for card, hand in zip(cards, each, strict=True)]


@pytest.mark.parametrize("pool", [52, 28, 20])
def test_cards_that_make_gin_are_counted(pool):
    def is_gin(hand: int, card: int) -> bool:
        eleven = hand | 1 << card
        return any(melds.deadwood(eleven ^ 1 << c) == 0 for c in range(52) if hand >> c & 1)

    each = hands(300, pool)
    outs = [melds.completing(hand) for hand in each]
    expected = [
        sum(is_gin(hand, card) for card in range(52) if out >> card & 1)
        for hand, out in zip(each, outs, strict=True)
    ]
    assert many.gins(many.sets(each), many.sets(outs)).tolist() == expected
    assert pool == 52 or sum(expected) > 0


@pytest.mark.parametrize(
    ("card", "others", "number"),
    [
        ("7H", "7C 7D", 1),
        ("7H", "7C 7D 7S", 3),
        ("7H", "5H 6H", 1),
        ("7H", "5H 6H 8H 9H", 3),
        ("7H", "6H 9H 7C", 0),
        ("AH", "KH QH", 0),
        ("AH", "2H 3H", 1),
        ("KH", "AH 2H", 0),
        ("KH", "QH JH", 1),
    ],
)
def test_the_ways_of_a_card_are_the_melds_of_three_that_it_makes(card, others, number):
    assert ways(NAMES.index(card), card_set(others.split())) == number


# What they see


def test_a_sight_tells_who_threw_what_and_what_the_other_holds():
    state = played(
        dealt(first="AC 2C 3C 7D 7H 7S TH JH QH 5S", upcard="KC", stock="9D 8D 4H"),
        "draw",
        "discard 9D",
        "take",
    )
    other = names(state.hands[1])
    thrown = next(card for card in other if card != "9D")
    seen = sight(gin.view(played(state, f"discard {thrown}"), 0))
    assert names(seen.known) == ("9D",)
    assert {*names(seen.theirs)} == {"KC", thrown}  # the dealer's upcard is his
    assert seen.mine == 0
    assert NAMES[seen.top] == thrown
    assert seen.hidden.bit_count() == 52 - 10 - 1 - 2
    assert seen.hidden & (seen.hand | seen.known | seen.theirs) == 0


def test_points_are_worth_more_to_who_needs_them_to_win():
    close, far = Equity(RESEARCH, (90, 30), False), Equity(RESEARCH, (30, 30), False)
    assert close.now > far.now
    assert close.gain(40, 0) == pytest.approx(close.gain(10, 0))  # won either way
    assert far.gain(40, 0) > far.gain(10, 0) > 0 > far.gain(0, 10)


def test_a_longer_match_is_looked_at_as_if_it_went_to_100():
    state = replace(dealt(Options(target=500)), scores=(0, 250))
    behind, ahead = (equity(gin.view(state, 0), seat) for seat in (0, 1))
    assert (behind.need, behind.others_need) == (ahead.others_need, ahead.need) == (100, 50)
    assert behind.now == pytest.approx(1 - ahead.now, abs=0.002)
    assert float(behind.gain(0, 250)) < float(behind.gain(0, 50)) < 0


def test_a_knock_gains_what_its_points_do():
    match = Equity(RESEARCH, (0, 0), False)
    knocks = match.of_knocks()
    assert knocks[0, 12] == match.gain(37, 0)
    assert knocks[3, 12] == match.gain(9, 0)
    assert knocks[3, 3] == match.gain(0, 25)
    assert knocks[10, 3] == match.gain(0, 32)
    assert Equity(RESEARCH, (0, 0), doubled=True).of_knocks()[3, 12] == match.gain(18, 0)
    assert Equity(Options(), (0, 0), False).of_knocks()[3, 3] == 0  # nobody's, in arcade


def test_odds_of_the_others_deadwood_are_odds():
    seen = network.Seen(*([many.sets([0])] * 3), *(np.array([n]) for n in (20, 10, 100, 100)))
    inputs = network.own(seen, np.zeros(1, int), many.sets(hands(1)), np.array([51]))
    odds = network.deadwood_odds(network.shared("knock", seen, network.THROWN), inputs)
    assert odds.sum() == pytest.approx(1)
    assert (odds >= 0).all()


# What they do

LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"


def test_medium_keeps_a_pair_that_has_two_cards_to_come_over_one_that_has_none():
    hand = "AC 2C 3C 7D 7H 7S KD KH QC QS"
    state = played(
        dealt(RESEARCH, first=LOST, second=hand, upcard="9C", stock="JS"),
        "pass",
        "pass",
        "draw",
        "discard 9S",
    )
    state = replace(state, discards=(*state.discards, *map(NAMES.index, ("QD", "QH", "KC"))))
    state = replace(state, hands=(card_set(LOST.split()), card_set([*hand.split(), "5C"])))
    state = replace(state, phase="discard", turns=(*state.turns, gin.Turn(1, False, 4)))
    assert {answer(state, "medium", seed) for seed in range(20)} <= {Discard("QC"), Discard("QS")}


@pytest.mark.parametrize(("left", "knocks"), [(25, True), (12, False)])
def test_medium_knocks_with_ten_only_early(left, knocks):
    hand = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
    state = played(dealt(first=hand, upcard="KC", stock="KD"), "draw")
    state = replace(state, stock=state.stock[:left])
    assert isinstance(answer(state, "medium"), Knock) == knocks


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_they_go_gin_when_they_may(level):
    hand = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
    state = played(dealt(first=hand, second=LOST, upcard="KC", stock="4C"), "draw")
    assert answer(state, level) == Knock("5S")


@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize(("upcard", "takes"), [("4C", True), ("KD", False)])
def test_they_take_what_completes_a_meld_and_leave_what_is_of_no_use(level, upcard, takes):
    hand = "2C 3C 7D 7H 7S TH JH QH 5S 9D"
    state = dealt(first=hand, second=LOST, upcard=upcard)
    assert answer(state, level) == (TAKE if takes else DRAW)
    offered = dealt(RESEARCH, first=LOST, second=hand, upcard=upcard)
    offered = played(offered, "pass") if offered.turn == 0 else offered
    assert answer(offered, level) in ((TAKE,) if takes else (PASS,))


def test_hard_slips_where_it_matters_little_and_the_networks_alone_never_do(monkeypatch):
    state = played(dealt(first=LOST, upcard="AD", stock="JC"), "draw")
    assert 1 < len({answer(state, "hard", seed) for seed in range(40)}) < 8
    monkeypatch.setattr(import_module("games.bots.gin.hard"), "SLIP", 0)
    assert len({answer(state, "hard", seed) for seed in range(20)}) == 1


def test_hard_counts_on_gin_rather_than_knock_at_once():
    """With one card missing, many to draw it from, and little to lose by an undercut now."""
    hand = "AC 2C 3C 7D 7H 7S 9H TH JH AS"
    state = played(
        dealt(RESEARCH, first=hand, second=LOST, upcard="KC", stock="KD"), "pass", "pass", "draw"
    )
    assert Knock("KD") in gin.legal_actions(state)
    assert answer(state, "hard") == Discard("KD")
