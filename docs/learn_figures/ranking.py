"""The ROC curve of two positives and eight negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import curvewise as cw
from curvewise.figures import draw_roc, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang


def draw(lang: Lang) -> Figure:
    """Draw the page's ten rows: a staircase without any slope."""
    y = [1, 1] + [0] * 8
    score = [0.92, 0.40, 0.90, 0.89, 0.88, 0.87, 0.86, 0.85, 0.84, 0.10]
    fig = figure()
    draw_roc(cw.roc_curve(y, score), ax=fig.add_subplot(), lang=lang)
    return fig
