"""The service, as far as a player has to know it: how to ask, how to wait."""

import json
import os
import time
from http.client import HTTPException
from secrets import token_hex, token_urlsafe
from urllib.error import HTTPError
from urllib.request import Request, urlopen

env = os.environ.get
BASE = env("BASE_URL") or f"http://{env('HOST') or '127.0.0.1'}:{env('PORT') or '8000'}"
PATIENCE = 60  # seconds that a bot may take


class Trouble(Exception):
    """The match cannot go on; the text says why."""


class Service:
    """One player at one service. Remembers the ETag of the match it saw last."""

    def __init__(self):
        self.token = self.etag = None

    def come_in(self, guest):
        """As a guest, or with a new account, which can post scores. The player's name."""
        if guest:
            answer = self.call("POST", "/players/guest")
        else:
            account = {"name": f"demo-{token_hex(3)}", "password": token_urlsafe()}
            answer = self.call("POST", "/players", account)
        self.token = answer["token"]
        return answer["player"]["name"]

    def call(self, method, path, body=None, **headers):
        """The answer as data; None for a 304. Tries again what the service was too busy for."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        address = f"{BASE.rstrip('/')}/api/v1{path}"
        for _ in range(20):
            try:
                request = Request(address, body, headers, method=method)
                with urlopen(request, timeout=30) as answer:
                    self.etag = answer.headers.get("ETag", self.etag)
                    return json.load(answer)
            except HTTPError as error:
                if error.code == 304:
                    return None
                if error.code not in (429, 503):
                    raise Trouble(f"{method} {path}: {told(error)}") from None
                time.sleep(int(error.headers.get("Retry-After", 1)))
            except ValueError as error:
                raise Trouble(f"No ginservice answers at {BASE}: {error}.") from None
            except (OSError, HTTPException) as error:
                reason = getattr(error, "reason", error)
                raise Trouble(
                    f"No service answers at {BASE} ({reason}). Start one with `make run`,"
                    " or say where it is: make demo PORT=8001, or BASE_URL=http://host:port."
                ) from None
        raise Trouble(f"{method} {path}: the service stays too busy.")

    def my_turn(self, path, match, seen=lambda match: None):
        """The match once it is our turn or over; calls `seen` whenever it has changed."""
        patient_until, pause = time.monotonic() + PATIENCE, 0.05
        while match["status"] == "playing" and not match["view"]["legal"]:
            if time.monotonic() > patient_until:
                bot = match["seats"][match["turn"]]["bot"]
                raise Trouble(
                    f"The bot {bot} has not moved for {PATIENCE} seconds. Does a worker run?"
                    f" The match waits: {BASE}/api/v1{path}"
                )
            time.sleep(pause)
            pause = min(1, pause * 1.5)
            changed = self.call("GET", path, If_None_Match=self.etag)
            if changed:
                match, patient_until, pause = changed, time.monotonic() + PATIENCE, 0.05
                seen(match)
        return match


def told(error):
    """A problem in words."""
    try:
        return f"{error.code} {json.load(error)['detail']}"
    except (ValueError, KeyError):
        return f"{error.code} {error.reason}: is that a ginservice?"
