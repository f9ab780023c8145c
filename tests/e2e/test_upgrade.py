"""The web is replaced while people play, behind Caddy by our Caddyfile: no move is lost."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from benchmarks.web import Player
from ginservice import run
from ginservice.embedded import addresses
from tests.e2e.test_compose import data_dir, prepared, start
from tests.processes import ROOT, eventually

__all__ = ["data_dir", "prepared", "start"]
CLIENTS, REPLACED = 4, 6


@pytest.fixture
def caddy(tmp_path):
    """caddy(port of the web) -> the port of Caddy before it, by our Caddyfile."""
    started = []

    def start_one(web):
        port = addresses.free_port()
        ours = (ROOT / "Caddyfile").read_text()
        told = "{\n\tadmin off\n}\n" + ours.replace("web:8000", f"127.0.0.1:{web}")
        (tmp_path / "Caddyfile").write_text(told)
        command = [Path(sys.executable).with_name("caddy"), "run", "--config", "Caddyfile"]
        home = {"HOME": str(tmp_path), "SITE": f"http://127.0.0.1:{port}"}
        with (tmp_path / "caddy.log").open("wb") as log:
            started.append(
                subprocess.Popen(command, cwd=tmp_path, env=os.environ | home, stderr=log)
            )
        assert eventually(lambda: run.answers("127.0.0.1", port) or started[0].poll()) is True
        return port

    yield start_one
    for process in started:
        process.kill()
        process.wait()


class Playing(threading.Thread):
    """Somebody who moves and moves, each with a key; a move not answered 201 ends it."""

    def __init__(self, port):
        super().__init__()
        self.player, self.moves, self.over = Player(port, keys=True), 0, threading.Event()
        self.wrong = None

    def run(self):
        try:
            while not self.over.is_set():
                self.player.move()
                self.moves += 1
        except BaseException as error:  # what the player is answered ends it by SystemExit
            self.wrong = error


def test_no_move_fails_while_the_web_is_replaced(start, prepared, caddy):
    web, output, port = start("web")
    assert eventually(lambda: run.answers("127.0.0.1", port) or web.poll()) is True
    behind = caddy(port)
    playing = [Playing(behind) for _ in range(CLIENTS)]
    for one in playing:
        one.start()
    for _ in range(REPLACED):
        before = [one.moves for one in playing]
        eventually(
            lambda b=before: all(
                one.wrong or one.moves > moves for one, moves in zip(playing, b, strict=True)
            )
        )
        web.send_signal(signal.SIGTERM)
        assert web.wait(30) == 0, output.read_text()
        web, output, _ = start("web", port)
    before = [one.moves for one in playing]
    eventually(
        lambda: all(
            one.wrong or one.moves > moves for one, moves in zip(playing, before, strict=True)
        )
    )
    for one in playing:
        one.over.set()
        one.join()
    assert [one.wrong for one in playing] == [None] * CLIENTS, output.read_text()
