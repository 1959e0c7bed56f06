"""One curve per fold, and their mean with the spread around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.pr import pr_curve
from curvewise.curves.roc import roc_curve
from curvewise.inference.bands import GRID, precision_at_recall
from curvewise.inference.rate_at_rate import tpr_at
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.curves.base import Curve

Kind = Literal["roc", "pr"]
AXES = {"roc": ("fpr", "tpr"), "pr": ("recall", "precision")}
AREAS = {"roc": "auc", "pr": "average_precision"}


@dataclass(frozen=True, eq=False, repr=False)
class FoldCurves(Result, schema="fold_curves"):
    """ROC or PR curves of folds, and their mean at fixed places of the horizontal axis (vertical averaging).

    ``curves`` are those of the folds by name. ``mean`` is the mean height at each ``x``, ``spread`` the standard
    deviation there, ``low`` and ``high`` one such deviation below and above, within 0 and 1: how folds vary, not a
    confidence band. ``area`` and ``area_spread`` are mean and standard deviation of the areas of the folds.
    """

    kind: Kind
    x: Floats
    mean: Floats
    spread: Floats
    area: float
    area_spread: float
    curves: dict[str, Curve] = field(repr=False)

    @property
    def low(self) -> Floats:
        """One standard deviation below the mean, not below 0."""
        return np.asarray(np.maximum(self.mean - self.spread, 0.0))

    @property
    def high(self) -> Floats:
        """One standard deviation above the mean, not above 1."""
        return np.asarray(np.minimum(self.mean + self.spread, 1.0))

    @property
    def table(self) -> Table:
        """One row per place: the mean, the spread, and the ends of the band."""
        x, value = AXES[self.kind]
        columns = {x: self.x, value: self.mean, "spread": self.spread, "low": self.low, "high": self.high}
        return Table(str(self), {name: values.tolist() for name, values in columns.items()})

    def content(self) -> dict[str, Any]:
        """Return the mean curve and its band, JSON-safe."""
        names = ("kind", "x", "mean", "spread", "low", "high", "area", "area_spread")
        return {name: json_safe(getattr(self, name)) for name in names}

    def __str__(self) -> str:
        area = f"{AREAS[self.kind]} {show(self.area)}, spread {show(self.area_spread)}"
        return f"FoldCurves({len(self.curves)} {self.kind} curves, mean {area})"


def curves_of_folds(sweeps: Mapping[str, Sweep], kind: Kind) -> FoldCurves:
    """Return the curves of folds, and their mean at 0, 0.01 … 1."""
    one_of("kind", kind, tuple(AXES))
    x = np.linspace(0, 1, GRID)
    make: Any = roc_curve if kind == "roc" else pr_curve
    read = tpr_at if kind == "roc" else precision_at_recall
    curves = {name: make(sweep) for name, sweep in sweeps.items()}
    heights = np.array([read(sweep, x) for sweep in sweeps.values()])
    areas = np.array([getattr(curve, AREAS[kind]) for curve in curves.values()])
    ends = float(areas.mean()), float(areas.std(ddof=1))
    return FoldCurves(kind, x, heights.mean(axis=0), heights.std(axis=0, ddof=1), *ends, curves)
