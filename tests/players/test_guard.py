"""Guessing passwords"""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from players import services
from players.models import Player

pytestmark = pytest.mark.django_db
ANN = {"name": "ann", "password": "correct horse battery"}
LIMIT = settings.AXES_FAILURE_LIMIT
HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def ann(db):
    return services.register(**ANN)


def sign_in(password, name="ann", address=HERE, **more):
    body = {"name": name, "password": password, **more}
    client = Client(REMOTE_ADDR=address)
    return client.post("/api/v1/sessions", body, content_type="application/json")


def guess(times, **more):
    return [sign_in("guess", **more).status_code for _ in range(times)]


def later(**time):
    for tried in AccessAttempt.objects.all():
        tried.attempt_time -= timedelta(**time)
        tried.save()


def test_after_ten_wrong_passwords_even_the_right_one_must_wait(ann):
    assert guess(LIMIT) == [401] * (LIMIT - 1) + [429]

    response = sign_in(ANN["password"])
    assert (response.status_code, response.json()["code"]) == (429, "throttled")
    assert "wrong passwords" in response.json()["detail"]
    later(minutes=10)
    assert 295 <= int(sign_in("guess")["Retry-After"]) <= 300


def test_after_a_quarter_of_an_hour_the_player_comes_in_however_much_was_guessed(ann):
    guess(LIMIT + 5)
    later(minutes=15, seconds=1)

    assert sign_in(ANN["password"]).status_code == 201


def test_guessing_from_elsewhere_does_not_shut_the_player_out(ann):
    guess(LIMIT, address=THERE)

    assert sign_in(ANN["password"]).status_code == 201
    assert sign_in(ANN["password"], address=THERE).status_code == 429


def test_another_name_is_not_shut_out(ann):
    services.register("bob", "a better horse")
    guess(LIMIT)

    assert sign_in("a better horse", name="bob").status_code == 201


def test_a_name_in_other_capitals_is_the_same_name(ann):
    for name in ("ann", "Ann", "ANN", "aNn") * 3:
        last = sign_in("guess", name=name)

    assert last.status_code == 429


def test_another_browser_at_the_same_address_is_no_other_guesser(ann):
    for number in range(LIMIT):
        client = Client(REMOTE_ADDR=HERE, headers={"User-Agent": f"browser {number}"})
        body = {"name": "ann", "password": "guess"}
        last = client.post("/api/v1/sessions", body, content_type="application/json")

    assert last.status_code == 429


def test_who_has_no_account_is_refused_alike(db):
    assert guess(LIMIT, name="zoe") == [401] * (LIMIT - 1) + [429]


@pytest.mark.parametrize("more", [{}, {"cookie": True}])
def test_the_right_password_clears_what_went_wrong_before(ann, more):
    guess(LIMIT - 1)
    assert sign_in(ANN["password"], **more).status_code == 201

    assert guess(LIMIT - 1) == [401] * (LIMIT - 1)


def test_the_admin_and_the_api_count_together(ann):
    Player.objects.update(is_staff=True)
    guess(LIMIT - 1)
    client = Client(REMOTE_ADDR=HERE)

    page = client.post("/admin/login/", {"username": "ann", "password": "guess"})
    assert (page.status_code, page["Retry-After"]) == (429, "900")
    page = client.post("/admin/login/", {"username": "ann", "password": ANN["password"]})
    assert page.status_code == 429
    later(minutes=16)
    page = client.post("/admin/login/", {"username": "ann", "password": ANN["password"]})
    assert page.status_code == 302


def test_who_holds_a_token_cannot_guess_the_password_with_it(ann, call, token_of):
    token = token_of(ann)[1]
    body = {"current_password": "guess", "password": "a better horse"}

    found = [call("patch", "/me", body, token=token).status_code for _ in range(LIMIT)]
    assert found == [401] * (LIMIT - 1) + [429]


def test_no_password_that_was_tried_is_kept_or_logged(ann, caplog):
    Client().post("/admin/login/", {"username": "ann", "password": "my secret word"})
    sign_in("my secret word")

    kept = repr(list(AccessAttempt.objects.values()))
    assert "ann" in kept and "my secret word" not in kept + caplog.text


def test_what_is_old_is_found_by_an_index(db):
    sql = "EXPLAIN DELETE FROM axes_accessattempt WHERE attempt_time <= now()"
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(sql)
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "failed_sign_ins_by_time" in plan


def test_signing_in_is_noted(ann):
    assert sign_in(ANN["password"]).status_code == 201

    assert Player.objects.get().last_login >= timezone.now() - timedelta(minutes=1)
