"""Visitors of the client, in a real Chromium. An error on a page's console fails the test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
NOT_WRONG = (
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_FAILED",
    "status of 409",
    "status of 400",
    "status of 403",
    "status of 429",
    "status of 502",
)
"""What browsers say of a line that a test has cut, or of a refusal that it has brought about."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "e2e/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture
def visit(browser: Any, service: Any) -> Iterator[Callable[..., Any]]:
    """visit(path, **options of the context) -> the page of a fresh visitor, who may open more."""
    contexts, wrong = [], []

    def listen(page: Any) -> None:
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)

    def open_(path: str = "/", **options: Any) -> Any:
        options = {"viewport": DESK, "reduced_motion": "reduce"} | options
        context = browser.new_context(base_url=service.url, **options)
        contexts.append(context)
        context.on("page", listen)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not [text for text in wrong if not any(each in text for each in NOT_WRONG)]
