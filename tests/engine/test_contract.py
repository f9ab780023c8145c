"""What every game promises (games/engine/game.py), for every game in GAMES."""

import ast
import inspect
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine import GAMES, log
from games.engine.cards import NAMES
from games.engine.game import (
    DEALER,
    IllegalAction,
    MalformedAction,
    MatchOver,
    NotYourTurn,
    Reshuffle,
    parse,
    play,
)
from games.engine.log import read_entry, read_position
from tests.engine.matches import (
    CARDS,
    HIDDEN,
    Match,
    any_action,
    deals,
    matches,
    never_seen,
    play_out,
    redealt,
)
from tests.engine.refusals import REFUSALS

PAYS_AT_ONCE = {"pyramid"}
every_game = pytest.mark.parametrize("name", GAMES)


def json(value: Any) -> Any:
    """What a client or the database would read back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def codes(name: str) -> set[str]:
    """The reasons in a game's source: the first of every pair that a why_no... returns."""
    returns = [
        node.value
        for function in ast.walk(ast.parse(inspect.getsource(GAMES[name])))
        if isinstance(function, ast.FunctionDef) and "why_no" in function.name
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
    ]
    return {ast.literal_eval(pair.elts[0]) for pair in returns if isinstance(pair, ast.Tuple)}


# It ends


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_match_ends_with_places_and_nobody_to_move(name, data):
    match = data.draw(matches(name))
    end = match.positions[-1]
    assert end.status == "finished"
    assert end.turn is None
    assert len(end.places) == match.seats
    assert min(end.places) == 1
    if end.ended_by == "played":
        assert end.resigned or end.state.places == end.places
        assert match.game.legal_actions(end.state) == ()
    assert all(match.game.view(end.state, reader) for reader in match.readers)


@pytest.mark.parametrize(
    ("name", "preset"), [(name, preset) for name in GAMES for preset in GAMES[name].PRESETS]
)
def test_a_whole_match_of_every_preset_ends(name, preset):
    game = GAMES[name]
    for seats in game.SEATS:
        match = play_out(name, game.PRESETS[preset], seats, seed=seats)
        assert match.positions[-1].status == "finished"


# The log


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_log_replays_to_the_same_positions(name, data):
    match = data.draw(matches(name))
    stored = [(entry.seat, json(entry.action)) for entry in match.entries]
    entries = [read_entry(match.game, seat, action) for seat, action in stored]
    assert entries == list(match.entries)
    replayed = list(log.positions(match.game, match.options, match.seats, entries))
    assert replayed == list(match.positions[1:])
    assert [position.version for position in replayed] == list(range(1, len(entries) + 1))


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_number_of_a_shuffle_never_goes_back(name, data):
    """So no order of cards comes twice in a match, whatever is taken back in it."""
    match = data.draw(matches(name))
    dealt = 0
    for entry, position in zip(match.entries, match.positions[1:], strict=True):
        dealt += entry.seat == DEALER
        assert position.shuffles == dealt


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_positions_survive_json_and_play_on(name, data):
    match = data.draw(matches(name))
    for n, entry in enumerate(match.entries):
        position, after = match.positions[n : n + 2]
        read = read_position(match.game, json(position))
        assert read == position
        assert log.fold(match.game, match.options, read, entry) == after
    last = match.positions[-1]
    assert read_position(match.game, json(last)) == last


@every_game
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_views_survive_json(name, data):
    match = data.draw(matches(name))
    for state in match.states():
        for reader in match.readers:
            view = match.game.view(state, reader)
            assert msgspec.convert(json(view), match.game.View) == view


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_actions_survive_json_in_their_one_spelling(name, data):
    match = data.draw(matches(name))
    for state in match.states():
        for action in match.game.legal_actions(state):
            assert parse(match.game, json(action)) == action


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_order_of_cards_and_melds_in_an_action_does_not_matter(name, data):
    match, rng = data.draw(matches(name)), Random(1)
    for state in match.states():
        for action in match.game.legal_actions(state)[-3:]:
            assert parse(match.game, shuffled(json(action), rng)) == action


def shuffled(value: Any, rng: Random) -> Any:
    """The same JSON with every list in some other order."""
    if isinstance(value, dict):
        return {key: shuffled(inner, rng) for key, inner in value.items()}
    if isinstance(value, list):
        return [shuffled(inner, rng) for inner in rng.sample(value, len(value))]
    return value


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_options_survive_json(name, data):
    match = data.draw(matches(name))
    assert msgspec.convert(json(match.options), match.game.Options) == match.options


# Taken back


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_taken_back_only_what_nobody_had_seen_comes_in_another_order(name, data):
    match = data.draw(matches(name))
    game = match.game
    at = data.draw(st.sampled_from([s for s in match.states() if s.turn not in (None, DEALER)]))
    unseen = set.intersection(*(HIDDEN[name](at, reader) for reader in match.readers))

    waiting = game.taken_back(at)

    if waiting == at:
        turned_over = "turn_over" in json(at)["options"].values() and at.restocks > 0
        assert len(unseen) < 2 or turned_over  # then everybody knows what lies where
        return
    assert waiting.turn == DEALER
    assert game.legal_actions(waiting) == ()
    cards = game.to_shuffle(waiting)
    assert sorted(map(NAMES.index, cards)) == sorted(unseen)
    order = data.draw(st.permutations(cards))
    action = game.dealer_action(waiting, tuple(order), 0)
    assert action == Reshuffle(tuple(order))
    after = game.apply(waiting, action)
    assert sorted(CARDS[name](after)) == sorted(CARDS[name](at))
    assert [NAMES[card] for card in CARDS[name](after) if card in unseen] == list(order)
    for reader in match.readers:
        told = game.view(after, reader)
        assert told.last.action == Reshuffle()
        then = game.view(at, reader)
        assert replace(told, last=None, legal=()) == replace(then, last=None, legal=())
        assert set(told.legal) <= set(then.legal)  # an undo does not go back further


# Whose turn, and what is legal


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_only_the_seat_to_move_has_actions(name, data):
    match = data.draw(matches(name))
    for position in match.positions:
        if position.state is None:
            continue
        legal = match.game.legal_actions(position.state)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (position.state.turn not in (None, DEALER))
        for reader in match.readers:
            to_move = None if position.turn in position.resigned else position.turn
            mine = reader is not None and reader == to_move
            assert log.view(match.game, position, reader).legal == (legal if mine else ())


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_apply_leaves_its_argument_alone(name, data):
    match = data.draw(matches(name))
    before = [msgspec.json.encode(position) for position in match.positions]
    for position, entry in zip(match.positions, match.entries, strict=False):
        if entry.seat != log.TABLE:
            match.game.apply(position.state, entry.action)
    assert [msgspec.json.encode(position) for position in match.positions] == before


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_card_of_the_pack_is_always_somewhere_and_once(name, data):
    match = data.draw(matches(name))
    for state in match.states():
        if state.deal:
            assert sorted(CARDS[name](state)) == list(range(52))


@every_game
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_scores_only_change_when_a_deal_ends(name, data):
    """Except where every action pays at once."""
    if name in PAYS_AT_ONCE:
        return
    states = data.draw(matches(name)).states()
    for before, after in pairwise(states):
        if after.result is before.result:
            assert after.scores == before.scores


# Refusals


@every_game
def test_every_reason_has_a_scenario(name):
    assert codes(name) == set(REFUSALS[name])


@pytest.mark.parametrize(
    ("name", "code"), [(name, code) for name in GAMES for code in REFUSALS[name]]
)
def test_a_refusal_names_the_rule_says_it_in_words_and_lists_what_is_legal(name, code):
    game, (state, action) = GAMES[name], REFUSALS[name][code]
    with pytest.raises(IllegalAction) as refusal:
        play(game, state, state.turn, action)
    assert refusal.value.rule == code
    assert str(refusal.value).endswith(".")
    assert refusal.value.extra["legal"] == game.legal_actions(state)
    [error] = refusal.value.extra["errors"]
    assert error == {"pointer": "/action", "code": code, "detail": str(refusal.value)}


@every_game
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_any_action_is_either_played_or_refused_with_a_known_reason(name, data):
    match = data.draw(matches(name))
    states = [state for state in match.states() if state.turn not in (None, DEALER)]
    for raw in data.draw(st.lists(any_action(match.game), min_size=10, max_size=10)):
        state = states[data.draw(st.integers(0, len(states) - 1))]
        action = parse(match.game, raw)
        if action in match.game.legal_actions(state):
            play(match.game, state, state.turn, action)
        else:
            rule, words = match.game.why_not(state, action)
            assert rule in REFUSALS[name]
            assert words


@every_game
def test_another_seat_may_not_move_and_nobody_after_the_end(name):
    game = GAMES[name]
    seeds = (play_out(name, game.Options(), game.SEATS[0], seed) for seed in range(100))
    match = next(match for match in seeds if match.positions[-1].ended_by == "played")
    first = next(state for state in match.states() if state.turn == 0)
    action = game.legal_actions(first)[0]
    with pytest.raises(NotYourTurn):
        play(game, first, 1, action)
    with pytest.raises(NotYourTurn):
        play(game, game.new(match.options, match.seats), 0, action)
    with pytest.raises(MatchOver):
        play(game, match.positions[-1].state, 0, action)


@every_game
@pytest.mark.parametrize(
    "data",
    [
        None,
        5,
        "draw",
        [],
        {},
        {1: 2},
        {"type": 5},
        {"type": "unknown"},
        {"type": ["x"]},
        {"kind": "x"},
        {"type": "\ud800"},
        {"\ud800": 1},
    ],
)
def test_what_is_no_action_is_malformed(name, data):
    with pytest.raises(MalformedAction):
        parse(GAMES[name], data)


@every_game
@given(data=st.data())
@settings(max_examples=50)
def test_unknown_fields_and_wrong_cards_are_malformed(name, data):
    raw = data.draw(any_action(GAMES[name]))
    with pytest.raises(MalformedAction):
        parse(GAMES[name], {**raw, "extra": 1})
    for field, value in raw.items():
        if value in NAMES:
            for wrong in ("1H", "10H", "7h", "7X", "", "7H ", "7H\n", 7, None, ["7H"]):
                with pytest.raises(MalformedAction):
                    parse(GAMES[name], {**raw, field: wrong})


# Secrecy


@every_game
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_permuting_the_cards_a_seat_cannot_see_never_changes_its_view(name, data):
    """Nor what it is told of the outcome of its actions. Cannot see: by the rules, at any time
    from the deal up to then."""
    match = data.draw(matches(name))
    reader = data.draw(st.sampled_from(match.readers))
    start, last = data.draw(st.sampled_from(deals(match)))
    end = data.draw(st.integers(start + 1, last))
    hidden = never_seen(match, start, end, reader)
    other = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    changed = redealt(match, start, end, other)
    for position, before in zip(changed, match.positions[start + 1 : end + 1], strict=True):
        assert told(match, position, reader) == told(match, before, reader)


def told(match: Match, position: Any, reader: int | None) -> bytes:
    """All that a reader can learn at a position, as bytes."""
    view = log.view(match.game, position, reader)
    foresights = [match.game.foresee(position.state, action) for action in view.legal]
    return msgspec.json.encode((view, log.last(position, view), foresights))
