"""Ann and bob play; eve may not. The cards come as a test has written them down."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import bots
from games.engine import GAMES, gin, shuffle
from players.models import Player
from tests.games.people import DECK, Person

CONTROL = re.compile("BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE")


@pytest.fixture
def ann(db: None) -> Person:
    return Person(Player.objects.create(name="ann"))


@pytest.fixture
def bob(db: None) -> Person:
    return Person(Player.objects.create(name="bob"))


@pytest.fixture
def eve(db: None) -> Person:
    return Person(Player.objects.create(name="eve"))


@pytest.fixture
def nobody(db: None) -> Person:
    return Person()


@pytest.fixture
def real_shuffles() -> bool:
    """A module that is about the shuffles themselves overrides this."""
    return False


@pytest.fixture(autouse=True)
def script(monkeypatch: pytest.MonkeyPatch, real_shuffles: bool) -> Callable[..., None]:
    """script(pack(…), pack(…)): the decks of the next deals; then DECK. Seat 1 deals first."""
    decks: list[tuple[str, ...]] = []

    def scripted(
        secret: bytes, entropies: object, number: int, cards: Sequence[str]
    ) -> tuple[str, ...]:
        deck = decks[number] if number < len(decks) else DECK
        there = set(cards)
        return deck if len(there) == len(deck) else tuple(card for card in deck if card in there)

    if not real_shuffles:
        monkeypatch.setattr(shuffle, "shuffle", scripted)
        monkeypatch.setattr(shuffle, "lot", lambda *_: 1)

    def say(*given: tuple[str, ...]) -> None:
        decks[:] = given

    return say


@pytest.fixture
def operator(client: Client, db: None) -> Client:
    """Olga, signed in to the admin, who may do everything there."""
    client.force_login(Player.objects.create_superuser("olga"))
    return client


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """game("highest", module): that game is in GAMES while the test lasts."""

    def enter(name: str, module: Any) -> None:
        monkeypatch.setitem(GAMES, name, module)
        found = bots._bots(name)
        monkeypatch.setitem(bots.BOTS, name, found)
        monkeypatch.setitem(bots.LEVELS, name, tuple(found))

    return enter


@pytest.fixture
def short_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presets of Gin Rummy that only the tests know, for matches that count and end when asked."""
    added = {
        "short": gin.Options(target=50),
        "long": gin.Options(target=252),
        "drawn": gin.Options(max_deals=1, idle_limit=1),
    }
    monkeypatch.setattr(gin, "PRESETS", {**gin.PRESETS, **added})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], datetime]:
    """clock("2026-12-31 23:59:59.999999"): from now on it is that time, UTC."""

    def tell(time: str) -> datetime:
        at = datetime.fromisoformat(f"{time}+00:00")
        monkeypatch.setattr(timezone, "now", lambda: at)
        return at

    return tell


@pytest.fixture
def count() -> Callable[[], AbstractContextManager[Callable[[], int]]]:
    """with count() as statements: …; statements() is how many, transaction control left out."""

    @contextmanager
    def counting() -> Iterator[Callable[[], int]]:
        found = []
        with CaptureQueriesContext(connection) as caught:
            yield lambda: len(found)
        found += [query for query in caught if not CONTROL.match(query["sql"])]

    return counting
