"""Five readers with and without help, and the means over readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import draw_readers, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"en": ("with model", "alone"), "zh": ("有模型辅助", "独立阅片")}
READERS = ("ann", "bob", "eve", "kim", "sam")


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the study of the page: each reader's AUC in each modality, and the means."""
    rng = np.random.default_rng(1)
    disease = np.arange(100) < 40
    hard = rng.normal(size=100)
    scores = {
        how: {r: rng.normal(gain, 0.4) * disease + 0.7 * hard + 0.7 * rng.normal(size=100) for r in READERS}
        for how, gain in zip(NAMES[lang], (2.0, 1.5), strict=True)
    }
    fig = figure("page")
    draw_readers(cw.reader_study(disease, scores), ax=fig.add_subplot(), lang=lang)
    return fig
