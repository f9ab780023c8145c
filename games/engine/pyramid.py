"""Pyramid: one seat, round after round; two cards that make thirteen, or a king alone, go.

A pyramid has 28 places, row by row from the apex: card i of row r (both from 0) is covered by
i+r+1 and i+r+2. Piles are tuples of card indices; names of cards appear only in actions,
views and results. What the player knows, everybody may know.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine.cards import INDEX, NAMES, Card, card_set, names, rank
from games.engine.game import DEALER, Reshuffle, Tagged

TITLE: Final = "Pyramid"
SEATS: Final = range(1, 2)
BOARD: Final = "points"
PLACES: Final = 28
GONE: Final = -1
KING: Final = 12
NUMBERS: Final = range(1, 1_000_001)
CARD_POINTS: Final = 10
BONUS: Final = 100

ROWS: Final = tuple(tuple(range(r * (r + 1) // 2, (r + 1) * (r + 2) // 2)) for r in range(7))
COVERERS: Final = tuple((i + r + 1, i + r + 2) if r < 6 else () for r in range(7) for i in ROWS[r])


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may differ from match to match. `practice` admits undo and help, for no board.

    Practice is dealt by number: round 1 is the deal `deal_number`, each later round the next.
    A number that is not given is drawn, with `clearable` from the deals that can be cleared.
    """

    redeals: Annotated[int, Meta(ge=0, le=9)] = 2
    overlap: bool = False
    after_clear: Literal["finish_deal", "all_deals", "end_now"] = "finish_deal"
    next_round: Literal["after_draw", "at_once"] = "after_draw"
    practice: bool = False
    deal_number: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    clearable: bool = False


PRESETS: Final = {"standard": Options()}


class Remove(Tagged, frozen=True):
    """Remove two playable cards that make thirteen, in deck order, or a king."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=2)]


class Draw(Tagged, frozen=True):
    """Put the top card of the draw pile on the waste."""


class Redeal(Tagged, frozen=True):
    """Turn the waste over: it is the draw pile again, in the same order."""


class NextRound(Tagged, frozen=True):
    """Leave a round whose pyramid is cleared for the next."""


class Undo(Tagged, frozen=True):
    """Take back the round's last action that stands; in practice only."""


class Deal(Tagged, frozen=True):
    """The dealer's entry: the pyramid from its apex, then the draw pile from its top.

    Readers see it without the cards.
    """

    cards: tuple[Card, ...] | None = None


Action = Remove | Draw | Redeal | NextRound | Undo
DealerAction = Deal | Reshuffle


class Result(Struct, frozen=True):
    """What a round came to: of a cleared one up to now, until the next round is dealt.

    `points` include `bonus`; `removed` counts cards, `left` those of the pyramid.
    """

    deal: int
    ending: Literal["cleared", "stuck"]
    points: tuple[int]
    bonus: int
    removed: int
    left: int
    redeals: int
    counts: tuple[dict[str, int]]


class State(Struct, frozen=True, omit_defaults=True):
    """A match. `pyramid` by place, -1 where the card is gone; `draw` top first, `waste` top last.

    `points` and `redeals` (used) are the round's; `removed` are its cards in order. In practice
    `start` is the state just after its deal or reshuffle, `done` the actions since that stand.
    `reshuffling`: the dealer is to reshuffle what is unseen of the draw pile.
    """

    options: Options
    scores: tuple[int] = (0,)
    places: tuple[int] | None = None
    deal: int = 0
    dealer: int | None = None
    turn: int | None = DEALER
    reshuffling: bool = False
    pyramid: tuple[int, ...] = ()
    draw: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    redeals: int = 0
    points: int = 0
    result: Result | None = None
    start: "State | None" = None
    done: tuple[Action, ...] = ()
    last_seat: int | None = None
    last_action: Action | DealerAction | None = None
    last_card: int | None = None


class Last(Struct, frozen=True):
    """The entry before this view: who, what, and the card put on the waste."""

    seat: int
    action: Action | DealerAction
    card: Card | None


class View(Struct, frozen=True):
    """All that may be known. `deal` is the round.

    `pyramid`: by place, null where the card is gone. `draw`: top first, null for a card not
    yet seen in this round. `waste`: top last. `removed`: this round's, in order. `points`: this
    round's, in `scores` already. `redeals_left`: of this round.
    """

    seat: int | None
    phase: Literal["dealing", "pyramid", "cleared", "over"]
    turn: int | None
    deal: int
    dealer: int | None
    scores: tuple[int]
    points: int
    pyramid: tuple[Card | None, ...]
    draw: tuple[Card | None, ...]
    waste: tuple[Card, ...]
    removed: tuple[Card, ...]
    redeals_left: int
    result: Result | None
    options: Options
    legal: tuple[Action, ...]
    last: Last | None


class Foresight(Struct, frozen=True):
    """What can be known of an action beforehand: points, pyramid cards that it lays open.

    `ending` is set where the action clears the pyramid or leaves nothing to do.
    """

    points: int
    uncovered: tuple[Card, ...]
    ending: Literal["cleared", "stuck"] | None


DRAW, REDEAL, NEXT_ROUND, UNDO = Draw(), Redeal(), NextRound(), Undo()


def new(options: Options, seats: int) -> State:
    """A match that waits for its first round."""
    return State(options)


def taken_back(state: State) -> State:
    """Before the seat moves on: waits for the dealer to reshuffle the draw pile under its top.

    Not once all of it has been seen.
    """
    if state.redeals or len(state.draw) < 3:
        return state
    return replace(state, turn=DEALER, reshuffling=True)


def to_shuffle(state: State) -> tuple[str, ...]:
    """The whole pack: every round is dealt afresh. What is unseen, where it is reshuffled."""
    return names(card_set(NAMES[card] for card in state.draw[1:])) if state.reshuffling else NAMES


def dealer_action(state: State, cards: tuple[str, ...], lot: int) -> DealerAction:
    """The deal or reshuffle of shuffled cards."""
    return Reshuffle(cards) if state.reshuffling else Deal(cards)


def dealt(seats: int, cards: Sequence[str]) -> dict[str, int]:
    """What a deal shows of the luck in it, for statistics: kings, and removals to begin with."""
    deal = apply(new(Options(), seats), Deal(tuple(cards)))
    return {
        "kings in the pyramid": sum(rank(INDEX[card]) == KING for card in cards[:PLACES]),
        "removals to begin with": sum(isinstance(a, Remove) for a in legal_actions(deal)),
    }


# What may be done


def legal_actions(state: State) -> tuple[Action, ...]:
    """Removals in deck order, then draw, redeal, next round and undo, as far as they are legal."""
    if state.turn != 0:
        return ()
    return (*_forward(state), UNDO) if state.done else tuple(_forward(state))


def _forward(state: State) -> Iterator[Action]:
    """All but undo: when nothing of this is left, the match is over."""
    if not _only_next_round(state):
        yield from _removals(state)
        if state.draw:
            yield DRAW
        if _redeal_admitted(state) and state.waste and not state.draw:
            yield REDEAL
    if _next_round_admitted(state):
        yield NEXT_ROUND


def _cleared(state: State) -> bool:
    return bool(state.pyramid) and max(state.pyramid) == GONE


def _only_next_round(state: State) -> bool:
    return state.options.after_clear == "end_now" and _cleared(state)


def _redeal_admitted(state: State) -> bool:
    """Whether one more redeal is left in this round."""
    if state.options.after_clear != "all_deals" and _cleared(state):
        return False
    return state.redeals < state.options.redeals


def _next_round_admitted(state: State) -> bool:
    options = state.options
    at_once = options.next_round == "at_once" or options.after_clear == "end_now"
    return _cleared(state) and (at_once or not state.draw)


def _removals(state: State) -> list[Remove]:
    """Every king and every pair that may go, in deck order."""
    playable = sorted(_playable(state))
    found: list[tuple[int, ...]] = [(card,) for card in playable if rank(card) == KING]
    found += [pair for pair in combinations(playable, 2) if _thirteen(*pair)]
    if state.options.overlap:
        found += _overlapping(state.pyramid)
    return [Remove(tuple(NAMES[card] for card in cards)) for cards in sorted(found)]


def _thirteen(card: int, other: int) -> bool:
    return rank(card) + rank(other) == KING - 1


def _playable(state: State) -> tuple[int, ...]:
    """The open cards of the pyramid, the top of the draw pile and the top of the waste."""
    return (*_open(state.pyramid), *state.draw[:1], *state.waste[-1:])


def _open(pyramid: tuple[int, ...]) -> list[int]:
    """The cards of the pyramid whose coverers are gone."""
    return [card for place, card in enumerate(pyramid) if card >= 0 and not _on(pyramid, place)]


def _on(pyramid: tuple[int, ...], place: int) -> list[int]:
    """The cards that lie on a place."""
    return [pyramid[above] for above in COVERERS[place] if pyramid[above] >= 0]


def _overlapping(pyramid: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Open cards, each with a card of which it is the last coverer and with which it makes 13."""
    free = set(_open(pyramid))
    for place, card in enumerate(pyramid):
        match _on(pyramid, place):
            case [coverer] if card >= 0 and coverer in free and _thirteen(card, coverer):
                yield min(card, coverer), max(card, coverer)


# What it does


def apply(state: State, action: Action | DealerAction) -> State:
    """The state after a legal action of the seat, or the dealer's."""
    seat, card = state.turn, None
    assert seat is not None
    match action:
        case Remove():
            after = _stands(_remove(state, action), action)
        case Draw():
            card = state.draw[0]
            after = replace(state, draw=state.draw[1:], waste=(*state.waste, card))
            after = _stands(after, action)
        case Redeal():
            after = replace(state, draw=state.waste, waste=(), redeals=state.redeals + 1)
            after = _stands(after, action)
        case NextRound():
            after = replace(state, turn=DEALER)
        case Undo():
            after = _undo(state)
        case Deal():
            after = _deal(state, action)
            action = Deal()  # the log keeps the cards, the state has dealt them
        case Reshuffle():
            after = _reshuffle(state, action)
            action = Reshuffle()
    return replace(after, last_seat=seat, last_action=action, last_card=card)


def _deal(state: State, deal: Deal) -> State:
    assert deal.cards is not None
    order = tuple(INDEX[name] for name in deal.cards)
    after = replace(
        state,
        deal=state.deal + 1,
        dealer=0,
        turn=0,
        pyramid=order[:PLACES],
        draw=order[PLACES:],
        waste=(),
        removed=(),
        redeals=0,
        points=0,
        start=None,
        done=(),
    )
    return replace(after, start=after) if state.options.practice else after


def _reshuffle(state: State, reshuffle: Reshuffle) -> State:
    assert reshuffle.cards is not None
    unseen = (INDEX[name] for name in reshuffle.cards)
    after = replace(state, draw=(state.draw[0], *unseen), turn=0, reshuffling=False)
    if not state.options.practice:
        return after
    after = replace(after, start=None, done=())  # an undo goes back as far as here
    return replace(after, start=after)


def _remove(state: State, action: Remove) -> State:
    gone = tuple(INDEX[name] for name in action.cards)
    after = replace(
        state,
        pyramid=tuple(GONE if card in gone else card for card in state.pyramid),
        draw=tuple(card for card in state.draw if card not in gone),
        waste=tuple(card for card in state.waste if card not in gone),
        removed=(*state.removed, *gone),
    )
    points = CARD_POINTS * len(gone)
    if _cleared(after) and not _cleared(state):
        points += BONUS * state.deal
    return replace(after, points=state.points + points, scores=(state.scores[0] + points,))


def _stands(state: State, action: Action) -> State:
    """What follows from an action that is done: the result of a round, the end of the match."""
    if state.options.practice:
        state = replace(state, done=(*state.done, action))
    if _cleared(state):
        return replace(state, result=_result(state, "cleared"))
    if next(_forward(state), None) is None:
        return replace(state, result=_result(state, "stuck"), turn=None, places=(1,))
    return state


def _result(state: State, ending: Literal["cleared", "stuck"]) -> Result:
    removed = len(state.removed)
    counts = {"removed": removed} | ({"cleared": 1} if ending == "cleared" else {})
    return Result(
        deal=state.deal,
        ending=ending,
        points=(state.points,),
        bonus=state.points - CARD_POINTS * removed,
        removed=removed,
        left=sum(card != GONE for card in state.pyramid),
        redeals=state.redeals,
        counts=(counts,),
    )


def _undo(state: State) -> State:
    """All but the last of the round's actions, done again from its deal."""
    assert state.start is not None
    return reduce(apply, state.done[:-1], replace(state.start, start=state.start))


# Practice


def deal_number(state: State, deal: int) -> int | None:
    """The number of the deal of a round, counted from 1. After the last number comes the first.

    A reshuffle has none.
    """
    first = state.options.deal_number
    if first is None or not state.options.practice or state.reshuffling:
        return None
    return NUMBERS[(first + deal - 2) % len(NUMBERS)]


def revealed(state: State) -> View:
    """The view of one who knows the whole draw pile, as only a solver may."""
    return replace(view(state, 0), draw=tuple(NAMES[card] for card in state.draw))


# What a reader sees


def view(state: State, seat: int | None) -> View:
    """The match as the player, or a spectator (None), may know it: alike but for `legal`."""
    return View(
        seat=seat,
        phase=_phase(state),
        turn=state.turn,
        deal=state.deal,
        dealer=state.dealer,
        scores=state.scores,
        points=state.points,
        pyramid=tuple(None if card == GONE else NAMES[card] for card in state.pyramid),
        draw=_seen_draw(state),
        waste=tuple(NAMES[card] for card in state.waste),
        removed=tuple(NAMES[card] for card in state.removed),
        redeals_left=state.options.redeals - state.redeals,
        result=state.result,
        options=state.options,
        legal=legal_actions(state) if seat == 0 else (),
        last=_last(state),
    )


def _phase(state: State) -> Literal["dealing", "pyramid", "cleared", "over"]:
    match state.turn:
        case None:
            return "over"
        case 0:
            return "cleared" if _cleared(state) else "pyramid"
    return "dealing"


def _seen_draw(state: State) -> tuple[str | None, ...]:
    """The draw pile: in the first pass its top only, afterwards all has been seen."""
    seen = len(state.draw) if state.redeals else 1
    return tuple(NAMES[card] if n < seen else None for n, card in enumerate(state.draw))


def _last(state: State) -> Last | None:
    if state.last_seat is None or state.last_action is None:
        return None
    card = None if state.last_card is None else NAMES[state.last_card]
    return Last(state.last_seat, state.last_action, card)


def foresee(state: State, action: Action) -> Foresight:
    """What is known of a legal action before it is made; no card is turned.

    Nothing is ever left to do only once the draw pile is empty, so an ending tells no card.
    """
    after = apply(state, action)
    laid_open: list[int] = []
    if isinstance(action, Remove):
        laid_open = sorted({*_open(after.pyramid)} - {*_open(state.pyramid)})
    ending: Any = None
    if after.turn is None:
        ending = "stuck"
    elif isinstance(action, Remove) and _cleared(after) and not _cleared(state):
        ending = "cleared"
    return Foresight(after.points - state.points, tuple(NAMES[c] for c in laid_open), ending)


# What a person is told


def words(action: Action | DealerAction, card: str | None = None, seen: View | None = None) -> str:
    """An action in words; `card` is the card put on the waste. `seen` would tell no more."""
    match action:
        case Remove():
            return f"removes {' and '.join(action.cards)}"
        case Draw():
            return f"puts {card or 'the draw card'} on the waste"
        case Redeal():
            return "turns the waste over"
        case NextRound():
            return "goes on to the next round"
        case Undo():
            return "takes the last action back"
        case Deal():
            return "a round is dealt"
        case Reshuffle():
            return "the draw pile under its top is shuffled anew"


def why_not(state: State, action: Action) -> tuple[str, str]:
    """Which rule an illegal action of the seat breaks."""
    match action:
        case Undo():
            return _why_no_undo(state)
        case NextRound():
            return _why_no_next_round(state)
    if _only_next_round(state):
        return "round-over", "The pyramid is cleared, which ends the round: go on to the next."
    match action:
        case Draw():
            return _why_no_draw(state)
        case Redeal():
            return _why_no_redeal(state)
    return _why_no_removal(state, action)


def _why_no_undo(state: State) -> tuple[str, str]:
    if not state.options.practice:
        return "not-a-practice-match", "Actions can be taken back only in a practice match."
    return "nothing-to-undo", "Nothing has been done in this round that could be taken back."


def _why_no_next_round(state: State) -> tuple[str, str]:
    if not _cleared(state):
        return "not-cleared", "The next round comes only once the pyramid is cleared."
    return "draw-first", "The next round comes only once the draw pile is empty: draw it out."


def _why_no_draw(state: State) -> tuple[str, str]:
    if not state.waste:
        return "no-cards", "The draw pile and the waste are both empty: there is nothing to draw."
    return "draw-pile-empty", "The draw pile is empty; nothing can be drawn."


def _why_no_redeal(state: State) -> tuple[str, str]:
    if state.draw:
        return "draw-pile-not-empty", "The waste is turned over only once the draw pile is empty."
    if not state.waste:
        return "waste-empty", "The waste is empty: there is nothing to turn over."
    if _cleared(state) and state.options.after_clear != "all_deals":
        return "no-redeal-when-cleared", "Once the pyramid is cleared there are no more redeals."
    return "no-redeals-left", f"All {state.options.redeals} redeals of this round are used."


def _why_no_removal(state: State, action: Remove) -> tuple[str, str]:
    cards = [INDEX[name] for name in action.cards]
    for name, card in zip(action.cards, cards, strict=True):
        if card in state.removed:
            return "removed", f"{name} has been removed already."
    if len(cards) == 1 and rank(cards[0]) != KING:
        return "not-a-king", f"{action.cards[0]} is no king; only kings go alone."
    if len(cards) == 2 and (cards[0] == cards[1] or not _thirteen(*cards)):
        return "not-thirteen", f"{' and '.join(action.cards)} do not make 13."
    name = next(NAMES[card] for card in cards if card not in _playable(state))
    if INDEX[name] in state.pyramid:
        place = state.pyramid.index(INDEX[name])
        above = " and ".join(NAMES[card] for card in _on(state.pyramid, place))
        return "covered", f"{name} is covered by {above}."
    return "not-on-top", f"{name} is not the top card of the draw pile or the waste."
