"""verify_logs proves ratings and boards too: each that is wrong is told."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from games import bots
from games.engine import log
from games.models import Match, Rating, RatingChange, Score, Standing
from games.services import ends, mending, scores
from games.services.moves import play_move
from players.models import Player
from tests.engine import pyramid_decks
from tests.engine.pyramid_decks import LAID
from tests.games.people import WINNING, played, sit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("short_matches")]


def told():
    """The lines that verify_logs ends with; none where all is well."""
    out = StringIO()
    try:
        call_command("verify_logs", stdout=out)
    except CommandError as error:
        return str(error).splitlines()
    assert out.getvalue().endswith("ratings and boards verified, no difference\n")
    return []


def beats(winner, loser):
    return played(sit(winner, loser, target=50), *WINNING)


def score(person, *lines):
    """A match of Pyramid in which he removes that and gives up, and its score posted."""
    match = sit(person, game="pyramid")
    for line in lines:
        action = log.plain(pyramid_decks.action(line))
        match = play_move(match.pk, person.player, match.version, action)
    return scores.post_score(ends.resign(match.pk, person.player).pk, person.player)


@pytest.fixture
def posted(ann):
    return score(ann)


def test_what_matches_have_left_is_clean(ann, bob, eve, posted):
    first = beats(ann, bob)
    beats(bob, ann)
    ends.resign(sit(ann, eve).pk, eve.player)
    ends.resign(sit(ann, "easy").pk, ann.player)
    assert Rating.objects.count() == 3
    assert told() == []

    mending.void(first.pk, Player.objects.create_superuser("olga"), "agreed upon", first.version)
    assert RatingChange.objects.filter(match=first).count() == 0
    assert told() == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mu": F("mu") + 0.01}, "gin rating of ann"),
        ({"sigma": F("sigma") * 2}, "gin rating of ann"),
        ({"matches": 7}, "after 7 matches"),
    ],
)
def test_a_rating_that_its_changes_did_not_lead_to_is_told(ann, bob, change, words):
    beats(ann, bob)
    Rating.objects.filter(player=ann.player).update(**change)

    found = told()
    assert any(words in line for line in found)
    assert not any("bob" in line for line in found)


def test_a_change_that_does_not_begin_where_the_one_before_ended_is_told(ann, bob):
    beats(ann, bob)
    second = beats(ann, bob)
    own = RatingChange.objects.filter(match=second, player=bob.player)
    own.update(mu_before=F("mu_before") + 0.001)

    said = f"match {second.pk}, rating of bob: the change begins at"
    assert any(line.startswith(said) for line in told())


@pytest.mark.parametrize("field", ["mu", "sigma"])
def test_a_change_to_which_the_match_does_not_come_is_told(ann, bob, field):
    match = beats(ann, bob)
    for rows in (RatingChange, Rating):  # so that they agree with one another
        rows.objects.filter(player=ann.player).update(**{field: F(field) + 0.00001})

    [line] = told()
    assert line.startswith(f"match {match.pk}, rating of ann: it has led to")


def test_what_bots_were_rated_in_a_match_is_kept_with_it(ann, monkeypatch):
    ends.resign(sit(ann, "easy").pk, ann.player)
    ends.resign(sit(ann, "easy", "medium", game="rummy").pk, ann.player)
    monkeypatch.setattr(bots, "rating", lambda game, level: 50.0)
    assert told() == []

    RatingChange.objects.filter(game="gin").update(bots=[50.0])
    [line] = told()
    assert "rating of ann: it has led to" in line


def test_a_match_that_counts_and_changed_nothing_is_told_and_one_that_does_not_and_did(ann, bob):
    match = beats(ann, bob)
    RatingChange.objects.filter(player=bob.player).delete()
    assert any(f"match {match.pk}, rating of bob: there is no change" in line for line in told())

    Match.objects.filter(pk=match.pk).update(rated=False)
    assert any(f"match {match.pk}, rating of ann: there is a change" in line for line in told())


def test_a_change_without_a_rating_is_told(ann, bob):
    beats(ann, bob)
    Rating.objects.filter(player=bob.player).delete()

    assert any("rating of bob: there is a change and no rating" in line for line in told())


@pytest.mark.parametrize("period", ["day", "week", "all"])
@pytest.mark.parametrize("field", ["value", "matches"])
@pytest.mark.parametrize("game", ["gin", "pyramid"])
def test_a_line_of_a_board_that_is_wrong_is_told(ann, bob, posted, game, period, field):
    beats(ann, bob)
    lines = Standing.objects.filter(
        board__game=game, board__period=period, player=ann.player, until=None
    )
    assert lines.update(**{field: F(field) + 1}) == 1

    [line] = told()
    assert line.startswith(f"{game} board {period} ")


@pytest.mark.parametrize("period", ["day", "week", "all"])
@pytest.mark.parametrize("game", ["gin", "pyramid"])
def test_a_line_that_was_reached_at_another_time_is_told(ann, bob, posted, game, period):
    beats(bob, ann)
    beats(ann, bob)
    beats(bob, ann)  # ann's wins stay what they are
    assert told() == []
    lines = Standing.objects.filter(board__game=game, board__period=period, player=ann.player)
    lines.update(reached_at=F("reached_at") - timedelta(seconds=1))

    [line] = told()
    assert line.startswith(f"{game} board {period} ") and ": reached at " in line


def test_when_a_line_was_reached_is_proved_from_what_came_after_it_was_mended(ann, bob):
    first = beats(ann, bob)
    mending.void(first.pk, Player.objects.create_superuser("olga"), "agreed upon", first.version)
    beats(ann, bob)
    assert told() == []

    Standing.objects.filter(until=None).update(reached_at=F("reached_at") - timedelta(seconds=1))
    assert len([line for line in told() if ": reached at " in line]) == 6


def test_a_line_that_is_missing_is_told_and_one_that_should_not_be_there(ann, bob, posted):
    Standing.objects.filter(board__period="week").delete()
    assert len(told()) == 1

    Score.objects.all().delete()
    assert len(told()) == 2


def test_of_two_scores_the_better_counts(ann, script):
    script(*[pyramid_decks.pack(LAID)] * 2)
    assert (score(ann, "KH").points, score(ann).points) == (10, 0)

    assert told() == []
    Standing.objects.filter(board__period="day").update(value=0)
    [line] = told()
    assert "are (0, 1), ratings and scores say (10, 1)" in line


def test_only_where_all_matches_are_proved_are_these(ann, bob, capsys):
    match = beats(ann, bob)
    Rating.objects.update(matches=9)

    for narrowed in ({"match": match.pk}, {"sample": 1}, {"since": "2020-01-01"}):
        call_command("verify_logs", **narrowed)
    assert "boards" not in capsys.readouterr().out
