"""AUC by site, pooled, and what a new site may expect."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import polars as pl

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the forest of five sites."""
    data = pl.read_csv(files("curvewise.data") / "screening.csv")
    return cw.by_site(data["disease"], data["model_a"], data["site"], threshold=0.05).plot(lang=lang).figure
