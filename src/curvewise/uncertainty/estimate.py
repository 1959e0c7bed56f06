"""A number with its interval, and how both were made."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from curvewise._table import json_safe, show


@dataclass(frozen=True)
class Estimate:
    """A value with a confidence interval that remembers its method.

    Attributes
    ----------
    metric
        What was estimated.
    value, low, high
        The estimate and the ends of its interval.
    level
        The confidence level of the interval.
    method
        How the interval was made.
    standard_error
        Of the value, where the method has one.
    replicates
        How many resamples, where the method resamples.
    notes
        What a careful reader should know: few rows of a class, perfect separation, many ties.
    """

    metric: str
    value: float
    low: float
    high: float
    level: float
    method: str
    standard_error: float | None = None
    replicates: int | None = None
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        how = self.method if self.replicates is None else f"{self.method}, {self.replicates} replicates"
        text = (
            f"{self.metric} {show(self.value)}, {100 * self.level:.4g} % interval "
            f"{show(self.low)} to {show(self.high)} ({how})"
        )
        return "\n".join([text, *(f"  note: {note}" for note in self.notes)])

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe."""
        return {k: list(v) if isinstance(v, tuple) else json_safe(v) for k, v in asdict(self).items()}

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
