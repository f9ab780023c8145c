"""What a run of chaos did and found, in words."""

import time
from collections import Counter

from tests.chaos.run import Run


def report(run: Run) -> None:
    """Everything but the last line."""
    proxy, records = run.proxy, run.records
    injured = sum(proxy.injuries.values())
    run.say(
        f"the line: {proxy.passed + injured} exchanges, {injured} injured: {of(proxy.injuries)}"
    )
    run.say(f"answers that people were given: {of(records.answers)}")
    run.say(f"trouble: {of(run.troubles)}")
    lines = {f"{level} {event}": count for (level, event), count in run.house.lines().items()}
    run.say(f"warnings and errors in the log: {of(Counter(lines))}")
    for finding in run.findings[:50]:
        run.say(f"FOUND {finding}")
    if len(run.findings) > 50:
        run.say(f"FOUND {len(run.findings) - 50} more")


def of(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


def summary(run: Run) -> str:
    kinds = Counter(finding.partition(":")[0] for finding in run.findings)
    played = sum(move.status == 201 for move in run.records.sent)
    seconds = time.monotonic() - run.began
    return (
        f"chaos: {seconds:.0f} s, {sum(run.troubles.values())} troubles,"
        f" {sum(run.games.values())} matches ({of(run.games)}), {played} moves told,"
        f" {kinds['lost']} lost, {kinds['doubled']} doubled, {kinds['stuck']} matches stuck,"
        f" {len(run.records.heard)} streams heard: {len(run.findings) or 'no'} findings"
    )
