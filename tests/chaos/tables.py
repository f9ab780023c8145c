"""What is played: match after match at each table, each with its story, and who listens to it."""

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from typing import Any, NamedTuple

from tests.chaos.clients import Person, Records
from tests.chaos.records import Heard, digest
from tests.e2e.listeners import FORMS, Listener

HEARING = 90
"""Seconds after the end of a match until all who listen must have heard of it."""

SPECTATOR = ""


class Table(NamedTuple):
    """What is played at a table, again and again. The first seat's person makes the match.

    Each match has the next of the `stories`, in words: who makes it means to `abort` it, who came
    last to `resign` or to `vanish`; afterwards a `score` is posted, or all ask for a `rematch`.
    """

    game: str
    seats: list[Any]
    options: dict[str, Any]
    stories: list[str]
    clock: dict[str, int] | None = None

    @property
    def people(self) -> int:
        return sum(seat in ("me", "open") for seat in self.seats)

    @property
    def body(self) -> dict[str, Any]:
        """To make a match of it."""
        made: dict[str, Any] = {"game": self.game, "seats": self.seats, "options": self.options}
        return made | ({"clock": self.clock} if self.clock else {})


EASY, THINKS = {"bot": "easy"}, {"bot": "expert"}
TABLES = [
    Table("gin", ["me", "open"], {}, ["resign rematch", "resign", "abort rematch"]),  # it counts
    Table("rummy", ["me", "open", EASY], {"max_deals": 1}, ["resign rematch", "", "abort"]),
    Table("pyramid", ["me"], {}, ["resign score rematch", "score"]),
    Table("gin", [EASY, "me"], {"max_deals": 1}, ["rematch", ""], {"days": 1}),
    Table("gin", [EASY, THINKS], {"max_deals": 2}, [""]),
    Table("gin", ["me", "open"], {"max_deals": 1}, ["vanish", ""], {"seconds": 8}),
]
"""Short matches: many begin and end in the middle of trouble."""


def run_table(table: Table, people: list[Person]) -> None:
    """Match after match, until the run is over; a rematch that was asked for is played too."""
    maker = people[0]
    stories, following = cycle(table.stories), None
    while following or not maker.records.over.is_set():
        joining = [] if following else people[1:]
        match, story = following or maker.sit("/matches", table.body), next(stories)
        maker.records.begun.add(maker.name)
        with listened_to(match, maker):
            with ThreadPoolExecutor(len(people)) as pool:
                played = [
                    pool.submit(
                        play, person, match["id"], meaning(story, person, people), person in joining
                    )
                    for person in people
                ]
            for one in played:
                one.result()
            maker.records.progress.pop(match["id"], None)
        following = afterwards(match, story, people)


def meaning(story: str, person: Person, people: list[Person]) -> str:
    """What a person means to do; one who plays alone has made the match and come last."""
    mine = ["abort"] if person is people[0] else []
    mine += ["resign", "vanish"] if person is people[-1] else []
    return next((word for word in mine if word in story.split()), "")


def play(person: Person, match_id: str, meaning: str, joins: bool) -> None:
    if joins:
        person.sit(f"/matches/{match_id}/seats", {})
    person.play(match_id, meaning)


def afterwards(match: dict[str, Any], story: str, people: list[Person]) -> dict[str, Any] | None:
    """What all ask for after the end; the match of the rematch, if there is one."""
    ended = people[0].look(match["id"])
    if "score" in story.split():
        people[0].ask_for("score", ended)
    if "rematch" not in story.split() or people[0].records.over.is_set():
        return None
    with ThreadPoolExecutor(len(people)) as pool:
        asked = [pool.submit(ask_for_a_rematch, person, match["id"]) for person in people]
    matches = [one.result() for one in asked]
    return matches[0]


def ask_for_a_rematch(person: Person, match_id: str) -> dict[str, Any]:
    return person.ask_for("rematch", person.look(match_id))


@contextmanager
def listened_to(match: dict[str, Any], maker: Person) -> Iterator[None]:
    """By its maker and a spectator, in every form, until they have heard the end."""
    records = maker.records
    listeners = {
        (form, reader): Listener(maker.url, token, match, form, pause=0.2)
        for form in FORMS
        for reader, token in ((maker.name, maker.token), (SPECTATOR, ""))
    }
    try:
        yield
        wait_for(listeners.values(), records)
    finally:
        for (form, reader), listener in listeners.items():
            listener.over = True
            events = [digest(event) for event in listener.heard]
            records.heard.append(Heard(match["id"], form, reader, events))
            if listener.future.done() and (error := listener.future.exception()):
                records.faults.append(f"refused: {form} of {match['id']}: {error}")


def wait_for(listeners: Iterable[Listener], records: Records) -> None:
    """Until all have heard the end; who has not in time is found by the judge."""
    deadline = time.monotonic() + HEARING
    for listener in listeners:
        while not (listener.future.done() or records.stop.is_set()):
            if time.monotonic() > deadline:
                return
            time.sleep(0.1)
