"""What one rate is where another is held: sensitivity at a specificity, precision at a recall.

Along a block of tied scores TPR and FPR rise in proportion, as the ROC curve is drawn; of precision only
whole thresholds count, for it does not change in proportion within a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.kernel import first_reach
from curvewise.errors import UndefinedMetricError
from curvewise.metric import SHARE
from curvewise.metric.partial import height
from curvewise.metric.registry import metric
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

SLACK = 1e-12  # a share of rows that rounding alone may add
PEPE = "Pepe (2003) The Statistical Evaluation of Medical Tests, ch. 4"
DAVIS = "Davis & Goadrich (2006) ICML 23:233-240"
QUANTILE: dict[str, Any] = {"interval": "score", "smooth": False}  # read where another rate is reached
ON_ROC = {**SHARE, "interval": "beta", "perfect": 1.0, "prevalence": False, "monotone": True, "reference": PEPE}
ON_PR = {**SHARE, **QUANTILE, "trials": "positives", "perfect": 1.0, "needs": ("positives",), "reference": DAVIS}
ON_PR["monotone"] = True


@metric(
    aliases=("tpr_at_fpr", "sensitivity_at_fpr"),
    **ON_ROC,
    formula="TPR where FPR = fpr, on the ROC curve",
)
def recall_at_fpr(sweep: Sweep, *, fpr: float) -> float:
    """Return the recall where the false positive rate is ``fpr``, on the ROC curve."""
    sweep.need_both_classes("Recall at an FPR")
    at = real("fpr", fpr, 0, 1) * sweep.known_negatives("Recall at an FPR")
    k = int(np.searchsorted(sweep.fp, at * (1 + SLACK), side="right"))
    return height(sweep, at, k) / sweep.positives


@metric(
    aliases=("tpr_at_tnr", "recall_at_specificity"),
    **ON_ROC,
    shown={"specificity": 0.95},
    formula="TPR where 1 - FPR = specificity, on the ROC curve",
)
def sensitivity_at_specificity(sweep: Sweep, *, specificity: float) -> float:
    """Return the sensitivity where the specificity is ``specificity``, on the ROC curve."""
    return recall_at_fpr(sweep, fpr=1 - real("specificity", specificity, 0, 1))


@metric(
    aliases=("tnr_at_tpr", "specificity_at_recall"),
    **ON_ROC,
    shown={"sensitivity": 0.95},
    formula="1 - FPR where TPR = sensitivity, on the ROC curve",
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
    **ON_PR,
    formula="max TP_k/(TP_k + FP_k) where TP_k/P ≥ recall",
)
def precision_at_recall(sweep: Sweep, *, recall: float) -> float:
    """Return the best precision of any threshold whose recall is at least ``recall``."""
    sweep.need_positives("Precision at a recall")
    wanted = real("recall", recall, 0, 1) * sweep.positives * (1 - SLACK)
    reached = sweep.tp >= wanted  # mutants: rounding
    if not reached.any():
        raise UndefinedMetricError("Precision at a recall: no threshold finds so many positives.")
    return float(np.max((sweep.tp / (sweep.tp + sweep.fp))[reached]))


@metric(
    aliases=("sensitivity_at_ppv", "tpr_at_precision"),
    **{**ON_PR, "interval": "none"},
    formula="max TP_k/P where TP_k/(TP_k + FP_k) ≥ precision",
)
def recall_at_precision(sweep: Sweep, *, precision: float) -> float:
    """Return the best recall of any threshold whose precision is at least ``precision``; 0 if none has.

    It is the best of many thresholds on the same rows, so it is biased upward, and has no interval.
    """
    sweep.need_positives("Recall at a precision")
    wanted = real("precision", precision, 0, 1) * (1 - SLACK)
    reached = sweep.tp / np.maximum(sweep.tp + sweep.fp, np.finfo(float).tiny) >= wanted  # mutants: rounding
    return float(np.max(sweep.tp[reached], initial=0)) / sweep.positives
