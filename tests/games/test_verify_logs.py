"""manage.py verify_logs: every cache of a match is what the fold of its log says."""

import re
from datetime import UTC, datetime, timedelta
from importlib import import_module
from io import StringIO
from itertools import takewhile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.engine import rummy
from games.management.commands import verify_logs
from games.models import Deal, Match, Move, Seat, Tally
from games.services import lobby
from games.tasks import play_bot_turn
from tests.games.people import WINNING, played, sit

pytestmark = pytest.mark.django_db(transaction=True)


def verified(*arguments):
    """How many matches were found without a difference."""
    out = StringIO()
    call_command("verify_logs", *arguments, stdout=out)
    told = re.fullmatch(
        r"(\d+) matches verified, no difference \(\d+ matches a second\)\n"
        r"(ratings and boards verified, no difference\n)?",
        out.getvalue(),
    )
    return int(told[1])


def difference(*arguments):
    """What is said of the first difference; the command ends with 1."""
    with pytest.raises(CommandError) as error:
        verified(*arguments)
    assert error.value.returncode == 1
    return str(error.value)


@pytest.fixture
def match(ann, bob):
    """Two deals played and a third begun; version 15."""
    return played(sit(ann, bob), *WINNING, *WINNING, "draw", "discard 5S")


def test_a_match_that_was_played_is_clean(match):
    assert verified() == 1


def test_matches_of_every_sort_are_clean(ann, bob, match, real_shuffles):
    sit(ann, "open")
    ann.post("/matches", {"game": "gin", "seats": ["open", "open"]})
    ann.post("/matches", {"game": "gin", "seats": ["me", {"invite": "bob"}]})
    over = played(sit(ann, bob, target=50), *WINNING)
    ann.post(f"/matches/{over.pk}/rematch")
    resigned = played(sit(ann, "easy", preset="classic"), "pass")
    play_bot_turn(str(resigned.pk), resigned.version)
    ann.post(f"/matches/{resigned.pk}/resignation")
    ann.post(f"/matches/{resigned.pk}/rematch")
    waits = ann.post(
        "/matches", {"game": "gin", "seats": ["me", {"bot": "random"}], "start": "later"}
    ).json()["id"]
    assert verified() == Match.objects.count() == 9

    ann.post(f"/matches/{waits}/start")
    assert verified() == 9


def test_tables_that_were_left_closed_filled_or_given_up_are_clean(ann, bob, eve, game):
    game("rummy", rummy)
    for seats in (["me", "open"], ["me", {"invite": "bob"}], ["open", "open"]):
        ann.post("/matches", {"game": "gin", "seats": seats, "visibility": "private"})
    for match in Match.objects.all():
        for person in (ann, bob):
            person.send("DELETE", f"/matches/{match.pk}/seats/me")
    Match.objects.filter(status="open").update(created_at=datetime(2026, 1, 1, tzinfo=UTC))
    ann.post("/matches/quick", {"game": "gin", "wait": 0})
    lobby.tend_tables()
    assert sorted(Match.objects.values_list("ended_by", flat=True)) == [
        "",
        "expired",
        "left",
        "left",
    ]

    resigned = sit(ann, bob, eve, game="rummy")
    for person in (ann, bob):
        person.post(f"/matches/{resigned.pk}/resignation")
    stood_in = sit(ann, bob, eve, game="rummy")
    bob.post(f"/matches/{stood_in.pk}/resignation")
    assert Seat.objects.get(match=stood_in, number=1).bot
    assert verified() == 6


def test_nothing_is_clean_too(db):
    assert verified() == 0


# Each cache corrupted on purpose

MATCH_FIELDS = [
    ({"version": 14}, "version 15: version is 14, the log says 15"),
    ({"status": "finished"}, "version 15: status is 'finished', the log says 'playing'"),
    ({"ended_by": "played"}, "version 15: ended_by is 'played', the log says ''"),
    ({"turn": 0}, "version 15: turn is 0, the log says 1"),
    ({"bot_to_move": True}, "version 15: bot_to_move is True, the log says False"),
    ({"started_at": None}, "version 15: started_at is None, the log says datetime"),
    ({"finished_at": datetime(2026, 1, 1, tzinfo=UTC)}, "version 15: finished_at is datetime"),
    ({"commitment": "0" * 64}, "version 0: commitment is '0000"),
    ({"secret": bytes(32)}, "version 0: commitment is"),
]


def test_each_column_of_a_match_is_proved(match):
    before = Match.objects.values().get()
    for changes, words in MATCH_FIELDS:
        Match.objects.update(**changes)
        assert f"match {match.pk}, {words}" in difference()
        Match.objects.update(**{name: before[name] for name in changes})
    assert verified() == 1


def parts(data, path=()):
    """The path of every value inside JSON data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for name, value in items:
        if isinstance(value, dict | list) and value:
            yield from parts(value, (*path, name))
        else:
            yield (*path, name)


def is_name(step):
    return isinstance(step, str)


def corrupted(data, path):
    first, *rest = path
    copy = dict(data) if isinstance(data, dict) else list(data)
    if rest:
        copy[first] = corrupted(data[first], rest)
    else:
        copy[first] = 7 if data[first] != 7 else 8
    return copy


def test_each_part_of_the_cached_position_is_proved_by_its_name(match):
    position = Match.objects.get().position
    paths = {tuple(takewhile(is_name, path)): path for path in parts(position)}
    for named, path in paths.items():
        Match.objects.update(position=corrupted(position, path))
        assert f"version 15: position.{'.'.join(named)} is " in difference(), path
    assert {"seats", "state", "version", "shuffles"} <= {named[0] for named in paths}


def test_each_column_of_a_deal_is_proved(match):
    wrong = {
        "dealer": 5,
        "first_version": 6,
        "last_version": 9,
        "started_at": timezone.now(),
        "ended_at": timezone.now(),
    }
    for number, version in ((1, 5), (3, 13)):
        before = Deal.objects.values().get(number=number)
        for field, value in wrong.items():
            Deal.objects.filter(number=number).update(**{field: value})
            assert f"version {version}: deals.{number}.{field} is " in difference()
            Deal.objects.filter(number=number).update(**{field: before[field]})
        for field in ("result", "before"):
            if before[field]:
                path = next(iter(parts(before[field])))
                damaged = corrupted(before[field], path)
                Deal.objects.filter(number=number).update(**{field: damaged})
                assert f"deals.{number}.{field}.{path[0]}" in difference()
                Deal.objects.filter(number=number).update(**{field: before[field]})
    assert verified() == 1


def test_each_column_of_a_seat_is_proved(ann, bob, eve, match):
    for changes in (
        *({"score": 0}, {"score": 64}, {"place": 1}),
        *({"player": eve.player}, {"player": None, "bot": "easy"}),
    ):
        before = Seat.objects.values().get(number=0)
        Seat.objects.filter(number=0).update(**changes)
        field = "player_id" if "player" in changes else next(iter(changes))
        assert f"version 15: seats.0.{field} is " in difference()
        Seat.objects.filter(number=0).update(**before)
    Seat.objects.filter(number=1).update(player=None, invited=bob.player)
    assert "seats.1.player_id" in difference()


def test_a_row_too_few_or_too_many_is_told(match):
    deal = Deal.objects.get(number=2)
    deal.delete()
    assert "version 9: deal 2 has no row" in difference()
    deal.save(force_insert=True)
    assert verified() == 1

    extra = Deal.objects.get(number=3)
    extra.pk, extra.number, extra.first_version = None, 4, 14
    extra.save()
    assert "version 14: deal 4 has a row only" in difference()
    extra.delete()

    Seat.objects.create(match=match, number=2)
    assert "before.entropies" in difference()  # one too many: a seat gives to the shuffles
    Seat.objects.filter(number__gt=0).delete()
    assert "version 15: seats is [0], the log says [0, 1]" in difference()


def test_each_column_of_what_a_match_adds_to_stats_is_proved(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)
    wrong = {
        "game": "rummy",
        "ended_at": timezone.now(),
        "public": False,
        "opponents": ["bot:easy"],
        "score": 62,
        "done": {"matches": 1},
        "counts": {"knocks": 2},
    }
    for player in (ann.player.pk, bob.player.pk):
        tally = Tally.objects.filter(player=player)
        before = tally.values().get()
        for field, value in wrong.items():
            tally.update(**{field: value})
            assert f"version {match.version}: tallies.{player}.{field} is " in difference()
            tally.update(**{field: before[field]})
    assert verified() == 1

    tally.delete()
    assert f"version {match.version}: tallies is ['{ann.player.pk}']" in difference()


def test_one_of_a_match_that_has_not_ended_is_named(match, ann, bob):
    over = played(sit(ann, bob, target=50), *WINNING)
    over.tallies.update(match=match)

    assert "version 15: tallies is [" in difference("--match", str(match.pk))


def test_matches_that_ended_before_there_were_any_are_given_theirs(ann, bob, eve, game):
    game("rummy", rummy)
    played(sit(ann, bob, target=50, visibility="private"), *WINNING)
    played(sit(ann, bob, max_deals=1, idle_limit=1), "take", "discard 5S")
    played(sit(ann, "easy"), *WINNING, "draw")
    resigned = sit(ann, bob, eve, game="rummy")
    for match, person in ((Match.objects.earliest("-pk"), bob), (resigned, eve)):
        person.post(f"/matches/{match.pk}/resignation")
    ann.post(f"/matches/{Match.objects.get(seats__bot='easy', game='gin').pk}/resignation")
    ann.post("/matches", {"game": "pyramid", "seats": ["me"]})
    ann.post(f"/matches/{Match.objects.get(game='pyramid').pk}/resignation")
    ended = verified()
    before = list(Tally.objects.order_by("match", "player").values())
    assert len(before) == 2 + 2 + 1 + 3 + 1
    Tally.objects.all().delete()

    import_module("games.migrations.0005_tallies").tally_ended_matches(apps, None)

    assert verified() == ended
    after = list(Tally.objects.order_by("match", "player").values())
    assert [row | {"id": 0} for row in after] == [row | {"id": 0} for row in before]


# The log itself damaged


@pytest.mark.parametrize(
    ("version", "changes", "words"),
    [
        (6, {"action": {"type": "take_discard"}}, "version 7: action"),
        (6, {"action": {"type": "dance"}}, "version 6: action {'type': 'dance'} cannot be folded"),
        (7, {"action": {"type": "discard", "card": "2D"}}, "version 7: action"),
        (7, {"action": "x"}, "version 7: action 'x' cannot be folded"),
        (8, {"action": {"type": "lay_off", "card": "2D", "meld": 0}}, "version 8: action"),
        (6, {"seat": 1}, "version 6: seat is 1, the log says 0"),
        (6, {"seat": -1}, "version 6: action"),
        (6, {"seat": -2}, "version 6: action"),
        (
            1,
            {"action": {"type": "joined", "seat": 1, "bot": "easy"}},
            "version 5: deals.1.before.seats",
        ),
        (4, {"action": {"type": "resigned", "seat": 1}}, "version 5: "),
        (4, {"action": {"type": "started", "entropy": "7"}}, "version 5: deals.1.before.entropies"),
        (10, {"version": 100}, "version 10: version is 11, the log says 10"),
    ],
)
def test_a_damaged_entry_is_named(match, version, changes, words):
    Move.objects.filter(version=version).update(**changes)

    assert f"match {match.pk}, {words}" in difference()


def test_a_missing_entry_is_named(match):
    Move.objects.filter(version=7).delete()

    assert "version 7: version is 8, the log says 7" in difference()


def test_a_missing_last_entry_is_named(match):
    Move.objects.filter(version=15).delete()

    assert "version 14: version is 15, the log says 14" in difference()


def test_a_deck_that_does_not_follow_from_the_secret_is_named(match):
    deal = Move.objects.get(version=5)
    cards = deal.action["cards"]
    deal.action = deal.action | {"cards": [cards[1], cards[0], *cards[2:]]}
    deal.save()

    assert "version 5: action is " in difference()


# Which matches


def test_one_match_can_be_asked_for(ann, bob, match):
    other = sit(ann, bob)
    Match.objects.filter(pk=other.pk).update(turn=1)

    assert verified("--match", str(match.pk)) == 1
    assert str(other.pk) in difference("--match", str(other.pk))
    assert str(other.pk) in difference()
    assert "There is no match" in difference("--match", "00000000-0000-7000-8000-000000000000")


def test_only_matches_since_a_day_or_time_can_be_asked_for(ann, bob, match):
    sit(ann, bob)
    Match.objects.filter(pk=match.pk).update(created_at=datetime(2026, 11, 1, tzinfo=UTC), turn=0)

    assert verified("--since", "2026-11-02") == 1
    assert verified("--since", "2026-11-01T00:00:01Z") == 1
    assert verified("--since", (timezone.now() + timedelta(days=1)).isoformat()) == 0
    assert str(match.pk) in difference("--since", "2026-11-01")
    for wrong in ("yesterday", "2026-13-01", "9999-12-31T23:59:59-23:59"):
        assert "is no day or time" in difference("--since", wrong)


def test_a_sample_can_be_asked_for(ann, bob, match):
    for _ in range(4):
        sit(ann, bob)

    assert verified("--sample", "2") == 2
    assert verified("--sample", "50") == 5
    for wrong in ("0", "-1"):
        assert "1 or more" in difference("--sample", wrong)


def test_matches_are_read_in_batches_at_a_fixed_cost_each(ann, bob, match, monkeypatch, count):
    for _ in range(5):
        played(sit(ann, bob), "draw")
    with count() as whole:
        assert verified() == 6
    monkeypatch.setattr(verify_logs, "BATCH", 2)
    with count() as parts:
        assert verified() == 6

    assert parts() - whole() == 2 * 7


def test_play_may_go_on_meanwhile(ann, bob, match, monkeypatch):
    """What is read of a match is read as of one moment."""
    proved = verify_logs.difference

    def meanwhile(match, *rows):
        played(match, "draw", "discard KC")
        return proved(match, *rows)

    monkeypatch.setattr(verify_logs, "difference", meanwhile)
    assert verified() == 1


def test_from_the_command_line_it_ends_with_one(match, capsys):
    Match.objects.update(turn=0)

    with pytest.raises(SystemExit) as end:
        verify_logs.Command().run_from_argv(["manage.py", "verify_logs"])

    assert end.value.code == 1
    assert f"match {match.pk}, version 15: turn is 0, the log says 1" in capsys.readouterr().err
