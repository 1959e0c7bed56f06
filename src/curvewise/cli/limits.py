"""The table of guaranteed bounds that ``curvewise metrics`` adds where scores were counted in bins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curvewise.metric.bounds import Bounds, bounds_of
from curvewise.metric.registry import find
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.inference.metric_table import MetricTable


@dataclass(frozen=True, repr=False)
class Limits(Result, schema="limits"):
    """Metrics of a binned sweep, each with the limits between which the number of all scores lies."""

    found: dict[str, Bounds]

    @property
    def table(self) -> Table:
        """One row per metric; no limits where none are known."""
        values = list(self.found.values())
        columns: dict[str, list[Any]] = {"metric": list(self.found), "value": [float(b) for b in values]}
        columns |= {end: [getattr(b, end) for b in values] for end in ("low", "high")}
        columns["apart"] = [None if b.low is None else b.width for b in values]
        return Table("Guaranteed bounds: scores were counted in bins, and the exact number lies between", columns)

    def content(self) -> dict[str, Any]:
        """Return one entry per metric."""
        return {"metrics": json_safe(self.table.rows())}


def limits_of(table: MetricTable, sweep: Sweep) -> Limits:
    """Return the limits of every number of a table of one model."""
    found: dict[str, Bounds] = {}
    for _, at, estimate in table.every:
        if estimate.is_defined:
            options = {**table.options[estimate.metric], **({} if at is None else {"threshold": at})}
            label = estimate.metric if at is None else f"{estimate.metric} at {at}"
            found[label] = bounds_of(find(estimate.metric).bind(options), sweep)
    return Limits(found)


def with_limits(table: MetricTable, limits: Limits) -> MetricTable:
    """Return the table of one model with the values of the limits, which may be exact; bins are no ties."""
    ((model, found),) = table.estimates.items()
    values = {name: replace(e, value=float(limits.found.get(name, e.value))) for name, e in found.items()}
    notes = tuple(said for said in table.notes if said.code != "many_ties")
    # how many different scores there are is not known
    return replace(table, estimates={model: values}, distinct_scores={model: None}, notes=notes)
