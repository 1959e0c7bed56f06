"""Recall by age band with intervals."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import polars as pl

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the recall of four age bands at one threshold."""
    data = pl.read_csv(files("curvewise.data") / "screening.csv")
    found = cw.by_group(data["disease"], data["model_a"], data["age_band"], threshold=0.05, metrics=["recall"])
    return found.plot(metric="recall", lang=lang).figure
