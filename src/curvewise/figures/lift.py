"""The lift figure: how many times more positives than by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.thinning import kept_points
from curvewise.figures.look import aside, canvas
from curvewise.figures.models import key, models
from curvewise.figures.roc import MOST
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.lift import LiftCurve


def draw_lift(
    curves: LiftCurve | Mapping[str, LiftCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw lift against the share of rows flagged; options as in `draw_roc`."""
    several, say = models(curves), words(labels)
    with canvas(ax, shape=0.8) as axes:
        highest = 1.0
        for model in several:
            share, lift = model.result.predicted_rate[1:], model.result.lift[1:]  # 0/0 where none is flagged
            keep = kept_points(share, lift, MOST)
            axes.plot(share[keep], lift[keep], label=model.label(), **model.line(style))
            highest = max(highest, float(np.max(lift)))
        axes.axhline(1, **aside(label=say["chance"], gid="chance"))
        axes.set(xlim=(-0.015, 1.015), ylim=(0, 1.05 * highest))
        axes.set(xlabel=say["predicted_rate"], ylabel=say["lift"])
        key(axes, "upper right")
    return axes
