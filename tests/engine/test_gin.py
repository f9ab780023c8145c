"""Every sentence of the rules of Gin Rummy, by scripted deals.

FIRST is seat 0's hand and begins, unless a test says otherwise.
"""

import pytest
from msgspec.structs import replace

from games.engine import gin
from games.engine.cards import INDEX, NAMES, card_set, members, names
from games.engine.game import IllegalAction
from games.engine.gin import (
    BIG_GIN,
    DRAW,
    FINISH,
    PASS,
    TAKE,
    Discard,
    Knock,
    LayOff,
    Options,
)
from tests.engine.decks import ARCADE, action, dealt, pack, played

READY = "AC 2C 3C 7D 7H 7S TH JH QH 5S"  # 5S is loose
LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"  # no meld, nothing to lay off on READY; 68
STOCK = "KD KC JS"
TENS = "2H 4H 8H TC QC 5S 7D 9C KC JS"  # no meld either
OFFER = Options(opening="offer")


def ready(options: Options = ARCADE, **changes) -> gin.State:
    """Seat 0 holds READY with KD on top of the stock, seat 1 holds LOST."""
    cards = {"first": READY, "second": LOST, "upcard": "9D", "stock": STOCK}
    return dealt(options, **{**cards, **changes})


def refused(state: gin.State, line: str) -> str:
    """The rule that an action breaks."""
    with pytest.raises(IllegalAction) as refusal:
        played(state, line)
    return refusal.value.rule


def ended(state: gin.State) -> tuple[str, tuple[int, int]]:
    """How the last deal ended, and its points."""
    assert state.result is not None
    return state.result.ending, state.result.points


def knocks(state: gin.State) -> list[Knock]:
    return [action for action in gin.legal_actions(state) if isinstance(action, Knock)]


def down_to(state: gin.State, left: int) -> gin.State:
    """Each throws what he drew until so many cards are left in the stock."""
    while len(state.stock) > left:
        state = played(state, "draw", f"discard {NAMES[state.stock[0]]}")
    return state


# 1. The deal


def test_ten_cards_each_one_face_up_and_thirty_one_in_the_stock():
    state = gin.apply(gin.new(ARCADE, 2), gin.Deal(1, NAMES))
    assert [hand.bit_count() for hand in state.hands] == [10, 10]
    assert (len(state.discards), len(state.stock)) == (1, 31)


def test_the_pack_is_the_beginners_hand_then_the_other_then_upcard_and_stock():
    for dealer in (0, 1):
        state = gin.apply(gin.new(ARCADE, 2), gin.Deal(dealer, NAMES))
        assert names(state.hands[1 - dealer]) == NAMES[:10]
        assert names(state.hands[dealer]) == NAMES[10:20]
        assert state.discards == (20,)
        assert state.stock == tuple(range(21, 52))


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_non_dealer_begins(dealer):
    assert dealt(dealer=dealer).turn == 1 - dealer


def test_the_first_dealer_is_drawn_by_lot_and_stands_in_the_dealers_action():
    assert gin.dealer_action(gin.new(ARCADE, 2), NAMES, lot=0) == gin.Deal(0, NAMES)
    assert gin.dealer_action(gin.new(ARCADE, 2), NAMES, lot=1) == gin.Deal(1, NAMES)


def test_later_dealers_are_not_drawn_by_lot():
    state = played(ready(), "draw", "knock KD", "finish")
    assert gin.dealer_action(state, NAMES, lot=1).dealer == 0


# 2. A turn


def test_a_turn_is_a_draw_from_stock_or_pile_and_then_a_discard():
    state = ready()
    assert gin.legal_actions(state) == (DRAW, TAKE)
    drawn = played(state, "draw")
    discards = [a.card for a in gin.legal_actions(drawn) if isinstance(a, Discard)]
    assert discards == [NAMES[card] for card in members(card_set([*READY.split(), "KD"]))]
    after = played(drawn, "discard 5S")
    assert (after.turn, NAMES[after.discards[-1]]) == (1, "5S")
    assert gin.legal_actions(after) == (DRAW, TAKE)


def test_the_stock_gives_its_top_card_and_the_pile_its_last():
    assert played(ready(), "draw").hands[0] >> INDEX["KD"] & 1
    assert played(ready(), "take").hands[0] >> INDEX["9D"] & 1
    second = played(ready(), "draw", "discard 5S")
    assert played(second, "draw").hands[1] >> INDEX["KC"] & 1
    assert played(second, "take").hands[1] >> INDEX["5S"] & 1


def test_discarding_the_card_just_drawn_from_the_stock_is_legal():
    assert NAMES[played(ready(), "draw", "discard KD").discards[-1]] == "KD"


# 3. The opening


def test_with_a_free_opening_the_first_player_simply_draws():
    assert gin.legal_actions(ready()) == (DRAW, TAKE)


def test_the_upcard_is_offered_to_the_non_dealer_then_to_the_dealer():
    state = ready(OFFER)
    assert (state.turn, gin.legal_actions(state)) == (0, (TAKE, PASS))
    state = played(state, "pass")
    assert (state.turn, gin.legal_actions(state)) == (1, (TAKE, PASS))


def test_when_both_pass_the_non_dealer_must_draw_from_the_stock():
    state = played(ready(OFFER), "pass", "pass")
    assert (state.turn, gin.legal_actions(state)) == (0, (DRAW,))
    assert refused(state, "take") == "stock-only"
    after = played(state, "draw", "discard KD")
    assert (after.turn, gin.legal_actions(after)) == (1, (DRAW, TAKE))


def test_the_dealer_who_takes_the_upcard_plays_the_first_turn():
    state = played(ready(OFFER), "pass", "take")
    assert state.turn == 1
    assert state.hands[1].bit_count() == 11
    after = played(state, "discard KS")
    assert (after.turn, gin.legal_actions(after)) == (0, (DRAW, TAKE))


def test_the_non_dealer_who_takes_the_upcard_goes_on_with_his_turn():
    state = played(ready(OFFER), "take", "discard 5S")
    assert (state.turn, gin.legal_actions(state)) == (1, (DRAW, TAKE))


# 4. The card taken from the pile


def test_a_card_taken_from_the_pile_may_not_be_discarded_in_the_same_turn():
    state = played(ready(), "take")
    assert Discard("9D") not in gin.legal_actions(state)
    assert refused(state, "discard 9D") == "taken-this-turn"


def test_a_card_taken_from_the_pile_may_not_be_the_knocks_discard():
    state = played(ready(upcard="AS"), "take")
    assert refused(state, "knock AS") == "taken-this-turn"
    assert refused(state, "knock AS: AC 2C 3C / 7D 7H 7S / TH JH QH") == "taken-this-turn"
    assert Knock("5S") in gin.legal_actions(state)


def test_a_taken_card_may_be_thrown_in_a_later_turn():
    state = played(ready(), "take", "discard 5S", "draw", "discard KD", "draw")
    assert Discard("9D") in gin.legal_actions(state)


def test_may_return_taken_lifts_the_ban():
    state = played(ready(Options(may_return_taken=True)), "take")
    assert {Discard("9D"), Knock("9D")} <= set(gin.legal_actions(state))


# 5. Melds


def test_king_and_ace_do_not_join():
    state = dealt(first="QS KS AS 7D 7H 7S 2C 3C 4C AD", upcard="9D", stock="KD")
    assert refused(played(state, "draw"), "knock KD: QS KS AS / 7D 7H 7S") == "no-meld"
    assert Knock("KD") not in gin.legal_actions(played(state, "draw"))


def test_a_card_belongs_to_one_meld():
    state = dealt(first="5H 6H 7H 7C 7D AC 2C 3C AS 2S", upcard="9D", stock="KD")
    refusal = refused(played(state, "draw"), "knock KD: 5H 6H 7H / 7C 7D 7H / AC 2C 3C")
    assert refusal == "meld-overlap"


# 6. Knocking


def test_knocking_with_ten_deadwood_is_legal():
    state = dealt(first="AC 2C 3C 7C 7D 7H 7S 5S 4H AH", upcard="9D", stock="KD")
    after = played(state, "draw", "knock KD")
    assert gin.view(after, 1).showdown.deadwood == 10


def test_knocking_with_eleven_deadwood_is_illegal():
    state = dealt(first="AC 2C 3C 7C 7D 7H 7S 5S 4H 2H", upcard="9D", stock="KD")
    state = played(state, "draw")
    assert knocks(state) == []
    assert refused(state, "knock KD") == "deadwood-too-high"


def test_the_limit_counts_after_the_discard_not_before():
    state = dealt(first="AC 2C 3C 7C 7D 7H 7S 5S 4H 2H", upcard="9D", stock="AH")
    assert Knock("2H") in gin.legal_actions(played(state, "draw"))


def test_a_knock_limit_of_five_admits_five_and_not_six():
    limit_five = Options(knock_limit=5)
    assert Knock("KD") in gin.legal_actions(played(ready(limit_five), "draw"))
    six = READY.replace("5S", "6S")
    assert knocks(played(ready(limit_five, first=six), "draw")) == []


def test_a_knock_limit_of_zero_admits_gin_only():
    straight = gin.PRESETS["straight"]
    assert knocks(played(ready(straight), "draw")) == []
    assert refused(played(ready(straight), "draw"), "knock KD") == "deadwood-too-high"
    assert ended(played(ready(straight, stock="4C"), "draw", "knock 5S")) == ("gin", (93, 0))


@pytest.mark.parametrize(("upcard", "limit"), [("AD", 0), ("4H", 4), ("TC", 10), ("KH", 10)])
def test_in_oklahoma_the_first_upcard_is_the_limit_and_an_ace_means_gin_only(upcard, limit):
    state = dealt(Options(knock_limit="oklahoma"), upcard=upcard)
    assert state.knock_limit == limit
    assert {gin.view(state, seat).knock_limit for seat in (0, 1, None)} == {limit}


def test_in_oklahoma_the_limit_holds_though_the_upcard_is_gone():
    state = ready(gin.PRESETS["oklahoma"], upcard="4H")
    state = played(state, "draw", "discard KD", "draw", "discard KC", "draw")
    assert refused(state, "knock JS") == "deadwood-too-high"


def test_in_oklahoma_each_deal_has_its_own_limit():
    options = gin.PRESETS["oklahoma"]
    state = ready(options, upcard="9D", stock="4C")
    state = played(state, "draw", "knock 5S")
    assert dealt(options, before=state, dealer=0, upcard="3H").knock_limit == 3


def test_a_spade_as_first_upcard_doubles_the_points_of_the_deal():
    doubled = Options(spade_doubles=True)
    assert ended(played(ready(doubled), "draw", "knock KD", "finish")) == ("knock", (63, 0))
    spade = ready(doubled, upcard="8S")
    assert gin.view(spade, None).doubled
    assert ended(played(spade, "draw", "knock KD", "finish")) == ("knock", (126, 0))


def test_a_spade_means_nothing_without_the_option():
    state = ready(upcard="8S")
    assert not state.doubled
    assert ended(played(state, "draw", "knock KD", "finish")) == ("knock", (63, 0))


def test_a_spade_doubles_the_bonuses_of_the_deal_too():
    doubled = Options(spade_doubles=True)
    gin_deal = played(ready(doubled, upcard="8S", stock="4C"), "draw", "knock 5S")
    assert ended(gin_deal) == ("gin", (2 * (68 + 25), 0))
    low = "AD 2D 3D 8C 8D 8H 9H 9C 9S AH"
    undercut = ready(doubled, second=low, upcard="8S")
    assert ended(played(undercut, "draw", "knock KD", "finish")) == ("undercut", (0, 2 * (4 + 25)))


def test_a_spade_does_not_double_the_box():
    options = Options(spade_doubles=True, box_bonus=10)
    state = played(ready(options, upcard="8S"), "draw", "knock KD", "finish")
    assert (state.boxes, state.bonuses, state.scores) == ((1, 0), (10, 0), (136, 0))


def test_doubling_ends_with_its_deal():
    options = Options(spade_doubles=True, target=1000)
    state = played(ready(options, upcard="8S"), "draw", "knock KD", "finish")
    assert not dealt(options, before=state, dealer=0, upcard="8H").doubled


# 7. Melds named and unnamed

TWO_WAYS = "AC 2C 3C 2D 2H TH JH QH 5S AS"  # AC 2C 3C or 2C 2D 2H: 10 deadwood both ways


def laid(state: gin.State) -> list[str]:
    return [" ".join(names(meld)) for meld in state.laid.melds]


def test_named_melds_are_laid_and_the_rest_is_deadwood():
    state = dealt(first="AC 2C 3C 7D 7H 7S TH JH QH AS", upcard="9D", stock="KD")
    state = played(state, "draw", "knock KD: 7D 7H 7S / TH JH QH")
    assert laid(state) == ["7D 7H 7S", "TH JH QH"]
    assert gin.view(state, 1).showdown.loose == ("AC", "2C", "3C", "AS")
    assert gin.view(state, 1).showdown.deadwood == 7


def test_named_melds_must_keep_to_the_limit():
    state = played(ready(), "draw")
    assert refused(state, "knock KD: AC 2C 3C / 7D 7H 7S") == "deadwood-too-high"


def test_named_melds_must_be_in_hand_after_the_discard():
    state = played(ready(), "draw")
    assert refused(state, "knock KD: 2C 3C 4C / 7D 7H 7S / TH JH QH") == "not-in-hand"
    assert refused(state, "knock QH: AC 2C 3C / 7D 7H 7S / TH JH QH") == "not-in-hand"


def test_the_order_in_which_melds_and_cards_are_named_does_not_matter():
    state = played(ready(), "draw")
    named = played(state, "knock KD: QH JH TH / 7S 7D 7H / 3C AC 2C")
    assert laid(named) == ["AC 2C 3C", "7D 7H 7S", "TH JH QH"]


def test_a_long_run_may_be_laid_whole_or_in_pieces():
    state = dealt(first="AC 2C 3C 4C 5C 6C TH JH QH 2S", upcard="9D", stock="KD")
    state = played(state, "draw")
    assert laid(played(state, "knock KD: AC 2C 3C 4C 5C 6C / TH JH QH"))[0] == "AC 2C 3C 4C 5C 6C"
    assert laid(played(state, "knock KD: AC 2C 3C / 4C 5C 6C / TH JH QH"))[1] == "4C 5C 6C"
    assert laid(played(state, "knock KD"))[0] == "AC 2C 3C 4C 5C 6C"


def test_unnamed_melds_are_of_least_deadwood():
    """Four sevens would leave 5H and 6H."""
    state = dealt(first="5H 6H 7H 7C 7D 7S AC 2C 3C AS", upcard="9D", stock="KD")
    state = played(state, "draw", "knock KD")
    assert laid(state) == ["AC 2C 3C", "7C 7D 7S", "5H 6H 7H"]


def test_unnamed_melds_still_equal_are_the_first_in_card_order():
    state = dealt(first=TWO_WAYS, upcard="9D", stock="KD")
    assert laid(played(state, "draw", "knock KD")) == ["AC 2C 3C", "TH JH QH"]


def test_unnamed_melds_are_those_that_the_fewest_unseen_cards_fit():
    state = dealt(first=TWO_WAYS, upcard="2S", stock="KD")
    assert laid(played(state, "draw", "knock KD")) == ["2C 2D 2H", "TH JH QH"]


def test_the_knocks_own_discard_counts_as_seen():
    state = dealt(first=TWO_WAYS, upcard="9D", stock="2S")
    state = played(state, "draw")
    assert laid(played(state, "knock 5S: 2C 2D 2H 2S / TH JH QH")) == ["2C 2D 2H 2S", "TH JH QH"]
    assert laid(played(state, "knock 2S")) == ["2C 2D 2H", "TH JH QH"]


def test_legal_lists_each_knock_unnamed_and_with_every_arrangement_within_the_limit():
    state = dealt(first=TWO_WAYS, upcard="9D", stock="KD")
    assert knocks(played(state, "draw")) == [
        Knock("KD"),
        action("knock KD: AC 2C 3C / TH JH QH"),
        action("knock KD: 2C 2D 2H / TH JH QH"),
    ]


def test_greedy_melds_would_call_this_knock_illegal():
    """Taking the dearest meld first (7C 7D 7H) leaves 5H 6H 8C 9C, far above the limit."""
    state = dealt(first="7C 8C 9C 5H 6H 7H 7D AC AD AH", upcard="9D", stock="KD")
    state = played(state, "draw", "knock KD")
    assert gin.view(state, 1).showdown.deadwood == 7


def test_the_best_discard_is_not_the_highest_loose_card_of_one_arrangement():
    cards = "AC 4C 5C 6C 3D 4D 5D 6D 3H 5H"
    state = played(dealt(first=cards, upcard="9D", stock="6H"), "draw")
    assert gin.view(state, 0).deadwood == 15
    assert Knock("6H") in gin.legal_actions(state)
    assert gin.foresee(state, Knock("6H")).deadwood == 9


# 8. Lay-offs

RUN = "AC 2C 3C JC JD JS 6H 7H 8H 2S"  # knocks with 2; its melds are 0, 1 and 2
NO_FIT = LOST.replace("6H", "4H")  # 66


def test_the_defender_moves_after_a_knock_and_may_always_finish():
    state = played(ready(), "draw", "knock KD")
    assert (state.turn, gin.legal_actions(state)) == (1, (FINISH,))


def test_lay_five_of_hearts_then_four_on_six_seven_eight():
    state = dealt(first=RUN, second=NO_FIT.replace("4D", "5H"), stock="KD")
    state = played(state, "draw", "knock KD")
    assert LayOff("5H", 2) in gin.legal_actions(state)
    assert refused(state, "lay off 4H on 2") == "does-not-fit"
    state = played(state, "lay off 5H on 2", "lay off 4H on 2", "finish")
    assert state.result.deadwood == (2, 2 + 6 + 8 + 10 + 10 + 3 + 9 + 10)


def test_a_run_grows_at_both_ends_without_limit():
    long = "3H 4H 5H 9H TH JH QH KH 2H AH"
    state = played(dealt(first=RUN, second=long, stock="KD"), "draw", "knock KD")
    for card in ("9H", "TH", "5H", "JH", "4H", "QH", "3H", "2H", "KH", "AH"):
        state = played(state, f"lay off {card} on 2")
    state = played(state, "finish")
    assert ended(state) == ("undercut", (0, 2 + 25))
    assert state.result.deadwood == (2, 0)
    assert state.result.melds[0][2] == ("6H", "7H", "8H")
    assert [(card.card, card.meld) for card in state.result.layoffs][:2] == [("9H", 2), ("TH", 2)]


def test_a_set_of_three_takes_its_fourth_and_a_set_of_four_nothing():
    state = dealt(first=RUN, second=NO_FIT.replace("TD", "JH"), stock="KD")
    state = played(state, "draw", "knock KD", "lay off JH on 1")
    assert gin.legal_actions(state) == (FINISH,)


def test_a_lay_off_that_fits_a_run_and_a_set_names_which():
    hand = "7C 7D 7S 8H 9H TH AC 2C 3C 2S"
    state = dealt(first=hand, second=LOST.replace("KS", "7H"), stock="KD")
    state = played(state, "draw", "knock KD")
    on_set, on_run = played(state, "lay off 7H on 1"), played(state, "lay off 7H on 2")
    assert gin.legal_actions(on_set) == (FINISH,)
    assert gin.legal_actions(on_run) == (LayOff("6H", 2), FINISH)


def test_a_card_may_be_laid_off_out_of_the_defenders_own_melds():
    second = "5C 5D 5H 2D 8D TH QD 3S 9S KS"
    state = played(dealt(first=RUN, second=second, stock="KD"), "draw", "knock KD")
    before = gin.view(state, 1).deadwood
    state = played(state, "lay off 5H on 2")
    assert gin.view(state, 1).deadwood == before + 10


def test_the_defenders_cards_count_at_their_least_deadwood():
    second = "5C 5D 5S 2D 3D 4D QD QH KS QS"
    state = played(dealt(first=RUN, second=second, stock="KD"), "draw", "knock KD", "finish")
    assert state.result.deadwood == (2, 10)
    assert state.result.melds[1] == (("5C", "5D", "5S"), ("2D", "3D", "4D"), ("QD", "QH", "QS"))


def test_there_is_no_lay_off_after_gin():
    hand = RUN.replace("2S", "4C")
    state = dealt(first=hand, second=LOST.replace("6H", "5H"), stock="KD")
    assert ended(played(state, "draw", "knock KD")) == ("gin", (67 + 25, 0))


def test_auto_layoff_plays_the_joint_optimum_without_a_phase():
    """Four fives are the best meld, yet 5H is worth more on the run, where 4H follows it."""
    second = "5C 5D 5H 5S 4H 8D QD 9S KS TD"
    options = Options(auto_layoff=True)
    state = played(dealt(options, first=RUN, second=second, stock="KD"), "draw", "knock KD")
    assert ended(state) == ("knock", (8 + 10 + 9 + 10 + 10 - 2, 0))
    assert [layoff.card for layoff in state.result.layoffs] == ["5H", "4H"]
    assert state.result.melds[1] == (("5C", "5D", "5S"),)


def test_auto_layoff_lays_nothing_off_that_need_not_be():
    second = "5C 5D 5H 2D 8D JH QD 3S 9S KS"
    options = Options(auto_layoff=True)
    state = played(dealt(options, first=RUN, second=second, stock="KD"), "draw", "knock KD")
    assert [layoff.card for layoff in state.result.layoffs] == ["JH"]


# 9. Gin and big gin


def test_gin_is_judged_by_the_melds_laid():
    hand = "AC 2C 3C 4C 7D 7H 7S TH JH QH"
    state = played(dealt(first=hand, second=LOST, upcard="9D", stock="KD"), "draw")
    assert ended(played(state, "knock KD")) == ("gin", (68 + 25, 0))
    shy = played(state, "knock KD: 7D 7H 7S / TH JH QH")
    assert (shy.phase, gin.view(shy, 1).showdown.deadwood) == ("layoff", 10)
    assert ended(played(shy, "finish")) == ("knock", (58, 0))


def test_big_gin_is_declared_before_discarding_with_all_eleven_in_melds():
    state = ready(stock="4C", first=READY.replace("5S", "KH"))
    state = played(state, "draw")
    assert BIG_GIN in gin.legal_actions(state)
    assert ended(played(state, "big gin")) == ("big_gin", (68 + 25 + 6, 0))


def test_big_gin_may_use_the_card_just_taken():
    state = ready(upcard="4C", first=READY.replace("5S", "KH"))
    assert ended(played(state, "take", "big gin")) == ("big_gin", (99, 0))


@pytest.mark.parametrize(
    "eleven",
    [
        "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC",
        "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H",
        "5H 6H 7H 7C 7D 7S 8H 9H TH TC TD",
        "AC 2C 3C 4C 5C 5D 5H 5S KC KD KH",
        "4C 5C 6C 4D 5D 6D 4H 5H 6H 7H 8H",
    ],
)
def test_hands_of_big_gin(eleven):
    *ten, last = eleven.split()
    state = played(dealt(first=" ".join(ten), upcard="QS", stock=last), "draw")
    assert BIG_GIN in gin.legal_actions(state)
    assert played(state, "big gin").result.deadwood[0] == 0


def test_a_big_gin_may_still_be_played_as_gin():
    state = played(ready(stock="4C", first=READY.replace("5S", "KH")), "draw")
    assert ended(played(state, "knock 4C")) == ("gin", (93, 0))


def test_big_gin_is_not_played_where_it_is_off():
    state = ready(gin.PRESETS["research"], stock="4C", first=READY.replace("5S", "KH"))
    state = played(state, "pass", "pass", "draw")
    assert BIG_GIN not in gin.legal_actions(state)
    assert refused(state, "big gin") == "big-gin-off"


def test_ten_cards_in_melds_and_one_loose_are_not_big_gin():
    assert refused(played(ready(stock="4C"), "draw"), "big gin") == "not-big-gin"


# 10. The stock floor


def test_the_deal_is_drawn_when_a_turn_ends_by_a_discard_with_two_cards_left():
    state = down_to(ready(), 3)
    assert state.turn == 0
    card = NAMES[state.stock[0]]
    state = played(state, "draw", f"discard {card}")
    assert ended(state) == ("wall", (0, 0))
    assert len(state.stock) == 2


def test_a_knock_at_the_stock_floor_counts():
    state = down_to(ready(), 3)
    card = NAMES[state.stock[0]]
    state = played(state, "draw", f"knock {card}", "finish")
    assert ended(state) == ("knock", (63, 0))


def test_the_stock_floor_is_an_option():
    assert ended(down_to(ready(Options(stock_floor=0)), 0)) == ("wall", (0, 0))
    assert ended(down_to(ready(Options(stock_floor=30)), 30)) == ("wall", (0, 0))


def at_the_wall(second: str, last: str, **changes) -> gin.State:
    """Seat 0 has thrown `last` at the floor, and seat 1 with his hand is asked."""
    options = Options(wall="knock_upcard", **changes)
    order = pack(LOST, second, "9D")
    rest = [card for card in order[21:] if card != last]
    stock = [*rest[:28], last, *rest[28:]]
    state = dealt(options, first=LOST, second=second, upcard="9D", stock=" ".join(stock))
    return down_to(state, 2)


def test_at_the_wall_the_next_player_may_take_the_upcard_and_at_once_knock():
    state = at_the_wall(READY, "AS")
    assert (state.turn, state.phase, gin.legal_actions(state)) == (1, "wall", (TAKE, PASS))
    taken = played(state, "take")
    assert all(isinstance(action, Knock) for action in gin.legal_actions(taken))
    assert refused(taken, "discard 5S") == "wall-knock-only"
    assert ended(played(taken, "knock 5S", "finish")) == ("knock", (0, 67))


def test_at_the_wall_he_may_go_gin_or_big_gin():
    assert ended(played(at_the_wall(READY, "4C"), "take", "knock 5S")) == ("gin", (0, 93))
    eleven = at_the_wall(READY.replace("5S", "KH"), "4C")
    assert ended(played(eleven, "take", "big gin")) == ("big_gin", (0, 99))


def test_a_pass_at_the_wall_draws_the_deal():
    assert ended(played(at_the_wall(READY, "AS"), "pass")) == ("wall", (0, 0))


def test_at_the_wall_there_is_no_draw_from_the_stock():
    assert refused(at_the_wall(READY, "AS"), "draw") == "wall"


def test_at_the_wall_he_is_asked_even_if_he_cannot():
    state = at_the_wall(TENS, "AS")
    assert (state.turn, gin.legal_actions(state)) == (1, (PASS,))
    assert refused(state, "take") == "no-wall-knock"


def test_at_the_wall_the_upcard_may_not_be_the_knocks_discard():
    """READY may knock as it stands, but not by handing a king back."""
    assert gin.legal_actions(at_the_wall(READY, "KD", knock_limit=9)) == (PASS,)
    returned = at_the_wall(READY, "KD", knock_limit=9, may_return_taken=True)
    assert gin.legal_actions(returned) == (TAKE, PASS)
    assert ended(played(returned, "take", "knock KD", "finish")) == ("knock", (0, 63))


# 11. The loop guard


def in_circles(state: gin.State, turns: int) -> gin.State:
    """Both take each other's discards: three cards go round."""
    throws = ["5S", "QD"] + ["9D", "5S", "QD"] * turns
    for card in throws[:turns]:
        state = played(state, "take", f"discard {card}")
    return state


def test_both_taking_each_others_discards_for_ever_is_a_draw_after_24_turns():
    state = in_circles(ready(), 23)
    assert (state.idle, state.phase) == (23, "draw")
    assert ended(in_circles(ready(), 24)) == ("idle", (0, 0))


def test_a_stock_draw_starts_the_count_again():
    state = in_circles(ready(), 23)
    top = NAMES[state.stock[0]]
    state = played(state, "draw", f"discard {top}")
    assert (state.idle, state.phase) == (0, "draw")


def test_the_idle_limit_is_an_option():
    assert ended(in_circles(ready(Options(idle_limit=3)), 3)) == ("idle", (0, 0))


def test_a_knock_in_the_last_idle_turn_counts():
    state = played(ready(Options(idle_limit=1), upcard="AS"), "take", "knock 5S", "finish")
    assert ended(state) == ("knock", (67, 0))


# Points

EQUAL = "AD 2D 3D 8C 8D 8H 9H 9C 9S 5H"  # 5, as READY
LOWER = "AD 2D 3D 8C 8D 8H 9H 9C 9S AH"  # 1
NOTHING_LEFT = "AD 2D 3D 4D 8C 8D 8H 9H 9C 9S"  # 0


@pytest.mark.parametrize(
    ("options", "second", "ending", "points"),
    [
        (Options(), LOST, "knock", (63, 0)),
        (Options(), LOWER, "undercut", (0, 4 + 25)),
        (Options(undercut_bonus=10), LOWER, "undercut", (0, 14)),
        (Options(), NOTHING_LEFT, "undercut", (0, 5 + 25)),
        (Options(), EQUAL, "tie", (0, 0)),
        (Options(tie="undercut"), EQUAL, "undercut", (0, 25)),
        (Options(tie="undercut", undercut_bonus=7), EQUAL, "undercut", (0, 7)),
    ],
)
def test_points_of_a_knock(options, second, ending, points):
    state = ready(options, second=second, upcard="JC")
    assert ended(played(state, "draw", "knock KD", "finish")) == (ending, points)


@pytest.mark.parametrize(
    ("options", "second", "points"),
    [
        (Options(), LOST, 68 + 25),
        (Options(gin_bonus=20), LOST, 88),
        (Options(), NOTHING_LEFT, 25),
        (Options(tie="undercut"), NOTHING_LEFT, 25),
    ],
)
def test_gin_is_neither_tied_nor_undercut(options, second, points):
    state = ready(options, second=second, stock="4C", upcard="JC")
    assert ended(played(state, "draw", "knock 5S")) == ("gin", (points, 0))


@pytest.mark.parametrize(
    ("options", "second", "points"),
    [
        (Options(), LOST, 68 + 25 + 6),
        (Options(big_gin_extra=25), LOST, 68 + 50),
        (Options(tie="undercut"), NOTHING_LEFT, 31),
    ],
)
def test_points_of_big_gin(options, second, points):
    first = READY.replace("5S", "KH")
    state = ready(options, first=first, second=second, stock="4C", upcard="JC")
    assert ended(played(state, "draw", "big gin")) == ("big_gin", (points, 0))


def test_counts_name_what_the_scorer_did():
    assert played(ready(), "draw", "knock KD", "finish").result.counts == ({"knocks": 1}, {})
    undercut = played(ready(second=LOWER, upcard="JC"), "draw", "knock KD", "finish")
    assert undercut.result.counts == ({}, {"undercuts": 1})
    worthless = ready(Options(gin_bonus=0), second=NOTHING_LEFT, stock="4C", upcard="JC")
    assert played(worthless, "draw", "knock 5S").result.counts == ({"gins": 1}, {})


# The match


def scored(state: gin.State, seat: int) -> gin.State:
    """One more deal, in which a seat goes gin against LOST: 93 points."""
    dealer = 1 if state.dealer is None else state.dealer
    if seat == dealer:
        deal = dealt(before=state, dealer=dealer, first=LOST, second=READY, stock="4C", upcard="KC")
        return played(deal, "take", "discard KS", "draw", "knock 5S")
    deal = dealt(before=state, dealer=dealer, first=READY, second=LOST, stock="4C", upcard="KC")
    return played(deal, "draw", "knock 5S")


def drawn(state: gin.State) -> gin.State:
    """One more deal, in which nobody scores (of a match with stock_floor 30)."""
    dealer = 1 if state.dealer is None else state.dealer
    return played(dealt(before=state, dealer=dealer, stock="KD"), "draw", "discard KD")


def match(options: Options, *winners: int | None) -> gin.State:
    """The match after deals that these seats scored in; None: drawn."""
    state = gin.new(replace(options, stock_floor=30), 2)
    for winner in winners:
        state = drawn(state) if winner is None else scored(state, winner)
    return state


def test_the_match_goes_on_below_the_target():
    state = match(Options(target=94), 0)
    assert (state.turn, state.scores, state.places) == (-1, (93, 0), None)


def test_the_match_ends_when_a_seat_has_the_target_exactly():
    state = match(Options(target=93), 1)
    assert (state.turn, state.phase, state.scores, state.places) == (None, "over", (0, 93), (2, 1))
    assert gin.legal_actions(state) == ()


def test_the_undercut_that_crosses_the_target_credits_the_undercutter():
    state = ready(Options(target=29), second=LOWER, upcard="JC")
    state = played(state, "draw", "knock KD", "finish")
    assert (state.scores, state.places) == ((0, 29), (2, 1))


def test_after_max_deals_the_higher_score_wins():
    state = match(Options(target=1000, max_deals=3), 0, None, None)
    assert (state.deal, state.scores, state.places) == (3, (93, 0), (1, 2))


def test_after_max_deals_equal_scores_share_the_place():
    state = match(Options(target=1000, max_deals=2, game_bonus=100, box_bonus=25), 0, 1)
    assert (state.places, state.scores, state.bonuses) == ((1, 1), (118, 118), (25, 25))
    assert match(Options(max_deals=1), None).places == (1, 1)


@pytest.mark.parametrize(
    ("rule", "winners", "dealers"),
    [
        ("alternate", (0, 0, 1, None, 1), [1, 0, 1, 0, 0, 1]),
        ("winner", (0, 0, 1, None, 1), [1, 0, 0, 1, 1, 1]),
        ("loser", (0, 0, 1, None, 1), [1, 1, 1, 0, 0, 0]),
    ],
)
def test_who_deals_next(rule, winners, dealers):
    options = Options(next_dealer=rule, target=10_000)
    after = [match(options, *winners[:deals]).dealer for deals in range(1, len(winners) + 1)]
    assert after == dealers[1:]


def test_a_tied_deal_is_dealt_again_by_the_same_dealer():
    state = played(ready(second=EQUAL, upcard="JC"), "draw", "knock KD", "finish")
    assert (state.turn, state.dealer) == (-1, 1)


def test_bonuses_count_only_in_the_final_totals():
    classic = replace(gin.PRESETS["classic"], opening="free", target=200)
    before = match(classic, 0, 1, 0)
    assert (before.scores, before.boxes, before.bonuses) == ((186, 93), (2, 1), (0, 0))
    state = match(classic, 0, 1, 0, 0)
    assert (state.scores, state.bonuses) == ((279 + 100 + 75, 93 + 25), (175, 25))


def test_the_winner_is_who_reached_the_target_whatever_the_bonuses():
    state = match(Options(target=180, box_bonus=1000), 0, 0)
    assert state.places == (1, 2)
    rich = replace(match(Options(target=100, box_bonus=1000), 1), boxes=(0, 3))
    rich = scored(scored(replace(rich, scores=(0, 90)), 0), 0)
    assert (rich.scores, rich.places) == ((186 + 2000, 90 + 3000), (1, 2))


def test_shutout_doubles_the_total_of_a_winner_whose_rival_never_scored():
    options = Options(shutout_doubles=True, target=180, game_bonus=100, box_bonus=25)
    state = match(options, 0, 0)
    assert (state.scores, state.bonuses) == ((2 * (186 + 150), 0), (150 + 336, 0))
    not_shut_out = match(options, 1, 0, 0)
    assert (not_shut_out.scores, not_shut_out.bonuses) == ((186 + 150, 93 + 25), (150, 25))


def test_without_the_option_a_shutout_doubles_nothing():
    assert match(Options(target=180), 0, 0).scores == (186, 0)


def test_results_tell_points_without_the_bonuses_of_the_match():
    state = match(Options(game_bonus=100, target=90), 0)
    assert (state.result.points, state.scores) == ((93, 0), (193, 0))


# Presets


def test_presets_differ_from_the_default_only_where_the_rules_say():
    fields = Options.__struct_fields__
    changes = {
        name: {f: getattr(o, f) for f in fields if getattr(o, f) != getattr(Options(), f)}
        for name, o in gin.PRESETS.items()
    }
    assert changes == {
        "arcade": {},
        "classic": {
            "opening": "offer",
            "tie": "undercut",
            "next_dealer": "loser",
            "game_bonus": 100,
            "box_bonus": 25,
            "shutout_doubles": True,
        },
        "oklahoma": {"knock_limit": "oklahoma", "spade_doubles": True},
        "straight": {"knock_limit": 0},
        "research": {"opening": "offer", "tie": "undercut", "big_gin": False},
    }


def test_the_defaults_are_those_of_the_rules():
    assert {f: getattr(Options(), f) for f in Options.__struct_fields__} == {
        "opening": "free",
        "may_return_taken": False,
        "knock_limit": 10,
        "spade_doubles": False,
        "big_gin": True,
        "auto_layoff": False,
        "tie": "nobody",
        "stock_floor": 2,
        "wall": "draw",
        "idle_limit": 24,
        "undercut_bonus": 25,
        "gin_bonus": 25,
        "big_gin_extra": 6,
        "target": 100,
        "max_deals": 200,
        "next_dealer": "alternate",
        "game_bonus": 0,
        "box_bonus": 0,
        "shutout_doubles": False,
    }


# What is known to whom


def test_a_card_drawn_from_the_stock_is_known_to_its_drawer_only():
    state = played(ready(), "draw")
    assert [gin.view(state, seat).last.card for seat in (0, 1, None)] == ["KD", None, None]
    assert [gin.view(state, seat).turns[0].drawn for seat in (0, 1, None)] == ["KD", None, None]


def test_a_card_taken_from_the_pile_is_known_to_all_until_it_is_thrown():
    state = played(ready(), "take")
    for seat in (0, 1, None):
        view = gin.view(state, seat)
        assert (view.last.card, view.turns[0].drawn, view.taken) == ("9D", "9D", (("9D",), ()))
    state = played(state, "discard 5S", "draw", "discard KD", "draw", "discard 9D")
    assert gin.view(state, 1).taken == ((), ())


def test_each_sees_his_own_hand_and_a_spectator_none():
    state = ready()
    assert gin.view(state, 0).hand == names(card_set(READY.split()))
    assert gin.view(state, 1).hand == names(card_set(LOST.split()))
    assert gin.view(state, None).hand is None
    assert gin.view(state, None).deadwood is None


def test_sizes_pile_and_scores_are_known_to_all():
    state = played(ready(), "draw", "discard KD", "take")
    for seat in (0, 1, None):
        view = gin.view(state, seat)
        assert (view.hand_sizes, view.stock_size, view.discards) == ((10, 11), 30, ("9D",))


def test_only_the_seat_to_move_is_told_what_is_legal_and_banned():
    state = played(ready(), "take")
    assert [bool(gin.view(state, seat).legal) for seat in (0, 1, None)] == [True, False, False]
    assert [gin.view(state, seat).banned for seat in (0, 1, None)] == ["9D", None, None]


def test_a_knock_shows_the_knockers_melds_and_deadwood_but_not_the_defenders_hand():
    state = played(ready(), "draw", "knock KD")
    for seat in (1, None):
        showdown = gin.view(state, seat).showdown
        assert showdown.melds == (("AC", "2C", "3C"), ("7D", "7H", "7S"), ("TH", "JH", "QH"))
        assert (showdown.knocker, showdown.loose, showdown.deadwood) == (0, ("5S",), 5)
    assert gin.view(state, 0).result is None


def test_both_hands_are_shown_at_the_end_of_a_deal():
    for state in (played(ready(), "draw", "knock KD", "finish"), down_to(ready(), 2)):
        for seat in (0, 1, None):
            shown = gin.view(state, seat).result.hands
            assert shown == (names(card_set(READY.split())), names(card_set(LOST.split())))


def test_the_deal_in_the_view_names_the_dealer_and_no_card():
    assert gin.view(ready(), 0).last == gin.Last(-1, gin.Deal(1), None)


def test_before_the_first_deal_the_limit_is_that_of_the_options():
    assert gin.view(gin.new(gin.PRESETS["straight"], 2), 0).knock_limit == 0


# Foresight


def test_foresight_of_a_stock_draw_tells_no_card():
    state = ready()
    assert gin.foresee(state, DRAW).hand == names(card_set(READY.split()))
    assert gin.foresee(state, DRAW).ending is None


def test_foresight_of_gin_is_certain_and_of_a_knock_is_not():
    state = played(ready(stock="4C"), "draw")
    assert gin.foresee(state, Knock("5S")).ending == "gin"
    assert gin.foresee(state, Knock("4C")).ending is None
    auto = played(ready(Options(auto_layoff=True)), "draw")
    assert gin.foresee(auto, Knock("KD")).ending is None


def test_foresight_of_a_discard_tells_the_deadwood_it_leaves():
    assert gin.foresee(played(ready(), "draw"), Discard("5S")).deadwood == 10


def test_foresight_of_the_discard_that_draws_the_deal_says_so():
    state = down_to(ready(), 3)
    top = NAMES[state.stock[0]]
    assert gin.foresee(played(state, "draw"), Discard(top)).ending == "wall"


# Words


@pytest.mark.parametrize(
    ("line", "card", "words"),
    [
        ("draw", None, "draws a card from the stock"),
        ("draw", "7H", "draws 7H from the stock"),
        ("take", "7H", "takes 7H from the discards"),
        ("pass", None, "passes"),
        ("discard 7H", None, "discards 7H"),
        ("knock 7H", None, "discards 7H and knocks"),
        (
            "knock 7H: AC 2C 3C / KC KD KS",
            None,
            "discards 7H and knocks, laying AC 2C 3C, KC KD KS",
        ),
        ("big gin", None, "declares big gin"),
        ("lay off 7H on 1", None, "lays 7H off on meld 1"),
        ("finish", None, "lays nothing more off"),
    ],
)
def test_each_action_in_words(line, card, words):
    assert gin.words(action(line), card) == words


@pytest.mark.parametrize(
    ("stock", "lines", "told"),
    [
        ("KD", ["knock KD"], "discards KD and knocks"),
        ("KD", ["knock KD", "finish"], "lays nothing more off. seat 0 scores 63"),
        ("4C", ["knock 5S"], "discards 5S and goes gin. seat 0 scores 93"),
        ("4C", ["discard 4C"], "discards 4C"),
    ],
)
def test_what_ends_a_deal_tells_of_gin_and_of_the_points(stock, lines, told):
    state = played(ready(stock=stock), "draw", *lines)
    assert gin.words(state.last_action, None, gin.view(state, 1)) == told


def test_gin_with_its_melds_named_is_told_without_a_view():
    gone = action("knock 5S: AC 2C 3C 4C / 7D 7H 7S / TH JH QH")
    assert gin.words(gone) == "discards 5S and goes gin, laying AC 2C 3C 4C, 7D 7H 7S, TH JH QH"


def test_the_deal_in_words():
    assert gin.words(gin.Deal(0)) == "seat 0 deals"
