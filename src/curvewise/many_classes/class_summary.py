"""All numbers of many classes with their intervals, the classes one by one, and the confusion matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.core.registry import find
from curvewise.errors import CurvewiseError, nearest
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.words import words

if TYPE_CHECKING:
    from curvewise.errors import Note
    from curvewise.many_classes.confusion_matrix import ConfusionMatrix
    from curvewise.results.estimate import Estimate
    from curvewise.words import Lang


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
        columns["meaning"] = [self._meaning(e) for e in found]
        return Table(title, columns, self.backend)

    def _meaning(self, found: Estimate, lang: Lang = "en") -> str:
        if math.isnan(found.value) and found.reason is not None:
            return f"undefined: {found.reason.text(lang)}"
        key, say = f"many.meaning.{found.metric}", words(lang)
        if key in say:
            return say(key, average=self.average)
        return f"{find(found.metric).meaning(lang, found.value)}, {self.average}"

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
                "meaning": self._meaning(e),
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
