"""POST /matches/quick, and the sweep that seats bots at what was opened there."""

import threading
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import tasks
from games.engine import pyramid, rummy
from games.models import Match, Seat
from games.services import lobby
from players.models import Player
from tests.games.people import Person, events, refused, sit

NEW = {"game": "gin", "seats": ["me", "open"]}


def play_now(person, **more):
    return person.post("/matches/quick", {"game": "gin", **more})


def made(person, **more):
    return person.post("/matches", {**NEW, **more}).json()["id"]


def wait(match, seconds):
    """Let the time that a table waits for players pass but for so many seconds."""
    Match.objects.filter(pk=match).update(fill_at=timezone.now() + timedelta(seconds=seconds))


def test_who_finds_no_table_opens_one(ann):
    response = play_now(ann)

    body = response.json()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/matches/{body['id']}"
    assert (body["status"], body["you"], body["visibility"]) == ("open", 0, "public")
    assert [seat["player"] for seat in body["seats"]] == ["ann", None]
    assert "key" not in body


def test_who_finds_one_sits_down_and_it_starts(ann, bob):
    opened = play_now(ann).json()["id"]

    response = play_now(bob)

    body = response.json()
    assert response.status_code == 200
    assert response["Location"] == f"/api/v1/matches/{opened}"
    assert (body["id"], body["status"], body["you"]) == (opened, "playing", 1)
    assert body["view"]["hand"]


def test_any_open_table_that_fits_will_do_and_the_longest_waiting_comes_first(ann, bob, eve):
    first, second = made(ann), made(eve)

    assert play_now(bob).json()["id"] == first
    assert play_now(bob).json()["id"] == second
    assert play_now(bob).status_code == 201


def test_what_does_not_fit_is_left_alone(ann, bob, eve):
    made(ann, visibility="private")
    made(ann, start="later")
    made(ann, rated=False)
    made(ann, options={"preset": "classic"})
    made(ann, options={"target": 101})
    made(ann, seats=["me", {"invite": "eve"}])
    made(ann, seats=["open", {"invite": "bob"}])
    made(bob)
    closed = made(ann)
    ann.send("DELETE", f"/matches/{closed}/seats/me")
    sit(ann, eve)

    response = play_now(bob)

    assert response.status_code == 201
    assert Seat.objects.filter(player=bob.player).count() == 2


def test_the_options_are_those_that_are_asked_for(ann, bob, eve):
    classic = play_now(ann, options={"preset": "classic"}).json()
    fifty = play_now(bob, options={"target": 50}).json()

    assert (classic["options"]["target"], fifty["options"]["target"]) == (100, 50)
    assert play_now(eve, options={"preset": "classic"}).json()["id"] == classic["id"]
    assert play_now(Person(eve.player), options={"target": 50}).json()["id"] == fifty["id"]


def test_who_waits_already_keeps_his_seat(ann, bob):
    opened = play_now(ann).json()

    again = play_now(ann, wait=0)

    assert (again.status_code, again.json()) == (200, opened)
    assert Match.objects.count() == 1
    assert play_now(bob).json()["id"] == opened["id"]
    assert play_now(ann).status_code == 201, "that one is no longer waiting"


def test_a_table_for_three_is_for_three(ann, bob, eve, game):
    game("rummy", rummy)
    for person, seats in ((ann, 3), (bob, 2), (eve, 3)):
        lobby.play_now(person.player, "rummy", {}, seats)

    for_three, for_two = Match.objects.order_by("pk")
    assert list(for_three.seats.order_by("number").values_list("player__name", flat=True)) == [
        *("ann", "eve", None)
    ]
    assert (for_three.status, for_two.status, for_two.seats.count()) == ("open", "open", 2)


def test_a_game_for_one_starts_at_once(ann, game):
    game("pyramid", pyramid)

    match, new = lobby.play_now(ann.player, "pyramid", {})

    assert (match.status, new, match.folded().turn) == ("playing", True, 0)


# Bots


def test_bots_take_the_empty_seats_when_the_wait_is_over(ann):
    opened = play_now(ann, wait=10).json()["id"]
    wait(opened, 5)
    lobby.tend_tables()
    assert Match.objects.get().status == "open"

    wait(opened, 0)
    tasks.sweep()

    body = ann.get(f"/matches/{opened}").json()
    assert (body["status"], body["seats"][1]["bot"]) == ("playing", "easy")
    assert body["view"]["hand"]


def test_the_wait_and_the_level_are_those_asked_for(ann, clock):
    now = clock("2026-11-30 12:00:00")
    play_now(ann, wait=10, bots="random")
    assert Match.objects.get().fill_at == now + timedelta(seconds=10)
    clock("2026-11-30 12:00:09.999999")
    lobby.tend_tables()
    assert Match.objects.get().status == "open"

    clock("2026-11-30 12:00:10")
    lobby.tend_tables()

    assert list(Seat.objects.order_by("number").values_list("bot", flat=True)) == ["", "random"]
    assert Match.objects.get().status == "playing"


def test_of_three_seats_they_take_those_that_are_empty(ann, bob, game):
    game("rummy", rummy)
    for person in (ann, bob):
        match, _ = lobby.play_now(person.player, "rummy", {}, 4, wait=0, bots="random")

    lobby.tend_tables()

    match.refresh_from_db()
    assert match.status == "playing"
    assert [(s.player is not None, s.bot) for s in match.folded().seats] == [
        *((True, None), (True, None), (False, "random"), (False, "random"))
    ]


def test_a_table_that_started_in_time_gets_none(ann, bob):
    opened = play_now(ann, wait=0).json()["id"]
    play_now(bob)
    before = Match.objects.values().get()

    lobby.tend_tables()

    assert Match.objects.values().get() == before
    assert bob.get(f"/matches/{opened}").json()["seats"][1]["bot"] is None


def test_a_table_that_was_left_gets_none(ann):
    opened = play_now(ann, wait=0).json()["id"]
    ann.send("DELETE", f"/matches/{opened}/seats/me")

    lobby.tend_tables()

    assert Match.objects.get().status == "aborted"


def test_other_open_tables_wait_for_people(ann):
    made(ann)

    lobby.tend_tables()

    assert Match.objects.get().status == "open"


def test_a_table_that_cannot_be_filled_holds_up_no_other(ann, bob, caplog):
    broken = play_now(ann, wait=0).json()["id"]
    play_now(bob, wait=0, options={"target": 50})
    Match.objects.filter(pk=broken).update(position={})

    lobby.tend_tables()

    assert sorted(Match.objects.values_list("status", flat=True)) == ["open", "playing"]
    told = [event for event in events(caplog) if event["event"] == "table_not_tended"]
    assert [event["match"] for event in told] == [broken]


# Refusals


def test_who_is_not_signed_in_plays_nothing(nobody):
    refused(play_now(nobody), 401, "not-authenticated")


def test_a_token_that_only_reads_plays_nothing(ann):
    refused(play_now(Person(ann.player, "read")), 403, "missing-scope")


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"options": {"preset": "blitz"}}, "/options/preset"),
        ({"options": {"target": "many"}}, "/options/target"),
        ({"options": {"speed": 1}}, "/options/speed"),
        ({"options": None}, "/options"),
        ({"seats": 1}, "/seats"),
        ({"seats": 3}, "/seats"),
        ({"seats": 10}, "/seats"),
        ({"wait": -1}, "/wait"),
        ({"wait": 3601}, "/wait"),
        ({"wait": None}, "/wait"),
        ({"bots": "perfect"}, "/bots"),
        ({"bots": ""}, "/bots"),
        ({"visibility": "private"}, "/visibility"),
    ],
)
def test_what_cannot_be_asked_is_malformed(ann, more, pointer):
    told = refused(play_now(ann, **more), 400, "malformed")

    assert [error["pointer"] for error in told["errors"]] == [pointer]
    assert not Match.objects.exists()


def test_it_costs_the_same_among_many(ann, bob, eve, count):
    costs = []
    for matches in (0, 25):
        for _ in range(matches):
            made(ann, options={"target": 50})
            sit(ann, bob)
        with count() as opened:
            play_now(bob)
        with count() as joined:
            play_now(eve)
        costs.append((opened(), joined()))

    assert costs[0] == costs[1]
    assert max(costs[0]) <= 14, costs


# Many at once


def at_once(*calls):
    """What the calls answer, all made together, each over a connection of its own."""
    answers, together = [None] * len(calls), threading.Barrier(len(calls))

    def make(number, call):
        try:
            together.wait(20)
            answers[number] = call()
        finally:
            connection.close()

    threads = [threading.Thread(target=make, args=each, daemon=True) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert None not in answers
    return answers


def crowd(many):
    return [Person(Player.objects.create(name=f"player{n}")) for n in range(many)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("many", [20, 7])
def test_all_who_come_at_once_meet_and_nobody_sits_twice(many):
    responses = at_once(*(lambda person=person: play_now(person) for person in crowd(many)))

    assert Counter(r.status_code for r in responses) == {201: (many + 1) // 2, 200: many // 2}
    seats = Seat.objects.exclude(player=None)
    assert sorted(Counter(seats.values_list("player", flat=True)).values()) == [1] * many
    statuses = Counter(Match.objects.values_list("status", flat=True))
    assert statuses == Counter({"playing": many // 2, "open": many % 2})


@pytest.mark.django_db(transaction=True)
def test_the_last_seat_of_a_table_goes_to_one_and_the_others_find_their_own(ann):
    opened = play_now(ann).json()["id"]

    responses = at_once(*(lambda person=person: play_now(person) for person in crowd(6)))

    assert [r.json()["id"] for r in responses].count(opened) == 1
    assert Match.objects.get(pk=opened).folded().version == 4
    assert Seat.objects.exclude(player=None).count() == 7


@pytest.mark.django_db(transaction=True)
def test_one_who_asks_many_times_at_once_gets_one_seat(ann):
    clients = [Person(ann.player) for _ in range(8)]

    responses = at_once(*(lambda client=client: play_now(client) for client in clients))

    assert Counter(r.status_code for r in responses) == {201: 1, 200: 7}
    assert len({r.json()["id"] for r in responses}) == 1
    assert Seat.objects.filter(player=ann.player).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_table_that_others_are_just_joining_is_not_waited_for(ann, bob):
    opened, answers = made(ann), []

    def ask():
        answers.append(play_now(bob).status_code)
        connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=opened)
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(20)
        assert answers == [201]


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_fill_a_table_once(ann):
    play_now(ann, wait=0)

    at_once(*[lambda: lobby.tend_tables() or "done"] * 4)

    assert Match.objects.get().folded().version == 4
    assert Seat.objects.filter(bot="easy").count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_comes_as_bots_do_is_seated_or_finds_another_table(ann, bob):
    opened = play_now(ann, wait=0).json()["id"]

    _, response = at_once(lambda: lobby.tend_tables() or "done", lambda: play_now(bob))

    match = Match.objects.get(pk=opened)
    assert (match.status, match.version) == ("playing", 4)
    assert response.status_code == (200 if response.json()["id"] == opened else 201)
    assert Seat.objects.filter(player=bob.player).count() == 1
