"""Figures of finished results, one file each; matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError, OptionError
from curvewise.figures.classes import (
    draw_class_pr,
    draw_class_reliability,
    draw_class_roc,
    draw_classes,
    draw_confusion_matrix,
)
from curvewise.figures.confusion import draw_confusion
from curvewise.figures.detector_forests import (
    draw_class_differences,
    draw_class_table,
    draw_detection_evaluation,
    draw_detection_groups,
    draw_detection_summary,
)
from curvewise.figures.detector_mistakes import draw_detection_confusion, draw_detection_errors
from curvewise.figures.detectors import draw_class_curves, draw_f_curve, draw_froc, draw_matched
from curvewise.figures.drift import draw_drift
from curvewise.figures.export import Drawing, Frame, save, to_svg
from curvewise.figures.folds import draw_fold_curves, draw_folds
from curvewise.figures.forest import (
    draw_calibration,
    draw_difference,
    draw_estimate,
    draw_group,
    draw_groups,
    draw_pooled,
    draw_readers,
    draw_sites,
)
from curvewise.figures.gain_and_cost import draw_brier, draw_cost, draw_decision, draw_gain, draw_lift
from curvewise.figures.legend import SomeModels, figure_words
from curvewise.figures.pooled_rates import draw_pooled_rates
from curvewise.figures.pr import draw_mean_pr, draw_pr, draw_pr_gain
from curvewise.figures.reliability import draw_belt, draw_isotonic, draw_reliability
from curvewise.figures.roc import draw_band, draw_det, draw_hull, draw_roc, draw_smooth_roc
from curvewise.figures.roc_and_pr import draw_evaluation
from curvewise.figures.scores import draw_distribution, draw_thresholds
from curvewise.figures.sklearn_displays import (
    BrierDisplay,
    ConfusionDisplay,
    CostDisplay,
    DecisionDisplay,
    DetDisplay,
    DistributionDisplay,
    GainDisplay,
    LiftDisplay,
    PrDisplay,
    PrGainDisplay,
    ReliabilityDisplay,
    RocDisplay,
    ThresholdsDisplay,
)
from curvewise.figures.style import COLOURS, figure, refusals
from curvewise.figures.survival import draw_d_calibration, draw_risk_groups, draw_survival, draw_time_curve
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# by the name of the class, so that drawing one result does not load all the others
FIGURES: dict[str, Callable[..., Axes]] = {
    "RocCurve": draw_roc,
    "MeanRocCurve": draw_roc,
    "SmoothRoc": draw_smooth_roc,
    "RocHull": draw_hull,
    "JointHull": draw_hull,
    "PrCurve": draw_pr,
    "MeanPrCurve": draw_mean_pr,
    "PrGainCurve": draw_pr_gain,
    "DetCurve": draw_det,
    "LiftCurve": draw_gain,
    "CostCurve": draw_cost,
    "BrierCurve": draw_brier,
    "DecisionCurve": draw_decision,
    "Band": draw_band,
    "Sweep": draw_distribution,
    "ScoreHistogram": draw_distribution,
    "ThresholdRates": draw_thresholds,
    "Confusion": draw_confusion,
    "OperatingPoint": draw_confusion,
    "ConfusionMatrix": draw_confusion_matrix,
    "Multiclass": draw_classes,
    "Multilabel": draw_classes,
    "Reliability": draw_reliability,
    "CalibrationBelt": draw_belt,
    "Calibration": draw_calibration,
    "Isotonic": draw_isotonic,
    "Estimate": draw_estimate,
    "Comparison": draw_difference,
    "Pair": draw_difference,
    "Groups": draw_groups,
    "Group": draw_group,
    "ClassGroups": draw_groups,
    "ClassGroup": draw_group,
    "Folds": draw_folds,
    "FoldCurves": draw_fold_curves,
    "Sites": draw_sites,
    "Site": draw_group,
    "Pooled": draw_pooled,
    "ReaderStudy": draw_readers,
    "PooledRates": draw_pooled_rates,
    "ClassSummary": draw_group,
    "VolumeUnderSurface": draw_group,
    "Matched": draw_matched,
    "DetectionSummary": draw_detection_summary,
    "DetectionEvaluation": draw_detection_evaluation,
    "ClassTable": draw_class_table,
    "ClassDifferences": draw_class_differences,
    "DetectionGroups": draw_detection_groups,
    "DetectionErrors": draw_detection_errors,
    "DetectionConfusion": draw_detection_confusion,
    "Froc": draw_froc,
    "FCurve": draw_f_curve,
    "Survival": draw_survival,
    "SurvivalModel": draw_survival,
    "TimeCurve": draw_time_curve,
    "RiskGroups": draw_risk_groups,
    "DCalibration": draw_d_calibration,
}


def draw(result: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw a result by the function for its class; this is what ``result.plot()`` does."""
    drawer = next((FIGURES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in FIGURES), None)
    if drawer is None:
        of = f"{type(result).__name__}; there are figures of {', '.join(FIGURES)}"
        raise CurvewiseError(f"There is no figure of {of}.")
    if ax is not None and not hasattr(ax, "get_figure"):
        raise OptionError.of("ax", f"expected axes of matplotlib, got {shown(ax)}.")
    with refusals(drawer, style):
        return drawer(result, ax=ax, **style)


__all__ = [
    "COLOURS",
    "BrierDisplay",
    "ConfusionDisplay",
    "CostDisplay",
    "DecisionDisplay",
    "DetDisplay",
    "DistributionDisplay",
    "Drawing",
    "Frame",
    "GainDisplay",
    "LiftDisplay",
    "PrDisplay",
    "PrGainDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "SomeModels",
    "ThresholdsDisplay",
    "draw",
    "draw_band",
    "draw_belt",
    "draw_brier",
    "draw_calibration",
    "draw_class_curves",
    "draw_class_differences",
    "draw_class_pr",
    "draw_class_reliability",
    "draw_class_roc",
    "draw_class_table",
    "draw_classes",
    "draw_confusion",
    "draw_confusion_matrix",
    "draw_cost",
    "draw_d_calibration",
    "draw_decision",
    "draw_det",
    "draw_detection_confusion",
    "draw_detection_errors",
    "draw_detection_evaluation",
    "draw_detection_groups",
    "draw_detection_summary",
    "draw_difference",
    "draw_distribution",
    "draw_drift",
    "draw_estimate",
    "draw_evaluation",
    "draw_f_curve",
    "draw_fold_curves",
    "draw_folds",
    "draw_froc",
    "draw_gain",
    "draw_group",
    "draw_groups",
    "draw_hull",
    "draw_isotonic",
    "draw_lift",
    "draw_matched",
    "draw_mean_pr",
    "draw_pooled",
    "draw_pooled_rates",
    "draw_pr",
    "draw_pr_gain",
    "draw_readers",
    "draw_reliability",
    "draw_risk_groups",
    "draw_roc",
    "draw_sites",
    "draw_smooth_roc",
    "draw_survival",
    "draw_thresholds",
    "draw_time_curve",
    "figure",
    "figure_words",
    "save",
    "to_svg",
]
