"""The OpenAPI components of games and envelopes, made from the structs that answers are made of."""

from typing import Any, get_args

import msgspec

from games import answers
from games.answers import (
    AnalysisBody,
    BoardBody,
    DealLine,
    Dry,
    EventBody,
    EventsBody,
    GameBody,
    MatchBody,
    MatchLine,
    PostedBody,
    StatsBody,
)
from games.engine import GAMES
from games.engine.game import Game
from games.services.hints import Hint
from games.services.practice import Prospect

PREFIX = "#/components/schemas/"
ENVELOPES = {
    "Match": MatchBody,
    "MatchLine": MatchLine,
    "Event": EventBody,
    "Events": EventsBody,
    "Deal": DealLine,
    "DryRun": Dry,
    "Game": GameBody,
    "Leaderboard": BoardBody,
    "Posted": PostedBody,
    "Stats": StatsBody,
    "Hint": Hint,
    "Prospect": Prospect,
    "Analysis": AnalysisBody,
}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": PREFIX + name}


def page(name: str) -> dict[str, Any]:
    """A page of a list of these."""
    link = {"type": ["string", "null"], "format": "uri-reference"}
    return {
        "type": "object",
        "required": ["results", "next", "previous"],
        "properties": {
            "results": {"type": "array", "items": ref(name)},
            "next": link,
            "previous": link,
        },
    }


def add_games(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: adds the components that views name by `ref`."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result


def components() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, rules in GAMES.items():
        found |= game_components(name.title(), rules)
    found |= {
        "Action": one_of("Action"),
        "View": one_of("View"),
        "Result": one_of("Result"),
        "Foresight": one_of("Foresight"),
        "Last": {"anyOf": [ref("TableLast"), *(ref(f"{n.title()}Last") for n in GAMES)]},
    }
    return found | envelope_components()


def one_of(kind: str) -> dict[str, Any]:
    """That kind of thing in any of the games."""
    return {"anyOf": [ref(name.title() + kind) for name in GAMES]}


def game_components(title: str, rules: Game) -> dict[str, Any]:
    """The game's structs, each name preceded by the game's; and Action, any action of a seat."""
    types = (rules.View, rules.Result, rules.Options, rules.Foresight, rules.Action)
    _, found = msgspec.json.schema_components(types, ref_template=f"{PREFIX}{title}{{name}}")
    named = {title + name: schema for name, schema in found.items()}
    actions = [ref(title + kind.__name__) for kind in get_args(rules.Action)]
    return named | {f"{title}Action": {"anyOf": actions}}


def envelope_components() -> dict[str, Any]:
    types = tuple(ENVELOPES.values())
    _, found = msgspec.json.schema_components(types, ref_template=PREFIX + "{name}")
    names = {kind.__name__: name for name, kind in ENVELOPES.items()}
    names |= {"SeatBody": "Seat", "DealBody": "DealNow"}
    text = msgspec.json.encode(found).decode()
    for old, new in names.items():
        text = text.replace(f'"{PREFIX}{old}"', f'"{PREFIX}{new}"')
    renamed = {names.get(name, name): s for name, s in msgspec.json.decode(text).items()}
    renamed["TableLast"] = table_last()
    for name, fields in GAME_FIELDS.items():
        for field, kind in fields.items():
            renamed[name]["properties"][field] = kind
    return renamed


def table_last() -> dict[str, Any]:
    _, found = msgspec.json.schema_components((answers.TableLast,))
    return dict(found["TableLast"])


def or_null(kind: str) -> dict[str, Any]:
    return {"anyOf": [ref(kind), {"type": "null"}]}


GAME_FIELDS = {
    "Match": {"view": or_null("View"), "result": or_null("Result")},
    "Event": {
        "view": or_null("View"),
        "views": {"type": "array", "items": or_null("View")},
        "last": ref("Last"),
    },
    "Events": {"results": {"type": "array", "items": ref("Event")}},
    "Deal": {"result": or_null("Result")},
    "Advised": {"action": ref("Action")},
    "Prospect": {"line": {"anyOf": [{"type": "array", "items": ref("Action")}, {"type": "null"}]}},
    "Decision": {"played": ref("Action"), "better": or_null("Action")},
    "Moment": {"played": or_null("Action")},
    "DryRun": {"action": ref("Action"), "foresight": ref("Foresight")},
}
"""Fields that hold what a game defines; the structs call them Any."""
