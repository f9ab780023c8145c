import pytest

from players import services
from players.models import Player, Token

pytestmark = pytest.mark.django_db
ANN = {"name": "ann", "password": "correct horse battery"}


def test_one_post_without_a_body_makes_a_guest_that_may_play(call):
    response = call("post", "/players/guest")

    assert response.status_code == 201
    guest = response.json()["player"]
    assert guest["guest"] is True
    assert guest["name"].startswith("guest-")
    assert response["Location"] == f"/api/v1/players/{guest['name']}"
    me = call("get", "/me", token=response.json()["token"]).json()
    assert (me["id"], me["scopes"]) == (guest["id"], ["play", "read"])


def test_a_guest_becomes_an_account_and_stays_the_same_player(call):
    guest = call("post", "/players/guest").json()

    response = call("post", "/me/account", ANN, token=guest["token"])

    assert response.status_code == 200
    assert response.json()["id"] == guest["player"]["id"]
    assert (response.json()["name"], response.json()["guest"]) == ("ann", False)
    assert call("get", "/me", token=guest["token"]).json()["name"] == "ann"
    assert call("post", "/sessions", ANN).status_code == 201


def test_a_guest_in_a_browser_stays_signed_in_when_it_becomes_an_account(call):
    guest = call("post", "/players/guest", {"cookie": True})
    assert guest.json()["token"] is None

    csrf = guest.cookies["csrftoken"].value
    assert call("post", "/me/account", ANN, X_CSRFToken=csrf).status_code == 200

    assert call("get", "/me").json()["name"] == "ann"
    assert not Token.objects.exists()


def test_guests_cannot_sign_in_by_name(call):
    name = call("post", "/players/guest").json()["player"]["name"]

    response = call("post", "/sessions", {"name": name, "password": ""})
    assert response.status_code == 400
    response = call("post", "/sessions", {"name": name, "password": "!"})
    assert response.json()["code"] == "wrong-credentials"


def test_an_account_cannot_become_an_account(call, ann, token_of):
    response = call("post", "/me/account", {**ANN, "name": "anna"}, token=token_of(ann)[1])

    assert (response.status_code, response.json()["code"]) == (409, "not-a-guest")


def test_a_guest_cannot_take_the_name_of_another(call, eve):
    guest = call("post", "/players/guest").json()

    response = call("post", "/me/account", {**ANN, "name": "Eve"}, token=guest["token"])

    assert (response.status_code, response.json()["code"]) == (409, "name-taken")
    assert Player.objects.get(pk=guest["player"]["id"]).is_guest


def test_two_clients_cannot_both_turn_one_guest_into_an_account():
    guest = services.make_guest()
    again = Player.objects.get(pk=guest.pk)
    services.become_account(guest, "ann", ANN["password"])

    with pytest.raises(services.NotAGuest):
        services.become_account(again, "anna", ANN["password"])


def test_a_guest_who_was_anonymised_meanwhile_gets_no_name():
    guest = services.make_guest()
    boss = Player.objects.create(name="boss", is_staff=True)
    services.anonymise(guest.pk, boss, "she asked for it")

    with pytest.raises(services.NotAGuest):
        services.become_account(guest, "ann", ANN["password"])
    assert not Player.objects.filter(name="ann").exists()
