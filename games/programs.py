"""Outside programs as bots: a line of JSON in, the view; a line of JSON out, the action.

A process that plays starts each program once, and asks it for every seat it sits in, so all that
it needs is in the view. It is to end when its stdin does.
"""

import os
import shlex
import subprocess
from random import Random
from select import select
from shutil import which
from time import monotonic
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from games.engine import GAMES
from games.engine.game import MalformedAction, parse

CHUNK = 1 << 16

running: dict[str, subprocess.Popen[bytes]] = {}
"""By command. What bots are is copied to each process of the arena; this is not."""


class Foul(Exception):
    """A program did not answer with a legal action: what it was sent, and what would be right."""


class Program(Struct, frozen=True):
    """A bot that asks a program and waits for so many seconds at most. Raises Foul.

    Its time is taken by the clock on the wall, since it is not this process that thinks.
    """

    game: str
    command: str
    seconds: float

    clock = staticmethod(monotonic)

    def __call__(self, view: Any, rng: Random) -> Any:
        sent = msgspec.json.encode(view)
        try:
            answer = _exchange(_started(self.command), sent + b"\n", self.seconds)
        except _NoAnswer as error:
            self._foul(view, sent, str(error))
        try:
            action = parse(GAMES[self.game], msgspec.json.decode(answer))
        except (msgspec.DecodeError, MalformedAction) as error:
            self._foul(view, sent, f"answered {_shown(answer)}: {error}")
        if action not in view.legal:
            self._foul(view, sent, f"answered {_shown(answer)}, which is not legal here.")
        return action

    def _foul(self, view: Any, sent: bytes, what: str) -> NoReturn:
        stop(self.command)
        raise Foul(
            f"{self.command} {what}\n"
            f"It was sent: {sent.decode()}\n"
            "Right would be a line with one of these: "
            f"{msgspec.json.encode(view.legal).decode()}"
        )


def is_program(command: str) -> bool:
    """Whether this can be started: a file that may be run, or a program of the PATH."""
    words = _words(command)
    return bool(words) and which(words[0]) is not None


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quotation mark without its other half
        return []


def stop(command: str) -> None:
    """End a program that this process has started."""
    process = running.pop(command, None)
    if process is None:
        return
    process.kill()
    process.communicate()


def stop_all() -> None:
    """End every program that this process has started."""
    for command in list(running):
        stop(command)


def _started(command: str) -> subprocess.Popen[bytes]:
    """In a session of its own: Ctrl-C is for the arena, and ends a program by its stdin."""
    if command not in running:
        running[command] = subprocess.Popen(
            _words(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
    return running[command]


class _NoAnswer(Exception):
    """What a program did instead of answering."""


def _exchange(process: subprocess.Popen[bytes], line: bytes, seconds: float) -> bytes:
    """What a program writes, up to the end of a line, after it was sent one. Raises _NoAnswer."""
    assert process.stdin is not None and process.stdout is not None
    into, out = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(into, False)
    answer, until = b"", monotonic() + seconds
    while not answer.endswith(b"\n"):
        readable, writable, _ = select(
            [out], [into] if line else [], [], max(0, until - monotonic())
        )
        if not readable and not writable:
            said = f"only {_shown(answer)}" if answer else "nothing"
            raise _NoAnswer(f"wrote {said} for {seconds:g} seconds; does it flush its lines?")
        if writable:
            line = line[_written(process, into, line) :]
        if readable:
            more = os.read(out, CHUNK)
            if not more:
                raise _NoAnswer(_end_of(process))
            answer += more
    return answer


def _written(process: subprocess.Popen[bytes], into: int, line: bytes) -> int:
    try:
        return os.write(into, line)
    except BrokenPipeError:
        raise _NoAnswer(_end_of(process)) from None


def _end_of(process: subprocess.Popen[bytes]) -> str:
    try:
        code = process.wait(1)
    except subprocess.TimeoutExpired:
        return "closed its stdin or stdout."
    how = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
    return f"{how}; what it wrote to stderr stands above."


def _shown(answer: bytes) -> str:
    text = answer.decode(errors="replace").rstrip("\n")
    return text if len(text) <= 300 else f"{text[:300]} ..."
