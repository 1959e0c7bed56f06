"""Recall, specificity, precision and F1 at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, origin

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ThresholdRates(Curve, schema="threshold_rates"):
    """Rates at each score, the most positive first; NaN where a class is absent or unknown.

    From one score to the next each rate is constant.
    """

    points = ("threshold", "recall", "specificity", "precision", "f1")
    threshold: Scores
    recall: Floats
    specificity: Floats
    precision: Floats
    f1: Floats


def threshold_rates(y: object, score: object = None, **rows: Unpack[RowOptions]) -> ThresholdRates:
    """Return recall, specificity, precision and F1 where scores at or above each score are flagged.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.

    Examples
    --------
    >>> import curvewise as cw
    >>> rates = cw.threshold_rates([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> rates.recall, rates.specificity
    (array([0.5, 0.5, 1. , 1. ]), array([1. , 0.5, 0.5, 0. ]))
    """
    sweep = as_sweep(y, score, rows)
    tp, fp, p = sweep.tp, sweep.fp, sweep.positives
    n = np.nan if sweep.negatives is None else sweep.negatives
    return ThresholdRates(
        threshold=sweep.threshold,
        recall=_share(tp, p),
        specificity=_share(n - fp, n),
        precision=_share(tp, tp + fp),
        f1=_share(2 * tp, tp + fp + p) if p else np.full(len(tp), np.nan),
        **origin(sweep),
    )


def _share(part: Scores, whole: Scores | float) -> Floats:
    with np.errstate(invalid="ignore"):
        # mutants: never 0
        shares: Floats = np.asarray(part / whole if np.all(whole) else np.full(len(part), np.nan), np.float64)
    return shares
