"""Help in practice matches: hints, whether it can still be cleared, the same deal again."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.queries import visible
from games.schemas import ref
from games.services import practice
from games.views import GameView, location, told
from ginservice.idempotency import idempotent
from players.permissions import HasScope

REFUSED = ["not-seated", "not-a-practice-match", "match-not-started", "not-offered"]


class HintView(GameView):
    permission_classes = (HasScope,)

    @extend_schema(
        operation_id="hint",
        summary="A hint",
        description="In a practice match, on your turn: what the strongest bot would do that sees "
        "what you see, and nothing else. For the same view it is always the same.",
        responses={200: ref("Hint")},
        extensions={"x-problems": [*REFUSED, "not-your-turn", "match-over"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        return Response(practice.hint(visible(id, request), request.user))


class ClearableView(GameView):
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
        extensions={"x-problems": REFUSED},
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        match = practice.restart(id, request.user)
        return told(match, request, 201, location(match))
