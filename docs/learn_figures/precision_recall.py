"""One ROC curve at three prevalences: three precision-recall curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import curvewise as cw
from curvewise.figures import draw_pr, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from curvewise.words import Lang

PREVALENCE = {"en": "prevalence", "zh": "患病率"}


def draw(lang: Lang) -> Figure:
    """Draw the curves through TPR 0.6 at FPR 0.1 and TPR 0.9 at FPR 0.3, at prevalences 0.5, 0.1 and 0.01."""
    s = cw.Sweep.from_counts([3, 2, 1], [60, 30, 10], [10, 20, 70])
    curves = {f"{PREVALENCE[lang]} {share:g}": cw.pr_curve(s.at_prevalence(share)) for share in (0.5, 0.1, 0.01)}
    fig = figure()
    draw_pr(curves, ax=fig.add_subplot(), lang=lang)
    return fig
