"""Tables and matches: creating, finding, joining, leaving, starting, ending, playing again."""

from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.answers import game_body, match_line
from games.engine import GAMES
from games.queries import (
    CLOCKS,
    KEY,
    STATUSES,
    current_version,
    filtered,
    invites,
    key,
    visible,
)
from games.schemas import page, ref
from games.serializers import (
    ClaimSerializer,
    JoinSerializer,
    NewMatchSerializer,
    PlayNowSerializer,
    StartSerializer,
)
from games.services import ends, lobby, tables, wishes
from games.views import GameView, location, told
from ginservice.idempotency import idempotent
from players.pagination import PAGING, Pages
from players.permissions import HasScope
from players.views import read

TO_MAKE = ["not-a-practice-match", "no-clearable-deal", "too-many-matches"]
RATING = {"type": "integer", "minimum": 0, "maximum": 10_000}


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
        description="Public matches and your own, newest first. `preset` and the ratings are asked "
        "of open tables: with `status=open` or `seats=open`.",
        parameters=[
            OpenApiParameter("game", enum=list(GAMES)),
            OpenApiParameter("status", enum=STATUSES),
            OpenApiParameter("player", description="Sits there: a name, or `me`."),
            OpenApiParameter("seats", enum=["open"], description="Only with a seat to take."),
            OpenApiParameter("preset", description="Open, with just the options of that preset."),
            OpenApiParameter("clock", enum=CLOCKS, description="Open, by the time for a move."),
            OpenApiParameter("min_rating", RATING, description="Open, made by one of that rating."),
            OpenApiParameter("max_rating", RATING, description="… or of at most that."),
            OpenApiParameter("since", datetime, description="Made at that time or later."),
            OpenApiParameter("until", datetime, description="Made before that time."),
            *PAGING,
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
        description="With all its players it starts at once, and the answer shows your hand. A "
        "private match has a `key`, shown this once: whoever sends it as `?key=` sees the match "
        "and may join.",
        request=NewMatchSerializer,
        responses={201: ref("Match")},
        extensions={"x-problems": TO_MAKE},
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
            OpenApiExample(
                "practice: a deal by its number",
                {
                    "game": "pyramid",
                    "options": {"practice": True, "deal_number": 1234},
                    "seats": ["me"],
                },
                request_only=True,
            ),
            OpenApiExample(
                "practice: any deal that can be cleared",
                {
                    "game": "pyramid",
                    "options": {"practice": True, "clearable": True},
                    "seats": ["me"],
                },
                request_only=True,
            ),
            OpenApiExample(
                "with three days for each move",
                {"game": "gin", "seats": ["me", "open"], "clock": {"days": 3}},
                request_only=True,
            ),
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = read(NewMatchSerializer, request)
        match = tables.create_match(
            request.user,
            body["game"],
            body["options"],
            body["seats"],
            body["visibility"],
            body["start"],
            body.get("rated"),
            body["entropy"],
            wishes.read_clock(body["clock"], body["on_timeout"]),
            body["hints"],
        )
        return told(match, request, 201, location(match))


class QuickView(GameView):
    @extend_schema(
        operation_id="play_now",
        summary="Play now",
        description="A seat at a public table of that game and options that looks for players "
        "(200), or at a new one (201), whose empty seats bots take after `wait` seconds. At a "
        "table of others you are seated only if it starts with you, or if such bots come to it "
        "in that time too.",
        request=PlayNowSerializer,
        extensions={"x-problems": TO_MAKE},
        responses={201: ref("Match"), 200: ref("Match")},
        examples=[
            OpenApiExample("gin, soon", {"game": "gin", "wait": 10}, request_only=True),
            OpenApiExample(
                "a minute for each move",
                {"game": "gin", "clock": {"seconds": 60}, "on_timeout": "win"},
                request_only=True,
            ),
        ],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = read(PlayNowSerializer, request)
        match, made = lobby.play_now(
            request.user,
            body["game"],
            body["options"],
            body["seats"],
            body["wait"],
            body["bots"],
            body.get("rated"),
            wishes.read_clock(body["clock"], body["on_timeout"]),
            body["hints"],
        )
        return told(match, request, 201 if made else 200, location(match))


class InvitesView(GameView):
    permission_classes = (HasScope,)

    @extend_schema(
        operation_id="invites",
        summary="Seats kept for me",
        description="Open matches in which a seat waits for you: join, or refuse by "
        "`DELETE …/seats/me`.",
        parameters=PAGING,
        responses={200: page("MatchLine")},
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        found = pages.paginate_queryset(invites(request.user), request, self) or []
        return pages.get_paginated_response([match_line(match) for match in found])


class MatchView(GameView):
    @extend_schema(
        operation_id="match",
        summary="Look at a match",
        description="As you may see it. Send the `ETag` back as `If-None-Match`: 304 says that "
        "nothing has changed, and costs next to nothing.",
        parameters=[OpenApiParameter("If-None-Match", location=OpenApiParameter.HEADER), KEY],
        responses={200: ref("Match"), 304: None},
    )
    def get(self, request: Request, id: UUID) -> HttpResponse:
        sent = parse_etags(request.headers.get("If-None-Match", ""))
        known = {
            each.removeprefix("W/") for each in sent
        }  # weakly: a proxy that compresses adds it
        if known and (now := current_version(id, request)) and {now[1], "*"} & known:
            return HttpResponse(status=304, headers={"ETag": now[1]})
        return told(visible(id, request), request)


class SeatsView(GameView):
    @extend_schema(
        operation_id="join",
        summary="Join a match",
        parameters=[KEY],
        request=JoinSerializer,
        responses={201: ref("Match")},
        examples=[
            OpenApiExample("any seat", {}, request_only=True),
            OpenApiExample(
                "with entropy for the shuffles",
                {"entropy": "4 1 6 6 2 3 5 1 2 4 4 6"},
                request_only=True,
            ),
        ],
        extensions={"x-problems": ["already-seated", "seat-taken", "seat-kept"]},
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        body = read(JoinSerializer, request)
        match = tables.join(id, request.user, body["seat"], key(request), body["entropy"])
        return told(match, request, 201, location(match))


class MySeatView(GameView):
    @extend_schema(
        operation_id="leave",
        summary="Leave before the start",
        description="Gives up your seat, or refuses the one kept for you. A table at which nobody "
        "is left is closed.",
        request=None,
        responses={204: None},
        extensions={"x-problems": ["not-seated", "match-already-started"]},
    )
    @idempotent
    def delete(self, request: Request, id: UUID) -> Response:
        tables.leave(id, request.user)
        return Response(status=204)


class StartView(GameView):
    @extend_schema(
        operation_id="start",
        summary="Start a match that waits for it",
        description='Only for its creator, of a match made with `"start": "later"`, when every '
        "seat is taken. The cards are drawn now, and your `entropy` goes into them; a body is not "
        "needed.",
        request=StartSerializer,
        responses={201: ref("Match")},
        examples=[
            OpenApiExample(
                "with entropy for the shuffles",
                {"entropy": "1 5 2 2 6 3 1 4 6 3 5 2"},
                request_only=True,
            ),
        ],
        extensions={"x-problems": ["not-the-maker", "match-already-started", "seats-open"]},
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        body = read(StartSerializer, request)
        return told(tables.start(id, request.user, body["entropy"]), request, 201)


class ResignationView(GameView):
    @extend_schema(
        operation_id="resign",
        summary="Resign a match",
        description="You are placed last. Where two play, the other has won at once, and the "
        "running deal gives no points; where more do, a bot plays on for you.",
        request=None,
        responses={201: ref("Match")},
        extensions={"x-problems": ["not-seated", "match-not-started", "match-over"]},
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        return told(ends.resign(id, request.user), request, 201)


class ClaimsView(GameView):
    @extend_schema(
        operation_id="claim",
        summary="Claim what a player has lost by letting his time pass",
        description="From `awaiting.claims.at` on, by another player: the win, or that a bot "
        "plays on in that seat, which is placed last in either case. `awaiting.claims.take` says "
        "which of the two the match offers.",
        request=ClaimSerializer,
        responses={201: ref("Match")},
        examples=[OpenApiExample("the win", {"take": "win"}, request_only=True)],
        extensions={
            "x-problems": [
                "not-seated",
                "match-not-started",
                "match-over",
                "nothing-to-claim",
                "too-early",
                "claim-not-offered",
            ]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        body = read(ClaimSerializer, request)
        return told(ends.claim(id, request.user, body["take"]), request, 201)


class AbortView(GameView):
    @extend_schema(
        operation_id="abort",
        summary="Call a match off before the first move",
        description="By any of its players, as long as none of them has moved; bots may have. And "
        "by its maker who has no seat, as long as nobody plays it but bots. Nobody wins, and it "
        "counts for nothing.",
        request=None,
        responses={201: ref("Match")},
        extensions={
            "x-problems": ["not-seated", "match-not-started", "match-over", "already-moved"]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        return told(ends.abort(id, request.user), request, 201)


class RematchView(GameView):
    @extend_schema(
        operation_id="rematch",
        summary="Play again",
        description="Makes the one next match of the same players, bots, options and visibility "
        "(201), or sits you down in it if another has made it (200). It starts when all have. "
        "That of a private match has a new `key`, told to who made it.",
        request=None,
        responses={201: ref("Match"), 200: ref("Match")},
        extensions={
            "x-problems": [
                "not-seated",
                "match-not-over",
                "seat-taken",
                "too-many-matches",
                "no-clearable-deal",
            ]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        match, made = tables.rematch(id, request.user)
        return told(match, request, 201 if made else 200, location(match))
