"""Figures over time: a metric with its band, horizons with intervals, risk groups; and the bins of D-calibration.

Calibration at a horizon is drawn by `draw_reliability`, of ``curvewise.reliability(horizon, bins=10)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.figures.legend import FigureWords, Model, models, panel
from curvewise.figures.legend_box import add_legend
from curvewise.figures.registry import draws
from curvewise.figures.style import MARKERS, bar_style, canvas, guide, look_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise.censored.d_calibration import DCalibration
    from curvewise.censored.observed import RiskGroups
    from curvewise.censored.survival_model import SurvivalModel
    from curvewise.censored.survival_result import Survival
    from curvewise.censored.time_curve import TimeCurve
    from curvewise.figures.legend import Ax, Labels, Many
    from curvewise.words import Lang

SPREAD = 0.012  # of the range of times between the intervals of two models at one horizon


@draws("TimeCurve")
def draw_time_curve(
    curves: Many[TimeCurve], *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw a metric over time with the limits at each time, and what a model that knows nothing has.

    All curves must be of one metric; other options as in `draw_roc`.
    """
    several = models(curves)
    metrics = {model.result.metric for model in several}
    if len(metrics) > 1:
        raise CurvewiseError(f"One figure is of one metric, got {' and '.join(sorted(metrics))}.")
    with panel(curves, ax, labels, lang, 0.8) as (axes, found, say):
        reference = found[0].result
        axes.plot(reference.time, reference.reference, **guide(gid="reference"))
        for model in found:
            curve = model.result
            if model.is_listed:
                axes.fill_between(curve.time, curve.low, curve.high, **model.area())
            model.draw(axes, style, points=(curve.time, curve.value))
        axes.set(xlabel=say["time"], ylabel=say.metric(reference.metric))
        axes.set_xlim(left=0)
    return axes


@draws("Survival", "SurvivalModel")
def draw_survival(
    found: Survival | SurvivalModel,
    *,
    metric: str = "roc_auc",
    ax: Ax = None,
    labels: Labels = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw a metric of every model at every horizon with its interval.

    ``metric`` is ``"roc_auc"``, ``"brier_skill"``, ``"brier_loss"`` or ``"observed_expected"``; other options as in
    `draw_roc`.
    """
    every = getattr(found, "models", None) or {getattr(found, "name", ""): found}
    own = {name: model for name, model in every.items() if any(metric in at for at in model.at.values())}
    if not own:
        known = {k: None for model in every.values() for at in model.at.values() for k in at}
        raise CurvewiseError(f"metric: there is no {metric} to draw; there are {', '.join(known)}.")
    shown = own if len(own) > 1 else next(iter(own.values()))
    with panel(shown, ax, labels, lang, 0.8) as (axes, several, say):
        ends = [t for model in every.values() for t in model.at]
        apart = SPREAD * (max(ends) - min(ends) or max(ends))
        nothing = {"roc_auc": 0.5, "brier_skill": 0.0, "observed_expected": 1.0}.get(metric)
        if nothing is not None:
            axes.axhline(nothing, **guide(gid="reference"))
        for model in several:
            _intervals(axes, model, metric, apart * (model.place - (len(several) - 1) / 2), style)
        axes.set(xlabel=say["time"], ylabel=say.metric(metric))
        axes.set_xlim(left=0)
    return axes


def _intervals(ax: Axes, model: Model[Any], metric: str, aside: float, style: dict[str, Any]) -> None:
    """Draw the numbers of one model, set a little aside from those of others."""
    at = {t: found[metric] for t, found in model.result.at.items() if metric in found}
    time = np.array(list(at)) + aside
    value, low, high = (np.array([getattr(e, k) for e in at.values()]) for k in ("value", "low", "high"))
    if model.is_listed:
        ax.vlines(time, low, high, color=model.colour, linewidth=0.9, gid=model.id("band"))
    dots = {"marker": MARKERS[model.place % len(MARKERS)], "markersize": 3.5, "linewidth": 0.8}
    model.draw(ax, {**dots, **style}, points=(time, value))


@draws("RiskGroups")
def draw_risk_groups(
    found: RiskGroups, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw the share that had the event by each time, by group of risk, with the limits at each time.

    Options as in `draw_roc`.
    """
    say = FigureWords(lang, labels)
    with canvas(ax, shape=0.8) as axes:
        look = look_of(axes)
        last = len(found.groups) - 1
        several = []
        for place, group in enumerate(found.groups):
            end = "lowest_risk" if place == 0 else "highest_risk" if place == last else None
            name = say["risk_group"].format(k=place + 1) if end is None else say[end]
            model = Model(place, f"{name} (n={group.rows})", group, look, crowded=last >= len(MARKERS))
            several.append(model)
            if model.is_listed:
                band = {**model.area(), "step": "post"}
                axes.fill_between(group.time, group.low, group.high, **band)
            model.draw(axes, {"drawstyle": "steps-post", **style}, points=(group.time, group.observed))
        axes.set(xlabel=say["time"], ylabel=say["had_event"], ylim=(-0.015, 1.015))
        axes.set_xlim(left=0)
        add_legend(axes, several)
    return axes


@draws("DCalibration")
def draw_d_calibration(
    found: DCalibration, *, ax: Ax = None, labels: Labels = None, lang: Lang = "en", **style: Any
) -> Axes:
    """Draw how many rows each bin of predicted survival holds, and how many it should hold.

    Options as in `draw_roc`; ``style`` is of the bars.
    """
    say = FigureWords(lang, labels)
    with canvas(ax, shape=0.8) as axes:
        bar = {"color": look_of(axes).colours[0], "alpha": 0.6, "linewidth": 0, "gid": "bars", **bar_style(style)}
        edges = np.append(found.start, found.stop[-1])
        axes.stairs(found.counts, edges, fill=True, **bar)
        axes.axhline(found.expected, **guide(gid="expected"))
        axes.set(xlim=(0, 1), xlabel=say["survival_at_own_time"], ylabel=say["rows"])
        axes.set_ylim(bottom=0)
    return axes
