"""That each injury is one, and what the witness sees."""

import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import pytest

from tests.chaos import proxy as line
from tests.chaos.proxy import INJURIES, Proxy
from tests.processes import eventually

BODY = b'{"version": 4}'
ANSWER = b'{"version": 5}'


class Server(BaseHTTPRequestHandler):
    """Answers every whole POST and writes down that it came."""

    protocol_version = "HTTP/1.1"
    asked: list[bytes] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) == len(BODY):
            self.asked.append(body)
        self.send_response(201)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


class Always(Random):
    """Chooses one injury, and else as its seed would have it."""

    name = ""

    def choice(self, names):
        assert self.name in names
        return self.name


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    monkeypatch.setattr(Server, "asked", [])
    monkeypatch.setattr(line, "LONG", 0.2)
    one = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=one.serve_forever).start()
    yield one
    one.shutdown()
    one.server_close()


def answered(server, share, injury="", times=1):
    """The line, and what came through it: the body of each answer, or None."""
    rng = Always(1)
    rng.name = injury
    proxy = Proxy([server.server_port], share, rng)
    proxy.start()
    try:
        return proxy, [post(proxy.port) for _ in range(times)]
    finally:
        eventually(lambda: not proxy.tasks)
        proxy.stop()


def post(port):
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", "/moves", BODY, {"Idempotency-Key": "k", "Connection": "close"})
        return connection.getresponse().read() or None  # cut in its head it looks empty
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def test_what_is_not_injured_passes_as_it_is(server):
    proxy, came = answered(server, 0, times=5)
    assert came == [ANSWER] * 5
    assert Server.asked == [BODY] * 5
    assert (proxy.passed, sum(proxy.injuries.values())) == (5, 0)


@pytest.mark.parametrize(
    ("injury", "asked", "came"),
    [
        ("request dropped", 0, None),
        ("request cut", 0, None),
        ("request delayed", 1, ANSWER),
        ("request repeated", 2, ANSWER),
        ("answer dropped", 1, None),
        ("answer cut", 1, None),
        ("answer delayed", 1, ANSWER),
        ("answer repeated", 1, ANSWER),
    ],
)
def test_an_injury_is_what_its_name_says(server, injury, asked, came):
    proxy, answers = answered(server, 1, injury, times=5)
    assert answers == [came] * 5
    assert len(Server.asked) == 5 * asked
    assert proxy.injuries == {injury: 5}
    assert proxy.failures == []


def test_every_injury_is_tried_here():
    marks = test_an_injury_is_what_its_name_says.pytestmark
    assert [case[0] for case in marks[0].args[1]] == list(INJURIES)


def test_the_witness_knows_the_answers_that_never_arrived(server, monkeypatch):
    proxy, came = answered(server, 1, "answer dropped")
    assert came == [None]
    assert len(proxy.answers["k"]) == 1
    monkeypatch.setattr(proxy, "answers", dict(proxy.answers))
    proxy.witness("k", b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
    assert len(proxy.answers["k"]) == 2
    proxy.witness("k", b"HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{}")
    proxy.witness("k", b"HTTP/1.1 503 Unavailable\r\nContent-Length: 1\r\n\r\n{")
    assert len(proxy.answers["k"]) == 2, "an answer that was cut, or no effect, is no witness"


def test_a_server_that_is_gone_costs_the_exchange_and_no_more(server):
    proxy = Proxy([1, server.server_port], 0, Random(1))
    proxy.start()
    assert [post(proxy.port) for _ in range(5)] == [ANSWER] * 5, "the other serves"
    proxy.upstreams = [1]
    assert post(proxy.port) is None
    proxy.stop()
    assert proxy.failures == []
