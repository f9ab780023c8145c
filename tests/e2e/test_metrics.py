"""Metrics of real processes: the web's, a worker's children's and the streams', at one door."""

import os
import re
import signal

from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.listeners import Listener
from tests.e2e.players import new_match, play_out
from tests.processes import ROOT, eventually


def metrics(service):
    """Families by their names."""
    status, text = service.call("GET", "/metrics")
    assert status == 200, text
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(service, name, **labels):
    family = metrics(service)[re.sub("_(total|count|sum)$", "", name)]
    return sum(
        sample.value
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def moves(service):
    """Those stored by players, by bots, and those answered by HTTP."""
    route = {"method": "POST", "route": "api/v1/matches/<uuid:id>/moves", "status": "201"}
    stored = [
        value(service, "ginservice_moves_total", game="gin", by=by) for by in ("player", "bot")
    ]
    return (*stored, value(service, "ginservice_request_seconds_count", **route))


def test_every_metric_is_there_after_a_match_with_a_bot(service):
    token = service.guest()
    play_out(service, token, new_match(service, token))  # whatever is counted has been
    before = moves(service)
    match = play_out(service, token, new_match(service, token))
    by_player, by_bot, answered = (
        new - old for new, old in zip(moves(service), before, strict=True)
    )

    _, history = service.call("GET", f"/api/v1/matches/{match['id']}/moves?limit=1000", None, token)
    seats = [event["last"]["seat"] for event in history["results"]]
    assert (by_player, by_bot) == (seats.count(0), seats.count(1))
    assert answered == by_player
    assert value(service, "ginservice_bot_turn_seconds_count", game="gin", level="easy") >= by_bot
    assert value(service, "ginservice_reachable") == 2
    page = (ROOT / "docs/operations.md").read_text()
    told = re.findall(r"^\| `(ginservice_\w+)` \|", page, re.MULTILINE)
    assert set(metrics(service)) == {name.removesuffix("_total") for name in told}


def test_a_stream_counts_while_it_is_held(service):
    token = service.guest()
    match = new_match(service, token)
    before = value(service, "ginservice_streams_held")
    listener = Listener(service.url, token, match, "sse")
    eventually(lambda: value(service, "ginservice_streams_held") == before + 1)
    assert service.call("POST", f"/api/v1/matches/{match['id']}/resignation", {}, token)[0] < 300
    listener.future.result(60)
    eventually(lambda: value(service, "ginservice_streams_held") == before)


def test_what_a_killed_process_held_is_not_told_and_what_it_counted_is(start_service):
    service = start_service()
    token = service.guest()
    play_out(service, token, new_match(service, token))
    turns = value(service, "ginservice_bot_turn_seconds_count")
    before = service.pids["worker"]
    os.kill(before, signal.SIGKILL)
    eventually(lambda: service.pids["worker"] != before)
    assert value(service, "ginservice_bot_turn_seconds_count") >= turns > 0
