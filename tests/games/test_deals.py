"""GET /matches/{id}/deals and /matches/{id}/deals/{n}"""

import pytest

from tests.games.people import LOST, WINNING, played, refused, sit


@pytest.fixture
def match(ann, bob):
    return played(sit(ann, bob), *WINNING, "draw")


def test_deals_come_in_order_with_how_each_ended(nobody, match):
    page = nobody.get(f"/matches/{match.pk}/deals").json()

    first, second = page["results"]
    assert page["next"] is page["previous"] is None
    assert (first["number"], first["dealer"]) == (1, 1)
    assert (first["first_version"], first["last_version"]) == (5, 8)
    assert first["ended_at"] >= first["started_at"]
    assert (first["result"]["ending"], first["result"]["points"]) == ("knock", [63, 0])
    assert sorted(first["result"]["hands"][1]) == sorted(LOST.split())
    assert second["started_at"]
    assert {name: second[name] for name in second if name != "started_at"} == {
        "number": 2,
        "dealer": 0,
        "first_version": 9,
        "last_version": None,
        "result": None,
        "ended_at": None,
    }


def test_one_deal_can_be_looked_at(nobody, match):
    both = nobody.get(f"/matches/{match.pk}/deals").json()["results"]

    for number in (1, 2):
        assert nobody.get(f"/matches/{match.pk}/deals/{number}").json() == both[number - 1]


def test_deals_come_page_by_page(nobody, match):
    first = nobody.get(f"/matches/{match.pk}/deals?limit=1").json()
    second = nobody.get(first["next"]).json()

    assert [page["results"][0]["number"] for page in (first, second)] == [1, 2]
    assert second["next"] is None
    assert nobody.get(second["previous"]).json()["results"] == first["results"]


def test_a_match_that_waits_has_no_deals(ann):
    match = sit(ann, "open")

    assert ann.get(f"/matches/{match.pk}/deals").json()["results"] == []


def test_a_deal_that_was_not_dealt_yet_is_not_found(ann, match):
    for number in (0, 3):
        refused(ann.get(f"/matches/{match.pk}/deals/{number}"), 404, "not-found")
    refused(ann.get(f"/matches/{match.pk}/deals/one"), 404, "not-found")
