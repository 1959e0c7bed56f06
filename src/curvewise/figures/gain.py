"""The cumulative gain figure: what share of the positives the top share of the rows holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import DOTTED, aside, canvas, unit_axes
from curvewise.figures.models import key, models
from curvewise.figures.roc import MOST
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.lift import LiftCurve


def draw_gain(
    curves: LiftCurve | Mapping[str, LiftCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw cumulative gain, between chance and a perfect ranking; options as in `draw_roc`."""
    several, say = models(curves), words(labels)
    with canvas(ax, shape=0.95) as axes:
        unit_axes(axes)
        axes.set(xlabel=say["predicted_rate"], ylabel=say["gain"])
        for model in several:
            curve = model.result
            x, y = curve.thin(MOST).axes()
            axes.plot(x, y, label=model.label(), **model.line(style))
        share = several[0].result.positives / (several[0].result.positives + several[0].result.negatives)
        axes.plot([0, share, 1], [0, 1, 1], **aside(DOTTED, label=say["perfect"], gid="perfect"))
        axes.plot([0, 1], [0, 1], **aside(label=say["chance"], gid="chance"))
        key(axes)
    return axes
