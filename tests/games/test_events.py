"""The events of a match: in three forms the same, in order, each as its reader may know it."""

import json

import pytest

from games import events as written
from games.models import Match
from games.services import tables
from tests.games.people import WINNING, Person, played, refused, sit
from tests.listening import events

SSE, LINES = "text/event-stream", "application/x-ndjson"
ALL = ("draw", "discard 5S", "draw", "discard 2D")


def told(person, match, query="", accept="*/*", **headers):
    response = person.get(f"/matches/{match.pk}/events{query}", Accept=accept, **headers)
    assert response.status_code == 200, response.content
    return events(response.content, response["Content-Type"])


def versions(found):
    return [event["version"] for event in found]


def followed(person, match):
    """What who polls is told until he has all that there is."""
    path, found = f"/matches/{match.pk}/events?wait=0", []
    while path:
        body = person.get(path).json()
        if not body["results"]:
            break
        found += body["results"]
        path = body["next"]
    return found


def resumed(person, match, accept):
    """What who comes back again and again is told, until he has all."""
    found = []
    while True:
        last = str(found[-1]["version"]) if found else "0"
        path = f"/matches/{match.pk}/events"
        response = person.get(path, Accept=accept, Last_Event_ID=last)
        new = events(response.content, accept)
        if not new:
            return found
        found += new


@pytest.mark.parametrize("page", [1, 3, 100])
def test_the_same_events_come_in_every_form_and_are_those_of_replays(
    ann, bob, eve, nobody, monkeypatch, page
):
    match = played(sit(ann, bob), *ALL)
    monkeypatch.setattr(written, "PAGE", page)

    for person in (ann, bob, eve, nobody):
        path = f"/matches/{match.pk}/replay?at="
        replayed = [person.get(f"{path}{at}").json() for at in range(1, match.version + 1)]
        assert versions(replayed) == list(range(1, 10))
        assert resumed(person, match, SSE) == replayed
        assert resumed(person, match, LINES) == replayed
        assert followed(person, match) == replayed


def test_server_sent_events_are_what_is_asked_for_by_nobody_in_particular(ann, bob):
    match = sit(ann, bob)

    response = ann.get(f"/matches/{match.pk}/events?after=4")

    assert response["Content-Type"] == SSE
    first, second, end = response.content.split(b"\n\n")
    assert first == b"retry: 1000"
    assert second.startswith(b'id: 5\ndata: {"version":5,')
    assert end == b""


def test_lines_and_polls_are_json(ann, bob):
    match = sit(ann, bob)

    assert versions(told(ann, match, "?after=3", LINES)) == [4, 5]
    body = ann.get(f"/matches/{match.pk}/events?after=3&wait=5").json()
    assert versions(body["results"]) == [4, 5]
    assert body["next"] == f"/api/v1/matches/{match.pk}/events?after=5&wait=5"
    asked = ann.get(f"/matches/{match.pk}/events?after=5", Accept="application/json").json()
    assert asked == {"results": [], "next": f"/api/v1/matches/{match.pk}/events?after=5"}


def test_the_last_event_s_id_goes_before_the_query(ann, bob):
    match = sit(ann, bob)

    assert versions(told(ann, match, "?after=1", Last_Event_ID="3")) == [4, 5]


@pytest.mark.parametrize("accept", [SSE, LINES])
def test_a_match_that_is_over_is_told_whole_and_then_has_no_content(ann, bob, accept):
    match = played(sit(ann, bob, target=50), *WINNING)

    found = told(ann, match, accept=accept)
    assert versions(found) == list(range(1, match.version + 1))
    after = ann.get(f"/matches/{match.pk}/events?after={match.version}", Accept=accept)
    assert (after.status_code, after.content) == (204, b"")
    ann.post(f"/matches/{match.pk}/rematch")
    [rematched] = told(ann, match, f"?after={match.version}", accept)
    assert rematched["last"]["action"]["type"] == "rematched"


def test_a_poll_of_a_match_that_is_over_has_no_next(ann, bob, monkeypatch):
    match = played(sit(ann, bob, target=50), *WINNING)
    monkeypatch.setattr(written, "PAGE", 3)

    path = f"/matches/{match.pk}/events?wait=30&after="
    assert ann.get(f"{path}{match.version - 4}").json()["next"]
    assert ann.get(f"{path}{match.version - 3}").json()["next"] is None
    assert ann.get(f"{path}{match.version}").json() == {"results": [], "next": None}


def test_where_no_stream_can_be_held_the_answer_ends_and_the_reader_comes_back(ann, bob):
    """As behind WSGI, which this client is. The ASGI application goes on: see test_streams."""
    match = sit(ann, bob)

    for query in ("", "?after=5&wait=60"):
        response = ann.get(f"/matches/{match.pk}/events{query}")
        assert response.stream.sent == 5
    for query in ("?after=5&wait=0", "?after=4&wait=60"):
        assert not hasattr(ann.get(f"/matches/{match.pk}/events{query}"), "stream")
    head = ann.send("HEAD", f"/matches/{match.pk}/events", b"")
    assert (head.status_code, hasattr(head, "stream")) == (200, False)


# Refusals


def test_a_private_match_is_not_found_but_by_its_key(ann, bob, eve, nobody):
    match = tables.create_match(ann.player, "gin", {}, ["me", "open"], "private")

    for person in (eve, nobody):
        refused(person.get(f"/matches/{match.pk}/events", Accept=SSE), 404, "not-found")
        assert versions(told(person, match, f"?key={match.key}")) == [1]
    assert "key=" in nobody.get(f"/matches/{match.pk}/events?wait=0&key={match.key}").json()["next"]
    refused(ann.get("/matches/019a3c5e-7d52-7c30-9b1e-0f6f1f1c2a77/events"), 404, "not-found")


def test_a_token_that_is_none_is_refused(ann, bob):
    match = sit(ann, bob)
    stranger = Person()
    stranger.token = "gin_nonsense"

    refused(stranger.get(f"/matches/{match.pk}/events", Accept=SSE), 401, "invalid-token")


def test_another_form_is_refused(ann, bob):
    path = f"/matches/{sit(ann, bob).pk}/events"

    refused(ann.get(path, Accept="application/xml"), 406, "not-acceptable")
    refused(ann.get(f"{path}?wait=5", Accept=SSE), 406, "not-acceptable")


@pytest.mark.parametrize(
    "query", ["after=6", "after=-1", "after=x", "after=", "wait=61", "wait=-1", "wait=1.5", "wait="]
)
def test_a_number_that_cannot_be_is_named(ann, bob, query):
    match = sit(ann, bob)

    body = refused(ann.get(f"/matches/{match.pk}/events?{query}"), 400, "malformed")

    assert body["errors"][0]["parameter"] == query.partition("=")[0]


@pytest.mark.parametrize("last", ["6", "x", "-1", "", "99999999999", "²"])
def test_a_last_event_that_was_none_is_named(ann, bob, last):
    match = sit(ann, bob)

    response = ann.get(f"/matches/{match.pk}/events", Last_Event_ID=last)

    assert refused(response, 400, "malformed")["errors"][0]["parameter"] == "Last-Event-ID"


def test_before_anything_has_happened_there_is_nothing(ann, bob):
    match = sit(ann, bob)
    Match.objects.filter(pk=match.pk).update(version=0)

    assert told(ann, match) == []
    assert json.loads(ann.get(f"/matches/{match.pk}/events?wait=0").content)["results"] == []
