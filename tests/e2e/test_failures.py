"""Workers killed in the middle of a bot's turn, and Redis gone: no move lost, nobody stuck."""

import signal
import time

import psutil
import pytest

from tests.e2e.conftest import children
from tests.e2e.players import look, new_match, play_one, play_out, wait_for_turn
from tests.processes import eventually

SECONDS = 15
"""Until the sweep finds a lost turn: BOT_TURN_SECONDS, two sweeps, and a worker's start."""


LATER = """
from django.db.models import F
from games.services.analyses import LEASE
Analysis.objects.update(queued_at=F("queued_at") - LEASE, taken_at=F("taken_at") - LEASE)
"""
"""As if the longest time had passed that any worker may be at a piece."""


def leave_the_turn_to_the_bot(service, token):
    """A match in which the bot is to move."""
    match = new_match(service, token)
    while match["turn"] == match["you"]:
        match = play_one(service, token, match)
    assert match["awaiting"]["bot"] == "easy"
    return match


def freeze(worker):
    """The children take their next turn and get no further: now they are in the middle of it."""
    for child in children(worker):
        child.send_signal(signal.SIGSTOP)


@pytest.mark.parametrize("victims", ["children", "parent and children"])
def test_a_worker_killed_in_a_bot_s_turn_costs_seconds_and_no_move(start_service, victims):
    service = start_service(WORKER_PROCESSES="0")
    worker = service.start_worker()
    token = service.guest()
    play_out(service, token, new_match(service, token))  # the worker is warm
    freeze(worker)
    match = leave_the_turn_to_the_bot(service, token)
    time.sleep(1)  # the message has reached a frozen child
    assert look(service, token, match)["version"] == match["version"]
    doomed = children(worker)
    if victims != "children":
        worker.kill()
    for child in doomed:
        child.kill()
    if victims != "children":
        worker.wait()
        service.start_worker()
    killed = time.monotonic()
    match = wait_for_turn(service, token, match)
    assert time.monotonic() - killed < SECONDS
    assert play_out(service, token, match)["status"] == "finished"
    assert service.manage("verify_logs").returncode == 0


def test_make_run_starts_a_killed_worker_again(start_service):
    service = start_service()
    token = service.guest()
    play_out(service, token, new_match(service, token))
    worker = psutil.Process(service.pids["worker"])
    family = [*worker.children(), worker]
    for process in family[:-1]:
        process.send_signal(signal.SIGSTOP)  # they take their next turn and get no further
    match = leave_the_turn_to_the_bot(service, token)
    time.sleep(1)
    for process in family[::-1]:
        process.kill()
    killed = time.monotonic()
    match = wait_for_turn(service, token, match)
    assert time.monotonic() - killed < SECONDS
    assert play_out(service, token, match)["status"] == "finished"
    assert service.manage("verify_logs").returncode == 0


def test_a_broker_killed_again_and_again_takes_no_worker_with_it(start_service):
    """With turns in the workers' hands; gracefully stopped it has none to lose."""
    service = start_service()
    token = service.guest()
    worker = service.pids["worker"]
    bots = {"options": {"target": 10_000}, "seats": [{"bot": "easy"}, {"bot": "easy"}]}
    matches = [new_match(service, token, **bots) for _ in range(3)]
    for _ in range(3):
        service.kill_valkey()
        time.sleep(1)
        before = [look(service, token, match)["version"] for match in matches]
        service.start_valkey()
        for match, version in zip(matches, before, strict=True):
            eventually(lambda m=match, v=version: look(service, token, m)["version"] > v)
    assert service.pids["worker"] == worker
    assert "Unrecoverable error" not in service.log
    assert play_out(service, token, new_match(service, token))["status"] == "finished"
    assert service.manage("verify_logs").returncode == 0


def test_without_redis_moves_succeed_and_afterwards_the_bots_catch_up(start_service):
    service = start_service()
    token = service.guest()
    first = wait_for_turn(service, token, new_match(service, token))
    service.stop_valkey()
    while first["turn"] == first["you"]:
        first = play_one(service, token, first)  # asserts 201
    second = new_match(service, token)
    time.sleep(3)
    assert look(service, token, first)["version"] == first["version"]
    assert service.call("GET", "/readyz")[0] == 503
    service.start_valkey()
    for match in (first, second):
        assert play_out(service, token, match)["status"] == "finished"
    assert service.call("GET", "/readyz")[0] == 200
    assert service.manage("verify_logs").returncode == 0


def test_a_worker_killed_in_an_analysis_costs_a_piece_and_no_more(start_service):
    service = start_service(WORKER_PROCESSES="0")
    service.start_worker()
    token = service.guest()
    match = play_out(service, token, new_match(service, token, options={"max_deals": 1}))
    path = f"/api/v1/matches/{match['id']}/analysis"
    assert service.call("POST", path, token=token)[0] == 201
    worker = service.start_worker("analysis")
    eventually(lambda: service.call("GET", path)[1]["done"] > 0, 120)
    killed = children(worker)
    worker.kill()
    for child in killed:
        child.kill()
    worker.wait()
    before = service.call("GET", path)[1]
    assert before["status"] in ("running", "done")

    assert service.manage("shell", "-c", LATER).returncode == 0
    service.start_worker("analysis")
    after = eventually(lambda: (told := service.call("GET", path)[1])["result"] and told, 120)

    assert after["done"] == after["total"] >= before["done"] > 0
