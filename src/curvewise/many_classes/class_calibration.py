"""Whether the probabilities of many classes mean what they say: class by class, and for the class chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core.probability import of_probabilities
from curvewise.core.registry import bound
from curvewise.core.sweep import sweep_of
from curvewise.many_classes.class_metrics import over_rows
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.rows.reading import ONE
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.many_classes.multiclass import Multiclass

Binning = Literal["width", "count"]


@dataclass(frozen=True, eq=False, repr=False)
class ClassCalibration(Result):
    """How far probabilities lie from what happened, for each class against the rest or for the class chosen.

    ``ece`` is the expected calibration error: of the class chosen (``kind`` is ``"top label"``), or the mean
    over the classes that occur (``"classwise"``). ``bins`` are of equal ``"width"``, or hold an equal
    ``"count"`` of rows (``binning``). ``columns`` has by name: class, rows, mean probability, observed share,
    ECE and the largest gap of a bin.
    """

    kind: Literal["classwise", "top label"]
    ece: float
    bins: int
    binning: str
    columns: dict[str, list[Any]]
    backend: str | None = None

    @property
    def table(self) -> Table:
        """One row per class, or one for the class chosen."""
        of = "by class: mean ECE" if self.kind == "classwise" else "of the class chosen: ECE"
        how = f"{self.bins} equal-{self.binning} bins"
        return Table(f"Calibration {of} {show(self.ece)} ({how})", self.columns, self.backend)

    def content(self) -> dict[str, Any]:
        """Return all numbers, JSON-safe."""
        facts = {k: json_safe(getattr(self, k)) for k in ("kind", "ece", "bins", "binning")}
        return {**facts, "rows": self.table.content()["rows"]}


def calibration_of(
    m: Multiclass, kind: Literal["classwise", "top label"], bins: int, binning: Binning
) -> ClassCalibration:
    """Judge each class's probability against the rest, or that of the class chosen, whichever it is."""
    p, counted = m.need_probabilities("Calibration").probabilities, m.occurs
    if kind == "classwise":
        names = class_names(m.classes)
        sweeps = [of_probabilities(m.sweep_at(k)) for k in range(len(names))]
    else:
        names, p, counted = ["the one chosen"], p.max(axis=0, keepdims=True), np.array([True])
        sweeps = [sweep_of(Rows(m.truth == m.predicted, {ONE: p[0]}, m.weight, m.weight_kind))]
    one_of("binning", binning, ("width", "count"))
    ece, mce = ([bound(name, {"bins": bins, "binning": binning})(s) for s in sweeps] for name in ("ece", "mce"))
    columns: dict[str, list[Any]] = {
        "class": names,
        "rows": [s.n for s in sweeps],
        "mean_probability": [over_rows(column, m.weight) for column in p],
        "observed": [s.prevalence for s in sweeps],
        "ece": ece,
        "largest_gap": mce,
    }
    mean = math.fsum(np.array(ece)[counted]) / np.count_nonzero(counted)
    return ClassCalibration(kind, mean, bins, binning, columns, m.backend)
