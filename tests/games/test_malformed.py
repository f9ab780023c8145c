"""Ten thousand malformed bodies, at every operation that reads one: each is told what is wrong.

Made by chance from bodies that are right, each in a way that cannot be right.
"""

import json
from random import Random

import pytest

from tests.games.situations import SITUATIONS
from tests.games.test_retries import everything, writers
from tests.games.test_schema import document

BODIES = 10_000
COMES_IN = {
    "register": {"name": "zoe", "password": "correct horse battery"},
    "sign_in": {"name": "zoe", "password": "correct horse battery", "cookie": False},
    "make_guest": {"cookie": False},
    "issue_token": {"name": "mine", "scopes": ["read"]},
    "add_webhook": {"url": "https://bot.example.org/", "events": ["match.over"]},
}
"""Bodies that are right where a key is refused, so that they stand in no situation."""
READERS = sorted(
    operation["operationId"]
    for methods in document()["paths"].values()
    for operation in methods.values()
    if "requestBody" in operation
)
JSON = "application/json"
TYPES = ["", "text/plain", "application/xml", "multipart/form-data", "application/jsonp", "a/b;c"]
NEVER = [
    *(b"[[]]", b"-1.5", b'"\\u0000"', b'{"\\u0000":[]}', b"1" + b"0" * 400, b"1" + b"0" * 5000),
    *(b"NaN", b"-Infinity", b"1e999", b"01", b"+1", b'"\\ud800"', b'"\\x"', b"'a'", b"undefined"),
]
"""Right for no field: of a type that is none's, too large, or no JSON."""
NAMES = ["\0", "é", "\u202e", "𝕏", "__proto__", "x" * 10_000, "", " ", "id", "NAME", "$ref"]


def text_of(fields):
    return b"{%s}" % b",".join(b"%s:%s" % (json.dumps(n).encode(), v) for n, v in fields)


def cut_short(rng, fields):
    text = text_of(fields)
    return text[: rng.randrange(1, len(text))], JSON


def byte_put_in(rng, fields):
    text, at = text_of(fields), rng.randrange(1, len(text_of(fields)))
    return text[:at] + rng.choice([b"\0", b"\xff", b"\x01", b"\xc3\x28", b"\xed\xa0\x80"]) + text[
        at:
    ], JSON


def more_at_the_end(rng, fields):
    return text_of(fields) + rng.choice([b"}", b"x", b"{}", b"\0", b",", text_of(fields)]), JSON


def no_object(rng, fields):
    return rng.choice([b"[]", b"[%s]" % text_of(fields), b"0", b'"a"', b"true", b"[[],{}]"]), JSON


def unknown_field(rng, fields):
    value = rng.choice([b"null", b"1", b"[]", b'"\\ud83c\\udca1"', b"{}"])
    return text_of([*fields, (rng.choice(NAMES) + str(rng.random()), value)]), JSON


def field_twice(rng, fields):
    return text_of([*fields, rng.choice(fields)]), JSON


def too_deep(rng, fields):
    depth = rng.choice([20, 21, 100, 1000, 5000])
    deep = rng.choice([b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth])
    return text_of(changed(rng, fields, deep)), JSON


def wrong_value(rng, fields):
    return text_of(changed(rng, fields, rng.choice(NEVER))), JSON


def changed(rng, fields, value):
    at = rng.randrange(len(fields))
    return [(name, value if n == at else old) for n, (name, old) in enumerate(fields)]


def other_encoding(rng, fields):
    return text_of(fields).decode().encode(rng.choice(["utf-16", "utf-32", "utf-8-sig"])), JSON


def other_type(rng, fields):
    return text_of(fields), rng.choice(TYPES)


WAYS = [
    *(cut_short, byte_put_in, more_at_the_end, no_object, unknown_field, field_twice, too_deep),
    *(wrong_value, other_encoding, other_type),
]


def right(name, ann, bob):
    """Method, path, and the fields of a body that would do."""
    method, path, _ = writers()[name]
    if name in SITUATIONS:
        path, body = SITUATIONS[name](ann, bob)
    else:
        body = COMES_IN[name]
    sent = (body or {}).items()
    return method, path, [(field, json.dumps(value).encode()) for field, value in sent]


@pytest.mark.parametrize("name", READERS)
def test_whatever_is_malformed_is_told_so_and_does_nothing(name, ann, bob):
    method, path, fields = right(name, ann, bob)
    fields = fields or [("more", b"1")]
    before, rng = everything(), Random(name)
    ann.client.raise_request_exception = False
    headers = {"Authorization": f"Bearer {ann.token}"}
    for number in range(BODIES // len(READERS) + 1):
        way = WAYS[number % len(WAYS)]
        body, kind = way(rng, fields)
        response = ann.client.generic(method, f"/api/v1{path}", body, kind, headers=headers)
        told = response.json()
        assert response.status_code == (415 if way is other_type else 400), (way, body, told)
        assert response["Content-Type"] == "application/problem+json"
        assert told["detail"] and len(response.content) < 3000
    assert everything() == before


def test_a_body_without_a_fault_would_have_been_taken(ann, bob):
    for name in READERS:
        method, path, fields = right(name, ann, bob)
        if name != "sign_in":
            response = ann.send(method, path, text_of(fields))
            assert response.status_code < 300, (name, response.content)
