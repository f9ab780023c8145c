"""POST /matches/{id}/moves?dry_run=true"""

import pytest

from games.models import Match
from tests.engine.decks import pack
from tests.games.people import LOST, READY, played, refused, sit

OTHER = pack(READY, "4C 5C KH 2H 4D 8D TD QD 3S 9S", "9D", "JS KC KD")
"""Ann's hand and the upcard are those of DECK, the rest is not: bob could lay off."""


@pytest.fixture
def match(ann, bob):
    return sit(ann, bob)


def tried(person, match, line):
    response = person.move(match, line, query="?dry_run=true")
    assert response.status_code == 200, response.content
    return response.json()


def test_a_discard_is_foreseen(ann, match):
    played(match, "take")

    assert tried(ann, match, "discard 5S") == {
        "version": 6,
        "action": {"type": "discard", "card": "5S"},
        "words": "discards 5S",
        "foresight": {
            "hand": ["AC", "2C", "3C", "7D", "9D", "7H", "TH", "JH", "QH", "7S"],
            "deadwood": 9,
            "melds": None,
            "ending": None,
        },
    }


def test_a_knock_is_foreseen_with_its_melds(ann, match):
    played(match, "draw")

    foresight = tried(ann, match, "knock KD")["foresight"]
    assert foresight["deadwood"] == 5
    assert foresight["melds"] == [["AC", "2C", "3C"], ["7D", "7H", "7S"], ["TH", "JH", "QH"]]
    assert foresight["ending"] is None


def test_gin_is_foreseen_as_the_end_that_it_is(ann, bob, script):
    script(pack(READY, LOST, "9D", "KH KC JS"))
    match = played(sit(ann, bob), "draw")

    assert tried(ann, match, "knock 5S")["foresight"]["ending"] == "gin"


def test_the_action_is_told_in_its_one_spelling(ann, match):
    played(match, "draw")

    told = tried(ann, match, "knock KD: QH JH TH / 7S 7D 7H / 3C 2C AC")
    assert told["action"]["melds"] == [["AC", "2C", "3C"], ["7D", "7H", "7S"], ["TH", "JH", "QH"]]


@pytest.mark.parametrize(
    ("before", "line"), [((), "draw"), (("draw",), "discard 5S"), (("draw",), "knock KD")]
)
def test_nothing_is_stored(ann, match, before, line):
    played(match, *before)
    rows = list(Match.objects.values())

    tried(ann, match, line)

    assert list(Match.objects.values()) == rows
    assert match.moves.count() == match.version + len(before)


@pytest.mark.parametrize("options", [{}, {"auto_layoff": True}, {"knock_limit": "oklahoma"}])
def test_it_tells_the_same_whatever_the_other_holds_and_the_stock(ann, bob, script, options):
    answers = []
    for deck in (None, OTHER):
        if deck:
            script(deck)
        match = sit(ann, bob, **options)
        told = [tried(ann, match, "draw"), tried(ann, match, "take")]
        played(match, "take")
        lines = [f"discard {card}" for card in READY.split()] + ["knock 5S"]
        answers.append(told + [tried(ann, match, line) for line in lines])

    assert answers[0] == answers[1]
    assert "KD" not in str(answers[0])


def test_false_plays_the_move(ann, match):
    assert ann.move(match, "draw", query="?dry_run=false").status_code == 201


def test_a_dry_run_is_refused_like_the_move(ann, bob, eve, nobody, match):
    def refuse(person, line, version, status, code, of=match):
        refused(person.move(of, line, version, query="?dry_run=true"), status, code)

    refuse(nobody, "draw", 5, 401, "not-authenticated")
    refuse(eve, "draw", 5, 403, "not-seated")
    refuse(eve, "draw", 5, 404, "not-found", sit(ann, bob, visibility="private"))
    refuse(bob, "draw", 5, 409, "not-your-turn")
    refuse(ann, "draw", 4, 409, "stale-version")
    refuse(ann, "discard 5S", 5, 422, "illegal-action")
    refuse(ann, "draw", 1, 409, "match-not-started", sit(ann, "open"))
    stale = ann.post(
        f"/matches/{match.pk}/moves?dry_run=true",
        {"action": {"type": "draw_stock"}},
        If_Match='"4-0"',
    )
    refused(stale, 412, "version-mismatch")
