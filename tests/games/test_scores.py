"""POST and GET /matches/{id}/score"""

import threading
from datetime import date
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from games.engine import log, pyramid
from games.models import Board, Match, Score, Standing
from games.services import ends, moves, records, tables
from players import services
from players.models import Player
from tests import highest
from tests.engine import pyramid_decks
from tests.engine.pyramid_decks import LAID
from tests.games.people import WINNING, Person, refused, sit
from tests.games.people import played as played_gin

POINTS = {10: ["KH"], 20: ["5H 8H"], 30: ["KH", "5H 8H"], 40: ["5H 8H", "6H 7H"]}
"""How to score so much in a deal of LAID."""


@pytest.fixture(autouse=True)
def games(game, script):
    game("pyramid", pyramid)
    game("highest", highest)
    script(*[pyramid_decks.pack(LAID)] * 3)


def begun(person, **options):
    return sit(person, game="pyramid", **options)


def played(person, points=20, **options):
    """A match of so many points, which the player then resigns."""
    match = begun(person, **options)
    for line in POINTS.get(points, ()):
        action = log.plain(pyramid_decks.action(line))
        match = moves.play_move(match.pk, person.player, match.version, action)
    return ends.resign(match.pk, person.player)


def post(person, match):
    return person.post(f"/matches/{match.pk}/score")


def posted(person, points=20):
    response = post(person, played(person, points))
    assert response.status_code == 201, response.content
    return response.json()


def top(told):
    return [(line["rank"], line["player"], line["value"]) for line in told["top"]]


def others(*values):
    """Players who stand on the boards of today with these points."""
    for number, value in enumerate(values):
        stands(Player.objects.create(name=f"player{number:02}"), value)


def stands(player, value):
    now = records.timezone.now()
    with transaction.atomic():
        records.rank("pyramid", [player], now, records.utc_day(now), lambda *_: (value, 1))


def test_the_answer_has_the_rank_of_the_day_and_its_top_ten(ann, clock):
    clock("2026-11-30 12:00:00")
    others(100, 30, 10)

    response = post(ann, played(ann, 20))

    assert response.status_code == 201
    body = response.json()
    assert ann.get(response["Location"].removeprefix("/api/v1")).json() == body
    assert top(body) == [
        *((1, "player00", 100), (2, "player01", 30), (3, "ann", 20), (4, "player02", 10))
    ]
    assert body["top"][2] == {
        "rank": 3,
        "player": "ann",
        "value": 20,
        "matches": 1,
        "reached_at": "2026-11-30T12:00:00Z",
        "rating": None,
        "deviation": None,
    }
    del body["top"]
    assert body == {
        "points": 20,
        "day": "2026-11-30",
        "rank": 3,
        "leaderboard": "/api/v1/leaderboards/pyramid?period=day&day=2026-11-30",
    }


def test_the_score_is_kept_and_stands_on_every_board(ann, nobody):
    match = played(ann, 30)
    post(ann, match)

    score = Score.objects.get()
    assert (score.match, score.player, score.game, score.points) == (
        *(match, ann.player, "pyramid", 30),
    )
    assert score.day == records.utc_day(match.finished_at)
    for period in ("day", "week", "all"):
        board = nobody.get(f"/leaderboards/pyramid?period={period}").json()
        assert [(line["player"], line["value"]) for line in board["results"]] == [("ann", 30)]


def test_a_posted_score_can_be_looked_up_by_all_who_see_the_match(ann, bob, nobody):
    match = played(ann, 20)
    assert nobody.get(f"/matches/{match.pk}/score").status_code == 204
    told = post(ann, match).json()
    assert nobody.get(f"/matches/{match.pk}/score").json() == told

    posted(bob, 30)

    later = ann.get(f"/matches/{match.pk}/score").json()
    assert (later["points"], later["rank"]) == (20, 2)
    assert top(later) == [(1, "bob", 30), (2, "ann", 20)]


def test_a_score_that_is_not_posted_stands_nowhere(ann):
    played(ann, 30)

    assert not Standing.objects.exists()


def test_the_tenth_is_among_the_top_ten_and_the_eleventh_is_not(ann, bob):
    others(*[100] * 9)

    tenth, eleventh = posted(ann), posted(bob)

    assert (tenth["rank"], len(tenth["top"]), top(tenth)[-1]) == (10, 10, (10, "ann", 20))
    assert (eleventh["rank"], eleventh["top"]) == (11, None)
    assert eleventh["leaderboard"] == "/api/v1/leaderboards/pyramid?period=all"
    assert bob.get(eleventh["leaderboard"]).json()["results"][-1]["player"] == "bob"


def test_who_is_moved_out_of_the_top_ten_by_it_is_not_in_it(ann):
    others(*[100] * 9, 10)

    assert top(posted(ann, 20))[-1] == (10, "ann", 20)


def test_nothing_is_a_score_too(ann):
    assert top(posted(ann, 0)) == [(1, "ann", 0)]


def test_a_better_score_takes_the_place_of_the_one_before(ann):
    posted(ann, 20)

    assert top(posted(ann, 30)) == [(1, "ann", 30)]
    assert Score.objects.count() == 2


def test_a_worse_score_leaves_the_better_and_is_not_in_the_top_ten(ann, bob):
    posted(ann, 40)
    posted(bob, 30)

    told = posted(ann, 20)

    assert (told["rank"], told["top"]) == (3, None), "behind two that are better"
    board = ann.get("/leaderboards/pyramid?period=day").json()["results"]
    assert [(line["player"], line["value"]) for line in board] == [("ann", 40), ("bob", 30)]


def test_of_equal_scores_the_one_posted_earlier_comes_first(ann, bob, clock):
    clock("2026-11-30 12:00:00")
    first = played(ann)
    clock("2026-11-30 12:00:01")
    second = played(bob)

    clock("2026-11-30 12:00:02")
    assert post(bob, second).json()["rank"] == 1
    clock("2026-11-30 12:00:03")
    told = post(ann, first).json()

    assert top(told) == [(1, "bob", 20), (2, "ann", 20)]


def test_the_same_score_again_is_still_the_earlier_one(ann, bob, clock):
    for hour, person in ((10, ann), (11, bob), (12, ann)):
        clock(f"2026-11-30 {hour}:00:00")
        told = posted(person)

    assert (told["rank"], told["top"]) == (3, None)
    board = ann.get("/leaderboards/pyramid").json()["results"]
    assert [(line["player"], line["reached_at"][11:13]) for line in board] == [
        *(("ann", "10"), ("bob", "11"))
    ]


# The day


@pytest.mark.parametrize(
    ("ended", "posted_at", "day", "monday"),
    [
        ("2026-11-30 23:59:59.999999", "2026-12-01 00:00:00", (2026, 11, 30), (2026, 11, 30)),
        ("2026-12-06 23:59:59.999999", "2026-12-07 09:00:00", (2026, 12, 6), (2026, 11, 30)),
        ("2026-12-31 23:59:59.999999", "2027-01-01 00:00:00", (2026, 12, 31), (2026, 12, 28)),
        ("2026-12-01 00:00:00", "2026-12-01 00:00:00", (2026, 12, 1), (2026, 11, 30)),
    ],
)
def test_it_counts_for_the_day_on_which_the_match_ended(ann, clock, ended, posted_at, day, monday):
    clock(ended)
    match = played(ann)
    clock(posted_at)

    told = post(ann, match).json()

    assert told["day"] == date(*day).isoformat()
    assert top(told) == [(1, "ann", 20)]
    assert {board.period: board.starts for board in Board.objects.all()} == {
        "day": date(*day),
        "week": date(*monday),
        "all": records.EPOCH,
    }


def test_its_rank_is_that_of_the_day_on_which_the_match_ended(ann, bob, clock):
    clock("2026-11-30 23:00:00")
    match = played(ann)
    clock("2026-12-01 01:00:00")
    others(100, 90)

    assert post(ann, match).json()["rank"] == 1
    assert posted(bob)["rank"] == 3


# When it is too late


def test_matches_that_were_running_already_do_not_count(ann):
    running, ended = begun(ann), played(ann)
    ends.resign(running.pk, ann.player)

    assert post(ann, ended).status_code == 201
    assert post(ann, running).status_code == 201


def test_a_match_of_another_game_does_not_count(ann, bob):
    match = played(ann)
    sit(ann, bob)

    assert post(ann, match).status_code == 201


def test_a_match_of_another_player_does_not_count(ann, bob):
    match = played(ann)
    begun(bob)

    assert post(ann, match).status_code == 201


def test_a_table_that_has_not_started_does_not_count(ann):
    match = played(ann)
    waiting = tables.create_match(ann.player, "pyramid", {}, ["me"], starts="later")
    assert post(ann, match).status_code == 201

    other = played(ann)
    tables.start(waiting.pk, ann.player)
    refused(post(ann, other), 409, "posting-closed")


def test_after_another_match_has_begun_it_is_too_late(ann):
    match = played(ann)
    begun(ann)

    refused(post(ann, match), 409, "posting-closed")
    assert not Score.objects.exists() and not Standing.objects.exists()


def test_however_many_scores_are_posted_one_after_another(ann):
    for points in (10, 20, 30):
        posted(ann, points)

    assert Score.objects.count() == 3


# More than one seat


def swapped(match, *people):
    """Everyone keeps his card until the match is over."""
    while match.status == "playing":
        person = people[match.turn]
        action = {"type": "stay"}
        match = moves.play_move(match.pk, person.player, match.version, action)
    return match


def test_each_player_of_a_match_posts_his_own_score(ann, bob, script):
    script(*[pyramid_decks.pack("KC 2C")] * 3)
    match = swapped(sit(ann, bob, game="highest"), ann, bob)
    assert match.folded().state.scores == (3, 0)

    assert post(ann, match).json()["points"] == 3
    assert top(post(bob, match).json()) == [(1, "ann", 3), (2, "bob", 0)]
    refused(post(ann, match), 409, "posted-already")


def test_who_resigned_and_had_a_bot_play_on_has_no_score(ann, bob, eve):
    match = sit(ann, bob, eve, game="highest")
    for person in (ann, bob):
        ends.resign(match.pk, person.player)

    refused(post(ann, match), 409, "not-postable")
    assert post(eve, match).status_code == 201


# Refusals


def test_who_is_not_signed_in_posts_nothing(ann, nobody):
    refused(post(nobody, played(ann)), 401, "not-authenticated")


def test_a_token_that_only_reads_posts_nothing(ann):
    refused(post(Person(ann.player, "read"), played(ann)), 403, "missing-scope")


def test_a_match_that_is_not_there_has_no_score(ann):
    refused(post(ann, Match(pk=UUID(int=1))), 404, "not-found")


def test_nobody_posts_the_score_of_another(ann, eve):
    refused(post(eve, played(ann)), 403, "not-seated")


def test_a_private_match_is_not_found_by_others_and_its_score_may_be_posted(ann, eve):
    match = sit(ann, game="pyramid", visibility="private")
    ends.resign(match.pk, ann.player)

    refused(post(eve, match), 404, "not-found")
    assert post(ann, match).status_code == 201


def test_a_match_that_is_not_over_has_no_score_yet(ann):
    waiting = tables.create_match(ann.player, "pyramid", {}, ["me"], starts="later")
    for match in (begun(ann), waiting):
        refused(post(ann, match), 409, "match-not-over")


def test_a_table_that_was_closed_has_none(ann, bob):
    match = tables.create_match(ann.player, "highest", {}, ["me", "open"])
    Match.objects.update(created_at="2020-01-01T00:00:00Z")
    tables.write(match, match.folded(), log.Entry(log.TABLE, log.Aborted("expired")))

    told = refused(post(ann, match), 409, "not-postable")
    assert "aborted" in told["detail"]


def test_a_game_that_is_rated_has_none(ann, bob, script):
    script()
    match = played_gin(sit(ann, bob, target=50), *WINNING)

    refused(post(ann, match), 409, "not-postable")


@pytest.mark.parametrize(
    "options", [{"redeals": 3}, {"overlap": True}, {"practice": True}, {"next_round": "at_once"}]
)
def test_a_match_with_options_of_its_own_does_not_count(ann, options):
    told = refused(post(ann, played(ann, **options)), 409, "not-postable")

    assert "defaults" in told["detail"]


def test_options_that_are_the_defaults_in_other_words_count(ann):
    assert post(ann, played(ann, redeals=2, practice=False)).status_code == 201


def test_an_unrated_match_does_not_count(ann):
    match = sit(ann, game="pyramid", rated=False)
    ends.resign(match.pk, ann.player)

    told = refused(post(ann, match), 409, "not-postable")
    assert "rated" in told["detail"] and "account" not in told["detail"]


def test_who_had_an_account_is_told_that_another_was_a_guest(ann, db):
    match = sit(ann, Person(services.make_guest()), game="highest")
    ends.resign(match.pk, ann.player)

    told = refused(post(ann, match), 409, "not-postable")
    assert "guest" in told["detail"]


def test_a_score_is_not_refused_for_words_that_are_not_known_to_be_true(ann):
    """Of a match made before it was kept what its maker wished."""
    match = sit(ann, game="pyramid", rated=False)
    ends.resign(match.pk, ann.player)
    Match.objects.update(rated_wish=None)

    told = refused(post(ann, match), 409, "not-postable")
    assert " or " in told["detail"]


def test_a_guest_posts_nothing_and_an_account_made_later_changes_nothing(db):
    guest = Person(services.make_guest())
    match = played(guest)

    told = refused(post(guest, match), 409, "not-postable")
    assert "account" in told["detail"]
    services.become_account(guest.player, "gus", "a password of his own")
    refused(post(guest, match), 409, "not-postable")
    assert post(guest, played(guest)).status_code == 201


def test_a_score_is_posted_once(ann):
    match = played(ann)
    post(ann, match)

    refused(post(ann, match), 409, "posted-already")
    begun(ann)
    refused(post(ann, match), 409, "posted-already")
    assert Score.objects.count() == 1


def test_a_refusal_changes_nothing(ann):
    post(ann, begun(ann))

    assert not any(model.objects.exists() for model in (Score, Standing, Board))


# What it costs, what is proved, many at once


def test_posting_costs_the_same_on_a_long_board(ann, count):
    costs = []
    for many in (2, 40):
        for number in range(many):
            stands(Player.objects.create(name=f"one-of-{many}-{number}"), 5)
        match = played(ann, {2: 10, 40: 20}[many])
        with count() as statements:
            assert post(ann, match).status_code == 201
        costs.append(statements())

    assert costs[1] <= costs[0] + 1 <= 17, "one more to replace the line of before"


@pytest.mark.django_db(transaction=True)
def test_a_posted_score_is_proved(ann):
    match = played(ann)
    post(ann, match)
    call_command("verify_logs")

    for changes in ({"points": 30}, {"day": "2026-01-01"}, {"game": "gin"}):
        before = Score.objects.values(*changes).get()
        Score.objects.update(**changes)
        with pytest.raises(CommandError, match=f"posted.{next(iter(changes))} is "):
            call_command("verify_logs")
        Score.objects.update(**before)
    call_command("verify_logs")


@pytest.mark.django_db(transaction=True)
def test_a_score_posted_many_times_at_once_is_posted_once(ann):
    match, answers = played(ann), []
    clients = [Person(ann.player) for _ in range(5)]

    def send(client):
        answers.append(post(client, match).status_code)
        connection.close()

    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert sorted(answers) == [201, 409, 409, 409, 409]
    assert Score.objects.count() == 1
    assert Standing.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_scores_posted_at_once_by_many_all_stand(db):
    people = [Person(Player.objects.create(name=f"player{number}")) for number in range(6)]
    matches, answers = [played(person) for person in people], []

    def send(person, match):
        answers.append(post(person, match).status_code)
        connection.close()

    pairs = zip(people, matches, strict=True)
    threads = [threading.Thread(target=send, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert answers == [201] * 6
    assert {board.version for board in Board.objects.all()} == {6}
    for board in Board.objects.all():
        lines = Standing.objects.filter(board=board, until=None)
        assert sorted(line.since for line in lines) == [1, 2, 3, 4, 5, 6]
