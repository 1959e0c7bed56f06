"""Metrics by group: one column or several, and their combinations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.breakdown.breakdown import ALL, Group, Groups
from curvewise.breakdown.grouped import partition, ranked
from curvewise.breakdown.measures import measures
from curvewise.breakdown.membership import read_grouped
from curvewise.rows.category import Category, combined, named_columns
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curvewise.breakdown.grouped import Partition
    from curvewise.breakdown.measures import Measure
    from curvewise.core.sweep import Sweep
    from curvewise.rows.reading import RowOptions, Rows

AREAS = ("roc_auc",)
AT_THRESHOLD = ("recall", "fpr", "precision", "false_omission_rate", "predicted_rate")


def by_group(
    y: object,
    score: object,
    group: object,
    *,
    threshold: float | None = None,
    metrics: Sequence[str | Callable[[Sweep], float]] | str | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    replicates: int = 500,
    **rows: Unpack[RowOptions],
) -> Groups:
    """Break metrics down by group, each with its interval, and say how far apart the groups are.

    Parameters
    ----------
    y, score
        Labels and scores; the options of `curvewise.sweep` (``weight``, ``positive``, ``higher_is``,
        ``missing``, ``round_to``) apply.
    group
        A column of names (text, numbers, dates …), or several: a dict of columns by name, or a frame.
        Several columns are broken down one by one, then by the combinations that occur. Rows without
        a name are a group of their own, "(missing)"; nothing is dropped for lack of a group.
    threshold
        Where scores are cut, for metrics at a threshold.
    metrics
        As in `curvewise.interval`: names, or functions of a `Sweep`. By default ``roc_auc`` and, with a
        threshold, recall, FPR, precision, false omission rate and predicted rate.
    level
        The confidence level of the intervals.
    rng, replicates
        Seed and number of the bootstrap's resamples, for metrics without a formula (average precision …) and
        for rates with fractional weights.

    Returns
    -------
    Groups
        ``table`` with a row for each metric of each group, ``gap``, ``ratio``, ``tests``, ``gaps``.

    Notes
    -----
    A metric that a group does not define (no positives, nothing flagged) is NaN with the reason, and so
    is a gap over such a group. A group with fewer than 10 rows of a class is flagged, not hidden. Rows are
    taken as independent. Rows are sorted once, however many groups there are.

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
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    if metrics is None:
        metrics = AREAS if threshold is None else (*AREAS, *AT_THRESHOLD)
    wanted = measures(metrics, threshold)
    read, members = read_grouped(y, score, named_columns(group), rows)
    if len(members) > 1:
        members.append(combined(members))
    return break_down(read, members, wanted, level, threshold, rng, replicates)


def break_down(
    read: Rows,
    members: Sequence[Category],
    wanted: dict[str, Measure],
    level: float,
    threshold: float | None,
    rng: np.random.Generator | int | None = None,
    replicates: int = 500,
) -> Groups:
    """Rank rows that passed the door once, and measure every group of every column."""
    in_order, order = ranked(read)
    dealt = {m.column: partition(in_order, m.code[order], len(m)) for m in members}
    everyone = partition(in_order, np.zeros(len(order), dtype=np.intp), 1)
    seed = int(np.random.default_rng(rng).integers(2**62))

    def groups(column: str, part: Partition, labels: Sequence[object], names: Sequence[str]) -> list[Group]:
        found = []
        for k, sweep in enumerate(part.sweeps()):
            rows = part.rows_of(k) if sweep.tp.dtype.kind == "f" else None
            estimates = {
                name: measure.estimate(
                    sweep, level, rows=rows, rng=np.random.default_rng([seed, k]), replicates=replicates
                )
                for name, measure in wanted.items()
            }
            found.append(Group(column, names[k], labels[k], sweep, estimates))
        return found

    overall = groups("", everyone, [None], [ALL])[0]
    breakdowns = {m.column: tuple(groups(m.column, dealt[m.column], m.labels, m.names)) for m in members}
    return Groups(breakdowns, overall, wanted, level, threshold, read.dropped, dealt, (seed, replicates))
