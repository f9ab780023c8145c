"""What a seat knows of a deal of Gin Rummy, as sets of cards."""

from typing import NamedTuple

from games.engine.cards import INDEX, PACK, SUIT_BITS, card_set, members
from games.engine.gin import View
from games.engine.melds import FOUR


class Sight(NamedTuple):
    """What a view tells. Sets of cards; `top` is the pile's, -1 where it is empty.

    `known`: cards that the other seat took from the pile and holds. `theirs` and `mine` lie in
    the pile and were thrown by the other seat and by this one, an upcard by its dealer.
    """

    hand: int
    known: int
    theirs: int
    mine: int
    top: int
    stock: int
    limit: int

    @property
    def hidden(self) -> int:
        """Cards that lie in the stock or the other hand, for all that this seat knows."""
        return PACK & ~(self.hand | self.known | self.theirs | self.mine)


def sight(view: View) -> Sight:
    """What the seat that a view was made for knows."""
    assert view.seat is not None and view.hand is not None
    thrown_by = {turn.thrown: turn.seat for turn in view.turns if turn.thrown}
    mine = [c for c in view.discards if thrown_by.get(c, view.dealer) == view.seat]
    pile, own = card_set(view.discards), card_set(mine)
    return Sight(
        hand=card_set(view.hand),
        known=card_set(view.taken[1 - view.seat]),
        theirs=pile & ~own,
        mine=own,
        top=INDEX[view.discards[-1]] if view.discards else -1,
        stock=view.stock_size,
        limit=view.knock_limit,
    )


def ways(card: int, cards: int) -> int:
    """How many melds of three a card makes with two of these cards."""
    rank, suit = card % 13, cards >> card // 13 * 13 & SUIT_BITS
    others = (cards & FOUR << rank & ~(1 << card)).bit_count()
    around = (suit << 2) >> rank & 0b11011  # two below, two above
    runs = (around & 0b11 == 0b11) + (around & 0b1010 == 0b1010) + (around & 0b11000 == 0b11000)
    return others * (others - 1) // 2 + runs


def throwable(view: View) -> list[int]:
    """The cards that may be thrown or knocked with this turn."""
    assert view.hand is not None
    return list(members(card_set(card for card in view.hand if card != view.banned)))
