"""Who plays: people with keys, who ask again until they are answered and write down what they were
told.
"""

import json
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from games import bots
from games.engine import GAMES
from tests.chaos.records import Asked, Heard, Sent, Told

PATIENCE = 4
"""Seconds until an answer is given up and asked for again; a fifth longer each time."""

MOST_PATIENCE = 20

WAIT = 3
"""Seconds of a long poll: less than PATIENCE."""

AGAIN = (429, 500, 502, 503)
"""Answers after which the same is asked again; a 500 is written down as a fault all the same."""

PASSWORD = "correct horse battery"

TURNS = 3
"""Own moves after which who means to resign does so, and who means to vanish vanishes."""


class GaveUp(Exception):
    """The run is over for who still waits for an answer."""


@dataclass
class Records:
    """What all people were told, for the judge."""

    sent: list[Sent] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    hooks: list[Told] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)
    """Who has made a match."""
    tokens: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    progress: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Of each match that is being played the version last seen, and since when it is."""

    over: threading.Event = field(default_factory=threading.Event)
    """Set: no new match is begun."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set: whoever still waits gives up."""

    def saw(self, match: dict[str, Any]) -> None:
        if match["status"] not in ("open", "playing"):
            return
        before, _ = self.progress.get(match["id"], (0, 0.0))
        if match["version"] > before:
            self.progress[match["id"]] = match["version"], time.monotonic()

    def silent(self) -> float:
        """Seconds since the match that waits longest has moved."""
        since = [moment for _, moment in list(self.progress.values())]
        return time.monotonic() - min(since) if since else 0


@dataclass
class Person:
    """Somebody with an account, at the other end of the line."""

    name: str
    url: str
    records: Records
    rng: Random
    token: str = ""

    def come_in(self) -> None:
        """Register; or sign in, where the answer to that was lost."""
        known = {"name": self.name, "password": PASSWORD}
        status, answer = self.ask("POST", "/players", known, keyed=False)
        if status == 409:
            status, answer = self.ask("POST", "/sessions", known, keyed=False)
        if status not in (200, 201):
            raise GaveUp(f"{self.name} is not let in: {status} {answer}")
        self.token = self.records.tokens[self.name] = answer["token"]

    def ask(self, method: str, path: str, body: Any = None, keyed: bool = True) -> tuple[int, Any]:
        """Ask until there is an answer, with the same key each time: status and JSON."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method == "POST" and keyed:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        patience = float(PATIENCE)
        while not self.records.stop.is_set():
            request = Request(f"{self.url}/api/v1{path}", data, headers, method=method)
            status, answer = once(request, patience)
            patience = min(patience * 1.2, MOST_PATIENCE)
            self.records.answers[str(status or "none")] += 1
            if status == 500:
                self.records.faults.append(f"crash: {method} {path} was answered 500 {answer}")
            if status and status not in AGAIN:
                return status, answer
            self.records.stop.wait(self.rng.uniform(0.05, 0.3))
        raise GaveUp(f"{method} {path}")

    def sit(self, path: str, body: Any) -> dict[str, Any]:
        """Make a match or join one."""
        status, match = self.ask("POST", path, body)
        if status not in (200, 201):
            raise GaveUp(f"POST {path} was refused: {status} {match}")
        self.records.told.add(match["id"])
        self.records.saw(match)
        return dict(match)

    def look(self, match_id: str) -> dict[str, Any]:
        status, match = self.ask("GET", f"/matches/{match_id}")
        if status != 200:
            raise GaveUp(f"GET of match {match_id} was refused: {status} {match}")
        self.records.saw(match)
        return dict(match)

    def wait(self, match: dict[str, Any]) -> dict[str, Any]:
        """The match after something has happened, or nothing for a while."""
        self.ask("GET", f"/matches/{match['id']}/events?after={match['version']}&wait={WAIT}")
        return self.look(match["id"])

    def play(self, match_id: str, meaning: str = "") -> None:
        """Play the match to its end; or mean to `resign`, `vanish` or `abort` it.

        When the run is over, whoever is to move resigns.
        """
        match, moves = self.look(match_id), 0
        while match["status"] in ("open", "playing"):
            legal = match["view"] and match["view"]["legal"]
            if may_claim(match):
                match = self.ask_for("claims", match, {"take": self.rng.choice(offered(match))})
            elif meaning == "abort" and match["status"] == "playing":
                match, meaning = self.ask_for("abort", match), ""
            elif not legal or late(match) or (meaning == "vanish" and moves >= TURNS):
                match = self.wait(match)
            elif self.records.over.is_set() or (meaning == "resign" and moves >= TURNS):
                match, meaning = self.ask_for("resignation", match), ""
            else:
                match, moves = self.move(match), moves + 1

    def move(self, match: dict[str, Any]) -> dict[str, Any]:
        """Play one move, and write down what was answered."""
        rules = GAMES[match["game"]]
        seen = msgspec.convert(match["view"], rules.View)
        action = msgspec.to_builtins(bots.choose(match["game"], seen, "easy", self.rng))
        sent = Sent(match["id"], match["version"], match["you"], action)
        self.records.sent.append(sent)
        move = {"version": match["version"], "action": action}
        status, answer = self.ask("POST", f"/matches/{match['id']}/moves", move)
        sent.status, sent.late = status, late(match)
        if status != 201:
            sent.problem = str(answer.get("code"))
            return self.look(match["id"])
        self.records.saw(answer)
        return dict(answer)

    def ask_for(self, what: str, match: dict[str, Any], body: Any = None) -> dict[str, Any]:
        """One of ASKED, written down; the match as it is then, or the next one of a rematch."""
        asked = Asked(match["id"], match["version"], match["you"], what)
        self.records.asked.append(asked)
        status, answer = self.ask("POST", f"/matches/{match['id']}/{what}", body)
        asked.got = answer.get("points", answer.get("id"))
        asked.problem = str(answer.get("code", ""))
        asked.status = status
        if what == "rematch" and status in (200, 201):
            self.records.told.add(answer["id"])
            return dict(answer)
        return self.look(match["id"])


def may_claim(match: dict[str, Any]) -> bool:
    """Whether another player has let his time pass."""
    awaiting = match["awaiting"]
    if not (awaiting and awaiting["claims"]) or awaiting["seat"] == match["you"]:
        return False
    return passed(awaiting["claims"]["at"])


def offered(match: dict[str, Any]) -> list[str]:
    return list(match["awaiting"]["claims"]["take"])


def late(match: dict[str, Any]) -> bool:
    """Whether the time of the player to move is up."""
    deadline = (match["awaiting"] or {}).get("deadline")
    return deadline is not None and passed(deadline)


def passed(time: str) -> bool:
    return datetime.fromisoformat(time.replace("Z", "+00:00")) <= datetime.now(UTC)


def once(request: Request, patience: float) -> tuple[int, Any]:
    """Status and JSON of an answer that came whole; status 0 for any other."""
    try:
        try:
            with urlopen(request, timeout=patience) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as error:
            return error.code, json.loads(error.read())
    except (OSError, HTTPException, ValueError):  # one cut in its head has no body: no JSON either
        return 0, None
