"""The bots: always legal, blind to what their seat may not know, and as strong as they say."""

import random
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games import bots
from games.bots import LEVELS, choose
from games.engine import GAMES, gin
from games.engine.game import DEALER, Game
from games.engine.gin import DRAW, FINISH, PASS, TAKE, Discard, Knock, LayOff, Options
from tests.engine.decks import ARCADE, dealt, played
from tests.engine.matches import deals, matches, never_seen, pack, redealt

pytestmark = pytest.mark.usefixtures("few_guesses")  # nothing here depends on how many

every_bot = pytest.mark.parametrize(
    ("name", "level"), [(name, level) for name in GAMES for level in LEVELS[name]]
)


def turns(game: Game, options: Any, levels: tuple[str, ...], seed: int) -> Iterator[Any]:
    """The states of a match that bots play with each other, to the last."""
    rng, name = Random(seed), next(name for name in GAMES if GAMES[name] is game)
    state = game.new(options, len(levels))
    while state.turn is not None:
        if state.turn == DEALER:
            cards = pack(game.to_shuffle(state), rng)
            action = game.dealer_action(state, cards, rng.randrange(len(levels)))
        else:
            view = game.view(state, state.turn)
            action = choose(name, view, levels[state.turn], rng)
            assert action in view.legal
        state = game.apply(state, action)
        yield state


@every_bot
def test_who_plays_for_a_bot_is_the_strongest_below_it_that_answers_at_once(name, level):
    levels = LEVELS[name]
    below = [other for other in levels[: levels.index(level)] if not bots.thinks(name, other)]

    assert bots.stand_in(name, level) == (below[-1] if below else None)
    assert not bots.thinks(name, levels[0]), "somebody must be there for every other"


def test_levels_that_think_longer_are_told_by_their_game():
    found = [(name, level) for name in GAMES for level in LEVELS[name] if bots.thinks(name, level)]
    assert found == [
        ("gin", "expert"),
        ("pyramid", "hard"),
        ("pyramid", "expert"),
    ]
    assert bots.stand_in("gin", "expert") == "hard"
    assert bots.stand_in("pyramid", "expert") == "medium"
    assert bots.stand_in("gin", "no such level") == "hard"


@every_bot
def test_a_bot_always_answers_a_legal_action(name, level):
    game = GAMES[name]
    for options in game.PRESETS.values():
        for seats in game.SEATS:
            for other in LEVELS[name]:
                levels = (level, *[other] * (seats - 1))
                assert list(turns(game, options, levels, seed=seats))[-1].places


@given(match=matches("gin"), level=st.sampled_from(LEVELS["gin"]))
@settings(max_examples=50)
def test_a_bot_of_gin_finds_a_legal_action_under_any_options(match, level):
    """Wherever random play has led."""
    for state in match.states():
        if state.turn in (0, 1):
            view = gin.view(state, state.turn)
            assert choose("gin", view, level, Random(1)) in view.legal


@every_bot
@given(data=st.data())
@settings(max_examples=50)
def test_hidden_cards_dealt_otherwise_never_change_a_bots_action(name, level, data):
    match = data.draw(matches(name))
    start, last = data.draw(st.sampled_from(deals(match)))
    end = data.draw(st.integers(start + 1, last))
    seat = match.positions[end].turn
    if seat in (None, DEALER):
        return
    hidden = never_seen(match, start, end, seat)
    other = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    changed = redealt(match, start, end, other)[-1]
    one, two = (
        choose(name, match.game.view(position.state, seat), level, Random(1))
        for position in (match.positions[end], changed)
    )
    assert one == two


@every_bot
def test_a_bot_needs_no_more_than_the_json_of_its_view(name, level):
    """What it is handed is a View, never a State."""
    game = GAMES[name]
    for state in list(turns(game, game.Options(), (level,) * game.SEATS[0], seed=1))[:60]:
        if state.turn not in (None, DEALER):
            view = game.view(state, state.turn)
            read = msgspec.json.decode(msgspec.json.encode(view), type=game.View)
            assert choose(name, read, level, Random(2)) == choose(name, view, level, Random(2))


@every_bot
def test_a_bot_draws_chance_only_from_the_generator_it_is_given(name, level):
    game, before = GAMES[name], random.getstate()
    once, again = (
        list(turns(game, game.Options(), (level,) * game.SEATS[0], seed=3)) for _ in range(2)
    )
    assert once == again
    assert random.getstate() == before


def test_an_unknown_level_is_told_in_words():
    view = gin.view(dealt(), 0)
    with pytest.raises(ValueError, match="no bot 'god' for 'gin'; there are: random, easy"):
        choose("gin", view, "god", Random(1))
    with pytest.raises(ValueError, match="there are: none"):
        choose("whist", view, "random", Random(1))


def test_a_game_without_bots_of_its_own_still_has_a_random_one():
    assert list(bots._bots("whist")) == ["random"]


def test_the_random_bot_plays_every_legal_action():
    view = gin.view(played(dealt(), "draw"), 0)
    assert {choose("gin", view, "random", Random(seed)) for seed in range(1000)} == set(view.legal)


def test_easy_beats_random_clearly():
    won = 0
    for seed in range(20):
        seat = seed % 2
        levels = ("easy", "random") if seat == 0 else ("random", "easy")
        end = list(turns(gin, ARCADE, levels, seed))[-1]
        won += end.places[seat] == 1 and end.places != (1, 1)
    assert won >= 19


# What easy does, rule by rule

LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"
HAND = "AC 2C 3C 7D 7H 7S TH JH QH 5S"


def easy(state: gin.State, seed: int = 1) -> gin.Action:
    action: gin.Action = choose("gin", gin.view(state, state.turn), "easy", Random(seed))
    return action


def choices(state: gin.State, change: Callable[[gin.View], gin.View] = lambda view: view) -> Any:
    """All that easy does with this view, over many seeds."""
    view = change(gin.view(state, state.turn))
    return {choose("gin", view, "easy", Random(seed)) for seed in range(60)}


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [
        ("6C", True),  # with 6D 6H
        ("5D", True),  # 4D 5D 6D
        ("JD", True),  # TD JD QD
        ("9C", False),  # a pair is no meld
        ("2S", False),  # nor are two in sequence
        ("AD", False),
        ("KD", False),
    ],
)
def test_easy_takes_the_discard_only_if_it_completes_a_meld(upcard, takes):
    free = dealt(first=LOST, second=HAND, upcard=upcard)
    assert easy(free) == (TAKE if takes else DRAW)
    offered = dealt(Options(opening="offer"), first=LOST, second=HAND, upcard=upcard)
    assert easy(offered) == (TAKE if takes else PASS)


def test_easy_draws_from_the_stock_when_both_have_passed():
    state = dealt(Options(opening="offer"), first=LOST, second=HAND, upcard="6S")
    assert easy(played(state, "pass", "pass")) == DRAW


def test_easy_throws_any_of_the_cards_that_leave_least_deadwood():
    state = played(dealt(first=LOST, upcard="AD", stock="JC"), "draw")
    assert choices(state) == {Discard("TD"), Discard("QD"), Discard("KS"), Discard("JC")}


def test_easy_never_throws_the_card_just_taken():
    options = Options(may_return_taken=True)
    state = played(dealt(options, first=LOST, upcard="JC"), "take")
    assert Discard("JC") in gin.legal_actions(state)
    assert choices(state) == {Discard("TD"), Discard("QD"), Discard("KS")}


def seen(*turns: tuple[int, str, str]) -> Callable[[gin.View], gin.View]:
    """The view with earlier turns of this deal: seat, card drawn, card thrown."""
    earlier = tuple(gin.SeenTurn(seat, "stock", drawn, thrown) for seat, drawn, thrown in turns)
    return lambda view: replace(view, turns=(*earlier, *view.turns))


def test_easy_never_plays_the_same_draw_and_throw_pair_again():
    state = played(dealt(first=LOST, upcard="AD", stock="JC"), "draw")
    repeated = seen((0, "JC", "TD"), (0, "QD", "JC"), (0, "JC", "JC"))
    assert choices(state, repeated) == {Discard("KS")}


def test_the_other_seats_pairs_do_not_count():
    state = played(dealt(first=LOST, upcard="AD", stock="JC"), "draw")
    assert Discard("TD") in choices(state, seen((1, "JC", "TD")))


def test_easy_throws_something_even_if_every_pair_has_been_played():
    state = played(dealt(first=LOST, upcard="AD", stock="JC"), "draw")
    pairs = [(0, "JC", card) for card in [*LOST.split(), "JC"]]
    assert choices(state, seen(*pairs)) <= set(gin.view(state, 0).legal)


def test_easy_knocks_as_soon_as_it_may_with_least_deadwood_and_names_no_melds():
    state = played(dealt(first=HAND, second=LOST, upcard="KC", stock="6C"), "draw")
    assert {Knock("6C"), Knock("5S")} <= set(gin.legal_actions(state))
    assert choices(state) == {Knock("6C")}


def test_easy_goes_gin_when_it_may():
    state = played(dealt(first=HAND, second=LOST, upcard="KC", stock="4C"), "draw")
    assert choices(state) == {Knock("5S")}


def test_easy_declares_big_gin():
    hand = HAND.replace("5S", "KH")
    state = played(dealt(first=hand, second=LOST, upcard="KC", stock="4C"), "draw")
    assert choices(state) == {gin.BIG_GIN}


def test_easy_defends_with_the_joint_optimum_of_melds_and_lay_offs():
    """Four fives are the best meld, yet 5H is worth more on the run, where 4H follows it."""
    knocker = "AC 2C 3C JC JD JS 6H 7H 8H 2S"
    defender = "5C 5D 5H 5S 4H 8D QD 9S KS TD"
    state = played(dealt(first=knocker, second=defender, stock="KD"), "draw", "knock KD")
    assert easy(state) == LayOff("5H", 2)
    state = gin.apply(state, easy(state))
    assert easy(state) == LayOff("4H", 2)
    state = gin.apply(state, easy(state))
    assert easy(state) == FINISH


def test_easy_takes_at_the_wall_what_it_can_knock_with_and_else_passes():
    wall = Options(wall="knock_upcard")
    for upcard, answer in (("4C", TAKE), ("KD", PASS)):
        state = dealt(replace(wall, knock_limit=9), first=HAND, second=LOST, upcard=upcard)
        state = replace(state, phase="wall")
        assert easy(state) == answer
    taken = played(replace(dealt(wall, first=HAND, upcard="4C"), phase="wall"), "take")
    assert easy(taken) == Knock("5S")


def test_every_level_is_listed_weakest_first():
    assert LEVELS["gin"][:2] == ("random", "easy")
    assert set(LEVELS) == set(GAMES)
