"""GET /matches/{id}/hint"""

from random import Random
from uuid import UUID

import pytest

from games import bots
from games.engine import pyramid
from games.models import Match
from games.services import ends
from tests import highest
from tests.engine.pyramid_decks import LAID, pack
from tests.games.people import Person, refused, sit
from tests.games.practising import alone, deck, done, not_begun, practice, view

OPEN = LAID.replace("KH", "QH")
"""A pyramid with no king to be had; with TS on the draw pile three pairs can go."""


def hint(person, match):
    return person.get(f"/matches/{match.pk}/hint")


def test_a_hint_is_an_action_that_may_be_played(ann, script):
    script(pack(LAID, "2S"))
    match = practice(ann)

    response = hint(ann, match)

    assert response.status_code == 200
    assert response.json() == {
        "version": match.version,
        "action": {"type": "remove", "cards": ["KH"]},
        "words": "removes KH",
    }
    body = {"version": match.version, "action": response.json()["action"]}
    assert ann.post(f"/matches/{match.pk}/moves", body).status_code == 201


def test_asking_changes_nothing_and_asked_again_it_is_the_same(ann, script):
    script(pack(OPEN, "TS 9S 8S 7S"))
    match = practice(ann)
    before = Match.objects.values().get()

    assert len({hint(ann, match).content for _ in range(4)}) == 1
    assert Match.objects.values().get() == before


def test_hints_lead_through_a_whole_match(ann):
    match = practice(ann, redeals=0)
    while match.status == "playing":
        told = hint(ann, match).json()
        assert told["action"] in view(ann, match)["legal"]
        assert told["action"]["type"] != "undo"
        body = {"version": told["version"], "action": told["action"]}
        assert ann.post(f"/matches/{match.pk}/moves", body).status_code == 201
        match.refresh_from_db()

    assert match.status == "finished"


@pytest.mark.parametrize("drawn", [2, 4, 6])
def test_it_does_not_depend_on_cards_that_were_not_seen(ann, script, drawn):
    """The cards under the top of the draw pile, dealt anew; in this deal they would matter."""
    seen, unseen = deck(7)[: 28 + drawn + 1], deck(7)[28 + drawn + 1 :]
    told, by_peeking = set(), set()
    for seed in range(8):
        script((*seen, *Random(seed).sample(unseen, len(unseen))))
        match = done(ann, practice(ann, deal_number=7), *["draw"] * drawn)
        told.add(hint(ann, match).content)
        peeked = pyramid.revealed(match.folded().state)
        by_peeking.add(bots.choose("pyramid", peeked, "hard", Random(1)))

    assert len(told) == 1
    assert len(by_peeking) > 1


def test_it_does_depend_on_what_was_seen(ann, script):
    told = []
    for top in ("TS", "KC"):
        script(pack(LAID.replace("KH", "JH"), f"{top} 9S"))
        told.append(hint(ann, practice(ann, deal_number=1)).json()["action"])

    assert told[0] != told[1]


def test_any_game_with_practice_and_bots_gives_hints(ann, bob, game, monkeypatch):
    game("highest", highest)
    monkeypatch.setitem(bots.BOTS["highest"], "bold", lambda view, rng: view.legal[-1])
    monkeypatch.setitem(bots.LEVELS, "highest", ("random", "bold"))
    match = sit(ann, bob, game="highest", practice=True)

    assert hint(ann, match).json()["words"] == "swaps"
    refused(hint(bob, match), 409, "not-your-turn")


# Refusals


def test_no_other_match_gives_hints(ann, bob):
    refused(hint(ann, alone(ann)), 409, "not-a-practice-match")
    refused(hint(ann, sit(ann, bob)), 409, "not-a-practice-match")


def test_a_game_whose_only_bot_plays_at_random_gives_none(ann, bob, game):
    game("highest", highest)

    refused(hint(ann, sit(ann, bob, game="highest", practice=True)), 409, "not-offered")


def test_nothing_is_hinted_before_the_start_or_after_the_end(ann):
    match = not_begun(ann)
    refused(hint(ann, match), 409, "match-not-started")
    ann.post(f"/matches/{match.pk}/start")
    ends.resign(match.pk, ann.player)
    refused(hint(ann, match), 409, "match-over")


def test_only_who_plays_is_given_hints(ann, eve, nobody):
    match = practice(ann)

    refused(hint(eve, match), 403, "not-seated")
    refused(hint(nobody, match), 401, "not-authenticated")
    refused(hint(ann, Match(pk=UUID(int=1))), 404, "not-found")
    assert hint(Person(ann.player, "read"), match).status_code == 200
    private = sit(ann, game="pyramid", practice=True, visibility="private")
    refused(hint(eve, private), 404, "not-found")
