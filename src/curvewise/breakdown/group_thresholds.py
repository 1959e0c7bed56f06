"""A threshold for each group that meets the same rule, and what that costs overall."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from curvewise.core.confusion import Confusion
from curvewise.decisions.operating_point import operating_point
from curvewise.errors import UndefinedMetricError
from curvewise.results.result import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curvewise.breakdown.breakdown import Group
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.rule import Rule

CAUTION = (
    "thresholds chosen on these rows look better here than on new ones",
    "a threshold for each group treats people by their group; whether that is allowed, the law says",
)
RATES = ("recall", "fpr", "precision", "predicted_rate", "accuracy")


@dataclass(frozen=True, repr=False)
class GroupThresholds:
    """One threshold a group, chosen by the same rule in each.

    Attributes
    ----------
    table
        A row for each group: its threshold and what happens there; NaN where the rule has no answer.
    overall
        All rows together: at the threshold that was judged, at one threshold chosen by the rule on all rows,
        and with a threshold for each group. The difference is what the constraint costs.
    thresholds
        The chosen thresholds by group.
    """

    rule: str
    thresholds: dict[str, float]
    table: Table
    overall: Table
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return "\n\n".join([str(self.table), str(self.overall), "\n".join(f"note: {n}" for n in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(n)}</p>" for n in self.notes)
        return self.table._repr_html_() + self.overall._repr_html_() + notes

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            "rule": self.rule,
            "groups": self.table.to_dict()["rows"],
            "overall": self.overall.to_dict()["rows"],
            "notes": list(self.notes),
        }


def group_thresholds(
    groups: Sequence[Group], whole: Sweep, threshold: float, rule: Rule | Callable[[Confusion], float]
) -> GroupThresholds:
    """Apply a rule to each group, and to all rows."""
    rows: list[list[Any]] = []
    chosen: dict[str, float] = {}
    after: list[Confusion] = []
    why = []
    for group in groups:
        before = group.sweep.at(threshold)
        try:
            point = operating_point(group.sweep, rule=rule, replicates=0)
        except UndefinedMetricError as error:
            # such a group stays at the threshold that was judged
            after.append(before)
            rows.append([group.name, group.sweep.n, None, *[None] * len(RATES), "no answer"])
            why.append(f"{group.name} keeps the threshold {threshold:g}: {str(error).rstrip('.')}")
            continue
        chosen[group.name] = point.threshold
        after.append(point.confusion)
        rates = [getattr(point.confusion, rate) for rate in RATES]
        rows.append([group.name, group.sweep.n, point.threshold, *rates, group.note])
    name = repr(rule)
    head = ["group", "n", "threshold", *RATES, "note"]
    table = Table(
        f"A threshold for each group: {name}",
        dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)),
    )
    ways = [(f"one threshold {threshold:g}", whole.at(threshold))]
    try:
        common = operating_point(whole, rule=rule, replicates=0)
        ways.append((f"one threshold {common.threshold:g}, by the rule on all rows", common.confusion))
    except UndefinedMetricError as error:
        why.append(f"all rows together: {str(error).rstrip('.')}")
    ways.append(("a threshold for each group", _summed(after)))
    cells = ("tp", "fp", "fn", "tn")
    columns: dict[str, list[Any]] = {"way": [way for way, _ in ways]}
    columns |= {k: [getattr(c, k) for _, c in ways] for k in (*cells, *RATES)}
    return GroupThresholds(name, chosen, table, Table("All rows together", columns), (*why, *CAUTION))


def _summed(parts: Sequence[Confusion]) -> Confusion:
    cells = {k: sum(getattr(c, k) for c in parts) for k in ("tp", "fp", "fn", "tn")}
    return Confusion(**cells)
