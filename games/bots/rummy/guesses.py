"""A whole deal that a seat may be in, guessed from its view."""

from random import Random

from games.bots.rummy.hands import guessed_hands
from games.bots.rummy.sight import Sight, sight
from games.engine.cards import INDEX, members
from games.engine.rummy import DrawStock, Meld, State, TakeDiscard, Turn, View


def guessed(view: View, rng: Random) -> State:
    """A state that looks to the seat to move as the view does. What it cannot see is by chance.

    Cards that it saw taken are where they are. What of its table it laid in this turn a view does
    not tell: all of it, is the guess, unless it has only just drawn.
    """
    seen, last = sight(view), view.last
    hidden = list(members(seen.live))
    rng.shuffle(hidden)
    hands = guessed_hands(seen, hidden, view.pile_size - len(view.discards))
    stock = tuple(hidden[: view.stock_size])
    below = hidden[view.stock_size :]
    return State(
        view.options,
        view.scores,
        hands,
        seen.taken,
        view.melds_laid,
        view.layoffs_made,
        view.sources,
        deal=view.deal,
        dealer=view.dealer,
        turn=view.turn,
        phase=view.phase,
        stock=stock,
        discards=(*below, *(INDEX[card] for card in view.discards)),
        table=seen.table,
        restocks=view.options.max_restocks - view.restocks_left,
        idle=view.idle,
        now=_turn(view, seen) if view.phase == "meld" else None,
        result=view.result,
        last_seat=last.seat if last else None,
        last_action=last.action if last else None,
        last_card=INDEX[last.card] if last and last.card else None,
    )


def _turn(view: View, seen: Sight) -> Turn:
    assert view.drawn is not None
    from_pile, drawn = view.sources[seen.seat] == "discards", INDEX[view.drawn]
    if view.last and isinstance(view.last.action, DrawStock | TakeDiscard):
        return Turn(from_pile, drawn)
    melds, limit = view.melds_laid[seen.seat], view.options.max_melds_per_turn
    if limit is not None:
        more = any(isinstance(action, Meld) for action in view.legal)
        melds = min(melds, limit - more)
    return Turn(from_pile, drawn, melds, view.layoffs_made[seen.seat])
