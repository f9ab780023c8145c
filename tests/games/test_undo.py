"""POST /matches/{id}/moves with an undo: the log grows, and every cache follows its fold."""

import pytest
from django.core.management import call_command

from games.models import Deal, Move
from games.services import ends
from tests.games.people import refused
from tests.games.practising import alone, cleared, done, line, practice, view

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def real_shuffles():
    return True


def undo(person, match):
    match.refresh_from_db()
    body = {"version": match.version, "action": {"type": "undo"}}
    return person.post(f"/matches/{match.pk}/moves", body)


def row():
    """How the last deal ended, by its row."""
    deal = Deal.objects.order_by("number").last()
    return deal.last_version, deal.result and deal.result["ending"], deal.ended_at is not None


def test_an_undo_is_an_entry_that_takes_the_points_back(ann):
    match = practice(ann, deal_number=8)
    before = view(ann, match)
    match = done(ann, match, *line(match)[:6])
    version, points = match.version, view(ann, match)["points"]
    assert points > 0

    for _ in range(6):
        assert undo(ann, match).status_code == 201

    match.refresh_from_db()
    assert match.version == version + 6
    assert Move.objects.filter(match=match, action={"type": "undo"}).count() == 6
    assert view(ann, match) == before | {"last": view(ann, match)["last"]}
    assert undo(ann, match).json()["errors"][0]["code"] == "nothing-to-undo"
    call_command("verify_logs")


def test_what_clears_the_pyramid_and_is_taken_back_leaves_the_deal_without_result(ann):
    match = practice(ann, deal_number=8)
    actions = line(match)
    open_row = row()
    match = done(ann, match, *actions)
    cleared_at = match.version
    assert open_row == (None, None, False)
    assert row() == (cleared_at, "cleared", True)

    undo(ann, match)

    assert row() == open_row
    assert ann.get(f"/matches/{match.pk}").json()["result"] is None
    call_command("verify_logs")
    done(ann, match, actions[-1])
    assert row() == (cleared_at + 2, "cleared", True)
    call_command("verify_logs")


def test_a_cleared_deal_from_which_less_is_taken_back_keeps_its_result(ann):
    match = practice(ann, deal_number=8)
    match = done(ann, match, *line(match), "draw")

    undo(ann, match)

    assert row() == (match.version + 1, "cleared", True)
    call_command("verify_logs")


def test_an_undo_in_the_second_round_leaves_the_first_as_it_ended(ann):
    match = cleared(ann, practice(ann, deal_number=8))
    first = Deal.objects.values().get(number=1)
    match = done(ann, match, "draw")

    undo(ann, match)

    assert Deal.objects.values().get(number=1) == first
    assert row() == (None, None, False)
    call_command("verify_logs")


# Refusals


def test_an_ordinary_match_has_no_undo(ann):
    match = done(ann, alone(ann), "draw")

    body = refused(undo(ann, match), 409, "not-a-practice-match")
    assert body["errors"][0]["pointer"] == "/action"
    assert body["version"] == match.version
    assert view(ann, match)["waste"]


def test_a_match_that_is_over_has_no_undo(ann):
    match = done(ann, practice(ann), "draw")
    ends.resign(match.pk, ann.player)

    refused(undo(ann, match), 409, "match-over")
