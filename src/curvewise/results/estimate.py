"""A number with its interval, and how both were made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.results.numbers import digits_between, exactly, percent, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.errors import Note


SHOWN_AS = {"delong": "score interval, DeLong's variance", "delong-wald": "DeLong's Wald interval"}  # methods


@dataclass(frozen=True, repr=False)
class Estimate(Result, schema="estimate"):
    """A value with a confidence interval that remembers its method.

    Attributes
    ----------
    metric
        What was estimated.
    value, low, high
        The estimate and the ends of its interval; NaN where the data do not define them.
    level
        The confidence level of the interval.
    method
        How the interval was made; None where there is none, and ``reason`` says why.
    standard_error
        Of the value, where the method has one.
    replicates
        How many resamples, where the method resamples.
    notes
        What a careful reader should know: few rows of a class, perfect separation, many ties.
    reason
        Why there is no value, or no interval.
    horizon
        The time by which outcomes count, where they are censored.
    """

    metric: str
    value: float
    low: float
    high: float
    level: float
    method: str | None
    standard_error: float | None = None
    replicates: int | None = None
    notes: tuple[Note, ...] = ()
    reason: Note | None = None
    horizon: float | None = field(default=None, repr=False)

    def __float__(self) -> float:
        return float(self.value)

    @property
    def is_defined(self) -> bool:
        """Whether the data define the value."""
        return not math.isnan(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval."""
        return not math.isnan(self.low)

    @property
    def table(self) -> Table:
        """One row."""
        names = ("metric", "value", "low", "high", "level", "method", "standard_error", "replicates")
        return Table("", {name: [getattr(self, name)] for name in names})

    def brief(self) -> str:
        """Return the value with its interval in brackets: ``0.85 (0.79 to 0.91)``."""
        value, ends = self._shown()
        return f"{value} ({ends})" if self.has_interval else value

    def _shown(self) -> tuple[str, str]:
        """Write the value, and the ends of its interval, with digits that show how wide it is."""
        digits = digits_between(self.low, self.high)
        value, low, high = (show(float(number), digits) for number in (self.value, self.low, self.high))
        return value, f"{low} to {high}"

    def __str__(self) -> str:
        at = "" if self.horizon is None else f" at {exactly(self.horizon)}"
        value, ends = self._shown()
        text = f"{self.metric}{at} {value}"
        if self.has_interval:
            method = SHOWN_AS.get(str(self.method), self.method)
            how = method if self.replicates is None else f"{method}, {self.replicates} replicates"
            text += f", {percent(self.level)} interval {ends} ({how})"
        remarks = [*self.notes, *([self.reason] if self.reason else [])]
        return "\n".join([text, *(f"  note: {note}" for note in remarks)])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def content(self) -> dict[str, Any]:
        """Return the fields, JSON-safe; the horizon where there is one."""
        at = {} if self.horizon is None else {"horizon": self.horizon}
        return {**super().content(), **at}

    def without_interval(self, reason: Note | None = None) -> Estimate:
        """Return the value alone, perhaps with the reason why it has no interval."""
        return replace(self, low=math.nan, high=math.nan, method=None, standard_error=None, reason=reason)


def value_alone(name: str, value: float, level: float, reason: Note | None, notes: tuple[Note, ...] = ()) -> Estimate:
    """Return a value without an interval, and why it has none."""
    return Estimate(name, value, math.nan, math.nan, level, None, notes=notes, reason=reason)


def undefined(metric: str, level: float, reason: Note) -> Estimate:
    """Return the estimate of what the data do not define."""
    return value_alone(metric, math.nan, level, reason)
