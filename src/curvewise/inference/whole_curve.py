"""Bands that hold a whole ROC curve at once."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from curvewise.inference.rate_at_rate import rate_at_rate, tpr_at
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.inference.rate_at_rate import Held, RateAtRate

    Floats = NDArray[np.float64]
    Rng = np.random.Generator | int | None

ENDS = (0.001, 0.002, 0.005)
ALONG = np.array([*ENDS, *(np.arange(1, 100) / 100), *(1 - e for e in reversed(ENDS))])  # where a curve is followed


def max_t_level(sweep: Sweep, held: Held, level: float, rng: Rng, replicates: int) -> float:
    """Return the level of intervals at each place that all hold the curve together with the stated level.

    An estimated curve differs from the true one by two Brownian bridges, B₁(TPR)/√P + slope·B₂(FPR)/√N
    (Hsieh & Turnbull 1996). ``replicates`` of that process are drawn along the curve, each divided by its standard
    deviation; the quantile of their largest absolute value says how many standard errors intervals must reach.
    """
    known = rate_at_rate(sweep, ALONG, held=held)
    largest = np.sort(np.abs(_standardised(known, sweep, held, rng, replicates)).max(axis=1))
    reach = float(np.quantile(largest, level))
    return 2 * NormalDist().cdf(reach) - 1


def _standardised(known: RateAtRate, sweep: Sweep, held: Held, rng: Rng, replicates: int) -> Floats:
    n, m = (sweep.negatives, sweep.positives) if held == "fpr" else (sweep.positives, sweep.negatives)
    x, y = known.x, known.centre
    slope = np.gradient(y, x)
    covariance = _bridge(y) / m + np.outer(slope, slope) * _bridge(x) / n
    error = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(error, error) + 1e-9 * np.eye(len(x))
    root = np.linalg.cholesky(correlation)
    return np.asarray(random_stream(rng).normal(size=(replicates, len(x))) @ root.T)


def _bridge(at: Floats) -> Floats:
    """Return the covariance of a Brownian bridge at places of [0, 1]."""
    return np.asarray(np.minimum.outer(at, at) * (1 - np.maximum.outer(at, at)))


def dkw(sweep: Sweep, places: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of Campbell's band of TPR at fixed FPR, for any scores."""
    alpha = 1 - math.sqrt(level)  # for each class: both hold together with the level
    sizes = (sweep.positives, sweep.known_negatives("A band"))
    up, across = (math.sqrt(math.log(2 / alpha) / (2 * n)) for n in sizes)
    low = np.where(places > across, tpr_at(sweep, np.maximum(places - across, 0)) - up, 0)
    high = tpr_at(sweep, np.minimum(places + across, 1)) + up
    return np.clip(low, 0, 1), np.clip(high, 0, 1)
