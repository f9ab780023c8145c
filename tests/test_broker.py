"""A worker outlives its broker: what kombu does on a channel whose connection is gone."""

import pytest

from ginservice import broker
from ginservice.celery import app


@pytest.fixture
def held(servers):
    """A channel that is closed while a message taken from it is not acknowledged yet."""
    with app.connection_for_write() as connection:
        queue = connection.SimpleQueue("test-broker")
        queue.clear()
        queue.put("a turn")
        message = queue.get(timeout=5)
        queue.channel.qos.append(message, message.delivery_tag)
        queue.channel.close()
        yield message


def test_what_ends_when_the_broker_has_died_is_acknowledged_to_nobody(held):
    assert held.channel.connection is None
    held.channel.basic_ack(held.delivery_tag)

    with pytest.raises(AttributeError):  # what kombu would do: no longer so, and it can go
        broker.acknowledge(held.channel, held.delivery_tag)


def test_nothing_is_given_back_to_a_broker_that_has_died(held):
    assert not held.channel.do_restore
