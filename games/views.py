"""Matches over HTTP: each view reads the envelope, calls one service or read, and answers."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import replays
from games.answers import (
    Dry,
    LinesRenderer,
    StructRenderer,
    deal_line,
    event_body,
    game_body,
    match_body,
    match_line,
)
from games.engine import GAMES, log
from games.models import Match
from games.queries import (
    STATUSES,
    current_tag,
    filtered,
    flag,
    number,
    over,
    own_seat,
    reader_in,
    tag,
    visible,
)
from games.schemas import page, ref
from games.serializers import JoinSerializer, NewMatchSerializer, NewMoveSerializer
from games.services import ends, moves, tables
from games.services.errors import MatchNotFound, MatchNotOver, NotYourSeat, VersionMismatch
from players.models import Player
from players.pagination import Pages
from players.permissions import HasScope
from players.views import read

MOVES_TO_A_PAGE = 100


class Anyone(HasScope):
    """Public matches may be watched without a token."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in ("GET", "HEAD") and not request.user.is_authenticated:
            return True
        return super().has_permission(request, view)


class GameView(APIView):
    """A view that answers with structs."""

    renderer_classes = (StructRenderer,)
    permission_classes = (Anyone,)


class GamesView(GameView):
    @extend_schema(
        operation_id="games",
        summary="Which games there are",
        description="Seats, options as JSON Schema with their defaults, presets, bots' levels.",
        responses={200: {"type": "array", "items": ref("Game")}},
    )
    def get(self, request: Request) -> Response:
        return Response([game_body(name, rules) for name, rules in GAMES.items()])


class MatchesView(GameView):
    @extend_schema(
        operation_id="matches",
        summary="List matches",
        description="Public matches and your own, newest first.",
        parameters=[
            OpenApiParameter("game", enum=list(GAMES)),
            OpenApiParameter("status", enum=STATUSES),
            OpenApiParameter("player", description="Sits there: a name, or `me`."),
            OpenApiParameter("since", description="Made at that time (RFC 3339) or later."),
            OpenApiParameter("until", description="Made before that time."),
            OpenApiParameter("limit", int, description=Pages.page_size_query_description),
            OpenApiParameter("cursor", description=Pages.cursor_query_description),
        ],
        responses={200: page("MatchLine")},
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        found = pages.paginate_queryset(filtered(request), request, self) or []
        return pages.get_paginated_response([match_line(match) for match in found])

    @extend_schema(
        operation_id="create_match",
        summary="Create a match",
        description="With all its players it starts at once, and the answer shows your hand.",
        request=NewMatchSerializer,
        responses={201: ref("Match")},
        examples=[
            OpenApiExample(
                "against a bot",
                {"game": "gin", "seats": ["me", {"bot": "easy"}]},
                request_only=True,
            ),
            OpenApiExample(
                "an open table, with options",
                {
                    "game": "gin",
                    "options": {"preset": "classic", "target": 50},
                    "seats": ["me", "open"],
                },
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        body = read(NewMatchSerializer, request)
        match = tables.create_match(
            request.user,
            body["game"],
            body["options"],
            body["seats"],
            body["visibility"],
            body["start"],
        )
        return told(match, request, 201, location(match))


class MatchView(GameView):
    @extend_schema(
        operation_id="match",
        summary="Look at a match",
        description="As you may see it. Send the `ETag` back as `If-None-Match`: 304 says that "
        "nothing has changed, and costs next to nothing.",
        parameters=[OpenApiParameter("If-None-Match", location=OpenApiParameter.HEADER)],
        responses={200: ref("Match"), 304: None},
    )
    def get(self, request: Request, id: UUID) -> HttpResponse:
        known = parse_etags(request.headers.get("If-None-Match", ""))
        if known and (tag := current_tag(id, request)) in known:
            return HttpResponse(status=304, headers={"ETag": tag})
        return told(visible(id, request), request)


class SeatsView(GameView):
    @extend_schema(
        operation_id="join",
        summary="Join a match",
        request=JoinSerializer,
        responses={201: ref("Match")},
        examples=[OpenApiExample("any seat", {}, request_only=True)],
        extensions={"x-problems": ["already-seated", "seat-taken", "not-your-seat"]},
    )
    def post(self, request: Request, id: UUID) -> Response:
        body = read(JoinSerializer, request)
        match = tables.join(id, request.user, body["seat"])
        return told(match, request, 201, location(match))


class StartView(GameView):
    @extend_schema(
        operation_id="start",
        summary="Start a match that waits for it",
        description='Only for its creator, of a match made with `"start": "later"`, when every '
        "seat is taken.",
        request=None,
        responses={201: ref("Match")},
        extensions={"x-problems": ["not-your-seat", "match-already-started", "seats-open"]},
    )
    def post(self, request: Request, id: UUID) -> Response:
        return told(tables.start(id, request.user), request, 201)


class MovesView(GameView):
    @extend_schema(
        operation_id="moves",
        summary="The moves so far",
        description="In order, each as the reader saw it, in data and in words.",
        parameters=[
            OpenApiParameter("after", int, description="Only moves after that version."),
            OpenApiParameter("limit", int, description="How many to a page: 1 to 1000, else 100."),
            OpenApiParameter("seat", description="As in `…/replay`."),
        ],
        responses={200: page("Event")},
        extensions={"x-problems": ["not-your-seat"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        match = visible(id, request)
        reader = reader_in(match, request)
        after = number(request, "after", 0, 0, 2**31 - 1)
        limit = number(request, "limit", MOVES_TO_A_PAGE, 1, 1000)
        steps = list(replays.steps(match, after, min(after + limit, match.version)))
        names = names_in(steps)
        rows = [event_body(match.rules, names, step, reader) for step in steps]
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
                "match-not-started",
                "match-over",
                "version-mismatch",
                "illegal-action",
            ]
        },
    )
    def post(self, request: Request, id: UUID) -> Response:
        body = read(NewMoveSerializer, request)
        version, condition = seen_version(request, body)
        play = moves.try_move if flag(request, "dry_run") else moves.play_move
        try:
            played = play(id, request.user, version, body["action"])
        except moves.StaleVersion as error:
            raise VersionMismatch(error) if condition else error from None
        if isinstance(played, moves.Trial):
            return Response(Dry(version, played.action, played.words, played.foresight))
        return told(played, request, 201)


class DealsView(GameView):
    @extend_schema(
        operation_id="deals",
        summary="The deals so far",
        parameters=[
            OpenApiParameter("limit", int, description=Pages.page_size_query_description),
            OpenApiParameter("cursor", description=Pages.cursor_query_description),
        ],
        responses={200: page("Deal")},
    )
    def get(self, request: Request, id: UUID) -> Response:
        pages = Pages()
        pages.ordering = "number"
        found = pages.paginate_queryset(visible(id, request).deals.all(), request, self) or []
        return pages.get_paginated_response([deal_line(deal) for deal in found])


class DealView(GameView):
    @extend_schema(operation_id="deal", summary="One deal", responses={200: ref("Deal")})
    def get(self, request: Request, id: UUID, number: int) -> Response:
        deal = visible(id, request).deals.filter(number=number).first()
        if deal is None:
            raise MatchNotFound("The match has no deal of that number yet.")
        return Response(deal_line(deal))


class ResignationView(GameView):
    @extend_schema(
        operation_id="resign",
        summary="Resign a match",
        description="You lose it; the running deal gives no points.",
        request=None,
        responses={201: ref("Match")},
        extensions={"x-problems": ["not-seated", "match-not-started", "match-over"]},
    )
    def post(self, request: Request, id: UUID) -> Response:
        return told(ends.resign(id, request.user), request, 201)


class RematchView(GameView):
    @extend_schema(
        operation_id="rematch",
        summary="Play again",
        description="Makes the one next match of the same players, bots, options and visibility "
        "(201), or sits you down in it if another has made it (200). It starts when all have.",
        request=None,
        responses={201: ref("Match"), 200: ref("Match")},
        extensions={"x-problems": ["not-seated", "match-not-over"]},
    )
    def post(self, request: Request, id: UUID) -> Response:
        match, made = tables.rematch(id, request.user)
        return told(match, request, 201 if made else 200, location(match))


class ReplayView(GameView):
    @extend_schema(
        operation_id="replay",
        summary="The match at any move",
        description="What was known at that version, and nothing of what came later. While the "
        "match lives: your own seat, or the spectator's. Afterwards any seat, or `all`.",
        parameters=[
            OpenApiParameter("at", int, description="The version; else the latest."),
            OpenApiParameter(
                "seat", description="A number, `spectator` or `all`; else your own seat."
            ),
        ],
        responses={200: ref("Event")},
        extensions={"x-problems": ["not-your-seat"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        match = visible(id, request)
        if match.version == 0:
            raise MatchNotFound("Nothing has happened in this match yet.")
        everyone = request.query_params.get("seat") == "all"
        reader = None if everyone else reader_in(match, request)
        step = replays.step_at(match, number(request, "at", match.version, 1, match.version))
        names = names_in([step])
        if not everyone:
            return Response(event_body(match.rules, names, step, reader, with_view=True))
        if not over(match):
            raise NotYourSeat("While the match lives, only your own seat can be replayed.")
        seats = range(len(step.position.seats))
        return Response(
            {
                **as_fields(event_body(match.rules, names, step, None)),
                "views": [log.view(match.rules, step.position, seat) for seat in seats],
            }
        )


class ExportView(GameView):
    renderer_classes = (LinesRenderer,)

    @extend_schema(
        operation_id="export",
        summary="The whole log",
        description="An ended match as JSON lines: a head with the options and the secret, then "
        "each entry with the shuffles open. The pure engine can run it again.",
        responses={(200, "application/x-ndjson"): {"type": "string"}},
        extensions={"x-problems": ["match-not-over"]},
    )
    def get(self, request: Request, id: UUID) -> StreamingHttpResponse:
        match = visible(id, request)
        if not over(match):
            raise MatchNotOver("The log is open when the match is over; it holds the cards.")
        return StreamingHttpResponse(
            replays.export(match),
            content_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{match.pk}.jsonl"'},
        )


def seen_version(request: Request, body: dict[str, Any]) -> tuple[int, bool]:
    """The version that the mover saw, and whether he gave it as `If-Match`."""
    if "If-Match" in request.headers:
        text = request.headers["If-Match"].strip('"').partition("-")[0]
        if not (text.isascii() and text.isdigit()) or len(text) > 10:
            raise ValidationError({"If-Match": "Send the match's ETag as it was given."})
        return int(text), True
    if "version" not in body:
        raise ValidationError({"version": "Say which version you saw, here or as `If-Match`."})
    return body["version"], False


def told(
    match: Match, request: Request, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The match as the caller sees it."""
    position = match.folded()
    seat = own_seat(position, request)
    return Response(
        match_body(match, position, seat),
        status,
        headers={"ETag": tag(position.version, seat), **(headers or {})},
    )


def location(match: Match) -> dict[str, str]:
    return {"Location": reverse("match", args=[match.pk])}


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


def names_in(steps: list[replays.Step]) -> dict[str, str]:
    """Names by id of the players whom entries of the table name; no statement if none do."""
    ids = {
        step.entry.action.player
        for step in steps
        if isinstance(step.entry.action, log.Joined | log.Invited) and step.entry.action.player
    }
    if not ids:
        return {}
    return {
        str(pk): name for pk, name in Player.objects.filter(pk__in=ids).values_list("pk", "name")
    }


def as_fields(event: Any) -> dict[str, Any]:
    return {field: getattr(event, field) for field in ("version", "at", "last", "words")}
