"""Events as they are written: each entry of the log as one reader saw it, in one of three forms."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from games import replays
from games.answers import EventsBody, event_body
from games.models import Match
from games.replays import Step
from games.services.moves import seat_of
from players.models import Player

PAGE = 100
"""Events read at once for who has missed many."""


class Event(NamedTuple):
    """An event for one reader: its version, and its JSON."""

    version: int
    body: bytes


class Form(NamedTuple):
    """How a stream is written: before the first event, each event, while there is none, and
    after the last of a match that is over."""

    media_type: str
    opening: bytes
    event: Callable[[Event], bytes]
    heartbeat: bytes
    end: bytes


SSE = Form(
    media_type="text/event-stream",
    opening=b"retry: 1000\n\n",
    event=lambda event: b"id: %d\ndata: %s\n\n" % event,
    heartbeat=b": still here\n\n",
    end=b": the match is over\n\n",
)
LINES = Form(
    media_type="application/x-ndjson",
    opening=b"",
    event=lambda event: event.body + b"\n",
    heartbeat=b"\n",
    end=b"",
)


def read(match: Match, player: Player | None, after: int, until: int) -> list[Event]:
    """The next page of events at versions after+1 .. until, for a player or a spectator."""
    steps = list(replays.steps(match, after, min(after + PAGE, until)))
    names = replays.names_in(steps)
    return [event(match, step, names, seat_in(step, player)) for step in steps]


def event(match: Match, step: Step, names: dict[str, str], seat: int | None) -> Event:
    body = event_body(match.rules, names, step, seat, with_view=True)
    return Event(step.position.version, msgspec.json.encode(body, enc_hook=str))


def seat_in(step: Step, player: Player | None) -> int | None:
    return None if player is None else seat_of(step.position, player)


def polled(events: Iterable[Event], following: str | None) -> bytes:
    """The answer to a long poll; `following`: where to ask next."""
    rows = [msgspec.Raw(each.body) for each in events]
    return msgspec.json.encode(EventsBody(rows, following))
