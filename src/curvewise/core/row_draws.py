"""Very many rows drawn with replacement: how often each is taken, in one pass over memory.

Poisson numbers, given their sum, are multinomial. So each row is taken a Poisson number of times with a mean a little
below 1, and the rows that are then still missing are drawn one by one: together an exact resample.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Times = NDArray[np.uint8]

BELOW = 4.0  # standard deviations that the mean of the sum lies below the rows
UNSURE = 255  # marks a number that 16 random bits do not decide
MOST = 60  # times that a row is taken at most; beyond, less than 1e-80 is left


def poisson_draws(size: int) -> Callable[[np.random.Generator], Times]:
    """Return what draws ``size`` of as many rows with replacement, and counts how often each is taken."""
    law = _law(1 - BELOW / math.sqrt(size))
    cells = np.arange(2**16 + 1) / 2**16  # mutants: work
    first, last = np.searchsorted(law, cells[:-1], side="right"), np.searchsorted(law, cells[1:], side="left")
    table = np.where(first == last, first, UNSURE).astype(np.uint8)

    def drawn(rng: np.random.Generator) -> Times:
        while True:  # a sum beyond the rows is drawn again: which rows have it does not depend on the sum
            bits = rng.integers(0, 2**16, size, dtype=np.uint16)
            times: Times = table.take(bits)
            unsure = np.flatnonzero(times == UNSURE)
            uniform = (bits[unsure] + rng.random(len(unsure))) / 2**16
            times[unsure] = np.searchsorted(law, uniform, side="right")
            missing = size - int(times.sum())
            if missing >= 0:
                np.add.at(times, rng.integers(0, size, missing), 1)
                return times

    return drawn


def _law(mean: float) -> NDArray[np.float64]:
    """Return the cumulative law of a Poisson number."""
    counts = np.arange(MOST)
    log_factorial = np.array([math.lgamma(k + 1) for k in counts])
    found = np.cumsum(np.exp(counts * math.log(mean) - mean - log_factorial))
    found[-1] = 1.0
    return np.asarray(np.minimum(found, 1.0))
