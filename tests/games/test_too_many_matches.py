"""How many matches of one player's making may be unfinished."""

import pytest
from django.core.management import call_command

from games.models import Match
from games.services import ends
from tests.games.people import Person, refused, sit
from tests.games.practising import practice

GIN = {"game": "gin", "seats": ["me", {"bot": "easy"}]}


@pytest.fixture(autouse=True)
def two(settings):
    settings.MATCHES_OF_A_PLAYER = 2


def make(person, **more):
    return person.post("/matches", GIN | more)


def is_refused(response):
    told = refused(response, 409, "too-many-matches")
    assert told["detail"].startswith("2 matches that you have made are not over")


@pytest.mark.parametrize("seats", [["me", "open"], [{"bot": "random"}] * 2])
def test_one_more_is_refused_whoever_plays_in_it(ann, seats):
    assert [make(ann, seats=seats).status_code for _ in range(2)] == [201, 201]

    is_refused(make(ann, seats=seats))
    is_refused(ann.post("/matches/quick", {"game": "rummy"}))
    assert Match.objects.count() == 2


def test_others_may_go_on_and_he_may_sit_down_at_theirs(ann, bob):
    for _ in range(2):
        make(ann)
    table = bob.post("/matches/quick", {"game": "gin"})
    assert table.status_code == 201

    assert ann.post("/matches/quick", {"game": "gin"}).json()["id"] == table.json()["id"]
    assert ann.post(f"/matches/{sit(bob, 'open').pk}/seats").status_code == 201


@pytest.mark.parametrize("status", ["finished", "aborted", "voided"])
def test_what_is_over_does_not_count(ann, status):
    for _ in range(3):
        make(ann)
    Match.objects.filter(pk=Match.objects.first().pk).update(status=status)

    assert make(ann).status_code == 201
    is_refused(make(ann))


def test_a_rematch_counts_for_who_asked_first(ann, bob):
    ended = ends.resign(sit(ann, bob).pk, ann.player)
    for _ in range(2):
        make(ann)

    is_refused(ann.post(f"/matches/{ended.pk}/rematch"))
    assert bob.post(f"/matches/{ended.pk}/rematch").status_code == 201
    assert ann.post(f"/matches/{ended.pk}/rematch").status_code == 200


def test_dealing_again_and_playing_on_make_matches_too(ann):
    match, ended = practice(ann), ends.resign(sit(ann, "easy").pk, ann.player)
    make(ann)

    is_refused(ann.post(f"/matches/{match.pk}/restart"))
    is_refused(ann.post(f"/matches/{ended.pk}/continuations", {"version": 4}))


def test_a_second_token_gives_no_more_room(ann):
    for _ in range(2):
        make(ann)

    is_refused(make(Person(ann.player, "bot")))


def test_an_operator_may_set_no_limit(ann, settings):
    settings.MATCHES_OF_A_PLAYER = 0

    assert [make(ann).status_code for _ in range(3)] == [201] * 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seats", [["open", "open"], [{"bot": "random"}] * 2])
def test_who_made_it_and_has_no_seat_can_call_off_what_nobody_plays(ann, bob, seats):
    made = [make(ann, seats=seats).json()["id"] for _ in range(2)]
    refused(bob.post(f"/matches/{made[0]}/abort"), 403, "not-seated")

    answer = ann.post(f"/matches/{made[0]}/abort")

    assert (answer.status_code, answer.json()["ended_by"]) == (201, "called_off")
    last = bob.get(f"/matches/{made[0]}/moves").json()["results"][-1]
    assert last["words"] == "its maker calls the match off"
    assert make(ann).status_code == 201
    assert ann.post(f"/matches/{made[0]}/abort").status_code in (403, 409)
    call_command("verify_logs")


def test_what_others_have_begun_to_play_is_theirs(ann, bob, eve):
    match = make(ann, seats=["open", "open"]).json()["id"]
    for who in (bob, eve):
        assert who.post(f"/matches/{match}/seats").status_code == 201

    refused(ann.post(f"/matches/{match}/abort"), 403, "not-seated")
