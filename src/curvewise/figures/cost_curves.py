"""Figures of costs: cost curves, Brier curves, and the net benefit of decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.legend import FigureWords, legend, models, written
from curvewise.figures.roc import MOST
from curvewise.figures.style import DOTTED, canvas, guide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.brier_curve import BrierCurve
    from curvewise.curves.cost import CostCurve
    from curvewise.curves.decision import DecisionCurve
    from curvewise.words import Lang

BELOW = 0.2  # how far below 0 net benefit is shown, as a share of the height above


def draw_cost(
    curves: CostCurve | Mapping[str, CostCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw cost curves below the two trivial rules; options as in `draw_roc`."""
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax, shape=0.75) as axes:
        axes.plot([0, 1], [0, 1], **guide(label=say["never"], gid="never"))
        axes.plot([0, 1], [1, 0], **guide(DOTTED, label=say["always"], gid="always"))
        for model in several:
            x, y = model.result.thin(MOST).axes()
            axes.plot(x, y, label=model.label(), **model.line(style))
        axes.set(xlim=(-0.015, 1.015), ylim=(-0.01, 0.55))
        axes.set(xlabel=say["probability_cost"], ylabel=say["normalised_cost"])
        legend(axes, "above")
    return axes


def draw_brier(
    curves: BrierCurve | Mapping[str, BrierCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw Brier curves, with the cost of flagging all or none; options as in `draw_roc`."""
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax, shape=0.75) as axes:
        highest = 0.0
        for model in several:
            x, y = model.result.thin(MOST).axes()
            axes.plot(
                x, y, label=model.label(f"{say['brier']} {written(model.result.area)}"), **model.line(style)
            )
            highest = max(highest, float(y.max()))
        first = several[0].result
        share = first.positives / (first.positives + first.negatives)
        top = 2 * share * (1 - share)  # flagging all or none costs most where c is the prevalence
        axes.plot([0, share, 1], [0, top, 0], **guide(label=say["all_or_none"], gid="trivial"))
        axes.set(xlim=(-0.015, 1.015), ylim=(0, 1.05 * max(highest, top)))
        axes.set(xlabel=say["cost_proportion"], ylabel=say["loss"])
        legend(axes, "above")
    return axes


def draw_decision(
    curves: DecisionCurve | Mapping[str, DecisionCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw decision curves with their intervals; options as in `draw_roc`.

    Losses far below 0, which end any discussion, are cut off.
    """
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax, shape=0.8) as axes:
        highest = 0.0
        for model in several:
            curve = model.result
            axes.plot(curve.threshold, curve.net_benefit, label=model.label(), **model.line(style))
            axes.fill_between(curve.threshold, curve.low, curve.high, **model.area())
            highest = max(highest, curve.prevalence, float(curve.net_benefit.max()))
        first = several[0].result
        axes.plot(first.threshold, first.treat_all, **guide(label=say["treat_all"]))
        axes.axhline(0, **guide("-", label=say["treat_none"]))
        axes.set(xlim=(first.threshold[0], first.threshold[-1]), ylim=(-BELOW * highest, 1.1 * highest))
        axes.set(xlabel=say["threshold_probability"], ylabel=say["net_benefit"])
        legend(axes, "upper right")
    return axes
