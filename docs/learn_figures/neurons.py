"""AUC of simulated neurons over time, and the runs that are beyond chance."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

import curvewise as cw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = [0, 3, 4, 8]  # one that sees the stimulus, one both, one the choice, one neither


def draw(lang: Literal["en", "zh"]) -> Figure:
    """Draw four neurons' AUC of the choice, with runs tested among trials with the same stimulus."""
    data = pl.read_csv(files("curvewise.data") / "spikes.csv")
    trials = data.filter(pl.col("neuron") == "n00")
    counts = data[:, 4:].to_numpy().reshape(100, 12, 16)[:, SHOWN]
    axes = {"neuron": [f"n{k:02}" for k in SHOWN], "time": np.arange(0, 800, 50)}
    found = cw.by_column(
        trials["choice"],
        counts,
        positive="right",
        axes=axes,
        ordered="time",
        stratum=trials["stimulus"],
        method="permutation",
    )
    return found.plot(lang=lang).figure
