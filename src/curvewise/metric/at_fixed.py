"""What one rate is where another is held: sensitivity at a specificity, precision at a recall.

Along a block of tied scores TPR and FPR rise in proportion, as the ROC curve is drawn; of precision only
whole thresholds count, for it does not change in proportion within a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.kernel import first_reach
from curvewise.core.registry import metric
from curvewise.errors import UndefinedMetricError
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

SLACK = 1e-12  # a share of rows that rounding alone may add


@metric(
    aliases=("tpr_at_fpr", "sensitivity_at_fpr"),
    unit="share",
    low=0.0,
    high=1.0,
    perfect=1.0,
    prevalence=False,
    reference="Pepe (2003) The Statistical Evaluation of Medical Tests, ch. 4",
)
def recall_at_fpr(sweep: Sweep, *, fpr: float) -> float:
    """Return the recall where the false positive rate is ``fpr``, on the ROC curve."""
    sweep.need_both_classes("Recall at an FPR")
    limit = real("fpr", fpr, 0, 1)
    negatives = sweep.known_negatives("Recall at an FPR")
    return _height(sweep.fp, sweep.tp, limit * negatives) / sweep.positives


@metric(
    aliases=("tpr_at_tnr", "recall_at_specificity"),
    unit="share",
    low=0.0,
    high=1.0,
    perfect=1.0,
    prevalence=False,
    reference="Pepe (2003) The Statistical Evaluation of Medical Tests, ch. 4",
)
def sensitivity_at_specificity(sweep: Sweep, *, specificity: float) -> float:
    """Return the sensitivity where the specificity is ``specificity``, on the ROC curve."""
    return recall_at_fpr(sweep, fpr=1 - real("specificity", specificity, 0, 1))


@metric(
    aliases=("tnr_at_tpr", "specificity_at_recall"),
    unit="share",
    low=0.0,
    high=1.0,
    perfect=1.0,
    prevalence=False,
    reference="Pepe (2003) The Statistical Evaluation of Medical Tests, ch. 4",
)
def specificity_at_sensitivity(sweep: Sweep, *, sensitivity: float) -> float:
    """Return the specificity where the sensitivity first reaches ``sensitivity``, on the ROC curve."""
    sweep.need_both_classes("Specificity at a sensitivity")
    wanted = real("sensitivity", sensitivity, 0, 1) * sweep.positives
    negatives = sweep.known_negatives("Specificity at a sensitivity")
    if wanted > sweep.tp[-1]:
        raise UndefinedMetricError("Specificity at a sensitivity: no threshold finds so many positives.")
    return 1 - (first_reach(sweep.tp, sweep.fp, wanted) if wanted else 0.0) / negatives


@metric(
    aliases=("ppv_at_sensitivity", "precision_at_tpr"),
    unit="share",
    low=0.0,
    high=1.0,
    perfect=1.0,
    needs=("positives",),
    reference="Davis & Goadrich (2006) ICML 23:233-240",
)
def precision_at_recall(sweep: Sweep, *, recall: float) -> float:
    """Return the best precision of any threshold whose recall is at least ``recall``."""
    sweep.need_positives("Precision at a recall")
    wanted = real("recall", recall, 0, 1) * sweep.positives * (1 - SLACK)
    reached = sweep.tp >= wanted
    if not reached.any():
        raise UndefinedMetricError("Precision at a recall: no threshold finds so many positives.")
    return float(np.max((sweep.tp / (sweep.tp + sweep.fp))[reached]))


@metric(
    aliases=("sensitivity_at_ppv", "tpr_at_precision"),
    unit="share",
    low=0.0,
    high=1.0,
    perfect=1.0,
    needs=("positives",),
    reference="Davis & Goadrich (2006) ICML 23:233-240",
)
def recall_at_precision(sweep: Sweep, *, precision: float) -> float:
    """Return the best recall of any threshold whose precision is at least ``precision``; 0 if none has."""
    sweep.need_positives("Recall at a precision")
    wanted = real("precision", precision, 0, 1) * (1 - SLACK)
    reached = sweep.tp / np.maximum(sweep.tp + sweep.fp, np.finfo(float).tiny) >= wanted
    return float(np.max(sweep.tp[reached], initial=0)) / sweep.positives


def _height(x: np.ndarray, y: np.ndarray, at: float) -> float:
    """Return the highest y where x is ``at``, in straight lines from (0, 0)."""
    k = int(np.searchsorted(x, at * (1 + SLACK), side="right"))
    x0, y0 = (float(x[k - 1]), float(y[k - 1])) if k else (0.0, 0.0)
    if k == len(x):
        return y0
    x1, y1 = float(x[k]), float(y[k])
    return y0 + (y1 - y0) * max(at - x0, 0.0) / (x1 - x0)
