"""Scripted deals of Gin Rummy, and play written as a person would say it."""

from typing import Any

from games.engine import gin
from games.engine.cards import NAMES
from games.engine.game import parse, play

ARCADE = gin.PRESETS["arcade"]


def pack(first: str = "", second: str = "", upcard: str = "", stock: str = "") -> tuple[str, ...]:
    """The whole pack in dealing order; what is not named comes from the rest, in deck order."""
    parts = [(first.split(), 10), (second.split(), 10), (upcard.split(), 1), (stock.split(), 31)]
    named = [card for cards, _ in parts for card in cards]
    assert len(named) == len(set(named)), "a card is named twice"
    rest = iter(card for card in NAMES if card not in named)
    order: list[str] = []
    for cards, size in parts:
        assert cards == [] or len(cards) == size or size == 31, f"{size} cards, please: {cards}"
        order += cards + [next(rest) for _ in range(size - len(cards))]
    return tuple(order)


def dealt(
    options: gin.Options = ARCADE,
    *,
    first: str = "",
    second: str = "",
    upcard: str = "",
    stock: str = "",
    dealer: int = 1,
    before: gin.State | None = None,
) -> gin.State:
    """A match just dealt, or the next deal of one. `first` begins: seat 0 unless dealer is 0."""
    state = before or gin.new(options, 2)
    return gin.apply(state, gin.Deal(dealer, pack(first, second, upcard, stock)))


def played(state: gin.State, *lines: str) -> gin.State:
    """The state after the seat to move, whichever it is, has done what each line says."""
    for line in lines:
        assert state.turn is not None
        state = play(gin, state, state.turn, action(line))
    return state


def action(line: str) -> gin.Action:
    """An action from words like "draw", "knock 7H: AC 2C 3C / 4D 4H 4S", "lay off 7H on 1"."""
    what, _, melds = line.partition(":")
    data: dict[str, Any]
    match what.split():
        case ["draw"]:
            data = {"type": "draw_stock"}
        case ["take"]:
            data = {"type": "take_discard"}
        case ["pass"]:
            data = {"type": "pass"}
        case ["discard", card]:
            data = {"type": "discard", "card": card}
        case ["knock", card]:
            data = {"type": "knock", "card": card}
            if melds:
                data["melds"] = [meld.split() for meld in melds.split("/")]
        case ["big", "gin"]:
            data = {"type": "big_gin"}
        case ["lay", "off", card, "on", index]:
            data = {"type": "lay_off", "card": card, "meld": int(index)}
        case ["finish"]:
            data = {"type": "finish_layoffs"}
        case _:
            raise ValueError(line)
    parsed: gin.Action = parse(gin, data)
    return parsed
