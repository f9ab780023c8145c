"""Means of samples, and how sure they are."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Z: Final = 1.96
"""Standard errors in half a 95 % interval."""


class Mean(Struct, frozen=True):
    """A mean, its 95 % interval, and of how many samples."""

    mean: float
    low: float
    high: float
    samples: int

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def error(self) -> float:
        """The standard error."""
        return self.half / Z


def mean(values: npt.ArrayLike) -> Mean:
    """Of one or more values; one is taken as certain."""
    array: npt.NDArray[np.floating[Any]] = np.asarray(values, float)
    middle, count = float(array.mean()), array.size
    half = Z * float(array.std(ddof=1)) / count**0.5 if count > 1 else 0.0
    return Mean(middle, middle - half, middle + half, count)
