"""ROC curves of ten folds and their mean."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import polars as pl

import curvewise as cw
from curvewise.figures import draw_folds, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the curves of the forest's ten folds, their mean and one standard deviation over folds."""
    data = pl.read_csv(str(files("curvewise.data") / "breast_cancer.csv"))
    fig = figure()
    draw_folds(cw.by_fold(data["malignant"], data["forest"], data["fold"]), ax=fig.add_subplot(), lang=lang)
    return fig
