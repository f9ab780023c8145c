"""What several clients do at the very same time, each over a connection of its own.

A row that all need is held until all wait for it, so that each race is run every time.
"""

import threading
import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from games.models import Analysis, Match, Move, Seat
from games.services import analyses, ends, lobby
from games.tasks import play_bot_turn
from players.models import Player
from tests.games.people import WINNING, Person, late, played, refused, sit

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"


def at_once(held, *calls):
    """What the calls answer, all made while a match's or player's row was held, in that order."""
    answers = [None] * len(calls)

    def make(number, call):
        try:
            answers[number] = call()
        finally:
            connection.close()

    threads = [
        threading.Thread(target=make, args=numbered, daemon=True) for numbered in enumerate(calls)
    ]
    with transaction.atomic():
        type(held).objects.select_for_update().get(pk=held.pk)
        for number, thread in enumerate(threads, 1):
            thread.start()
            wait_until(number)
    for thread in threads:
        thread.join(20)
    assert None not in answers
    return answers


def wait_until(waiting):
    """Until so many connections wait for a lock."""
    deadline = time.monotonic() + 20
    while True:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone()[0] >= waiting:
                return
        assert time.monotonic() < deadline, "nobody came to wait for the row"
        time.sleep(0.005)


def outcomes(responses):
    """The answers' statuses and codes, in order of status."""
    return sorted((response.status_code, response.json().get("code", "")) for response in responses)


def is_sound(match):
    """Versions without a gap, as many as the match says."""
    versions = (
        Move.objects.filter(match=match).order_by("version").values_list("version", flat=True)
    )
    assert list(versions) == list(range(1, Match.objects.get(pk=match.pk).version + 1))


def test_the_same_move_sent_twice_at_once_is_played_once(ann, bob):
    match = sit(ann, bob)
    again = Person(ann.player)

    responses = at_once(
        match, lambda: ann.move(match, "draw", 5), lambda: again.move(match, "draw", 5)
    )

    assert outcomes(responses) == [(201, ""), (409, "stale-version")]
    assert Move.objects.filter(match=match, version__gt=5).count() == 1
    is_sound(match)


def test_the_same_move_sent_twice_at_once_with_one_key_is_played_once_and_answered_twice(ann, bob):
    match = sit(ann, bob)
    body = {"version": 5, "action": {"type": "draw_stock"}}
    people = [ann] + [Person(ann.player) for _ in range(4)]

    responses = at_once(
        match,
        *(
            lambda p=p: p.post(f"/matches/{match.pk}/moves", body, Idempotency_Key="k1")
            for p in people
        ),
    )

    assert outcomes(responses) == [(201, "")] * 5
    assert len({response.content for response in responses}) == 1
    assert sorted(r.get("Idempotent-Replayed", "") for r in responses) == [""] + ["true"] * 4
    assert Move.objects.filter(match=match, version__gt=5).count() == 1
    is_sound(match)


def test_what_is_refused_twice_at_once_with_one_key_is_refused_in_the_same_words(ann, bob):
    """Each waits for the other's refusal and then finds no answer."""
    match = sit(ann, bob)
    body = {"version": 4, "action": {"type": "draw_stock"}}

    responses = at_once(
        match,
        *(
            lambda p=p: p.post(f"/matches/{match.pk}/moves", body, Idempotency_Key="k1")
            for p in (ann, Person(ann.player))
        ),
    )

    assert outcomes(responses) == [(409, "stale-version")] * 2


def test_many_different_moves_at_once_are_one_move(ann, bob):
    match = played(sit(ann, bob), "draw")
    lines = ["discard KD", "discard 5S", "discard AC", "discard 7H", "knock KD"]
    clients = [Person(ann.player) for _ in lines]

    responses = at_once(
        match,
        *(
            lambda client=client, line=line: client.move(match, line, 6)
            for client, line in zip(clients, lines, strict=True)
        ),
    )

    assert outcomes(responses) == [(201, "")] + [(409, "stale-version")] * 4
    assert Move.objects.filter(match=match, version__gt=6).count() == 1
    is_sound(match)


def test_the_last_seat_raced_for_by_twenty_is_given_to_one(ann):
    match = sit(ann, "open")
    people = [Person(Player.objects.create(name=f"player{n}")) for n in range(20)]

    responses = at_once(
        match,
        *(lambda person=person: person.post(f"/matches/{match.pk}/seats") for person in people),
    )

    assert outcomes(responses) == [(201, "")] + [(409, "seat-taken")] * 19
    assert Seat.objects.filter(match=match).exclude(player=None).count() == 2
    [first] = [response.json() for response in responses if response.status_code == 201]
    assert first["seats"][1]["player"].startswith("player")
    is_sound(match)


def test_one_player_who_joins_twice_at_once_sits_once(ann, bob):
    body = {"game": "gin", "seats": ["open", "open"]}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    again = Person(bob.player)

    responses = at_once(
        match, *(lambda p=p: p.post(f"/matches/{match.pk}/seats") for p in (bob, again))
    )

    assert outcomes(responses) == [(201, ""), (409, "already-seated")]
    assert Seat.objects.filter(match=match, player=bob.player).count() == 1


def test_a_start_that_waited_for_the_last_to_join_knows_his_name(ann, bob):
    body = {"game": "gin", "seats": ["me", "open"], "start": "later"}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])

    joined, started = at_once(
        match,
        lambda: bob.post(f"/matches/{match.pk}/seats"),
        lambda: ann.post(f"/matches/{match.pk}/start"),
    )

    assert outcomes([joined, started]) == [(201, ""), (201, "")]
    assert started.json()["seats"][1]["player"] == "bob"


def leave(person, match):
    return person.send("DELETE", f"/matches/{match.pk}/seats/me")


def test_one_who_leaves_as_the_last_joins_has_either_left_or_is_in_the_match(ann, bob):
    joined_first, left_first = sit(ann, "open"), sit(ann, "open")

    joined, left = at_once(
        joined_first,
        lambda: bob.post(f"/matches/{joined_first.pk}/seats"),
        lambda: leave(ann, joined_first),
    )
    assert outcomes([joined, left]) == [(201, ""), (409, "match-already-started")]
    left, joined = at_once(
        left_first,
        lambda: leave(ann, left_first),
        lambda: bob.post(f"/matches/{left_first.pk}/seats"),
    )
    assert (left.status_code, outcomes([joined])) == (204, [(409, "seat-taken")])
    for match in (joined_first, left_first):
        is_sound(match)


def test_both_leave_at_once_and_the_table_is_closed_once(ann, bob):
    body = {"game": "gin", "seats": ["me", "open"], "start": "later"}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    bob.post(f"/matches/{match.pk}/seats")

    responses = at_once(match, *(lambda p=p: leave(p, match) for p in (ann, bob)))

    assert [response.status_code for response in responses] == [204, 204]
    assert Match.objects.get().status == "aborted"
    is_sound(match)


def test_a_table_is_not_closed_under_who_has_just_joined_it(ann, bob):
    match = sit(ann, "open")
    Match.objects.update(created_at=timezone.now() - timedelta(days=2))

    joined, _ = at_once(
        match,
        lambda: bob.post(f"/matches/{match.pk}/seats"),
        lambda: lobby.tend_tables() or "done",
    )

    assert joined.status_code == 201
    assert Match.objects.get().status == "playing"
    is_sound(match)


def test_two_starts_at_once_start_once(ann):
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "start": "later"}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    again = Person(ann.player)

    responses = at_once(
        match, *(lambda p=p: p.post(f"/matches/{match.pk}/start") for p in (ann, again))
    )

    assert outcomes(responses) == [(201, ""), (409, "match-already-started")]
    is_sound(match)


def test_both_resign_at_once_and_one_of_them_has(ann, bob):
    match = sit(ann, bob)

    responses = at_once(
        match, *(lambda p=p: p.post(f"/matches/{match.pk}/resignation") for p in (ann, bob))
    )

    assert outcomes(responses) == [(201, ""), (409, "match-over")]
    assert sorted(Seat.objects.values_list("place", flat=True)) == [1, 2]


def test_a_move_and_a_resignation_at_once_are_both_told_truly(ann, bob):
    match = sit(ann, bob)

    resigned, moved = at_once(
        match,
        lambda: bob.post(f"/matches/{match.pk}/resignation"),
        lambda: ann.move(match, "draw", 5),
    )

    assert resigned.status_code == 201
    assert outcomes([moved]) == [(409, "stale-version")]
    is_sound(match)


def test_both_ask_for_a_rematch_at_once_and_there_is_one(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    responses = at_once(
        match, *(lambda p=p: p.post(f"/matches/{match.pk}/rematch") for p in (ann, bob))
    )

    assert outcomes(responses) == [(200, ""), (201, "")]
    assert len({response.json()["id"] for response in responses}) == 1
    assert [response.json()["status"] for response in responses] == ["open", "playing"]
    assert Match.objects.count() == 2
    is_sound(Match.objects.exclude(pk=match.pk).get())


def test_one_player_who_asks_for_a_rematch_twice_at_once_gets_one(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)
    again = Person(ann.player)

    responses = at_once(
        match, *(lambda p=p: p.post(f"/matches/{match.pk}/rematch") for p in (ann, again))
    )

    assert outcomes(responses) == [(200, ""), (201, "")]
    assert Match.objects.count() == 2


def test_a_rematch_joined_by_two_ways_at_once_starts_once(ann, bob):
    """By the old match, which is locked first, and by the new one."""
    match = played(sit(ann, bob, target=50), *WINNING)
    following = Match.objects.get(pk=ann.post(f"/matches/{match.pk}/rematch").json()["id"])
    again = Person(bob.player)

    responses = at_once(
        following,
        lambda: bob.post(f"/matches/{match.pk}/rematch"),
        lambda: again.post(f"/matches/{following.pk}/seats"),
    )

    assert outcomes(responses) == [(200, ""), (409, "already-seated")]
    is_sound(following)


# Time


def claim(person, match, take):
    return person.post(f"/matches/{match.pk}/claims", {"take": take})


def test_of_a_move_and_a_claim_at_the_deadline_the_first_is_good(ann, bob, clock):
    moved_in_time = sit(ann, bob, clock={"seconds": 60})
    version, deadline = moved_in_time.version, moved_in_time.deadline
    clock(f"{deadline - timedelta(microseconds=1):%Y-%m-%d %H:%M:%S.%f}")

    moved, claimed = at_once(
        moved_in_time,
        lambda: ann.move(moved_in_time, "draw", version),
        lambda: claim(bob, moved_in_time, "win"),
    )

    assert outcomes([moved, claimed]) == [(201, ""), (409, "too-early")]
    claimed_in_time = sit(ann, bob, clock={"seconds": 60})
    clock(f"{claimed_in_time.deadline:%Y-%m-%d %H:%M:%S.%f}")
    claimed, moved = at_once(
        claimed_in_time,
        lambda: claim(bob, claimed_in_time, "win"),
        lambda: ann.move(claimed_in_time, "draw", version),
    )
    assert (claimed.status_code, outcomes([moved])) == (201, [(409, "stale-version")])
    for match in (moved_in_time, claimed_in_time):
        is_sound(match)
    call_command("verify_logs")


def test_a_move_that_waited_for_the_match_is_judged_by_the_time_it_got_it(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})

    def tick():
        """Comes first, and leaves the match as it is; meanwhile the time runs out."""
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            clock(f"{match.deadline:%Y-%m-%d %H:%M:%S.%f}")
        return "done"

    _, moved = at_once(match, tick, lambda: ann.move(match, "draw", match.version))

    refused(moved, 409, "time-is-up")


def test_two_claims_of_one_player_at_once_are_one(ann, bob):
    match, again = late(sit(ann, bob, clock={"seconds": 60})), Person(bob.player)

    responses = at_once(match, *(lambda p=p: claim(p, match, "win") for p in (bob, again)))

    assert outcomes(responses) == [(201, ""), (409, "match-over")]
    is_sound(match)


def test_two_players_who_claim_at_once_seat_one_bot(ann, bob, eve):
    match = late(sit(ann, bob, eve, game="rummy", clock={"seconds": 60}))
    people = [person for person in (ann, bob, eve) if person is not (ann, bob, eve)[match.turn]]

    responses = at_once(match, *(lambda p=p: claim(p, match, "bot") for p in people))

    assert outcomes(responses) == [(201, ""), (409, "nothing-to-claim")]
    assert Move.objects.filter(match=match, action__type="bot_seated").count() == 1
    is_sound(match)


def test_of_a_claim_and_a_resignation_at_once_the_first_ends_the_match(ann, bob):
    calls = {
        "timed_out": lambda match: claim(bob, match, "win"),
        "resigned": lambda match: ann.post(f"/matches/{match.pk}/resignation"),
    }
    for order in (("timed_out", "resigned"), ("resigned", "timed_out")):
        match = late(sit(ann, bob, clock={"seconds": 60}))

        responses = at_once(
            match, *(lambda how=how, match=match: calls[how](match) for how in order)
        )

        assert outcomes(responses) == [(201, ""), (409, "match-over")]
        assert Match.objects.get(pk=match.pk).ended_by == order[0]
        is_sound(match)


def test_a_match_is_not_called_off_after_a_move_that_came_first(ann, bob):
    match = sit(ann, bob)

    moved, called_off = at_once(
        match, lambda: ann.move(match, "draw", 5), lambda: bob.post(f"/matches/{match.pk}/abort")
    )

    assert outcomes([moved, called_off]) == [(201, ""), (409, "already-moved")]


def test_two_sweeps_at_once_end_a_match_once(ann):
    match = late(sit(ann, "easy", clock={"seconds": 60}))
    Match.objects.update(ends_at=timezone.now())

    at_once(match, *[lambda: ends.end_overdue() or "done"] * 2)

    assert Match.objects.get().ended_by == "timed_out"
    is_sound(match)


def test_one_message_delivered_to_two_workers_at_once_is_one_move(ann):
    match = played(sit(ann, "easy"), "draw", "discard KD")

    at_once(match, *[lambda: play_bot_turn(str(match.pk), 6) or "done"] * 2)

    assert Match.objects.get().version == 7
    is_sound(match)


def test_of_analyses_asked_for_at_once_no_more_are_begun_than_one_may_have(ann, bob, monkeypatch):
    monkeypatch.setattr(analyses, "MOST_UNFINISHED", 1)
    first, second = (played(sit(ann, bob, target=50), *WINNING).pk for _ in range(2))
    again = Person(ann.player)

    responses = at_once(
        ann.player,
        lambda: ann.post(f"/matches/{first}/analysis"),
        lambda: again.post(f"/matches/{second}/analysis"),
    )

    assert outcomes(responses) == [(201, ""), (409, "too-many-analyses")]
    assert Analysis.objects.count() == 1


def test_of_matches_made_at_once_no_more_are_made_than_one_may_have(ann, settings):
    settings.MATCHES_OF_A_PLAYER = 1
    again, body = Person(ann.player), {"game": "gin", "seats": ["me", {"bot": "easy"}]}

    responses = at_once(
        ann.player, lambda: ann.post("/matches", body), lambda: again.post("/matches", body)
    )

    assert outcomes(responses) == [(201, ""), (409, "too-many-matches")]
    assert Match.objects.count() == 1


def test_moves_in_different_matches_do_not_wait_for_one_another(ann, bob):
    held, free = sit(ann, bob), sit(ann, bob)
    answers = []

    def play():
        answers.append(ann.move(free, "draw", 5).status_code)
        connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=held.pk)
        thread = threading.Thread(target=play)
        thread.start()
        thread.join(20)
        assert answers == [201]


def test_readers_do_not_wait_for_a_writer(ann, bob, nobody):
    match = sit(ann, bob)
    answers = []

    def read():
        paths = ("", "/moves", "/replay", "/deals")
        answers.extend(nobody.get(f"/matches/{match.pk}{path}").status_code for path in paths)
        answers.append(ann.move(match, "draw", 5, "?dry_run=true").status_code)
        connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match.pk)
        thread = threading.Thread(target=read)
        thread.start()
        thread.join(20)
        assert answers == [200] * 5
