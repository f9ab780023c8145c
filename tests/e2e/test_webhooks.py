"""Webhooks told by the real worker, whatever becomes of Redis."""

import pytest
import redis

from ginservice.embedded import addresses
from tests.e2e.players import new_match, play_out
from tests.processes import eventually
from tests.receiver import Receiver


@pytest.fixture
def receiver():
    one = Receiver()
    yield one
    one.close()


def add(service, token, receiver):
    made = service.call("POST", "/api/v1/me/webhooks", {"url": receiver.url}, token)
    assert made[0] == 201, made
    receiver.secret = made[1]["secret"]
    return f"/api/v1/me/webhooks/{made[1]['id']}"


def test_a_whole_match_is_told_and_nothing_is_lost_with_redis(start_service, receiver):
    service = start_service(WEBHOOKS_ANYWHERE="true")
    token = service.guest()
    path = add(service, token, receiver)

    match = play_out(service, token, new_match(service, token))
    eventually(lambda: "match.over" in types(receiver))
    assert {"match.started", "match.your_turn"} <= set(types(receiver))
    assert {body["data"]["match"] for body in receiver.got} == {match["id"]}

    receiver.status = 503
    assert service.call("POST", f"{path}/test", token=token)[0] == 201
    eventually(lambda: "test" in types(receiver))
    with redis.Redis.from_url(addresses.valkey_url(service.data_dir)) as client:
        client.flushall()
    service.kill_valkey()
    service.start_valkey()
    receiver.status = 200
    eventually(lambda: newest(service, token, path)["delivered_at"])

    assert newest(service, token, path)["attempts"] >= 2
    assert receiver.bad == []
    assert '"given_up": true' not in service.log


def types(receiver):
    return [body["type"] for body in receiver.got]


def newest(service, token, path):
    return service.call("GET", f"{path}/deliveries?limit=1", token=token)[1]["results"][0]
