"""Right probabilities and their squares: one ranking, two reliability curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import draw_reliability, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"en": ("p (right)", "p²"), "zh": ("p（正确）", "p²")}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the reliability of 0.1, 0.2, …, 0.9, said of 100 rows each, and of their squares."""
    p = np.arange(1, 10) / 10
    said = [cw.Sweep.from_counts(v, range(10, 100, 10), range(90, 0, -10)) for v in (p, p**2)]
    curves = {name: cw.reliability(s, replicates=200) for name, s in zip(NAMES[lang], said, strict=True)}
    fig = figure()
    draw_reliability(curves, ax=fig.add_subplot(), lang=lang)
    return fig
