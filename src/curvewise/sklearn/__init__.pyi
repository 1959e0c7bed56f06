"""scikit-learn's names that are computed here, each with its home: what type checkers see, and `__init__` loads."""

from typing import Any

from curvewise.sklearn.areas import average_precision_score as average_precision_score
from curvewise.sklearn.areas import roc_auc_score as roc_auc_score
from curvewise.sklearn.counts import accuracy_score as accuracy_score
from curvewise.sklearn.counts import balanced_accuracy_score as balanced_accuracy_score
from curvewise.sklearn.counts import class_likelihood_ratios as class_likelihood_ratios
from curvewise.sklearn.counts import cohen_kappa_score as cohen_kappa_score
from curvewise.sklearn.counts import confusion_matrix as confusion_matrix
from curvewise.sklearn.counts import hamming_loss as hamming_loss
from curvewise.sklearn.counts import matthews_corrcoef as matthews_corrcoef
from curvewise.sklearn.counts import multilabel_confusion_matrix as multilabel_confusion_matrix
from curvewise.sklearn.counts import zero_one_loss as zero_one_loss
from curvewise.sklearn.curves import auc as auc
from curvewise.sklearn.curves import calibration_curve as calibration_curve
from curvewise.sklearn.curves import confusion_matrix_at_thresholds as confusion_matrix_at_thresholds
from curvewise.sklearn.curves import det_curve as det_curve
from curvewise.sklearn.curves import precision_recall_curve as precision_recall_curve
from curvewise.sklearn.curves import roc_curve as roc_curve
from curvewise.sklearn.displays import CalibrationDisplay as CalibrationDisplay
from curvewise.sklearn.displays import ConfusionMatrixDisplay as ConfusionMatrixDisplay
from curvewise.sklearn.displays import DetCurveDisplay as DetCurveDisplay
from curvewise.sklearn.displays import PrecisionRecallDisplay as PrecisionRecallDisplay
from curvewise.sklearn.displays import RocCurveDisplay as RocCurveDisplay
from curvewise.sklearn.label_ranking import coverage_error as coverage_error
from curvewise.sklearn.label_ranking import (
    label_ranking_average_precision_score as label_ranking_average_precision_score,
)
from curvewise.sklearn.label_ranking import label_ranking_loss as label_ranking_loss
from curvewise.sklearn.label_ranking import top_k_accuracy_score as top_k_accuracy_score
from curvewise.sklearn.losses import brier_score_loss as brier_score_loss
from curvewise.sklearn.losses import d2_brier_score as d2_brier_score
from curvewise.sklearn.losses import d2_log_loss_score as d2_log_loss_score
from curvewise.sklearn.losses import hinge_loss as hinge_loss
from curvewise.sklearn.losses import log_loss as log_loss
from curvewise.sklearn.rates import f1_score as f1_score
from curvewise.sklearn.rates import fbeta_score as fbeta_score
from curvewise.sklearn.rates import jaccard_score as jaccard_score
from curvewise.sklearn.rates import precision_recall_fscore_support as precision_recall_fscore_support
from curvewise.sklearn.rates import precision_score as precision_score
from curvewise.sklearn.rates import recall_score as recall_score
from curvewise.sklearn.report import classification_report as classification_report

def __getattr__(name: str) -> Any: ...
