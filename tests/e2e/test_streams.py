"""Streams over real processes: nothing is lost or told twice, whatever is killed beneath them."""

import os
import signal
import time

import psutil
import redis

from ginservice.embedded import addresses
from tests.e2e.listeners import FORMS, Listener
from tests.e2e.players import look, new_match, play_out
from tests.processes import eventually


def replayed(service, token, match):
    """Every event of the match as replays tell it."""
    last = look(service, token, match)["version"]
    path = f"/api/v1/matches/{match['id']}/replay?at="
    return [service.call("GET", f"{path}{at}", token=token)[1] for at in range(1, last + 1)]


def test_all_who_listen_hear_the_whole_match(service):
    token = service.guest()
    match = new_match(service, token)
    listeners = [Listener(service.url, token, match, form) for form in FORMS]

    assert play_out(service, token, match)["status"] == "finished"

    expected = replayed(service, token, match)
    for listener in listeners:
        assert listener.result() == expected


CRASH_LOOP = 6
"""Seconds within which granian takes a second death for a crash loop, and ends; it is 5.5."""


def kill_web_worker(service):
    """The process that holds the streams; its parent starts another."""
    before = psutil.Process(service.pids["web"]).children()
    for process in before:
        process.kill()
    eventually(lambda: set(psutil.Process(service.pids["web"]).children()) - set(before))
    eventually(lambda: service.answers())


def test_nothing_is_lost_or_told_twice_when_redis_and_the_web_are_killed(start_service):
    service = start_service()
    token = service.guest()
    match = new_match(service, token, seats=[{"bot": "easy"}] * 2, options={"target": 250})
    listeners = [Listener(service.url, token, match, form) for form in [*FORMS, *FORMS]]
    eventually(lambda: all(listener.last > 10 for listener in listeners))

    kill_web_worker(service)
    killed = time.monotonic()
    heard = max(listener.last for listener in listeners)
    eventually(lambda: all(listener.last > heard for listener in listeners))
    with redis.Redis.from_url(addresses.valkey_url(service.data_dir)) as client:
        client.flushall()
    service.kill_valkey()
    time.sleep(1)
    service.start_valkey()
    heard = max(listener.last for listener in listeners)
    eventually(lambda: all(listener.last > heard for listener in listeners))
    time.sleep(max(0, killed + CRASH_LOOP - time.monotonic()))
    kill_web_worker(service)

    eventually(lambda: look(service, token, match)["status"] == "finished", 300)
    expected = replayed(service, token, match)
    for listener in listeners:
        assert listener.result() == expected
        assert listener.cut >= 2
    for event in ("request_failed", "streams_not_checked", "redis_told_nonsense"):
        assert event not in service.log


def test_held_streams_end_with_the_service_at_once(start_service):
    service = start_service(WORKER_PROCESSES="0")
    token = service.guest()
    match = new_match(service, token, seats=["me", "open"])
    listeners = [Listener(service.url, token, match, form) for form in FORMS]
    eventually(lambda: all(listener.heard for listener in listeners))
    web = psutil.Process(service.pids["web"])
    os.kill(service.process.pid, signal.SIGTERM)

    _, living = psutil.wait_procs([web], timeout=10)

    assert not living, "streams hold the server up: it would have been killed after a while"
    assert service.process.wait(60) == 0
    assert "killed" not in service.log
    for listener in listeners:
        listener.over = True
