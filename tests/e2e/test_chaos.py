"""The short form of `make chaos`: a table of each game, and all that serves is killed once."""

from tests.chaos import trouble
from tests.chaos.run import Run
from tests.chaos.summary import report
from tests.chaos.tables import TABLES

KILLED = [
    trouble.kill_web,
    trouble.kill_worker,
    trouble.kill_webhooks,
    trouble.kill_beat,
    trouble.kill_valkey,
    trouble.kill_postgres,
]


def test_nothing_is_lost_on_a_bad_line_while_all_that_serves_is_killed_in_turn(tmp_path):
    run = Run(tmp_path / "data", TABLES[:3], seed=1, troubles=KILLED)

    findings = run.go(seconds=0)

    report(run)
    assert findings == []
    assert set(run.troubled) == {one.__name__ for one in KILLED}
    assert set(run.games) == {table.game for table in run.tables}
    assert run.proxy.injuries
    assert any(hook.taken for hook in run.records.hooks)
    assert len(run.records.heard) == 6 * sum(run.games.values())
