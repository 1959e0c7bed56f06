"""Two ROC curves of equal AUC that differ where false positives are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import curvewise as cw
from curvewise.figures import draw_roc, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang

NAMES = {"en": ("early", "late"), "zh": ("起步快", "起步慢")}


def draw(lang: Lang) -> Figure:
    """Draw the page's two curves; grey is the range of FPR up to 0.2."""
    early = cw.Sweep.from_counts([3, 2, 1], [50, 20, 30], [10, 40, 50])
    late = cw.Sweep.from_counts([3, 2, 1], [50, 40, 10], [30, 20, 50])
    curves = dict(zip(NAMES[lang], map(cw.roc_curve, (early, late)), strict=True))
    fig = figure()
    ax = draw_roc(curves, ax=fig.add_subplot(), lang=lang)
    ax.axvspan(0, 0.2, color="#dddddd", alpha=0.5, linewidth=0, zorder=0)
    return fig
