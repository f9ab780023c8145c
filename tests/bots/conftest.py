"""What tests of several bots share."""

from importlib import import_module

import pytest


@pytest.fixture(scope="module")
def few_guesses():
    """`expert` of Gin Rummy guesses a few deals only, where nothing depends on how many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("games.bots.gin.expert"), "WORLDS", 4)
        yield
