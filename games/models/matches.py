"""Matches, who sits at them, their deals, and the log of moves, which is the truth.

Everything else that tells of a match's course is a cache of the log's fold; the command
verify_logs proves it.
"""

import hashlib
import secrets
from functools import cached_property
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import F, OuterRef, Q
from django.db.models.functions import Coalesce, Least
from django.utils import timezone
from uuid_utils.compat import uuid7

from games.engine import GAMES
from games.engine.clock import Clock
from games.engine.game import Game
from games.engine.log import LIVE, Position, opened, plain, read_position
from games.engine.shuffle import SECRET_BYTES, commitment
from players.models import Webhook

ONE_ATTEMPT_MORE = Least(F("attempts") + 1, 1000)
"""More are not counted: what never succeeds must not outgrow its column."""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def digest(key: str) -> str:
    """What is kept of the key of a private match, which has 128 random bits."""
    return hashlib.sha256(key.encode()).hexdigest()


def whole(options: Any) -> dict[str, Any]:
    """A game's options as they are stored: all, those at their defaults too."""
    return dict(plain(msgspec.structs.asdict(options)))


class MatchQuerySet(models.QuerySet["Match"]):
    def visible_to(self, player: Any, key: str = "") -> "MatchQuerySet":
        """Public matches; private ones in which the player sits, is awaited, or made; and one
        whose key he has.

        None: nobody in particular. (A filter by None would find every open seat.)
        """
        seen = Q(visibility="public")
        if key:
            seen |= Q(key_digest=digest(key))
        if player is not None:
            mine = Seat.objects.filter(match=OuterRef("pk")).filter(
                Q(player=player) | Q(invited=player)
            )
            # Not Exists: Postgres would first read all the seats that the player ever had.
            seen |= Q(created_by=player) | Q(pk=models.Subquery(mine.values("match")[:1]))
        return self.filter(seen)

    def with_names(self) -> "MatchQuerySet":
        """With `names`: by seat, the name of who sits there or is awaited, or None."""
        seats = Seat.objects.filter(match=OuterRef("pk")).order_by("number")
        return self.annotate(
            names=ArraySubquery(seats.values_list(Coalesce("player__name", "invited__name")))
        )

    def with_hooked(self) -> "MatchQuerySet":
        """With `hooked`: the ids of those who sit there and have a webhook."""
        hooks = Webhook.objects.filter(player__seats__match=OuterRef("pk"), off_since=None)
        return self.annotate(hooked=ArraySubquery(hooks.values("player")))


class Match(models.Model):
    """One match. `position` caches the fold of its log, as do the columns that repeat parts.

    At `fill_at` an open table's empty seats are given to bots of the level `fill_with`. At
    `deadline` the time for the move to come is up, a bot's too; at `ends_at` a match that waits
    for a person is ended. `rated` is what came of the maker's `rated_wish` by its options and who
    sits; without one, of before it was kept, it is both.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=20)
    options = models.JSONField()
    visibility = models.CharField(
        max_length=7, default="public", choices=[("public", "public"), ("private", "private")]
    )
    starts = models.CharField(
        max_length=5, default="full", choices=[("full", "when full"), ("later", "when told")]
    )
    rated = models.BooleanField(default=True)
    rated_wish = models.BooleanField(null=True)
    hints = models.BooleanField(default=True, db_default=True)
    key_digest = models.CharField(max_length=64, blank=True, editable=False)
    fill_at = models.DateTimeField(null=True)
    fill_with = models.CharField(max_length=20, blank=True)
    clock = models.JSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_matches"
    )
    secret = models.BinaryField(default=new_secret, editable=False)
    commitment = models.CharField(max_length=64, editable=False)

    position = models.JSONField(editable=False)
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, default="open")
    ended_by = models.CharField(max_length=12, blank=True)
    turn = models.SmallIntegerField(null=True)
    bot_to_move = models.BooleanField(default=False)
    deadline = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)

    queued_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    bot_errors = models.PositiveIntegerField(default=0)

    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = MatchQuerySet.as_manager()

    hooked: list[UUID] = []  # `with_hooked` tells
    key = ""  # of a private match just made: told once, never stored

    class Meta:
        verbose_name_plural = "matches"
        permissions = [
            ("mend_match", "Can mend matches"),
            ("open_match", "Can break live matches open"),
        ]
        indexes = [
            models.Index(
                fields=["queued_at"], condition=Q(bot_to_move=True), name="waiting_bot_turns"
            ),
            models.Index(fields=["fill_at"], condition=Q(status="open"), name="tables_to_fill"),
            models.Index(fields=["created_at"], condition=Q(status="open"), name="open_tables"),
            models.Index(
                fields=["ends_at"], condition=Q(ends_at__isnull=False), name="matches_to_end"
            ),
            models.Index(fields=["status", "-id"], name="matches_by_status"),
            models.Index(fields=["game", "-id"], name="matches_by_game"),
            models.Index(fields=["game", "status", "-id"], name="matches_by_game_and_status"),
            models.Index(fields=["created_by", "-id"], name="matches_by_creator"),
            models.Index(
                fields=["created_by"], condition=Q(status__in=LIVE), name="unfinished_by_creator"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @classmethod
    def opened(
        cls, game: str, options: Any, seats: int, clock: Clock | None = None, **fields: Any
    ) -> "Match":
        """A match with an empty log, not yet saved. Its options are stored whole."""
        secret, timing = new_secret(), clock or Clock()
        return cls(
            game=game,
            options=whole(options),
            secret=secret,
            commitment=commitment(secret),
            clock=plain(timing),
            position=plain(opened(seats, timing)),
            **fields,
        )

    @cached_property
    def rules(self) -> Game:
        return GAMES[self.game]

    @cached_property
    def chosen(self) -> Any:
        """The options as the game's struct."""
        return msgspec.convert(self.options, self.rules.Options)

    @property
    def timing(self) -> Clock | None:
        """The clock as a struct; None for a match from before there were clocks."""
        return msgspec.convert(self.clock, Clock | None)

    @property
    def to_rate(self) -> bool:
        """Whether its maker wished it to count, whatever has come of that."""
        return self.rated if self.rated_wish is None else self.rated_wish

    @property
    def over(self) -> bool:
        """Whether it has ended, whichever way."""
        return self.status not in LIVE

    @property
    def secret_hex(self) -> str:
        """To be shown only once the match has ended."""
        return bytes(self.secret).hex()

    def folded(self) -> Position:
        """The cached fold of the whole log."""
        return read_position(self.rules, self.position)


class Seat(models.Model):
    """A place at a match: a player, a bot of a level, one kept for a player, or open.

    Both a player and a bot: he has resigned or timed out, and the bot plays on for him.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="invited_seats"
    )
    score = models.IntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_seat_a_number"),
            models.UniqueConstraint(fields=["match", "player"], name="nobody_sits_twice"),
            models.CheckConstraint(
                condition=Q(invited=None) | Q(player=None, bot=""),
                name="only_an_empty_seat_is_kept",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-match"], name="matches_of_a_player"),
            models.Index(fields=["invited", "-match"], name="invitations_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number}"


class Deal(models.Model):
    """A deal's place in the log. `before` caches the position that it was dealt into."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveIntegerField()
    dealer = models.SmallIntegerField()
    first_version = models.PositiveIntegerField()
    last_version = models.PositiveIntegerField(null=True)
    before = models.JSONField(editable=False)
    result = models.JSONField(null=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_deal_a_number"),
            models.UniqueConstraint(fields=["match", "first_version"], name="one_deal_a_version"),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}"


class Move(models.Model):
    """An entry of the log: by a seat, the dealer (-1) or the table (-2)."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="moves")
    version = models.PositiveIntegerField()
    seat = models.SmallIntegerField()
    action = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="one_move_a_version")
        ]

    def __str__(self) -> str:
        return f"move {self.version}"
