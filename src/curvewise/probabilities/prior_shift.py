"""The share of positives in a new population, from its probabilities alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.errors import UndefinedMetricError
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CLOSE = 1e-12
MOST_STEPS = 200


def estimated_prevalence(new: Floats, known: float) -> tuple[float, int]:
    """Return the most likely share of positives where the probabilities are ``new``, and the steps taken.

    The probabilities were right at prevalence ``known``. If only the share of positives changed, a row is
    p/π and (1 - p)/(1 - π) times as likely among positives and negatives, and the share that makes all rows
    likeliest solves Σ (r - s)/(share·r + (1 - share)·s) = 0. That is where the expectation-maximisation of
    Saerens, Latinne and Decaestecker ends; the sum falls with the share, so halving gets there surely.
    """
    p, rows = np.unique(new, return_counts=True)
    r, s = p / known, (1 - p) / (1 - known)
    away = rows * (r - s)

    def slope(share: float) -> float:
        with np.errstate(divide="ignore"):
            return float(np.sum(away / (share * r + (1 - share) * s)))

    if slope(0.0) <= 0 or slope(1.0) >= 0:
        end = 0 if slope(0.0) <= 0 else 1
        raise UndefinedMetricError(
            f"The estimated prevalence is {end}: the new probabilities (mean {show(float(new.mean()))}) look "
            f"like a population of one class; check that they are calibrated at prevalence {show(known)}."
        )
    low, high, steps = 0.0, 1.0, 0
    while high - low > CLOSE * high and steps < MOST_STEPS:
        middle, steps = (low + high) / 2, steps + 1
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2, steps
