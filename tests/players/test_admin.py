import pytest

from players.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    client.force_login(Player.objects.create_superuser("operator", "correct horse battery"))
    return client


def test_the_operator_finds_a_player_and_its_tokens(operator, ann, token_of):
    token, text = token_of(ann)

    assert "ann" in operator.get("/admin/players/player/?q=ann").content.decode()
    assert operator.get(f"/admin/players/player/{ann.pk}/change/").status_code == 200
    for page in ("", f"{token.pk}/change/"):
        shown = operator.get(f"/admin/players/token/{page}").content.decode()
        assert token.prefix in shown
        assert token.digest not in shown
        assert text not in shown


def test_the_admin_only_looks(operator, ann):
    assert operator.get("/admin/players/player/add/").status_code == 403
    assert operator.post(f"/admin/players/player/{ann.pk}/delete/").status_code == 403
    assert (
        operator.post(f"/admin/players/player/{ann.pk}/change/", {"name": "x"}).status_code == 403
    )


def test_the_operator_signs_in_by_name_and_password(client, db):
    Player.objects.create_superuser("operator", "correct horse battery")
    form = {"username": "Operator", "password": "correct horse battery"}

    assert client.post("/admin/login/", form).status_code == 302
