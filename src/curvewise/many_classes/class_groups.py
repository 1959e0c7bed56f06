"""Numbers of many classes by group: the same resamples for all groups, gaps and tests of equality."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.breakdown.by_group import ALL
from curvewise.breakdown.group_gaps import Member
from curvewise.breakdown.group_metrics import AnyGroup, Groups, columns_of, remarks
from curvewise.breakdown.partition import correlation_of, is_nested
from curvewise.core.resampling import replicate_draws
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.interval import FEW
from curvewise.many_classes.class_metrics import class_metric, value_or_nan
from curvewise.many_classes.class_summary import MOST_CELLS, with_draws
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Table
from curvewise.rows.category import Category, category, combined, named_columns
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import Column, as_column
from curvewise.rows.reading import check_aligned

if TYPE_CHECKING:
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.metric.registry import Bound
    from curvewise.results.estimate import Estimate

METRICS = ("accuracy", "balanced_accuracy", "roc_auc")
OF_ROWS = ("accuracy", "kappa", "mcc", "top_k_accuracy", "log_loss", "brier_loss")  # no means over classes


@dataclass(frozen=True, eq=False, repr=False)
class ClassGroup(AnyGroup, schema="class_group"):
    """The rows of one group of a model of many classes, and an estimate of each number.

    ``n`` is how many rows, or how much weight, it has; ``absent`` names the classes that do not occur in it: means
    over classes leave them out there. ``units`` counts what is independent in each class that occurs.
    """

    column: str
    name: str
    label: Any
    n: float
    absent: tuple[str, ...]
    estimates: dict[str, Estimate]
    notes: tuple[Note, ...] = ()
    units: tuple[float, ...] = field(default=(math.inf,), repr=False)

    @property
    def sizes(self) -> dict[str, float]:
        """Its rows."""
        return {"n": self.n}

    def why(self, metric: str) -> Note | None:
        """Say why a number or its interval is undefined here, if it is."""
        return self.estimates[metric].reason

    def content(self) -> dict[str, Any]:
        """Return size and numbers, JSON-safe."""
        numbers = json_safe({"absent": self.absent, "metrics": self.estimates, "notes": self.notes})
        return {"column": self.column, "group": self.name, "n": self.n, **numbers}


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the rows, their numbers, and those of each resample."""

    rows: Multiclass
    values: dict[str, Estimate]
    drawn: dict[str, Floats]

    def estimate(self, target: Bound, level: float) -> Estimate:
        """Return a number with its interval; without resamples the value alone, with the reason."""
        value = self.values[target.name]
        if value.reason is not None or target.name not in self.drawn:
            return value
        return with_draws(self.rows, target, value, self.drawn[target.name], level)


@dataclass(frozen=True, eq=False)
class ClassPartition:
    """Rows of many classes dealt to the groups of a category: ``how`` their numbers are read."""

    rows: Multiclass
    category: Category
    parts: list[Part]
    how: tuple[list[Bound], int, int]

    @cached_property
    def rest(self) -> list[Part]:
        """All other rows, for each group."""
        return read_parts(self.rows, [self.category.code != k for k in range(len(self.category))], *self.how)

    def correlation(self, target: Bound, *_: int, rest: bool = False) -> Floats | None:
        """Return how the number of each group goes with that of each other, or of the ``rest``, as `Partition` does."""
        if all(is_nested(unit, self.category) for unit in (self.rows.cluster, self.rows.stratum)):
            return None
        parts, k = [*self.parts, *(self.rest if rest else [])], len(self.parts)
        drawn = np.stack([part.drawn.get(target.name, np.zeros(0)) for part in parts])
        together = correlation_of(drawn[:, np.isfinite(drawn).all(axis=0)])
        return together[:k, k:] if rest and together is not None else together


@dataclass(frozen=True, eq=False, repr=False)
class ClassGroups(Groups, schema="class_groups"):
    """Numbers of many classes by group, made by ``multiclass(...).by_group``: `Groups` of rows of many classes.

    Where a class is absent from a group, means over classes are not comparable, and their gap is undefined.
    """

    what = "Many classes by group"

    def gaps(self, *, reference: object = None, column: str | None = None) -> Table:
        """Return the gap of every number in every column, or in one, with the p-value of equality.

        ``p_holm`` is corrected for all numbers and columns (Holm).
        """
        rows = []
        for (name, metric), p_values in self._p_values.items():
            if column is None or name == self._column(column):
                gap = self.gap(metric, reference=reference, column=name)
                rows.append([name, metric, gap.value, gap.low, gap.high, *p_values, remarks(gap.reason, *gap.notes)])
        head = ["column", "metric", "gap", "low", "high", "p_equal", "p_holm", "note"]
        against = "largest minus smallest" if reference is None else f"against {reference}"
        return Table(f"Gaps, {against} ({percent(self.level)} intervals)", columns_of(head, rows), self.backend)

    @property
    def wide(self) -> Table:
        """The same for reading: one row per group, one column per number."""
        table = super().wide
        if not any(table.columns["note"]):
            table.columns.pop("note")
        return table

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

    def members(
        self, column: str, places: Sequence[int], target: Bound, level: float, *, rest: bool = False
    ) -> list[Member]:
        """Return some groups of a column, or the rest of the rows for each, with ends of intervals at a level."""
        groups, dealt = self.breakdowns[column], self.partitions[column]
        members = []
        for k in places:
            part, name = (dealt.rest[k], f"the rest of {column}") if rest else (dealt.parts[k], groups[k].name)
            wide = part.estimate(target, level)
            members.append(Member(name, part.estimate(target, self.level), (wide.low, wide.high)))
        return members

    def incomparable(self, metric: str, column: str) -> Note | None:
        """Say where means go over different classes."""
        lacking = next((g for g in self.breakdowns[column] if g.absent), None)
        if lacking is None or metric in OF_ROWS:
            return None
        return note("means_of_other_classes", group=lacking.name, classes=list(lacking.absent))


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
    names = metrics or [name for name in METRICS if m.ready is not None or name != "roc_auc"]
    targets = [class_metric(type(m), name, {}) for name in names]
    resampled = len(m) * len(m.classes) <= MOST_CELLS
    notes = () if resampled else (note("class_intervals_left_out", cells=len(m) * len(m.classes)),)
    masks = [c.code == k for c in categories for k in range(len(c))]
    how = (targets, seed, replicates)
    parts = iter(read_parts(m, masks, *how))
    dealt = {c.column: ClassPartition(m, c, list(islice(parts, len(c))), how) for c in categories}
    numbers = m.estimates(names, level=level, rng=seed, replicates=replicates) if resampled else m.values(names)
    overall = ClassGroup("", ALL, None, m.n, (), numbers)
    breakdowns = {
        column: tuple(map(partial(_group, column, targets, level), d.category.names, d.category.labels, d.parts))
        for column, d in dealt.items()
    }
    by_name = {target.name: target for target in targets}
    facts = (by_name, level, None, m.dropped, dealt, m.is_plain, replicates, seed, m.backend)
    return ClassGroups(breakdowns, overall, *facts, notes=notes)


def read_parts(
    m: Multiclass, masks: list[NDArray[np.bool_]], targets: list[Bound], seed: int, replicates: int
) -> list[Part]:
    """Read some of the rows, and resamples of all rows at once, so that parts that share clusters go together."""
    names, places = [target.name for target in targets], [np.flatnonzero(mask) for mask in masks]
    rows_of = [m.take(at) for at in places]
    parts = [Part(rows, rows.values(names), {}) for rows in rows_of]
    if len(m) * len(m.classes) > MOST_CELLS:
        return parts
    draw = m.drawer()

    def one(stream: np.random.Generator) -> list[list[float]]:
        times = draw(stream)
        return [_read(rows, times[at], targets) for rows, at in zip(rows_of, places, strict=True)]

    drawn, _ = replicate_draws(one, replicates, seed)
    for part, values in zip(parts, np.moveaxis(drawn, 0, -1), strict=True):
        part.drawn.update(zip(names, values, strict=True))
    return parts


def _read(rows: Multiclass, times: NDArray[Any], targets: list[Bound]) -> list[float]:
    if not times.any():
        return [math.nan] * len(targets)
    again = rows.weighed(times)
    return [value_or_nan(target, again) for target in targets]


def _group(column: str, targets: list[Bound], level: float, name: str, label: object, part: Part) -> ClassGroup:
    rows, names = part.rows, class_names(part.rows.classes)
    absent = tuple(name for name, there in zip(names, rows.occurs, strict=True) if not there)
    units = {k: rows.units(rows.is_of(k)) for k in np.flatnonzero(rows.occurs).tolist()}
    few = [names[k] for k, number in units.items() if number < FEW]
    notes = [note("classes_absent_here", classes=list(absent))] if absent else []
    notes += [note("classes_few_here", classes=few, few=FEW)] if few else []
    estimates = {target.name: part.estimate(target, level) for target in targets}
    return ClassGroup(column, name, label, rows.n, absent, estimates, tuple(notes), tuple(units.values()))


def categories_of(m: Multiclass, group: object) -> list[Category]:
    """Read one column of groups or several, or take those that the rows hold; add the combinations that occur."""
    if group is None:
        categories = list(m.groups.values())
        if not categories:
            raise CurvewiseError("group: these rows hold no groups; pass a column of names, or several.")
    else:
        columns = named_columns(group)
        role = "group" if len(columns) == 1 else "group {name!r}"
        categories = [category(name, beside(m, data, role.format(name=name))) for name, data in columns.items()]
    return [*categories, combined(categories)] if len(categories) > 1 else categories


def beside(m: Multiclass, data: object, role: str) -> Column:
    """Read a column that goes beside rows of many classes, one value for each."""
    column = as_column(data, role)
    check_aligned([as_column(m.truth, "rows"), column])
    return column
