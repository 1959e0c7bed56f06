"""Maps from a probability to a better one: how each is fitted, and how it is applied.

A map is a method and its parameters, plain numbers that JSON holds exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.probability import probability_sweep
from curvewise.errors import UndefinedMetricError
from curvewise.metric.blocks import blocks_of
from curvewise.metric.logistic import between_0_and_1, fit_logistic, log_odds, need_overlap
from curvewise.probabilities.isotonic import Isotonic, fitted
from curvewise.rows.reading import read_columns, real_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks
    from curvewise.metric.logistic import Fit

    Floats = NDArray[np.float64]
    Fitted = tuple[dict[str, Any], tuple[str, ...]]  # parameters, and what should be known of them

STEPS = ("low", "high", "n", "positives", "value")  # of an isotonic map


def read_probabilities(p: object) -> Floats:
    """Check probabilities without labels; those hardly outside [0, 1] are clipped with a warning."""
    columns, _ = read_columns({"p": p}, "raise")
    values: Floats = real_numbers(columns["p"]).astype(np.float64, copy=False)
    if values.min() >= 0 and values.max() <= 1:
        return values
    # the door refuses, or warns of what is hardly outside; it asks for labels, and any will do
    probability_sweep(np.zeros(len(values), dtype=bool), values, {})
    return np.clip(values, 0, 1)


def apply_map(method: str, parameters: dict[str, Any], p: Floats) -> Floats:
    """Return the mapped probabilities: rising with p, and within [0, 1]."""
    if method == "isotonic":
        return isotonic_of(parameters).apply(p)
    with np.errstate(divide="ignore"):
        up, down = np.log(p), -np.log1p(-p)
    if method == "beta":
        return expit(parameters["c"] + _times(parameters["a"], up) + _times(parameters["b"], down))
    if method == "platt":
        return expit(parameters["intercept"] + _times(parameters["slope"], up + down))
    if method == "temperature":
        return expit((up + down) / parameters["temperature"])
    return expit(up + down + prior_shift(parameters))


def fit_map(method: str, sweep: Sweep) -> Fitted:
    """Fit a map to a sweep of probabilities; return its parameters and notes."""
    if method == "isotonic":
        fit = fitted(sweep)
        return {name: getattr(fit, name).tolist() for name in STEPS}, ()
    what = {"platt": "A Platt map", "beta": "A beta map", "temperature": "A temperature"}[method]
    blocks, left_out = between_0_and_1(blocks_of(sweep), what)
    notes: tuple[str, ...] = ()
    if left_out:
        notes = (f"{left_out:g} rows of probability 0 or 1 stay as they are",)
    if method == "temperature":
        return {"temperature": _temperature(blocks, what)}, notes
    need_overlap(blocks, what)
    if method == "beta":
        a, b, c = _beta(blocks)
        flat = not a and not b
        parameters = {"a": a, "b": b, "c": c}
    else:
        intercept, slope = _rising(blocks, log_odds(blocks.p)).coefficients.tolist()
        flat = not slope
        parameters = {"slope": slope, "intercept": intercept}
    if flat:
        notes += ("higher probabilities do not go with more positives: the map is constant",)
    return parameters, notes


def isotonic_of(parameters: dict[str, Any]) -> Isotonic:
    """Return the isotonic fit that the parameters describe."""
    low, high, n, positives, value = (np.asarray(parameters[name], dtype=np.float64) for name in STEPS)
    return Isotonic(low, high, n, positives, value)


def prior_shift(parameters: dict[str, Any]) -> float:
    """Return what another prevalence adds to the log odds."""
    before, after = (log_odds(np.array([parameters[k]]))[0] for k in ("from", "to"))
    return float(after - before)


def expit(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x))."""
    with np.errstate(over="ignore"):
        chance: Floats = 1 / (1 + np.exp(-x))
    return chance


def _times(factor: float, logs: Floats) -> Floats:
    """Multiply; nothing times an infinite logarithm is nothing."""
    return factor * logs if factor else np.zeros(len(logs))


def _beta(blocks: Blocks) -> tuple[float, float, float]:
    """Fit a·ln p - b·ln(1 - p) + c with a and b of 0 or more."""
    up, down = np.log(blocks.p), -np.log1p(-blocks.p)
    try:
        c, a, b = fit_logistic([up, down], blocks).coefficients.tolist()
    except UndefinedMetricError:  # no finite maximum: then none inside the bounds either
        a = b = -1.0
    if a >= 0 and b >= 0:
        return a, b, c
    # the likelihood is concave, so its best point within bounds lies on one of them
    with_a, with_b = _rising(blocks, up), _rising(blocks, down)
    if with_a.log_likelihood >= with_b.log_likelihood:
        return float(with_a.coefficients[1]), 0.0, float(with_a.coefficients[0])
    return 0.0, float(with_b.coefficients[1]), float(with_b.coefficients[0])


def _rising(blocks: Blocks, feature: Floats) -> Fit:
    """Fit an intercept, and one coefficient of 0 or more."""
    fit = fit_logistic([feature], blocks)
    if fit.coefficients[1] > 0:
        return fit
    flat = fit_logistic([], blocks)
    return type(fit)(np.append(flat.coefficients, 0.0), fit.covariance, flat.log_likelihood)


def _temperature(blocks: Blocks, what: str) -> float:
    x = log_odds(blocks.p)
    if np.sum((blocks.positives - blocks.negatives) * x) <= 0:
        raise UndefinedMetricError(
            f"{what} is undefined: high probabilities go with negatives and low ones with positives, and no "
            "temperature turns them round; another method may help."
        )
    if not (blocks.positives[x < 0].any() or blocks.negatives[x > 0].any()):
        raise UndefinedMetricError(
            f"{what} has no finite answer: 0.5 separates the classes perfectly, so the colder, the better."
        )
    return float(1 / fit_logistic([x], blocks, intercept=False).coefficients[0])
