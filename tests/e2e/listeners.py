"""Who listens to a match until it is over, each in his own way, and comes back when cut off."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPException
from typing import Any

SILENCE = 20
"""Seconds: longer than between two heartbeats."""


class Listener:
    """Everything heard by one of FORMS; `result()` when the match is over.

    Without a token it is a spectator's. `pause`: seconds until he comes back.
    """

    def __init__(
        self, url: str, token: str, match: dict[str, Any], form: str, pause: float = 0.05
    ) -> None:
        self.url = f"{url}/api/v1/matches/{match['id']}/events"
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.pause = pause
        self.heard: list[dict[str, Any]] = []
        self.cut = 0
        self.over = False
        self.hear = FORMS[form]
        self.future: Future[None] = ThreadPoolExecutor(1).submit(self.listen)

    @property
    def last(self) -> int:
        return self.heard[-1]["version"] if self.heard else 0

    def listen(self) -> None:
        while not self.over:
            try:
                for event in self.hear(self):
                    self.heard.append(event)
            except urllib.error.HTTPError as error:
                if error.code < 500:  # a refusal, which would be one again
                    raise
            except (OSError, HTTPException, ValueError):
                pass
            self.cut += 1
            time.sleep(self.pause)

    def open(self, query: str = "", **headers: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + query, headers=self.headers | sent)
        answer = urllib.request.urlopen(request, timeout=SILENCE)
        self.over = answer.status == 204
        return answer

    def result(self) -> list[dict[str, Any]]:
        self.future.result(180)
        return self.heard


def sse(listener: Listener) -> Iterator[dict[str, Any]]:
    with listener.open(Accept="text/event-stream", Last_Event_ID=str(listener.last)) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def lines(listener: Listener) -> Iterator[dict[str, Any]]:
    with listener.open(f"?after={listener.last}", Accept="application/x-ndjson") as answer:
        for line in answer:
            if line.strip():
                yield json.loads(line)


def polls(listener: Listener) -> Iterator[dict[str, Any]]:
    with listener.open(f"?after={listener.last}&wait=10") as answer:
        told = json.load(answer)
        listener.over = told["next"] is None
        yield from told["results"]


FORMS = {"sse": sse, "lines": lines, "polls": polls}
