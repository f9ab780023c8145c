"""docker-compose.yml without Docker: it is well formed, and every service's command works."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import redis
import yaml

from ginservice import run
from ginservice.embedded import addresses, postgres, valkey
from tests.e2e.listeners import Listener
from tests.processes import NOT_OURS, ROOT, eventually

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
SECRETS = yaml.safe_load((ROOT / "docker-compose.secrets.yml").read_text())
OURS = ("prepare", "web", "streams", "worker", "thinkers", "analysis", "webhooks", "beat")
KNOWN = {
    "SECRET_KEY": "of the tests, known to everybody and used nowhere else",
    "OPERATOR_PASSWORD": "correct horse battery",
}


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
    """start(service, **env) -> (process, output file, port): its very command, in the environment
    that compose makes for it from such an .env. A free port, unless one is given."""
    started = []

    def start_one(name, port=None, **known):
        port = port or addresses.free_port()
        output = tmp_path / name
        with output.open("ab") as file:
            started.append(
                subprocess.Popen(
                    SERVICES[name]["command"],
                    cwd=ROOT,
                    env=environment(SERVICES[name]["environment"], data_dir, port, known or KNOWN),
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


def environment(of_service, data_dir, port, known):
    """As compose makes it from what is known, with our servers and with `python` found first."""
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
            "METRICS_DIR": str(data_dir / "metrics"),
        }
        | {name: value for name, value in known.items() if name.endswith("_FILE")}
    )


@pytest.mark.parametrize("file", ["docker-compose.yml", "docker-compose.secrets.yml"])
def test_the_file_follows_the_compose_specification(file):
    schema = ("--builtin-schema", "vendor.compose-spec")
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, file],
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
def prepared(start):
    prepare, output, _ = start("prepare")
    assert prepare.wait(120) == 0, output.read_text()
    return output.read_text()


def test_an_operator_can_sign_in_after_the_first_start(start, prepared):
    assert "operator" in prepared or not prepared  # made now, or by a test before this one
    web, output, port = start("web")
    assert eventually(lambda: run.answers("127.0.0.1", port) or web.poll()) is True
    assert sign_in(port, "operator", KNOWN["OPERATOR_PASSWORD"]) == 201, output.read_text()


def sign_in(port, name, password):
    body = json.dumps({"name": name, "password": password}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/sessions", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return answer.status


def test_secrets_may_come_from_files(start, tmp_path):
    files = {}
    for name in SECRETS["secrets"]:
        file = tmp_path / "secrets" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(KNOWN.get(name.upper(), "of_the_tests_and_of_nobody") + "\n")
        files[f"/run/secrets/{name}"] = str(file)
    told = SECRETS["services"]["prepare"]["environment"]
    from_files = {name: files[path] for name, path in told.items()}
    del from_files["DATABASE_PASSWORD_FILE"]  # ours stands in the address
    prepare, output, _ = start("prepare", **from_files)
    assert prepare.wait(120) == 0, output.read_text()


def test_each_secret_that_a_service_reads_is_mounted_there():
    for name in OURS:
        service = SECRETS["services"][name]
        mounted = {f"/run/secrets/{secret}" for secret in service["secrets"]}
        assert set(service["environment"].values()) == mounted
        for setting in service["environment"]:
            assert setting.removesuffix("_FILE") in SERVICES[name]["environment"]


@pytest.mark.parametrize("name", OURS)
def test_without_a_secret_key_each_service_refuses_to_start_and_says_why(start, name):
    process, output, _ = start(name, OPERATOR_PASSWORD="correct horse battery")
    assert process.wait(60) == 1
    assert "set SECRET_KEY, or use `make run`." in output.read_text()


@pytest.mark.parametrize("name", ["web", "streams"])
def test_what_answers_requests_answers_and_ends(start, prepared, name):
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
    assert ["reverse_proxy", "web:8000", "{"] in told


def test_machines_that_share_only_postgres_and_redis_play_one_match(start, prepared):
    """Ann is at one web, her second move goes to another, a stream held elsewhere hears both."""
    ports = {}
    for name, service in (("here", "web"), ("there", "web"), ("streams", "streams")):
        process, output, ports[name] = start(service)
        alive = eventually(
            lambda p=ports[name], one=process: run.answers("127.0.0.1", p) or one.poll()
        )
        assert alive is True, output.read_text()
    start("worker")

    def call(where, method, path, body=None, token=""):
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        url = f"http://127.0.0.1:{ports[where]}/api/v1{path}"
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as a:
            return json.load(a)

    ann = call("here", "POST", "/players/guest", {})["token"]
    match = call("here", "POST", "/matches", {"game": "gin", "seats": ["me", {"bot": "easy"}]}, ann)
    address = f"http://127.0.0.1:{ports['streams']}"
    listener = Listener(address, ann, match, "sse")

    def anns_turn(where):
        def asked():
            seen = call(where, "GET", f"/matches/{match['id']}", None, ann)
            return seen if seen["turn"] == 0 else None

        return eventually(asked)

    for where, other in (("here", "there"), ("there", "here")):
        seen = anns_turn(other)
        body = {"version": seen["version"], "action": seen["view"]["legal"][0]}
        call(where, "POST", f"/matches/{match['id']}/moves", body, ann)
    call("there", "POST", f"/matches/{match['id']}/resignation", {}, ann)
    heard = [event["version"] for event in listener.result()]
    assert heard == list(range(1, call("here", "GET", f"/matches/{match['id']}")["version"] + 1))


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
    assert SERVICES["prepare"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in (*run.COMMANDS, "streams"):
        assert SERVICES[name]["depends_on"] == {
            "prepare": {"condition": "service_completed_successfully"},
            "redis": {"condition": "service_healthy"},
        }
    assert all("healthcheck" in SERVICES[name] for name in ("postgres", "redis"))
    healthy = {"condition": "service_healthy"}
    assert SERVICES["caddy"]["depends_on"] == {"web": healthy, "streams": healthy}


def test_every_service_has_a_limit_of_memory_and_of_its_log():
    for name, service in SERVICES.items():
        assert "mem_limit" in service, name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


def test_the_linter_of_dockerfiles_finds_nothing():
    linted = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), "Dockerfile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (linted.returncode, linted.stdout) == (0, "")


def test_the_health_check_asks_by_a_name_that_is_answered():
    asked = re.search(r"urlopen\('http://([\d.]+):", (ROOT / "Dockerfile").read_text())[1]
    assert asked in SERVICES["web"]["environment"]["ALLOWED_HOSTS"].split(",")


def test_the_image_holds_all_that_the_service_imports():
    copied = re.findall(r"^COPY (\w+) \w+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert set(copied) == packages | {"client"}  # which the web serves
