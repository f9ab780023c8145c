"""What Postgres keeps."""

from games.models.matches import Deal, Match, Move, Seat

__all__ = ["Deal", "Match", "Move", "Seat"]
