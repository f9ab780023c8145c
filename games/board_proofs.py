"""Proof that the lines of boards are what rated matches and posted scores have left.

Board by board, so that no more than one is held at a time.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef

from games.engine import GAMES
from games.models import Board, Rating, RatingChange, Score, Seat, Standing
from games.services.records import EPOCH, PERIODS, first_day, shown, sure, utc_day

NEVER = datetime.min.replace(tzinfo=UTC)
"""Before everything, so that nothing is proved of it."""


class Line(NamedTuple):
    """A player's, and when he has reached its value."""

    value: int
    matches: int
    reached: datetime


class Fact(NamedTuple):
    """That counts for a day: a rated match, won alone (1) or not, or a score of so many points."""

    player: UUID
    day: date
    at: datetime
    number: int


def wrong_lines(mended: Mapping[UUID, datetime]) -> Iterator[str]:
    """Lines that are not what ratings and posted scores say.

    Not proved: when a line was reached whose player's records were `mended` after that.
    """
    for game in GAMES:
        for period in PERIODS:
            looked_at = []
            for starts, lines in boards(game, period):
                looked_at.append(starts)
                yield from compared(game, period, starts, lines, mended)
            empty = Board.objects.filter(game=game, period=period).exclude(starts__in=looked_at)
            for starts in empty.values_list("starts", flat=True):
                yield from compared(game, period, starts, {}, mended)


def compared(
    game: str,
    period: str,
    starts: date,
    told: Mapping[UUID, Line],
    mended: Mapping[UUID, datetime],
) -> Iterator[str]:
    lines = Standing.objects.filter(
        until=None, board__game=game, board__period=period, board__starts=starts
    )
    rows = lines.values_list("player", "value", "matches", "reached_at")
    stored = {player: Line(*line) for player, *line in rows.iterator()}
    for player in sorted({*told, *stored}):
        says, is_ = told.get(player), stored.get(player)
        line = f"{game} board {period} {starts}, player {player}"
        if says is None or is_ is None or says[:2] != is_[:2]:
            yield (
                f"{line}: value and matches are {is_ and is_[:2]},"
                f" ratings and scores say {says and says[:2]}"
            )
        elif says.reached != is_.reached and says.reached > mended.get(player, NEVER):
            yield f"{line}: reached at {is_.reached}, ratings and scores say {says.reached}"


def boards(game: str, period: str) -> Iterator[tuple[date, dict[UUID, Line]]]:
    """The lines of each board, by its first day."""
    rated = GAMES[game].BOARD == "rating"
    if rated and period == "all":
        yield EPOCH, strengths(game)
        return
    facts, line = (rated_matches, with_match) if rated else (scores, with_score)
    for starts, found in groupby(facts(game), lambda fact: first_day(period, fact.day)):
        lines: dict[UUID, Line] = {}
        for fact in found:
            lines[fact.player] = line(lines.get(fact.player), fact)
        yield starts, lines


def with_match(line: Line | None, fact: Fact) -> Line:
    """So many won alone, of so many."""
    if line is None:
        return Line(fact.number, 1, fact.at)
    reached = fact.at if fact.number else line.reached
    return Line(line.value + fact.number, line.matches + 1, reached)


def with_score(line: Line | None, fact: Fact) -> Line:
    """The best, of one match."""
    return Line(fact.number, 1, fact.at) if line is None or fact.number > line.value else line


def strengths(game: str) -> dict[UUID, Line]:
    """For all time: ratings, each reached with the change that has led to what is shown."""
    led: dict[UUID, tuple[int, datetime]] = {}
    changes = RatingChange.objects.filter(game=game).order_by("at", "pk")
    for player, mu, sigma, at in changes.values_list("player", "mu", "sigma", "at").iterator():
        value = shown(mu - 3 * sigma)
        if player not in led or led[player][0] != value:
            led[player] = value, at
    lines = {}
    for rating in Rating.objects.filter(game=game, matches__gt=0).iterator():
        _, reached = led.get(rating.player_id, (0, NEVER))
        lines[rating.player_id] = Line(sure(rating), rating.matches, reached)
    return lines


def rated_matches(game: str) -> Iterator[Fact]:
    first = Seat.objects.filter(match=OuterRef("match"), place=1)
    alone = Exists(first.filter(player=OuterRef("player"))) & ~Exists(
        first.exclude(player=OuterRef("player"))
    )
    changes = RatingChange.objects.filter(game=game).annotate(alone=alone).order_by("at", "pk")
    for player, at, won in changes.values_list("player", "at", "alone").iterator():
        yield Fact(player, utc_day(at), at, int(won))


def scores(game: str) -> Iterator[Fact]:
    posted = Score.objects.filter(game=game).order_by("day", "posted_at", "pk")
    for row in posted.values_list("player", "day", "posted_at", "points").iterator():
        yield Fact(*row)
