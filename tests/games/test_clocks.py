"""Matches with a clock: what it may be, when a time is up, and that a late move is refused."""

import pytest
from django.core.management import CommandError, call_command

from games import replays
from games.models import Match
from games.tasks import play_bot_turn
from tests.games.people import WINNING, played, refused, sit


@pytest.fixture(autouse=True)
def noon(clock):
    clock("2026-12-31 12:00:00")


def made(person, **more):
    return person.post("/matches", {"game": "gin", "seats": ["me", {"bot": "easy"}], **more})


def awaiting(person, match):
    return person.get(f"/matches/{match.pk}").json()["awaiting"]


@pytest.mark.parametrize("given", [{"seconds": 5}, {"seconds": 3600}, {"days": 1}, {"days": 14}])
def test_a_match_is_made_with_seconds_or_days_for_each_move(ann, given):
    body = made(ann, clock=given).json()

    assert body["clock"] == {"seconds": None, "days": None} | given
    assert body["on_timeout"] == "choose"
    assert ann.get("/matches").json()["results"][0]["clock"] == body["clock"]


def test_without_a_clock_there_is_no_deadline(ann):
    for body in (made(ann).json(), made(ann, clock=None).json()):
        assert body["clock"] is None
        assert body["awaiting"]["deadline"] is None


def test_the_deadline_is_told_as_a_time(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    assert awaiting(bob, match)["deadline"] == "2026-12-31T12:01:00Z"

    clock("2026-12-31 12:00:59.999999")
    ann.move(match, "draw")

    assert awaiting(bob, match)["deadline"] == "2026-12-31T12:01:59.999999Z"


def test_lists_tell_it_too(ann, bob, clock):
    for given in ({"seconds": 60}, {"days": 1}, None):
        sit(ann, bob, clock=given)

    lines = ann.get("/matches?player=me&status=playing").json()["results"]

    told = [line["deadline"] for line in lines]
    assert told == [None, "2027-01-01T12:00:00Z", "2026-12-31T12:01:00Z"]


def test_each_move_has_its_own_time_also_within_a_turn(ann, bob, clock):
    match = sit(ann, bob, clock={"days": 3})
    clock("2027-01-03 11:59:59")
    ann.move(match, "draw")
    assert awaiting(ann, match)["deadline"] == "2027-01-06T11:59:59Z"

    clock("2027-01-06 11:59:58")
    assert ann.move(match, "discard KD").status_code == 201
    assert awaiting(bob, match)["deadline"] == "2027-01-09T11:59:58Z"


def test_a_move_that_comes_when_the_time_is_up_is_refused(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:01:00")

    for query in ("", "?dry_run=true"):
        problem = refused(ann.move(match, "draw", query=query), 409, "time-is-up")
        assert problem["legal"] == ann.get(f"/matches/{match.pk}").json()["view"]["legal"]
        assert problem["deadline"] == "2026-12-31T12:01:00Z"
        assert problem["version"] == match.version
        assert "12:01:00" in problem["detail"]
    assert Match.objects.get().version == match.version


def test_a_moment_before_it_is_played(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:00:59.999999")

    assert ann.move(match, "draw", query="?dry_run=true").status_code == 200
    assert ann.move(match, "draw").status_code == 201


def test_whose_turn_it_is_not_is_told_that_and_not_that_it_is_late(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:02:00")

    refused(bob.move(match, "draw"), 409, "not-your-turn")
    refused(ann.move(match, "draw", version=1), 409, "stale-version")


def test_a_bot_may_be_late(ann, clock):
    match = played(sit(ann, "easy", clock={"seconds": 60}), "draw", "discard KD")
    clock("2026-12-31 12:10:00")

    play_bot_turn(str(match.pk), match.version)

    assert Match.objects.get().version == match.version + 1


def test_the_next_deal_does_not_begin_late(ann, bob, clock):
    match = played(sit(ann, bob, clock={"seconds": 60}), *WINNING[:-1])
    clock("2026-12-31 12:00:30")

    bob.move(match, "finish")

    assert awaiting(ann, match)["deadline"] == "2026-12-31T12:01:30Z"


def test_time_that_passes_changes_neither_tag_nor_answer(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    before = bob.get(f"/matches/{match.pk}")
    clock("2026-12-31 13:00:00")

    after = bob.get(f"/matches/{match.pk}")

    assert (after["ETag"], after.content) == (before["ETag"], before.content)
    tag = before["ETag"]
    assert bob.get(f"/matches/{match.pk}", If_None_Match=tag).status_code == 304


@pytest.mark.django_db(transaction=True)
def test_the_database_holds_the_deadline_and_the_log_proves_it(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:00:30")
    match = played(match, "draw")

    match.refresh_from_db()
    assert match.deadline == match.folded().deadline == clock("2026-12-31 12:01:30")
    call_command("verify_logs")
    for field, value in (("deadline", None), ("ends_at", match.deadline)):
        Match.objects.update(**{field: value})
        with pytest.raises(CommandError, match=f"{field} is "):
            call_command("verify_logs")
        Match.objects.update(deadline=match.deadline, ends_at=match.ends_at)


def test_a_replay_knows_the_deadlines_too(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    began = match.folded()
    clock("2026-12-31 12:00:30")
    match = played(match, "draw")

    for position in (began, match.folded()):
        assert replays.step_at(match, position.version).position == position
    assert replays.step_at(match, 1).position.clock == match.timing


@pytest.mark.django_db(transaction=True)
def test_a_move_that_was_let_in_too_late_is_found_in_the_log(ann, bob):
    match = played(sit(ann, bob, clock={"seconds": 60}), "draw")
    moved = match.moves.get(version=match.version)
    moved.created_at = match.moves.get(version=1).created_at.replace(hour=13)
    moved.save()

    with pytest.raises(CommandError, match="seat 0 was too late"):
        call_command("verify_logs")


def test_what_happens_at_a_bots_turn_is_told(ann):
    match = played(sit(ann, "easy"), "draw", "discard KD")

    assert awaiting(ann, match) == {
        "seat": 1,
        "bot": "easy",
        "deadline": "2026-12-31T12:00:05Z",
        "claims": None,
        "ends_at": None,
        "attempts": 3,
        "fallback": "first_legal_action",
    }


# Tables


def test_play_now_finds_a_table_with_the_same_clock(ann, bob, eve):
    body = {"game": "gin", "clock": {"seconds": 60}}
    first = ann.post("/matches/quick", body).json()
    assert first["clock"] == {"seconds": 60, "days": None}

    for other in ({"clock": {"seconds": 61}}, {"clock": None}, {"on_timeout": "win"}):
        assert eve.post("/matches/quick", body | other).json()["id"] != first["id"]
    joined = bob.post("/matches/quick", body)
    assert (joined.status_code, joined.json()["id"]) == (200, first["id"])
    assert joined.json()["awaiting"]["deadline"] == "2026-12-31T12:01:00Z"


def test_open_tables_are_found_by_their_clock(ann, bob):
    for given in (None, {"seconds": 60}, {"days": 3}):
        sit(ann, "open", clock=given)

    for query, found in (
        ("none", [None]),
        ("seconds", [{"seconds": 60, "days": None}]),
        ("days", [{"seconds": None, "days": 3}]),
    ):
        lines = bob.get(f"/matches?seats=open&clock={query}").json()["results"]
        assert [line["clock"] for line in lines] == found
    problem = refused(bob.get("/matches?status=open&clock=60"), 400, "malformed")
    assert "none, seconds, days" in problem["detail"]
    refused(bob.get("/matches?clock=days"), 400, "malformed")


def test_a_rematch_keeps_the_clock(ann, bob):
    match = sit(ann, bob, clock={"days": 2}, on_timeout="bot")
    bob.post(f"/matches/{match.pk}/resignation")

    body = ann.post(f"/matches/{match.pk}/rematch").json()

    assert (body["clock"]["days"], body["on_timeout"]) == (2, "bot")


def test_no_time_runs_while_a_table_waits(ann, bob, clock):
    match = sit(ann, "open", clock={"seconds": 60})
    assert awaiting(ann, match) is None
    clock("2026-12-31 15:00:00")

    bob.post(f"/matches/{match.pk}/seats")

    assert awaiting(ann, match)["deadline"] == "2026-12-31T15:01:00Z"


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({}, "/clock"),
        ({"seconds": 60, "days": 1}, "/clock"),
        ({"seconds": None}, "/clock"),
        ({"seconds": 4}, "/clock/seconds"),
        ({"seconds": 3601}, "/clock/seconds"),
        ({"days": 0}, "/clock/days"),
        ({"days": 15}, "/clock/days"),
        ({"days": "3"}, "/clock/days"),
        ({"days": 1.5}, "/clock/days"),
        ({"seconds": True}, "/clock/seconds"),
        ({"hours": 3}, "/clock"),
        (60, "/clock"),
        ([], "/clock"),
    ],
)
def test_a_clock_that_is_none_is_malformed(ann, given, pointer):
    for path, rest in (("/matches", {"seats": ["me", "open"]}), ("/matches/quick", {})):
        body = {"game": "gin", "clock": given, **rest}
        problem = refused(ann.post(path, body), 400, "malformed")
        assert problem["errors"][0]["pointer"] == pointer


def test_on_timeout_is_one_of_three(ann):
    problem = refused(made(ann, on_timeout="draw"), 400, "malformed")

    assert problem["errors"][0]["pointer"] == "/on_timeout"
