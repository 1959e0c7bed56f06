"""What a model will say to the rows of a study: the distribution of its log odds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.probability import probabilities
from curvewise.errors import OptionError, UndefinedMetricError
from curvewise.inference.binormal_variance import NORMAL
from curvewise.metric.log_odds import log_odds
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

POINTS, REACH = 20_001, 9.0  # of a normal distribution: more would not change the eighth digit


@dataclass(frozen=True)
class LinearPredictor:
    """Log odds that a model states, rising, with their shares; and the chance of a positive at each."""

    value: Floats
    share: Floats
    chance: Floats

    @property
    def prevalence(self) -> float:
        """The share of positives that the chances add up to."""
        return float(self.share @ self.chance)

    def auc(self) -> float:
        """Return the AUC of the log odds, ties half."""
        value, at = np.unique(self.value, return_inverse=True)
        hit = np.bincount(at, self.share * self.chance, len(value))
        miss = np.bincount(at, self.share * (1 - self.chance), len(value))
        outranked = np.cumsum(miss) - miss / 2
        return float(hit @ outranked / (hit.sum() * miss.sum()))

    def rates(self, threshold: float) -> tuple[float, float]:
        """Return sensitivity and specificity where rows of this probability or more are flagged."""
        flagged = self.value >= math.log(threshold / (1 - threshold))
        hit, miss = self.share * self.chance, self.share * (1 - self.chance)
        return float(hit[flagged].sum() / hit.sum()), float(miss[~flagged].sum() / miss.sum())

    def slope_variance(self) -> float:
        """Return the variance of a calibration slope, times the number of rows: from the information matrix."""
        weight = self.share * self.chance * (1 - self.chance)
        total = float(weight.sum())
        information = float(weight @ (self.value - float(weight @ self.value) / total) ** 2) if total else 0.0
        if not information:
            raise UndefinedMetricError("No number of rows tells a calibration slope: every chance is 0 or 1.")
        return 1 / information


def of_normal(mean: float, deviation: float, slope: float, intercept: float) -> LinearPredictor:
    """Return normal log odds."""
    at = np.linspace(-REACH, REACH, POINTS)
    share = np.exp(-(at**2) / 2)
    value = mean + deviation * at
    return LinearPredictor(value, share / share.sum(), _expit(intercept + slope * value))


def of_probabilities(p: object, slope: float, intercept: float) -> LinearPredictor:
    """Return the log odds of the probabilities of a pilot."""
    stated = np.sort(probabilities(p))
    certain = int(np.count_nonzero((stated == 0) | (stated == 1)))
    if certain:
        raise OptionError.of(
            "p",
            f"expected probabilities between 0 and 1, got {count(certain, 'row')} of exactly 0 or 1, whose log odds "
            "are infinite; leave them out.",
        )
    if stated[0] == stated[-1]:
        raise OptionError.of("p", f"expected different probabilities, got {stated[0]:g} alone: it has no slope.")
    value = log_odds(stated)
    return LinearPredictor(value, np.full(len(value), 1 / len(value)), _expit(intercept + slope * value))


def of_auc(auc: float, prevalence: float, slope: float, intercept: float) -> LinearPredictor:
    """Return log odds that are normal in each class with equal spread, of this AUC and prevalence.

    With variance v = 2Φ⁻¹(A)² in both classes and means logit(π) ± v/2, the log odds are right; a model of
    another slope or intercept states (log odds - intercept)/slope.
    """
    deviation = math.sqrt(2) * NORMAL.inv_cdf(auc)
    middle, half = math.log(prevalence / (1 - prevalence)), deviation**2 / 2
    right = np.linspace(middle - half - REACH * deviation, middle + half + REACH * deviation, POINTS)
    miss, hit = (np.exp(-(((right - middle + s * half) / deviation) ** 2) / 2) for s in (1, -1))
    share = (1 - prevalence) * miss + prevalence * hit
    return LinearPredictor((right - intercept) / slope, share / share.sum(), _expit(right))


def _expit(x: Floats) -> Floats:
    from scipy.special import expit  # noqa: PLC0415 - slow to load

    return np.asarray(expit(x))
