"""What the tests that start real processes share."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOT_OURS = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DATA_DIR", "PORT", "HOST"}
START_SECONDS = 120


def environment(data_dir: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Of a service of the tests: none of our own settings, but these."""
    ours = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    return ours | {"DATA_DIR": str(data_dir)} | dict(settings)


def eventually(holds: Callable[[], Any], seconds: float = START_SECONDS) -> Any:
    """The first true answer; for things that other processes do."""
    deadline = time.monotonic() + seconds
    while not (answer := holds()):
        assert time.monotonic() < deadline, f"not within {seconds} seconds"
        time.sleep(0.1)
    return answer


def manage(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A management command, to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
