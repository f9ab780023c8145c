"""Proof that ratings and boards are what ended matches have left: the changes of ratings, one after
another, and the scores that were posted.

How much a match changes a rating is not computed again: it follows from what bots were rated then,
and what is taken back later moves the changes after it.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, Window
from django.db.models.functions import Abs, Coalesce, Lag, TruncDate

from games.engine import GAMES
from games.models import Rating, RatingChange, Score, Seat, Standing
from games.services.records import MODEL, PERIODS, first_day, sure

ALIKE = 1e-6
"""Sums of fractions that were taken off again are so near."""

Place = tuple[str, str, date]
"""A board: game, period, first day."""

Lines = dict[tuple[Place, Any], tuple[int, int]]
"""By board and player: value, matches."""


def record_differences() -> Iterator[str]:
    """Where they differ, in words."""
    yield from unrated()
    yield from broken_courses()
    yield from wrong_ratings()
    yield from wrong_lines()


def unrated() -> Iterator[str]:
    """Matches that count and have changed no rating, and changes by matches that do not count."""
    rated = [name for name, game in GAMES.items() if game.BOARD == "rating"]
    changed = RatingChange.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    seats = Seat.objects.filter(
        ~Exists(changed),
        player__isnull=False,
        match__status="finished",
        match__rated=True,
        match__game__in=rated,
    )
    for match, name in seats.values_list("match", "player__name"):
        yield f"match {match}, rating of {name}: there is no change, but the match counts"
    sat = Seat.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    counts = Q(match__status="finished", match__rated=True) & Exists(sat)
    for match, name in RatingChange.objects.exclude(counts).values_list("match", "player__name"):
        yield f"match {match}, rating of {name}: there is a change, but the match does not count"


def broken_courses() -> Iterator[str]:
    """Changes that do not begin where the one before has ended."""
    new = MODEL.rating()
    course: dict[str, Any] = {"partition_by": ["player", "game"], "order_by": ["at", "pk"]}
    changes = RatingChange.objects.select_related("player").annotate(
        came_mu=Window(Lag("mu", default=Value(new.mu)), **course),
        came_sigma=Window(Lag("sigma", default=Value(new.sigma)), **course),
    )
    off = Abs(F("mu_before") - F("came_mu")) + Abs(F("sigma_before") - F("came_sigma"))
    for change in changes.annotate(off=off).filter(off__gt=ALIKE):
        yield (
            f"match {change.match_id}, rating of {change.player}: the change begins at"
            f" {change.mu_before:.6f} ± {change.sigma_before:.6f}, the one before has led to"
            f" {change.came_mu:.6f} ± {change.came_sigma:.6f}"
        )


def wrong_ratings() -> Iterator[str]:
    """Ratings that are not where the last change has led."""
    new = MODEL.rating()
    own = RatingChange.objects.filter(player=OuterRef("player"), game=OuterRef("game"))
    last, count = own.order_by("-at", "-pk"), own.values("player").annotate(count=Count("*"))
    ratings = Rating.objects.select_related("player").annotate(
        last_mu=Coalesce(Subquery(last.values("mu")[:1]), new.mu),
        last_sigma=Coalesce(Subquery(last.values("sigma")[:1]), new.sigma),
        changes=Coalesce(Subquery(count.values("count")), 0),
    )
    off = Abs(F("mu") - F("last_mu")) + Abs(F("sigma") - F("last_sigma"))
    wrong = ~Q(matches=F("changes")) | Q(off__gt=ALIKE)
    for rating in ratings.annotate(off=off).filter(wrong):
        yield (
            f"{rating.game} rating of {rating.player}: it is {rating.mu:.6f} ± {rating.sigma:.6f}"
            f" after {rating.matches} matches, its changes say {rating.last_mu:.6f} ±"
            f" {rating.last_sigma:.6f} after {rating.changes}"
        )
    rated = Rating.objects.filter(player=OuterRef("player"), game=OuterRef("game"))
    for change in RatingChange.objects.filter(~Exists(rated)).select_related("player"):
        yield f"match {change.match_id}, rating of {change.player}: there is a change and no rating"


def wrong_lines() -> Iterator[str]:
    """Lines of boards that are not what ratings and posted scores say."""
    told, stored = lines_told(), Lines()
    current = Standing.objects.filter(until=None).select_related("board")
    for standing in current.iterator():
        board = standing.board
        place = (board.game, board.period, board.starts)
        stored[place, standing.player_id] = (standing.value, standing.matches)
    for key in sorted({*told, *stored}, key=str):
        if told.get(key) != stored.get(key):
            (game, period, starts), player = key
            yield (
                f"{game} board {period} {starts}, player {player}: value and matches are"
                f" {stored.get(key)}, ratings and scores say {told.get(key)}"
            )


def lines_told() -> Lines:
    lines: Lines = defaultdict(lambda: (0, 0))
    for rating in Rating.objects.filter(matches__gt=0).iterator():
        place = rating.game, "all", first_day("all", date.min)
        lines[place, rating.player_id] = sure(rating), rating.matches
    for change in days_of_rated().iterator():
        for period in ("week", "day"):
            key = (change["game"], period, first_day(period, change["day"])), change["player"]
            wins, matches = lines[key]
            lines[key] = wins + change["wins"], matches + change["matches"]
    for score in Score.objects.values("game", "player", "day", "points").iterator():
        for period in PERIODS:
            key = (score["game"], period, first_day(period, score["day"])), score["player"]
            best, scored = lines[key]
            lines[key] = max(best, score["points"]) if scored else score["points"], 1
    return dict(lines)


def days_of_rated() -> QuerySet[Any, Any]:
    """By game, player and UTC day: how many rated matches, and how many won alone."""
    first = Seat.objects.filter(match=OuterRef("match"), place=1)
    alone = Exists(first.filter(player=OuterRef("player"))) & ~Exists(
        first.exclude(player=OuterRef("player"))
    )
    days = RatingChange.objects.annotate(day=TruncDate("at", tzinfo=UTC), alone=alone)
    return days.values("game", "player", "day").annotate(
        matches=Count("pk"), wins=Count("pk", filter=Q(alone=True))
    )
