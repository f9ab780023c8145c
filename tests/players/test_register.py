import pytest

from players.models import Player

pytestmark = pytest.mark.django_db
ANN = {"name": "Ann", "password": "correct horse battery"}


def test_registering_makes_an_account_and_signs_it_in(call):
    response = call("post", "/players", ANN)

    assert response.status_code == 201
    assert response["Location"] == "/api/v1/players/Ann"
    assert response.json()["player"]["name"] == "Ann"
    assert response.json()["player"]["guest"] is False
    me = call("get", "/me", token=response.json()["token"])
    assert me.json()["id"] == response.json()["player"]["id"]


def test_a_player_is_found_by_name_whatever_its_capitals(call):
    call("post", "/players", ANN)

    assert call("get", "/players/aNN").json()["name"] == "Ann"


def test_a_player_page_shows_no_more_than_it_should(call, ann):
    assert set(call("get", "/players/ann").json()) == {"id", "name", "guest", "created_at"}


@pytest.mark.parametrize("name", ["nobody", "a" * 200, "%00", "%2e%2e"])
def test_an_unknown_player_is_not_found(call, name):
    assert call("get", f"/players/{name}").json()["code"] == "not-found"


def test_a_name_that_differs_only_by_capitals_is_taken(call, ann):
    response = call("post", "/players", {**ANN, "name": "ANN"})

    assert (response.status_code, response.json()["code"]) == (409, "name-taken")
    assert response.json()["errors"][0]["pointer"] == "/name"
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", ["x", "-ann", "an n", "änn", "me", "Guest", "guest-abcdef"])
def test_some_names_cannot_be_given(call, name):
    response = call("post", "/players", {**ANN, "name": name})

    assert (response.status_code, response.json()["code"]) == (400, "name-not-allowed")


@pytest.mark.parametrize("password", ["short", "12345678901", "password1", "annannann"])
def test_a_weak_password_is_refused(call, password):
    response = call("post", "/players", {"name": "annannan", "password": password})

    assert (response.status_code, response.json()["code"]) == (400, "weak-password")
    assert response.json()["errors"][0]["pointer"] == "/password"


@pytest.mark.parametrize(("name", "code"), [("me", "name-not-allowed"), ("Ann", "name-taken")])
def test_what_is_wrong_with_name_and_password_is_told_together(call, ann, name, code):
    response = call("post", "/players", {"name": name, "password": "12345678"})

    assert response.json()["code"] == code
    told = [(error["pointer"], error["code"]) for error in response.json()["errors"]]
    assert told == [("/name", code), ("/password", "weak-password")]


def test_an_unknown_field_is_pointed_at(call):
    response = call("post", "/players", {**ANN, "pasword": "x"})

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {
            "pointer": "/pasword",
            "code": "unknown-field",
            "detail": "There is no such field here; the fields are: name, password, cookie.",
        }
    ]


@pytest.mark.parametrize("wrong", [{"name": 1}, {"name": None}, {"cookie": "on"}, {"cookie": 1}])
def test_a_field_of_another_type_is_pointed_at(call, wrong):
    [error] = call("post", "/players", {**ANN, **wrong}).json()["errors"]

    assert error["pointer"] == f"/{next(iter(wrong))}"


def test_a_missing_field_is_pointed_at(call):
    errors = call("post", "/players", {"name": "ann"}).json()["errors"]

    assert [(e["pointer"], e["code"]) for e in errors] == [("/password", "required")]


def test_no_idempotency_key_is_kept_for_an_answer_with_a_secret(call):
    response = call("post", "/players", ANN, Idempotency_Key="k1")

    assert (response.status_code, response.json()["code"]) == (400, "key-not-supported")
    assert not Player.objects.exists()


def test_a_body_of_unknown_fields_gets_a_short_answer(call, db):
    response = call("post", "/players", {f"field{n}": n for n in range(10_000)})

    assert response.status_code == 400
    assert len(response.json()["errors"]) == 10
