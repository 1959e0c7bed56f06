"""The precision-recall-gain curve: a PR curve on a scale where flagging every row is 0 and straight lines are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core import kernel
from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, origin
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PrGainCurve(Curve, schema="pr_gain_curve"):
    """Points from recall gain 0 to 1; ``area`` is the exact area (AUPRG)."""

    points = ("recall_gain", "precision_gain", "threshold")
    recall_gain: Floats
    precision_gain: Floats
    threshold: Scores
    area: float


def pr_gain_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> PrGainCurve:
    """Return the precision-recall-gain curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``recall_gain, precision_gain, threshold``. The first point is where recall equals
    the prevalence (recall gain 0), interpolated within its block, whose threshold it carries.

    Notes
    -----
    With c = P/N (the odds of the prevalence), recall gain = 1 - c·FN/TP and precision gain =
    1 - c·FP/TP. Always flagging has precision gain 0. Interpolation of counts is a straight line
    here, so the area is a plain trapezoid sum. Points of recall below the prevalence lie at negative
    recall gain and are left out, as the authors do; a negative precision gain is kept as it is.

    Precision gain is 1 - FPR/TPR at any prevalence, recall gain is not: the area of one ROC curve changes with
    prevalence, and tends to 1 - 1/(its slope at the start) where positives get rare. Compare areas at the same
    prevalence only (`Sweep.at_prevalence`).

    References
    ----------
    Flach & Kull (2015) NIPS 28, 838-846.

    Examples
    --------
    >>> import curvewise as cw
    >>> curve = cw.pr_gain_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> curve.recall_gain, curve.precision_gain
    (array([0., 0., 1., 1.]), array([1. , 0. , 0.5, 0. ]))
    >>> curve.area
    0.25
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_both_classes("A precision-recall-gain curve")
    odds = sweep.positives / sweep.negatives
    edge = sweep.prevalence * sweep.positives  # TP at recall = prevalence
    first = int(np.searchsorted(sweep.tp, edge, side="left"))
    if first == len(sweep.tp):
        raise UndefinedMetricError(
            "A precision-recall-gain curve needs a recall of at least the prevalence "
            f"({sweep.prevalence:.4g}); the scored positives reach {sweep.tp[-1] / sweep.positives:.4g}."
        )
    tp, fp = sweep.tp[first:].astype(np.float64), sweep.fp[first:].astype(np.float64)
    threshold = sweep.threshold[first:]
    if tp[0] > edge:
        at_edge = kernel.first_reach(sweep.tp, sweep.fp, edge)
        tp, fp = np.concatenate([[edge], tp]), np.concatenate([[at_edge], fp])
        threshold = np.concatenate([threshold[:1], threshold])
    recall_gain = 1 - odds * (sweep.positives - tp) / tp
    recall_gain[0] = 0
    precision_gain = 1 - odds * fp / tp
    area = float(np.trapezoid(precision_gain, recall_gain))
    gains = {"recall_gain": recall_gain, "precision_gain": precision_gain}
    return PrGainCurve(**gains, threshold=threshold, area=area, **origin(sweep))
