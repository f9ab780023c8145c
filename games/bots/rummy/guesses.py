"""A whole deal that a seat may be in, guessed from its view."""

from random import Random
from typing import Final

from games.bots.rummy.sight import Sight, rounds, sight
from games.bots.rummy.throws import FRIENDS
from games.engine.cards import INDEX, VALUES, members
from games.engine.melds import in_melds
from games.engine.rummy import DrawStock, Ints, Meld, State, TakeDiscard, Turn, View


def guessed(view: View, rng: Random) -> State:
    """A state that looks to the seat to move as the view does. What it cannot see is by chance.

    Cards that it saw taken are where they are. What of its table it laid in this turn a view does
    not tell: all of it, is the guess, unless it has only just drawn.
    """
    seen, last = sight(view), view.last
    hidden = list(members(seen.live))
    rng.shuffle(hidden)
    hands = _hands(seen, hidden, view.pile_size - len(view.discards))
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


def _hands(seen: Sight, hidden: list[int], below: int) -> Ints:
    """By seat. The others have bettered theirs in every round; what they threw goes to the end.

    So the cards still hidden are first the stock and last what lies below the top of the pile.
    Hands guessed so have about the points outside melds that hands of `hard` have.
    """
    hands = list(seen.taken)
    hands[seen.seat] = seen.hand
    for seat in seen.others:
        for _ in range(seen.sizes[seat] - hands[seat].bit_count()):
            hands[seat] |= 1 << hidden.pop()
    thrown: list[int] = []
    for offered in range(round(OFFERED * rounds(seen))):
        for seat in seen.others:
            if hidden and (seen.is_silent(seat) or offered < SINCE):
                hands[seat] |= 1 << hidden.pop()
                card = _thrown(hands[seat], seen.taken[seat])
                hands[seat] ^= 1 << card
                thrown.append(card)
                if len(thrown) > below:
                    hidden.insert(0, thrown.pop(0))
    hidden += thrown
    return tuple(hands)


OFFERED: Final = 2
"""Cards among which a seat could choose in each round: the top discard and that of the stock."""

SINCE: Final = 1
"""Cards among which one who has tabled since, and so kept what was of no use, could choose."""


def _thrown(hand: int, kept: int) -> int:
    """Of the cards in no meld the dearest, unless it has friends there; none that was taken."""
    loose = hand & ~in_melds(hand) & ~kept or hand & ~kept or hand

    def worth(card: int) -> float:
        return VALUES[card] / 2 - 4 * (FRIENDS[card] & loose).bit_count()

    return max(members(loose), key=worth)


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
