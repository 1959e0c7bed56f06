"""The share of positives as a logistic regression on a spline of logit(p), with a band by the delta method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise.inference.limits import critical_value
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import between_0_and_1, fit_logistic, need_overlap
from curvewise.metric.spline import knots_of, spline_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.metric.blocks import Blocks

    Floats = NDArray[np.float64]

FEW, SOME = 30, 100  # rows of the smaller class below which 3 knots, or 4, are all that the rows can bear
STEEP = 700.0  # log odds beyond which e overflows


class SplineCurve(NamedTuple):
    """Probabilities, rising, the fitted share at each, its ends, and the rows that it is worth."""

    p: Floats
    observed: Floats
    low: Floats
    high: Floats
    rows: Floats
    knots: int
    left_out: float


def spline_curve(blocks: Blocks, at: Floats, knots: int | None, level: float) -> SplineCurve:
    """Fit logit P(y) = a + b·logit(p) + bends, and read it at the places between 0 and 1.

    Knots are Harrell's quantiles of the information p(1 - p), so that they lie where the outcome tells.
    """
    used, left_out = between_0_and_1(blocks, "A spline curve")
    need_overlap(used, "A spline curve")
    if knots is None:
        smaller = min(used.positives.sum(), used.negatives.sum()) * blocks.rows("A spline curve") / blocks.n
        knots = 3 if smaller < FEW else 4 if smaller < SOME else 5
    found = knots_of(used, knots)
    fit = fit_logistic(lambda some: spline_columns(some.odds, found), used, left_out=left_out)
    at = at[(at > 0) & (at < 1)]
    x = np.stack([np.ones(len(at)), *spline_columns(log_odds(at), found)])
    middle = fit.coefficients @ x
    error = np.sqrt(np.einsum("ji,jk,ki->i", x, fit.covariance, x))
    degrees = math.inf if fit.degrees is None else float(np.nanmin(fit.degrees))
    away = critical_value(level, degrees) * error
    ends = (middle, middle - away, middle + away)
    value, low, high = (1 / (1 + np.exp(-np.clip(each, -STEEP, STEEP))) for each in ends)
    rows = 1 / np.maximum(value * (1 - value) * error**2, 1e-300)
    return SplineCurve(at, value, low, high, rows, len(found), left_out)
