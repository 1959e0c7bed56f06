"""What a breakdown by group found: every metric of every group, gaps, tests of equality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curvewise.breakdown.group_gaps import Member, because, compare_groups, gap_of, listed, members_of, p_equal, rest_of
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.comparison import Comparison, holm_corrected
from curvewise.inference.interval import FEW, intervals_of
from curvewise.metric.registry import Bound, known
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.inference.many_intervals import ManySweeps
    from curvewise.results.estimate import Estimate
    from curvewise.rows.rows import Rows

OBSERVED_EXPECTED, IN_THE_LARGE = "observed_expected", "calibration_in_the_large"
CALIBRATION = (OBSERVED_EXPECTED, IN_THE_LARGE)
METRIC = ("metric", "value", "low", "high")


class AnyGroup(Result):
    """What a group of two classes and one of many share: an estimate of each metric."""

    column: str
    name: str
    label: Any
    estimates: dict[str, Estimate]
    units: tuple[float, ...]  # what is independent in each class

    @property
    def sizes(self) -> dict[str, float]:
        """Its rows."""
        raise NotImplementedError

    @property
    def is_small(self) -> bool:
        """Whether a class has so few rows, or clusters, that any interval is unreliable."""
        return min(self.units) < FEW

    def why(self, metric: str) -> Note | None:
        """Say why a metric or its interval is undefined here, if it is."""
        e = self.estimates[metric]
        return None if e.has_interval else because(e.reason)

    @property
    def table(self) -> Table:
        """One row per metric."""
        shared = (self.column, self.name, *self.sizes.values())
        rows = [
            [*shared, metric, e.value, e.low, e.high, remarks(self.why(metric), *self.notes)]
            for metric, e in self.estimates.items()
        ]
        return Table(self.name, columns_of(["column", "group", *self.sizes, *METRIC, "note"], rows))


@dataclass(frozen=True, eq=False, repr=False)
class Group(AnyGroup, schema="group"):
    """The rows of one group: their sweep, and an estimate of each metric (NaN with a reason if undefined).

    ``units`` counts what is independent among its positives and negatives: clusters, or rows.
    """

    column: str
    name: str
    label: Any
    sweep: Sweep = field(repr=False)
    estimates: dict[str, Estimate]
    units: tuple[float, float]
    notes: tuple[Note, ...] = ()

    @property
    def sizes(self) -> dict[str, float]:
        """Its rows, positives and prevalence; at a horizon rows, not weights, and how many are unknown."""
        return sizes_of(self.sweep)

    def content(self) -> dict[str, Any]:
        """Return counts and metrics, JSON-safe."""
        found = json_safe({"metrics": self.estimates, "notes": self.notes})
        return {"column": self.column, "group": self.name, **self.sizes, "small": self.is_small, **found}


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Result, schema="groups"):
    """Every metric of every group, made by `curvewise.by_group`.

    ``breakdowns`` has the groups of each column, those of the combinations of several columns last;
    ``overall`` is all rows together, as one more group; ``dropped`` counts rows with a missing label, score
    or weight that were left out.
    """

    what: ClassVar[str] = "Metrics by group"

    breakdowns: dict[str, tuple[Any, ...]]
    overall: Any
    targets: dict[str, Bound] = field(repr=False)
    level: float
    threshold: float | None
    dropped: int
    partitions: dict[str, Any] = field(repr=False)
    is_plain: bool
    replicates: int
    seed: int
    backend: str | None = field(default=None, repr=False)
    correlations: dict[tuple[str, str, bool], NDArray[np.float64] | None] = field(default_factory=dict, repr=False)
    notes: tuple[Note, ...] = ()
    side_by_side: dict[str, ManySweeps | None] = field(default_factory=dict, repr=False)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self.targets)

    def groups(self, column: str | None = None) -> tuple[Any, ...]:
        """Return the groups of a column; it need not be named where there is one."""
        return self.breakdowns[self._column(column)]

    def gap(self, metric: str, *, reference: object = None, column: str | None = None) -> Estimate:
        """Return how far apart the groups are in a metric; NaN, with a ``reason``, if one does not define it.

        Parameters
        ----------
        metric, column
            One of ``metrics``, by any of its names; which column's groups, where there are several.
        reference
            None (default): the largest minus the smallest of all groups, never negative. The name of a
            group: the group that is farthest from it, minus it. ``"rest"``: the group that is farthest from
            all other rows together, minus those.

        Notes
        -----
        A pair's interval is Newcombe's hybrid score method for rates, and its generalisation (MOVER) for
        the rest. Where the largest of several differences is picked, intervals are widened so that all hold
        at once (studentised range, or Bonferroni against a reference). The largest minus the smallest of
        several groups is not 0 even if all are equal: a note says how large chance alone would make it.

        Where a cluster has rows in several groups (a patient seen at two ages), their estimates go together:
        whole clusters are resampled for all groups at once, and the correlation found enters the interval.

        References
        ----------
        Newcombe (1998) Statist. Med. 17:873-890. Zou & Donner (2008) Statist. Med. 27:1693-1702.
        """
        return gap_of(self, self._target(metric), self._column(column), reference, ratio=False)

    def ratio(self, metric: str, *, reference: object = None, column: str | None = None) -> Estimate:
        """Return the smallest over the largest of a metric, or the group farthest from a reference over it.

        The four-fifths rule asks for a ratio of predicted rates of at least 0.8. As in `gap`; the interval is
        MOVER-R (Donner & Zou 2012, Stat. Methods Med. Res. 21:347-359).
        """
        return gap_of(self, self._target(metric), self._column(column), reference, ratio=True)

    def tests(self, metric: str, *, column: str | None = None) -> Comparison:
        """Test that all groups are equal in a metric, and every pair of them with Holm's correction.

        A test is the other side of an interval: all groups are equal at p where the interval of `gap` at the level
        1 - p ends at 0 (the range of all groups), and p is below 1 - level exactly where the gap's interval excludes
        0. ``statistic`` is the normal deviate, or the chi-square, that has this p-value. Each pair has the plain
        interval of its difference. Groups in which the metric is undefined are left out, and named in ``notes``. Of
        more than 1000 groups no pairs are listed.
        """
        return compare_groups(self, self._target(metric), self._column(column))

    def gaps(self, *, reference: object = None, column: str | None = None) -> Table:
        """Return gap, ratio and the test of equality of every metric, one row each.

        ``p_equal`` is the p-value of all groups being equal. Of several metrics or columns one will be small
        by chance: ``p_holm`` is corrected for all of them (Holm), so that it may be compared with 0.05.
        """
        name = self._column(column)
        rows = []
        for metric in self.metrics:
            gap, ratio = (ask(metric, reference=reference, column=name) for ask in (self.gap, self.ratio))
            rows.append([metric, gap.value, gap.low, gap.high, ratio.value, ratio.low, ratio.high])
            rows[-1] += [*self._p_values[name, metric], remarks(gap.reason, *gap.notes)]
        head = ["metric", "gap", "low", "high", "ratio", "ratio_low", "ratio_high"]
        head += ["p_equal", "p_holm", "note"]
        against = "largest minus smallest" if reference is None else f"against {reference}"
        title = f"Gaps of {name}, {against} ({percent(self.level)} intervals)"
        return Table(title, columns_of(head, rows), self.backend)

    @property
    def table(self) -> Table:
        """Every number: one row for each metric of each group."""
        parts = [g.table.columns for g in self.every_group()]
        columns = {name: [v for part in parts for v in part[name]] for name in parts[0]}
        return Table(f"{self.what} ({percent(self.level)} intervals)", columns, self.backend)

    @property
    def wide(self) -> Table:
        """The same for reading: one row per group, one column per metric."""
        rows: list[dict[str, Any]] = []
        for g in self.every_group():
            column = {"column": g.column} if len(self.breakdowns) > 1 else {}
            values = {m: g.estimates[m].brief() for m in self.metrics}
            rows.append({**column, "group": g.name, **g.sizes, **values, "note": remarks(*g.notes)})
        at = "" if self.threshold is None else f" at threshold {show(as_float(self.threshold))}"
        return Table(f"{self.what}{at} ({percent(self.level)} intervals)", stacked(rows))

    def parts(self) -> list[Table | Note]:
        """Return one row per group, and what is undefined and why, each reason once."""
        by_reason: dict[tuple[str, str], tuple[Note, list[str]]] = {}
        for g in self.every_group():
            for metric, why in ((m, g.why(m)) for m in self.metrics):
                if why is not None:
                    by_reason.setdefault((metric, str(why)), (why, []))[1].append(g.name)
        reasons = [
            note("undefined_for", metric=metric, groups=listed(names), why=why)
            for (metric, _), (why, names) in by_reason.items()
        ]
        gaps = [note("gaps_describe")] if any(len(groups) > 1 for groups in self.breakdowns.values()) else []
        return [self.wide, *reasons, *self.notes, *gaps]

    def content(self) -> dict[str, Any]:
        """Return all groups and gaps, JSON-safe."""
        return {
            "level": self.level,
            "threshold": None if self.threshold is None else json_safe(as_float(self.threshold)),
            "dropped": self.dropped,
            "groups": [g.content() for g in self.every_group()],
            "gaps": {name: self.gaps(column=name).content()["rows"] for name in self.breakdowns},
            "notes": json_safe(self.notes),
        }

    def every_group(self) -> list[Any]:
        """Return all rows as a group, then the groups of each column."""
        return [self.overall, *(g for groups in self.breakdowns.values() for g in groups)]

    def estimate(self, target: Bound, sweep: Sweep, rows: Rows | None, level: float) -> Estimate:
        """Return a metric of any rows with its interval, made as those of the groups are."""
        return estimates_of([target], sweep, rows, level, self.seed, self.replicates)[target.name]

    def correlation(self, metric: str, column: str, *, rest: bool = False) -> NDArray[np.float64] | None:
        """Return how the estimates of groups go together: None, not at all, unless clusters have rows in several."""
        key = (metric, column, rest)
        if key not in self.correlations:
            part, target = self.partitions[column], self.targets[metric]
            self.correlations[key] = part.correlation(target, self.replicates, self.seed, rest=rest)
        return self.correlations[key]

    def members(
        self, column: str, places: Sequence[int], target: Bound, level: float, *, rest: bool = False
    ) -> list[Member]:
        """Return some groups of a column, or the rest of the rows for each, with ends of intervals at a level."""
        return (rest_of if rest else members_of)(self, column, places, target, level)

    def incomparable(self, metric: str, column: str) -> Note | None:  # noqa: ARG002 - of many classes alone
        """Say why the groups of a column cannot be compared in a metric, although each has a value."""
        return None

    @cached_property
    def _p_values(self) -> dict[tuple[str, str], tuple[float, float]]:
        """The p-value of equality of each metric in each column, plain and corrected for their number."""
        plain = {(c, m): p_equal(self, self.targets[m], c) for c in self.breakdowns for m in self.metrics}
        corrected = holm_corrected(list(plain.values()))
        return {key: (p, q) for (key, p), q in zip(plain.items(), corrected, strict=True)}

    def _target(self, metric: str) -> Bound:
        name = metric if isinstance(metric, str) else ""
        if name not in self.targets:
            name = getattr(known(name), "name", "")
        if name not in self.targets:
            names = ", ".join(self.metrics)
            raise CurvewiseError(f"metric: expected one of {names}, got {shown(metric)}; ask for others with metrics=.")
        return self.targets[name]

    def _column(self, column: str | None) -> str:
        names = list(self.breakdowns)
        if column is None and len(names) == 1:
            return names[0]
        if not isinstance(column, str) or column not in names:
            choices = ", ".join(map(repr, names))
            raise CurvewiseError(f"column: expected one of {choices}, got {shown(column)}.")
        return column


def sizes_of(sweep: Sweep) -> dict[str, float]:
    """Return rows, positives and prevalence; at a horizon rows, not weights, and how many are unknown."""
    if (here := sweep.horizon) is not None:
        known = {"n": here.cases + here.controls + here.unknown, "positives": here.cases}
        return {**known, "unknown": here.unknown, "prevalence": sweep.prevalence}
    return {k: getattr(sweep, k) for k in ("n", "positives", "prevalence")}


def estimates_of(
    targets: Iterable[Bound], sweep: Sweep, rows: Rows | None, level: float, seed: int, replicates: int
) -> dict[str, Estimate]:
    """Return metrics of one group: from its sweep, or from its rows where those are not plain."""
    source = sweep if rows is None else rows
    return intervals_of(targets, source, level=level, rng=seed, replicates=replicates)


def remarks(*notes: Note | None) -> str:
    """Write notes for a cell."""
    return "; ".join(str(n) for n in notes if n is not None)


def columns_of(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Turn rows into named columns."""
    return {name: [row[k] for row in rows] for k, name in enumerate(head)}


def stacked(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Turn rows that name their own cells, one or more, into columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}
