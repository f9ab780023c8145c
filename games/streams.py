"""Streams of events: what each reader is sent while he listens, and when.

The database is the truth. Redis only says sooner that there is something to read: every few
seconds the versions of all matches that are streamed here are looked up in one statement, and
whether their readers still may. New entries are applied once for all readers of a match. A held
stream has no thread and no connection; the database is read in two threads for all of them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import redis.asyncio
import structlog
from django.conf import settings
from django.db import Error, close_old_connections

from games import events, replays
from games.engine import log
from games.events import Event, Form
from games.held import Held
from games.models import Match
from games.replays import Step
from games.services.moves import may_see
from games.wake import CHANNEL
from ginservice import metrics
from players.authentication import Credential, still_valid
from players.models import Player

logger = structlog.get_logger(__name__)

CHECK_SECONDS = 3.0
"""Until what Redis did not tell is seen, and until a reader who may read no more is cut off."""

GATHER_SECONDS = 0.05
"""For which a check that is due waits for others, to be made for all in one statement."""

GONE = (Error, psycopg.Error)
"""Django leaves psycopg's own error where it is about a cursor of the server's."""

HEARTBEAT_SECONDS = 15.0
RETRY_SECONDS = 1.0

RECENT = 8
"""Events of a match that are kept written for its readers; who is further behind reads anew."""


@dataclass(eq=False, slots=True)
class Stream:
    """A reader of a match, and the version that he was sent last.

    A long poll has no form: it is answered once, after `wait` seconds at the latest. `following`
    makes the address of what comes after a version. `address`: where the reader is.
    """

    match: Match
    player: Player | None
    address: str
    key: str
    credential: Credential | None
    sent: int
    form: Form | None = None
    wait: float = 0
    following: Callable[[int], str] = str
    welcome: bool = True

    @property
    def holder(self) -> tuple[UUID | None, str]:
        return self.player and self.player.pk, self.address

    def may_see(self, position: log.Position) -> bool:
        return self.welcome and may_see(self.match, position, self.player, self.key)


class Recent(NamedTuple):
    """A step, the names in it, and its event for each seat (or spectators: None) that reads it."""

    step: Step
    names: dict[str, str]
    written: dict[int | None, Event]


class Feed:
    """A match that is streamed here: its last position, its last events, and who reads them.

    `unreadable`: the version up to which its log could not be read, once that was logged.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.position = match.folded()
        self.recent: deque[Recent] = deque(maxlen=RECENT)
        self.streams: set[Stream] = set()
        self.news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.reading = asyncio.Lock()
        self.unreadable = 0
        match.position = {"seats": match.position["seats"]}  # the rest is kept folded

    @property
    def version(self) -> int:
        return self.position.version

    def apply(self, steps: list[Step], names: dict[str, str]) -> None:
        self.recent += [Recent(step, names, {}) for step in steps]
        self.position = steps[-1].position
        self.tell()

    def tell(self) -> None:
        """Wake who waits for news."""
        self.news.set_result(None)
        self.news = asyncio.get_running_loop().create_future()

    def since(self, stream: Stream) -> list[Event] | None:
        """What the stream has not been sent yet; None where that is not kept any more."""
        if not self.recent or self.recent[0].step.position.version > stream.sent + 1:
            return None
        missed = [each for each in self.recent if each.step.position.version > stream.sent]
        return [self.written(each, stream.player) for each in missed]

    def written(self, recent: Recent, player: Player | None) -> Event:
        seat = events.seat_in(recent.step, player)
        if seat not in recent.written:
            recent.written[seat] = events.event(self.match, recent.step, recent.names, seat)
        return recent.written[seat]


@dataclass(eq=False)
class Feeds:
    """All matches that are streamed by this process."""

    feeds: dict[UUID, Feed] = field(default_factory=dict)
    held: Held = field(default_factory=Held)
    unsure: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2, "streams"))
    hearing: bool | None = None
    closing: bool = False

    async def follow(self, stream: Stream) -> AsyncIterator[bytes]:
        """What is to be sent until the match is over, the reader may not see it, or we close."""
        feed = self.join(stream)
        try:
            if stream.form is None:
                yield await self.poll(feed, stream)
            else:
                async for chunk in self.send(feed, stream, stream.form):
                    yield chunk
        finally:
            self.leave(feed, stream)

    async def send(self, feed: Feed, stream: Stream, form: Form) -> AsyncIterator[bytes]:
        while not self.closing and stream.may_see(feed.position):
            if new := await self.new(feed, stream):
                yield b"".join(map(form.event, new))
            elif feed.position.over:
                yield form.end
                return
            elif not await happened(feed.news, HEARTBEAT_SECONDS):
                yield form.heartbeat

    async def poll(self, feed: Feed, stream: Stream) -> bytes:
        clock = asyncio.get_running_loop().time
        until, new = clock() + stream.wait, list[Event]()
        while not self.closing and stream.may_see(feed.position):
            new = await self.new(feed, stream)
            if new or feed.position.over or not await happened(feed.news, until - clock()):
                break
        done = feed.position.over and stream.sent >= feed.version
        return events.polled(new, None if done else stream.following(stream.sent))

    async def new(self, feed: Feed, stream: Stream) -> list[Event]:
        """The events that come next; from now on they count as sent."""
        if stream.sent >= feed.version:
            return []
        new = feed.since(stream)
        if new is None:
            new = await self.read(events.read, feed.match, stream.player, stream.sent, feed.version)
        stream.sent = new[-1].version
        return new

    def join(self, stream: Stream) -> Feed:
        feed = self.feeds.get(stream.match.pk)
        if feed is None:
            feed = self.feeds[stream.match.pk] = Feed(stream.match)
            self.unsure.set()  # something may have come since the match was read
        stream.match = feed.match
        feed.streams.add(stream)
        metrics.STREAMS.inc()
        if not self.tasks:
            self.spawn(self.listen())
            self.spawn(self.watch())
        return feed

    def leave(self, feed: Feed, stream: Stream) -> None:
        feed.streams.discard(stream)
        metrics.STREAMS.dec()
        if not feed.streams:
            self.feeds.pop(feed.match.pk, None)

    def close(self) -> None:
        """End all streams at once; whoever reads them comes back."""
        self.closing = True
        for feed in self.feeds.values():
            feed.tell()
        for task in self.tasks:
            task.cancel()

    def spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def listen(self) -> None:
        """Hear what other processes publish, for as long as there is a Redis."""
        while True:
            try:
                await self.hear()
            except (redis.RedisError, OSError) as error:
                if self.hearing is not False:  # once, and not each second
                    logger.warning("redis_not_heard", error=str(error))
                self.hearing = False
            except Exception:  # else nobody would listen again before the process ends
                logger.exception("redis_not_heard")
                self.hearing = False
            await asyncio.sleep(RETRY_SECONDS)

    async def hear(self) -> None:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5)
        async with client, client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            self.hearing = True
            self.unsure.set()  # for what was published before
            async for message in channel.listen():
                self.told(message["data"])

    def told(self, text: bytes) -> None:
        try:
            match_id, version = text.decode().split()
            feed = self.feeds.get(UUID(match_id))
            if feed:
                self.spawn(self.catch_up(feed, int(version)))
        except ValueError:
            logger.warning("redis_told_nonsense", text=repr(text))

    async def watch(self) -> None:
        """Check every few seconds, and at once where something may have been missed."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.unsure.wait(), CHECK_SECONDS)
            await asyncio.sleep(GATHER_SECONDS)
            self.unsure.clear()
            try:
                await self.check()
            except GONE as error:  # the database is away: it is asked again
                logger.warning("streams_not_checked", error=str(error))
            except Exception:
                logger.exception("streams_not_checked")

    async def check(self) -> None:
        streams = [stream for feed in self.feeds.values() for stream in feed.streams]
        credentials = {stream.credential for stream in streams if stream.credential}
        if not streams:
            return
        versions, valid = await self.read(look_up, list(self.feeds), credentials)
        for stream in streams:
            if stream.credential and stream.credential not in valid:
                stream.welcome = False
                if feed := self.feeds.get(stream.match.pk):  # who has left meanwhile has none
                    feed.tell()
        for match_id, version in versions.items():
            if feed := self.feeds.get(match_id):
                await self.refresh(feed, version)

    async def catch_up(self, feed: Feed, version: int) -> None:
        """What was told of; if the database is away it is left to the next check."""
        try:
            await self.refresh(feed, version)
        except GONE as error:
            logger.warning("streams_not_checked", error=str(error))

    async def refresh(self, feed: Feed, version: int) -> None:
        """Apply a match's entries up to a version, once for all its readers.

        A log that cannot be read holds up nobody else; it is tried again at each check.
        """
        async with feed.reading:
            if version <= feed.version:
                return
            try:
                feed.apply(*await self.read(entries, feed, version))
            except GONE:
                raise
            except Exception:
                if feed.unreadable < version:  # once, and not at each check
                    logger.exception("stream_not_read", match=str(feed.match.pk), version=version)
                feed.unreadable = version

    async def read(self, reading: Callable[..., Any], *args: Any) -> Any:
        """Read the database in a thread, by its lasting connection or, if that broke, a new one."""

        def in_thread() -> Any:
            close_old_connections()
            try:
                return reading(*args)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self.threads, in_thread)


async def happened(news: asyncio.Future[None], within: float) -> bool:
    done, _ = await asyncio.wait([news], timeout=max(0, within))
    return bool(done)


def entries(feed: Feed, until: int) -> tuple[list[Step], dict[str, str]]:
    steps = list(replays.steps_from(feed.match, feed.position, until))
    return steps, replays.names_in(steps)


def look_up(
    ids: Collection[UUID], credentials: Collection[Credential]
) -> tuple[dict[UUID, int], set[Credential]]:
    """The matches' versions, and which credentials are good still."""
    versions = dict(Match.objects.filter(pk__in=ids).values_list("pk", "version"))
    return versions, still_valid(credentials)
