"""The ROC curve: true positive rate against false positive rate over all thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from curvewise.core import kernel
from curvewise.core.sweep import as_sweep
from curvewise.curves.base import Curve, Floats, Scores, from_zero, origin, thresholds_from_nothing

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RocCurve(Curve, schema="roc_curve"):
    """Points from (0, 0) through every block of tied scores to (1, 1), and the exact area."""

    points = ("fpr", "tpr", "threshold")
    fpr: Floats
    tpr: Floats
    threshold: Scores
    auc: float


def roc_curve(y: object, score: object = None, **rows: Unpack[RowOptions]) -> RocCurve:
    """Return the ROC curve of a sweep, or of labels and scores.

    Takes a `Sweep` or `Rows` alone, or labels and scores with the options of `curvewise.sweep`.
    Unpacks as ``fpr, tpr, threshold``; ``auc`` is the exact area.

    Notes
    -----
    TPR = TP/P and FPR = FP/N at each threshold. The first point, (0, 0), flags nothing: its
    threshold is infinite. A block of tied scores with both classes is one sloped segment,
    whatever the order of its rows. Unlike scikit-learn, no point is dropped unasked: see ``thin``.

    References
    ----------
    Fawcett (2006) Pattern Recognition Letters 27:861-874.

    Examples
    --------
    >>> import curvewise as cw
    >>> fpr, tpr, threshold = cw.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> threshold
    array([ inf, 0.8 , 0.4 , 0.35, 0.1 ])
    """
    sweep = as_sweep(y, score, rows)
    sweep.need_both_classes("A ROC curve")
    ours = sweep is not y  # made here, so its memory may become the curve's
    return RocCurve(
        auc=kernel.doubled_area(sweep.tp, sweep.fp) / (2 * sweep.positives * sweep.negatives),
        fpr=from_zero(sweep.fp, sweep.negatives, reuse=ours),
        tpr=from_zero(sweep.tp, sweep.positives, reuse=ours),
        threshold=thresholds_from_nothing(sweep.threshold, sweep.higher_is, reuse=ours),
        **origin(sweep),
    )
