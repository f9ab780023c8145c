"""The boards: pages that neither skip nor repeat a player while results come in. Reads only.

A page is read as of a version of its board, and the pages that follow it as of the same.
"""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet
from msgspec import Struct

from games.models import Board, Rating, Standing
from games.services.records import KEPT, first_day
from players.models import Player

ORDER = ("-value", "matches", "reached_at", "player")


class Line(Struct, frozen=True):
    """What orders a board: higher value, fewer matches, reached earlier; then by player."""

    value: int
    matches: int
    reached_at: datetime
    player: UUID


class Cursor(Struct, frozen=True, array_like=True):
    """A page: the lines that follow (or precede) a line, as of a version, from a rank on."""

    version: int
    made_at: datetime
    rank: int
    line: Line
    back: bool = False


class Page(Struct, frozen=True):
    """Lines in order, the rank of the first, and the pages beside it."""

    lines: Sequence[Standing]
    rank: int
    next: str | None
    previous: str | None


class BadCursor(ValueError):
    """A cursor that was not made here, or that is too old to be followed."""


def board_of(game: str, period: str, day: date) -> Board:
    """The board of the period in which the day lies; an unsaved one if nobody stands on it."""
    place = {"game": game, "period": period, "starts": first_day(period, day)}
    return Board.objects.filter(**place).first() or Board(**place)


def resets_at(board: Board) -> datetime | None:
    """When the board's successor begins: midnight UTC. None for all time."""
    days = {"day": 1, "week": 7}.get(board.period)
    start = datetime.combine(board.starts, datetime.min.time(), UTC)
    return start + timedelta(days=days) if days else None


def first_page(board: Board, limit: int, now: datetime) -> Page:
    lines = list(as_of(board, board.version)[: limit + 1])
    return paged(board.version, lines, 1, limit, now)


def page_at(board: Board, text: str, limit: int, now: datetime) -> Page:
    """The page of a cursor. Raises BadCursor."""
    cursor = read_cursor(text)
    if not timedelta(0) <= now - cursor.made_at < KEPT or cursor.version > board.version:
        raise BadCursor("This page is too old to be followed by another; begin again.")
    lines = as_of(board, cursor.version)
    if cursor.back:
        count = min(limit, cursor.rank - 1)
        found = list(lines.filter(ahead(cursor.line)).reverse()[:count])[::-1]
        return paged(cursor.version, found, cursor.rank - len(found), limit, now, after=True)
    found = list(lines.filter(behind(cursor.line))[: limit + 1])
    return paged(cursor.version, found, cursor.rank, limit, now)


def page_around(board: Board, player: Player, limit: int, now: datetime) -> Page:
    """A page with the player in its middle; the first page if he does not stand on the board."""
    lines = as_of(board, board.version)
    own = lines.filter(player=player).first()
    if own is None:
        return first_page(board, limit, now)
    better = list(lines.filter(ahead(line_of(own))).reverse()[: limit // 2])[::-1]
    worse = list(lines.filter(behind(line_of(own)))[: limit - len(better)])
    rank = rank_of(board, line_of(own)) - len(better)
    return paged(board.version, [*better, own, *worse], rank, limit, now)


def rank_of(board: Board, line: Line) -> int:
    """1 for the first line."""
    return as_of(board, board.version).filter(ahead(line)).count() + 1


def as_of(board: Board, version: int) -> QuerySet[Standing]:
    """The board's lines at a version, in order."""
    if board.pk is None:
        return Standing.objects.none()
    alive = Q(until=None) | Q(until__gt=version)
    lines = Standing.objects.filter(alive, board=board, since__lte=version)
    return lines.select_related("player").order_by(*ORDER)


def paged(
    version: int,
    lines: list[Standing],
    rank: int,
    limit: int,
    now: datetime,
    after: bool = False,
) -> Page:
    """A page of at most `limit` lines; one more, or `after`, says that there is a next page."""
    shown = lines[:limit]
    more = after or len(lines) > limit
    following = preceding = None
    if shown and more:
        following = Cursor(version, now, rank + len(shown), line_of(shown[-1]))
    if shown and rank > 1:
        preceding = Cursor(version, now, rank, line_of(shown[0]), back=True)
    return Page(shown, rank, written(following), written(preceding))


def line_of(standing: Standing) -> Line:
    return Line(standing.value, standing.matches, standing.reached_at, standing.player_id)


def ahead(line: Line) -> Q:
    """The lines before one."""
    return Q(value__gt=line.value) | Q(value=line.value) & (
        Q(matches__lt=line.matches)
        | Q(matches=line.matches, reached_at__lt=line.reached_at)
        | Q(matches=line.matches, reached_at=line.reached_at, player__lt=line.player)
    )


def behind(line: Line) -> Q:
    """The lines after one."""
    return Q(value__lt=line.value) | Q(value=line.value) & (
        Q(matches__gt=line.matches)
        | Q(matches=line.matches, reached_at__gt=line.reached_at)
        | Q(matches=line.matches, reached_at=line.reached_at, player__gt=line.player)
    )


def written(cursor: Cursor | None) -> str | None:
    if cursor is None:
        return None
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """Raises BadCursor."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=Cursor)
    except (msgspec.MsgspecError, binascii.Error, ValueError):
        raise BadCursor("This cursor was not made here.") from None


def ratings_of(game: str, lines: Sequence[Standing]) -> dict[UUID, Rating]:
    """The ratings of the players on a page, by player."""
    players = [line.player_id for line in lines]
    return {r.player_id: r for r in Rating.objects.filter(game=game, player__in=players)}
