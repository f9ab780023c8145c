"""Practice: hints, whether it can still be cleared, the same deal again, going on from a match."""

from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.queries import KEY, visible
from games.schemas import ref
from games.serializers import ContinuationSerializer
from games.services import continuations, hints, practice
from games.views import GameView, location, told
from ginservice.idempotency import idempotent
from players.permissions import HasScope
from players.views import read

HINTLESS = ["not-seated", "no-hints", "match-not-started", "not-offered"]
REFUSED = ["not-seated", "not-a-practice-match", "match-not-started", "not-offered"]


class HintView(GameView):
    permission_classes = (HasScope,)
    throttle_reads = "hints"

    @extend_schema(
        operation_id="hint",
        summary="A hint",
        description="On your turn, in a match whose `hints` is true: the best that you can do and "
        "two others, each with the points of this deal that it is expected to bring you, and with "
        "a reason. It comes from what you see, and nothing else. For the same view it is always "
        "the same; nothing is stored.",
        responses={200: ref("Hint")},
        extensions={"x-problems": [*HINTLESS, "not-your-turn", "match-over"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        return Response(hints.hint(visible(id, request), request.user))


class ClearableView(GameView):
    throttle_kind = "hints"

    @extend_schema(
        operation_id="clearable",
        summary="Can it still be cleared?",
        description="In a practice match: `yes` with the actions that lead there, `no`, or "
        "`unknown` when 100,000 positions were looked at (about half a second) and none of both "
        "was found. The answer knows every card.",
        request=None,
        responses={200: ref("Prospect")},
        extensions={"x-problems": [*REFUSED, "match-over"]},
    )
    def post(self, request: Request, id: UUID) -> Response:
        return Response(practice.prospect(visible(id, request), request.user))


class RestartView(GameView):
    @extend_schema(
        operation_id="restart",
        summary="The same deal again",
        description="Of a practice match: makes a new match of the same seats and options that "
        "begins with the deal that was dealt last. The old one stays as it is.",
        request=None,
        responses={201: ref("Match")},
        extensions={"x-problems": [*REFUSED, "too-many-matches"]},
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        match = practice.restart(id, request.user)
        return told(match, request, 201, location(match))


class ContinuationsView(GameView):
    @extend_schema(
        operation_id="continue_match",
        summary="Play on from here",
        description="Of a match that is over and that you may see: makes a new match that begins "
        "as that one did up to a version, with you in a seat and bots in the others. It is for "
        "practice: hints are given, and it counts for nothing. What is dealt from then on follows "
        "from a secret of its own. That of a private match is private, and has a `key`.",
        parameters=[KEY],
        request=ContinuationSerializer,
        responses={201: ref("Match")},
        examples=[
            OpenApiExample("in your own seat", {"version": 5}, request_only=True),
            OpenApiExample(
                "in another's seat, against other bots",
                {"version": 5, "seat": 1, "bots": "random"},
                request_only=True,
            ),
        ],
        extensions={
            "x-problems": [
                "match-not-over",
                "match-not-started",
                "match-over",
                "too-many-matches",
            ]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        body = read(ContinuationSerializer, request)
        match = continuations.continue_match(
            visible(id, request),
            request.user,
            body["version"],
            body["seat"],
            body["bots"],
            body["entropy"],
        )
        return told(match, request, 201, location(match))
