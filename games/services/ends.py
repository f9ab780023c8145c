"""How a match ends other than by being played out."""

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.bots import LEVELS
from games.engine import log
from games.engine.clock import Take
from games.engine.game import MatchOver
from games.models import Match, Move
from games.services.errors import (
    AlreadyMoved,
    ClaimNotOffered,
    MatchNotStarted,
    NothingToClaim,
    TooEarly,
)
from games.services.moves import locked, seat_of, seated, write
from players.models import Player

logger = structlog.get_logger(__name__)

STAND_IN = "easy"
"""The level of the bot that plays on for who is gone, where the game has it."""

MOST_MATCHES = 100
"""Matches ended in one sweep: the next comes two seconds later."""

RETRY = timedelta(hours=1)
"""When a match that could not be ended is tried again."""


@transaction.atomic
def resign(match_id: UUID, player: Player) -> Match:
    """Give a match up. Raises MatchNotFound, NotSeated, MatchNotStarted, MatchOver."""
    match = locked(match_id)
    position = match.folded()
    seat = playing(match, position, player)
    bot = stand_in(match) if position.left > 2 else None
    write(match, position, log.Entry(log.TABLE, log.Resigned(seat, bot=bot)))
    return match


@transaction.atomic
def claim(match_id: UUID, player: Player, take: Take) -> Match:
    """Take the win, or have a bot play on, when the time of the player to move is up.

    Raises MatchNotFound, NotSeated, MatchNotStarted, MatchOver, NothingToClaim, TooEarly,
    ClaimNotOffered.
    """
    match = locked(match_id)
    now = timezone.now()
    position = match.folded()
    seat = playing(match, position, player)
    late, claims_at, version = position.turn, position.claims_at, position.version
    if late is None or claims_at is None or seat not in position.claimants:
        raise NothingToClaim(
            "It is your own turn." if late == seat else "No player is waited for.", version=version
        )
    if now < claims_at:
        raise TooEarly(late, claims_at, version)
    if take not in position.claims:
        offered = " or ".join(position.claims)
        raise ClaimNotOffered(
            f"In this match only this can be claimed now: {offered}.", version=version
        )
    write(match, position, timed_out(match, late, take, seat), now=now)
    return match


@transaction.atomic
def abort(match_id: UUID, player: Player) -> Match:
    """Call a match off in which no player has moved yet; bots may have.

    Its maker, who sits nowhere, may do so too as long as nobody plays it but bots. Raises
    MatchNotFound, NotSeated, MatchNotStarted, MatchOver, AlreadyMoved.
    """
    match = locked(match_id)
    position = match.folded()
    people = [number for number, who in enumerate(position.seats) if who.player]
    idle = position.status == "open" or (position.status == "playing" and not people)
    alone = match.created_by_id == player.pk and seat_of(position, player) is None
    seat = None if alone and idle else playing(match, position, player)
    moves = Move.objects.filter(match=match, seat__in=people)
    if position.continued is not None:  # what it goes on from was written with its start
        moves = moves.exclude(created_at=F("match__started_at"))
    if moves.exists():
        raise AlreadyMoved("A player has moved already; resign instead.", version=position.version)
    write(match, position, log.Entry(log.TABLE, log.Aborted("called_off", seat)))
    return match


def playing(match: Match, position: log.Position, player: Player) -> int:
    """The seat that the player plays. Raises NotSeated, MatchNotStarted, MatchOver."""
    seat = seated(match, position, player)
    if position.status == "open":
        raise MatchNotStarted(
            "The match has not started; you can leave it: DELETE …/seats/me.",
            version=position.version,
        )
    if position.status != "playing" or seat in position.resigned:
        raise MatchOver("The match is over for you.", version=position.version)
    return seat


def stand_in(match: Match) -> str:
    levels = LEVELS[match.game]
    return STAND_IN if STAND_IN in levels else levels[0]


def timed_out(match: Match, seat: int, take: Take, by: int | None = None) -> log.Entry:
    """What becomes of a seat whose time is up."""
    if take == "win":
        return log.Entry(log.TABLE, log.TimedOut(seat, by))
    return log.Entry(log.TABLE, log.BotSeated(seat, stand_in(match), by))


def end_overdue() -> None:
    """End matches that wait for a player in vain. Part of the sweep.

    Two at once are harmless, for each match is looked at again when locked. Each has a
    transaction of its own, so that a broken one holds up no other.
    """
    now = timezone.now()
    overdue = Match.objects.filter(ends_at__lte=now).order_by("ends_at")
    for match_id in overdue.values_list("pk", flat=True)[:MOST_MATCHES]:
        try:
            end(match_id, now)
        except Exception:
            logger.exception("match_not_ended", match=str(match_id))
            Match.objects.filter(pk=match_id).update(ends_at=now + RETRY)


@transaction.atomic
def end(match_id: UUID, now: datetime) -> None:
    """One match, if its time is still up: lost by who let it pass, or aborted if all did."""
    match = locked(match_id)
    position = match.folded()
    late = position.turn
    if late is None or position.ends_at is None or now < position.ends_at:
        return
    if position.ends_at == position.deadline:
        entry = timed_out(match, late, "bot" if position.left > 2 else "win")
    else:
        entry = log.Entry(log.TABLE, log.Aborted("abandoned"))
    write(match, position, entry, now=now)
