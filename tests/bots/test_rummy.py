"""The bots of Basic Rummy: what each does, and that each beats the one before."""

import statistics
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.bots import at_random
from games.bots.rummy import BOTS, easy, expert, hard, medium
from games.bots.rummy.throws import PAIRS
from games.engine import rummy
from games.engine.cards import NAMES
from games.engine.game import DEALER
from games.engine.rummy import DRAW, TAKE, Discard, LayOff, Meld, Options
from tests.engine.rummy_decks import CLASSIC, LOST, READY, action, amid, dealt, played

ONE_DEAL = Options(max_deals=1)


def played_out(options: Options, bots: list[Any], seed: int) -> Iterator[rummy.State]:
    """The states of a match of bots. The first deck depends on the seed alone."""
    state, decks, rng = rummy.new(options, len(bots)), Random(seed), Random(seed)
    while state.turn is not None:
        if state.turn == DEALER:
            order = list(rummy.to_shuffle(state))
            decks.shuffle(order)
            state = rummy.apply(state, rummy.dealer_action(state, tuple(order), 0))
        else:
            view = rummy.view(state, state.turn)
            chosen = bots[state.turn](view, rng)
            assert chosen in view.legal
            state = rummy.apply(state, chosen)
        yield state


def margins(bot: Any, others: Any, seats: int, deals: int) -> list[float]:
    """For each deck, the points of a bot over the mean of the others, in every seat once."""
    found = []
    for seed in range(deals):
        for seat in range(seats):
            bots = [bot if s == seat else others for s in range(seats)]
            scores = list(played_out(ONE_DEAL, bots, seed))[-1].scores
            found.append(scores[seat] - (sum(scores) - scores[seat]) / (seats - 1))
    return [statistics.mean(found[n : n + seats]) for n in range(0, len(found), seats)]


@pytest.mark.parametrize(
    ("better", "worse", "seats", "deals"),
    [
        (easy, at_random, 2, 30),
        (easy, at_random, 4, 20),
        (medium, easy, 2, 400),
        (medium, easy, 3, 100),
        (medium, easy, 4, 100),
        (hard, medium, 2, 100),
        (hard, medium, 3, 60),
        (hard, medium, 4, 60),
        (expert, medium, 2, 60),
        (expert, medium, 4, 40),
    ],
)
def test_each_level_beats_the_one_below(better, worse, seats, deals):
    """By more than twice the standard error of its mean margin. For `expert` against `hard`
    that takes thousands of deals: docs/bots.md tells of them."""
    found = margins(better, worse, seats, deals)
    error = statistics.stdev(found) / len(found) ** 0.5
    assert statistics.mean(found) > 2 * error


OPTIONS = st.builds(
    Options,
    max_deals=st.just(1),
    max_melds_per_turn=st.sampled_from((None, None, 1, 2)),
    layoff_needs_meld=st.booleans(),
    last_card_exempt=st.booleans(),
    must_discard_to_go_out=st.booleans(),
    restock=st.sampled_from(("shuffle_keep_top", "turn_over")),
    max_restocks=st.integers(0, 2),
    going_rummy=st.sampled_from(("double", "plus10", "off")),
    show_discards=st.booleans(),
)


@given(OPTIONS, st.lists(st.sampled_from([*BOTS.values(), at_random]), min_size=2, max_size=4))
@settings(max_examples=100)
def test_bots_always_answer_a_legal_action_and_end_a_match_under_any_options(options, bots):
    assert list(played_out(options, bots, seed=len(bots)))[-1].places


def test_a_bot_does_not_see_what_its_seat_may_not_know():
    """Other hands and another order of the stock: the same answers to the same view."""
    for seed in range(20):
        for state in played_out(ONE_DEAL, [hard, medium, easy], seed):
            if state.turn not in (None, DEALER):
                other = renamed(state, state.turn, Random(seed))
                views = [rummy.view(s, state.turn) for s in (state, other)]
                assert views[0] == views[1]
                bot = [hard, medium, easy][state.turn]
                assert bot(views[0], Random(1)) == bot(views[1], Random(1))


def renamed(state: rummy.State, seat: int, rng: Random) -> rummy.State:
    """The same state to one seat: stock and the unknown cards of others dealt otherwise."""
    others = [s for s in range(len(state.hands)) if s != seat]
    unknown = [state.hands[s] & ~state.taken[s] for s in others]
    pool = [*state.stock, *(card for hand in unknown for card in rummy.members(hand))]
    rng.shuffle(pool)
    hands = list(state.hands)
    for s, hand in zip(others, unknown, strict=True):
        hands[s] = state.taken[s] | sum(1 << pool.pop() for _ in range(hand.bit_count()))
    return replace(state, hands=tuple(hands), stock=tuple(pool))


# What each does


def choice(bot: Any, state: rummy.State) -> rummy.Action:
    assert state.turn is not None
    chosen: rummy.Action = bot(rummy.view(state, state.turn), Random(1))
    return chosen


def turn(bot: Any, state: rummy.State) -> rummy.State:
    """The rest of the turn of the seat to move, by a bot."""
    seat, deal = state.turn, state.result
    while state.turn == seat and state.result is deal:
        state = rummy.apply(state, choice(bot, state))
    return state


every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)


@every_bot
@pytest.mark.parametrize(
    ("top", "answer"),
    [("9H", TAKE), ("8H", TAKE), ("KS", DRAW), ("6C", DRAW)],
    ids=["meld", "lay-off", "nothing", "pair"],
)
def test_the_top_discard_is_taken_when_it_can_be_tabled(bot, top, answer):
    state = amid(CLASSIC, "9C 9D 6S 2D KD", "3D 4C", table=("5H 6H 7H",), pile=top)
    assert choice(bot, state) == answer


@every_bot
def test_a_card_that_could_only_be_laid_off_is_left_while_one_may_not(bot):
    options = Options(layoff_needs_meld=True)
    hands, table = ("9C 2D KD", "3D 4C"), ("5H 6H 7H",)
    assert choice(bot, amid(options, *hands, table=table, pile="8H", tabled=False)) == DRAW
    assert choice(bot, amid(options, *hands, table=table, pile="8H")) == TAKE


@every_bot
def test_whoever_can_go_out_goes_out(bot):
    state = amid(CLASSIC, "8H TC TD TH 3S 4S", "3D 4C", table=("5H 6H 7H",), stock="5S")
    assert turn(bot, played(state, "draw")).result.winner == 0
    rummies = dealt(CLASSIC, READY, LOST, upcard="9D", stock="4C")
    assert turn(bot, played(rummies, "draw")).result.ending == "rummy"


@pytest.mark.parametrize("bot", [easy, medium])
def test_easy_and_medium_table_at_once(bot):
    state = dealt(CLASSIC, "AC 2C 3C 7D 7H 7S TH JH KD 5S", LOST, upcard="9D", stock="4H")
    after = turn(bot, played(state, "draw"))
    assert after.melds_laid == (2, 0)


KINGS = (Discard("KC"), Discard("KD"))


def test_easy_throws_its_highest_card_even_of_a_pair():
    state = played(amid(CLASSIC, "KC KD 9S 2C", "3D 4C", pile="AS", stock="5D"), "draw")
    assert choice(easy, state) in KINGS


@pytest.mark.parametrize("bot", [medium, hard])
def test_medium_and_hard_keep_a_pair_and_throw_what_has_no_friend(bot):
    state = played(amid(CLASSIC, "KC KD 9S 2C", "3D 4C", pile="AS", stock="5D"), "draw")
    assert choice(bot, state) == Discard("9S")


@pytest.mark.parametrize("bot", [medium, hard])
def test_a_pair_whose_fellows_are_on_the_table_is_worth_nothing(bot):
    """Of two pairs the dearer goes, unless the other can no longer become a meld."""
    hands, cards = ("KC KD 8S", "3D 4C"), {"stock": "8C", "pile": "AS"}
    assert choice(bot, played(amid(CLASSIC, *hands, **cards), "draw")) in KINGS
    gone = amid(CLASSIC, *hands, table=("8D 9D TD", "8H 9H TH"), **cards)
    assert choice(bot, played(gone, "draw")) in (Discard("8C"), Discard("8S"))


@pytest.mark.parametrize("bot", [medium, hard])
def test_the_next_seat_is_not_fed_what_goes_with_the_cards_it_took(bot):
    """Seat 1 was seen to take two nines: the nine is kept though it is the dearest."""
    hands = ("9S 5C 2H", "9C 9D 3D 4C")
    state = amid(CLASSIC, *hands, pile="AS", stock="QD", tabled=False)
    state = played(replace(state, taken=(0, rummy.card_set(["9C", "9D"]))), "draw")
    assert choice(bot, state) != Discard("9S")
    unseen = played(replace(state, taken=(0, 0), phase="draw", now=None), "draw")
    assert Discard("9S") in rummy.legal_actions(unseen)


def test_hard_holds_its_melds_at_the_start_of_a_deal():
    state = dealt(CLASSIC, "AC 2C 3C 7D 7H 7S TH JH KD 5S", LOST, upcard="9D", stock="4H")
    after = turn(hard, played(state, "draw"))
    assert (after.melds_laid, after.turn) == ((0, 0), 1)
    assert after.hands[0] & rummy.card_set(["AC", "2C", "3C", "7D", "7H", "7S"])


def holding(others: str, hand: str = "2C 3C 4C 9D KD 6S JS QC", **changes: Any) -> bool:
    """Whether hard keeps its run in hand, against seats with these cards."""
    fields = {"melds_laid": (0, 1), "stock": "AS", "pile": "TD", **changes}
    state = amid(changes.pop("options", CLASSIC), hand, others, **fields)
    return not isinstance(choice(hard, played(state, "draw")), Meld)


def test_hard_tables_when_another_who_has_tabled_is_nearly_out():
    assert holding("3D 8C 5H TS 7H")
    assert not holding("3D")


def test_hard_has_less_reason_to_hold_once_it_has_tabled_something():
    close = "2C 3C 4C 9D 9S"
    assert holding("3D KH KS", close, layoffs_made=(0, 0))
    assert not holding("3D KH KS", close, layoffs_made=(1, 0))


def test_hard_does_not_hold_where_only_some_melds_may_be_laid_in_a_turn():
    state = amid(Options(max_melds_per_turn=1), "2C 3C 4C 9D KD 6S JS", "3D 8C 5H TS 7H")
    assert isinstance(choice(hard, played(state, "draw")), Meld)


def test_hard_does_not_hold_for_points_that_it_no_longer_needs():
    """Two short of the target, single points win the match as well as double ones."""
    state = amid(CLASSIC, "TC JC QC 9D", "3D KH KS", melds_laid=(0, 1), stock="AS")
    state = played(state, "draw")
    assert not isinstance(choice(hard, state), Meld)
    assert isinstance(choice(hard, replace(state, scores=(98, 0))), Meld)


def test_expert_keeps_the_card_with_which_most_others_would_let_it_go_out():
    """With 7H or 9H, 8H joins a run. Hard looks at loose cards only, and throws the dearest."""
    hands = ("4H 5H 6H TH JH QH 8H 2D", "3D 8C 5C TS 6D AH 9C")
    state = played(amid(CLASSIC, *hands, stock="3S", pile="AS", tabled=False), "draw")
    assert choice(hard, state) == Discard("8H")
    assert choice(expert, state) in (Discard("2D"), Discard("3S"))


def test_expert_counts_only_cards_that_may_still_come():
    """One of the two lies on the table, the other on the pile."""
    hands = ("4H 5H 6H TH JH QH 8H 2D", "3D 8C 5C TS 6D AH")
    state = amid(CLASSIC, *hands, stock="3S", pile="7H", table=("9C 9D 9H",), tabled=False)
    assert choice(expert, played(state, "draw")) == Discard("8H")


@pytest.mark.parametrize("bot", [medium, hard])
def test_the_way_to_the_fewest_cards_may_lead_through_a_dear_cards_lay_off(bot):
    """TS goes on the run, where 9S follows it; on the set it would leave 9S in hand."""
    melds = ("JS QS KS", "TC TD TH")
    state = amid(CLASSIC, "TS 9S 2D", "3D 4C", table=melds, stock="5C", pile="7H")
    after = turn(bot, played(state, "draw"))
    assert rummy.view(after, 0).table[0] == ("9S", "TS", "JS", "QS", "KS")


def test_easy_lays_the_dearest_meld_first():
    state = dealt(CLASSIC, "AC 2C 3C TD TH TS 5H 9C KD 5S", LOST.replace("TD", "7C"), stock="QC")
    assert choice(easy, played(state, "draw")) == action("meld TD TH TS")


def test_easy_lays_off_what_fits():
    state = amid(CLASSIC, "8H 2D KD", "3D 4C", table=("5H 6H 7H",), stock="QC")
    assert choice(easy, played(state, "draw")) == LayOff("8H", 0)


def test_every_card_has_the_pairs_that_make_a_meld_with_it():
    named = {" ".join(rummy.names(pair)) for pair in PAIRS[NAMES.index("QS")]}
    assert named == {"QC QD", "QC QH", "QD QH", "TS JS", "JS KS"}
