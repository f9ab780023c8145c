"""Scripted rounds of Pyramid, and play written as a person would say it."""

from typing import Any

from msgspec.structs import replace

from games.engine import pyramid
from games.engine.cards import INDEX, NAMES
from games.engine.game import parse, play
from games.engine.pyramid import GONE, PLACES, Options

STANDARD = pyramid.PRESETS["standard"]
PRACTICE = Options(practice=True)


def pack(places: str = "", draw: str = "") -> tuple[str, ...]:
    """The whole pack: the pyramid from its apex, the draw pile from its top.

    What is not named comes from the rest, in deck order.
    """
    named = [*places.split(), *draw.split()]
    assert len(named) == len(set(named)), "a card is named twice"
    rest = iter(card for card in NAMES if card not in named)
    laid = [*places.split()]
    laid += [next(rest) for _ in range(PLACES - len(laid))]
    return (*laid, *draw.split(), *rest)


def dealt(
    options: Options = STANDARD,
    places: str = "",
    draw: str = "",
    before: pyramid.State | None = None,
) -> pyramid.State:
    """A match just dealt, or the next round of one."""
    state = before or pyramid.new(options, 1)
    return pyramid.apply(state, pyramid.Deal(pack(places, draw)))


def amid(
    options: Options = STANDARD,
    places: str = "",
    draw: str = "",
    waste: str = "",
    **changes: Any,
) -> pyramid.State:
    """The middle of round 1: "--" and places not named are empty, `draw` top first, `waste` top
    last; all other cards have been removed."""
    laid = [GONE if card == "--" else INDEX[card] for card in places.split()]
    laid += [GONE] * (PLACES - len(laid))
    piles = [INDEX[card] for card in draw.split()], [INDEX[card] for card in waste.split()]
    there = [*laid, *piles[0], *piles[1]]
    removed = tuple(card for card in range(52) if card not in there)
    state = pyramid.State(
        options,
        scores=(10 * len(removed),),
        deal=1,
        dealer=0,
        turn=0,
        pyramid=tuple(laid),
        draw=tuple(piles[0]),
        waste=tuple(piles[1]),
        removed=removed,
        points=10 * len(removed),
    )
    state = replace(state, **changes)
    return replace(state, start=state) if options.practice else state


def every_card(state: pyramid.State) -> list[int]:
    """Every card of a state that has been dealt, wherever it lies."""
    laid = [card for card in state.pyramid if card != GONE]
    return [*laid, *state.draw, *state.waste, *state.removed]


def played(state: pyramid.State, *lines: str) -> pyramid.State:
    """The state after the seat has done what each line says."""
    for line in lines:
        state = play(pyramid, state, 0, action(line))
    return state


def action(line: str) -> pyramid.Action:
    """An action from words: "draw", "redeal", "next round", "undo", or the cards to remove."""
    data: dict[str, Any]
    match line.split():
        case ["draw" | "redeal" | "undo" as kind]:
            data = {"type": kind}
        case ["next", "round"]:
            data = {"type": "next_round"}
        case cards:
            data = {"type": "remove", "cards": cards}
    parsed: pyramid.Action = parse(pyramid, data)
    return parsed


LAID = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC AC 2D 3D 4D 5D 6D 7D 8D 9D TD 8H 7H 6H 5H KH 4H 3H"
"""A pyramid whose open cards are 8H 7H 6H 5H KH 4H 3H."""

SCENARIOS: dict[str, tuple[pyramid.State, str]] = {
    "covered": (dealt(places=LAID), "8D 5S"),
    "draw-first": (amid(places="--", draw="2C 3C"), "next round"),
    "draw-pile-empty": (amid(places="2C", waste="3C JC"), "draw"),
    "draw-pile-not-empty": (amid(places="2C", draw="3C", waste="4C"), "redeal"),
    "no-cards": (amid(places="2C 5C 8C"), "draw"),
    "no-redeal-when-cleared": (amid(places="--", waste="2C"), "redeal"),
    "no-redeals-left": (amid(places="2C", waste="5C JC", redeals=2), "redeal"),
    "not-a-king": (dealt(places=LAID), "8H"),
    "not-a-practice-match": (dealt(places=LAID), "undo"),
    "not-cleared": (dealt(places=LAID), "next round"),
    "not-on-top": (dealt(places=LAID, draw="JS 5S"), "8H 5S"),
    "not-thirteen": (dealt(places=LAID), "8H 7H"),
    "nothing-to-undo": (dealt(PRACTICE, places=LAID), "undo"),
    "removed": (played(dealt(places=LAID), "8H 5H"), "8H 5H"),
    "round-over": (amid(Options(after_clear="end_now"), places="--", draw="2C"), "draw"),
    "waste-empty": (amid(places="2C 3C TC"), "redeal"),
}
"""For every reason for which an action is refused, a state and an action."""
