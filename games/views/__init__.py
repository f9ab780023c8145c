"""Matches over HTTP: each view reads the envelope, calls one service or read, and answers.

Here is what all views share.
"""

from collections.abc import Mapping

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.answers import StructRenderer, match_body
from games.models import Match
from games.queries import own_seat, tag
from players.permissions import HasScope


class Anyone(HasScope):
    """Public matches may be watched without a token."""

    anyone_reads = True

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in ("GET", "HEAD") and not request.user.is_authenticated:
            return True
        return super().has_permission(request, view)


class GameView(APIView):
    """A view that answers with structs."""

    renderer_classes = (StructRenderer,)
    permission_classes = (Anyone,)


def told(
    match: Match, request: Request, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The match as the caller sees it. What a 201 has made, a move too, is to be seen there."""
    position = match.folded()
    seat = own_seat(position, request)
    where = location(match) if status == 201 else {}
    return Response(
        match_body(match, position, seat),
        status,
        headers={"ETag": tag(position.version, seat, match.names), **where, **(headers or {})},
    )


def location(match: Match) -> dict[str, str]:
    return {"Location": reverse("match", args=[match.pk])}
