"""What is worth a look in Pyramid, and what it comes to."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random

from msgspec.structs import replace

from games import coach
from games.bots import advice, at_random
from games.bots.pyramid import BOTS
from games.bots.pyramid.advice import candidates, looked_through, roll_outs
from games.bots.pyramid.guesses import guessed
from games.bots.pyramid.worth import NEAR, worth
from games.engine import pyramid
from games.engine.game import DEALER
from games.engine.pyramid import DRAW, NEXT_ROUND, REDEAL, UNDO, Options, Remove, View
from tests.engine.pyramid_decks import amid

LEVELS = [BOTS["easy"], BOTS["medium"], BOTS["hard"], at_random]


def some_options(rng: Random) -> Options:
    """The standard ones every other time."""
    if rng.random() < 0.5:
        return Options()
    return Options(
        redeals=rng.randrange(4),
        overlap=rng.random() < 0.5,
        after_clear=rng.choice(["finish_deal", "all_deals", "end_now"]),
        next_round=rng.choice(["after_draw", "at_once"]),
        practice=rng.random() < 0.5,
    )


def positions(matches: int, rounds: int = 2) -> Iterator[pyramid.State]:
    """Whatever the player comes to in matches of bots under all kinds of options."""
    for seed in range(matches):
        rng = Random(seed)
        bot, state, moves = LEVELS[seed % 4], pyramid.new(some_options(rng), 1), 0
        while state.turn is not None and state.deal <= rounds and moves < 400:
            if state.turn == DEALER:
                order = list(pyramid.to_shuffle(state))
                rng.shuffle(order)
                state = pyramid.apply(state, pyramid.dealer_action(state, tuple(order), 0))
                continue
            yield state
            state, moves = pyramid.apply(state, bot(pyramid.view(state, 0), rng)), moves + 1


def views(matches: int) -> Iterator[View]:
    return (pyramid.view(state, 0) for state in positions(matches))


def test_a_guess_looks_as_the_round_does_and_has_each_card_once():
    count = 0
    for view in views(80):
        guess = guessed(view, Random(count))
        assert pyramid.view(guess, 0) == view
        laid = [card for card in guess.pyramid if card >= 0]
        assert sorted([*laid, *guess.draw, *guess.waste, *guess.removed]) == [*range(52)]
        count += 1
    assert count > 4000


def test_guesses_differ_in_the_order_of_what_is_unseen():
    view = next(views(1))
    assert len({guessed(view, Random(seed)).draw for seed in range(20)}) == 20


def test_candidates_are_legal_few_and_with_what_expert_does():
    for number, view in enumerate(views(10)):
        found = candidates(view, Random(number))
        assert {*found} <= {*view.legal} - {UNDO}
        assert found[0] == BOTS["expert"](view, Random(number))
        assert len({*found}) == len(found) <= 6
        assert len(found) > 1 or len([a for a in view.legal if a != UNDO]) == 1


def test_advice_is_the_best_few_with_points_and_reasons():
    for view in islice(views(4), 0, None, 53):
        found = advice.advise("pyramid", view, Random(1), 4)
        assert found == advice.advise("pyramid", view, Random(1), 4)
        assert 1 <= len(found) <= 3
        points = [one.points for one in found[1:]]
        assert points == sorted(points, reverse=True)
        assert all(one.action in view.legal and one.reason for one in found)


def test_roll_outs_have_a_row_for_each_guess_or_one_where_all_is_known():
    for view in islice(views(12), 0, None, 41):
        found = candidates(view, Random(1))
        points = roll_outs(view, found, Random(2), 3)
        assert points.shape == (3 if None in view.draw else 1, len(found))
        assert (points == roll_outs(view, found, Random(2), 3)).all()


def test_an_undo_is_worth_what_can_be_done_here_since_that_can_be_done_again():
    for view in islice((view for view in views(12) if UNDO in view.legal), 0, None, 60):
        others = [action for action in view.legal if action != UNDO]
        points = roll_outs(view, [UNDO, *others], Random(1), 2)
        assert (points[:, 0] == points[:, 1:].max(axis=1)).all()


# The rest of a round


def test_the_rest_of_a_round_is_never_thought_to_bring_more_than_it_can():
    """Every way tried, where few cards are left; nearly always the search finds the best."""
    found = []
    for state in positions(60):
        cards = sum(card >= 0 for card in state.pyramid) + len(state.draw) + len(state.waste)
        plain = state.options.after_clear == "finish_deal" and not state.options.practice
        if cards <= 14 and plain and pyramid.revealed(state) == pyramid.view(state, 0):
            most = best(state)
            assert worth(state) <= most
            found.append(worth(state) == most)
    assert len(found) > 150
    assert sum(found) / len(found) > 0.95


def best(state: pyramid.State) -> int:
    """The most points that the rest of a round can bring."""
    plain = replace(state, last_seat=None, last_action=None, last_card=None, result=None)
    plain = replace(plain, removed=tuple(sorted(plain.removed)))
    return _best(replace(plain, points=0, scores=(0,)))


@lru_cache(maxsize=100_000)
def _best(state: pyramid.State) -> int:
    ways = [action for action in pyramid.legal_actions(state) if action != NEXT_ROUND]
    after = [pyramid.apply(state, action) for action in ways]
    return max((one.points - state.points + best(one) for one in after), default=0)


def test_clearing_brings_the_bonus_of_the_round():
    state = amid(places="--", draw="2C JC 5D", waste="KD", deal=3)
    assert worth(state) == 30
    state = amid(places="2D", draw="JC 5D", waste="KD", deal=3)
    assert worth(state) == 330


def test_what_is_done_now_counts_with_the_rest():
    """A king and the last pair, and the bonus; drawn over, the king is gone for good."""
    state = amid(Options(redeals=0), places="2D", draw="5H JC", waste="KD")
    view = pyramid.view(state, 0)
    assert roll_outs(view, [Remove(("KD",)), DRAW], Random(1), 1).tolist() == [[130, 120]]


def test_the_next_round_is_no_part_of_this_one():
    options = Options(next_round="at_once")
    view = pyramid.view(amid(options, places="--", draw="2C JC", waste="KD 9S"), 0)
    assert roll_outs(view, [NEXT_ROUND, DRAW], Random(1), 1).tolist() == [[0, 20]]


FIRST_PASS = amid(
    places="2D 3H 4S QC JC TD 9H 8D KS AC",
    draw="2C 5C 6H 7D 8C",
    waste="9D 5S",
)


LEFT = "8C 6C 7D 8D -- 5D 3D -- -- -- TH -- -- -- -- 5S"
LAST_CARD = pyramid.view(
    amid(Options(redeals=1), places=LEFT, draw="8H", waste="3S JD TC 9C 2S AC 9H"), 0
)
PAIR = Remove(("8H", "5S"))


def test_the_last_card_put_on_the_waste_can_be_taken_from_there_at_once():
    """Its pair is neither lost nor left for the next pass: nothing is unseen any more."""
    ((taken, put),) = roll_outs(LAST_CARD, [PAIR, DRAW], Random(1), 1)
    assert taken == put
    assert coach.compared("pyramid", LAST_CARD, DRAW, "any")[2] is False


def test_who_draws_a_card_over_can_still_do_with_it_what_was_possible_before():
    count = 0
    for view in islice(views(24), 0, None, 7):
        for action in view.legal:
            uses = action.cards if isinstance(action, Remove) else ()
            if view.draw and view.draw[0] in uses and not {*view.waste[-1:]} & {*uses}:
                taken, put = roll_outs(view, [action, DRAW], Random(1), 3).mean(axis=0)
                assert put >= taken
                count += 1
    assert count > 20


def test_the_rest_of_the_first_pass_is_only_looked_through():
    """Nobody is thought to know what is unseen before it has been seen."""
    view = pyramid.view(FIRST_PASS, 0)
    assert len(view.legal) > 2
    rng, state = Random(1), guessed(view, Random(1))
    for action, points in zip(view.legal, roll_outs(view, view.legal, rng, 1)[0], strict=True):
        after = pyramid.apply(state, action)
        known = looked_through(after)
        assert points == after.points - state.points + worth(known, NEAR)
        assert known.draw == (*after.waste, *after.draw)
        assert (known.waste, known.redeals) == ((), 1)


def test_without_a_redeal_a_guess_is_played_as_it_lies():
    """2D needs a jack: drawn under, JC is gone for good, unless JD is yet to come."""
    state = amid(Options(redeals=0), places="2D", draw="JC 4S JD")
    view = pyramid.view(state, 0)
    points = roll_outs(view, [DRAW], Random(3), 40)
    assert {*points[:, 0]} == {120}
    assert REDEAL not in view.legal
