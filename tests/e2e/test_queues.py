"""Work that takes long waits by itself: a flood of it, before real workers, holds up nobody else.

A flood that never ends is made by workers that have been stopped in the middle of what they do.
"""

import json
import signal

import pytest
import redis

from ginservice.embedded import addresses
from tests.e2e.conftest import children
from tests.e2e.players import look, new_match, play_out, wait_for_turn
from tests.processes import eventually

THINKS = {"seats": ["me", {"bot": "expert"}]}
WORK = "from ginservice.broker import send\n"
WORK += "for _ in range(200): send('games.tasks.count_on', queue='analysis')"


@pytest.fixture
def served(start_service):
    """A service whose workers are started by the test, as `make run` would."""
    return start_service(WORKER_PROCESSES="0", BOT_TURN_SECONDS="10", BOT_WAIT_SECONDS="600")


def broker(service):
    return redis.Redis.from_url(addresses.valkey_url(service.data_dir))


def bots_turns(service):
    """The lines of the log that tell of bots' turns."""
    lines = [line for line in service.log.splitlines() if '"event": "bot_turn"' in line]
    return [json.loads(line) for line in lines]


def test_turns_that_are_thought_about_hold_up_no_other(served):
    thinkers = served.start_worker("thinkers")
    served.start_worker()
    token = served.guest()
    play_out(served, token, new_match(served, token, **THINKS))
    assert {turn["bot"] for turn in bots_turns(served)} == {"expert"}
    assert all("instead" not in turn for turn in bots_turns(served))

    for child in children(thinkers):
        child.send_signal(signal.SIGSTOP)  # they take their next turn, and think for ever
    flood = [new_match(served, token, seats=[{"bot": "expert"}] * 2) for _ in range(6)]
    eventually(lambda: broker(served).llen("thinkers"))
    assert play_out(served, token, new_match(served, token))["status"] == "finished"
    assert broker(served).llen("thinkers"), "they waited all the while"

    # Nor does anybody wait for these for ever: their stand-in plays.
    for match in flood:
        eventually(lambda m=match: look(served, token, m)["version"] > m["version"])
    late = [turn for turn in bots_turns(served) if turn.get("instead")]
    assert {(turn["bot"], turn["instead"], turn["reason"]) for turn in late} == {
        ("expert", "hard", "waited")
    }


def test_no_analysis_holds_up_a_turn(served):
    served.start_worker("thinkers")
    analysis = served.start_worker("analysis")
    for child in children(analysis):
        assert child.nice() == 10
        child.send_signal(signal.SIGSTOP)
    assert served.manage("shell", "-c", WORK).returncode == 0

    token = served.guest()
    match = new_match(served, token, **THINKS)
    assert play_out(served, token, wait_for_turn(served, token, match))["status"] == "finished"
    assert all("instead" not in turn for turn in bots_turns(served))
    assert broker(served).llen("analysis") > 100
