"""The ASGI entry point: all of Django in a few lasting threads, and held streams on the loop.

`make run` serves everything from here, on one port; docker-compose.yml only the streams. A view
whose response has a `stream` has begun one: what follows is sent from here, without a thread.
"""

import asyncio
import io
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any

from ginservice.wsgi import application as django  # sets Django up, before any model is imported

# isort: split
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.core.signals import request_started
from django.http import HttpResponse, StreamingHttpResponse

from games.streams import Feeds

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

THREADS = ThreadPoolExecutor(4, "django")
"""Few and lasting: each keeps a connection to the database."""

MOST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
"""Bytes of a body that are read: enough to see that it is too large."""

feeds = Feeds()


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await respond(scope, receive, send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close"})
    else:
        await live(receive, send)


async def live(receive: Receive, send: Send) -> None:
    """The server says that it starts, and that it ends."""
    ended = False
    while not ended:
        event = (await receive())["type"]
        ended = event == "lifespan.shutdown"
        await send({"type": f"{event}.complete"})


async def respond(scope: Message, receive: Receive, send: Send) -> None:
    loop = asyncio.get_running_loop()

    async def deliver(message: Message) -> None:
        await send(message)

    def deliver_from_thread(message: Message) -> None:
        asyncio.run_coroutine_threadsafe(deliver(message), loop).result()

    sent = {name for name, _ in scope["headers"]}
    body = await whole(receive) if sent & {b"content-length", b"transfer-encoding"} else b""
    response = await loop.run_in_executor(THREADS, answer, scope, body, deliver_from_thread)
    if hasattr(response, "stream"):
        await hold(response, receive, send)
    elif not response.streaming:
        await send(start(response))
        await send(part(response.content, more=False))


async def whole(receive: Receive) -> bytes:
    """The body, or the beginning of one that is too large."""
    body = bytearray()
    while len(body) < MOST:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    return bytes(body)


def answer(scope: Message, body: bytes, send: Callable[[Message], None]) -> Any:
    """Django's response, made in a thread; one that Django streams is sent from there too."""
    request_started.send(django.__class__, scope=scope)
    query = scope["query_string"].decode(errors="replace")
    request = ASGIRequest({**scope, "query_string": query}, io.BytesIO(body))
    if len(body) > int(request.META.get("CONTENT_LENGTH") or 0):  # it came in chunks
        request.META["CONTENT_LENGTH"] = str(len(body))
    request.feeds = feeds
    response = django.get_response(request)
    try:
        if response.streaming:
            send_all(response, send)
    finally:
        response.close()
    return response


def send_all(response: StreamingHttpResponse, send: Callable[[Message], None]) -> None:
    send(start(response))
    for chunk in response:
        send(part(chunk))
    send(part(b"", more=False))


async def hold(response: Any, receive: Receive, send: Send) -> None:
    """Send what there is of the stream so far and then what comes, until either side ends it."""
    end_with_the_server()
    del response["Content-Length"]
    with feeds.held.one_more(*response.stream.holder):
        await send(start(response))
        await send_until_left(response, receive, send)


async def send_until_left(response: Any, receive: Receive, send: Send) -> None:
    sending = asyncio.ensure_future(send_events(response, send))
    leaving = asyncio.ensure_future(left(receive))
    await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if not sending.done():
        sending.cancel()
    with suppress(asyncio.CancelledError):
        await sending


async def send_events(response: Any, send: Send) -> None:
    if response.stream.form:
        await send(part(response.content))
    async with aclosing(feeds.follow(response.stream)) as chunks:
        async for chunk in chunks:
            await send(part(chunk))
    await send(part(b"", more=False))


async def left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def start(response: HttpResponse | StreamingHttpResponse) -> Message:
    cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
    headers = [(k.encode(), v.encode("latin-1")) for k, v in (*response.items(), *cookies)]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def part(body: bytes, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


def end_with_the_server() -> None:
    """Close held streams on a signal to end: the server waits for them, and never tells them.

    Its own handler, on the loop, is asked as before.
    """
    loop = asyncio.get_running_loop()

    def close(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(feeds.close)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, close)
