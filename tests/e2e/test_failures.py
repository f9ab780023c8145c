"""Workers killed in the middle of a bot's turn, and Redis gone: no move lost, nobody stuck."""

import signal
import time

import pytest

from tests.e2e.conftest import children
from tests.e2e.players import look, new_match, play_one, play_out, wait_for_turn


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
    assert time.monotonic() - killed < 30
    assert play_out(service, token, match)["status"] == "finished"
    assert service.manage("verify_logs").returncode == 0


def test_without_redis_moves_succeed_and_afterwards_the_bots_catch_up(start_service):
    service = start_service()
    token = service.guest()
    first = wait_for_turn(service, token, new_match(service, token))
    service.stop_valkey()
    while first["turn"] == first["you"]:
        first = play_one(service, token, first)  # asserts 201
    second = new_match(service, token)
    time.sleep(10)
    assert look(service, token, first)["version"] == first["version"]
    assert service.call("GET", "/readyz")[0] == 503
    service.start_valkey()
    for match in (first, second):
        assert play_out(service, token, match)["status"] == "finished"
    assert service.call("GET", "/readyz")[0] == 200
    assert service.manage("verify_logs").returncode == 0
