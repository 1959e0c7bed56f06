"""AUC at several horizons for two risk scores."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import polars as pl

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw the AUC over time of both models of the simulated trial."""
    trial = pl.read_csv(str(files("curvewise") / "data" / "trial.csv"))
    scores = {"a": trial["risk_a"], "b": trial["risk_b"]}
    found = cw.survival(trial["days"], trial["dead"], scores, horizons=[365, 730, 1095])
    return found.plot(lang=lang).figure
