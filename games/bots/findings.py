"""What a coach asks of a game besides what its actions come to.

A game's findings are the module `<game>.findings` here, pure, with some of:
`kinds(view, played, better)`, what sort of mistake it was to play the one and not the other, from
the seat's view alone; `SAMPLES`, how many guessed deals a decision is picked and judged by;
`TAKING_BACK`, types of actions that take the last one back; and
`moment(steps)`, until when a deal could be cleared. It knows every card: `steps` are the decisions
of a deal that stand, each with its version, the state before, the action, and the state after.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from games import bots

Step = tuple[int, Any, Any, Any]


class Moment(Struct, frozen=True):
    """Whether a deal was cleared or could have been, and which decision has lost that.

    `version`: the one at which `played` was done, and it could be cleared still. `nodes`: so many
    positions were looked at.
    """

    outcome: Literal["cleared", "never", "lost", "open", "unknown"]
    version: int | None
    played: Any
    nodes: int


def findings_of(game: str) -> Any:
    """The module of a game's findings, or None."""
    return bots.module(game, "findings")


def kinds(game: str, view: Any, played: Any, better: Any) -> tuple[str, ...]:
    """What sort of mistake it was; nothing where the game tells none apart."""
    found = getattr(findings_of(game), "kinds", None)
    return tuple(found(view, played, better)) if found else ()


def samples(game: str, usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """How many guessed deals the best is picked by, and how few and many judge it."""
    found: tuple[int, int, int] = getattr(findings_of(game), "SAMPLES", usual)
    return found


def taking_back(game: str) -> tuple[str, ...]:
    """Types of actions that take the last one back, as in practice."""
    return tuple(getattr(findings_of(game), "TAKING_BACK", ()))


def can_tell_moments(game: str) -> bool:
    return hasattr(findings_of(game), "moment")


def moment(game: str, steps: Sequence[Step]) -> Moment:
    found: Moment = findings_of(game).moment(steps)
    return found
