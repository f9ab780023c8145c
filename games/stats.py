"""What a player has done: matches, deals and what happened in them, by game and by opponent.

Reads only; counted from the rows of ended matches, so that nothing has to be taken back when
a match is voided.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch
from msgspec import Struct

from games.engine import GAMES
from games.models import Deal, Rating, Seat
from games.services.records import shown
from players.models import Player


class Tally(Struct):
    """Matches by how they ended for the player, and his deals. `counts` by the game's names."""

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
    """A player at one game. Opponents by name, bots by `bot:` and their level."""

    game: str
    rating: RatingShown | None
    total: Tally
    best_score: int | None
    streak: int
    longest_streak: int
    opponents: dict[str, Tally]


def stats(player: Player) -> list[GameStats]:
    """For each game that the player has ended a match of."""
    ratings = {rating.game: rating for rating in Rating.objects.filter(player=player)}
    seats = list(ended_seats(player))
    games = [game for game in GAMES if any(seat.match.game == game for seat in seats)]
    return [
        game_stats(game, ratings.get(game), [seat for seat in seats if seat.match.game == game])
        for game in games
    ]


def ended_seats(player: Player) -> Iterable[Seat]:
    """The player's seats in finished matches, in the order in which they ended."""
    others = Seat.objects.select_related("player")
    deals = Deal.objects.only("match_id", "result").exclude(result=None)
    return (
        Seat.objects.filter(player=player, match__status="finished")
        .select_related("match")
        .defer("match__position", "match__secret")
        .prefetch_related(Prefetch("match__seats", others), Prefetch("match__deals", deals))
        .order_by("match__finished_at", "match_id")
    )


def game_stats(game: str, rating: Rating | None, seats: list[Seat]) -> GameStats:
    told = GameStats(game, shown_rating(rating), Tally(), None, 0, 0, {})
    for seat in seats:
        outcome = outcome_of(seat)
        add(told.total, seat, outcome)
        for opponent in opponents(seat):
            add(told.opponents.setdefault(opponent, Tally()), seat, outcome)
        told.best_score = max(seat.score, told.best_score or seat.score)
        told.streak = told.streak + 1 if outcome == "wins" else 0
        told.longest_streak = max(told.longest_streak, told.streak)
    return told


def shown_rating(rating: Rating | None) -> RatingShown | None:
    if rating is None:
        return None
    return RatingShown(shown(rating.mu), shown(rating.sigma), rating.matches)


def outcome_of(seat: Seat) -> str:
    """Alone in the first place: won; with others: drawn. A match for points is neither."""
    places = [other.place for other in seat.match.seats.all()]
    if len(places) == 1:
        return "matches"
    if seat.place != 1:
        return "losses"
    return "wins" if places.count(1) == 1 else "draws"


def opponents(seat: Seat) -> set[str]:
    others = [other for other in seat.match.seats.all() if other.number != seat.number]
    return {o.player.name if o.player else f"bot:{o.bot}" for o in others}


def add(tally: Tally, seat: Seat, outcome: str) -> None:
    tally.matches += 1
    if outcome != "matches":
        setattr(tally, outcome, getattr(tally, outcome) + 1)
    tally.resigned += seat.match.ended_by == "resigned" and seat.place != 1
    counts = Counter(tally.counts)
    for deal in seat.match.deals.all():
        result: Any = deal.result
        tally.deals += 1
        tally.deals_won += result["points"][seat.number] > 0
        counts.update(result["counts"][seat.number])
    tally.counts = dict(counts)
