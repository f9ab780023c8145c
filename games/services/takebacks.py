"""Taking back what a finished match gave: ratings, places on boards, posted scores.

Part of the transaction in which it is voided or taken back. Later matches are not rated anew: what
this one gave is taken off, of the changes that came after it too.
"""

from datetime import datetime
from typing import Any

from django.db.models import F, Max, Q

from games.engine import log
from games.models import Board, Match, Rating, RatingChange, Score, Standing
from games.services.records import first_day, locked_ratings, rank, sure, utc_day
from players.models import Player


def take_back(match: Match, position: log.Position, now: datetime) -> dict[str, Any]:
    """Take back what the match gave, and return it. `position`: the finished one."""
    changes = list(match.rating_changes.select_related("player").order_by("player_id"))
    posted = list(match.posted.select_related("player"))
    if changes:
        unrate(match, changes, position, now)
    for score in posted:
        unpost(score, now)
    return {
        "ratings": {str(change.player_id): change.mu_before - change.mu for change in changes},
        "scores": {str(score.player_id): score.points for score in posted},
    }


def unrate(
    match: Match, changes: list[RatingChange], position: log.Position, now: datetime
) -> None:
    ratings = locked_ratings(match.game, [change.player for change in changes], now)
    for change in match.rating_changes.select_related("player"):  # anew: another may have moved it
        restore(ratings[change.player], change)
    match.rating_changes.all().delete()
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "matches", "changed_at"])
    winners = won_alone(position)

    def line(board: Board, player: Player, old: Standing | None) -> tuple[int, int] | None:
        if old is None:
            return None
        if board.period == "all":
            return sure(ratings[player]), ratings[player].matches
        return old.value - (winners == [str(player.pk)]), old.matches - 1

    assert match.finished_at is not None
    rank(match.game, list(ratings), now, utc_day(match.finished_at), line)


def restore(rating: Rating, change: RatingChange) -> None:
    """As if the change had never been; the changes after it are moved by as much."""
    after = Q(at__gt=change.at) | Q(at=change.at, pk__gt=change.pk)
    later = RatingChange.objects.filter(after, player=change.player, game=change.game)
    gained, narrowed = change.mu - change.mu_before, change.sigma / change.sigma_before
    moved = later.update(
        mu_before=F("mu_before") - gained,
        mu=F("mu") - gained,
        sigma_before=F("sigma_before") / narrowed,
        sigma=F("sigma") / narrowed,
    )
    if moved:
        rating.mu, rating.sigma = rating.mu - gained, rating.sigma / narrowed
    else:
        rating.mu, rating.sigma = change.mu_before, change.sigma_before
    rating.matches = max(0, rating.matches - 1)


def won_alone(position: log.Position) -> list[str | None]:
    """Who has won: as when the match was ranked."""
    places = position.places or ()
    return [position.seats[seat].player for seat, place in enumerate(places) if place == 1]


def unpost(score: Score, now: datetime) -> None:
    """The player's best other score of each period stands in its place, or none."""
    player, game, day = score.player, score.game, score.day
    score.delete()

    def line(board: Board, player: Player, old: Standing | None) -> tuple[int, int] | None:
        scores = Score.objects.filter(player=player, game=game)
        if board.period != "all":
            scores = scores.filter(day__in=days_of(board, scores))
        best = scores.aggregate(best=Max("points"))["best"]
        if old is None or old.value == best:
            return None
        return (0, 0) if best is None else (best, 1)

    rank(game, [player], now, day, line)


def days_of(board: Board, scores: Any) -> list[Any]:
    """The days of those scores that lie in the board's period."""
    days = scores.values_list("day", flat=True).distinct()
    return [day for day in days if first_day(board.period, day) == board.starts]
