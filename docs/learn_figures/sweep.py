"""Every rate at every threshold of six rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import curvewise as cw
from curvewise.figures import draw_thresholds, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang


def draw(lang: Lang) -> Figure:
    """Draw recall, specificity, precision and F1 of the page's six rows; the line is at 0.35."""
    fig = figure()
    s = cw.sweep([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.4])
    draw_thresholds(s, threshold=0.35, ax=fig.add_subplot(), lang=lang)
    return fig
