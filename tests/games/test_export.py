"""GET /matches/{id}/export: what it holds is enough for anyone to check the whole match."""

import hashlib
import json

import msgspec
import pytest

from games.engine import GAMES, gin, log
from games.engine.cards import NAMES
from games.engine.clock import Clock, Time
from games.engine.game import DEALER, play
from games.engine.shuffle import lot, shuffle
from games.models import Match
from games.tasks import play_bot_turn
from tests.games.people import played, refused, sit

NOTHING = [b"", b"", b""]
"""The entropies of two bots, and of who started them."""


@pytest.fixture
def real_shuffles():
    return True


@pytest.fixture
def match(ann):
    """A match of bots, dealt from its own secret, played to its end."""
    seats = [{"bot": "easy"}, {"bot": "random"}]
    options = {"target": 10, "max_deals": 3, "tie": "undercut"}
    made = ann.post("/matches", {"game": "gin", "seats": seats, "options": options}).json()["id"]
    while (match := Match.objects.get(pk=made)).status == "playing":
        play_bot_turn(made, match.version)
    return match


def export(person, match):
    response = person.get(f"/matches/{match.pk}/export")
    assert response.status_code == 200
    head, *entries = map(json.loads, b"".join(response.streaming_content).splitlines())
    return head, entries


def test_it_is_a_file_of_json_lines(nobody, match):
    response = nobody.get(f"/matches/{match.pk}/export", Accept="application/x-ndjson")

    assert response.status_code == 200
    assert response["Content-Type"] == "application/x-ndjson"
    assert response["Content-Disposition"] == f'attachment; filename="{match.pk}.jsonl"'
    assert response["Cache-Control"] == "private, no-store"


def test_the_head_says_what_was_played_and_how_it_ended(nobody, match):
    head, entries = export(nobody, match)

    assert head["match"] == str(match.pk)
    assert (head["game"], head["seats"], head["status"]) == ("gin", 2, "finished")
    assert head["options"] == match.options
    assert head["versions"] == len(entries) == match.version
    assert [entry["version"] for entry in entries] == list(range(1, match.version + 1))
    assert head["places"] == list(match.seats.order_by("number").values_list("place", flat=True))


def test_the_pure_engine_plays_it_again_to_the_same_end(nobody, match):
    head, entries = export(nobody, match)
    options = msgspec.convert(head["options"], gin.Options)

    state = gin.new(options, head["seats"])
    for entry in entries:
        if entry["seat"] == DEALER:
            state = gin.apply(state, msgspec.convert(entry["action"], gin.DealerAction))
        elif entry["seat"] >= 0:
            action = msgspec.convert(entry["action"], gin.Action)
            state = play(gin, state, entry["seat"], action)  # which refuses what is illegal

    assert state.turn is None
    assert list(state.scores) == head["scores"]
    assert list(state.places) == head["places"]


def test_its_fold_is_the_position_that_the_service_kept(nobody, match):
    head, lines = export(nobody, match)
    entries = [
        log.read_entry(gin, line["seat"], line["action"], msgspec.convert(line["at"], Time))
        for line in lines
    ]
    options = msgspec.convert(head["options"], GAMES[head["game"]].Options)

    clock = msgspec.convert(head["clock"], Clock)
    *_, position = log.positions(gin, options, head["seats"], entries, clock)

    assert position == match.folded()


def test_every_shuffle_follows_from_the_secret_that_was_promised(nobody, match):
    head, entries = export(nobody, match)
    secret = bytes.fromhex(head["secret"])
    deals = [entry["action"] for entry in entries if entry["seat"] == DEALER]

    assert hashlib.sha256(secret).hexdigest() == head["commitment"] == match.commitment
    for number, deal in enumerate(deals):
        assert tuple(deal["cards"]) == shuffle(secret, NOTHING, number, NAMES)
    assert deals[0]["dealer"] == lot(secret, NOTHING, 0, 2)


def test_a_resigned_match_is_exported_too(ann, bob, nobody):
    match = played(sit(ann, bob), "draw")
    ann.post(f"/matches/{match.pk}/resignation")

    head, entries = export(nobody, match)

    assert (head["places"], entries[-1]["action"]) == ([2, 1], {"type": "resigned", "seat": 0})


# Refusals


def test_the_log_is_closed_while_the_match_lives(ann, bob, nobody):
    for match in (played(sit(ann, bob), "draw"), sit(ann, "open")):
        for person in (ann, nobody):
            refused(person.get(f"/matches/{match.pk}/export"), 409, "match-not-over")
            asked = person.get(f"/matches/{match.pk}/export", Accept="application/x-ndjson")
            refused(asked, 409, "match-not-over")
