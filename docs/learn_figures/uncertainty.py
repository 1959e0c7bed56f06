"""Intervals of two models that overlap, and the paired difference that excludes 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import draw_estimate, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {
    "en": ("model a", "model b", "10 + 10, all right", "the same, Wald"),
    "zh": ("模型 a", "模型 b", "10 + 10 行，全部排对", "同上，Wald 区间"),
}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw AUC with its interval for two models of the same rows, and for a perfect ranking by two methods."""
    rng = np.random.default_rng(3)
    y = np.arange(400) < 160
    base = rng.normal(size=400)
    a, b = (gain * y + base + 0.3 * rng.normal(size=400) for gain in (1.6, 1.4))
    few, perfect = [1] * 10 + [0] * 10, np.arange(20, 0, -1)
    found = [cw.interval("roc_auc", y, a), cw.interval("roc_auc", y, b)]
    found += [cw.interval("roc_auc", few, perfect, method=method) for method in ("delong", "delong-wald")]
    fig = figure("page")
    draw_estimate(dict(zip(NAMES[lang], found, strict=True)), ax=fig.add_subplot(), lang=lang)
    return fig
