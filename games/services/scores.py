"""Posting the score of a match that is played for points."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.models import Board, Match, Score, Seat, Standing
from games.services.errors import MatchNotOver, NotPostable, PostedAlready, PostingClosed
from games.services.moves import locked, seated
from games.services.records import rank, utc_day
from players.models import Player


@transaction.atomic
def post_score(match_id: UUID, player: Player) -> Score:
    """Post one's score of a match, once, for the UTC day on which it ended.

    Raises MatchNotFound, NotSeated, MatchNotOver, NotPostable, PostedAlready, PostingClosed.
    """
    match = locked(match_id)
    position = match.folded()
    seat = seated(match, position, player)
    if match.finished_at is None:
        raise MatchNotOver("The match is not over; its score can be posted when it is.")
    check_postable(match)
    if position.seats[seat].bot is not None:
        raise NotPostable("A bot has played on for you; the score is not yours.")
    if Score.objects.filter(match=match, player=player).exists():
        raise PostedAlready("Your score of this match has been posted.")
    if began_another(match, player, match.finished_at):
        raise PostingClosed("You have begun another match since; a score is posted before that.")
    now = timezone.now()
    score = Score.objects.create(
        match=match,
        player=player,
        game=match.game,
        points=position.state.scores[seat],
        day=utc_day(match.finished_at),
        posted_at=now,
    )

    def line(board: Board, player: Player, old: Standing | None) -> tuple[int, int] | None:
        return (score.points, 1) if old is None or old.value < score.points else None

    rank(match.game, [player], now, score.day, line)
    return score


def check_postable(match: Match) -> None:
    """Raises NotPostable unless the match counts."""
    if match.rules.BOARD != "points":
        raise NotPostable(f"{match.rules.TITLE} is not played for a score to post.")
    if match.status != "finished":
        raise NotPostable(f"The match was {match.status}; its score does not count.")
    if match.folded().continued is not None:
        raise NotPostable("The match went on from another one; its score does not count.")
    if match.chosen != match.rules.Options():
        raise NotPostable("Only a match with all options at their defaults can be posted.")
    if not match.rated:
        raise NotPostable(_why_unrated(match))


def _why_unrated(match: Match) -> str:
    if match.rated_wish is None:  # from before it was kept
        return 'The match was made with `"rated": false`, or a guest was at it; it does not count.'
    if not match.rated_wish:
        return 'The match was made with `"rated": false`; its score does not count.'
    if Seat.objects.filter(match=match).exclude(player=None).count() > 1:
        return "A guest was at the match; a score counts only if all have an account at the start."
    return "A score counts only for who has an account when the match starts."


def began_another(match: Match, player: Player, ended: datetime) -> bool:
    seats = Seat.objects.filter(player=player, match__game=match.game)
    return seats.filter(match__started_at__gt=ended).exclude(match=match).exists()
