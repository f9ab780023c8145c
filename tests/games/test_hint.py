"""GET /matches/{id}/hint"""

from random import Random
from uuid import UUID

import pytest

from games import bots
from games.bots.gin.advice import SAMPLES
from games.engine import pyramid
from games.engine.cards import NAMES
from games.models import Match
from games.services import ends
from tests import highest
from tests.engine.pyramid_decks import LAID, pack
from tests.games.people import READY, Person, played, refused, sit
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
    first = response.json()["best"][0]
    assert response.json()["version"] == match.version
    assert first["action"] == {"type": "remove", "cards": ["KH"]}
    assert first["words"] == "removes KH"
    body = {"version": match.version, "action": first["action"]}
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
        action = told["best"][0]["action"]
        assert action in view(ann, match)["legal"]
        assert action["type"] != "undo"
        body = {"version": told["version"], "action": action}
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
        told.append(hint(ann, practice(ann, deal_number=1)).json()["best"][0]["action"])

    assert told[0] != told[1]


def test_any_game_with_practice_and_bots_gives_hints(ann, bob, game, monkeypatch):
    game("highest", highest)
    monkeypatch.setitem(bots.BOTS["highest"], "bold", lambda view, rng: view.legal[-1])
    monkeypatch.setitem(bots.LEVELS, "highest", ("random", "bold"))
    match = sit(ann, bob, game="highest", practice=True)

    (only,) = hint(ann, match).json()["best"]
    assert only["words"] == "swaps"
    assert (only["points"], only["low"], only["high"], only["samples"]) == (None, None, None, 0)
    assert only["reason"] == "This is what the bot 'bold' would do."
    refused(hint(bob, match), 409, "not-your-turn")


# In matches against others


@pytest.fixture
def casual(ann, bob):
    """A match that does not count; ann has drawn, and is to throw."""
    return played(sit(ann, bob, rated=False), "draw")


def test_a_hint_has_the_best_and_two_others_with_points_an_interval_and_a_reason(ann, casual):
    best = hint(ann, casual).json()["best"]

    assert len(best) == 3
    for one in best:
        assert one["action"] in view(ann, casual)["legal"]
        assert one["low"] < one["points"] < one["high"]
        assert one["samples"] == SAMPLES
        assert one["reason"].endswith(".")
    (knock,) = (one for one in best if one["action"]["type"] == "knock")
    assert knock["reason"].startswith("It knocks with 5;")


@pytest.mark.parametrize("lines", [(), ("draw",), ("take",)])
def test_of_two_worlds_that_look_the_same_it_says_the_same(ann, bob, script, lines):
    """The other hand and the stock under its top, dealt anew."""
    unseen = [card for card in NAMES if card not in {*READY.split(), "9D", "KD"}]
    told, hands = set(), set()
    for seed in range(3):
        rest = Random(seed).sample(unseen, len(unseen))
        script((*READY.split(), *rest[:10], "9D", "KD", *rest[10:]))
        match = played(sit(ann, bob, rated=False), *lines)
        told.add(hint(ann, match).content)
        hands.add(match.folded().state.hands[1])

    assert len(hands) == 3
    assert len(told) == 1


def test_rummy_gives_hints_too(ann, bob):
    match = sit(ann, bob, game="rummy", rated=False)

    best = hint(ann, match).json()["best"]

    assert best[0]["action"] in view(ann, match)["legal"]
    assert best[0]["reason"]


def test_the_last_lay_offs_are_certain(ann, bob):
    match = played(sit(ann, bob, rated=False), "draw", "knock KD")

    best = hint(bob, match).json()["best"]

    assert best[0]["action"] == {"type": "finish_layoffs"}
    assert {(one["samples"], one["low"] == one["points"] == one["high"]) for one in best} == {
        (1, True)
    }


# Which matches give them


def gives(person, match):
    return person.get(f"/matches/{match.pk}").json()["hints"]


def test_others_see_that_a_match_gives_hints(ann, bob, eve, casual):
    assert gives(eve, casual) is True
    assert gives(eve, sit(ann, bob)) is False
    assert eve.get("/matches?game=gin").json()["results"][-1]["hints"] is True


def test_who_makes_a_match_may_forbid_them(ann, bob):
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "rated": False, "hints": False}
    made = ann.post("/matches", body).json()

    assert made["hints"] is False
    said = refused(ann.get(f"/matches/{made['id']}/hint"), 409, "no-hints")
    assert said["detail"] == "This match was made without hints."
    ann.post(f"/matches/{made['id']}/resignation")
    again = ann.post(f"/matches/{made['id']}/rematch").json()
    assert again["hints"] is False


def test_a_match_that_counts_cannot_be_made_with_them(ann):
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "hints": True}
    said = refused(ann.post("/matches", body), 400, "malformed")
    assert said["errors"][0]["pointer"] == "/hints"
    assert ann.post("/matches", body | {"rated": False}).json()["hints"] is True
    assert ann.post("/matches", body | {"rated": False, "hints": None}).json()["hints"] is True


def test_a_guests_matches_never_count_and_so_give_hints(bob):
    guest = bob.post("/players/guest").json()
    token = {"Authorization": f"Bearer {guest['token']}"}
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "hints": True}

    made = Person().post("/matches", body, **token)

    assert made.json()["hints"] is True


# Refusals


def test_a_match_that_counts_gives_none(ann, bob):
    said = refused(hint(ann, sit(ann, bob)), 409, "no-hints")

    assert said["detail"] == "This match counts for ratings; there are no hints in it."


def test_pyramid_gives_them_in_practice_only(ann):
    for match in (alone(ann), sit(ann, game="pyramid", rated=False)):
        said = refused(hint(ann, match), 409, "no-hints")
        assert said["detail"] == "In Pyramid only practice matches give hints."


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
