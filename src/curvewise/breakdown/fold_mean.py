"""The mean over folds with an interval that can be defended, and the test of two models over the same folds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.errors import note
from curvewise.inference.by_influence import pair_of_pivot
from curvewise.inference.comparison import ModelTest, Pair
from curvewise.inference.delong import spread_of_sweep
from curvewise.inference.methods import is_auc
from curvewise.inference.pivots import LEAST_KNOWN, ScorePivot, Spread, WaldPivot, expected_of_pairs
from curvewise.results.estimate import Estimate, value_alone

if TYPE_CHECKING:
    from curvewise.breakdown.fold_results import Fold
    from curvewise.metric.registry import Bound

CORRECTED, DELONG = "corrected-t", "delong-folds"
ROUNDING = 1e-12  # values that differ by less are equal


def values_of(folds: Sequence[Fold], model: str) -> Floats:
    """Return the values of a model, fold by fold."""
    return np.array([fold.estimates[model].value for fold in folds])


def held_out_share(folds: Sequence[Fold]) -> float:
    """Return n_test/n_train, the mean over folds."""
    return float(np.mean([fold.rows / fold.train_size for fold in folds]))


def corrected_spread(values: Floats, folds: Sequence[Fold]) -> Spread:
    """Return the variance of a mean over folds whose training sets overlap: (1/J + n_test/n_train)·s².

    J is the number of folds of all repeats; the ratio is the mean over folds (Nadeau & Bengio 2003, Bouckaert &
    Frank 2004). The plain s²/J is too small.
    """
    varies = float(np.ptp(values)) > ROUNDING
    variance = (1 / len(values) + held_out_share(folds)) * float(np.var(values, ddof=1)) if varies else 0.0
    return Spread(variance, len(values) - 1)


def mean_over_folds(
    target: Bound, model: str, folds: Sequence[Fold], level: float, *, nested: bool, plain: bool
) -> Estimate:
    """Return the mean over folds; AUC with the variance of each fold, any other metric with the corrected one.

    ``nested`` says that no cluster has rows in two folds; ``plain``, that rows are independent and count alike.
    """
    values = values_of(folds, model)
    mean = float(values.mean())
    if not nested:
        return value_alone(target.name, mean, level, note("clusters_span_folds"))
    if is_auc(target):
        errors = [fold.estimates[model].standard_error for fold in folds]
        if any(error is None for error in errors):
            return value_alone(target.name, mean, level, note("folds_without_error"))
        pivot = _delong_pivot(mean, model, folds, plain=plain)
        return Estimate(target.name, mean, *pivot.ends(level), level, DELONG, pivot.spread.error)
    spread = corrected_spread(values, folds)
    if not spread.variance:
        return value_alone(target.name, mean, level, note("no_variance"))
    least, most = target.bounds
    low, high = WaldPivot(mean, spread).ends(level)
    return Estimate(target.name, mean, max(low, least), min(high, most), level, CORRECTED, spread.error)


def expected_spread(model: str, folds: Sequence[Fold]) -> float:
    """Return the standard deviation that folds would have if only their rows differed: √(mean of SE²)."""
    errors = [fold.estimates[model].standard_error for fold in folds]
    found = [error for error in errors if error is not None]
    return math.sqrt(float(np.mean(np.square(found)))) if len(found) == len(folds) else math.nan


def _delong_pivot(mean: float, model: str, folds: Sequence[Fold], *, plain: bool) -> ScorePivot:
    """Return what gives the mean AUC its interval: as of one AUC, with the variance ΣV/k² of the k folds of a repeat.

    Over repeats, which share rows, variances are averaged: that is no less than the variance of the mean.
    """
    often = Counter(fold.repeat for fold in folds)
    shares = [1 / often[fold.repeat] ** 2 / len(often) for fold in folds]
    variance, below = 0.0, 0.0
    for share, fold in zip(shares, folds, strict=True):
        error = fold.estimates[model].standard_error or 0.0
        degrees = spread_of_sweep(fold.sweeps[model]).degrees if plain else math.inf
        variance, below = variance + share * error**2, below + (share * error**2) ** 2 / degrees
    expected = [expected_of_pairs(*fold.units[model]) for fold in folds]

    def beforehand(auc: float) -> float:
        return sum(share * of_fold(auc) for share, of_fold in zip(shares, expected, strict=True))

    units = [fold.units[model] for fold in folds]
    pairs, smaller = (sum(map(count, units)) / len(often) for count in (math.prod, min))
    # where no fold has any variance, as little is known of it as of one AUC without any
    spread = Spread(variance, variance**2 / below if below else math.inf if variance else LEAST_KNOWN)
    return ScorePivot(mean, spread, beforehand, pairs, smaller)


class ByFolds(ModelTest):
    """Models compared fold by fold, with the corrected variance of the mean difference."""

    method = CORRECTED

    def __init__(self, target: Bound, models: Sequence[str], folds: Sequence[Fold], level: float) -> None:
        self.target, self.folds, self.level, self.name = target, folds, level, target.name
        self.each = [values_of(folds, model) for model in models]
        self.values = [float(each.mean()) for each in self.each]

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference by t on J - 1 degrees of freedom."""
        apart = self.each[i] - self.each[j]
        spread, two, mean = corrected_spread(apart, self.folds), (names[i], names[j]), float(apart.mean())
        pivot = WaldPivot(mean, spread)
        return pair_of_pivot(pivot, spread, two, self.name, self.method, self.level, margin, self.target.bounds)
