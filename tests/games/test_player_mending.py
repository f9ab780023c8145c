"""Players disabled, signed out and made nameless from the admin, each time with a reason."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Match
from players.models import Intervention, Player, Token, Webhook
from players.services import (
    NotMendable,
    anonymise,
    disable,
    forget_guests,
    issue_token,
    make_guest,
    revoke_tokens,
)
from tests.games.people import Person, played, sit


@pytest.fixture
def ann(db):
    return Person(Player.objects.create_user("ann", "correct horse battery"))


@pytest.fixture
def mend(operator):
    def do(player, name, status=302, reason="because"):
        address = f"/admin/players/player/{player.pk}/mend/{name}/"
        assert operator.get(address).status_code == 200
        assert operator.post(address, {"reason": reason}).status_code == status
        return Player.objects.get(pk=player.pk)

    return do


def sign_in(client, name):
    body = {"name": name, "password": "correct horse battery"}
    return client.post("/api/v1/sessions", body, content_type="application/json").status_code


def test_a_disabled_player_is_let_in_no_more_and_told_why(ann, mend):
    assert ann.get("/me").status_code == 200

    mend(ann.player, "disable")

    answer = ann.get("/me")
    assert answer.status_code == 401
    assert "disabled" in answer.json()["detail"]
    assert sign_in(Person().client, "ann") == 401


def test_and_is_let_in_again_once_enabled(ann, mend):
    mend(ann.player, "disable")
    mend(ann.player, "enable")

    assert ann.get("/me").status_code == 200
    assert [each.what for each in Intervention.objects.order_by("id")] == ["disable", "enable"]


def test_a_browsers_session_ends_with_it(ann, mend):
    browser = Person().client
    browser.force_login(ann.player)
    assert browser.get("/api/v1/me").status_code == 200

    mend(ann.player, "disable")

    assert browser.get("/api/v1/me").status_code == 401


def test_all_tokens_are_revoked_and_others_can_be_had(ann, mend):
    mend(ann.player, "revoke-tokens")

    assert ann.get("/me").status_code == 401
    _, text = issue_token(ann.player, "another", ["play"])
    ann.token = text
    assert ann.get("/me").status_code == 200


def test_an_anonymised_players_matches_stay_and_the_name_goes(ann, mend, operator):
    bob = Person(Player.objects.create(name="bob"))
    match = played(sit(ann, bob), "draw")
    Webhook.objects.create(player=ann.player, url="https://a.example/", events=[])

    gone = mend(ann.player, "anonymise")

    assert gone.name.startswith("gone-")
    assert not gone.is_active and not gone.has_usable_password()
    assert not Token.objects.filter(player=gone).exists()
    assert not Webhook.objects.filter(player=gone).exists()
    told = bob.get(f"/matches/{match.pk}")
    assert told.json()["seats"][0]["player"] == gone.name
    assert '"ann"' not in told.content.decode()
    assert Match.objects.get(pk=match.pk).folded().seats[0].player == str(gone.pk)
    kept = Intervention.objects.get()
    assert "ann" not in str(kept.detail) and kept.about == str(gone.pk)
    assert operator.get("/admin/players/player/", {"q": "ann"}).content.count(b"gone-") == 0


def test_the_name_is_nowhere_in_the_database_any_more(mend):
    name = "Zenobia-1"
    zenobia = Person(Player.objects.create_user(name, "correct horse battery"))
    bob = Person(Player.objects.create(name="bob"))
    played(sit(zenobia, bob), "draw")
    browser = Person().client
    wrong = {"name": name.upper(), "password": "wrong horse battery"}
    assert browser.post("/api/v1/sessions", wrong, "application/json").status_code == 401
    assert sign_in(browser, name) == 201
    assert browser.post("/api/v1/sessions", wrong, "application/json").status_code == 401
    assert "players_player.name" in places_of(name)
    assert "axes_accessattempt.username" in places_of(name)

    mend(zenobia.player, "anonymise")

    assert places_of(name) == []


def test_nor_is_that_of_a_guest_who_is_forgotten(db):
    guest = make_guest()
    wrong = {"name": guest.name, "password": "wrong horse battery"}
    assert Person().client.post("/api/v1/sessions", wrong, "application/json").status_code == 401
    long_ago = timezone.now() - timedelta(days=40)
    Player.objects.filter(pk=guest.pk).update(created_at=long_ago)

    assert forget_guests() == 1

    assert places_of(guest.name) == []


def places_of(name):
    """The columns of any table in whose text the name stands, whatever its capitals."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND data_type <> 'bytea'"
        )
        columns = cursor.fetchall()
        found = []
        for table, column in columns:
            told = f'SELECT 1 FROM "{table}" WHERE strpos(lower("{column}"::text), %s) > 0'
            cursor.execute(told, [name.lower()])
            found += [f"{table}.{column}"] if cursor.fetchone() else []
    return sorted(found)


def test_nobody_mends_himself(operator, mend):
    olga = Player.objects.get(name="olga")

    for name in ("disable", "anonymise"):
        mend(olga, name, 409)
    assert Player.objects.get(name="olga").is_active


def test_only_a_superuser_mends_a_superuser(client, db):
    boss = Player.objects.create_superuser("boss")
    moderator = Player.objects.create(name="mod", is_staff=True)
    for services in (disable, revoke_tokens, anonymise):
        with pytest.raises(NotMendable):
            services(boss.pk, moderator, "because")
    assert not Intervention.objects.exists()


def test_twice_is_refused_and_so_is_no_reason(ann, mend):
    mend(ann.player, "disable", 409, reason=" ")
    assert Player.objects.get(name="ann").is_active

    mend(ann.player, "disable")
    mend(ann.player, "disable", 409)
    assert Intervention.objects.count() == 1


def test_who_may_only_look_sees_no_button_and_can_do_nothing(ann, client):
    from django.contrib.auth.models import Permission

    helper = Player.objects.create(name="helper", is_staff=True)
    helper.user_permissions.add(Permission.objects.get(codename="view_player"))
    client.force_login(helper)

    page = client.get(f"/admin/players/player/{ann.player.pk}/change/")
    assert page.status_code == 200
    assert "/mend/" not in page.content.decode()
    for name in ("disable", "anonymise", "revoke-tokens"):
        address = f"/admin/players/player/{ann.player.pk}/mend/{name}/"
        assert client.post(address, {"reason": "x"}).status_code == 403
    assert Player.objects.get(name="ann").is_active
