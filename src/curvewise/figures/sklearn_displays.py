"""Displays in scikit-learn's manner: from an estimator, from predictions, or from a finished result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from curvewise.core.sweep import sweep
from curvewise.curves.brier_curve import brier_curve
from curvewise.curves.cost import cost_curve
from curvewise.curves.decision import decision_curve
from curvewise.curves.det import det_curve
from curvewise.curves.lift import lift_curve
from curvewise.curves.pr import pr_curve
from curvewise.curves.pr_gain import pr_gain_curve
from curvewise.curves.roc import roc_curve
from curvewise.errors import CurvewiseError
from curvewise.figures.confusion import draw_confusion
from curvewise.figures.gain_and_cost import draw_brier, draw_cost, draw_decision, draw_gain, draw_lift
from curvewise.figures.pr import draw_pr, draw_pr_gain
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.roc import draw_det, draw_roc
from curvewise.figures.scores import draw_distribution, draw_thresholds
from curvewise.metric.confusion_counts import confusion
from curvewise.probabilities.reliability import reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Display:
    """A result that was drawn, and where: ``result``, ``ax_``, ``figure_``.

    ``result`` is what the display's verb returns, as `curvewise.roc_curve` does for `RocDisplay`; ``name`` is
    the model's in the legend.
    """

    verb: ClassVar[Callable[..., Any]]
    draws: ClassVar[Callable[..., Axes]]
    named: ClassVar[bool] = True  # whether the figure has a legend with names of models
    probability: ClassVar[bool] = False  # whether scores must be probabilities

    ax_: Axes
    figure_: Figure

    def __init_subclass__(cls, **given: Any) -> None:
        for name, value in given.items():
            setattr(cls, name, staticmethod(value) if callable(value) else value)

    def __init__(self, result: Any, name: str | None = None) -> None:
        self.result, self.name = result, name

    def plot(self, ax: Axes | None = None, **style: Any) -> Self:
        """Draw, and return the display; options are those of the drawing function."""
        drawn = self.result if self.name is None or not self.named else {self.name: self.result}
        self.ax_ = type(self).draws(drawn, ax=ax, **style)
        self.figure_ = self.ax_.figure.figure
        return self

    @classmethod
    def from_predictions(
        cls,
        y: object,
        score: object,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        style: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Self:
        """Compute the result from labels and scores, and draw it.

        ``style`` holds options of the drawing function; others are of the verb: ``positive=``, ``weight=`` …
        """
        return cls(cls.verb(y, score, **options), name).plot(ax, **(style or {}))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: object,
        *,
        positive: object = None,
        **options: Any,
    ) -> Self:
        """Let a fitted estimator score the rows, and draw the result.

        The estimator has ``predict_proba`` or ``decision_function``, and ``classes_``; rows that it was
        fitted on look better than new ones. ``positive`` is the label of the positive class, where labels are
        not 0/1, false/true or -1/1. The name is by default that of the estimator's class; other options as in
        `from_predictions`.
        """
        score = response(estimator, X, positive, probability=cls.probability)
        options = {"name": type(estimator).__name__, **options}
        return cls.from_predictions(y, score, positive=positive, **options)


def response(estimator: Any, rows: Any, positive: object, *, probability: bool) -> Any:
    """Return one score per row, higher for the positive class."""
    kind = type(estimator).__name__
    classes = list(getattr(estimator, "classes_", ()))
    if len(classes) != 2:
        raise CurvewiseError(f"estimator: expected a fitted classifier of two classes, got {kind} with {len(classes)}.")
    if positive is not None and positive not in classes:
        raise CurvewiseError(f"positive: {positive!r} is not one of the classes of {kind}: {classes!r}.")
    place = 1 if positive is None else classes.index(positive)
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(rows))[:, place]
    if probability or not hasattr(estimator, "decision_function"):
        needed = "predict_proba" if probability else "predict_proba or decision_function"
        raise CurvewiseError(f"estimator: this figure needs {needed}, which {kind} does not have.")
    score = np.asarray(estimator.decision_function(rows))
    return score if place == 1 else -score


class RocDisplay(Display, verb=roc_curve, draws=draw_roc):
    """The ROC curve."""


class PrDisplay(Display, verb=pr_curve, draws=draw_pr):
    """The precision-recall curve."""


class PrGainDisplay(Display, verb=pr_gain_curve, draws=draw_pr_gain):
    """The precision-recall-gain curve."""


class DetDisplay(Display, verb=det_curve, draws=draw_det):
    """The DET curve."""


class GainDisplay(Display, verb=lift_curve, draws=draw_gain):
    """Cumulative gain."""


class LiftDisplay(Display, verb=lift_curve, draws=draw_lift):
    """Lift."""


class CostDisplay(Display, verb=cost_curve, draws=draw_cost):
    """The cost curve."""


class BrierDisplay(Display, verb=brier_curve, draws=draw_brier, probability=True):
    """The Brier curve."""


class DecisionDisplay(Display, verb=decision_curve, draws=draw_decision, probability=True):
    """The decision curve."""


class ReliabilityDisplay(Display, verb=reliability, draws=draw_reliability, probability=True):
    """The reliability curve."""


class DistributionDisplay(Display, verb=sweep, draws=draw_distribution, named=False):
    """The scores of each class."""


class ThresholdsDisplay(Display, verb=sweep, draws=draw_thresholds, named=False):
    """Every rate against the threshold."""


class ConfusionDisplay(Display, verb=confusion, draws=draw_confusion, named=False):
    """The confusion table; say where scores are cut with ``threshold=``."""
