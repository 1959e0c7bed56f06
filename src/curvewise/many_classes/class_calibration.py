"""Whether the probabilities of many classes mean what they say: class by class, and for the class chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from curvewise.core.probability import of_probabilities
from curvewise.core.registry import bound
from curvewise.core.sweep import sweep_of
from curvewise.many_classes.class_metrics import over_rows
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.rows.reading import ONE, Rows

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.many_classes.multiclass import Multiclass

Binning = Literal["width", "count"]


@dataclass(frozen=True, eq=False, repr=False)
class ClassCalibration(Result):
    """How far probabilities lie from what happened, for each class against the rest or for the class chosen.

    Attributes
    ----------
    kind
        ``"classwise"`` or ``"top label"``.
    ece
        The expected calibration error: of the class chosen, or the mean over the classes that occur.
    bins, binning
        How many bins: of equal ``"width"``, or with an equal ``"count"`` of rows.
    columns
        By name: class, rows, mean probability, observed share, ECE and the largest gap of a bin.
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


def classwise(m: Multiclass, bins: int, binning: Binning) -> ClassCalibration:
    """Judge each class's probability against the rest."""
    p = m.need_probabilities("Calibration").probabilities
    sweeps = [of_probabilities(m.sweep_at(k)) for k in range(len(m.classes))]
    means = [over_rows(column, m.weight) for column in p]
    columns = _columns(class_names(m.classes), sweeps, means, bins, binning)
    counted = [e for e, there in zip(columns["ece"], m.occurs, strict=True) if there]
    return ClassCalibration("classwise", math.fsum(counted) / len(counted), bins, binning, columns, m.backend)


def top_label(m: Multiclass, bins: int, binning: Binning) -> ClassCalibration:
    """Judge the probability of the class chosen, whichever it is."""
    p = m.need_probabilities("Calibration").probabilities.max(axis=0)
    sweep = sweep_of(Rows(m.truth == m.predicted, {ONE: p}, m.weight, m.weight_kind))
    columns = _columns(["the one chosen"], [sweep], [over_rows(p, m.weight)], bins, binning)
    return ClassCalibration("top label", columns["ece"][0], bins, binning, columns, m.backend)


def _columns(
    names: list[str], sweeps: list[Sweep], means: list[float], bins: int, binning: Binning
) -> dict[str, list[Any]]:
    one_of("binning", binning, ("width", "count"))
    ece, mce = (bound(name, {"bins": bins, "binning": binning}) for name in ("ece", "mce"))
    return {
        "class": names,
        "rows": [s.n for s in sweeps],
        "mean_probability": means,
        "observed": [s.prevalence for s in sweeps],
        "ece": [ece(s) for s in sweeps],
        "largest_gap": [mce(s) for s in sweeps],
    }
