"""While a match lives, nobody is told of a card that he may not know: by no address, in no way.

Two worlds differ only in cards that a reader may not know. Whatever he asks or does, he is
answered with the same bytes, apart from ids, times and commitments. Every address of a match that
can be read is asked; one that is added is found here by itself.
"""

import re
from itertools import product

import pytest
from django.urls import get_resolver

from games import urls
from tests.engine import pyramid_decks
from tests.engine.decks import pack
from tests.engine.pyramid_decks import LAID
from tests.games import practising
from tests.games.people import LOST, READY, STOCK, played, sit

LINES = (
    *("draw", "discard 5S"),  # ann draws KD
    *("draw", "discard 2D"),  # bob draws KC
    *("take", "discard KD"),
    *("take", "discard 4D"),
    *("draw", "discard 2D"),  # ann draws JS
)
CARD = re.compile(r"\b[A23456789TJQK][CDHS]\b")

WORLD = pack(READY, LOST, "9D", STOCK)
HIDDEN_FROM_ANN = pack(READY, "2D 4D 4C 5C 6C 8C 9C TC JC QC", "9D", "KD 3S JS AS")
HIDDEN_FROM_ALL = pack("5S 4C 5C 6C 8C 9C TC JC QC AS", "2D 4D AC 2C 3C 7D 7H 7S TH JH", "9D", "KD")
"""What is thrown or taken is held in each world: ann's 5S and KD, bob's 2D and 4D."""


def addresses():
    """Each address of a match that can be read."""
    for pattern in urls.urlpatterns:
        address = str(pattern.pattern)
        if hasattr(pattern.callback.view_class, "get") and "<uuid:id>" in address:
            yield address.replace("<uuid:id>", "{id}").replace("<int:number>", "1")


SEATS = ("", "&seat=spectator", "&seat=1", "&seat=all")
LATEST = {
    "matches/{id}/moves": [f"?limit=1000{seat}" for seat in SEATS],
    "matches/{id}/replay": [f"?{seat}" for seat in SEATS],
    "matches/{id}/events": ["?wait=0"],
}
EARLIER = {
    "matches/{id}/moves": [f"?limit=3&after={after}" for after in range(0, 15, 3)],
    "matches/{id}/replay": [f"?at={at}{seat}" for at, seat in product(range(4, 16), SEATS[:2])],
    "matches/{id}/events": [f"?wait=0&after={after}" for after in range(5)],
}


def told(person, match, questions=LATEST):
    """Every answer to the person about the match, without ids, times and commitments."""
    answers = []
    for address in addresses():
        for query in ("", *questions.get(address, ())):
            response = person.get("/" + address.format(id=match.pk) + query)
            assert response.status_code in (200, 400, 401, 403, 409), (address, query)
            answers.append((address + query, plain(response, match)))
    for query in ("", "?player=ann"):
        listed = person.get("/matches" + query).json()["results"]
        answers.append([line | {"id": 0} for line in listed if line["id"] == str(match.pk)])
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "time", repr(answers))


def plain(response, match):
    body = response.content.decode().replace(str(match.pk), "id")
    body = body.replace(match.commitment, "commitment")
    body = re.sub(r'"request_id":"[^"]*"', "", body)
    return response.status_code, re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "time", body)


def tried(person, match):
    """What the person is told of moves that are refused, or only tried."""
    cards = ["KD", "2D", "3S", "AC"]
    lines = ["draw", "take", "pass", "big gin", "finish"] + [
        f"{verb} {card}" for verb in ("discard", "knock") for card in cards
    ]
    answers = [person.move(match, line, query="?dry_run=true") for line in lines]
    return [plain(answer, match) for answer in answers]


def dealt(script, deck, *people, **more):
    script(deck)
    return sit(*people, **more)


def test_ann_cannot_tell_what_bob_holds_or_what_lies_in_the_stock(ann, bob, script):
    one, other = (dealt(script, deck, ann, bob) for deck in (WORLD, HIDDEN_FROM_ANN))

    for number, line in enumerate(LINES):
        assert told(ann, one) == told(ann, other)
        assert tried(ann, one) == tried(ann, other)
        mover = (ann, ann, bob, bob)[number % 4]
        answers = [plain(mover.move(match, line), match) for match in (one, other)]
        assert answers[0][0] == answers[1][0] == 201
        assert mover is bob or answers[0] == answers[1]
    assert told(ann, one, EARLIER) == told(ann, other, EARLIER)


def test_others_cannot_tell_what_anyone_holds(ann, bob, eve, nobody, script):
    one, other = (dealt(script, deck, ann, bob) for deck in (WORLD, HIDDEN_FROM_ALL))

    for line in LINES:
        assert told(eve, one) == told(eve, other)
        one, other = (played(match, line) for match in (one, other))
    assert tried(eve, one) == tried(eve, other)
    for person in (eve, nobody):
        assert told(person, one, EARLIER) == told(person, other, EARLIER)


PILE = "TS 9S 8S 7S 6S 5S 4S 3S"
PILE_TURNED = "TS 3S 4S 5S 6S 7S 8S 9S"
"""Under the top nobody knows the order. The pyramid has a king, and pairs that go."""


@pytest.mark.parametrize("options", [{}, {"practice": True, "deal_number": 7}])
def test_nobody_can_tell_in_which_order_cards_lie_that_were_not_seen(ann, eve, script, options):
    """In practice a hint is among the answers. The question that knows the cards is a POST."""
    one, other = (
        dealt(script, pyramid_decks.pack(LAID, pile), ann, game="pyramid", **options)
        for pile in (PILE, PILE_TURNED)
    )
    tried_out = ["draw", "redeal", "undo", "next_round"]
    for line in ("", "5H 8H"):
        if line:
            one, other = (practising.done(ann, match, line) for match in (one, other))
        for person in (ann, eve):
            assert told(person, one) == told(person, other)
        for kind in tried_out:
            body = {"version": one.version, "action": {"type": kind}}
            path = "/matches/{}/moves?dry_run=true"
            answers = [ann.post(path.format(m.pk), body) for m in (one, other)]
            assert plain(answers[0], one) == plain(answers[1], other)
    one, other = (practising.done(ann, match, "draw", "draw") for match in (one, other))
    assert told(ann, one) != told(ann, other), "now they have been seen"


def test_the_two_worlds_would_not_be_told_apart_by_a_test_that_sees_nothing(ann, bob, script):
    one, other = (dealt(script, deck, ann, bob) for deck in (WORLD, HIDDEN_FROM_ANN))

    assert told(bob, one) != told(bob, other)


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
        named = set(CARD.findall(told(person, match, LATEST if until < 10 else EARLIER)))
        assert named == cards


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


def test_every_address_of_a_match_was_asked():
    elsewhere = [
        str(pattern.pattern)
        for pattern in get_resolver().url_patterns
        if "match" in str(pattern.pattern)
    ]

    assert not elsewhere, "addresses of matches outside games.urls are not asked here"
    assert set(LATEST) | set(EARLIER) <= set(addresses())


def test_a_private_match_is_told_of_in_no_list(ann, bob, eve, nobody):
    sit(ann, bob, visibility="private")

    for person in (eve, nobody):
        for query in ("", "?player=ann", "?status=playing", "?game=gin", "?limit=1"):
            assert person.get("/matches" + query).json()["results"] == []
