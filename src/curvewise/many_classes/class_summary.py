"""All numbers of many classes with their intervals, the classes one by one, and the confusion matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.core.registry import bound, find
from curvewise.errors import CurvewiseError, nearest
from curvewise.inference.interval import estimate_of
from curvewise.inference.limits import from_replicates, logit_wald
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, whole
from curvewise.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.core.confusion import Confusion
    from curvewise.errors import Note
    from curvewise.many_classes.class_rows import ClassRows
    from curvewise.many_classes.confusion_matrix import ConfusionMatrix
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.many_classes.multilabel import Multilabel
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang

    Ends = tuple[float | None, float | None]

RATES = ("precision", "recall")  # what each class has an interval of, beside its AUC


@dataclass(frozen=True, eq=False, repr=False)
class ClassSummary(Result):
    """What many classes have to say, as `Multiclass.summary` and `Multilabel.summary` return it.

    Attributes
    ----------
    title
        How many rows and classes there are.
    average
        The kind of mean over classes.
    estimates
        Every number by name, with its interval where it was asked for.
    each
        Each class or label against the rest.
    matrix
        The confusion matrix, where a row has one class.
    """

    title: str
    average: str
    estimates: dict[str, Estimate]
    each: Table
    matrix: ConfusionMatrix | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = None

    @property
    def table(self) -> Table:
        """Every number with its meaning, or why it is undefined."""
        found = self.estimates.values()
        columns: dict[str, list[Any]] = {"metric": list(self.estimates), "value": [e.value for e in found]}
        title = f"{self.title}, {self.average} means"
        if any(e.has_interval for e in found):
            columns["low"] = [e.low if e.has_interval else None for e in found]
            columns["high"] = [e.high if e.has_interval else None for e in found]
            title += f" ({100 * next(iter(found)).level:.4g} % intervals)"
        columns["meaning"] = [self.meaning(e) for e in found]
        return Table(title, columns, self.backend)

    def meaning(self, found: Estimate, lang: Lang = "en") -> str:
        """Return what one of the numbers says, or why it is undefined."""
        if math.isnan(found.value) and found.reason is not None:
            return f"undefined: {found.reason.text(lang)}"
        key, say = f"many.meaning.{found.metric}", words(lang)
        if key in say:
            return say(key, average=self.average)
        return f"{find(found.metric).meaning(lang, found.value)}, {self.average}"

    def tables(self) -> list[Table]:
        """Return the numbers of all classes, and of each."""
        return [self.table, self.each]

    def parts(self) -> list[Table | Note]:
        """Return the numbers, each class with its intervals in brackets, the matrix, and the notes."""
        matrix = [] if self.matrix is None else [self.matrix.table]
        return [self.table, _in_brackets(self.each), *matrix, *self.notes]

    def full_name(self, name: str) -> str:
        """Return the name here of a metric that is called by any of its names."""
        key = name.casefold().replace("-", "_")
        if key in self.estimates:
            return key
        try:
            found = find(name).name
        except CurvewiseError:
            found = ""
        if found in self.estimates:
            return found
        close = nearest(name, self.estimates, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(self.estimates)}."
        raise CurvewiseError(f"metric: {name!r} is not among these numbers; {hint}")

    def content(self) -> dict[str, Any]:
        """Return all numbers, JSON-safe."""
        metrics = [
            {
                "metric": name,
                **{k: json_safe(getattr(e, k)) for k in ("value", "low", "high")},
                "meaning": self.meaning(e),
                "reason": json_safe(e.reason),
            }
            for name, e in self.estimates.items()
        ]
        found = {"average": self.average, "metrics": metrics, "each": self.each.content()["rows"]}
        matrix = {} if self.matrix is None else self.matrix.content()
        return {**found, **matrix, "notes": json_safe(self.notes)}


def _in_brackets(each: Table) -> Table:
    """Write the ends of intervals behind their values."""
    columns: dict[str, list[Any]] = {}
    for name, values in each.columns.items():
        low, high = (each.columns.get(f"{name}_{end}") for end in ("low", "high"))
        if name.removesuffix("_low").removesuffix("_high") != name:
            continue
        if low is None or high is None or all(end is None for end in low):
            columns[name] = values
            continue
        columns[name] = [
            show(v) if a is None else f"{show(float(v))} ({show(float(a))} to {show(float(b))})"
            for v, a, b in zip(values, low, high, strict=True)
        ]
    if not any(columns.get("undefined", [])):
        columns.pop("undefined", None)
    return Table(each.title, columns, each.backend)


def each_class(m: Multiclass, level: float, rng: Any, replicates: int, *, intervals: bool) -> Table:
    """Return each class against the rest, with the intervals of its rates and of its AUC."""
    level = real("level", level, 0, 1, closed=False)
    resampled = {} if m.is_plain or not intervals else _resampled_rates(m, level, rng, replicates)
    rows = []
    for k, name in enumerate(m.classes):
        c = m.matrix.of(name)
        row: dict[str, Any] = {"rows": c.positives, "prevalence": c.prevalence, "predicted": c.tp + c.fp}
        for rate, total in zip(RATES, (c.tp + c.fp, c.positives), strict=True):
            ends: Ends = resampled.get((k, rate), (None, None))
            if m.is_plain and total:
                ends = rate_interval(c.tp, total, level=level)
            row |= {rate: getattr(c, rate), f"{rate}_low": ends[0], f"{rate}_high": ends[1]}
        row["f1"] = c.f1
        if m.ready is not None:
            row |= _areas(m, k, level, intervals=True)
        rows.append(row | {"undefined": _empty(c, "no row is of this class", None, "no row is predicted so")})
    title = f"Each class against the rest ({100 * level:.4g} % intervals)"
    return _table(title, {"class": class_names(m.classes)}, rows, m.backend)


def each_label(m: Multilabel, threshold: float) -> Table:
    """Return each label, flagged at a threshold."""
    flags, rows = m.at(threshold), []
    for k in range(len(m.labels)):
        c = flags.of_place(k)
        row: dict[str, Any] = {"rows": c.positives, "prevalence": c.prevalence, "flagged": c.tp + c.fp}
        row |= {name: getattr(c, name) for name in (*RATES, "f1")} | _areas(m, k, 0.95, intervals=False)
        rows.append(
            row | {"undefined": _empty(c, "no row is positive", "no row is negative", "no row is flagged")}
        )
    return _table(
        f"Each label, flagged at {threshold:g} or more", {"label": class_names(m.labels)}, rows, m.backend
    )


def _table(
    title: str, names: dict[str, list[Any]], rows: Sequence[dict[str, Any]], backend: str | None
) -> Table:
    return Table(title, {**names, **{k: [row[k] for row in rows] for k in rows[0]}}, backend)


def _areas(m: ClassRows, k: int, level: float, *, intervals: bool) -> dict[str, Any]:
    """Return AUC and average precision of one class, NaN where they are undefined."""
    sweep = m.sweep_at(k)
    found: dict[str, Any] = {}
    if intervals:
        auc = estimate_of(bound("roc_auc"), sweep if m.is_plain else m.rows(m.names[k]), level=level)
        ends: Ends = (auc.low, auc.high) if auc.has_interval else (None, None)
        found = {"roc_auc": auc.value, "roc_auc_low": ends[0], "roc_auc_high": ends[1]}
    for name in ("average_precision",) if intervals else ("roc_auc", "average_precision"):
        try:
            found[name] = bound(name)(sweep)
        except CurvewiseError:
            found[name] = math.nan
    return found


def _resampled_rates(m: Multiclass, level: float, rng: Any, replicates: int) -> dict[tuple[int, str], Ends]:
    """Return the intervals of every class's rates, all from the same resamples."""

    def rates(some: Multiclass) -> NDArray[np.float64]:
        right = np.diag(some.matrix.counts)
        totals = (some.matrix.counts.sum(axis=axis) for axis in (0, 1))
        with np.errstate(invalid="ignore"):
            return np.stack([right / total for total in totals], axis=1)

    drawn, _ = m.replicate(rates, whole("replicates", replicates, 2), rng)
    found: dict[tuple[int, str], Ends] = {}
    for k, values in enumerate(rates(m).tolist()):
        for j, (name, place) in enumerate(zip(RATES, (m.predicted, m.truth), strict=True)):
            own = drawn[~np.isnan(drawn[:, k, j]), k, j]
            if values[j] in (0, 1):  # every resample agrees, which says nothing: the bound does
                found[k, name] = logit_wald(values[j], 0.0, level, m.units(place == k))
            elif len(own) > replicates / 2 and not math.isnan(values[j]):
                found[k, name] = from_replicates("percentile", values[j], own, level, lambda: np.zeros(0))
    return found


def _empty(c: Confusion, positive: str, negative: str | None, flagged: str) -> str | None:
    """Say which rows are missing."""
    said = ((c.positives, positive), (c.negatives, negative), (c.tp + c.fp, flagged))
    return " and ".join(words for total, words in said if total == 0 and words) or None
