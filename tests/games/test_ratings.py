"""Ratings: what the end of a match does to its players' strength, and what leaves it alone."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from openskill.models import PlackettLuce

from games import bots
from games.engine import GAMES, pyramid, rummy
from games.models import Board, Match, Rating, RatingChange, Standing
from games.services import ends, lobby, moves, records
from games.tasks import play_bot_turn
from players import services
from players.models import Player
from tests.games.people import WINNING, Person, played, sit

pytestmark = pytest.mark.usefixtures("short_matches")

MODEL = PlackettLuce()
NEW = MODEL.rating()


def rating(person, game="gin"):
    return Rating.objects.get(player=person.player, game=game)


def told(*places):
    """What the model says of new players who end in these places."""
    return MODEL.rate([[MODEL.rating()] for _ in places], ranks=list(places))


def beats(winner, loser, **more):
    return played(sit(winner, loser, target=50, **more), *WINNING)


def resigned(match, *people):
    for person in people:
        ends.resign(match.pk, person.player)
    return Match.objects.get(pk=match.pk)


def nothing_is_recorded():
    return not any(m.objects.exists() for m in (Rating, RatingChange, Board, Standing))


def test_who_wins_gains_what_the_model_says_and_who_loses_loses(ann, bob):
    beats(ann, bob)

    [[won], [lost]] = told(1, 2)
    assert (rating(ann).mu, rating(ann).sigma) == (won.mu, won.sigma)
    assert (rating(bob).mu, rating(bob).sigma) == (lost.mu, lost.sigma)
    assert won.mu > NEW.mu > lost.mu
    assert (rating(ann).matches, rating(bob).matches) == (1, 1)


def test_each_match_goes_on_from_the_one_before_and_leaves_a_row(ann, bob):
    first, second = beats(ann, bob), beats(bob, ann)

    one, two = RatingChange.objects.filter(player=ann.player).order_by("at")
    assert (one.match, two.match) == (first, second)
    assert (one.mu_before, one.sigma_before) == (NEW.mu, NEW.sigma)
    assert (two.mu_before, two.sigma_before) == (one.mu, one.sigma)
    assert (rating(ann).mu, rating(ann).sigma, rating(ann).matches) == (two.mu, two.sigma, 2)
    assert (one.game, one.at) == ("gin", first.finished_at)
    assert rating(ann).changed_at == second.finished_at
    assert RatingChange.objects.count() == 4


def test_a_change_can_be_taken_back_from_its_row(ann, bob):
    beats(ann, bob)
    before = rating(bob)
    match = beats(ann, bob)

    change = RatingChange.objects.get(match=match, player=bob.player)
    assert (change.mu_before, change.sigma_before) == (before.mu, before.sigma)


def test_a_draw_draws_the_two_together(ann, bob):
    beats(ann, bob)
    above, below = rating(ann), rating(bob)

    match = played(sit(ann, bob, max_deals=1, idle_limit=1), "take", "discard 5S")

    assert match.folded().places == (1, 1)
    assert above.mu > rating(ann).mu > rating(bob).mu > below.mu
    assert rating(ann).sigma < above.sigma


def test_a_resignation_is_a_loss(ann, bob):
    resigned(sit(ann, bob), ann)

    assert rating(bob).mu > NEW.mu > rating(ann).mu


def test_a_table_that_never_started_changes_nothing(ann, bob):
    match = sit(ann, "open")
    ann.send("DELETE", f"/matches/{match.pk}/seats/me")
    sit(bob, "open")
    Match.objects.update(created_at=timezone.now() - timedelta(days=2))
    lobby.tend_tables()

    assert set(Match.objects.values_list("status", flat=True)) == {"aborted"}
    assert nothing_is_recorded()


def test_a_match_that_is_not_over_changes_nothing(ann, bob):
    played(sit(ann, bob), *WINNING, *WINNING)

    assert nothing_is_recorded()


def test_an_unrated_match_changes_nothing(ann, bob):
    match = beats(ann, bob, rated=False)

    assert ann.get(f"/matches/{match.pk}").json()["rated"] is False
    assert nothing_is_recorded()
    assert ann.post(f"/matches/{match.pk}/rematch").json()["rated"] is False


@pytest.mark.parametrize("options", [{"target": 51}, {"preset": "short", "stock_floor": 30}])
def test_a_match_by_options_of_its_own_changes_nothing(ann, bob, options):
    match = sit(ann, bob, **options)
    assert ann.get(f"/matches/{match.pk}").json()["rated"] is False
    played(match, *WINNING)

    assert Match.objects.get(pk=match.pk).status == "finished"
    assert nothing_is_recorded()


def test_options_that_are_those_of_a_preset_in_other_words_count(ann, bob):
    match = sit(ann, bob, target=100, opening="free")

    assert ann.get(f"/matches/{match.pk}").json()["rated"] is True


def test_a_table_opened_before_own_options_counted_for_nothing_counts_for_nothing(ann, bob):
    waiting = sit(ann, "open", target=51)
    Match.objects.update(rated=True, rated_wish=None)
    bob.post(f"/matches/{waiting.pk}/seats")

    played(waiting, *WINNING)
    assert nothing_is_recorded()


def test_a_match_with_a_guest_changes_nothing(ann, bob):
    Player.objects.filter(pk=bob.player.pk).update(is_guest=True)

    match = sit(ann, bob, target=50)
    assert ann.get(f"/matches/{match.pk}").json()["rated"] is False
    played(match, *WINNING)

    assert nothing_is_recorded()


def test_a_guest_who_comes_by_play_now_or_is_joined_by_bots_is_not_rated(ann):
    Player.objects.filter(pk=ann.player.pk).update(is_guest=True)
    match = ann.post("/matches/quick", {"game": "gin", "wait": 0}).json()
    assert match["rated"] is False, "a guest meets people in no match that counts"
    lobby.tend_tables()

    assert ann.get(f"/matches/{match['id']}").json()["rated"] is False
    ann.post(f"/matches/{match['id']}/resignation")
    assert nothing_is_recorded()


def test_a_guest_counts_once_he_has_an_account_when_a_match_starts(ann, bob):
    guest = Person(services.make_guest())
    before, waiting = sit(ann, guest, target=50), sit(ann, "open", target=50)
    services.become_account(guest.player, "gus", "a password of his own")

    played(before, *WINNING)
    assert nothing_is_recorded()
    guest.post(f"/matches/{waiting.pk}/seats")
    played(waiting, *WINNING)
    assert rating(guest).matches == 1


def test_private_matches_count(ann, bob):
    beats(ann, bob, visibility="private")

    assert rating(ann).matches == 1


def test_games_are_rated_apart(ann, bob, game):
    game("rummy", rummy)
    beats(ann, bob)
    resigned(sit(ann, bob, game="rummy"), ann)

    assert rating(ann).mu > NEW.mu > rating(ann, "rummy").mu
    assert (rating(ann).matches, rating(ann, "rummy").matches) == (1, 1)


def test_a_game_for_points_is_not_rated(ann, game):
    game("pyramid", pyramid)

    assert resigned(sit(ann, game="pyramid"), ann).status == "finished"
    assert nothing_is_recorded()


# Bots


@pytest.fixture
def strength(monkeypatch):
    """strength(easy=30): how strong bots are."""

    def say(**levels):
        monkeypatch.setattr(bots, "rating", lambda game, level: levels[level])

    return say


def test_a_bot_has_no_rating_of_its_own(ann, strength):
    strength(easy=25)

    played(sit(ann, "easy", target=50), *WINNING)

    assert rating(ann).mu > NEW.mu
    assert Rating.objects.count() == RatingChange.objects.count() == 1
    assert {standing.player for standing in Standing.objects.all()} == {ann.player}


def test_who_beats_a_strong_bot_gains_more(ann, bob, strength):
    strength(easy=20, random=10)
    played(sit(ann, "easy", target=50), *WINNING)
    played(sit(bob, "random", target=50), *WINNING)

    assert rating(ann).mu > rating(bob).mu > NEW.mu


def test_a_bot_is_as_strong_after_many_matches_as_before(ann, bob):
    for _ in range(3):
        played(sit(ann, "easy", target=50), *WINNING)
    played(sit(bob, "easy", target=50), *WINNING)

    first = RatingChange.objects.filter(player=ann.player).earliest("at")
    assert (rating(bob).mu, rating(bob).sigma) == (first.mu, first.sigma)


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].BOARD == "rating"])
def test_bots_of_a_rated_game_are_rated_apart_and_in_the_order_of_their_levels(game):
    ratings = [bots.rating(game, level) for level in bots.LEVELS[game]]

    assert ratings == sorted(set(ratings))
    assert bots.rating(game, "easy") == NEW.mu


def test_bots_among_themselves_leave_nothing_behind(ann):
    seats = [{"bot": "easy"}, {"bot": "easy"}]
    body = {"game": "gin", "seats": seats, "options": {"max_deals": 1}}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])
    while match.status == "playing":
        play_bot_turn(str(match.pk), match.version)
        match.refresh_from_db()

    assert nothing_is_recorded()


# More than two


def test_of_three_each_is_rated_by_his_place(ann, bob, eve, game):
    game("rummy", rummy)

    match = resigned(sit(ann, bob, eve, game="rummy"), bob, eve)

    assert match.folded().places == (1, 3, 2)
    expected = [after.mu for [after] in told(1, 3, 2)]
    assert [rating(person, "rummy").mu for person in (ann, bob, eve)] == expected
    assert rating(ann, "rummy").mu > rating(eve, "rummy").mu > rating(bob, "rummy").mu


def test_the_bot_that_plays_on_is_rated_as_who_resigned(ann, bob, game):
    game("rummy", rummy)

    match = resigned(sit(ann, bob, "random", game="rummy"), bob, ann)

    assert [(seat.player is not None, seat.bot) for seat in match.folded().seats] == [
        *((True, None), (True, "easy"), (False, "random"))
    ]
    assert rating(ann, "rummy").mu > rating(bob, "rummy").mu
    assert RatingChange.objects.count() == 2


# One transaction


def test_a_match_whose_end_cannot_be_recorded_has_not_ended(ann, bob, monkeypatch):
    match = played(sit(ann, bob, target=50), *WINNING[:-1])

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr(moves, "record_end", fail)
    with pytest.raises(RuntimeError), transaction.atomic():
        played(match, "finish")

    assert Match.objects.get().status == "playing"
    assert nothing_is_recorded()


# Many at once


def at_once(held, *calls):
    """Make the calls while those rows are held, each over a connection of its own."""
    failed = []

    def make(call):
        try:
            call()
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=make, args=(call,), daemon=True) for call in calls]
    with transaction.atomic():
        list(held.select_for_update())
        for thread in threads:
            thread.start()
        threads[0].join(0.2)
    for thread in threads:
        thread.join(30)
    assert failed == []


def pairs(*people):
    """Each with each as often as that, in both orders of seats, one move before the end."""
    return [
        played(sit(one, other, target=50), *WINNING[:-1])
        for one in people
        for other in people
        if one is not other
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("known", [False, True], ids=["new players", "players with ratings"])
def test_matches_of_the_same_players_that_end_at_once_do_not_wait_for_each_other(
    ann, bob, eve, known
):
    if known:
        for one, other in ((ann, bob), (bob, eve)):
            beats(one, other)
    before = RatingChange.objects.count()
    matches = pairs(ann, bob, eve)

    at_once(Rating.objects.all(), *(lambda m=match: played(m, "finish") for match in matches))

    assert set(Match.objects.values_list("status", flat=True)) == {"finished"}
    assert RatingChange.objects.count() == before + 2 * len(matches)
    for person in (ann, bob, eve):
        changes = RatingChange.objects.filter(player=person.player)
        assert rating(person).matches == changes.count()
        after = {(change.mu, change.sigma) for change in changes}
        begun = {(change.mu_before, change.sigma_before) for change in changes}
        assert after - begun == {(rating(person).mu, rating(person).sigma)}, "one after another"
    for board in Board.objects.all():
        assert board.version == len(matches) + before // 2
        current = Standing.objects.filter(board=board, until=None)
        assert current.count() == 3
        assert sum(line.matches for line in current) == RatingChange.objects.count()


def test_new_ratings_are_made_in_one_order_whoever_sits_where(ann, bob, eve):
    people = sorted((person.player for person in (ann, bob, eve)), key=lambda player: player.pk)

    records.locked_ratings("gin", people[::-1], timezone.now())

    assert [r.player for r in Rating.objects.order_by("pk")] == people
