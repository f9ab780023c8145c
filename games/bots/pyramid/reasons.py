"""Why an action of Pyramid, in words of the rules and from what the player sees."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

from games.bots.pyramid.guesses import guessed, unseen_cards
from games.bots.pyramid.worth import clears, never_clears
from games.engine.cards import INDEX, rank
from games.engine.pyramid import (
    COVERERS,
    DRAW,
    KING,
    NEXT_ROUND,
    REDEAL,
    Action,
    Remove,
    State,
    View,
    apply,
)

SENTENCES: Final = 2
PLURALS: Final = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "sevens"),
    *("eights", "nines", "tens", "jacks", "queens", "kings"),
)


def reason(view: View, action: Action, over: Action) -> str:
    """What speaks for an action, and against the one that it is compared with."""
    return " ".join(islice(_facts(view, action, over), SENTENCES))


def _facts(view: View, action: Action, over: Action) -> Iterator[str]:
    if isinstance(over, Remove) and over != action:
        yield from _proved(view, action, over)
        yield from _missed(view, over)
    if isinstance(action, Remove):
        yield from _removing(view, action)
    elif action == DRAW:
        yield from _drawing(view)
    elif action == REDEAL:
        yield f"The waste becomes the draw pile; redeals left after this: {view.redeals_left - 1}."
    elif action == NEXT_ROUND:
        yield "The pyramid is cleared, and a new one is dealt."
    else:
        yield "It takes the last action back."


def _proved(view: View, action: Action, over: Remove) -> Iterator[str]:
    """Of clearing the pyramid, what is certain."""
    if not any(view.pyramid):
        return
    after, instead = _after(view, action), _after(view, over)
    if None not in view.draw:
        if clears(instead) is False and clears(after):
            yield f"The pyramid can be cleared after it, and not after {_listed(over.cards)}."
    elif never_clears(instead) and not never_clears(after):
        few = _too_few(view, over)
        yield few or (
            f"After {_listed(over.cards)} the pyramid cannot be cleared, "
            "however the unseen cards lie."
        )


def _too_few(view: View, over: Remove) -> str | None:
    """Where the pyramid needs more cards of a rank than would be left."""
    for card in over.cards if len(over.cards) == 2 else ():
        wanting = _wanting(view, card, over)
        left = 4 - sum(_same(card, gone) for gone in (*view.removed, *over.cards))
        if left < len(wanting):
            rank, other = PLURALS[_rank(card)], PLURALS[_rank(wanting[0])]
            cards = _listed(over.cards)
            return f"After {cards} fewer {rank} are left than there are {other} in the pyramid."
    return None


def _wanting(view: View, card: str, over: Remove) -> list[str]:
    """The cards of the pyramid that a card could go with, another removal done."""
    return [c for c in view.pyramid if c and c not in over.cards and _thirteen(card, c)]


def _after(view: View, action: Action) -> State:
    """Nothing that is told of it depends on how the unseen cards lie."""
    return apply(guessed(view, Random(1)), action)


def _missed(view: View, over: Remove) -> Iterator[str]:
    """What a card of another pair could do for the pyramid instead."""
    for card in over.cards if len(over.cards) == 2 else ():
        if wanting := _wanting(view, card, over):
            yield f"{card} can go with {wanting[0]} of the pyramid as well."
            return


def _removing(view: View, action: Remove) -> Iterator[str]:
    if len(action.cards) == 1:
        yield "A king goes alone and costs no other card."
    opened = _opened(view, action)
    if opened:
        yield f"It lays {_listed(opened)} open."
    for card, other in (action.cards, action.cards[::-1]) if len(action.cards) == 2 else ():
        partners = 4 - sum(_same(other, gone) for gone in view.removed)
        if card in view.pyramid and partners == 1:
            yield f"{other} is the last card that {card} can go with."
    inside = sum(card in view.pyramid for card in action.cards)
    if inside == 2:
        yield "Both cards are of the pyramid."
    elif inside == 0 and len(action.cards) == 2:
        yield "Neither card is of the pyramid: it brings 20 points and opens nothing."
    else:
        yield f"It brings {10 * len(action.cards)} points."


def _opened(view: View, action: Remove) -> list[str]:
    """The cards that would be uncovered."""
    gone = {place for place, card in enumerate(view.pyramid) if not card or card in action.cards}
    return [
        card
        for place, card in enumerate(view.pyramid)
        if card
        and place not in gone
        and COVERERS[place]
        and gone.issuperset(COVERERS[place])
        and any(view.pyramid[over] for over in COVERERS[place])
    ]


def _drawing(view: View) -> Iterator[str]:
    if not any(isinstance(action, Remove) for action in view.legal):
        yield "Nothing can be removed."
    if len(view.draw) == 1:
        yield f"{view.draw[0]} is the last card of the draw pile."
    elif view.draw[1]:
        yield f"Next on the draw pile is {view.draw[1]}."
    else:
        unseen, open_cards = unseen_cards(view), _open(view)
        fit = [card for card in unseen if any(_thirteen(card, other) for other in open_cards)]
        some = f"{len(fit)} of the {len(unseen)} unseen cards"
        go = "goes" if len(fit) == 1 else "go"
        yield f"{some} {go} with one that is open in the pyramid."


def _open(view: View) -> list[str]:
    return [
        card
        for place, card in enumerate(view.pyramid)
        if card and not any(view.pyramid[over] for over in COVERERS[place])
    ]


def _rank(card: str) -> int:
    return rank(INDEX[card])


def _same(card: str, other: str) -> bool:
    return _rank(card) == _rank(other)


def _thirteen(card: str, other: str) -> bool:
    return _rank(card) + _rank(other) == KING - 1


def _listed(cards: Sequence[str]) -> str:
    *most, last = cards
    return f"{', '.join(most)} and {last}" if most else last
