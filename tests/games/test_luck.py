"""manage.py deal_statistics: fair deals pass, and every usual mistake in a shuffle is caught."""

from io import StringIO
from itertools import pairwise, permutations
from random import Random
from statistics import fmean, pvariance

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games import luck
from games.engine import GAMES, gin, rummy, shuffle
from games.engine.cards import NAMES
from games.engine.game import DEALER
from games.management.commands.deal_statistics import drawn_by_lot
from games.models import Deal, Match, Move
from tests import highest
from tests.games.people import sit

SECRET = bytes(range(32))
MANY = 3000
DECKS = 9000
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture
def real_shuffles():
    return True


def fair(number, _):
    return list(shuffle.shuffle(SECRET, (), number, NAMES))


def tallied(game, shuffled, seats=None, lot=None, deals=MANY):
    """The figures over matches of ten deals: `shuffled(number, the deck before)`."""
    tally, before = luck.Tally(game), list(NAMES)
    seats = seats or game.SEATS[-1]
    for number in range(deals):
        cards = shuffled(number, before)
        drawn = shuffle.lot(SECRET, (), number, seats) if lot is None else lot
        first = number % 10 == 0
        tally.add(seats, cards, None if first else before, drawn if first else None)
        before = cards
    return list(tally.figures(DECKS))


def caught(game, shuffled, **more):
    """The names of what gives a shuffle away."""
    return [figure.name for figure in luck.odd(tallied(game, shuffled, **more))]


@every_game
def test_the_shuffle_of_the_service_is_as_luck_would_have_it(game):
    assert caught(game, fair) == []


@every_game
def test_so_is_every_number_of_seats(game):
    for seats in game.SEATS:
        assert caught(game, fair, seats=seats) == []


# Biased shuffles, each a mistake that has been made


def any_place_for_each(number, _):
    """Fisher-Yates gone wrong: each card changes places with any other."""
    order, rng = list(NAMES), Random(number)
    for i in range(52):
        j = rng.randrange(52)
        order[i], order[j] = order[j], order[i]
    return order


def never_where_it_was(number, _):
    """Fisher-Yates one off (Sattolo): no card can stay at its place."""
    order, rng = list(NAMES), Random(number)
    for i in range(51, 0, -1):
        j = rng.randrange(i)
        order[i], order[j] = order[j], order[i]
    return order


def bytes_modulo(number, _):
    """A byte modulo the places left: the first ones come up more often. It takes many deals."""
    order, rng = list(NAMES), Random(number)
    for i in range(51, 0, -1):
        j = rng.randrange(256) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def sorted_by_a_coin(number, _):
    """Sorting by a comparison that answers at random."""
    rng, order = Random(number), []
    for card in NAMES:
        place = len(order)
        while place and rng.random() < 0.5:
            place -= 1
        order.insert(place, card)
    return order


def cut_and_riffled_thrice(number, before):
    """A pack mixed as by hand, too seldom, from as the deal before left it."""
    rng, order = Random(number), list(before)
    for _ in range(3):
        cut = sum(rng.random() < 0.5 for _ in range(52))
        left, right, order = order[:cut], order[cut:], []
        while left or right:
            side = left if rng.random() * (len(left) + len(right)) < len(left) else right
            order.append(side.pop(0))
    return order


def few_seeds(number, _):
    """A generator that has been given hardly any seeds: the same packs again and again."""
    return list(shuffle.shuffle(SECRET, (), number % 32, NAMES))


def the_same_again(number, before):
    """Now and then the deck of the deal before."""
    return before if number % 10 == 5 else fair(number, before)


def each_in_turn(number, _):
    """Decks that give every card every place equally often: too often."""
    order = fair(0, _)
    return order[number % 52 :] + order[: number % 52]


def good_for_the_beginner(number, _):
    """Of two decks the one that gives the beginner the better hand."""
    decks = (fair(2 * number, _), fair(2 * number + 1, _))
    return min(decks, key=lambda cards: min(gin.dealt(2, cards).items()))


BIASED = (
    any_place_for_each,
    never_where_it_was,
    bytes_modulo,
    sorted_by_a_coin,
    cut_and_riffled_thrice,
    few_seeds,
    the_same_again,
    each_in_turn,
    good_for_the_beginner,
)


@pytest.mark.parametrize("shuffled", BIASED, ids=[each.__name__ for each in BIASED])
def test_a_biased_shuffle_is_caught(shuffled):
    assert caught(gin, shuffled, deals=12_000 if shuffled is bytes_modulo else MANY)


def test_what_gives_it_away_is_named():
    assert "each card in each place, chi-square" in caught(gin, each_in_turn)
    assert "cards where they lay a deal before" in caught(gin, the_same_again)
    assert "deadwood dealt to hand 1, mean" in caught(gin, good_for_the_beginner)
    assert caught(rummy, fair, lot=1) == ["first dealer of 4, share of seat 0"]


# Over what is stored


def stored(ann, shuffled, deals, game="gin", **options):
    """Matches of ten deals each, as far as the statistics look at them."""
    before = list(NAMES)
    for number in range(deals):
        if number % 10 == 0:
            match = Match.opened(game, GAMES[game].Options(**options), 2, created_by=ann.player)
            match.save()
        before = shuffled(number, before)
        version = number % 10 + 1
        action = {"type": "deal", "dealer": 0, "cards": before}
        now = timezone.now()
        Move.objects.create(
            match=match, version=version, seat=DEALER, action=action, created_at=now
        )
        Deal.objects.create(
            match=match,
            number=version,
            dealer=shuffle.lot(SECRET, (), number, 2) if version == 1 else 0,
            first_version=version,
            before={},
            started_at=now,
        )


def statistics(*arguments):
    out = StringIO()
    call_command("deal_statistics", *arguments, stdout=out)
    return out.getvalue()


def test_fair_deals_are_said_to_be(ann):
    stored(ann, fair, 400)

    said = statistics("--game", "gin")

    assert said.startswith("Gin Rummy, deals: 400\n")
    assert "deadwood dealt to hand 1, mean" in said
    assert "as luck would have it: the oddest of 6 figures" in said


def test_biased_deals_are_said_to_be_and_it_ends_with_1(ann):
    stored(ann, sorted_by_a_coin, 400)

    with pytest.raises(CommandError, match="Not as luck would have it: Gin Rummy") as caught:
        statistics()
    assert caught.value.returncode == 1


def test_the_deal_before_is_that_of_the_same_match(ann):
    stored(ann, lambda number, before: fair(number // 10, before), 400)
    with pytest.raises(CommandError):
        statistics()

    figures = {figure.name: figure.found for figure in figures_of("gin")}
    assert figures["cards where they lay a deal before"] == 52


def figures_of(game):
    tally = luck.Tally(GAMES[game])
    for deal in drawn_by_lot(game):
        tally.add(*deal)
    return tally.figures()


def test_every_game_is_looked_at_and_few_deals_have_no_verdict(ann):
    stored(ann, sorted_by_a_coin, 10)

    said = statistics()

    for game, deals in (("Gin Rummy", 10), ("Basic Rummy", 0), ("Pyramid", 0)):
        assert f"{game}, deals: {deals}\n  too few for a verdict: from 260 on" in said
    assert "mean" not in said, "nothing of a single hand"


def test_deals_by_a_public_number_are_left_out(ann):
    stored(ann, fair, 10, game="pyramid", practice=True, deal_number=7)
    stored(ann, fair, 10, game="pyramid")

    assert "Pyramid, deals: 10\n" in statistics("--game", "pyramid")


def test_deals_of_real_matches_count(ann):
    for game, seats in (("gin", 2), ("rummy", 4), ("pyramid", 1)):
        sit(ann, *["random"] * (seats - 1), game=game)

        [(number, cards, before, dealer)] = drawn_by_lot(game)
        assert (number, sorted(cards), before) == (seats, sorted(NAMES), None)
        assert dealer in range(seats)


def test_a_game_that_says_nothing_of_its_deals_is_judged_by_the_cards():
    assert not hasattr(highest, "dealt")
    names = [figure.name for figure in tallied(highest, fair, seats=2)]
    assert names == [
        "each card in each place, chi-square",
        "cards followed by the next of the pack",
        "cards where they lay a deal before",
        "first dealer of 2, share of seat 0",
    ]


# The mathematics


def test_with_fair_deals_each_likelihood_is_as_likely_as_any_other():
    """So the verdict is wrong as seldom as it says: in 100 small lots each is a half on average."""
    seen = {}
    for lot in range(100):
        tally = luck.Tally(gin)
        for number in range(lot * luck.FEWEST, (lot + 1) * luck.FEWEST):
            dealer = shuffle.lot(SECRET, (), number, 2)
            tally.add(2, fair(number, None), fair(number + 10**6, None), dealer)
        for figure in tally.figures(2 * luck.FEWEST):
            seen.setdefault(figure.name, []).append(figure)
    assert len(seen) == 6
    for name, figures in seen.items():
        assert fmean(figure.likely for figure in figures) == pytest.approx(0.5, abs=0.1), name
    spread = seen["each card in each place, chi-square"]
    assert fmean(figure.found for figure in spread) == pytest.approx(51 * 51, abs=3 * 72 / 10)


@pytest.mark.parametrize(
    ("freedom", "square"), [(1, 10.828), (2, 13.816), (3, 16.266), (23, 49.728), (100, 149.449)]
)
def test_the_tail_of_chi_square_is_that_of_the_tables(freedom, square):
    assert luck.above(square, freedom) == pytest.approx(0.001, rel=0.001)
    assert luck.above(0.0, freedom) == 1


def test_the_variance_of_followers_is_that_of_every_order_of_few_cards():
    """By the same formula for four cards, over their 24 orders."""
    orders = [sum(b == a + 1 for a, b in pairwise(p)) for p in permutations(range(4))]
    theory = 3 / 4
    assert fmean(orders) == theory
    assert pvariance(orders) == pytest.approx(2 / 4 + theory - theory**2)
