import json

import pytest
import yaml
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator

from ginservice import openapi
from ginservice.problems import PROBLEMS


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    call_command(
        "spectacular", "--fail-on-warn", "--validate", "--format=openapi-json", f"--file={file}"
    )
    return json.loads(file.read_text())


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_schema_is_openapi_31_without_a_warning(document):
    assert document["openapi"].startswith("3.1")


def test_every_operation_says_how_it_can_fail(document):
    for path, method, operation in operations(document):
        assert "default" in operation["responses"], (path, method)
        assert operation["summary"], (path, method)
    assert document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] == sorted(
        PROBLEMS
    )


def test_both_ways_to_sign_in_are_described(document):
    schemes = document["components"]["securitySchemes"]
    assert schemes["bearer"]["scheme"] == "bearer"
    assert schemes["cookie"]["name"] == "sessionid"


def test_bodies_are_closed_to_unknown_fields(document):
    body = document["components"]["schemas"]["SignInRequest"]
    assert body["additionalProperties"] is False


def test_the_schema_and_its_page_are_served(client):
    assert client.get("/api/schema/").status_code == 200
    page = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "//cdn" not in page


def test_the_document_is_made_once_and_read_again_only_when_it_is_another(client, monkeypatch):
    openapi.written.cache_clear()
    made, makes = [], SchemaGenerator.get_schema
    monkeypatch.setattr(
        SchemaGenerator, "get_schema", lambda *args, **kw: made.append(1) or makes(*args, **kw)
    )

    first = client.get("/api/schema/?a=1")
    again = client.get("/api/schema/?a=2", headers={"if-none-match": first["ETag"]})
    elsewhere = client.get("/api/schema/", headers={"host": "localhost:8001"})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert elsewhere["ETag"] != first["ETag"]
    assert made == [1]


@pytest.mark.parametrize(
    ("accept", "parse"),
    [
        ("application/vnd.oai.openapi", yaml.safe_load),
        ("application/vnd.oai.openapi+json", json.loads),
        ("application/yaml", yaml.safe_load),
        ("application/json", json.loads),
    ],
)
def test_the_document_comes_in_the_form_asked_for(client, document, accept, parse):
    told = client.get("/api/schema/", headers={"accept": accept})

    assert told["Content-Type"].startswith(accept)
    assert "Accept" in told["Vary"]
    assert parse(told.content)["paths"].keys() == document["paths"].keys()


def test_the_first_call_is_told_with_the_host_that_was_asked(client):
    told = client.get("/api/schema/", headers={"host": "localhost:8001"}).content.decode()
    assert "curl -X POST http://localhost:8001/api" in told
