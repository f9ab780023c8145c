"""Operators look at everything, and at nothing that a player must not know."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from games.engine import pyramid
from games.models import Deal, Match, Move
from games.services import ends, scores, tables
from players.models import Player

pytestmark = pytest.mark.django_db
RECORDS = ["score", "rating", "ratingchange", "board", "standing"]
LISTS = ["match", "deal", "seat", "move", *RECORDS]


@pytest.fixture
def ann():
    return Player.objects.create_user("ann")


@pytest.fixture
def operator(settings):
    client = Client()
    client.force_login(Player.objects.create_superuser("olga"))
    return client


@pytest.fixture
def live(ann):
    return tables.create_match(ann, "gin", {}, ["me", tables.Wish(bot="easy")])


def pages(operator, match):
    """Every admin page that has to do with the match, by address, without its form's token."""
    rows = [("match", match.pk)]
    rows += [("deal", deal.pk) for deal in match.deals.all()]
    rows += [("seat", seat.pk) for seat in match.seats.all()]
    rows += [("move", move.pk) for move in match.moves.all()]
    addresses = [f"/admin/games/{kind}/" for kind in LISTS]
    addresses += [f"/admin/games/{kind}/{pk}/change/" for kind, pk in rows]
    addresses += [f"/admin/games/{kind}/{pk}/history/" for kind, pk in rows]
    found = {}
    for address in addresses:
        answer = operator.get(address)
        assert answer.status_code == 200, address
        token = rb'name="csrfmiddlewaretoken" value="[^"]+"'
        found[address] = re.sub(token, b"", answer.content).decode()
    return found


def test_an_operator_finds_a_match_by_id_and_by_player(operator, live):
    for query in (str(live.pk), "ann"):
        assert str(live.pk) in operator.get("/admin/games/match/", {"q": query}).content.decode()
    assert str(live.pk) not in operator.get("/admin/games/match/", {"q": "zoe"}).content.decode()


def test_other_cards_in_a_live_match_change_no_page(operator, live):
    before = pages(operator, live)
    other = Move.objects.get(match=live, seat=-1)
    other.action = {**other.action, "cards": other.action["cards"][::-1]}
    other.save()
    state = {**live.position["state"], "hands": [1023, 1023 << 20], "stock": [1, 2, 3]}
    position = {**live.position, "state": state}
    Match.objects.filter(pk=live.pk).update(position=position, secret=b"x" * 32)
    Deal.objects.filter(match=live).update(before={**position, "version": 3})
    assert pages(operator, live) == before


@pytest.mark.parametrize(
    "question",
    [
        "move/?action__cards__0__in=2H,AC",
        "move/?match__position__isnull=0",
        "move/?match__secret__isnull=0",
        "match/?secret__isnull=0",
        "match/?position__state__hands__0__gt=1",
        "match/?key_digest__startswith=a",
        "match/?deals__before__isnull=0",
        "deal/?before__isnull=0",
        "seat/?player__password__startswith=s",
    ],
)
def test_what_no_page_shows_cannot_be_asked_for_either(operator, live, question):
    assert operator.get(f"/admin/games/{question}").status_code == 400


@pytest.mark.parametrize("question", ["password__startswith=s", "tokens__digest__startswith=a"])
def test_nor_can_a_password_or_a_token(operator, question):
    assert operator.get(f"/admin/players/player/?{question}").status_code == 400


@pytest.mark.parametrize(
    "question",
    ["match/?status=playing", "match/?waits=stuck&game=gin", "match/?made=day"],
)
def test_what_a_page_filters_by_can_be_asked_for(operator, live, question):
    assert operator.get(f"/admin/games/{question}").status_code == 200


def test_the_secret_is_shown_once_the_match_has_ended(operator, live, ann):
    address = f"/admin/games/match/{live.pk}/change/"
    assert live.secret_hex not in operator.get(address).content.decode()
    ends.resign(live.pk, ann)
    assert live.secret_hex in operator.get(address).content.decode()


@pytest.fixture
def records(live, ann, game):
    """One of each that ended matches leave behind."""
    ends.resign(live.pk, ann)
    game("pyramid", pyramid)
    match = tables.create_match(ann, "pyramid", {}, ["me"])
    ends.resign(match.pk, ann)
    scores.post_score(match.pk, ann)
    return [(kind, apps.get_model("games", kind).objects.first().pk) for kind in RECORDS]


def test_what_ended_matches_leave_behind_is_shown(operator, records):
    for kind, pk in records:
        for address in (f"/admin/games/{kind}/", f"/admin/games/{kind}/{pk}/change/"):
            page = operator.get(address)
            assert page.status_code == 200, address
            assert kind == "board" or "ann" in page.content.decode()
        assert operator.get(f"/admin/games/{kind}/", {"q": "ann"}).status_code == 200
    assert "1000 ± 333" in operator.get("/admin/games/ratingchange/").content.decode()


def test_their_lists_cost_the_same_for_one_and_for_many(operator, ann, records, count):
    def costs():
        found = []
        for kind in RECORDS:
            with count() as statements:
                operator.get(f"/admin/games/{kind}/")
            found.append(statements())
        return found

    few = costs()
    for number in range(5):
        other = Player.objects.create_user(f"player{number}")
        for game, seats in (("gin", ["me", tables.Wish(bot="easy")]), ("pyramid", ["me"])):
            match = tables.create_match(other, game, {}, seats)
            ends.resign(match.pk, other)
            if game == "pyramid":
                scores.post_score(match.pk, other)
    assert costs() == few
    assert max(few) <= 10


def test_the_key_of_a_private_match_is_never_shown(operator, ann):
    seats = ["me", tables.Wish(bot="easy")]
    match = tables.create_match(ann, "gin", {}, seats, visibility="private")
    for _ in ("live", "over"):
        for address, page in pages(operator, match).items():
            assert match.key not in page and match.key_digest not in page, address
        if match.status == "playing":
            match.status = ends.resign(match.pk, ann).status


def test_nothing_can_be_changed_by_hand(operator, live, records):
    for kind, pk in (("match", live.pk), ("move", live.moves.first().pk), *records):
        assert operator.post(f"/admin/games/{kind}/{pk}/change/", {}).status_code == 403
        assert operator.post(f"/admin/games/{kind}/{pk}/delete/", {}).status_code == 403
        assert operator.get(f"/admin/games/{kind}/add/").status_code == 403


def test_no_page_offers_to_add_anything(operator):
    for model in admin.site._registry:
        kind = f"{model._meta.app_label}/{model._meta.model_name}"
        assert operator.get(f"/admin/{kind}/add/").status_code == 403
    assert "addlink" not in operator.get("/admin/").content.decode()


def test_players_do_not_get_into_the_admin(live, ann):
    client = Client()
    client.force_login(ann)
    assert client.get("/admin/games/match/").status_code == 302


def test_the_list_costs_the_same_for_one_match_and_for_many(
    operator, live, ann, django_assert_max_num_queries
):
    with django_assert_max_num_queries(10):
        operator.get("/admin/games/match/")
    for _ in range(5):
        tables.create_match(ann, "gin", {}, ["me", tables.Wish(bot="easy")])
    with django_assert_max_num_queries(10):
        operator.get("/admin/games/match/")
