"""What each request costs in SQL statements, transaction control left out.

The numbers grow neither with the length of a match nor with the number of matches.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine import log, rummy
from games.models import Match
from games.tasks import play_bot_turn
from players.models import Token
from tests.engine.decks import action
from tests.games.people import WINNING, Person, late, played, sit

pytestmark = pytest.mark.usefixtures("short_matches")

FEW, MANY = 2, 25


@pytest.fixture(params=["young", "old"])
def match(request, ann, bob):
    """A match in its first deal, alone; or one in its ninth, among many others."""
    if request.param == "young":
        return sit(ann, bob, target=10_000)
    for _ in range(MANY):
        sit(ann, bob)
    return played(sit(ann, bob, target=10_000), *WINNING * 8)


@pytest.fixture
def moving(count):
    """moving(person, match, line): the statements of that move."""

    def cost(person, match, line, **headers):
        match = Match.objects.get(pk=match.pk)
        body = {"version": match.version, "action": log.plain(action(line))}
        with count() as statements:
            response = person.post(f"/matches/{match.pk}/moves", body, **headers)
        assert response.status_code == 201, response.content
        return statements()

    return cost


@pytest.fixture
def reading(count):
    """reading(person, path): the statements of that GET."""

    def cost(person, path, status=200, **headers):
        with count() as statements:
            response = person.get(path, **headers)
            assert response.status_code == status, response.content
            if response.streaming:
                list(response.streaming_content)
        return statements()

    return cost


def test_an_ordinary_move_by_token_costs_four(ann, bob, match, moving):
    """Token, lock, insert, update."""
    assert moving(ann, match, "draw") == 4
    assert moving(ann, match, "discard 5S") == 4
    assert moving(bob, match, "draw") == 4


def test_and_one_more_once_a_minute_to_note_that_the_token_is_used(ann, match, moving):
    Token.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))

    assert moving(ann, match, "draw") == 5
    assert moving(ann, match, "discard 5S") == 4


def test_an_ordinary_move_by_session_cookie_costs_five(ann, match, moving):
    """Session, player, lock, insert, update."""
    browser = Person()
    browser.client.force_login(ann.player)

    assert moving(browser, match, "draw") == 5
    assert moving(browser, match, "discard 5S") == 5


def test_a_move_that_hands_the_turn_to_a_bot_costs_no_more(ann, moving):
    match = sit(ann, "easy")
    moving(ann, match, "draw")

    assert moving(ann, match, "discard KD") == 4


def test_a_move_with_a_key_costs_two_more_and_its_retry_three_in_all(ann, match, count):
    """The key claimed, the answer kept; token, key refused, answer read."""
    body = {"version": match.version, "action": {"type": "draw_stock"}}
    for cost in (4 + 2, 3):
        with count() as statements:
            response = ann.post(f"/matches/{match.pk}/moves", body, Idempotency_Key="k1")
        assert (response.status_code, statements()) == (201, cost)


def test_a_move_by_its_tag_costs_one_more(ann, match, moving):
    tag = ann.get(f"/matches/{match.pk}")["ETag"]

    assert moving(ann, match, "draw", If_Match=tag) == 5


def test_a_knock_and_a_lay_off_are_ordinary_moves(ann, match, moving):
    played(match, "draw")

    assert moving(ann, match, "knock KD") == 4


def test_a_move_that_ends_a_deal_costs_three_more(ann, bob, match, moving):
    """The deal that ended, the next one, the scores."""
    played(match, *WINNING[:-1])

    assert moving(bob, match, "finish") == 4 + 3


def test_a_move_that_ends_a_deal_without_points_costs_two_more(ann, bob, moving):
    match = played(sit(ann, bob, idle_limit=1), "take")

    assert moving(ann, match, "discard 5S") == 4 + 2


@pytest.mark.parametrize("deals", [0, 6])
def test_a_move_that_ends_the_match_costs_a_fixed_number_more(ann, bob, moving, deals):
    """The deal and the scores; the deals, and what they add to stats; the ratings, and their
    changes; the boards, and their lines."""
    match = sit(ann, bob, preset="long" if deals else "short")
    played(match, *WINNING * deals, *WINNING[:-1])

    assert moving(bob, match, "finish") == 4 + 2 + 2 + 5 + 5
    assert Match.objects.get().status == "finished"


def test_it_costs_one_more_when_they_stand_on_the_boards_already(ann, bob, moving):
    """The lines that are replaced; however many matches they have played."""
    costs = []
    for _ in range(4):
        match = played(sit(ann, bob, target=50), *WINNING[:-1])
        costs.append(moving(bob, match, "finish"))

    assert costs == [18, 19, 19, 19]


def test_the_end_of_a_match_of_many_costs_no_more_than_that_of_two(ann, bob, eve, game, count):
    game("rummy", rummy)
    costs = []
    for others in ((bob,), (bob, eve), (bob, eve, "random")):
        match = sit(ann, *others, game="rummy")
        for person in (ann, bob, eve)[: len(others)]:
            with count() as statements:
                assert person.post(f"/matches/{match.pk}/resignation").status_code == 201
        assert Match.objects.get(pk=match.pk).status == "finished"
        costs.append(statements())

    assert max(costs) - min(costs) <= 1, costs


def test_a_claim_costs_what_a_move_does_and_what_it_ends(ann, bob, count):
    """Token, lock, insert, update; the seat that the bot takes, or deal, places and tallies."""
    costs = []
    for _ in range(2):
        for take in ("bot", "win"):
            match = late(sit(ann, bob, clock={"seconds": 60}, rated=False))
            with count() as statements:
                assert bob.post(f"/matches/{match.pk}/claims", {"take": take}).status_code == 201
            costs.append(statements())
        for _ in range(MANY):
            sit(ann, bob)

    assert costs == [4 + 1, 4 + 2 + 2] * 2


def test_calling_a_match_off_costs_six(ann, bob, count):
    """Token, lock, whether a player has moved, insert, the deal, update."""
    match = sit(ann, bob)
    with count() as statements:
        assert ann.post(f"/matches/{match.pk}/abort").status_code == 201

    assert statements() == 6


def test_a_bots_turn_costs_four(ann, count):
    """Read, lock, insert, update."""
    match = played(sit(ann, "easy"), "draw", "discard KD")

    with count() as statements:
        play_bot_turn(str(match.pk), match.version)
    assert statements() == 4


def test_a_dry_run_costs_two(ann, match, count):
    with count() as statements:
        assert ann.move(match, "draw", match.version, "?dry_run=true").status_code == 200
    assert statements() == 2


def test_a_hint_and_whether_it_can_be_cleared_cost_two(ann, count, reading):
    match = sit(ann, game="pyramid", practice=True)

    assert reading(ann, f"/matches/{match.pk}/hint") == 2
    with count() as statements:
        assert ann.post(f"/matches/{match.pk}/clearable").status_code == 200
    assert statements() == 2


def test_a_refused_move_costs_two(ann, bob, eve, match, count):
    for person in (bob, eve):
        with count() as statements:
            person.move(match, "draw", match.version)
        assert statements() == 2


def test_looking_at_a_match_costs_two_and_one_without_a_token(ann, nobody, match, reading):
    path = f"/matches/{match.pk}"
    tag = ann.get(path)["ETag"]

    assert reading(ann, path) == 2
    assert reading(nobody, path) == 1
    assert reading(ann, path, 304, If_None_Match=tag) == 2


def test_a_list_of_matches_costs_three_however_long(ann, bob, match, reading):
    """Token, matches, their seats with who sits there."""
    assert reading(ann, "/matches?limit=1") == 3
    assert reading(ann, "/matches?limit=100") == 3
    assert reading(ann, "/matches?limit=100&player=bob&status=playing&game=gin") == 3


def test_a_page_of_moves_costs_four_and_one_more_for_names(ann, match, reading):
    """Token, match, the deal to start from, moves; the names of who joined."""
    path = f"/matches/{match.pk}/moves"

    assert reading(ann, f"{path}?limit=1000") == 5
    assert reading(ann, f"{path}?limit=1") == 5
    assert reading(ann, f"{path}?after=4&limit=1000") == 4
    assert reading(ann, f"{path}?after={match.version - 1}") == 4


def test_events_cost_what_a_page_of_moves_costs(ann, match, reading):
    path = f"/matches/{match.pk}/events"

    assert reading(ann, path) == 5
    assert reading(ann, f"{path}?wait=0&after=1") == 5
    assert reading(ann, f"{path}?after={match.version - 1}") == 4


def test_a_replay_at_any_version_costs_four_and_one_more_for_names(ann, match, reading):
    path = f"/matches/{match.pk}/replay"

    assert reading(ann, path) == 4
    assert reading(ann, f"{path}?at=5") == 4
    assert reading(ann, f"{path}?at=1") == 5


def test_a_replay_reads_one_deal_and_not_the_match(ann, bob, django_assert_num_queries):
    match = played(sit(ann, bob, target=10_000), *WINNING * 8)

    with django_assert_num_queries(4) as caught:
        ann.get(f"/matches/{match.pk}/replay")
    assert f'"version" > {match.version - 1}' in caught[-1]["sql"]


def test_deals_cost_three(ann, match, reading):
    assert reading(ann, f"/matches/{match.pk}/deals") == 3
    assert reading(ann, f"/matches/{match.pk}/deals/1") == 3


def test_an_export_costs_three(ann, bob, reading):
    for deals in (0, 6):
        match = played(sit(ann, bob), *WINNING[: deals // 6 * 3])
        ann.post(f"/matches/{match.pk}/resignation")
        assert reading(ann, f"/matches/{match.pk}/export") == 3


def test_creating_joining_and_a_rematch_cost_the_same_among_many(ann, bob, count):
    costs = []
    for matches in (0, FEW, MANY):
        for _ in range(matches):
            sit(ann, bob)
        with count() as created:
            seats = ["me", "open"]
            match = ann.post("/matches", {"game": "gin", "seats": seats}).json()["id"]
        with count() as joined:
            bob.post(f"/matches/{match}/seats")
        bob.post(f"/matches/{match}/resignation")
        with count() as made:
            ann.post(f"/matches/{match}/rematch")
        with count() as taken:
            bob.post(f"/matches/{match}/rematch")
        costs.append([created(), joined(), made(), taken()])

    assert costs[0] == costs[1] == costs[2]
    assert max(costs[0]) <= 14, costs[0]
