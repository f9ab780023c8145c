"""POST /matches"""

import pytest

from games.models import Match, Seat
from games.tasks import play_bot_turn
from tests.games.people import Person, refused

NEW = {"game": "gin", "seats": ["me", "open"]}


def create(person, *seats, **more):
    response = person.post("/matches", {"game": "gin", "seats": list(seats), **more})
    assert response.status_code == 201, response.content
    return response.json()


def wrong(person, pointer, **more):
    """What the refusal says of the one place that is wrong; nothing was stored."""
    body = refused(person.post("/matches", {**NEW, **more}), 400, "malformed")
    assert not Match.objects.exists()
    [error] = body["errors"]
    assert error["pointer"] == pointer
    return error["detail"]


def test_a_match_against_a_bot_starts_at_once_and_shows_ones_hand(ann):
    response = ann.post("/matches", {"game": "gin", "seats": ["me", {"bot": "easy"}]})

    match = response.json()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/matches/{match['id']}"
    assert response["ETag"].startswith('"4-0-')
    assert (match["status"], match["version"], match["turn"], match["you"]) == ("playing", 4, 0, 0)
    assert match["view"]["hand"] == ["AC", "2C", "3C", "7D", "7H", "TH", "JH", "QH", "5S", "7S"]
    assert match["view"]["legal"] == [{"type": "draw_stock"}, {"type": "take_discard"}]
    awaiting = match["awaiting"]
    assert (awaiting["seat"], awaiting["bot"], awaiting["deadline"]) == (0, None, None)
    assert match["seats"] == [
        {"number": 0, "player": "ann", "bot": None, "invited": None, "score": 0, "place": None},
        {"number": 1, "player": None, "bot": "easy", "invited": None, "score": 0, "place": None},
    ]
    assert match["deal"] == {"number": 1, "dealer": 1}
    assert match["secret"] is None
    assert len(match["commitment"]) == 64


def test_the_bot_may_sit_first_and_is_awaited(ann):
    match = create(ann, {"bot": "random"}, "me")

    assert match["you"] == 1
    assert match["awaiting"]["seat"] == 0
    assert match["awaiting"]["bot"] == "random"
    assert match["awaiting"]["deadline"] > match["started_at"]
    assert match["view"]["legal"] == []


def test_an_open_seat_is_waited_for(ann):
    match = create(ann, "me", "open")

    assert (match["status"], match["version"], match["turn"], match["view"]) == (
        "open",
        1,
        None,
        None,
    )
    assert match["awaiting"] is match["deal"] is match["result"] is match["started_at"] is None
    assert match["seats"][1]["player"] is None


def test_a_seat_can_be_kept_for_a_player_of_that_name_whatever_its_capitals(ann, bob):
    match = create(ann, {"invite": "BOB"}, "me")

    assert (match["status"], match["you"]) == ("open", 1)
    assert match["seats"][0]["invited"] == "bob"
    assert match["seats"][0]["player"] is None


def test_nobody_need_sit_yet(ann):
    match = create(ann, "open", "open")

    assert (match["version"], match["you"]) == (0, None)
    assert not Seat.objects.exclude(player=None).exists()


def test_bots_can_play_by_themselves_from_the_first_card_to_the_last(ann):
    match = create(ann, {"bot": "easy"}, {"bot": "easy"}, options={"max_deals": 1})

    assert (match["status"], match["you"]) == ("playing", None)
    assert match["view"]["hand"] is None
    match = Match.objects.get()
    for _ in range(500):
        if match.status == "finished":
            break
        play_bot_turn(str(match.pk), match.version)
        match.refresh_from_db()
    assert (match.status, match.ended_by, match.bot_errors) == ("finished", "played", 0)


def test_the_defaults_are_the_preset_arcade(ann):
    assert (
        create(ann, "me", "open")["options"]
        == create(ann, "me", "open", options={"preset": "arcade"})["options"]
    )
    assert Match.objects.first().options["target"] == 100


def test_a_preset_and_what_differs_from_it_are_stored_whole(ann):
    options = create(ann, "me", "open", options={"preset": "classic", "target": 50})["options"]

    assert (options["opening"], options["tie"], options["game_bonus"]) == ("offer", "undercut", 100)
    assert (options["target"], options["knock_limit"]) == (50, 10)
    assert "preset" not in options


@pytest.mark.parametrize("preset", ["arcade", "classic", "oklahoma", "straight", "research"])
def test_every_preset_can_be_played(ann, preset):
    match = create(ann, "me", {"bot": "random"}, options={"preset": preset})

    assert match["view"]["legal"]


def test_a_private_match_is_seen_by_its_players_only(ann, eve, nobody):
    match = create(ann, "me", {"bot": "easy"}, visibility="private")

    assert match["visibility"] == "private"
    assert ann.get(f"/matches/{match['id']}").status_code == 200
    for other in (eve, nobody):
        refused(other.get(f"/matches/{match['id']}"), 404, "not-found")


def test_a_match_can_be_made_to_wait_though_it_is_full(ann):
    match = create(ann, "me", {"bot": "easy"}, start="later")

    assert (match["status"], match["view"]) == ("open", None)


def test_the_commitment_tells_the_secret_from_every_other_and_not_what_it_is(ann):
    first, second = create(ann, "me", "open"), create(ann, "me", "open")

    assert first["commitment"] != second["commitment"]
    secrets = [bytes(match.secret) for match in Match.objects.all()]
    assert len(set(secrets)) == 2
    assert all(len(secret) == 32 for secret in secrets)


# Refusals


def test_who_is_not_signed_in_makes_no_match(nobody):
    refused(nobody.post("/matches", NEW), 401, "not-authenticated")


def test_a_token_that_only_reads_makes_no_match(ann):
    refused(Person(ann.player, "read").post("/matches", NEW), 403, "missing-scope")


def test_an_unknown_game_is_told(ann):
    assert "chess" in wrong(ann, "/game", game="chess")


@pytest.mark.parametrize("field", ["game", "seats"])
def test_a_missing_field_is_told(ann, field):
    body = {name: value for name, value in NEW.items() if name != field}

    told = refused(ann.post("/matches", body), 400, "malformed")
    assert told["errors"][0]["pointer"] == f"/{field}"


def test_an_unknown_field_is_told(ann):
    assert "seats" in wrong(ann, "/seat", seat="me")


def test_more_seats_than_any_game_has_are_told(ann):
    assert "no more than 10" in wrong(ann, "/seats", seats=["me"] + ["open"] * 10)


@pytest.mark.parametrize("seats", [[], ["me"], ["me", "open", "open"]])
def test_a_wrong_number_of_seats_is_told(ann, seats):
    assert wrong(ann, "/seats", seats=seats) == f"Gin Rummy has 2 seats, not {len(seats)}."


@pytest.mark.parametrize(
    "seat",
    [
        *("you", "", None, 1, True, [], {}, ["me"]),
        *({"bot": None}, {"bot": 1}, {"bot": "easy", "invite": "bob"}, {"level": "easy"}),
    ],
)
def test_what_is_no_seat_is_told(ann, bob, seat):
    words = wrong(ann, "/seats/1", seats=["me", seat])

    assert seat is None or words == 'A seat is "me", "open", {"bot": level} or {"invite": name}.'


def test_an_unknown_level_of_a_bot_is_told_with_those_there_are(ann):
    words = wrong(ann, "/seats/1/bot", seats=["me", {"bot": "genius"}])

    assert "genius" in words
    assert "random, easy" in words


@pytest.mark.parametrize("name", ["zoe", "", "a\0b", "x" * 500])
def test_a_player_who_is_not_there_cannot_be_invited(ann, name):
    assert "There is no player" in wrong(ann, "/seats/1/invite", seats=["me", {"invite": name}])


def test_a_player_who_has_left_cannot_be_invited(ann, bob):
    bob.player.is_active = False
    bob.player.save()

    wrong(ann, "/seats/1/invite", seats=["me", {"invite": "bob"}])


@pytest.mark.parametrize(
    "seats",
    [
        ["me", "me"],
        ["me", {"invite": "ann"}],
        [{"invite": "Ann"}, "me"],
        [{"invite": "bob"}, {"invite": "bob"}],
        [{"invite": "bob"}, {"invite": "BOB"}],
    ],
)
def test_nobody_sits_twice(ann, bob, seats):
    assert wrong(ann, "/seats/1", seats=seats) == "Nobody sits twice at a table."


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("target", value) for value in (0, -1, 10_001, "100", None, 1.5, True)),
        *(("knock_limit", value) for value in (11, "oklahama", None)),
        *(("tie", value) for value in ("undercuts", 1)),
        *(("big_gin", value) for value in ("yes", 1, None)),
        *(("max_deals", value) for value in (0, 1001)),
    ],
)
def test_a_wrong_option_is_pointed_at(ann, option, value):
    assert wrong(ann, f"/options/{option}", options={option: value})


def test_an_unknown_option_is_pointed_at(ann):
    assert (
        wrong(ann, "/options/jokers", options={"jokers": 2}) == "Gin Rummy has no option 'jokers'."
    )
    assert wrong(ann, "/options/a~1b~0c", options={"a/b~c": 2})


@pytest.mark.parametrize("preset", ["house", "", None, 1, ["arcade"], {}])
def test_an_unknown_preset_is_told_with_those_there_are(ann, preset):
    words = wrong(ann, "/options/preset", options={"preset": preset})

    assert "arcade, classic, oklahoma, straight, research" in words


@pytest.mark.parametrize("options", [[], "arcade", 1, None])
def test_options_are_an_object(ann, options):
    wrong(ann, "/options", options=options)


@pytest.mark.parametrize("path", ["/matches", "/matches/quick"])
@pytest.mark.parametrize(
    ("game", "options"),
    [("gin", {"target": 1}), ("pyramid", {"redeals": 9}), ("pyramid", {"practice": True})],
)
def test_a_match_by_options_of_its_own_cannot_be_made_to_count(ann, path, game, options):
    body = {"game": game, "options": options}
    if path == "/matches":
        body["seats"] = ["me", "open"] if game == "gin" else ["me"]

    told = refused(ann.post(path, body | {"rated": True}), 400, "malformed")
    assert [error["pointer"] for error in told["errors"]] == ["/rated"]
    assert "preset" in told["detail"]
    assert [ann.post(path, body | rated).json()["rated"] for rated in ({}, {"rated": False})] == [
        *(False, False)
    ]
    preset = body | {"options": {}, "rated": True}
    assert ann.post(path, preset).json()["rated"] is True


@pytest.mark.parametrize("value", ["yes", "true", 1, 0, None])
def test_rated_is_true_or_false_and_nothing_that_means_one(ann, value):
    wrong(ann, "/rated", rated=value)


@pytest.mark.parametrize(("field", "value"), [("visibility", "secret"), ("start", "now")])
def test_an_unknown_choice_is_told(ann, field, value):
    assert value in wrong(ann, f"/{field}", **{field: value})
