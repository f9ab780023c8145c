"""What Postgres keeps."""

from games.models.matches import Deal, Match, Move, Seat
from games.models.records import Board, Rating, RatingChange, Score, Standing, Tally

__all__ = [
    "Board",
    "Deal",
    "Match",
    "Move",
    "Rating",
    "RatingChange",
    "Score",
    "Seat",
    "Standing",
    "Tally",
]
