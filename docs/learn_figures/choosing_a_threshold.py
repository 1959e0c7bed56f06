"""Where a line of equal cost touches the ROC curve of a screening model."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

import curvewise as cw
from curvewise.figures import draw_roc, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang


def draw(lang: Lang) -> Figure:
    """Draw the curve, its hull, the cheapest point and the line of equal cost through it."""
    path = str(files("curvewise.data") / "screening.csv")
    data = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="ascii")
    s = cw.sweep(data["disease"], data["model_b"])
    point = cw.operating_point(s, rule=cw.rules.min_cost(fp=1, fn=20, prevalence=0.02), replicates=0)
    slope = cw.iso_cost_slope(fp=1, fn=20, prevalence=0.02)
    fig = figure()
    draw_roc(cw.roc_curve(s), hull=cw.roc_hull(s), point=point, iso_cost=slope, ax=fig.add_subplot(), lang=lang)
    return fig
