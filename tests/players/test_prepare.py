"""manage.py prepare makes an operator of the environment."""

import pytest
from django.core.management import CommandError, call_command

from players.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def prepare(settings, capsys):
    """prepare(name, password, *options): what it prints."""

    def run(name, password, *options):
        settings.OPERATOR_NAME, settings.OPERATOR_PASSWORD = name, password
        call_command("prepare", *options)
        return capsys.readouterr().out

    return run


def test_an_operator_is_made_once_and_keeps_the_password_he_has(prepare, client):
    assert prepare("olga", "correct horse battery") == "Created the operator olga.\n"
    olga = Player.objects.get()
    assert olga.is_staff and olga.is_superuser
    assert olga.check_password("correct horse battery")

    assert prepare("Olga", "another horse battery") == ""
    assert Player.objects.get().check_password("correct horse battery")


def test_without_a_password_none_is_made(prepare):
    assert prepare("olga", "") == ""
    assert not Player.objects.exists()


def test_on_a_laptop_there_is_one_whose_password_all_know(prepare):
    assert "password operator" in prepare("operator", "", "--operator")
    assert prepare("operator", "", "--operator") == ""
    assert Player.objects.get().check_password("operator")


def test_but_not_where_another_password_is_given(prepare):
    prepare("operator", "correct horse battery", "--operator")
    assert not Player.objects.get().check_password("operator")


@pytest.mark.parametrize("password", ["short", "password123", "1234567890123", "operatorolga"])
def test_a_password_that_is_guessed_is_refused(prepare, password):
    with pytest.raises(CommandError, match=r"^OPERATOR_PASSWORD: "):
        prepare("operatorolga", password)


def test_a_player_does_not_become_operator_by_his_name(prepare):
    Player.objects.create_user("olga", "correct horse battery")
    with pytest.raises(CommandError, match=r"^OPERATOR_NAME: olga is a player who is no operator"):
        prepare("olga", "correct horse battery")
    assert not Player.objects.get().is_staff


def test_a_name_that_is_none_is_refused(prepare):
    with pytest.raises(CommandError, match=r"^OPERATOR_NAME: A name has"):
        prepare("two words", "correct horse battery")
