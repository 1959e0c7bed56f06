"""How many rows a study needs, and what a study of a given size can show."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import CurvewiseError
from curvewise.inference.delong import placements
from curvewise.inference.limits import critical_value
from curvewise.rows.checks import real
from curvewise.rows.reading import as_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curvewise.rows.rows import RowOptions

NORMAL = NormalDist()
ROOT = 1.414  # the authors' own rounding of √2, which pROC follows
NULL = 0.0792  # Obuchowski's variance at AUC 0.5, per case, before the controls' share


def power(
    auc: float,
    other: float | None = None,
    *,
    cases: float,
    controls: float,
    correlation: float = 0,
    level: float = 0.95,
) -> float:
    """Return the chance that a study of this size finds a difference that is there.

    Parameters
    ----------
    auc, other
        The AUC that the model is expected to have, and that of a second model; None is chance, 0.5.
    cases, controls
        How many positives and negatives.
    correlation
        Of the two models' AUC estimates: 0 for different rows, often 0.3 to 0.7 for the same rows.
    level
        The test is two-sided at 1 - ``level``, so that it agrees with an interval of that level.

    Notes
    -----
    With A = 1.414·Φ⁻¹(AUC) and κ controls per case, the variance of an AUC per case is
    0.0099·e^(-A²/2)·(5A² + 8 + (A² + 8)/κ), for binormal scores; against chance the null variance is
    0.0792·(1 + 1/κ). It is an approximation for planning.

    References
    ----------
    Obuchowski & McClish (1997) Statistics in Medicine 16:1529-1542. Obuchowski, Lieber & Wians (2004)
    Clinical Chemistry 50:1118-1125.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.power(0.7, cases=50, controls=50), 3)
    0.952
    """
    cases, controls = (real(k, v, 2, math.inf) for k, v in (("cases", cases), ("controls", controls)))
    gap, null, alternative = _design(auc, other, controls / cases, correlation)
    reach = _reach(level) * math.sqrt(null)
    return NORMAL.cdf((gap * math.sqrt(cases) - reach) / math.sqrt(alternative))


def sample_size(
    auc: float,
    other: float | None = None,
    *,
    power: float = 0.9,
    ratio: float = 1,
    correlation: float = 0,
    level: float = 0.95,
) -> tuple[int, int]:
    """Return how many cases and controls a study needs to find a difference that is there.

    Parameters
    ----------
    auc, other, correlation, level
        As in `curvewise.power`.
    power, ratio
        The chance of finding it; controls for each case. Cases and controls are rounded up.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.sample_size(0.8, power=0.9)
    (17, 17)
    >>> cw.sample_size(0.85, 0.80, power=0.8, ratio=4, correlation=0.5)
    (233, 930)
    """
    ratio = real("ratio", ratio, 0, math.inf, closed=False)
    gap, null, alternative = _design(auc, other, ratio, correlation)
    reach = _reach(level) * math.sqrt(null)
    cases = ((reach + NORMAL.inv_cdf(_share("power", power)) * math.sqrt(alternative)) / gap) ** 2
    return math.ceil(cases), math.ceil(cases * ratio)


def rate_sample_size(rate: float, *, half_width: float, level: float = 0.95) -> int:
    """Return how many rows of one class give a sensitivity or specificity an interval this narrow.

    Parameters
    ----------
    rate, half_width, level
        The sensitivity or specificity expected; half the width of its Wilson interval; and its level.

    Notes
    -----
    Rows of the class in question: positives for a sensitivity, negatives for a specificity. Divide by
    the prevalence (or its complement) for how many rows to draw in all.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.rate_sample_size(0.9, half_width=0.05)
    141
    """
    p, half = _share("rate", rate), real("half_width", half_width, 0, 0.5, closed=False)
    z = _reach(level)

    def width(n: int) -> float:
        return z / (n + z * z) * math.sqrt(n * p * (1 - p) + z * z / 4)

    high = 1
    while width(high) > half:
        high *= 2
    low = high // 2
    while high - low > 1:  # the width falls as rows are added
        middle = (low + high) // 2
        low, high = (middle, high) if width(middle) > half else (low, middle)
    return high


def pilot_power(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    cases: float | None = None,
    controls: float | None = None,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> float:
    """Return the chance that a study of this size tells two models apart, if the pilot is right.

    Parameters
    ----------
    y, scores
        Labels, and the scores of two models on the same rows, as in `curvewise.compare`; or `Rows` of two
        models alone.
    cases, controls, level
        As in `curvewise.power`; positives and negatives are by default those of the pilot.
    **rows
        Of `curvewise.sweep`; rows with weights or clusters are refused: a pilot of such rows says too little
        about a larger study.

    Notes
    -----
    With DeLong's variances V₁, V₂ and covariance C of the two AUCs at the study's size, the power is
    Φ((|A₁ - A₂| - z·√(2V₁ - 2C)) / √(V₁ + V₂ - 2C)). A pilot's difference is itself uncertain: treat
    the answer as a guess, and never use it to explain a study that is over (Obuchowski & McClish 1997).

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [9, 8, 7, 3, 6, 5, 2, 1], [9, 4, 3, 2, 8, 7, 6, 1]
    >>> round(cw.pilot_power(y, {"a": a, "b": b}, cases=20, controls=20), 3)
    0.999
    """
    table = as_rows(y, scores, rows)
    if len(table.scores) != 2:
        raise CurvewiseError('scores: expected two models, as in {"a": scores_a, "b": scores_b}.')
    if not table.is_plain or table.weight is not None:
        raise CurvewiseError(
            "weight, cluster: power from a pilot takes rows that are independent and count alike; leave them out."
        )
    sweep_of(table.of(table.models[0])).need_both_classes("The power to compare AUCs")
    placed = placements(table)
    sizes = {"cases": cases, "controls": controls}
    variance = np.zeros((2, 2))
    for on, (name, size) in zip((table.positive, ~table.positive), sizes.items(), strict=True):
        own = int(on.sum())
        if own < 2:
            raise CurvewiseError(f"y: expected at least two {name} in the pilot, got {own}.")
        variance += np.cov(placed.value[:, on]) / (own if size is None else real(name, size, 2, math.inf))
    first, second = placed.auc()
    reach, gap = _reach(level), abs(first - second)
    null = 2 * variance[0, 0] - 2 * variance[0, 1]
    alternative = variance[0, 0] + variance[1, 1] - 2 * variance[0, 1]
    if alternative <= 0 or gap == 0:
        raise CurvewiseError("scores: expected two models that differ; no study finds a difference of 0.")
    return NORMAL.cdf((gap - reach * math.sqrt(max(null, 0.0))) / math.sqrt(alternative))


def _design(auc: float, other: float | None, ratio: float, correlation: float) -> tuple[float, float, float]:
    """Return the difference sought and its variance per case: if it is absent, and if it is there."""
    first, r = _share("auc", auc), real("correlation", correlation, -1, 1)
    second = 0.5 if other is None else _share("other", other)
    gap, one = abs(first - second), _variance(first, ratio)
    if other is None:
        null, alternative = NULL * (1 + 1 / ratio), one
    else:
        two = _variance(second, ratio)
        null, alternative = 2 * (1 - r) * one, one + two - 2 * r * math.sqrt(one * two)
    if gap == 0 or alternative <= 0:
        raise CurvewiseError("auc, other: expected two AUCs that differ; no study finds a difference of 0.")
    return gap, null, alternative


def _variance(auc: float, ratio: float) -> float:
    square = (ROOT * NORMAL.inv_cdf(auc)) ** 2
    return 0.0099 * math.exp(-square / 2) * (5 * square + 8 + (square + 8) / ratio)


def _reach(level: float) -> float:
    return critical_value(_share("level", level))


def _share(name: str, value: float) -> float:
    return real(name, value, 0, 1, closed=False)
