"""Every sentence of the rules of Basic Rummy, by scripted deals.

The first hand is seat 0's and begins, unless a test says otherwise. READY lacks one card in melds;
LOST has no meld, fits nothing of READY's, and counts 68.
"""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from games.engine import rummy
from games.engine.cards import INDEX, NAMES, names
from games.engine.game import DEALER, IllegalAction
from games.engine.rummy import DRAW, TAKE, Discard, LayOff, Meld, Options
from tests.engine.rummy_decks import (
    CLASSIC,
    LOST,
    READY,
    action,
    amid,
    cards,
    dealt,
    every_card,
    played,
    restocked,
)

STOCK = "KD KC JS"
SEVEN = "AC 2C 3C 7D 7H 7S 5S"
LOST_1 = "2D 4D 6D 8D TD QD 9S"  # 49
LOST_2 = "2H 4H 6H 8H JH KH 3S"  # 43
LOST_3 = "5C 8C TC QC KC 9D JS"  # 62


def ready(options: Options = CLASSIC, **changes) -> rummy.State:
    """Two seats: seat 0 holds READY with KD on top of the stock, seat 1 holds LOST."""
    first, second = changes.pop("first", READY), changes.pop("second", LOST)
    return dealt(options, first, second, **{"upcard": "9D", "stock": STOCK, **changes})


def three(options: Options = CLASSIC, **changes) -> rummy.State:
    return dealt(options, SEVEN, LOST_1, LOST_2, **{"upcard": "9D", "stock": "KD", **changes})


def refused(state: rummy.State, line: str) -> str:
    """The rule that an action breaks."""
    with pytest.raises(IllegalAction) as refusal:
        played(state, line)
    return refusal.value.rule


def ended(state: rummy.State) -> tuple[str, tuple[int, ...]]:
    """How the last deal ended, and its points."""
    assert state.result is not None
    return state.result.ending, state.result.points


def of_type(state: rummy.State, kind: type) -> list:
    return [action for action in rummy.legal_actions(state) if isinstance(action, kind)]


def table(state: rummy.State) -> list[str]:
    return [" ".join(names(meld)) for meld in state.table]


def top_drawn_and_thrown(state: rummy.State, turns: int) -> rummy.State:
    """So many turns in which the card drawn from the stock is thrown."""
    for _ in range(turns):
        state = played(state, "draw", f"discard {NAMES[state.stock[0]]}")
    return state


# 1. The deal


@pytest.mark.parametrize(("seats", "hand", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23)])
def test_ten_cards_for_two_seats_seven_for_more_one_face_up_the_rest_is_stock(seats, hand, stock):
    state = rummy.apply(rummy.new(CLASSIC, seats), rummy.Deal(0, NAMES))
    assert [cards.bit_count() for cards in state.hands] == [hand] * seats
    assert (len(state.discards), len(state.stock)) == (1, stock)
    assert sorted(every_card(state)) == list(range(52))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_seat_to_the_dealers_left_begins_and_its_hand_is_first_in_the_pack(seats):
    size = rummy.HANDS[seats]
    for dealer in range(seats):
        state = rummy.apply(rummy.new(CLASSIC, seats), rummy.Deal(dealer, NAMES))
        assert state.turn == (dealer + 1) % seats
        in_turn = [(dealer + 1 + n) % seats for n in range(seats)]
        for place, seat in enumerate(in_turn):
            assert names(state.hands[seat]) == NAMES[size * place : size * (place + 1)]
        assert state.discards == (size * seats,)
        assert state.stock == tuple(range(size * seats + 1, 52))


def test_turns_go_to_the_left():
    state, turns = three(), []
    for _ in range(4):
        turns.append(state.turn)
        state = top_drawn_and_thrown(state, 1)
    assert turns == [0, 1, 2, 0]


def test_the_first_dealer_is_drawn_by_lot_and_stands_in_the_dealers_action():
    for lot in range(3):
        assert rummy.dealer_action(rummy.new(CLASSIC, 3), NAMES, lot) == rummy.Deal(lot, NAMES)


def test_later_dealers_are_not_drawn_by_lot():
    state = stalemate(three(Options(max_restocks=0)))
    assert rummy.dealer_action(state, NAMES, lot=2) == rummy.Deal(0, NAMES)


def test_every_deal_shuffles_the_whole_pack():
    assert rummy.to_shuffle(rummy.new(CLASSIC, 4)) == NAMES
    assert rummy.to_shuffle(stalemate(three(Options(max_restocks=0)))) == NAMES


# 2. A turn


def test_a_turn_begins_with_a_draw_from_the_stock_or_the_pile():
    assert rummy.legal_actions(ready()) == (DRAW, TAKE)
    for line in ("discard 5S", "meld AC 2C 3C", "lay off 5S on 0"):
        assert refused(ready(), line) == "draw-first"


def test_the_stock_gives_its_top_card_and_the_pile_its_last():
    assert played(ready(), "draw").hands[0] >> INDEX["KD"] & 1
    assert played(ready(), "take").hands[0] >> INDEX["9D"] & 1
    second = top_drawn_and_thrown(ready(), 1)
    assert played(second, "draw").hands[1] >> INDEX["KC"] & 1
    assert played(second, "take").hands[1] >> INDEX["KD"] & 1


def test_exactly_one_card_is_drawn():
    for draw in ("draw", "take"):
        state = played(ready(), draw)
        assert refused(state, "draw") == "already-drawn"
        assert refused(state, "take") == "already-drawn"


def test_a_turn_may_end_at_once_with_a_discard():
    state = played(ready(), "draw", "discard KD")
    assert (state.turn, NAMES[state.discards[-1]]) == (1, "KD")
    assert rummy.legal_actions(state) == (DRAW, TAKE)


def test_after_the_draw_melds_and_lay_offs_come_in_any_number_and_order():
    state = amid(CLASSIC, "AC 2C 3C 8H KC KD KH 4C", "2D", table=("5H 6H 7H",), stock="9H")
    state = played(state, "draw", "lay off 8H on 0", "meld AC 2C 3C", "lay off 9H on 0")
    state = played(state, "lay off 4C on 1", "meld KC KD KH")
    assert table(state) == ["5H 6H 7H 8H 9H", "AC 2C 3C 4C", "KC KD KH"]


def test_legal_lists_melds_by_first_card_then_lay_offs_by_meld_then_discards():
    state = played(amid(CLASSIC, "9C 9D 9S 8H 4H", "2D", table=("5H 6H 7H",), pile="9H"), "take")
    assert rummy.legal_actions(state) == (
        action("meld 9C 9D 9H"),
        action("meld 9C 9D 9S"),
        action("meld 9C 9H 9S"),
        action("meld 9C 9D 9H 9S"),
        action("meld 9D 9H 9S"),
        action("lay off 4H on 0"),
        action("lay off 8H on 0"),
        *(Discard(card) for card in ("9C", "9D", "4H", "8H", "9S")),
    )


def test_discarding_the_card_just_drawn_from_the_stock_is_legal():
    assert NAMES[played(ready(), "draw", "discard KD").discards[-1]] == "KD"


def test_a_card_not_in_hand_cannot_be_discarded():
    assert refused(played(ready(), "draw"), "discard KS") == "not-in-hand"


# 3. Melds


def test_one_meld_action_lays_one_meld():
    state = played(ready(), "draw", "meld AC 2C 3C")
    assert (table(state), state.hands[0].bit_count(), state.turn) == (["AC 2C 3C"], 8, 0)
    assert refused(state, "meld 7D 7H 7S TH JH QH") == "no-meld"


def test_every_part_of_a_run_and_every_three_of_four_can_be_melded():
    state = played(amid(CLASSIC, "4C 5C 6C 7C KD", "2D", stock="KS"), "draw")
    assert of_type(state, Meld) == [
        action("meld 4C 5C 6C"),
        action("meld 4C 5C 6C 7C"),
        action("meld 5C 6C 7C"),
    ]
    state = played(amid(CLASSIC, "4C 4D 4H KD", "2D", stock="4S"), "draw")
    assert len(of_type(state, Meld)) == 5


def test_a_run_may_be_as_long_as_the_hand():
    hand = "3D 4D 5D 6D 7D 8D 9D TD JD QD"
    state = played(ready(first=hand, second="", upcard="2S"), "draw")
    assert Meld(("3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD")) in of_type(
        state, Meld
    )


@pytest.mark.parametrize(
    "meld", ["KC KD AD", "QS KS AS", "KS AS 2S", "QS KS AS 2S", "AC 2C 4C", "AC AC AC", "KC KD KC"]
)
def test_no_meld(meld):
    state = played(amid(CLASSIC, "KC KD AD QS KS AS 2S AC 2C", "2D", stock="4C"), "draw")
    assert refused(state, f"meld {meld}") == "no-meld"
    assert Meld(tuple(meld.split())) not in rummy.legal_actions(state)


def test_the_ace_is_low():
    state = played(amid(CLASSIC, "AS 2S 3S QS KS", "2D", stock="4C"), "draw")
    assert of_type(state, Meld) == [action("meld AS 2S 3S")]


def test_a_meld_must_be_in_hand():
    assert refused(played(ready(), "draw"), "meld 2C 3C 4C") == "not-in-hand"


def test_a_second_meld_that_needs_a_card_already_tabled_is_refused_and_nothing_changes():
    before = played(amid(CLASSIC, "5H 6H 7H 7C 7D KS", "2D", stock="KD"), "draw", "meld 5H 6H 7H")
    assert refused(before, "meld 7C 7D 7H") == "already-tabled"
    assert table(before) == ["5H 6H 7H"]
    assert before == played(
        amid(CLASSIC, "5H 6H 7H 7C 7D KS", "2D", stock="KD"), "draw", "meld 5H 6H 7H"
    )
    assert of_type(before, Meld) == []


def test_any_number_of_melds_a_turn_unless_the_option_limits_it():
    lines = ("draw", "meld AC 2C 3C", "meld 7D 7H 7S")
    assert len(played(ready(), *lines, "meld TH JH QH").table) == 3
    two = played(ready(Options(max_melds_per_turn=2)), *lines)
    assert of_type(two, Meld) == []
    assert refused(two, "meld TH JH QH") == "meld-limit"


def test_the_limit_of_melds_is_for_each_turn_anew_and_not_for_lay_offs():
    options = Options(max_melds_per_turn=1)
    state = played(ready(options, stock="4C"), "draw", "meld AC 2C 3C", "lay off 4C on 0")
    assert refused(state, "meld 7D 7H 7S") == "meld-limit"
    state = top_drawn_and_thrown(played(state, "discard 5S"), 1)
    assert played(state, "draw", "meld 7D 7H 7S").melds_laid == (2, 0)


# 4. Lay-offs

ON_TABLE = ("5H 6H 7H", "9C 9D 9H")


def test_a_lay_off_adds_a_card_that_keeps_the_named_meld_valid():
    state = amid(CLASSIC, "8H 4H 9S KD", "2D", table=ON_TABLE, pile="2S", stock="KC")
    state = played(state, "draw")
    assert of_type(state, LayOff) == [LayOff("4H", 0), LayOff("8H", 0), LayOff("9S", 1)]
    assert refused(state, "lay off KD on 0") == "does-not-fit"
    assert refused(state, "lay off 9S on 0") == "does-not-fit"
    assert refused(state, "lay off 8H on 2") == "no-such-meld"
    assert refused(state, "lay off 8C on 0") == "not-in-hand"
    assert refused(played(ready(), "draw"), "lay off 5S on 0") == "no-such-meld"


def test_a_grown_run_takes_the_next_card_at_both_ends():
    hand = "3H 4H 8H 9H KD"
    state = played(amid(CLASSIC, hand, "2D", table=("5H 6H 7H",), stock="2H"), "draw")
    assert refused(state, "lay off 3H on 0") == "does-not-fit"
    state = played(state, *(f"lay off {card} on 0" for card in ("4H", "8H", "3H", "9H")))
    assert table(state) == ["3H 4H 5H 6H 7H 8H 9H"]


def test_a_second_lay_off_at_the_low_end_of_the_same_run():
    hand = "3H 4H KD KC"
    state = played(amid(CLASSIC, hand, "2D", table=("5H 6H 7H",)), "draw")
    state = played(state, "lay off 4H on 0", "lay off 3H on 0", "discard KD")
    assert table(state) == ["3H 4H 5H 6H 7H"]


def test_a_run_ends_at_ace_and_king():
    hand = "AS KS 4C"
    melds = ("JS QS", "2S 3S 4S")
    state = amid(CLASSIC, hand, "2D", table=(f"TS {melds[0]}", melds[1]), stock="AD")
    state = played(state, "draw", "lay off KS on 0", "lay off AS on 1")
    assert of_type(state, LayOff) == []
    assert table(state) == ["TS JS QS KS", "AS 2S 3S 4S"]


def test_a_set_of_three_takes_its_fourth_and_a_set_of_four_nothing():
    state = amid(CLASSIC, "9S 8S", "2D", table=("9C 9D 9H",), pile="2S", stock="KD")
    state = played(state, "draw", "lay off 9S on 0")
    assert of_type(state, LayOff) == []


def test_a_card_that_fits_a_set_and_a_run_names_which():
    melds = ("TC TD TH", "JS QS KS")
    state = amid(CLASSIC, "TS 9S 2H 2C", "2D", table=melds, pile="3D", stock="KD")
    state = played(state, "draw")
    assert of_type(state, LayOff) == [LayOff("TS", 0), LayOff("TS", 1)]
    assert table(played(state, "lay off TS on 0")) == ["TC TD TH TS", "JS QS KS"]
    assert of_type(played(state, "lay off TS on 0"), LayOff) == []


def test_ten_and_nine_go_both_on_the_run_when_the_ten_does_not_go_on_the_set():
    melds = ("JS QS KS", "TC TD TH")
    state = amid(CLASSIC, "TS 9S", "2D", table=melds, pile="3D", stock="2C")
    state = played(state, "draw", "lay off TS on 0", "lay off 9S on 0", "discard 2C")
    assert (ended(state)[0], table(state)[0]) == ("out", "9S TS JS QS KS")


def test_one_may_lay_off_on_anyones_meld_before_one_has_melded():
    state = played(ready(second="4C 2D 6D 8D TD QD 3S 9S KS 6H"), "draw", "meld AC 2C 3C")
    state = played(state, "discard KD", "draw", "lay off 4C on 0")
    assert table(state) == ["AC 2C 3C 4C"]
    assert (state.melds_laid, state.layoffs_made) == ((1, 0), (0, 1))


def test_one_may_lay_off_on_a_meld_laid_this_turn():
    state = played(ready(stock="4C"), "draw", "meld AC 2C 3C", "lay off 4C on 0")
    assert table(state) == ["AC 2C 3C 4C"]


def test_with_layoff_needs_meld_one_must_have_laid_a_meld_in_this_deal():
    options, second = Options(layoff_needs_meld=True), "4C 5C 2D 2H 2S TD QD 3S 9S KS"
    state = played(ready(options, second=second), "draw", "meld AC 2C 3C", "discard KD", "draw")
    assert of_type(state, LayOff) == []
    assert refused(state, "lay off 4C on 0") == "meld-first"
    assert played(state, "meld 2D 2H 2S", "lay off 4C on 0").layoffs_made == (0, 1)
    later = played(state, "meld 2D 2H 2S", "discard KS", "draw", "discard 5S", "draw")
    assert LayOff("4C", 0) in rummy.legal_actions(later)


def test_a_meld_of_an_earlier_deal_does_not_count_for_layoff_needs_meld():
    options = Options(layoff_needs_meld=True, max_restocks=0)
    state = stalemate(played(ready(options), "draw", "meld AC 2C 3C", "discard 5S"))
    state = dealt(options, READY, LOST.replace("2D", "4C"), stock=STOCK, dealer=1, before=state)
    assert (state.melds_laid, state.layoffs_made, state.table) == ((0, 0), (0, 0), ())


def test_melds_are_never_split_joined_or_rearranged():
    melds = ("4S 5S 6S", "8S 9S TS")
    state = amid(CLASSIC, "7S KD", "2D", table=melds, pile="3D", stock="2C")
    state = played(state, "draw")
    assert of_type(state, LayOff) == [LayOff("7S", 0), LayOff("7S", 1)]
    after = played(state, "lay off 7S on 0")
    assert table(after) == ["4S 5S 6S 7S", "8S 9S TS"]
    assert refused(after, "meld 7S 8S 9S") == "already-tabled"


# 5. The card taken from the pile


def test_the_card_taken_from_the_pile_may_not_be_discarded_in_the_same_turn():
    state = played(ready(), "take")
    assert Discard("9D") not in rummy.legal_actions(state)
    assert refused(state, "discard 9D") == "taken-this-turn"


def test_a_taken_card_may_be_melded_laid_off_or_kept():
    state = amid(CLASSIC, "9C 9D 2C KD", "2D", table=("TH JH QH",), pile="9H")
    state = played(state, "take")
    assert table(played(state, "meld 9C 9D 9H"))[-1] == "9C 9D 9H"
    assert table(played(state, "lay off 9H on 0")) == ["9H TH JH QH"]
    assert played(state, "discard 2C").hands[0] == cards("9C 9D 9H KD")


def test_a_taken_card_may_be_thrown_in_a_later_turn():
    state = played(ready(), "take", "discard 5S", "draw", "discard KD", "draw")
    assert Discard("9D") in rummy.legal_actions(state)


def test_a_taken_card_that_is_the_only_one_left_goes_face_down_and_wins():
    """One card in hand goes on the table; the one taken is thrown."""
    state = amid(CLASSIC, "8H", "2D KC", table=("5H 6H 7H",), pile="KD")
    state = played(state, "take")
    assert refused(state, "discard KD") == "taken-this-turn"
    state = played(state, "lay off 8H on 0")
    assert rummy.legal_actions(state) == (Discard("KD"),)
    state = played(state, "discard KD")
    assert ended(state) == ("out", (12, 0))
    assert state.result.face_down == "KD"


def test_without_the_exemption_no_lay_off_may_leave_just_the_taken_card():
    options = Options(last_card_exempt=False)
    state = played(amid(options, "8H", "2D KC", table=("5H 6H 7H",), pile="KD"), "take")
    assert refused(state, "lay off 8H on 0") == "leaves-taken-card"
    assert rummy.legal_actions(state) == (Discard("8H"),)


def test_without_the_exemption_the_taken_card_may_be_left_if_it_can_then_be_laid_off():
    options = Options(last_card_exempt=False)
    state = played(amid(options, "8H", "2D KC", table=("5H 6H 7H",), pile="9H"), "take")
    assert refused(state, "lay off 9H on 0") == "does-not-fit"
    state = played(state, "lay off 8H on 0")
    assert rummy.legal_actions(state) == (LayOff("9H", 0),)
    assert ended(played(state, "lay off 9H on 0")) == ("out", (12, 0))


def test_without_the_exemption_no_meld_may_leave_just_the_taken_card():
    options = Options(last_card_exempt=False)
    state = played(amid(options, "4C 5C 6C", "2D KC", table=("KD KH KS",), pile="3D"), "take")
    assert refused(state, "meld 4C 5C 6C") == "leaves-taken-card"
    fitting = played(amid(options, "4C 5C 6C", "2D", table=("KD KH KS",), pile="KC"), "take")
    fitting = played(fitting, "meld 4C 5C 6C")
    assert rummy.legal_actions(fitting) == (LayOff("KC", 0),)


def test_without_the_exemption_the_taken_card_may_be_left_for_the_meld_just_laid():
    options = Options(last_card_exempt=False)
    state = played(amid(options, "4C 5C 6C", "2D KC", pile="7C"), "take", "meld 4C 5C 6C")
    assert rummy.legal_actions(state) == (LayOff("7C", 0),)


def test_where_one_must_discard_to_go_out_laying_the_taken_card_off_is_no_way_out():
    options = Options(last_card_exempt=False, must_discard_to_go_out=True)
    state = played(amid(options, "8H", "2D KC", table=("5H 6H 7H",), pile="9H"), "take")
    assert refused(state, "lay off 8H on 0") == "leaves-taken-card"
    exempt = replace(state, options=Options(must_discard_to_go_out=True))
    assert ended(played(exempt, "lay off 8H on 0", "discard 9H")) == ("out", (12, 0))


def test_a_drawn_card_is_not_a_taken_one():
    options = Options(last_card_exempt=False)
    state = amid(options, "8H", "2D KC", table=("5H 6H 7H",), pile="9C", stock="KD")
    assert ended(played(state, "draw", "lay off 8H on 0", "discard KD")) == ("out", (12, 0))


def test_one_card_endings_with_a_taken_discard():
    """One card in hand and nothing to table: the taken one stays; the own one goes."""
    state = played(amid(CLASSIC, "2C", "2D KC", table=("5H 6H 7H",), pile="KD"), "take")
    assert rummy.legal_actions(state) == (Discard("2C"),)
    state = played(amid(CLASSIC, "2C", "2D KC", table=("5H 6H 7H",), pile="8H"), "take")
    assert rummy.legal_actions(state) == (LayOff("8H", 0), Discard("2C"))
    assert ended(played(state, "lay off 8H on 0", "discard 2C")) == ("out", (12, 0))


def test_two_card_endings_with_a_taken_discard():
    state = played(amid(CLASSIC, "9C 9D", "2D KC", pile="9H"), "take")
    assert ended(played(state, "meld 9C 9D 9H")) == ("out", (12, 0))
    off = played(amid(CLASSIC, "8H 9H", "2D KC", table=("5H 6H 7H",), pile="KD"), "take")
    off = played(off, "lay off 8H on 0", "lay off 9H on 0")
    assert rummy.legal_actions(off) == (Discard("KD"),)


# 6. Going out


def test_a_meld_that_empties_the_hand_ends_the_deal_at_once():
    state = amid(CLASSIC, "KC KD", "2D 9C", "5C", stock="KH")
    assert ended(played(state, "draw", "meld KC KD KH")) == ("out", (16, 0, 0))


def test_a_lay_off_that_empties_the_hand_ends_the_deal_at_once():
    state = amid(CLASSIC, "8H", "2D 9C", "5C", table=("5H 6H 7H",), stock="9H")
    state = played(state, "draw", "lay off 8H on 0", "lay off 9H on 0")
    assert ended(state) == ("out", (16, 0, 0))


def test_a_discard_that_empties_the_hand_ends_the_deal_and_goes_face_down():
    state = amid(CLASSIC, "8H", "2D 9C", "5C", table=("5H 6H 7H",), pile="9S", stock="KD")
    state = played(state, "draw", "lay off 8H on 0", "discard KD")
    assert ended(state) == ("out", (16, 0, 0))
    assert state.result.face_down == "KD"
    assert rummy.view(state, 1).discards == ("9S",)
    assert sorted(every_card(state)) == list(range(52))


def test_melding_all_eleven_cards_goes_out_without_a_discard():
    state = played(ready(first=READY.replace("5S", "KH"), stock="4C"), "draw")
    state = played(state, "meld AC 2C 3C 4C", "meld 7D 7H 7S", "meld TH JH QH KH")
    assert ended(state) == ("rummy", (2 * 68, 0))
    assert state.result.hands[0] == ()
    assert sorted(every_card(state)) == list(range(52))


MUST = Options(must_discard_to_go_out=True)


def test_where_one_must_discard_no_meld_or_lay_off_may_empty_the_hand():
    state = played(amid(MUST, "KC KD", "2D 9C", stock="KH"), "draw")
    assert refused(state, "meld KC KD KH") == "must-discard"
    assert of_type(state, Meld) == []
    state = amid(MUST, "8H", "2D 9C", table=("5H 6H 7H",), stock="9H")
    state = played(state, "draw", "lay off 8H on 0")
    assert refused(state, "lay off 9H on 0") == "must-discard"
    assert ended(played(state, "discard 9H")) == ("out", (11, 0))


def test_where_one_must_discard_a_part_of_a_meld_may_be_laid():
    state = played(amid(MUST, "KC KD KS", "2D 9C", stock="KH"), "draw")
    assert [len(meld.cards) for meld in of_type(state, Meld)] == [3, 3, 3, 3]
    assert ended(played(state, "meld KC KD KS", "discard KH"))[0] == "out"


# 7. The stock runs out


def drawn_out(state: rummy.State) -> rummy.State:
    """The stock drawn to its end, each card thrown at once."""
    return top_drawn_and_thrown(state, len(state.stock))


def stalemate(state: rummy.State) -> rummy.State:
    """The deal played to a stalemate for want of stock."""
    while state.phase != "dealing":
        state = drawn_out(state)
        state = restocked(state) if state.phase == "restocking" else state
    return state


def test_when_the_stock_is_empty_at_the_end_of_a_turn_the_dealer_makes_a_new_one():
    state = drawn_out(ready())
    assert (state.turn, state.phase, state.stock) == (DEALER, "restocking", ())
    assert rummy.legal_actions(state) == ()


def test_the_pile_under_the_card_just_thrown_is_shuffled_and_becomes_the_stock():
    state = drawn_out(ready())
    under, top = state.discards[:-1], state.discards[-1]
    assert rummy.to_shuffle(state) == names(sum(1 << card for card in under))
    shuffled = tuple(NAMES[card] for card in reversed(under))
    after = rummy.apply(state, rummy.dealer_action(state, shuffled, lot=1))
    assert (after.discards, after.stock) == ((top,), tuple(reversed(under)))
    assert (after.phase, after.restocks, len(after.stock)) == ("draw", 1, 31)
    assert sorted(every_card(after)) == list(range(52))


@pytest.mark.parametrize("deal", [ready, three])
def test_after_a_restock_the_seat_after_the_drawer_is_to_move(deal):
    state = deal()
    drawer = (len(state.stock) - 1) % len(state.scores)
    assert restocked(drawn_out(state)).turn == (drawer + 1) % len(state.scores)


def test_the_stock_may_be_empty_in_the_middle_of_a_turn():
    state = played(top_drawn_and_thrown(ready(), 30), "draw")
    assert (state.stock, state.phase) == ((), "meld")


def test_a_pile_turned_over_is_not_shuffled_and_gives_the_oldest_discard_first():
    state = drawn_out(ready(Options(restock="turn_over")))
    assert rummy.to_shuffle(state) == ()
    restock = rummy.dealer_action(state, (), lot=0)
    assert restock.cards[0] == "9D"
    after = rummy.apply(state, restock)
    assert after.stock == state.discards[:-1]
    assert NAMES[after.stock[0]] == "9D"
    assert played(after, "draw").hands[after.turn] >> INDEX["9D"] & 1


def test_the_stock_run_out_twice_is_a_stalemate_with_every_card_accounted_for():
    state = ready()
    seen = [sorted(every_card(state))]
    for _ in range(31):
        state = top_drawn_and_thrown(state, 1)
        seen.append(sorted(every_card(state)))
    state = restocked(state)
    for _ in range(31):
        assert state.result is None
        state = top_drawn_and_thrown(state, 1)
        seen.append(sorted(every_card(state)))
    assert ended(state) == ("exhausted", (0, 0))
    assert all(cards == list(range(52)) for cards in seen)


@pytest.mark.parametrize("restocks", [0, 1, 3])
def test_how_often_the_stock_may_run_out_is_an_option(restocks):
    state = ready(Options(max_restocks=restocks))
    for _ in range(restocks):
        state = restocked(drawn_out(state))
    assert rummy.view(state, 0).restocks_left == 0
    assert ended(drawn_out(state)) == ("exhausted", (0, 0))


def test_the_drawer_of_the_last_card_finishes_the_turn_and_may_go_out():
    stock = " ".join(card for card in NAMES if card not in [*READY.split(), *LOST.split(), "4C"])
    stock = stock.replace("9D ", "")
    state = ready(Options(max_restocks=0), stock=stock, upcard="9D")
    state = top_drawn_and_thrown(state, 30)
    assert NAMES[state.stock[0]] == "4C"
    lines = "meld AC 2C 3C 4C", "meld 7D 7H 7S", "meld TH JH QH", "discard 5S"
    assert ended(played(state, "draw", *lines)) == ("rummy", (136, 0))


def test_a_new_deal_has_its_restocks_again():
    state = dealt(before=stalemate(ready()), dealer=0)
    assert (state.restocks, state.idle, state.face_down) == (0, 0, None)


def test_the_restock_in_the_view_names_no_card():
    state = restocked(drawn_out(ready()))
    for seat in (0, 1, None):
        assert rummy.view(state, seat).last == rummy.Last(DEALER, rummy.Restock(), None)


# 8. Stalemates

FOURS = tuple(" ".join(rank + suit for suit in "CDHS") for rank in "A23456789TJ")
"""Sets of four, to which nothing can be added; of queens and kings there are eight cards."""


def test_the_deal_is_dead_when_nothing_fits_and_nobody_has_cards_for_a_meld():
    state = amid(CLASSIC, "QC", "KD", table=FOURS, pile="KC", stock="QH")
    assert ended(played(state, "draw", "discard QH")) == ("dead", (0, 0))


def test_it_is_not_dead_while_a_seat_holds_two_cards_and_melds_can_still_be_made():
    state = amid(CLASSIC, "QC QD", "KD", table=FOURS, pile="KC", stock="QH")
    assert played(state, "draw", "discard QH").phase == "draw"


def test_it_is_not_dead_while_a_card_somewhere_fits_a_meld():
    nearly = (*FOURS[:-1], "JC JD JH")
    state = amid(CLASSIC, "QC", "KD", table=nearly, pile="KC", stock="QH JS")
    assert played(state, "draw", "discard QH").phase == "draw"


def buried(*hands: str, table: tuple[str, ...], stock: str, top: str = "6S") -> rummy.State:
    """A turn's end with no restock left: what is named nowhere lies under the top for good."""
    state = amid(Options(max_restocks=0), *hands, table=table, pile=top, stock=stock)
    on_top = len(stock.split())
    pile = (*state.stock[on_top:], *state.discards)
    return replace(state, stock=state.stock[:on_top], discards=pile)


def test_cards_that_fit_one_after_another_count():
    """The king of hearts comes after the queen; each seat holds two cards."""
    table = ("9H TH JH",)
    assert not rummy.nobody_can_finish(buried("QH 2C", "KH 4D", table=table, stock="8D"))
    assert rummy.nobody_can_finish(buried("5H 2C", "KH 4D", table=table, stock="8D"))


def test_the_deal_is_dead_when_fewer_cards_can_be_tabled_than_each_seat_holds():
    """Only the jack of spades fits; it would do for a seat with one card."""
    table = ("JC JD JH",)
    assert rummy.nobody_can_finish(buried("2C 2D", "4S 7C 7D", table=table, stock="JS"))
    assert not rummy.nobody_can_finish(buried("2C 2D", "4S", table=table, stock="JS"))


def test_a_meld_counts_wherever_its_cards_lie():
    assert not rummy.nobody_can_finish(buried("8C 2D", "8D 6C", table=(), stock="TC 8H"))
    assert rummy.nobody_can_finish(buried("8C 2D 3H 4S", "8D 6C AC AD", table=(), stock="TC 8H"))


def test_discards_under_the_top_count_only_while_a_restock_is_left():
    tens = (*FOURS[:-2], "TC TD TH TS")
    pile, stock = "QH QD KH KS JC JS", "JD JH"
    state = amid(CLASSIC, "QC QS", "KC KD", table=tens, pile=pile, stock=stock)
    assert played(state, "draw", "discard JD").phase == "draw"
    state = replace(state, options=Options(max_restocks=0))
    assert ended(played(state, "draw", "discard JD")) == ("dead", (0, 0))
    one_more = replace(state, options=CLASSIC, restocks=1)
    assert ended(played(one_more, "draw", "discard JD")) == ("dead", (0, 0))


def test_a_dead_deal_ends_with_the_turn_that_would_have_asked_for_a_restock():
    """A restock changes no card's place in the count, so it need not be made first."""
    state = amid(CLASSIC, "QC", "KD", table=FOURS, pile="KC KH KS QD QS", stock="QH")
    assert state.stock == (INDEX["QH"],)
    assert ended(played(state, "draw", "discard QH"))[0] == "dead"


def test_the_test_comes_at_the_end_of_a_turn_when_someone_may_have_gone_out():
    state = amid(CLASSIC, "QC", "KD", table=(*FOURS[:-1], "JC JD JH"), pile="KC", stock="JS QH")
    assert ended(played(state, "draw", "lay off JS on 10", "discard QC")) == ("out", (10, 0))


def test_the_test_is_sound():
    """Play that goes on in spite of it, and tables what it can, never sees anyone go out."""
    told = 0
    for seed in range(60):
        state, rng, dead = rummy.new(Options(max_deals=3), 2 + seed % 3), Random(seed), False
        while state.turn is not None:
            before, state = state, step_on(state, rng)
            if state.deal != before.deal:
                dead = False
            elif state.result is not before.result and state.result.ending == "dead":
                state, dead, told = revived(before, state), True, told + 1
            if state.result is not before.result:
                assert not (dead and state.result.ending in ("out", "rummy"))
    assert told > 20


def step_on(state: rummy.State, rng: Random) -> rummy.State:
    if state.turn == DEALER:
        order = list(rummy.to_shuffle(state))
        rng.shuffle(order)
        return rummy.apply(state, rummy.dealer_action(state, tuple(order), 0))
    legal = rummy.legal_actions(state)
    tabling = [action for action in legal if isinstance(action, Meld | LayOff)]
    return rummy.apply(state, rng.choice(tabling or legal))


def revived(before: rummy.State, after: rummy.State) -> rummy.State:
    """The deal called dead, played on: the turn's end without the verdict."""
    seats = len(after.scores)
    next_to_move = (before.turn + 1) % seats
    return replace(
        after,
        result=before.result,
        turn=next_to_move if after.stock else DEALER,
        phase="draw" if after.stock else "restocking",
        dealer=before.dealer,
        places=None,
    )


def in_circles(state: rummy.State, turns: int) -> rummy.State:
    """Each takes the card that the one before him threw: three cards go round."""
    throws = ["5S", "QD"] + ["9D", "5S", "QD"] * turns
    for card in throws[:turns]:
        state = played(state, "take", f"discard {card}")
    return state


def test_two_seats_swapping_discards_reach_the_idle_limit_of_twelve_rounds():
    state = in_circles(ready(), 23)
    assert (state.idle, state.phase) == (23, "draw")
    assert ended(in_circles(ready(), 24)) == ("idle", (0, 0))


def test_the_idle_limit_is_an_option_times_the_seats():
    assert ended(in_circles(ready(Options(idle_limit=2)), 4)) == ("idle", (0, 0))
    state = three(Options(idle_limit=1))
    state = played(state, "take", "discard 5S", "take", "discard QD")
    assert state.phase == "draw"
    assert ended(played(state, "take", "discard KH")) == ("idle", (0, 0, 0))


def test_a_stock_draw_starts_the_count_of_idle_turns_again():
    state = played(in_circles(ready(), 23), "draw")
    assert played(state, "discard KD").idle == 0


@pytest.mark.parametrize("line", ["meld AC 2C 3C", "meld 7D 7H 7S"])
def test_a_card_tabled_starts_the_count_again(line):
    state = played(in_circles(ready(), 2), "take", line)
    assert played(state, "discard TH").idle == 0


def test_a_lay_off_starts_the_count_again():
    state = amid(CLASSIC, "KD 2C", "2D 3C", table=("5H 6H 7H",), pile="8H", idle=5)
    assert played(state, "take", "discard 2C").idle == 6
    assert played(state, "take", "lay off 8H on 0", "discard 2C").idle == 0


# 9. A stalemate


def test_in_a_stalemate_nobody_scores_and_the_match_goes_on():
    state = stalemate(three())
    assert (ended(state), state.scores) == (("exhausted", (0, 0, 0)), (0, 0, 0))
    assert (state.turn, state.phase, state.result.winner) == (DEALER, "dealing", None)
    assert dealt(before=state, dealer=state.dealer).deal == 2


def test_a_stalemate_counts_as_a_loss_for_all():
    lost = {"deals_lost": 1, "stalemates": 1}
    assert stalemate(three()).result.counts == (lost, lost, lost)


# Points


def test_the_winner_gets_the_points_of_all_cards_left_in_the_other_hands_melded_or_not():
    state = amid(CLASSIC, "8H", "AD 9C KC", "5C 5D 5H", "TC", table=("TH JH QH",), stock="9H")
    state = played(state, "draw", "lay off 9H on 0", "lay off 8H on 0")
    assert ended(state) == ("out", (20 + 15 + 10, 0, 0, 0))
    assert state.result.left == (0, 20, 15, 10)
    assert state.scores == (45, 0, 0, 0)


def test_the_winner_is_not_paid_for_his_own_cards_and_is_doubled_once():
    """Three melds and a king thrown last are one rummy, for the 68 of the other hand."""
    state = played(ready(first=READY.replace("5S", "4C")), "draw", "meld AC 2C 3C 4C")
    state = played(state, "meld 7D 7H 7S", "meld TH JH QH", "discard KD")
    assert ended(state) == ("rummy", (2 * 68, 0))
    assert state.scores == (136, 0)


def test_going_rummy_doubles_when_nothing_was_tabled_before_this_turn():
    state = amid(CLASSIC, "KC KD", "2D 9C", "5C", stock="KH", tabled=False)
    assert ended(played(state, "draw", "meld KC KD KH")) == ("rummy", (32, 0, 0))


@pytest.mark.parametrize(("rule", "points"), [("double", 32), ("plus10", 26), ("off", 16)])
def test_going_rummy_is_an_option(rule, points):
    options = Options(going_rummy=rule)
    state = amid(options, "KC KD", "2D 9C", "5C", stock="KH", tabled=False)
    ending = "out" if rule == "off" else "rummy"
    assert ended(played(state, "draw", "meld KC KD KH")) == (ending, (points, 0, 0))
    before = amid(options, "KC KD", "2D 9C", "5C", stock="KH")
    assert ended(played(before, "draw", "meld KC KD KH")) == ("out", (16, 0, 0))


def test_lay_offs_and_a_final_discard_in_that_turn_are_part_of_going_rummy():
    melds = ("5H 6H 7H",)
    state = amid(CLASSIC, "KC KD KH 8H", "2D 9C", table=melds, stock="2S", tabled=False)
    lines = "draw", "lay off 8H on 0", "meld KC KD KH", "discard 2S"
    assert ended(played(state, *lines)) == ("rummy", (22, 0))


def test_going_out_by_lay_offs_alone_is_going_rummy_too():
    state = amid(CLASSIC, "8H", "2D 9C", table=("5H 6H 7H",), stock="9H", tabled=False)
    state = played(state, "draw", "lay off 8H on 0", "lay off 9H on 0")
    assert ended(state) == ("rummy", (22, 0))


def test_a_card_laid_off_in_an_earlier_turn_spoils_going_rummy():
    state = amid(CLASSIC, "KC KD KH 8H", "2D 9C", table=("5H 6H 7H",), stock="2S 3S", tabled=False)
    state = played(state, "draw", "lay off 8H on 0", "discard 2S")
    state = played(state, "draw", "discard 3S", "draw", "meld KC KD KH")
    [last] = names(state.hands[0])
    assert ended(played(state, f"discard {last}")) == ("out", (11, 0))


def test_what_others_have_tabled_does_not_spoil_going_rummy():
    state = amid(CLASSIC, "KC KD", "2D 9C", stock="KH", melds_laid=(0, 2), layoffs_made=(0, 3))
    assert ended(played(state, "draw", "meld KC KD KH"))[0] == "rummy"


def test_counts_tell_who_won_and_what_each_tabled():
    state = amid(CLASSIC, "KC KD", "2D 9C", "5C", stock="KH", tabled=False)
    state = played(state, "draw", "meld KC KD KH")
    assert state.result.counts == (
        {"deals_won": 1, "rummies": 1, "melds": 1},
        {"deals_lost": 1},
        {"deals_lost": 1},
    )
    state = amid(CLASSIC, "8H 9H", "2D 9C", table=("5H 6H 7H",), stock="TH", pile="3S")
    state = played(state, "draw", *(f"lay off {card} on 0" for card in ("8H", "9H", "TH")))
    assert state.result.counts == (
        {"deals_won": 1, "melds": 1, "layoffs": 3},
        {"deals_lost": 1, "melds": 1},
    )


# The match


def won(state: rummy.State, seat: int) -> rummy.State:
    """One more deal, in which a seat goes rummy against hands of LOST cards."""
    seats = len(state.scores)
    dealer = seats - 1 if state.dealer is None else state.dealer
    begins = (dealer + 1) % seats
    lost = [LOST] if seats == 2 else [LOST_1, LOST_2, LOST_3]
    winning = READY.replace("5S", "KH") if seats == 2 else "AC 2C 3C 7D 7H 7S 7C"
    hands = [winning if (begins + n) % seats == seat else lost.pop() for n in range(seats)]
    deal = dealt(state.options, *hands, stock="", upcard="JC", dealer=dealer, before=state)
    turns = (seat - begins) % seats
    deal = top_drawn_and_thrown(replace(deal, stock=first(deal.stock, "JD QS 9H 4C", turns)), turns)
    if seats == 2:
        lines = "meld AC 2C 3C 4C", "meld 7D 7H 7S", "meld TH JH QH KH"
    else:
        lines = "meld AC 2C 3C 4C", "meld 7C 7D 7H 7S"
    return played(deal, "draw", *lines)


def first(stock: tuple[int, ...], line: str, turns: int) -> tuple[int, ...]:
    """The stock with `turns` worthless cards and then the last card of the line on top."""
    *worthless, winning = (INDEX[card] for card in line.split())
    on_top = (*worthless[:turns], winning)
    return (*on_top, *(card for card in stock if card not in on_top))


def match(options: Options, seats: int, *winners: int | None) -> rummy.State:
    """The match after deals that these seats won; None: a stalemate."""
    state = rummy.new(replace(options, max_restocks=0), seats)
    for winner in winners:
        if winner is None:
            dealer = seats - 1 if state.dealer is None else state.dealer
            hands = [READY, LOST] if seats == 2 else [SEVEN, LOST_1, LOST_2, LOST_3][:seats]
            deal = dealt(state.options, *hands, dealer=dealer, before=state)
            state = drawn_out(deal)
        else:
            state = won(state, winner)
    return state


@pytest.mark.parametrize(("seats", "target"), [(2, 100), (3, 150), (4, 200)])
def test_the_target_is_100_150_or_200_by_seats(seats, target):
    state = rummy.new(CLASSIC, seats)
    assert rummy.view(state, None).target == target
    assert rummy.view(rummy.new(Options(target=77), seats), 0).target == 77


@pytest.mark.parametrize(("seats", "worth"), [(2, 136), (3, 210), (4, 308)])
def test_the_match_ends_when_a_seat_has_the_target_exactly(seats, worth):
    for winner in range(seats):
        scores = tuple(worth if seat == winner else 0 for seat in range(seats))
        state = match(Options(target=worth), seats, winner)
        assert (state.scores, state.turn, state.phase) == (scores, None, "over")
        assert state.places == tuple(1 if seat == winner else 2 for seat in range(seats))
        assert rummy.legal_actions(state) == ()
        state = match(Options(target=worth + 1), seats, winner)
        assert (state.scores, state.turn, state.places) == (scores, DEALER, None)


def test_the_others_take_the_places_of_their_scores():
    state = match(Options(target=800), 4, 1, 2, 2)
    assert (state.scores, state.turn) == ((0, 308, 616, 0), DEALER)
    state = won(state, 2)
    assert (state.scores, state.places) == ((0, 308, 924, 0), (3, 2, 1, 3))


def test_after_max_deals_the_highest_score_wins_and_equal_scores_share_the_place():
    options = Options(target=10_000, max_deals=2)
    assert match(options, 2, 1, None).places == (2, 1)
    assert match(options, 2, 0, 1).places == (1, 1)
    assert match(options, 3, 0, 2).places == (1, 3, 1)
    assert match(replace(options, max_deals=1), 4, None).places == (1, 1, 1, 1)
    assert match(options, 3, 0).places is None


@pytest.mark.parametrize(
    ("rule", "dealers"), [("rotate", [2, 0, 1, 2, 0]), ("winner", [2, 0, 1, 1, 1])]
)
def test_who_deals_next(rule, dealers):
    """Also after the stalemate, the second deal, the next seat deals."""
    options = Options(next_dealer=rule, target=10_000)
    winners = (0, None, 1, 1)
    state, found = rummy.new(options, 3), []
    for n in range(len(winners) + 1):
        state = match(options, 3, *winners[:n])
        found.append(2 if state.dealer is None else state.dealer)
    assert found == dealers


# Presets and options


def test_presets_differ_from_the_default_only_where_they_say():
    fields = Options.__struct_fields__
    changes = {
        name: {f: getattr(o, f) for f in fields if getattr(o, f) != getattr(Options(), f)}
        for name, o in rummy.PRESETS.items()
    }
    assert changes == {
        "classic": {},
        "strict": {
            "max_melds_per_turn": 1,
            "layoff_needs_meld": True,
            "last_card_exempt": False,
            "must_discard_to_go_out": True,
        },
    }


def test_the_defaults_are_those_of_the_rules():
    assert {f: getattr(Options(), f) for f in Options.__struct_fields__} == {
        "target": None,
        "max_deals": 200,
        "next_dealer": "rotate",
        "max_melds_per_turn": None,
        "layoff_needs_meld": False,
        "last_card_exempt": True,
        "must_discard_to_go_out": False,
        "restock": "shuffle_keep_top",
        "max_restocks": 1,
        "idle_limit": 12,
        "going_rummy": "double",
        "show_discards": False,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": 0},
        {"target": 10_001},
        {"max_deals": 0},
        {"max_melds_per_turn": 0},
        {"max_melds_per_turn": 4},
        {"max_restocks": -1},
        {"max_restocks": 10},
        {"idle_limit": 0},
        {"idle_limit": 1001},
        {"next_dealer": "loser"},
        {"going_rummy": "triple"},
        {"knock_limit": 10},
    ],
)
def test_options_have_bounds(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


# What is known to whom


def test_a_card_drawn_from_the_stock_is_known_to_its_drawer_only():
    state = played(ready(), "draw")
    assert [rummy.view(state, seat).last.card for seat in (0, 1, None)] == ["KD", None, None]
    assert [rummy.view(state, seat).drawn for seat in (0, 1, None)] == ["KD", None, None]


def test_a_card_taken_from_the_pile_is_known_to_all_until_it_is_thrown_or_tabled():
    state = played(ready(), "take")
    for seat in (0, 1, None):
        view = rummy.view(state, seat)
        assert (view.last.card, view.drawn, view.taken) == ("9D", "9D", (("9D",), ()))
    state = played(state, "discard 5S", "draw", "discard KD", "draw", "discard 9D")
    assert rummy.view(state, 1).taken == ((), ())
    state = played(amid(CLASSIC, "KD 2C 3H", "2D 3C", table=("5H 6H 7H",), pile="8H"), "take")
    assert rummy.view(state, 1).taken == (("8H",), ())
    assert rummy.view(played(state, "lay off 8H on 0"), 1).taken == ((), ())
    state = played(amid(CLASSIC, "9C 9D 3H", "2D 3C", pile="9H"), "take", "meld 9C 9D 9H")
    assert rummy.view(state, 1).taken == ((), ())


def test_which_pile_each_draw_came_from_is_known_to_all():
    state = played(ready(), "take", "discard 5S", "draw")
    for seat in (0, 1, None):
        assert rummy.view(state, seat).sources == ("discards", "stock")
    assert rummy.view(ready(), 0).sources == (None, None)


def test_each_sees_his_own_hand_and_a_spectator_none():
    state = three()
    hands = [names(cards(hand)) for hand in (SEVEN, LOST_1, LOST_2)]
    assert [rummy.view(state, seat).hand for seat in range(3)] == hands
    assert [rummy.view(state, seat).points for seat in range(3)] == [32, 49, 43]
    assert (rummy.view(state, None).hand, rummy.view(state, None).points) == (None, None)


def test_melds_top_discard_and_sizes_are_known_to_all():
    state = played(ready(), "draw", "meld AC 2C 3C", "discard KD", "draw")
    for seat in (0, 1, None):
        view = rummy.view(state, seat)
        assert view.table == (("AC", "2C", "3C"),)
        assert (view.discards, view.pile_size, view.stock_size) == (("KD",), 2, 29)
        assert (view.hand_sizes, view.melds_laid) == ((7, 11), (1, 0))


def test_buried_discards_are_not_shown():
    state = top_drawn_and_thrown(ready(), 3)
    for seat in (0, 1, None):
        view = rummy.view(state, seat)
        assert (view.discards, view.pile_size) == (("JS",), 4)
        shown = msgspec.json.encode(view)
        assert b"KC" not in shown
        assert b"9D" not in shown


def test_the_card_under_a_taken_one_is_the_top():
    view = rummy.view(played(top_drawn_and_thrown(ready(), 2), "take"), 1)
    assert (view.discards, view.pile_size) == (("KD",), 2)


def test_with_show_discards_the_whole_pile_is_shown_with_its_top_last():
    view = rummy.view(top_drawn_and_thrown(ready(Options(show_discards=True)), 3), 1)
    assert view.discards == ("9D", "KD", "KC", "JS")


def test_only_the_seat_to_move_is_told_what_is_legal_and_banned():
    state = played(ready(), "take")
    assert [bool(rummy.view(state, seat).legal) for seat in (0, 1, None)] == [True, False, False]
    assert [rummy.view(state, seat).banned for seat in (0, 1, None)] == ["9D", None, None]
    assert rummy.view(played(ready(), "draw"), 0).banned is None


def test_a_taken_card_is_no_longer_banned_once_it_is_tabled_or_the_last():
    state = played(amid(CLASSIC, "9C 9D 3H", "2D 3C", pile="9H"), "take")
    assert rummy.view(state, 0).banned == "9H"
    assert rummy.view(played(state, "meld 9C 9D 9H"), 0).banned is None
    last = played(amid(CLASSIC, "8H", "2D", table=("5H 6H 7H",), pile="KD"), "take")
    assert rummy.view(played(last, "lay off 8H on 0"), 0).banned is None


def test_all_hands_are_shown_at_the_end_of_a_deal():
    state = stalemate(three())
    for seat in (0, 1, 2, None):
        shown = rummy.view(state, seat).result.hands
        assert shown == tuple(names(cards(hand)) for hand in (SEVEN, LOST_1, LOST_2))
    assert rummy.view(three(), 0).result is None


def test_the_deal_in_the_view_names_the_dealer_and_no_card():
    assert rummy.view(three(), 0).last == rummy.Last(DEALER, rummy.Deal(2), None)


def test_the_order_of_a_new_stock_is_not_to_be_seen():
    state = drawn_out(ready())
    order = rummy.to_shuffle(state)
    one, other = restocked(state, *order), restocked(state, *reversed(order))
    for seat in (0, 1, None):
        assert rummy.view(one, seat) == rummy.view(other, seat)


def test_a_state_stays_small():
    for state in (
        restocked(drawn_out(ready())),
        top_drawn_and_thrown(restocked(drawn_out(ready())), 30),
    ):
        assert len(msgspec.json.encode(state)) < 1000


# Foresight


def test_foresight_of_a_stock_draw_tells_no_card():
    foreseen = rummy.foresee(ready(), DRAW)
    assert foreseen == rummy.Foresight(names(cards(READY)), 62, (), None)


def test_foresight_tells_the_hand_the_table_and_an_end():
    state = played(ready(), "draw")
    foreseen = rummy.foresee(state, action("meld AC 2C 3C"))
    assert (foreseen.points, foreseen.table, foreseen.ending) == (66, (("AC", "2C", "3C"),), None)
    state = played(amid(CLASSIC, "KC KD", "2D 9C", stock="KH"), "draw")
    assert rummy.foresee(state, action("meld KC KD KH")).ending == "out"
    assert rummy.foresee(state, action("discard KC")).ending is None
    state = played(amid(CLASSIC, "QC", "KD", table=FOURS, pile="KC", stock="QH"), "draw")
    assert rummy.foresee(state, action("discard QH")).ending == "dead"


# Words


@pytest.mark.parametrize(
    ("line", "card", "words"),
    [
        ("draw", None, "draws a card from the stock"),
        ("draw", "7H", "draws 7H from the stock"),
        ("take", "7H", "takes 7H from the discards"),
        ("meld AC 2C 3C", None, "lays AC 2C 3C"),
        ("lay off 7H on 1", None, "lays 7H off on meld 1"),
        ("discard 7H", None, "discards 7H"),
    ],
)
def test_each_action_in_words(line, card, words):
    assert rummy.words(action(line), card) == words


def test_going_out_tells_what_it_scores():
    state = played(ready(first=READY.replace("5S", "KH"), stock="4C"), "draw")
    state = played(state, "meld AC 2C 3C 4C", "meld 7D 7H 7S")
    assert rummy.words(state.last_action, None, rummy.view(state, 1)) == "lays 7D 7H 7S"
    state = played(state, "meld TH JH QH KH")
    told = rummy.words(state.last_action, None, rummy.view(state, 1))
    assert told == "lays TH JH QH KH. seat 0 scores 136"


def test_the_dealers_actions_in_words():
    assert rummy.words(rummy.Deal(2)) == "seat 2 deals"
    assert rummy.words(rummy.Restock()) == "the discards become the new stock"
