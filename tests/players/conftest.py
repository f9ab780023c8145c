"""Ann and bob play; eve may not."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from players import services
from players.models import Player, Token


@pytest.fixture
def ann(db: None) -> Player:
    return Player.objects.create(name="ann")


@pytest.fixture
def eve(db: None) -> Player:
    return Player.objects.create(name="eve")


@pytest.fixture
def token_of() -> Callable[..., tuple[Token, str]]:
    def issue(player: Player, *scopes: str) -> tuple[Token, str]:
        return services.issue_token(player, "test", scopes or ("play",))

    return issue


@pytest.fixture
def call(client: Client) -> Callable[..., HttpResponse]:
    """call("post", "/me/tokens", {…}, token=text): one request to /api/v1."""

    def send(
        method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> Any:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = b"" if body is None else json.dumps(body)
        return client.generic(
            method.upper(), f"/api/v1{path}", data, "application/json", headers=headers
        )

    return send
