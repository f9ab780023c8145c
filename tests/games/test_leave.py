"""DELETE /matches/{id}/seats/me"""

from uuid import UUID

from games.models import Match, Seat
from tests.games.people import Person, refused, sit


def leave(person, match, query=""):
    path = f"/matches/{getattr(match, 'pk', match)}/seats/me{query}"
    return person.send("DELETE", path, b"")


def made(person, *seats, **more):
    response = person.post("/matches", {"game": "gin", "seats": list(seats), **more})
    return Match.objects.get(pk=response.json()["id"])


def sitting(match):
    """By seat, who sits there or is awaited."""
    seats = Seat.objects.filter(match=match).select_related("player", "invited").order_by("number")
    return [
        str(seat.player or seat.bot or (seat.invited and f"for {seat.invited}")) for seat in seats
    ]


def test_who_leaves_gives_his_seat_to_whoever_comes(ann, bob, eve):
    match = made(ann, "me", "open", start="later")
    bob.post(f"/matches/{match.pk}/seats")

    response = leave(bob, match)

    assert (response.status_code, response.content) == (204, b"")
    now = eve.get(f"/matches/{match.pk}").json()
    assert (now["status"], now["version"]) == ("open", 3)
    assert sitting(match) == ["ann", "None"]
    assert eve.post(f"/matches/{match.pk}/seats").status_code == 201
    assert sitting(match) == ["ann", "eve"]


def test_who_has_left_may_come_back(ann, bob):
    match = made(ann, "me", "open", start="later")
    for _ in range(2):
        assert bob.post(f"/matches/{match.pk}/seats").status_code == 201
        assert leave(bob, match).status_code == 204

    assert sitting(match) == ["ann", "None"]


def test_who_is_invited_refuses_and_the_seat_is_open(ann, bob, eve):
    match = made(ann, "me", {"invite": "bob"})

    assert leave(bob, match).status_code == 204

    assert sitting(match) == ["ann", "None"]
    assert eve.post(f"/matches/{match.pk}/seats").json()["status"] == "playing"


def test_who_has_refused_a_private_match_sees_it_no_more(ann, bob):
    match = made(ann, "me", {"invite": "bob"}, visibility="private")
    assert bob.get(f"/matches/{match.pk}").status_code == 200

    leave(bob, match)

    refused(bob.get(f"/matches/{match.pk}"), 404, "not-found")
    refused(leave(bob, match), 404, "not-found")
    assert ann.get(f"/matches/{match.pk}").json()["seats"][1]["invited"] is None


def test_a_table_at_which_nobody_is_left_is_closed(ann, bob):
    match = made(ann, "me", "open")

    leave(ann, match)

    now = bob.get(f"/matches/{match.pk}").json()
    assert (now["status"], now["ended_by"], now["turn"]) == ("aborted", "left", None)
    assert now["finished_at"] and not now["started_at"]
    refused(bob.post(f"/matches/{match.pk}/seats"), 409, "seat-taken")
    words = [row["words"] for row in bob.get(f"/matches/{match.pk}/moves").json()["results"]]
    assert words == ["ann takes seat 0", "seat 0 is given up", "all have left"]


def test_a_table_of_bots_alone_is_closed(ann):
    match = made(ann, "me", {"bot": "easy"}, start="later")

    leave(ann, match)

    match.refresh_from_db()
    assert (match.status, match.bot_to_move) == ("aborted", False)
    assert sitting(match) == ["None", "easy"]


def test_a_table_at_which_somebody_is_awaited_stays_open(ann, bob):
    match = made(ann, "me", {"invite": "bob"})

    leave(ann, match)

    assert Match.objects.get().status == "open"
    assert sitting(match) == ["None", "for bob"]
    leave(bob, match)
    assert Match.objects.get().status == "aborted"


def test_a_match_that_waits_to_be_told_waits_for_another(ann, bob):
    match = made(ann, "me", "open", start="later")
    bob.post(f"/matches/{match.pk}/seats")
    leave(bob, match)

    refused(ann.post(f"/matches/{match.pk}/start"), 409, "seats-open")


def test_its_maker_may_leave_it_to_others_and_still_starts_it(ann, bob, eve):
    match = made(ann, "me", "open", start="later")
    bob.post(f"/matches/{match.pk}/seats")

    leave(ann, match)
    eve.post(f"/matches/{match.pk}/seats")

    assert sitting(match) == ["eve", "bob"]
    started = ann.post(f"/matches/{match.pk}/start").json()
    assert (started["status"], started["you"], started["view"]["hand"]) == ("playing", None, None)


def test_a_rematch_that_was_left_is_followed_by_another(ann, bob):
    match = sit(ann, bob)
    bob.post(f"/matches/{match.pk}/resignation")
    first = ann.post(f"/matches/{match.pk}/rematch").json()["id"]
    leave(ann, first)
    leave(bob, first)

    again = bob.post(f"/matches/{match.pk}/rematch")

    assert again.status_code == 201
    assert again.json()["id"] != first
    assert ann.get(f"/matches/{match.pk}").json()["next"] == again.json()["id"]
    assert ann.post(f"/matches/{match.pk}/rematch").json()["status"] == "playing"


# Refusals


def test_who_is_not_signed_in_leaves_nothing(ann, nobody):
    refused(leave(nobody, sit(ann, "open")), 401, "not-authenticated")


def test_a_token_that_only_reads_leaves_nothing(ann):
    refused(leave(Person(ann.player, "read"), sit(ann, "open")), 403, "missing-scope")


def test_a_match_that_is_not_there_cannot_be_left(ann):
    refused(leave(ann, UUID(int=1)), 404, "not-found")


def test_a_private_match_is_not_found_by_others(ann, eve):
    match = made(ann, "me", "open", visibility="private")

    refused(leave(eve, match), 404, "not-found")
    assert Match.objects.get().version == 1


def test_who_does_not_sit_there_leaves_nothing(ann, eve):
    match = sit(ann, "open")

    refused(leave(eve, match), 403, "not-seated")
    assert Match.objects.get().version == 1


def test_nobody_leaves_twice(ann, bob):
    match = made(ann, "me", "open", start="later")
    bob.post(f"/matches/{match.pk}/seats")
    leave(bob, match)

    refused(leave(bob, match), 403, "not-seated")


def test_a_match_that_has_started_is_resigned_and_not_left(ann, bob, eve):
    match = sit(ann, bob)

    refused(leave(bob, match), 409, "match-already-started")
    refused(leave(eve, match), 403, "not-seated")
    assert Match.objects.get().status == "playing"
    bob.post(f"/matches/{match.pk}/resignation")
    refused(leave(bob, match), 409, "match-already-started")
