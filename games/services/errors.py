"""Refusals of the service itself; those of the rules are in engine/game.py."""

from datetime import datetime
from typing import Any


class Refused(Exception):
    """A refusal in words. `code` finds its problem; `extra` is merged into the answer."""

    code = ""
    pointer: str | None = None

    def __init__(self, words: str, pointer: str | None = None, **extra: Any) -> None:
        super().__init__(words)
        self.pointer = pointer or self.pointer
        self.extra = extra


class Malformed(Refused):
    code = "malformed"


class MatchNotFound(Refused):
    code = "not-found"

    def __init__(self, words: str = "There is no such match, or you may not see it.") -> None:
        super().__init__(words)


class NotSeated(Refused):
    code = "not-seated"

    def __init__(self) -> None:
        super().__init__("You do not sit at this match; only its players can do that.")


class NotYourSeat(Refused):
    code = "not-your-seat"


class NotTheMaker(Refused):
    code = "not-the-maker"


class SeatKept(Refused):
    code = "seat-kept"


class StaleVersion(Refused):
    code = "stale-version"

    def __init__(self, given: int, version: int) -> None:
        super().__init__(
            f"The match is at version {version}, not {given}; look at it again.", version=version
        )


class VersionMismatch(Refused):
    code = "version-mismatch"


class MatchNotStarted(Refused):
    code = "match-not-started"


class MatchStarted(Refused):
    code = "match-already-started"


class MatchNotOver(Refused):
    code = "match-not-over"


class SeatTaken(Refused):
    code = "seat-taken"


class AlreadySeated(Refused):
    code = "already-seated"


class SeatsOpen(Refused):
    code = "seats-open"


class NotAPracticeMatch(Refused):
    code = "not-a-practice-match"


class NoHints(Refused):
    code = "no-hints"


class NotOffered(Refused):
    code = "not-offered"


class TooManyAnalyses(Refused):
    code = "too-many-analyses"


class TooManyMatches(Refused):
    code = "too-many-matches"


class NoClearableDeal(Refused):
    code = "no-clearable-deal"


class NotPostable(Refused):
    code = "not-postable"


class PostedAlready(Refused):
    code = "posted-already"


class PostingClosed(Refused):
    code = "posting-closed"


class TimeIsUp(Refused):
    code = "time-is-up"

    def __init__(self, deadline: datetime, version: int) -> None:
        super().__init__(
            f"Your time for this move was up at {told(deadline)}.",
            deadline=deadline,
            version=version,
        )


class NothingToClaim(Refused):
    code = "nothing-to-claim"


class TooEarly(Refused):
    code = "too-early"

    def __init__(self, seat: int, claims_at: datetime, version: int) -> None:
        super().__init__(
            f"Seat {seat} has until {told(claims_at)}; claim from then on.",
            claims_at=claims_at,
            version=version,
        )


class ClaimNotOffered(Refused):
    code = "claim-not-offered"


class AlreadyMoved(Refused):
    code = "already-moved"


def told(at: datetime) -> str:
    """A time in words, to the second."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
