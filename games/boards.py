"""The boards: pages that neither skip nor repeat a player while results come in. Reads only.

A page is read as of a version of its board, and the pages that follow it as of the same.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import msgspec
from django.core import signing
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
    """A page: the lines that follow (or precede) a line of a board as of a version, from a rank on.

    `made_at` is when the first page was read.
    """

    board: int
    version: int
    made_at: datetime
    rank: int
    line: Line
    back: bool = False


class Page(Struct, frozen=True):
    """Lines of a board in order, the rank of the first, and the pages beside it."""

    board: Board
    lines: Sequence[Standing]
    rank: int
    next: str | None
    previous: str | None


class BadCursor(ValueError):
    """A cursor that was not made here, that is another board's, or too old to be followed."""


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
    return paged(board, board.version, now, lines, 1, limit)


def page_at(game: str, period: str, text: str, limit: int, now: datetime) -> Page:
    """The page of a cursor, of the day or week of its first page. Raises BadCursor."""
    cursor = read_cursor(text)
    board = Board.objects.filter(pk=cursor.board, game=game, period=period).first()
    if board is None:
        raise BadCursor("This cursor is another board's.")
    if abs(now - cursor.made_at) >= KEPT:
        raise BadCursor("The first page is too old to be followed by others; begin again.")
    lines = as_of(board, cursor.version)
    if cursor.back:
        count = min(limit, cursor.rank - 1)
        found = list(lines.filter(ahead(cursor.line)).reverse()[:count])[::-1]
        first = cursor.rank - len(found)
        return paged(board, cursor.version, cursor.made_at, found, first, limit, after=True)
    found = list(lines.filter(behind(cursor.line))[: limit + 1])
    return paged(board, cursor.version, cursor.made_at, found, cursor.rank, limit)


def page_around(board: Board, player: Player, limit: int, now: datetime) -> Page:
    """A page with the player in its middle; the first page if he does not stand on the board."""
    lines = as_of(board, board.version)
    own = lines.filter(player=player).first()
    if own is None:
        return first_page(board, limit, now)
    better = list(lines.filter(ahead(line_of(own))).reverse()[: limit // 2])[::-1]
    worse = list(lines.filter(behind(line_of(own)))[: limit - len(better)])
    rank = rank_of(board, line_of(own)) - len(better)
    return paged(board, board.version, now, [*better, own, *worse], rank, limit)


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
    board: Board,
    version: int,
    made_at: datetime,
    lines: list[Standing],
    rank: int,
    limit: int,
    after: bool = False,
) -> Page:
    """A page of at most `limit` lines; one more, or `after`, says that there is a next page."""
    shown = lines[:limit]
    following = preceding = None
    if shown and (after or len(lines) > limit):
        last = line_of(shown[-1])
        following = written(Cursor(board.pk, version, made_at, rank + len(shown), last))
    if shown and rank > 1:
        first = line_of(shown[0])
        preceding = written(Cursor(board.pk, version, made_at, rank, first, back=True))
    return Page(board, shown, rank, following, preceding)


def line_of(standing: Standing) -> Line:
    return Line(standing.value, standing.matches, standing.reached_at, standing.player_id)


def ahead(line: Line) -> Q:
    """The lines before one."""
    return Q(value__gte=line.value) & (
        Q(value__gt=line.value)
        | Q(matches__lt=line.matches)
        | Q(matches=line.matches, reached_at__lt=line.reached_at)
        | Q(matches=line.matches, reached_at=line.reached_at, player__lt=line.player)
    )


def behind(line: Line) -> Q:
    """The lines after one."""
    return Q(value__lte=line.value) & (
        Q(value__lt=line.value)
        | Q(matches__gt=line.matches)
        | Q(matches=line.matches, reached_at__gt=line.reached_at)
        | Q(matches=line.matches, reached_at=line.reached_at, player__gt=line.player)
    )


def written(cursor: Cursor) -> str:
    """Signed, so that nobody can ask for what no page has."""
    return signing.Signer(salt=__name__).sign_object(msgspec.to_builtins(cursor))


def read_cursor(text: str) -> Cursor:
    """Raises BadCursor."""
    try:
        return msgspec.convert(signing.Signer(salt=__name__).unsign_object(text), Cursor)
    except (signing.BadSignature, msgspec.ValidationError):
        raise BadCursor("This cursor was not made here.") from None


def ratings_of(game: str, lines: Sequence[Standing]) -> dict[UUID, Rating]:
    """The ratings of the players on a page, by player."""
    players = [line.player_id for line in lines]
    return {r.player_id: r for r in Rating.objects.filter(game=game, player__in=players)}
