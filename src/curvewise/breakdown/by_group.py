"""Break metrics down by group: one column or several, and their combinations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.breakdown.group_metrics import Group, Groups, estimates_of
from curvewise.breakdown.partition import Partition, partition, ranked, whole_sweep
from curvewise.core.resampling import REPLICATES
from curvewise.errors import CurvewiseError, Note, note, unknown_option
from curvewise.inference.interval import FEW, independent, split_options
from curvewise.inference.many_intervals import ManySweeps, intervals_of_many, many_sweeps
from curvewise.metric.registry import ROW_OPTIONS, Bound, find, names_of_metrics, several
from curvewise.rows.category import Category, category, combined, named_columns
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import as_column
from curvewise.rows.reading import as_rows, check_aligned, read_rows, rows_within
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.seeds import random_stream
from curvewise.rows.weight_scale import with_near_weights

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.results.estimate import Estimate

ALL = "(all)"
RANKING = ("roc_auc",)
AT_THRESHOLD = ("recall", "fpr", "precision", "false_omission_rate", "predicted_rate")


def by_group(
    y: object,
    score: object = None,
    group: object = None,
    *,
    threshold: float | None = None,
    metrics: Sequence[str | Callable[[Sweep], float]] | str | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> Groups:
    """Break metrics down by group, each with its interval, and say how far apart the groups are.

    Parameters
    ----------
    y, score
        `Rows` or a `Horizon` alone, or labels and scores.
    group
        A column of names (text, numbers, dates …), or several: a dict of columns by name, or a frame.
        Several columns are broken down one by one, then by the combinations that occur. Rows without
        a name are a group of their own, "(missing)"; nothing is dropped for lack of a group. With `Rows`,
        None takes the groups that they hold. With a `Horizon`, names of all rows, the unknown ones too; groups
        share its estimate of censoring.
    threshold
        Where scores are cut, for metrics at a threshold.
    metrics
        As in `curvewise.interval`: names, or functions of a `Sweep`. By default ``roc_auc`` and, with a
        threshold, recall, FPR, precision, false omission rate and predicted rate.
    level, rng, replicates
        As in `curvewise.interval`; metrics without a formula (average precision …) and rows with clusters or
        sampling weights are resampled.
    **options
        Options of the metrics (``fpr=``, ``ties=`` …), each for the metrics that have it, and of
        `curvewise.sweep` (``weight``, ``cluster``, ``positive`` …).

    Returns
    -------
    Groups
        ``table`` with one row for each metric of each group, ``gap``, ``ratio``, ``tests``, ``gaps``.

    Notes
    -----
    A metric that a group does not define (no positives, nothing flagged) is NaN with the reason, and so
    is a gap over such a group. A group with fewer than 10 rows (or clusters) of a class is flagged, not
    hidden. With clusters, every interval, gap and test takes clusters whole. Rows are sorted once, however
    many groups there are.

    A gap describes these rows. It does not say why, nor whether it is unfair: see `curvewise.fairness`.

    Examples
    --------
    >>> import curvewise as cw
    >>> y     = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> score = [9, 6, 4, 2, 8, 3, 5, 1]
    >>> g = cw.by_group(y, score, list("aaaabbbb"), threshold=5)
    >>> [(x.name, x.estimates["recall"].value) for x in g.groups()]
    [('a', 1.0), ('b', 0.5)]
    >>> g.gap("recall").value
    0.5
    """
    if metrics is None:
        metrics = RANKING if threshold is None else (*RANKING, *AT_THRESHOLD)
    reading, targets = bound_metrics(metrics, threshold, options)
    read, categories = read_groups(y, score, group, reading)
    if len(categories) > 1:
        categories.append(combined(categories))
    return break_down(read, categories, targets, level, threshold, rng, replicates)


def bound_metrics(
    metrics: Iterable[str | Callable[[Sweep], float]] | str | Callable[[Sweep], float],
    threshold: float | None,
    options: Mapping[str, Any],
) -> tuple[RowOptions, dict[str, Bound]]:
    """Part the options of reading from those of the metrics, and bind these."""
    reading, own = split_options(options)
    asked = names_of_metrics("metrics", metrics)
    known = [name for m in asked for name in find(m).options]
    verb = ("threshold", "metrics", "level", "rng", "replicates", "group")
    for name in own:
        if name not in known:
            raise unknown_option(name, [*known, *ROW_OPTIONS, *verb])
    return reading, several(asked, {"threshold": threshold, **own})


def read_groups(y: object, score: object, group: object, options: RowOptions) -> tuple[Rows, list[Category]]:
    """Read rows and their groups; rows that hold groups bring them along."""
    y = rows_within(y)
    if isinstance(y, Rows) and y.horizon is not None and group is None:  # by_group(horizon, group)
        score, group = None, score
    if not isinstance(y, Rows):
        if group is None:
            as_column(None, "group")  # refuses
        read = with_near_weights(read_rows(y, score, group=group, **options))
    else:
        read = as_rows(y, score, options)
        if group is not None:
            return beside_rows(read, named_columns(group), "group")
        if not read.groups:
            raise CurvewiseError("group: these rows hold no groups; pass them here, or to read_rows.")
    return read, list(read.groups.values())


def beside_rows(rows: Rows, columns: Mapping[str, object], role: str) -> tuple[Rows, list[Category]]:
    """Read names that were given beside finished rows; at a horizon those of all outcomes, which the rows then keep."""
    found, at = [], rows.horizon
    whole = as_column(rows.positive if at is None else at.everyone.positive, "rows" if at is None else "the horizon")
    for name, data in columns.items():
        column = as_column(data, role if len(columns) == 1 else f"{role} {name!r}")
        check_aligned([whole, column])
        found.append(category(name, column))
    if at is None:
        return rows, found
    everyone = replace(at.everyone, groups={c.column: c for c in found})
    return replace(rows, horizon=replace(at, everyone=everyone)), [c.take(at.place) for c in found]


def break_down(
    read: Rows,
    categories: Sequence[Category],
    targets: dict[str, Bound],
    level: float,
    threshold: float | None,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
) -> Groups:
    """Rank rows once, and measure every group of every column."""
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    # a seed, so that gaps asked for later come from the same draws
    stream = random_stream(rng)  # refuses what is no seed
    seed = rng if isinstance(rng, int) else int(stream.integers(2**62))
    ranking = ranked(read)
    dealt = {c.column: partition(read, ranking, c) for c in categories}

    def group(
        column: str, name: str, label: object, sweep: Sweep, rows: Rows | None, known: dict[str, Estimate] | None = None
    ) -> Group:
        estimates = known or estimates_of(targets.values(), sweep, rows, level, seed, replicates)
        units = independent(rows, sweep)
        return Group(column, name, label, sweep, estimates, units, _small(units, rows))

    def groups(column: str, part: Partition) -> tuple[Group, ...]:
        sweeps = part.sweeps()
        side_by_side[column] = many_sweeps(sweeps) if read.is_plain else None
        own = zip(part.category.names, part.category.labels, sweeps, strict=True)
        if (many := side_by_side[column]) is not None:
            all_known = intervals_of_many(list(targets.values()), many, level=level, rng=seed, replicates=replicates)
            return tuple(group(column, *each, None, known) for each, known in zip(own, all_known, strict=True))
        rows = (None if read.is_plain else part.rows_of(k) for k in range(len(part)))
        return tuple(group(column, *each, some) for each, some in zip(own, rows, strict=True))

    side_by_side: dict[str, ManySweeps | None] = {}
    overall = group("", ALL, None, whole_sweep(read, ranking), None if read.is_plain else read)
    found = {column: groups(column, part) for column, part in dealt.items()}
    asked = (targets, level, threshold, read.dropped, dealt)
    drawing = (read.is_plain, replicates, seed)
    notes = _all_unknown(read, categories)
    return Groups(found, overall, *asked, *drawing, read.backend, notes=notes, side_by_side=side_by_side)


def _all_unknown(rows: Rows, categories: Sequence[Category]) -> tuple[Note, ...]:
    """Name the groups of a horizon that are left out because none of their rows is known."""
    if rows.horizon is None:
        return ()
    empty = [(c, np.flatnonzero(np.bincount(c.code, minlength=len(c)) == 0)) for c in categories]
    named = [(c.column, [c.names[k] for k in which]) for c, which in empty if len(which)]
    return tuple(note("groups_all_unknown", column=column, groups=names) for column, names in named)


def are_probabilities(rows: Rows) -> bool:
    """Say whether all scores lie in [0, 1], and more of one means positive."""
    return rows.higher_is == "positive" and bool(rows.score.min() >= 0 and rows.score.max() <= 1)


def _small(units: tuple[float, float], rows: Rows | None) -> tuple[Note, ...]:
    """Say that a group has few rows, or clusters, of a class."""
    if min(units) >= FEW:
        return ()
    of = "clusters" if rows is not None and rows.cluster is not None else "rows"
    rarer = "positives" if units[0] <= units[1] else "negatives"
    return (note(f"small_{rarer}_{of}", count=math.floor(min(units))),)
