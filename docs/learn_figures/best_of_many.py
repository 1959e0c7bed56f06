"""Ten models that are equally good, and the one that looks best of them on 200 rows."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEXTS = {
    "en": ("AUC of ten equally good models, with 95% intervals", "true AUC", "picked, plain", "picked, corrected"),
    "zh": ("十个同样好的模型的 AUC 及 95% 区间", "真实 AUC", "选出者，未校正", "选出者，已校正"),
}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the models of the page by their AUC, and both intervals of the highest."""
    title, true, plain, corrected = TEXTS[lang]
    rng = np.random.default_rng(3)
    ill = np.arange(200) < 60
    scores = [rng.normal(size=200) + ill for _ in range(10)]
    each = sorted((cw.interval("roc_auc", ill, score) for score in scores), key=lambda e: e.value)
    best = max(scores, key=lambda score: cw.roc_auc(ill, score))
    low = cw.interval("roc_auc", ill, best, level=1 - 0.05 / len(scores)).low
    fig = figure("page")
    ax = fig.add_subplot()
    for place, e in enumerate(each):
        picked = e is each[-1]
        ax.plot([e.low, e.high], [place, place], color="C0" if picked else "0.7", label=plain if picked else None)
        ax.plot(e.value, place, "o", color="C0" if picked else "0.5")
    ax.plot([low, each[-1].high], [len(each)] * 2, color="C1", label=corrected)
    ax.axvline(NormalDist().cdf(0.5**0.5), color="0.3", linestyle=":", label=true)
    ax.set_yticks([])
    ax.set_xlabel("AUC")
    ax.set_title(title)
    ax.legend(loc="upper left")
    return fig
