"""Whether the probabilities of many classes mean what they say: class by class, and for the class chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import Note, note
from curvewise.many_classes.class_metrics import over_rows
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.metric.registry import bound
from curvewise.probabilities.calibration import Calibration, calibration
from curvewise.probabilities.verdict import together
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real

if TYPE_CHECKING:
    from curvewise.many_classes.multiclass import Multiclass

Binning = Literal["width", "count"]
Kind = Literal["classwise", "top label"]
STATED = ("mean_probability", "observed")
OF_SLOPE = ("sign_extreme", "sign_moderate")
MOST_SAID = 3  # classes that a verdict names
CHOSEN = "the one chosen"


@dataclass(frozen=True, eq=False, repr=False)
class ClassCalibration(Result, schema="class_calibration"):
    """How far probabilities lie from what happened, for each class against the rest or for the class chosen.

    ``ece`` is the expected calibration error: of the class chosen (``kind`` is ``"top label"``), or the mean
    over the classes that occur (``"classwise"``). ``bins`` are of equal ``"width"``, or hold an equal
    ``"count"`` of rows (``binning``). ``columns`` has by name: class, rows, mean probability, observed share, O/E and
    calibration slope with their intervals, ECE and the largest gap of a bin. ``judged`` has the whole `Calibration`
    of each class that occurs; intervals hold at ``level`` for all of them together.
    """

    kind: Kind
    ece: float
    bins: int
    binning: str
    level: float
    columns: dict[str, list[Any]]
    judged: dict[str, Calibration] = field(repr=False)
    backend: str | None = None

    @property
    def table(self) -> Table:
        """One row per class, or one for the class chosen."""
        of = "by class: mean ECE" if self.kind == "classwise" else "of the class chosen: ECE"
        how = f"{self.bins} equal-{self.binning} bins, {percent(self.level)} intervals"
        return Table(f"Calibration {of} {show(self.ece)} ({how})", self.columns, self.backend)

    @property
    def off(self) -> tuple[str, ...]:
        """The classes whose probabilities are wrong as far as these rows tell."""
        return tuple(name for name, calibration in self.judged.items() if calibration.signs)

    @property
    def verdict(self) -> Note:
        """Whether the probabilities are right, as far as these rows tell."""
        stated, observed = (dict(zip(self.columns["class"], self.columns[k], strict=True)) for k in STATED)
        if self.kind == "top label":
            ratio = self.judged[CHOSEN].observed_expected
            side = "too_sure" if ratio.high < 1 else "too_unsure" if ratio.low > 1 else "as_sure"
            return note(f"choice_{side}", stated=stated[CHOSEN], observed=observed[CHOSEN])
        number, off = len(self.judged), self.off
        if not off:
            return note("classes_no_sign", classes=number, level=self.level, ece=self.ece)
        signs = [
            note("class_sign", label=name, sign=_sign(self.judged[name]), stated=stated[name], observed=observed[name])
            for name in off[:MOST_SAID]
        ]
        more = len(off) - len(signs)
        code = "classes_off_more" if more else "classes_off"
        return note(code, off=len(off), classes=number, said=together(tuple(signs)), more=more)

    def parts(self) -> list[Table | Note]:
        """Return the table and the verdict."""
        return [self.table, self.verdict]

    def content(self) -> dict[str, Any]:
        """Return all numbers and the verdict, JSON-safe."""
        facts = {k: json_safe(getattr(self, k)) for k in ("kind", "ece", "bins", "binning", "level")}
        return {**facts, "rows": self.table.content()["rows"], "verdict": self.verdict.to_dict()}


def _sign(judged: Calibration) -> Note:
    """Say in a few words in what way the probabilities of a class are wrong: the first sign of `Calibration`."""
    sign = judged.signs[0]
    return note(f"class_{sign.code}", **({"slope": judged.slope.value} if sign.code in OF_SLOPE else {}))


def calibration_of(m: Multiclass, kind: Kind, bins: int, binning: Binning, level: float) -> ClassCalibration:
    """Judge each class's probability against the rest, or that of the class chosen, whichever it is."""
    if m.weight is not None and not m.weight.all():
        m = m.take(np.flatnonzero(m.weight))  # a resample leaves rows out
    p = m.need_probabilities("Calibration").probabilities
    one_of("binning", binning, ("width", "count"))
    level = real("level", level, 0, 1, closed=False)
    if kind == "classwise":
        names, counted = class_names(m.classes), m.occurs
        rows = [m.two_classes(m.is_of(k), column) for k, column in enumerate(p)]
    else:
        names, counted, p = [CHOSEN], np.array([True]), p.max(axis=0, keepdims=True)
        rows = [m.two_classes(m.truth == m.predicted, p[0])]
    each = 1 - (1 - level) / np.count_nonzero(counted)  # Bonferroni: all intervals hold at once
    judged = {
        name: calibration(some, bins=bins, binning=binning, level=each, replicates=0)
        for name, some, there in zip(names, rows, counted, strict=True)
        if there
    }
    sweeps = [sweep_of(some) for some in rows]
    ece, mce = ([bound(name, {"bins": bins, "binning": binning})(s) for s in sweeps] for name in ("ece", "mce"))
    columns: dict[str, list[Any]] = {
        "class": names,
        "rows": [s.n for s in sweeps],
        "mean_probability": [over_rows(column, m.weight) for column in p],
        "observed": [s.prevalence for s in sweeps],
    }
    for name, attribute in (("observed_expected", "observed_expected"), ("calibration_slope", "slope")):
        estimates = [getattr(judged.get(n), attribute, None) for n in names]
        columns[name] = [None if e is None or not e.is_defined else e.value for e in estimates]
        for end in ("low", "high"):
            columns[f"{name}_{end}"] = [None if e is None or not e.has_interval else getattr(e, end) for e in estimates]
    columns |= {"ece": ece, "largest_gap": mce}
    mean = math.fsum(np.array(ece)[counted]) / np.count_nonzero(counted)
    return ClassCalibration(kind, mean, bins, binning, level, columns, judged, m.backend)
