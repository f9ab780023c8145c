"""Bots for Pyramid.

`easy` removes what it can; `medium` thinks of the pyramid first; `hard` looks through the pile
once and then knows all, and until then takes only what costs it nothing in decks that it guesses;
`expert` then also takes what else it can.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.bots.pyramid.plan import Plan, plan
from games.bots.pyramid.solver import CAP, Verdict, solve
from games.engine.cards import INDEX, NAMES, rank
from games.engine.game import spelled
from games.engine.pyramid import COVERERS, DRAW, KING, REDEAL, UNDO, Action, Remove, View

KNOWN_CAP: Final = 3000  # nodes of the solver once the order is known
GUESSED_CAP: Final = 300
EXPERTS_CAP: Final = 20_000  # where the plan found no way
GUESSES: Final = 16  # guessed decks to be solved for a decision

Pile = Sequence[str | None]


def at_random(view: View, rng: Random) -> Action:
    """Any action but an undo, all equally likely: with undos it would hardly ever end."""
    return rng.choice([action for action in view.legal if action != UNDO])


def easy(view: View, rng: Random) -> Action:
    """Greedy: any removal, of as many cards of the pyramid as it can; else draws."""
    removals = _removals(view)
    if not removals:
        return view.legal[0]
    most = max(_from_pyramid(view, removal) for removal in removals)
    return rng.choice([r for r in removals if _from_pyramid(view, r) == most])


def medium(view: View, rng: Random) -> Action:
    """The removal that does most for the pyramid; of the stock two cards that it can spare."""
    if view.phase != "pyramid":
        return view.legal[0]
    removals = _removals(view)
    useful = [removal for removal in removals if _useful(view, removal)]
    spare = [removal for removal in removals if _spare(view, removal)]
    return _best(view, useful or spare, rng) if useful or spare else _wait(view)


def hard(view: View, rng: Random) -> Action:
    """Kings, what clears for certain, what is best in guessed decks; greedy if all is lost."""
    removals = _removals(view)
    kings = [removal for removal in removals if len(removal.cards) == 1]
    if not removals or view.phase != "pyramid":
        return view.legal[0]
    if kings:
        return kings[0]
    if None in view.draw:
        return _guess(view, rng)
    known = clearable(view, KNOWN_CAP)
    if known.clearable:
        return known.line[0]
    return easy(view, rng) if known.clearable is False else medium(view, rng)


def expert(view: View, rng: Random) -> Action:
    """As `hard` until it knows the order; then most cards on the way, and if all is lost."""
    removals = _removals(view)
    known = None not in view.draw and view.phase == "pyramid"
    if not known or not removals or any(len(removal.cards) == 1 for removal in removals):
        return hard(view, rng)
    draw, overlap = _seen(view.draw), _overlap(view)
    planned = plan(view.pyramid, draw, view.waste, view.redeals_left, overlap)
    if not planned.clears:
        found = clearable(view, EXPERTS_CAP)
        if found.clearable:
            return found.line[0]
    return _next(view, planned)


def _next(view: View, planned: Plan) -> Action:
    """The first pair of a plan, as soon as it can go."""
    first = spelled(Remove(planned.pairs[0])) if planned.pairs else None
    return first if first in view.legal else _wait(view)


def clearable(view: View, cap: int = CAP) -> Verdict:
    """Whether and how the pyramid can be cleared, by a view that shows the whole draw pile."""
    draw = _seen(view.draw)
    return solve(view.pyramid, draw, view.waste, view.redeals_left, _overlap(view), cap)


def _removals(view: View) -> list[Remove]:
    return [action for action in view.legal if isinstance(action, Remove)]


def _from_pyramid(view: View, removal: Remove) -> int:
    return sum(card in view.pyramid for card in removal.cards)


def _useful(view: View, removal: Remove) -> bool:
    """Of a king, or of a card of the pyramid."""
    return len(removal.cards) == 1 or _from_pyramid(view, removal) > 0


def _spare(view: View, removal: Remove) -> bool:
    """Whether for each card of the pyramid that one of these could go with another is left."""
    ranks = [rank(INDEX[card]) for card in removal.cards]
    inside = [rank(INDEX[card]) for card in _seen(view.pyramid)]
    gone = [rank(INDEX[card]) for card in view.removed]
    outside = [4 - inside.count(r) - gone.count(r) for r in ranks]
    return all(left > inside.count(KING - 1 - r) for left, r in zip(outside, ranks, strict=True))


def _wait(view: View) -> Action:
    """To draw or redeal; if neither is legal, the first removal."""
    return next((action for action in (DRAW, REDEAL) if action in view.legal), view.legal[0])


def _best(view: View, removals: list[Remove], rng: Random) -> Remove:
    """A king first, then most cards of the pyramid, then most cards laid open."""
    worth = {removal: _worth(view, removal) for removal in removals}
    most = max(worth.values())
    return rng.choice([removal for removal in removals if worth[removal] == most])


def ranked(view: View) -> list[Remove]:
    """The removals, the best first as `medium` has it."""
    return sorted(_removals(view), key=lambda removal: _worth(view, removal), reverse=True)


def _worth(view: View, removal: Remove) -> tuple[bool, int, int]:
    left = _without(view.pyramid, removal)
    open_cards = sum(
        1
        for card, over in zip(left, COVERERS, strict=True)
        if card and not any(left[place] for place in over)
    )
    return len(removal.cards) == 1, _from_pyramid(view, removal), open_cards


def _without(cards: Pile, removal: Remove | None) -> list[str | None]:
    gone = removal.cards if removal else ()
    return [None if card in gone else card for card in cards]


def _seen(cards: Pile) -> list[str]:
    return [card for card in cards if card]


def _overlap(view: View) -> bool:
    return view.options.overlap


# The first pass


def _guess(view: View, rng: Random) -> Action:
    """The removal after which most guessed decks can be cleared, unless waiting clears more.

    Two cards of the stock are left alone.
    """
    removals = [removal for removal in _removals(view) if _from_pyramid(view, removal)]
    if not removals:
        return _wait(view)
    unseen = sorted({*NAMES} - {*view.pyramid, *view.waste, *view.removed, *view.draw})
    count = max(2, GUESSES // (1 + len(removals)))
    decks = [[*_seen(view.draw), *rng.sample(unseen, len(unseen))] for _ in range(count)]
    chances = {removal: _chance(view, decks, removal) for removal in removals}
    most = max(chances.values())
    if most < _chance(view, decks, None):
        return _wait(view)
    return _best(view, [removal for removal in removals if chances[removal] == most], rng)


def _chance(view: View, decks: list[list[str]], removal: Remove | None) -> float:
    """In how many decks the pyramid can be cleared after a removal, or none; unknown is a half.

    With a redeal left by one who only looks in this pass, which needs no luck; else by one who
    knows the deck.
    """
    pyramid, seen = _without(view.pyramid, removal), _seen(_without(view.waste, removal))
    chance = 0.0
    for deck in decks:
        draw, waste, redeals = _seen(_without(deck, removal)), seen, view.redeals_left
        if redeals:
            draw, waste, redeals = [*seen, *draw], [], redeals - 1
        found = solve(pyramid, draw, waste, redeals, _overlap(view), GUESSED_CAP)
        chance += 0.5 if found.clearable is None else found.clearable
    return chance
