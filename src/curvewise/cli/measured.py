"""The answer of ``curvewise metrics`` as data: what was asked, what the rows are, every number."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from curvewise._version import __version__
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from curvewise.cli.bars import Found
    from curvewise.cli.layout import Grid

SCHEMA = "curvewise.metrics"
VERSION = 1


@dataclass(frozen=True)
class Value:
    """One number with what it says; NaN comes with the reason."""

    metric: str
    value: float
    meaning: str
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """The confusion table of one score at one threshold."""

    threshold: float
    rule: str
    counts: dict[str, float]
    intervals: str
    metrics: list[Value]


@dataclass(frozen=True)
class Scored:
    """Everything about one score."""

    name: str
    distinct_scores: int
    metrics: list[Value]
    thresholds: list[Cut]

    def number(self, metric: str) -> float:
        """Return the value of a metric of the whole ranking."""
        return next(v.value for v in self.metrics if v.metric == metric)


@dataclass(frozen=True)
class Report:
    """The whole answer.

    ``notes`` say how the file was read; ``remarks`` belong under the numbers.
    """

    source: str
    options: dict[str, Any]
    data: dict[str, float]
    scores: list[Scored]
    notes: list[str]
    remarks: list[str] = field(default_factory=list)

    def parts(self) -> list[Grid | str]:
        """Return tables and sentences in reading order."""
        from curvewise.cli.layout import layout  # noqa: PLC0415 - the layout knows the report

        return layout(self)

    def long(self) -> list[list[Any]]:
        """Return a header and one row a number."""
        rows: list[list[Any]] = [["score", "threshold", "metric", "value", "low", "high"]]
        for s in self.scores:
            facts = {**self.data, "distinct_scores": s.distinct_scores}
            rows += [[s.name, "", fact, number, "", ""] for fact, number in facts.items()]
            rows += [[s.name, "", v.metric, v.value, v.low, v.high] for v in s.metrics]
            for cut in s.thresholds:
                rows += [[s.name, cut.threshold, k, number, "", ""] for k, number in cut.counts.items()]
                rows += [[s.name, cut.threshold, v.metric, v.value, v.low, v.high] for v in cut.metrics]
        return rows

    def numbers(self) -> Found:
        """Return the numbers of each score, for ``--fail-under``."""
        return {
            s.name: [
                *((v.metric, "", v.value) for v in s.metrics),
                *((v.metric, f" at {cut.threshold}", v.value) for cut in s.thresholds for v in cut.metrics),
            ]
            for s in self.scores
        }

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-safe dict; an undefined value is None, an infinite one the text ``inf``."""
        body: dict[str, Any] = _safe(asdict(self))
        return {"schema": SCHEMA, "version": VERSION, "curvewise": __version__, **body}


def _safe(value: object) -> Any:
    if isinstance(value, dict):
        return {k: _safe(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_safe(v) for v in value]
    return json_safe(value)
