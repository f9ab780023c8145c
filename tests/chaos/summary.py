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
    asked = Counter(f"{one.what} {one.status or 'unanswered'}" for one in records.asked)
    run.say(f"asked for besides moves: {of(asked)}")
    sent = Counter(message.event for hook in records.hooks for message in hook.messages)
    run.say(f"webhooks were sent: {of(sent)}")
    run.say(f"trouble: {of(run.troubled)}")
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
    asked = sum(one.status in (200, 201) for one in run.records.asked)
    events = sum(len({m.id for m in hook.messages} & hook.taken) for hook in run.records.hooks)
    seconds = time.monotonic() - run.began
    return (
        f"chaos: {seconds:.0f} s, {sum(run.troubled.values())} troubles,"
        f" {sum(run.games.values())} matches ({of(run.games)}), {played} moves"
        f" and {asked} other wishes told,"
        f" {kinds['lost']} lost, {kinds['doubled']} doubled, {kinds['stuck']} matches stuck,"
        f" {len(run.records.heard)} streams and {events} webhooks heard:"
        f" {len(run.findings) or 'no'} findings"
    )
