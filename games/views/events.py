"""The events of a match, as a stream or by asking again and again."""

from collections.abc import Callable
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games import events
from games.answers import LinesRenderer, StructRenderer
from games.events import LINES, SSE
from games.models import Match
from games.queries import KEY, key, number, reader, visible
from games.schemas import ref
from games.streams import Stream
from games.views import GameView
from ginservice.throttles import address
from players.authentication import credential

LONGEST_WAIT = 60
FORMS = {form.media_type: form for form in (SSE, LINES)}


class SSERenderer(StructRenderer):
    """As LinesRenderer: only lets clients ask for it."""

    media_type = SSE.media_type
    format = "sse"


class EventsView(GameView):
    """The answer holds what there is. Where the server can hold a stream, its `stream` goes on."""

    renderer_classes = (SSERenderer, LinesRenderer, StructRenderer)

    def get_renderers(self) -> list[BaseRenderer]:
        """Who says how long he will wait polls."""
        polls = self.request and "wait" in self.request.GET
        return [StructRenderer()] if polls else super().get_renderers()

    @extend_schema(
        operation_id="events",
        summary="The events of a match, as they come",
        description="Each entry of the log once and in order, as you may see it: an `Event` with "
        "its `view`. As server-sent events, whose `id` is the version; as lines of JSON with "
        "`Accept: application/x-ndjson`; or, with `wait`, as a long poll. A stream goes on until "
        "the match is over. If it ends, ask again with the version you saw last: 204 says that "
        "nothing more will come.",
        parameters=[
            OpenApiParameter("after", int, description="Only events after that version."),
            OpenApiParameter(
                "wait", int, description="Answer with JSON, after so many seconds at most: 0 to 60."
            ),
            OpenApiParameter(
                "Last-Event-ID",
                int,
                OpenApiParameter.HEADER,
                description="As `after`, and before it: browsers send it when they come back.",
            ),
            KEY,
        ],
        responses={
            (200, SSE.media_type): {"type": "string", "description": "Each `data` is an Event."},
            (200, LINES.media_type): {"type": "string", "description": "Each line is an Event."},
            (200, "application/json"): ref("Events"),
            204: None,
        },
        extensions={"x-problems": ["not-acceptable", "too-many-streams", "streams-full"]},
    )
    def get(self, request: Request, id: UUID) -> HttpResponse:
        match = visible(id, request)
        after = seen(request, match)
        wait = number(request, "wait", 0, 0, LONGEST_WAIT)
        form = FORMS.get(request.accepted_renderer.media_type)
        found = events.read(match, reader(request), after, match.version)
        sent = found[-1].version if found else after
        done = match.over and sent == match.version
        if form and done and not found:
            return HttpResponse(status=204)
        if form:
            end = form.end if done else b""
            body = form.opening + b"".join(map(form.event, found)) + end
        else:
            body = events.polled(found, None if done else following(request, id)(sent))
        response = HttpResponse(body, content_type=form.media_type if form else "application/json")
        if request.method == "GET" and not done and (form or (wait and not found)):
            response.stream = stream = Stream(  # type: ignore[attr-defined]
                match=match,
                player=reader(request),
                address=address(request),
                key=key(request),
                credential=credential(request),
                sent=sent,
                form=form,
                wait=wait,
                following=following(request, id),
            )
            if feeds := getattr(request, "feeds", None):  # this server can hold it
                feeds.held.check(*stream.holder)
        return response


def seen(request: Request, match: Match) -> int:
    """The version of the last event that the reader has. Raises ValidationError."""
    text = request.headers.get("Last-Event-ID")
    if text is None:
        return number(request, "after", 0, 0, match.version)
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= match.version):
        raise ValidationError({"Last-Event-ID": "Send the id of an event of this match."})
    return int(text)


def following(request: Request, match_id: UUID) -> Callable[[int], str]:
    """The address of the events after a version, asked for in the same way."""
    query = request.query_params.copy()

    def of(version: int) -> str:
        query["after"] = str(version)
        return f"{reverse('events', args=[match_id])}?{query.urlencode()}"

    return of
