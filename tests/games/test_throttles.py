"""How often each may ask, counted in a real Valkey."""

import socket
import time
from types import SimpleNamespace

import pytest
from django.test import Client, RequestFactory

from games import wake
from games.models import Match
from ginservice import broker, throttles
from tests.games.people import Person, events, refused, sit

RATES = {
    "address": {"reads": 50, "writes": 50, "moves": 50, "hints": 50, "doors": 2},
    "anonymous": {"reads": 2, "writes": 2, "moves": 2},
    "token": {"reads": 3, "writes": 2, "moves": 4, "hints": 1},
    "wide": 2,
}


@pytest.fixture(autouse=True)
def rates(settings, servers, monkeypatch):
    settings.THROTTLES, settings.THROTTLE_RATES = 1, RATES
    monkeypatch.setattr(broker.breaker, "until", 0.0)
    for key in throttles.client().keys("throttle:*"):
        throttles.client().delete(key)
    return RATES


def statuses(call, times):
    return [call().status_code for _ in range(times)]


def test_who_reads_too_often_is_told_when_to_come_again(ann):
    assert statuses(lambda: ann.get("/me"), 3) == [200] * 3

    response = ann.get("/me")
    refused(response, 429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60
    key = throttles.client().keys("throttle:token-reads:*")[0]
    assert int(response["Retry-After"]) >= throttles.client().ttl(key)


def test_hints_which_are_dear_are_counted_apart_from_what_is_read(ann, bob):
    match = sit(ann, bob, rated=False)

    assert statuses(lambda: ann.get(f"/matches/{match.pk}/hint"), 2) == [200, 429]
    assert statuses(lambda: ann.get("/me"), 3) == [200] * 3


def test_the_solver_which_is_dear_too_is_counted_with_them(ann):
    match = practised(ann)

    assert statuses(lambda: ann.post(f"/matches/{match['id']}/clearable"), 2) == [200, 429]
    assert statuses(lambda: ann.get("/me"), 3) == [200] * 3


def practised(person):
    body = {"game": "pyramid", "options": {"practice": True}, "seats": ["me"]}
    return person.post("/matches", body).json()


def test_after_the_time_told_there_is_room_again(ann):
    statuses(lambda: ann.get("/me"), 4)
    for key in throttles.client().keys("throttle:token-*"):
        throttles.client().pexpire(key, 1)
    time.sleep(0.01)

    assert ann.get("/me").status_code == 200


def test_who_asks_on_while_he_is_refused_does_not_wait_longer(ann):
    statuses(lambda: ann.get("/me"), 4)
    key = throttles.client().keys("throttle:token-reads:*")[0]
    throttles.client().expire(key, 10)

    assert int(ann.get("/me")["Retry-After"]) <= 10


def test_every_answer_tells_what_is_left(ann):
    response = ann.get("/me")

    assert response["RateLimit-Policy"] == '"address-reads";q=50;w=60, "token-reads";q=3;w=60'
    assert response["RateLimit"] == '"address-reads";r=49;t=60, "token-reads";r=2;t=60'
    statuses(lambda: ann.get("/me"), 3)
    assert '"token-reads";r=0;t=' in ann.get("/me")["RateLimit"]


def test_moves_are_played_when_nothing_more_may_be_read_or_written(ann, bob):
    match = sit(ann, bob)
    statuses(lambda: ann.get("/me"), 4)
    statuses(lambda: ann.post("/matches"), 3)
    refused(ann.get("/me"), 429, "throttled")
    refused(ann.post("/matches"), 429, "throttled")

    assert ann.move(match, "draw").status_code == 201
    assert ann.move(match, "discard KD").status_code == 201
    assert Match.objects.get().version == 7


def test_reads_from_an_address_leave_room_for_the_moves_from_there(ann, bob, settings):
    settings.THROTTLE_RATES = {**RATES, "address": RATES["address"] | {"reads": 1}}
    match = sit(ann, bob)

    assert statuses(lambda: ann.get("/me"), 2) == [200, 429]
    assert ann.move(match, "draw").status_code == 201


def test_each_token_has_a_limit_of_its_own(ann, bob):
    statuses(lambda: ann.get("/me"), 4)

    assert bob.get("/me").status_code == 200
    assert Person(ann.player).get("/me").status_code == 200


def test_a_bots_token_may_do_more(ann):
    bot = Person(ann.player, "bot")

    assert statuses(lambda: bot.get("/me"), 7) == [200] * 6 + [429]


def test_a_browser_has_its_players_limit(ann):
    browsers = [Person() for _ in range(2)]
    for browser in browsers:
        browser.client.force_login(ann.player)

    found = [browser.get("/me").status_code for browser in browsers * 2]
    assert found == [200] * 3 + [429]


def test_nobody_in_particular_is_counted_by_his_address(db):
    here, there = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")

    assert statuses(lambda: here.get("/api/v1/games"), 3) == [200, 200, 429]
    assert there.get("/api/v1/games").status_code == 200


def test_an_address_is_refused_before_anybody_is_looked_up(settings, db, django_assert_num_queries):
    settings.THROTTLE_RATES = {**RATES, "address": RATES["address"] | {"reads": 1}}
    wrong = Person()
    wrong.token = "gin_wrong"
    refused(wrong.get("/me"), 401, "invalid-token")

    with django_assert_num_queries(0):
        response = wrong.get("/me")
    refused(response, 429, "throttled")
    assert response["RateLimit"].startswith('"address-reads";r=0;t=')
    assert int(response["Retry-After"]) >= 1


def test_few_come_in_from_one_address(db):
    somebody = Person()

    assert statuses(lambda: somebody.post("/players/guest"), 3) == [201, 201, 429]
    refused(somebody.post("/sessions", {"name": "ann", "password": "x"}), 429, "throttled")


def test_the_admins_login_is_such_a_door(db):
    page = {"username": "ann", "password": "guess"}

    found = statuses(lambda: Client().post("/admin/login/", page), 3)
    assert found == [200, 200, 429]
    assert Client().get("/admin/login/").status_code == 200


def test_throttles_can_be_multiplied_and_turned_off(ann, settings):
    settings.THROTTLES = 0.5
    assert statuses(lambda: ann.get("/me"), 3) == [200, 200, 429]
    settings.THROTTLES = 0
    response = ann.get("/me")
    assert (response.status_code, "RateLimit" in response) == (200, False)


def test_a_client_that_another_thread_replaces_counts_to_the_end(ann, monkeypatch):
    """As among the first requests to a process, which come at once."""
    read, replaced = throttles.redis.Connection.read_response, []

    def read_after_replacing(*args, **kwargs):
        replaced.append(throttles.client.cache_clear())
        return read(*args, **kwargs)

    throttles.client.cache_clear()
    monkeypatch.setattr(throttles.redis.Connection, "read_response", read_after_replacing)
    assert statuses(lambda: ann.get("/me"), 4) == [200, 200, 200, 429]
    assert replaced
    assert broker.breaker.until == 0


# Where Redis does not answer


@pytest.fixture
def dead(monkeypatch):
    """A port at which nobody listens; and how often it was tried."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tries = []

    def client():
        tries.append(1)
        return throttles.redis.Redis(port=port, socket_connect_timeout=0.2, retry=None)

    monkeypatch.setattr(throttles, "client", client)
    return tries


def test_without_redis_all_are_let_through_and_it_is_asked_only_now_and_then(
    ann, dead, caplog, monkeypatch
):
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(broker.time, "monotonic", lambda: clock.now)
    assert statuses(lambda: ann.get("/me"), 10) == [200] * 10
    assert len(dead) == 1
    assert [e["event"] for e in events(caplog)].count("throttles_open") == 1

    clock.now += broker.PAUSE
    assert statuses(lambda: ann.get("/me"), 10) == [200] * 10
    assert len(dead) == 2


def test_with_redis_back_they_count_again(ann, monkeypatch):
    broker.breaker.until = time.monotonic() - 1

    assert statuses(lambda: ann.get("/me"), 4) == [200, 200, 200, 429]
    assert broker.breaker.until == 0


def test_who_counts_and_who_wakes_streams_wait_for_a_dead_redis_once_between_them(
    ann, bob, dead, monkeypatch
):
    monkeypatch.setattr(broker.time, "monotonic", lambda: 1000.0)
    match = sit(ann, bob)
    assert ann.get("/me").status_code == 200
    assert not broker.breaker.may_ask()

    wake.publish(match.pk, 6)  # its Redis lives: had it asked, all could ask again

    assert not broker.breaker.may_ask()
    assert len(dead) == 1


def test_a_redis_that_is_silent_delays_one_request_and_no_other(ann, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        slow = throttles.redis.Redis(
            port=port,
            socket_connect_timeout=throttles.TIMEOUT,
            socket_timeout=throttles.TIMEOUT,
            retry=None,
        )
        monkeypatch.setattr(throttles, "client", lambda: slow)
        assert statuses(lambda: ann.get("/me"), 5) == [200] * 5
        silent.setblocking(False)
        silent.accept()
        with pytest.raises(BlockingIOError):
            silent.accept()


# Addresses


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "found"),
    [
        ("192.0.2.1", None, 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", 1, "198.51.100.7"),
        ("192.0.2.1", "203.0.113.9, 198.51.100.7", 1, "198.51.100.7"),
        ("192.0.2.1", "203.0.113.9, 198.51.100.7", 2, "203.0.113.9"),
        ("192.0.2.1", "198.51.100.7", 3, "198.51.100.7"),
        ("192.0.2.1", None, 1, "192.0.2.1"),
        ("::ffff:192.0.2.1", None, 0, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", None, 0, "2001:db8:1:2::"),
        ("", None, 0, "0.0.0.0"),
        ("192.0.2.1", "nonsense", 1, "0.0.0.0"),
    ],
)
def test_an_address_is_the_last_one_that_a_trusted_proxy_saw(
    settings, remote, forwarded, proxies, found
):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}

    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)
    assert throttles.address(request) == found
