"""How a match comes to be: created, joined, started, and played again."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from games.bots import LEVELS
from games.engine import GAMES, log
from games.models import Match, Seat
from games.services.errors import (
    AlreadySeated,
    Malformed,
    MatchNotFound,
    MatchNotOver,
    MatchStarted,
    NotYourSeat,
    SeatsOpen,
    SeatTaken,
)
from games.services.moves import locked, may_see, seat_of, seated, write
from players.models import Player
from players.services import NAME


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat wished for: a bot of a level, or a player invited by name."""

    bot: str | None = None
    invite: str | None = None


def create_match(
    creator: Player,
    game: str,
    options: dict[str, Any],
    wishes: Sequence[str | Wish],
    visibility: str = "public",
    starts: str = "full",
) -> Match:
    """A match of seats "me", "open" or a Wish. It starts when full, or when told if `later`.

    `options` are JSON data: a `preset`, and what differs from it. Raises Malformed with a
    pointer to the field that is wrong.
    """
    rules = GAMES.get(game)
    if rules is None:
        raise Malformed(f"There is no game {game!r}; there are {', '.join(GAMES)}.", "/game")
    if len(wishes) not in rules.SEATS:
        raise Malformed(
            f"{rules.TITLE} has {_seat_numbers(rules.SEATS)} seats, not {len(wishes)}.", "/seats"
        )
    chosen = read_options(game, options)
    sitting: set[str] = set()
    entries = [
        entry
        for number, wish in enumerate(wishes)
        for entry in _taken(game, number, wish, creator, sitting)
    ]
    match = Match.opened(
        game,
        chosen,
        len(wishes),
        created_by=creator,
        visibility=visibility,
        starts=starts,
    )
    return open_table(match, entries)


def _seat_numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def read_options(game: str, data: dict[str, Any]) -> Any:
    """The game's options of a preset (default: the game's defaults) and changes to it."""
    rules = GAMES[game]
    changes = dict(data)
    preset = changes.pop("preset", next(iter(rules.PRESETS)))
    if not isinstance(preset, str) or preset not in rules.PRESETS:
        raise Malformed(
            f"There is no preset {preset!r}; there are {', '.join(rules.PRESETS)}.",
            "/options/preset",
        )
    whole = msgspec.structs.asdict(rules.PRESETS[preset])
    if unknown := sorted(changes.keys() - whole.keys()):
        place = unknown[0].replace("~", "~0").replace("/", "~1")
        raise Malformed(f"{rules.TITLE} has no option {unknown[0]!r}.", f"/options/{place}")
    try:
        return msgspec.convert(whole | changes, rules.Options)
    except msgspec.ValidationError as error:
        words, _, path = str(error).partition(" - at `$")
        raise Malformed(f"{words}.", "/options" + path.rstrip("`").replace(".", "/")) from None


def _taken(
    game: str, number: int, wish: str | Wish, creator: Player, sitting: set[str]
) -> Iterable[log.Entry]:
    """The entry that fills or keeps a seat; none for an open one. `sitting`: ids of players."""
    pointer = f"/seats/{number}"
    if wish == "open":
        return
    if wish == "me":
        yield log.Entry(log.TABLE, log.Joined(number, player=_once(creator, sitting, pointer)))
        return
    if isinstance(wish, str) or (wish.bot is None) == (wish.invite is None):
        raise Malformed('A seat is "me", "open", {"bot": level} or {"invite": name}.', pointer)
    if wish.bot is not None:
        if wish.bot not in LEVELS[game]:
            levels = ", ".join(LEVELS[game])
            raise Malformed(f"There is no bot {wish.bot!r}; there are {levels}.", f"{pointer}/bot")
        yield log.Entry(log.TABLE, log.Joined(number, bot=wish.bot))
        return
    assert wish.invite is not None
    invited = players_named(wish.invite).filter(is_active=True).first()
    if invited is None:
        raise Malformed(f"There is no player {wish.invite!r}.", f"{pointer}/invite")
    yield log.Entry(log.TABLE, log.Invited(number, player=_once(invited, sitting, pointer)))


def players_named(name: str) -> QuerySet[Player]:
    """The player of that name; nobody for a text that can be no name."""
    return Player.objects.named(name) if NAME.fullmatch(name) else Player.objects.none()


def _once(player: Player, sitting: set[str], pointer: str) -> str:
    """The player's id, now among those who sit. Raises Malformed if it was there before."""
    key = str(player.pk)
    if key in sitting:
        raise Malformed("Nobody sits twice at a table.", pointer)
    sitting.add(key)
    return key


@transaction.atomic
def open_table(match: Match, entries: Sequence[log.Entry]) -> Match:
    """Store a new match and its first entries; it starts if that fills it."""
    match.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(match=match, number=number) for number in range(len(match.position["seats"]))
    )
    _seat(match, match.folded(), entries)
    return locked(match.id)


def _seat(match: Match, before: log.Position, entries: Sequence[log.Entry]) -> None:
    """Write entries that fill seats, to the log and to the seats' rows; start when full."""
    for entry in entries:
        match entry.action:
            case log.Joined(number, player, bot):
                who = {"player_id": player, "bot": bot or "", "invited_id": None}
            case log.Invited(number, player):
                who = {"invited_id": player}
        Seat.objects.filter(match=match, number=number).update(**who)
    start = [log.Entry(log.TABLE, log.Started())] if fills(match, before, entries) else []
    write(match, before, *entries, *start)


def fills(match: Match, before: log.Position, entries: Sequence[log.Entry]) -> bool:
    """Whether the match is to start by itself once these entries have filled its seats."""
    joined = {e.action.seat for e in entries if isinstance(e.action, log.Joined)}
    waiting = set(open_seats(before)) - joined
    return match.starts == "full" and not waiting


def open_seats(position: log.Position) -> list[int]:
    """The seats in which nobody sits yet, kept for a player or not."""
    return [n for n, seat in enumerate(position.seats) if seat.player is None and seat.bot is None]


@transaction.atomic
def join(match_id: UUID, player: Player, number: int | None = None) -> Match:
    """Take the seat kept for the player, or else the numbered or the first open one.

    Raises MatchNotFound, AlreadySeated, SeatTaken, NotYourSeat.
    """
    match = locked(match_id)
    position = match.folded()
    if not may_see(match, position, player):
        raise MatchNotFound
    if seat_of(position, player) is not None:
        raise AlreadySeated("You already sit at this match.")
    seat = _free_seat(position, str(player.pk), number)
    _seat(match, position, [log.Entry(log.TABLE, log.Joined(seat, player=str(player.pk)))])
    return locked(match_id)


def _free_seat(position: log.Position, player: str, number: int | None) -> int:
    free = open_seats(position) if position.status == "open" else []
    kept = [n for n in free if position.seats[n].invited == player]
    unkept = [n for n in free if position.seats[n].invited is None]
    if number is None:
        if kept or unkept:
            return (kept or unkept)[0]
        raise SeatTaken("Every seat of this match is taken or kept for another player.")
    if number not in range(len(position.seats)):
        raise Malformed(f"Seats are 0 to {len(position.seats) - 1}.", "/seat")
    if number not in free:
        raise SeatTaken(f"Seat {number} is taken.")
    if kept and number not in kept:
        raise NotYourSeat(f"Seat {kept[0]} is kept for you; take that one.")
    if number not in kept + unkept:
        raise NotYourSeat(f"Seat {number} is kept for another player.")
    return number


@transaction.atomic
def start(match_id: UUID, player: Player) -> Match:
    """Start a match that was to wait for it. Only its creator may, once every seat is taken.

    Raises MatchNotFound, NotYourSeat, MatchStarted, SeatsOpen.
    """
    match = locked(match_id)
    position = match.folded()
    if not may_see(match, position, player):
        raise MatchNotFound
    if match.created_by_id != player.pk:
        raise NotYourSeat("Only the player who made the match can start it.")
    if position.status != "open":
        raise MatchStarted("The match has started already.")
    if waiting := open_seats(position):
        seats = ", ".join(map(str, waiting))
        raise SeatsOpen(f"Nobody sits yet in seat {seats}; the match can start when all are taken.")
    write(match, position, log.Entry(log.TABLE, log.Started()))
    return locked(match_id)  # with the name of who joined while this waited for the lock


@transaction.atomic
def rematch(match_id: UUID, player: Player) -> tuple[Match, bool]:
    """The one next match of the same people and bots, and whether this call made it.

    Whoever asks sits down in it; the others' seats are kept for them. Raises MatchNotFound,
    NotSeated, MatchNotOver.
    """
    match = locked(match_id)
    position = match.folded()
    seat = seated(match, position, player)
    if position.status in ("open", "playing"):
        raise MatchNotOver("The match is not over; a rematch comes after it.")
    if position.next is None:
        following = _next_match(match, position, seat, player)
        write(match, position, log.Entry(log.TABLE, log.Rematched(str(following.id))))
        return following, True
    following = locked(UUID(position.next))
    if seat_of(following.folded(), player) is None:
        following = join(following.id, player)
    return following, False


def _next_match(match: Match, position: log.Position, seat: int, player: Player) -> Match:
    following = Match.opened(
        match.game,
        match.chosen,
        len(position.seats),
        created_by=player,
        visibility=match.visibility,
    )
    return open_table(
        following, [_again(n, who, n == seat) for n, who in enumerate(position.seats)]
    )


def _again(number: int, seat: log.Seat, asks: bool) -> log.Entry:
    """The seat's entry in the next match."""
    if seat.player is not None and not asks:
        return log.Entry(log.TABLE, log.Invited(number, player=seat.player))
    return log.Entry(log.TABLE, log.Joined(number, player=seat.player, bot=seat.bot))
