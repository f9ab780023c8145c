"""What Postgres keeps."""

from games.models.analyses import UNFINISHED, Analysis
from games.models.care import BotError, Hour
from games.models.matches import ONE_ATTEMPT_MORE, Deal, Match, Move, Seat
from games.models.records import Board, Rating, RatingChange, Score, Standing, Tally

__all__ = [
    "ONE_ATTEMPT_MORE",
    "UNFINISHED",
    "Analysis",
    "Board",
    "BotError",
    "Deal",
    "Hour",
    "Match",
    "Move",
    "Rating",
    "RatingChange",
    "Score",
    "Seat",
    "Standing",
    "Tally",
]
