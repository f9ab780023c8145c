"""The coach: an analysis is asked for, made piece by piece by workers, healed, and told."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games import bots, coach
from games.bots.pyramid import findings
from games.engine import pyramid
from games.models import Analysis, Match
from games.services import analyses, ends, mending
from games.tasks import analyse, play_bot_turn, sweep
from players.models import Player
from tests import highest
from tests.engine.decks import pack
from tests.games.people import LOST, WINNING, Person, events, played, refused, sit
from tests.games.practising import cleared, deck, done, practice


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    """As few as tell the same here, where the cards are scripted."""
    monkeypatch.setattr(coach, "SCREENED", 16)
    monkeypatch.setattr(coach, "FEWEST", 32)
    monkeypatch.setattr(coach, "MOST", 64)
    monkeypatch.setattr(findings, "SAMPLES", (8, 8, 8))


@pytest.fixture
def queued(monkeypatch):
    """What was handed to the broker: (task, analysis, done)."""
    sent = []
    monkeypatch.setattr(analyses, "send", lambda task, *args: sent.append((task, *args)))
    return sent


@pytest.fixture
def slow(monkeypatch):
    """Each piece is one unit."""
    monkeypatch.setattr(analyses, "PIECE_SECONDS", -1.0)


@pytest.fixture
def match(ann, bob):
    """Over by the third decision: ann draws, knocks, bob lays nothing off."""
    return played(sit(ann, bob, target=50), *WINNING)


def address(match):
    return f"/matches/{match.pk}/analysis"


def asked(person, match):
    response = person.post(address(match))
    assert response.status_code == 201, response.content
    return Analysis.objects.get(match=match)


def olga():
    """An operator."""
    return Player.objects.create_superuser("olga")


def now(analysis):
    return Analysis.objects.get(pk=analysis.pk)


def finished(analysis):
    """The analysis once workers have made every piece."""
    for _ in range(analysis.total + 1):
        if now(analysis).status not in ("queued", "running"):
            break
        analyse(str(analysis.pk), now(analysis).done)
    return now(analysis)


# It is asked for


def test_one_of_the_players_asks_and_reads_how_far_it_is(ann, match):
    response = ann.post(address(match))

    assert response.status_code == 201
    assert response["Location"] == f"/api/v1{address(match)}"
    body = response.json()
    assert (body["status"], body["done"], body["total"]) == ("queued", 0, 3)
    assert ann.get(address(match)).json() == body


def test_before_anybody_has_asked_there_is_none(ann, match):
    body = ann.get(address(match)).json()

    assert (body["status"], body["result"], body["asked_at"]) == ("none", None, None)


def test_who_asks_a_second_time_is_told_of_the_one_there_is(ann, bob, match, queued):
    first = asked(ann, match)

    assert bob.post(address(match)).status_code == 200
    assert ann.post(address(match)).status_code == 200
    assert [row.pk for row in Analysis.objects.all()] == [first.pk]


def test_it_is_queued_once_and_after_the_commit(
    ann, match, queued, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as waiting:
        analysis = asked(ann, match)
        assert queued == []
        ann.post(address(match))
    for callback in waiting:
        callback()

    assert queued == [("games.tasks.analyse", str(analysis.pk), 0)]


def test_a_match_that_lives_has_none(ann, bob):
    match = sit(ann, bob)

    refused(ann.post(address(match)), 409, "match-not-over")
    refused(ann.get(address(match)), 409, "match-not-over")
    assert not Analysis.objects.exists()


def test_a_match_without_a_card_has_none(ann):
    match = sit(ann, "open")
    mending.end(match.pk, olga(), "because", match.version)

    assert Match.objects.get(pk=match.pk).over
    refused(ann.post(address(match)), 409, "match-not-started")
    assert not Analysis.objects.exists()


def test_who_has_left_before_the_start_asks_for_none(ann):
    match = sit(ann, "open")
    ann.send("DELETE", f"/matches/{match.pk}/seats/me", b"")

    assert Match.objects.get(pk=match.pk).over
    refused(ann.post(address(match)), 403, "not-seated")


def test_only_a_player_of_the_match_asks_and_everybody_who_sees_it_reads(ann, eve, nobody, match):
    refused(eve.post(address(match)), 403, "not-seated")
    refused(nobody.post(address(match)), 401, "not-authenticated")
    asked(ann, match)

    assert eve.get(address(match)).json()["status"] == "queued"
    assert nobody.get(address(match)).json()["status"] == "queued"


def test_of_a_private_match_others_learn_nothing(ann, bob, eve):
    match = played(sit(ann, bob, target=50, visibility="private"), *WINNING)
    asked(ann, match)

    refused(eve.get(address(match)), 404, "not-found")
    refused(eve.post(address(match)), 404, "not-found")


def test_who_may_only_read_does_not_ask(ann, match):
    reader = Person(ann.player, "read")

    refused(reader.post(address(match)), 403, "missing-scope")
    assert reader.get(address(match)).status_code == 200


def test_nobody_has_many_under_way(ann, bob, monkeypatch):
    monkeypatch.setattr(analyses, "MOST_UNFINISHED", 1)
    first, second = (played(sit(ann, bob, target=50), *WINNING) for _ in range(2))
    analysis = asked(ann, first)

    refused(ann.post(address(second)), 409, "too-many-analyses")
    assert bob.post(address(second)).status_code == 201
    finished(analysis)
    assert ann.post(address(second)).status_code == 200


def test_it_is_asked_for_less_often_than_other_things(ann, match, settings):
    settings.THROTTLES = 1
    rates = settings.THROTTLE_RATES
    settings.THROTTLE_RATES = rates | {"token": rates["token"] | {"analyses": 1}}
    ann.post(address(match))

    refused(ann.post(address(match)), 429, "throttled")
    assert ann.get(address(match)).status_code == 200


# It is made in pieces


def test_piece_by_piece_it_comes_to_its_end(ann, match, slow, queued):
    analysis = asked(ann, match)

    for so_far in range(3):
        assert (now(analysis).done, now(analysis).result) == (so_far, None)
        analyse(str(analysis.pk), so_far)

    after = now(analysis)
    assert (after.status, after.done, after.found) == ("done", 3, [])
    assert after.finished_at >= after.asked_at
    body = ann.get(address(match)).json()
    assert body["status"] == "done"
    assert [one["seat"] for one in body["result"]["seats"]] == [0, 1]


def test_after_a_piece_the_next_is_queued_and_after_the_last_none(
    ann, match, slow, queued, django_capture_on_commit_callbacks
):
    analysis = asked(ann, match)
    told = str(analysis.pk)
    for so_far, then in ((0, [1]), (1, [2]), (2, [])):
        queued.clear()
        with django_capture_on_commit_callbacks(execute=True):
            analyse(told, so_far)
        assert queued == [("games.tasks.analyse", told, n) for n in then]


def test_a_message_delivered_twice_makes_a_piece_once(ann, match, slow, queued, caplog):
    analysis = asked(ann, match)
    analyse(str(analysis.pk), 0)
    before = now(analysis)

    analyse(str(analysis.pk), 0)

    assert now(analysis).done == before.done == 1
    assert now(analysis).found == before.found
    assert "analysis_stale" in [event["event"] for event in events(caplog)]


@pytest.mark.parametrize("done", [1, 2, 3, 100])
def test_a_message_that_is_too_early_or_too_late_does_nothing(ann, match, done):
    analysis = asked(ann, match)
    analyse(str(analysis.pk), done)

    assert (now(analysis).status, now(analysis).done) == ("queued", 0)


def test_a_piece_that_one_worker_is_at_is_not_begun_by_another(ann, match, monkeypatch):
    analysis = asked(ann, match)
    begun = []

    def meanwhile(*args):
        begun.append(args)
        analyse(str(analysis.pk), 0)

    monkeypatch.setattr(coach, "judge", meanwhile)
    analyse(str(analysis.pk), 0)

    assert len(begun) == 3  # the three decisions, each once
    assert now(analysis).status == "done"


def test_the_message_of_an_analysis_that_is_gone_does_nothing(ann, match):
    analysis = asked(ann, match)
    told = str(analysis.pk)
    analysis.delete()
    analyse(told, 0)

    assert not Analysis.objects.exists()


# Workers die, pieces fail


def dead_for(analysis, time):
    """A worker has taken the piece, was killed, and so much time has passed."""
    assert analyses.take(analysis.pk, now(analysis).done) is not None
    ago = timezone.now() - time
    Analysis.objects.filter(pk=analysis.pk).update(taken_at=ago, queued_at=ago)


def test_what_a_killed_worker_was_at_is_queued_again_and_ends(ann, match, slow, queued):
    analysis = asked(ann, match)
    analyse(str(analysis.pk), 0)
    dead_for(analysis, 2 * analyses.LEASE)
    queued.clear()

    analyses.heal_analyses()

    assert queued == [("games.tasks.analyse", str(analysis.pk), 1)]
    assert finished(analysis).status == "done"


def test_a_message_that_was_lost_is_sent_again_and_counts_as_no_attempt(ann, match, queued):
    analysis = asked(ann, match)
    for _ in range(5):
        ago = timezone.now() - analyses.PATIENCE - timedelta(seconds=1)
        Analysis.objects.filter(pk=analysis.pk).update(queued_at=ago)
        queued.clear()
        analyses.heal_analyses()
        assert queued == [("games.tasks.analyse", str(analysis.pk), 0)]

    assert (now(analysis).status, now(analysis).attempts) == ("queued", 0)


def test_what_was_queued_or_taken_a_moment_ago_is_left_alone(ann, match, queued):
    analysis = asked(ann, match)
    analyses.heal_analyses()
    dead_for(analysis, timedelta(seconds=20))
    queued.clear()

    analyses.heal_analyses()

    assert queued == []


def test_what_kills_every_worker_is_given_up_and_says_so(ann, match, queued):
    analysis = asked(ann, match)
    for _ in range(3):
        assert now(analysis).status in ("queued", "running")
        dead_for(analysis, 2 * analyses.LEASE)
        analyses.heal_analyses()

    body = ann.get(address(match)).json()
    assert (body["status"], body["error"]) == ("failed", "Unit 1 was lost by 3 workers.")


def breaks(*args):
    raise ZeroDivisionError("cards: KD KC")


def test_a_piece_that_fails_is_tried_again_a_few_times_and_then_told(
    ann, match, queued, monkeypatch, caplog
):
    analysis = asked(ann, match)
    monkeypatch.setattr(coach, "judge", breaks)
    for attempt in range(1, 4):
        analyse(str(analysis.pk), 0)
        assert now(analysis).attempts == attempt

    body = ann.get(address(match)).json()
    assert body["status"] == "failed"
    assert body["error"] == "Unit 1 could not be judged: ZeroDivisionError."
    failed = [event for event in events(caplog) if event["event"] == "analysis_failed"]
    assert [line["match"] for line in failed] == [str(match.pk)] * 3


def test_a_piece_that_failed_once_does_not_fail_the_whole(ann, match, queued, monkeypatch):
    analysis = asked(ann, match)
    with monkeypatch.context() as patch:
        patch.setattr(coach, "judge", breaks)
        analyse(str(analysis.pk), 0)

    assert finished(analysis).status == "done"
    assert now(analysis).attempts == 0


def test_one_that_failed_is_begun_anew_by_who_asks_again(ann, match, queued):
    analysis = asked(ann, match)
    analyses.fail(Analysis.objects.all(), "whatever")

    assert ann.post(address(match)).status_code == 201
    again = Analysis.objects.get(match=match)
    assert (again.pk != analysis.pk, again.status, again.done) == (True, "queued", 0)


def test_the_sweep_heals_and_forgets(ann, match, queued):
    analysis = asked(ann, match)
    dead_for(analysis, 2 * analyses.LEASE)
    queued.clear()
    sweep()
    assert queued == [("games.tasks.analyse", str(analysis.pk), 0)]

    finished(analysis)
    Analysis.objects.update(finished_at=timezone.now() - analyses.KEPT - timedelta(hours=1))
    sweep()
    assert not Analysis.objects.exists()
    assert ann.get(address(match)).json()["status"] == "none"


# Which course is judged


def test_a_match_that_is_taken_back_loses_its_analysis(ann, match):
    analysis = finished(asked(ann, match))
    mending.roll_back(match.pk, olga(), "because", match.version, 5)

    refused(ann.get(address(match)), 409, "match-not-over")
    assert not Analysis.objects.filter(pk=analysis.pk).exists()


def test_a_piece_under_way_while_the_match_is_taken_back_is_not_stored(ann, match, monkeypatch):
    analysis = asked(ann, match)
    operator = olga()

    def meanwhile(*args):
        if Match.objects.get(pk=match.pk).status != "playing":
            mending.roll_back(match.pk, operator, "because", match.version, 5)

    monkeypatch.setattr(coach, "judge", meanwhile)
    analyse(str(analysis.pk), 0)

    assert not Analysis.objects.exists()


def test_what_was_taken_back_is_not_judged(ann, bob):
    match = played(sit(ann, bob, target=50), "draw", "discard KD")
    mending.roll_back(match.pk, olga(), "because", match.version, 5)
    match = played(Match.objects.get(pk=match.pk), *WINNING)

    # 6 and 7 were taken back, 8 is the operator's, 9 the dealer's who shuffles anew
    assert analyses.decisions(match) == [9, 10, 11]
    result = finished(asked(ann, match)).result
    assert {one["version"] for one in result["decisions"]} <= {9, 10, 11}


def test_what_comes_from_another_match_is_not_judged(ann, match):
    body = {"version": match.version - 2}
    made = ann.post(f"/matches/{match.pk}/continuations", body).json()
    going = played(Match.objects.get(pk=made["id"]), *WINNING[1:])
    ann.post(f"/matches/{going.pk}/resignation")

    assert analyses.decisions(going) == [made["version"], made["version"] + 1]


def test_of_a_deal_that_another_match_began_nobody_says_what_was_luck(ann, bob):
    first = ends.resign(played(sit(ann, bob, target=500), *WINNING, "draw").pk, bob.player)
    made = ann.post(f"/matches/{first.pk}/continuations", {"version": first.version - 1}).json()
    going = played(Match.objects.get(pk=made["id"]), "knock KD", "finish")
    result = finished(asked(ann, ends.resign(going.pk, ann.player))).result
    assert [seat["result"] for seat in result["seats"]] == [None, None]

    made = ann.post(f"/matches/{first.pk}/continuations", {"version": first.version - 1}).json()
    going = played(Match.objects.get(pk=made["id"]), "knock KD", "finish", *WINNING)
    result = finished(asked(ann, ends.resign(going.pk, ann.player))).result

    own, other = (seat["result"] for seat in result["seats"])
    assert (own["deals"], own["margin"], other["margin"]) == (1, 63, -63)


def test_what_was_taken_back_and_stands_again_is_judged_and_may_be_taken_back(ann, script):
    script(deck(8))
    match = done(ann, practice(ann), *["draw"] * 24, "redeal", "draw")
    stands = match.version
    match = done(ann, match, "undo")
    mending.roll_back(match.pk, olga(), "because", match.version, stands)

    before = analyses.decisions(match)
    assert before[-1] == stands - 1
    assert analyses.decisions(done(ann, match, "undo")) == before[:-1]


def test_who_resigns_may_ask_and_what_the_bot_played_for_him_is_told(ann, bob):
    match = sit(ann, bob, "easy", game="rummy")
    ends.resign(match.pk, ann.player)
    match = Match.objects.get(pk=match.pk)
    assert match.status == "playing"
    refused(ann.post(address(match)), 409, "match-not-over")
    while match.bot_to_move:
        play_bot_turn(str(match.pk), match.version)
        match = Match.objects.get(pk=match.pk)
    ends.resign(match.pk, bob.player)

    decided = finished(asked(ann, match)).result["decisions"]
    level = match.folded().seats[0].bot
    assert level and (0, level) in {(one["seat"], one["bot"]) for one in decided}


def test_a_match_that_was_resigned_is_judged_without_the_deal_that_was_cut_off(ann, bob):
    match = played(sit(ann, bob), "draw", "discard KD")
    ends.resign(match.pk, bob.player)

    result = finished(asked(ann, Match.objects.get(pk=match.pk))).result
    assert [one["result"] for one in result["seats"]] == [None, None]
    assert {one["version"] for one in result["decisions"]} == {5, 6}


def test_a_voided_match_keeps_its_analysis(ann, match):
    finished(asked(ann, match))
    mending.void(match.pk, olga(), "because", match.version)

    assert ann.get(address(match)).json()["status"] == "done"


# What it tells


def test_skill_and_luck_add_up_to_the_margin(ann, match):
    result = finished(asked(ann, match)).result

    own, other = (seat["result"] for seat in result["seats"])
    assert (own["margin"], other["margin"]) == (63, -63)
    for split in (own, other):
        parts = split["skill"]["points"] + split["luck"]["points"]
        assert parts == pytest.approx(split["margin"], abs=0.02)
    assert own["skill"]["points"] == -other["skill"]["points"]
    assert own["deals"] == 1
    assert "63 points ahead" in own["words"]


def test_the_same_match_is_judged_alike(ann, match):
    first = finished(asked(ann, match)).result
    Analysis.objects.all().delete()

    assert finished(asked(ann, match)).result == first


def test_a_gin_that_was_missed_is_found(ann, bob, script, monkeypatch):
    monkeypatch.setattr(coach, "FEWEST", 1024)
    monkeypatch.setattr(coach, "MOST", 1024)
    script(pack("AC 2C 3C 7D 7H 7S TH JH QH KH", LOST, "9D", "KD KC JS"))
    match = played(sit(ann, bob), "draw", "discard KD", "draw", "discard KC")
    match = played(match, "draw", "knock JS")
    ends.resign(match.pk, bob.player)

    result = finished(asked(ann, Match.objects.get(pk=match.pk))).result

    [missed] = [one for one in result["decisions"] if one["version"] == 6]
    assert missed["mistake"]
    assert missed["kinds"] == ["gin_missed"]
    assert missed["better"] == {"type": "knock", "card": "KD"}
    assert missed["loss"]["low"] > 0
    assert missed["loss"]["samples"] == 1024
    assert missed["reason"]
    assert result["seats"][0]["worst"] == [6]
    assert result["seats"][0]["kinds"] == {"gin_missed": 1}
    assert result["seats"][0]["loss"]["points"] >= missed["loss"]["points"]


# Alone, and with undo


def left_after(person, match, moves):
    """The match, given up after so many moves by `easy`."""
    for _ in range(moves):
        view = pyramid.view(match.folded().state, 0)
        match = done(person, match, bots.choose("pyramid", view, "easy", Random(1)))
    return ends.resign(match.pk, person.player)


def gone_on(person, match, version):
    body = person.post(f"/matches/{match.pk}/continuations", {"version": version}).json()
    return Match.objects.get(pk=body["id"])


def test_in_pyramid_it_is_told_which_move_lost_the_round(ann, script, monkeypatch):
    monkeypatch.setattr(coach, "judge", lambda *_: None)  # what each cost is another matter
    script(deck(7))
    match = practice(ann)
    begun = match.version
    match = left_after(ann, match, 10)
    analysis = asked(ann, match)
    result = finished(analysis).result

    assert (analysis.deals, len(analysis.versions)) == ([1], 10)
    [moment] = result["moments"]
    assert (moment["deal"], moment["outcome"]) == (1, "lost")
    assert moment["version"] == begun + 2  # tests/bots/test_coach.py proves that such are right
    assert moment["words"].startswith("It could be cleared until this: removes ")
    assert moment["positions"] > 0
    assert [seat["result"] for seat in result["seats"]] == [None]


def test_a_round_lost_before_a_match_went_on_with_it_is_told_so(ann, script, monkeypatch):
    monkeypatch.setattr(coach, "judge", lambda *_: None)
    script(deck(7))
    begun = practice(ann)
    match = left_after(ann, begun, 10)

    later = left_after(ann, gone_on(ann, match, begun.version + 4), 1)
    [moment] = finished(asked(ann, later)).result["moments"]
    assert (moment["outcome"], moment["version"]) == ("before", None)
    assert moment["words"] == "What was left of it when it was taken up again could not be cleared."


def test_only_a_round_of_which_all_is_looked_at_is_said_to_have_been_hopeless(ann, monkeypatch):
    monkeypatch.setattr(coach, "judge", lambda *_: None)
    wholes = []
    monkeypatch.setattr(coach, "moment", lambda *args: wholes.append(args[-1]))
    begun = practice(ann, deal_number=7)
    match = left_after(ann, begun, 2)
    finished(asked(ann, match))
    for version in (begun.version, begun.version + 1):
        finished(asked(ann, left_after(ann, gone_on(ann, match, version), 1)))
    mending.roll_back(match.pk, olga(), "because", match.version, begun.version + 1)
    finished(asked(ann, left_after(ann, Match.objects.get(pk=match.pk), 1)))

    assert wholes == [True, True, False, False]


def test_what_a_player_has_undone_is_not_judged(ann):
    match = practice(ann, deal_number=8)
    start = match.version
    match = done(ann, match, "draw", "draw", "undo", "draw")
    ends.resign(match.pk, ann.player)

    # The second draw was taken back by the third entry.
    assert analyses.decisions(match) == [start, start + 3]


# Where nobody can judge


def test_of_a_game_without_a_coach_none_is_offered(ann, game):
    game("highest", highest)
    match = sit(ann, "random", game="highest")
    ends.resign(match.pk, ann.player)

    refused(ann.post(address(match)), 409, "not-offered")


def test_a_round_in_which_nothing_was_decided_is_passed_over(ann, script, monkeypatch):
    monkeypatch.setattr(coach, "judge", lambda *_: None)
    script(deck(8))
    match = cleared(ann, practice(ann))
    ends.resign(match.pk, ann.player)
    analysis = asked(ann, match)

    assert analysis.deals == [1, 2]
    assert [one["outcome"] for one in finished(analysis).result["moments"]] == ["cleared"]


# What the operator sees


def test_the_admin_tells_how_far_each_is_and_what_has_failed(ann, bob, match, operator):
    page = f"/admin/games/match/{match.pk}/change/"
    assert "Analysis</b>" not in operator.get(page).content.decode()
    analysis = asked(ann, match)
    analyses.fail(Analysis.objects.all(), "Unit 1 was lost by 3 workers.")

    assert "failed, 0 of 3 units, asked by ann" in operator.get(page).content.decode()
    found = operator.get("/admin/games/analysis/?status=failed").content.decode()
    assert "Unit 1 was lost by 3 workers." in found
    assert str(analysis.pk) in found
    assert (
        str(analysis.pk) not in operator.get("/admin/games/analysis/?status=done").content.decode()
    )
    assert "1 analyses of matches have failed" in operator.get("/admin/").content.decode()
    row = f"/admin/games/analysis/{analysis.pk}/change/"
    assert operator.get(row).status_code == 200
    assert operator.post(row, {"status": "done"}).status_code == 403
