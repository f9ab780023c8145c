"""What a player has done: matches, deals and what happened in them, by game and by opponent.

Reads only; sums of the rows that ended matches have left. Practice leaves none.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Max, Q
from msgspec import Struct

from games.engine import GAMES
from games.models import Rating, RatingChange, Tally
from games.services.records import shown
from players.models import Player

COURSE = 50
"""So many of the last ratings are told."""

TOGETHER = ""
"""In place of an opponent: against all of them."""

SUMS = """
    SELECT game, opponent, is_count, what, SUM(times::int)
    FROM games_tally,
        UNNEST(ARRAY[''] || CASE
            WHEN public OR player_id = %(reader)s OR %(reader)s::text = ANY(opponents)
            THEN opponents
        END) AS opponent,
        LATERAL (
            SELECT false, * FROM jsonb_each_text(done)
            UNION ALL SELECT true, * FROM jsonb_each_text(counts)
        ) AS told (is_count, what, times)
    WHERE player_id = %(player)s
    GROUP BY game, opponent, is_count, what
"""


class Totals(Struct):
    """Matches by how they ended for the player, and his deals. `counts` by the game's names.

    `resigned`: given up, or lost by letting the time pass.
    """

    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    resigned: int = 0
    deals: int = 0
    deals_won: int = 0
    counts: dict[str, int] = {}


class RatingShown(Struct, frozen=True):
    """The mean and its uncertainty (one sigma), and how many matches it rests on."""

    rating: int
    deviation: int
    matches: int


class GameStats(Struct):
    """A player at one game. Opponents by name, bots by `bot:` and their level.

    `rating_course`: the rating after each of the last 50 rated matches, oldest first.
    """

    game: str
    rating: RatingShown | None
    rating_course: list[int]
    total: Totals
    best_score: int | None
    streak: int
    longest_streak: int
    opponents: dict[str, Totals]


def stats(player: Player, reader: Player | None) -> list[GameStats]:
    """For each game that the player has ended a match of, in the order of GAMES.

    Of private matches only who sat there is told the opponents. Five statements.
    """
    ratings = {rating.game: rating for rating in Rating.objects.filter(player=player)}
    ratings_after = last_ratings(player)
    totals = sums(player, reader)
    names = named({opponent for _, opponent in totals})
    by_game: dict[str, dict[str, Totals]] = defaultdict(dict)
    for (game, opponent), total in totals.items():
        by_game[game][names.get(opponent, opponent)] = total
    return [
        GameStats(
            game=row["game"],
            rating=shown_rating(ratings.get(row["game"])),
            rating_course=ratings_after[row["game"]],
            total=by_game[row["game"]].pop(TOGETHER),
            best_score=row["best"],
            streak=next(streaks(row["won"][::-1]), 0) if row["won"][-1] else 0,
            longest_streak=max(streaks(row["won"]), default=0),
            opponents=most_met(by_game[row["game"]]),
        )
        for row in sorted(courses(player), key=lambda row: list(GAMES).index(row["game"]))
    ]


def sums(player: Player, reader: Player | None) -> dict[tuple[str, str], Totals]:
    """What the player has done, by game and opponent (his id; TOGETHER)."""
    found: dict[tuple[str, str], Totals] = defaultdict(Totals)
    with connection.cursor() as cursor:
        cursor.execute(SUMS, {"player": player.pk, "reader": reader and reader.pk})
        for game, opponent, is_count, what, times in cursor.fetchall():
            total = found[game, opponent]
            if is_count:
                total.counts[what] = times
            else:
                setattr(total, what, times)
    return found


def named(opponents: set[str]) -> dict[str, str]:
    """The names of those opponents that are players, by their ids."""
    ids = [UUID(opponent) for opponent in opponents if opponent and ":" not in opponent]
    return {
        str(pk): name for pk, name in Player.objects.filter(pk__in=ids).values_list("pk", "name")
    }


def most_met(opponents: dict[str, Totals]) -> dict[str, Totals]:
    """Whom the player has met most often first, then by name."""
    return dict(sorted(opponents.items(), key=lambda each: (-each[1].matches, each[0])))


def courses(player: Player) -> Sequence[Any]:
    """For each game the player's best score, and whether he won each match, in their order."""
    won = ExpressionWrapper(Q(done__has_key="wins"), BooleanField())
    return list(
        Tally.objects.filter(player=player)
        .values("game")
        .annotate(best=Max("score"), won=ArrayAgg(won, order_by=("ended_at", "match")))
    )


def streaks(won: Sequence[bool]) -> Iterator[int]:
    """How many were won one after another, each time that some were."""
    return (len(list(run)) for is_won, run in groupby(won) if is_won)


def last_ratings(player: Player) -> dict[str, list[int]]:
    """By game the ratings after the player's last matches, oldest first."""
    changes = RatingChange.objects.filter(player=player).order_by("-at")
    of_each = [changes.filter(game=game).values_list("game", "at", "mu")[:COURSE] for game in GAMES]
    found: dict[str, list[int]] = defaultdict(list)
    for game, _, mu in sorted(of_each[0].union(*of_each[1:], all=True)):
        found[game].append(shown(mu))
    return found


def shown_rating(rating: Rating | None) -> RatingShown | None:
    if rating is None:
        return None
    return RatingShown(shown(rating.mu), shown(rating.sigma), rating.matches)
