"""That the judge of chaos finds what it is there for: every fault planted in good records."""

from copy import deepcopy

import pytest

from tests.chaos.judge import judged
from tests.chaos.records import Asked, Entry, Heard, Kept, Message, Sent, Told, digest

DRAW = {"type": "draw_stock"}
THROW = {"type": "discard", "card": "7H"}
DEAL = {"type": "deal", "deck": ["7H", "8H"]}


def good():
    """Ann (seat 0) plays a match against a bot (seat 1), two moves each, and two listen."""
    log = [
        Entry(1, -2, {"type": "started"}),
        Entry(2, -1, DEAL),
        Entry(3, 0, DRAW),
        Entry(4, 0, THROW),
        Entry(5, 1, DRAW),
        Entry(6, 1, THROW),
    ]
    seen = [digest({"version": entry.version, "last": entry.action}) for entry in log]
    told = Told("ann")
    for name, event, version in (("1", "started", 2), ("2", "your_turn", 2), ("3", "over", 6)):
        told.messages.append(Message(name, f"match.{event}", "m", version, 0))
        told.taken.add(name)
    return {
        "asked": [],
        "hooks": [told],
        "sent": [Sent("m", 2, 0, DRAW, 201), Sent("m", 3, 0, THROW, 201)],
        "heard": [Heard("m", "sse", "ann", list(seen)), Heard("m", "polls", "ann", list(seen))],
        "kept": {"m": Kept("finished", log, {0: "ann"}, {}, {"ann": seen})},
        "told": {"m"},
        "answers": {"key-1": {"the answer"}},
    }


def found(plant):
    records = good()
    plant(records, deepcopy(records["kept"]["m"].log))
    return [sentence.partition(":")[0] for sentence in judged(**records)]


def logged(records, log):
    """The match's log; the streams tell the same, and the webhook its end."""
    records["kept"]["m"].log[:] = log
    over = records["hooks"][0].messages
    over[-1] = over[-1]._replace(version=records["kept"]["m"].ended)


def at_the_table(records, log, *actions):
    """The log goes on with these entries of the table, and every stream tells them."""
    for action in actions:
        log.append(Entry(len(log) + 1, -2, action))
        told = digest({"version": len(log), "last": action})
        for events in (records["kept"]["m"].events["ann"], *(h.events for h in records["heard"])):
            events.append(told)
    logged(records, log)


def test_good_records_are_found_good():
    assert judged(**good()) == []


def test_a_move_lost_out_of_the_log_is_found():
    def plant(records, log):
        logged(records, [*log[:3], log[4]._replace(version=4), log[5]._replace(version=5)])

    assert found(plant) == ["lost"]


def test_a_move_lost_with_its_version_is_found_twice():
    assert found(lambda records, log: logged(records, [*log[:3], *log[4:]])) == ["broken", "lost"]


def test_a_last_move_lost_is_found():
    def plant(records, log):
        records["sent"].append(Sent("m", 6, 0, DRAW, 201))

    assert found(plant) == ["lost"]


def test_a_move_stored_as_another_is_found():
    def plant(records, log):
        log[3] = Entry(4, 0, {"type": "discard", "card": "8H"})
        logged(records, log)

    assert found(plant) == ["lost", "doubled"]


def test_a_move_played_twice_is_found():
    def plant(records, log):
        logged(records, [*log[:3], log[2]._replace(version=4), log[3]._replace(version=5)])
        records["sent"][1].version = 4

    assert found(plant) == ["doubled"]


def test_an_entry_that_stands_twice_in_the_log_is_found():
    def plant(records, log):
        logged(records, [*log[:4], log[3], *log[4:]])

    assert found(plant) == ["broken", "doubled", "doubled"]


def test_one_place_in_the_log_told_to_two_requests_is_found():
    def plant(records, log):
        records["sent"].append(deepcopy(records["sent"][0]))

    assert found(plant) == ["doubled"]


def test_a_legal_move_that_was_refused_is_found():
    def plant(records, log):
        records["sent"].append(Sent("m", 3, 0, DRAW, 409, "stale-version"))

    assert found(plant) == ["refused"]


@pytest.mark.parametrize("played", [True, False])
def test_a_move_that_nobody_answered_may_be_played_or_not(played):
    def plant(records, log):
        records["sent"].append(Sent("m", 6, 0, DRAW))
        records["hooks"][0].messages.insert(0, Message("2", "match.your_turn", "m", 6, 0))
        logged(records, [*log, Entry(7, 0, DRAW)] if played else log)

    assert found(plant) == []


def test_bots_and_the_dealer_owe_nobody_an_answer():
    def plant(records, log):
        logged(records, [*log, Entry(7, -1, DEAL), Entry(8, 1, DRAW)])

    assert found(plant) == []


def test_a_match_that_never_ended_is_found():
    def plant(records, log):
        records["kept"]["m"].status = "playing"

    assert found(plant) == ["stuck"]


def test_a_match_made_twice_is_found():
    def plant(records, log):
        records["kept"]["twin"] = deepcopy(records["kept"]["m"])
        records["kept"]["twin"].people = {}
        records["kept"]["twin"].log = [Entry(1, -2, {"type": "started"})]

    assert found(plant) == ["doubled"]


def test_a_match_that_was_told_and_is_gone_is_found():
    def plant(records, log):
        records["kept"].clear()

    assert found(plant) == ["lost"]


def test_two_answers_to_one_key_are_found():
    def plant(records, log):
        records["answers"]["key-1"].add("another")

    assert found(plant) == ["doubled"]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (lambda events: events.pop(2), ["gap"]),
        (lambda events: events.pop(), ["gap"]),
        (lambda events: events.insert(2, events[2]), ["repeat"]),
        (lambda events: events.reverse(), ["disorder"]),
        (lambda events: events.__setitem__(2, (3, "a view of somebody else")), ["difference"]),
        (lambda events: events.append((7, "never stored")), ["difference"]),
    ],
    ids=["a gap", "an end missing", "a repeat", "disorder", "another's view", "one too many"],
)
def test_a_fault_in_a_stream_is_found(fault, expected):
    assert found(lambda records, log: fault(records["heard"][1].events)) == expected


def test_a_stream_may_end_before_a_rematch_is_told_and_not_before_the_end():
    def plant(records, log, cut):
        at_the_table(records, log, {"type": "rematched", "match": "n"})
        del records["heard"][0].events[cut:]

    assert found(lambda records, log: plant(records, log, 6)) == []
    assert found(lambda records, log: plant(records, log, 5)) == ["gap"]


RESIGNED = {"type": "resigned", "seat": 0}


@pytest.mark.parametrize(
    ("what", "entry", "got"),
    [
        ("resignation", RESIGNED, "m"),
        ("claims", {"type": "timed_out", "seat": 1, "by": 0}, "m"),
        ("claims", {"type": "bot_seated", "seat": 1, "bot": "easy", "by": 0}, "m"),
        ("rematch", {"type": "rematched", "match": "n"}, "n"),
    ],
)
def test_what_was_asked_for_at_the_table_is_there_once(what, entry, got):
    def plant(records, log, entries, status=201, times=1):
        at_the_table(records, log, *entries)
        records["asked"] += [Asked("m", 6, 0, what, status, got=got) for _ in range(times)]

    assert found(lambda *given: plant(*given, [entry])) == []
    assert found(lambda *given: plant(*given, [entry], status=None)) == []
    assert found(lambda *given: plant(*given, [], status=None)) == []
    assert found(lambda *given: plant(*given, [])) == ["lost"]
    assert found(lambda *given: plant(*given, [entry, entry])) == ["doubled"]
    assert found(lambda *given: plant(*given, [], status=409)) == ["refused"]
    if what != "rematch":  # of which the log does not say who has asked
        assert found(lambda *given: plant(*given, [entry], times=2)) == ["doubled"]
        assert found(lambda *given: plant(*given, [entry], times=0)) == ["doubled"]


def test_who_has_resigned_may_ask_for_a_rematch():
    def plant(records, log):
        at_the_table(records, log, RESIGNED, {"type": "rematched", "match": "n"})
        records["asked"].append(Asked("m", 6, 0, "resignation", 201, got="m"))
        records["asked"].append(Asked("m", 7, 0, "rematch", 201, got="n"))

    assert found(plant) == []


def test_a_second_rematch_is_found():
    def plant(records, log):
        at_the_table(records, log, {"type": "rematched", "match": "n"})
        records["asked"] += [Asked("m", 6, seat, "rematch", 201, got=f"{seat}") for seat in (0, 1)]

    assert found(plant) == ["lost", "lost"]


@pytest.mark.parametrize(("asked", "faults"), [(1, []), (0, ["stuck", "doubled"])])
def test_a_match_is_aborted_by_who_asked_for_it_and_by_nobody_else(asked, faults):
    def plant(records, log):
        reason = "called_off" if asked else "abandoned"
        at_the_table(records, log, {"type": "aborted", "reason": reason, "seat": 0})
        records["kept"]["m"].status = "aborted"
        records["asked"] += [Asked("m", 6, 0, "abort", 201, got="m")] * asked

    assert found(plant) == faults


@pytest.mark.parametrize(
    ("posted", "faults"),
    [([120], []), ([], ["lost"]), ([90], ["lost"]), ([120, 120], ["doubled"])],
)
def test_a_score_is_posted_once_and_as_it_was_told(posted, faults):
    def plant(records, log):
        records["kept"]["m"].scores = {0: posted} if posted else {}
        records["asked"].append(Asked("m", 6, 0, "score", 201, got=120))

    assert found(plant) == faults


@pytest.mark.parametrize(("version", "faults"), [(5, []), (6, ["refused"])])
def test_a_claim_may_be_refused_where_somebody_was_faster(version, faults):
    def plant(records, log):
        records["kept"]["m"].people[1] = "bob"
        records["sent"] += [Sent("m", 4, 1, DRAW, 201), Sent("m", 5, 1, THROW, 201)]
        records["asked"].append(Asked("m", version, 0, "claims", 409, "nothing-to-claim"))

    assert found(plant) == faults


def test_a_move_may_be_refused_that_is_late_or_comes_after_a_resignation():
    def plant(records, log, late=False, resigned=False):
        records["sent"].append(Sent("m", 6, 0, DRAW, 409, "", late))
        if resigned:
            at_the_table(records, log, RESIGNED)
            records["asked"].append(Asked("m", 6, 0, "resignation", 201, got="m"))

    assert found(lambda *given: plant(*given)) == ["refused"]
    assert found(lambda *given: plant(*given, late=True)) == []
    assert found(lambda *given: plant(*given, resigned=True)) == []


def test_a_bot_that_plays_on_for_a_player_owes_nobody_an_answer():
    def plant(records, log):
        at_the_table(records, log, {**RESIGNED, "bot": "easy"})
        logged(records, [*log, Entry(8, 0, DRAW)])
        records["asked"].append(Asked("m", 6, 0, "resignation", 201, got="m"))
        for heard in (records["kept"]["m"].events["ann"], *(h.events for h in records["heard"])):
            heard.append((8, "drawn"))

    assert found(plant) == []


@pytest.mark.parametrize(
    ("fault", "faults"),
    [
        (lambda hook: hook.messages.append(hook.messages[0]), []),
        (lambda hook: hook.messages.pop(0), ["untold"]),
        (lambda hook: hook.messages.pop(1), ["untold"]),
        (lambda hook: hook.messages.pop(2), ["untold"]),
        (lambda hook: hook.taken.remove("2"), ["untold"]),
        (lambda hook: hook.messages.append(hook.messages[1]._replace(id="9")), ["doubled"]),
        (lambda hook: hook.bad.append("a wrong signature"), ["forged"]),
    ],
    ids=["sent again", "no start", "no turn", "no end", "not taken", "two ids", "forged"],
)
def test_a_fault_of_a_webhook_is_found(fault, faults):
    assert found(lambda records, log: fault(records["hooks"][0])) == faults
