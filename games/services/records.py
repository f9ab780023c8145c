"""What an ended match leaves behind: its players' ratings, and their places on the boards."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import reduce
from operator import or_

from django.db.models import F, OuterRef, Q, Subquery
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
"""How long a page can be followed by its next. Replaced standings are kept twice as long, for
clocks differ and a transaction commits after its time was taken."""

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


def mu_of(rating: float) -> float:
    """The mu of a rating as people read it."""
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
    if not any(seat.player for seat in seats):
        return
    ratings = rate(match, seats, position.places, now)
    winners = [seat.player for seat in seats if position.places[seat.number] == 1]

    def line(board: Board, player: Player, old: Standing | None) -> tuple[int, int]:
        if board.period == "all":
            return sure(ratings[player]), ratings[player].matches
        wins, matches = (old.value, old.matches) if old else (0, 0)
        return wins + (winners == [player]), matches + 1

    rank(match.game, list(ratings), now, utc_day(now), line)


def rate(
    match: Match, seats: Sequence[Seat], places: Sequence[int], now: datetime
) -> dict[Player, Rating]:
    """Each person's rating after the match; bots' ratings are constants.

    What it was before is kept, so that a void can take the match back.
    """
    ratings = locked_ratings(match.game, [seat.player for seat in seats if seat.player], now)
    before = [strength(match.game, seat, ratings) for seat in seats]
    bots = [one.mu for seat, one in zip(seats, before, strict=True) if seat.player is None]
    after = zip(seats, outcome(before, places), strict=True)
    moved = [(ratings[seat.player], new) for seat, new in after if seat.player]
    RatingChange.objects.bulk_create(
        RatingChange(
            match=match,
            player=rating.player,
            game=match.game,
            mu_before=rating.mu,
            sigma_before=rating.sigma,
            mu=new.mu,
            sigma=new.sigma,
            bots=bots,
            at=now,
        )
        for rating, new in moved
    )
    for rating, new in moved:
        rating.mu, rating.sigma, rating.changed_at = new.mu, new.sigma, now
        rating.matches += 1
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "matches", "changed_at"])
    return ratings


def outcome(
    before: Sequence[PlackettLuceRating], places: Sequence[int]
) -> list[PlackettLuceRating]:
    """What a match makes of those who played it, by their places."""
    teams = MODEL.rate([[one] for one in before], ranks=[float(place) for place in places])
    return [after for (after,) in teams]


def locked_ratings(game: str, people: Sequence[Player], now: datetime) -> dict[Player, Rating]:
    """The people's ratings, those of new players too, made and locked in one order."""
    new, in_order = MODEL.rating(), sorted(people, key=lambda player: player.pk)
    Rating.objects.bulk_create(
        (Rating(player=p, game=game, mu=new.mu, sigma=new.sigma, changed_at=now) for p in in_order),
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


# Boards

Line = Callable[[Board, Player, Standing | None], tuple[int, int] | None]
"""The (value, matches) of a player's new line on a board, given his old one; None: as it is.

Of no matches: he stands there no more.
"""


def rank(game: str, players: Sequence[Player], now: datetime, day: date, line: Line) -> None:
    """Give the players new lines on the boards of the day, its week and all time.

    The boards stay locked until the transaction ends: theirs is the last word of it.
    """
    boards = next_versions(game, day)
    current = {
        (standing.board_id, standing.player_id): standing
        for standing in Standing.objects.filter(
            board__in=boards, player__in=[player.pk for player in players], until=None
        )
    }
    replaced, lines = [], []
    for board in boards:
        for player in players:
            old = current.get((board.pk, player.pk))
            new = line(board, player, old)
            if new is None:
                continue
            replaced += [old.pk] if old else []
            lines += [standing_of(board, player, old, now, *new)] if new[1] else []
    version = Board.objects.filter(pk=OuterRef("board")).values("version")
    Standing.objects.filter(pk__in=replaced).update(until=Subquery(version), replaced_at=now)
    Standing.objects.bulk_create(lines)


def next_versions(game: str, day: date) -> list[Board]:
    """The boards in which the day lies, locked in one order, each a version on."""
    places = [
        {"game": game, "period": period, "starts": first_day(period, day)} for period in PERIODS
    ]
    Board.objects.bulk_create((Board(**place) for place in places), ignore_conflicts=True)
    wanted = reduce(or_, (Q(**place) for place in places))
    boards = list(Board.objects.select_for_update().filter(wanted).order_by("period"))
    Board.objects.filter(pk__in=[board.pk for board in boards]).update(version=F("version") + 1)
    for board in boards:
        board.version += 1
    return boards


def standing_of(
    board: Board, player: Player, old: Standing | None, now: datetime, value: int, matches: int
) -> Standing:
    reached_at = old.reached_at if old is not None and old.value == value else now
    return Standing(
        board=board,
        player=player,
        value=value,
        matches=matches,
        reached_at=reached_at,
        since=board.version,
    )


def forget_replaced() -> None:
    """Delete the lines that no page can still be followed to."""
    Standing.objects.filter(replaced_at__lt=timezone.now() - 2 * KEPT).delete()
