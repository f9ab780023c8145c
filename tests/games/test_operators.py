"""A superuser says in the admin who is an operator and what he may do; nobody needs a shell."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from players.models import Intervention, Player
from players.operators import permit
from players.services import NotMendable
from tests.games.people import Person, played, sit

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(db):
    return Person(Player.objects.create_user("ann", PASSWORD))


@pytest.fixture
def may(operator):
    """may(player, *rights): the superuser ticks these, says why, and is answered so."""

    def do(player, *given, status=302):
        address = f"/admin/players/player/{player.pk}/mend/permit/"
        form = {"reason": "she helps on Sundays", "given": given}
        assert operator.post(address, form).status_code == status
        return Player.objects.get(pk=player.pk)

    return do


def signed_in(name):
    """Whoever signs in to the admin with the password, or None if he is not let in."""
    client = Client()
    form = {"username": name, "password": PASSWORD, "next": "/admin/"}
    return client if client.post("/admin/login/", form).status_code == 302 else None


def buttons(client, match):
    """The names of what the match's page offers to do."""
    page = client.get(f"/admin/games/match/{match.pk}/change/")
    assert page.status_code == 200
    return {part.split("/")[0] for part in page.content.decode().split("/mend/")[1:]}


def test_who_is_ticked_to_mend_matches_signs_in_and_sees_these_buttons_and_no_others(
    ann, bob, eve, may
):
    match = played(sit(bob, eve), "draw")
    assert signed_in("ann") is None

    may(ann.player, "games.mend_match")

    client = signed_in("ann")
    assert {"end", "seat-bot", "roll-back"} <= buttons(client, match)
    assert "open" not in buttons(client, match)
    for name, status in (("end", 200), ("open", 403)):
        address = f"/admin/games/match/{match.pk}/mend/{name}/"
        assert client.get(address).status_code == status
    assert "/mend/" not in client.get(f"/admin/players/player/{bob.player.pk}/change/").text


def test_an_operator_may_look_at_every_list(ann, may):
    may(ann.player, "look")

    client = signed_in("ann")
    for model in admin.site._registry:
        page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert client.get(page).status_code == 200, page
    assert "Is all well?" in client.get("/admin/").text


def test_what_was_given_is_ticked_and_told_and_kept_with_the_reason(ann, may, operator):
    may(ann.player, "games.open_match", "players.mend_player")

    page = operator.get(f"/admin/players/player/{ann.player.pk}/mend/permit/").text
    ticked = re.findall(r'value="([^"]+)"[^>]* checked[ >]', page)
    assert ticked == ["look", "players.mend_player", "games.open_match"]
    told = operator.get(f"/admin/players/player/{ann.player.pk}/change/").text
    assert "Can break live matches open" in told and "Can mend matches" not in told
    kept = Intervention.objects.get()
    assert (kept.what, kept.by.name, kept.reason) == ("permit", "olga", "she helps on Sundays")
    assert kept.detail == {"given": ["games.open_match", "players.mend_player"]}


def test_who_is_given_nothing_is_an_operator_no_more(ann, may):
    may(ann.player, "games.mend_match")
    client = signed_in("ann")
    assert client.get("/admin/").status_code == 200

    after = may(ann.player)

    assert not after.is_staff and not after.user_permissions.exists()
    assert client.get("/admin/").status_code == 302


def test_who_may_break_matches_open_no_more_sees_no_more_at_once(ann, bob, eve, may):
    match = played(sit(bob, eve), "draw")
    may(ann.player, "games.open_match")
    client = signed_in("ann")
    client.post(f"/admin/games/match/{match.pk}/mend/open/", {"reason": "they say it hangs"})
    page = f"/admin/games/match/{match.pk}/replay/"
    assert "every seat" in client.get(page).text

    may(ann.player, "look")

    assert "every seat" not in client.get(page).text
    assert client.get(f"/admin/games/match/{match.pk}/export/").status_code == 403


def test_only_a_superuser_says_so(ann, bob, may):
    may(ann.player, "players.mend_player")
    client = signed_in("ann")
    page = f"/admin/players/player/{bob.player.pk}/"

    assert "/mend/disable/" in client.get(f"{page}change/").text
    assert "/mend/permit/" not in client.get(f"{page}change/").text
    form = {"reason": "x", "given": ["games.open_match"]}
    assert client.post(f"{page}mend/permit/", form).status_code == 403
    with pytest.raises(NotMendable):
        permit(bob.player.pk, Player.objects.get(name="ann"), "x", ["look"])
    assert not Player.objects.get(name="bob").is_staff


def test_neither_a_guest_nor_another_superuser_nor_oneself(bob, may):
    assert not may(bob.player, "look", status=409).is_staff, "without a password"
    boss = Player.objects.create_superuser("boss", PASSWORD)
    may(boss, "look", status=409)
    may(Player.objects.get(name="olga"), "look", status=409)
    assert not Intervention.objects.exists()


@pytest.mark.parametrize("right", ["games.delete_match", "nonsense", "players.view_player"])
def test_nothing_else_can_be_given(ann, may, right):
    assert not may(ann.player, right, status=409).is_staff
