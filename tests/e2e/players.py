"""People who play over HTTP, for the end-to-end tests."""

import random
import time
from typing import Any

from tests.e2e.conftest import Service

PATIENCE = 60
"""Seconds that a bot's turn may take before a match counts as stuck."""


def new_match(service: Service, token: str, **body: Any) -> dict[str, Any]:
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], **body}
    status, match = service.call("POST", "/api/v1/matches", body, token)
    assert status == 201, match
    return match


def look(service: Service, token: str, match: dict[str, Any]) -> dict[str, Any]:
    status, match = service.call("GET", f"/api/v1/matches/{match['id']}", token=token)
    assert status == 200, match
    return match


def play_one(service: Service, token: str, match: dict[str, Any]) -> dict[str, Any]:
    """Play the first knock there is, or else anything legal."""
    legal = match["view"]["legal"]
    ends = [action for action in legal if action["type"] in ("big_gin", "knock")]
    action = ends[0] if ends else random.choice(legal)
    move = {"version": match["version"], "action": action}
    status, answer = service.call("POST", f"/api/v1/matches/{match['id']}/moves", move, token)
    assert status == 201, answer
    return answer


def wait_for_turn(service: Service, token: str, match: dict[str, Any]) -> dict[str, Any]:
    """The match when it is ours to move, or over. Fails when the bot's turn is stuck."""
    version, deadline = match["version"], time.monotonic() + PATIENCE
    while match["status"] == "playing" and match["turn"] != match["you"]:
        assert time.monotonic() < deadline, f"stuck at version {version}: {match['awaiting']}"
        time.sleep(0.05)
        match = look(service, token, match)
        if match["version"] != version:
            version, deadline = match["version"], time.monotonic() + PATIENCE
    return match


def play_out(service: Service, token: str, match: dict[str, Any]) -> dict[str, Any]:
    """Play a match to its end."""
    while (match := wait_for_turn(service, token, match))["status"] == "playing":
        match = play_one(service, token, match)
    return match
