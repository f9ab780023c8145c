"""What a player has done: matches, deals and what happened in them, by game and by opponent.

Reads only; counted from the rows of ended matches, so that nothing has to be taken back when
a match is voided. Practice is not counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from uuid import UUID

from django.db.models import Prefetch
from msgspec import Struct

from games.engine import GAMES
from games.models import Deal, Rating, Seat
from games.services.records import shown
from players.models import Player

GIVEN_UP = ("resigned", "timed_out")  # ended by


class Tally(Struct):
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
    """A player at one game. Opponents by name, bots by `bot:` and their level."""

    game: str
    rating: RatingShown | None
    total: Tally
    best_score: int | None
    streak: int
    longest_streak: int
    opponents: dict[str, Tally]


class DealOutcome(Struct, frozen=True):
    """What a deal gave each seat, and what each did in it."""

    points: Sequence[int]
    counts: Sequence[Mapping[str, int]]


def stats(player: Player, reader: Player | None) -> list[GameStats]:
    """For each game that the player has ended a match of, in the order of GAMES.

    Of private matches only who sat there is told the opponents. Four statements, and of each
    deal only what is counted.
    """
    ratings = {rating.game: rating for rating in Rating.objects.filter(player=player)}
    deals = ended_deals(player)
    by_game = groupby(ended_seats(player), key=lambda seat: seat.match.game)
    told = {
        game: game_stats(game, ratings.get(game), seats, deals, reader) for game, seats in by_game
    }
    return [told[game] for game in GAMES if game in told]


def ended_seats(player: Player) -> Iterable[Seat]:
    """The player's seats in finished matches: by game, in the order in which they ended."""
    others = Seat.objects.select_related("player").order_by("number")
    return (
        Seat.objects.filter(player=player, match__status="finished")
        .exclude(match__options__contains={"practice": True})
        .select_related("match")
        .defer("match__position", "match__secret", "match__options")
        .prefetch_related(Prefetch("match__seats", others))
        .order_by("match__game", "match__finished_at", "match_id")
    )


def ended_deals(player: Player) -> dict[UUID, list[DealOutcome]]:
    """The deals played to their end in the player's finished matches, by match."""
    found: dict[UUID, list[DealOutcome]] = {}
    rows = Deal.objects.filter(match__seats__player=player, match__status="finished")
    for match, points, counts in rows.exclude(result__isnull=True).values_list(
        "match_id", "result__points", "result__counts"
    ):
        found.setdefault(match, []).append(DealOutcome(points, counts))
    return found


def game_stats(
    game: str,
    rating: Rating | None,
    seats: Iterable[Seat],
    deals: Mapping[UUID, Sequence[DealOutcome]],
    reader: Player | None,
) -> GameStats:
    told = GameStats(game, shown_rating(rating), Tally(), None, 0, 0, {})
    for seat in seats:
        outcome, own = outcome_of(seat), () if stood_in(seat) else deals.get(seat.match_id, ())
        add(told.total, seat, outcome, own)
        for opponent in opponents(seat, reader):
            add(told.opponents.setdefault(opponent, Tally()), seat, outcome, own)
        if not stood_in(seat):
            best = seat.score if told.best_score is None else told.best_score
            told.best_score = max(seat.score, best)
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


def stood_in(seat: Seat) -> bool:
    """Whether the player is gone and a bot played on: neither deals nor score are his alone."""
    return seat.bot != ""


def opponents(seat: Seat, reader: Player | None) -> set[str]:
    """By name; none where the reader may not know of the match."""
    seats = seat.match.seats.all()
    sat_there = reader is not None and any(other.player_id == reader.pk for other in seats)
    if seat.match.visibility != "public" and not sat_there:
        return set()
    others = [other for other in seats if other.number != seat.number]
    return {o.player.name if o.player else f"bot:{o.bot}" for o in others}


def add(tally: Tally, seat: Seat, outcome: str, deals: Iterable[DealOutcome]) -> None:
    tally.matches += 1
    if outcome != "matches":
        setattr(tally, outcome, getattr(tally, outcome) + 1)
    tally.resigned += stood_in(seat) or (seat.match.ended_by in GIVEN_UP and seat.place != 1)
    counts = Counter(tally.counts)
    for deal in deals:
        tally.deals += 1
        tally.deals_won += deal.points[seat.number] > 0
        counts.update(deal.counts[seat.number])
    tally.counts = dict(counts)
