"""POST /matches/{id}/continuations: an ended match, played on from any moment of it."""

import json
from random import Random
from uuid import UUID

import pytest
from django.core.management import call_command

from games import bots, replays
from games.engine import GAMES, log
from games.engine.game import DEALER
from games.models import Match, RatingChange, Tally
from games.services import ends, mending, moves
from games.tasks import play_bot_turn
from players.models import Player
from tests.exports import RULES, sealed_anew, unsealed, verify
from tests.games.people import Person, played, refused, sit

pytestmark = pytest.mark.django_db(transaction=True)
FAR = 30
"""Moves after which a match is resigned."""


@pytest.fixture
def real_shuffles():
    return True


def play_on(person, match, version, **body):
    return person.post(f"/matches/{match.pk}/continuations", {"version": version, **body})


def made(response):
    assert response.status_code == 201, response.json()
    return Match.objects.get(pk=response.json()["id"])


def on_and_on(person, match, turns=FAR):
    """The match after so many turns of bots, one of which plays for the person too."""
    for number in range(turns):
        match = Match.objects.get(pk=match.pk)
        if match.status != "playing":
            break
        if match.bot_to_move:
            play_bot_turn(str(match.pk), match.version)
            continue
        position = match.folded()
        seen = log.view(match.rules, position, position.turn)
        action = bots.choose(match.game, seen, bots.LEVELS[match.game][1], Random(number))
        moves.play_move(match.pk, person.player, match.version, log.plain(action))
    return Match.objects.get(pk=match.pk)


def ended(person, match, turns=FAR):
    match = on_and_on(person, match, turns)
    return ends.resign(match.pk, person.player) if match.status == "playing" else match


def of_game(person, name, turns=FAR, **options):
    """An ended match of a game, in which the person sat in seat 0 with bots."""
    others = [{"bot": bots.LEVELS[name][1]}] * (GAMES[name].SEATS[0] - 1)
    table = {"game": name, "seats": ["me", *others], "options": options}
    body = person.post("/matches", table).json()
    return ended(person, Match.objects.get(pk=body["id"]), turns)


def seen(person, match, version, seat=0):
    return person.get(f"/matches/{match.pk}/replay?at={version}&seat={seat}").json()["view"]


def exported(match):
    return b"".join(Person().get(f"/matches/{match.pk}/export").streaming_content)


def to_move(match):
    """A version in the middle of the match at which seat 0 is to move."""
    found = [
        move.version
        for move in match.moves.order_by("version")[4:]
        if match.moves.filter(version=move.version + 1, seat=0).exists()
    ]
    return found[len(found) // 2]


@pytest.mark.parametrize("name", GAMES)
def test_it_begins_as_the_other_did_and_goes_on_by_itself(ann, name):
    source = of_game(ann, name)
    version = to_move(source)

    response = play_on(ann, source, version)

    match = made(response)
    body = response.json()
    assert response["Location"] == f"/api/v1/matches/{match.pk}"
    assert body["continues"] == {"match": str(source.pk), "version": version}
    assert (body["you"], body["turn"], body["status"]) == (0, 0, "playing")
    before = seen(ann, source, version)
    assert [body["view"][f] for f in ("phase", "scores", "deal")] == [
        before[f] for f in ("phase", "scores", "deal")
    ]
    assert body["view"].get("hand") == before.get("hand")
    assert played_cards(match) == played_cards(source)[: len(played_cards(match))]
    over = ended(ann, match)
    call_command("verify_logs")
    done = verify.verify(exported(over), body["commitment"], RULES)
    assert f"The match goes on from {source.pk}" in "\n".join(done)


def played_cards(match):
    return list(match.moves.filter(seat__gte=DEALER).order_by("version").values("seat", "action"))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_copied_looks_from_each_seat_as_it_did(ann, name):
    source = of_game(ann, name)
    match = made(play_on(ann, source, to_move(source)))
    match = ends.resign(match.pk, ann.player)

    gone = source.moves.filter(seat__gte=DEALER).order_by("version")
    copy = match.moves.filter(seat__gte=DEALER).order_by("version")
    for old, new in list(zip(gone, copy, strict=False))[::7]:
        for seat in range(len(match.position["seats"])):
            there, here = seen(ann, source, old.version, seat), seen(ann, match, new.version, seat)
            for changed in ("options", "legal", "result"):  # practice may take back
                there.pop(changed), here.pop(changed)
            assert there == here


def test_the_next_deal_comes_from_its_own_secret(ann):
    source = of_game(ann, "gin", turns=400, max_deals=3)
    assert source.deals.count() > 1
    first = source.deals.get(number=1)
    match = made(play_on(ann, source, first.last_version - 1))

    match = on_and_on(ann, match, turns=400)

    dealers = [m.action["cards"] for m in match.moves.filter(seat=DEALER).order_by("version")]
    theirs = [m.action["cards"] for m in source.moves.filter(seat=DEALER).order_by("version")]
    assert dealers[0] == theirs[0]
    assert len(dealers) > 1 and dealers[1] != theirs[1]
    assert bytes(match.secret) != bytes(source.secret)
    call_command("verify_logs")


def test_between_two_deals_the_next_is_dealt_anew(ann):
    source = of_game(ann, "gin", turns=400, max_deals=3)
    last = source.deals.get(number=1).last_version

    match = made(play_on(ann, source, last))

    assert match.folded().state.deal == 2
    assert match.folded().state.scores == seen_scores(ann, source, last)
    call_command("verify_logs")


def seen_scores(person, match, version):
    return tuple(seen(person, match, version)["scores"])


def test_it_can_itself_be_played_on_from_and_still_be_checked(ann):
    source = of_game(ann, "gin", turns=400, max_deals=3)
    second = made(play_on(ann, source, source.deals.get(number=1).last_version))
    second = ended(ann, second, turns=400)
    assert second.deals.count() > 2

    third = ended(ann, made(play_on(ann, second, second.deals.get(number=3).first_version)))

    assert json.loads(exported(third).splitlines()[4])["action"]["match"] == str(second.pk)
    told = "\n".join(verify.verify(exported(third), third.commitment, RULES))
    assert f"{source.commitment}, {second.commitment}" in told
    call_command("verify_logs")


def test_the_others_secret_is_not_told_before_the_end(ann):
    source = of_game(ann, "gin")
    match = made(play_on(ann, source, to_move(source)))
    path = f"/matches/{match.pk}"

    for address in (path, f"{path}/moves?limit=1000", f"{path}/events", f"{path}/replay?at=4"):
        response = ann.get(address, Accept="application/x-ndjson" if "events" in address else "*/*")
        text = response.content.decode()
        assert source.secret_hex not in text, address
    rows = ann.get(f"{path}/moves").json()["results"]
    told = {"type": "continued", "match": str(source.pk), "version": to_move(source)}
    assert rows[3]["last"]["action"] == told
    assert rows[3]["words"] == f"the match goes on from version {to_move(source)} of another"


def test_it_is_unrated_and_counts_for_nothing(ann):
    source = of_game(ann, "gin")
    version = to_move(source)
    before = Tally.objects.count(), RatingChange.objects.count()

    match = ended(ann, made(play_on(ann, source, version)))

    assert match.status == "finished" and not match.rated
    assert (Tally.objects.count(), RatingChange.objects.count()) == before


def test_its_score_cannot_be_posted(ann):
    source = of_game(ann, "pyramid")
    match = ended(ann, made(play_on(ann, source, to_move(source))))

    said = refused(ann.post(f"/matches/{match.pk}/score"), 409, "not-postable")

    assert said["detail"] == "The match went on from another one; its score does not count."


@pytest.mark.parametrize("name", GAMES)
def test_hints_are_given_in_it(ann, name):
    source = of_game(ann, name)
    match = made(play_on(ann, source, to_move(source)))

    hint = ann.get(f"/matches/{match.pk}/hint")

    assert hint.status_code == 200
    assert (
        hint.json()["best"][0]["action"] in ann.get(f"/matches/{match.pk}").json()["view"]["legal"]
    )


def test_pyramid_can_be_taken_back_in_it_to_the_deal_and_be_asked_whether_it_can_be_cleared(ann):
    source = of_game(ann, "pyramid", turns=3)
    match = made(play_on(ann, source, source.version - 1))

    assert {"type": "undo"} in ann.get(f"/matches/{match.pk}").json()["view"]["legal"]
    assert ann.post(f"/matches/{match.pk}/clearable").status_code == 200
    refused(ann.post(f"/matches/{match.pk}/restart"), 409, "not-offered")


def test_a_practice_match_goes_on_by_its_numbers(ann):
    body = {"game": "pyramid", "seats": ["me"], "options": {"practice": True, "deal_number": 7}}
    source = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    source = ended(ann, source, turns=5)

    match = ended(ann, made(play_on(ann, source, source.version - 1)))

    assert match.options == source.options
    assert "Every deal (1) is that of its public number" in "\n".join(
        verify.verify(exported(match), match.commitment, RULES)
    )


def changed(match, change):
    head, *entries = unsealed(exported(match))
    change(entries[3]["action"]["shuffles"][0], entries)
    return sealed_anew([head, *entries])


@pytest.mark.parametrize(
    "change",
    [
        lambda shuffle, entries: shuffle.update(secret="00" * 32),
        lambda shuffle, entries: shuffle.update(entropies=["x", "", ""]),
        lambda shuffle, entries: shuffle.update(number=1),
        lambda shuffle, entries: entries[4]["action"]["cards"].reverse(),
        lambda shuffle, entries: entries[3]["action"].update(shuffles=[]),
    ],
    ids=["secret", "entropies", "number", "cards", "all"],
)
def test_a_copied_deal_that_was_changed_is_found(ann, change):
    source = of_game(ann, "gin")
    match = ended(ann, made(play_on(ann, source, to_move(source))))
    verify.verify(exported(match), match.commitment)

    with pytest.raises(verify.Wrong, match=r"version 5\): the shuffle gives"):
        verify.verify(changed(match, change), match.commitment)


def test_what_an_operator_has_taken_back_is_not_copied(ann):
    source = of_game(ann, "gin", turns=400, max_deals=3)
    assert source.deals.count() > 1
    first = source.deals.get(number=1)
    boss = Player.objects.create(name="boss", is_staff=True, is_superuser=True)
    mending.roll_back(source.pk, boss, "a test", source.version, first.last_version - 1)
    source = ended(ann, Match.objects.get(pk=source.pk), turns=400)
    assert (
        source.deals.get(number=2).last_version
        > source.moves.get(action__type="rolled_back").version
    )

    match = made(play_on(ann, source, source.deals.get(number=2).last_version - 1))

    dealt = [m.action["cards"] for m in match.moves.filter(seat=DEALER).order_by("version")]
    theirs = [m.action["cards"] for m in source.moves.filter(seat=DEALER).order_by("version")]
    assert dealt[0] == theirs[0] and dealt[1] not in theirs[:2]
    call_command("verify_logs")
    over = ended(ann, match)
    verify.verify(exported(over), over.commitment, RULES)


def test_a_deal_that_was_taken_back_is_played_on_in_its_new_order(ann):
    source = of_game(ann, "gin", turns=12)
    boss = Player.objects.create(name="boss", is_staff=True, is_superuser=True)
    version = to_move(source)
    mending.roll_back(source.pk, boss, "a test", source.version, version)
    source = ended(ann, Match.objects.get(pk=source.pk), turns=6)

    match = made(play_on(ann, source, source.version - 1))

    assert match.moves.filter(action__type="reshuffle").count() == 1
    rows = ann.get(f"/matches/{match.pk}/moves?limit=1000").json()["results"]
    words = [row["words"] for row in rows]
    assert words.count("what nobody had seen is shuffled anew, as it was in that match") == 1
    assert not any("operator" in told for told in words)
    here, there = match.folded().state, replays.position_at(source, source.version - 1).state
    assert (here.hands, here.stock, here.turn) == (there.hands, there.stock, there.turn)
    call_command("verify_logs")
    over = ended(ann, match)
    verify.verify(exported(over), over.commitment, RULES)


# Who sits where


def test_who_did_not_play_takes_the_seat_to_move_or_any_other(ann, eve):
    source = of_game(ann, "gin")
    version = to_move(source)

    assert play_on(eve, source, version).json()["you"] == 0
    others = source.moves.filter(seat=1, version__gt=4).earliest("version").version - 1
    assert play_on(eve, source, others).json()["you"] == 1
    body = play_on(eve, source, version, seat=1, bots="random").json()
    assert [(seat["player"], seat["bot"]) for seat in body["seats"]] == [
        (None, "random"),
        ("eve", None),
    ]
    assert body["view"]["hand"] == seen(ann, source, version, seat=1)["hand"]


def test_who_played_takes_his_seat_against_the_easiest_bots(ann, bob):
    source = played(sit(ann, bob), "draw")
    ends.resign(source.pk, ann.player)
    body = play_on(bob, source, source.version).json()

    assert body["you"] == 1
    assert body["seats"][0]["bot"] == bots.LEVELS["gin"][1]


def test_what_one_gives_goes_into_the_deals_to_come(ann):
    source = of_game(ann, "gin")
    match = made(play_on(ann, source, to_move(source), entropy="4 1 6"))

    assert match.folded().entropies == ("4 1 6", "", "")


def test_it_may_go_on_where_a_seat_was_given_up(ann, bob):
    source = played(sit(ann, bob), "draw")
    source = ends.resign(source.pk, bob.player)

    match = made(play_on(ann, source, source.version))

    assert match.folded().resigned == ()
    assert match.folded().turn == source.folded().state.turn


def test_that_of_a_private_match_is_private_and_has_a_key(ann, bob, eve):
    source = played(sit(ann, bob, visibility="private"), "draw")
    ends.resign(source.pk, ann.player)

    body = play_on(ann, source, source.version).json()

    assert body["visibility"] == "private" and body["key"]
    refused(eve.get(f"/matches/{body['id']}"), 404, "not-found")
    assert eve.get(f"/matches/{body['id']}?key={body['key']}").status_code == 200


# Refusals


def test_a_match_that_is_played_cannot_be_played_on_from(ann, bob):
    match = played(sit(ann, bob), "draw")

    refused(play_on(ann, match, match.version), 409, "match-not-over")


@pytest.fixture
def over(ann, bob):
    return ends.resign(played(sit(ann, bob), "draw").pk, ann.player)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_before_the_first_card_there_is_nothing_to_go_on_from(ann, over, version):
    refused(play_on(ann, over, version), 409, "match-not-started")


def test_where_all_is_played_there_is_nothing_to_go_on_with(ann):
    source = of_game(ann, "gin", turns=400, max_deals=1)
    assert source.ended_by == "played"

    refused(play_on(ann, source, source.version), 409, "match-over")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"version": 99}, "/version"),
        ({"version": 0}, "/version"),
        ({}, "/version"),
        ({"version": 5, "seat": 2}, "/seat"),
        ({"version": 5, "bots": "best"}, "/bots"),
        ({"version": 5, "entropy": "ä"}, "/entropy"),
    ],
)
def test_what_is_malformed_is_told(ann, over, body, pointer):
    response = ann.post(f"/matches/{over.pk}/continuations", body)

    said = refused(response, 400, "malformed")
    assert said["errors"][0]["pointer"] == pointer
    assert Match.objects.count() == 1


def test_only_who_may_see_it_and_may_play_can_go_on(ann, bob, eve, nobody):
    source = played(sit(ann, bob, visibility="private"), "draw")
    ends.resign(source.pk, ann.player)

    refused(play_on(eve, source, 5), 404, "not-found")
    refused(play_on(nobody, source, 5), 401, "not-authenticated")
    refused(play_on(Person(ann.player, "read"), source, 5), 403, "missing-scope")
    refused(play_on(ann, Match(pk=UUID(int=1)), 5), 404, "not-found")
    assert Match.objects.count() == 1
