"""A threshold for each group that meets the same rule, and what that costs overall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.group_metrics import columns_of, remarks
from curvewise.core.confusion import Confusion
from curvewise.decisions.operating_point import operating_point
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curvewise.breakdown.group_metrics import Group
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.choice import Rule

RATES = ("recall", "fpr", "precision", "predicted_rate", "accuracy")


@dataclass(frozen=True, repr=False)
class GroupThresholds(Result):
    """One threshold per group, chosen by the same rule in each.

    Attributes
    ----------
    thresholds
        The chosen thresholds by group.
    per_group
        One row per group: its threshold and what happens there; None where the rule has no answer.
    overall
        All rows together: at the threshold that was given, at one threshold chosen by the rule on all rows,
        and with a threshold for each group. The difference is what the constraint costs.
    """

    rule: str
    thresholds: dict[str, float]
    per_group: Table
    overall: Table
    notes: tuple[Note, ...]

    @property
    def table(self) -> Table:
        """One row per group: its threshold and what happens there."""
        return self.per_group

    def parts(self) -> list[Table | Note]:
        """Return the groups, all rows together, and the notes."""
        return [self.table, self.overall, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return rule, groups and all rows together, JSON-safe."""
        return {
            "rule": self.rule,
            "groups": self.table.content()["rows"],
            "overall": self.overall.content()["rows"],
            "notes": json_safe(self.notes),
        }


def group_thresholds(
    groups: Sequence[Group], whole: Sweep, threshold: float, rule: Rule | Callable[[Confusion], float]
) -> GroupThresholds:
    """Apply a rule to each group, and to all rows."""
    rows: list[list[Any]] = []
    chosen: dict[str, float] = {}
    after: list[Confusion] = []
    why: list[Note] = []
    for group in groups:
        before = group.sweep.at(threshold)
        try:
            point = operating_point(group.sweep, rule=rule, replicates=0)
        except UndefinedMetricError as error:
            # such a group stays at the threshold that was given
            after.append(before)
            rows.append([group.name, group.sweep.n, None, *[None] * len(RATES), "no answer"])
            why.append(note("keeps_threshold", group=group.name, threshold=threshold, why=error.reason))
            continue
        chosen[group.name] = point.threshold
        after.append(point.confusion)
        rates = [getattr(point.confusion, rate) for rate in RATES]
        rows.append([group.name, group.sweep.n, point.threshold, *rates, remarks(*group.notes)])
    name = repr(rule)
    head = ["group", "n", "threshold", *RATES, "note"]
    table = Table(f"A threshold for each group: {name}", columns_of(head, rows))
    ways = [(f"one threshold {threshold:g}", whole.at(threshold))]
    try:
        common = operating_point(whole, rule=rule, replicates=0)
        ways.append((f"one threshold {common.threshold:g}, by the rule on all rows", common.confusion))
    except UndefinedMetricError as error:
        why.append(note("no_common_threshold", why=error.reason))
    ways.append(("a threshold for each group", _summed(after)))
    cells = ("tp", "fp", "fn", "tn")
    columns: dict[str, list[Any]] = {"way": [way for way, _ in ways]}
    columns |= {k: [getattr(c, k) for _, c in ways] for k in (*cells, *RATES)}
    caution = note("chosen_on_these_rows"), note("treats_by_group")
    return GroupThresholds(name, chosen, table, Table("All rows together", columns), (*why, *caution))


def _summed(parts: Sequence[Confusion]) -> Confusion:
    cells = {k: sum(getattr(c, k) for c in parts) for k in ("tp", "fp", "fn", "tn")}
    return Confusion(**cells)
