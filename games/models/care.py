"""What the operator looks at: bots' errors, and what each hour has brought."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from uuid_utils.compat import uuid7

from games.models.matches import Match


class BotError(models.Model):
    """A bot's turn that went wrong, and where in the code; kept for 30 days.

    Without the error's own words, in which there may be cards.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="errors_of_bots")
    version = models.PositiveIntegerField()
    bot = models.CharField(max_length=20)
    reason = models.CharField(max_length=20)
    place = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["match", "-id"], name="bot_errors_of_a_match")]

    def __str__(self) -> str:
        return f"{self.reason} at version {self.version}"


class Hour(models.Model):
    """What happened in an hour, and what was so when it was last looked at.

    Filled by a task of beat's, so that the dashboard never counts. `bot_waits` are bots' turns
    by how long they took from the move before: see WAITS. `last_move` is the id of the last
    entry of the log that is counted in this or an earlier hour.
    """

    starts = models.DateTimeField(primary_key=True)
    moves = models.PositiveIntegerField(default=0)
    bot_waits = ArrayField(models.PositiveIntegerField(), default=list)
    bot_errors = models.PositiveIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    guests = models.PositiveIntegerField(default=0)
    live = models.PositiveIntegerField(null=True)
    open = models.PositiveIntegerField(null=True)
    database_bytes = models.PositiveBigIntegerField(null=True)
    counted_at = models.DateTimeField(null=True)
    last_move = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.starts:%Y-%m-%d %H}:00"
