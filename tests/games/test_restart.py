"""POST /matches/{id}/restart"""

from uuid import UUID

import pytest

from games.engine.game import DEALER
from games.models import Match
from games.services import ends
from tests import highest
from tests.games.people import Person, refused, sit
from tests.games.practising import alone, cards, cleared, deck, done, not_begun, practice, view


@pytest.fixture
def real_shuffles():
    return True


def restart(person, match):
    return person.post(f"/matches/{match.pk}/restart")


def dealers(match):
    """What the log holds of the dealer's entries."""
    return list(match.moves.filter(seat=DEALER).values_list("action", flat=True))


def test_it_is_a_new_match_with_the_same_deal_to_the_byte(ann):
    match = practice(ann, overlap=True, redeals=1)
    before = ann.get(f"/matches/{match.pk}").json()
    done(ann, match, "draw", "draw")

    response = restart(ann, match)

    body = response.json()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/matches/{body['id']}"
    assert body["id"] != str(match.pk)
    assert body["view"] == before["view"]
    assert body["options"] == match.options
    assert dealers(Match.objects.get(pk=body["id"])) == dealers(match)


def test_the_old_match_goes_on_as_it_was(ann):
    match = done(ann, practice(ann), "draw")
    before = Match.objects.values().get()
    restart(ann, match)

    assert Match.objects.values().get(pk=match.pk) == before
    done(ann, match, "undo", "draw")


def test_in_a_later_round_it_begins_with_the_deal_of_that_round(ann):
    match = cleared(ann, practice(ann, deal_number=8))

    body = restart(ann, match).json()

    assert body["options"]["deal_number"] == 9
    assert (body["view"]["deal"], body["view"]["scores"]) == (1, [0])
    again = Match.objects.get(pk=body["id"])
    assert cards(again) == cards(match, round=2) == deck(9)


def test_a_match_that_is_over_can_be_begun_again_and_that_one_too(ann):
    match = practice(ann)
    for _ in range(3):
        ends.resign(match.pk, ann.player)
        match = Match.objects.get(pk=restart(ann, match).json()["id"])

    assert {cards(each) for each in Match.objects.all()} == {cards(match)}
    assert match.status == "playing"


def test_a_private_match_is_begun_again_in_private(ann):
    match = sit(ann, game="pyramid", practice=True, visibility="private")

    assert restart(ann, match).json()["visibility"] == "private"


def test_every_restart_is_another_match(ann):
    match = practice(ann)

    assert restart(ann, match).json()["id"] != restart(ann, match).json()["id"]
    assert view(ann, match)["draw"][1:] == [None] * 23


# Refusals


def test_no_other_match_can_be_begun_again(ann, bob):
    for match in (alone(ann), sit(ann, bob)):
        refused(restart(ann, match), 409, "not-a-practice-match")
        ends.resign(match.pk, ann.player)
        refused(restart(ann, match), 409, "not-a-practice-match")
    assert Match.objects.count() == 2


def test_a_game_that_does_not_deal_by_number_cannot_repeat_a_deal(ann, bob, game):
    game("highest", highest)

    refused(restart(ann, sit(ann, bob, game="highest", practice=True)), 409, "not-offered")


def test_a_match_that_has_not_begun_cannot_be_begun_again(ann):
    match = not_begun(ann)

    refused(restart(ann, match), 409, "match-not-started")


def test_only_who_plays_can_begin_again(ann, eve, nobody):
    match = practice(ann)

    refused(restart(eve, match), 403, "not-seated")
    refused(restart(nobody, match), 401, "not-authenticated")
    refused(restart(Person(ann.player, "read"), match), 403, "missing-scope")
    refused(restart(ann, Match(pk=UUID(int=1))), 404, "not-found")
    private = sit(ann, game="pyramid", practice=True, visibility="private")
    refused(restart(eve, private), 404, "not-found")
    assert Match.objects.count() == 2
