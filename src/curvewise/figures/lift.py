"""Cumulative gain, and lift: what the top share of the rows holds, and how much more than by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.curves.base import kept_points
from curvewise.figures.legend import FigureWords, legend, models
from curvewise.figures.roc import MOST
from curvewise.figures.style import DOTTED, canvas, guide, unit_axes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.lift import LiftCurve
    from curvewise.words import Lang


def draw_gain(
    curves: LiftCurve | Mapping[str, LiftCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw cumulative gain, between chance and a perfect ranking; options as in `draw_roc`."""
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax, shape=0.95) as axes:
        unit_axes(axes)
        axes.set(xlabel=say["predicted_rate"], ylabel=say["gain"])
        for model in several:
            curve = model.result
            x, y = curve.thin(MOST).axes()
            axes.plot(x, y, label=model.label(), **model.line(style))
        share = several[0].result.positives / (several[0].result.positives + several[0].result.negatives)
        axes.plot([0, share, 1], [0, 1, 1], **guide(DOTTED, label=say["perfect"], gid="perfect"))
        axes.plot([0, 1], [0, 1], **guide(label=say["chance"], gid="chance"))
        legend(axes)
    return axes


def draw_lift(
    curves: LiftCurve | Mapping[str, LiftCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw lift against the share of rows flagged; options as in `draw_roc`."""
    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax, shape=0.8) as axes:
        highest = 1.0
        for model in several:
            share, lift = model.result.predicted_rate[1:], model.result.lift[1:]  # 0/0 where none is flagged
            keep = kept_points(share, lift, MOST)
            axes.plot(share[keep], lift[keep], label=model.label(), **model.line(style))
            highest = max(highest, float(np.max(lift)))
        axes.axhline(1, **guide(label=say["chance"], gid="chance"))
        axes.set(xlim=(-0.015, 1.015), ylim=(0, 1.05 * highest))
        axes.set(xlabel=say["predicted_rate"], ylabel=say["lift"])
        legend(axes, "upper right")
    return axes
