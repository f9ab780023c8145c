"""The log of a match and its one fold, for every game.

Two kinds of entries: actions of the game (by a seat or the DEALER), and what happens at the
table (by TABLE), of which games know nothing. The fold of the first n entries is the
Position at version n.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.engine import shuffle
from games.engine.clock import Clock, Take, Time
from games.engine.game import DEALER, Game, Tagged

TABLE: Final = -2

Status = Literal["open", "playing", "finished", "aborted", "voided"]
LIVE: Final = ("open", "playing")


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


class TimedOut(Tagged, frozen=True):
    """A seat's time is up, and who is left has won at once, as after a resignation.

    `by`: the seat that took the win; None where nobody was left to take it.
    """

    seat: int
    by: int | None = None


class BotSeated(Tagged, frozen=True):
    """A seat's time is up, and a bot of that level plays it on; it is placed like one resigned.

    `by`: the seat that asked for it; None where nobody was left to ask.
    """

    seat: int
    bot: str
    by: int | None = None


class Aborted(Tagged, frozen=True):
    """The match ends with nobody placed.

    Before its start: all have left, or it has waited too long. After it: a seat has called it
    off before the first move, or all have abandoned it. At any time: an operator has ended it, or
    its maker, who has no seat and nobody but bots to play it.
    """

    reason: Literal["left", "expired", "called_off", "abandoned", "operator"]
    seat: int | None = None


class Rematched(Tagged, frozen=True):
    """The match's players have a next match, of this id."""

    match: str


class Substituted(Tagged, frozen=True):
    """An operator has a bot of that level play a seat on; a player there has given it up."""

    seat: int
    bot: str


class RolledBack(Tagged, frozen=True):
    """An operator takes the match back to how it was at version `to`; nothing is deleted.

    `entropy`: of a match whose secret has been shown, what the shuffles from now on follow from
    besides. Readers see the entry without it.
    """

    to: int
    entropy: str | None = None


class Voided(Tagged, frozen=True):
    """An operator declares an ended match void: nobody is placed, and it counts for nothing."""


class Shuffle(Struct, frozen=True):
    """What a shuffle follows from: a match's secret (hex), what its players gave, its number."""

    secret: str
    entropies: tuple[str, ...]
    number: int


class Continued(Tagged, frozen=True):
    """The match goes on from that version of an ended one, whose actions are the next entries.

    `shuffles`: what those of the dealer among them follow from. Readers see it without these.
    """

    match: str
    version: int
    shuffles: tuple[Shuffle, ...] = ()


TableAction = (
    Invited
    | Joined
    | Left
    | Started
    | Continued
    | Resigned
    | TimedOut
    | BotSeated
    | Aborted
    | Rematched
    | Substituted
    | RolledBack
    | Voided
)

EndedBy = Literal[
    "played", "resigned", "timed_out", "left", "expired", "called_off", "abandoned", "operator"
]


class Seat(Struct, frozen=True, omit_defaults=True):
    """Who sits there: a player's id, a bot's level, the player it is kept for, or nobody.

    Both a player and a bot: he has resigned or timed out, and the bot plays the seat on.
    `entropy` is what who sits there gave before the start.
    """

    player: str | None = None
    bot: str | None = None
    invited: str | None = None
    entropy: str = ""


class Position(Struct, frozen=True, omit_defaults=True):
    """A match after `version` entries. `state` is the game's, None until it starts.

    `resigned` are seats given up or timed out, the first of them first; `shuffles` counts the
    dealer's entries of the log and never goes back; `entropies` is fixed at the start, by seat
    and of who started it, and grows where a match whose secret was shown is taken back;
    `table` is the last entry if it was the table's; `next` is
    the id of the rematch; `continued` says which match this one goes on from. `since`: from
    when on the move to come is awaited, by the `clock`; what happens at the table does not set
    it anew.
    """

    seats: tuple[Seat, ...]
    version: int = 0
    status: Status = "open"
    ended_by: EndedBy | None = None
    places: tuple[int, ...] | None = None
    resigned: tuple[int, ...] = ()
    shuffles: int = 0
    entropies: tuple[str, ...] = ()
    table: TableAction | None = None
    next: str | None = None
    continued: Continued | None = None
    clock: Clock | None = None
    since: Time | None = None
    state: Any = None

    @property
    def over(self) -> bool:
        """Whether it has ended, whichever way."""
        return self.status not in LIVE

    @property
    def turn(self) -> int | None:
        """The seat to move, DEALER, or None when nobody is."""
        return self.state.turn if self.status == "playing" else None

    @property
    def bot_to_move(self) -> str | None:
        """The level of the bot whose turn it is."""
        turn = self.turn
        return None if turn is None or turn == DEALER else self.seats[turn].bot

    @property
    def left(self) -> int:
        """How many seats have not been given up."""
        return len(self.seats) - len(self.resigned)

    @property
    def awaited(self) -> tuple[Clock, Time] | None:
        """The clock, and since when it runs, while it is a person's turn."""
        turn = self.turn
        if turn is None or turn == DEALER or self.seats[turn].bot is not None:
            return None
        return (self.clock, self.since) if self.clock and self.since else None

    @property
    def deadline(self) -> Time | None:
        """When the time of the person to move is up: from then on his move is refused."""
        return self.awaited and self.awaited[0].up(self.awaited[1])

    @property
    def claimants(self) -> tuple[int, ...]:
        """The seats that may claim when the person to move has let his time pass."""
        if self.awaited is None:
            return ()
        return tuple(
            number
            for number, seat in enumerate(self.seats)
            if number != self.turn and seat.player and seat.bot is None
        )

    @property
    def claims_at(self) -> Time | None:
        """From when on they may."""
        return self.awaited and self.awaited[0].claimable(self.awaited[1])

    @property
    def claims(self) -> tuple[Take, ...]:
        """What they may claim: where more than two are left only that a bot plays on."""
        if not self.claimants:
            return ()
        if self.left > 2:
            return ("bot",)
        on_timeout = self.clock.on_timeout if self.clock else "choose"
        return ("win", "bot") if on_timeout == "choose" else (on_timeout,)

    @property
    def ends_at(self) -> Time | None:
        """When the match is ended if nobody does anything: at once if none could claim."""
        if self.awaited is None:
            return None
        clock, since = self.awaited
        up = None if self.claimants else clock.up(since)
        return up or clock.abandoned(since)


class Entry(Struct, frozen=True):
    """A line of the log: by a seat, the DEALER or the TABLE, and when.

    `target`: of one that takes the match back, the position that it goes back to; see `aimed`.
    """

    seat: int
    action: Any
    at: Time | None = None
    target: Position | None = None


def opened(seats: int, clock: Clock | None = None) -> Position:
    """The position before the first entry."""
    return Position(seats=(Seat(),) * seats, clock=clock)


def fold(game: Game, options: Any, position: Position, entry: Entry) -> Position:
    """The position after one more entry; trusts it."""
    version = position.version + 1
    if entry.seat == TABLE:
        after = _at_the_table(game, options, position, entry)
        return replace(after, version=version, table=entry.action)
    state = game.apply(position.state, entry.action)
    after = replace(
        position,
        version=version,
        shuffles=position.shuffles + (entry.seat == DEALER),
        table=None,
        since=_awaited_since(position, entry),
        state=state,
    )
    if state.turn is None:
        places = _behind(state.places, position.resigned)
        return replace(after, status="finished", ended_by="played", places=places)
    return after


def _awaited_since(position: Position, entry: Entry) -> Time | None:
    return entry.at if position.clock else None


def positions(
    game: Game, options: Any, seats: int, entries: Iterable[Entry], clock: Clock | None = None
) -> Iterator[Position]:
    """The position after each entry, in one pass."""
    seen = [opened(seats, clock)]
    for entry in entries:
        seen.append(fold(game, options, seen[-1], aimed(entry, seen.__getitem__)))
        yield seen[-1]


def aimed(entry: Entry, at: Callable[[int], Position]) -> Entry:
    """An entry that takes the match back, with the position `at` that version; others as they are.

    The log says only the version, and the fold knows no earlier position by itself.
    """
    if not isinstance(entry.action, RolledBack):
        return entry
    return replace(entry, target=at(max(0, entry.action.to)))


def _at_the_table(game: Game, options: Any, position: Position, entry: Entry) -> Position:
    match entry.action:
        case Invited(seat, player):
            return _seated(position, seat, Seat(invited=player))
        case Joined(seat, player, bot, entropy):
            return _seated(position, seat, Seat(player=player, bot=bot, entropy=entropy or ""))
        case Started(entropy):
            state = game.new(options, len(position.seats))
            given = () if entropy is None else (*(s.entropy for s in position.seats), entropy)
            since = _awaited_since(position, entry)
            return replace(position, status="playing", state=state, entropies=given, since=since)
        case Continued():
            return replace(position, continued=entry.action)
        case Left(seat):
            return _seated(position, seat, Seat())
        case Resigned(seat, bot):
            return _resigned(position, seat, bot)
        case TimedOut(seat):
            return _won(_given_up(position, seat), "timed_out")
        case BotSeated(seat, bot):
            return _given_up(position, seat, bot)
        case Aborted(reason):
            return replace(position, status="aborted", ended_by=reason)
        case Rematched(match):
            return replace(position, next=match)
        case Substituted(seat, bot):
            return _substituted(position, seat, bot)
        case Voided():
            return replace(position, status="voided", places=None)
        case RolledBack():
            return _rolled_back(game, position, entry)
    raise ValueError(f"The table knows no {entry.action!r}")


def _resigned(position: Position, seat: int, bot: str | None) -> Position:
    after = _given_up(position, seat, bot)
    return after if after.left > 1 else _won(after, "resigned")


def _given_up(position: Position, seat: int, bot: str | None = None) -> Position:
    """The seat is of those placed last, and a bot may play it on."""
    after = replace(position, resigned=(*position.resigned, seat))
    return _seated(after, seat, replace(position.seats[seat], bot=bot)) if bot else after


def _substituted(position: Position, seat: int, bot: str) -> Position:
    sits = position.seats[seat]
    if sits.player is not None and seat not in position.resigned:
        return _given_up(position, seat, bot)
    return _seated(position, seat, replace(sits, bot=bot))


def _rolled_back(game: Game, position: Position, entry: Entry) -> Position:
    """As it was then. But no card is shuffled as it was before, and clocks start anew.

    Where it was a seat's turn the dealer reshuffles what nobody had seen then: it may have been
    seen since.
    """
    to, added = entry.action.to, entry.action.entropy
    target = position if to == position.version else entry.target
    if target is None:
        raise ValueError("This entry does not know to which position it goes back.")
    taken_back = getattr(game, "taken_back", None)
    if taken_back and target.state.turn not in (None, DEALER):
        target = replace(target, state=taken_back(target.state))
    return replace(
        target,
        shuffles=position.shuffles,
        entropies=position.entropies + (() if added is None else (added,)),
        next=position.next,
        continued=position.continued,
        since=_awaited_since(position, entry),
    )


def _won(position: Position, ended_by: EndedBy) -> Position:
    """Who has not given up has won at once."""
    places = _behind((1,) * len(position.seats), position.resigned)
    return replace(position, status="finished", ended_by=ended_by, places=places)


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
    state, source = position.state, shuffle_of(position, secret, position.shuffles)
    secret, number = bytes.fromhex(source.secret), source.number
    entropies = [entropy.encode() for entropy in source.entropies]
    deal = deal_number(game, state, state.deal + 1)
    if deal is not None:
        secret, entropies, number = shuffle.public_secret(deal), [], 0
    cards = shuffle.shuffle(secret, entropies, number, game.to_shuffle(state))
    by_lot = shuffle.lot(secret, entropies, number, len(position.seats))
    return Entry(DEALER, game.dealer_action(state, cards, by_lot))


def repeats(position: Position) -> bool:
    """Whether what is dealt next is copied from the match that this one goes on from."""
    return position.continued is not None and position.shuffles < len(position.continued.shuffles)


def shuffle_of(position: Position, secret: bytes, number: int) -> Shuffle:
    """What the numbered shuffle of a match with that secret follows from.

    The first of a match that goes on from another are the other's.
    """
    copied = position.continued.shuffles if position.continued else ()
    if number < len(copied):
        return copied[number]
    return Shuffle(secret.hex(), position.entropies, number)


def deal_number(game: Game, state: Any, deal: int) -> int | None:
    """The public number of a match's deal (counted from 1), where the game deals by number."""
    numbered = getattr(game, "deal_number", None)
    return numbered(state, deal) if numbered else None


def follow(
    game: Game, options: Any, position: Position, entries: Iterable[Entry], secret: bytes
) -> Iterator[tuple[Entry, Position]]:
    """The entries with the position after each, then the dealer's entries that they call for.

    The dealer takes no time: his have the time of the last before them.
    """
    at = None
    for entry in entries:
        position, at = fold(game, options, position, entry), entry.at
        yield entry, position
    while position.turn == DEALER:
        entry = replace(dealers_entry(game, position, secret), at=at)
        position = fold(game, options, position, entry)
        yield entry, position


def untimely(before: Position, entry: Entry) -> str | None:
    """What is wrong with when an entry comes, in words."""
    action, at = entry.action, entry.at
    if isinstance(action, Continued) and (before.status != "playing" or before.shuffles):
        return "a match can go on from another only before its first card"
    if isinstance(action, RolledBack) and not _can_go_back(before, entry):
        return "a match goes back only to a version at which it was played"
    if isinstance(action, Voided) and before.status != "finished":
        return "only a finished match can be voided"
    if at is None:
        return None
    if isinstance(action, TimedOut | BotSeated):
        from_then = before.ends_at if action.by is None else before.claims_at
        fit = action.seat == before.turn and action.by in (None, *before.claimants)
        if not fit or from_then is None or at < from_then:
            return f"the time of seat {action.seat} was not up"
    elif entry.seat >= 0 and before.deadline and at >= before.deadline:
        return f"seat {entry.seat} was too late"
    return None


def _can_go_back(before: Position, entry: Entry) -> bool:
    target = entry.target
    return target is not None and target.status == "playing" and target.version <= before.version


def view(game: Game, position: Position, seat: int | None) -> Any:
    """The game's view for a reader, in a seat or a spectator (None).

    Nothing is legal once the match has ended, and for who has given it up while a bot plays on.
    """
    if position.state is None:
        return None
    seen = game.view(position.state, seat)
    plays = position.status == "playing" and seat not in position.resigned
    return seen if plays else replace(seen, legal=())


def last(position: Position, seen: Any) -> Any:
    """The entry before a position, as the reader of `seen` (his view of it) saw it."""
    if position.table is None:
        return seen and seen.last
    if isinstance(position.table, Continued):
        return Entry(TABLE, replace(position.table, shuffles=()))
    if isinstance(position.table, RolledBack):
        return Entry(TABLE, RolledBack(position.table.to))
    return Entry(TABLE, position.table)


def plain(value: Any) -> Any:
    """An action, a position or a result as JSON data, to be stored or sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


def read_entry(game: Game, seat: int, action: Any, at: Time | None = None) -> Entry:
    """An entry from its stored JSON data."""
    kind = {TABLE: TableAction, DEALER: game.DealerAction}.get(seat, game.Action)
    return Entry(seat, msgspec.convert(action, kind), at)


def read_time(text: str) -> Time:
    """A time from its text in an export."""
    return msgspec.convert(text, Time)


def read_position(game: Game, data: Any) -> Position:
    """A position from its stored JSON data."""
    position = msgspec.convert(data, Position)
    if position.state is None:
        return position
    return replace(position, state=msgspec.convert(position.state, game.State))
