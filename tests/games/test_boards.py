"""GET /leaderboards/{game}"""

from datetime import UTC, date, datetime, timedelta
from itertools import chain
from random import Random
from uuid import UUID

import pytest
from django.core import signing
from django.db import transaction
from django.utils import timezone

from games import boards
from games.engine import gin, pyramid
from games.models import Board, Standing
from games.services import ends, records
from players.models import Player
from tests.games.people import WINNING, Person, played, refused, sit

pytestmark = pytest.mark.usefixtures("short_matches")

MINUTE = timedelta(minutes=1)


def asked(person, query="", game="gin"):
    response = person.get(f"/leaderboards/{game}?{query}")
    assert response.status_code == 200, response.content
    return response.json()


def names(page):
    return [line["player"] for line in page["results"]]


def ranks(page):
    return [line["rank"] for line in page["results"]]


def followed(person, page, link="next"):
    return person.get(page[link]).json()


def beats(winner, loser, **more):
    return played(sit(winner, loser, target=50, **more), *WINNING)


def stands(player, value, matches=1, at=None, game="gin"):
    """The player's new line on the boards of the day, the week and all time."""
    now = at or timezone.now()
    with transaction.atomic():
        line = lambda *_: (value, matches)  # noqa: E731
        records.rank(game, [player], now, records.utc_day(now), line)


def crowd(many):
    return [
        Player.objects.create(name=f"player{number:02}", id=UUID(int=number + 1))
        for number in range(many)
    ]


@pytest.fixture
def eleven(db):
    """player00 with 110 points, player01 with 100 … player10 with 10."""
    people = crowd(11)
    for number, player in enumerate(people):
        stands(player, 110 - 10 * number)
    return people


# What a board says


def test_wins_rank_the_day_and_the_week(ann, bob, eve, nobody, clock):
    clock("2026-11-30 12:00:00")
    for winner, loser in ((bob, ann), (bob, eve), (ann, eve)):
        beats(winner, loser)
    time = "2026-11-30T12:00:00Z"

    for period, resets in (("day", "2026-12-01"), ("week", "2026-12-07")):
        assert asked(nobody, f"period={period}") == {
            "game": "gin",
            "period": period,
            "zone": "UTC",
            "starts": "2026-11-30",
            "resets_at": f"{resets}T00:00:00Z",
            "ranks": "wins",
            "results": [
                line(1, "bob", 2, 2, time),
                line(2, "ann", 1, 2, time),
                line(3, "eve", 0, 2, time),
            ],
            "next": None,
            "previous": None,
        }


def test_a_day_that_is_over_and_its_week_can_still_be_looked_at(ann, bob, nobody, clock):
    clock("2026-11-28 23:59:00")
    beats(ann, bob)
    clock("2026-11-30 00:01:00")
    beats(bob, ann)

    for day, week, wins in (("2026-11-28", "2026-11-23", [("ann", 1)]), ("2026-11-29", "", [])):
        past = asked(nobody, f"period=day&day={day}")
        assert past["starts"] == day
        assert [(each["player"], each["value"]) for each in past["results"]][:1] == wins
        if week:
            assert asked(nobody, f"period=week&day={day}") == past | {
                "period": "week",
                "starts": week,
                "resets_at": "2026-11-30T00:00:00Z",
            }
    assert names(asked(nobody, "period=day&day=2026-11-30")) == ["bob", "ann"]
    assert asked(nobody, "period=day&day=2026-11-30") == asked(nobody, "period=day")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        *((f"period=day&day={day}", "a UTC date") for day in ("", "x", "20261130", "2026-02-30")),
        ("period=day&day=2026-12-01", "yet to come; today is 2026-11-30"),
        ("day=2026-11-30", "period=day"),
        ("period=all&day=2026-11-30", "period=day"),
    ],
)
def test_a_day_that_is_none_is_refused(nobody, clock, query, words):
    clock("2026-11-30 12:00:00")

    told = refused(nobody.get(f"/leaderboards/gin?{query}"), 400, "malformed")

    assert words in told["detail"]
    assert told["errors"][0]["parameter"] == "day"


def line(rank, player, value, matches, reached_at, rating=None, deviation=None):
    return {
        "rank": rank,
        "player": player,
        "value": value,
        "matches": matches,
        "reached_at": reached_at,
        "rating": rating,
        "deviation": deviation,
    }


def test_ratings_rank_all_time_by_what_they_surely_are(ann, bob, nobody):
    beats(ann, bob)

    board = asked(nobody)

    assert (board["period"], board["ranks"]) == ("all", "rating")
    assert board["starts"] is board["resets_at"] is None
    assert names(board) == ["ann", "bob"]
    for told in board["results"]:
        surely = told["rating"] - 3 * told["deviation"]
        assert abs(told["value"] - surely) <= 2, "each is rounded"
    assert board["results"][0]["rating"] > 1000 > board["results"][1]["rating"]


def test_points_rank_a_game_for_points_in_every_period(ann, nobody, game):
    game("pyramid", pyramid)
    stands(ann.player, 300, game="pyramid")

    for period in ("all", "week", "day"):
        board = asked(nobody, f"period={period}", "pyramid")
        assert (board["ranks"], board["results"][0]["value"]) == ("points", 300)
        assert board["results"][0]["rating"] is None


def test_a_board_on_which_nobody_stands_is_empty(nobody, ann):
    for period in ("all", "week", "day"):
        board = asked(nobody, f"period={period}")
        assert (board["results"], board["next"], board["previous"]) == ([], None, None)
    assert asked(ann, "around=me")["results"] == []
    assert not Board.objects.exists(), "looking makes no row"


def test_a_draw_is_a_win_of_nobody(ann, bob, nobody):
    played(sit(ann, bob, max_deals=1, idle_limit=1), "take", "discard 5S")

    assert [
        (told["value"], told["matches"]) for told in asked(nobody, "period=day")["results"]
    ] == [
        (0, 1),
        (0, 1),
    ]


def test_boards_of_games_are_apart(ann, nobody, game):
    game("pyramid", pyramid)
    stands(ann.player, 300, game="pyramid")

    assert asked(nobody)["results"] == []


# Order


def test_more_comes_first_then_fewer_matches_then_who_was_earlier(db, nobody):
    now = timezone.now()
    lines = [  # value, matches, minutes later
        (300, 5, 9),
        (200, 3, 9),
        (200, 4, 1),
        (200, 4, 2),
        (100, 1, 0),
        (-5, 1, 0),
    ]
    people = crowd(len(lines))
    for player, (value, matches, minutes) in Random(1).sample(
        list(zip(people, lines, strict=True)), len(lines)
    ):
        stands(player, value, matches, now + minutes * MINUTE)

    board = asked(nobody)
    assert names(board) == [player.name for player in people]
    assert ranks(board) == [1, 2, 3, 4, 5, 6]


def test_who_are_equal_in_everything_stand_in_one_order(db, nobody):
    now, people = timezone.now(), crowd(5)
    for player in Random(2).sample(people, 5):
        stands(player, 100, 1, now)

    for query in ("", "limit=5", "period=day"):
        assert names(asked(nobody, query)) == [player.name for player in people]
    first = asked(nobody, "limit=2")
    second = followed(nobody, first)
    assert names(first) + names(second) == [player.name for player in people[:4]]


def test_who_keeps_his_value_keeps_the_time_at_which_he_reached_it(ann, bob, nobody, clock):
    clock("2026-11-30 10:00:00")
    stands(ann.player, 100)
    clock("2026-11-30 11:00:00")
    stands(bob.player, 100, 2)
    clock("2026-11-30 12:00:00")
    stands(ann.player, 100, 2)

    assert names(asked(nobody)) == ["ann", "bob"]
    clock("2026-11-30 13:00:00")
    stands(ann.player, 101)
    stands(ann.player, 100, 2)
    assert names(asked(nobody)) == ["bob", "ann"], "he left it and came back"


def test_a_player_stands_once_wherever_his_matches_lead_him(ann, bob, nobody):
    for winner, loser in ((ann, bob), (bob, ann), (bob, ann)):
        beats(winner, loser)

    for period in ("all", "week", "day"):
        board = asked(nobody, f"period={period}")
        assert names(board) == ["bob", "ann"]
        assert [told["matches"] for told in board["results"]] == [3, 3]


# Days and weeks


SUNDAY_NIGHT = "2026-12-06 23:59:59.999999"
BOUNDARIES = [
    # a match ends, one looks: is it in the board of the day, of the week?
    ("2026-11-30 00:00:00", "2026-11-30 00:00:00", True, True),
    ("2026-11-30 23:59:59.999999", "2026-11-30 23:59:59.999999", True, True),
    ("2026-11-30 23:59:59.999999", "2026-12-01 00:00:00", False, True),
    ("2026-12-01 00:00:00", "2026-12-01 00:00:00", True, True),
    (SUNDAY_NIGHT, SUNDAY_NIGHT, True, True),
    (SUNDAY_NIGHT, "2026-12-07 00:00:00", False, False),
    ("2026-12-07 00:00:00", "2026-12-13 23:59:59.999999", False, True),
    ("2026-12-31 23:59:59.999999", "2027-01-01 00:00:00", False, True),  # Thursday, Friday
    ("2026-12-28 00:00:00", "2027-01-03 23:59:59.999999", False, True),  # ISO week 53
    ("2026-12-28 00:00:00", "2027-01-04 00:00:00", False, False),
    ("2024-12-30 00:00:00", "2025-01-01 12:00:00", False, True),  # ISO week 1 of the next year
    ("2024-12-29 23:59:59.999999", "2024-12-30 00:00:00", False, False),
    ("2023-12-31 23:59:59.999999", "2024-01-01 00:00:00", False, False),  # Sunday, Monday
    ("2028-02-28 23:59:59.999999", "2028-02-29 00:00:00", False, True),  # Monday, leap day
    ("2028-02-29 12:00:00", "2028-03-01 00:00:00", False, True),
    ("2027-03-28 00:59:59.999999", "2027-03-28 01:00:00", True, True),  # clocks are put forward
    ("2027-10-31 23:30:00", "2027-11-01 00:00:00", False, False),  # and back
]


@pytest.mark.parametrize(("ends", "looks", "today", "this_week"), BOUNDARIES)
def test_a_match_counts_for_the_day_and_week_of_its_end(
    ann, bob, nobody, clock, ends, looks, today, this_week
):
    clock(ends)
    beats(ann, bob)
    clock(looks)

    found = {period: names(asked(nobody, f"period={period}")) for period in ("day", "week", "all")}

    assert [bool(found["day"]), bool(found["week"])] == [today, this_week]
    assert found["all"] == ["ann", "bob"]


def test_a_match_over_midnight_counts_for_the_day_on_which_it_ends(ann, bob, nobody, clock):
    clock("2026-12-06 23:59:00")
    match = played(sit(ann, bob, target=50), *WINNING[:-1])
    clock("2026-12-07 00:00:00")
    played(match, "finish")

    assert names(asked(nobody, "period=day")) == ["ann", "bob"]
    clock("2026-12-06 23:59:59")
    assert asked(nobody, "period=day")["results"] == asked(nobody, "period=week")["results"] == []


def test_each_day_begins_anew(ann, bob, nobody, clock):
    clock("2026-12-01 23:00:00")
    beats(ann, bob)
    beats(ann, bob)
    clock("2026-12-02 01:00:00")
    beats(bob, ann)

    assert names(asked(nobody, "period=day")) == ["bob", "ann"]
    assert [told["value"] for told in asked(nobody, "period=day")["results"]] == [1, 0]
    assert [told["value"] for told in asked(nobody, "period=week")["results"]] == [2, 1]


def test_every_day_of_thirty_years_lies_in_one_day_and_one_week():
    day, last = date(2020, 1, 1), date(2050, 1, 1)
    while day < last:
        assert records.first_day("day", day) == day
        monday = records.first_day("week", day)
        assert monday.isocalendar()[:2] == day.isocalendar()[:2]
        assert monday.weekday() == 0 and monday <= day < monday + timedelta(days=7)
        for period in ("day", "week"):
            board = Board(period=period, starts=records.first_day(period, day))
            resets = boards.resets_at(board)
            instant = timedelta(microseconds=1)
            assert records.first_day(period, records.utc_day(resets)) == resets.date()
            assert records.first_day(period, records.utc_day(resets - instant)) == board.starts
        day += timedelta(days=1)


def test_a_day_is_the_utc_day_whatever_zone_a_time_is_told_in():
    for text, day in (
        ("2026-12-01T00:30:00+02:00", date(2026, 11, 30)),
        ("2026-11-30T23:30:00-01:00", date(2026, 12, 1)),
        ("2026-12-01T00:00:00+00:00", date(2026, 12, 1)),
    ):
        assert records.utc_day(datetime.fromisoformat(text)) == day


# Pages


def test_pages_follow_one_another_and_back(eleven, nobody):
    first = asked(nobody, "limit=4")
    second = followed(nobody, first)
    third = followed(nobody, second)

    pages = [first, second, third]
    assert [ranks(page) for page in pages] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]
    assert list(chain(*map(names, pages))) == [player.name for player in eleven]
    assert first["previous"] is third["next"] is None
    back = followed(nobody, third, "previous")
    assert back["results"] == second["results"]
    assert followed(nobody, back, "previous")["results"] == first["results"]
    assert followed(nobody, back)["results"] == third["results"]


def test_a_page_that_holds_all_has_none_beside_it(eleven, nobody):
    for query in ("limit=11", "limit=12", ""):
        page = asked(nobody, query)
        assert (len(page["results"]), page["next"], page["previous"]) == (11, None, None)


def test_a_page_may_be_followed_by_one_of_another_length(eleven, nobody):
    first = asked(nobody, "limit=4")
    second = followed(nobody, {"next": first["next"].replace("limit=4", "limit=2")})
    wide = followed(nobody, {"next": second["previous"].replace("limit=2", "limit=100")})

    assert ranks(second) == [5, 6]
    assert ranks(wide) == [1, 2, 3, 4]
    assert wide["previous"] is None


def test_twenty_lines_make_a_page_if_nothing_is_said(db, nobody):
    for player in crowd(25):
        stands(player, 100)

    assert len(asked(nobody)["results"]) == 20
    assert len(asked(nobody, "limit=100")["results"]) == 25


def test_a_page_keeps_its_period(eleven, nobody):
    first = asked(nobody, "period=week&limit=4")

    assert followed(nobody, first)["period"] == "week"


def storm(rng, people, game="gin"):
    """A few results: newcomers, and others who rise, fall, or stay."""
    for player in rng.choices(people, k=rng.randrange(4)):
        stands(player, rng.choice((10, 20, 30, 40, 50)), rng.randrange(1, 4), game=game)


@pytest.mark.parametrize("seed", range(6))
def test_pages_are_the_board_as_of_the_first_whatever_comes_in_between(db, seed):
    rng, people = Random(seed), crowd(20)
    for player in rng.sample(people, 14):
        stands(player, rng.choice((10, 20, 30, 40, 50)), rng.randrange(1, 4))
    now = timezone.now()
    board = boards.board_of("gin", "all", records.utc_day(now))
    page = boards.first_page(board, 20, now)
    expected = [boards.line_of(standing) for standing in page.lines]
    assert len(expected) == 14

    limit = rng.randrange(1, 5)
    page = boards.first_page(board, limit, now)
    pages = [page]
    while page.next:
        storm(rng, people)
        page = boards.page_at("gin", "all", page.next, limit, now)
        pages.append(page)
    back = [page]
    while page.previous:
        storm(rng, people)
        page = boards.page_at("gin", "all", page.previous, limit, now)
        back.insert(0, page)

    for walk in (pages, back):
        seen = [boards.line_of(standing) for page in walk for standing in page.lines]
        assert seen == expected
        assert [page.rank for page in walk] == [
            1 + sum(len(before.lines) for before in walk[:number]) for number in range(len(walk))
        ]


def test_pages_hold_while_matches_end(ann, bob, eve, nobody):
    for winner, loser in ((ann, bob), (ann, eve), (bob, eve)):
        beats(winner, loser)
    expected = names(asked(nobody))

    page = asked(nobody, "limit=1")
    found = names(page)
    while page["next"]:
        beats(eve, ann)
        beats(eve, bob)
        page = followed(nobody, page)
        found += names(page)

    assert found == expected == ["ann", "bob", "eve"]
    assert names(asked(nobody))[0] == "eve"


def test_pages_hold_over_midnight(db, nobody, clock):
    clock("2026-12-06 23:59:59.999999")
    people = crowd(5)
    for number, player in enumerate(people):
        stands(player, 50 - number)
    firsts = {period: asked(nobody, f"period={period}&limit=3") for period in ("day", "week")}

    clock("2026-12-07 00:00:01")
    stands(people[0], 1)

    for period, first in firsts.items():
        second = followed(nobody, first)
        assert names(first) + names(second) == [player.name for player in people]
        assert second["starts"] == first["starts"] < "2026-12-07"
        assert second["resets_at"] == first["resets_at"] == "2026-12-07T00:00:00Z"
        assert names(asked(nobody, f"period={period}")) == ["player00"]


def test_pages_hold_for_an_hour_from_the_first_though_old_lines_are_swept_up(db, nobody, clock):
    clock("2026-11-30 12:00:00")
    people = crowd(6)
    for number, player in enumerate(people):
        stands(player, 60 - number)
    first = asked(nobody, "limit=2")
    clock("2026-11-30 12:00:01")
    for player in people:
        stands(player, 10)

    clock("2026-11-30 12:45:00")
    records.forget_replaced()
    second = followed(nobody, first)
    clock("2026-11-30 12:59:59.999999")
    records.forget_replaced()
    third = followed(nobody, second)
    found = chain(*map(names, (first, second, third)))
    assert list(found) == [player.name for player in people]

    clock("2026-11-30 13:00:00")
    for link in (first["next"], second["next"], second["previous"], third["previous"]):
        told = refused(nobody.get(link), 400, "malformed")
        assert "begin again" in told["detail"]


def test_replaced_lines_are_swept_up_when_no_page_can_need_them(db, clock):
    [player] = crowd(1)
    clock("2026-11-30 12:00:00")
    stands(player, 10)
    clock("2026-11-30 12:30:00")
    stands(player, 20)
    clock("2026-11-30 14:30:00")
    records.forget_replaced()
    assert Standing.objects.count() == 6

    clock("2026-11-30 14:30:00.000001")
    records.forget_replaced()

    assert [(line.value, line.until) for line in Standing.objects.all()] == [(20, None)] * 3


# The page on which one stands


@pytest.mark.parametrize(
    ("own", "limit", "shown", "before", "after"),
    [
        (1, 5, [1, 2, 3, 4, 5], False, True),
        (2, 5, [1, 2, 3, 4, 5], False, True),
        (6, 5, [4, 5, 6, 7, 8], True, True),
        (6, 4, [4, 5, 6, 7], True, True),
        (9, 5, [7, 8, 9, 10, 11], True, False),
        (11, 5, [9, 10, 11], True, False),
        (6, 1, [6], True, True),
        (6, 11, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], False, False),
    ],
)
def test_around_me_is_the_page_with_me_in_its_middle(eleven, own, limit, shown, before, after):
    me = Person(eleven[own - 1])

    page = asked(me, f"around=me&limit={limit}")

    assert ranks(page) == shown
    assert names(page) == [f"player{rank - 1:02}" for rank in shown]
    assert (page["previous"] is not None, page["next"] is not None) == (before, after)
    if before:
        assert ranks(followed(me, page, "previous"))[-1] == shown[0] - 1
    if after:
        assert ranks(followed(me, page))[0] == shown[-1] + 1


def test_around_me_goes_on_to_both_ends(eleven):
    me = Person(eleven[5])
    page = middle = asked(me, "around=me&limit=3&period=day")
    found = names(page)
    while page["next"]:
        page = followed(me, page)
        found += names(page)
    page = middle
    while page["previous"]:
        page = followed(me, page, "previous")
        found = names(page) + found

    assert found == [player.name for player in eleven]


def test_who_does_not_stand_there_sees_the_first_page(eleven, ann):
    page = asked(ann, "around=me&limit=3")

    assert ranks(page) == [1, 2, 3]


# What it costs


def test_a_page_costs_the_same_on_a_long_board_as_on_a_short_one(ann, count):
    """Token, board, lines; the ratings behind them. Around me: my line, both sides, my rank."""
    costs = {}
    for many in (4, 60):
        stands(ann.player, 50)
        for number in range(many):
            player = Player.objects.create(name=f"one-of-{many}-{number}")
            stands(player, 49 + 2 * (number % 2))
        for query in ("", "limit=100", "period=day", "limit=2", "around=me&limit=2"):
            with count() as statements:
                page = asked(ann, query)
            costs.setdefault(query, []).append(statements())
        for link in ("next", "previous"):
            with count() as statements:
                followed(ann, page, link)
            costs.setdefault(link, []).append(statements())

    assert costs == {
        "": [4, 4],
        "limit=100": [4, 4],
        "period=day": [3, 3],
        "limit=2": [4, 4],
        "around=me&limit=2": [7, 7],
        "next": [4, 4],
        "previous": [4, 4],
    }


# Refusals


def test_a_game_that_is_not_there_has_no_board(nobody):
    refused(nobody.get("/leaderboards/chess"), 404, "not-found")


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("period=year", "period"),
        ("period=", "period"),
        ("around=bob", "around"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=many", "limit"),
        ("cursor=", "cursor"),
        ("cursor=nonsense", "cursor"),
        ("cursor=a:b", "cursor"),
        ("cursor=%00:%FF", "cursor"),
        ("cursor=%E2%82%AC", "cursor"),
    ],
)
def test_what_cannot_be_asked_is_malformed(ann, query, parameter):
    told = refused(ann.get(f"/leaderboards/gin?{query}"), 400, "malformed")

    assert [error["parameter"] for error in told["errors"]] == [parameter]


def test_nobody_in_particular_stands_nowhere(nobody):
    refused(nobody.get("/leaderboards/gin?around=me"), 401, "not-authenticated")


def test_a_cursor_of_another_board_is_refused(eleven, nobody, game):
    game("pyramid", pyramid)
    stands(eleven[0], 10, game="pyramid")
    link = asked(nobody, "limit=2&period=all")["next"]

    for other in (
        link.replace("/gin", "/pyramid"),
        link.replace("period=all", "period=day"),
        link.replace("period=all", "period=week"),
    ):
        assert other != link
        told = refused(nobody.get(other), 400, "malformed")
        assert "another board" in told["detail"]


def test_a_cursor_that_was_changed_is_refused(eleven, nobody):
    text = asked(nobody, "limit=2")["next"].partition("cursor=")[2]

    for at in range(0, len(text), 7):
        wrong = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        refused(nobody.get(f"/leaderboards/gin?cursor={wrong}"), 400, "malformed")


@pytest.mark.parametrize("content", [[], {}, "x", [1, 2, 3], [1, 1, "2026-11-30", 1, {}, False]])
def test_a_cursor_of_an_earlier_version_of_the_service_is_refused(nobody, content):
    text = signing.Signer(salt="games.boards").sign_object(content)

    refused(nobody.get(f"/leaderboards/gin?cursor={text}"), 400, "malformed")


def test_a_cursor_made_by_a_server_whose_clock_is_ahead_is_followed(eleven, nobody, clock):
    now = datetime.now(UTC)
    link = asked(nobody, "limit=2")["next"]

    clock(f"{now - timedelta(seconds=5):%F %T}")
    assert ranks(nobody.get(link).json()) == [3, 4]


# A match that is not over, not rated, or private


def test_only_rated_matches_that_are_over_lead_onto_a_board(ann, bob, nobody):
    played(sit(ann, bob), *WINNING)
    beats(ann, bob, rated=False)

    for period in ("all", "week", "day"):
        assert asked(nobody, f"period={period}")["results"] == []


def test_a_private_match_counts_and_is_not_told_of(ann, bob, nobody):
    match = beats(ann, bob, visibility="private")

    page = nobody.get("/leaderboards/gin")
    assert names(page.json()) == ["ann", "bob"]
    assert str(match.pk) not in page.content.decode()


def test_a_resignation_is_a_win_of_the_other(ann, bob, nobody):
    ends.resign(sit(ann, bob).pk, ann.player)

    assert names(asked(nobody, "period=day")) == ["bob", "ann"]


def test_gin_is_ranked_by_rating():
    assert (gin.BOARD, pyramid.BOARD) == ("rating", "points")
