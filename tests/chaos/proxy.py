"""A bad line: a proxy that loses, delays, repeats and cuts a share of what passes through it.

It serves one request a connection, on a loop in a thread of its own. It also is a witness: of what
was answered to each Idempotency-Key, the answers that never arrived included.
"""

import asyncio
import contextlib
import hashlib
import re
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import NamedTuple

from ginservice.embedded.addresses import LOCALHOST

CHUNK = 65536
SHORT, LONG = 0.5, 6.0
"""Seconds of a delay: what people notice, and (one in five) longer than they wait for an answer."""

LOST = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class Server(NamedTuple):
    """A connection to one of the servers."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Proxy:
    """Between `port` and whichever of the servers at `upstreams` takes the connection."""

    def __init__(self, upstreams: list[int], share: float, rng: Random) -> None:
        self.upstreams, self.share, self.rng = upstreams, share, rng
        self.passed = 0
        self.injuries: Counter[str] = Counter()
        self.answers: dict[str, set[str]] = {}
        self.failures: list[str] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, name="proxy")

    @property
    def url(self) -> str:
        return f"http://{LOCALHOST}:{self.port}"

    def start(self) -> None:
        self.thread.start()
        self.ready.wait()

    def stop(self) -> None:
        """Cut what still passes; the witness's record stays."""
        self.loop.call_soon_threadsafe(self.cancel)
        self.thread.join()
        self.loop.close()

    def cancel(self) -> None:
        for task in asyncio.all_tasks():
            task.cancel()

    def run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self.loop.run_until_complete(self.serve())
        if left := asyncio.all_tasks(self.loop):
            self.loop.run_until_complete(asyncio.wait(left))

    async def serve(self) -> None:
        server = await asyncio.start_server(self.take, LOCALHOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    def take(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """Held, since the loop forgets an exchange whose client has gone."""
        task = asyncio.ensure_future(self.accept(reader, client))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """One exchange; whatever happens in it ends with the connection."""
        try:
            await self.exchange(await whole(reader), client)
        except LOST:
            pass  # of one side or the other, which is what this is about
        except asyncio.CancelledError:
            pass  # the end
        except Exception as error:  # a fault of the proxy's own must not look like an injury
            self.failures.append(repr(error))
        finally:
            client.close()

    async def exchange(self, request: bytes, client: asyncio.StreamWriter) -> None:
        if self.rng.random() >= self.share:
            self.passed += 1
            await self.pump(request, client)
            return
        name = self.rng.choice(list(INJURIES))
        self.injuries[name] += 1
        await INJURIES[name](self, request, client)

    async def connect(self) -> Server:
        """To a server that is there, any of them. Raises one of LOST."""
        for port in self.rng.sample(self.upstreams, len(self.upstreams)):
            with contextlib.suppress(OSError):
                return Server(*await asyncio.open_connection(LOCALHOST, port))
        raise ConnectionRefusedError("no server is there")

    async def pump(self, request: bytes, client: asyncio.StreamWriter | None) -> bytes:
        """Send the request and hand on the answer as it comes, to nobody if there is no client.

        Returns the answer, but nothing of a stream.
        """
        server, answer = await self.connect(), bytearray()
        try:
            server.writer.write(request)
            while chunk := await server.reader.read(CHUNK):
                if not streams(request):
                    answer += chunk
                if client:
                    client.write(chunk)
                    await client.drain()
        finally:
            server.writer.close()
        self.witness(key_of(request), bytes(answer))
        return bytes(answer)

    def witness(self, key: str, answer: bytes) -> None:
        """What was answered to a key, if it is whole and something was done."""
        head, _, body = answer.partition(b"\r\n\r\n")
        whole = header(head, "content-length") == str(len(body))
        if key and whole and head.startswith(b"HTTP/1.1 2"):
            told = self.answers.setdefault(key, set())
            told.add(hashlib.sha256(head.split()[1] + body).hexdigest())

    def pause(self) -> Awaitable[None]:
        return asyncio.sleep(LONG if self.rng.random() < 0.2 else self.rng.uniform(0, SHORT))


async def drop_request(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """It never arrives."""


async def cut_request(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """A part of it arrives: where there is a body, mostly the head and not all of the body."""
    body = request.index(b"\r\n\r\n") + 4
    first = body if len(request) > body and proxy.rng.random() < 0.7 else 1
    server = await proxy.connect()
    server.writer.write(request[: proxy.rng.randrange(first, len(request))])
    await server.writer.drain()
    server.writer.close()


async def delay_request(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    await proxy.pause()
    await proxy.pump(request, client)


async def repeat_request(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """It arrives twice, at once or later; the answer to the first is handed on."""
    at_once = proxy.rng.random() < 0.5
    again = [proxy.pump(request, None)] if at_once and not streams(request) else []
    await asyncio.gather(proxy.pump(request, client), *again, return_exceptions=True)
    client.close()
    if not at_once and not streams(request):
        await proxy.pause()
        await proxy.pump(request, None)


async def drop_answer(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """It is done, and nobody hears of it."""
    if not streams(request):
        await proxy.pump(request, None)


async def cut_answer(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """A part of it arrives."""
    if streams(request):
        await cut_stream(proxy, request, client)
        return
    answer = await proxy.pump(request, None)
    if answer:
        client.write(answer[: proxy.rng.randrange(len(answer))])
        await client.drain()


async def cut_stream(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """Somewhere in what comes first, or after some events."""
    server = await proxy.connect()
    try:
        server.writer.write(request)
        for _ in range(proxy.rng.randrange(6)):
            client.write(await server.reader.read(CHUNK))
            await client.drain()
        if chunk := await server.reader.read(CHUNK):
            client.write(chunk[: proxy.rng.randrange(len(chunk))])
            await client.drain()
    finally:
        server.writer.close()


async def delay_answer(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    if streams(request):  # as late as this its first event comes
        await delay_request(proxy, request, client)
        return
    answer = await proxy.pump(request, None)
    await proxy.pause()
    client.write(answer)
    await client.drain()


async def repeat_answer(proxy: Proxy, request: bytes, client: asyncio.StreamWriter) -> None:
    """It arrives twice; a stream once, which cannot begin again at its end."""
    client.write(await proxy.pump(request, client))
    await client.drain()


Injury = Callable[[Proxy, bytes, asyncio.StreamWriter], Awaitable[None]]
INJURIES: dict[str, Injury] = {
    "request dropped": drop_request,
    "request cut": cut_request,
    "request delayed": delay_request,
    "request repeated": repeat_request,
    "answer dropped": drop_answer,
    "answer cut": cut_answer,
    "answer delayed": delay_answer,
    "answer repeated": repeat_answer,
}


async def whole(reader: asyncio.StreamReader) -> bytes:
    """A request with its body. Raises one of LOST if it does not come."""
    head = await reader.readuntil(b"\r\n\r\n")
    return head + await reader.readexactly(int(header(head, "content-length") or 0))


def header(head: bytes, name: str) -> str:
    found = re.search(rb"(?i)\r\n" + name.encode() + rb": *([^\r]*)", head)
    return found[1].decode() if found else ""


def key_of(request: bytes) -> str:
    return header(request.partition(b"\r\n\r\n")[0], "idempotency-key")


def streams(request: bytes) -> bool:
    """Whether the answer may have no end for a while."""
    return b"/events" in request.split(b"\r\n", 1)[0]
