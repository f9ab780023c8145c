"""The engine against hands and deals that others worked out, line by line.

The folder is $ENGINE_DATA, or tests/data: any files of the same names and form will do. A missing
file is skipped by name; a folder with none of them fails.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.engine import gin, pyramid, rummy
from games.engine.cards import INDEX, NAMES, card_set, members, names, value
from games.engine.game import play, spelled
from games.engine.melds import best_layoffs, deadwood, fits, is_meld, leftovers, melds_in

FOLDER = Path(os.environ.get("ENGINE_DATA") or Path(__file__).parents[1] / "data")
Line = dict[str, Any]


def check_every_line(name: str, check: Callable[[Line], None]) -> None:
    """Run a check on each line of a file; a failure names the line."""
    path = FOLDER / name
    if os.environ.get("ENGINE_DATA") and not path.exists():
        pytest.skip(f"{name} is not in {FOLDER}")
    checked = 0
    with path.open() as lines:
        for checked, line in enumerate(lines, 1):
            try:
                check(json.loads(line))
            except Exception as error:
                raise AssertionError(f"{name}, line {checked}: {line[:500]}") from error
    assert checked > 0, f"{name} is empty"


def check_deadwood(line: Line) -> None:
    hand = card_set(line["cards"])
    if line["n"] == 10:
        assert deadwood(hand) == line["deadwood"]
        assert left_by(line["melds"], hand) == line["deadwood"]
    else:
        assert line["n"] == 11
        check_eleven(line, hand)


def left_by(melds: list[list[str]], hand: int) -> int:
    """The points in none of these melds, which must be melds of the hand."""
    for meld in map(card_set, melds):
        assert is_meld(meld)
        assert meld & ~hand == 0
        hand ^= meld
    return value(hand)


def check_eleven(line: Line, hand: int) -> None:
    assert deadwood(hand) == line["deadwood_all11"]
    left = {card: deadwood(hand ^ 1 << card) for card in members(hand)}
    least = min(left.values())
    assert least == line["deadwood_after_best_discard"]
    assert {NAMES[c] for c in left if left[c] == least} == set(line["best_discards"])

    state = drawn_up(hand)
    legal = gin.legal_actions(state)
    assert {a.card for a in legal if isinstance(a, gin.Discard)} == set(line["cards"])
    assert {a.card for a in legal if isinstance(a, gin.Knock)} == set(line["legal_knock_discards"])
    assert (gin.BIG_GIN in legal) == (line["deadwood_all11"] == 0)
    for knock in legal:
        if isinstance(knock, gin.Knock):
            check_knock(state, knock, left[INDEX[knock.card]])


def check_knock(state: gin.State, knock: gin.Knock, least: int) -> None:
    """Named melds keep to the limit; unnamed ones leave the least."""
    after = gin.apply(state, knock)
    assert after.laid is not None
    left = value(after.laid.loose)
    assert least <= left <= 10
    assert knock.melds is not None or left == least


def drawn_up(hand: int) -> gin.State:
    """Seat 0 is to throw one of eleven cards; he drew from the stock, so that none is banned."""
    rest = [card for card in range(52) if not hand >> card & 1]
    drawn = next(members(hand))
    return gin.State(
        gin.Options(),
        deal=1,
        dealer=1,
        turn=0,
        phase="discard",
        hands=(hand, sum(1 << card for card in rest[:10])),
        discards=(rest[10],),
        stock=tuple(rest[11:]),
        turns=(gin.Turn(0, False, drawn),),
    )


def check_layoffs(line: Line) -> None:
    table = spelled(gin.Knock("AC", tuple(map(tuple, line["knocker_melds"])))).melds
    melds = tuple(map(card_set, table))
    hand, least = card_set(line["defender_hand"]), line["defender_min_deadwood"]
    assert deadwood(hand) == line["defender_deadwood_no_layoff"]
    assert best_layoffs(hand, melds)[0] == least
    check_example(line["example"], hand, melds, least)
    if line["knocker_deadwood"] == 0:
        return  # gin: nothing is laid off
    state = knocked(line, table, gin.Options(tie="undercut"))
    for card, index in best_layoffs(hand, melds)[1]:
        state = play(gin, state, 1, gin.LayOff(NAMES[card], index))
    check_ending(play(gin, state, 1, gin.FINISH), line)
    check_ending(knocked(line, table, gin.Options(tie="undercut", auto_layoff=True)), line)


def check_example(example: Line, hand: int, melds: tuple[int, ...], least: int) -> None:
    """The lay-offs are a set: some order and choice of melds must admit them all."""
    laid_off = card_set(example["layoffs"])
    assert can_lay_off(laid_off, melds)
    left = hand & ~laid_off
    assert left_by(example["melds"], left) == least
    assert left & ~card_set(c for meld in example["melds"] for c in meld) == card_set(
        example["unmatched"]
    )


def can_lay_off(cards: int, melds: tuple[int, ...]) -> bool:
    if cards == 0:
        return True
    return any(
        can_lay_off(cards ^ 1 << card, (*melds[:i], melds[i] | 1 << card, *melds[i + 1 :]))
        for i in range(len(melds))
        for card in members(fits(melds[i]) & cards)
    )


def knocked(line: Line, table: tuple[tuple[str, ...], ...], options: gin.Options) -> gin.State:
    """The line's knock, played with its melds named, by seat 0."""
    own = card_set(c for meld in table for c in meld) | card_set(line["knocker_deadwood_cards"])
    other = card_set(line["defender_hand"])
    thrown, upcard, *stock = (c for c in range(52) if not (own | other) >> c & 1)
    order = (*names(own), *names(other), NAMES[upcard], NAMES[thrown], *(NAMES[c] for c in stock))
    state = gin.apply(gin.new(options, 2), gin.Deal(1, order))
    state = play(gin, state, 0, gin.DRAW)
    return play(gin, state, 0, gin.Knock(NAMES[thrown], table))


def check_ending(state: gin.State, line: Line) -> None:
    result = state.result
    assert result is not None
    assert result.deadwood == (line["knocker_deadwood"], line["defender_min_deadwood"])
    assert (result.ending == "undercut") == line["undercut"]


OPEN_SPIEL = gin.Options(
    opening="offer",
    may_return_taken=True,
    tie="nobody",
    wall="knock_upcard",
    big_gin=False,
    idle_limit=1000,
    max_deals=1,
)
OTHER_ENDINGS = ("repeat_draw", "upcard_cap")  # rules of OpenSpiel's own


def check_game(line: Line) -> None:
    """A whole deal: each action is legal, and the end and the points are the same."""
    state = gin.apply(gin.new(OPEN_SPIEL, 2), gin.Deal(1, tuple(line["deck"])))
    assert state.hands == tuple(map(card_set, line["hands"]))
    for player, action, drawn in actions(line):
        state = play(gin, state, player, action)
        assert state.last_card == (None if drawn is None else INDEX[drawn])
    if line["knocker"] is not None and state.phase == "layoff":
        state = laid_off(state, line["layoffs"])
    if line["end"] not in OTHER_ENDINGS:
        check_end(state, line)


def actions(line: Line) -> Iterator[tuple[int, Any, str | None]]:
    """(player, our action, card drawn): up to the knock, whose melds are named at once."""
    for number, move in enumerate(line["actions"]):
        player, card = move["player"], move.get("card")
        match move["action"]:
            case "pass" | "wall_pass":
                yield player, gin.PASS, None
            case "draw_upcard" | "wall_knock":
                yield player, gin.TAKE, card
            case "draw_stock":
                yield player, gin.DRAW, card
            case "discard":
                yield player, gin.Discard(card), None
            case "knock_discard":
                melds = knockers_melds(line["actions"][number + 1 :])
                yield player, spelled(gin.Knock(card, melds)), None
            case "knock" | "meld" | "knock_done" | "layoff" | "layoff_done" | "meld_done":
                pass
            case unknown:
                raise ValueError(unknown)


def knockers_melds(moves: list[Line]) -> tuple[tuple[str, ...], ...]:
    done = next(i for i, move in enumerate(moves) if move["action"] == "knock_done")
    return tuple(tuple(move["cards"]) for move in moves[:done])


def laid_off(state: gin.State, cards: list[str]) -> gin.State:
    """The state after these lay-offs in order, with melds chosen so that all of them fit."""
    found = search(state, cards)
    assert found is not None and found.turn is not None
    return play(gin, found, found.turn, gin.FINISH)


def search(state: gin.State, cards: list[str]) -> gin.State | None:
    if not cards:
        return state
    for action in gin.legal_actions(state):
        if isinstance(action, gin.LayOff) and action.card == cards[0]:
            found = search(gin.apply(state, action), cards[1:])
            if found:
                return found
    return None


def check_end(state: gin.State, line: Line) -> None:
    result, declared, knocker = state.result, line["final_deadwood"], line["knocker"]
    assert result is not None
    assert state.turn is None, "the engine plays on"
    assert result.knocker == knocker
    if knocker is None:
        assert (result.ending, list(result.points)) == (line["end"], [0, 0])
        return
    defender = 1 - knocker
    assert result.deadwood[knocker] == declared[knocker]
    assert result.deadwood[defender] <= declared[defender]
    assert {card_set(meld) for meld in result.melds[knocker]} == {
        card_set(meld) for meld in line["melds_laid"][knocker]
    }
    points = result.points
    if line["end"] == "gin":
        assert result.ending == "gin"
        extra = declared[defender] - result.deadwood[defender]
        assert points[knocker] + extra == line["returns"][knocker]
        return
    ending, own, other = gin.knock_points(OPEN_SPIEL, declared[knocker], declared[defender])
    assert ending == line["end"]
    assert own - other == line["returns"][knocker]
    if result.deadwood[defender] == declared[defender]:
        assert (result.ending, points[knocker], points[defender]) == (ending, own, other)


def check_melds(line: Line) -> None:
    """A hand alone, the lay-offs possible at once, and what a turn can do before its discard."""
    hand, own = card_set(line["hand"]), line["own"]
    assert value(hand) == line["hand_points"]
    left = leftovers(hand, ())
    assert hand.bit_count() - min(map(int.bit_count, left)) == own["max_melded"]
    assert min(map(value, left)) == deadwood(hand) == own["min_points"]
    assert left_by(own["best_melds"], hand) == own["min_points"]
    assert len(melds_in(hand)) == own["n_melds"]
    assert (0 in left) == own["all_out"]
    check_turn(line, hand, tuple(card_set(meld["cards"]) for meld in line["table"]))


def check_turn(line: Line, hand: int, table: tuple[int, ...]) -> None:
    turn, left = line["turn"], leftovers(hand, table)
    sizes = {cards.bit_count() for cards in left}
    assert min(sizes) == turn["min_cards_left"]
    assert (0 in sizes, 1 in sizes) == (turn["can_empty"], turn["can_leave_one"])
    assert min(map(value, left)) == best_layoffs(hand, table)[0] == turn["min_points_left"]

    state = to_meld(hand, table)
    legal = rummy.legal_actions(state)
    melds = {card_set(action.cards) for action in legal if isinstance(action, rummy.Meld)}
    assert melds == set(melds_in(hand))
    layoffs = [action for action in legal if isinstance(action, rummy.LayOff)]
    found = [(a.card, a.meld, rummy.apply(state, a).table[a.meld]) for a in layoffs]
    assert sorted(found) == sorted((c, i, card_set(cards)) for c, i, cards in line["layoffs_now"])


def to_meld(hand: int, table: tuple[int, ...]) -> rummy.State:
    """Seat 0 of two is to meld, lay off or discard; the card drawn came from the stock."""
    rest = [card for card in range(52) if not (hand | sum(table)) >> card & 1]
    return replace(
        rummy.new(rummy.Options(), 2),
        deal=1,
        dealer=1,
        turn=0,
        phase="meld",
        hands=(hand, 1 << rest[0]),
        table=table,
        stock=tuple(rest[2:]),
        discards=(rest[1],),
        now=rummy.Turn(False, next(members(hand))),
    )


def check_round(line: Line) -> None:
    """Its clearing lines are legal from first to last; positions have just these moves."""
    places = [card for row in line["pyramid"] for card in row]
    assert [*places, *line["draw"]] == line["deal"]
    state = pyramid.apply(pyramid.new(ALL_DEALS, 1), pyramid.Deal(tuple(line["deal"])))
    assert (line["line"] is not None) == (line["line_max"] is not None) == line["solvable"]
    if line["solvable"]:
        assert max(followed(state, line["line"]).pyramid) == pyramid.GONE
        end = followed(state, line["line_max"])
        assert (max(end.pyramid), len(end.removed)) == (pyramid.GONE, line["max_removed"])
    for position in line["positions"]:
        check_moves(position)


ALL_DEALS = pyramid.Options(after_clear="all_deals")


def followed(state: pyramid.State, moves: list[Line]) -> pyramid.State:
    for move in moves:
        if move["op"] == "remove":
            assert [at_hand(state, card) for card in move["cards"]] == move["from"]
        state = play(pyramid, state, 0, spelled(pyramid_action(move)))
    return state


def pyramid_action(move: Line) -> pyramid.Action:
    match move["op"]:
        case "draw":
            return pyramid.DRAW
        case "redeal":
            return pyramid.REDEAL
    return pyramid.Remove(tuple(move["cards"]))


def at_hand(state: pyramid.State, card: str) -> str | None:
    """Where a card can be taken from."""
    if INDEX[card] in state.pyramid:
        return f"p{state.pyramid.index(INDEX[card])}"
    tops = {"draw": state.draw[:1], "waste": state.waste[-1:]}
    return next((pile for pile, top in tops.items() if top == (INDEX[card],)), None)


def check_moves(position: Line) -> None:
    piles = [[INDEX[card] for card in position[pile]] for pile in ("draw", "waste")]
    places = tuple(pyramid.GONE if c is None else INDEX[c] for c in position["pyramid"])
    state = pyramid.State(
        pyramid.Options(),
        deal=1,
        dealer=0,
        turn=0,
        pyramid=places,
        draw=tuple(piles[0]),
        waste=tuple(piles[1]),
        removed=tuple({*range(52)} - {*places, *piles[0], *piles[1]}),
        redeals=position["deal_no"] - 1,
    )
    assert len(state.removed) == position["removed"]
    legal = {spelled(pyramid_action(move)) for move in position["legal"]}
    assert set(pyramid.legal_actions(state)) == legal
    for move in position["legal"]:
        assert [at_hand(state, card) for card in move.get("cards", ())] == move.get("from", [])


CHECKS = {
    "gin_deadwood.jsonl": check_deadwood,
    "gin_layoffs.jsonl": check_layoffs,
    "gin_games.jsonl": check_game,
    "rummy_melds.jsonl": check_melds,
    "pyramid_deals.jsonl": check_round,
}


def test_the_folder_holds_data():
    assert any((FOLDER / name).exists() for name in CHECKS), f"none of {list(CHECKS)} in {FOLDER}"


@pytest.mark.parametrize("name", CHECKS)
def test_every_line_of(name):
    check_every_line(name, CHECKS[name])
