"""The metrics that an interval can be asked for by name, and how each is best resampled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from curvewise._errors import CurvewiseError, UndefinedMetricError
from curvewise.areas.average_precision import average_precision
from curvewise.areas.h_measure import h_measure
from curvewise.areas.partial import partial_roc_auc
from curvewise.areas.pr_auc import pr_auc
from curvewise.areas.roc_auc import roc_auc
from curvewise.counts.meanings import OTHERS, RATES
from curvewise.curves.det import det_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.probabilities.errors import expected_error, greatest_error, observed_expected
from curvewise.probabilities.gaps import mean_gap
from curvewise.probabilities.logistic import (
    calibration_in_the_large,
    calibration_intercept,
    calibration_slope,
)
from curvewise.probabilities.losses import brier_of, log_of, spherical_of
from curvewise.probabilities.skill import brier_skill_of, log_skill_of, spherical_skill_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise._sweep import Sweep

    Statistic = Callable[[Sweep], float]


@dataclass(frozen=True)
class Known:
    """A statistic of a sweep with what its interval needs to know.

    ``method`` is the default; ``stratified`` whether classes are resampled apart (right where prevalence
    plays no part); ``rate`` gives the part and the whole of a plain proportion.
    """

    name: str
    statistic: Statistic
    method: str = "percentile"
    stratified: bool = False
    rate: Callable[[Sweep], tuple[float, float]] | None = None
    threshold: float | None = None


AREAS: dict[str, tuple[Callable[..., float], str, bool]] = {
    "roc_auc": (roc_auc, "delong", True),
    "partial_roc_auc": (partial_roc_auc, "percentile", True),
    "average_precision": (average_precision, "logit-percentile", False),
    "pr_auc": (pr_auc, "logit-percentile", False),
    "h_measure": (h_measure, "basic", False),
    "calibration_in_the_large": (calibration_in_the_large, "percentile", False),
    "calibration_slope": (calibration_slope, "percentile", False),
    "calibration_intercept": (calibration_intercept, "percentile", False),
    "observed_expected": (observed_expected, "percentile", False),
    # biased upward, and a resample once more: reflected at the value, that cancels
    "ici": (mean_gap, "basic", False),
    "ece": (expected_error, "basic", False),
    "mce": (greatest_error, "basic", False),
    "brier_loss": (brier_of, "percentile", False),
    "log_loss": (log_of, "percentile", False),
    "spherical_loss": (spherical_of, "percentile", False),
    "brier_skill": (brier_skill_of, "percentile", False),
    "log_skill": (log_skill_of, "percentile", False),
    "spherical_skill": (spherical_skill_of, "percentile", False),
    "equal_error_rate": (lambda s: det_curve(s).eer, "basic", True),
    "pr_gain_area": (lambda s: pr_gain_curve(s).area, "percentile", False),
}
RANKED = (  # read from the order of the scores alone
    *("roc_auc", "partial_roc_auc", "average_precision", "pr_auc", "h_measure"),
    *("equal_error_rate", "pr_gain_area"),
)
RATE_PARTS = {name: (part, whole) for name, part, whole, _ in RATES}
AT_THRESHOLD = (*RATE_PARTS, *(name for name, _ in OTHERS))
WITHIN_CLASSES = (
    *("recall", "specificity", "fpr", "fnr", "balanced_accuracy", "balanced_error", "youden", "g_mean"),
    *("lr_positive", "lr_negative", "diagnostic_odds_ratio"),
)


def known(metric: str | Statistic, options: dict[str, Any]) -> Known:
    """Find a metric by name with its own options, or take a function of a sweep."""
    if callable(metric):
        if options:
            raise CurvewiseError(f"{', '.join(options)}: a function of a sweep takes no options here.")
        return Known(getattr(metric, "__name__", "statistic"), metric)
    if metric in AREAS:
        function, method, stratified = AREAS[metric]
        return Known(metric, partial(function, **options) if options else function, method, stratified)
    if metric in AT_THRESHOLD:
        return _at_threshold(metric, dict(options))
    names = ", ".join([*AREAS, *AT_THRESHOLD])
    raise CurvewiseError(f"metric: expected a function of a Sweep or one of {names}, got {metric!r}.")


def _at_threshold(metric: str, options: dict[str, Any]) -> Known:
    threshold = options.pop("threshold", None)
    if threshold is None or options:
        raise CurvewiseError(f"{metric} is a number at a threshold: pass threshold=, and no other option.")

    def statistic(sweep: Sweep) -> float:
        value: float = getattr(sweep.at(threshold), metric)
        if value != value:  # noqa: PLR0124 - NaN: 0/0 in this resample
            raise UndefinedMetricError(f"{metric} is 0/0 at this threshold.")
        return value

    stratified = metric in WITHIN_CLASSES
    if metric not in RATE_PARTS:
        return Known(metric, statistic, "percentile", stratified, threshold=threshold)
    part, of_all = RATE_PARTS[metric]

    def rate(sweep: Sweep) -> tuple[float, float]:
        c = sweep.at(threshold)
        return sum(getattr(c, cell) for cell in part), sum(getattr(c, cell) for cell in of_all)

    return Known(metric, statistic, "wilson", stratified, rate, threshold)
