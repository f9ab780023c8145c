"""What matches leave behind: leaderboards, posted scores, and what a player has done."""

from datetime import date
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from games import boards
from games.answers import BoardBody, BoardLine, PostedBody, StatsBody
from games.engine import GAMES
from games.models import Board, Score
from games.queries import KEY, number, reader, visible
from games.schemas import ref
from games.services import scores
from games.services.records import PERIODS, shown, utc_day
from games.services.wishes import players_named
from games.stats import stats
from games.views import GameView
from ginservice.idempotency import idempotent
from players.pagination import PAGING, Pages

TOP = 10


class LeaderboardView(GameView):
    @extend_schema(
        operation_id="leaderboard",
        summary="A leaderboard",
        description="The best of the UTC day, of the week from Monday, or of all time. Pages "
        "hold together: while one follows `next`, nobody is skipped or shown twice.",
        parameters=[
            OpenApiParameter("game", location=OpenApiParameter.PATH, enum=list(GAMES)),
            OpenApiParameter("period", enum=sorted(PERIODS), description="Else all time."),
            OpenApiParameter(
                "day", date, description="With `day` or `week`: the one in which it lies, else now."
            ),
            OpenApiParameter("around", enum=["me"], description="The page on which you stand."),
            *PAGING,
        ],
        responses={200: ref("Leaderboard")},
    )
    def get(self, request: Request, game: str) -> Response:
        if game not in GAMES:
            raise Http404
        period = request.query_params.get("period", "all")
        if period not in PERIODS:
            raise ValidationError({"period": f"period is one of {', '.join(sorted(PERIODS))}."})
        return Response(board_body(page_asked(game, period, request), request))


class ScoreView(GameView):
    @extend_schema(
        operation_id="posted_score",
        summary="The posted score",
        description="As it was answered when it was posted, with the rank that it has now; 204 as "
        "long as none is posted.",
        parameters=[KEY],
        responses={200: ref("Posted"), 204: None},
    )
    def get(self, request: Request, id: UUID) -> Response:
        score = visible(id, request).posted.first()
        return Response(status=204) if score is None else Response(posted_body(score))

    @extend_schema(
        operation_id="post_score",
        summary="Post the score",
        description="Of a match that is over and played for points, once, and before you begin "
        "another. The answer has the rank of the day, and its top ten if you are among them.",
        request=None,
        responses={201: ref("Posted")},
        extensions={
            "x-problems": [
                "not-seated",
                "match-not-over",
                "not-postable",
                "posted-already",
                "posting-closed",
            ]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        body = posted_body(scores.post_score(id, request.user))
        return Response(body, 201, headers={"Location": reverse("score", args=[id])})


class StatsView(GameView):
    @extend_schema(
        operation_id="stats",
        summary="What a player has done",
        description="Matches, deals and what happened in them, by game and by opponent. Of a "
        "private match only who played it is told the opponents.",
        responses={200: ref("Stats")},
    )
    def get(self, request: Request, name: str) -> Response:
        player = players_named(name).first()
        if player is None:
            raise Http404
        return Response(StatsBody(player.name, stats(player, reader(request))))


def posted_body(score: Score) -> PostedBody:
    board = boards.board_of(score.game, "day", score.day)
    line = boards.Line(score.points, 1, score.posted_at, score.player_id)
    top = boards.first_page(board, TOP, timezone.now())
    is_in_it = line in map(boards.line_of, top.lines)  # no better score of his own stands there
    where = reverse("leaderboard", args=[score.game])
    return PostedBody(
        points=score.points,
        day=score.day.isoformat(),
        rank=boards.rank_of(board, line),
        top=board_lines(top) if is_in_it else None,
        leaderboard=f"{where}?period=day&day={score.day}" if is_in_it else f"{where}?period=all",
    )


def page_asked(game: str, period: str, request: Request) -> boards.Page:
    limit = number(request, "limit", Pages.page_size, 1, Pages.max_page_size)
    around, cursor = (request.query_params.get(name) for name in ("around", "cursor"))
    now = timezone.now()
    if cursor is not None:
        try:
            return boards.page_at(game, period, cursor, limit, now)
        except boards.BadCursor as error:
            raise ValidationError({"cursor": str(error)}) from None
    board = boards.board_of(game, period, day_asked(period, request, utc_day(now)))
    if around is None:
        return boards.first_page(board, limit, now)
    if around != "me":
        raise ValidationError({"around": "around can only be `me`."})
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return boards.page_around(board, request.user, limit, now)


def day_asked(period: str, request: Request, today: date) -> date:
    """The day whose board is asked for; else today."""
    text = request.query_params.get("day")
    if text is None:
        return today
    if period == "all":
        raise ValidationError({"day": "day goes with `period=day` or `period=week`."})
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise ValidationError({"day": "day is a UTC date such as 2026-11-30."})
    if day > today:
        raise ValidationError({"day": f"That day is yet to come; today is {today} (UTC)."})
    return day


def board_body(page: boards.Page, request: Request) -> BoardBody:
    board = page.board
    return BoardBody(
        game=board.game,
        period=board.period,
        zone="UTC",
        starts=board.starts.isoformat() if board.period != "all" else None,
        resets_at=boards.resets_at(board),
        ranks=ranked_by(board),
        results=board_lines(page),
        next=beside(request, page.next),
        previous=beside(request, page.previous),
    )


def ranked_by(board: Board) -> str:
    """What `value` counts."""
    if GAMES[board.game].BOARD == "points":
        return "points"
    return "rating" if board.period == "all" else "wins"


def board_lines(page: boards.Page) -> list[BoardLine]:
    rated = ranked_by(page.board) == "rating"
    ratings = boards.ratings_of(page.board.game, page.lines) if rated else {}
    return [
        BoardLine(
            rank=rank,
            player=line.player.name,
            value=line.value,
            matches=line.matches,
            reached_at=line.reached_at,
            rating=shown(ratings[line.player_id].mu) if line.player_id in ratings else None,
            deviation=shown(ratings[line.player_id].sigma) if line.player_id in ratings else None,
        )
        for rank, line in enumerate(page.lines, page.rank)
    ]


def beside(request: Request, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    query = request.query_params.copy()
    query.pop("around", None)
    query["cursor"] = cursor
    return f"{request.path}?{query.urlencode()}"
