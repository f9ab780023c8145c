"""Shuffles that anybody can recompute: (secret, entropies, number, cards) to an order.

    seed     = HMAC-SHA-256(secret, label || number || entropy of seat 0 || entropy of seat 1 ...)
               number: 8 bytes big-endian; each entropy: its length in 4 such bytes, then itself
    block i  = HMAC-SHA-256(seed, i as 8 bytes big-endian), i = 0, 1, 2 ...
    words    = the blocks, cut into 4-byte big-endian numbers
    below n  = the next word w with w < 2**32 - 2**32 % n, modulo n (so that none is likelier)
    shuffle  = Fisher-Yates: for i = len-1 down to 1, swap place i with place (below i+1)

The label is b"shuffle" for an order and b"lot" for a seat drawn by lot (below seats). A deal by
number has its public_secret, no entropies and the number 0.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

SECRET_BYTES = 32


def public_secret(number: int) -> bytes:
    """What stands in place of the secret in a deal by number, which is anybody's to compute."""
    return b"ginservice deal %d" % number


def commitment(secret: bytes) -> str:
    """SHA-256 of a secret in hex: shown before the first card, so that it cannot be changed."""
    return hashlib.sha256(secret).hexdigest()


def shuffle(
    secret: bytes, entropies: Sequence[bytes], number: int, cards: Sequence[str]
) -> tuple[str, ...]:
    """The cards (given in deck order) in the order of the match's shuffle of that number."""
    words = _words(_seed(b"shuffle", secret, entropies, number))
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def lot(secret: bytes, entropies: Sequence[bytes], number: int, seats: int) -> int:
    """A seat drawn by lot, from the same sources as the shuffle of that number."""
    return _below(seats, _words(_seed(b"lot", secret, entropies, number)))


def _seed(label: bytes, secret: bytes, entropies: Sequence[bytes], number: int) -> bytes:
    parts = [label, number.to_bytes(8, "big")]
    for entropy in entropies:
        parts += [len(entropy).to_bytes(4, "big"), entropy]
    return hmac.digest(secret, b"".join(parts), "sha256")


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, block.to_bytes(8, "big"), "sha256")
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def _below(n: int, words: Iterator[int]) -> int:
    bound = 2**32 - 2**32 % n
    return next(word for word in words if word < bound) % n
