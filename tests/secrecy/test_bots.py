"""A bot does the same in two worlds that differ only in what its seat may not know."""

from itertools import islice
from unittest.mock import patch

import pytest

from games import tasks
from games.bots import LEVELS
from games.engine import log
from games.models import Move
from games.services import turns
from tests.secrecy.gate import World, forget, set_up
from tests.secrecy.scenes import places, scenes

pytestmark = pytest.mark.django_db(transaction=True)
SEATED = [place for place in places() if place.reader is not None]


def turns_of(place):
    """Scenes in which it is the reader's turn."""
    return (scene for scene in scenes(place) if scene.next is not None)


def played_by_bots(scene, dealt):
    """What each level does there, its luck being the same."""
    world = World(scene, dealt)
    with set_up():
        list(world.build())
        actions = [turn_of_bot(world, level) for level in LEVELS[scene.game]]
    forget()
    return actions


def turn_of_bot(world, level):
    """The bot's action at the reader's seat, by the task that workers run; taken back."""
    sits_there = property(lambda position: level)
    with (
        patch.object(log.Position, "bot_to_move", sits_there),
        patch.object(turns.secrets, "randbits", lambda bits: 7),
        world.taken_back(),
    ):
        tasks.play_bot_turn(str(world.match.pk), world.match.version)
        return Move.objects.get(match=world.match, version=world.match.version + 1).action


@pytest.mark.parametrize("place", SEATED, ids=str)
def test_the_same_view_and_luck_give_the_same_action(place):
    for scene in islice(turns_of(place), 2):
        one, other = (played_by_bots(scene, dealt) for dealt in scene.worlds)
        assert one == other


@pytest.mark.parametrize("place", [SEATED[0]], ids=str)
def test_a_bot_that_is_given_the_state_is_found_out(place, monkeypatch):
    def peeks(match, seen, level, again):
        """Draws or throws by the card that lies on the stock."""
        state = match.folded().state
        return turns.Choice(seen.legal[state.stock[-1] % len(seen.legal)], level)

    monkeypatch.setattr(turns, "chosen", peeks)
    found = islice(turns_of(place), 6)
    assert any(
        len({str(played_by_bots(scene, dealt)) for dealt in scene.worlds}) > 1 for scene in found
    )
