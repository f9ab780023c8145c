"""POST /matches/{id}/claims"""

from uuid import UUID

import pytest
from django.core.management import call_command
from django.test import TestCase

from games import wake
from games.engine import log
from games.models import Match, Rating, Seat
from games.services.moves import play_move
from games.tasks import play_bot_turn
from tests import highest
from tests.engine.decks import action
from tests.games.people import WINNING, Person, refused, sit


@pytest.fixture(autouse=True)
def noon(clock):
    clock("2026-12-31 12:00:00")


@pytest.fixture
def late(clock):
    """late(match): its first mover, who has a minute, has let it pass."""

    def pass_by(match):
        clock("2026-12-31 12:01:00")
        return match

    return pass_by


@pytest.fixture
def match(ann, bob, late):
    return late(sit(ann, bob, clock={"seconds": 60}))


def claim(person, match, take="win"):
    return person.post(f"/matches/{match.pk}/claims", {"take": take})


def claims(person, match):
    return person.get(f"/matches/{match.pk}").json()["awaiting"]["claims"]


def test_others_are_told_what_they_may_claim_and_when(ann, bob, eve):
    match = sit(ann, bob, clock={"seconds": 60})

    for person in (ann, bob, eve):
        assert claims(person, match) == {"at": "2026-12-31T12:01:00Z", "take": ["win", "bot"]}


@pytest.mark.django_db(transaction=True)
def test_who_takes_the_win_has_won(ann, bob, match):
    response = claim(bob, match)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["ended_by"], body["turn"]) == ("finished", "timed_out", None)
    assert [seat["place"] for seat in body["seats"]] == [2, 1]
    assert (body["awaiting"], body["view"]["legal"]) == (None, [])
    assert body["secret"]
    call_command("verify_logs")


def test_a_win_by_time_is_rated_like_a_resignation(ann, bob, match, late):
    claim(bob, match)
    by_time = list(Rating.objects.order_by("player__name").values_list("mu", "sigma"))
    Rating.objects.all().delete()
    other = sit(ann, bob)
    ann.post(f"/matches/{other.pk}/resignation")

    assert list(Rating.objects.order_by("player__name").values_list("mu", "sigma")) == by_time
    assert by_time[0] < by_time[1]


def test_it_is_counted_as_given_up(ann, bob, match):
    claim(bob, match)

    for name, lost in (("ann", 1), ("bob", 0)):
        [gin] = bob.get(f"/players/{name}/stats").json()["games"]
        assert (gin["total"]["losses"], gin["total"]["resigned"]) == (lost, lost)


def test_a_bot_takes_the_seat_and_the_match_goes_on(ann, bob, match, monkeypatch):
    queued = []
    monkeypatch.setattr(wake, "send", lambda task, *args, queue: queued.append(args))
    with TestCase.captureOnCommitCallbacks(execute=True):
        body = claim(bob, match, "bot").json()

    assert (body["status"], body["turn"], body["you"]) == ("playing", 0, 1)
    assert (body["seats"][0]["player"], body["seats"][0]["bot"]) == ("ann", "easy")
    assert (body["awaiting"]["bot"], body["awaiting"]["claims"]) == ("easy", None)
    assert queued == [(str(match.pk), body["version"])]
    play_bot_turn(str(match.pk), body["version"])
    assert Match.objects.get().version == body["version"] + 1


@pytest.mark.django_db(transaction=True)
def test_the_log_of_it_is_whole(ann, bob, match):
    claim(bob, match, "bot")
    played_by_bot(match, *WINNING[:2])
    bob.move(match, "finish")

    call_command("verify_logs")


def test_who_is_replaced_is_placed_last_however_the_bot_plays(ann, bob, late, clock):
    match = late(sit(ann, bob, clock={"seconds": 60}, target=50))
    claim(bob, match, "bot")
    played_by_bot(match, *WINNING[:2])
    assert bob.move(match, "finish").status_code == 201

    body = bob.get(f"/matches/{match.pk}").json()
    assert (body["status"], body["ended_by"]) == ("finished", "played")
    assert [(seat["score"], seat["place"]) for seat in body["seats"]] == [(63, 2), (0, 1)]


def played_by_bot(match, *lines):
    """The bot in a seat that has a player too does what each line says."""
    for line in lines:
        version = Match.objects.get(pk=match.pk).version
        play_move(match.pk, None, version, log.plain(action(line)))


def test_who_is_replaced_watches_and_plays_no_more(ann, bob, match):
    claim(bob, match, "bot")

    assert ann.get(f"/matches/{match.pk}").json()["you"] == 0
    refused(ann.move(match, "draw"), 409, "not-your-turn")
    refused(ann.post(f"/matches/{match.pk}/resignation"), 409, "match-over")
    refused(claim(ann, match), 409, "match-over")


def test_who_plays_on_against_the_bot_and_resigns_has_won_all_the_same(ann, bob, match):
    claim(bob, match, "bot")

    body = bob.post(f"/matches/{match.pk}/resignation").json()

    assert [seat["place"] for seat in body["seats"]] == [2, 1]


def test_the_move_list_says_so(ann, bob, eve, match, clock):
    other = sit(bob, ann, clock={"seconds": 60})
    clock("2026-12-31 12:05:00")
    claim(bob, match)
    claim(ann, other, "bot")

    lasts = [eve.get(f"/matches/{m.pk}/moves").json()["results"][-1] for m in (match, other)]
    assert [last["words"] for last in lasts] == [
        "the time of seat 0 is up; seat 1 takes the win",
        "the time of seat 0 is up; a bot (easy) plays on",
    ]
    assert lasts[0]["last"] == {"seat": -2, "action": {"type": "timed_out", "seat": 0, "by": 1}}


def test_who_resigns_before_a_claim_has_lost_already(ann, bob, match):
    ann.post(f"/matches/{match.pk}/resignation")

    refused(claim(bob, match), 409, "match-over")


# What a match offers


@pytest.mark.parametrize("only", ["win", "bot"])
def test_a_match_may_offer_only_one_of_the_two(ann, bob, late, only):
    match = late(sit(ann, bob, clock={"seconds": 60}, on_timeout=only))
    other = {"win": "bot", "bot": "win"}[only]
    assert claims(bob, match)["take"] == [only]

    assert only in refused(claim(bob, match, other), 409, "claim-not-offered")["detail"]
    assert claim(bob, match, only).status_code == 201


@pytest.fixture
def three(ann, bob, eve, game):
    """Ann is to move, then bob, then eve; each swaps or keeps one card."""
    game("highest", highest)
    return sit(ann, bob, eve, game="highest", clock={"seconds": 60}, target=1)


def test_where_three_play_the_bot_plays_on_and_who_left_is_last(ann, bob, eve, three, late):
    late(three)
    assert claims(eve, three)["take"] == ["bot"]
    refused(claim(eve, three, "win"), 409, "claim-not-offered")

    body = claim(eve, three, "bot").json()

    assert (body["status"], body["seats"][0]["bot"]) == ("playing", "random")
    play_bot_turn(str(three.pk), body["version"])
    for person in (bob, eve):
        version = Match.objects.get().version
        person.post(f"/matches/{three.pk}/moves", {"version": version, "action": {"type": "stay"}})
    assert Match.objects.get().ended_by == "played"
    assert Seat.objects.get(number=0).place == 3


def test_where_two_of_three_are_left_the_win_can_be_taken(ann, bob, eve, three, late):
    bob.post(f"/matches/{three.pk}/resignation")
    late(three)

    body = claim(eve, three, "win").json()

    assert [seat["place"] for seat in body["seats"]] == [2, 3, 1]


def test_who_resigned_claims_nothing(ann, bob, eve, three, late):
    bob.post(f"/matches/{three.pk}/resignation")
    late(three)

    refused(claim(bob, three, "win"), 409, "match-over")


# Without a clock


def test_who_has_not_moved_for_two_weeks_is_taken_for_gone(ann, bob, clock):
    match = sit(ann, bob)
    assert claims(bob, match)["at"] == "2027-01-14T12:00:00Z"
    clock("2027-01-14 11:59:59")
    refused(claim(bob, match), 409, "too-early")
    clock("2027-01-14 12:00:00")

    assert claim(bob, match).json()["ended_by"] == "timed_out"


def test_but_if_he_moves_before_the_claim_all_is_well(ann, bob, clock):
    match = sit(ann, bob)
    clock("2027-01-15 12:00:00")

    assert ann.move(match, "draw").status_code == 201
    refused(claim(bob, match), 409, "too-early")


def test_the_operator_says_how_long(ann, bob, settings):
    settings.CLAIM_DAYS = 3

    assert claims(bob, sit(ann, bob))["at"] == "2027-01-03T12:00:00Z"


def test_a_match_keeps_what_it_was_made_with(ann, bob, settings):
    match = sit(ann, bob)
    settings.CLAIM_DAYS = 3

    assert claims(bob, match)["at"] == "2027-01-14T12:00:00Z"


# Refusals


def test_it_is_too_early_until_the_time_is_up(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:00:59.999999")

    problem = refused(claim(bob, match), 409, "too-early")

    assert problem["claims_at"] == "2026-12-31T12:01:00Z"
    assert "Seat 0 has until 2026-12-31 12:01:00 UTC" in problem["detail"]


def test_one_claims_nothing_against_oneself(ann, match):
    assert "your own" in refused(claim(ann, match), 409, "nothing-to-claim")["detail"]


def test_one_claims_nothing_against_a_bot(ann, bob, match, clock):
    claim(bob, match, "bot")
    clock("2027-12-31 12:00:00")

    refused(claim(bob, match), 409, "nothing-to-claim")


def test_who_does_not_sit_there_claims_nothing(eve, match):
    refused(claim(eve, match), 403, "not-seated")


def test_a_private_match_is_not_found_by_others(ann, bob, eve, late):
    match = late(sit(ann, bob, visibility="private", clock={"seconds": 60}))

    refused(claim(eve, match), 404, "not-found")


def test_a_match_that_is_not_there_or_has_not_started_has_nothing_to_claim(ann):
    refused(claim(ann, Match(pk=UUID(int=1))), 404, "not-found")
    refused(claim(ann, sit(ann, "open")), 409, "match-not-started")


def test_a_match_that_is_over_has_nothing_to_claim(bob, match):
    claim(bob, match)

    refused(claim(bob, match), 409, "match-over")


def test_who_may_only_read_claims_nothing(bob, match, nobody):
    refused(claim(nobody, match), 401, "not-authenticated")
    refused(claim(Person(bob.player, "read"), match), 403, "missing-scope")


@pytest.mark.parametrize("body", [{}, {"take": "all"}, {"take": None}, {"take": "win", "x": 1}, []])
def test_a_claim_says_what_it_takes(bob, match, body):
    refused(bob.post(f"/matches/{match.pk}/claims", body), 400, "malformed")
