"""Who may do what: every operation of the OpenAPI document, tried by everybody.

The table stands in docs/permissions.md. After a change that is meant, write it anew with
`WRITE_PERMISSIONS=1 pytest tests/games/test_permissions.py`, and read the difference.
"""

import os
from pathlib import Path

import pytest
from django.db import transaction

from games.models import Match
from players import services
from players.models import Player
from tests.games.people import Person, sit
from tests.games.practising import practice
from tests.games.situations import SITUATIONS, over, webhook
from tests.games.test_malformed import COMES_IN
from tests.games.test_schema import document

PAGE = Path(__file__).resolve().parents[2] / "docs" / "permissions.md"
HEAD = """# Who may do what

Made by `tests/games/test_permissions.py`, which tries every operation as everybody and compares.

Ann sits at the match, made it or owns what the operation is about; eve does not; the operator is
staff. Behind the name: the scope of the token, or a browser's session. ✓ means done; a number is
the status of the refusal: 401 sign in first, or the password is wrong; 403 not with this token, or
not by you; 404 not there for you; 409 you might, but not as things are. The last column is a
private match to which eve was not invited.

"""


OTHERS = {"export": over, "analysis": over, "hint": lambda ann, bob: practice(ann)}
"""What an operation reads, where it is not a match of gin under way."""


def everybody(ann, eve):
    """Column by column; each with a token or session of their own."""
    operator = Player.objects.create(name="operator", is_staff=True, is_superuser=True)
    found = {
        "nobody": Person(),
        "eve `read`": Person(eve.player, "read"),
        "eve `play`": Person(eve.player, "play"),
        "ann `read`": Person(ann.player, "read"),
        "ann `play`": Person(ann.player, "play"),
        "ann `bot`": Person(ann.player, "bot"),
        "ann browser": Person(),
        "operator `admin`": Person(operator, "admin"),
        "eve `play`, private": Person(eve.player, "play"),
    }
    for person in found.values():
        person.client.raise_request_exception = False
    return found


def reading(name, path, ann, bob):
    """An address of something that is there, for an operation that only reads."""
    if "{id}" in path:
        match = OTHERS[name](ann, bob) if name in OTHERS else sit(ann, bob)
        path = path.replace("{id}", str(match.pk))
    token = services.issue_token(ann.player, "another", ["read"])[0].pk if "token" in path else ""
    hook = webhook(ann).split("/")[-1] if "webhook" in path else ""
    known = {"name": "ann", "number": 1, "game": "gin", "token_id": token, "webhook_id": hook}
    for field, value in known.items():
        path = path.replace(f"{{{field}}}", str(value))
    return path, b""


def request_for(name, method, path, ann, bob):
    if name in SITUATIONS:
        return SITUATIONS[name](ann, bob)
    if name in COMES_IN:
        return path, COMES_IN[name]
    return reading(name, path, ann, bob)


def tried(person, method, path, body, private):
    """The status; whatever was done is undone."""
    with transaction.atomic():
        if private:
            Match.objects.update(visibility="private")
        response = person.send(method.upper(), path, body)
        transaction.set_rollback(True)
    return response.status_code


def rows(ann, bob, eve):
    people = everybody(ann, eve)
    services.register("zoe", COMES_IN["sign_in"]["password"])
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            with transaction.atomic():
                address, body = request_for(name, method, path[len("/api/v1") :], ann, bob)
                if name == "register":
                    body = body | {"name": "zac"}
                # A new one each time: some situations give ann another password.
                people["ann browser"].client.force_login(Player.objects.get(name="ann"))
                yield (
                    f"{method.upper()} {path[len('/api/v1') :]}",
                    {
                        who: tried(person, method, address, body, who.endswith("private"))
                        for who, person in people.items()
                        if not who.endswith("private") or "{id}" in path
                    },
                )
                transaction.set_rollback(True)


@pytest.fixture
def table(ann, bob, eve):
    return dict(rows(ann, bob, eve))


def test_the_page_says_what_everybody_may_do_and_nobody_may_do_more(table, ann):
    columns = list(max(table.values(), key=len))
    page = HEAD + f"| request | {' | '.join(columns)} |\n{'|---' * (len(columns) + 1)}|\n"
    for request, row in table.items():
        cells = (str(row.get(who, "")) for who in columns)
        page += f"| {request} | " + " | ".join("✓" if c < "4" and c else c for c in cells) + " |\n"
    if os.environ.get("WRITE_PERMISSIONS"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page

    for request, row in table.items():
        assert_scopes_are_kept(request, row)


def assert_scopes_are_kept(request, row):
    """What is true of every operation, whatever the page says."""
    method, path = request.split()
    comes_in = path in ("/players", "/players/guest", "/sessions") and method == "POST"
    for who, status in row.items():
        assert status < 500, (request, who)
        reads_only = who in ("nobody", "eve `read`", "ann `read`")
        if method != "GET" and reads_only and not comes_in and path != "/sessions/current":
            assert status == (401 if who == "nobody" else 403), (request, who)
    if comes_in:
        assert set(row.values()) == {201}, request
    else:
        assert row["ann `play`"] == row["ann `bot`"] == row["ann browser"], request
        assert row["ann `play`"] < 400, request
    if "private" in "".join(row):
        assert row["eve `play`, private"] == 404, request
