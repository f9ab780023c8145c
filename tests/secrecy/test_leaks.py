"""The gate notices every leak that is planted: a gate that lets one through is none.

More than half of them were written by somebody who had not read the gate.
"""

from itertools import islice

import pytest

from tests.secrecy import leaks, others_leaks
from tests.secrecy.gate import soon_different
from tests.secrecy.scenes import Place, scenes

pytestmark = pytest.mark.django_db(transaction=True)
SCENES = 30
"""In which a leak that tells little is looked for, one after the other."""


def place_of(game, reader):
    """Where a leak of somebody else is looked for: what the operator reads is a spectator's."""
    name, _, practice = game.partition(" ")
    seats = 1 if name == "pyramid" else 2
    return Place(name, seats, reader if isinstance(reader, int) else None, bool(practice))


PLANTED = [
    *(pytest.param(leak.plant, leak.place, id=leak.words) for leak in leaks.LEAKS),
    *(
        pytest.param(plant, place_of(game, reader), id=words)
        for words, (plant, game, reader) in others_leaks.LEAKS.items()
    ),
]


@pytest.mark.parametrize(("plant", "place"), PLANTED)
def test_a_planted_leak_is_noticed(plant, place, monkeypatch):
    plant(monkeypatch)

    assert any(map(soon_different, islice(scenes(place), SCENES)))
