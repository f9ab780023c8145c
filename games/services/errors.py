"""Refusals of the service itself; those of the rules are in engine/game.py."""

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


class NotOffered(Refused):
    code = "not-offered"


class NoClearableDeal(Refused):
    code = "no-clearable-deal"


class NotPostable(Refused):
    code = "not-postable"


class PostedAlready(Refused):
    code = "posted-already"


class PostingClosed(Refused):
    code = "posting-closed"
