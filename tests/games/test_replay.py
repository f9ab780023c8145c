"""GET /matches/{id}/replay"""

import pytest

from tests.games.people import WINNING, played, refused, sit

LINES = ("draw", "discard 5S", "take", "discard 2D", "draw", "discard KC", "draw", "discard 3S")


def replay(person, match, query=""):
    response = person.get(f"/matches/{match.pk}/replay{query}")
    assert response.status_code == 200, response.content
    return response.json()


def lived(match, lines, *persons):
    """The matches as each person saw them after each line, by version, and the end."""
    seen = {}
    for line in (None, *lines):
        match = played(match, line) if line else match
        for person in persons:
            seen[match.version, person] = person.get(f"/matches/{match.pk}").json()
    return match, seen


def without_legal(view):
    return {name: value for name, value in view.items() if name != "legal"}


def test_each_version_is_replayed_as_each_seat_and_a_spectator_saw_it_then(ann, bob, nobody):
    match, seen = lived(sit(ann, bob), LINES, ann, bob, nobody)

    for (version, person), body in seen.items():
        told = replay(person, match, f"?at={version}")
        assert told["version"] == version
        assert told["view"] == body["view"]
        assert told["last"] == body["view"]["last"]
        moves = person.get(f"/matches/{match.pk}/moves?after={version - 1}&limit=1").json()
        assert moves["results"] == [{k: v for k, v in told.items() if k != "view"}]


def test_a_later_reveal_never_changes_an_earlier_view(ann, bob, nobody):
    match, seen = lived(sit(ann, bob, target=50), WINNING[:-1], ann, bob, nobody)
    played(match, "finish")

    for (version, person), body in seen.items():
        assert replay(person, match, f"?at={version}")["view"] == body["view"]


def test_every_version_of_every_deal_can_be_replayed(ann, bob):
    match, seen = lived(sit(ann, bob), WINNING * 3, ann, bob)

    assert match.status == "finished"
    for (version, person), body in seen.items():
        assert replay(person, match, f"?at={version}")["view"] == body["view"]
    dealt = replay(ann, match, "?at=9")
    assert (dealt["words"], dealt["view"]["deal"]) == ("seat 0 deals", 2)


def test_the_latest_is_shown_if_nothing_is_said(ann, bob):
    match = played(sit(ann, bob), "draw")

    assert replay(ann, match) == replay(ann, match, "?at=6") == replay(ann, match, "?seat=0")


def test_before_the_start_there_is_no_view(ann, bob):
    match = sit(ann, bob)

    assert replay(ann, match, "?at=1")["view"] is None
    assert replay(ann, match, "?at=1")["words"] == "ann takes seat 0"
    assert replay(ann, match, "?at=4")["view"]["deal"] == 0


def test_one_may_ask_for_what_a_spectator_saw(ann, bob, nobody):
    match = played(sit(ann, bob), "draw")

    assert replay(ann, match, "?seat=spectator") == replay(nobody, match)
    assert replay(ann, match, "?seat=spectator")["view"]["hand"] is None


def test_after_the_end_anyone_may_sit_in_any_seat(ann, bob, nobody):
    match, seen = lived(sit(ann, bob, target=50), WINNING, ann, bob)

    for version in range(5, match.version):
        for number, person in enumerate((ann, bob)):
            told = replay(nobody, match, f"?at={version}&seat={number}")
            assert told["view"] == seen[version, person]["view"]


def test_all_is_every_seats_view_side_by_side(ann, bob, nobody):
    match, seen = lived(sit(ann, bob, target=50), WINNING, ann, bob)

    for version in range(5, match.version):
        told = replay(nobody, match, f"?at={version}&seat=all")
        assert told["views"] == [seen[version, ann]["view"], seen[version, bob]["view"]]
        assert "view" not in told
        assert told["version"] == version


def test_before_the_start_all_is_no_view_for_each(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    assert replay(ann, match, "?at=1&seat=all")["views"] == [None, None]


def test_a_resigned_match_is_shown_with_the_hands_as_they_were(ann, bob, nobody):
    match = sit(ann, bob)
    seen = bob.get(f"/matches/{match.pk}").json()["view"]
    ann.post(f"/matches/{match.pk}/resignation")

    told = replay(nobody, match, "?seat=all")
    assert told["words"] == "seat 0 resigns"
    assert told["views"][1]["hand"] == seen["hand"]
    assert [view["legal"] for view in told["views"]] == [[], []]


# Refusals


def test_another_seat_is_refused_while_the_match_lives(ann, bob, eve, nobody):
    match = sit(ann, bob)

    for person, seats in ((ann, ("1", "all")), (eve, ("0", "1", "all")), (nobody, ("0", "all"))):
        for seat in seats:
            told = person.get(f"/matches/{match.pk}/replay?seat={seat}&at=5")
            refused(told, 403, "not-your-seat")


@pytest.mark.parametrize("query", ["at=0", "at=7", "at=-1", "at=x", "seat=2", "seat=me", "seat="])
def test_what_cannot_be_asked_is_malformed(ann, bob, query):
    match = played(sit(ann, bob), "draw")

    told = refused(ann.get(f"/matches/{match.pk}/replay?{query}"), 400, "malformed")
    assert told["errors"][0]["parameter"] == query.partition("=")[0]


def test_where_nothing_has_happened_nothing_is_replayed(ann):
    match = ann.post("/matches", {"game": "gin", "seats": ["open", "open"]}).json()["id"]

    for query in ("", "?seat=all", "?at=1"):
        told = refused(ann.get(f"/matches/{match}/replay{query}"), 404, "not-found")
        assert told["detail"] == "Nothing has happened in this match yet."


# Many versions at once


def moves(person, match, query):
    response = person.get(f"/matches/{match.pk}/moves?views=true{query}")
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("seat", ["0", "1", "spectator", "all"])
def test_the_list_of_moves_can_have_the_views_of_replays(ann, bob, seat):
    match = played(sit(ann, bob, target=50), *WINNING)

    rows = moves(ann, match, f"&seat={seat}&after=3&limit=3")["results"]

    assert rows == [replay(ann, match, f"?at={version}&seat={seat}") for version in (4, 5, 6)]


def test_to_all_a_move_is_told_as_to_who_made_it(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    told = replay(bob, match, "?at=6&seat=all")

    assert told["words"] == "draws KD from the stock"
    assert [view["hand"] is not None for view in told["views"]] == [True, True]
    assert moves(ann, match, "&seat=all&after=5")["results"][0]["words"] == told["words"]


def test_with_views_a_page_has_no_more_than_a_hundred(ann, bob):
    match = played(sit(ann, bob), "draw")

    refused(ann.get(f"/matches/{match.pk}/moves?views=true&limit=101"), 400, "malformed")
    assert ann.get(f"/matches/{match.pk}/moves?limit=1000").status_code == 200


def test_while_a_match_lives_nobody_is_shown_all_moves(ann, bob):
    match = played(sit(ann, bob), "draw")

    for seat in ("all", "1"):
        path = f"/matches/{match.pk}/moves?views=true&seat={seat}"
        refused(ann.get(path), 403, "not-your-seat")
    refused(ann.get(f"/matches/{match.pk}/moves?seat=all"), 403, "not-your-seat")
