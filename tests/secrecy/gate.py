"""The gate: a reader is answered with the same bytes in both worlds of a scene, or it tells where.

Ids, times, tokens and commitments are set aside, and nothing else is: not statuses, headers or a
single byte, so not sizes either. What a
reader is told once the match is over is his to know, and is not compared.
"""

import base64
import io
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain, zip_longest
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import unquote
from uuid import UUID

from django.db import connection, transaction

from games import dashboard
from games.engine import log
from games.models import Match, matches
from games.services import numbers
from players.models import EVENTS, Delivery, Player, Webhook
from tests.games.people import Person
from tests.secrecy.questions import Question, pages, questions
from tests.secrecy.scenes import Scene

ASIDE = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "id"),
    (re.compile(r"…[0-9a-f]{8}"), "id"),  # cut short, in the lists of the admin
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?( UTC|Z|\+00:?00)?"), "time"),
    (re.compile("\\d+\u00a0[a-z]+"), "time"),  # how long a match has waited, in the admin
    (re.compile(r"gin_[A-Za-z0-9_-]+"), "token"),
    (re.compile(r"whsec_[A-Za-z0-9+/=]+"), "secret"),
    (re.compile(r"guest-[a-z0-9]{6}"), "guest"),
    (re.compile(r'"(ms|expires_in)": ?[\d.]+'), '"ms":0'),
    (re.compile(r'"key": ?"[A-Za-z0-9_-]+"'), '"key":"key"'),
    (re.compile(r'name="csrfmiddlewaretoken" value="\w+"'), "csrf"),
    (re.compile(r"\d\d?:\d\d( [ap]\.m\.)?|\d\d? [ap]\.m\.|noon|midnight"), "time"),
)
CURSOR = re.compile(r"(?<=cursor=)[A-Za-z0-9%]{8,}")
UNCOMPARED = ("X-Request-ID", "Date", "Expires", "Set-Cookie", "RateLimit", "Content-Length")


shuffled = log.dealers_entry
DEALT: dict[bytes, tuple[log.Entry, ...]] = {}
"""By a match's secret: the cards that it is dealt."""


class Answer(NamedTuple):
    """What a reader was told, in words that two worlds can be compared by."""

    question: str
    told: str


class World:
    """A scene in one of its worlds, in the database, and who looks at it."""

    def __init__(self, scene: Scene, dealt: tuple[log.Entry, ...], alone: bool = True) -> None:
        self.scene, self.dealt, self.alone = scene, dealt, alone
        self.people = [person(f"p{seat}") for seat in range(scene.seats)]
        self.others = [person("eve"), Person()]

    def readers(self) -> list[Person]:
        reader = self.scene.reader
        return self.others if reader is None else [self.people[reader]]

    @contextmanager
    def taken_back(self) -> Iterator[None]:
        """What is written meanwhile is taken back."""
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    def build(self) -> Iterator[Answer]:
        """Play the scene over HTTP; what each request logs is for the operator to read."""
        scene = self.scene
        seats = ["me", *({"invite": f"p{seat}"} for seat in range(1, scene.seats))]
        body = {
            "game": scene.game,
            "options": log.plain(scene.options),
            "seats": seats,
            "start": "later",
        }
        if len(scene.moves) % 2:
            body["rated"] = False  # there are hints then; else it counts, if by a preset
        with patch.object(matches, "new_secret", lambda: os.urandom(32)):
            made = self.people[0].post("/matches", body)
        assert made.status_code == 201, made.content
        self.match = Match.objects.get(pk=made.json()["id"])
        DEALT[bytes(self.match.secret)] = self.dealt
        for other in self.people[1:]:
            assert other.post(f"/matches/{self.match.pk}/seats", {}).status_code == 201
        assert self.people[0].post(f"/matches/{self.match.pk}/start", {}).status_code == 201
        for move in scene.moves:
            with logged() as lines:
                self.play(move)
            if scene.reader is None:
                yield Answer(f"the log of {move.action}", plain(lines.getvalue(), self.match))

    def play(self, move: log.Entry) -> Any:
        self.match.refresh_from_db()
        body = {"version": self.match.version, "action": log.plain(move.action)}
        answer = self.people[move.seat].post(f"/matches/{self.match.pk}/moves", body)
        assert answer.status_code == 201, (answer.content, move)
        self.match.refresh_from_db()
        return answer

    def told(self) -> Iterator[Answer]:
        """Everything that the scene's reader is told, in an order of its own."""
        asked = questions(self.scene, self.match)
        self.asked = [q for q in asked if self.alone or str(self.match.pk) in q.path]
        for reader in self.readers():
            for question in self.asked:
                yield self.answered(question, reader)
            yield self.unchanged(reader)
        if self.scene.reader is None:
            yield from self.seen_by_the_operator()
        elif self.scene.next is not None:
            yield self.answer("his own move", self.play(self.scene.next))
            for question in self.asked[::7]:
                yield self.answered(question, self.people[self.scene.reader])

    def answered(self, question: Question, reader: Person) -> Answer:
        with logged() as lines:
            response = question.ask(reader)
        answer = self.answer(str(question), response)
        if (question.operation, response.status_code) == ("play", 201):
            return answer._replace(told="played")  # he now knows more; `next` is the one to compare
        return answer._replace(told=answer.told + plain(lines.getvalue(), self.match))

    def unchanged(self, reader: Person) -> Answer:
        """Asked again with the tag that he was given."""
        path = f"/matches/{self.match.pk}"
        again = reader.get(path, If_None_Match=reader.get(path)["ETag"])
        return self.answer("unchanged", again)

    def seen_by_the_operator(self) -> Iterator[Answer]:
        self.others[0].client.force_login(operator())
        for page in pages():
            if self.alone or str(self.match.pk) in page:
                yield self.answer(page, self.others[0].client.get(page))

    def answer(self, question: str, response: Any) -> Answer:
        body = b"".join(response.streaming_content) if response.streaming else response.content
        if is_over(body):
            body = b"the match is over"
        headers = [(k, v) for k, v in response.items() if not k.startswith(UNCOMPARED)]
        told = f"{response.status_code} {sorted(headers)} {body.decode()}"
        return Answer(plain(question, self.match), plain(told, self.match))


def forget() -> None:
    """Take every match out of the database."""
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {Match._meta.db_table} RESTART IDENTITY CASCADE")
    Delivery.objects.all().delete()


def difference(scene: Scene) -> str:
    """Where the reader could first tell the worlds of a scene apart; nothing if he could not."""
    one, other = (World(scene, dealt) for dealt in scene.worlds)
    with set_up():
        first = [*one.build(), *one.told()]
        states = [positions(one)]
        forget()
        found = parting(zip_longest(first, chain(other.build(), other.told())))
        states.append(positions(other))
        forget()
    assert states[0] != states[1], "the worlds of this scene are one and the same"
    return f"{scene}:\n{found}" if found else ""


def soon_different(scene: Scene) -> bool:
    """Whether the reader can tell the worlds apart by asking about the match alone.

    The worlds stand side by side, and after each question he compares.
    """
    one, other = (World(scene, dealt, alone=False) for dealt in scene.worlds)
    with set_up():
        built = zip_longest(one.build(), other.build())
        found = parting(built) or parting(zip_longest(one.told(), other.told()))
        forget()
    return bool(found)


def parting(pairs: Iterable[tuple[Answer | None, Answer | None]]) -> str:
    return next((shown(*pair) for pair in pairs if pair[0] != pair[1]), "")


@contextmanager
def set_up() -> Iterator[None]:
    """Meanwhile the dealer deals a scene's cards to its match, and nothing else is left to luck.

    Matches that are made by asking have the same secret, and so cards, in both worlds.
    """

    def dealers_entry(game: Any, position: log.Position, secret: bytes) -> log.Entry:
        if secret in DEALT:
            return DEALT[secret][position.shuffles]
        return shuffled(game, position, secret)

    with (
        patch.object(log, "dealers_entry", dealers_entry),
        patch.object(matches, "new_secret", lambda: bytes(32)),
        patch.object(numbers, "secrets", SimpleNamespace(choice=min)),
        # How much waits for workers, of which there are none, is not what worlds are told apart by.
        patch.object(dashboard, "queues", dict),
        patch.object(dashboard, "LATE", timedelta(days=1)),
        patch.dict(DEALT, clear=True),
    ):
        yield


def shown(one: Answer | None, other: Answer | None) -> str:
    """Two answers from a little before they part."""
    if one is None or other is None or one.question != other.question:
        return f"only one was asked or written: {one and one.question}, {other and other.question}"
    at = next(n for n, (a, b) in enumerate(zip_longest(one.told, other.told)) if a != b)
    parts = [repr(answer.told[max(at - 80, 0) : at + 80]) for answer in (one, other)]
    return f"{one.question}\n  {parts[0]}\n  {parts[1]}"


def positions(world: World) -> Any:
    return Match.objects.get(pk=world.match.pk).position["state"]


def is_over(body: bytes) -> bool:
    """Whether an answer is a match that has ended: all cards and the secret may be told."""
    try:
        match = json.loads(body)
    except ValueError:
        return False
    over = ("finished", "aborted", "voided")
    return isinstance(match, dict) and "view" in match and match.get("status") in over


def plain(text: str, match: Match) -> str:
    """A text without what differs from match to match and from day to day."""
    text = CURSOR.sub(opened, text)
    text = text.replace(match.commitment, "commitment").replace(str(match.pk), "id")
    for pattern, word in ASIDE:
        text = pattern.sub(word, text)
    return text


def opened(cursor: re.Match[str]) -> str:
    """What a cursor holds, in place of its letters."""
    return base64.b64decode(unquote(cursor[0])).decode(errors="replace")


def person(name: str) -> Person:
    """A player who has a webhook and is told there of all there is."""
    player, made = Player.objects.get_or_create(name=name)
    if made:
        number = UUID(int=Webhook.objects.count())
        address = "https://a.example/"
        Webhook.objects.create(pk=number, player=player, url=address, events=list(EVENTS))
    return Person(player)


def operator() -> Player:
    staff, _ = Player.objects.get_or_create(name="boss", is_staff=True, is_superuser=True)
    return staff


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """The lines that the service prints meanwhile."""
    out = io.StringIO()
    handler = next(h for h in logging.getLogger().handlers if h.get_name() == "out")
    with patch.object(handler, "stream", out):
        yield out
