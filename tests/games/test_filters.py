"""GET /matches?seats=open&preset=…&min_rating=…&max_rating=…: a table to sit down at.

Which options a match has and who made it is asked of open tables only.
"""

import pytest
from django.utils import timezone

from games.engine import gin, rummy
from games.models import Rating
from tests.games.people import refused, sit


def found(person, query):
    response = person.get(f"/matches?{query}")
    assert response.status_code == 200, response.content
    return [line["id"] for line in response.json()["results"]]


def made(person, *seats, **more):
    body = {"game": "gin", "seats": list(seats) or ["me", "open"], **more}
    return person.post("/matches", body).json()["id"]


def rated(person, rating, game="gin"):
    """That is what the person's rating is shown as."""
    Rating.objects.create(
        player=person.player, game=game, mu=rating / 40, sigma=5, changed_at=timezone.now()
    )


# A seat to take


def test_tables_with_a_seat_to_take_are_found(ann, bob, eve):
    one, two = made(ann), made(ann, "open", "open")
    made(ann, "me", {"invite": "bob"})
    made(ann, "me", {"bot": "easy"}, start="later")
    made(ann, visibility="private")
    sit(ann, bob)

    assert found(eve, "seats=open") == [two, one]
    assert found(eve, "seats=open&status=open&game=gin&player=ann") == [one]
    assert found(eve, "seats=open&status=playing") == []


def test_ones_own_private_table_is_among_them(ann, bob):
    private = made(ann, visibility="private")

    assert found(ann, "seats=open") == [private]
    assert found(bob, "seats=open") == []


def test_a_seat_that_is_taken_is_found_no_more(ann, bob):
    match = made(ann, "open", "open", start="later")
    for person in (ann, bob):
        assert found(bob, "seats=open") == [match]
        person.post(f"/matches/{match}/seats")

    assert found(bob, "seats=open") == []
    ann.send("DELETE", f"/matches/{match}/seats/me")
    assert found(bob, "seats=open") == [match]


# Options


def test_tables_with_just_the_options_of_a_preset_are_found(ann):
    arcade, classic = made(ann), made(ann, options={"preset": "classic"})
    target = gin.PRESETS["arcade"].target
    same = made(ann, options={"target": target})
    made(ann, options={"target": target + 1})
    made(ann, options={"preset": "classic", "target": 50})

    assert found(ann, "status=open&preset=classic") == [classic]
    assert found(ann, "preset=arcade&seats=open") == [same, arcade]


def test_a_preset_that_two_games_have_finds_matches_of_both(ann, game):
    game("rummy", rummy)
    assert "classic" in rummy.PRESETS
    match = sit(ann, "open", game="rummy")
    classic = made(ann, options={"preset": "classic"})

    assert found(ann, "status=open&preset=classic") == [classic, str(match.pk)]
    assert found(ann, "seats=open&preset=classic&game=rummy") == [str(match.pk)]


# How strong who made it is


def test_tables_made_by_players_of_a_rating_are_found(ann, bob, eve):
    tables = {person: made(person) for person in (ann, bob, eve)}
    rated(ann, 900)
    rated(bob, 1100)

    assert found(eve, "status=open&min_rating=900") == [tables[bob], tables[ann]]
    assert found(eve, "status=open&min_rating=901") == [tables[bob]]
    assert found(eve, "status=open&max_rating=1100") == [tables[bob], tables[ann]]
    assert found(eve, "status=open&max_rating=1099&min_rating=0") == [tables[ann]]
    assert found(eve, "status=open&min_rating=1000&max_rating=1000") == []
    assert found(eve, "status=open&min_rating=2000&max_rating=1000") == []


@pytest.mark.parametrize(("mu", "shown"), [(25.01, 1000), (24.99, 1000), (25.02, 1001)])
def test_a_rating_is_what_it_is_shown_as(ann, mu, shown):
    match = made(ann)
    rated(ann, mu * 40)

    assert found(ann, f"status=open&min_rating={shown}&max_rating={shown}") == [match]
    assert (
        found(ann, f"status=open&min_rating={shown + 1}")
        == found(ann, f"status=open&max_rating={shown - 1}")
        == []
    )


def test_it_is_the_rating_at_that_game(ann):
    made(ann)
    rated(ann, 1000, game="rummy")

    assert found(ann, "status=open&min_rating=1") == []


def test_filters_cost_no_statement_more(ann, bob, count):
    rated(ann, 1000)
    for _ in range(5):
        made(ann)

    with count() as statements:
        query = "seats=open&preset=arcade&min_rating=0&max_rating=10000&game=gin&player=ann"
        assert found(bob, query)
    assert statements() == 3


# Refusals


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("seats=taken", "seats"),
        ("seats=", "seats"),
        ("status=open&preset=blitz", "preset"),
        ("status=open&preset=", "preset"),
        ("status=open&min_rating=good", "min_rating"),
        ("status=open&min_rating=-1", "min_rating"),
        ("status=open&min_rating=10001", "min_rating"),
        ("status=open&max_rating=1e3", "max_rating"),
        ("status=open&max_rating=%D9%A3", "max_rating"),
        ("status=open&max_rating=99999999999999999999", "max_rating"),
        ("preset=classic", "preset"),
        ("status=finished&preset=classic", "preset"),
        ("player=ann&min_rating=900", "min_rating"),
        ("status=playing&max_rating=900", "max_rating"),
    ],
)
def test_what_cannot_be_asked_is_malformed(ann, query, parameter):
    told = refused(ann.get(f"/matches?{query}"), 400, "malformed")

    assert [error["parameter"] for error in told["errors"]] == [parameter]
