"""The bodies that come in around an action, and how they are checked."""

from typing import Any, get_args

import msgspec
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.engine import GAMES
from games.engine.clock import OnTimeout, Take
from games.services.wishes import DAYS, SECONDS, Wish
from players.serializers import Body, Flag

MOST_SEATS = 10
"""Of any game: what is longer is refused before it is read."""
MOST_ENTROPY = 64


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["me", "open"]},
            {
                "type": "object",
                "required": ["bot"],
                "properties": {"bot": {"type": "string", "examples": ["easy"]}},
                "additionalProperties": False,
            },
            {
                "type": "object",
                "required": ["invite"],
                "properties": {"invite": {"type": "string", "description": "a player's name"}},
                "additionalProperties": False,
            },
        ]
    }
)
class SeatField(serializers.Field[Any, Any, Any, Any]):
    """ "me", "open", {"bot": level} or {"invite": name}."""

    default_error_messages = {
        "shape": 'A seat is "me", "open", {{"bot": level}} or {{"invite": name}}.'
    }

    def to_internal_value(self, data: Any) -> str | Wish:
        if data in ("me", "open"):
            return str(data)
        try:
            wish = msgspec.convert(data, Wish)
        except msgspec.ValidationError:
            self.fail("shape")
        if (wish.bot is None) == (wish.invite is None):
            self.fail("shape")
        return wish

    def to_representation(self, value: Any) -> Any:
        return value


class SeatsField(serializers.ListField):
    child = SeatField()

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list):
            self.run_validators(data)  # its length: before a long one is answered item by item
        return super().to_internal_value(data)


@extend_schema_field(
    {
        "oneOf": [
            {
                "type": "object",
                "required": [unit],
                "properties": {
                    unit: {"type": "integer", "minimum": bounds[0], "maximum": bounds[-1]}
                },
                "additionalProperties": False,
            }
            for unit, bounds in (("seconds", SECONDS), ("days", DAYS))
        ]
        + [{"type": "null"}]
    }
)
class ClockField(serializers.DictField):
    """{"seconds": 60} or {"days": 3} for each move; `read_clock` looks at the numbers."""


class Whole(serializers.IntegerField):
    """A whole number, and nothing that could be made one."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class EntropyField(serializers.RegexField):
    """Text that goes into the shuffles, taken byte for byte."""

    default_error_messages = {"invalid": "Entropy is at most 64 printable ASCII characters."}

    def __init__(self) -> None:
        super().__init__(
            rf"^[ -~]{{0,{MOST_ENTROPY}}}\Z",
            default="",
            allow_blank=True,
            trim_whitespace=False,
            help_text="Any text of your own, such as the throws of a die: it goes into every "
            "shuffle. At most 64 printable ASCII characters. See docs/fairness.md.",
        )

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def clock_field() -> ClockField:
    return ClockField(
        default=None,
        allow_null=True,
        help_text="The time for each move: seconds, or days. Null: as long as one likes.",
    )


def on_timeout_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        get_args(OnTimeout),
        default="choose",
        help_text="What another player may claim when one's time is up: the win, that a bot plays "
        "on, or what he chooses of the two.",
    )


def rated_field() -> Flag:
    return Flag(
        required=False,
        help_text="Whether it is to count for ratings and boards. By default it does if it can: by "
        "a preset with no option changed. With a guest at it, it never does.",
    )


def hints_field() -> Flag:
    return Flag(
        default=None,
        allow_null=True,
        help_text="Whether players may ask for hints. By default they may where the match does not "
        "count; where it counts, never. Pyramid gives them in practice only.",
    )


class NewMatchSerializer(Body):
    game = serializers.ChoiceField(list(GAMES))
    options = serializers.DictField(
        default=dict,
        help_text="A `preset`, and the options that differ from it: GET /games lists them.",
    )
    seats = SeatsField(max_length=MOST_SEATS, help_text="One for each seat, in order.")
    visibility = serializers.ChoiceField(["public", "private"], default="public")
    start = serializers.ChoiceField(
        ["full", "later"],
        default="full",
        help_text="By itself when the seats are full, or later by POST …/start.",
    )

    rated = rated_field()
    hints = hints_field()
    entropy = EntropyField()
    clock = clock_field()
    on_timeout = on_timeout_field()


class PlayNowSerializer(Body):
    game = serializers.ChoiceField(list(GAMES))
    options = serializers.DictField(default=dict, help_text="As in POST /matches.")
    seats = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=9,
        help_text="How many are to play; else the fewest that can.",
    )
    wait = serializers.IntegerField(
        default=30,
        min_value=0,
        max_value=3600,
        help_text="Seconds until you play at the latest: then bots take the empty seats.",
    )
    bots = serializers.CharField(
        default=None, allow_null=True, help_text="Their level; else the easiest but `random`."
    )
    rated = rated_field()
    hints = hints_field()
    clock = clock_field()
    on_timeout = on_timeout_field()


class JoinSerializer(Body):
    seat = Whole(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEATS - 1,
        help_text="Which; else the one kept for you, or the first open one.",
    )
    entropy = EntropyField()


class ContinuationSerializer(Body):
    version = Whole(min_value=1, max_value=2**31 - 1, help_text="From where to go on.")
    seat = Whole(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEATS - 1,
        help_text="Yours; else the one that you had there, or the one to move.",
    )
    bots = serializers.CharField(
        default=None, allow_null=True, help_text="Their level; else the easiest but `random`."
    )
    entropy = EntropyField()


class StartSerializer(Body):
    entropy = EntropyField()


class NewMoveSerializer(Body):
    version = Whole(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The match's version that you saw; or send its ETag as `If-Match`.",
    )
    action = serializers.JSONField(help_text="One of the view's `legal`, echoed.")


class ClaimSerializer(Body):
    take = serializers.ChoiceField(
        get_args(Take), help_text="One of `awaiting.claims.take` of the match."
    )
