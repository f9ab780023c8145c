"""POST /matches/{id}/clearable"""

from uuid import UUID

import pytest

from games.bots import pyramid
from games.bots.pyramid import levels, solver
from games.models import Match
from games.services import ends
from tests import highest
from tests.games.people import Person, refused, sit
from tests.games.practising import alone, not_begun, practice, view

CLEARABLE = 8
BEYOND = 2
"""Numbers of deals: one that can be cleared, and one that cannot."""


@pytest.fixture
def real_shuffles():
    return True


def clearable(person, match):
    return person.post(f"/matches/{match.pk}/clearable")


def test_yes_comes_with_a_line_that_can_be_played_and_clears(ann):
    match = practice(ann, deal_number=CLEARABLE)

    response = clearable(ann, match)

    body = response.json()
    assert response.status_code == 200
    assert (body["version"], body["clearable"]) == (match.version, "yes")
    for action in body["line"]:
        assert view(ann, match)["phase"] == "pyramid"
        move = {"version": match.version, "action": action}
        assert ann.post(f"/matches/{match.pk}/moves", move).status_code == 201
        match.refresh_from_db()
    assert view(ann, match)["phase"] == "cleared"
    assert clearable(ann, match).json()["line"] == []


def test_it_looks_at_what_is_left_of_the_match(ann):
    match = practice(ann, deal_number=CLEARABLE)
    line = clearable(ann, match).json()["line"]
    half = len(line) // 2
    for action in line[:half]:
        move = {"version": match.version, "action": action}
        ann.post(f"/matches/{match.pk}/moves", move)
        match.refresh_from_db()

    body = clearable(ann, match).json()
    assert (body["version"], body["clearable"]) == (match.version, "yes")
    assert 0 < len(body["line"]) <= len(line)


def test_no_has_no_line(ann):
    match = practice(ann, deal_number=BEYOND)

    assert clearable(ann, match).json() == {
        "version": match.version,
        "clearable": "no",
        "line": None,
    }


def test_the_redeals_left_and_the_options_count(ann):
    told = {
        redeals: clearable(ann, practice(ann, deal_number=CLEARABLE, redeals=redeals)).json()
        for redeals in (0, 2)
    }

    assert [told[redeals]["clearable"] for redeals in (0, 2)] == ["no", "yes"]


def test_what_takes_too_long_is_unknown(ann, monkeypatch):
    match = practice(ann, deal_number=CLEARABLE)
    monkeypatch.setattr(pyramid.clearable, "__defaults__", (3,))

    assert clearable(ann, match).json() == {
        "version": match.version,
        "clearable": "unknown",
        "line": None,
    }


def test_the_bound_is_the_one_that_the_docs_tell():
    assert solver.CAP == 100_000
    assert pyramid.clearable.__defaults__ == (solver.CAP,)


def test_asking_changes_nothing(ann):
    match = practice(ann)
    before = Match.objects.values().get()
    clearable(ann, match)

    assert Match.objects.values().get() == before


def test_it_knows_the_cards_that_nobody_has_seen(ann, monkeypatch):
    match = practice(ann, deal_number=CLEARABLE)
    asked = []
    solve = levels.solve
    monkeypatch.setattr(levels, "solve", lambda *args: asked.append(args) or solve(*args))
    clearable(ann, match)

    [(laid, draw, *_)] = asked
    assert len({*laid, *draw}) == 52
    assert view(ann, match)["draw"][1:] == [None] * 23


# Refusals


def test_no_other_match_is_told(ann, bob):
    for match in (alone(ann), sit(ann, bob)):
        refused(clearable(ann, match), 409, "not-a-practice-match")


def test_a_game_without_a_solver_cannot_tell(ann, bob, game):
    game("highest", highest)
    match = sit(ann, bob, game="highest", practice=True)

    refused(clearable(ann, match), 409, "not-offered")


def test_nothing_is_told_before_the_start_or_after_the_end(ann):
    match = not_begun(ann)
    refused(clearable(ann, match), 409, "match-not-started")
    ann.post(f"/matches/{match.pk}/start")
    ends.resign(match.pk, ann.player)
    refused(clearable(ann, match), 409, "match-over")


def test_only_who_plays_is_told(ann, eve, nobody):
    match = practice(ann)

    refused(clearable(eve, match), 403, "not-seated")
    refused(clearable(nobody, match), 401, "not-authenticated")
    refused(clearable(Person(ann.player, "read"), match), 403, "missing-scope")
    refused(clearable(ann, Match(pk=UUID(int=1))), 404, "not-found")
    private = sit(ann, game="pyramid", practice=True, visibility="private")
    refused(clearable(eve, private), 404, "not-found")
