"""What is known of the servers of a DATA_DIR: where they are and what opens them.

Kept in its servers.json, which only its owner may read.
"""

import json
import random
import secrets
import socket
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


def secret_key(data_dir: Path) -> str:
    """The SECRET_KEY that `make run` made for this folder; empty without one."""
    return str(read(data_dir).get("secret_key", ""))


def reserve(data_dir: Path) -> None:
    """Choose ports and secrets for this folder, once."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (data_dir / "servers.json").exists():
        write(
            data_dir,
            password=secrets.token_hex(16),
            secret_key=secrets.token_hex(32),
            postgres=free_port(),
            valkey=free_port(),
        )


def known(data_dir: Path) -> bool:
    """Whether `make run` has been there."""
    return (data_dir / "servers.json").exists()


def read(data_dir: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((data_dir / "servers.json").read_text()))
    except (OSError, ValueError):
        return {"password": "", "postgres": 1, "valkey": 1}


def write(data_dir: Path, **known: object) -> None:
    """In one step, so that a reader never meets half a file."""
    with tempfile.NamedTemporaryFile("w", dir=data_dir, delete=False) as file:
        json.dump(known, file)
    Path(file.name).replace(data_dir / "servers.json")


def renew_port(data_dir: Path, server: str) -> int:
    """The port of last time if nobody took it meanwhile, else another."""
    known = read(data_dir)
    if not is_free(known[server]):
        known[server] = free_port()
        write(data_dir, **known)
    return int(known[server])


def free_port() -> int:
    for port in random.sample(PORTS, 1000):
        if is_free(port):
            return port
    raise Unusable(f"No free port on {LOCALHOST} between {PORTS[0]} and {PORTS[-1]}.")


def is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOCALHOST, port))
        except OSError:
            return False
    return True


def wheel(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Unusable(f"{package} is not installed: set DATABASE_URL and REDIS_URL instead.")
    return Path(spec.origin).parent


def end_of(log: Path) -> str:
    try:
        return " / ".join(log.read_text(errors="replace").splitlines()[-3:])
    except OSError:
        return "(there is no log)"
