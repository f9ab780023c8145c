"""How long a player may take: fixed with a match, and counted from the times in its log.

No time is read here; all are given.
"""

from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

Time = datetime

OnTimeout = Literal["choose", "win", "bot"]
Take = Literal["win", "bot"]


class Clock(Struct, frozen=True, omit_defaults=True):
    """`seconds` or `days` for each move; with neither a player may take as long as he likes.

    When his time is up the others may claim; without a time, after `claim_days`. A match in
    which nobody does anything even then is ended `abandoned_days` later. `on_timeout` says
    what may be claimed where two are left.
    """

    seconds: int | None = None
    days: int | None = None
    on_timeout: OnTimeout = "choose"
    claim_days: int = 14
    abandoned_days: int = 14

    @property
    def limit(self) -> timedelta | None:
        """The time for a move."""
        if self.seconds is None and self.days is None:
            return None
        return timedelta(days=self.days or 0, seconds=self.seconds or 0)

    def up(self, since: Time) -> Time | None:
        """When the time for a move that is awaited since then is up."""
        return since + self.limit if self.limit else None

    def claimable(self, since: Time) -> Time:
        """When others may claim."""
        return self.up(since) or since + timedelta(days=self.claim_days)

    def abandoned(self, since: Time) -> Time:
        """When a match that nobody has moved or claimed is ended."""
        return self.claimable(since) + timedelta(days=self.abandoned_days)
