"""A fourth game, which only the tests know: everyone gets a card, and may swap it once.

The highest card scores a point, several that are equal one each; the first to `target` wins.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine.cards import INDEX, NAMES, Card, rank
from games.engine.game import DEALER, Tagged

TITLE: Final = "Highest"
SEATS: Final = range(2, 5)
BOARD: Final = "points"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    target: Annotated[int, Meta(ge=1, le=10)] = 3
    practice: bool = False


PRESETS: Final = {"short": Options(), "shortest": Options(target=1)}


class Stay(Tagged, frozen=True):
    """Keep the card."""


class Swap(Tagged, frozen=True):
    """Give the card away for the top one of the stock."""


class HandOut(Tagged, frozen=True):
    """The dealer's entry: a card for each seat, then the stock."""

    cards: tuple[Card, ...] | None = None


Action = Stay | Swap
DealerAction = HandOut


class Result(Struct, frozen=True):
    deal: int
    ending: str
    points: tuple[int, ...]
    cards: tuple[Card, ...]
    counts: tuple[dict[str, int], ...]


class State(Struct, frozen=True):
    options: Options
    scores: tuple[int, ...]
    turn: int | None = DEALER
    places: tuple[int, ...] | None = None
    deal: int = 0
    dealer: int | None = None
    hands: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    result: Result | None = None
    last_seat: int | None = None
    last_action: Action | HandOut | None = None


class Last(Struct, frozen=True):
    seat: int
    action: Action | HandOut
    card: Card | None


class View(Struct, frozen=True):
    turn: int | None
    deal: int
    dealer: int | None
    scores: tuple[int, ...]
    hand: Card | None
    result: Result | None
    legal: tuple[Action, ...]
    last: Last | None


class Foresight(Struct, frozen=True):
    hand: Card | None


def new(options: Options, seats: int) -> State:
    return State(options, scores=(0,) * seats)


def to_shuffle(state: State) -> tuple[str, ...]:
    return NAMES


def dealer_action(state: State, cards: tuple[str, ...], lot: int) -> HandOut:
    return HandOut(cards)


def legal_actions(state: State) -> tuple[Action, ...]:
    return (Stay(), Swap()) if state.turn is not None and state.turn != DEALER else ()


def apply(state: State, action: Action | HandOut) -> State:
    after, seat, seats = state, state.turn, len(state.scores)
    told = action
    match action:
        case HandOut(cards):
            deal, told = state.deal + 1, HandOut()
            after = replace(
                state, deal=deal, dealer=0, turn=0, hands=cards[:seats], stock=cards[seats:]
            )
        case Swap():
            hands = (*state.hands[:seat], state.stock[0], *state.hands[seat + 1 :])
            after = replace(state, hands=hands, stock=state.stock[1:], turn=seat + 1)
        case Stay():
            after = replace(state, turn=seat + 1)
    after = replace(after, last_seat=seat, last_action=told)
    return _scored(after) if after.turn == seats else after


def _scored(state: State) -> State:
    ranks = [rank(INDEX[card]) for card in state.hands]
    points = tuple(int(r == max(ranks)) for r in ranks)
    scores = tuple(a + b for a, b in zip(state.scores, points, strict=True))
    counts = tuple({"highest": 1} if point else {} for point in points)
    result = Result(state.deal, "shown", points, state.hands, counts)
    after = replace(state, scores=scores, result=result, turn=DEALER)
    if max(scores) < state.options.target:
        return after
    places = tuple(1 if score == max(scores) else 2 for score in scores)
    return replace(after, places=places, turn=None)


def view(state: State, seat: int | None) -> View:
    last = None
    if state.last_action is not None:
        last = Last(state.last_seat, state.last_action, None)
    return View(
        turn=state.turn,
        deal=state.deal,
        dealer=state.dealer,
        scores=state.scores,
        hand=state.hands[seat] if seat is not None and state.hands else None,
        result=state.result,
        legal=legal_actions(state) if seat is not None and seat == state.turn else (),
        last=last,
    )


def foresee(state: State, action: Action) -> Foresight:
    return Foresight(state.hands[state.turn] if isinstance(action, Stay) else None)


def why_not(state: State, action: Action) -> tuple[str, str]:
    return "never", "Both may always be done."


def words(action: Action | HandOut, card: str | None = None, seen: View | None = None) -> str:
    return {"Stay": "stays", "Swap": "swaps", "HandOut": "the cards are dealt"}[
        type(action).__name__
    ]
