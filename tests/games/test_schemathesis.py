"""The whole OpenAPI document, tried with what schemathesis makes up from it, by four people.

Whatever is sent: no answer is a 5xx, none has a status, type or shape that the document does not
name, and nobody comes in without a token where it asks for one.
"""

import copy
import os
from random import Random

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

from players import services
from players.models import Player, Token
from tests.games.people import WINNING, played, sit
from tests.games.practising import practice
from tests.games.situations import webhook
from tests.games.test_schema import document

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES") or 3)
"""For each operation and person."""


NOT_HELD = [positive_data_acceptance, negative_data_rejection]
"""What fits its schema may still be no player's name, or late; queries nobody asked for are not
looked at. `test_malformed.py` holds what must be refused."""


def strict(told):
    """The document, in which every status must be named: `default` would allow any.

    Of a stream of events it says that it is a text; schemathesis would ask that of each event.
    """
    told = copy.deepcopy(told)
    for methods in told["paths"].values():
        for operation in methods.values():
            del operation["responses"]["default"]
            for response in operation["responses"].values():
                response.get("content", {}).get("text/event-stream", {}).pop("schema", None)
    return told


schema = schemathesis.openapi.from_dict(strict(document()))
schema.app = get_wsgi_application()


@pytest.fixture
def world(ann, bob, eve):
    """Matches in every state, and what else an address can name."""
    open_table, live = sit(bob, "open"), sit(ann, bob)
    over = played(sit(ann, bob, target=50), *WINNING)
    hidden = sit(ann, bob, visibility="private")
    matches = [open_table, live, over, hidden, practice(ann), sit(ann, "easy")]
    return {
        "id": [str(match.pk) for match in matches],
        "token_id": [str(token.pk) for token in Token.objects.all()],
        "webhook_id": [webhook(person).split("/")[-1] for person in (ann, eve)],
        "name": ["ann", "eve"],
        "number": [1],
        "game": ["gin", "pyramid"],
    }


@pytest.fixture
def headers(ann, eve):
    """What each signs in with."""
    staff = Player.objects.create(name="operator", is_staff=True, is_superuser=True)
    _, text = services.issue_token(staff, "test", ["admin"])
    tokens = [ann.token, eve.token, text]
    return [{}, *({"Authorization": f"Bearer {token}"} for token in tokens)]


@pytest.fixture(autouse=True)
def one_connection():
    """At the end of a request Django would close it, and the test's transaction with it."""
    request_finished.disconnect(close_old_connections)
    request_started.disconnect(close_old_connections)
    yield
    request_finished.connect(close_old_connections)
    request_started.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_answer_is_a_crash_or_undocumented(case, world, headers):
    choose = Random(repr((case.path_parameters, case.query, case.body)))
    for name in case.path_parameters or {}:
        case.path_parameters[name] = choose.choice(world[name])
    for person in headers:
        response = case.call(headers=person)
        case.validate_response(response, headers=person, excluded_checks=NOT_HELD)
