"""What ended matches leave behind: posted scores, ratings, and the boards."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from games.models.matches import Match


class Score(models.Model):
    """A score that its player has posted. It counts for the UTC day on which the match ended."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="posted")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="scores"
    )
    game = models.CharField(max_length=20)
    points = models.IntegerField()
    day = models.DateField()
    posted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="a_score_is_posted_once")
        ]

    def __str__(self) -> str:
        return f"{self.points} points on {self.day}"


class Rating(models.Model):
    """How strong a player is at a game, as a normal distribution: mean mu, deviation sigma."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    game = models.CharField(max_length=20)
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="one_rating_a_game")]

    def __str__(self) -> str:
        return f"{self.game}: {self.mu:.1f} ± {self.sigma:.1f}"


class RatingChange(models.Model):
    """What one match did to one player's rating.

    `bots`: what the match's bots were rated then, in the order of their seats; a later release may
    rate them otherwise. Null where it was not kept yet.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_changes"
    )
    game = models.CharField(max_length=20)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    bots = ArrayField(models.FloatField(), null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="one_change_a_match")
        ]
        indexes = [models.Index(fields=["player", "game", "-at"], name="changes_of_a_rating")]

    def __str__(self) -> str:
        return f"{self.mu_before:.1f} to {self.mu:.1f}"


class Tally(models.Model):
    """What one match adds to what one player has done.

    `done` and `counts` are numbers by name: of matches and deals, and of what the game counts.
    `opponents` are ids of players, and bots by their level as "bot:easy".
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="tallies")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tallies"
    )
    game = models.CharField(max_length=20)
    ended_at = models.DateTimeField()
    public = models.BooleanField()
    opponents = ArrayField(models.CharField(max_length=40))
    score = models.IntegerField(null=True)
    done = models.JSONField()
    counts = models.JSONField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="one_tally_a_match")
        ]
        indexes = [
            models.Index(fields=["player", "game", "ended_at", "match"], name="tallies_of_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.match}"


class Board(models.Model):
    """A ranking of a game's players over a day, a week (from its Monday), or all time.

    `version` counts its changes. Each change locks this row, so that versions follow one
    another as commits do, and a page can be read as of a version.
    """

    game = models.CharField(max_length=20)
    period = models.CharField(max_length=4)
    starts = models.DateField()
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "period", "starts"], name="one_board_a_period")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.period} {self.starts}"


class Standing(models.Model):
    """A player's line on a board from version `since` until `until` (null: it is current).

    Higher `value` first; among equals fewer `matches`, then who reached it earlier.
    """

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="standings")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="standings"
    )
    value = models.IntegerField()
    matches = models.PositiveIntegerField()
    reached_at = models.DateTimeField()
    since = models.PositiveBigIntegerField()
    until = models.PositiveBigIntegerField(null=True)
    replaced_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["board", "player"],
                condition=Q(until=None),
                name="one_current_standing_a_player",
            )
        ]
        indexes = [
            models.Index(
                F("board"),
                F("value").desc(),
                F("matches"),
                F("reached_at"),
                F("player"),
                name="standings_in_order",
            ),
            models.Index(
                fields=["replaced_at"], condition=~Q(replaced_at=None), name="replaced_standings"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value} of {self.player}"
