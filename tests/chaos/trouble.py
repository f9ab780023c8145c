"""What happens to the house: each trouble hurts something, for a while perhaps, and heals it.

A trouble is a function of the house and chance; its docstring says what happens.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import psutil
import psycopg
import redis

from ginservice.embedded import addresses, postgres, valkey
from tests.chaos.house import House


def kill_web(house: House, rng: Random) -> None:
    """A web is killed with all its streams."""
    restart(house, rng.choice(["web-1", "web-2"]), rng)


def end_web(house: House, rng: Random) -> None:
    """A web is asked to end, as for a new release."""
    name = rng.choice(["web-1", "web-2"])
    house.end(name)
    house.start(name)
    house.wait_until_it_answers(name)


def freeze_web(house: House, rng: Random) -> None:
    """A web stands still, connections and locks in its hands, and goes on."""
    name = rng.choice(["web-1", "web-2"])
    house.kill(name, signal.SIGSTOP)
    absent(rng, 6)
    house.kill(name, signal.SIGCONT)


def kill_worker(house: House, rng: Random) -> None:
    """A worker is killed with the turns it plays."""
    restart(house, rng.choice(["worker-1", "worker-2"]), rng)


def kill_thinkers(house: House, rng: Random) -> None:
    """The worker of the bots that think longer is killed: for a while others play for them."""
    restart(house, "thinkers", rng)


def kill_turn(house: House, rng: Random) -> None:
    """The process in which a worker plays a turn is killed."""
    for child in house.children(rng.choice(["worker-1", "worker-2"])):
        with suppress(psutil.NoSuchProcess):
            child.kill()


def kill_beat(house: House, rng: Random) -> None:
    """Beat is killed: nobody looks for lost turns."""
    restart(house, "beat", rng)


def kill_webhooks(house: House, rng: Random) -> None:
    """The worker that tells webhooks is killed with what it is sending."""
    restart(house, "webhooks", rng)


def empty_valkey(house: House, rng: Random) -> None:
    """Valkey is emptied: queued turns, counts, all of it."""
    with redis.Redis.from_url(addresses.valkey_url(house.data_dir)) as client:
        client.flushall()


def kill_valkey(house: House, rng: Random) -> None:
    """Valkey is killed, and comes back empty."""
    with valkey.connect(house.data_dir) as client:
        pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGKILL)
    absent(rng, 4)
    valkey.start(house.data_dir)


def restart_postgres(house: House, rng: Random) -> None:
    """Postgres is stopped and started: every connection is cut."""
    postgres.stop(house.data_dir)
    absent(rng, 2)
    postgres.start(house.data_dir)


def kill_postgres(house: House, rng: Random) -> None:
    """Postgres is killed, and recovers from its log."""
    pid = int((house.data_dir / "postgres" / "postmaster.pid").read_text().split()[0])
    family = [psutil.Process(pid), *psutil.Process(pid).children()]
    for process in family:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(family, 10)
    absent(rng, 2)
    postgres.start(house.data_dir)


def kill_connections(house: House, rng: Random) -> None:
    """Every connection to the database is cut, in the middle of whatever it was at."""
    with psycopg.connect(addresses.postgres_url(house.data_dir), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )


Trouble = Callable[[House, Random], None]
TROUBLES: list[Trouble] = [
    kill_web,
    kill_turn,
    empty_valkey,
    end_web,
    kill_worker,
    kill_thinkers,
    restart_postgres,
    kill_beat,
    kill_webhooks,
    kill_valkey,
    freeze_web,
    kill_postgres,
    kill_connections,
]


def restart(house: House, name: str, rng: Random) -> None:
    house.kill(name)
    absent(rng, 2)
    house.start(name)
    if name in house.ports:
        house.wait_until_it_answers(name)


def absent(rng: Random, most: float) -> None:
    """How long it is away: chance, and nothing that anybody waits for."""
    time.sleep(rng.uniform(0, most))
