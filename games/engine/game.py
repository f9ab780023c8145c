"""The contract of a game, and the one way an action gets into it.

A game is a module with the names of `Game`. Legality is membership in `legal_actions(state)`;
`apply` trusts its input. The dealer is a seat: shuffles come in as actions that hold the
cards' order, so that the rules need no randomness.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from games.engine.cards import INDEX, Card

DEALER: Final = -1


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Tagged(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag=_snake,
):
    """An action, whose JSON is its fields and `type`, the snake case of its class."""


class Reshuffle(Tagged, frozen=True):
    """The dealer's entry after a match was taken back: the cards nobody had seen, in a new order.

    Readers see it without the cards.
    """

    cards: tuple[Card, ...] | None = None


class RuleError(Exception):
    """An action that the rules do not admit. `code` names the cause, str() says it in words."""

    code = ""

    def __init__(self, words: str, **extra: Any) -> None:
        super().__init__(words)
        self.extra = extra


class MalformedAction(RuleError):
    """Not an action of this game: an unknown type or field, or a card that is none."""

    code = "malformed-action"


class MatchOver(RuleError):
    """The match has ended; nothing more can be played."""

    code = "match-over"


class NotYourTurn(RuleError):
    """Another seat is to move."""

    code = "not-your-turn"


class IllegalAction(RuleError):
    """The seat is to move, but the rules forbid this. `rule` is the code of the rule broken."""

    code = "illegal-action"

    def __init__(self, rule: str, words: str, legal: Sequence[Any]) -> None:
        errors = [{"pointer": "/action", "code": rule, "detail": words}]
        super().__init__(words, errors=errors, legal=legal)
        self.rule = rule


class PracticeOnly(IllegalAction):
    """What is asked for is a help, which only practice matches give."""

    code = "not-a-practice-match"


class Result(Protocol):
    """How a deal ended. Games add what clients show: melds, lay-offs, hands."""

    @property
    def deal(self) -> int: ...
    @property
    def ending(self) -> str: ...
    @property
    def points(self) -> tuple[int, ...]: ...
    @property
    def counts(self) -> tuple[Mapping[str, int], ...]: ...


class State(Protocol):
    """A whole match: `turn` is a seat, DEALER, or None when it is over (then `places` is set).

    `scores` by seat; `deal` counts from 1 (0: nothing dealt yet); `dealer` is None until the
    first deal; `result` tells how the last deal ended.
    """

    @property
    def turn(self) -> int | None: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def places(self) -> tuple[int, ...] | None: ...
    @property
    def deal(self) -> int: ...
    @property
    def dealer(self) -> int | None: ...
    @property
    def result(self) -> Any: ...


class Game(Protocol):
    """What a game's module holds. Options, Action, DealerAction, State, View are types."""

    @property
    def SEATS(self) -> range: ...
    @property
    def BOARD(self) -> str: ...
    @property
    def TITLE(self) -> str: ...
    @property
    def PRESETS(self) -> Mapping[str, Any]: ...
    @property
    def Options(self) -> Any: ...
    @property
    def Action(self) -> Any: ...
    @property
    def DealerAction(self) -> Any: ...
    @property
    def State(self) -> Any: ...
    @property
    def View(self) -> Any: ...
    @property
    def Result(self) -> Any: ...
    @property
    def Foresight(self) -> Any: ...

    def new(self, options: Any, seats: int) -> Any:
        """The state before the first deal; it waits for the dealer."""

    def to_shuffle(self, state: Any) -> tuple[str, ...]:
        """The cards that the dealer is to shuffle now, in deck order."""

    def dealer_action(self, state: Any, cards: tuple[str, ...], lot: int) -> Any:
        """The dealer's action for shuffled cards; `lot` is a seat drawn by lot."""

    def legal_actions(self, state: Any) -> tuple[Any, ...]:
        """All that the seat to move may do; () for the dealer and when over."""

    def apply(self, state: Any, action: Any) -> Any:
        """The state after a legal action."""

    def view(self, state: Any, seat: int | None) -> Any:
        """All that a seat (None: a spectator) may know, with `legal` and `last`."""

    def foresee(self, state: Any, action: Any) -> Any:
        """What the seat to move can know of a legal action's outcome before it is made."""

    def why_not(self, state: Any, action: Any) -> tuple[str, str]:
        """Which rule an action outside `legal_actions` breaks: a code, and words."""

    def words(self, action: Any, card: str | None, seen: Any = None) -> str:
        """An action for the move list: "discards 7H". `card`: the one drawn, if known.

        `seen`: the reader's view after it, where there is one; it may say how a deal has ended.
        """


def scored(points: Sequence[int]) -> str:
    """What a deal paid, for the move list."""
    paid = [f"seat {seat} scores {each}" for seat, each in enumerate(points) if each]
    return ", ".join(paid) or "Nobody scores"


class ByNumber(Game, Protocol):
    """What a game may hold besides, so that practice matches are dealt by number.

    Its Options then have `practice`, `deal_number` and `clearable`.
    """

    @property
    def NUMBERS(self) -> range: ...

    def deal_number(self, state: Any, deal: int) -> int | None:
        """The number of the match's deal (counted from 1); None: it comes from the secret."""

    def revealed(self, state: Any) -> Any:
        """A view with every card open, for a solver. Nobody else may see it."""


def parse(game: Game, data: object) -> Any:
    """The action in plain JSON data, in its one spelling. Raises MalformedAction."""
    try:
        return spelled(msgspec.convert(data, game.Action))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # the latter: half a character
        raise MalformedAction(f"That is no action of this game: {error}.") from error


def spelled(action: Any) -> Any:
    """The action with the cards of every list in deck order, and melds by their first card."""
    changes = {
        field: _in_deck_order(value)
        for field in action.__struct_fields__
        if isinstance(value := getattr(action, field), tuple)
    }
    return msgspec.structs.replace(action, **changes) if changes else action


def _in_deck_order(cards: tuple[Any, ...]) -> tuple[Any, ...]:
    if cards and isinstance(cards[0], tuple):
        return tuple(sorted(map(_in_deck_order, cards), key=lambda meld: [INDEX[c] for c in meld]))
    return tuple(sorted(cards, key=INDEX.__getitem__))


def check(game: Game, state: Any, seat: int, action: Any) -> None:
    """Raises MatchOver, NotYourTurn or IllegalAction unless the seat may do this now."""
    if state.turn is None:
        raise MatchOver("The match is over.")
    if state.turn != seat:
        raise NotYourTurn(f"It is seat {state.turn}'s turn, not yours (seat {seat}).")
    legal = game.legal_actions(state)
    if action not in legal:
        rule, words = game.why_not(state, action)
        refusal = PracticeOnly if rule == PracticeOnly.code else IllegalAction
        raise refusal(rule, words, legal)


def play(game: Game, state: Any, seat: int, action: Any) -> Any:
    """The state after a seat's action. Raises like `check`."""
    check(game, state, seat, action)
    return game.apply(state, action)
