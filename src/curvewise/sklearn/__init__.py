"""scikit-learn's metrics by scikit-learn's names, faster and exact: change one import and keep the code.

>>> from curvewise import sklearn as metrics
>>> metrics.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
>>> metrics.f1_score(["a", "b", "b"], ["a", "b", "a"], average="macro")
0.6666666666666666

Names, signatures, defaults, return types, errors and warnings are those of the installed release. The names in
``__all__`` are computed here, where a call is ordinary and defined; every other name of `sklearn.metrics` is
scikit-learn's own.
"""

from __future__ import annotations

from typing import Any

from curvewise.errors import MissingExtraError as _MissingExtraError

try:
    from sklearn import metrics as _theirs
except ImportError as _error:
    raise _MissingExtraError(
        "curvewise.sklearn needs scikit-learn, which is not installed: pip install 'curvewise[sklearn]'."
    ) from _error

from curvewise.sklearn.areas import average_precision_score, roc_auc_score
from curvewise.sklearn.calibration import calibration_curve
from curvewise.sklearn.counts import (
    accuracy_score,
    balanced_accuracy_score,
    class_likelihood_ratios,
    cohen_kappa_score,
    confusion_matrix,
    hamming_loss,
    matthews_corrcoef,
    multilabel_confusion_matrix,
    zero_one_loss,
)
from curvewise.sklearn.curves import auc, confusion_matrix_at_thresholds, det_curve, precision_recall_curve, roc_curve
from curvewise.sklearn.displays import (
    CalibrationDisplay,
    ConfusionMatrixDisplay,
    DetCurveDisplay,
    PrecisionRecallDisplay,
    RocCurveDisplay,
)
from curvewise.sklearn.label_ranking import (
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
    top_k_accuracy_score,
)
from curvewise.sklearn.losses import brier_score_loss, d2_brier_score, d2_log_loss_score, hinge_loss, log_loss
from curvewise.sklearn.rates import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from curvewise.sklearn.report import classification_report

__all__ = [
    "CalibrationDisplay",
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "calibration_curve",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "hinge_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
    "zero_one_loss",
]
for _name in ("confusion_matrix_at_thresholds", "d2_brier_score"):  # new in scikit-learn 1.8
    if not hasattr(_theirs, _name):
        __all__.remove(_name)
        del globals()[_name]


def __getattr__(name: str) -> Any:
    """Hand over what is not computed here."""
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return getattr(_theirs, name)
    except AttributeError:
        raise AttributeError(f"module 'curvewise.sklearn' has no attribute {name!r}, nor has sklearn.metrics") from None


def __dir__() -> list[str]:
    return sorted({*__all__, *_theirs.__all__})
