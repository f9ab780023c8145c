"""What operators do to a match, each with a reason that is kept: nobody needs SQL.

Each is one transaction, looks at the match again once its row is locked, and refuses what does not
fit any more, so that a second click does no harm.
"""

import secrets
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from games import replays
from games.bots import LEVELS
from games.engine import log
from games.models import Analysis, Board, Match, Rating, RatingChange, Seat, Standing
from games.services.caches import fold_again
from games.services.errors import Malformed, StaleVersion
from games.services.moves import append, locked, write
from games.services.notices import write_notices
from games.services.records import MODEL, rank, sure, utc_day
from games.services.tables import begin, open_seats, sit_down
from games.services.takebacks import take_back
from games.services.wishes import joined
from games.wake import queue_bot_turn, queue_of, wake
from players.models import Player
from players.services import intervene

DAMAGED = "The cached position is damaged: fold the match again first."


def note(match_id: UUID, by: Player, what: str, reason: str, **detail: Any) -> None:
    intervene(by, what, "match", str(match_id), reason, **detail)


def at_version(match_id: UUID, version: int) -> tuple[Match, log.Position]:
    """The match, locked, and its position. Raises MatchNotFound, StaleVersion, Malformed."""
    match = locked(match_id)
    if match.version != version:
        raise StaleVersion(version, match.version)
    try:
        return match, match.folded()
    except Exception as error:  # whatever is wrong with it
        raise Malformed(DAMAGED) from error


def not_his(match_id: UUID, by: Player) -> None:
    """Raises Malformed where the operator plays in the match himself."""
    if Seat.objects.filter(match=match_id, player=by).exists():
        raise Malformed("You sit at this table; ask another operator.")


@transaction.atomic
def requeue(match_id: UUID, by: Player, reason: str) -> None:
    """Queue the bot's turn once more, as if it had never been tried. Raises Malformed."""
    match = locked(match_id)
    if not match.bot_to_move:
        raise Malformed("It is no bot's turn.")
    try:
        queue = queue_of(match)
    except Exception as error:  # no bot could play it either
        raise Malformed(DAMAGED) from error
    note(match_id, by, "requeue", reason, version=match.version, attempts=match.attempts)
    match.queued_at, match.attempts = timezone.now(), 0
    match.save(update_fields=["queued_at", "attempts"])
    version = match.version
    transaction.on_commit(lambda: queue_bot_turn(match_id, version, queue), robust=True)


@transaction.atomic
def seat_bot(match_id: UUID, by: Player, reason: str, version: int, seat: int, level: str) -> None:
    """A bot takes an open seat, or plays on one of a running match.

    A player whom it replaces has given the match up. Raises Malformed, StaleVersion.
    """
    not_his(match_id, by)
    match, position = at_version(match_id, version)
    if level not in LEVELS[match.game]:
        raise Malformed(f"There is no bot {level!r}; there are {', '.join(LEVELS[match.game])}.")
    if seat not in range(len(position.seats)):
        raise Malformed(f"Seats are 1 to {len(position.seats)}, as operators count.")
    if position.over:
        raise Malformed("The match is over.")
    if position.status == "open" and seat not in open_seats(position):
        raise Malformed(f"Seat {seat + 1} is taken; the match has not started.")
    if position.seats[seat].bot == level:
        raise Malformed(f"A bot ({level}) plays seat {seat + 1} already.")
    note(match_id, by, "seat a bot", reason, version=version, seat=seat, bot=level)
    if position.status == "open":
        sit_down(match, position, [joined(seat, bot=level)])
    else:
        write(match, position, log.Entry(log.TABLE, log.Substituted(seat, level)))


@transaction.atomic
def start(match_id: UUID, by: Player, reason: str, version: int) -> None:
    """Start a full table whose maker does not. Raises Malformed, StaleVersion."""
    not_his(match_id, by)
    match, position = at_version(match_id, version)
    if position.status != "open":
        raise Malformed("The match has started.")
    if waiting := open_seats(position):
        seats = ", ".join(str(seat + 1) for seat in waiting)
        raise Malformed(f"Nobody sits yet in seat {seats}.")
    note(match_id, by, "start", reason, version=version)
    begin(match, position)


@transaction.atomic
def end(match_id: UUID, by: Player, reason: str, version: int) -> None:
    """End a match that lives, with nobody placed. Raises Malformed, StaleVersion."""
    not_his(match_id, by)
    match, position = at_version(match_id, version)
    if position.over:
        raise Malformed("The match is over.")
    note(match_id, by, "end", reason, version=version)
    write(match, position, log.Entry(log.TABLE, log.Aborted("operator")))


@transaction.atomic
def void(match_id: UUID, by: Player, reason: str, version: int) -> None:
    """A finished match counts for nothing any more: what it gave goes back.

    Raises Malformed, StaleVersion.
    """
    not_his(match_id, by)
    match, position = at_version(match_id, version)
    if position.status != "finished":
        raise Malformed("Only a finished match can be voided; end one that lives.")
    now = timezone.now()
    write(match, position, log.Entry(log.TABLE, log.Voided()), now=now)
    taken = take_back(match, position, now)
    note(match_id, by, "void", reason, version=version, **taken)


@transaction.atomic
def roll_back(match_id: UUID, by: Player, reason: str, version: int, to: int) -> None:
    """Take the match back to how it was at version `to`; what came after it stays in the log.

    Who sat there then sits there again. What a finished match gave goes back. Raises Malformed,
    StaleVersion.
    """
    not_his(match_id, by)
    match, position = at_version(match_id, version)
    if not 1 <= to < version:
        raise Malformed(f"The match can go back to the versions 1 to {version - 1}.")
    target = replays.position_at(match, to)
    if target.status != "playing":
        raise Malformed(f"At version {to} the match was {target.status}; go back to a move of it.")
    now = timezone.now()
    taken, entropy = {}, None
    if position.status == "finished":
        taken = take_back(match, position, now)
    if position.over:  # its secret has been shown, so more must go into the shuffles to come
        entropy = secrets.token_hex(32)
    note(match_id, by, "roll back", reason, version=version, to=to, **taken)
    entry = replace(log.Entry(log.TABLE, log.RolledBack(to, entropy)), target=target)
    after = append(match, position, [entry], now)[-1]
    Analysis.objects.filter(match=match).delete()  # it is played again, and nobody is told of it
    fold_again(match)
    write_notices(match, position, after)
    wake(match)


@transaction.atomic
def refold(match_id: UUID, by: Player, reason: str) -> None:
    """Write every cache of a match anew from its log, which is the truth.

    Raises Malformed where the log itself cannot be folded.
    """
    match = locked(match_id)
    note(match_id, by, "fold again", reason, version=match.version)
    try:
        with transaction.atomic():
            fold_again(match)
    except Exception as error:
        raise Malformed(
            f"The log itself is damaged ({type(error).__name__}): verify_logs says where."
        ) from error
    wake(match)


@transaction.atomic
def open_up(match_id: UUID, by: Player, reason: str) -> None:
    """Break a live match open, so that the operator may see what no player may.

    Raises Malformed.
    """
    not_his(match_id, by)
    match = locked(match_id)
    if match.over:
        raise Malformed("The match is over and open to all.")
    note(match_id, by, "break open", reason, version=match.version)


@transaction.atomic
def restore_rating(rating_id: int, by: Player, reason: str) -> None:
    """Set a rating to what its changes say: the last of them, and how many there are."""
    rating = Rating.objects.select_for_update().get(pk=rating_id)
    changes = RatingChange.objects.filter(player=rating.player, game=rating.game)
    last, new = changes.order_by("-at", "-pk").first(), MODEL.rating()
    was = {"mu": rating.mu, "sigma": rating.sigma, "matches": rating.matches}
    rating.mu, rating.sigma = (last.mu, last.sigma) if last else (new.mu, new.sigma)
    rating.matches = changes.count()
    rating.save(update_fields=["mu", "sigma", "matches"])
    intervene(by, "restore", "rating", str(rating.pk), reason, was=was)

    def line(board: Board, player: Player, old: Standing | None) -> tuple[int, int] | None:
        return (sure(rating), rating.matches) if old and board.period == "all" else None

    now = timezone.now()
    rank(rating.game, [rating.player], now, utc_day(now), line)
