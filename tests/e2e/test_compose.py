"""docker-compose.yml without Docker: it is well formed, and every service's command works."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis
import yaml

from ginservice import run
from ginservice.embedded import addresses, postgres, valkey
from tests.processes import NOT_OURS, ROOT, eventually

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compose") / "data"
    postgres.start(folder, lasting=False)
    valkey.start(folder)
    yield folder
    valkey.stop(folder)
    postgres.stop(folder)


@pytest.fixture
def start(data_dir, tmp_path):
    """start(service) -> (process, output file, port): its very command in its environment."""
    started = []

    def start_one(name):
        port = addresses.free_port()
        output = tmp_path / name
        with output.open("wb") as file:
            started.append(
                subprocess.Popen(
                    SERVICES[name]["command"],
                    cwd=ROOT,
                    env=environment(SERVICES[name]["environment"], data_dir, port),
                    stdout=file,
                    stderr=file,
                    start_new_session=True,
                )
            )
        return started[-1], output, port

    yield start_one
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def environment(of_service, data_dir, port):
    """As compose makes it from an empty .env, with our servers and with `python` found first."""
    known = {
        "SECRET_KEY": "of the tests, known to everybody and used nowhere else",
        "POSTGRES_PASSWORD": "unused",
    }
    pattern = r"\$\{(\w+):[-?]([^}]*)\}"
    ours = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    theirs = {
        name: re.sub(pattern, lambda found: known.get(found[1], found[2]), value)
        for name, value in of_service.items()
    }
    return (
        ours
        | theirs
        | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "DATABASE_URL": addresses.postgres_url(data_dir),
            "REDIS_URL": addresses.valkey_url(data_dir),
            "GRANIAN_HOST": "127.0.0.1",
            "GRANIAN_PORT": str(port),
        }
    )


def test_the_file_follows_the_compose_specification():
    checked = subprocess.run(
        [
            *(sys.executable, "-m", "check_jsonschema"),
            *("--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_production_runs_the_commands_that_make_run_runs():
    for name, command in run.COMMANDS.items():
        service = "streams" if name == "web" else name  # on a laptop it serves all
        assert SERVICES[service]["command"] == ["python", *command.split()]
    image = (ROOT / "Dockerfile").read_text().splitlines()
    assert json.loads(image[-1].removeprefix("CMD ")) == SERVICES["web"]["command"]


@pytest.fixture
def migrated(start):
    migrate, output, _ = start("migrate")
    assert migrate.wait(60) == 0, output.read_text()


@pytest.mark.parametrize("name", ["web", "streams"])
def test_what_answers_requests_answers_and_ends(start, migrated, name):
    process, output, port = start(name)
    assert eventually(lambda: run.answers("127.0.0.1", port) or process.poll()) is True
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0, output.read_text()


def test_streams_go_to_the_server_that_holds_them_and_all_else_to_the_web():
    assert SERVICES["caddy"]["volumes"][0].startswith("./Caddyfile:")
    lines = (ROOT / "Caddyfile").read_text().split("\n")
    told = [line.split() for line in lines if not line.startswith("#")]
    assert ["@streams", "path", "/api/v1/matches/*/events"] in told
    assert ["reverse_proxy", "@streams", "streams:8000", "{"] in told
    assert ["reverse_proxy", "web:8000"] in told


def test_beat_queues_the_sweep_and_a_worker_does_it(start, data_dir):
    client = redis.Redis.from_url(addresses.valkey_url(data_dir))
    beat, output, _ = start("beat")
    assert eventually(lambda: client.llen("default") or beat.poll()), output.read_text()
    worker, output, _ = start("worker")
    assert eventually(lambda: " ready." in output.read_text() or worker.poll())
    eventually(lambda: client.llen("default") == 0 or worker.poll())
    for process in (beat, worker):
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0, output.read_text()


def test_nothing_starts_before_what_it_needs_is_healthy():
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in (*run.COMMANDS, "streams"):
        assert SERVICES[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "redis": {"condition": "service_healthy"},
        }
    assert all("healthcheck" in SERVICES[name] for name in ("postgres", "redis"))


def test_the_image_holds_all_that_the_service_imports():
    copied = re.findall(r"^COPY (\w+) \w+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert set(copied) == packages | {"client"}  # which the web serves
