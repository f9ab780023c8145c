"""What webhooks are told of matches."""

import pytest

from games.models import Match
from games.services import tables
from players import webhooks
from players.models import EVENTS, Delivery
from tests.games.people import WINNING, played, sit


@pytest.fixture
def hooked(ann, bob):
    """Both want to be told of everything."""
    for person in (ann, bob):
        webhooks.add(person.player, "https://bot.example.org/", EVENTS)


def told():
    """(name, event, version) in order; what was told is then forgotten."""
    rows = Delivery.objects.order_by("id").select_related("webhook__player")
    found = [(row.webhook.player.name, row.event, row.data["version"]) for row in rows]
    Delivery.objects.all().delete()
    return found


def test_a_match_that_starts_tells_all_and_whose_turn_it_is(ann, bob, hooked):
    match = sit(ann, "open")
    assert told() == []

    tables.join(match.pk, bob.player)

    assert sorted(told()) == [
        ("ann", "match.started", 4),
        ("ann", "match.your_turn", 4),
        ("bob", "match.started", 4),
    ]


def test_only_who_is_to_move_next_is_told(ann, bob, hooked):
    match = sit(ann, bob)
    told()

    match = played(match, "draw")
    assert told() == [], "ann is still to move"
    match = played(match, "discard 5S")
    assert told() == [("bob", "match.your_turn", 7)]


def test_the_end_is_told_to_all(ann, bob, hooked):
    match = sit(ann, bob, target=50)
    told()

    match = played(match, *WINNING)

    assert sorted(notice for notice in told() if notice[1] == "match.over") == [
        ("ann", "match.over", match.version),
        ("bob", "match.over", match.version),
    ]


def test_a_resignation_and_an_end_before_the_start_are_ends_too(ann, bob, hooked):
    match = sit(ann, bob)
    told()
    ann.post(f"/matches/{match.pk}/resignation")
    assert sorted(told()) == [("ann", "match.over", 6), ("bob", "match.over", 6)]


def test_the_next_deal_tells_who_begins_it(ann, bob, hooked):
    match = played(sit(ann, bob), *WINNING)
    assert match.status == "playing"

    assert told()[-1][:2] == (("ann", "bob")[match.turn], "match.your_turn")


def test_a_bot_is_told_nothing(ann, hooked):
    match = sit(ann, "easy")
    assert {name for name, *_ in told()} == {"ann"}
    played(match, "draw", "discard KD")
    assert told() == []


def test_no_card_is_told(ann, bob, hooked):
    played(sit(ann, bob, target=50), *WINNING)

    for row in Delivery.objects.all():
        assert set(row.data) == {"match", "game", "version", "status", "ended_by", "seat"}


def test_a_refused_move_tells_nothing(ann, bob, hooked):
    match = played(sit(ann, bob), "draw")
    told()

    assert ann.move(match, "discard KC").status_code == 422
    assert ann.move(match, "discard 5S", query="?dry_run=true").status_code == 200
    assert told() == []


def test_a_move_costs_no_statement_more_where_nobody_listens_and_two_where_one_does(
    ann, bob, count
):
    costs = []
    for hooks in (0, 1, 3):
        while webhooks.Webhook.objects.count() < hooks:
            webhooks.add(bob.player, "https://bot.example.org/", EVENTS)
        match = played(sit(ann, bob), "draw")
        with count() as statements:
            assert ann.move(match, "discard 5S", match.version).status_code == 201
        costs.append(statements())

    assert costs == [4, 6, 6]
    assert Match.objects.count() == 3
