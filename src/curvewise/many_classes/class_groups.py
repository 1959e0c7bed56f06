"""Numbers of many classes by group: the same resamples for all groups, gaps and tests of equality."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.breakdown.by_group import ALL
from curvewise.breakdown.group_gaps import Member, p_of_range, range_level, widest
from curvewise.breakdown.group_metrics import METRIC, columns_of, remarks, stacked
from curvewise.breakdown.pair_ends import farthest
from curvewise.core.resampling import replicate_draws
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, Word, note
from curvewise.inference.comparison import holm_corrected
from curvewise.inference.interval import FEW
from curvewise.inference.limits import critical_value
from curvewise.many_classes.class_metrics import ClassMetric, class_metric
from curvewise.many_classes.class_summary import MOST_CELLS, estimate
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.category import Category, category, combined, named_columns
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import Column, as_column, shown
from curvewise.rows.reading import check_aligned

if TYPE_CHECKING:
    from curvewise.many_classes.multiclass import Multiclass

METRICS = ("accuracy", "balanced_accuracy", "roc_auc")
OF_ROWS = ("accuracy", "kappa", "mcc", "top_k_accuracy", "log_loss", "brier_loss")  # no means over classes


@dataclass(frozen=True, eq=False, repr=False)
class ClassGroup(Result, schema="class_group"):
    """The rows of one group of a model of many classes, and an estimate of each number.

    ``n`` is how many rows, or how much weight, it has; ``absent`` names the classes that do not occur in it: means
    over classes leave them out there.
    """

    column: str
    name: str
    label: Any
    n: float
    absent: tuple[str, ...]
    estimates: dict[str, Estimate]
    notes: tuple[Note, ...] = ()

    @property
    def sizes(self) -> dict[str, float]:
        """Its rows."""
        return {"n": self.n}

    @property
    def table(self) -> Table:
        """One row per number."""
        rows = [
            [self.column, self.name, self.n, metric, e.value, e.low, e.high, remarks(e.reason, *self.notes)]
            for metric, e in self.estimates.items()
        ]
        return Table(self.name, columns_of(["column", "group", "n", *METRIC, "note"], rows))

    def content(self) -> dict[str, Any]:
        """Return size and numbers, JSON-safe."""
        found = json_safe({"absent": self.absent, "metrics": self.estimates, "notes": self.notes})
        return {"column": self.column, "group": self.name, "n": self.n, **found}


@dataclass(frozen=True, eq=False, repr=False)
class ClassGroups(Result, schema="class_groups"):
    """Numbers of many classes by group, made by ``multiclass(...).by_group``.

    ``breakdowns`` has the groups of each column, those of the combinations of several columns last; ``overall`` is
    all rows; ``differences`` has by column and metric the largest minus the smallest value, and the p-value of all
    groups being equal.
    """

    breakdowns: dict[str, tuple[ClassGroup, ...]]
    overall: ClassGroup
    metrics: tuple[str, ...]
    level: float
    differences: dict[str, dict[str, tuple[Estimate, float]]] = field(repr=False)
    replicates: int
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    def gap(self, metric: str, *, column: str | None = None) -> Estimate:
        """Return how far apart the groups of a column are: the largest minus the smallest value.

        Where a class is absent from a group, means over classes are not comparable, and their gap is undefined.
        """
        names = list(self.breakdowns)
        chosen = names[0] if column is None and len(names) == 1 else column
        if chosen not in self.differences:
            raise CurvewiseError(f"column: expected one of {', '.join(map(repr, names))}, got {shown(column)}.")
        if metric not in self.metrics:
            raise CurvewiseError(f"metric: expected one of {', '.join(self.metrics)}, got {shown(metric)}.")
        return self.differences[chosen][metric][0]

    def gaps(self) -> Table:
        """Return the gap of every number in every column, with the p-value of equality.

        ``p_holm`` is corrected for all numbers and columns (Holm).
        """
        found = [(column, metric, *gap) for column, own in self.differences.items() for metric, gap in own.items()]
        corrected = holm_corrected([p for *_, p in found])
        rows = [
            [column, metric, gap.value, gap.low, gap.high, p, holm, remarks(gap.reason, *gap.notes)]
            for (column, metric, gap, p), holm in zip(found, corrected, strict=True)
        ]
        head = ["column", "metric", "gap", "low", "high", "p_equal", "p_holm", "note"]
        title = f"Gaps, largest minus smallest ({percent(self.level)} intervals)"
        return Table(title, columns_of(head, rows), self.backend)

    def every_group(self) -> list[ClassGroup]:
        """Return all rows as a group, then the groups of each column."""
        return [self.overall, *(g for groups in self.breakdowns.values() for g in groups)]

    @property
    def table(self) -> Table:
        """Every number: one row for each metric of each group."""
        parts = [g.table.columns for g in self.every_group()]
        columns = {name: [v for part in parts for v in part[name]] for name in parts[0]}
        return Table(f"Many classes by group ({percent(self.level)} intervals)", columns, self.backend)

    @property
    def wide(self) -> Table:
        """The same for reading: one row per group, one column per number."""
        rows: list[dict[str, Any]] = []
        for g in self.every_group():
            column = {"column": g.column} if len(self.breakdowns) > 1 else {}
            values = {m: e.brief() for m, e in g.estimates.items()}
            rows.append({**column, "group": g.name, "n": g.n, **values, "note": remarks(*g.notes)})
        columns = stacked(rows)
        if not any(columns["note"]):
            columns.pop("note")
        return Table(f"Many classes by group ({percent(self.level)} intervals)", columns)

    def parts(self) -> list[Table | Note]:
        """Return one row per group, how far apart groups are, and the notes."""
        return [self.wide, self.gaps(), *self.notes, note("gaps_describe")]

    def content(self) -> dict[str, Any]:
        """Return all groups and gaps, JSON-safe."""
        return {
            "level": self.level,
            "groups": [g.content() for g in self.every_group()],
            "gaps": self.gaps().content()["rows"],
            "notes": json_safe(self.notes),
        }


@dataclass(frozen=True, eq=False)
class _Part:
    """The rows of one group, what was read from them, and from each resample."""

    rows: Multiclass
    values: dict[str, Estimate]
    drawn: dict[str, Floats] = field(default_factory=dict)

    def estimate(self, metric: ClassMetric, level: float) -> Estimate:
        """Return a number with its interval; without resamples the value alone, with the reason."""
        value = self.values[metric.name]
        own = self.drawn.get(metric.name, np.zeros(0))
        there = own[np.isfinite(own)]
        if value.reason is not None or not len(own):
            return value
        if not len(there):
            return replace(value, reason=note("no_resample_defines", replicates=len(own)))
        return estimate(self.rows, metric, value.value, there, len(own) - len(there), level)


def break_down(
    m: Multiclass,
    categories: Sequence[Category],
    metrics: Sequence[str] | None,
    level: float,
    seed: int,
    replicates: int,
) -> ClassGroups:
    """Read every number in every group from the same resamples of all rows."""
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    asked = metrics or [name for name in METRICS if m.ready is not None or name != "roc_auc"]
    found = [class_metric(m, m.own_metrics, name, {}) for name in asked]
    resampled = len(m) * len(m.classes) <= MOST_CELLS
    notes = () if resampled else (note("class_intervals_left_out", cells=len(m) * len(m.classes)),)
    dealt = {c.column: [np.flatnonzero(c.code == k) for k in range(len(c))] for c in categories}
    parts = {column: _parts(m, places, found, level) for column, places in dealt.items()}
    if resampled:
        _resample(
            m,
            [(p, at) for c, own in dealt.items() for p, at in zip(parts[c], own, strict=True)],
            found,
            seed,
            replicates,
        )
    whole_values = m.estimates(asked, level=level, rng=seed, replicates=replicates) if resampled else m.values(asked)
    overall = ClassGroup("", ALL, None, m.n, (), whole_values)
    breakdowns = {
        c.column: tuple(
            _group(c.column, name, label, part, found, level)
            for name, label, part in zip(c.names, c.labels, parts[c.column], strict=True)
        )
        for c in categories
    }
    apart = {
        c.column: {metric.name: _gap(m, c, breakdowns[c.column], parts[c.column], metric, level) for metric in found}
        for c in categories
    }
    names = tuple(metric.name for metric in found)
    return ClassGroups(breakdowns, overall, names, level, apart, replicates, notes, m.backend)


def _parts(m: Multiclass, places: list[Places], metrics: list[ClassMetric], level: float) -> list[_Part]:
    found = []
    for some in places:
        rows = m.take(some)
        found.append(_Part(rows, rows.values([metric.name for metric in metrics], level=level)))
    return found


def _resample(
    m: Multiclass, parts: list[tuple[_Part, Places]], metrics: list[ClassMetric], seed: int, replicates: int
) -> None:
    """Draw rows, or clusters, of all groups at once, so that groups that share clusters go together."""
    draw = m.drawer()

    def one(stream: np.random.Generator) -> list[list[float]]:
        times = draw(stream)
        return [_read(part.rows, times[places], metrics) for part, places in parts]

    drawn, _ = replicate_draws(one, replicates, seed)
    for k, (part, _) in enumerate(parts):
        part.drawn.update({metric.name: drawn[:, k, j] for j, metric in enumerate(metrics)})


def _read(rows: Multiclass, times: NDArray[Any], metrics: list[ClassMetric]) -> list[float]:
    if not times.any():
        return [math.nan] * len(metrics)
    again = rows.weighed(times)
    return [metric.or_nan(again) for metric in metrics]


def _group(column: str, name: str, label: object, part: _Part, metrics: list[ClassMetric], level: float) -> ClassGroup:
    rows, names = part.rows, class_names(part.rows.classes)
    absent = tuple(name for name, there in zip(names, rows.occurs, strict=True) if not there)
    few = [k for k in np.flatnonzero(rows.occurs) if rows.units(rows.is_of(int(k))) < FEW]
    notes = [note("classes_absent_here", classes=list(absent))] if absent else []
    notes += [note("classes_few_here", classes=[names[k] for k in few], few=FEW)] if few else []
    estimates = {metric.name: part.estimate(metric, level) for metric in metrics}
    return ClassGroup(column, name, label, rows.n, absent, estimates, tuple(notes))


def _gap(
    m: Multiclass,
    names: Category,
    groups: tuple[ClassGroup, ...],
    parts: list[_Part],
    metric: ClassMetric,
    level: float,
) -> tuple[Estimate, float]:
    """Return the largest minus the smallest of a number, and the p-value of all being equal."""
    called = f"gap of {metric.name}"
    estimates = [g.estimates[metric.name] for g in groups]
    why = _undefined(names.column, groups, metric)
    if why is not None:
        return undefined(called, level, why), math.nan
    wide = range_level(len(groups), level)
    at = [part.estimate(metric, wide) for part in parts]
    members = [Member(g.name, e, (w.low, w.high)) for g, e, w in zip(groups, estimates, at, strict=True)]
    together = _correlation(m, names, parts, metric)
    first, second, ends = widest(members, together, ratio=False)
    a, b = first.estimate.value, second.estimate.value
    method = f"MOVER{', studentised range' if len(members) > 2 else ''}"
    told = (note("group_minus", first=first.name, first_value=a, second=second.name, second_value=b),)
    gap = Estimate(called, a - b, *ends, level, method, notes=told)
    if not gap.has_interval:
        return gap.without_interval(note("member_without_interval")), math.nan
    try:
        value, low, high = np.array([(g.estimate.value, *g.ends) for g in members]).T
        times = farthest(value, low, high, together)
    except UndefinedMetricError:
        return gap, math.nan
    return gap, p_of_range(critical_value(wide) * times, len(groups))


def _undefined(column: str, groups: tuple[ClassGroup, ...], metric: ClassMetric) -> Note | None:
    """Say why groups cannot be compared: there is one only, or their means go over different classes."""
    if len(groups) < 2:
        return note("only_one_group", column=column)
    lacking = next((g for g in groups if g.absent), None)
    if lacking is not None and metric.name not in OF_ROWS:
        return note("means_of_other_classes", group=lacking.name, classes=list(lacking.absent))
    missing = next((g for g in groups if not g.estimates[metric.name].is_defined), None)
    if missing is None:
        return None
    why = missing.estimates[metric.name].reason
    return note("undefined_in", metric=Word("metric", metric.name), group=missing.name, why=why)


def _correlation(m: Multiclass, names: Category, parts: list[_Part], metric: ClassMetric) -> Floats | None:
    """Return how the numbers of groups go together: None where no cluster and no stratum has rows in several."""
    shared = (unit for unit in (m.cluster, m.stratum) if unit is not None)
    if all(len(np.unique(u * np.intp(len(names)) + names.code)) == len(np.unique(u)) for u in shared):
        return None
    drawn = np.stack([part.drawn.get(metric.name, np.zeros(0)) for part in parts])
    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    if drawn.shape[1] < 2:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.atleast_2d(np.nan_to_num(np.corrcoef(drawn)))


def categories_of(m: Multiclass, group: object) -> list[Category]:
    """Read one column of groups or several, or take those that the rows hold; add the combinations that occur."""
    if group is None:
        found = list(m.groups.values())
        if not found:
            raise CurvewiseError("group: these rows hold no groups; pass a column of names, or several.")
    else:
        columns = named_columns(group)
        role = "group" if len(columns) == 1 else "group {name!r}"
        found = [category(name, beside(m, data, role.format(name=name))) for name, data in columns.items()]
    return [*found, combined(found)] if len(found) > 1 else found


def beside(m: Multiclass, data: object, role: str) -> Column:
    """Read a column that goes beside rows of many classes, one value for each."""
    column = as_column(data, role)
    check_aligned([as_column(m.truth, "rows"), column])
    return column
