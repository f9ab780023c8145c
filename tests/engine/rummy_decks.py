"""Scripted deals of Basic Rummy, and play written as a person would say it."""

from typing import Any

from msgspec.structs import replace

from games.engine import rummy
from games.engine.cards import INDEX, NAMES, PACK, card_set, members
from games.engine.game import parse, play

CLASSIC = rummy.PRESETS["classic"]


def pack(hands: tuple[str, ...], upcard: str = "", stock: str = "") -> tuple[str, ...]:
    """The whole pack in dealing order; what is not named comes from the rest, in deck order."""
    size = rummy.HANDS[len(hands)]
    parts = [*((hand.split(), size) for hand in hands), (upcard.split(), 1)]
    parts.append((stock.split(), 51 - size * len(hands)))
    named = [card for cards, _ in parts for card in cards]
    assert len(named) == len(set(named)), "a card is named twice"
    rest = iter(card for card in NAMES if card not in named)
    order: list[str] = []
    for cards, size in parts:
        order += cards + [next(rest) for _ in range(size - len(cards))]
    assert len(order) == 52, "a hand has too many cards"
    return tuple(order)


def dealt(
    options: rummy.Options = CLASSIC,
    *hands: str,
    upcard: str = "",
    stock: str = "",
    dealer: int = -1,
    before: rummy.State | None = None,
) -> rummy.State:
    """A match just dealt, or the next deal of one. The first hand begins: seat 0's, unless a
    dealer is named."""
    hands = hands or ("", "")
    state = before or rummy.new(options, len(hands))
    return rummy.apply(state, rummy.Deal(dealer % len(hands), pack(hands, upcard, stock)))


def amid(
    options: rummy.Options = CLASSIC,
    *hands: str,
    table: tuple[str, ...] = (),
    pile: str = "9S",
    stock: str = "",
    tabled: bool = True,
    **changes: Any,
) -> rummy.State:
    """The middle of a deal, seat 0 to draw: `pile` with its top last, `stock` top first.

    The stock goes on with the cards that are named nowhere. `tabled`: every seat has laid a
    meld before this turn.
    """
    state = rummy.new(options, len(hands))
    sets, melds = tuple(map(cards, hands)), tuple(map(cards, table))
    discards, top = indices(pile), indices(stock)
    named = [*sets, *melds, *(1 << card for card in discards + top)]
    rest = PACK & ~sum(named)
    assert sum(named) == PACK ^ rest and sum(s.bit_count() for s in named) + rest.bit_count() == 52
    fields: dict[str, Any] = {
        "deal": 1,
        "dealer": len(hands) - 1,
        "turn": 0,
        "phase": "draw",
        "hands": sets,
        "table": melds,
        "discards": discards,
        "stock": (*top, *members(rest)),
        "melds_laid": (int(tabled),) * len(hands),
    }
    return replace(state, **{**fields, **changes})


def cards(line: str) -> int:
    return card_set(line.split())


def indices(line: str) -> tuple[int, ...]:
    return tuple(INDEX[card] for card in line.split())


def played(state: rummy.State, *lines: str) -> rummy.State:
    """The state after the seat to move, whichever it is, has done what each line says."""
    for line in lines:
        assert state.turn is not None
        state = play(rummy, state, state.turn, action(line))
    return state


def every_card(state: rummy.State) -> list[int]:
    """Each card of a state as often as it lies somewhere."""
    sets = [card for cards in (*state.hands, *state.table) for card in members(cards)]
    down = [] if state.face_down is None else [state.face_down]
    return [*sets, *state.stock, *state.discards, *down]


def restocked(state: rummy.State, *order: str) -> rummy.State:
    """The state after the dealer has made a new stock, in this order or in deck order."""
    shuffled = order or rummy.to_shuffle(state)
    return rummy.apply(state, rummy.dealer_action(state, shuffled, lot=0))


def action(line: str) -> rummy.Action:
    """An action from words like "draw", "meld AC 2C 3C", "lay off 7H on 1", "discard 7H"."""
    data: dict[str, Any]
    match line.split():
        case ["draw"]:
            data = {"type": "draw_stock"}
        case ["take"]:
            data = {"type": "take_discard"}
        case ["meld", *melded]:
            data = {"type": "meld", "cards": melded}
        case ["lay", "off", card, "on", index]:
            data = {"type": "lay_off", "card": card, "meld": int(index)}
        case ["discard", card]:
            data = {"type": "discard", "card": card}
        case _:
            raise ValueError(line)
    parsed: rummy.Action = parse(rummy, data)
    return parsed


READY = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"
RUN = ("5H 6H 7H",)
TO_PLAY = dealt(CLASSIC, READY, LOST, upcard="9D", stock="KD")
DRAWN = played(TO_PLAY, "draw")
MELDED = played(DRAWN, "meld AC 2C 3C")
ONE_MELD = replace(MELDED, options=rummy.Options(max_melds_per_turn=1))
EARLY = amid(rummy.Options(layoff_needs_meld=True), "8H KD", "2D", table=RUN, tabled=False)
MUST_DISCARD = amid(rummy.Options(must_discard_to_go_out=True), "8H", "2D", table=RUN, stock="9H")
NOT_EXEMPT = amid(rummy.Options(last_card_exempt=False), "8H", "2D", table=RUN, pile="KD")

SCENARIOS: dict[str, tuple[rummy.State, str]] = {
    "already-drawn": (DRAWN, "take"),
    "already-tabled": (MELDED, "meld AC 2C 3C"),
    "does-not-fit": (MELDED, "lay off 5S on 0"),
    "draw-first": (TO_PLAY, "discard 5S"),
    "leaves-taken-card": (played(NOT_EXEMPT, "take"), "lay off 8H on 0"),
    "meld-first": (played(EARLY, "draw"), "lay off 8H on 0"),
    "meld-limit": (ONE_MELD, "meld 7D 7H 7S"),
    "must-discard": (played(MUST_DISCARD, "draw", "lay off 8H on 0"), "lay off 9H on 0"),
    "no-meld": (DRAWN, "meld AC 2C 7D"),
    "no-such-meld": (MELDED, "lay off 5S on 1"),
    "not-in-hand": (DRAWN, "discard 2S"),
    "taken-this-turn": (played(TO_PLAY, "take"), "discard 9D"),
}
"""A scenario for every reason for which an action is refused."""
