"""GET /matches"""

from datetime import UTC, datetime, timedelta

import pytest
from uuid_utils.compat import uuid7

from games.models import Match
from tests.games.people import WINNING, Person, played, refused, sit


def ids(response):
    assert response.status_code == 200, response.content
    return [line["id"] for line in response.json()["results"]]


def found(person, query=""):
    return ids(person.get(f"/matches{query}"))


def made(*matches):
    return [str(match.pk) for match in matches]


def test_the_newest_comes_first_as_one_line(ann, bob, nobody):
    old = played(sit(ann, bob, target=50), *WINNING)
    new = sit(bob, "easy")

    first, second = nobody.get("/matches").json()["results"]

    assert [first["id"], second["id"]] == made(new, old)
    assert first["seats"][1]["bot"] == "easy"
    assert second["seats"][0] == {
        "number": 0,
        "player": "ann",
        "bot": None,
        "invited": None,
        "score": 63,
        "place": 1,
    }
    assert (second["status"], second["ended_by"], second["version"]) == ("finished", "played", 8)
    assert set(second) == {
        *("id", "game", "visibility", "status", "ended_by", "version", "turn", "seats"),
        *(
            "options",
            "rated",
            "hints",
            "clock",
            "deadline",
            "fills_at",
            "created_at",
            "started_at",
            "finished_at",
        ),
    }


def test_a_line_says_for_whom_a_seat_is_kept(ann, bob):
    ann.post("/matches", {"game": "gin", "seats": ["me", {"invite": "bob"}]})

    [line] = ann.get("/matches").json()["results"]
    assert (line["seats"][1]["player"], line["seats"][1]["invited"]) == (None, "bob")


def test_private_matches_are_listed_to_those_who_belong_to_them(ann, bob, eve, nobody):
    private = sit(ann, bob, visibility="private")
    body = {"game": "gin", "seats": ["open", {"invite": "bob"}], "visibility": "private"}
    invited = ann.post("/matches", body).json()["id"]

    assert found(ann) == found(bob) == [invited, str(private.pk)]
    assert found(eve) == found(nobody) == []
    assert found(eve, "?player=ann") == found(nobody, "?player=bob") == []


def test_a_private_match_of_bots_is_listed_to_its_maker(ann, bob, nobody):
    seats = [{"bot": "easy"}, {"bot": "easy"}]
    ann.post("/matches", {"game": "gin", "seats": seats, "visibility": "private"})

    assert len(found(ann)) == 1
    assert found(bob) == found(nobody) == []


def test_lists_are_filtered_by_game_status_and_player(ann, bob, eve):
    finished = played(sit(ann, bob, target=50), *WINNING)
    waiting = sit(bob, "open")
    playing = sit(ann, "easy")

    assert found(eve, "?game=gin") == made(playing, waiting, finished)
    assert found(eve, "?status=open") == made(waiting)
    assert found(eve, "?status=playing&player=ann") == made(playing)
    assert found(eve, "?player=ANN") == made(playing, finished)
    assert found(eve, "?player=bob") == made(waiting, finished)
    assert found(eve, "?player=me") == []
    assert found(bob, "?player=me") == made(waiting, finished)
    assert found(eve, "?player=zoe") == []
    assert found(eve, "?status=aborted") == []


def test_who_is_invited_does_not_sit_there_yet(ann, bob):
    ann.post("/matches", {"game": "gin", "seats": ["me", {"invite": "bob"}]})

    assert found(bob, "?player=me") == []


def made_at(person, *times):
    """Tables that the person has opened then: ids are made from the same clock."""
    one = sit(person, "open", visibility="private")
    matches = [
        Match(
            id=uuid7(nanoseconds=int(time.timestamp() * 1_000_000) * 1000),
            created_at=time,
            game="gin",
            options=one.options,
            position=one.position,
            created_by=person.player,
        )
        for time in times
    ]
    return Match.objects.bulk_create(matches)


def test_lists_are_filtered_by_time(ann, bob):
    matches = made_at(bob, *(datetime(2026, 11, day, tzinfo=UTC) for day in (1, 2, 3)))

    assert found(ann, "?until=2026-11-04T00:00:00Z&since=2026-11-02T00:00:00Z") == made(
        matches[2], matches[1]
    )
    assert found(ann, "?since=2026-11-02T00:00:00Z")[-2:] == made(matches[2], matches[1])
    assert found(ann, "?until=2026-11-02T00:00:00Z") == made(matches[0])
    assert found(ann, "?since=2026-11-01T00:00:01Z&until=2026-11-03T00:00:00Z") == made(matches[1])
    assert found(ann, "?until=2026-11-02T02:00:01%2B02:00") == made(matches[1], matches[0])


def test_a_time_bounds_exactly_though_the_id_has_but_milliseconds_of_another_look(ann, bob):
    time = datetime(2026, 11, 2, 12, 0, 0, 123456, tzinfo=UTC)
    [match] = made_at(bob, time)
    for moved in (timedelta(seconds=-1), timedelta(), timedelta(seconds=1)):
        Match.objects.filter(pk=match.pk).update(created_at=time + moved)
        at, after = (f"{time + moved + timedelta(microseconds=n):%FT%T.%fZ}" for n in (0, 1))
        later = "&until=2026-11-03T00:00:00Z"

        assert found(ann, f"?since={at}{later}") == made(match)
        assert found(ann, f"?since={after}{later}") == []
        assert found(ann, f"?until={at}") == []
        assert found(ann, f"?until={after}") == made(match)


def test_times_beyond_all_matches_find_all_or_none(ann):
    match = sit(ann, "open")

    for early in ("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"):
        assert found(ann, f"?since={early}") == made(match)
        assert found(ann, f"?until={early}") == []
    late = "9999-12-31T23:59:59Z"
    assert found(ann, f"?until={late}") == made(match)
    assert found(ann, f"?since={late}") == []


def test_pages_neither_skip_nor_repeat_matches_made_at_one_time(ann, bob):
    time = datetime(2026, 11, 2, tzinfo=UTC)
    matches = made_at(bob, *[time] * 9)
    path, pages = "/matches?limit=2&until=2026-11-03T00:00:00Z", []

    while path:
        page = ann.get(path)
        pages.append(ids(page))
        path = page.json()["next"]

    listed = [match for page in pages for match in page]
    assert [len(page) for page in pages] == [2, 2, 2, 2, 1]
    assert listed == sorted(made(*matches), reverse=True)


def test_pages_follow_one_another_and_back(ann):
    matches = [sit(ann, "open") for _ in range(5)]
    newest = made(*reversed(matches))

    first = ann.get("/matches?limit=2")
    second = ann.get(first.json()["next"])
    third = ann.get(second.json()["next"])

    assert ids(first) + ids(second) + ids(third) == newest
    assert first.json()["previous"] is third.json()["next"] is None
    assert ids(ann.get(third.json()["previous"])) == ids(second)
    assert first.json()["next"].startswith("/api/v1/matches?")


def test_a_page_has_twenty_lines_if_nothing_is_said(ann):
    one = sit(ann, "open")
    Match.objects.bulk_create(
        Match.opened("gin", one.chosen, 2, created_by=ann.player) for _ in range(25)
    )

    assert len(found(ann)) == 20
    assert len(found(ann, "?limit=100")) == 26


def test_pages_are_stable_while_matches_are_made_and_end(ann, bob):
    matches = [sit(ann, bob, target=50) for _ in range(6)]
    newest = made(*reversed(matches))

    first = ann.get("/matches?limit=2")
    sit(ann, bob)
    played(matches[5], *WINNING)
    second = ann.get(first.json()["next"])
    sit(ann, bob)
    played(matches[2], *WINNING)
    third = ann.get(second.json()["next"])

    assert ids(first) + ids(second) + ids(third) == newest
    assert ids(ann.get(second.json()["previous"])) == ids(first)


def test_a_filter_is_kept_from_page_to_page(ann, bob):
    for _ in range(3):
        sit(ann, "open")
        sit(bob, "open")

    first = ann.get("/matches?limit=2&player=bob")
    second = ann.get(first.json()["next"])

    names = [
        line["seats"][0]["player"] for page in (first, second) for line in page.json()["results"]
    ]
    assert names == ["bob"] * 3


# Refusals


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("game=chess", "game"),
        ("status=over", "status"),
        ("since=yesterday", "since"),
        ("since=2026-11-01", "since"),
        ("until=2026-11-01T00:00:00", "until"),
        ("until=2026-13-01T00:00:00Z", "until"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=nonsense", "cursor"),
    ],
)
def test_what_cannot_be_asked_is_malformed(ann, query, parameter):
    told = refused(ann.get(f"/matches?{query}"), 400, "malformed")

    assert [error["parameter"] for error in told["errors"]] == [parameter]


def test_nobody_in_particular_has_no_matches_of_his_own(nobody):
    refused(nobody.get("/matches?player=me"), 401, "not-authenticated")


def test_a_revoked_token_lists_nothing(ann):
    ann.client.delete("/api/v1/sessions/current", headers={"Authorization": f"Bearer {ann.token}"})

    refused(ann.get("/matches"), 401, "invalid-token")


def test_a_token_that_only_reads_lists(ann):
    match = sit(ann, "open", visibility="private")

    assert found(Person(ann.player, "read")) == made(match)
