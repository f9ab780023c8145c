"""That the judge of chaos finds what it is there for: every fault planted in good records."""

from copy import deepcopy

import pytest

from tests.chaos.judge import Entry, Heard, Kept, Sent, digest, judged

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
    return {
        "sent": [Sent("m", 2, 0, DRAW, 201), Sent("m", 3, 0, THROW, 201)],
        "heard": [Heard("m", "sse", "ann", list(seen)), Heard("m", "polls", "ann", list(seen))],
        "kept": {"m": Kept("finished", log, {0}, {"ann": seen})},
        "told": {"m"},
        "answers": {"key-1": {"the answer"}},
    }


def found(plant):
    records = good()
    plant(records, deepcopy(records["kept"]["m"].log))
    return [sentence.partition(":")[0] for sentence in judged(**records)]


def logged(records, log):
    """The match's log; the streams tell the same."""
    records["kept"]["m"].log[:] = log


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
