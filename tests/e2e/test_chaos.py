"""The short form of `make chaos`: few tables, and each trouble once."""

from tests.chaos.clients import TABLES
from tests.chaos.run import Run
from tests.chaos.summary import report
from tests.chaos.trouble import TROUBLES


def test_nothing_is_lost_on_a_bad_line_while_all_that_serves_is_killed_in_turn(tmp_path):
    run = Run(tmp_path / "data", TABLES, seed=1)

    findings = run.go(seconds=120, each_once=True)

    report(run)
    assert findings == []
    assert set(run.troubles) == {trouble.__name__ for trouble in TROUBLES}
    assert set(run.games) == {table.game for table in TABLES}
    assert sum(run.proxy.injuries.values()) > 100
    assert len(run.records.heard) == 6 * sum(run.games.values())
