"""How a match comes to be: created, joined, left, started, and played again."""

import secrets
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from games.engine import log
from games.engine.clock import Clock
from games.models import Match, Seat
from games.models.matches import digest
from games.services.errors import (
    AlreadySeated,
    Malformed,
    MatchNotFound,
    MatchNotOver,
    MatchStarted,
    NotSeated,
    NotTheMaker,
    SeatKept,
    SeatsOpen,
    SeatTaken,
    TooManyMatches,
)
from games.services.hints import wished
from games.services.moves import locked, may_see, seat_of, seated, write
from games.services.numbers import comparable, with_another
from games.services.wishes import Wish, counting, joined, read_clock, read_options, read_seats
from players.models import Player

KEY_BYTES = 16


def create_match(
    creator: Player,
    game: str,
    options: dict[str, Any],
    wishes: Sequence[str | Wish],
    visibility: str = "public",
    starts: str = "full",
    rated: bool | None = None,
    entropy: str = "",
    clock: Clock | None = None,
    hints: bool | None = None,
) -> Match:
    """A match of seats "me", "open" or a Wish. It starts when full, or when told if `later`.

    `options` are JSON data: a `preset`, and what differs from it. A private match has a `key`,
    which is told this once: it opens the match to whoever has it. `entropy` is that of the
    creator's seat. `rated` None: it counts if it can. `hints`: may be asked for where it does not
    count. Raises Malformed with a pointer to the field that is wrong.
    """
    entries, chosen = read_seats(game, creator, wishes, entropy), read_options(game, options)
    counts = counting(rated, game, chosen)
    match = Match.opened(
        game,
        chosen,
        len(wishes),
        created_by=creator,
        visibility=visibility,
        starts=starts,
        rated=counts,
        rated_wish=rated is not False,
        hints=wished(hints, counts and not creator.is_guest, chosen),
        clock=clock or read_clock(None),
    )
    return open_table(match, entries)


@transaction.atomic
def open_table(match: Match, entries: Sequence[log.Entry]) -> Match:
    """Store a new match and its first entries; it starts if that fills it.

    A private one is returned with its `key`. Raises TooManyMatches.
    """
    check_room(match.created_by)
    key = secrets.token_urlsafe(KEY_BYTES) if match.visibility == "private" else ""
    match.key_digest = digest(key) if key else ""
    match.save(force_insert=True)
    position = match.folded()
    Seat.objects.bulk_create(Seat(match=match, number=n) for n in range(len(position.seats)))
    sit_down(match, position, entries)
    stored = locked(match.id)
    stored.key = key
    return stored


def check_room(maker: Player) -> None:
    """Raises TooManyMatches where so many that the player has made are not over."""
    most = settings.MATCHES_OF_A_PLAYER
    if not most:
        return
    Player.objects.select_for_update(no_key=True).get(pk=maker.pk)  # one at a time is counted
    if Match.objects.filter(created_by=maker, status__in=log.LIVE).count() >= most:
        raise TooManyMatches(f"{most} matches that you have made are not over; end one of them.")


def sit_down(match: Match, before: log.Position, entries: Sequence[log.Entry]) -> None:
    """Write entries that fill seats; the match starts if it is to start when full."""
    joined = {e.action.seat for e in entries if isinstance(e.action, log.Joined)}
    if match.starts == "full" and not set(open_seats(before)) - joined:
        begin(match, before, *entries)
    else:
        write(match, before, *entries)


def begin(match: Match, before: log.Position, *entries: log.Entry, entropy: str = "") -> None:
    """Write entries that fill the last seats, and start.

    With a guest at it, by options of its own, and in practice, a match counts not.
    """
    write(match, before, *entries, log.Entry(log.TABLE, log.Started(entropy)))
    guests = Seat.objects.filter(match=match, player__is_guest=True)
    if match.rated and (not comparable(match.game, match.chosen) or guests.exists()):
        match.rated = False
        match.save(update_fields=["rated"])


def open_seats(position: log.Position) -> list[int]:
    """The seats in which nobody sits yet, kept for a player or not."""
    return [n for n, seat in enumerate(position.seats) if seat.player is None and seat.bot is None]


@transaction.atomic
def join(
    match_id: UUID, player: Player, number: int | None = None, key: str = "", entropy: str = ""
) -> Match:
    """Take the seat kept for the player, or else the numbered or the first open one.

    His `entropy` goes into every shuffle. Raises MatchNotFound, AlreadySeated, SeatTaken,
    SeatKept.
    """
    match = locked(match_id)
    position = match.folded()
    if not may_see(match, position, player, key):
        raise MatchNotFound
    if seat_of(position, player) is not None:
        raise AlreadySeated("You already sit at this match.")
    seat = _free_seat(position, str(player.pk), number)
    sit_down(match, position, [joined(seat, player=str(player.pk), entropy=entropy)])
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
        raise SeatKept(f"Seat {kept[0]} is kept for you; take that one.")
    if number not in kept + unkept:
        raise SeatKept(f"Seat {number} is kept for another player.")
    return number


@transaction.atomic
def leave(match_id: UUID, player: Player) -> Match:
    """Give up one's seat, or refuse the one kept for one, before the start.

    A table that nobody is left at is closed. Raises MatchNotFound, NotSeated, MatchStarted.
    """
    match = locked(match_id)
    position = match.folded()
    if not may_see(match, position, player):
        raise MatchNotFound
    who = str(player.pk)
    mine = [n for n, seat in enumerate(position.seats) if who in (seat.player, seat.invited)]
    if not mine:
        raise NotSeated
    if position.status != "open":
        raise MatchStarted("The match waits for nobody any more; a running one can be resigned.")
    entries: list[log.Entry] = [log.Entry(log.TABLE, log.Left(mine[0]))]
    others = [seat for n, seat in enumerate(position.seats) if n != mine[0]]
    if not any(seat.player or seat.invited for seat in others):
        entries.append(log.Entry(log.TABLE, log.Aborted("left")))
    write(match, position, *entries)
    return locked(match_id)


@transaction.atomic
def start(match_id: UUID, player: Player, entropy: str = "") -> Match:
    """Start a match that was to wait for it. Only its creator may, once every seat is taken.

    His `entropy` goes into every shuffle beside those of the seats. Raises MatchNotFound,
    NotTheMaker, MatchStarted, SeatsOpen.
    """
    match = locked(match_id)
    position = match.folded()
    if not may_see(match, position, player):
        raise MatchNotFound
    if match.created_by_id != player.pk:
        raise NotTheMaker("Only the player who made the match can start it.")
    if position.status != "open":
        raise MatchStarted("The match has started already.")
    if waiting := open_seats(position):
        seats = ", ".join(map(str, waiting))
        raise SeatsOpen(f"Nobody sits yet in seat {seats}; the match can start when all are taken.")
    begin(match, position, entropy=entropy)
    return locked(match_id)  # with the name of who joined while this waited for the lock


@transaction.atomic
def rematch(match_id: UUID, player: Player) -> tuple[Match, bool]:
    """The one next match of the same people and bots, and whether this call made it.

    Whoever asks sits down in it; the others' seats are kept for them, so that they see it though
    it is private. A private one has a new key, told to who made it. One that was closed before
    its start is followed by another. Raises MatchNotFound, NotSeated, MatchNotOver; SeatTaken where
    he has refused his seat and another sits there; TooManyMatches, and as `with_another`.
    """
    match = locked(match_id)
    position = match.folded()
    seat = seated(match, position, player)
    if not position.over:
        raise MatchNotOver("The match is not over; a rematch comes after it.")
    following = locked(UUID(position.next)) if position.next else None
    if following is None or following.status == "aborted":
        options = with_another(match.game, match.chosen)
        following = next_match(match, position, seat, player, options)
        write(match, position, log.Entry(log.TABLE, log.Rematched(str(following.id))))
        return following, True
    if seat_of(following.folded(), player) is None:
        following = rejoin(following.id, player)
    return following, False


def rejoin(match_id: UUID, player: Player) -> Match:
    """Join the rematch. Raises SeatTaken."""
    try:
        return join(match_id, player)
    except (SeatTaken, MatchNotFound):
        gone = "You have given up your seat in the rematch; none is left for you."
        raise SeatTaken(gone) from None


def next_match(
    match: Match, position: log.Position, seat: int, player: Player, options: Any
) -> Match:
    """A match of the same seats; who asks sits down, the other players' seats are kept."""
    following = Match.opened(
        match.game,
        options,
        len(position.seats),
        created_by=player,
        visibility=match.visibility,
        rated=match.to_rate and comparable(match.game, options),
        rated_wish=match.to_rate,
        hints=match.hints,
        clock=match.timing or read_clock(None),
    )
    return open_table(
        following, [_again(n, who, n == seat) for n, who in enumerate(position.seats)]
    )


def _again(number: int, seat: log.Seat, asks: bool) -> log.Entry:
    """The seat's entry in the next match; a bot that played on for a player is not of it."""
    if seat.player is None:
        return joined(number, bot=seat.bot)
    if asks:
        return joined(number, player=seat.player)
    return log.Entry(log.TABLE, log.Invited(number, player=seat.player))
