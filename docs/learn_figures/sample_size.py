"""How the interval of an AUC narrows with the number of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

import curvewise as cw
from curvewise.figures import draw_estimate, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {"en": "{n} + {n} rows", "zh": "{n} + {n} 行"}


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw an AUC near 0.85 with its interval for 25 to 400 rows of each class: four times the rows, half the width."""
    found = {}
    for n in (25, 100, 400):
        share = (np.arange(n) + 0.5) / n
        noise = np.log(share / (1 - share))
        score = np.concatenate([noise, noise + 2.6])
        found[NAMES[lang].format(n=n)] = cw.interval("roc_auc", np.repeat([0, 1], n), score)
    fig = figure()
    draw_estimate(found, ax=fig.add_subplot(), lang=lang)
    return fig
