"""The confusion table of 50 positives and 450 negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import curvewise as cw
from curvewise.figures import draw_confusion, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang


def draw(lang: Lang) -> Figure:
    """Draw the table with counts and shares of each row."""
    fig = figure()
    draw_confusion(cw.Confusion(tp=30, fp=20, fn=20, tn=430), ax=fig.add_subplot(), lang=lang)
    return fig
