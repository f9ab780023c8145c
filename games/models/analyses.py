"""What a coach has found in a match that is over, and how far he is."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from games.models.matches import Match

UNFINISHED = ("queued", "running")


class Analysis(models.Model):
    """Of one match, made in pieces by workers; it goes where the match is taken back.

    Its units are the `versions` at which a seat has decided, then the `deals` that are looked at
    as a whole. `done` counts them, `found` is what they came to; both become `result`. A worker
    has taken the next piece at `taken_at`; `attempts` counts those taken of which none was ended
    since.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="analysis")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="analyses"
    )
    status = models.CharField(max_length=8, default="queued")
    versions = ArrayField(models.PositiveIntegerField(), default=list)
    deals = ArrayField(models.PositiveIntegerField(), default=list)
    done = models.PositiveIntegerField(default=0)
    found = models.JSONField(default=list)
    result = models.JSONField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    asked_at = models.DateTimeField()
    queued_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [
            models.Index(
                fields=["queued_at"],
                condition=Q(status__in=UNFINISHED),
                name="unfinished_analyses",
            ),
            models.Index(fields=["finished_at"], name="analyses_to_forget"),
            models.Index(fields=["status", "-id"], name="analyses_by_status"),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"

    @property
    def total(self) -> int:
        """How many units there are."""
        return len(self.versions) + len(self.deals)
