"""The cost-curve figure: the least cost a model reaches, under the cost of no model at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import DOTTED, aside, canvas
from curvewise.figures.models import key, models
from curvewise.figures.roc import MOST
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.cost import CostCurve


def draw_cost(
    curves: CostCurve | Mapping[str, CostCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw cost curves below the two trivial rules; options as in `draw_roc`."""
    several, say = models(curves), words(labels)
    with canvas(ax, shape=0.75) as axes:
        axes.plot([0, 1], [0, 1], **aside(label=say["never"], gid="never"))
        axes.plot([0, 1], [1, 0], **aside(DOTTED, label=say["always"], gid="always"))
        for model in several:
            x, y = model.result.thin(MOST).axes()
            axes.plot(x, y, label=model.label(), **model.line(style))
        axes.set(xlim=(-0.015, 1.015), ylim=(-0.01, 0.55))
        axes.set(xlabel=say["probability_cost"], ylabel=say["normalised_cost"])
        key(axes, "above")
    return axes
