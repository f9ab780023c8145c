"""The key of a private match: POST /matches tells it once, ?key= opens the match to its holder."""

import json

import pytest

from games.models import Match
from games.models.matches import digest
from tests.games.people import events, played, refused, sit


def made(person, *seats, **more):
    body = {"game": "gin", "seats": seats or ["me", "open"], "visibility": "private", **more}
    told = person.post("/matches", body).json()
    return Match.objects.get(pk=told["id"]), told["key"]


READS = ["", "/moves", "/deals", "/deals/1", "/replay", "/export"]


def over(ann, bob):
    """A private match that is over, and its key."""
    match, key = made(ann, "me", {"invite": "bob"})
    bob.post(f"/matches/{match.pk}/seats")
    played(match, "draw")
    bob.post(f"/matches/{match.pk}/resignation")
    return match, key


def test_the_key_is_told_once_to_who_makes_the_match(ann, bob):
    match, key = made(ann, "me", {"invite": "bob"})

    assert len(key) == 22
    for person in (ann, bob):
        assert "key" not in person.get(f"/matches/{match.pk}").json()
        assert key not in person.get("/matches").content.decode()
    assert "key" not in bob.post(f"/matches/{match.pk}/seats").json()
    assert Match.objects.get().key_digest == digest(key) != key


def test_a_public_match_has_none(ann):
    assert "key" not in ann.post("/matches", {"game": "gin", "seats": ["me", "open"]}).json()
    assert Match.objects.get().key_digest == ""


def test_each_match_has_its_own(ann):
    assert made(ann)[1] != made(ann)[1]


def test_whoever_has_it_joins(ann, bob):
    match, key = made(ann)

    response = bob.post(f"/matches/{match.pk}/seats?key={key}")

    assert response.status_code == 201
    assert (response.json()["status"], response.json()["you"]) == ("playing", 1)
    assert bob.get(f"/matches/{match.pk}").status_code == 200, "from now on without it"


def test_whoever_has_it_watches_and_reads_everything(ann, bob, eve, nobody):
    match, key = over(ann, bob)

    for path in READS:
        for person in (eve, nobody):
            address = f"/matches/{match.pk}{path}"
            assert person.get(f"{address}?key={key}").status_code == 200, path
            refused(person.get(address), 404, "not-found")


def test_who_watches_sees_no_hand(ann, eve):
    match, key = made(ann, "me", {"bot": "easy"})

    for path in ("", "/replay"):
        told = eve.get(f"/matches/{match.pk}{path}?key={key}").json()
        assert told["view"]["hand"] is None
        assert told["view"]["legal"] == []
    refused(eve.get(f"/matches/{match.pk}/replay?seat=0&key={key}"), 403, "not-your-seat")


def test_links_from_page_to_page_keep_it(ann, bob, eve):
    match, key = over(ann, bob)

    for path in ("moves", "deals"):
        link, pages = f"/matches/{match.pk}/{path}?limit=1&key={key}", 0
        while link:
            told = eve.get(link)
            assert told.status_code == 200
            link, pages = told.json()["next"], pages + 1
        assert pages == {"moves": 7, "deals": 1}[path]


def test_what_has_not_changed_is_said_so_to_its_holder_alone(ann, eve):
    match, key = made(ann)
    tag = eve.get(f"/matches/{match.pk}?key={key}")["ETag"]

    again = eve.get(f"/matches/{match.pk}?key={key}", If_None_Match=tag)
    assert again.status_code == 304
    refused(eve.get(f"/matches/{match.pk}", If_None_Match=tag), 404, "not-found")


def test_it_opens_no_list(ann, eve, nobody):
    _, key = made(ann)

    for person in (eve, nobody):
        for query in (f"key={key}", f"key={key}&player=ann", f"key={key}&seats=open"):
            assert person.get(f"/matches?{query}").json()["results"] == []


def test_who_only_watches_can_do_nothing_else(ann, bob, eve):
    match, key = made(ann, "me", {"invite": "bob"})
    bob.post(f"/matches/{match.pk}/seats")

    for path in ("resignation", "rematch", "start", "score"):
        refused(eve.post(f"/matches/{match.pk}/{path}?key={key}"), 404, "not-found")
    refused(eve.move(match, "draw", query=f"?key={key}"), 404, "not-found")
    refused(eve.send("DELETE", f"/matches/{match.pk}/seats/me?key={key}"), 404, "not-found")
    assert Match.objects.get().version == 5


def test_a_seat_kept_for_another_is_not_opened_by_it(ann, bob, eve):
    match, key = made(ann, "me", {"invite": "bob"})

    refused(eve.post(f"/matches/{match.pk}/seats?key={key}"), 409, "seat-taken")


def test_the_log_of_the_service_does_not_hold_it(ann, eve, caplog):
    match, key = made(ann)
    eve.get(f"/matches/{match.pk}?key={key}")
    eve.post(f"/matches/{match.pk}/seats?key={key}")

    assert str(match.pk) in json.dumps(events(caplog), default=str)
    assert key not in json.dumps(events(caplog), default=str)


# Refusals


@pytest.mark.parametrize("key", ["", "wrong", "%00", "%FF", "%E2%82%AC", "a" * 2000, "&key="])
def test_a_key_that_is_not_the_matchs_opens_nothing(ann, eve, key):
    match, own = made(ann)
    other, _ = made(ann)

    for wrong in (key, own):
        refused(eve.get(f"/matches/{other.pk}?key={wrong}"), 404, "not-found")
        refused(eve.post(f"/matches/{other.pk}/seats?key={wrong}"), 404, "not-found")
    refused(eve.get(f"/matches/{match.pk}?key={own}x"), 404, "not-found")


def test_its_digest_is_no_key(ann, eve):
    match, key = made(ann)

    refused(eve.get(f"/matches/{match.pk}?key={digest(key)}"), 404, "not-found")


def test_an_empty_key_opens_no_match_that_has_none(ann, eve):
    match, _ = made(ann)
    Match.objects.update(key_digest="")

    refused(eve.get(f"/matches/{match.pk}?key="), 404, "not-found")
    refused(eve.post(f"/matches/{match.pk}/seats?key="), 404, "not-found")


# The rematch


def test_a_rematch_has_a_key_of_its_own_told_to_who_asks_first(ann, bob):
    match, old = over(ann, bob)

    first = bob.post(f"/matches/{match.pk}/rematch").json()
    second = ann.post(f"/matches/{match.pk}/rematch")

    assert len(first["key"]) == 22 and first["key"] != old
    assert (second.status_code, second.json()["id"]) == (200, first["id"])
    assert "key" not in second.json()
    assert "key" not in bob.post(f"/matches/{match.pk}/rematch").json()


def test_who_played_needs_none_for_it_and_who_has_the_old_one_is_not_let_in(ann, bob, eve):
    match, old = over(ann, bob)
    following = ann.post(f"/matches/{match.pk}/rematch").json()["id"]

    assert bob.get(f"/matches/{following}").status_code == 200
    assert eve.get(f"/matches/{match.pk}?key={old}").json()["next"] == following
    refused(eve.get(f"/matches/{following}?key={old}"), 404, "not-found")


def test_the_seat_of_one_who_refuses_it_can_be_offered_by_the_new_key(ann, bob, eve):
    match, _ = over(ann, bob)
    following = ann.post(f"/matches/{match.pk}/rematch").json()
    path = f"/matches/{following['id']}/seats"
    bob.send("DELETE", f"{path}/me")

    assert eve.post(f"{path}?key={following['key']}").json()["status"] == "playing"


def test_the_rematch_of_a_public_match_has_none(ann, bob):
    match = played(sit(ann, bob), "draw")
    bob.post(f"/matches/{match.pk}/resignation")

    assert "key" not in ann.post(f"/matches/{match.pk}/rematch").json()
