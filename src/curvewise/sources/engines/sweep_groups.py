"""One sweep per group, all from one pass, and metrics of all of them as a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.bins import Summary
from curvewise.core.sweep import Sweep
from curvewise.errors import UndefinedMetricError
from curvewise.metric.registry import several
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.category import Category, category, combined
from curvewise.rows.columns import as_column

if TYPE_CHECKING:
    from curvewise.sources.scan import Reading

METRICS = ("roc_auc", "average_precision")


@dataclass(frozen=True, repr=False)
class SweepGroups(Result, Mapping[Any, Sweep], schema="sweep_groups"):
    """One sweep per group: a mapping from what the column holds (None where it is missing) to the group's `Sweep`.

    Attributes
    ----------
    by
        The columns of groups. With several, a group is a tuple.
    sweeps
        The sweeps by group, in the order of the groups.
    """

    by: tuple[str, ...]
    sweeps: dict[Any, Sweep]
    backend: str | None = field(default=None, repr=False)

    def __getitem__(self, group: Any) -> Sweep:
        return self.sweeps[group]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sweeps)

    def __len__(self) -> int:
        return len(self.sweeps)

    @property
    def table(self) -> Table:
        """Rows, positives, ROC AUC and average precision per group; empty where a group does not define a number."""
        return self.metrics()

    def content(self) -> dict[str, Any]:
        """Return the sweep of each group, JSON-safe."""
        keys = (key if len(self.by) > 1 else (key,) for key in self.sweeps)
        sweeps = zip(keys, self.sweeps.values(), strict=True)
        groups = [{"group": [json_safe(v) for v in key], "sweep": sweep.to_dict()} for key, sweep in sweeps]
        return {"by": list(self.by), "groups": groups}

    def metrics(self, *names: str | Callable[[Sweep], float], **options: Any) -> Table:
        """Return metrics per group; `Table.to_frame` makes a frame of it.

        Parameters
        ----------
        *names
            Metrics by name, as `curvewise.metrics` lists them; by default ROC AUC and average precision.
        **options
            Their own options, as ``threshold=0.5`` or ``fpr=(0, 0.1)``.
        """
        wanted = several(names or METRICS, options)
        keys = [key if len(self.by) > 1 else (key,) for key in self.sweeps]
        columns: dict[str, list[Any]] = {name: [key[k] for key in keys] for k, name in enumerate(self.by)}
        columns["rows"] = [s.n for s in self.sweeps.values()]
        columns["positives"] = [s.positives for s in self.sweeps.values()]
        for name, bound in wanted.items():
            columns[name] = [_value(bound, s) for s in self.sweeps.values()]
        return Table("Groups", columns, self.backend)


def _value(bound: Any, sweep: Sweep) -> float | None:
    try:
        return float(bound(sweep))
    except UndefinedMetricError:
        return None


def grouped(reading: Reading, most: int | None) -> SweepGroups:
    """Count rows by group and score, and make a sweep of each group; with ``most``, of at most that many bins."""
    counts = reading.counts()
    groups = _groups(reading.asked.by, counts.by)
    order = np.argsort(groups.code, kind="stable")
    ends = np.cumsum(np.bincount(groups.code, minlength=len(groups)))
    sweeps = {}
    for at, end in enumerate(ends):
        here = order[(ends[at - 1] if at else 0) : end]
        if not len(here):
            continue
        summary = Summary.of_counts(counts.score[here], counts.positives[here], counts.negatives[here])
        some = summary if most is None else summary.within(most)
        sweeps[groups.labels[at]] = Sweep.from_summary(some, in_bins=most is not None, **reading.facts)
    return SweepGroups(reading.asked.by, sweeps, reading.facts["backend"])


def _groups(names: tuple[str, ...], columns: tuple[Any, ...]) -> Category:
    members = [category(name, as_column(data, name)) for name, data in zip(names, columns, strict=True)]
    return members[0] if len(members) == 1 else combined(members)
