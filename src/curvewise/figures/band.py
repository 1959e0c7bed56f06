"""A band by itself: the curve at fixed places, with the ends of its intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.figures.look import canvas, unit_axes
from curvewise.figures.models import key, models
from curvewise.figures.roc import fill_band, roc_axes
from curvewise.figures.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from curvewise.inference.bands import Band


def draw_band(
    bands: Band | Mapping[str, Band],
    *,
    ax: Axes | None = None,
    labels: Mapping[str, str] | None = None,
    **style: Any,
) -> Axes:
    """Draw bands of ROC or PR curves, or of a rate at thresholds; options as in `draw_roc`.

    The axes are those of the curve: a band of FPR at fixed TPR runs upward.
    """
    several, say = models(bands), words(labels)
    first = several[0].result
    with canvas(ax, shape=0.8 if first.x_name == "threshold" else 1) as axes:
        if first.value_name in ("fpr", "tpr") and first.x_name != "threshold":
            roc_axes(axes, say)
        else:
            if first.x_name != "threshold":
                unit_axes(axes)
            titles = [say.get(name, name.replace("_", " ")) for name in (first.x_name, first.value_name)]
            axes.set(xlabel=titles[0], ylabel=titles[1], ylim=(-0.015, 1.015))
        for model in several:
            band = model.result
            fill_band(axes, model, band)
            places = (band.value, band.x) if band.x_name == "tpr" else (band.x, band.value)
            axes.plot(*places, label=model.label(), **model.line(style))
        key(axes)
    return axes
