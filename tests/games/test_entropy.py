"""What players give to the shuffles: kept in the log, and in every shuffle from the start."""

import hashlib

import pytest

from games.engine import log
from games.engine.cards import NAMES
from games.engine.shuffle import lot, shuffle
from games.models import Match, Move
from games.services import lobby, tables
from tests.exports import RULES, verify
from tests.games.people import Person, played, refused, sit
from tests.games.test_start import later, start

DICE = "4 1 6 6 2 3"


@pytest.fixture
def real_shuffles():
    return True


def entries(match, kind):
    moves = Move.objects.filter(match=match, action__type=kind).order_by("version")
    return [move.action for move in moves]


def deal(match):
    (entry,) = entries(match, "deal")
    return tuple(entry["cards"])


def secret(match):
    return bytes(Match.objects.get(pk=match).secret)


def test_the_cards_follow_from_the_secret_and_all_that_was_given(ann, bob):
    match = later(ann, "open", entropy="ann's")
    bob.post(f"/matches/{match}/seats", {"entropy": DICE})

    ann.post(f"/matches/{match}/start", {"entropy": " and more "})

    given = [b"ann's", DICE.encode(), b" and more "]
    assert [entry["entropy"] for entry in entries(match, "joined")] == ["ann's", DICE]
    assert entries(match, "started") == [{"type": "started", "entropy": " and more "}]
    assert deal(match) == shuffle(secret(match), given, 0, NAMES)
    assert entries(match, "deal")[0]["dealer"] == lot(secret(match), given, 0, 2)


def test_a_match_has_a_secret_and_its_commitment_from_the_moment_it_is_made(ann):
    matches = [later(ann, "open") for _ in range(3)]

    for match in matches:
        told = ann.get(f"/matches/{match}").json()
        assert len(secret(match)) == 32
        assert told["commitment"] == hashlib.sha256(secret(match)).hexdigest()
    assert len({secret(match) for match in matches}) == 3


def test_nothing_is_drawn_before_the_start(ann, bob):
    match = later(ann, "open", entropy="ann's")
    bob.post(f"/matches/{match}/seats", {"entropy": DICE})

    waiting = Match.objects.get(pk=match)
    assert (waiting.status, waiting.folded().state, entries(match, "deal")) == ("open", None, [])
    assert ann.get(f"/matches/{match}").json()["commitment"] == waiting.commitment


def test_all_the_table_can_see_what_each_has_given(ann, bob, nobody):
    match = later(ann, "open", entropy="ann's")
    bob.post(f"/matches/{match}/seats", {"entropy": DICE})
    ann.post(f"/matches/{match}/start", {"entropy": "last"})

    for reader in (ann, bob, nobody):
        rows = reader.get(f"/matches/{match}/moves").json()["results"]
        told = [row["last"]["action"].get("entropy") for row in rows]
        assert told == ["ann's", DICE, "last", None]


def test_the_last_to_join_gives_before_the_cards_are_drawn(ann, bob):
    match = sit(ann, "open").pk

    bob.post(f"/matches/{match}/seats", {"entropy": DICE})

    assert deal(match) == shuffle(secret(match), [b"", DICE.encode(), b""], 0, NAMES)


def test_later_deals_are_shuffled_with_it_too(ann):
    match = ann.post("/matches", {"game": "pyramid", "seats": ["me"], "entropy": DICE}).json()["id"]
    position = Match.objects.get(pk=match).folded()

    following = log.dealers_entry(Match(game="pyramid").rules, position, secret(match))

    assert position.shuffles == 1
    assert following.action.cards == shuffle(secret(match), [DICE.encode(), b""], 1, NAMES)


def test_who_leaves_takes_his_entropy_along(ann, bob, eve):
    match = later(ann, "open")
    bob.post(f"/matches/{match}/seats", {"entropy": "bob's"})
    bob.send("DELETE", f"/matches/{match}/seats/me")
    eve.post(f"/matches/{match}/seats", {"entropy": "eve's"})

    start(ann, match)

    assert deal(match) == shuffle(secret(match), [b"", b"eve's", b""], 0, NAMES)


def test_who_is_seated_by_a_rematch_can_sit_down_anew_with_entropy(ann, bob):
    first = sit(ann, bob).pk
    ann.post(f"/matches/{first}/resignation")
    match = ann.post(f"/matches/{first}/rematch").json()["id"]
    assert ann.send("DELETE", f"/matches/{match}/seats/me").status_code == 204

    assert ann.post(f"/matches/{match}/seats", {"entropy": "ann's"}).status_code == 201
    bob.post(f"/matches/{match}/seats", {"entropy": "bob's"})

    assert deal(match) == shuffle(secret(match), [b"ann's", b"bob's", b""], 0, NAMES)


# Without one a default is recorded


def nothing_given(match):
    for entry in (*entries(match, "joined"), *entries(match, "started")):
        assert entry["entropy"] == ""
    count = len(Match.objects.get(pk=match).folded().seats)
    assert deal(match) == shuffle(secret(match), [b""] * (count + 1), 0, NAMES)
    return True


def test_who_says_nothing_gives_the_empty_text(ann, bob):
    assert nothing_given(sit(ann, bob).pk)
    assert nothing_given(sit(ann, "easy").pk)
    match = later(ann, {"bot": "easy"})
    start(ann, match)
    assert nothing_given(match)


def test_play_now_gives_nothing_nor_do_the_bots_that_fill_the_table(ann, bob):
    first, _ = lobby.play_now(ann.player, "gin", {}, wait=0)
    lobby.tend_tables()
    assert nothing_given(first.pk)
    lobby.play_now(ann.player, "gin", {})
    second, made = lobby.play_now(bob.player, "gin", {})
    assert not made
    assert nothing_given(second.pk)


def test_a_rematch_gives_nothing(ann, bob):
    first = sit(ann, bob).pk
    ann.post(f"/matches/{first}/resignation")
    tables.rematch(first, ann.player)
    following, _ = tables.rematch(first, bob.player)

    assert nothing_given(following.pk)


def test_a_log_from_before_entropies_has_shuffles_of_the_secret_alone(ann, bob):
    match = sit(ann, bob)
    plain = [log.Entry(log.TABLE, log.Joined(0, player="ann")), log.Entry(log.TABLE, log.Started())]
    old = [*log.positions(match.rules, match.chosen, 2, plain)][-1]

    dealt = log.dealers_entry(match.rules, old, bytes(match.secret))

    assert dealt.action.cards == shuffle(bytes(match.secret), (), 0, NAMES)


# What is known when


def test_the_secret_is_shown_with_the_end_and_not_before(ann, bob, nobody):
    finished = sit(ann, bob)
    played(finished, "draw")
    assert nobody.get(f"/matches/{finished.pk}").json()["secret"] is None
    ann.post(f"/matches/{finished.pk}/resignation")

    assert nobody.get(f"/matches/{finished.pk}").json()["secret"] == secret(finished.pk).hex()


def test_the_secret_of_a_match_that_was_called_off_is_shown_too(ann, bob, nobody):
    match = sit(ann, bob).pk
    assert ann.post(f"/matches/{match}/abort").status_code == 201

    body = nobody.get(f"/matches/{match}").json()
    assert (body["status"], body["secret"]) == ("aborted", secret(match).hex())
    data = b"".join(nobody.get(f"/matches/{match}/export").streaming_content)
    assert verify.verify(data, body["commitment"], RULES)


def test_the_secret_of_a_table_that_was_closed_is_shown_too(ann, settings):
    left, expired = later(ann, "open"), later(ann, "open")
    for match in (left, expired):
        assert ann.get(f"/matches/{match}").json()["secret"] is None
    ann.send("DELETE", f"/matches/{left}/seats/me")
    settings.OPEN_TABLE_HOURS = 0
    lobby.tend_tables()

    for match, why in ((left, "left"), (expired, "expired")):
        body = ann.get(f"/matches/{match}").json()
        assert (body["status"], body["ended_by"]) == ("aborted", why)
        assert body["secret"] == secret(match).hex()


# Refusals


@pytest.mark.parametrize("entropy", ["é", "a\nb", "abc\n", "\0", "x" * 65, 5, None, ["x"], {}])
def test_what_is_no_short_ascii_text_is_refused(ann, bob, entropy):
    match = later(ann, "open")
    new = {"game": "gin", "seats": ["me", "open"], "entropy": entropy}

    for response in (
        ann.post("/matches", new),
        bob.post(f"/matches/{match}/seats", {"entropy": entropy}),
        ann.post(f"/matches/{match}/start", {"entropy": entropy}),
    ):
        assert refused(response, 400, "malformed")["errors"][0]["pointer"] == "/entropy"
    assert len(Match.objects.get(pk=match).folded().seats[0].entropy) == 0


def test_sixty_four_characters_are_taken_as_they_are(ann, bob):
    match, text = later(ann, "open"), " " + "~" * 62 + " "

    assert bob.post(f"/matches/{match}/seats", {"entropy": text}).status_code == 201
    assert entries(match, "joined")[1]["entropy"] == text


def test_who_takes_no_seat_gives_it_at_the_start(ann):
    bots = [{"bot": "easy"}, {"bot": "random"}]
    body = {"game": "gin", "seats": bots, "entropy": DICE}

    told = refused(ann.post("/matches", body), 400, "malformed")
    assert told["errors"][0]["pointer"] == "/entropy"
    match = ann.post("/matches", {"game": "gin", "seats": bots, "start": "later"}).json()["id"]
    ann.post(f"/matches/{match}/start", {"entropy": DICE})
    assert deal(match) == shuffle(secret(match), [b"", b"", DICE.encode()], 0, NAMES)


def test_a_token_that_only_reads_gives_nothing(ann):
    match = later(ann, {"bot": "easy"})
    reader = Person(ann.player, "read")

    refused(reader.post(f"/matches/{match}/start", {"entropy": DICE}), 403, "missing-scope")
