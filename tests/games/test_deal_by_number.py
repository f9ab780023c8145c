"""POST /matches for practice, with a deal by its number or one that can be cleared."""

import json

import pytest
from django.core.management import call_command

from games.engine.cards import NAMES
from games.engine.shuffle import shuffle
from games.models import Match
from games.services import ends, numbers, tables
from tests.exports import RULES, sealed_anew, unsealed, verify
from tests.games.people import refused, sit
from tests.games.practising import alone, cards, cleared, deck, practice

LAST = 1_000_000


@pytest.fixture
def real_shuffles():
    return True


def made(person, **options):
    body = {"game": "pyramid", "seats": ["me"], "options": options}
    return person.post("/matches", body)


def exported(person, match):
    response = person.get(f"/matches/{match.pk}/export")
    return b"".join(response.streaming_content)


def test_a_deal_of_a_number_is_the_same_for_everyone(ann, bob):
    one = made(ann, practice=True, deal_number=1234).json()
    other = made(bob, practice=True, deal_number=1234, redeals=0).json()

    assert one["options"]["deal_number"] == other["options"]["deal_number"] == 1234
    assert one["view"]["pyramid"] == other["view"]["pyramid"] == list(deck(1234)[:28])
    assert {cards(match) for match in Match.objects.all()} == {deck(1234)}
    assert made(ann, practice=True, deal_number=1235).json()["view"]["pyramid"] == list(
        deck(1235)[:28]
    )


def test_without_a_number_one_is_drawn_and_told(ann):
    found = [made(ann, practice=True).json() for _ in range(4)]

    drawn = [match["options"]["deal_number"] for match in found]
    assert len(set(drawn)) == 4
    for match, number in zip(found, drawn, strict=True):
        assert 1 <= number <= LAST
        assert match["view"]["pyramid"] == list(deck(number)[:28])


def test_a_clearable_deal_can_be_cleared(ann):
    """Of deals without a redeal a tenth can be."""
    for _ in range(3):
        match = made(ann, practice=True, clearable=True, redeals=0).json()
        found = ann.post(f"/matches/{match['id']}/clearable").json()
        assert found["clearable"] == "yes"
        assert match["options"]["deal_number"]


def test_a_number_that_is_given_is_taken_as_it_is(ann):
    made(ann, practice=True, deal_number=2, clearable=True)

    assert cards(Match.objects.get()) == deck(2)


def test_later_rounds_have_the_numbers_that_follow(ann):
    match = cleared(ann, practice(ann, deal_number=8))

    assert cards(match, round=2) == deck(9)


def test_the_export_says_the_number_and_all_of_it_can_be_checked(ann):
    match = cleared(ann, practice(ann, deal_number=8))
    ends.resign(match.pk, ann.player)

    data = exported(ann, match)

    assert json.loads(data.splitlines()[0])["options"]["deal_number"] == 8
    told = verify.verify(data, match.commitment, RULES)
    assert "Every deal (2) is that of its public number; no secret is in it." in told


def test_a_deal_of_another_number_does_not_pass_as_this_one(ann):
    match = practice(ann, deal_number=8)
    ends.resign(match.pk, ann.player)
    head, *entries = unsealed(exported(ann, match))
    head["options"]["deal_number"] = 9

    with pytest.raises(verify.Wrong, match="the shuffle gives"):
        verify.verify(sealed_anew([head, *entries]))


def test_a_rematch_has_another_deal(ann):
    match = practice(ann, clearable=True)
    ends.resign(match.pk, ann.player)

    following, _ = tables.rematch(match.pk, ann.player)

    assert following.options | {"deal_number": 0} == match.options | {"deal_number": 0}
    assert following.options["deal_number"] != match.options["deal_number"]


def test_play_now_deals_by_number_too(ann):
    body = {"game": "pyramid", "options": {"practice": True, "deal_number": 77}}

    assert ann.post("/matches/quick", body).json()["view"]["pyramid"] == list(deck(77)[:28])


def test_an_ordinary_match_is_dealt_from_its_secret(ann):
    match = alone(ann)

    assert match.options["deal_number"] is None
    assert cards(match) == shuffle(bytes(match.secret), (b"", b""), 0, NAMES)


def test_practice_counts_for_nothing(ann):
    match = practice(ann)
    assert made(ann, practice=True).json()["rated"] is False
    ends.resign(match.pk, ann.player)

    refused(ann.post(f"/matches/{match.pk}/score"), 409, "not-postable")
    assert ann.get("/players/ann/stats").json()["games"] == []
    ends.resign(alone(ann).pk, ann.player)
    [told] = ann.get("/players/ann/stats").json()["games"]
    assert (told["total"]["matches"], told["total"]["deals"]) == (1, 0)


# Refusals


@pytest.mark.parametrize("option", [{"deal_number": 7}, {"clearable": True}])
def test_only_practice_has_a_choice_of_deals(ann, option):
    body = refused(made(ann, **option), 409, "not-a-practice-match")

    assert body["errors"][0]["pointer"] == f"/options/{next(iter(option))}"
    body = {"game": "pyramid", "options": option}
    refused(ann.post("/matches/quick", body), 409, "not-a-practice-match")
    assert not Match.objects.exists()


@pytest.mark.parametrize("number", [0, -1, LAST + 1, 10**30, 1.5, "7"])
def test_there_is_no_deal_of_such_a_number(ann, number):
    refused(made(ann, practice=True, deal_number=number), 400, "malformed")


def test_a_game_without_numbered_deals_knows_no_such_option(ann):
    body = {"game": "gin", "seats": ["me", "open"], "options": {"deal_number": 7}}

    refused(ann.post("/matches", body), 400, "malformed")


def test_when_no_clearable_deal_is_found_it_is_said(ann, monkeypatch):
    monkeypatch.setattr(numbers, "NODES", 0)

    refused(made(ann, practice=True, clearable=True), 409, "no-clearable-deal")
    assert not Match.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_logs_of_numbered_deals_are_verified(ann):
    cleared(ann, practice(ann, deal_number=8))
    sit(ann, game="pyramid")

    call_command("verify_logs")
