"""What is worth a look in Basic Rummy, and what it comes to in deals guessed from a view."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import mean

import pytest
from msgspec.structs import replace

from games.bots import advice, at_random
from games.bots.rummy import BOTS, expert, hard
from games.bots.rummy.advice import candidates, roll_outs
from games.bots.rummy.guesses import guessed
from games.engine import rummy
from games.engine.cards import PACK, card_set, value
from games.engine.game import DEALER
from games.engine.melds import deadwood, leftovers
from games.engine.rummy import DRAW, TAKE, Discard, Meld, View
from tests.bots.test_rummy import ONE_DEAL, played_out
from tests.bots.test_rummy_playout import some_options
from tests.engine.rummy_decks import CLASSIC, amid

LEVELS = [*BOTS.values(), at_random]


def positions(matches: int) -> Iterator[rummy.State]:
    """Whatever seats come to in matches of all kinds of bots under all kinds of options."""
    for seed in range(matches):
        rng = Random(seed)
        bots = [rng.choice(LEVELS) for _ in range(2 + seed % 3)]
        options = replace(some_options(rng), max_deals=2)
        for state in played_out(options, bots, seed):
            if state.turn not in (None, DEALER):
                yield state


def views(matches: int) -> Iterator[View]:
    for state in positions(matches):
        assert state.turn is not None
        yield rummy.view(state, state.turn)


def test_a_guess_looks_to_its_seat_as_the_deal_does_and_has_each_card_once():
    count = 0
    for view in views(120):
        assert view.turn is not None
        guess = guessed(view, Random(count))
        assert rummy.view(guess, view.turn) == view
        piles = [*guess.stock, *guess.discards]
        everywhere = [*guess.hands, *guess.table, *(1 << card for card in piles)]
        assert sum(everywhere) == PACK
        assert sum(map(int.bit_count, everywhere)) == 52
        count += 1
    assert count > 5000


def test_guesses_differ_in_what_is_hidden():
    view = next(views(1))
    assert view.turn is not None
    guesses = [guessed(view, Random(seed)) for seed in range(20)]

    assert len({guess.hands for guess in guesses}) == 20
    assert len({guess.stock for guess in guesses}) == 20


@pytest.mark.parametrize("seats", [2, 4])
def test_hands_are_guessed_about_as_good_as_those_of_hard(seats):
    """Their points, points outside melds, and cards that a turn would leave."""
    held, guesses = [], []
    for seed in range(120 // seats):
        for state in played_out(ONE_DEAL, [hard] * seats, seed):
            if state.turn not in (None, DEALER) and state.phase == "draw":
                guess = guessed(rummy.view(state, state.turn), Random(seed))
                for seat in {*range(seats)} - {state.turn}:
                    held.append(measures(state, seat))
                    guesses.append(measures(guess, seat))
    for truth, guess in zip(zip(*held, strict=True), zip(*guesses, strict=True), strict=True):
        assert mean(guess) == pytest.approx(mean(truth), rel=0.15)


def test_who_has_tabled_is_hardly_ever_thought_to_hold_what_it_would_have_tabled():
    """But for what it was seen to take."""
    could = []
    for seed in range(40):
        for state in played_out(ONE_DEAL, [hard] * 3, seed):
            if state.turn not in (None, DEALER) and state.phase == "draw":
                guess = guessed(rummy.view(state, state.turn), Random(seed))
                for seat in {*range(3)} - {state.turn}:
                    hand = guess.hands[seat]
                    if state.melds_laid[seat] and not state.taken[seat]:
                        could.append(leftovers(hand, state.table) != {hand})
    assert len(could) > 100
    assert mean(could) < 0.1


def measures(state: rummy.State, seat: int) -> tuple[int, int, int]:
    hand = state.hands[seat]
    left = min(map(int.bit_count, leftovers(hand, state.table)))
    return value(hand), deadwood(hand), left


def test_candidates_are_legal_few_and_with_what_expert_does():
    for number, view in enumerate(views(40)):
        found = candidates(view, Random(number))
        assert set(found) <= set(view.legal)
        assert found[0] == expert(view, Random(number))
        assert len(set(found)) == len(found) <= 6
        assert len(found) > 1 or len(view.legal) == 1


def test_advice_is_the_best_few_with_points_and_reasons():
    for view in islice(views(4), 0, None, 53):
        found = advice.advise("rummy", view, Random(1), 4)
        assert found == advice.advise("rummy", view, Random(1), 4)
        assert 1 <= len(found) <= 3
        points = [one.points for one in found[1:]]
        assert points == sorted(points, reverse=True)
        assert all(one.action in view.legal and one.reason for one in found)


def test_roll_outs_have_a_row_for_each_guess_and_are_the_same_again():
    for view in islice(views(6), 0, None, 97):
        found = candidates(view, Random(1))
        points = roll_outs(view, found, Random(2), 3)
        assert points.shape == (3, len(found))
        assert (points == roll_outs(view, found, Random(2), 3)).all()


def test_a_column_does_not_depend_on_the_other_actions():
    view = next(islice(views(1), 12, None))
    actions = candidates(view, Random(1))
    points = roll_outs(view, actions, Random(2), 4)
    for column, action in enumerate(actions):
        assert (roll_outs(view, [action], Random(2), 4)[:, 0] == points[:, column]).all()


def test_who_goes_out_now_wins_what_the_others_hold_doubled():
    state = amid(CLASSIC, "5H 6H 7H 8H 9C 9D 9S KD KS 2D", *HIDDEN, tabled=False, pile="KH")
    view = rummy.view(rummy.apply(state, TAKE), 0)
    guess = guessed(view, Random(1))

    points = roll_outs(view, [Meld(("KD", "KH", "KS"))], Random(1), 1)

    assert points == 2 * sum(map(value, guess.hands[1:]))


HIDDEN = ("TC TD JS QC QD 3H AC", "AD AS 4H 4C 6D 6C JH")


def test_a_deal_lost_costs_its_share_of_what_is_in_hand():
    """Bob was seen to take 8H, his last card, and will lay it off; what one keeps is his."""
    state = amid(
        CLASSIC,
        "KD QS 2C",
        "8H",
        "3D 4S",
        table=("5H 6H 7H",),
        stock="JC 9D",
        taken=(0, card_set(["8H"]), 0),
    )
    view = rummy.view(rummy.apply(state, DRAW), 0)
    guess = guessed(view, Random(1))
    eves = value(guess.hands[2])

    (points,) = roll_outs(view, [Discard("2C"), Discard("KD")], Random(1), 1)

    assert points.tolist() == [-(30 + eves) / 2, -(22 + eves) / 2]
