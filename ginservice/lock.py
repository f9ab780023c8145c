"""One run at a time on a DATA_DIR.

The processes of a run hold the lock with their manager, and it ends with the last of them however
they end: so no stale lock is ever left to be deleted.
"""

import fcntl
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import psutil

from ginservice.embedded.addresses import Unusable


def lock(data_dir: Path, patience: float) -> TextIO:
    """The open file that holds it. Waits so many seconds for what is left of a killed run."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = (data_dir / "run.json").open("a+")
    deadline = time.monotonic() + patience
    said = False
    while not took(file):
        pids = read_pids(file)
        living = [pid for pid in pids.values() if lives(pid)]
        if pids.get("run") in living or time.monotonic() > deadline:
            raise Unusable(
                f"another run holds {data_dir} (processes {' '.join(map(str, living))}): stop it,"
                " or set another DATA_DIR and PORT for a second instance."
            )
        if not said:
            print("Waiting for what is left of a killed run to end ...", flush=True)
        said = True
        if not living:
            end_orphans(data_dir, list(pids.values()))
        time.sleep(0.2)
    write_pids(file, {})
    return file


def took(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end_orphans(data_dir: Path, sessions: list[int]) -> None:
    """A web server or worker killed with its manager leaves children, to whom nobody speaks."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            ours = process.environ().get("DATA_DIR") == str(data_dir)
            if ours and os.getsid(process.pid) in sessions:
                process.kill()


def read_pids(file: TextIO) -> dict[str, int]:
    file.seek(0)
    try:
        return dict(json.loads(file.read()))
    except ValueError:
        return {}


def write_pids(file: TextIO, children: dict[str, int]) -> None:
    """Who runs, for whoever finds the lock taken, and for the tests."""
    file.truncate(0)
    file.write(json.dumps({"run": os.getpid()} | children))
    file.flush()
