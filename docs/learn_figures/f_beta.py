"""F by beta for two models: one finds more, the other raises fewer false alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import curvewise as cw
from curvewise.figures import COLOURS, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang

SAY = {
    "en": {
        "first": "A: recall 0.9, precision 0.5",
        "second": "B: recall 0.6, precision 0.91",
        "x": "β: how much more recall counts than precision",
    },
    "zh": {
        "first": "A：召回率 0.9，精确率 0.5",
        "second": "B：召回率 0.6，精确率 0.91",
        "x": "β：召回率的权重是精确率的几倍",
    },
}


def draw(lang: Lang) -> Figure:
    """Draw both lines, which cross at β² = 81/50."""
    say, betas = SAY[lang], np.geomspace(0.2, 5, 200)
    fig = figure()
    ax = fig.add_subplot()
    models = {"first": cw.Confusion(tp=45, fp=45, fn=5, tn=405), "second": cw.Confusion(tp=30, fp=3, fn=20, tn=447)}
    for (name, model), colour in zip(models.items(), COLOURS[:2], strict=True):
        ax.plot(betas, [model.f_beta(b) for b in betas], label=say[name], color=colour)
    ax.axvline((81 / 50) ** 0.5, linestyle=":", color="0.5")
    ax.set(xscale="log", xlabel=say["x"], ylabel="Fβ", xticks=[0.2, 0.5, 1, 2, 5])
    ax.set_xticklabels(["0.2", "0.5", "1", "2", "5"])
    ax.minorticks_off()
    ax.legend(frameon=False)
    return fig
