"""What flagging brings and costs: gain, lift, cost curves, Brier curves, net benefit of decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.curves.base import kept_points
from curvewise.curves.decision import DecisionCurve, decision_limit
from curvewise.figures.legend import panel, written
from curvewise.figures.registry import draws
from curvewise.figures.style import DOTTED, guide, square, unit_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.curves.brier_curve import BrierCurve
    from curvewise.curves.cost import CostCurve
    from curvewise.curves.lift import LiftCurve
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.many_classes.risk_coverage import RiskCoverage
    from curvewise.words import Lang

BELOW = 0.2  # how far below 0 net benefit is shown, as a share of the height above


@draws("LiftCurve")
def draw_gain(
    curves: Many[LiftCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw cumulative gain, between chance and a perfect ranking; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, corner="lower right") as (axes, several, say):
        unit_axes(axes, say["predicted_rate"], say["gain"])
        square(axes)
        for model in several:
            model.draw(axes, style)
        share = _prevalence(several[0].result)
        axes.plot([0, share, 1], [0, 1, 1], **guide(DOTTED, label=say["perfect"], gid="perfect"))
        axes.plot([0, 1], [0, 1], **guide(label=say["chance"], gid="chance"))
    return axes


def draw_lift(
    curves: Many[LiftCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw lift against the share of rows flagged; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, 0.8, "upper right") as (axes, several, say):
        highest = 1.0
        for model in several:
            share, lift = model.result.predicted_rate[1:], model.result.lift[1:]  # 0/0 where none is flagged
            keep = kept_points(share, lift, model.most)
            model.draw(axes, style, points=(share[keep], lift[keep]))
            highest = max(highest, float(lift.max()))
        axes.axhline(1, **guide(label=say["chance"], gid="chance"))
        unit_axes(axes, say["predicted_rate"], say["lift"], (0, 1.05 * highest))
    return axes


@draws("CostCurve")
def draw_cost(
    curves: Many[CostCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw cost curves below the two trivial rules; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, 0.75) as (axes, several, say):
        axes.plot([0, 1], [0, 1], **guide(label=say["never"], gid="never"))
        axes.plot([0, 1], [1, 0], **guide(DOTTED, label=say["always"], gid="always"))
        for model in several:
            model.draw(axes, style)
        unit_axes(axes, say["probability_cost"], say["normalised_cost"], (-0.01, 0.55))
    return axes


@draws("BrierCurve")
def draw_brier(
    curves: Many[BrierCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw Brier curves, with the cost of flagging all or none; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, 0.75) as (axes, several, say):
        highest = 0.0
        for model in several:
            _, y = model.draw(axes, style, f"{say['brier']} {written(model.result.area)}")
            highest = max(highest, float(y.max()))
        share = _prevalence(several[0].result)
        top = 2 * share * (1 - share)  # flagging all or none costs most where c is the prevalence
        axes.plot([0, share, 1], [0, top, 0], **guide(label=say["all_or_none"], gid="trivial"))
        unit_axes(axes, say["cost_proportion"], say["loss"], (0, 1.05 * max(highest, top)))
    return axes


@draws("DecisionCurve")
def draw_decision(
    curves: Many[DecisionCurve],
    *,
    band: bool = True,
    highest: float | None = None,
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw decision curves with their intervals, unless ``band`` is false; options as in `draw_roc`.

    Threshold probabilities are shown up to ``highest``, by default four times the prevalence (at least 0.05, at
    most the last of the curve): beyond, hardly any row is worth acting on. Losses far below 0 are cut off.
    """
    with panel(curves, ax, labels, lang, 0.8, "upper right") as (axes, several, say):
        first = several[0].result
        start, last = float(first.threshold[0]), float(first.threshold[-1])
        limit = decision_limit(first.prevalence) if highest is None else highest
        last = min(last, limit) if start < limit else last
        top = 0.0
        for model in several:
            curve = model.result
            model.draw(axes, style, points=(curve.threshold, curve.net_benefit))
            if band and model.is_listed:
                axes.fill_between(curve.threshold, curve.low, curve.high, **model.area())
            top = max(top, curve.prevalence, float(curve.net_benefit[curve.threshold <= last].max(initial=0)))
        axes.plot(first.threshold, first.treat_all, **guide(label=say["treat_all"]))
        axes.axhline(0, **guide("-", label=say["treat_none"]))
        axes.set(xlim=(start, last), ylim=(-BELOW * top, 1.1 * top))
        axes.set(xlabel=say["threshold_probability"], ylabel=say["net_benefit"])
    return axes


@draws("RiskCoverage")
def draw_risk_coverage(
    curves: Many[RiskCoverage], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the share of wrong answers against the share of rows answered; options as in `draw_roc`."""
    with panel(curves, ax, labels, lang, 0.75, "upper left") as (axes, several, say):
        highest = 0.001
        for model in several:
            _, risk = model.draw(axes, style)
            highest = max(highest, float(risk.max()))
        axes.axhline(several[0].result.error.value, **guide(label=say["answer_all"], gid="all"))
        unit_axes(axes, say["coverage"], say["risk"], (0, 1.1 * highest))
    return axes


def _prevalence(curve: LiftCurve | BrierCurve) -> float:
    return float(curve.positives / (curve.positives + curve.negatives))
