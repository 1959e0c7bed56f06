"""Metrics by group as a result: a row a group, and how far the groups lie apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.equality import equality, p_equal
from curvewise.breakdown.widest import widest
from curvewise.errors import CurvewiseError
from curvewise.inference.interval import FEW
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.breakdown.grouped import Partition
    from curvewise.breakdown.measures import Measure
    from curvewise.core.sweep import Sweep
    from curvewise.inference.comparison import Comparison
    from curvewise.results.estimate import Estimate

ALL = "(all)"


@dataclass(frozen=True)
class Group:
    """The rows of one group: their sweep, and an estimate of each metric (NaN with a reason if undefined)."""

    column: str
    name: str
    label: Any
    sweep: Sweep = field(repr=False)
    estimates: dict[str, Estimate] = field(repr=False)

    @property
    def is_small(self) -> bool:
        """Whether a class has so few rows that any interval is shaky."""
        return min(self.sweep.positives, self.sweep.negatives) < FEW

    @property
    def note(self) -> str:
        """What to know before reading the group's numbers."""
        if not self.is_small:
            return ""
        rarer = "positives" if self.sweep.positives <= self.sweep.negatives else "negatives"
        few = math.floor(min(self.sweep.positives, self.sweep.negatives))
        return f"small: {few} {rarer if few != 1 else rarer[:-1]}"

    def why(self, metric: str) -> str:
        """Say why a metric or its interval is undefined here, if it is."""
        e = self.estimates[metric]
        return "; ".join(e.notes) if math.isnan(e.value) or math.isnan(e.low) else ""


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result):
    """Every metric of every group, made by `curvewise.by_group`.

    Attributes
    ----------
    breakdowns
        The groups of each column; with several columns, those of their combinations come last.
    overall
        All rows together, as one more group.
    metrics, threshold, level
        What was asked for.
    dropped
        How many rows with a missing label, score or weight were left out.
    """

    breakdowns: dict[str, tuple[Group, ...]]
    overall: Group
    measures: dict[str, Measure]
    level: float
    threshold: float | None = None
    dropped: int = 0
    partitions: dict[str, Partition] = field(default_factory=dict)
    resampling: tuple[int, int] = (0, 500)  # seed, replicates

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self.measures)

    def groups(self, column: str | None = None) -> tuple[Group, ...]:
        """Return the groups of a column; it need not be named where there is one."""
        return self.breakdowns[self._column(column)]

    def gap(self, metric: str, *, reference: object = None, column: str | None = None) -> Estimate:
        """Return how far apart the groups are in a metric.

        Parameters
        ----------
        metric
            One of ``metrics``.
        reference
            None (default): the largest minus the smallest of all groups, never negative. The name of a
            group: the group that is farthest from it, minus it. ``"rest"``: the group that is farthest from
            all other rows together, minus those.
        column
            Which column's groups, where there are several.

        Returns
        -------
        Estimate
            NaN, with the reason in ``notes``, if the metric is undefined in a group.

        Notes
        -----
        A pair's interval is Newcombe's hybrid score method for rates, and its generalisation (MOVER) for
        the rest. Where the widest of several differences is picked, intervals are widened so that all hold
        at once (studentised range, or Bonferroni against a reference). The largest minus the smallest of
        several groups is not 0 even if all are equal: a note says how wide chance alone would make it.

        References
        ----------
        Newcombe (1998) Statist. Med. 17:873-890. Zou & Donner (2008) Statist. Med. 27:1693-1702.
        """
        return widest(self, self._metric(metric), self._column(column), reference, ratio=False)

    def ratio(self, metric: str, *, reference: object = None, column: str | None = None) -> Estimate:
        """Return the smallest over the largest of a metric, or the group farthest from a reference over it.

        The four-fifths rule asks for a ratio of predicted rates of at least 0.8. Parameters, result and
        widening are as in `gap`; the interval is MOVER-R.

        References
        ----------
        Donner & Zou (2012) Stat. Methods Med. Res. 21:347-359.
        """
        return widest(self, self._metric(metric), self._column(column), reference, ratio=True)

    def tests(self, metric: str, *, column: str | None = None) -> Comparison:
        """Test that all groups are equal in a metric, and every pair of them with Holm's correction.

        Rates by Pearson's chi-square; all else by the standard errors of the groups (Cochran's Q). Groups
        in which the metric is undefined are left out, and named in ``notes``.
        """
        return equality(self, self._metric(metric), self._column(column))

    def gaps(self, *, reference: object = None, column: str | None = None) -> Table:
        """Return gap, ratio and the test of equality of every metric, a row each."""
        name = self._column(column)
        rows = []
        for metric in self.metrics:
            gap = self.gap(metric, reference=reference, column=name)
            ratio = self.ratio(metric, reference=reference, column=name)
            note = "; ".join(gap.notes)
            rows.append([metric, gap.value, gap.low, gap.high, ratio.value, ratio.low, ratio.high])
            rows[-1] += [p_equal(self, self.measures[metric], name), note]
        head = ["metric", "gap", "low", "high", "ratio", "ratio_low", "ratio_high", "p_equal", "note"]
        against = "largest minus smallest" if reference is None else f"against {reference}"
        title = f"Gaps of {name}, {against} ({100 * self.level:.4g} % intervals)"
        return Table(title, dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)))

    @property
    def table(self) -> Table:
        """Every number: a row for each metric of each group."""
        head = ["column", "group", "n", "positives", "prevalence", "metric", "value", "low", "high", "note"]
        rows = [
            [
                *(g.column, g.name, g.sweep.n, g.sweep.positives, g.sweep.prevalence),
                *(metric, e.value, e.low, e.high),
                "; ".join(filter(None, (g.why(metric), g.note))),
            ]
            for g in self._all()
            for metric, e in g.estimates.items()
        ]
        columns = dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))
        return Table(f"Metrics by group ({100 * self.level:.4g} % intervals)", columns)

    @property
    def wide(self) -> Table:
        """The same for reading: a row for each group, a column for each metric."""
        columns: dict[str, list[Any]] = {
            "group": [g.name for g in self._all()],
            "n": [g.sweep.n for g in self._all()],
            "positives": [g.sweep.positives for g in self._all()],
            "prevalence": [g.sweep.prevalence for g in self._all()],
        }
        if len(self.breakdowns) > 1:
            columns = {"column": [g.column for g in self._all()], **columns}
        for metric in self.metrics:
            columns[metric] = [written(g.estimates[metric]) for g in self._all()]
        columns["note"] = [g.note for g in self._all()]
        at = "" if self.threshold is None else f" at threshold {show(float(self.threshold))}"
        return Table(f"Metrics by group{at} ({100 * self.level:.4g} % intervals)", columns)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return ``table`` as a frame."""
        return self.table.to_frame(backend or self.overall.sweep.backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            "level": self.level,
            "threshold": None if self.threshold is None else json_safe(float(self.threshold)),
            "dropped": self.dropped,
            "groups": [
                {
                    "column": g.column,
                    "group": g.name,
                    "n": g.sweep.n,
                    "positives": g.sweep.positives,
                    "prevalence": g.sweep.prevalence,
                    "small": g.is_small,
                    "metrics": {m: e.to_dict() for m, e in g.estimates.items()},
                }
                for g in self._all()
            ],
            "gaps": {name: self.gaps(column=name).to_dict()["rows"] for name in self.breakdowns},
        }

    def __str__(self) -> str:
        return "\n".join([str(self.wide), *self._reasons])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        reasons = "".join(f"<p>{escape(line)}</p>" for line in self._reasons)
        return self.wide._repr_html_() + reasons

    @cached_property
    def _reasons(self) -> list[str]:
        """Say what is undefined and why, each reason once."""
        by_reason: dict[tuple[str, str], list[str]] = {}
        for g in self._all():
            for metric in self.metrics:
                if g.why(metric):
                    by_reason.setdefault((metric, g.why(metric)), []).append(g.name)
        return [
            f"note: {metric} or its interval is undefined in {listed(names)}: {why}"
            for (metric, why), names in by_reason.items()
        ]

    def _all(self) -> list[Group]:
        return [self.overall, *(g for groups in self.breakdowns.values() for g in groups)]

    def _metric(self, metric: str) -> Measure:
        if metric not in self.measures:
            raise CurvewiseError(
                f"metric: expected one of {', '.join(self.metrics)}, got {shown(metric)}; "
                "ask for others with metrics=."
            )
        return self.measures[metric]

    def _column(self, column: str | None) -> str:
        names = list(self.breakdowns)
        if column is None and len(names) == 1:
            return names[0]
        if column not in names:
            choices = ", ".join(map(repr, names))
            raise CurvewiseError(f"column: expected one of {choices}, got {shown(column)}.")
        return str(column)


def written(estimate: Estimate) -> str:
    """Write an estimate for a cell."""
    if math.isnan(estimate.low):
        return show(estimate.value)
    return f"{show(estimate.value)} ({show(estimate.low)} to {show(estimate.high)})"


def listed(names: list[str], most: int = 5) -> str:
    """Write the first names of a list."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
