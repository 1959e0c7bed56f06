"""What a larger study would show, judged from the rows of a pilot."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import CurvewiseError
from curvewise.inference.delong import placements
from curvewise.rows.checks import real
from curvewise.rows.reading import RowOptions, as_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

NORMAL = NormalDist()


def pilot_power(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    cases: float | None = None,
    controls: float | None = None,
    alpha: float = 0.05,
    **rows: Unpack[RowOptions],
) -> float:
    """Return the chance that a study of this size tells two models apart, if the pilot is right.

    Parameters
    ----------
    y, scores
        Labels, and the scores of two models on the same rows, as in `curvewise.compare`.
    cases, controls
        Positives and negatives of the study; those of the pilot by default.
    alpha
        The two-sided level of the test.
    **rows
        ``positive=``, ``higher_is=``, ``missing=``.

    Notes
    -----
    With DeLong's variances V₁, V₂ and covariance C of the two AUCs at the study's size, the power is
    Φ((|A₁ - A₂| - z·√(2V₁ - 2C)) / √(V₁ + V₂ - 2C)). A pilot's difference is itself uncertain: treat
    the answer as a guess, and never use it to explain a study that is over.

    References
    ----------
    Obuchowski & McClish (1997) Statistics in Medicine 16:1529-1542.

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
    value = placed.value
    sizes = {"cases": cases, "controls": controls}
    variance = np.zeros((2, 2))
    for on, (name, size) in zip((table.positive, ~table.positive), sizes.items(), strict=True):
        own = int(on.sum())
        if own < 2:
            raise CurvewiseError(f"y: expected at least two {name} in the pilot, got {own}.")
        variance += np.cov(value[:, on]) / (own if size is None else real(name, size, 2, math.inf))
    first, second = placed.auc()
    return _power(abs(first - second), variance, real("alpha", alpha, 0, 1, closed=False))


def _power(gap: float, variance: NDArray[np.float64], alpha: float) -> float:
    null = 2 * variance[0, 0] - 2 * variance[0, 1]
    alternative = variance[0, 0] + variance[1, 1] - 2 * variance[0, 1]
    if alternative <= 0 or gap == 0:
        raise CurvewiseError("scores: expected two models that differ; no study finds a difference of 0.")
    reach = NORMAL.inv_cdf(1 - alpha / 2) * math.sqrt(max(null, 0.0))
    return NORMAL.cdf((gap - reach) / math.sqrt(alternative))
