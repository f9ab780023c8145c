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
from players import services
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

    again = play_now(ann)

    assert (again.status_code, again.json()) == (200, opened)
    assert Match.objects.count() == 1
    assert play_now(bob).json()["id"] == opened["id"]
    assert play_now(ann).status_code == 201, "that one is no longer waiting"


# Who has said how long he waits plays by then


def rummy_now(person, seats=3, **more):
    return play_now(person, game="rummy", seats=seats, **more)


def test_a_table_that_bots_never_fill_will_do_only_for_the_last_who_is_missing(ann, bob, eve):
    table = made(ann, game="rummy", seats=["me", "open", "open"])

    assert rummy_now(bob).status_code == 201

    eve.post(f"/matches/{table}/seats")
    last = rummy_now(Person(Player.objects.create(name="zoe"))).json()
    assert (last["id"], last["status"]) == (table, "playing")


def test_nor_will_one_with_a_seat_kept_for_somebody_who_may_not_come(ann, bob, eve):
    made(ann, game="rummy", seats=["me", "open", {"invite": "eve"}])

    assert rummy_now(bob).status_code == 201


def test_a_table_whose_bots_come_later_than_one_wants_to_wait_will_not_do(ann, bob, eve, clock):
    clock("2026-11-30 12:00:00")
    slow = rummy_now(ann, wait=60).json()["id"]
    clock("2026-11-30 12:00:31")

    quick = rummy_now(bob, wait=28)
    assert quick.status_code == 201
    assert rummy_now(eve, wait=29).json()["id"] == slow, "the longest waiting comes first"


def test_nor_one_with_other_bots_than_are_asked_for(ann, bob, eve):
    easy = rummy_now(ann, bots="easy").json()["id"]

    random = rummy_now(bob, bots="random")
    assert random.status_code == 201
    assert rummy_now(eve, bots="random").json()["id"] == random.json()["id"] != easy


def test_at_the_last_seat_neither_matters_since_no_bot_comes(ann, bob):
    opened = play_now(ann, wait=3600, bots="random").json()["id"]

    assert play_now(bob, wait=0, bots="easy").json()["id"] == opened


def test_whoever_asked_plays_when_his_time_is_over(ann, bob, eve, clock):
    """Whatever the others at the tables have asked for."""
    start = clock("2026-11-30 12:00:00")
    made(ann, game="rummy", seats=["me", "open", "open"])
    waits = {ann: 50, bob: 10, eve: 30}
    for person, wait in waits.items():
        rummy_now(person, wait=wait)

    for person, wait in sorted(waits.items(), key=lambda item: item[1]):
        clock((start + timedelta(seconds=wait)).isoformat(" ")[:19])
        lobby.tend_tables()
        mine = person.get("/matches?player=me&status=playing").json()["results"]
        assert len(mine) == 1, person.player.name


def test_who_asks_again_with_less_time_leaves_that_table_for_another(ann, bob):
    slow = rummy_now(ann, wait=60).json()["id"]
    rummy_now(bob, wait=60)

    quick = rummy_now(ann, wait=5)

    assert quick.status_code == 201
    seats = ann.get(f"/matches/{slow}").json()["seats"]
    assert [seat["player"] for seat in seats] == [None, "bob", None]
    assert Seat.objects.filter(player=ann.player).count() == 1


def test_alone_at_it_he_closes_it(ann):
    slow = play_now(ann, wait=60).json()["id"]

    assert play_now(ann, wait=0).json()["id"] != slow
    assert ann.get(f"/matches/{slow}").json()["status"] == "aborted"


# Whether it counts


@pytest.fixture
def guest(db):
    return Person(services.make_guest())


def test_players_meet_in_matches_that_count(ann, bob):
    play_now(ann)

    assert play_now(bob).json()["rated"] is True


def test_guests_meet_each_other_in_matches_that_do_not(ann, guest):
    rated = play_now(ann).json()["id"]
    opened = play_now(guest)
    other = play_now(Person(services.make_guest()))

    assert (opened.status_code, opened.json()["rated"]) == (201, False)
    assert (other.json()["id"], other.json()["status"]) == (opened.json()["id"], "playing")
    assert ann.get(f"/matches/{rated}").json()["status"] == "open"


def test_a_guest_is_not_what_a_player_meets_who_wants_it_to_count(ann, bob, guest):
    made(guest)
    play_now(guest)
    table = made(bob, game="rummy", seats=["me", "open", "open"])
    guest.post(f"/matches/{table}/seats")

    assert play_now(ann).status_code == 201
    assert rummy_now(ann).status_code == 201


def test_who_does_not_want_it_to_count_meets_guests_too(ann, bob, guest):
    opened = play_now(guest).json()["id"]
    assert play_now(ann, rated=False).json()["id"] == opened

    unrated = made(bob, rated=False)
    assert play_now(ann, rated=False).json()["id"] == unrated
    by_a_guest = made(guest)
    assert play_now(Person(services.make_guest())).json()["id"] == by_a_guest
    assert play_now(ann, rated=False).json()["rated"] is False


def test_who_wants_no_hints_meets_who_wants_none_either(ann, bob, eve, guest):
    without = play_now(ann, rated=False, hints=False).json()
    given = play_now(eve, rated=False).json()

    assert (without["hints"], given["hints"]) == (False, True)
    assert play_now(bob, rated=False, hints=False).json()["id"] == without["id"]
    assert play_now(guest, hints=True).json()["id"] == given["id"]


def test_where_it_counts_there_are_no_hints_to_agree_upon(ann, bob):
    said = refused(play_now(ann, hints=True), 400, "malformed")
    assert said["errors"][0]["pointer"] == "/hints"

    opened = play_now(ann).json()
    assert opened["hints"] is False
    assert play_now(bob, hints=False).json()["id"] == opened["id"]


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


def fails_at(monkeypatch, matches):
    """Those tables cannot be filled as long as they are in the set."""
    fill = lobby.fill

    def planted(match, position):
        if str(match.pk) in matches:
            raise RuntimeError("planted")
        fill(match, position)

    monkeypatch.setattr(lobby, "fill", planted)


def not_tended(caplog):
    return [e["match"] for e in events(caplog) if e["event"] == "table_not_tended"]


def test_many_that_cannot_be_filled_do_not_starve_the_others(ann, bob, monkeypatch, caplog):
    broken = {play_now(ann, wait=0, options={"target": n}).json()["id"] for n in (50, 60, 70)}
    whole = play_now(bob, wait=10).json()["id"]
    wait(whole, 0)
    monkeypatch.setattr(lobby, "MOST_TABLES", 2)
    fails_at(monkeypatch, broken)

    for _ in range(3):
        lobby.tend_tables()

    assert Match.objects.get(pk=whole).status == "playing"
    assert sorted(not_tended(caplog)) == sorted(broken), "each is tried once in that time"


def test_one_that_cannot_be_filled_rests_and_counts_its_attempts(
    ann, bob, monkeypatch, caplog, clock
):
    clock("2026-11-30 12:00:00")
    table = play_now(ann, wait=0).json()["id"]
    broken = {table}
    fails_at(monkeypatch, broken)
    for seconds in ("00", "02", "59"):
        clock(f"2026-11-30 12:00:{seconds}")
        lobby.tend_tables()
    assert Match.objects.get().attempts == len(not_tended(caplog)) == 1
    assert play_now(bob).status_code == 201, "nobody is seated at it meanwhile"

    clock("2026-11-30 12:01:00")
    lobby.tend_tables()
    assert Match.objects.get(pk=table).attempts == len(not_tended(caplog)) == 2

    broken.clear()
    clock("2026-11-30 12:02:00")
    lobby.tend_tables()
    match = Match.objects.get(pk=table)
    assert (match.status, match.attempts) == ("playing", 0)


def test_a_part_of_the_sweep_that_fails_does_not_stop_the_others(ann, monkeypatch, caplog):
    table = play_now(ann, wait=0).json()["id"]

    def fails():
        raise RuntimeError("planted")

    monkeypatch.setattr(tasks, "PARTS", (fails, *tasks.PARTS[1:]))
    tasks.sweep()

    assert Match.objects.get(pk=table).status == "playing"
    assert [e["part"] for e in events(caplog) if e["event"] == "sweep_failed"] == ["fails"]


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
        ({"rated": "no"}, "/rated"),
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
