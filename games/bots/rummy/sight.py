"""What a seat knows, on sets of cards. A level's play rests on it, in a match and in playouts."""

from msgspec import Struct

from games.engine.cards import INDEX, PACK, card_set
from games.engine.melds import Arrangement
from games.engine.rummy import HANDS, Ints, Meld, Options, View


class Sight(Struct, frozen=True, gc=False):
    """A seat to move: its hand, the top discard, every meld on the table, and by seat the cards
    seen taken, hand sizes and what was tabled in this deal.

    `live` may be in the stock, as far as it knows. `banned` may not be thrown this turn;
    `may_meld` is false once this turn's melds are spent.
    """

    options: Options
    seat: int
    scores: Ints
    target: int
    hand: int
    top: int
    table: Arrangement
    taken: Ints
    sizes: Ints
    melds_laid: Ints
    layoffs_made: Ints
    stock: int
    restocks_left: int
    live: int
    banned: int = 0
    may_meld: bool = True

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(len(self.scores)) if seat != self.seat]

    @property
    def follower(self) -> int:
        """The seat that moves next."""
        return (self.seat + 1) % len(self.scores)

    @property
    def open_melds(self) -> Arrangement:
        """The melds on which it may lay off."""
        early = self.options.layoff_needs_meld and not self.melds_laid[self.seat]
        return () if early else self.table

    @property
    def throwable(self) -> int:
        return self.hand & ~self.banned

    def is_silent(self, seat: int) -> bool:
        """Whether a seat has tabled nothing in this deal, so that it may yet go rummy."""
        return self.melds_laid[seat] + self.layoffs_made[seat] == 0


def sight(view: View) -> Sight:
    """What the view tells its seat."""
    assert view.seat is not None and view.hand is not None
    hand, table = card_set(view.hand), tuple(map(card_set, view.table))
    taken = tuple(map(card_set, view.taken))
    limited = view.options.max_melds_per_turn is not None
    return Sight(
        view.options,
        view.seat,
        view.scores,
        view.target,
        hand,
        1 << INDEX[view.discards[-1]] if view.discards else 0,
        table,
        taken,
        view.hand_sizes,
        view.melds_laid,
        view.layoffs_made,
        view.stock_size,
        view.restocks_left,
        unseen(hand, table, taken, card_set(view.discards)),
        card_set([view.banned]) if view.banned else 0,
        not limited or any(isinstance(action, Meld) for action in view.legal),
    )


def unseen(hand: int, table: Arrangement, taken: Ints, discards: int) -> int:
    seen = hand | discards
    for cards in (*table, *taken):
        seen |= cards
    return PACK & ~seen


def rounds(seen: Sight) -> float:
    """About how many turns each seat has had in this deal, told by the stock."""
    seats = len(seen.scores)
    stock = 51 - seats * HANDS[seats]
    used_up = seen.options.max_restocks - seen.restocks_left
    return (stock * (1 + used_up) - seen.stock) / seats
