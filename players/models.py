"""Who plays: players, the tokens they sign in with, the answers kept for their retries.

And what operators did to them or their matches.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from uuid_utils.compat import uuid7

SCOPES = ("read", "play", "bot", "admin")
EVENTS = ("match.started", "match.your_turn", "match.over")
"""What a webhook can be told of; a test is told to every one."""


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def first_id(at: datetime, slack: timedelta = timedelta(0)) -> UUID:
    """What a UUIDv7 made that much later begins with: ids are in the order of their making."""
    return UUID(int=max(0, (at - EPOCH + slack) // timedelta(milliseconds=1)) << 80)


class PlayerManager(BaseUserManager["Player"]):
    def named(self, name: str) -> models.QuerySet["Player"]:
        """The player of that name, whatever its capitals; served by the unique index."""
        return self.alias(lowered=Lower("name")).filter(lowered=name.lower())

    def get_by_natural_key(self, name: str | None) -> "Player":
        return self.named(name or "").get()

    def create_user(self, name: str, password: str | None = None, **fields: Any) -> "Player":
        """Without a password nobody can sign in by name."""
        player = self.model(name=name, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> "Player":
        return self.create_user(name, password, is_staff=True, is_superuser=True, **fields)


class Player(AbstractBaseUser, PermissionsMixin):
    """A person or a program. Never deleted: matches keep pointing at their players."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=30)
    is_guest = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PlayerManager()

    USERNAME_FIELD = "name"

    class Meta:
        permissions = [("mend_player", "Can disable, anonymise and sign out players")]
        constraints = [
            models.UniqueConstraint(Lower("name"), name="one_player_a_name_whatever_its_capitals")
        ]
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(is_guest=True, is_active=True),
                name="guests_by_age",
            ),
            models.Index(
                OpClass(Lower("name"), name="text_pattern_ops"), name="players_by_first_letters"
            ),
            models.Index(
                fields=["-id"], condition=Q(is_guest=False), name="players_with_an_account"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Token(models.Model):
    """A bearer token. Its text is shown once; the database knows only its digest."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["player", "id"],
                condition=Q(revoked_at=None),
                name="living_tokens_of_a_player",
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(scopes__contained_by=list(SCOPES)), name="a_token_has_known_scopes"
            )
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"


class StoredAnswer(models.Model):
    """What a player was answered to the request with that Idempotency-Key; kept for a day.

    Its row is claimed before the effect and filled after it, in one transaction: nobody ever
    sees one without its answer. `request` is a digest of what was asked; `body` is encrypted, and
    opens only with the key.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", db_index=False
    )  # the constraint has an index
    key_digest = models.CharField(max_length=64)
    request = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(default=timezone.now, db_index=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "key_digest"], name="one_answer_a_key")
        ]

    def __str__(self) -> str:
        return f"{self.status} to {self.key_digest}"


class Webhook(models.Model):
    """An address of a player's that is told of events. Its secret signs what is sent.

    `off_since`: it has answered that it is gone, and is told nothing until it is changed.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=300)
    events = ArrayField(models.CharField(max_length=20))
    secret = models.CharField(max_length=60, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    off_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(events__contained_by=list(EVENTS)), name="a_webhook_has_known_events"
            )
        ]

    def __str__(self) -> str:
        return str(self.id)


class Delivery(models.Model):
    """An event for a webhook, and how far it has come.

    At `next_at` it is tried (again); None: it was delivered, or given up. `status` and `error`
    are of the last attempt.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20)
    data = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="deliveries_to_send"
            ),
            models.Index(fields=["webhook", "-id"], name="deliveries_of_a_webhook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.id}"


class Intervention(models.Model):
    """What an operator did, to whom or what, and why. Never changed, never deleted."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="interventions")
    what = models.CharField(max_length=30)
    kind = models.CharField(
        max_length=6, choices=[("match", "match"), ("player", "player"), ("rating", "rating")]
    )
    about = models.CharField(max_length=40)
    reason = models.TextField()
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["kind", "about", "-id"], name="interventions_about")]

    def __str__(self) -> str:
        return f"{self.what} {self.kind} {self.about}"
