"""The Brier-curve figure: what stated probabilities cost when they are used as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.look import aside, canvas
from curvewise.figures.models import key, models, written
from curvewise.figures.roc import MOST
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.brier_curve import BrierCurve


def draw_brier(
    curves: BrierCurve | Mapping[str, BrierCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw Brier curves, with the cost of flagging all or none; options as in `draw_roc`."""
    several, say = models(curves), words(labels)
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
        c = np.array([0, share, 1])  # the dearest place is where the prevalence is
        trivial = 2 * np.minimum(c * (1 - share), (1 - c) * share)
        axes.plot(c, trivial, **aside(label=say["all_or_none"], gid="trivial"))
        axes.set(xlim=(-0.015, 1.015), ylim=(0, 1.05 * max(highest, float(trivial.max()))))
        axes.set(xlabel=say["cost_proportion"], ylabel=say["loss"])
        key(axes, "above")
    return axes
