"""Basic Rummy: two to four seats, ten or seven cards each, deals until a seat has the target.

Every way in which houses differ is an option. Hands and melds are 52-bit sets, piles are
tuples of card indices; names of cards appear only in actions, views and results. A tuple
"by seat" has an item for each seat.
"""

from collections.abc import Sequence
from operator import add
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine.cards import INDEX, NAMES, PACK, Card, card_set, members, names, value
from games.engine.game import DEALER, Reshuffle, Tagged, scored
from games.engine.melds import Arrangement, chained, deadwood, fits, in_melds, is_meld, melds_in

TITLE: Final = "Basic Rummy"
SEATS: Final = range(2, 5)
BOARD: Final = "rating"
HANDS: Final = {2: 10, 3: 7, 4: 7}
TARGETS: Final = {2: 100, 3: 150, 4: 200}

Cards = tuple[Card, ...]
MeldCards = Annotated[tuple[Card, ...], Meta(min_length=3, max_length=13)]
Ints = tuple[int, ...]
Source = Literal["stock", "discards"]
Ending = Literal["out", "rummy", "exhausted", "dead", "idle"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may differ from table to table. The defaults are the preset `classic`.

    `target` null: 100, 150 or 200 points for 2, 3 or 4 seats. `idle_limit` is in rounds.
    """

    target: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    max_deals: Annotated[int, Meta(ge=1, le=1000)] = 200
    next_dealer: Literal["rotate", "winner"] = "rotate"
    max_melds_per_turn: Annotated[int, Meta(ge=1, le=3)] | None = None
    layoff_needs_meld: bool = False
    last_card_exempt: bool = True
    must_discard_to_go_out: bool = False
    restock: Literal["shuffle_keep_top", "turn_over"] = "shuffle_keep_top"
    max_restocks: Annotated[int, Meta(ge=0, le=9)] = 1
    idle_limit: Annotated[int, Meta(ge=1, le=1000)] = 12
    going_rummy: Literal["double", "plus10", "off"] = "double"
    show_discards: bool = False


PRESETS: Final = {
    "classic": Options(),
    "strict": Options(
        max_melds_per_turn=1,
        layoff_needs_meld=True,
        last_card_exempt=False,
        must_discard_to_go_out=True,
    ),
}


class DrawStock(Tagged, frozen=True):
    """Draw the top card of the stock."""


class TakeDiscard(Tagged, frozen=True):
    """Take the top card of the discard pile."""


class Meld(Tagged, frozen=True):
    """Lay a set or a run on the table."""

    cards: MeldCards


class LayOff(Tagged, frozen=True):
    """Add a card to a meld on the table, named by its index."""

    card: Card
    meld: Annotated[int, Meta(ge=0, le=16)]


class Discard(Tagged, frozen=True):
    """Throw a card face up and end the turn; a last card goes face down and ends the deal."""

    card: Card


class Deal(Tagged, frozen=True):
    """The dealer's entry: the hands, the beginner's first, the upcard, the stock top first.

    Readers see it without the cards.
    """

    dealer: int
    cards: Cards | None = None


class Restock(Tagged, frozen=True):
    """The dealer's entry when the stock has run out: the new stock, top first.

    Readers see it without the cards.
    """

    cards: Cards | None = None


Action = DrawStock | TakeDiscard | Meld | LayOff | Discard
DealerAction = Deal | Restock | Reshuffle


class Turn(Struct, frozen=True, array_like=True):
    """The turn under way: where its card came from, which, and what has been tabled since."""

    from_pile: bool
    drawn: int
    melds: int = 0
    layoffs: int = 0


class Result(Struct, frozen=True):
    """How a deal ended. `hands` are the cards left, `left` their points, by seat.

    Endings: `out` and `rummy` (the winner had tabled nothing before) by an empty hand; the
    stalemates `exhausted` (the stock ran out once too often), `dead` (nobody could ever have
    gone out) and `idle`. `face_down`: the winner's last card, if he discarded one.
    """

    deal: int
    ending: Ending
    points: Ints
    winner: int | None
    hands: tuple[Cards, ...]
    left: Ints
    table: tuple[MeldCards, ...]
    face_down: Card | None
    counts: tuple[dict[str, int], ...]


Phase = Literal["dealing", "draw", "meld", "restocking", "reshuffling", "over"]


class State(Struct, frozen=True, omit_defaults=True):
    """A match. Hands and melds are sets; `stock` has its top first, `discards` its top last.

    By seat: `taken`, the cards in hand that came from the pile; `melds_laid` and
    `layoffs_made` in this deal; `sources`, where the latest card came from. `idle` counts the
    turns in a row that neither drew from the stock nor tabled a card. `resume`: turn and phase
    once the dealer has reshuffled.
    """

    options: Options
    scores: Ints
    hands: Ints
    taken: Ints
    melds_laid: Ints
    layoffs_made: Ints
    sources: tuple[Source | None, ...]
    places: Ints | None = None
    deal: int = 0
    dealer: int | None = None
    turn: int | None = DEALER
    phase: Phase = "dealing"
    resume: tuple[int, Phase] | None = None
    stock: Ints = ()
    discards: Ints = ()
    table: Ints = ()
    face_down: int | None = None
    restocks: int = 0
    idle: int = 0
    now: Turn | None = None
    result: Result | None = None
    last_seat: int | None = None
    last_action: Action | DealerAction | None = None
    last_card: int | None = None


class Last(Struct, frozen=True):
    """The entry before this view: who, what, and the card drawn if the reader may know it."""

    seat: int
    action: Action | DealerAction
    card: Card | None


class View(Struct, frozen=True):
    """All that one reader may know. `hand`, `points` (its value) and `banned` are his own.

    `drawn`: the card of the turn under way, null where he may not know it; `banned`: the one
    that may not be thrown this turn. `discards` has its top last, and only its top unless
    `show_discards`. By seat: `sources`, where the latest card came from; `taken`, the cards
    taken from the pile and still in hand; `melds_laid` and `layoffs_made` in this deal.
    """

    seat: int | None
    phase: Phase
    turn: int | None
    deal: int
    dealer: int | None
    scores: Ints
    target: int
    hand: Cards | None
    points: int | None
    drawn: Card | None
    banned: Card | None
    hand_sizes: Ints
    stock_size: int
    pile_size: int
    discards: Cards
    table: tuple[MeldCards, ...]
    sources: tuple[Source | None, ...]
    taken: tuple[Cards, ...]
    melds_laid: Ints
    layoffs_made: Ints
    restocks_left: int
    idle: int
    result: Result | None
    options: Options
    legal: tuple[Action, ...]
    last: Last | None


class Foresight(Struct, frozen=True):
    """What the mover can know beforehand: his cards afterwards, their points, the table.

    `ending` is set where the deal ends so; a card yet to be drawn is in no list.
    """

    hand: Cards
    points: int
    table: tuple[MeldCards, ...]
    ending: Ending | None


DRAW, TAKE = DrawStock(), TakeDiscard()
MELDS = {meld: Meld(names(meld)) for meld in melds_in(PACK)}
DISCARDS = tuple(Discard(card) for card in NAMES)


def new(options: Options, seats: int) -> State:
    """A match that waits for its first deal."""
    none = (0,) * seats
    return State(options, none, none, none, none, none, (None,) * seats)


def taken_back(state: State) -> State:
    """Before a seat moves on: waits for the dealer to reshuffle a stock that nobody has seen."""
    assert state.turn is not None
    seen = state.restocks > 0 and state.options.restock == "turn_over"
    if seen or len(state.stock) < 2:
        return state
    return replace(state, turn=DEALER, phase="reshuffling", resume=(state.turn, state.phase))


def to_shuffle(state: State) -> Cards:
    """The whole pack for a deal, the discards under the top for a restock (turned over: none).

    The stock, where it is reshuffled.
    """
    if state.resume:
        return names(_bits(state.stock))
    if state.phase != "restocking":
        return NAMES
    return () if state.options.restock == "turn_over" else names(_bits(state.discards[:-1]))


def dealer_action(state: State, cards: Cards, lot: int) -> DealerAction:
    """The deal, restock or reshuffle of shuffled cards; the first dealer is drawn by lot."""
    if state.resume:
        return Reshuffle(cards)
    if state.phase != "restocking":
        return Deal(lot if state.dealer is None else state.dealer, cards)
    if state.options.restock == "turn_over":
        return Restock(tuple(NAMES[card] for card in state.discards[:-1]))
    return Restock(cards)


def dealt(seats: int, cards: Sequence[str]) -> dict[str, int]:
    """What a deal shows of the luck in it, for statistics; the beginner's hand is the first."""
    size = HANDS[seats]
    hands = [card_set(cards[n * size : (n + 1) * size]) for n in range(seats)]
    return {
        f"points outside melds, hand {n} of {size} cards": deadwood(hand)
        for n, hand in enumerate(hands, 1)
    }


# What may be done


def legal_actions(state: State) -> tuple[Action, ...]:
    """Melds by their first card, lay-offs by meld, discards in deck order."""
    if state.phase == "draw":
        return DRAW, TAKE
    if state.phase == "meld":
        discards = (DISCARDS[card] for card in members(_throwable(state)))
        return (*_melds(state), *_layoffs(state), *discards)
    return ()


def _throwable(state: State) -> int:
    """The mover's cards without one he may not throw this turn."""
    return _own(state) & ~_banned(state)


def _banned(state: State) -> int:
    """The card taken from the pile this turn, which may not be thrown in it, as a set."""
    taken = _taken_now(state) & _own(state)
    exempt = state.options.last_card_exempt and taken == _own(state)
    return 0 if exempt else taken


def _own(state: State) -> int:
    assert state.turn is not None
    return state.hands[state.turn]


def _taken_now(state: State) -> int:
    """The card taken from the pile this turn, as a set."""
    return 1 << state.now.drawn if state.now and state.now.from_pile else 0


def _melds(state: State) -> list[Meld]:
    if _melds_are_spent(state):
        return []
    hand = _own(state)
    return [
        MELDS[meld]
        for meld in melds_in(hand)
        if _may_leave(state, hand ^ meld, (*state.table, meld))
    ]


def _melds_are_spent(state: State) -> bool:
    limit = state.options.max_melds_per_turn
    return limit is not None and state.now is not None and state.now.melds >= limit


def _layoffs(state: State) -> list[LayOff]:
    if _layoff_is_early(state):
        return []
    hand = _own(state)
    return [
        LayOff(NAMES[card], index)
        for index, meld in enumerate(state.table)
        for card in members(fits(meld) & hand)
        if _may_leave(state, hand ^ 1 << card, _grown(state.table, index, card))
    ]


def _layoff_is_early(state: State) -> bool:
    assert state.turn is not None
    return state.options.layoff_needs_meld and not state.melds_laid[state.turn]


def _grown(table: Arrangement, index: int, card: int) -> Arrangement:
    return (*table[:index], table[index] | 1 << card, *table[index + 1 :])


def _may_leave(state: State, rest: int, table: Arrangement) -> bool:
    """Whether a meld or lay-off may leave these cards in hand and these melds on the table."""
    options = state.options
    if rest == 0:
        return not options.must_discard_to_go_out
    if rest == _taken_now(state) and not options.last_card_exempt:
        return not options.must_discard_to_go_out and any(fits(meld) & rest for meld in table)
    return True


# What it does


def apply(state: State, action: Action | DealerAction) -> State:
    """The state after a legal action of the seat to move, or the dealer's."""
    seat = state.turn
    assert seat is not None
    card = None
    match action:
        case DrawStock():
            card = state.stock[0]
            after = _in_hand(replace(state, stock=state.stock[1:]), card, False)
        case TakeDiscard():
            card = state.discards[-1]
            after = _in_hand(replace(state, discards=state.discards[:-1]), card, True)
        case Meld():
            after = _meld(state, card_set(action.cards))
        case LayOff():
            after = _lay_off(state, INDEX[action.card], action.meld)
        case Discard():
            after = _discard(state, INDEX[action.card])
        case Deal():
            after = _deal(state, action)
            action = Deal(action.dealer)  # the log keeps the cards, the state has dealt them
        case Restock():
            after = _restock(state, action)
            action = Restock()
        case Reshuffle():
            after = _reshuffle(state, action)
            action = Reshuffle()
    return replace(after, last_seat=seat, last_action=action, last_card=card)


def _deal(state: State, deal: Deal) -> State:
    assert deal.cards is not None
    seats = len(state.scores)
    size, order = HANDS[seats], tuple(INDEX[name] for name in deal.cards)
    begins = (deal.dealer + 1) % seats
    places = [(seat - begins) % seats for seat in range(seats)]  # in the order of the pack
    fresh = new(state.options, seats)
    return replace(
        fresh,
        scores=state.scores,
        result=state.result,
        deal=state.deal + 1,
        dealer=deal.dealer,
        turn=begins,
        phase="draw",
        hands=tuple(_bits(order[size * place : size * (place + 1)]) for place in places),
        discards=order[size * seats : size * seats + 1],
        stock=order[size * seats + 1 :],
    )


def _restock(state: State, restock: Restock) -> State:
    """The discards under the top become the stock; the seat after the drawer is to move."""
    assert restock.cards is not None and state.last_seat is not None
    return replace(
        state,
        stock=tuple(INDEX[name] for name in restock.cards),
        discards=state.discards[-1:],
        restocks=state.restocks + 1,
        turn=_left_of(state, state.last_seat),
        phase="draw",
    )


def _reshuffle(state: State, reshuffle: Reshuffle) -> State:
    assert reshuffle.cards is not None and state.resume is not None
    turn, phase = state.resume
    stock = tuple(INDEX[name] for name in reshuffle.cards)
    return replace(state, stock=stock, turn=turn, phase=phase, resume=None)


def _left_of(state: State, seat: int) -> int:
    return (seat + 1) % len(state.scores)


def _bits(cards: Ints) -> int:
    return sum(1 << card for card in cards)


def _changed(items: Ints, seat: int, item: int) -> Ints:
    """A tuple by seat with the item of one seat changed."""
    return (*items[:seat], item, *items[seat + 1 :])


def _in_hand(state: State, card: int, from_pile: bool) -> State:
    seat = state.turn
    assert seat is not None
    taken = state.taken[seat] | from_pile << card
    source: Source = "discards" if from_pile else "stock"
    return replace(
        state,
        phase="meld",
        hands=_changed(state.hands, seat, state.hands[seat] | 1 << card),
        taken=_changed(state.taken, seat, taken),
        sources=(*state.sources[:seat], source, *state.sources[seat + 1 :]),
        now=Turn(from_pile, card),
    )


def _out_of_hand(state: State, cards: int) -> State:
    seat = state.turn
    assert seat is not None
    return replace(
        state,
        hands=_changed(state.hands, seat, state.hands[seat] & ~cards),
        taken=_changed(state.taken, seat, state.taken[seat] & ~cards),
    )


def _meld(state: State, meld: int) -> State:
    seat, now = state.turn, state.now
    assert seat is not None and now is not None
    after = replace(
        _out_of_hand(state, meld),
        table=(*state.table, meld),
        melds_laid=_changed(state.melds_laid, seat, state.melds_laid[seat] + 1),
        now=replace(now, melds=now.melds + 1),
    )
    return after if after.hands[seat] else _go_out(after)


def _lay_off(state: State, card: int, index: int) -> State:
    seat, now = state.turn, state.now
    assert seat is not None and now is not None
    after = replace(
        _out_of_hand(state, 1 << card),
        table=_grown(state.table, index, card),
        layoffs_made=_changed(state.layoffs_made, seat, state.layoffs_made[seat] + 1),
        now=replace(now, layoffs=now.layoffs + 1),
    )
    return after if after.hands[seat] else _go_out(after)


def _discard(state: State, card: int) -> State:
    seat = state.turn
    assert seat is not None
    after = _out_of_hand(state, 1 << card)
    if after.hands[seat]:
        return _end_turn(replace(after, discards=(*state.discards, card)))
    return _go_out(replace(after, face_down=card))


# How a turn ends


def _end_turn(state: State) -> State:
    """The next seat's turn, unless the deal cannot go on or the stock is to be made anew."""
    seat, now, options = state.turn, state.now, state.options
    assert seat is not None and now is not None
    idle = state.idle + 1 if now.from_pile and not (now.melds or now.layoffs) else 0
    after = replace(state, idle=idle, now=None)
    if not after.stock and after.restocks == options.max_restocks:
        return _stalemate(after, "exhausted")
    if nobody_can_finish(after):
        return _stalemate(after, "dead")
    if idle >= options.idle_limit * len(state.scores):
        return _stalemate(after, "idle")
    if not after.stock:
        return replace(after, turn=DEALER, phase="restocking")
    return replace(after, turn=_left_of(state, seat), phase="draw")


def nobody_can_finish(state: State) -> bool:
    """A sound test, from public knowledge, at the end of a turn, that the deal is dead.

    To go out, a seat has to table at least as many cards as it holds now. Counted are the
    cards that could ever be tabled, wherever they lie; those under the top discard only while
    a restock is left. (So a restock that is due does not change the answer.)
    """
    least = min(hand.bit_count() for hand in state.hands)
    rest = PACK & ~_union(state.table)
    if state.restocks == state.options.max_restocks:
        rest &= ~_bits(state.discards[:-1])
    some = in_melds(rest) if max(hand.bit_count() for hand in state.hands) >= 2 else 0
    if some.bit_count() >= least:
        return False
    for meld in state.table:
        some |= chained(meld, rest)
    return some.bit_count() < least


def _union(sets: Ints) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union


# How a deal ends


def winners_points(options: Options, left: int, rummy: bool) -> int:
    """The points of a seat that goes out, for `left` points in the other hands."""
    if not rummy or options.going_rummy == "off":
        return left
    return 2 * left if options.going_rummy == "double" else left + 10


def _go_out(state: State) -> State:
    seat, options = state.turn, state.options
    assert seat is not None
    rummy = options.going_rummy != "off" and _tabled_nothing_before(state, seat)
    points = winners_points(options, sum(map(value, state.hands)), rummy)
    return _end_deal(
        state,
        "rummy" if rummy else "out",
        tuple(points if s == seat else 0 for s in range(len(state.scores))),
        winner=seat,
    )


def _tabled_nothing_before(state: State, seat: int) -> bool:
    """Whether all that the seat has put on the table came there in this turn."""
    now = state.now
    assert now is not None
    tabled = state.melds_laid[seat] + state.layoffs_made[seat]
    return tabled == now.melds + now.layoffs


def _stalemate(state: State, ending: Ending) -> State:
    return _end_deal(state, ending, (0,) * len(state.scores), winner=None)


def _end_deal(state: State, ending: Ending, points: Ints, winner: int | None) -> State:
    scores = tuple(map(add, state.scores, points))
    after = replace(state, scores=scores, now=None, result=_result(state, ending, points, winner))
    if max(scores) >= target(state) or state.deal >= state.options.max_deals:
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        return replace(after, places=places, turn=None, phase="over")
    return replace(after, turn=DEALER, phase="dealing", dealer=_next_dealer(state, winner))


def target(state: State) -> int:
    """The points that win the match: those of the options, or else by seats."""
    return state.options.target or TARGETS[len(state.scores)]


def _next_dealer(state: State, winner: int | None) -> int:
    assert state.dealer is not None
    if winner is not None and state.options.next_dealer == "winner":
        return winner
    return _left_of(state, state.dealer)


def _result(state: State, ending: Ending, points: Ints, winner: int | None) -> Result:
    return Result(
        deal=state.deal,
        ending=ending,
        points=points,
        winner=winner,
        hands=tuple(map(names, state.hands)),
        left=tuple(map(value, state.hands)),
        table=tuple(map(names, state.table)),
        face_down=None if state.face_down is None else NAMES[state.face_down],
        counts=tuple(_counts(state, ending, winner, seat) for seat in range(len(points))),
    )


def _counts(state: State, ending: Ending, winner: int | None, seat: int) -> dict[str, int]:
    """What a seat did in a deal, for the statistics; a stalemate is a loss for all."""
    counts = {
        "deals_won": seat == winner,
        "deals_lost": seat != winner,
        "rummies": seat == winner and ending == "rummy",
        "stalemates": winner is None,
        "melds": state.melds_laid[seat],
        "layoffs": state.layoffs_made[seat],
    }
    return {name: int(count) for name, count in counts.items() if count}


# What a reader sees


def view(state: State, seat: int | None) -> View:
    """The match as one seat, or a spectator (None), may know it."""
    own = None if seat is None else state.hands[seat]
    to_move = seat is not None and seat == state.turn
    banned = names(_banned(state)) if to_move else ()
    shown = state.discards if state.options.show_discards else state.discards[-1:]
    return View(
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        deal=state.deal,
        dealer=state.dealer,
        scores=state.scores,
        target=target(state),
        hand=None if own is None else names(own),
        points=None if own is None else value(own),
        drawn=_drawn(state, seat),
        banned=banned[0] if banned else None,
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        stock_size=len(state.stock),
        pile_size=len(state.discards),
        discards=tuple(NAMES[card] for card in shown),
        table=tuple(map(names, state.table)),
        sources=state.sources,
        taken=tuple(map(names, state.taken)),
        melds_laid=state.melds_laid,
        layoffs_made=state.layoffs_made,
        restocks_left=state.options.max_restocks - state.restocks,
        idle=state.idle,
        result=state.result,
        options=state.options,
        legal=legal_actions(state) if to_move else (),
        last=_last(state, seat),
    )


def _drawn(state: State, reader: int | None) -> str | None:
    now = state.now
    known = now is not None and (now.from_pile or state.turn == reader)
    return NAMES[now.drawn] if known and now is not None else None


def _last(state: State, reader: int | None) -> Last | None:
    if state.last_seat is None or state.last_action is None:
        return None
    card, action = state.last_card, state.last_action
    known = card is not None and (isinstance(action, TakeDiscard) or state.last_seat == reader)
    return Last(state.last_seat, action, NAMES[card] if known and card is not None else None)


def foresee(state: State, action: Action) -> Foresight:
    """What the seat to move knows of a legal action before making it; no card is drawn."""
    seat = state.turn
    assert seat is not None
    after = state if isinstance(action, DrawStock) else apply(state, action)
    ended = after.result if after.result is not state.result else None
    return Foresight(
        hand=names(after.hands[seat]),
        points=value(after.hands[seat]),
        table=tuple(map(names, after.table)),
        ending=ended.ending if ended else None,
    )


# What a person is told


def words(action: Action | DealerAction, card: str | None = None, seen: View | None = None) -> str:
    """An action in words; `card` is the card drawn, where the reader may know it.

    `seen`: the view after it, which tells what the deal paid, if the action has ended it.
    """
    ended = seen.result if seen and seen.phase in ("dealing", "over") else None
    told = _told(action, card)
    return f"{told}. {scored(ended.points)}" if ended else told


def _told(action: Action | DealerAction, card: str | None) -> str:
    match action:
        case DrawStock():
            return f"draws {card or 'a card'} from the stock"
        case TakeDiscard():
            return f"takes {card or 'the upcard'} from the discards"
        case Meld():
            return f"lays {' '.join(action.cards)}"
        case LayOff():
            return f"lays {action.card} off on meld {action.meld}"
        case Discard():
            return f"discards {action.card}"
        case Deal():
            return f"seat {action.dealer} deals"
        case Restock():
            return "the discards become the new stock"
        case Reshuffle():
            return "the stock is shuffled anew"


def why_not(state: State, action: Action) -> tuple[str, str]:
    """Which rule an illegal action of the seat to move breaks."""
    if state.phase == "draw":
        return "draw-first", "Draw a card before you meld, lay off or throw one."
    match action:
        case Meld():
            return _why_no_meld(state, action.cards)
        case LayOff():
            return _why_no_layoff(state, action)
        case Discard():
            return _why_no_discard(state, action.card)
    return "already-drawn", "You have drawn; now meld, lay off, or discard to end your turn."


def _why_no_meld(state: State, cards: Cards) -> tuple[str, str]:
    meld, hand = card_set(cards), _own(state)
    if meld.bit_count() < len(cards) or not is_meld(meld):
        return "no-meld", f"{' '.join(cards)} is neither a set nor a run."
    if tabled := meld & _union(state.table):
        return "already-tabled", f"{' '.join(names(tabled))} is on the table; melds stay as laid."
    if missing := meld & ~hand:
        return "not-in-hand", f"{' '.join(names(missing))} is not in your hand."
    if _melds_are_spent(state):
        limit = state.options.max_melds_per_turn
        return "meld-limit", f"At most {limit} of your melds may be laid in one turn."
    return _why_not_leave(hand ^ meld)


def _why_no_layoff(state: State, action: LayOff) -> tuple[str, str]:
    hand, card, count = _own(state), 1 << INDEX[action.card], len(state.table)
    if not hand & card:
        return "not-in-hand", f"{action.card} is not in your hand."
    if action.meld >= count:
        there = f"they are 0 to {count - 1}" if count else "none is on the table yet"
        return "no-such-meld", f"There is no meld {action.meld}; {there}."
    if not fits(state.table[action.meld]) & card:
        meld = " ".join(names(state.table[action.meld]))
        return "does-not-fit", f"{action.card} does not fit {meld}."
    if _layoff_is_early(state):
        return "meld-first", "Lay a meld of your own in this deal before you lay cards off."
    return _why_not_leave(hand ^ card)


def _why_not_leave(rest: int) -> tuple[str, str]:
    if rest == 0:
        return "must-discard", "Keep a card: in this match one goes out with a discard."
    return (
        "leaves-taken-card",
        f"That leaves only {names(rest)[0]}, taken this turn, which you could not get rid of.",
    )


def _why_no_discard(state: State, card: str) -> tuple[str, str]:
    if not _own(state) >> INDEX[card] & 1:
        return "not-in-hand", f"{card} is not in your hand."
    return "taken-this-turn", f"{card} was taken this turn and may not be thrown in it."
