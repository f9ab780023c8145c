"""The one door by which moves get into a match, and the writing of the log."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Value, When
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from games.engine import log
from games.engine.game import MatchOver, NotYourTurn, RuleError, check, parse
from games.models import Match, Move, Seat
from games.models.matches import digest
from games.services.deals import write_deals
from games.services.errors import (
    MatchNotFound,
    MatchNotStarted,
    NotSeated,
    Refused,
    StaleVersion,
    TimeIsUp,
)
from games.services.notices import write_notices
from games.services.records import record_end
from games.services.tallies import write_tallies
from games.wake import wake
from ginservice import metrics
from ginservice.statements import made
from players.models import Player

BOT_TURN = timedelta(seconds=settings.BOT_TURN_SECONDS)
WRITTEN = [
    "position",
    "version",
    "status",
    "ended_by",
    "turn",
    "bot_to_move",
    "queued_at",
    "deadline",
    "ends_at",
    "attempts",
    "started_at",
    "finished_at",
]


@transaction.atomic
def play_move(match_id: UUID, by: Player | None, version: int, action: object) -> Match:
    """Play an action (plain JSON data) for a player, or for the bot whose turn it is (None).

    Raises MatchNotFound, NotSeated, StaleVersion, MatchNotStarted, TimeIsUp, and of the rules
    MalformedAction, MatchOver, NotYourTurn, IllegalAction.
    """
    match = locked(match_id)
    now = timezone.now()
    position = match.folded()
    seat, parsed = judged(match, position, by, version, action, now)
    write(match, position, log.Entry(seat, parsed), now=now)
    return match


class Trial(Struct, frozen=True):
    """A legal action in its one spelling, in words, and what its player can know of it."""

    action: Any
    words: str
    foresight: Any


def try_move(match_id: UUID, by: Player, version: int, action: object) -> Trial:
    """What play_move would do, as far as the player can know. Raises the same; writes nothing."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise MatchNotFound
    position = match.folded()
    _, parsed = judged(match, position, by, version, action, timezone.now())
    foresight = match.rules.foresee(position.state, parsed)
    return Trial(parsed, match.rules.words(parsed, None), foresight)


def judged(
    match: Match,
    position: log.Position,
    by: Player | None,
    version: int,
    action: object,
    now: datetime,
) -> tuple[int, Any]:
    """The seat and the action, found legal.

    Raises like play_move, each time with the version and with what is `legal` in the mover's view.
    """
    seat = position.turn if by is None else seated(match, position, by)
    try:
        return fit(match, position, seat, by, version, action, now)
    except (Refused, RuleError) as error:
        seen = log.view(match.rules, position, seat)
        error.extra |= {"version": position.version, "legal": seen.legal if seen else ()}
        raise


def fit(
    match: Match,
    position: log.Position,
    seat: int | None,
    by: Player | None,
    version: int,
    action: object,
    now: datetime,
) -> tuple[int, Any]:
    if version != position.version:
        raise StaleVersion(version, position.version)
    if position.status == "open":
        raise MatchNotStarted("The match has not started; it waits for players.")
    if position.status != "playing":
        raise MatchOver("The match is over.")
    if by is not None and seat in position.resigned:
        raise NotYourTurn("You have resigned or let your time pass; a bot plays on for you.")
    if seat is None or (by is None and position.bot_to_move is None):
        raise NotYourTurn("It is no bot's turn.")
    if seat == position.turn and position.deadline and now >= position.deadline:
        raise TimeIsUp(position.deadline, version)
    parsed = parse(match.rules, action)
    check(match.rules, position.state, seat, parsed)
    return seat, parsed


def locked(match_id: UUID) -> Match:
    """The match, its row locked until the transaction ends. Raises MatchNotFound."""
    for match in Match.objects.raw(locking(), [match_id]):
        return match
    raise MatchNotFound


@cache
def locking() -> str:
    known = Match.objects.with_names().with_hooked()
    return made(known.select_for_update(of=("self",)).filter(pk=UUID(int=0)))


def seat_of(position: log.Position, player: Player) -> int | None:
    """The number of the seat in which the player sits."""
    sitting = (n for n, seat in enumerate(position.seats) if seat.player == str(player.pk))
    return next(sitting, None)


def seated(match: Match, position: log.Position, player: Player) -> int:
    """The player's seat. Raises NotSeated, or MatchNotFound where he may not even look."""
    seat = seat_of(position, player)
    if seat is None:
        raise NotSeated if may_see(match, position, player) else MatchNotFound
    return seat


def may_see(match: Match, position: log.Position, player: Player | None, key: str = "") -> bool:
    """The rule of MatchQuerySet.visible_to, for a match at hand."""
    if match.visibility == "public" or (key != "" and match.key_digest == digest(key)):
        return True
    return player is not None and (
        match.created_by_id == player.pk
        or any(str(player.pk) in (seat.player, seat.invited) for seat in position.seats)
    )


def write(
    match: Match, before: log.Position, *entries: log.Entry, now: datetime | None = None
) -> None:
    """Append entries, and the dealer's that follow, to the log; bring every cache up to date.

    `now`: the time by which they were judged, where that matters.
    """
    now = now or timezone.now()
    positions = [before, *append(match, before, entries, now)]
    for earlier, later in pairwise(positions):
        write_deals(match, earlier, later, now)
    after = positions[-1]
    write_seats(match, before, after)
    write_scores(match, before, after)
    write_match(match, after, now)
    if (before.status == "finished") != (after.status == "finished"):
        write_tallies(match, after, now)
    if before.status == "playing" and after.status == "finished":
        record_end(match, after, now)
    write_notices(match, before, after)
    if entries and entries[0].seat >= 0:  # not what the table or its dealer does
        by = "bot" if before.bot_to_move else "player"
        transaction.on_commit(metrics.MOVES.labels(match.game, by).inc, robust=True)
    wake(match)


def append(
    match: Match, before: log.Position, entries: Sequence[log.Entry], now: datetime
) -> list[log.Position]:
    """Append entries, and the dealer's that follow, to the log. Returns the position after each."""
    timed = [replace(entry, at=now) for entry in entries]
    steps = list(log.follow(match.rules, match.chosen, before, timed, bytes(match.secret)))
    Move.objects.bulk_create(
        Move(
            match=match,
            version=position.version,
            seat=entry.seat,
            action=log.plain(entry.action),
            created_at=now,
        )
        for entry, position in steps
    )
    return [position for _, position in steps]


def write_seats(match: Match, before: log.Position, after: log.Position) -> None:
    """Who sits where, for each seat in which that has changed."""
    for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old != new:
            Seat.objects.filter(match=match, number=number).update(
                player_id=new.player, bot=new.bot or "", invited_id=new.invited
            )


def write_scores(match: Match, before: log.Position, after: log.Position) -> None:
    """Each seat's score and place, where they have changed."""
    if standings(before) == standings(after):
        return
    scores, places = zip(*standings(after), strict=True)
    Seat.objects.filter(match=match).update(
        score=by_seat(scores), place=by_seat(places) if after.places else None
    )


def by_seat(values: Sequence[int]) -> Case:
    """The value of each seat, in one statement for all."""
    return Case(*(When(number=number, then=Value(value)) for number, value in enumerate(values)))


def standings(position: log.Position) -> list[tuple[int, int | None]]:
    """By seat, its score and, once the match has ended, its place."""
    count = len(position.seats)
    scores = position.state.scores if position.state is not None else (0,) * count
    return list(zip(scores, position.places or (None,) * count, strict=True))


def write_match(match: Match, position: log.Position, now: datetime) -> None:
    """The match's own row: one statement."""
    match.position = log.plain(position)
    match.version = position.version
    match.status = position.status
    match.ended_by = position.ended_by or ""
    match.turn = position.turn
    match.bot_to_move = position.bot_to_move is not None
    match.queued_at = now if match.bot_to_move else None
    match.deadline = now + BOT_TURN if match.bot_to_move else position.deadline
    match.ends_at = position.ends_at
    match.attempts = 0
    if match.started_at is None and position.status == "playing":
        match.started_at = now
    if match.finished_at is None and position.over:
        match.finished_at = now
    match.save(update_fields=WRITTEN)
