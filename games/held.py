"""How many streams a process holds, and for whom; who holds too many is given no more."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from games.services.errors import Refused

RETRY = {"Retry-After": "10"}
"""Nobody knows when a stream ends: come back in a while, with the last version seen."""


class TooManyStreams(Refused):
    code = "too-many-streams"
    headers = RETRY


class StreamsFull(Refused):
    code = "streams-full"
    headers = RETRY


class Held:
    """Counted where streams begin and end, on their loop; asked in the threads of requests.

    Requests that are asked for at once may go over a limit by as many as there are threads.
    """

    def __init__(self) -> None:
        self.all = 0
        self.players: Counter[Any] = Counter()
        self.addresses: Counter[str] = Counter()

    def check(self, player: Any, address: str) -> None:
        """Raises TooManyStreams, StreamsFull."""
        if player is not None and over(self.players[player], settings.STREAMS_OF_A_PLAYER):
            raise TooManyStreams(f"You hold {self.players[player]} streams or long polls; end one.")
        if over(self.addresses[address], settings.STREAMS_OF_AN_ADDRESS):
            raise TooManyStreams(
                f"{self.addresses[address]} streams or long polls are held for your address."
            )
        if over(self.all, settings.STREAMS):
            raise StreamsFull("This server holds as many streams as it can; ask without waiting.")

    @contextmanager
    def one_more(self, player: Any, address: str) -> Iterator[None]:
        self.count(player, address, 1)
        try:
            yield
        finally:
            self.count(player, address, -1)

    def count(self, player: Any, address: str, more: int) -> None:
        self.all += more
        for counter, whose in ((self.players, player), (self.addresses, address)):
            counter[whose] += more
            if not counter[whose]:
                del counter[whose]


def over(held: int, most: int) -> bool:
    return 0 < most <= held
