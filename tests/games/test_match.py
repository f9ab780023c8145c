"""GET /matches/{id}"""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.queries import tag
from players import services
from tests.games.people import WINNING, Person, played, refused, sit


@pytest.fixture
def match(ann, bob):
    return played(sit(ann, bob), "draw")


def tag_of(person, match):
    return person.get(f"/matches/{match.pk}")["ETag"]


def test_each_sees_his_own_hand_and_a_spectator_none(ann, bob, eve, nobody, match):
    seen = {
        who: person.get(f"/matches/{match.pk}").json()
        for who, person in (("ann", ann), ("bob", bob), ("eve", eve), ("nobody", nobody))
    }

    assert [body["you"] for body in seen.values()] == [0, 1, None, None]
    hands = [body["view"]["hand"] for body in seen.values()]
    assert [hand and len(hand) for hand in hands] == [11, 10, None, None]
    assert [body["view"]["last"]["card"] for body in seen.values()] == ["KD", None, None, None]
    assert [bool(body["view"]["legal"]) for body in seen.values()] == [True, False, False, False]
    assert {body["awaiting"]["seat"] for body in seen.values()} == {0}


def test_whoever_may_only_read_may_look(ann, match):
    assert Person(ann.player, "read").get(f"/matches/{match.pk}").json()["you"] == 0


def test_an_open_match_can_be_looked_at(ann, nobody):
    body = nobody.get(f"/matches/{sit(ann, 'open').pk}").json()

    assert (body["status"], body["view"], body["turn"]) == ("open", None, None)


def test_the_secret_is_shown_after_the_end_and_not_before(ann, bob, nobody):
    match = sit(ann, bob, target=50)
    assert nobody.get(f"/matches/{match.pk}").json()["secret"] is None

    played(match, *WINNING)

    for person in (ann, bob, nobody):
        assert person.get(f"/matches/{match.pk}").json()["secret"] == match.secret.hex()


def test_how_the_last_deal_ended_stays_while_the_next_is_played(ann, bob, nobody):
    match = played(sit(ann, bob), *WINNING)

    body = nobody.get(f"/matches/{match.pk}").json()

    assert body["deal"] == {"number": 2, "dealer": 0}
    assert (body["result"]["deal"], body["result"]["ending"]) == (1, "knock")


# Answers that are not sent twice


def test_the_tag_is_of_the_version_and_the_seat(ann, bob, eve, nobody, match):
    tags = [person.get(f"/matches/{match.pk}")["ETag"] for person in (ann, bob, eve, nobody)]

    assert [tag.rpartition("-")[0] for tag in tags] == ['"6-0', '"6-1', '"6-s', '"6-s']


def test_what_has_not_changed_is_not_sent_again(ann, nobody, match):
    for person in (ann, nobody):
        known = tag_of(person, match)

        response = person.get(f"/matches/{match.pk}", If_None_Match=known)

        assert (response.status_code, response.content, response["ETag"]) == (304, b"", known)


def test_one_of_several_tags_is_enough(ann, match):
    several = '"1-0", W/"2-0", ' + tag_of(ann, match)

    assert ann.get(f"/matches/{match.pk}", If_None_Match=several).status_code == 304


@pytest.mark.parametrize("sent", ["W/{}", '"1-0", W/{}', "*"])
def test_a_tag_that_a_proxy_has_made_weak_is_enough_and_so_is_a_star(ann, match, sent):
    known = tag_of(ann, match)

    response = ann.get(f"/matches/{match.pk}", If_None_Match=sent.format(known))

    assert (response.status_code, response["ETag"]) == (304, known)


def test_a_star_is_no_door_to_a_match_that_may_not_be_seen(ann, bob, eve):
    hidden = sit(ann, bob, visibility="private")

    refused(eve.get(f"/matches/{hidden.pk}", If_None_Match="*"), 404, "not-found")


@pytest.mark.parametrize(
    "change", [("6", "5"), ("-0-", "-1-"), ("-0-", "-s-"), ('"', ""), ('"6', "*")]
)
def test_another_tag_gets_the_match(ann, match, change):
    known = tag_of(ann, match)

    response = ann.get(f"/matches/{match.pk}", If_None_Match=known.replace(*change, 1))

    assert (response.status_code, response["ETag"]) == (200, known)


def test_the_new_name_of_a_guest_changes_the_tag(ann, nobody):
    guest = services.make_guest()
    match = sit(ann, Person(guest))
    known = [(person, tag_of(person, match)) for person in (ann, nobody)]
    services.become_account(guest, "zoe", "a long password")

    for person, old in known:
        response = person.get(f"/matches/{match.pk}", If_None_Match=old)
        assert response.status_code == 200
        assert response["ETag"] != old


def test_each_move_changes_the_tag(ann, match):
    known = tag_of(ann, match)
    played(match, "discard 5S")

    assert ann.get(f"/matches/{match.pk}", If_None_Match=known).status_code == 200


def test_an_unchanged_match_costs_one_small_statement_after_authentication(ann, nobody, match):
    for person, statements in ((ann, 2), (nobody, 1)):
        known = tag_of(person, match)
        with CaptureQueriesContext(connection) as caught:
            assert person.get(f"/matches/{match.pk}", If_None_Match=known).status_code == 304
        assert len(caught) == statements
        sql = caught[-1]["sql"]
        assert '"position"' not in sql
        assert '"options"' not in sql


def test_no_cache_may_keep_a_match_for_others(ann, match):
    for known in ("", tag_of(ann, match)):
        response = ann.get(f"/matches/{match.pk}", If_None_Match=known)
        assert response["Cache-Control"] == "private, no-store"
        assert {"Authorization", "Cookie"} <= set(response["Vary"].split(", "))


# Refusals


def test_a_match_that_is_not_there_is_not_found(ann, nobody):
    for person in (ann, nobody):
        refused(person.get(f"/matches/{UUID(int=1)}"), 404, "not-found")
        refused(person.get(f"/matches/{UUID(int=1)}", If_None_Match='"6-s"'), 404, "not-found")


@pytest.mark.parametrize("id", ["1", "gin", "01a22a92-7607-723c-8cf9-cb6408d2768"])
def test_what_is_no_id_is_not_found(ann, id):
    refused(ann.get(f"/matches/{id}"), 404, "not-found")


PARTS = ["", "/moves", "/deals", "/deals/1", "/replay", "/replay?seat=all", "/export"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("ended", [False, True])
def test_a_private_match_is_not_found_by_others_nor_any_part_of_it(
    ann, bob, eve, nobody, part, ended
):
    match = played(sit(ann, bob, visibility="private", target=50), *WINNING * ended)
    known = tag(match.version, None, ["ann", "bob"])

    for person in (eve, nobody):
        refused(person.get(f"/matches/{match.pk}{part}"), 404, "not-found")
        tagged = person.get(f"/matches/{match.pk}{part}", If_None_Match=known)
        refused(tagged, 404, "not-found")
    assert bob.get(f"/matches/{match.pk}{part}").status_code == (
        200 if ended or part not in PARTS[-2:] else {PARTS[-1]: 409}.get(part, 403)
    )


def test_who_was_invited_to_a_private_match_may_look_at_it(ann, bob):
    body = {"game": "gin", "seats": ["me", {"invite": "bob"}], "visibility": "private"}
    match = ann.post("/matches", body).json()["id"]

    assert bob.get(f"/matches/{match}").json()["you"] is None


def test_other_methods_are_refused(ann, match):
    response = ann.send("DELETE", f"/matches/{match.pk}")

    refused(response, 405, "method-not-allowed")
    assert "GET" in response["Allow"]


def test_head_and_options_are_answered(ann, nobody, match):
    assert nobody.send("HEAD", f"/matches/{match.pk}").status_code == 200
    assert ann.send("OPTIONS", f"/matches/{match.pk}").status_code == 200
