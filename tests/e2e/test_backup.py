"""The commands of docs/operations.md for a backup and its restoring, as they stand there."""

import re
import subprocess
import sys

import psycopg
import pytest

from ginservice.embedded import addresses
from tests.e2e.players import new_match, play_out
from tests.processes import ROOT

PAGE = (ROOT / "docs/operations.md").read_text()
SECTION = PAGE.split("## Backup and restore\n")[1].split("\n## ")[0]
BACKUP, RESTORE = re.findall(r"```bash\n(.*?)```", SECTION, re.DOTALL)


@pytest.fixture
def run(service, tmp_path):
    """run(lines): in a shell where .venv/bin/python is ours, beside a running service."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("manage.py", "ginservice", "games", "players", "docs"):
        (folder / name).symlink_to(ROOT / name)

    def shell(lines):
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", lines],
            cwd=folder,
            env=service.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    yield shell
    with psycopg.connect(addresses.postgres_url(service.data_dir), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS restored")


def test_what_is_restored_from_a_backup_is_whole_and_proved(service, run):
    token = service.guest()
    match = play_out(service, token, new_match(service, token))

    done = run(BACKUP + RESTORE)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ matches verified, no difference", done.stdout)
    with psycopg.connect(addresses.postgres_url(service.data_dir, "restored")) as connection:
        moves = "SELECT count(*) FROM games_move WHERE match_id = %s"
        assert connection.execute(moves, [match["id"]]).fetchone() == (match["version"],)


def test_a_backup_that_is_not_whole_is_noticed(service, run):
    token = service.guest()
    play_out(service, token, new_match(service, token))
    assert run(BACKUP + RESTORE).returncode == 0
    with psycopg.connect(addresses.postgres_url(service.data_dir, "restored")) as connection:
        connection.execute("DELETE FROM games_move WHERE version = 20")

    verify = RESTORE.splitlines()[-1]
    done = run("\n".join([*BACKUP.splitlines()[:2], verify]))
    assert done.returncode == 1
    assert "version 20" in done.stderr
