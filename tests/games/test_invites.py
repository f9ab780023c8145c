"""GET /me/invites"""

import pytest

from games.models import Match
from tests.games.people import Person, refused


def invite(person, name, **more):
    seats = ["me", {"invite": name}]
    return person.post("/matches", {"game": "gin", "seats": seats, **more}).json()["id"]


def invites(person, query=""):
    response = person.get(f"/me/invites{query}")
    assert response.status_code == 200, response.content
    return [line["id"] for line in response.json()["results"]]


def test_the_newest_comes_first_as_a_line_of_a_list(ann, bob, eve):
    old, new = invite(ann, "bob"), invite(eve, "BOB")

    newest, _ = bob.get("/me/invites").json()["results"]

    assert invites(bob) == [new, old]
    assert [(seat["player"], seat["invited"]) for seat in newest["seats"]] == [
        ("eve", None),
        (None, "bob"),
    ]


def test_private_matches_are_among_them(ann, bob):
    match = invite(ann, "bob", visibility="private")

    assert invites(bob) == [match]


def test_nobody_is_told_of_the_invitations_of_others(ann, bob, eve):
    invite(ann, "bob")

    assert invites(ann) == invites(eve) == []


@pytest.mark.parametrize("answer", ["join", "refuse"])
def test_an_invitation_that_is_answered_is_gone(ann, bob, answer):
    match = invite(ann, "bob", start="later")

    if answer == "join":
        assert bob.post(f"/matches/{match}/seats").status_code == 201
    else:
        assert bob.send("DELETE", f"/matches/{match}/seats/me").status_code == 204

    assert invites(bob) == []


def test_an_invitation_to_a_table_that_was_closed_is_gone(ann, bob):
    Match.objects.filter(pk=invite(ann, "bob")).update(status="aborted")

    assert invites(bob) == []


def test_a_rematch_invites_the_other(ann, bob):
    match = invite(ann, "bob")
    bob.post(f"/matches/{match}/seats")
    ann.post(f"/matches/{match}/resignation")

    following = ann.post(f"/matches/{match}/rematch").json()["id"]

    assert invites(bob) == [following]
    bob.post(f"/matches/{match}/rematch")
    assert invites(bob) == []


def test_they_come_page_by_page_at_a_fixed_cost(ann, bob, count):
    """Token, matches, their seats with who sits there."""
    made = [invite(ann, "bob") for _ in range(5)]

    with count() as statements:
        first = bob.get("/me/invites?limit=3")
    rest = bob.get(first.json()["next"]).json()

    found = first.json()["results"] + rest["results"]
    assert [line["id"] for line in found] == made[::-1]
    assert rest["next"] is None
    assert statements() == 3


def test_a_token_that_only_reads_sees_them(ann, bob):
    assert invites(Person(bob.player, "read")) == []


# Refusals


def test_nobody_in_particular_is_not_invited(nobody):
    refused(nobody.get("/me/invites"), 401, "not-authenticated")


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "cursor=nonsense"])
def test_what_cannot_be_asked_is_malformed(bob, query):
    refused(bob.get(f"/me/invites?{query}"), 400, "malformed")
