"""The real thing as processes: `python -m ginservice.run` on a folder and a port of its own."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import sync_playwright

from ginservice import run
from ginservice.embedded import addresses, postgres, valkey
from tests.processes import ROOT, environment, eventually, manage


@dataclass
class Service:
    """A running service, its processes and its data."""

    data_dir: Path
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=addresses.free_port)
    process: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.data_dir, {"PORT": str(self.port)} | self.settings)

    @property
    def pids(self) -> dict[str, int]:
        """Of run (the process manager), web, worker and beat."""
        text = eventually((self.data_dir / "run.json").read_text)  # empty while written anew
        return dict(json.loads(text))

    @property
    def log(self) -> str:
        """All that its processes wrote so far, those of `start_worker` too."""
        return (self.data_dir / "output").read_text(errors="replace")

    def start(self) -> None:
        """Start, or start again after a stop, and wait until the web answers."""
        before = self.log.count("ginservice runs.") if (self.data_dir / "output").exists() else 0
        self.process = self.spawn("-m", "ginservice.run")
        eventually(
            lambda: self.log.count("ginservice runs.") > before or self.process.poll() is not None
        )
        assert self.process.poll() is None, self.log

    def spawn(self, *arguments: str) -> subprocess.Popen[bytes]:
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with (self.data_dir / "output").open("ab") as output:
            return subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask the process manager to stop; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(run.STOP_SECONDS + 10)

    def start_worker(self, kind: str = "worker") -> subprocess.Popen[bytes]:
        """One more Celery worker, as `make run` starts it; best with WORKER_PROCESSES=0 there.

        kill() it for its parent; for its children see `children`.
        """
        ready = self.log.count(" ready.")
        self.settings["WORKER_PROCESSES"] = "2"
        self.workers.append(self.spawn(*run.COMMANDS[kind].split()))
        eventually(lambda: self.log.count(" ready.") > ready)
        return self.workers[-1]

    def stop_valkey(self) -> None:
        valkey.stop(self.data_dir)

    def kill_valkey(self) -> None:
        """kill -9: what it held is lost, and nobody is told."""
        with valkey.connect(self.data_dir) as client:
            pid = client.info("server")["process_id"]
        os.kill(pid, signal.SIGKILL)

    def start_valkey(self) -> None:
        valkey.start(self.data_dir)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A management command against this service."""
        return manage(self.environment, *arguments)

    def call(
        self, method: str, path: str, body: Any = None, token: str = "", **headers: str
    ) -> tuple[int, Any]:
        """One request by HTTP: the status and the decoded JSON (or text) of the answer."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"} | headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, decoded(answer.read())
        except urllib.error.HTTPError as refusal:
            return refusal.code, decoded(refusal.read())

    def answers(self) -> bool:
        """Whether somebody serves."""
        try:
            return self.call("GET", "/healthz")[0] == 200
        except (OSError, HTTPException):
            return False

    def guest(self) -> str:
        """The token of a new guest."""
        status, answer = self.call("POST", "/api/v1/players/guest")
        assert status == 201, answer
        return str(answer["token"])

    def end(self) -> None:
        """Leave nothing behind, whatever happened."""
        for worker in self.workers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
        if self.process and self.process.poll() is None:
            family = psutil.Process(self.process.pid).children(recursive=True)
            self.process.kill()
            for each in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()
            self.process.wait()
        valkey.stop(self.data_dir)
        postgres.stop(self.data_dir)


def children(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes in which a Celery worker runs its tasks."""
    return psutil.Process(process.pid).children()


def decoded(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode()


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """start_service(**settings) -> Service: for tests that stop, kill or starve something."""
    services: list[Service] = []

    def start(**settings: str) -> Service:
        services.append(Service(tmp_path / f"data-{len(services)}", settings))
        services[-1].start()
        return services[-1]

    yield start
    for service in services:
        service.end()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all tests that only talk to it."""
    one = Service(tmp_path_factory.mktemp("service") / "data")
    one.start()
    yield one
    one.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium. Skips without one; fails instead where REQUIRE_BROWSER is set.

    Not for the session: while Playwright runs, Django takes every thread for an asynchronous one.
    """
    chromium = shutil.which("chromium")
    driver, _ = compute_driver_executable()
    if not chromium or subprocess.run([driver, "--version"], capture_output=True).returncode:
        tell = pytest.fail if os.environ.get("REQUIRE_BROWSER") else pytest.skip
        tell("No Chromium, or no libatomic for its driver: apt install chromium libatomic1")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


@pytest.fixture
def page(browser: Any, service: Service) -> Iterator[Any]:
    """An empty page of a fresh visitor; paths are the service's: page.goto("/api/docs/")."""
    context = browser.new_context(base_url=service.url)
    yield context.new_page()
    context.close()
