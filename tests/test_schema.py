import json

import pytest
from django.core.management import call_command

from ginservice.problems import PROBLEMS


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    call_command(
        "spectacular", "--fail-on-warn", "--validate", "--format=openapi-json", f"--file={file}"
    )
    return json.loads(file.read_text())


def operations(schema):
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_schema_is_openapi_31_without_a_warning(schema):
    assert schema["openapi"].startswith("3.1")


def test_every_operation_says_how_it_can_fail(schema):
    for path, method, operation in operations(schema):
        assert "default" in operation["responses"], (path, method)
        assert operation["summary"], (path, method)
    assert schema["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] == sorted(
        PROBLEMS
    )


def test_both_ways_to_sign_in_are_described(schema):
    schemes = schema["components"]["securitySchemes"]
    assert schemes["bearer"]["scheme"] == "bearer"
    assert schemes["cookie"]["name"] == "sessionid"


def test_bodies_are_closed_to_unknown_fields(schema):
    body = schema["components"]["schemas"]["SignInRequest"]
    assert body["additionalProperties"] is False


def test_the_schema_and_its_page_are_served(client):
    assert client.get("/api/schema/").status_code == 200
    page = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "//cdn" not in page


def test_the_first_call_is_told_with_the_host_that_was_asked(client):
    told = client.get("/api/schema/", headers={"host": "localhost:8001"}).content.decode()
    assert "curl -X POST http://localhost:8001/api" in told
