"""The precision-recall-gain figure: where chance is 0 and straight lines are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import GRID, aside, canvas, unit_axes
from curvewise.figures.models import key, models, written
from curvewise.figures.roc import MOST
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.pr_gain import PrGainCurve

LOWEST = -0.5  # a precision gain below this is not shown: it has no bound


def draw_pr_gain(
    curves: PrGainCurve | Mapping[str, PrGainCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw precision-recall-gain curves over lines of equal F1; options as in `draw_roc`."""
    several, say = models(curves), words(labels)
    with canvas(ax, shape=0.95) as axes:
        unit_axes(axes)
        axes.set(xlabel=say["recall_gain"], ylabel=say["precision_gain"])
        for total in (0.5, 1.0, 1.5):  # F1 gain is the mean of both
            axes.axline((0, total), slope=-1, color=GRID, linewidth=0.8, zorder=0.5)
        axes.axhline(0, **aside(gid="chance"))
        lowest = 0.0
        for model in several:
            x, y = model.result.thin(MOST).axes()
            axes.plot(
                x,
                y,
                label=model.label(f"{say['pr_gain_area']} {written(model.result.area)}"),
                **model.line(style),
            )
            lowest = min(lowest, float(y.min()))
        axes.set_ylim(max(lowest, LOWEST) - 0.015, 1.015)
        key(axes, "above")
    return axes
