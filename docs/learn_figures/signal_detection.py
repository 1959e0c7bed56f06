"""A binormal fit against curves of equal variance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import curvewise as cw
from curvewise.figures import draw_smooth_roc, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"en": ("equal variance", "unequal variance"), "zh": ("等方差", "不等方差")}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw two binormal curves of the same area: b = 1, and positives that vary twice as much as negatives."""
    wide = cw.BinormalRoc(a=1.5 / 2, b=1 / 2)
    even = cw.BinormalRoc(a=float(cw.d_prime(auc=wide.auc)))
    fig = figure()
    draw_smooth_roc(dict(zip(NAMES[lang], (even, wide), strict=True)), ax=fig.add_subplot(), lang=lang)
    return fig
