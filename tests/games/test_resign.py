"""POST /matches/{id}/resignation"""

from uuid import UUID

import pytest
from django.test import TestCase

from games import wake
from games.bots import LEVELS
from games.engine import pyramid
from games.models import Deal, Match, Seat
from games.tasks import play_bot_turn
from tests import highest
from tests.games.people import WINNING, Person, played, refused, sit


def resign(person, match):
    return person.post(f"/matches/{match.pk}/resignation")


def test_who_resigns_loses_and_the_running_deal_gives_no_points(ann, bob):
    match = played(sit(ann, bob), *WINNING, "draw")

    response = resign(bob, match)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["ended_by"], body["turn"]) == ("finished", "resigned", None)
    assert [(seat["score"], seat["place"]) for seat in body["seats"]] == [(63, 1), (0, 2)]
    assert (body["awaiting"], body["view"]["legal"]) == (None, [])
    assert body["secret"]
    second = Deal.objects.get(number=2)
    assert (second.last_version, second.result) == (body["version"], None)
    assert second.ended_at


def test_one_may_resign_when_ahead_and_on_the_others_turn(ann, bob):
    match = played(sit(ann, bob), *WINNING)

    assert resign(ann, match).status_code == 201

    assert list(Seat.objects.order_by("number").values_list("score", "place")) == [(63, 2), (0, 1)]


def test_a_bot_is_not_waited_for_any_more(ann):
    match = played(sit(ann, "easy"), "draw", "discard KD")
    assert match.bot_to_move

    resign(ann, match)

    match.refresh_from_db()
    assert (match.bot_to_move, match.queued_at, match.deadline) == (False, None, None)


def test_the_move_list_says_so(ann, bob):
    match = sit(ann, bob)
    resign(bob, match)

    last = ann.get(f"/matches/{match.pk}/moves").json()["results"][-1]
    assert last["words"] == "seat 1 resigns"
    assert last["last"] == {"seat": -2, "action": {"type": "resigned", "seat": 1}}


# Where more than two play


@pytest.fixture
def three(ann, bob, eve, game):
    """Ann is to move, then bob, then eve; each swaps or keeps one card."""
    game("highest", highest)
    return sit(ann, bob, eve, game="highest", target=1)


def stay(person, match):
    version = Match.objects.get(pk=match.pk).version
    body = {"version": version, "action": {"type": "stay"}}
    return person.post(f"/matches/{match.pk}/moves", body)


def test_a_bot_plays_on_for_who_resigns(ann, bob, three, script):
    response = resign(bob, three)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["turn"], body["you"]) == ("playing", 0, 1)
    assert (body["seats"][1]["player"], body["seats"][1]["bot"]) == ("bob", "random")
    assert ann.get(f"/matches/{three.pk}").json()["awaiting"]["bot"] is None
    awaiting = stay(ann, three).json()["awaiting"]
    assert (awaiting["seat"], awaiting["bot"]) == (1, "random")
    last = ann.get(f"/matches/{three.pk}/moves").json()["results"][-2]
    assert last["words"] == "seat 1 resigns; a bot (random) plays on"


def test_the_bot_is_called_at_once_when_it_was_the_turn_of_who_resigned(ann, three, monkeypatch):
    queued = []
    monkeypatch.setattr(wake, "send", lambda task, *args, queue: queued.append(args))
    with TestCase.captureOnCommitCallbacks(execute=True):
        resign(ann, three)

    match = Match.objects.get()
    assert (match.bot_to_move, queued) == (True, [(str(three.pk), match.version)])
    play_bot_turn(str(three.pk), match.version)
    assert Match.objects.get().turn == 1


def test_who_has_resigned_watches_from_his_seat_and_plays_no_more(ann, bob, three):
    resign(ann, three)

    body = ann.get(f"/matches/{three.pk}").json()
    assert (body["you"], body["turn"]) == (0, 0)
    assert body["view"]["hand"]
    assert body["view"]["legal"] == []
    refused(stay(ann, three), 409, "not-your-turn")
    refused(resign(ann, three), 409, "match-over")


def test_who_has_resigned_is_last_when_the_match_is_played_out(ann, bob, eve, three, script):
    resign(ann, three)
    match = Match.objects.get()
    play_bot_turn(str(three.pk), match.version)
    for person in (bob, eve):
        stay(person, three)

    seats = Seat.objects.order_by("number")
    assert Match.objects.get().ended_by == "played"
    assert seats[0].place == 3
    assert sorted(seat.place for seat in seats[1:]) in ([1, 1], [1, 2])


def test_the_last_who_stays_has_won(ann, bob, eve, three):
    resign(bob, three)

    body = resign(ann, three).json()

    assert (body["status"], body["ended_by"]) == ("finished", "resigned")
    assert [seat["place"] for seat in body["seats"]] == [2, 3, 1]
    assert [seat["bot"] for seat in body["seats"]] == [None, "random", None]


def test_a_rematch_is_with_who_resigned_and_not_with_his_bot(ann, bob, eve, three):
    resign(bob, three)
    resign(ann, three)

    following = ann.post(f"/matches/{three.pk}/rematch").json()

    assert [(seat["player"], seat["bot"], seat["invited"]) for seat in following["seats"]] == [
        ("ann", None, None),
        (None, None, "bob"),
        (None, None, "eve"),
    ]


def test_the_level_of_the_bot_is_easy_where_the_game_has_it(ann, bob, eve, three, monkeypatch):
    monkeypatch.setitem(LEVELS, "highest", ("random", "easy", "hard"))

    assert resign(bob, three).json()["seats"][1]["bot"] == "easy"


def test_a_match_for_one_that_is_resigned_keeps_its_score(ann, game):
    game("pyramid", pyramid)
    match = sit(ann, game="pyramid")

    assert resign(ann, match).json()["status"] == "finished"
    assert Seat.objects.get().place == 1


# Refusals


def test_who_is_not_signed_in_resigns_nothing(ann, bob, nobody):
    refused(resign(nobody, sit(ann, bob)), 401, "not-authenticated")


def test_a_token_that_only_reads_resigns_nothing(ann, bob):
    refused(resign(Person(bob.player, "read"), sit(ann, bob)), 403, "missing-scope")


def test_a_match_that_is_not_there_cannot_be_resigned(ann):
    refused(resign(ann, Match(pk=UUID(int=1))), 404, "not-found")


def test_who_does_not_sit_there_resigns_nothing(ann, bob, eve):
    match = sit(ann, bob)

    refused(resign(eve, match), 403, "not-seated")
    assert Match.objects.get().status == "playing"


def test_a_private_match_is_not_found_by_others(ann, bob, eve):
    refused(resign(eve, sit(ann, bob, visibility="private")), 404, "not-found")


def test_a_match_that_has_not_started_cannot_be_resigned(ann):
    refused(resign(ann, sit(ann, "open")), 409, "match-not-started")


def test_a_match_that_is_over_cannot_be_resigned(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    for person in (ann, bob):
        assert refused(resign(person, match), 409, "match-over")["version"] == match.version
