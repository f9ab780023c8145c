"""What the API's page shows as an example works as it stands."""

import json

import pytest
from drf_spectacular.generators import SchemaGenerator

from players import services

pytestmark = pytest.mark.django_db


def examples():
    schema = SchemaGenerator().get_schema(public=True)
    for path, methods in schema["paths"].items():
        if path.split("/")[3] in ("players", "sessions", "me"):
            for method, operation in methods.items():
                for media in operation.get("requestBody", {}).get("content", {}).values():
                    for name, example in media.get("examples", {}).items():
                        yield pytest.param(method, path, example["value"], id=f"{path} {name}")


@pytest.mark.parametrize(("method", "path", "body"), [*examples()])
def test_an_example_works(client, method, path, body):
    guest = services.make_guest()
    _, text = services.issue_token(guest, "test", ["play"])
    if path == "/api/v1/sessions":
        services.register(**body)

    response = client.generic(
        method.upper(),
        path,
        json.dumps(body),
        "application/json",
        headers={"Authorization": f"Bearer {text}"},
    )

    assert response.status_code in (200, 201), response.content
