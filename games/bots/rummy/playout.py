"""A deal of Basic Rummy played on by `hard` to its end, for roll-outs.

It restates the rules of engine/rummy.py on a deal that changes in place, for speed; whose turn it
is sees no more than its Sight. tests/bots/test_rummy_playout.py plays thousands of deals through
this and the engine.
"""

from random import Random

from msgspec import Struct

from games.bots.rummy.holding import holding_pays
from games.bots.rummy.sight import Sight, unseen
from games.bots.rummy.tabling import Step, fewest_left, step, takes
from games.bots.rummy.throws import ranked
from games.engine.cards import PACK, value
from games.engine.melds import chained, fits, in_melds
from games.engine.rummy import Ints, Options, State, Turn, target, winners_points


class Deal(Struct, gc=False):
    """A deal under way, all of it. The last of `stock` and of `pile` is its top.

    Of the turn under way: `drawn`, the card from the pile as a set, and what it has tabled.
    `points` is set once the deal has ended.
    """

    options: Options
    scores: Ints
    target: int
    mover: int
    hands: list[int]
    taken: list[int]
    melds_laid: list[int]
    layoffs_made: list[int]
    table: list[int]
    stock: list[int]
    pile: list[int]
    restocks: int
    idle: int
    drawn: int = 0
    melds: int = 0
    layoffs: int = 0
    points: Ints | None = None

    @classmethod
    def of(cls, state: State) -> "Deal":
        """The engine's state, a seat to move."""
        assert state.turn is not None
        now = state.now or Turn(False, 0)
        return cls(
            state.options,
            state.scores,
            target(state),
            state.turn,
            list(state.hands),
            list(state.taken),
            list(state.melds_laid),
            list(state.layoffs_made),
            list(state.table),
            list(state.stock[::-1]),
            list(state.discards),
            state.restocks,
            state.idle,
            now.from_pile << now.drawn,
            now.melds,
            now.layoffs,
        )

    def copy(self) -> "Deal":
        return Deal(
            self.options,
            self.scores,
            self.target,
            self.mover,
            self.hands[:],
            self.taken[:],
            self.melds_laid[:],
            self.layoffs_made[:],
            self.table[:],
            self.stock[:],
            self.pile[:],
            self.restocks,
            self.idle,
            self.drawn,
            self.melds,
            self.layoffs,
        )

    def sight(self) -> Sight:
        """What its mover knows."""
        options, hand = self.options, self.hands[self.mover]
        pile, limit = self.pile, options.max_melds_per_turn
        top = 1 << pile[-1] if pile else 0
        shown = sum(1 << card for card in pile) if options.show_discards else top
        table, taken = tuple(self.table), tuple(self.taken)
        banned = self.drawn & hand
        return Sight(
            options,
            self.mover,
            self.scores,
            self.target,
            hand,
            top,
            table,
            taken,
            tuple(map(int.bit_count, self.hands)),
            tuple(self.melds_laid),
            tuple(self.layoffs_made),
            len(self.stock),
            options.max_restocks - self.restocks,
            unseen(hand, table, taken, shown),
            0 if options.last_card_exempt and banned == hand else banned,
            limit is None or self.melds < limit,
        )

    # What the mover may do

    def draw(self) -> None:
        self.hands[self.mover] |= 1 << self.stock.pop()

    def take(self) -> None:
        self.drawn = 1 << self.pile.pop()
        self.hands[self.mover] |= self.drawn
        self.taken[self.mover] |= self.drawn

    def lay(self, tabled: Step) -> None:
        """A meld, or a card for a meld on the table. The last card ends the deal."""
        mover, (cards, index) = self.mover, tabled
        self._give(cards)
        if index is None:
            self.table.append(cards)
            self.melds_laid[mover] += 1
            self.melds += 1
        else:
            self.table[index] |= cards
            self.layoffs_made[mover] += 1
            self.layoffs += 1
        if not self.hands[mover]:
            self._go_out()

    def throw(self, card: int, chance: Random) -> None:
        """Ends the turn, and the deal if it is the last card or the deal cannot go on."""
        self._give(1 << card)
        if not self.hands[self.mover]:
            self._go_out()
            return
        self.pile.append(card)
        self.idle = self.idle + 1 if self.drawn and not (self.melds or self.layoffs) else 0
        self.drawn = self.melds = self.layoffs = 0
        if self._cannot_go_on():
            self.points = (0,) * len(self.hands)
            return
        if not self.stock:
            self._restock(chance)
        self.mover = (self.mover + 1) % len(self.hands)

    # What follows

    def _give(self, cards: int) -> None:
        self.hands[self.mover] &= ~cards
        self.taken[self.mover] &= ~cards

    def _go_out(self) -> None:
        mover = self.mover
        tabled = self.melds_laid[mover] + self.layoffs_made[mover]
        rummy = tabled == self.melds + self.layoffs
        points = winners_points(self.options, sum(map(value, self.hands)), rummy)
        self.points = tuple(points if s == mover else 0 for s in range(len(self.hands)))

    def _cannot_go_on(self) -> bool:
        """Whether the deal is exhausted, dead or idle."""
        options = self.options
        spent = self.restocks == options.max_restocks
        if (spent and not self.stock) or self.idle >= options.idle_limit * len(self.hands):
            return True
        sizes = tuple(map(int.bit_count, self.hands))
        least, rest = min(sizes), PACK
        for meld in self.table:
            rest &= ~meld
        if spent:
            for card in self.pile[:-1]:
                rest &= ~(1 << card)
        some = in_melds(rest) if max(sizes) >= 2 else 0
        if some.bit_count() >= least:
            return False
        for meld in self.table:
            some |= chained(meld, rest)
        return some.bit_count() < least

    def _restock(self, chance: Random) -> None:
        *self.stock, top = self.pile
        self.pile = [top]
        self.restocks += 1
        if self.options.restock == "turn_over":
            self.stock.reverse()
        else:
            chance.shuffle(self.stock)


def play(deal: Deal, chance: Random) -> Ints:
    """The points of the rest of a deal, from its mover's draw on."""
    while deal.points is None:
        if takes(deal.sight()):
            deal.take()
        else:
            deal.draw()
        end_turn(deal, chance)
    return deal.points


def end_turn(deal: Deal, chance: Random) -> None:
    """What follows the draw: `hard` tables what it will, and throws."""
    while deal.points is None:
        seen = deal.sight()
        loose = fewest_left(seen)
        tabled = None if holding_pays(seen, loose) else step(seen, loose)
        if tabled:
            deal.lay(tabled)
            continue
        if seen.throwable:
            deal.throw(ranked(seen, loose, chance)[0], chance)
            return
        deal.lay(last_resort(seen))


def last_resort(seen: Sight) -> Step:
    """The one card left may not be thrown, but laid off."""
    index = next(i for i, meld in enumerate(seen.open_melds) if fits(meld) & seen.hand)
    return Step(seen.hand, index)
