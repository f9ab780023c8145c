"""`easy` is the SimpleGinRummyPlayer of the EAAI Gin Rummy challenge (Neller, 2020), the usual
opponent in papers on the game, fitted to our options.
"""

from random import Random

from games.engine.cards import INDEX, NAMES, card_set
from games.engine.gin import (
    BIG_GIN,
    DISCARDS,
    DRAW,
    FINISH,
    KNOCKS,
    PASS,
    TAKE,
    Action,
    LayOff,
    View,
)
from games.engine.melds import best_layoffs, deadwood, in_melds


def easy(view: View, rng: Random) -> Action:
    """Takes only what completes a meld, keeps least deadwood, knocks as soon as it may."""
    match view.phase:
        case "layoff":
            return defend(view)
        case "discard" | "wall_knock":
            return end_turn(view, rng)
        case "wall":
            return view.legal[0]  # the upcard, where a knock can follow; else only the pass
        case "offer" | "draw" if _upcard_completes_meld(view):
            return TAKE
        case "offer":
            return PASS
    return DRAW


def _upcard_completes_meld(view: View) -> bool:
    upcard = 1 << INDEX[view.discards[-1]]
    return bool(upcard & in_melds(_hand(view) | upcard))


def end_turn(view: View, rng: Random) -> Action:
    """Knocks if it may; either way with a throw that leaves least deadwood."""
    if BIG_GIN in view.legal:
        return BIG_GIN
    legal = set(view.legal)
    knocks = [card for card, knock in enumerate(KNOCKS) if knock in legal]
    if knocks:
        return KNOCKS[_throw(view, knocks, rng)]
    return DISCARDS[_throw(view, [card for card, d in enumerate(DISCARDS) if d in legal], rng)]


def _throw(view: View, cards: list[int], rng: Random) -> int:
    """A random one of the cards whose going leaves least deadwood.

    Not the card just taken, nor a card that with the card drawn makes a pair already drawn
    and thrown in this deal (either way round), so that no two bots turn in circles for ever.
    """
    seen, hand = turned(view), _hand(view)
    drawn = view.turns[-1].drawn
    taken = drawn if view.turns[-1].source == "discards" else None
    fresh = [c for c in cards if NAMES[c] != taken and {drawn, NAMES[c]} not in seen]
    left = {card: deadwood(hand ^ 1 << card) for card in fresh or cards}
    least = min(left.values())
    return rng.choice([card for card in left if left[card] == least])


def turned(view: View) -> list[set[str | None]]:
    """The pairs of cards that this seat has drawn and thrown in one turn of this deal."""
    return [{t.drawn, t.thrown} for t in view.turns if t.seat == view.seat and t.thrown]


def defend(view: View) -> Action:
    """The next card of the joint optimum of lay-offs and own melds."""
    assert view.showdown is not None
    table = tuple(card_set(meld) for meld in view.showdown.melds)
    _, layoffs = best_layoffs(_hand(view), table)
    if not layoffs:
        return FINISH
    card, index = layoffs[0]
    return LayOff(NAMES[card], index)


def _hand(view: View) -> int:
    assert view.hand is not None
    return card_set(view.hand)
