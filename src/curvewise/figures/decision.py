"""The decision-curve figure: net benefit against acting on all and on none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import aside, canvas
from curvewise.figures.models import key, models
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.decision import DecisionCurve

BELOW = 0.2  # how far below 0 is shown, as a share of the height above


def draw_decision(
    curves: DecisionCurve | Mapping[str, DecisionCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw decision curves with their intervals; options as in `draw_roc`.

    Losses far below 0, which end any discussion, are cut off.
    """
    several, say = models(curves), words(labels)
    with canvas(ax, shape=0.8) as axes:
        highest = 0.0
        for model in several:
            curve = model.result
            axes.plot(curve.threshold, curve.net_benefit, label=model.label(), **model.line(style))
            axes.fill_between(curve.threshold, curve.low, curve.high, **model.area())
            highest = max(highest, curve.prevalence, float(curve.net_benefit.max()))
        first = several[0].result
        axes.plot(first.threshold, first.treat_all, **aside(label=say["treat_all"]))
        axes.axhline(0, **aside("-", label=say["treat_none"]))
        axes.set(xlim=(first.threshold[0], first.threshold[-1]), ylim=(-BELOW * highest, 1.1 * highest))
        axes.set(xlabel=say["threshold_probability"], ylabel=say["net_benefit"])
        key(axes, "upper right")
    return axes
