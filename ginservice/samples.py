"""Examples of answers for the OpenAPI document, made by playing, so that they are never stale."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from games import bots, coach
from games.answers import (
    AnalysisBody,
    Dry,
    EventsBody,
    MatchBody,
    MatchLine,
    deal_line,
    event_body,
    game_body,
    match_body,
)
from games.engine import GAMES, log
from games.engine.clock import Clock
from games.engine.shuffle import SECRET_BYTES, commitment
from games.events import LINES, SSE, Event, Form, event
from games.models import Deal, Match
from games.replays import Step
from games.services.hints import advised
from games.services.practice import Prospect

GAME, RULES = "gin", GAMES["gin"]
AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
EVENTS = "/api/v1/matches/{id}/events"
MATCH = UUID("019a3c5e-7d52-7c30-9b1e-0f6f1f1c2a77")
ANN = UUID("019a3c5e-1a04-7b11-8c55-5e0c9a1d7f42")


def add_samples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: an example for every answer that tells of a match."""
    made = samples()
    for name, sample in made.items():
        told = msgspec.json.decode(msgspec.json.encode(sample, enc_hook=str))
        result["components"]["schemas"][name]["examples"] = [told]
    content = result["paths"][EVENTS]["get"]["responses"]["200"]["content"]
    for form in (SSE, LINES):
        content[form.media_type]["example"] = streamed(form, made["Events"])
    return result


def streamed(form: Form, polled: EventsBody) -> str:
    """The events of a long poll as a stream has them."""
    bodies = [bytes(row) for row in polled.results]
    found = [Event(msgspec.json.decode(body)["version"], body) for body in bodies]
    return (form.opening + b"".join(map(form.event, found))).decode()


def samples() -> dict[str, Any]:
    """By component: what ann, in seat 0 against a bot, is answered early in the second deal."""
    clock = Clock(seconds=60)
    match = Match.opened(GAME, RULES.Options(), 2, clock, id=MATCH, created_at=AT, started_at=AT)
    match.secret = bytes(range(SECRET_BYTES))
    match.commitment, match.names = commitment(match.secret), ["ann", None]
    steps = list(played(match))
    position = steps[-1].position
    dealt = [step for step in steps if step.position.table is None]
    second = next(step for step in dealt if step.position.state.deal == 2)
    first = Deal(
        number=1,
        dealer=dealt[0].position.state.dealer,
        first_version=dealt[0].position.version,
        last_version=second.position.version - 1,
        result=log.plain(second.position.state.result),
        started_at=AT,
        ended_at=AT,
    )
    whole = match_body(match, position, 0)
    last = [event(match, step, {}, 0) for step in steps[-2:]]
    following = f"/api/v1/matches/{MATCH}/events?after={position.version}&wait=25"
    draw = RULES.legal_actions(position.state)[0]
    foresight = RULES.foresee(position.state, draw)
    return {
        "Match": whole,
        "MatchLine": line_of(whole),
        "Event": event_body(RULES, {}, steps[-1], 0),
        "Events": EventsBody([msgspec.Raw(each.body) for each in last], following),
        "Deal": deal_line(first),
        "Analysis": analysed(),
        "DryRun": Dry(position.version, draw, RULES.words(draw, None), foresight),
        "Game": game_body(GAME, RULES),
        "Hint": advised(GAME, position, 0),
        "Prospect": prospect(),
    }


def prospect() -> Prospect:
    """Of a deal of Pyramid that can be cleared: the way there."""
    game, number, version = "pyramid", 8, 3
    rules: Any = GAMES[game]
    options = rules.Options(practice=True, deal_number=number)
    started = [log.Entry(log.TABLE, log.Started())]
    *_, (_, dealt) = log.follow(rules, options, log.opened(1), started, b"")
    return Prospect(version, "yes", bots.clearable(game, rules.revealed(dealt.state)).line)


@cache
def analysed() -> AnalysisBody:
    """What the coach says of that match, where one decision was judged."""
    match = Match.opened(GAME, RULES.Options(), 2, id=MATCH)
    match.secret = bytes(range(SECRET_BYTES))
    steps = list(played(match))
    before, step = next(
        pair for pair in pairwise(steps) if type(pair[1].entry.action).__name__ == "Discard"
    )
    judged = coach.judge(GAME, RULES, before.position, step.entry, str(MATCH))
    assert judged is not None
    result = steps[-1].position.state.result
    findings = coach.found(2, [judged], [], {result.deal: result.points})
    return AnalysisBody("done", 1, 1, AT, AT, None, findings)


def line_of(whole: MatchBody) -> MatchLine:
    """The match as lists tell it."""
    deadline = whole.awaiting.deadline if whole.awaiting else None
    fields = [field for field in MatchLine.__struct_fields__ if field != "deadline"]
    return MatchLine(deadline=deadline, **{field: getattr(whole, field) for field in fields})


def played(match: Match) -> Iterator[Step]:
    """A match of ann against a bot until she is to draw for the second time in the second deal."""
    rng, position = Random(1), log.opened(2, match.timing)
    entries = [
        log.Entry(log.TABLE, log.Joined(0, player=str(ANN), entropy=""), AT),
        log.Entry(log.TABLE, log.Joined(1, bot="easy", entropy=""), AT),
        log.Entry(log.TABLE, log.Started(""), AT),
    ]
    turns = 0
    while turns < 2:
        before = position
        for entry, position in log.follow(RULES, match.chosen, before, entries, match.secret):
            yield Step(entry, AT, position)
        state = position.state
        turns += (state.deal, state.turn, state.phase) == (2, 0, "draw")
        seen = RULES.view(state, state.turn)
        entries = [log.Entry(state.turn, bots.choose(GAME, seen, "easy", rng), AT)]
