"""/metrics: every number of every process, for who may read it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import OperationalError
from prometheus_client.parser import text_string_to_metric_families

from games.services import repairs
from tests.games.people import refused
from tests.processes import ROOT

COUNTS = """
import sys, time
from ginservice import metrics
metrics.NOT_PUBLISHED.inc(3)
metrics.STREAMS.inc(2)
metrics.WAITS.labels("gin", "bots").observe(0.3)
print("counted", flush=True)
time.sleep(600)
"""
SCRAPES = """
from ginservice import metrics
from prometheus_client import generate_latest
print(generate_latest(metrics.Counted()).decode())
"""


def told(text):
    """By sample: its value."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def counting(tmp_path):
    """counting(): a process that has counted something and goes on living."""
    started = []

    def start():
        process = subprocess.Popen(
            [sys.executable, "-c", COUNTS],
            env=os.environ | {"METRICS_DIR": str(tmp_path)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        assert process.stdout.readline() == b"counted\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def scraped(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SCRAPES],
        env=os.environ | {"METRICS_DIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return told(done.stdout)


def test_what_all_processes_have_counted_is_told_as_one_sum(counting, tmp_path):
    counting(), counting()

    found = scraped(tmp_path)
    assert found["ginservice_publishes_failed_total",] == 6
    assert found["ginservice_streams_held",] == 4
    assert found["ginservice_bot_turn_wait_seconds_count", ("game", "gin"), ("queue", "bots")] == 2
    assert found["ginservice_bot_turn_wait_seconds_sum", ("game", "gin"), ("queue", "bots")] == 0.6


def test_of_a_killed_process_the_counts_stay_and_what_it_held_goes(counting, tmp_path):
    dead, _ = counting(), counting()
    dead.send_signal(signal.SIGKILL)
    dead.wait()

    for _ in range(2):
        found = scraped(tmp_path)
        assert found["ginservice_publishes_failed_total",] == 6
        assert found["ginservice_streams_held",] == 2
        assert (
            found["ginservice_bot_turn_wait_seconds_count", ("game", "gin"), ("queue", "bots")] == 2
        )
        bucket = (("game", "gin"), ("le", "0.5"), ("queue", "bots"))
        assert found["ginservice_bot_turn_wait_seconds_bucket", *bucket] == 2
    # One that lives, and the last scrape's own; all the others are one.
    folders = [path for path in Path(tmp_path).iterdir() if path.is_dir()]
    assert len(folders) == 3


@pytest.fixture
def metrics(client, db):
    """metrics(): what /metrics tells from this machine."""
    return lambda: told(client.get("/metrics").content.decode())


def test_a_request_is_counted_by_its_route_with_its_statements(client, metrics):
    route = "api/v1/matches/<uuid:id>"
    key = (("method", "GET"), ("route", route), ("status", "404"))
    before = metrics().get(("ginservice_request_seconds_count", *key), 0)
    statements = metrics().get(("ginservice_request_statements_sum", ("route", route)), 0)

    client.get("/api/v1/matches/01a20000-0000-7000-8000-000000000000")

    assert metrics()["ginservice_request_seconds_count", *key] == before + 1
    assert metrics()["ginservice_request_statements_sum", ("route", route)] == statements + 1


def test_what_a_client_makes_up_is_counted_as_one(client, metrics):
    client.generic("BREW", "/coffee/1")
    client.generic("STEEP", "/tea/2")

    labels = {value for sample in metrics() for _, value in sample[1:]}
    assert {"none", "other"} <= labels
    assert not {"BREW", "STEEP", "/coffee/1", "coffee/1"} & labels


def test_without_its_database_or_broker_metrics_are_told_all_the_same(
    client, monkeypatch, settings, db
):
    def refuse():
        raise OperationalError("connection refused")

    monkeypatch.setattr(repairs, "waiting", refuse)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = told(client.get("/metrics").content.decode())

    assert found["ginservice_reachable", ("what", "database")] == 0
    assert found["ginservice_reachable", ("what", "broker")] == 0
    assert ("ginservice_bot_turns_waiting",) not in found


def test_metrics_are_for_this_machine(client, db):
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="::1").status_code == 200
    for elsewhere in ("192.0.2.7", "10.0.0.1", ""):
        refused(client.get("/metrics", REMOTE_ADDR=elsewhere), 403, "forbidden")


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_a_proxy_on_this_machine_does_not_make_everybody_near(client, header):
    refused(client.get("/metrics", headers={header: "for=192.0.2.7"}), 403, "forbidden")


def test_or_for_who_has_the_token(client, settings, db):
    settings.METRICS_TOKEN = "a long random text"
    far = {"REMOTE_ADDR": "192.0.2.7"}

    right = {"Authorization": "Bearer a long random text"}
    assert client.get("/metrics", headers=right, **far).status_code == 200
    for wrong in ("", "Bearer", "Bearer a long", "Basic a long random text", "Bearer é"):
        headers = {"Authorization": wrong}
        refused(client.get("/metrics", headers=headers, **far), 403, "forbidden")
    refused(client.get("/metrics"), 403, "forbidden")


def test_nobody_writes_to_it(client):
    assert client.post("/metrics").status_code == 405
