"""A whole round that the player may be in, guessed from the view."""

from random import Random

from games.engine.cards import INDEX, NAMES
from games.engine.pyramid import DRAW, GONE, UNDO, State, View


def guessed(view: View, rng: Random) -> State:
    """A state that looks as the view does, the unseen cards in any order.

    What was done before, which an undo would need, a view does not tell.
    """
    last = view.last
    unseen = unseen_cards(view)
    rng.shuffle(unseen)
    order = iter(unseen)
    return State(
        view.options,
        view.scores,
        deal=view.deal,
        dealer=view.dealer,
        turn=view.turn,
        pyramid=tuple(INDEX[card] if card else GONE for card in view.pyramid),
        draw=tuple(INDEX[card or next(order)] for card in view.draw),
        waste=tuple(INDEX[card] for card in view.waste),
        removed=tuple(INDEX[card] for card in view.removed),
        redeals=view.options.redeals - view.redeals_left,
        points=view.points,
        result=view.result,
        done=(DRAW,) if UNDO in view.legal else (),
        last_seat=last.seat if last else None,
        last_action=last.action if last else None,
        last_card=INDEX[last.card] if last and last.card else None,
    )


def unseen_cards(view: View) -> list[str]:
    """What is in the draw pile, in an order that nobody knows; by deck order."""
    seen = {*view.pyramid, *view.waste, *view.removed, *view.draw}
    return [card for card in NAMES if card not in seen]
