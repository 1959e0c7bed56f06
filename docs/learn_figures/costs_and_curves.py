"""Two ROC curves of equal area and different shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import draw_smooth_roc, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHEAPEST = {"en": "cheapest", "zh": "代价最低"}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw both curves, each with its cheapest point where a miss costs 10 and one row in ten is positive."""
    curves = {"TPR = √FPR": cw.AnalyticRoc(np.sqrt), "TPR = 2·FPR − FPR²": cw.AnalyticRoc(lambda x: 2 * x - x**2)}
    fig = figure()
    ax = draw_smooth_roc(curves, ax=fig.add_subplot(), lang=lang)
    for curve in curves.values():
        best = curve.cost_optimum(fp=1, fn=10, prevalence=0.1)
        ax.plot(best.fpr, best.tpr, "ko", markersize=4)
        text = f"{CHEAPEST[lang]}: {best.cost:.4f}"
        style = {"ha": "left", "va": "top", "fontsize": 7, "fontfamily": ax.xaxis.label.get_fontfamily()}
        ax.annotate(text, (best.fpr, best.tpr), (6, -3), textcoords="offset points", **style)
    return fig
