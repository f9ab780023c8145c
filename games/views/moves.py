"""The course of a match: its moves, deals, replay and export."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.urls import reverse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from msgspec.structs import replace
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from games import replays
from games.answers import Dry, EventBody, LinesRenderer, deal_line, event_body
from games.engine import log
from games.models import Match
from games.queries import KEY, current_version, flag, number, reader_in, visible
from games.schemas import page, ref
from games.serializers import NewMoveSerializer
from games.services import moves
from games.services.errors import MatchNotFound, MatchNotOver, NotYourSeat, VersionMismatch
from games.views import GameView, told
from ginservice.idempotency import idempotent_unless
from players.pagination import PAGING, Pages
from players.views import read

MOVES_TO_A_PAGE = 100


def is_dry_run(request: Request) -> bool:
    return flag(request, "dry_run")


class MovesView(GameView):
    throttle_kind = "moves"

    @extend_schema(
        operation_id="moves",
        summary="The moves so far",
        description="In order, each as the reader saw it, in data and in words; with `views=true` "
        "each with the view after it, as `…/replay` tells it.",
        parameters=[
            OpenApiParameter(
                "after",
                {"type": "integer", "minimum": 0},
                description="Only moves after that version.",
            ),
            OpenApiParameter(
                "limit",
                {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
                description="How many to a page.",
            ),
            OpenApiParameter("seat", description="As in `…/replay`."),
            OpenApiParameter("views", bool, description="At most 100 to a page then."),
            KEY,
        ],
        responses={200: page("Event")},
        extensions={"x-problems": ["not-your-seat"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        match = visible(id, request)
        readers = readers_in(match, request)
        views = flag(request, "views")
        after = number(request, "after", 0, 0, 2**31 - 1)
        most = MOVES_TO_A_PAGE if views else 1000
        limit = number(request, "limit", MOVES_TO_A_PAGE, 1, most)
        steps = list(replays.steps(match, after, min(after + limit, match.version)))
        names = replays.names_in(steps)
        rows = [replayed(match, names, step, readers, views) for step in steps]
        return Response({"results": rows, **links(request, id, after, limit, match.version)})

    @extend_schema(
        operation_id="play",
        summary="Play a move",
        description="Echo one action of `view.legal`, with the `version` that you saw. With "
        "`dry_run=true` nothing is stored, and the answer tells what you can know of the "
        "outcome.",
        parameters=[
            OpenApiParameter("dry_run", bool),
            OpenApiParameter("If-Match", location=OpenApiParameter.HEADER),
        ],
        request=NewMoveSerializer,
        responses={201: ref("Match"), 200: ref("DryRun")},
        examples=[
            OpenApiExample(
                "draw", {"version": 4, "action": {"type": "draw_stock"}}, request_only=True
            ),
        ],
        extensions={
            "x-problems": [
                "malformed-action",
                "not-seated",
                "not-your-turn",
                "stale-version",
                "time-is-up",
                "match-not-started",
                "match-over",
                "version-mismatch",
                "illegal-action",
                "not-a-practice-match",
            ]
        },
    )
    @idempotent_unless(is_dry_run)
    def post(self, request: Request, id: UUID) -> Response:
        body = read(NewMoveSerializer, request)
        version, condition = seen_version(id, request, body)
        play = moves.try_move if is_dry_run(request) else moves.play_move
        try:
            played = play(id, request.user, version, body["action"])
        except moves.StaleVersion as error:
            raise VersionMismatch(str(error), **error.extra) if condition else error from None
        if isinstance(played, moves.Trial):
            return Response(Dry(version, played.action, played.words, played.foresight))
        return told(played, request, 201)


class DealsView(GameView):
    @extend_schema(
        operation_id="deals",
        summary="The deals so far",
        parameters=[KEY, *PAGING],
        responses={200: page("Deal")},
    )
    def get(self, request: Request, id: UUID) -> Response:
        pages = Pages()
        pages.ordering = "number"
        found = pages.paginate_queryset(visible(id, request).deals.all(), request, self) or []
        return pages.get_paginated_response([deal_line(deal) for deal in found])


class DealView(GameView):
    @extend_schema(
        operation_id="deal", summary="One deal", parameters=[KEY], responses={200: ref("Deal")}
    )
    def get(self, request: Request, id: UUID, number: int) -> Response:
        deal = visible(id, request).deals.filter(number=number).first()
        if deal is None:
            raise MatchNotFound("The match has no deal of that number yet.")
        return Response(deal_line(deal))


class ReplayView(GameView):
    @extend_schema(
        operation_id="replay",
        summary="The match at any move",
        description="What was known at that version, and nothing of what came later. While the "
        "match lives: your own seat, or the spectator's. Afterwards any seat, or `all`.",
        parameters=[
            OpenApiParameter(
                "at", {"type": "integer", "minimum": 1}, description="The version; else the latest."
            ),
            OpenApiParameter(
                "seat", description="A number, `spectator` or `all`; else your own seat."
            ),
            KEY,
        ],
        responses={200: ref("Event")},
        extensions={"x-problems": ["not-your-seat"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        match = visible(id, request)
        if match.version == 0:
            raise MatchNotFound("Nothing has happened in this match yet.")
        readers = readers_in(match, request)
        step = replays.step_at(match, number(request, "at", match.version, 1, match.version))
        return Response(replayed(match, replays.names_in([step]), step, readers, views=True))


class ExportView(GameView):
    renderer_classes = (LinesRenderer,)

    @extend_schema(
        operation_id="export",
        summary="The whole log",
        description="An ended match as JSON lines: a head with the options and the secret, then "
        "each entry with the shuffles open. The pure engine can run it again.",
        parameters=[KEY],
        responses={(200, "application/x-ndjson"): {"type": "string"}},
        extensions={"x-problems": ["match-not-over"]},
    )
    def get(self, request: Request, id: UUID) -> StreamingHttpResponse:
        match = visible(id, request)
        if not match.over:
            raise MatchNotOver("The log is open when the match is over; it holds the cards.")
        return StreamingHttpResponse(
            replays.export(match),
            content_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{match.pk}.jsonl"'},
        )


def seen_version(match_id: UUID, request: Request, body: dict[str, Any]) -> tuple[int, bool]:
    """The version that the mover saw, and whether he gave it as `If-Match`.

    By one small statement where he did. Raises VersionMismatch, StaleVersion, MatchNotFound.
    """
    if "If-Match" not in request.headers:
        if "version" not in body:
            raise ValidationError({"version": "Say which version you saw, here or as `If-Match`."})
        return body["version"], False
    now = current_version(match_id, request)
    if now is None:
        raise MatchNotFound
    version, tag = now
    if not {tag, "*"} & set(parse_etags(request.headers["If-Match"])):
        raise VersionMismatch(f"For you the match has the ETag {tag} now.", version=version)
    if body.get("version", version) != version:
        raise moves.StaleVersion(body["version"], version)
    return version, True


ALL = "all"


def readers_in(match: Match, request: Request) -> int | str | None:
    """The seat whose knowledge is asked for; None: a spectator's; ALL. Raises NotYourSeat."""
    if request.query_params.get("seat") != ALL:
        return reader_in(match, request)
    if not match.over:
        raise NotYourSeat("While the match lives, only your own seat can be replayed.")
    return ALL


def replayed(
    match: Match, names: dict[str, str], step: replays.Step, reader: int | str | None, views: bool
) -> EventBody:
    """A step for the reader. For all, it is told as by who did it, and the views are by seat."""
    if not isinstance(reader, str):
        return event_body(match.rules, names, step, reader, with_view=views)
    doer = step.entry.seat if step.entry.seat >= 0 else None
    event = event_body(match.rules, names, step, doer)
    if not views:
        return event
    seats = range(len(step.position.seats))
    seen = [log.view(match.rules, step.position, seat) for seat in seats]
    return replace(event, views=seen)


def links(request: Request, match_id: UUID, after: int, limit: int, version: int) -> dict[str, Any]:
    """The addresses of the pages of moves beside this one."""
    query = request.query_params.copy()

    def at(start: int, size: int) -> str:
        query["after"], query["limit"] = str(start), str(size)
        return f"{reverse('moves', args=[match_id])}?{query.urlencode()}"

    return {
        "next": at(after + limit, limit) if after + limit < version else None,
        "previous": at(max(0, after - limit), min(after, limit)) if after else None,
    }
