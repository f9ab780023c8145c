"""Many matches of bots on two worker processes.

    MANY_MATCHES=200 python -m pytest -s tests/e2e/test_many.py

plays so many of each size of Rummy, and tells how long it took.
"""

import json
import os
import time
from collections import Counter
from itertools import cycle, islice

from games.bots import LEVELS
from games.engine import GAMES
from tests.e2e.conftest import Service
from tests.e2e.players import PATIENCE, look, new_match

EACH = int(os.environ.get("MANY_MATCHES") or 1)
SIZES = GAMES["rummy"].SEATS
AT_ONCE = 20
"""Matches under way at the same time: so few that no turn waits for as long as a lost one."""


def test_matches_of_bots_end_without_an_error_or_a_stuck_turn(start_service):
    service = start_service(WORKER_PROCESSES="2", THROTTLES="0")
    token, levels, began = service.guest(), cycle(LEVELS["rummy"]), time.monotonic()
    waiting = [
        [{"bot": level} for level in islice(levels, seats)] for seats in SIZES for _ in range(EACH)
    ]
    count, entries = len(waiting), 0
    moved: dict[str, tuple[int, float]] = {}  # the version of each under way, and since when
    while waiting or moved:
        while waiting and len(moved) < AT_ONCE:
            match = new_match(service, token, game="rummy", seats=waiting.pop())
            moved[match["id"]] = match["version"], time.monotonic()
        time.sleep(1)
        playing = versions(service, token)
        for match, (version, since) in list(moved.items()):
            if match not in playing:
                ended = look(service, token, {"id": match})
                assert ended["status"] == "finished", ended
                entries += ended["version"]
                del moved[match]
            elif playing[match] > version:
                moved[match] = playing[match], time.monotonic()
            else:
                assert time.monotonic() - since < PATIENCE, f"{match} is stuck at {version}"
    seconds = time.monotonic() - began

    told = lines_of_log(service)
    print(f"\n{count} matches, {entries:,} entries, {seconds:.0f} s, lines of log: {dict(told)}")
    assert told["bot_turn", "info"] > 0
    assert [event for event, level in told if level in ("error", "critical")] == []
    proof = service.manage("verify_logs")
    assert proof.stdout.startswith(f"{count} matches verified, no difference"), proof.stderr


def versions(service: Service, token: str) -> dict[str, int]:
    """Of all matches that are being played."""
    path = "/api/v1/matches?game=rummy&status=playing&limit=100"
    status, page = service.call("GET", path, token=token)
    assert status == 200, page
    return {match["id"]: match["version"] for match in page["results"]}


def lines_of_log(service: Service) -> Counter[tuple[str, str]]:
    """How many there are of each event and level."""
    lines = (json.loads(line) for line in service.log.splitlines() if line.startswith("{"))
    return Counter((line["event"], line["level"]) for line in lines)
