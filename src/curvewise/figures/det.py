"""The DET figure: misses against false alarms on normal-deviate axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.figures.legend import FigureWords, legend, models
from curvewise.figures.roc import MOST
from curvewise.figures.style import GRID, canvas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.curves.det import DetCurve
    from curvewise.words import Lang

TICKS = (1e-5, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.95, 0.99)
LEAST = 1e-6  # where a rate of 0 goes: beyond the edge of the figure


def draw_det(
    curves: DetCurve | Mapping[str, DetCurve],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    lang: Lang = "en",
    **style: Any,
) -> Axes:
    """Draw DET curves with their equal error rates; options as in `draw_roc`.

    Rates up to a half are shown, or up to 99 % where a model is worse than chance. A rate of 0 lies beyond
    the edge.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - slow to load

    several, say = models(curves), FigureWords(lang, labels)
    with canvas(ax) as axes:
        axes.set_xscale("function", functions=(ndtri, ndtr))
        axes.set_yscale("function", functions=(ndtri, ndtr))
        low, high = _limits([m.result for m in several])
        axes.set(xlim=(low, high), ylim=(low, high), xlabel=say["fpr"], ylabel=say["fnr"])
        axes.set_box_aspect(1)
        ticks = [t for t in TICKS if low <= t <= high]
        axes.set_xticks(ticks, [f"{100 * t:g}%" for t in ticks])
        axes.set_yticks(ticks, [f"{100 * t:g}%" for t in ticks])
        axes.minorticks_off()
        axes.grid(visible=True, color=GRID, linewidth=0.5)
        axes.plot([low, high], [low, high], color=GRID, linewidth=0.8, zorder=1)
        for model in several:
            curve = model.result.thin(MOST)
            x, y = (np.clip(rate, LEAST, 1 - LEAST) for rate in (curve.fpr, curve.fnr))
            text = model.label(f"{say['eer']} {100 * curve.eer:.3g}%")
            axes.plot(x, y, label=text, **model.line(style))
            rate = min(max(curve.eer, LEAST), 1 - LEAST)
            axes.plot([rate], [rate], **model.marker())
        legend(axes, "above")
    return axes


def _limits(curves: list[DetCurve]) -> tuple[float, float]:
    """Return limits that hold the part of the curves below the upper one."""
    high = 0.6 if max(c.eer for c in curves) < 0.5 else 0.99
    shown = [rate[(c.fpr <= high) & (c.fnr <= high)] for c in curves for rate in (c.fpr, c.fnr)]
    rates = np.concatenate(shown)
    least = rates[rates > 0].min(initial=0.04)
    return max(0.5 * float(least), 5e-6), high
