"""The H-measure: how much of the cost of knowing nothing a model saves, over a stated range of costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.core.sweep import Sweep, as_sweep
from curvewise.curves.hull import hull_counts
from curvewise.errors import CurvewiseError
from curvewise.metric import AREA
from curvewise.metric.registry import metric, read
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

HAND = "Hand (2009) Machine Learning 77:103-123"


@metric(
    "h_measure",
    aliases=("h",),
    **AREA,
    chance=0.0,
    perfect=1.0,
    interval="none",
    monotone=True,
    place=5,
    reference=HAND,
    formula="1 - L/L₀, L = ∫ min over t of [c·(1 - π)·FPR(t) + (1 - c)·π·(1 - TPR(t))]·w(c) dc, w = Beta(alpha, beta), "
    "L₀ without scores",
)
def _of_sweep(sweep: Sweep, *, alpha: float = 2, beta: float = 2) -> float:
    alpha, beta = (real(name, value, 0, math.inf) for name, value in (("alpha", alpha), ("beta", beta)))
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not value:
            raise CurvewiseError(f"{name}: expected a number above 0, got 0.")
    tp, fp, _ = hull_counts(sweep, "The H-measure")
    return 1 - _loss(np.diff(tp), np.diff(fp), alpha, beta) / _loss(tp[-1:], fp[-1:], alpha, beta)


def h_measure(
    y: object, score: object = None, *, alpha: float = 2, beta: float = 2, **rows: Unpack[RowOptions]
) -> float:
    """Return the H-measure: 0 for a model that saves nothing, 1 for perfect separation.

    Parameters
    ----------
    y, score
        A `Sweep` alone, or labels and scores with the options of `curvewise.sweep`.
    alpha, beta
        The Beta distribution of c = c_FP/(c_FP + c_FN): how likely each share of the cost is. 2 and 2 by
        default (Hand 2009), symmetric about equal costs.

    Notes
    -----
    H = 1 - L/L₀. L is the expected cost ∫ [c·(1-π)·FPR + (1-c)·π·FNR]·w(c) dc with the best
    threshold of the hull for each c, and L₀ the same for the better of flagging all and none. It is exact:
    each segment of the hull with a share q of positives is best up to c = q, so the integrals are
    incomplete beta functions of the shares.

    Hand (2009) reads AUC as a mean cost over a distribution of costs that differs from model to model, if the
    best threshold is used for each cost; here the distribution is yours, and the same for all. Flach et al. (2011)
    dispute that reading: with thresholds at the scores of random rows, AUC is a linear function of the expected loss
    under a uniform distribution of costs, the same for all models.

    H depends on prevalence. Other choices of the literature, with π the prevalence: ``alpha=1+π, beta=2-π``
    (Hand & Anagnostopoulos 2014) puts the mode at c = π; R's hmeasure uses ``alpha=2, beta=1+1/SR``, whose mode
    has the severity ratio SR = c_FP/c_FN, and unless told otherwise SR = π/(1-π), so ``beta=1/π``: rare
    positives are then the costly ones to miss. hmeasure also turns round a score with an AUC below 0.5;
    curvewise does not.

    The hull is chosen on the same rows, so H is optimistic with few of them (normal scores, d′ = 1, 100
    rows: 0.29 on average where many rows give 0.19). It has no interval by default: reflecting the bootstrap
    (``method="basic"``) covered 0.82 to 0.95 of a nominal 0.95 in simulations of 60 to 400 rows, percentiles
    0.39 to 0.67.

    References
    ----------
    Hand (2009) Machine Learning 77:103-123. Hand & Anagnostopoulos (2014) Pattern Recognition Letters
    40:41-46. Flach, Hernández-Orallo & Ferri (2011) A coherent interpretation of AUC as a measure of aggregated
    classification performance, ICML, 657-664.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, score = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0], [85, 10, 44, 46, 91, 79, 53, 14, 73, 23]
    >>> round(cw.h_measure(y, score), 6)
    0.157566
    >>> round(cw.h_measure(y, score, alpha=2, beta=1 / 0.7), 6)     # as R's hmeasure: SR = 0.7/0.3
    0.188896
    """
    return read("h_measure", as_sweep(y, score, rows), alpha=alpha, beta=beta)


def _loss(pos: NDArray[Any], neg: NDArray[Any], alpha: float, beta: float) -> float:
    """Sum over segments pos·∫_q^1 (1-c)·w(c) dc + neg·∫_0^q c·w(c) dc, with q = pos/(pos + neg)."""
    q, p = pos / (pos + neg), neg / (pos + neg)
    if alpha == beta == 2:  # the default, where the incomplete beta function is a polynomial: 4x³ - 3x⁴
        return 2 * math.fsum(neg * q**3 * (4 - 3 * q) + pos * p**3 * (4 - 3 * p))
    from scipy.special import betainc  # noqa: PLC0415 - slow to load

    false_alarms = neg * betainc(alpha + 1, beta, q) * alpha
    misses = pos * betainc(beta + 1, alpha, p) * beta
    return math.fsum(false_alarms + misses)
