"""While a match lives, no answer about it names a card that its reader may not know.

tests/secrecy compares two worlds; here one is looked at: which cards may stand there at all.
"""

import re
from itertools import product

import pytest

from games import urls
from tests.games.people import LOST, READY, played, sit

LINES = (
    *("draw", "discard 5S"),  # ann draws KD
    *("draw", "discard 2D"),  # bob draws KC
    *("take", "discard KD"),
    *("take", "discard 4D"),
    *("draw", "discard 2D"),  # ann draws JS
)
CARD = re.compile(r"\b[A23456789TJQK][CDHS]\b")


def addresses():
    """Each address of a match that can be read."""
    for pattern in urls.urlpatterns:
        address = str(pattern.pattern)
        if hasattr(pattern.callback.view_class, "get") and "<uuid:id>" in address:
            yield address.replace("<uuid:id>", "{id}").replace("<int:number>", "1")


SEATS = ("", "&seat=spectator", "&seat=1", "&seat=all")
QUERIES = {
    "matches/{id}/moves": [f"?limit=1000{seat}" for seat in SEATS],
    "matches/{id}/replay": [f"?at={at}{seat}" for at, seat in product(range(4, 16, 3), SEATS)],
    "matches/{id}/events": ["?wait=0", "?wait=0&after=3"],
}


def told(person, match):
    """Every answer to the person about the match."""
    answers = []
    for address in addresses():
        for query in ("", *QUERIES.get(address, ())):
            response = person.get("/" + address.format(id=match.pk) + query)
            assert response.status_code in (200, 204, 400, 401, 403, 409), (address, query)
            answers.append(response.content.decode())
    return "\n".join(answers)


@pytest.mark.parametrize("until", [0, 1, 4, 10])
def test_no_answer_names_a_card_that_was_not_seen(ann, bob, eve, nobody, until):
    lines = LINES[:until]
    match = played(sit(ann, bob), *lines)
    seen = {"9D"} | {line.removeprefix("discard ") for line in lines if line.startswith("discard")}
    drawn = ["KD", "KC", "JS"][: lines.count("draw")]
    known = {
        ann: seen | set(READY.split()) | set(drawn[::2]),
        bob: seen | set(LOST.split()) | set(drawn[1:2]),
        eve: seen,
        nobody: seen,
    }

    for person, cards in known.items():
        assert set(CARD.findall(told(person, match))) == cards


def test_no_answer_holds_the_secret_or_the_deck(ann, bob, eve):
    match = played(sit(ann, bob), *LINES)

    for person in (ann, bob, eve):
        answers = told(person, match)
        for word in (bytes(match.secret).hex(), '"cards"', '"before"', '"deck"', '"position"'):
            assert word not in answers


def test_a_deal_that_has_ended_is_open_and_the_next_is_not(ann, bob, eve):
    match = played(sit(ann, bob), "draw", "knock KD", "finish", "draw")

    body = eve.get(f"/matches/{match.pk}").json()
    assert sorted(body["result"]["hands"][1]) == sorted(LOST.split())
    assert body["view"]["hand"] is None
    assert body["view"]["turns"][-1]["drawn"] is None
    assert body["secret"] is None


def test_a_private_match_is_told_of_in_no_list(ann, bob, eve, nobody):
    sit(ann, bob, visibility="private")

    for person in (eve, nobody):
        for query in ("", "?player=ann", "?status=playing", "?game=gin", "?limit=1"):
            assert person.get("/matches" + query).json()["results"] == []
