"""All that a reader can ask of the service: every operation of the OpenAPI document, and the admin.

The document alone says what there is to ask, so a new operation is asked as soon as it is there.
A parameter of which nobody knows a sensible value stops the gate and says so.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.db import transaction
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from games.admin.mending import MENDS
from games.engine import log
from games.models import Match
from players.mending import MENDS as PLAYERS_MENDS
from tests.games.people import Person
from tests.secrecy.scenes import Scene

ZEROS = "0" * 31
SEATS = ("0", "1", "2", "3", "spectator", "all", "9")
VALUES: dict[str, tuple[str, ...]] = {
    "seat": SEATS,
    "player": ("p0", "p1", "eve"),
    "name": ("p0", "p1", "eve"),
    "preset": ("arcade", "standard", "x"),
    "cursor": ("x",),
    "key": ("x",),
    "since": ("2020-01-01T00:00:00Z",),
    "until": ("2100-01-01T00:00:00Z",),
    "token_id": ("00000000-0000-0000-0000-000000000001",),
    "day": ("2020-01-01", "x"),
    "limit": ("1", "3", "100"),
    "wait": ("0",),
    "webhook_id": tuple(map(str, map(UUID, (ZEROS + "0", ZEROS + "1")))),  # see the gate
}
"""By parameter: values to ask with, where the document does not list them."""

HEADERS = {"Idempotency-Key": ("one",), "If-Match": ('"1-0"', "*"), "Last-Event-ID": ("1", "3")}
TOGETHER = ({"at", "seat"}, {"after", "seat"})
"""Parameters that are asked in every combination; others one by one."""


class Question(NamedTuple):
    """One request, and the operation of the document that it is."""

    operation: str
    method: str
    path: str
    body: Any = b""
    headers: tuple[tuple[str, str], ...] = ()

    def ask(self, person: Person) -> Any:
        """The answer; what the request changes is taken back."""
        headers = {name.replace("-", "_"): value for name, value in self.headers}
        with transaction.atomic():
            answer = person.send(self.method.upper(), self.path, self.body, **headers)
            transaction.set_rollback(True)
        return answer


@cache
def document() -> Any:
    return json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))


KNOWS_THE_CARDS = {"clearable"}
"""What may tell of hidden cards in a practice match; in any other it refuses."""


def questions(scene: Scene, match: Match) -> Iterator[Question]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            if scene.practice and operation["operationId"] in KNOWS_THE_CARDS:
                continue
            yield from of_operation(scene, match, path, method, operation)


def of_operation(
    scene: Scene, match: Match, path: str, method: str, operation: Any
) -> Iterator[Question]:
    name, parameters = operation["operationId"], operation.get("parameters", [])
    for address in addresses(scene, match, path, parameters):
        usual, *more = [*bodies(scene, match, operation)] or [{}]
        for query in queries(match, parameters):
            yield Question(name, method, address + query, usual)
        for headers in heads(operation, parameters):
            yield Question(name, method, address, usual, headers)
        for body in more:
            yield Question(name, method, address, body)
            if "dry_run" in {p["name"] for p in parameters}:
                yield Question(name, method, address + "?dry_run=true", body)


def values(match: Match, parameter: Any) -> tuple[str, ...]:
    """Values to ask with for a parameter; a string that nobody has heard of is an error."""
    schema = parameter["schema"]
    if parameter["name"] in VALUES:
        return VALUES[parameter["name"]]
    if "enum" in schema:
        return tuple(schema["enum"])
    if schema.get("type") == "boolean":
        return ("true", "false")
    if schema.get("type") == "integer":
        return tuple(map(str, sorted({0, 1, match.version // 2, match.version - 1, match.version})))
    raise AssertionError(f"The gate knows no value of the parameter {parameter['name']!r}.")


def addresses(scene: Scene, match: Match, path: str, parameters: Any) -> Iterator[str]:
    known = {"id": (str(match.pk),), "game": (scene.game,), "number": ("1", "2")}
    named = [p for p in parameters if p["in"] == "path"]
    choices = [known.get(p["name"]) or values(match, p) for p in named]
    for chosen in product(*choices):
        yield path.format(**{p["name"]: value for p, value in zip(named, chosen, strict=True)})


def queries(match: Match, parameters: Any) -> Iterator[str]:
    asked = {p["name"]: values(match, p) for p in parameters if p["in"] == "query"}
    yield ""
    for name, choices in asked.items():
        yield from (f"?{name}={value}" for value in choices)
    for pair in TOGETHER:
        if pair <= set(asked):
            first, second = sorted(pair)
            for one, other in product(asked[first], asked[second]):
                yield f"?{first}={one}&{second}={other}"


def heads(operation: Any, parameters: Any) -> Iterator[tuple[tuple[str, str], ...]]:
    for parameter in parameters:
        if parameter["in"] == "header" and parameter["name"] != "If-None-Match":  # see the gate
            for value in HEADERS[parameter["name"]]:
                yield ((parameter["name"], value),)
    answers = operation["responses"].values()
    kinds = {media for answer in answers for media in answer.get("content", ())}
    for media in sorted(kinds - {"application/json", "application/problem+json"}):
        yield (("Accept", media),)


def bodies(scene: Scene, match: Match, operation: Any) -> Iterator[Any]:
    """What the document shows as examples, and of a body with an action, many actions."""
    if "requestBody" not in operation:
        yield b""
        return
    for media in operation["requestBody"]["content"].values():
        for example in media.get("examples", {}).values():
            body = example["value"]
            if "action" not in body:
                yield body
                continue
            for action in (*scene.tries, body["action"]):
                yield {"version": match.version, "action": log.plain(action)}
            yield {"version": match.version - 1, "action": body["action"]}


def pages() -> Iterator[str]:
    """Every page of the admin about anything that there is."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_changelist") + "?q=p1"
        for row in model._default_manager.order_by("pk")[:5]:
            yield reverse(f"{name}_change", args=[row.pk])
            yield reverse(f"{name}_history", args=[row.pk])
            yield from own_pages(row)


OWN_PAGES: dict[str, tuple[str, ...]] = {
    "games_match": ("replay/", "replay/?at=3&seat=0", "export/", *(f"mend/{m}/" for m in MENDS)),
    "games_rating": ("restore/",),
    "players_player": tuple(f"mend/{name}/" for name in PLAYERS_MENDS),
}
"""By model: pages that the service has besides Django's."""


def own_pages(row: Any) -> Iterator[str]:
    name = f"{row._meta.app_label}_{row._meta.model_name}"
    change = reverse(f"admin:{name}_change", args=[row.pk])
    for page in OWN_PAGES.get(name, ()):
        yield change.removesuffix("change/") + page
