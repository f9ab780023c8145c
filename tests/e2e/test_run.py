"""`make run`: starting, stopping, and being killed."""

import os
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from ginservice.embedded import addresses
from tests.processes import ROOT, eventually


def said(environment, *command):
    """Exit code and words of a command that is to refuse."""
    told = subprocess.run(
        command or [sys.executable, "-m", "ginservice.run"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    words = told.stdout + told.stderr
    assert "Traceback" not in words
    return told.returncode, words


def processes_on(data_dir):
    """Every process that has the folder in its environment or its command, or stands in it."""
    found = []
    for process in psutil.process_iter():
        try:
            text = [*process.cmdline(), process.environ().get("DATA_DIR", ""), process.cwd()]
        except psutil.Error:
            continue
        if any(word.startswith(str(data_dir)) for word in text) and process.pid != os.getpid():
            found.append(process)
    return found


def names(data_dir):
    return {process.name() for process in processes_on(data_dir)}


def test_a_signal_to_the_whole_group_ends_all_in_order_and_the_next_run_goes_on(start_service):
    service = start_service()
    token = service.guest()

    code, words = said(service.environment)
    assert code == 1
    assert f"another run holds {service.data_dir}" in words

    os.killpg(service.process.pid, signal.SIGINT)
    assert service.process.wait(60) == 0
    assert not processes_on(service.data_dir)
    assert "Warm shutdown" in service.log
    # Nobody was connected any more when Postgres stopped: it ended last.
    postgres = (service.data_dir / "postgres" / "log").read_text()
    assert "database system is shut down" in postgres
    assert "terminating connection" not in postgres

    service.start()
    assert service.call("GET", "/api/v1/me", token=token)[0] == 200
    assert service.stop(signal.SIGTERM) == 0


def test_after_kill_9_of_the_process_manager_the_next_run_goes_on(start_service):
    service = start_service()
    token = service.guest()
    pids = service.pids

    service.stop(signal.SIGKILL)
    service.start()
    assert not set(pids.values()) & set(service.pids.values())
    assert service.call("GET", "/api/v1/me", token=token)[0] == 200
    assert service.call("GET", "/readyz")[0] == 200


def test_beat_is_started_again_and_without_a_web_everything_ends(start_service):
    service = start_service(WORKER_PROCESSES="0")
    beat = service.pids["beat"]
    os.kill(beat, signal.SIGKILL)
    eventually(lambda: service.pids["beat"] != beat)
    assert "beat was killed by signal 9; it is started again in 1 s." in service.log

    os.kill(service.pids["web"], signal.SIGKILL)
    assert service.process.wait(60) == 1
    assert "web was killed by signal 9, so everything was ended." in service.log
    assert not processes_on(service.data_dir)


def test_killed_wholly_it_leaves_nothing_that_the_next_run_does_not_take_over(start_service):
    service = start_service(WORKER_PROCESSES="0")
    for name in ("run", "web", "beat"):
        os.kill(service.pids[name], signal.SIGKILL)
    service.process.wait(60)
    assert names(service.data_dir) >= {"postgres", "valkey-server"}
    service.start()
    assert service.stop() == 0
    assert not processes_on(service.data_dir)


def test_a_busy_port_gets_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        code, words = said(os.environ | {"DATA_DIR": str(tmp_path), "PORT": str(port)})
    assert code == 1
    assert f"port {port} of 127.0.0.1 is not to be had" in words
    assert "choose another PORT" in words


@pytest.mark.parametrize("setting", ["PORT", "WEB_PROCESSES", "WORKER_PROCESSES"])
def test_a_setting_that_must_be_a_number_and_is_none_gets_a_sentence(tmp_path, setting):
    environment = os.environ | {"DATA_DIR": str(tmp_path), "PORT": str(addresses.free_port())}
    code, words = said(environment | {setting: "eight"})
    assert code == 1
    assert "number" in words


def test_a_log_level_that_is_none_gets_a_sentence(tmp_path):
    environment = os.environ | {"DATA_DIR": str(tmp_path), "LOG_LEVEL": "LOUD"}
    code, words = said(environment)
    assert code == 1
    assert "LOG_LEVEL is 'LOUD'; it can be DEBUG, INFO" in words


def test_a_command_without_a_running_service_says_what_to_start(tmp_path):
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": ""}
    code, words = said(environment, sys.executable, "manage.py", "migrate")
    assert code == 1
    assert "Start `make run` first" in words


def test_a_python_without_venv_gets_a_sentence(tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\n')
    python.chmod(0o755)
    code, words = said({**os.environ, "PYTHON": str(python)}, ".ci/install", "requirements.txt")
    assert code == 1
    assert "apt install python3-venv" in words


def test_static_files_are_served_without_debug(service):
    status, css = service.call("GET", "/static/admin/css/base.css")
    assert status == 200
    assert "font-family" in css


def test_two_services_run_side_by_side(service, start_service):
    other = start_service(WORKER_PROCESSES="0")
    assert service.call("GET", "/readyz")[0] == other.call("GET", "/readyz")[0] == 200
    token = other.guest()
    assert service.call("GET", "/api/v1/me", token=token)[0] == 401


def test_without_valkey_the_service_answers_and_says_that_it_is_not_ready(start_service):
    service = start_service(WORKER_PROCESSES="0")
    service.stop_valkey()
    assert service.call("GET", "/readyz")[0] == 503
    service.guest()
    service.start_valkey()
    assert service.call("GET", "/readyz")[0] == 200
