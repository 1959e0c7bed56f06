"""Displays in scikit-learn's manner: from an estimator, from predictions, or from a finished result."""

from __future__ import annotations

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
from curvewise.figures.cost_curves import draw_brier, draw_cost, draw_decision
from curvewise.figures.det import draw_det
from curvewise.figures.lift import draw_gain, draw_lift
from curvewise.figures.pr import draw_pr, draw_pr_gain
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.roc import draw_roc
from curvewise.figures.scores import draw_distribution, draw_thresholds
from curvewise.metric.confusion_counts import confusion
from curvewise.probabilities.reliability import reliability

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Display:
    """A result that was drawn, and where: ``result``, ``ax_``, ``figure_``.

    Parameters
    ----------
    result
        What the display's verb returns, as `curvewise.roc_curve` does for `RocDisplay`.
    name
        The model's name in the legend.
    """

    verb: ClassVar[Callable[..., Any]]
    draws: ClassVar[Callable[..., Axes]]
    named: ClassVar[bool] = True  # whether the figure has a legend with names of models
    probability: ClassVar[bool] = False  # whether scores must be probabilities

    ax_: Axes
    figure_: Figure

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

        Parameters
        ----------
        y, score
            Labels and scores.
        name
            The model's name in the legend.
        ax
            Axes to draw on.
        style
            Options of the drawing function.
        **options
            Of the verb: ``positive=``, ``weight=`` …
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

        Parameters
        ----------
        estimator
            Anything with ``predict_proba`` or ``decision_function`` and ``classes_``, fitted.
        X, y
            The rows, and their labels. Rows that the estimator was fitted on look better than new rows.
        positive
            The label of the positive class, where labels are not 0/1, false/true or -1/1.
        **options
            As in `from_predictions`; the name is by default that of the estimator's class.
        """
        score = response(estimator, X, positive, probability=cls.probability)
        options = {"name": type(estimator).__name__, **options}
        return cls.from_predictions(y, score, positive=positive, **options)


def response(estimator: Any, rows: Any, positive: object, *, probability: bool) -> Any:
    """Return one score per row, higher for the positive class."""
    kind = type(estimator).__name__
    classes = list(getattr(estimator, "classes_", ()))
    if len(classes) != 2:
        raise CurvewiseError(
            f"estimator: expected a fitted classifier of two classes, got {kind} with {len(classes)}."
        )
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


class RocDisplay(Display):
    """The ROC curve."""

    verb, draws = staticmethod(roc_curve), staticmethod(draw_roc)


class PrDisplay(Display):
    """The precision-recall curve."""

    verb, draws = staticmethod(pr_curve), staticmethod(draw_pr)


class PrGainDisplay(Display):
    """The precision-recall-gain curve."""

    verb, draws = staticmethod(pr_gain_curve), staticmethod(draw_pr_gain)


class DetDisplay(Display):
    """The DET curve."""

    verb, draws = staticmethod(det_curve), staticmethod(draw_det)


class GainDisplay(Display):
    """Cumulative gain."""

    verb, draws = staticmethod(lift_curve), staticmethod(draw_gain)


class LiftDisplay(Display):
    """Lift."""

    verb, draws = staticmethod(lift_curve), staticmethod(draw_lift)


class CostDisplay(Display):
    """The cost curve."""

    verb, draws = staticmethod(cost_curve), staticmethod(draw_cost)


class BrierDisplay(Display):
    """The Brier curve."""

    verb, draws, probability = staticmethod(brier_curve), staticmethod(draw_brier), True


class DecisionDisplay(Display):
    """The decision curve."""

    verb, draws, probability = staticmethod(decision_curve), staticmethod(draw_decision), True


class ReliabilityDisplay(Display):
    """The reliability curve."""

    verb, draws, probability = staticmethod(reliability), staticmethod(draw_reliability), True


class DistributionDisplay(Display):
    """The scores of each class."""

    verb, draws, named = staticmethod(sweep), staticmethod(draw_distribution), False


class ThresholdsDisplay(Display):
    """Every rate against the threshold."""

    verb, draws, named = staticmethod(sweep), staticmethod(draw_thresholds), False


class ConfusionDisplay(Display):
    """The confusion table; say where scores are cut with ``threshold=``."""

    verb, draws, named = staticmethod(confusion), staticmethod(draw_confusion), False
