"""Pictures of positions for the pages of rules, made by the engine: they cannot be wrong. PURE.

A script is TOML: a game, its options, the cards in dealing order, what is played, whose view is
drawn. What its caption says of it is checked against the view, and so is every action.
"""

import tomllib
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec
from msgspec import Struct

from games.engine import GAMES, log
from games.engine.game import DEALER, parse, play
from games.pictures.cards import Group, Row


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """`cards`: as dealt; those not named follow in deck order. Seat 0 begins.

    `play`: actions as the API takes them, or only their type. `seat`: whose view (-1: a
    spectator's). `says`: fields of the view with what they must be. In the caption a field of
    the view stands between braces: "{deadwood} points".
    """

    game: str
    cards: str
    caption: str
    seats: int | None = None
    options: dict[str, Any] = {}
    play: list[str | dict[str, Any]] = []
    seat: int = 0
    says: dict[str, Any] = {}


class WrongPicture(Exception):
    """What a script says of its position is not what the engine says."""


class Picture(Struct, frozen=True):
    """What to draw, row by row, and the words below it."""

    rows: tuple[Row, ...]
    caption: str


def picture(text: str) -> Picture:
    """The picture of a script. Raises WrongPicture, and what the engine says of its actions."""
    script = msgspec.convert(tomllib.loads(text), Script)
    seen = GAMES[script.game].view(position(script), None if script.seat == -1 else script.seat)
    difference(script.says, msgspec.to_builtins(seen), "the view")
    fields = {field: getattr(seen, field) for field in seen.__struct_fields__}
    return Picture(rows(script.game, seen), script.caption.format(**fields))


def position(script: Script) -> Any:
    """The state that a script leads to. The dealer is asked only for what is played on."""
    rules = GAMES[script.game]
    seats = script.seats or rules.SEATS[0]
    state = dealt(rules, rules.new(msgspec.convert(script.options, rules.Options), seats), script)
    for line in script.play:
        state = dealt(rules, state, script)
        action = parse(rules, {"type": line} if isinstance(line, str) else line)
        state = play(rules, state, state.turn, action)
    return state


def dealt(rules: Any, state: Any, script: Script) -> Any:
    """The state after the dealer, if it is his turn."""
    if state.turn != DEALER:
        return state
    there = rules.to_shuffle(state)
    named = [card for card in script.cards.split() if card in there]
    order = (*named, *(card for card in there if card not in named))
    if len(order) != len(there):
        raise WrongPicture("A card is named twice.")
    return rules.apply(state, rules.dealer_action(state, order, len(state.scores) - 1))


def difference(said: Any, found: Any, where: str) -> None:
    """Raises WrongPicture at the first field that is not what is said of it."""
    if isinstance(said, dict) and isinstance(found, dict):
        for field, value in said.items():
            difference(value, found.get(field), f"{where}.{field}")
    elif said != log.plain(found):
        raise WrongPicture(f"{where} is said to be {said!r}, and is {found!r}.")


def rows(game: str, seen: Any) -> tuple[Row, ...]:
    """A view as rows of cards, by the game's own module here; else the hand and no more."""
    name = f"{__name__}.{game}"
    if find_spec(name):
        return tuple(import_module(name).rows(seen))
    return (Row((Group(getattr(seen, "hand", None) or ()),), "Hand"),)
