"""The shuffle, recomputed here from its documented formula, and shown to be fair."""

import hashlib
import hmac
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import NAMES
from games.engine.shuffle import _below, commitment, lot, shuffle

SECRET = bytes(range(32))


def documented(label: bytes, secret: bytes, entropies: list[bytes], number: int) -> bytes:
    """The first 400 words of a stream, as bytes."""
    message = label + number.to_bytes(8, "big")
    for entropy in entropies:
        message += len(entropy).to_bytes(4, "big") + entropy
    seed = hmac.new(secret, message, hashlib.sha256).digest()
    blocks = (hmac.new(seed, i.to_bytes(8, "big"), hashlib.sha256).digest() for i in range(50))
    return b"".join(blocks)


def documented_shuffle(secret: bytes, entropies: list[bytes], number: int) -> list[str]:
    stream, order = documented(b"shuffle", secret, entropies, number), list(NAMES)
    for i in range(51, 0, -1):
        while True:
            word, stream = int.from_bytes(stream[:4], "big"), stream[4:]
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def test_a_shuffle_that_never_changes():
    """Written down once: an old match must be verifiable for ever."""
    order = shuffle(SECRET, (), 0, NAMES)
    assert " ".join(order[:10]) == "AS JC 6S JH QS JS QC 9D 2C 8H"
    assert list(order) == documented_shuffle(SECRET, [], 0)


@given(st.binary(min_size=1, max_size=64), st.lists(st.binary(max_size=40)), st.integers(0, 2**63))
def test_the_shuffle_is_the_documented_formula(secret, entropies, number):
    order = shuffle(secret, entropies, number, NAMES)
    assert list(order) == documented_shuffle(secret, entropies, number)
    assert sorted(order) == sorted(NAMES)


@given(st.binary(min_size=1), st.lists(st.binary(max_size=40)), st.integers(0, 2**63))
def test_the_lot_is_the_documented_formula(secret, entropies, number):
    word = int.from_bytes(documented(b"lot", secret, entropies, number)[:4], "big")
    assert lot(secret, entropies, number, 2) == word % 2


def test_the_entropies_are_told_apart_from_their_concatenation():
    orders = {
        shuffle(SECRET, entropies, 0, NAMES)
        for entropies in ((), (b"",), (b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""))
    }
    assert len(orders) == 6


def test_every_number_and_secret_has_its_own_order():
    assert len({shuffle(SECRET, (), number, NAMES) for number in range(100)}) == 100
    assert shuffle(SECRET, (), 0, NAMES) != shuffle(SECRET[::-1], (), 0, NAMES)


def test_any_number_of_cards_can_be_shuffled():
    assert shuffle(SECRET, (), 0, ()) == ()
    assert shuffle(SECRET, (), 0, ("7H",)) == ("7H",)
    assert sorted(shuffle(SECRET, (), 0, NAMES[:5])) == sorted(NAMES[:5])


def test_words_past_the_last_multiple_are_rejected():
    assert 2**32 % 52 == 48
    first_bad = 2**32 - 48
    assert _below(52, iter([first_bad - 1])) == 51
    assert _below(52, iter([first_bad, 2**32 - 1, 7])) == 7
    assert _below(2, iter([2**32 - 1])) == 1


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_every_card_is_equally_likely_in_every_place():
    """Fixed secret, so this never flickers. 2,601 degrees of freedom, deviation 72."""
    shuffles = 2000
    counts = Counter(
        (place, card)
        for number in range(shuffles)
        for place, card in enumerate(shuffle(SECRET, (), number, NAMES))
    )
    cells = [counts[place, card] for place in range(52) for card in NAMES]
    assert abs(chi_square(cells, shuffles / 52) - 2601) < 3 * 72


def test_every_order_of_four_cards_is_equally_likely():
    """23 degrees of freedom: 49.7 is passed once in a thousand."""
    counts = Counter(shuffle(SECRET, (), number, NAMES[:4]) for number in range(4800))
    assert len(counts) == 24
    assert chi_square(list(counts.values()), 200) < 49.7


def test_every_seat_is_equally_likely_by_lot():
    counts = Counter(lot(SECRET, (), number, 3) for number in range(3000))
    assert chi_square(list(counts.values()), 1000) < 13.8


def test_the_commitment_is_the_sha_256_of_the_secret():
    assert commitment(b"abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
