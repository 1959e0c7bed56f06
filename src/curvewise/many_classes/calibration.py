"""Whether the probabilities of many classes mean what they say: class by class, and for the class chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.core.probability import of_probabilities
from curvewise.core.sweep import sweep_of
from curvewise.many_classes.averages import over_rows
from curvewise.many_classes.matrix import class_names
from curvewise.metric.calibration_error import ece, mce
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Table
from curvewise.rows.reading import Rows

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.metric.bins import BinWay


@dataclass(frozen=True, repr=False)
class ClassCalibration:
    """How far probabilities lie from what happened, for each class against the rest or for the class chosen.

    Attributes
    ----------
    kind
        ``"classwise"`` or ``"top label"``.
    ece
        The expected calibration error: of the class chosen, or the mean over the classes that occur.
    bins, how
        How many bins, and of what: equal ``"width"`` or equal ``"mass"``.
    table
        A row each: rows, mean probability, observed share, ECE and the largest gap of a bin.
    """

    kind: str
    ece: float
    bins: int
    how: str
    table: Table

    def __str__(self) -> str:
        return str(self.table)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, JSON-safe."""
        return {
            "kind": self.kind,
            "ece": json_safe(self.ece),
            "bins": self.bins,
            "how": self.how,
            "rows": self.table.to_dict()["rows"],
        }


def classwise(m: Multiclass, bins: int, how: BinWay) -> ClassCalibration:
    """Judge each class's probability against the rest."""
    p = m.need_probabilities("Calibration").probabilities
    sweeps = [of_probabilities(m.sweep(c)) for c in m.classes]
    table = _table(class_names(m.classes), sweeps, [over_rows(column, m.weight) for column in p], bins, how)
    counted = [e for e, there in zip(table["ece"], m.occurs, strict=True) if there]
    ece = math.fsum(counted) / len(counted)
    title = f"Calibration by class: mean ECE {show(ece)} ({bins} bins of equal {how})"
    return ClassCalibration("classwise", ece, bins, how, Table(title, table, m.backend))


def top_label(m: Multiclass, bins: int, how: BinWay) -> ClassCalibration:
    """Judge the probability of the class chosen, whichever it is."""
    p = m.need_probabilities("Calibration").probabilities.max(axis=0)
    sweep = sweep_of(Rows(p, m.truth == m.predicted, m.weight, 0, None, "positive", m.backend))
    table = _table(["the one chosen"], [sweep], [over_rows(p, m.weight)], bins, how)
    ece = float(table["ece"][0])
    title = f"Calibration of the class chosen: ECE {show(ece)} ({bins} bins of equal {how})"
    return ClassCalibration("top label", ece, bins, how, Table(title, table, m.backend))


def _table(
    names: list[str], sweeps: list[Sweep], means: list[float], bins: int, how: BinWay
) -> dict[str, list[Any]]:
    return {
        "class": names,
        "rows": [s.n for s in sweeps],
        "mean_probability": means,
        "observed": [s.prevalence for s in sweeps],
        "ece": [ece(s, bins=bins, how=how) for s in sweeps],
        "largest_gap": [mce(s, bins=bins, how=how) for s in sweeps],
    }
