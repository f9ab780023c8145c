"""Every sentence of the rules of Pyramid, by scripted rounds."""

import ast
import inspect

import msgspec
import pytest
from msgspec.structs import replace

from games.engine import pyramid
from games.engine.cards import INDEX, NAMES
from games.engine.game import DEALER, IllegalAction, MalformedAction, MatchOver, parse, play
from games.engine.pyramid import DRAW, NEXT_ROUND, REDEAL, UNDO, Deal, Options, Remove
from tests.engine.pyramid_decks import (
    LAID,
    PRACTICE,
    SCENARIOS,
    STANDARD,
    action,
    amid,
    dealt,
    every_card,
    pack,
    played,
)

ONE_KING = "KC"  # a pyramid whose last card goes alone


def refused(state: pyramid.State, line: str) -> str:
    """The rule that an action breaks; nothing changes."""
    before = msgspec.json.encode(state)
    with pytest.raises(IllegalAction) as refusal:
        played(state, line)
    assert msgspec.json.encode(state) == before
    return refusal.value.rule


def removals(state: pyramid.State) -> list[str]:
    return [" ".join(a.cards) for a in pyramid.legal_actions(state) if isinstance(a, Remove)]


def named(cards: tuple[int, ...]) -> str:
    return " ".join(NAMES[card] for card in cards)


def ended(state: pyramid.State) -> tuple[str, int]:
    """How the round ended, and its points."""
    assert state.result is not None
    return state.result.ending, state.result.points[0]


def drawn(state: pyramid.State, count: int) -> pyramid.State:
    return played(state, *["draw"] * count)


# 1. The deal


def test_twenty_eight_cards_lie_in_the_pyramid_and_twenty_four_in_the_draw_pile():
    state = dealt()
    assert state.pyramid == tuple(range(28))
    assert state.draw == tuple(range(28, 52))
    assert (state.waste, state.turn, state.deal) == ((), 0, 1)


def test_card_i_of_row_r_is_covered_by_the_cards_i_r_1_and_i_r_2():
    assert pyramid.COVERERS[0] == (1, 2)
    assert pyramid.COVERERS[2] == (4, 5)
    assert pyramid.COVERERS[15] == (21, 22)
    assert pyramid.COVERERS[20] == (26, 27)
    assert pyramid.COVERERS[21:] == ((),) * 7
    covered = [place for over in pyramid.COVERERS for place in over]
    assert len(covered) == 42
    assert set(covered) == set(range(1, 28))


def test_the_whole_pack_is_shuffled_for_every_round():
    assert pyramid.to_shuffle(pyramid.new(STANDARD, 1)) == NAMES
    assert pyramid.dealer_action(pyramid.new(STANDARD, 1), NAMES, lot=0) == Deal(NAMES)


def test_the_same_deal_is_byte_equal_on_restart():
    once, again = (msgspec.json.encode(dealt(places=LAID)) for _ in range(2))
    assert once == again


# 2. What is playable


def test_at_the_deal_the_last_row_and_the_top_draw_card_are_playable():
    state = dealt(places=LAID, draw="TS 9S 8S")
    assert removals(state) == ["3H TS", "5H 8H", "6H 7H", "KH"]


def test_the_top_waste_card_is_playable_and_those_under_it_are_not():
    state = drawn(dealt(places=LAID, draw="TS 9S 8S"), 2)
    assert "4H 9S" in removals(state)
    assert "3H TS" not in removals(state)
    assert refused(state, "3H TS") == "not-on-top"


def test_a_card_of_the_pyramid_is_playable_once_both_its_coverers_are_gone():
    state = amid(places="2C 3C 4C", draw="TD 9D 8D", waste="JD")
    assert removals(state) == ["3C TD"]
    state = played(state, "3C TD")
    assert refused(state, "2C JD") == "covered"
    assert removals(state) == ["4C 9D"]
    assert "2C JD" in removals(played(state, "4C 9D"))


def test_under_the_top_of_the_draw_pile_nothing_is_playable():
    assert refused(dealt(places=LAID, draw="TS 9S"), "4H 9S") == "not-on-top"


# 3. Removals


@pytest.mark.parametrize("pair", ["AC QD", "2C JD", "3C TD", "4C 9D", "5C 8D", "6C 7D"])
def test_two_cards_that_make_thirteen_go(pair):
    one, other = pair.split()
    assert removals(amid(places=one, draw=other)) == [pair]


@pytest.mark.parametrize("pair", ["AC JD", "6C 6D", "6C 8D", "AC KD", "TC TD"])
def test_two_cards_that_make_anything_else_stay(pair):
    one, other = pair.split()
    state = amid(places=f"2S {one}", draw=other)
    assert refused(state, pair) == "not-thirteen"


def test_two_cards_of_the_pyramid_go():
    state = played(dealt(places=LAID), "8H 5H")
    assert (state.pyramid[21], state.pyramid[24]) == (-1, -1)


def test_a_card_of_the_pyramid_goes_with_the_draw_card_or_the_waste_card():
    state = amid(places="2C 5C 6C", draw="8D 9H", waste="7D")
    assert set(removals(state)) == {"5C 8D", "6C 7D"}
    assert named(played(state, "5C 8D").draw) == "9H"
    assert named(played(state, "6C 7D").waste) == ""


def test_the_draw_card_goes_with_the_waste_card():
    state = played(amid(places="2C", draw="8D 9H", waste="3C 5C"), "5C 8D")
    assert (named(state.draw), named(state.waste)) == ("9H", "3C")


def test_a_king_goes_alone_from_the_pyramid_the_draw_pile_and_the_waste():
    state = amid(places="2C KC 3C", draw="KD JC", waste="KH")
    assert removals(state) == ["KC", "KD", "KH"]
    state = played(state, "KC", "KD", "KH")
    assert (named(state.draw), state.waste, state.pyramid[1]) == ("JC", (), -1)


def test_a_covered_king_is_refused():
    state = amid(places="KC 2C", draw="JC 5C")
    assert refused(state, "KC") == "covered"
    assert "KC" in removals(played(state, "2C JC"))


def test_a_king_does_not_go_with_another_card():
    assert refused(amid(places="2C KC", draw="KD AD"), "KC KD") == "not-thirteen"


def test_only_a_king_goes_alone():
    assert refused(amid(places="2C", draw="3C"), "2C") == "not-a-king"


def test_a_card_does_not_go_with_itself():
    assert refused(amid(places="2C KC", draw="3C"), "KC KC") == "not-thirteen"


def test_a_removed_card_does_not_come_back():
    state = played(amid(places="2C 5C 6C", draw="8D 9H"), "5C 8D")
    assert refused(state, "5C 8D") == "removed"


def test_the_order_in_which_a_pair_is_named_does_not_matter():
    assert action("8D 5C") == action("5C 8D") == Remove(("5C", "8D"))


@pytest.mark.parametrize("cards", [[], ["AC", "2C", "TC"], ["XX"], "AC", None])
def test_one_or_two_cards_are_removed(cards):
    with pytest.raises(MalformedAction):
        parse(pyramid, {"type": "remove", "cards": cards})


def test_legal_actions_come_in_deck_order_then_draw():
    state = dealt(places=LAID, draw="TS")
    assert pyramid.legal_actions(state) == (
        Remove(("3H", "TS")),
        Remove(("5H", "8H")),
        Remove(("6H", "7H")),
        Remove(("KH",)),
        DRAW,
    )


# 3. Overlap


def test_without_overlap_a_card_does_not_go_with_its_last_coverer():
    state = amid(places="6C 7C", draw="2D")
    assert refused(state, "6C 7C") == "covered"


def test_with_overlap_a_card_goes_with_its_last_coverer():
    state = amid(Options(overlap=True), places="6C 7C", draw="2D")
    assert removals(state) == ["6C 7C"]
    assert max(played(state, "6C 7C").pyramid) == -1


def test_with_overlap_a_card_with_two_coverers_stays():
    state = amid(Options(overlap=True), places="6C 7C 8C", draw="2D")
    assert refused(state, "6C 7C") == "covered"


def test_with_overlap_a_coverer_that_is_covered_stays():
    state = amid(Options(overlap=True), places="6C 7C -- 8C", draw="2D")
    assert refused(state, "6C 7C") == "covered"


def test_with_overlap_the_cards_must_lie_on_each_other():
    state = amid(Options(overlap=True), places="2C 6C 3C 7C -- --", draw="2D")
    assert removals(state) == ["6C 7C"]
    state = amid(Options(overlap=True), places="2C 6C 7C 3D -- --", draw="2D")
    assert removals(state) == []


# 4. Drawing


def test_drawing_moves_the_top_card_to_the_waste():
    state = drawn(dealt(places=LAID, draw="TS 9S 8S"), 2)
    assert (named(state.draw[:1]), named(state.waste)) == ("8S", "TS 9S")


def test_drawing_is_never_refused_while_the_pile_is_not_empty():
    state = dealt(places=LAID)
    for _ in range(24):
        assert DRAW in pyramid.legal_actions(state)
        state = played(state, "draw")
    assert DRAW not in pyramid.legal_actions(state)
    assert refused(state, "draw") == "draw-pile-empty"


def test_drawing_with_draw_pile_and_waste_empty_is_a_clear_error():
    state = amid(places="2C 5C 8C")
    assert refused(state, "draw") == "no-cards"


# 5. Redeals


def test_the_waste_is_turned_over_in_the_same_order():
    state = drawn(dealt(places=LAID), 24)
    order = state.waste
    state = played(state, "redeal")
    assert (state.draw, state.waste, state.redeals) == (order, (), 1)
    assert named(state.draw[:1]) == NAMES[INDEX[pack(LAID)[28]]]


def test_cards_removed_are_missing_from_the_pile_turned_over():
    state = amid(places="2C 5C 6C", draw="8D 9H TH", waste="AD")
    state = played(state, "draw", "5C 8D", "draw", "draw", "redeal")
    assert named(state.draw) == "AD 9H TH"


def test_a_redeal_is_an_action_and_the_last_waste_card_may_still_be_wanted():
    state = drawn(amid(places="2C 3C", draw="4H TH", redeals=0), 2)
    assert pyramid.legal_actions(state) == (Remove(("3C", "TH")), REDEAL)


def test_a_redeal_waits_until_the_draw_pile_is_empty():
    assert refused(drawn(dealt(), 23), "redeal") == "draw-pile-not-empty"


def test_redeal_with_twenty_four_cards_one_and_none_in_the_waste():
    assert REDEAL in pyramid.legal_actions(drawn(dealt(places=LAID), 24))
    one = played(amid(places="2C", waste="4H"), "redeal")
    assert (named(one.draw), one.waste) == ("4H", ())
    assert refused(amid(places="2C 3C TC"), "redeal") == "waste-empty"


@pytest.mark.parametrize("redeals", [0, 1, 2, 9])
def test_as_many_redeals_as_the_option_says(redeals):
    state = amid(Options(redeals=redeals), places="2C", draw="4H 5H")
    for left in range(redeals, 0, -1):
        assert pyramid.view(state, 0).redeals_left == left
        state = played(state, "draw", "draw", "redeal")
    assert state.turn == 0
    state = played(state, "draw", "draw")
    assert (state.turn, ended(state)[0]) == (None, "stuck")


def test_the_last_pass_over_and_a_pair_left_a_redeal_is_refused():
    state = amid(places="2C", waste="4H JH", redeals=2)
    assert refused(state, "redeal") == "no-redeals-left"


def test_redeals_are_counted_by_the_round():
    state = amid(places=ONE_KING, waste="4H", redeals=2)
    state = dealt(before=played(state, "KC", "next round"))
    assert pyramid.view(state, 0).redeals_left == 2


# 6. Points


def test_ten_points_a_card_on_removal():
    state = dealt(places=LAID, draw="TS")
    assert played(state, "KH").scores == (10,)
    assert played(state, "KH", "5H 8H").scores == (30,)
    assert pyramid.view(played(state, "KH", "5H 8H"), 0).points == 30


def test_clearing_the_pyramid_pays_a_hundred_in_the_removal_that_clears_it():
    state = amid(places="2C", draw="JC 3C")
    assert state.scores == (490,)
    assert played(state, "2C JC").scores == (490 + 20 + 100,)


def test_clearing_pays_a_hundred_times_the_number_of_the_round():
    state = amid(places=ONE_KING, draw="3C", deal=7)
    assert played(state, "KC").points - state.points == 10 + 700


def test_the_bonus_is_paid_once():
    state = played(amid(places=ONE_KING, draw="3C TC"), "KC", "draw", "3C TC")
    assert (state.points, state.result.bonus) == (52 * 10 + 100, 100)


def test_the_score_is_ten_times_the_cards_removed_plus_the_bonuses():
    state = cleared(dealt(Options(next_round="at_once"), places=EASY))
    assert state.scores == (280 + 100,)
    state = cleared(dealt(before=played(state, "next round"), places=EASY))
    assert state.scores == (380 + 280 + 200,)


EASY = "KS 6D 7D 5D 8D KH 3D TD 4D 9D AD QD 2D JD KD 4C 9C 5C 8C 6C 7C AC QC 2C JC 3C TC KC"


def cleared(state: pyramid.State) -> pyramid.State:
    """EASY when the first legal removals have cleared it, without a draw."""
    while not (state.result and state.result.deal == state.deal):
        state = pyramid.apply(state, pyramid.legal_actions(state)[0])
    return state


# 7. After clearing


def test_cleared_is_28_empty_places_whatever_lies_in_draw_pile_and_waste():
    state = played(amid(places=ONE_KING, draw="2C 3C", waste="4C"), "KC")
    assert pyramid.view(state, 0).phase == "cleared"
    assert ended(state) == ("cleared", 490 + 100)
    assert state.turn == 0


def test_by_default_draws_and_removals_go_on_for_points_and_no_redeal():
    state = played(amid(places=ONE_KING, draw="2C JC", waste="4C"), "KC")
    assert pyramid.legal_actions(state) == (DRAW,)
    state = played(state, "draw")
    assert pyramid.legal_actions(state) == (Remove(("2C", "JC")), DRAW)
    state = played(state, "2C JC")
    assert ended(state) == ("cleared", 510 + 100)
    assert pyramid.legal_actions(state) == (NEXT_ROUND,)
    assert refused(state, "redeal") == "no-redeal-when-cleared"


def test_with_all_deals_the_waste_is_turned_over_too():
    state = played(amid(Options(after_clear="all_deals"), places=ONE_KING, waste="4C"), "KC")
    assert pyramid.legal_actions(state) == (REDEAL, NEXT_ROUND)
    state = played(state, "redeal")
    assert pyramid.legal_actions(state) == (DRAW,)
    used = played(state, "draw", "redeal", "draw")
    assert refused(used, "redeal") == "no-redeals-left"


def test_with_end_now_only_the_next_round_is_left():
    state = played(amid(Options(after_clear="end_now"), places=ONE_KING, draw="2C KD"), "KC")
    assert pyramid.legal_actions(state) == (NEXT_ROUND,)
    assert {refused(state, line) for line in ("draw", "redeal", "KD")} == {"round-over"}


def test_the_next_round_comes_when_the_draw_pile_is_empty():
    state = played(amid(places=ONE_KING, draw="2C"), "KC")
    assert refused(state, "next round") == "draw-first"
    assert NEXT_ROUND in pyramid.legal_actions(played(state, "draw"))


def test_at_once_it_comes_as_soon_as_the_pyramid_is_cleared():
    state = played(amid(Options(next_round="at_once"), places=ONE_KING, draw="2C"), "KC")
    assert pyramid.legal_actions(state) == (DRAW, NEXT_ROUND)


def test_with_end_now_it_always_comes_at_once():
    options = Options(after_clear="end_now", next_round="after_draw")
    assert NEXT_ROUND in pyramid.legal_actions(
        played(amid(options, places=ONE_KING, draw="2C"), "KC")
    )


def test_before_the_pyramid_is_cleared_there_is_no_next_round():
    for options in (STANDARD, Options(next_round="at_once"), Options(after_clear="end_now")):
        assert refused(dealt(options), "next round") == "not-cleared"


def test_the_next_round_deals_a_fresh_pack_and_keeps_the_score():
    state = played(amid(places=ONE_KING), "KC", "next round")
    assert (state.turn, pyramid.legal_actions(state)) == (DEALER, ())
    state = dealt(before=state, places=LAID)
    assert (state.deal, state.turn, state.points, state.scores) == (2, 0, 0, (620,))
    assert (state.removed, state.waste) == ((), ())
    assert sorted(every_card(state)) == list(range(52))


def test_there_is_no_limit_to_the_rounds():
    state = played(amid(places=ONE_KING, deal=1000), "KC", "next round")
    assert dealt(before=state).deal == 1001


def test_the_result_of_a_cleared_round_follows_its_points_until_the_next():
    state = played(amid(places=ONE_KING, draw="2C JC", waste="4C"), "KC")
    assert state.result.removed == 49
    state = played(state, "draw", "2C JC", "next round")
    assert (state.result.deal, state.result.removed, state.result.left) == (1, 51, 0)
    assert state.result.counts == ({"removed": 51, "cleared": 1},)
    assert dealt(before=state).result == state.result


# 8. The end


def test_the_match_is_over_when_nothing_is_left_to_do():
    state = played(amid(places="2C", draw="4H", redeals=2), "draw")
    assert (state.turn, state.places, ended(state)) == (None, (1,), ("stuck", 500))
    assert pyramid.view(state, 0).phase == "over"
    assert (state.result.left, state.result.counts) == (1, ({"removed": 50},))
    with pytest.raises(MatchOver):
        play(pyramid, state, 0, DRAW)


def test_draw_pile_and_waste_empty_in_the_first_pass_with_two_stuck_cards_is_over():
    state = amid(places="2C -- 3C --", draw="6H", waste="7H")
    state = played(state, "6H 7H")
    assert (state.draw, state.waste, state.redeals) == ((), (), 0)
    assert (state.turn, state.result.left) == (None, 2)


def test_last_pass_and_empty_draw_pile_but_the_waste_top_pairs_is_not_over():
    state = played(amid(places="2C 3C", draw="TH", waste="4H", redeals=2), "draw")
    assert pyramid.legal_actions(state) == (Remove(("3C", "TH")),)
    assert played(state, "3C TH").turn is None


def test_as_long_as_a_redeal_is_left_the_match_is_not_over():
    state = played(amid(places="2C", draw="4H", redeals=1), "draw")
    assert pyramid.legal_actions(state) == (REDEAL,)


def test_a_cleared_pyramid_never_ends_the_match():
    state = played(amid(places=ONE_KING, redeals=2), "KC")
    assert (state.turn, pyramid.legal_actions(state)) == (0, (NEXT_ROUND,))


def test_the_match_goes_on_though_the_pyramid_cannot_be_cleared():
    """All that go with the apex lie on it."""
    state = dealt(places="JC 2C 2D 2H 2S")
    assert played(state, "draw").turn == 0


# Practice


def test_undo_takes_one_action_back_at_a_time_to_the_start_of_the_round():
    states = [dealt(PRACTICE, places=LAID, draw="TS 9S 8S")]
    for line in ("5H 8H", "draw", "4H 9S", "KH", "draw"):
        states.append(played(states[-1], line))
    state = states[-1]
    for before in reversed(states[:-1]):
        state = played(state, "undo")
        assert alike(state) == alike(before)
    assert refused(state, "undo") == "nothing-to-undo"


def alike(state: pyramid.State) -> pyramid.State:
    """Without what the entry before it was."""
    return msgspec.structs.replace(state, last_seat=None, last_action=None, last_card=None)


def test_a_pair_comes_back_with_its_points():
    state = played(dealt(PRACTICE, places=LAID), "5H 8H", "undo")
    assert (state.scores, state.points, state.removed) == ((0,), 0, ())
    assert NAMES[state.pyramid[21]] == "8H"


def test_a_clearing_is_taken_back_with_its_bonus_and_its_result():
    before = amid(PRACTICE, places=ONE_KING, draw="3C")
    state = played(before, "KC", "undo")
    assert (state.scores, state.result) == (before.scores, None)
    assert pyramid.view(state, 0).phase == "pyramid"
    again = played(state, "KC", "draw", "undo")
    assert (again.scores, again.result.ending) == ((620 - 10,), "cleared")


def test_a_redeal_is_taken_back():
    state = amid(PRACTICE, places="2C", waste="4H 5H")
    state = played(state, "redeal", "undo")
    assert (state.draw, named(state.waste), state.redeals) == ((), "4H 5H", 0)


def test_undo_does_not_lead_back_into_the_round_before():
    state = dealt(before=played(amid(PRACTICE, places=ONE_KING), "KC", "next round"))
    assert refused(state, "undo") == "nothing-to-undo"
    state = played(state, "draw", "undo")
    assert (state.deal, state.scores, state.result.deal) == (2, (620,), 1)


def test_after_undo_play_goes_on_and_can_be_taken_back_again():
    state = played(dealt(PRACTICE, places=LAID), "draw", "undo", "KH", "5H 8H", "undo", "undo")
    assert len(state.draw) == 24
    assert state.done == ()


def test_undo_is_an_entry_that_the_view_shows():
    state = played(dealt(PRACTICE, places=LAID), "draw", "undo")
    assert pyramid.view(state, 0).last == pyramid.Last(0, UNDO, None)


def test_there_is_no_undo_once_the_match_is_over():
    state = played(amid(PRACTICE, places="2C", draw="4H", redeals=2), "draw")
    assert (state.turn, pyramid.legal_actions(state)) == (None, ())


def test_there_is_no_undo_outside_practice():
    state = played(dealt(places=LAID), "draw")
    assert UNDO not in pyramid.legal_actions(state)
    assert refused(state, "undo") == "not-a-practice-match"
    assert (state.start, state.done) == (None, ())


def test_rounds_of_practice_have_numbers_that_follow_each_other():
    state = pyramid.new(Options(practice=True, deal_number=999_999), 1)
    assert [pyramid.deal_number(state, deal) for deal in (1, 2, 3, 4)] == [
        *(999_999, 1_000_000, 1, 2)
    ]


def test_no_other_match_is_dealt_by_number():
    for options in (Options(), Options(deal_number=7), Options(practice=True)):
        assert pyramid.deal_number(pyramid.new(options, 1), 1) is None


def test_with_all_cards_open_the_view_differs_by_the_draw_pile_alone():
    state = played(dealt(PRACTICE, places=LAID, draw="JS TS 9S"), "draw")
    shown = pyramid.revealed(state)
    assert shown.draw[:2] == ("TS", "9S")
    assert None not in shown.draw
    assert replace(shown, draw=pyramid.view(state, 0).draw) == pyramid.view(state, 0)


def test_a_practice_match_survives_json():
    state = played(dealt(PRACTICE, places=LAID), "draw", "KH")
    read = msgspec.json.decode(msgspec.json.encode(state), type=pyramid.State)
    assert read == state
    assert alike(played(read, "undo", "undo")) == alike(dealt(PRACTICE, places=LAID))


# Options


def test_the_defaults_are_those_of_the_rules():
    assert {f: getattr(Options(), f) for f in Options.__struct_fields__} == {
        "redeals": 2,
        "overlap": False,
        "after_clear": "finish_deal",
        "next_round": "after_draw",
        "practice": False,
        "deal_number": None,
        "clearable": False,
    }
    assert next(iter(pyramid.PRESETS.values())) == Options()


@pytest.mark.parametrize(
    "data", [{"redeals": 10}, {"redeals": -1}, {"after_clear": "x"}, {"overlap": 1}, {"x": 1}]
)
def test_other_options_are_refused(data):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, Options)


# What is known


def test_in_the_first_pass_only_the_top_of_the_draw_pile_is_shown():
    state = dealt(places=LAID, draw="TS 9S 8S")
    for seat in (0, None):
        assert pyramid.view(state, seat).draw == ("TS", *[None] * 23)
        assert pyramid.view(drawn(state, 1), seat).draw == ("9S", *[None] * 22)


def test_the_waste_is_shown_whole():
    state = drawn(dealt(places=LAID, draw="TS 9S 8S"), 2)
    assert pyramid.view(state, None).waste == ("TS", "9S")


def test_after_the_first_pass_the_order_of_the_draw_pile_is_shown():
    state = played(drawn(dealt(places=LAID, draw="TS 9S 8S"), 24), "redeal")
    assert pyramid.view(state, 0).draw == pack(LAID, "TS 9S 8S")[28:]


def test_in_the_next_round_the_order_is_secret_again():
    state = dealt(before=played(amid(places=ONE_KING, redeals=2), "KC", "next round"))
    assert pyramid.view(state, 0).draw[1:] == (None,) * 23


def test_the_pyramid_is_shown_by_place_with_null_where_a_card_is_gone():
    view = pyramid.view(amid(places="2C -- 3C", draw="4C"), 0)
    assert view.pyramid == ("2C", None, "3C", *[None] * 25)


def test_a_spectator_sees_what_the_player_sees_but_has_nothing_to_do():
    state = played(dealt(places=LAID), "5H 8H", "draw")
    own, other = pyramid.view(state, 0), pyramid.view(state, None)
    assert (bool(own.legal), other.legal) == (True, ())
    assert msgspec.structs.replace(other, seat=0, legal=own.legal) == own


def test_the_last_entry_tells_the_card_put_on_the_waste_and_of_a_deal_no_card():
    state = dealt(places=LAID, draw="TS")
    assert pyramid.view(state, 0).last == pyramid.Last(DEALER, Deal(), None)
    assert pyramid.view(drawn(state, 1), None).last == pyramid.Last(0, DRAW, "TS")
    assert pyramid.view(played(state, "KH"), 0).last == pyramid.Last(0, Remove(("KH",)), None)


def test_phases():
    state = pyramid.new(STANDARD, 1)
    assert pyramid.view(state, 0).phase == "dealing"
    assert pyramid.view(dealt(), 0).phase == "pyramid"


# Foresight


def test_foresight_of_a_removal_tells_points_and_the_cards_it_lays_open():
    state = amid(places="2C 3C 4C", draw="TD 9D", waste="9H")
    assert pyramid.foresee(state, action("3C TD")) == pyramid.Foresight(20, (), None)
    state = played(state, "3C TD")
    assert pyramid.foresee(state, action("4C 9D")) == pyramid.Foresight(20, ("2C",), None)


def test_foresight_of_clearing_has_the_bonus():
    state = amid(places=ONE_KING, draw="2C", deal=3)
    assert pyramid.foresee(state, action("KC")) == pyramid.Foresight(310, (), "cleared")


def test_foresight_says_when_nothing_will_be_left_to_do():
    state = amid(places="2C", draw="4H", redeals=2)
    assert pyramid.foresee(state, DRAW) == pyramid.Foresight(0, (), "stuck")


def test_foresight_of_undo_takes_points_back():
    state = played(dealt(PRACTICE, places=LAID), "5H 8H")
    assert pyramid.foresee(state, UNDO) == pyramid.Foresight(-20, (), None)


# Words and reasons


@pytest.mark.parametrize(
    ("line", "card", "words"),
    [
        ("KH", None, "removes KH"),
        ("8H 5H", None, "removes 5H and 8H"),
        ("draw", "7H", "puts 7H on the waste"),
        ("draw", None, "puts the draw card on the waste"),
        ("redeal", None, "turns the waste over"),
        ("next round", None, "goes on to the next round"),
        ("undo", None, "takes the last action back"),
    ],
)
def test_each_action_in_words(line, card, words):
    assert pyramid.words(action(line), card) == words


def test_the_deal_in_words():
    assert pyramid.words(Deal()) == "a round is dealt"


@pytest.mark.parametrize("code", SCENARIOS)
def test_a_refusal_names_the_rule_and_says_it_in_words(code):
    state, line = SCENARIOS[code]
    assert refused(state, line) == code
    assert pyramid.why_not(state, action(line))[1].endswith(".")


def test_every_reason_has_a_scenario():
    functions = ast.walk(ast.parse(inspect.getsource(pyramid)))
    returns = [
        node.value
        for function in functions
        if isinstance(function, ast.FunctionDef) and "why_no" in function.name
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)
    ]
    assert {ast.literal_eval(pair.elts[0]) for pair in returns} == set(SCENARIOS)


def test_every_card_is_always_somewhere_and_once():
    state = dealt(places=LAID)
    for line in ("KH", *["draw"] * 24, "redeal", "5H 8H", "draw"):
        state = played(state, line)
        assert sorted(every_card(state)) == list(range(52))
