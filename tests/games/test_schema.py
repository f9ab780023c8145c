"""The OpenAPI document and the service agree: examples work, and every answer fits its schema."""

import json
import re
from functools import cache

import pytest
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from games import coach
from games.engine import pyramid
from games.models import Analysis, Match
from games.services import ends, tables
from games.tasks import analyse, play_bot_turn
from players.models import Player
from tests import listening
from tests.games.people import WINNING, Person, late, played, sit
from tests.games.practising import deck

HERE = ("games", "matches", "leaderboards")
HERE_TOO = ("/api/v1/me/invites", "/api/v1/players/{name}/stats")


@cache
def document():
    return json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))


def operations():
    for path, methods in document()["paths"].items():
        if path.split("/")[3] in HERE or path in HERE_TOO:
            for method, operation in methods.items():
                yield path, method, operation


def examples():
    for path, method, operation in operations():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            for name, example in media.get("examples", {}).items():
                yield pytest.param(method, path, example["value"], id=f"{path} {name}")


# Examples of requests, each sent as it stands


TABLES = {
    "join": lambda ann, bob: sit(bob, "open"),
    "start": lambda ann, bob: tables.create_match(
        ann.player, "gin", {}, ["me", tables.Wish(bot="easy")], starts="later"
    ),
    "continue_match": lambda ann, bob: ends.resign(sit(ann, bob).pk, bob.player),
    "claim": lambda ann, bob: late(sit(bob, ann, clock={"days": 3})),
}
"""The match that an operation's examples are sent to, where it is not this one, at version 4."""


def table(operation_id, ann, bob):
    return TABLES.get(operation_id, lambda ann, bob: sit(ann, "easy"))(ann, bob)


@pytest.mark.parametrize(("method", "path", "body"), list(examples()))
def test_an_example_works_as_it_stands(ann, bob, script, method, path, body):
    script(deck(8))  # which can be cleared
    match = table(document()["paths"][path][method]["operationId"], ann, bob)

    response = ann.send(method.upper(), path.format(id=match.pk), body)

    assert response.status_code in (200, 201), response.content


def test_every_body_that_can_be_sent_has_an_example():
    sent = [path for path, _, operation in operations() if "requestBody" in operation]

    assert sent
    assert set(sent) == {example.values[1] for example in examples()}


# Answers


def closed(schema, name=""):
    """The schema with no other properties than those it names, so that none stays untold."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    within = {key: closed(value, key) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and name != "Problem":
        within.setdefault("additionalProperties", False)
    return within


@cache
def validator(path, method, status, media):
    responses = document()["paths"][path][method]["responses"]
    described = responses.get(status, responses["default"])
    schema = closed(described["content"][media]["schema"])
    components = closed(document()["components"])
    return Draft202012Validator(
        {**schema, "components": components}, format_checker=FormatChecker()
    )


STREAMED = ("text/event-stream", "application/x-ndjson")


@cache
def event_validator():
    components = closed(document()["components"])
    return Draft202012Validator(
        {"$ref": "#/components/schemas/Event", "components": components},
        format_checker=FormatChecker(),
    )


class Witness(Person):
    """A person who holds every answer against the document, and notes what he has seen."""

    seen: set[tuple[str, int]] = set()

    def send(self, method, path, body=None, **headers):
        response = super().send(method, path, body, **headers)
        route = "/" + response.resolver_match.route
        route = re.sub("<[a-z]+:([a-z]+)>", r"{\1}", route)
        operation = document()["paths"][route][method.lower()]
        self.seen.add((operation["operationId"], response.status_code))
        if response.status_code in (204, 304):
            assert not response.content
            return response
        if response.streaming:
            assert response["Content-Type"] == "application/x-ndjson"
            return response
        media = response["Content-Type"]
        expected = validator(route, method.lower(), str(response.status_code), media)
        if media in STREAMED:
            expected = event_validator()
        told = listening.events(response.content, media) if media in STREAMED else [response.json()]
        errors = [error.message for each in told for error in expected.iter_errors(each)]
        assert not errors, (method, path, errors)
        return response


def looked_at(match, *people):
    """Every address of the match, as each person is answered."""
    for person in people:
        for name in ("match", "moves", "deals", "replay", "export"):
            person.get(reverse(name, args=[match.pk]))
        for query in ("seat=0", "seat=1", "seat=spectator", "seat=all", "at=1", "limit=2"):
            person.get(f"/matches/{match.pk}/moves?{query}")
            person.get(f"/matches/{match.pk}/replay?{query}")
        for accept in (*STREAMED, "application/json", "text/html"):
            person.get(f"/matches/{match.pk}/events", Accept=accept)
        person.get(f"/matches/{match.pk}/deals/1")
        person.get("/matches")
        known = person.get(f"/matches/{match.pk}")["ETag"]
        person.get(f"/matches/{match.pk}", If_None_Match=known)


def tables_come_and_go(ann, bob, eve, nobody):
    """Opened, found, refused, left, closed; with a key; by play now."""
    seats = ["me", {"invite": "bob"}]
    body = {"game": "gin", "seats": seats, "visibility": "private"}
    told = ann.post("/matches", body).json()
    match = Match.objects.get(pk=told["id"])
    for query in ("", f"?key={told['key']}"):
        nobody.get(f"/matches/{match.pk}{query}")
    for person in (nobody, bob, eve):
        person.get("/me/invites?limit=1")
        person.get("/matches?seats=open&preset=arcade&min_rating=900")
    for person in (eve, bob, bob, ann):
        person.send("DELETE", f"/matches/{match.pk}/seats/me")
    looked_at(Match.objects.get(pk=match.pk), ann)
    for person in (nobody, ann, bob, ann):
        person.post("/matches/quick", {"game": "gin"})
    for person in (eve, ann):
        match = Match.objects.get(status="playing", created_by=ann.player)
        person.send("DELETE", f"/matches/{match.pk}/seats/me")


def time_runs_out(ann, bob, eve, nobody):
    """Of ann, who is too late; bob claims a bot, then what is left."""
    match = sit(ann, bob, clock={"seconds": 60})
    for person in (bob, ann, eve, nobody):
        person.post(f"/matches/{match.pk}/claims", {"take": "bot"})
    late(match)
    ann.move(match, "draw")
    looked_at(match, ann)
    bob.post(f"/matches/{match.pk}/claims", {"take": "bot"})
    bob.post(f"/matches/{match.pk}/claims", {"take": "win"})
    looked_at(Match.objects.get(pk=match.pk), ann, bob, eve)
    match = sit(ann, bob)
    for person in (eve, bob, ann):
        person.post(f"/matches/{match.pk}/abort")
    looked_at(Match.objects.get(pk=match.pk), bob)


def scores_are_posted(ann, bob):
    match = sit(ann, game="pyramid")
    ann.post(f"/matches/{match.pk}/score")
    ends.resign(match.pk, ann.player)
    for person in (bob, ann, ann):
        person.get(f"/matches/{match.pk}/score")
        person.post(f"/matches/{match.pk}/score")


def practice_is_helped(ann, bob):
    for number in (8, 2):  # which can be cleared, and cannot
        match = sit(ann, game="pyramid", practice=True, deal_number=number)
        for person in (ann, bob):
            person.get(f"/matches/{match.pk}/hint")
            person.post(f"/matches/{match.pk}/clearable")
            person.post(f"/matches/{match.pk}/restart")
    match = sit(ann, game="pyramid")
    ann.get(f"/matches/{match.pk}/hint")
    for game in ("gin", "rummy"):
        ann.get(f"/matches/{sit(ann, bob, game=game, rated=False).pk}/hint")
    ann.post(f"/matches/{match.pk}/clearable")
    undo = {"version": match.version, "action": {"type": "undo"}}
    ann.post(f"/matches/{match.pk}/moves", undo)


def a_match_is_analysed(match, *people):
    for _ in range(2):
        for person in people:
            person.post(f"/matches/{match.pk}/analysis")
            person.get(f"/matches/{match.pk}/analysis")
        analysis = Analysis.objects.get(match=match)
        while analysis.status in ("queued", "running"):
            analyse(str(analysis.pk), analysis.done)
            analysis.refresh_from_db()
    assert analysis.status == "done"


def boards_and_stats_are_read(ann, *others):
    for person in (ann, *others):
        for game in ("gin", "pyramid", "chess"):
            for query in ("", "period=day&limit=1", "period=week", "around=me", "period=year"):
                page = person.get(f"/leaderboards/{game}?{query}").json()
                while page.get("next"):
                    page = person.get(page["next"]).json()
        for name in ("ann", "bob", "zoe"):
            person.get(f"/players/{name}/stats")


@pytest.fixture
def people(db):
    Witness.seen = set()
    players = [Player.objects.create(name=name) for name in ("ann", "bob", "eve")]
    return [Witness(player) for player in players] + [Witness()]


def test_every_answer_during_a_whole_match_fits_its_schema(people, game, monkeypatch):
    for samples in ("SCREENED", "FEWEST", "MOST"):
        monkeypatch.setattr(coach, samples, 16)
    game("pyramid", pyramid)
    ann, bob, eve, nobody = people
    nobody.get("/games")
    nobody.post("/matches", {})
    seats = ["me", {"invite": "bob"}]
    body = {"game": "gin", "seats": seats, "start": "later", "options": {"target": 120}}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    looked_at(match, ann, nobody)
    ann.post(f"/matches/{match.pk}/start")
    bob.post(f"/matches/{match.pk}/seats", {})
    eve.post(f"/matches/{match.pk}/seats", {"seat": 7})
    ann.post(f"/matches/{match.pk}/start")

    for line in (*WINNING, "take", "discard 5S", "draw", "discard KD", *WINNING, *WINNING):
        match = Match.objects.get(pk=match.pk)
        mover, other = (ann, bob) if match.turn == 0 else (bob, ann)
        mover.move(match, "finish" if line != "finish" else "draw")
        other.move(match, "draw")
        mover.move(match, line, version=1)
        mover.move(match, line, query="?dry_run=true")
        if mover.move(match, line).status_code != 201:
            break
        if line in ("take", "finish"):
            looked_at(Match.objects.get(pk=match.pk), ann, nobody)
    ann.post(f"/matches/{match.pk}/resignation")
    looked_at(Match.objects.get(pk=match.pk), *people)
    for person, version in ((bob, 1), (eve, 5), (nobody, 5), (ann, 999)):
        made = person.post(f"/matches/{match.pk}/continuations", {"version": version})
        if made.status_code == 201:
            looked_at(Match.objects.get(pk=made.json()["id"]), eve, ann)
    a_match_is_analysed(match, *people)
    bob.post(f"/matches/{match.pk}/rematch")
    ann.post(f"/matches/{match.pk}/rematch")
    ann.post(f"/matches/{match.pk}/resignation")
    eve.move(match, "draw")
    looked_at(Match.objects.get(pk=match.pk), *people)
    tables_come_and_go(*people)
    time_runs_out(*people)
    scores_are_posted(ann, bob)
    practice_is_helped(ann, bob)
    boards_and_stats_are_read(*people)

    told = {operation["operationId"] for _, _, operation in operations()}
    assert told == {name for name, status in Witness.seen if status < 400}, "all were asked"
    assert {status for _, status in Witness.seen} >= {
        *(200, 201, 204, 304, 400, 401, 403, 404, 409, 422)
    }


def test_every_answer_about_a_match_of_bots_fits_its_schema(people):
    ann, *_ = people
    seats = [{"bot": "easy"}, {"bot": "random"}]
    body = {"game": "gin", "seats": seats, "options": {"preset": "classic", "max_deals": 2}}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    while match.status == "playing":
        play_bot_turn(str(match.pk), match.version)
        match.refresh_from_db()
    for at in range(1, match.version + 1, 3):
        ann.get(f"/matches/{match.pk}/replay?at={at}&seat=all")
    looked_at(match, ann)


@pytest.mark.parametrize(
    "name", ["Match", "View", "GinView", "GinAction", "GinResult", "Event", "Stats"]
)
def test_what_a_match_is_made_of_is_described_and_not_just_an_object(name):
    schema = document()["components"]["schemas"][name]

    assert schema.get("properties") or schema.get("anyOf")


def test_an_answer_with_something_missing_or_more_would_be_seen(ann, bob):
    match = played(sit(ann, bob), "draw")
    body = ann.get(f"/matches/{match.pk}").json()
    expected = validator("/api/v1/matches/{id}", "get", "200", "application/json")
    assert expected.is_valid(body)

    del body["view"]["hand_sizes"]
    assert not expected.is_valid(body)
    body = ann.get(f"/matches/{match.pk}").json() | {"hidden": 1}
    assert not expected.is_valid(body)
