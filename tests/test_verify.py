"""docs/verify.py: right exports pass, and what is wrong in one is found, line and reason."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import GAMES
from games.engine.game import DEALER
from games.replays import sealed
from tests import exports
from tests.exports import RULES, SCRIPT, sealed_anew, verify

MATCHES = int(os.environ.get("VERIFY_MATCHES") or 25)
"""How many matches of each game: `VERIFY_MATCHES=1000` tries as many as the issue asks for."""
every_game = pytest.mark.parametrize("name", GAMES)


@cache
def whole(name, seed=0):
    """An export of that game, and its lines before they were sealed."""
    match, moves = exports.played(name, seed)
    return exports.export(match, moves), tuple(exports.lines(match, moves))


def wrong(data, commitment=None, rules=RULES):
    """What verify says of an export that is wrong."""
    with pytest.raises(verify.Wrong) as caught:
        verify.verify(data, commitment, rules)
    return str(caught.value)


# What is right


@every_game
def test_many_matches_of_every_game_verify(name):
    seen, ended = Counter(), Counter()
    for seed in range(MATCHES):
        match, moves = exports.played(name, seed)
        done = verify.verify(exports.export(match, moves), match.commitment, RULES)
        assert "By the rules the match ends as it says: finished" in done[-1]
        seen.update(exports.kinds(moves))
        ended[match.position["ended_by"]] += 1
    assert {"played", "resigned"} <= set(ended) <= {"played", "resigned", "timed_out"}
    assert EXPECTED[name] <= seen.keys()
    print(f"\n{name}: {MATCHES} matches verified, {dict(ended)}; with {dict(seen)}")


@every_game
def test_matches_that_operators_have_mended_verify(name):
    seen = Counter()
    for seed in range(10):
        match, moves = exports.played(name, seed, mended=True)
        done = verify.verify(exports.export(match, moves), match.commitment, RULES)
        assert "By the rules the match ends as it says: voided" in done[-1]
        seen.update(exports.kinds(moves))
    assert {"rolled_back", "substituted", "voided"} <= seen.keys()


def back_to(version):
    def change(head, entries):
        """The first time that the match is taken back, it goes elsewhere."""
        first(entries, seat=-2, type="rolled_back")["action"]["to"] = version

    return change


@pytest.mark.parametrize("version", [-1, 0, 10_000, "1", None, True])
@pytest.mark.parametrize("rules", [None, RULES])
def test_a_match_that_goes_back_to_nowhere_is_found_out(version, rules):
    seed = next(n for n in range(9) if "rolled_back" in exports.kinds(mended(n)[1]))
    head, *entries = exports.unsealed(exports.export(*mended(seed)))
    back_to(version)(head, entries)
    assert "cannot go back to version" in wrong(sealed_anew([head, *entries]), rules=rules)


def test_a_match_that_goes_back_elsewhere_is_found_out():
    seed = next(n for n in range(9) if "rolled_back" in exports.kinds(mended(n)[1]))
    head, *entries = exports.unsealed(exports.export(*mended(seed)))
    back_to(1)(head, entries)
    assert "a match goes back only to" in wrong(sealed_anew([head, *entries]))


@cache
def mended(seed):
    return exports.played("gin", seed, mended=True)


EXPECTED = {
    "gin": {"dealer deal", "resigned", "timed_out", "bot_seated", "left", "knock", "lay_off"},
    "rummy": {"dealer deal", "dealer restock", "resigned", "bot_seated", "left", "meld"},
    "pyramid": {"dealer deal", "resigned", "undo", "redeal", "next_round"},
}
"""Kinds of entries that must have come up, the rarer ones of a game."""


def test_what_was_checked_is_said():
    data, _ = whole("gin")
    told = "\n".join(verify.verify(data, None, RULES))
    for words in ("whole", "compare", "without a gap", "Every shuffle (", "Every move ("):
        assert words in told


# Any byte changed on the way


@every_game
@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_any_byte_changed_on_the_way_is_found_in_its_line(name, data):
    export, _ = whole(name)
    place = data.draw(st.integers(0, len(export) - 1))
    changed = bytearray(export)
    changed[place] ^= data.draw(st.integers(1, 255))
    said = wrong(bytes(changed), rules=None)
    line = 1 + export.count(b"\n", 0, place)
    assert re.match(rf"line ({line}|{line + 1}) ", said), said  # a line end belongs to both


@every_game
def test_a_file_cut_anywhere_is_not_whole(name):
    export, _ = whole(name)
    for length in range(0, len(export), 97):
        wrong(export[:length], rules=None)
    end = export[:-1].rindex(b"\n") + 1
    assert "entries, not" in wrong(export[:end], rules=None)


# Any byte changed by who can seal the file anew


FOLLOWS = {
    "head": rb'"(?:game|seats|commitment|secret|status|ended_by|versions)":[^,]+,'
    rb'|"(?:scores|places)":\[[^]]*\]',
    "dealer": rb".+",
    "other": rb'\{"version":\d+,|"seat":-?\d+[,}]|"entropy":"[^"]*"|"type":"[^"]*"',
}
"""What follows from something else in a file, and so cannot be changed by itself."""


def bound(lines):
    """(line, place) of every byte that follows from something else. The dealer's time does not."""
    for number, line in enumerate(lines):
        kind = "head" if number == 0 else "dealer" if b'"seat":-1' in line else "other"
        free = re.search(rb'"at":"[^"]*"', line)
        for part in re.finditer(FOLLOWS[kind], line):
            for place in range(*part.span()):
                if free is None or not free.start() <= place < free.end():
                    yield number, place


@cache
def bound_places(name):
    return list(bound(lines_to_forge(name)))


@cache
def lines_to_forge(name):
    """A match of several shuffles that nobody has left: what a leaver gave counts for nothing."""
    for seed in range(0, 1000, 2):
        lines = whole(name, seed)[1]
        shuffles = sum(b'"seat":-1' in line for line in lines)
        if shuffles > 1 and not any(b'"left"' in line for line in lines):
            return lines
    raise LookupError(name)


@every_game
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_any_byte_that_follows_from_others_is_found_when_changed(name, data):
    number, place = data.draw(st.sampled_from(bound_places(name)))
    forged = [bytearray(line) for line in lines_to_forge(name)]
    forged[number][place] ^= data.draw(st.integers(1, 255))
    wrong(b"".join(sealed(map(bytes, forged))))


# Forgeries: sealed anew, each found at its line with the reason


def forged(name, change, seed=None):
    """The export after `change(head, entries)` has changed its objects in place."""
    lines = lines_to_forge(name) if seed is None else whole(name, seed)[1]
    head, *entries = [json.loads(line) for line in lines]
    change(head, entries)
    return sealed_anew([head, *entries])


def first(entries, **wanted):
    """The first entry with those fields, those of the action among them."""
    return next(e for e in entries if wanted.items() <= {**e["action"], **e}.items())


def swap(cards, one=0, other=1):
    cards[one], cards[other] = cards[other], cards[one]


def other_secret(head, entries):
    head["secret"] = "ab" * 32


def other_dealer(head, entries):
    deal = first(entries, seat=DEALER)["action"]
    deal["dealer"] = 1 - deal["dealer"]


def other_deck(head, entries):
    swap(first(entries, seat=DEALER)["action"]["cards"])


def short_deck(head, entries):
    first(entries, seat=DEALER)["action"]["cards"].pop()


def card_twice(head, entries):
    cards = first(entries, seat=DEALER)["action"]["cards"]
    cards[0] = cards[1]


def other_entropy(head, entries):
    first(entries, type="joined")["action"]["entropy"] = "7"


def entropy_that_is_none(head, entries):
    first(entries, type="started")["action"]["entropy"] = 5


def other_restock(head, entries):
    swap(first(entries, type="restock")["action"]["cards"])


def smaller_restock(head, entries):
    restock = first(entries, type="restock")["action"]
    restock["cards"] = restock["cards"][1:]


def other_turn(head, entries):
    move = next(e for e in entries if e["seat"] >= 0)
    move["seat"] = 1 - move["seat"]


def illegal_discard(head, entries):
    first(entries, type="discard")["action"]["card"] = first(entries, seat=DEALER)["action"][
        "cards"
    ][-1]


def no_action(head, entries):
    first(entries, type="discard")["action"] = {"type": "dance"}


def other_score(head, entries):
    head["scores"][0] += 1


def other_places(head, entries):
    head["places"].reverse()


def other_end(head, entries):
    head["status"] = "aborted"


def invited_too_late(head, entries):
    move = next(e for e in entries if e["seat"] >= 0)
    move.update(seat=-2, action={"type": "invited", "seat": 0, "player": "eve"})


def joined_twice(head, entries):
    first(entries, type="joined")["action"]["seat"] = 1
    next(e for e in entries[1:] if e["action"]["type"] == "joined")["action"]["seat"] = 1


def started_too_early(head, entries):
    entries[1]["action"] = {"type": "rematched", "match": "x"}


def later_dealer(head, entries):
    deal = [e for e in entries if e["seat"] == DEALER][-1]["action"]
    deal["dealer"] = 1 - deal["dealer"]


def null_that_says_nothing(head, entries):
    first(entries, type="joined")["action"]["bot"] = None


def seat_that_is_true(head, entries):
    next(e for e in entries if e["seat"] == 1)["seat"] = True


def unknown_seat(head, entries):
    entries[-1]["seat"] = 9


def version_as_text(head, entries):
    entries[3]["version"] = "4"


def too_late(head, entries):
    head["clock"] = {"seconds": 60}
    move = next(e for e in entries if e["seat"] >= 0)
    move["at"] = "2027-01-01T00:00:00Z"


def claimed_too_early(head, entries):
    move = next(e for e in entries if e["seat"] >= 0)
    late = {"type": "timed_out", "seat": move["seat"], "by": 1 - move["seat"]}
    move.update(seat=-2, action=late)


def no_time(head, entries):
    entries[0]["at"] = "yesterday"


def field_more(head, entries):
    head["note"] = "all is well"


def goes_on_too_late(head, entries):
    action = {"type": "continued", "match": "x", "version": 5}
    entries[-1].update(seat=-2, action=action)


def goes_on_before_its_start(head, entries):
    entries[0]["action"] = {"type": "continued", "match": "x", "version": 5}


def goes_on_from_nonsense(head, entries):
    start = entries.index(first(entries, type="started"))
    action = {"type": "continued", "match": "x", "version": 5, "shuffles": [{"secret": "00"}]}
    entries.insert(start + 1, {**entries[start], "action": action})
    for version, entry in enumerate(entries, 1):
        entry["version"] = version
    head["versions"] += 1


FORGERIES = {
    goes_on_too_late: "a match can go on from another only before its first card",
    goes_on_before_its_start: "a match can go on from another only before its first card",
    goes_on_from_nonsense: "what a shuffle follows from is a secret, entropies and a number",
    other_secret: "line 1 (the head): the secret is not the one committed to",
    other_dealer: "the lot fell on seat",
    other_deck: "the shuffle gives",
    short_deck: "the pack has 51 cards",
    card_twice: "a card is there twice",
    other_entropy: "the shuffle gives",
    entropy_that_is_none: "an entropy is a text",
    other_turn: "'s turn, but ",
    illegal_discard: "was not legal",
    no_action: "the rules cannot make sense of it",
    other_score: "line 1 (the head): by the rules scores is",
    other_places: "line 1 (the head): by the rules places is",
    other_end: "line 1 (the head): by the rules status is",
    invited_too_late: "the match had started already",
    joined_twice: "seat 1 was taken",
    started_too_early: "a seat is empty",
    later_dealer: "the dealer had to do",
    null_that_says_nothing: "the action is not in its one spelling",
    seat_that_is_true: "seat cannot be true",
    unknown_seat: "there is no seat 9",
    version_as_text: 'line 5 (version 4): version cannot be "4"',
    too_late: " was too late",
    claimed_too_early: " was not up",
    no_time: "the rules cannot make sense of it",
    field_more: "line 1 (the head): its fields are not",
}


@pytest.mark.parametrize(
    ("forgery", "words"), FORGERIES.items(), ids=[f.__name__ for f in FORGERIES]
)
def test_a_forgery_is_found(forgery, words):
    assert words in wrong(forged("gin", forgery))


def with_restock(way):
    """The first match of Rummy with a restock of that way."""
    for seed in range(2, 1000, 2):
        head, *entries = whole("rummy", seed)[1]
        if way in head and any(b'"restock"' in entry for entry in entries):
            return seed
    raise LookupError(way)


def test_a_restock_is_shuffled_by_the_secret():
    seed = with_restock(b"shuffle_keep_top")
    assert "the shuffle gives" in wrong(forged("rummy", other_restock, seed))
    assert "the shuffle gives" in wrong(forged("rummy", smaller_restock, seed))


def test_a_restock_that_turns_the_discards_over_is_checked_by_the_rules():
    seed = with_restock(b"turn_over")
    assert "the dealer had to do" in wrong(forged("rummy", other_restock, seed))
    assert "the dealer had to do" in wrong(forged("rummy", smaller_restock, seed))
    assert "without a shuffle: " in verify.verify(whole("rummy", seed)[0])[-1]


def test_deals_by_number_are_those_of_their_numbers_whatever_the_secret():
    seed = next(n for n in range(99) if numbered(whole("pyramid", n)[1][0]))
    right = whole("pyramid", seed)[0]
    for rules in (None, RULES):
        told = verify.verify(right, None, rules)
        assert any(words.startswith("Every deal (") for words in told)

    def other_number(head, entries):
        head["options"]["deal_number"] -= 1

    assert "the shuffle gives" in wrong(forged("pyramid", other_number, seed), rules=None)
    assert "the shuffle gives" in wrong(forged("pyramid", other_deck, seed), rules=None)


def numbered(head):
    options = json.loads(head)["options"]
    return options["practice"] and options["deal_number"]


@pytest.mark.parametrize("where", [1, 5, 40])
def test_entries_left_out_doubled_or_exchanged_are_found(where):
    lines = list(lines_to_forge("gin"))
    left_out = [*lines[:where], *lines[where + 1 :]]
    doubled = [*lines[: where + 1], *lines[where:]]
    exchanged = [*lines[:where], lines[where + 1], lines[where], *lines[where + 2 :]]
    for changed, line in ((left_out, where + 1), (doubled, where + 2), (exchanged, where + 1)):
        said = wrong(b"".join(sealed(changed)))
        assert said.startswith(f"line {line} (version {line - 1}): version ")


def test_another_match_than_the_one_promised_is_found():
    data, _ = whole("gin")
    assert "was committed to" in wrong(data, commitment="ab" * 32)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1 (the head): the file is empty"),
        (b"\n", "line 1 (the head): this is no line of an export"),
        (b"x", "line 1 (the head): the file does not end with a whole line"),
        (b"\xff\n", "line 1 (the head): this is no line of an export"),
        (b"".join(sealed([b"{[}"])), "line 1 (the head): this is not JSON"),
        (b"".join(sealed([b'{"a":"\xff"}'])), "line 1 (the head): this is not JSON"),
        (b"".join(sealed([b'{"a":' * 9999 + b"1" + b"}" * 9999])), "this is not JSON"),
        (b"".join(sealed([b'{"a":1}'])), "line 1 (the head): its fields are not match, game"),
    ],
)
def test_what_is_no_export_is_said_to_be_none(data, words):
    assert words in wrong(data)


# As a program


def run(*arguments, cwd=None, isolated=False):
    """verify.py as a program; isolated, with the standard library only."""
    return subprocess.run(
        [sys.executable, *(["-I", "-S"] if isolated else []), *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_bytes(whole("rummy")[0])
    return path


def test_it_ends_with_0_and_says_what_it_has_checked(file):
    done = run(SCRIPT, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Every move (" in done.stdout
    assert "NOT CHECKED" not in done.stdout
    assert done.stdout.endswith("RIGHT.\n")


def test_alone_it_needs_only_the_standard_library_and_says_what_it_could_not_check(file):
    alone = shutil.copy(SCRIPT, file.parent)
    done = run(alone, file, cwd=file.parent, isolated=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert ") follows from the secret" in done.stdout
    assert "NOT CHECKED" in done.stdout
    assert "Every move (" not in done.stdout


def test_told_where_the_rules_are_it_uses_them(file):
    alone = shutil.copy(SCRIPT, file.parent)
    done = run(alone, file, "--rules", SCRIPT.parent.parent)
    assert "Every move (" in done.stdout
    assert run(alone, file, "--rules", file.parent).returncode == 2


def test_it_ends_with_1_and_says_what_is_wrong(file):
    text = bytearray(file.read_bytes())
    text[300] ^= 1
    file.write_bytes(text)
    for isolated in (True, False):
        done = run(SCRIPT, file, isolated=isolated)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("WRONG: line 1 (the head): ")


def test_a_file_that_is_not_there_is_no_wrong_match(tmp_path):
    done = run(SCRIPT, tmp_path / "none.jsonl")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_it_compares_the_commitment_that_was_noted(file):
    noted = json.loads(whole("rummy")[1][0])["commitment"]
    assert "the one you noted" in run(SCRIPT, file, "--commitment", noted.upper()).stdout
    done = run(SCRIPT, file, "--commitment", "ab" * 32)
    assert done.returncode == 1
