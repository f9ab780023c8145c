"""All that serves, as processes of which each can be killed and started again by itself.

`make run` ends with its web; here two webs and several workers outlive each other, as on a server.
"""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil

from ginservice import run
from ginservice.embedded import addresses, postgres, valkey
from ginservice.logs import LEVELS
from tests.processes import ROOT, environment, eventually, manage

NAMES = ("web-1", "web-2", "worker-1", "worker-2", "thinkers", "webhooks", "beat")
SETTINGS = {
    "WORKER_PROCESSES": "1",
    "THROTTLES": "20",
    "GRANIAN_LOG_LEVEL": "error",
    "WEBHOOKS_ANYWHERE": "true",
}
"""Requests are counted as ever, but for so many players at one address."""


@dataclass
class House:
    """Postgres, Valkey, and what runs by NAMES."""

    data_dir: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def open(self) -> None:
        """Start everything; what it has to say goes into a file for each process."""
        postgres.start(self.data_dir)
        valkey.start(self.data_dir)
        prepared = self.manage("prepare")
        assert prepared.returncode == 0, prepared.stderr
        for name in NAMES:
            self.start(name)
        for name in self.ports:
            self.wait_until_it_answers(name)

    def close(self) -> None:
        for name in self.processes:
            self.kill(name)
        valkey.stop(self.data_dir)
        postgres.stop(self.data_dir)

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.data_dir, SETTINGS)

    def start(self, name: str) -> None:
        kind = name.partition("-")[0]
        extra = self.environment
        if kind == "web":
            extra["GRANIAN_PORT"] = str(self.ports.setdefault(name, addresses.free_port()))
        with (self.data_dir / f"{name}.log").open("ab") as output:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *run.COMMANDS[kind].split()],
                cwd=ROOT,
                env=extra,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=run.end_with_parent if sys.platform == "linux" else None,
            )

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """A signal to the process and all that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.processes[name].pid, number)
        if number == signal.SIGKILL:
            self.processes[name].wait()

    def end(self, name: str) -> None:
        """Ask it to end, and leave nothing of it."""
        self.processes[name].terminate()
        with suppress(subprocess.TimeoutExpired):
            self.processes[name].wait(run.STOP_SECONDS)
        self.kill(name)

    def children(self, name: str) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.processes[name].pid).children()
        return []

    def wait_until_it_answers(self, name: str) -> None:
        eventually(lambda: self.get(name, "/healthz")[0] == 200)

    def get(self, name: str, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        return self.ask(name, "GET", path, headers)

    def ask(
        self,
        name: str,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
    ) -> tuple[int, bytes]:
        """A request to one web without the bad line; status 0 if it does not answer."""
        connection = HTTPConnection(addresses.LOCALHOST, self.ports[name], timeout=30)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException):
            return 0, b""
        finally:
            connection.close()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return manage(self.environment, *arguments)

    def lines(self) -> Counter[tuple[str, str]]:
        """How many lines of log there are of each level and event, warnings and worse."""
        told: Counter[tuple[str, str]] = Counter()
        for name in NAMES:
            for line in (self.data_dir / f"{name}.log").read_text(errors="replace").splitlines():
                with suppress(ValueError, KeyError, TypeError, IndexError):
                    row = json.loads(line)
                    level = row["level"].upper()
                    if LEVELS.index(level) >= LEVELS.index("WARNING"):
                        told[level.lower(), row["event"].splitlines()[0][:60]] += 1
        return told
