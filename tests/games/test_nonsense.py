"""Whatever is sent, the answer is a problem that says what is wrong, never a crash."""

import json

import pytest
from django.test import Client

from games.models import Match
from tests.games.people import played, refused, sit

HUGE = 10**4400  # longer than Python prints
NUL = "a\0b"
WRONG = [
    *(None, True, -1, 4.5, 2**31, 2**63, 10**100, HUGE, 1e300),
    *("", "x", "5", NUL, "é\u202e𝕏" * 100, "x" * 100_000),
    *([], [[]], [{}], ["me"] * 1000, {}, {"": {}}, {NUL: NUL}, {"type": NUL}),
]
"""Values that are right nowhere, but for some options and fields that say so."""

WISH = b'{"game":"gin","seats":["me",%s]}'
OPTIONS = b'{"game":"gin","seats":["me","open"],"options":{%s}}'
PAIR = b"%s:%s"


def text(value):
    return b"1" + b"0" * 4400 if value == HUGE else json.dumps(value).encode()


def object_of(**fields):
    return b"{%s}" % b",".join(PAIR % (text(name), sent) for name, sent in fields.items())


def same(a, b):
    return type(a) is type(b) and a == b


@pytest.fixture
def match(ann, bob):
    for person in (ann, bob):
        person.client = Client(raise_request_exception=False)
    return played(sit(ann, bob), "draw")


def is_malformed(response, *codes):
    body = response.json()
    assert response.status_code == 400, body
    assert response["Content-Type"] == "application/problem+json"
    assert body["code"] in (codes or ("malformed",))
    assert body["detail"]


@pytest.mark.parametrize("field", ["game", "options", "seats", "visibility", "start", "more"])
def test_a_wrong_field_of_a_new_match_is_malformed(ann, match, field):
    for value in WRONG:
        if (field, value) != ("options", {}):
            body = {"game": b'"gin"', "seats": b'["me", "open"]', field: text(value)}
            is_malformed(ann.post("/matches", object_of(**body)))
    assert Match.objects.count() == 1


@pytest.mark.parametrize("name", ["bot", "invite", "more", NUL])
def test_a_wrong_wish_for_a_seat_is_malformed(ann, match, name):
    for value in WRONG:
        is_malformed(ann.post("/matches", WISH % object_of(**{name: text(value)})))


@pytest.mark.parametrize(
    "name", ["preset", "target", "knock_limit", "big_gin", "opening", "stock_floor", "more", NUL]
)
def test_a_wrong_option_is_malformed(ann, match, name):
    for value in WRONG:
        if not (name == "big_gin" and same(value, True)):
            is_malformed(ann.post("/matches", OPTIONS % PAIR % (text(name), text(value))))


@pytest.mark.parametrize("field", ["version", "action", "more"])
def test_a_wrong_field_of_a_move_is_malformed(ann, match, field):
    for value in WRONG:
        body = {"version": text(match.version), "action": b'{"type":"discard","card":"5S"}'}
        response = ann.post(f"/matches/{match.pk}/moves", object_of(**body | {field: text(value)}))
        is_malformed(response, "malformed", "malformed-action")
    assert match.moves.count() == match.version


@pytest.mark.parametrize("kind", ["discard", "knock", "lay_off", "draw_stock", "more"])
def test_a_wrong_field_of_an_action_is_malformed(ann, match, kind):
    for field in ("card", "melds", "meld", "type"):
        for value in WRONG:
            action = object_of(**{"type": text(kind), "card": b'"AC"', field: text(value)})
            body = object_of(version=text(match.version), action=action)
            response = ann.post(f"/matches/{match.pk}/moves", body)
            if (kind, field) == ("knock", "melds") and value in (None, []):
                refused(response, 422, "illegal-action")
            else:
                is_malformed(response, "malformed", "malformed-action")


def test_a_list_of_very_many_seats_is_answered_in_a_word(ann, match):
    for seat in (b"1", b'"me"', b'{"bot":0}'):
        response = ann.post("/matches", b'{"game":"gin","seats":[%s]}' % b",".join([seat] * 9000))
        is_malformed(response)
        assert len(response.content) < 1000


def test_a_wrong_seat_to_join_is_malformed(ann, bob, match):
    table = sit(ann, "open")

    for value in WRONG:
        if value is not None:
            is_malformed(bob.post(f"/matches/{table.pk}/seats", object_of(seat=text(value))))


@pytest.mark.parametrize("depth", [10, 500, *range(850, 1010, 15), 5000, 300_000])
def test_a_body_nested_deep_is_malformed_wherever_it_is_deep(ann, match, depth):
    deep = b"[" * depth + b"]" * depth
    version = text(match.version)
    for path, body in (
        ("/matches", object_of(game=b'"gin"', seats=deep)),
        ("/matches", object_of(game=deep, seats=b'["me","open"]')),
        ("/matches", WISH % object_of(bot=deep)),
        ("/matches", OPTIONS % PAIR % (b'"target"', deep)),
        (f"/matches/{match.pk}/seats", object_of(seat=deep)),
        (f"/matches/{match.pk}/moves", object_of(version=version, action=deep)),
        (
            f"/matches/{match.pk}/moves",
            object_of(version=version, action=b'{"type":"knock","card":"5S","melds":%s}' % deep),
        ),
    ):
        is_malformed(ann.post(path, body), "malformed", "malformed-action")


ONE = "%F0%9D%9F%8F"  # a digit one, among mathematical letters
QUERIES = ["", "x", "-1", "1.5", "a%00b", "%ff", ONE, "1" * 5000, "9" * 20, "null"]
LIMITS = ["001", "00000000000000000001", "000000001" + "0" * 30, "0" * 5000 + "1"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("/matches", name) for name in ("game", "status", "since", "until", "limit", "cursor")),
        *(("/matches/{}/moves", name) for name in ("after", "limit", "seat")),
        *(("/matches/{}/deals", name) for name in ("limit", "cursor")),
        *(("/matches/{}/replay", name) for name in ("at", "seat")),
    ],
)
def test_a_wrong_parameter_of_the_query_is_malformed(ann, match, path, name):
    for value in QUERIES:
        if (name, value) != ("cursor", ""):  # where no page begins, the first does
            response = ann.get(f"{path.format(match.pk)}?{name}={value}")
            is_malformed(response)
            assert response.json()["errors"][0]["parameter"] == name


def test_noughts_before_a_limit_do_not_lift_it(ann, match):
    for limit in LIMITS:
        response = ann.get(f"/matches/{match.pk}/moves?limit={limit}")
        assert response.status_code == 400 or len(response.json()["results"]) == 1, limit


def test_a_player_who_cannot_be_has_no_matches(ann, match):
    for name in [*QUERIES, "%00", "e" * 1000]:
        response = ann.get(f"/matches?player={name}")
        assert (response.status_code, response.json()["results"]) == (200, [])


def test_a_time_at_the_end_of_time_is_a_time_or_malformed(ann, match):
    for time in ("0001-01-01T00:00:00%2B23:59", "9999-12-31T23:59:59-23:59"):
        is_malformed(ann.get(f"/matches?since={time}"))
    for time in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00%2B23:59"):
        assert ann.get(f"/matches?until={time}").status_code == 200


def test_a_deal_that_was_not_dealt_is_not_found(ann, match):
    for number in ("0", "99", "9" * 20, "9" * 5000):
        refused(ann.get(f"/matches/{match.pk}/deals/{number}"), 404, "not-found")


def test_a_tag_that_was_not_given_is_another_version(ann, match):
    body = {"action": {"type": "discard", "card": "5S"}}
    for tag in ("", "x", '"', '"x-0"', "W/x", '"9999999999-0"', '"' * 1000, "1" * 5000, "é"):
        response = ann.post(f"/matches/{match.pk}/moves", body, If_Match=tag)
        refused(response, 412, "version-mismatch")
        assert ann.get(f"/matches/{match.pk}", If_None_Match=tag).status_code == 200
