"""What is held against the service: what people were told and heard, against what it stored.

Nothing here asks anybody: records come in, sentences go out, one for each fault.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tests.chaos.records import ASKED, TABLE, Asked, Entry, Heard, Kept, Sent, Told


def judged_matches(told: set[str], stored: set[str]) -> Iterator[str]:
    """The matches that people were told of and those that there are."""
    for match in sorted(told - stored):
        yield f"lost: match {match} was told to be made, and is not there"
    for match in sorted(stored - told):
        yield f"doubled: match {match} is there, and nobody was told of it"


def judged_moves(match: str, sent: Iterable[Sent], kept: Kept) -> Iterator[str]:
    """The moves of one match against its log."""
    expected = range(1, len(kept.log) + 1)
    if [entry.version for entry in kept.log] != list(expected):
        yield f"broken: the versions of match {match} are not 1 to {len(kept.log)}"
    there = Counter(map(fingerprint, kept.log))
    known: Counter[str] = Counter()
    for move in sent:
        mark = fingerprint(move.entry)
        if move.status == 201:
            known[mark] += 1
            if not there[mark]:
                yield f"lost: {words(match, move.entry)}, was told to be played"
            elif known[mark] > 1:
                yield f"doubled: {words(match, move.entry)}, was told to be played twice"
        elif move.status is not None:
            if not (move.late or forestalled(move, kept)):
                yield f"refused: {words(match, move.entry)}, with {move.status} {move.problem}"
        else:  # nobody knows, and either is right; more than one is not
            known[mark] += 1
    for entry in kept.played:
        mark = fingerprint(entry)
        if not known[mark]:
            yield f"doubled: {words(match, entry)}, was played, and nobody was told"
        elif there[mark] > 1:
            yield f"doubled: {words(match, entry)}, stands {there[mark]} times in the log"


def forestalled(move: Sent, kept: Kept) -> bool:
    """Whether something happened at the table, a resignation say, before the move came."""
    return any(e.version == move.version + 1 and e.seat == TABLE for e in kept.log)


def fingerprint(entry: Entry) -> str:
    return json.dumps(entry, sort_keys=True)


def words(match: str, entry: Entry) -> str:
    return f"{json.dumps(entry.action)} of seat {entry.seat}, version {entry.version} of {match}"


def judged_ends(kept: dict[str, Kept]) -> Iterator[str]:
    for match, one in kept.items():
        called_off = any(entry.action.get("reason") == "called_off" for entry in one.log)
        if one.status != ("aborted" if called_off else "finished"):
            yield f"stuck: match {match} is {one.status} at version {len(one.log)}"


def judged_asked(match: str, asked: Iterable[Asked], kept: Kept) -> Iterator[str]:
    """Resignations, claims, aborts, rematches and posted scores of one match against its log."""
    told, unsure = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for one in asked:
        if one.status is None:
            unsure[one.what, one.seat] += 1
        elif one.status in (200, 201):
            told[one.what, one.seat] += 1
            if not came_true(one, kept):
                yield f"lost: {one.what} of seat {one.seat} in {match}, was told {one.got!r}"
        elif not outrun(one, kept):
            yield f"refused: {one.what} of seat {one.seat} in {match}, {one.status} {one.problem}"
    for (what, seat), times in there(kept).items():
        if not told[what, seat] <= times <= told[what, seat] + unsure[what, seat]:
            yield (
                f"doubled: {what} of seat {seat} in {match}, is there {times} times and was told"
                f" {told[what, seat]} times"
            )
    made = sum(entry.action["type"] == "rematched" for entry in kept.log)
    if made > 1:
        yield f"doubled: match {match} has {made} rematches"


def there(kept: Kept) -> Counter[tuple[str, int]]:
    """How often each seat has done what, except rematches, of which the log names no asker."""
    found = Counter({("score", seat): len(points) for seat, points in kept.scores.items()})
    for entry in kept.log:
        if entry.seat == TABLE and entry.asked_by is not None:
            seat, kind = entry.asked_by, entry.action["type"]
            found.update((what, seat) for what, types in ASKED.items() if kind in types)
    return found


def came_true(one: Asked, kept: Kept) -> bool:
    """Whether what somebody was told is there."""
    if one.what == "score":
        return one.got in kept.scores.get(one.seat, [])
    if one.what == "rematch":
        return any(entry.action.get("match") == one.got for entry in kept.log)
    return there(kept)[one.what, one.seat] > 0


def outrun(one: Asked, kept: Kept) -> bool:
    """Whether somebody else was faster: then an abort or a claim is rightly refused."""
    later = [e for e in kept.log if e.version > one.version and e.seat != one.seat]
    return one.what in ("abort", "claims") and any(e.seat in {*kept.people, TABLE} for e in later)


def judged_streams(heard: Iterable[Heard], kept: dict[str, Kept]) -> Iterator[str]:
    """What each listener heard against the whole stream as its reader may see it."""
    for one in heard:
        if one.match not in kept:
            continue  # that it is lost is said already
        match = kept[one.match]
        name, expected = f"{one.listener} of {one.match}", match.events[one.reader]
        # Who had left when a rematch was asked for was not told of it.
        expected = expected[: max(match.ended, len(one.events))]
        if one.events == expected:
            continue
        versions = [version for version, _ in one.events]
        missed = sorted({version for version, _ in expected} - set(versions))
        twice = sorted(version for version, count in Counter(versions).items() if count > 1)
        if missed:
            yield f"gap: {name} was not told {numbers(missed)}"
        if twice:
            yield f"repeat: {name} was told {numbers(twice)} more than once"
        if versions != sorted(versions):
            yield f"disorder: {name} was told events out of order"
        wrong = sorted({version for version, _ in set(one.events) - set(expected)})
        if wrong:
            yield f"difference: {name} was told another event {numbers(wrong)}"


def numbers(versions: list[int]) -> str:
    more = f" and {len(versions) - 5} more" if len(versions) > 5 else ""
    return ", ".join(map(str, versions[:5])) + more


def judged_answers(answers: dict[str, set[str]]) -> Iterator[str]:
    """By Idempotency-Key, the different successful answers that were given to it."""
    for key, given in answers.items():
        if len(given) > 1:
            yield f"doubled: the key {key} was answered in {len(given)} ways"


def judged_webhooks(hooks: Iterable[Told], kept: dict[str, Kept]) -> Iterator[str]:
    """Each event told once, under one id, and taken at last, however often it was sent."""
    for hook in hooks:
        yield from (f"forged: {hook.person}'s webhook was sent: {error}" for error in hook.bad)
        ids = defaultdict(set)
        for message in hook.messages:
            ids[message[1:]].add(message.id)
        for event, given in ids.items():
            if len(given) > 1:
                yield f"doubled: {hook.person} was told {event} by {len(given)} webhook-ids"
            elif not given & hook.taken:
                yield f"untold: {hook.person} has never taken {event}"
        for match, one in kept.items():
            for seat in (seat for seat, name in one.people.items() if name == hook.person):
                for event, versions in due(one, seat):
                    if not any((event, match, v, seat) in ids for v in versions):
                        yield f"untold: {hook.person} was not told {event} of {match}, {versions}"


def due(kept: Kept, seat: int) -> Iterator[tuple[str, range]]:
    """What a seat's player must have been told: the event, and at which versions it may be."""
    yield "match.over", range(kept.ended, kept.ended + 1)
    if not any(entry.action["type"] == "started" for entry in kept.log):
        return
    yield "match.started", range(1, kept.ended + 1)
    since, mine = 0, False
    for entry in kept.log:
        if entry.seat >= 0:
            if entry.seat != seat:
                since, mine = entry.version, False
            elif not mine and entry in kept.played:
                yield "match.your_turn", range(since, entry.version)
                mine = True


def judged(
    sent: Iterable[Sent],
    asked: Iterable[Asked],
    heard: Iterable[Heard],
    hooks: Iterable[Told],
    kept: dict[str, Kept],
    told: set[str],
    answers: dict[str, set[str]],
) -> list[str]:
    """Every fault there is; no sentence if there is none."""
    moves: dict[str, list[Sent]] = defaultdict(list)
    asks: dict[str, list[Asked]] = defaultdict(list)
    for move in sent:
        moves[move.match].append(move)
    for one in asked:
        asks[one.match].append(one)
    return [
        *judged_matches(told, set(kept)),
        *judged_ends(kept),
        *(found for match, one in kept.items() for found in judged_moves(match, moves[match], one)),
        *(found for match, one in kept.items() for found in judged_asked(match, asks[match], one)),
        *judged_streams(heard, kept),
        *judged_webhooks(hooks, kept),
        *judged_answers(answers),
    ]
