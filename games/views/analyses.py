"""What a coach says of a match that is over."""

from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.answers import analysis_body
from games.queries import KEY, visible
from games.schemas import ref
from games.services import analyses
from games.views import GameView
from ginservice.idempotency import idempotent


class AnalysisView(GameView):
    throttle_kind = "analyses"

    @extend_schema(
        operation_id="analysis",
        summary="What the coach says",
        description="Of a match that is over: how far the analysis is, and then what it found. "
        "Each decision is judged from what its seat knew then, by roll-outs in guessed deals, and "
        "each number has its 95 % interval and its samples. `status` is `none` until one of the "
        "players asks.",
        parameters=[KEY],
        responses={200: ref("Analysis")},
        extensions={"x-problems": ["match-not-over"]},
    )
    def get(self, request: Request, id: UUID) -> Response:
        return Response(analysis_body(analyses.of(visible(id, request))))

    @extend_schema(
        operation_id="analyse",
        summary="Have the match analysed",
        description="By one of its players, once it is over. A worker does it in the background "
        "(201); whoever asks again is told of the one there is (200), or it begins anew if it had "
        "failed. It takes seconds to minutes.",
        request=None,
        responses={201: ref("Analysis"), 200: ref("Analysis")},
        extensions={
            "x-problems": [
                "not-seated",
                "match-not-started",
                "match-not-over",
                "not-offered",
                "too-many-analyses",
            ]
        },
    )
    @idempotent
    def post(self, request: Request, id: UUID) -> Response:
        analysis, made = analyses.ask(id, request.user)
        where = {"Location": reverse("analysis", args=[id])} if made else {}
        return Response(analysis_body(analysis), 201 if made else 200, headers=where)
