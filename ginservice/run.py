"""`make run`: the whole service on one machine, until it is asked to stop.

Starts Postgres and Valkey (unless DATABASE_URL and REDIS_URL name others), migrates, then runs
web, workers and beat. All but the web are started again when they die. Asked to stop, or
when the web dies, it ends those first and the databases last. Everything is kept in DATA_DIR.
"""

import ctypes
import http.client
import ipaddress
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import TextIO

from django.core.exceptions import ImproperlyConfigured

from ginservice.embedded import addresses, postgres, valkey
from ginservice.embedded.addresses import Unusable
from ginservice.lock import lock, write_pids

try:
    from ginservice.settings import BASE_DIR, CELERY_TASK_TIME_LIMIT, DATA_DIR, env
except ImproperlyConfigured as error:
    sys.exit(f"Cannot run: {error}")

# The same words as in docker-compose.yml, where this web is called streams; the environment says
# the rest.
COMMANDS = {
    "web": "-m granian --interface asgi ginservice.asgi:application",
    "worker": "-m celery -q -A ginservice.celery:app worker -Q bots,default"
    " --without-gossip --without-mingle",
    "thinkers": "-m celery -q -A ginservice.celery:app worker -Q thinkers"
    " --without-gossip --without-mingle",
    "analysis": "-m celery -q -A ginservice.celery:app worker -Q analysis -c 1"
    " --without-gossip --without-mingle",
    "webhooks": "-m celery -q -A ginservice.celery:app worker -Q webhooks -P threads -c 4"
    " --without-gossip --without-mingle",
    "beat": "-m celery -q -A ginservice.celery:app beat --pidfile=",
}
Children = dict[str, subprocess.Popen[bytes]]
LONGEST_PAUSE = 30
"""Seconds, at the most, until what has died again and again is started once more."""

# A turn under way may end, however long it is allowed to take.
STOP_SECONDS = CELERY_TASK_TIME_LIMIT + 5
signals: list[int] = []


def main() -> int:
    """Runs until asked to stop (0) or until something ends by itself or cannot start (1)."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, lambda number, frame: signals.append(number))
    try:
        port = env.whole("PORT", default=8000, most=65535)
        env.whole("WEB_PROCESSES", default=1, least=1)  # asked for later, and known to be good
        return run(env.str("HOST", default="127.0.0.1"), port)
    except (Unusable, ImproperlyConfigured, OSError) as error:
        say(f"Cannot run: {error}")
    return 1


def run(host: str, port: int) -> int:
    with lock(DATA_DIR, STOP_SECONDS) as held:
        must_be_free(host, port)
        addresses.reserve(DATA_DIR)
        children: Children = {}
        try:
            start_databases()
            prepare(host, held)
            start_all(children, host, port, held)
            died = watch(children, host, port, held)
        finally:
            end(children)
            stop_databases()
    if died:
        say(died)
    say(f"Stopped. The data stays in {DATA_DIR}.")
    return 1 if died else 0


def say(text: str) -> None:
    with suppress(BrokenPipeError):  # whoever read may be gone: what is left is to end in order
        print(text, flush=True)


def must_be_free(host: str, port: int) -> None:
    """Ask before the server does: it would share a busy port with whoever has it."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except (OSError, OverflowError) as error:
        raise Unusable(
            f"port {port} of {host} is not to be had ({error}). End the program that has it, or"
            f" choose another PORT (and HOST), as in `make run PORT={port + 1}`."
        ) from None


def start_databases() -> None:
    if not env.str("DATABASE_URL", default=""):
        say(f"Starting Postgres in {DATA_DIR} ...")
        postgres.start(DATA_DIR)
    if not env.str("REDIS_URL", default=""):
        say(f"Starting Valkey in {DATA_DIR} ...")
        valkey.start(DATA_DIR)


def stop_databases() -> None:
    """Those that are not ours do not answer to this folder."""
    valkey.stop(DATA_DIR)
    postgres.stop(DATA_DIR)


def prepare(host: str, held: TextIO) -> None:
    """Migrate. An operator with a known password is made only where nobody else can reach him."""
    if signals:
        return
    known_password = ["--operator"] if is_loopback(host) else []
    child = start(["manage.py", "prepare", *known_password], {}, held)
    while child.poll() is None and not signals:
        time.sleep(0.05)
    if signals:
        end({"prepare": child})
    elif child.returncode:
        raise Unusable("the database could not be prepared: the lines above say why.")


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def start_all(children: Children, host: str, port: int, held: TextIO) -> None:
    for name in COMMANDS:
        if name not in ("web", "beat") and env.whole("WORKER_PROCESSES", default=2) == 0:
            continue  # workers are started elsewhere
        if not signals:
            start_one(name, children, host, port, held)


def start_one(name: str, children: Children, host: str, port: int, held: TextIO) -> None:
    settings = {
        "GRANIAN_HOST": host,
        "GRANIAN_PORT": str(port),
        "GRANIAN_WORKERS": str(env.whole("WEB_PROCESSES", default=1)),
        "GRANIAN_RESPAWN_FAILED_WORKERS": "true",
        "GRANIAN_LOG_LEVEL": "error",
        "METRICS_DIR": str(DATA_DIR / "metrics"),
        # Celery's, as root: a long warning meant for servers.
        "PYTHONWARNINGS": "ignore:You're running the worker",
    }
    children[name] = start(COMMANDS[name].split(), settings, held)
    write_pids(held, {name: child.pid for name, child in children.items()})


def start(arguments: list[str], extra: dict[str, str], held: TextIO) -> subprocess.Popen[bytes]:
    """In a session of its own: a signal to our group reaches it in our order, not at once."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | extra | {"DATA_DIR": str(DATA_DIR)},
        cwd=BASE_DIR,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=[held.fileno()],
        preexec_fn=end_with_parent if sys.platform == "linux" else None,
    )


def end_with_parent() -> None:
    """Ask the kernel for a SIGTERM when the parent ends, even by kill -9."""
    LIBC.prctl(1, signal.SIGTERM)  # 1 is PR_SET_PDEATHSIG


LIBC = ctypes.CDLL(None)


def watch(children: Children, host: str, port: int, held: TextIO) -> str:
    """Returns that the web died, or nothing when asked to stop. Says so once the web answers.

    Without a worker or beat the web still serves: those are started again, after a pause that
    doubles each time.
    """
    serving = False
    pauses: dict[str, int] = {}
    due: dict[str, float] = {}
    while not signals:
        for name, child in children.items():
            if child.poll() is None or name in due:
                continue
            if name == "web":
                return f"web {how_it_ended(child.returncode)}, so everything was ended."
            bury(child)
            pause = pauses.get(name, 1)
            pauses[name] = min(2 * pause, LONGEST_PAUSE)
            due[name] = time.monotonic() + pause
            say(f"{name} {how_it_ended(child.returncode)}; it is started again in {pause} s.")
        for name in [name for name, moment in due.items() if moment <= time.monotonic()]:
            del due[name]
            start_one(name, children, host, port, held)
        if not serving and answers(host, port):
            serving = True
            greet(host, port)
        time.sleep(0.2)
    return ""


def bury(child: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a dead child's session: a worker's children would outlive it."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended by itself with code {code}"


def answers(host: str, port: int) -> bool:
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    connection = http.client.HTTPConnection(anywhere.get(host, host), port, timeout=2)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        connection.getresponse()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def greet(host: str, port: int) -> None:
    at = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    demo = "make demo" if port == 8000 else f"make demo PORT={port}"
    sign_in = "name operator, password operator, unless you changed them"
    if not is_loopback(host):
        sign_in = "make an operator with `.venv/bin/python manage.py createsuperuser`"
    say(
        f"""
ginservice runs.
  start page   {at}/
  API docs     {at}/api/docs/
  admin        {at}/admin/     ({sign_in})

Next: open the start page and play, or watch: `{demo}` in another terminal plays
a match against a bot and shows it. So do `{demo} GAME=rummy SEATS=4` and `{demo} GAME=pyramid`.
Ctrl-C ends everything; `make run` goes on with the data in {DATA_DIR}.
"""
    )


def end(children: Children) -> None:
    """Ask all, wait for all, and leave nothing of them."""
    if children:
        say(f"Ending {', '.join(children)} (a turn under way may end) ...")
    for child in children.values():
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for name, child in children.items():
        try:
            child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(f"{name} did not end in {STOP_SECONDS} seconds: killed.")
        bury(child)


if __name__ == "__main__":
    sys.exit(main())
