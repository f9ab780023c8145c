"""Playouts of Basic Rummy: by the engine's rules, and as `hard` plays."""

from random import Random
from typing import Any

from msgspec.structs import replace

from games.bots.rummy import hard
from games.bots.rummy.playout import Deal, play
from games.bots.rummy.sight import sight
from games.bots.rummy.tabling import Step
from games.engine import rummy
from games.engine.cards import NAMES
from games.engine.game import DEALER
from games.engine.rummy import DISCARDS, DRAW, MELDS, TAKE, LayOff, Options

DEALS = 10_000


def some_options(rng: Random) -> Options:
    """Classic every other time."""
    if rng.random() < 0.5:
        return Options()
    return Options(
        max_melds_per_turn=rng.choice([None, None, 1, 2]),
        layoff_needs_meld=rng.random() < 0.5,
        last_card_exempt=rng.random() < 0.5,
        must_discard_to_go_out=rng.random() < 0.5,
        restock=rng.choice(["shuffle_keep_top", "turn_over"]),
        max_restocks=rng.randrange(3),
        idle_limit=rng.choice([1, 2, 12]),
        going_rummy=rng.choice(["double", "plus10", "off"]),
        show_discards=rng.random() < 0.5,
    )


def dealt(options: Options, seats: int, rng: Random) -> rummy.State:
    order = list(NAMES)
    rng.shuffle(order)
    return rummy.apply(rummy.new(options, seats), rummy.Deal(rng.randrange(seats), tuple(order)))


class Twin(Deal):
    """A playout that does in the engine all that it does, and looks at both if it is to."""

    state: Any = None
    looks: bool = True

    def same(self, action: rummy.Action) -> None:
        if self.looks:
            own, view = self.sight(), rummy.view(self.state, self.mover)
            assert replace(sight(view), may_meld=own.may_meld) == own  # which a view may not tell
            assert action in rummy.legal_actions(self.state)
        self.state = rummy.apply(self.state, action)

    def draw(self) -> None:
        self.same(DRAW)
        super().draw()

    def take(self) -> None:
        self.same(TAKE)
        super().take()

    def lay(self, tabled: Step) -> None:
        cards, index = tabled
        card = NAMES[cards.bit_length() - 1]
        self.same(MELDS[cards] if index is None else LayOff(card, index))
        super().lay(tabled)

    def throw(self, card: int, chance: Random) -> None:
        self.same(DISCARDS[card])
        super().throw(card, chance)
        if self.state.phase == "restocking":
            stock = tuple(NAMES[card] for card in self.stock[::-1])
            self.state = rummy.apply(self.state, rummy.Restock(stock))


def test_ten_thousand_deals_come_to_what_the_engine_makes_of_them():
    endings = set()
    for seed in range(DEALS):
        rng = Random(seed)
        state = dealt(some_options(rng), 2 + seed % 3, rng)
        twin = Twin.of(state)
        twin.state, twin.looks = state, seed % 4 == 0

        assert play(twin, rng) == twin.state.result.points
        endings.add(twin.state.result.ending)

    assert endings == {"out", "rummy", "exhausted", "dead", "idle"}


def test_turned_over_the_pile_is_the_stock_in_the_order_of_the_engine():
    for seed in range(100):
        rng = Random(seed)
        deal = Deal.of(dealt(Options(restock="turn_over"), 2, rng))
        deal.stock, deal.pile = deal.stock[:1], deal.pile + deal.stock[1:]
        pile = deal.pile[:]
        deal.draw()
        deal.throw(next(rummy.members(deal.hands[deal.mover])), rng)

        assert deal.stock[::-1] == pile


def test_every_seat_plays_as_hard():
    for seed in range(600):
        rng = Random(seed)
        state = dealt(some_options(rng), 2 + seed % 3, rng)

        assert play(Deal.of(state), Random(seed)) == by_hard(state, Random(seed))


def by_hard(state: rummy.State, rng: Random) -> tuple[int, ...]:
    while state.result is None:
        if state.turn == DEALER:
            assert state.phase == "restocking"
            stock = [NAMES[card] for card in state.discards[:-1]]
            if state.options.restock == "shuffle_keep_top":
                rng.shuffle(stock)
                stock.reverse()
            state = rummy.apply(state, rummy.Restock(tuple(stock)))
        else:
            assert state.turn is not None
            state = rummy.apply(state, hard(rummy.view(state, state.turn), rng))
    return state.result.points


def test_a_copy_is_a_deal_of_its_own():
    state = dealt(Options(), 2, Random(1))
    deal = Deal.of(state)
    play(deal.copy(), Random(1))

    assert deal == Deal.of(state)
