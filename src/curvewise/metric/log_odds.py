"""The log odds of probabilities, and back."""

from __future__ import annotations

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.threads import in_threads


def log_odds(p: Floats) -> Floats:
    """Return ln(p / (1 - p)), infinite at 0 and 1."""
    odds = np.empty(len(p))

    def write(here: slice) -> None:
        with np.errstate(divide="ignore"):  # each thread has its own
            np.divide(p[here], 1 - p[here], out=odds[here])
            np.log(odds[here], out=odds[here])

    in_threads(write, list(slices(len(p))), len(p))
    return odds


def chance(odds: Floats) -> Floats:
    """Return 1 / (1 + e^-odds), also where the power overflows."""
    return np.exp(-np.logaddexp(0, -odds))
