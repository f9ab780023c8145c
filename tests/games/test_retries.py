"""Whatever changes something can be sent again: the answer was lost, the effect happens once.

Driven by the OpenAPI document, so that a new operation is asked too.
"""

from contextlib import contextmanager
from functools import cache

import pytest
from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

from ginservice import middleware
from players.models import StoredAnswer
from tests.games.people import refused
from tests.games.situations import SITUATIONS

CANNOT = {"sign_out"}
"""Operations that end what the retry would be signed in with."""
STORES_NOTHING = {"clearable"}
"""Operations that write nothing: no key is needed to send them again."""


@cache
def writers():
    """By operation id the method, the path, and how it takes an Idempotency-Key."""
    found = {}
    for path, methods in SchemaGenerator().get_schema(public=True)["paths"].items():
        for method, operation in methods.items():
            if method != "get":
                names = [told["name"] for told in operation.get("parameters", [])]
                problems = operation["responses"].get("400", {}).get("description", "")
                if "Idempotency-Key" in names:
                    takes = "kept"
                else:
                    takes = "refused" if "key-not-supported" in problems else "ignored"
                found[operation["operationId"]] = method.upper(), path[len("/api/v1") :], takes
    return found


def those(takes):
    return sorted(name for name, (_, _, how) in writers().items() if how == takes)


def everything():
    """Every row of ours but the stored answers."""
    models = [
        model
        for app in ("games", "players")
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
        if model is not StoredAnswer
    ]
    return {model: list(model.objects.order_by("pk").values()) for model in models}


@pytest.fixture
def cut(monkeypatch):
    """with cut() as lost: what is answered there reaches nobody, and lies in `lost`."""

    @contextmanager
    def cutting():
        lost = []

        def break_off(self, request, response):
            lost.append(response)
            raise ConnectionResetError

        with monkeypatch.context() as patch:
            patch.setattr(middleware.ApiMiddleware, "process_response", break_off)
            yield lost

    return cutting


def told(response):
    kept = {name: response.get(name) for name in ("Content-Type", "Location", "ETag")}
    return response.status_code, response.content, kept


@pytest.mark.parametrize("name", those("kept"))
def test_a_request_whose_answer_was_lost_is_done_once_and_answered_when_sent_again(
    name, ann, bob, cut
):
    assert name in SITUATIONS, "write one into tests/games/situations.py"
    method = writers()[name][0]
    path, body = SITUATIONS[name](ann, bob)
    before = everything()
    ann.client.raise_request_exception = False
    with cut() as lost:
        ann.send(method, path, body, Idempotency_Key="k1")
    done = everything()

    again = ann.send(method, path, body, Idempotency_Key="k1")

    assert 200 <= again.status_code < 300, again.content
    assert told(again) == told(lost[0])
    if again.status_code == 201:  # what was made can be seen where it says
        assert ann.get(again["Location"].removeprefix("/api/v1")).status_code == 200
    assert again["Idempotent-Replayed"] == "true"
    assert everything() == done != before


@pytest.mark.parametrize("name", those("refused"))
def test_where_the_answer_holds_a_secret_a_key_is_refused(name, ann):
    method, path, _ = writers()[name]
    before = everything()

    refused(ann.send(method, path, {}, Idempotency_Key="k1"), 400, "key-not-supported")
    assert everything() == before


def test_every_operation_that_changes_something_takes_a_key_or_says_that_it_cannot(ann, bob):
    assert set(those("ignored")) == CANNOT | STORES_NOTHING, (
        "decorate it with @idempotent or @refuses_key, or name it here"
    )
    for name in STORES_NOTHING:
        path, body = SITUATIONS[name](ann, bob)
        before = everything()
        assert ann.send(writers()[name][0], path, body).status_code < 300
        assert everything() == before
