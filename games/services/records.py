"""What an ended match leaves behind: its players' ratings, and their places on the boards."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from openskill.models import PlackettLuce, PlackettLuceRating

from games import bots
from games.engine import log
from games.models import Board, Match, Rating, RatingChange, Seat, Standing
from players.models import Player

MODEL = PlackettLuce()
BOT_SIGMA = 1.0
"""A bot's strength is measured, and stays what it is."""

KEPT = timedelta(hours=1)
"""How long replaced standings are kept, and so how long a page can be followed by its next."""

PERIODS = ("all", "week", "day")
EPOCH = date(1970, 1, 1)


def first_day(period: str, day: date) -> date:
    """The first day of the period in which the day lies; weeks begin on Monday."""
    return {"day": day, "week": day - timedelta(days=day.weekday()), "all": EPOCH}[period]


def utc_day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def shown(mu: float) -> int:
    """Mu or sigma as people read it: a new player has 1000 ± 333."""
    return round(mu * 40)


def mu_of(rating: int) -> float:
    """The mu that is shown so."""
    return rating / 40


def sure(rating: Rating) -> int:
    """The rating that a player almost surely has, by which boards rank: mu less three sigma."""
    return shown(rating.mu - 3 * rating.sigma)


def record_end(match: Match, position: log.Position, now: datetime) -> None:
    """Rate a match that counts and rank its people. Part of its last move's transaction.

    Ratings are locked by player, boards always in one order, so that no two ends wait for
    each other.
    """
    if not match.rated or match.rules.BOARD != "rating" or position.places is None:
        return
    seats = list(Seat.objects.filter(match=match).select_related("player").order_by("number"))
    ratings = rate(match, seats, position.places, now)
    for period in PERIODS:
        board = next_version(match.game, period, utc_day(now))
        for player, rating in ratings.items():
            if period == "all":
                stand(board, player, now, sure(rating), rating.matches)
                continue
            seat = next(seat.number for seat in seats if seat.player == player)
            won = position.places[seat] == 1 and position.places.count(1) == 1
            old = current(board, player)
            wins, matches = (old.value, old.matches) if old else (0, 0)
            stand(board, player, now, wins + won, matches + 1)


def rate(
    match: Match, seats: Sequence[Seat], places: Sequence[int], now: datetime
) -> dict[Player, Rating]:
    """Each person's rating after the match; bots' ratings are constants."""
    ratings = locked_ratings(match.game, [seat.player for seat in seats if seat.player], now)
    teams = [[strength(match.game, seat, ratings)] for seat in seats]
    after = MODEL.rate(teams, ranks=[float(place) for place in places])
    for seat, (new,) in zip(seats, after, strict=True):
        if seat.player is not None:
            change(match, ratings[seat.player], new, now)
    return ratings


def locked_ratings(game: str, people: Sequence[Player], now: datetime) -> dict[Player, Rating]:
    """The people's ratings, those of new players too, locked in one order."""
    new = MODEL.rating()
    Rating.objects.bulk_create(
        (Rating(player=p, game=game, mu=new.mu, sigma=new.sigma, changed_at=now) for p in people),
        ignore_conflicts=True,
    )
    ratings = Rating.objects.select_for_update(of=("self",)).select_related("player")
    found = ratings.filter(game=game, player__in=people).order_by("player_id")
    return {rating.player: rating for rating in found}


def strength(game: str, seat: Seat, ratings: dict[Player, Rating]) -> PlackettLuceRating:
    if seat.player is None:
        return MODEL.rating(bots.rating(game, seat.bot), BOT_SIGMA)
    rating = ratings[seat.player]
    return MODEL.rating(rating.mu, rating.sigma)


def change(match: Match, rating: Rating, new: PlackettLuceRating, now: datetime) -> None:
    """Move a rating, and keep what it was, so that a void can take the match back."""
    RatingChange.objects.create(
        match=match,
        player=rating.player,
        game=match.game,
        mu_before=rating.mu,
        sigma_before=rating.sigma,
        mu=new.mu,
        sigma=new.sigma,
        at=now,
    )
    rating.mu, rating.sigma, rating.changed_at = new.mu, new.sigma, now
    rating.matches += 1
    rating.save(update_fields=["mu", "sigma", "matches", "changed_at"])


# Boards


def next_version(game: str, period: str, day: date) -> Board:
    """The board of the period, locked, one version on."""
    board = {"game": game, "period": period, "starts": first_day(period, day)}
    Board.objects.bulk_create([Board(**board)], ignore_conflicts=True)
    found = Board.objects.select_for_update().get(**board)
    found.version += 1
    found.save(update_fields=["version"])
    return found


def current(board: Board, player: Player) -> Standing | None:
    return Standing.objects.filter(board=board, player=player, until=None).first()


def stand(board: Board, player: Player, now: datetime, value: int, matches: int) -> None:
    """Replace a player's line, as of the board's version, by a new one."""
    old = current(board, player)
    if old is not None:
        old.until, old.replaced_at = board.version, now
        old.save(update_fields=["until", "replaced_at"])
    Standing.objects.create(
        board=board,
        player=player,
        value=value,
        matches=matches,
        reached_at=old.reached_at if old is not None and old.value == value else now,
        since=board.version,
    )


def forget_replaced() -> None:
    """Delete the lines that no page can still be followed to."""
    Standing.objects.filter(replaced_at__lt=timezone.now() - KEPT).delete()
