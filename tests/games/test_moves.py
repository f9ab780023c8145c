"""GET /matches/{id}/moves"""

import pytest

from tests.games.people import WINNING, played, refused, sit


def moves(person, match, query=""):
    response = person.get(f"/matches/{match.pk}/moves{query}")
    assert response.status_code == 200, response.content
    return response.json()


def words(person, match, query=""):
    return [row["words"] for row in moves(person, match, query)["results"]]


START = ["ann takes seat 0", "seat 1 is kept for bob", "bob takes seat 1", "the match starts"]


@pytest.fixture
def match(ann, bob):
    return played(sit(ann, bob), "draw", "discard 5S", "take", "discard 2D", "draw")


def test_each_move_is_told_in_words_as_its_reader_saw_it(ann, bob, nobody, match):
    common = [*START, "seat 1 deals"]
    public = ["discards 5S", "takes 5S from the discards", "discards 2D"]

    assert words(ann, match) == [
        *common,
        "draws KD from the stock",
        *public,
        "draws KC from the stock",
    ]
    hidden = "draws a card from the stock"
    assert words(bob, match) == words(nobody, match) == [*common, hidden, *public, hidden]


def test_each_move_is_told_as_data(ann, bob, match):
    rows = moves(ann, match)["results"]

    assert [row["version"] for row in rows] == list(range(1, 11))
    assert rows[0]["last"] == {
        "seat": -2,
        "action": {"type": "joined", "seat": 0, "player": "ann", "entropy": ""},
    }
    assert rows[4]["last"] == {"seat": -1, "action": {"type": "deal", "dealer": 1}, "card": None}
    assert rows[5]["last"] == {"seat": 0, "action": {"type": "draw_stock"}, "card": "KD"}
    assert moves(bob, match)["results"][5]["last"]["card"] is None
    assert moves(bob, match)["results"][7]["last"]["card"] == "5S"
    assert all(set(row) == {"version", "at", "last", "words"} for row in rows)
    assert all(row["at"].endswith("Z") for row in rows)


def test_bots_at_the_table_are_told(ann):
    match = sit(ann, "easy")

    assert words(ann, match)[:3] == [
        "ann takes seat 0",
        "a bot (easy) takes seat 1",
        "the match starts",
    ]


def test_a_match_to_which_nobody_has_come_has_no_moves(ann):
    match = ann.post("/matches", {"game": "gin", "seats": ["open", "open"]}).json()["id"]

    assert ann.get(f"/matches/{match}/moves").json() == {
        "results": [],
        "next": None,
        "previous": None,
    }


def test_pages_follow_one_another_and_back(ann, match):
    first = moves(ann, match, "?limit=4")
    second = ann.get(first["next"]).json()
    third = ann.get(second["next"]).json()

    rows = [row["version"] for page in (first, second, third) for row in page["results"]]
    assert rows == list(range(1, 11))
    assert first["previous"] is third["next"] is None
    assert ann.get(third["previous"]).json()["results"] == second["results"]
    assert first["next"] == f"/api/v1/matches/{match.pk}/moves?limit=4&after=4"
    middle = ann.get(f"/matches/{match.pk}/moves?after=3&limit=5").json()
    before = ann.get(middle["previous"]).json()
    assert [row["version"] for row in before["results"]] == [1, 2, 3]
    assert ann.get(before["next"]).json()["results"] == middle["results"][:3]


@pytest.mark.parametrize("after", range(12))
def test_any_page_is_a_piece_of_the_whole(ann, bob, match, after):
    for person in (ann, bob):
        whole = moves(person, match)["results"]
        page = moves(person, match, f"?after={after}&limit=3")
        assert page["results"] == whole[after : after + 3]
        assert (page["next"] is None) == (after + 3 >= 10)


def test_pages_are_stable_while_the_match_goes_on(ann, match):
    first = moves(ann, match, "?limit=5")
    played(match, "discard KC", "draw")

    rows = first["results"] + ann.get(first["next"]).json()["results"]
    assert [row["version"] for row in rows] == list(range(1, 11))
    assert moves(ann, match, "?after=10")["results"][0]["words"] == "discards KC"


def test_a_page_that_begins_in_a_later_deal_is_a_piece_of_the_whole(ann, bob):
    match = played(sit(ann, bob), *WINNING, *WINNING, "draw")

    whole = moves(ann, match)["results"]
    assert len(whole) == match.version == 14
    for after in range(5, 14):
        assert moves(ann, match, f"?after={after}&limit=2")["results"] == whole[after : after + 2]


def test_a_reader_may_ask_for_what_a_spectator_saw(ann, nobody, match):
    assert moves(ann, match, "?seat=spectator")["results"] == moves(nobody, match)["results"]
    assert moves(ann, match, "?seat=0")["results"] == moves(ann, match)["results"]
    assert "seat=spectator" in moves(ann, match, "?seat=spectator&limit=2")["next"]


def test_after_the_end_any_seat_can_be_read(ann, bob, nobody):
    match = played(sit(ann, bob, target=50), *WINNING)

    assert words(nobody, match, "?seat=0") == words(bob, match, "?seat=0") == words(ann, match)
    assert "draws KD from the stock" in words(nobody, match, "?seat=0")
    assert "draws a card from the stock" in words(nobody, match)


# Refusals


def test_another_seat_is_not_shown_while_the_match_lives(ann, bob, eve, nobody, match):
    refused(ann.get(f"/matches/{match.pk}/moves?seat=1"), 403, "not-your-seat")
    for person in (eve, nobody):
        refused(person.get(f"/matches/{match.pk}/moves?seat=0"), 403, "not-your-seat")


@pytest.mark.parametrize(
    "query", ["seat=2", "seat=-1", "after=-1", "limit=0", "limit=1001", "limit=x"]
)
def test_what_cannot_be_asked_is_malformed(ann, match, query):
    told = refused(ann.get(f"/matches/{match.pk}/moves?{query}"), 400, "malformed")

    assert told["errors"][0]["parameter"] == query.partition("=")[0]
