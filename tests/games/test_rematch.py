"""POST /matches/{id}/rematch"""

from uuid import UUID

import pytest

from games.models import Match
from games.services import ends
from players import services
from tests.games.people import WINNING, Person, played, refused, sit
from tests.games.test_schema import document


def rematch(person, match):
    return person.post(f"/matches/{match.pk}/rematch")


@pytest.fixture
def match(ann, bob):
    options = {"target": 50, "tie": "undercut"}
    return played(sit(ann, bob, visibility="private", **options), *WINNING)


def test_who_asks_first_sits_and_the_other_is_invited(ann, bob, match):
    response = rematch(bob, match)

    body = response.json()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/matches/{body['id']}"
    assert body["id"] != str(match.pk)
    assert (body["status"], body["you"]) == ("open", 1)
    assert [(seat["player"], seat["invited"]) for seat in body["seats"]] == [
        (None, "ann"),
        ("bob", None),
    ]


def test_it_starts_when_the_other_asks_too(ann, bob, match):
    first = rematch(bob, match).json()

    response = rematch(ann, match)

    body = response.json()
    assert response.status_code == 200
    assert response["Location"] == f"/api/v1/matches/{body['id']}"
    assert (body["id"], body["status"], body["you"]) == (first["id"], "playing", 0)
    assert body["view"]["hand"]


def test_the_other_may_as_well_join_it(ann, bob, match):
    following = rematch(bob, match).json()["id"]

    assert ann.post(f"/matches/{following}/seats").json()["status"] == "playing"
    assert rematch(bob, match).json()["id"] == following


def test_it_has_the_same_options_and_visibility(ann, match):
    body = rematch(ann, match).json()

    assert body["options"] == match.options
    assert (body["visibility"], body["game"]) == ("private", "gin")
    assert body["commitment"] != match.commitment


def test_asking_again_gives_the_same_match(ann, bob, match):
    first = rematch(ann, match)
    again = rematch(ann, match)

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() | {"key": first.json()["key"]}, "which is told once"
    assert Match.objects.count() == 2


def test_the_old_match_tells_of_the_next(ann, bob, match):
    following = rematch(ann, match).json()["id"]

    old = bob.get(f"/matches/{match.pk}")
    assert old.json()["next"] == following
    assert old.json()["version"] == match.version + 1
    words = bob.get(f"/matches/{match.pk}/moves?limit=1000").json()["results"][-1]["words"]
    assert words == "a rematch is made"


def test_the_old_match_stays_as_it_ended(ann, bob, match):
    before = ann.get(f"/matches/{match.pk}").json()
    rematch(ann, match)
    after = ann.get(f"/matches/{match.pk}").json()

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"version", "next"}


def test_a_bot_plays_again_at_once(ann):
    match = sit(ann, "easy")
    ann.post(f"/matches/{match.pk}/resignation")

    body = rematch(ann, match).json()

    assert (body["status"], body["you"]) == ("playing", 0)
    assert body["seats"][1]["bot"] == "easy"


def test_a_rematch_has_its_rematch(ann):
    match = sit(ann, "easy")
    for _ in range(3):
        ann.post(f"/matches/{match.pk}/resignation")
        match = Match.objects.get(pk=rematch(ann, match).json()["id"])

    assert Match.objects.count() == 4


# Refusals


def test_who_is_not_signed_in_asks_for_nothing(nobody, match):
    refused(rematch(nobody, match), 401, "not-authenticated")


def test_a_token_that_only_reads_asks_for_nothing(ann, match):
    refused(rematch(Person(ann.player, "read"), match), 403, "missing-scope")


def test_a_match_that_is_not_there_has_no_rematch(ann):
    refused(rematch(ann, Match(pk=UUID(int=1))), 404, "not-found")


def test_a_private_match_is_not_found_by_others(eve, match):
    refused(rematch(eve, match), 404, "not-found")


def test_who_did_not_play_has_no_rematch(ann, bob, eve):
    match = played(sit(ann, bob, target=50), *WINNING)

    refused(rematch(eve, match), 403, "not-seated")
    assert Match.objects.count() == 1


def test_a_match_must_be_over_first(ann, bob):
    for match in (sit(ann, bob), sit(ann, "open")):
        refused(rematch(ann, match), 409, "match-not-over")


def test_after_a_guest_has_played_the_next_counts_if_all_have_accounts(ann, db):
    guest = Person(services.make_guest())
    match = ends.resign(sit(ann, guest).pk, ann.player)
    second = rematch(ann, match).json()["id"]
    assert rematch(guest, match).json()["rated"] is False
    match = ends.resign(second, ann.player)
    services.become_account(guest.player, "gus", "a password of his own")

    rematch(ann, match)
    assert rematch(guest, match).json()["rated"] is True


def test_a_guest_at_play_now_who_has_an_account_since_can_post_the_next_score(db):
    guest = Person(services.make_guest())
    first = guest.post("/matches/quick", {"game": "pyramid", "wait": 0}).json()["id"]
    guest.post(f"/matches/{first}/resignation")
    services.become_account(guest.player, "gus", "a password of his own")

    following = guest.post(f"/matches/{first}/rematch").json()
    guest.post(f"/matches/{following['id']}/resignation")
    assert guest.post(f"/matches/{following['id']}/score").status_code == 201


@pytest.mark.parametrize("wish", [False, None])
def test_what_was_made_not_to_count_is_played_again_so(ann, bob, wish):
    """None: as it stands where a match was made before wishes were kept."""
    match = ends.resign(sit(ann, bob, rated=False).pk, ann.player)
    Match.objects.update(rated_wish=wish)

    following = rematch(ann, match).json()["id"]
    assert rematch(bob, match).json()["rated"] is False
    again = ends.resign(following, bob.player)
    assert rematch(ann, again).json()["rated"] is False


def test_what_once_counted_by_options_of_its_own_is_played_again_without_counting(ann, bob):
    match = ends.resign(sit(ann, bob, target=50).pk, ann.player)
    Match.objects.update(rated=True, rated_wish=None)

    assert rematch(ann, match).json()["rated"] is False
    assert rematch(bob, match).json()["rated"] is False


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_who_has_refused_his_seat_is_told_that_it_is_gone(ann, bob, eve, visibility):
    match = ends.resign(sit(ann, bob, visibility=visibility).pk, ann.player)
    following = rematch(ann, match).json()
    assert bob.send("DELETE", f"/matches/{following['id']}/seats/me").status_code == 204
    key = following.get("key", "")
    assert eve.post(f"/matches/{following['id']}/seats?key={key}").status_code == 201

    told = refused(rematch(bob, match), 409, "seat-taken")
    assert "given up your seat" in told["detail"]
    operation = document()["paths"]["/api/v1/matches/{id}/rematch"]["post"]
    assert "seat-taken" in str(operation["responses"]["409"])
