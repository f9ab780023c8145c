"""The log of a match and its one fold, for every game.

Two kinds of entries: actions of the game (by a seat or the DEALER), and what happens at the
table (by TABLE), of which games know nothing. The fold of the first n entries is the
Position at version n.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.engine import shuffle
from games.engine.game import DEALER, Game, Tagged

TABLE: Final = -2

Status = Literal["open", "playing", "finished", "aborted", "voided"]


class Invited(Tagged, frozen=True):
    """A seat is kept for a player."""

    seat: int
    player: str


class Joined(Tagged, frozen=True):
    """A player or a bot (its level) takes a seat, and gives `entropy` to the shuffles.

    None: in a log from before entropies.
    """

    seat: int
    player: str | None = None
    bot: str | None = None
    entropy: str | None = None


class Left(Tagged, frozen=True):
    """Who sits in a seat, or for whom it is kept, gives it up before the start: it is open."""

    seat: int


class Started(Tagged, frozen=True):
    """All seats are taken; the dealer deals next. `entropy` is that of who has started it.

    None: in a log from before entropies, whose shuffles follow from the secret alone.
    """

    entropy: str | None = None


class Resigned(Tagged, frozen=True):
    """A seat gives the match up, and is placed behind all who have not.

    Where only one is left, he has won at once and the running deal gives no points; otherwise
    a bot of that level plays the seat on.
    """

    seat: int
    bot: str | None = None


class Aborted(Tagged, frozen=True):
    """The match ends before its start: all have left, or it has waited too long."""

    reason: Literal["left", "expired"]


class Rematched(Tagged, frozen=True):
    """The match's players have a next match, of this id."""

    match: str


TableAction = Invited | Joined | Left | Started | Resigned | Aborted | Rematched


class Seat(Struct, frozen=True, omit_defaults=True):
    """Who sits there: a player's id, a bot's level, the player it is kept for, or nobody.

    Both a player and a bot: he has resigned, and the bot plays the seat on. `entropy` is what
    who sits there gave before the start.
    """

    player: str | None = None
    bot: str | None = None
    invited: str | None = None
    entropy: str = ""


class Position(Struct, frozen=True, omit_defaults=True):
    """A match after `version` entries. `state` is the game's, None until it starts.

    `resigned` are seats, the first to resign first; `shuffles` counts the dealer's entries of
    the log and never goes back; `entropies` is fixed at the start, by seat and at last of who
    started it; `table` is the last entry if it was the table's; `next` is the id of the rematch.
    """

    seats: tuple[Seat, ...]
    version: int = 0
    status: Status = "open"
    ended_by: Literal["played", "resigned", "left", "expired"] | None = None
    places: tuple[int, ...] | None = None
    resigned: tuple[int, ...] = ()
    shuffles: int = 0
    entropies: tuple[str, ...] = ()
    table: TableAction | None = None
    next: str | None = None
    state: Any = None

    @property
    def turn(self) -> int | None:
        """The seat to move, DEALER, or None when nobody is."""
        return self.state.turn if self.status == "playing" else None

    @property
    def bot_to_move(self) -> str | None:
        """The level of the bot whose turn it is."""
        turn = self.turn
        return None if turn is None or turn == DEALER else self.seats[turn].bot


class Entry(Struct, frozen=True):
    """A line of the log: by a seat, the DEALER or the TABLE."""

    seat: int
    action: Any


def opened(seats: int) -> Position:
    """The position before the first entry."""
    return Position(seats=(Seat(),) * seats)


def fold(game: Game, options: Any, position: Position, entry: Entry) -> Position:
    """The position after one more entry; trusts it."""
    version = position.version + 1
    if entry.seat == TABLE:
        after = _at_the_table(game, options, position, entry.action)
        return replace(after, version=version, table=entry.action)
    state = game.apply(position.state, entry.action)
    after = replace(
        position,
        version=version,
        shuffles=position.shuffles + (entry.seat == DEALER),
        table=None,
        state=state,
    )
    if state.turn is None:
        places = _behind(state.places, position.resigned)
        return replace(after, status="finished", ended_by="played", places=places)
    return after


def positions(game: Game, options: Any, seats: int, entries: Iterable[Entry]) -> Iterator[Position]:
    """The position after each entry, in one pass."""
    position = opened(seats)
    for entry in entries:
        position = fold(game, options, position, entry)
        yield position


def _at_the_table(game: Game, options: Any, position: Position, action: TableAction) -> Position:
    match action:
        case Invited(seat, player):
            return _seated(position, seat, Seat(invited=player))
        case Joined(seat, player, bot, entropy):
            return _seated(position, seat, Seat(player=player, bot=bot, entropy=entropy or ""))
        case Started(entropy):
            state = game.new(options, len(position.seats))
            given = () if entropy is None else (*(s.entropy for s in position.seats), entropy)
            return replace(position, status="playing", state=state, entropies=given)
        case Left(seat):
            return _seated(position, seat, Seat())
        case Resigned(seat, bot):
            return _resigned(position, seat, bot)
        case Aborted(reason):
            return replace(position, status="aborted", ended_by=reason)
        case Rematched(match):
            return replace(position, next=match)


def _resigned(position: Position, seat: int, bot: str | None) -> Position:
    resigned = (*position.resigned, seat)
    after = replace(position, resigned=resigned)
    if len(position.seats) - len(resigned) > 1:
        return _seated(after, seat, replace(position.seats[seat], bot=bot))
    places = _behind((1,) * len(position.seats), resigned)
    return replace(after, status="finished", ended_by="resigned", places=places)


def _behind(places: tuple[int, ...], resigned: tuple[int, ...]) -> tuple[int, ...]:
    """The places with every seat that has resigned behind the others, the first of them last."""

    def merit(seat: int) -> tuple[int, int]:
        stayed = len(resigned) if seat not in resigned else resigned.index(seat)
        return stayed, 0 if seat in resigned else -places[seat]

    merits = [merit(seat) for seat in range(len(places))]
    return tuple(1 + sum(other > own for other in merits) for own in merits)


def _seated(position: Position, number: int, seat: Seat) -> Position:
    seats = position.seats
    return replace(position, seats=(*seats[:number], seat, *seats[number + 1 :]))


def dealers_entry(game: Game, position: Position, secret: bytes) -> Entry:
    """The next entry of the DEALER: a shuffle that anyone with the secret can recompute.

    A deal by number needs no secret: it is the same in every match.
    """
    number, state = position.shuffles, position.state
    entropies = [entropy.encode() for entropy in position.entropies]
    deal = deal_number(game, state, state.deal + 1)
    if deal is not None:
        secret, entropies, number = shuffle.public_secret(deal), [], 0
    cards = shuffle.shuffle(secret, entropies, number, game.to_shuffle(state))
    by_lot = shuffle.lot(secret, entropies, number, len(position.seats))
    return Entry(DEALER, game.dealer_action(state, cards, by_lot))


def deal_number(game: Game, state: Any, deal: int) -> int | None:
    """The public number of a match's deal (counted from 1), where the game deals by number."""
    numbered = getattr(game, "deal_number", None)
    return numbered(state, deal) if numbered else None


def follow(
    game: Game, options: Any, position: Position, entries: Iterable[Entry], secret: bytes
) -> Iterator[tuple[Entry, Position]]:
    """The entries with the position after each, then the dealer's entries that they call for."""
    for entry in entries:
        position = fold(game, options, position, entry)
        yield entry, position
    while position.turn == DEALER:
        entry = dealers_entry(game, position, secret)
        position = fold(game, options, position, entry)
        yield entry, position


def view(game: Game, position: Position, seat: int | None) -> Any:
    """The game's view for a seat or spectator; nothing is legal once the match has ended."""
    if position.state is None:
        return None
    seen = game.view(position.state, seat)
    return seen if position.status == "playing" else replace(seen, legal=())


def last(position: Position, seen: Any) -> Any:
    """The entry before a position, as the reader of `seen` (his view of it) saw it."""
    return Entry(TABLE, position.table) if position.table is not None else seen and seen.last


def plain(value: Any) -> Any:
    """An action, a position or a result as JSON data, to be stored or sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


def read_entry(game: Game, seat: int, action: Any) -> Entry:
    """An entry from its stored JSON data."""
    kind = {TABLE: TableAction, DEALER: game.DealerAction}.get(seat, game.Action)
    return Entry(seat, msgspec.convert(action, kind))


def read_position(game: Game, data: Any) -> Position:
    """A position from its stored JSON data."""
    position = msgspec.convert(data, Position)
    if position.state is None:
        return position
    return replace(position, state=msgspec.convert(position.state, game.State))
