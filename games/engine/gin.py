"""Gin Rummy: two seats, ten cards each, deals until a seat reaches the target.

Every way in which houses differ is an option. Hands and melds are 52-bit sets, piles are
tuples of card indices; names of cards appear only in actions, views and results.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine.cards import (
    INDEX,
    NAMES,
    VALUES,
    Card,
    card_set,
    members,
    names,
    rank,
    value,
)
from games.engine.game import DEALER, Reshuffle, Tagged, scored
from games.engine.melds import (
    Arrangement,
    arrangements,
    best_arrangement,
    best_layoffs,
    deadwood,
    fits,
    is_meld,
)

TITLE: Final = "Gin Rummy"
SEATS: Final = range(2, 3)
BOARD: Final = "rating"
HAND: Final = 10
SPADES: Final = 3

Meld = Annotated[tuple[Card, ...], Meta(min_length=3, max_length=13)]
Points = tuple[int, int]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may differ from table to table. The defaults are the preset `arcade`."""

    opening: Literal["free", "offer"] = "free"
    may_return_taken: bool = False
    knock_limit: Annotated[int, Meta(ge=0, le=10)] | Literal["oklahoma"] = 10
    spade_doubles: bool = False
    big_gin: bool = True
    auto_layoff: bool = False
    tie: Literal["nobody", "undercut"] = "nobody"
    stock_floor: Annotated[int, Meta(ge=0, le=30)] = 2
    wall: Literal["draw", "knock_upcard"] = "draw"
    idle_limit: Annotated[int, Meta(ge=1, le=1000)] = 24
    undercut_bonus: Annotated[int, Meta(ge=0, le=1000)] = 25
    gin_bonus: Annotated[int, Meta(ge=0, le=1000)] = 25
    big_gin_extra: Annotated[int, Meta(ge=0, le=1000)] = 6
    target: Annotated[int, Meta(ge=1, le=10_000)] = 100
    max_deals: Annotated[int, Meta(ge=1, le=1000)] = 200
    next_dealer: Literal["alternate", "winner", "loser"] = "alternate"
    game_bonus: Annotated[int, Meta(ge=0, le=1000)] = 0
    box_bonus: Annotated[int, Meta(ge=0, le=1000)] = 0
    shutout_doubles: bool = False


PRESETS: Final = {
    "arcade": Options(),
    "classic": Options(
        opening="offer",
        tie="undercut",
        next_dealer="loser",
        game_bonus=100,
        box_bonus=25,
        shutout_doubles=True,
    ),
    "oklahoma": Options(knock_limit="oklahoma", spade_doubles=True),
    "straight": Options(knock_limit=0),
    "research": Options(opening="offer", tie="undercut", big_gin=False),
}


class DrawStock(Tagged, frozen=True):
    """Draw the top card of the stock."""


class TakeDiscard(Tagged, frozen=True):
    """Take the top card of the discard pile."""


class Pass(Tagged, frozen=True):
    """Refuse the upcard: in the opening offer, or at the wall."""


class Discard(Tagged, frozen=True):
    """Throw a card face up and end the turn."""

    card: Card


class Knock(Tagged, frozen=True):
    """Throw a card and end the deal with melds laid: those named, or else the engine's choice."""

    card: Card
    melds: tuple[Meld, ...] | None = None


class BigGin(Tagged, frozen=True):
    """Lay all eleven cards in melds, without a discard."""


class LayOff(Tagged, frozen=True):
    """Add a card to one of the knocker's melds, named by its index."""

    card: Card
    meld: Annotated[int, Meta(ge=0, le=2)]


class FinishLayoffs(Tagged, frozen=True):
    """Lay nothing more off; the deal is scored."""


class Deal(Tagged, frozen=True):
    """The dealer's entry: the beginner's hand, the other hand, the upcard, the stock top first.

    Readers see it without the cards.
    """

    dealer: int
    cards: tuple[Card, ...] | None = None


Action = DrawStock | TakeDiscard | Pass | Discard | Knock | BigGin | LayOff | FinishLayoffs
DealerAction = Deal | Reshuffle


class Turn(Struct, frozen=True, array_like=True):
    """A turn of this deal inside the state: seat, whether from the pile, cards (-1: none yet)."""

    seat: int
    from_pile: bool
    drawn: int
    thrown: int = -1


class Laid(Struct, frozen=True):
    """A knock on the table: the knocker's melds (as they grow), his loose cards, the lay-offs."""

    knocker: int
    melds: Arrangement
    loose: int
    layoffs: tuple[tuple[int, int], ...] = ()


class Layoff(Struct, frozen=True):
    """A card laid off, and the index of the knocker's meld that took it."""

    card: Card
    meld: int


class Result(Struct, frozen=True):
    """How a deal ended. Lists by seat. `hands` are the cards left; lay-offs have left theirs."""

    deal: int
    ending: Literal["knock", "undercut", "tie", "gin", "big_gin", "wall", "idle"]
    points: Points
    knocker: int | None
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    melds: tuple[tuple[Meld, ...], tuple[Meld, ...]]
    layoffs: tuple[Layoff, ...]
    deadwood: Points
    counts: tuple[dict[str, int], dict[str, int]]


Phase = Literal[
    "dealing",
    "offer",
    "first_draw",
    "draw",
    "discard",
    "wall",
    "wall_knock",
    "layoff",
    "reshuffling",
    "over",
]


class State(Struct, frozen=True, omit_defaults=True):
    """A match. Hands are sets; `stock` has its top first, `discards` its top last.

    `resume`: turn and phase once the dealer has reshuffled.
    """

    options: Options
    scores: Points = (0, 0)
    boxes: Points = (0, 0)
    bonuses: Points = (0, 0)
    places: Points | None = None
    deal: int = 0
    dealer: int | None = None
    turn: int | None = DEALER
    phase: Phase = "dealing"
    resume: tuple[int, Phase] | None = None
    hands: Points = (0, 0)
    stock: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    knock_limit: int = 10
    doubled: bool = False
    idle: int = 0
    turns: tuple[Turn, ...] = ()
    laid: Laid | None = None
    result: Result | None = None
    last_seat: int | None = None
    last_action: Action | DealerAction | None = None
    last_card: int | None = None


class SeenTurn(Struct, frozen=True):
    """A turn of this deal as the reader saw it: `drawn` is null for a card he may not know."""

    seat: int
    source: Literal["stock", "discards"]
    drawn: Card | None
    thrown: Card | None


class Showdown(Struct, frozen=True):
    """What a knock has put on the table: melds grown by lay-offs, the knocker's loose cards."""

    knocker: int
    melds: tuple[Meld, ...]
    loose: tuple[Card, ...]
    deadwood: int
    layoffs: tuple[Layoff, ...]


class Last(Struct, frozen=True):
    """The entry before this view: who, what, and the card drawn if the reader may know it."""

    seat: int
    action: Action | DealerAction
    card: Card | None


class View(Struct, frozen=True):
    """All that one reader may know. `hand`, `deadwood`, `banned` are his own; null for others.

    `taken`: by seat, the cards taken from the pile and not yet thrown. `discards`: top last.
    `banned`: the card that may not be thrown this turn. `knock_limit` holds for this deal.
    """

    seat: int | None
    phase: Phase
    turn: int | None
    deal: int
    dealer: int | None
    scores: Points
    boxes: Points
    bonuses: Points
    knock_limit: int
    doubled: bool
    hand: tuple[Card, ...] | None
    deadwood: int | None
    banned: Card | None
    hand_sizes: Points
    stock_size: int
    discards: tuple[Card, ...]
    taken: tuple[tuple[Card, ...], tuple[Card, ...]]
    turns: tuple[SeenTurn, ...]
    showdown: Showdown | None
    result: Result | None
    options: Options
    legal: tuple[Action, ...]
    last: Last | None


class Foresight(Struct, frozen=True):
    """What the mover can know beforehand: his cards afterwards, their deadwood, melds laid.

    `ending` is set where the deal is certain to end so; a card yet to be drawn is in no list.
    """

    hand: tuple[Card, ...]
    deadwood: int
    melds: tuple[Meld, ...] | None
    ending: str | None


DRAW, TAKE, PASS = DrawStock(), TakeDiscard(), Pass()
BIG_GIN, FINISH = BigGin(), FinishLayoffs()
DISCARDS = tuple(Discard(card) for card in NAMES)
KNOCKS = tuple(Knock(card) for card in NAMES)


def new(options: Options, seats: int) -> State:
    """A match that waits for its first deal."""
    limit = options.knock_limit
    return State(options, knock_limit=10 if limit == "oklahoma" else limit)


def taken_back(state: State) -> State:
    """Before a seat moves on: waits for the dealer to reshuffle the stock, seen by nobody."""
    assert state.turn is not None
    if len(state.stock) < 2:
        return state
    return replace(state, turn=DEALER, phase="reshuffling", resume=(state.turn, state.phase))


def to_shuffle(state: State) -> tuple[str, ...]:
    """The whole pack: every deal is dealt afresh. The stock, where it is reshuffled."""
    return names(_bits(state.stock)) if state.resume else NAMES


def dealer_action(state: State, cards: tuple[str, ...], lot: int) -> DealerAction:
    """The deal or reshuffle of shuffled cards; the first dealer is drawn by lot."""
    if state.resume:
        return Reshuffle(cards)
    return Deal(lot if state.dealer is None else state.dealer, cards)


def dealt(seats: int, cards: Sequence[str]) -> dict[str, int]:
    """What a deal shows of the luck in it, for statistics; the beginner's hand is the first."""
    hands = (card_set(cards[:HAND]), card_set(cards[HAND : 2 * HAND]))
    return {f"deadwood dealt to hand {n}": deadwood(hand) for n, hand in enumerate(hands, 1)}


# What may be done


def legal_actions(state: State) -> tuple[Action, ...]:
    """Discards and lay-offs in deck order; each knock unnamed, then with every arrangement."""
    match state.phase:
        case "draw":
            return DRAW, TAKE
        case "discard":
            return (*_discards(state), *_knocks(state))
        case "offer":
            return TAKE, PASS
        case "first_draw":
            return (DRAW,)
        case "layoff":
            return (*_layoffs(state), FINISH)
        case "wall":
            return (TAKE, PASS) if _knocks(_take(state)) else (PASS,)
        case "wall_knock":
            return _knocks(state)
    return ()


def _discards(state: State) -> list[Discard]:
    return [DISCARDS[card] for card in members(_throwable(state))]


def _throwable(state: State) -> int:
    """The mover's cards without one he may not throw this turn."""
    assert state.turn is not None
    return state.hands[state.turn] & ~_banned(state)


def _banned(state: State) -> int:
    """The card taken from the pile this turn, which may not go straight back, as a set."""
    if state.phase not in ("discard", "wall_knock") or state.options.may_return_taken:
        return 0
    turn = state.turns[-1]
    return 1 << turn.drawn if turn.from_pile else 0


def _knocks(state: State) -> tuple[Action, ...]:
    assert state.turn is not None
    hand, limit = state.hands[state.turn], state.knock_limit
    least = deadwood(hand)
    if least > limit + 10:
        return ()  # throwing one card saves at most 10
    knocks: list[Action] = []
    for card in members(_throwable(state)):
        if least - VALUES[card] <= limit and deadwood(rest := hand ^ 1 << card) <= limit:
            knocks.append(KNOCKS[card])
            knocks += [Knock(NAMES[card], _named(melds)) for melds in arrangements(rest, limit)]
    if least == 0 and state.options.big_gin:
        knocks.append(BIG_GIN)
    return tuple(knocks)


def _named(melds: Arrangement) -> tuple[tuple[str, ...], ...]:
    return tuple(names(meld) for meld in melds)


def _layoffs(state: State) -> list[LayOff]:
    assert state.laid is not None and state.turn is not None
    return [
        LayOff(NAMES[card], index)
        for index, meld in enumerate(state.laid.melds)
        for card in members(fits(meld) & state.hands[state.turn])
    ]


# What it does


def apply(state: State, action: Action | DealerAction) -> State:
    """The state after a legal action of the seat to move, or the dealer's."""
    seat = state.turn
    assert seat is not None
    card = None
    match action:
        case DrawStock():
            card = state.stock[0]
            after = _draw(state)
        case TakeDiscard():
            card = state.discards[-1]
            after = _take(state)
        case Discard():
            after = _discard(state, INDEX[action.card])
        case Knock():
            after = _knock(state, INDEX[action.card], action.melds)
        case BigGin():
            after = _big_gin(state)
        case LayOff():
            after = _lay_off(state, INDEX[action.card], action.meld)
        case FinishLayoffs():
            after = _score(state)
        case Pass():
            after = _pass(state)
        case Deal():
            after = _deal(state, action)
            action = Deal(action.dealer)  # the log keeps the cards, the state has dealt them
        case Reshuffle():
            after = _reshuffle(state, action)
            action = Reshuffle()
    return replace(after, last_seat=seat, last_action=action, last_card=card)


def _reshuffle(state: State, reshuffle: Reshuffle) -> State:
    assert reshuffle.cards is not None and state.resume is not None
    turn, phase = state.resume
    stock = tuple(INDEX[name] for name in reshuffle.cards)
    return replace(state, stock=stock, turn=turn, phase=phase, resume=None)


def _deal(state: State, deal: Deal) -> State:
    assert deal.cards is not None
    order = tuple(INDEX[name] for name in deal.cards)
    beginner, upcard = 1 - deal.dealer, order[2 * HAND]
    first, second = _bits(order[:HAND]), _bits(order[HAND : 2 * HAND])
    options = state.options
    limit = options.knock_limit
    if limit == "oklahoma":
        limit = VALUES[upcard] if rank(upcard) else 0
    return replace(
        state,
        deal=state.deal + 1,
        dealer=deal.dealer,
        turn=beginner,
        phase="offer" if options.opening == "offer" else "draw",
        hands=_by_seat(beginner, first, second),
        stock=order[2 * HAND + 1 :],
        discards=(upcard,),
        knock_limit=limit,
        doubled=options.spade_doubles and upcard // 13 == SPADES,
        idle=0,
        turns=(),
        laid=None,
    )


def _bits(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


def _by_seat(seat: int, own: int, other: int) -> Points:
    """A pair in seat order."""
    return (own, other) if seat == 0 else (other, own)


def _changed(pair: Points, seat: int, own: int) -> Points:
    return _by_seat(seat, own, pair[1 - seat])


def _draw(state: State) -> State:
    return _in_hand(state, state.stock[0], replace(state, stock=state.stock[1:]), False)


def _take(state: State) -> State:
    return _in_hand(state, state.discards[-1], replace(state, discards=state.discards[:-1]), True)


def _in_hand(before: State, card: int, state: State, from_pile: bool) -> State:
    seat = before.turn
    assert seat is not None
    return replace(
        state,
        phase="wall_knock" if before.phase == "wall" else "discard",
        hands=_changed(state.hands, seat, state.hands[seat] | 1 << card),
        turns=(*state.turns, Turn(seat, from_pile, card)),
    )


def _pass(state: State) -> State:
    """A refusal of the upcard: the dealer is asked next, then the beginner must draw."""
    if state.phase == "wall":
        return _drawn_deal(state, "wall")
    assert state.turn is not None
    phase: Phase = "first_draw" if state.turn == state.dealer else "offer"
    return replace(state, turn=1 - state.turn, phase=phase)


def _thrown(state: State, card: int) -> State:
    """The card on the pile, out of the mover's hand, and the turn written down."""
    seat, turn = state.turn, state.turns[-1]
    assert seat is not None
    return replace(
        state,
        hands=_changed(state.hands, seat, state.hands[seat] ^ 1 << card),
        discards=(*state.discards, card),
        turns=(*state.turns[:-1], Turn(seat, turn.from_pile, turn.drawn, card)),
        idle=state.idle + 1 if turn.from_pile else 0,
    )


def _discard(state: State, card: int) -> State:
    assert state.turn is not None
    after = _thrown(state, card)
    if len(after.stock) <= state.options.stock_floor:
        if state.options.wall == "draw":
            return _drawn_deal(after, "wall")
        return replace(after, turn=1 - state.turn, phase="wall")
    if after.idle >= state.options.idle_limit:
        return _drawn_deal(after, "idle")
    return replace(after, turn=1 - state.turn, phase="draw")


def _knock(state: State, card: int, named: tuple[tuple[str, ...], ...] | None) -> State:
    after = _thrown(state, card)
    assert state.turn is not None
    hand = after.hands[state.turn]
    if named is None:
        melds = best_arrangement(hand, _bits(after.discards))
    else:
        melds = tuple(card_set(meld) for meld in named)
    return _lay_down(after, melds)


def _big_gin(state: State) -> State:
    assert state.turn is not None
    return _lay_down(state, best_arrangement(state.hands[state.turn], _bits(state.discards)))


def _lay_down(state: State, melds: Arrangement) -> State:
    knocker = state.turn
    assert knocker is not None
    loose = state.hands[knocker] & ~sum(melds)
    after = replace(state, laid=Laid(knocker, melds, loose), turn=1 - knocker, phase="layoff")
    if loose == 0:
        return _score(after)
    if state.options.auto_layoff:
        for card, index in best_layoffs(after.hands[1 - knocker], melds)[1]:
            after = _lay_off(after, card, index)
        return _score(after)
    return after


def _lay_off(state: State, card: int, index: int) -> State:
    laid, seat = state.laid, state.turn
    assert laid is not None and seat is not None
    melds = tuple(meld | (i == index) << card for i, meld in enumerate(laid.melds))
    return replace(
        state,
        hands=_changed(state.hands, seat, state.hands[seat] ^ 1 << card),
        laid=replace(laid, melds=melds, layoffs=(*laid.layoffs, (card, index))),
    )


# How a deal ends


def knock_points(options: Options, knocker: int, defender: int) -> tuple[str, int, int]:
    """(ending, knocker's points, defender's points) of a knock that is not gin, by deadwood."""
    if knocker < defender:
        return "knock", defender - knocker, 0
    if knocker == defender and options.tie == "nobody":
        return "tie", 0, 0
    return "undercut", 0, knocker - defender + options.undercut_bonus


def _score(state: State) -> State:
    """The end of a deal with melds laid."""
    laid, options = state.laid, state.options
    assert laid is not None
    knocker, defender = laid.knocker, 1 - laid.knocker
    least = deadwood(state.hands[defender])
    if laid.loose:
        ending, own, other = knock_points(options, value(laid.loose), least)
    elif state.hands[knocker].bit_count() > HAND:
        ending, own, other = "big_gin", least + options.gin_bonus + options.big_gin_extra, 0
    else:
        ending, own, other = "gin", least + options.gin_bonus, 0
    factor = 2 if state.doubled else 1
    points = _by_seat(knocker, own * factor, other * factor)
    return _end_deal(state, ending, points)


def _drawn_deal(state: State, ending: str) -> State:
    return _end_deal(state, ending, (0, 0))


COUNTED: Final = {"knock": "knocks", "undercut": "undercuts", "gin": "gins", "big_gin": "big_gins"}


def _result(state: State, ending: Any, points: Points) -> Result:
    laid, hands = state.laid, state.hands
    if laid is None:
        melds: tuple[Any, Any] = ((), ())
        left = (deadwood(hands[0]), deadwood(hands[1]))
    else:
        own = _named(_as_laid(laid))
        defender = hands[1 - laid.knocker]
        others = _named(best_arrangement(defender, 0))
        melds = (own, others) if laid.knocker == 0 else (others, own)
        left = _by_seat(laid.knocker, value(laid.loose), deadwood(defender))
    counts: tuple[dict[str, int], dict[str, int]] = ({}, {})
    if laid and ending in COUNTED:
        doer = 1 - laid.knocker if ending == "undercut" else laid.knocker
        counts[doer][COUNTED[ending]] = 1
    return Result(
        deal=state.deal,
        ending=ending,
        points=points,
        knocker=laid.knocker if laid else None,
        hands=(names(hands[0]), names(hands[1])),
        melds=melds,
        layoffs=_seen_layoffs(laid) if laid else (),
        deadwood=left,
        counts=counts,
    )


def _as_laid(laid: Laid) -> Arrangement:
    """The knocker's melds before the lay-offs."""
    off = sum(1 << card for card, _ in laid.layoffs)
    return tuple(meld & ~off for meld in laid.melds)


def _seen_layoffs(laid: Laid) -> tuple[Layoff, ...]:
    return tuple(Layoff(NAMES[card], index) for card, index in laid.layoffs)


def _end_deal(state: State, ending: str, points: Points) -> State:
    scores = (state.scores[0] + points[0], state.scores[1] + points[1])
    boxes = (state.boxes[0] + (points[0] > 0), state.boxes[1] + (points[1] > 0))
    after = replace(
        state,
        scores=scores,
        boxes=boxes,
        result=_result(state, ending, points),
    )
    if max(scores) >= state.options.target or state.deal >= state.options.max_deals:
        return _end_match(after)
    return replace(after, turn=DEALER, phase="dealing", dealer=_next_dealer(state, points))


def _next_dealer(state: State, points: Points) -> int:
    assert state.dealer is not None
    if points == (0, 0):
        return state.dealer
    winner = 0 if points[0] else 1
    match state.options.next_dealer:
        case "winner":
            return winner
        case "loser":
            return 1 - winner
    return 1 - state.dealer


def _end_match(state: State) -> State:
    """Places by the points of the deals; bonuses count only in the totals."""
    options, scores = state.options, state.scores
    bonuses = [options.box_bonus * boxes for boxes in state.boxes]
    places: Points = (1, 1)
    if scores[0] != scores[1]:
        winner = 0 if scores[0] > scores[1] else 1
        places = _by_seat(winner, 1, 2)
        bonuses[winner] += options.game_bonus
        if options.shutout_doubles and state.boxes[1 - winner] == 0:
            bonuses[winner] += scores[winner] + bonuses[winner]
    return replace(
        state,
        scores=(scores[0] + bonuses[0], scores[1] + bonuses[1]),
        bonuses=(bonuses[0], bonuses[1]),
        places=places,
        turn=None,
        phase="over",
    )


# What a reader sees


def view(state: State, seat: int | None) -> View:
    """The match as one seat, or a spectator (None), may know it."""
    own = None if seat is None else state.hands[seat]
    to_move = seat is not None and seat == state.turn
    banned = names(_banned(state)) if to_move else ()
    return View(
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        deal=state.deal,
        dealer=state.dealer,
        scores=state.scores,
        boxes=state.boxes,
        bonuses=state.bonuses,
        knock_limit=state.knock_limit,
        doubled=state.doubled,
        hand=None if own is None else names(own),
        deadwood=None if own is None else deadwood(own),
        banned=banned[0] if banned else None,
        hand_sizes=(state.hands[0].bit_count(), state.hands[1].bit_count()),
        stock_size=len(state.stock),
        discards=tuple(NAMES[card] for card in state.discards),
        taken=(_taken(state, 0), _taken(state, 1)),
        turns=tuple(_seen_turn(turn, seat) for turn in state.turns),
        showdown=_showdown(state.laid) if state.laid else None,
        result=state.result,
        options=state.options,
        legal=legal_actions(state) if to_move else (),
        last=_last(state, seat),
    )


def _taken(state: State, seat: int) -> tuple[str, ...]:
    """Cards that everybody saw go into a hand and not yet come out."""
    taken = _bits(tuple({t.drawn for t in state.turns if t.from_pile and t.seat == seat}))
    return names(taken & state.hands[seat])


def _seen_turn(turn: Turn, reader: int | None) -> SeenTurn:
    return SeenTurn(
        seat=turn.seat,
        source="discards" if turn.from_pile else "stock",
        drawn=NAMES[turn.drawn] if turn.from_pile or turn.seat == reader else None,
        thrown=NAMES[turn.thrown] if turn.thrown >= 0 else None,
    )


def _showdown(laid: Laid) -> Showdown:
    return Showdown(
        knocker=laid.knocker,
        melds=_named(laid.melds),
        loose=names(laid.loose),
        deadwood=value(laid.loose),
        layoffs=_seen_layoffs(laid),
    )


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
    if isinstance(action, DrawStock):
        own = state.hands[seat]
        return Foresight(names(own), deadwood(own), None, None)
    after = apply(state, action)
    own, laid, certain = after.hands[seat], after.laid, ("gin", "big_gin", "wall", "idle")
    ended = after.result if after.result is not state.result else None
    return Foresight(
        hand=names(own),
        deadwood=value(laid.loose) if laid and laid.knocker == seat else deadwood(own),
        melds=_named(_as_laid(laid)) if laid and laid.knocker == seat else None,
        ending=ended.ending if ended and (ended.ending in certain or state.laid) else None,
    )


# What a person is told


def words(action: Action | DealerAction, card: str | None = None, seen: View | None = None) -> str:
    """An action in words; `card` is the card drawn, where the reader may know it.

    `seen`: the view after it, which tells what the deal paid, if the action has ended it.
    """
    ended = seen.result if seen and seen.phase in ("dealing", "over") else None
    told = _told(action, card, ended)
    return f"{told}. {scored(ended.points)}" if ended else told


def _told(action: Action | DealerAction, card: str | None, ended: Result | None) -> str:
    match action:
        case DrawStock():
            return f"draws {card or 'a card'} from the stock"
        case TakeDiscard():
            return f"takes {card or 'the upcard'} from the discards"
        case Pass():
            return "passes"
        case Discard():
            return f"discards {action.card}"
        case Knock():
            return _knock_told(action, ended)
        case BigGin():
            return "declares big gin"
        case LayOff():
            return f"lays {action.card} off on meld {action.meld}"
        case FinishLayoffs():
            return "lays nothing more off"
        case Deal():
            return f"seat {action.dealer} deals"
        case Reshuffle():
            return "the stock is shuffled anew"


def _knock_told(knock: Knock, ended: Result | None) -> str:
    gin = ended.ending == "gin" if ended else sum(map(len, knock.melds or ())) == HAND
    told = f"discards {knock.card} and {'goes gin' if gin else 'knocks'}"
    if knock.melds is None:
        return told
    laid = ", ".join(" ".join(meld) for meld in knock.melds)
    return f"{told}, laying {laid or 'no meld'}"


def why_not(state: State, action: Action) -> tuple[str, str]:
    """Which rule an illegal action of the seat to move breaks."""
    phase = state.phase
    if phase == "layoff":
        return _why_no_layoff(state, action)
    if isinstance(action, LayOff | FinishLayoffs):
        return "no-knock", "Nobody has knocked, so there is nothing to lay off on."
    if phase in ("discard", "wall_knock"):
        return _why_no_end_of_turn(state, action)
    if isinstance(action, Discard | Knock | BigGin):
        return "draw-first", "Draw a card before you throw one or knock."
    if phase == "first_draw":
        return "stock-only", "Both players passed the upcard, so the first card is from the stock."
    if phase == "wall":
        return _why_no_wall_action(action)
    if phase == "offer":
        return "upcard-offered", "The upcard is offered: take it or pass."
    return "no-pass", "A pass is only for the opening offer and the wall; draw a card."


def _why_no_layoff(state: State, action: Action) -> tuple[str, str]:
    laid, seat = state.laid, state.turn
    assert laid is not None and seat is not None
    if not isinstance(action, LayOff):
        return "lay-off-phase", "The deal is knocked: lay cards off, or finish the lay-offs."
    if not state.hands[seat] >> INDEX[action.card] & 1:
        return "not-in-hand", f"{action.card} is not in your hand."
    if action.meld >= len(laid.melds):
        return (
            "no-such-meld",
            f"There is no meld {action.meld}; they are 0 to {len(laid.melds) - 1}.",
        )
    meld = " ".join(names(laid.melds[action.meld]))
    return "does-not-fit", f"{action.card} does not fit {meld}."


def _why_no_wall_action(action: Action) -> tuple[str, str]:
    if isinstance(action, TakeDiscard):
        return "no-wall-knock", "At the wall the upcard may be taken only to knock; pass."
    return "wall", "The stock has run down: take the upcard to knock, or pass."


def _why_no_end_of_turn(state: State, action: Action) -> tuple[str, str]:
    seat = state.turn
    assert seat is not None
    hand = state.hands[seat]
    if isinstance(action, DrawStock | TakeDiscard | Pass):
        return "already-drawn", "You have drawn; now discard, knock or declare big gin."
    if isinstance(action, BigGin):
        if not state.options.big_gin:
            return "big-gin-off", "Big gin is not played in this match."
        return (
            "not-big-gin",
            f"Not all eleven cards are in melds: {deadwood(hand)} points are left.",
        )
    assert isinstance(action, Discard | Knock)
    card = INDEX[action.card]
    if not hand >> card & 1:
        return "not-in-hand", f"{action.card} is not in your hand."
    if _banned(state) >> card & 1:
        return "taken-this-turn", f"{action.card} was taken this turn and may not be thrown in it."
    if isinstance(action, Discard):
        return "wall-knock-only", "A card taken at the wall must be followed by a knock."
    return _why_no_knock(state, hand ^ 1 << card, action)


def _why_no_knock(state: State, rest: int, knock: Knock) -> tuple[str, str]:
    melds = knock.melds or ()
    for meld in melds:
        if card_set(meld).bit_count() < len(meld) or not is_meld(card_set(meld)):
            return "no-meld", f"{' '.join(meld)} is neither a set nor a run."
    laid = 0
    for meld in melds:
        if missing := card_set(meld) & ~rest:
            return "not-in-hand", f"{' '.join(names(missing))} would not be in your hand."
        if twice := card_set(meld) & laid:
            return "meld-overlap", f"{' '.join(names(twice))} stands in two melds."
        laid |= card_set(meld)
    left = deadwood(rest) if knock.melds is None else value(rest & ~laid)
    limit = f"at most {state.knock_limit}" if state.knock_limit else "none (gin only)"
    return "deadwood-too-high", f"That leaves {left} points of deadwood; this deal allows {limit}."
