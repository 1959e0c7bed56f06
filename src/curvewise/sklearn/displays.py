"""scikit-learn's displays, of the numbers of `curvewise.sklearn`.

What a display takes, draws, refuses and warns about is scikit-learn's own code, of the release that is installed; its
class methods call our functions in place of scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from types import FunctionType
from typing import Any, TypeVar

from sklearn import calibration, metrics

from curvewise.sklearn.areas import average_precision_score
from curvewise.sklearn.counts import confusion_matrix
from curvewise.sklearn.curves import auc, calibration_curve, det_curve, precision_recall_curve, roc_curve

Display = TypeVar("Display", bound=type)


def computed_by(*functions: Callable[..., Any]) -> Callable[[Display], Display]:
    """Return a decorator of a display: class methods of its parent that call functions of these names call these.

    A class method that calls none of them, as ``from_estimator``, which calls ``from_predictions``, stays as it is.
    """
    ours = {function.__name__: function for function in functions}

    def decorate(display: Display) -> Display:
        (parent,) = display.__bases__
        for name, member in vars(parent).items():
            if isinstance(member, classmethod) and not ours.keys().isdisjoint(member.__func__.__code__.co_names):
                setattr(display, name, classmethod(_with_globals(member.__func__, ours)))
        return display

    return decorate


def _with_globals(function: Any, names: Mapping[str, object]) -> Any:
    """Return the same function with other values of some global names."""
    same = FunctionType(
        function.__code__,
        {**function.__globals__, **names},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    same.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(same, function)


@computed_by(roc_curve, auc)
class RocCurveDisplay(metrics.RocCurveDisplay):  # type: ignore[misc]  # scikit-learn has no types
    """scikit-learn's ROC curves: from an estimator, from predictions, one per fold.

    >>> shown = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
    >>> shown.roc_auc, shown.ax_.get_legend().get_texts()[0].get_text()
    (0.75, 'model (AUC = 0.75)')
    """


@computed_by(precision_recall_curve, average_precision_score)
class PrecisionRecallDisplay(metrics.PrecisionRecallDisplay):  # type: ignore[misc]  # scikit-learn has no types
    """scikit-learn's precision-recall curves: from an estimator, from predictions, one per fold.

    The level of chance is the share of positive rows, which scikit-learn counts without weights.

    >>> shown = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
    >>> shown.ax_.get_legend().get_texts()[0].get_text()
    'model (AP = 0.83)'
    """


@computed_by(det_curve)
class DetCurveDisplay(metrics.DetCurveDisplay):  # type: ignore[misc]  # scikit-learn has no types
    """scikit-learn's DET curve on normal-deviate axes: from an estimator, from predictions.

    >>> shown = DetCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.ax_.get_ylabel()
    'False Negative Rate (Positive label: 1)'
    """


@computed_by(confusion_matrix)
class ConfusionMatrixDisplay(metrics.ConfusionMatrixDisplay):  # type: ignore[misc]  # scikit-learn has no types
    """scikit-learn's confusion matrix: from an estimator, from predicted classes.

    >>> shown = ConfusionMatrixDisplay.from_predictions(["ill", "well", "well"], ["ill", "ill", "well"])
    >>> shown.confusion_matrix.tolist(), shown.display_labels.tolist()
    ([[1, 0], [1, 1]], ['ill', 'well'])
    """


@computed_by(calibration_curve)
class CalibrationDisplay(calibration.CalibrationDisplay):  # type: ignore[misc]  # scikit-learn has no types
    """scikit-learn's calibration curve: from an estimator, from predicted probabilities.

    >>> shown = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_bins=2)
    >>> shown.prob_true.tolist()
    [0.3333333333333333, 1.0]
    """
