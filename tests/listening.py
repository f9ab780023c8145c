"""The ASGI application on a loop of its own beside the test, and who listens to it."""

import asyncio
import json
import queue
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from games import streams
from ginservice import asgi

PATIENCE = 30
"""Seconds after which a test that waits for something fails."""


class Heard:
    """One request: its status and headers, and what came of its body."""

    def __init__(self, house: "House", path: str, headers: dict[str, str], method: str, body: list):
        self.house, self.sent = house, queue.Queue()
        self.received: asyncio.Queue = house.run(make_queue())
        self.text = b""
        for part in body:
            self.receive({"type": "http.request", "body": part, "more_body": True})
        self.receive({"type": "http.request", "body": b""})
        address, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": address,
            "query_string": query.encode("latin-1"),
            "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
        }
        self.task = asyncio.run_coroutine_threadsafe(
            asgi.application(scope, self.received.get, self.send), house.loop
        )
        self.task.add_done_callback(lambda task: self.sent.put(None))
        start = self.get()
        self.status = start["status"]
        self.headers = [(k.decode(), v.decode()) for k, v in start["headers"]]

    def receive(self, message: dict[str, Any]) -> None:
        self.house.loop.call_soon_threadsafe(self.received.put_nowait, message)

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.put(message)

    def get(self) -> dict[str, Any]:
        """The next message; raises what the application raised."""
        message = self.sent.get(timeout=PATIENCE)
        if message is None:
            self.task.result()
            raise AssertionError("the application has ended without a last part")
        return message

    def header(self, name: str) -> str:
        return dict(self.headers)[name]

    def more(self) -> bytes:
        """The next part of the body; nothing when it has ended."""
        message = self.get()
        self.text += message["body"]
        if not message["more_body"]:
            self.task.result(PATIENCE)
        return message["body"] if message["more_body"] else b""

    def until(self, version: int) -> list[dict[str, Any]]:
        """All events, once that version is among them."""
        deadline = time.monotonic() + PATIENCE
        while version not in [event["version"] for event in self.events()]:
            assert time.monotonic() < deadline, self.text
            self.more()
        return self.events()

    def whole(self) -> bytes:
        """The whole body, once it has ended."""
        while self.more():
            pass
        return self.text

    def events(self) -> list[dict[str, Any]]:
        return events(self.text, self.header("Content-Type"))

    def leave(self) -> None:
        self.receive({"type": "http.disconnect"})
        self.task.result(PATIENCE)


def events(text: bytes, media: str) -> list[dict[str, Any]]:
    """Those of a body in any of the three forms, each as its JSON."""
    if media == "application/json":
        return json.loads(text)["results"] if text else []
    if media == "application/x-ndjson":
        return [json.loads(line) for line in text.split(b"\n") if line]
    found = re.findall(rb"^id: (\d+)\ndata: (.*)\n\n", text, re.MULTILINE)
    told = [json.loads(data) for _, data in found]
    assert [int(version) for version, _ in found] == [event["version"] for event in told]
    return told


async def make_queue() -> asyncio.Queue:
    return asyncio.Queue()


class House:
    """The application's loop; its threads and connections end with it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.heard: list[Heard] = []
        self.feeds, self.threads = streams.Feeds(), ThreadPoolExecutor(4, "django")
        monkeypatch.setattr(asgi, "feeds", self.feeds)
        monkeypatch.setattr(asgi, "THREADS", self.threads)

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def ask(self, path: str, method: str = "GET", body: list = (), **headers: str) -> Heard:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.heard.append(Heard(self, path, {"host": "localhost", **sent}, method, body))
        return self.heard[-1]

    def listen(self, person: Any, match: Any, query: str = "", accept: str = "*/*", **headers: str):
        """The events of a match for a person."""
        if person.token:
            headers["Authorization"] = f"Bearer {person.token}"
        return self.ask(f"/api/v1/matches/{match.pk}/events{query}", accept=accept, **headers)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.feeds.close)

    def leave(self) -> None:
        """Nobody listens any more."""
        for heard in self.heard:
            heard.leave()
        self.heard.clear()

    def end(self) -> None:
        self.close()
        self.leave()
        for threads, many in ((self.threads, 4), (self.feeds.threads, 2)):
            together = threading.Barrier(many)  # so that each thread comes once
            for _ in range(many):
                threads.submit(close_connections, together)
            threads.shutdown()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def close_connections(together: threading.Barrier) -> None:
    together.wait(PATIENCE)
    connections.close_all()
