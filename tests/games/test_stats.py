"""GET /players/{name}/stats"""

import pytest
from django.utils import timezone
from msgspec.structs import replace

from games.engine import log, pyramid, rummy
from games.models import Deal, Match, Tally
from games.services import ends, moves, tallies
from games.tasks import play_bot_turn
from players import services
from tests import highest
from tests.engine import pyramid_decks
from tests.engine.decks import pack
from tests.games.people import LOST, READY, WINNING, Person, played, refused, sit

pytestmark = pytest.mark.usefixtures("short_matches")

UNDERCUT = pack(READY, "4C 5C 6C 8C 9C TC 4D 5D 6D AS", "9D", "KD KC JS")
"""Its beginner, bob, who knocks with KD for 5 deadwood, is undercut by ann's ace."""

NOTHING = {
    "matches": 0,
    "wins": 0,
    "draws": 0,
    "losses": 0,
    "resigned": 0,
    "deals": 0,
    "deals_won": 0,
    "counts": {},
}


def stats(person, name):
    response = person.get(f"/players/{name}/stats")
    assert response.status_code == 200, response.content
    return response.json()


def of(person, name, game="gin"):
    [told] = [told for told in stats(person, name)["games"] if told["game"] == game]
    return told


def tally(**told):
    return {**NOTHING, **told}


def beats(winner, loser, **more):
    return played(sit(winner, loser, target=50, **more), *WINNING)


def resigned(match, *people):
    for person in people:
        ends.resign(match.pk, person.player)
    return Match.objects.get(pk=match.pk)


def test_who_has_played_nothing_has_nothing_to_tell(ann, nobody):
    sit(ann, "open")

    assert stats(nobody, "ann") == {"player": "ann", "games": []}


def test_a_match_that_was_won_and_lost(ann, bob, nobody):
    beats(ann, bob)

    won, lost = of(nobody, "ANN"), of(nobody, "bob")

    total = tally(matches=1, wins=1, deals=1, deals_won=1, counts=won["total"]["counts"])
    assert won == {
        "game": "gin",
        "rating": won["rating"],
        "rating_course": [won["rating"]["rating"]],
        "total": total,
        "best_score": 63,
        "streak": 1,
        "longest_streak": 1,
        "opponents": {"bob": total},
    }
    assert won["rating"]["rating"] > 1000 and won["rating"]["matches"] == 1
    assert (lost["total"]["wins"], lost["total"]["losses"], lost["total"]["deals_won"]) == (0, 1, 0)
    assert (lost["best_score"], lost["streak"], lost["longest_streak"]) == (0, 0, 0)


def test_what_happened_in_the_deals_is_counted_by_the_games_names(ann, bob, nobody, script):
    script(pack(READY, LOST, "9D", "KD KC JS"), UNDERCUT)
    match = played(sit(ann, bob, max_deals=2), *WINNING, "draw", "knock KD", "finish")

    told = {name: of(nobody, name)["total"]["counts"] for name in ("ann", "bob")}

    first, second = (deal.result["counts"] for deal in Deal.objects.order_by("number"))
    assert match.status == "finished"
    for seat, name in enumerate(("ann", "bob")):
        for what, times in told[name].items():
            assert times == first[seat].get(what, 0) + second[seat].get(what, 0), what
    assert (told["ann"]["knocks"], told["ann"]["undercuts"]) == (1, 1)


def test_only_matches_that_are_over_count(ann, bob, nobody):
    played(sit(ann, bob), *WINNING, *WINNING)
    table = sit(ann, "open")
    ann.send("DELETE", f"/matches/{table.pk}/seats/me")

    assert stats(nobody, "ann")["games"] == []


def test_unrated_matches_count_and_give_no_rating(ann, bob, nobody):
    beats(ann, bob, rated=False)

    assert of(nobody, "ann")["rating"] is None
    assert of(nobody, "ann")["total"]["wins"] == 1


def test_guests_have_stats(ann, nobody):
    guest = Person(services.make_guest())
    beats(guest, ann)

    assert of(nobody, guest.player.name)["total"]["wins"] == 1


def test_a_draw_is_neither_won_nor_lost_and_ends_a_streak(ann, bob, nobody):
    beats(ann, bob)
    played(sit(ann, bob, max_deals=1, idle_limit=1), "take", "discard 5S")

    for name in ("ann", "bob"):
        assert of(nobody, name)["total"]["draws"] == 1
    assert of(nobody, "ann")["streak"] == 0
    assert of(nobody, "ann")["longest_streak"] == 1


def test_a_deal_without_points_is_won_by_nobody(ann, bob, nobody):
    played(sit(ann, bob, max_deals=1, idle_limit=1), "take", "discard 5S")

    for name in ("ann", "bob"):
        total = of(nobody, name)["total"]
        assert (total["deals"], total["deals_won"]) == (1, 0)


def test_streaks_are_matches_won_one_after_another(ann, bob, nobody):
    for winner, loser in ((ann, bob), (ann, bob), (bob, ann), (ann, bob)):
        beats(winner, loser)

    assert (of(nobody, "ann")["streak"], of(nobody, "ann")["longest_streak"]) == (1, 2)
    assert (of(nobody, "bob")["streak"], of(nobody, "bob")["longest_streak"]) == (0, 1)


def test_matches_are_told_by_opponent_and_bots_by_level(ann, bob, eve, nobody):
    beats(ann, bob)
    beats(bob, ann)
    beats(ann, eve)
    played(sit(ann, "easy", target=50), *WINNING)

    told = of(nobody, "ann")["opponents"]

    assert list(told) == ["bob", "bot:easy", "eve"], "the most met first, then by name"
    assert {name: (t["matches"], t["wins"], t["losses"]) for name, t in told.items()} == {
        "bob": (2, 1, 1),
        "eve": (1, 1, 0),
        "bot:easy": (1, 1, 0),
    }


def test_the_opponents_of_a_private_match_are_told_to_who_played_it_alone(ann, bob, eve, nobody):
    beats(ann, bob, visibility="private")
    beats(ann, eve)

    for person, known in ((ann, {"bob", "eve"}), (bob, {"bob", "eve"}), (eve, {"eve"})):
        assert set(of(person, "ann")["opponents"]) == known
    assert set(of(nobody, "ann")["opponents"]) == {"eve"}
    assert of(eve, "bob")["opponents"] == {}
    assert of(nobody, "ann")["total"]["matches"] == 2, "that it was played is no secret"


def test_games_are_told_apart_in_their_order(ann, bob, nobody, game):
    game("rummy", rummy)
    resigned(sit(ann, bob, game="rummy"), ann)
    beats(ann, bob)

    assert [told["game"] for told in stats(nobody, "ann")["games"]] == ["gin", "rummy"]
    assert of(nobody, "ann", "rummy")["total"] == tally(matches=1, losses=1, resigned=1)


# Resignations


def test_a_deal_that_a_resignation_cut_off_does_not_count(ann, bob, nobody):
    match = played(sit(ann, bob), *WINNING, "draw")
    resigned(match, ann)

    total = of(nobody, "ann")["total"]
    assert (total["matches"], total["losses"], total["resigned"]) == (1, 1, 1)
    assert (total["deals"], total["deals_won"]) == (1, 1)
    assert of(nobody, "bob")["total"]["resigned"] == 0
    assert of(nobody, "bob")["total"]["wins"] == 1


def test_what_a_bot_does_for_who_resigned_is_not_counted_as_his(ann, bob, eve, nobody, game):
    game("highest", highest)
    match = resigned(sit(ann, bob, eve, game="highest", target=1), bob)
    while match.status == "playing":
        if match.bot_to_move:
            play_bot_turn(str(match.pk), match.version)
        else:
            player = (ann, bob, eve)[match.turn].player
            moves.play_move(match.pk, player, match.version, {"type": "stay"})
        match.refresh_from_db()

    told = of(nobody, "bob", "highest")
    assert match.ended_by == "played"
    assert told["total"] == tally(matches=1, losses=1, resigned=1)
    assert told["best_score"] is None
    assert of(nobody, "ann", "highest")["total"]["deals"] == 1
    assert set(of(nobody, "ann", "highest")["opponents"]) == {"bob", "eve"}


def test_of_three_who_resign_each_has_resigned(ann, bob, eve, nobody, game):
    game("rummy", rummy)
    resigned(sit(ann, bob, eve, game="rummy"), bob, eve)

    assert [of(nobody, name, "rummy")["total"]["resigned"] for name in ("ann", "bob", "eve")] == [
        *(0, 1, 1)
    ]
    assert of(nobody, "ann", "rummy")["total"]["wins"] == 1


# A game for one


def test_a_game_for_one_has_a_best_score_and_is_neither_won_nor_lost(ann, nobody, game, script):
    game("pyramid", pyramid)
    script(pyramid_decks.pack(pyramid_decks.LAID))
    for lines in (["5H 8H", "KH"], ["KH"], []):
        match = sit(ann, game="pyramid")
        for line in lines:
            action = log.plain(pyramid_decks.action(line))
            match = moves.play_move(match.pk, ann.player, match.version, action)
        resigned(match, ann)

    told = of(nobody, "ann", "pyramid")
    assert told["best_score"] == 30
    assert told["total"] == tally(matches=3)
    assert (told["opponents"], told["rating"]) == ({}, None)


def test_a_score_of_nothing_is_better_than_one_below(ann, bob, nobody):
    for score in (-5, 0, -7):
        match = beats(ann, bob)
        match.tallies.filter(player=ann.player).update(score=score)

    assert of(nobody, "ann")["best_score"] == 0


def test_the_course_of_the_rating_is_that_after_each_of_the_last_matches(
    ann, bob, nobody, monkeypatch
):
    ratings = []
    for winner, loser in ((ann, bob), (ann, bob), (bob, ann), (ann, bob)):
        beats(winner, loser)
        ratings.append(of(nobody, "ann")["rating"]["rating"])
    assert ratings[0] < ratings[1] > ratings[2] < ratings[3]

    assert of(nobody, "ann")["rating_course"] == ratings
    monkeypatch.setattr("games.stats.COURSE", 2)
    assert of(nobody, "ann")["rating_course"] == ratings[2:]


def test_who_is_not_rated_has_no_course(ann, bob, nobody):
    beats(ann, bob, rated=False)

    assert of(nobody, "ann")["rating_course"] == []


# What it costs


def test_it_costs_the_same_for_many_matches_as_for_one(ann, bob, nobody, count):
    """Player, ratings, their courses, sums, opponents' names, the courses of the matches."""
    costs = []
    for matches in (1, 12):
        for _ in range(matches):
            beats(ann, bob)
        with count() as statements:
            stats(nobody, "ann")
        costs.append(statements())

    assert costs == [6, 6]


def test_neither_matches_nor_seats_nor_deals_are_read_for_it(
    ann, bob, nobody, django_assert_num_queries
):
    beats(ann, bob)

    with django_assert_num_queries(6) as caught:
        stats(nobody, "ann")
    read = " ".join(query["sql"] for query in caught)
    for table in ("games_match", "games_seat", "games_deal"):
        assert table not in read


def test_a_match_that_counts_no_more_takes_back_what_it_gave(ann, bob, nobody):
    first, second = beats(ann, bob), beats(bob, ann)
    assert of(nobody, "ann")["longest_streak"] == 1
    voided = replace(first.folded(), status="voided")

    tallies.write_tallies(first, voided, timezone.now())

    told = of(nobody, "ann")
    assert (told["total"]["wins"], told["total"]["losses"]) == (0, 1)
    assert (told["longest_streak"], told["best_score"]) == (0, 0)
    assert list(Tally.objects.values_list("match", flat=True)) == [second.pk] * 2


# Refusals


def test_who_is_not_there_has_no_stats(nobody):
    for name in ("zoe", "me", "a", "%00", "x" * 31, "%E2%82%AC", "a%20b"):
        refused(nobody.get(f"/players/{name}/stats"), 404, "not-found")
