"""Who plays in these tests, and matches played by lines such as "draw" and "knock KD"."""

import json
from typing import Any

from django.test import Client
from django.utils import timezone

from games.engine import log
from games.models import Match
from games.services import moves, tables
from games.services.tables import Wish
from games.services.wishes import read_clock
from players import services
from players.models import Player
from tests.engine.decks import action, pack

READY = "AC 2C 3C 7D 7H 7S TH JH QH 5S"  # 5S is loose
LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"  # no meld, nothing to lay off on READY; 68
STOCK = "KD KC JS"
DECK = pack(READY, LOST, "9D", STOCK)
"""Every deal that a test does not script: its beginner may draw and knock with KD for 63."""

WINNING = ("draw", "knock KD", "finish")
"""A deal of DECK: its beginner scores 63; with a target of 50 it is the whole match."""


class Person:
    """A player with a token and a client of his own; nobody in particular without a player."""

    def __init__(self, player: Player | None = None, *scopes: str) -> None:
        self.player, self.client, self.token = player, Client(), ""
        if player is not None:
            token, self.token = services.issue_token(player, "test", scopes or ("play",))
            token.last_used_at = timezone.now()
            token.save()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """A request to /api/v1, or to a whole address as answers hold them. Null is a body too."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        address = path if path.startswith("/api/") else f"/api/v1{path}"
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.generic(method, address, data, "application/json", headers=sent)

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, b"", **headers)

    def post(self, path: str, body: Any = b"", **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def move(self, match: Match, line: str, version: int | None = None, query: str = "") -> Any:
        """POST the action of a line, by default with the version that the match has."""
        if version is None:
            version = Match.objects.get(pk=match.pk).version
        body = {"version": version, "action": log.plain(action(line))}
        return self.post(f"/matches/{match.pk}/moves{query}", body)


def seat(who: Any) -> str | Wish:
    """ "open", a bot of a level, or the seat kept for a person."""
    if isinstance(who, Person):
        return Wish(invite=who.player.name)
    return who if who == "open" else Wish(bot=who)


def sit(
    first: Any,
    *others: Any,
    game: str = "gin",
    visibility: str = "public",
    rated: bool | None = None,
    clock: dict[str, int] | None = None,
    on_timeout: Any = "choose",
    **options: Any,
) -> Match:
    """A match made by `first`, who sits in seat 0; persons take their seats, and it starts."""
    seats = ["me", *map(seat, others)]
    timing = read_clock(clock, on_timeout)
    match = tables.create_match(
        first.player, game, options, seats, visibility, rated=rated, clock=timing
    )
    for who in others:
        if isinstance(who, Person):
            match = tables.join(match.pk, who.player)
    return match


def played(match: Match, *lines: str) -> Match:
    """The match after whoever is to move, person or bot, has done what each line says."""
    match = Match.objects.get(pk=match.pk)
    for line in lines:
        position = match.folded()
        who = position.seats[position.turn].player
        player = who and Player.objects.get(pk=who)
        match = moves.play_move(match.pk, player, match.version, log.plain(action(line)))
    return match


def late(match: Match) -> Match:
    """The match, its player to move having let his time pass long ago."""
    position = match.position | {"since": "2026-01-01T12:00:00Z"}
    Match.objects.filter(pk=match.pk).update(position=position)
    return Match.objects.get(pk=match.pk)


def refused(response: Any, status: int, code: str) -> Any:
    """The problem's body, which must be of that status and code."""
    body = response.json()
    assert (response.status_code, body.get("code")) == (status, code), body
    assert response["Content-Type"] == "application/problem+json"
    return body


def events(caplog: Any) -> list[dict[str, Any]]:
    """What the service has logged, each line's fields."""
    return [record.msg for record in caplog.records if isinstance(record.msg, dict)]
