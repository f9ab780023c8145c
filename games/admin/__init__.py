"""The operator's pages about games: to look at everything, and to mend what is broken."""

from games.admin import dashboard
from games.admin.care import AnalysisAdmin, BotErrorAdmin, HourAdmin
from games.admin.matches import DealAdmin, MatchAdmin, MoveAdmin, SeatAdmin
from games.admin.records import (
    BoardAdmin,
    RatingAdmin,
    RatingChangeAdmin,
    ScoreAdmin,
    StandingAdmin,
    TallyAdmin,
)

__all__ = [
    "AnalysisAdmin",
    "BoardAdmin",
    "BotErrorAdmin",
    "DealAdmin",
    "HourAdmin",
    "MatchAdmin",
    "MoveAdmin",
    "RatingAdmin",
    "RatingChangeAdmin",
    "ScoreAdmin",
    "SeatAdmin",
    "StandingAdmin",
    "TallyAdmin",
    "dashboard",
]
