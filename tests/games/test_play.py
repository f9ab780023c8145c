"""POST /matches/{id}/moves"""

from uuid import UUID

import pytest

from games.models import Deal, Match, Move, Seat
from tests.engine.decks import pack
from tests.games.people import DECK, LOST, READY, STOCK, WINNING, Person, played, refused, sit

DRAW = {"type": "draw_stock"}


@pytest.fixture
def match(ann, bob):
    """At version 5: ann joined, bob was invited and joined, it started, seat 1 dealt."""
    return sit(ann, bob)


def send(person, match, version, action, **headers):
    body = {"version": version, "action": action}
    return person.post(f"/matches/{match.pk}/moves", body, **headers)


def nothing_stored(match):
    assert match.moves.count() == match.version == Match.objects.get(pk=match.pk).version


def test_a_move_is_answered_with_the_match_as_its_player_sees_it(ann, match):
    response = send(ann, match, 5, DRAW)

    body = response.json()
    assert response.status_code == 201
    assert response["ETag"].startswith('"6-0-')
    assert (body["id"], body["version"], body["turn"], body["you"]) == (str(match.pk), 6, 0, 0)
    assert "KD" in body["view"]["hand"]
    assert body["view"]["last"] == {"seat": 0, "action": DRAW, "card": "KD"}
    assert {"type": "discard", "card": "5S"} in body["view"]["legal"]


def test_a_move_is_one_row_and_moves_the_match_on(ann, bob, match):
    ann.move(match, "draw")
    ann.move(match, "discard 5S")

    match.refresh_from_db()
    assert (match.version, match.turn, match.status) == (7, 1, "playing")
    rows = match.moves.filter(version__gt=5).order_by("version").values_list("seat", "action")
    assert list(rows) == [(0, DRAW), (0, {"type": "discard", "card": "5S"})]


def test_every_legal_action_can_be_echoed_as_it_stands(ann, bob, match):
    for turn in range(8):
        player = (ann, ann, bob, bob)[turn % 4]
        seen = player.get(f"/matches/{match.pk}").json()
        for action in seen["view"]["legal"]:
            body = {"version": seen["version"], "action": action}
            response = player.post(f"/matches/{match.pk}/moves?dry_run=true", body)
            assert (response.status_code, response.json()["action"]) == (200, action)
        throw = [action for action in seen["view"]["legal"] if action["type"] != "knock"][-1]
        assert send(player, match, seen["version"], throw).status_code == 201


def test_the_next_deal_is_dealt_with_the_move_that_ends_one(ann, bob, match):
    played(match, *WINNING[:-1])

    body = bob.move(match, "finish").json()

    assert (body["version"], body["turn"], body["deal"]) == (9, 1, {"number": 2, "dealer": 0})
    assert [seat["score"] for seat in body["seats"]] == [63, 0]
    assert (body["result"]["ending"], body["result"]["points"]) == ("knock", [63, 0])
    assert sorted(body["result"]["hands"][1]) == sorted(LOST.split())
    assert sorted(body["view"]["hand"]) == sorted(READY.split())
    first, second = Deal.objects.order_by("number")
    assert (first.first_version, first.last_version, first.result["points"]) == (5, 8, [63, 0])
    assert (second.first_version, second.last_version, second.result) == (9, None, None)
    assert list(Seat.objects.order_by("number").values_list("score", "place")) == [
        (63, None),
        (0, None),
    ]


def test_the_match_is_over_when_the_target_is_reached(ann, bob):
    match = played(sit(ann, bob, target=60), *WINNING[:-1])

    body = bob.move(match, "finish").json()

    assert (body["status"], body["ended_by"], body["turn"]) == ("finished", "played", None)
    assert [(seat["score"], seat["place"]) for seat in body["seats"]] == [(63, 1), (0, 2)]
    assert (body["awaiting"], body["view"]["legal"]) == (None, [])
    assert body["finished_at"] >= body["started_at"]
    assert bytes.fromhex(body["secret"]) == Match.objects.get().secret
    assert list(Seat.objects.order_by("number").values_list("score", "place")) == [(63, 1), (0, 2)]


def test_the_players_bonuses_are_in_the_scores(ann, bob):
    match = sit(ann, bob, preset="classic", target=60)
    played(match, "pass", "pass", "draw", "knock KD", "finish")

    scores = Seat.objects.order_by("number").values_list("score", flat=True)
    assert list(scores) == [2 * (63 + 100 + 25), 0]


def test_cards_may_be_named_in_any_order(ann, match):
    played(match, "draw")
    melds = [["QH", "TH", "JH"], ["7S", "7D", "7H"], ["3C", "AC", "2C"]]

    response = send(ann, match, 6, {"type": "knock", "card": "KD", "melds": melds})

    assert response.status_code == 201
    stored = Move.objects.get(version=7).action["melds"]
    assert stored == [["AC", "2C", "3C"], ["7D", "7H", "7S"], ["TH", "JH", "QH"]]


def test_cards_can_be_laid_off_on_the_knockers_melds(ann, bob, script):
    script(pack(READY, "4C 5C KH 2D 4D 8D TD QD 3S 9S", "9D", STOCK))
    match = played(sit(ann, bob), "draw", "knock KD", "lay off 4C on 0")

    body = bob.move(match, "lay off 5C on 0").json()

    assert body["view"]["showdown"]["melds"][0] == ["AC", "2C", "3C", "4C", "5C"]
    assert bob.move(match, "lay off KH on 2").status_code == 201
    assert bob.move(match, "finish").json()["result"]["layoffs"] == [
        {"card": "4C", "meld": 0},
        {"card": "5C", "meld": 0},
        {"card": "KH", "meld": 2},
    ]


def test_the_etag_can_stand_for_the_version(ann, match):
    tag = ann.get(f"/matches/{match.pk}")["ETag"]

    body = {"action": DRAW}
    assert ann.post(f"/matches/{match.pk}/moves", body, If_Match=tag).status_code == 201


def test_one_of_several_tags_is_enough_and_a_star_is_any_version(ann, match):
    tag = ann.get(f"/matches/{match.pk}")["ETag"]
    for known, action in ((f'"1-0", {tag}', DRAW), ("*", {"type": "discard", "card": "5S"})):
        body = {"action": action}
        assert ann.post(f"/matches/{match.pk}/moves", body, If_Match=known).status_code == 201


def test_a_guest_plays_like_anybody(nobody):
    guest = Person()
    guest.token = nobody.post("/players/guest").json()["token"]
    seats = ["me", {"bot": "easy"}]
    match = guest.post("/matches", {"game": "gin", "seats": seats}).json()

    body = {"version": match["version"], "action": match["view"]["legal"][0]}
    assert guest.post(f"/matches/{match['id']}/moves", body).status_code == 201


# Refusals: 400


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/action"),
        ({"version": 5}, "/action"),
        ({"action": DRAW}, "/version"),
        ({"version": None, "action": DRAW}, "/version"),
        ({"version": -1, "action": DRAW}, "/version"),
        ({"version": "5", "action": DRAW}, "/version"),
        ({"version": 5.0, "action": DRAW}, "/version"),
        ({"version": 5, "action": None}, "/action"),
        ({"version": 5, "action": DRAW, "note": "hm"}, "/note"),
    ],
)
def test_a_body_of_another_shape_is_malformed(ann, match, body, pointer):
    told = refused(ann.post(f"/matches/{match.pk}/moves", body), 400, "malformed")

    assert told["errors"][0]["pointer"] == pointer
    nothing_stored(match)


@pytest.mark.parametrize(
    "action",
    [
        *("draw_stock", 1, [], [DRAW], {}, {"type": None}, {"type": "draw"}, {"type": "deal"}),
        {"type": "draw_stock", "card": "KD"},
        *({"type": "discard"}, {"type": "discard", "card": "10S"}, {"type": "discard", "card": 5}),
        {"type": "knock", "card": "KD", "melds": [["AC", "2C"]]},
        {"type": "knock", "card": "KD", "melds": [["AC", "2C", "XX"]]},
        {"type": "lay_off", "card": "KD", "meld": -1},
        {"type": "deal", "dealer": 0, "cards": list(DECK)},
        {"type": "resigned", "seat": 1},
    ],
)
def test_what_is_no_action_of_the_game_is_told(ann, match, action):
    told = refused(send(ann, match, 5, action), 400, "malformed-action")

    assert told["detail"].startswith("That is no action of this game")
    assert told["version"] == 5
    nothing_stored(match)


@pytest.mark.parametrize(
    ("version", "action", "status", "code"),
    [
        (4, DRAW, 409, "stale-version"),
        (5, "nonsense", 400, "malformed-action"),
        (5, {"type": "discard", "card": "AC"}, 422, "illegal-action"),
    ],
)
@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_a_refusal_tells_what_is_legal_as_the_view_does(
    ann, match, version, action, status, code, query
):
    sent = {"version": version, "action": action}
    told = refused(ann.post(f"/matches/{match.pk}/moves{query}", sent), status, code)

    assert told["legal"] == [DRAW, {"type": "take_discard"}]
    assert told["legal"] == ann.get(f"/matches/{match.pk}").json()["view"]["legal"]


def test_to_who_is_not_to_move_a_refusal_tells_of_nothing_legal(ann, bob, match):
    for version, action, status, code in [
        (5, DRAW, 409, "not-your-turn"),
        (4, DRAW, 409, "stale-version"),
        (5, "nonsense", 400, "malformed-action"),
    ]:
        assert refused(send(bob, match, version, action), status, code)["legal"] == []
    waiting = sit(ann, "open")
    assert refused(send(ann, waiting, 1, DRAW), 409, "match-not-started")["legal"] == []


def test_dry_run_is_true_or_false(ann, match):
    response = ann.move(match, "draw", query="?dry_run=1")

    assert refused(response, 400, "malformed")["detail"] == "/dry_run: dry_run is true or false."
    nothing_stored(match)


# Refusals: 401, 403, 404


def test_who_is_not_signed_in_plays_nothing(nobody, match):
    refused(send(nobody, match, 5, DRAW), 401, "not-authenticated")


def test_a_token_that_only_reads_plays_nothing(ann, match):
    refused(send(Person(ann.player, "read"), match, 5, DRAW), 403, "missing-scope")


def test_a_match_that_is_not_there_cannot_be_played(ann):
    refused(send(ann, Match(pk=UUID(int=1)), 5, DRAW), 404, "not-found")


def test_who_does_not_sit_there_does_not_play(eve, match):
    refused(send(eve, match, 5, DRAW), 403, "not-seated")
    nothing_stored(match)


def test_a_private_match_is_not_found_by_others(ann, bob, eve):
    refused(send(eve, sit(ann, bob, visibility="private"), 5, DRAW), 404, "not-found")


def test_who_is_only_invited_does_not_play_yet(ann, bob):
    ann.post("/matches", {"game": "gin", "seats": ["me", {"invite": "bob"}]})

    refused(send(bob, Match.objects.get(), 2, DRAW), 403, "not-seated")


# Refusals: 409, 412


def test_the_other_seats_turn_is_not_ones_own(bob, match):
    told = refused(send(bob, match, 5, DRAW), 409, "not-your-turn")

    assert "seat 0" in told["detail"]
    assert told["version"] == 5
    nothing_stored(match)


@pytest.mark.parametrize("version", [0, 4, 6, 2**31 - 1])
def test_another_version_is_stale_and_the_right_one_is_told(ann, match, version):
    told = refused(send(ann, match, version, DRAW), 409, "stale-version")

    assert told["version"] == 5
    nothing_stored(match)


def test_a_stale_version_is_told_before_whose_turn_it_is(bob, match):
    refused(send(bob, match, 4, DRAW), 409, "stale-version")


def test_any_tag_but_ones_own_of_this_version_fails_its_condition(ann, bob, nobody, match):
    own, *others = [who.get(f"/matches/{match.pk}")["ETag"] for who in (ann, bob, nobody)]

    for tag in (own.replace("5", "4", 1), *others, f"W/{own}", own.strip('"'), '"5-0"', "x", ""):
        response = ann.post(f"/matches/{match.pk}/moves", {"action": DRAW}, If_Match=tag)
        told = refused(response, 412, "version-mismatch")
        assert (told["version"], own in told["detail"]) == (5, True)
    nothing_stored(match)


def test_a_tag_and_a_version_that_disagree_are_stale(ann, match):
    tag = ann.get(f"/matches/{match.pk}")["ETag"]

    refused(send(ann, match, 4, DRAW, If_Match=tag), 409, "stale-version")
    refused(send(ann, match, 4, DRAW, If_Match="*"), 409, "stale-version")


def test_a_tag_of_a_match_that_may_not_be_seen_is_not_found(ann, bob, eve):
    hidden = sit(ann, bob, visibility="private")

    response = eve.post(f"/matches/{hidden.pk}/moves", {"action": DRAW}, If_Match="*")
    refused(response, 404, "not-found")


def test_a_match_that_waits_for_players_has_not_started(ann):
    told = refused(send(ann, sit(ann, "open"), 1, DRAW), 409, "match-not-started")

    assert told["version"] == 1


def test_nothing_is_played_after_the_end(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    told = refused(send(ann, match, match.version, DRAW), 409, "match-over")

    assert told["version"] == match.version
    nothing_stored(match)


# Refusals: 422, in words, with what is legal


@pytest.mark.parametrize(
    ("before", "action", "rule", "words"),
    [
        ((), {"type": "discard", "card": "5S"}, "draw-first", "Draw a card before you throw one"),
        ((), {"type": "pass"}, "no-pass", "A pass is only for the opening offer"),
        (("draw",), DRAW, "already-drawn", "You have drawn; now discard"),
        (("draw",), {"type": "discard", "card": "2D"}, "not-in-hand", "2D is not in your hand."),
        (("take",), {"type": "discard", "card": "9D"}, "taken-this-turn", "9D was taken this turn"),
        (
            ("draw",),
            {"type": "knock", "card": "2C"},
            "deadwood-too-high",
            "That leaves 19 points of deadwood; this deal allows at most 10.",
        ),
        (("draw",), {"type": "big_gin"}, "not-big-gin", "Not all eleven cards are in melds"),
        (
            ("draw",),
            {"type": "knock", "card": "KD", "melds": [["AC", "2C", "7D"]]},
            "no-meld",
            "AC 2C 7D is neither a set nor a run.",
        ),
    ],
)
def test_an_illegal_action_is_refused_in_words_with_what_is_legal(
    ann, match, before, action, rule, words
):
    match = played(match, *before)

    told = refused(send(ann, match, match.version, action), 422, "illegal-action")

    assert words in told["detail"]
    [error] = told["errors"]
    assert (error["pointer"], error["code"], error["detail"]) == ("/action", rule, told["detail"])
    assert told["legal"] == ann.get(f"/matches/{match.pk}").json()["view"]["legal"]
    assert told["version"] == match.version
    nothing_stored(match)


def test_a_lay_off_that_does_not_fit_is_told(ann, bob, match):
    played(match, *WINNING[:-1])

    told = refused(bob.move(match, "lay off 2D on 0"), 422, "illegal-action")

    assert told["detail"] == "2D does not fit AC 2C 3C."
    assert told["legal"] == [{"type": "finish_layoffs"}]
