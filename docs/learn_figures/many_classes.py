"""Three classes: ROC curves with their mean, and the confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the ten animals of the page."""
    y = ["cat"] * 6 + ["dog"] * 3 + ["owl"]
    p = {
        "cat": [0.8, 0.7, 0.6, 0.9, 0.5, 0.3, 0.4, 0.1, 0.2, 0.5],
        "dog": [0.1, 0.2, 0.3, 0.1, 0.3, 0.5, 0.5, 0.8, 0.3, 0.1],
        "owl": [0.1, 0.1, 0.1, 0.0, 0.2, 0.2, 0.1, 0.1, 0.5, 0.4],
    }
    return cw.multiclass(y, p).plot(lang=lang).figure
