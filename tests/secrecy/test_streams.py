"""Held streams tell a reader the same in two worlds that differ only in what he may not know.

The gate asks every address once, and is answered at once. Here connections are held by the ASGI
application while moves are played, in every form, and everybody else listens to the same match.
"""

from itertools import islice

import pytest

from games import streams
from tests.secrecy.gate import UNCOMPARED, World, forget, plain, set_up
from tests.secrecy.scenes import Place, scenes

pytestmark = pytest.mark.django_db(transaction=True)
LIVE = 4
"""Moves that are played while all listen."""

FORMS = ("text/event-stream", "application/x-ndjson")
PLACES = [
    Place("gin", 2, 0),
    Place("gin", 2, None),
    Place("rummy", 2, 1),
    Place("rummy", 4, None),
    Place("pyramid", 1, 0),
    Place("pyramid", 1, None),
]


def long_enough(place):
    return (scene for scene in scenes(place) if len(scene.moves) > LIVE)


def heard(scene, dealt, house):
    """What the scene's readers are told, by each form, of moves that are played meanwhile."""
    world = World(scene._replace(moves=scene.moves[:-LIVE]), dealt)
    with set_up():
        list(world.build())
        everybody = [*world.people, *world.others]
        held = {
            (form, person): house.listen(person, world.match, accept=form)
            for person in sorted(everybody, key=lambda person: person not in world.people)
            for form in FORMS
        }
        for number, move in enumerate(scene.moves[-LIVE:]):
            query = f"?after={world.match.version}&wait=60"
            polls = {person: house.listen(person, world.match, query) for person in everybody}
            world.play(move)
            held |= {(f"poll {number}", person): poll for person, poll in polls.items()}
            for poll in polls.values():
                poll.whole()
        told = [
            (form, told_by(one, world))
            for (form, person), one in held.items()
            if person in world.readers()
        ]
        house.leave()
    forget()
    return told


def told_by(one, world):
    """Status, headers and every line, except what is sent while there is nothing to tell."""
    if one.header("Content-Type") in FORMS:
        one.until(world.match.version)
    headers = sorted((k, v) for k, v in one.headers if not k.startswith(UNCOMPARED))
    lines = [line for line in one.text.decode().split("\n") if line not in ("", ": still here")]
    return plain(f"{one.status} {headers} {lines}", world.match)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_whoever_listens_while_it_is_played_cannot_tell_two_worlds_apart(place, house):
    for scene in islice(long_enough(place), 1):
        one, other = (heard(scene, dealt, house) for dealt in scene.worlds)

        assert one == other
        assert len(one) == len(FORMS) + LIVE or place.reader is None


def test_a_feed_that_writes_an_event_once_for_all_is_found_out(house, monkeypatch):
    """It keeps the event of whoever read it first, for everybody."""
    honest = streams.Feed.written

    def written(feed, recent, player):
        return next(iter(recent.written.values()), None) or honest(feed, recent, player)

    monkeypatch.setattr(streams.Feed, "written", written)

    scene = next(long_enough(Place("gin", 2, None)))

    one, other = (heard(scene, dealt, house) for dealt in scene.worlds)
    assert one != other
