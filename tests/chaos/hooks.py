"""Where a person's webhook leads: to somebody who does not always answer, and writes all down."""

from random import Random
from typing import Any

from tests.chaos.records import Message, Told
from tests.receiver import Receiver

EVENTS = ["match.started", "match.your_turn", "match.over"]


class Unsteady(Receiver):
    """Of what it is told it refuses a share, and leaves a share without an answer."""

    def __init__(self, told: Told, share: float, rng: Random) -> None:
        super().__init__()
        self.told, self.share, self.rng = told, share, rng

    def take(self, headers: dict[str, str], body: bytes) -> int:
        status = super().take(headers, body)
        self.told.bad += map(repr, self.bad)
        self.bad.clear()
        name, message = headers["webhook-id"], self.got.pop()
        self.told.messages.append(read(name, message))
        if self.rng.random() < self.share:
            return self.rng.choice([503, 0])
        self.told.taken.add(name)
        return status


def read(name: str, message: dict[str, Any]) -> Message:
    data = message["data"]
    return Message(name, message["type"], data["match"], data["version"], data["seat"])
