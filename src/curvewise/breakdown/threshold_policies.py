"""One threshold for all groups, or one for each: what every policy does and costs, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curvewise.core.confusion import Confusion
from curvewise.decisions import rules
from curvewise.decisions.operating_point import operating_point
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.breakdown.group_metrics import Group
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.choice import Rule

CELLS = ("tp", "fp", "fn", "tn")
RATES = ("recall", "fpr", "predicted_rate")


@dataclass(frozen=True, repr=False)
class ThresholdPolicies(Result, schema="threshold_policies"):
    """Four ways to cut the scores of groups, made by `Fairness.policies`.

    ``cells`` has the table of every group by policy and name, with its threshold: ``"one"`` threshold for all,
    and one for each group so that ``"recall"``, the false positive rate (``"fpr"``) or the share ``"flagged"`` is
    in every group what it is in all rows, or the nearest to it that scores allow. Counts are of a population of
    the ``prevalence`` stated.
    """

    cells: dict[str, dict[str, Confusion]]
    prevalence: float
    notes: tuple[Note, ...] = ()

    def overall(self, policy: str) -> Confusion:
        """Return all groups together."""
        found = self.cells[policy].values()
        return Confusion(**{k: sum(getattr(c, k) for c in found) for k in CELLS})

    @property
    def table(self) -> Table:
        """One row per group and policy."""
        rows = [(policy, name, c) for policy, groups in self.cells.items() for name, c in groups.items()]
        columns: dict[str, list[Any]] = {"policy": [row[0] for row in rows], "group": [row[1] for row in rows]}
        columns |= {key: [getattr(row[2], key) for row in rows] for key in ("threshold", *RATES)}
        return Table("Thresholds by group", columns)


def threshold_policies(
    groups: Sequence[Group], whole: Sweep, threshold: float, prevalence: float | None = None
) -> ThresholdPolicies:
    """Cut every group at a threshold, and at those that make it equal to all rows in one rate.

    A stated prevalence weighs the positives of all groups by one factor and the negatives by another: the
    odds of every group are multiplied by the same number, as where cases are more or less common everywhere.
    """
    share = whole.prevalence if prevalence is None else prevalence
    up = share * whole.n / whole.positives
    down = (1 - share) * whole.n / whole.known_negatives("Thresholds by group")
    sweeps = {g.name: _weighed(g.sweep, up, down) for g in groups}
    now = _weighed(whole, up, down).at(threshold)
    cells = {"one": {name: sweep.at(threshold) for name, sweep in sweeps.items()}}
    flagged = rules.max_alarms(now.predicted_rate) if now.predicted_rate < 1 else rules.max_fpr(1.0)
    equal = {"recall": rules.min_recall(now.recall), "fpr": rules.max_fpr(now.fpr), "flagged": flagged}
    for policy, rule in equal.items():
        cells[policy] = {name: _cut(sweep, rule) or cells["one"][name] for name, sweep in sweeps.items()}
    return ThresholdPolicies(cells, share, (note("chosen_on_these_rows"), note("treats_by_group")))


def _weighed(sweep: Sweep, up: float, down: float) -> Sweep:
    positives, negatives = sweep.positives * up, sweep.known_negatives("Thresholds by group") * down
    return replace(sweep, tp=sweep.tp * up, fp=sweep.fp * down, positives=positives, negatives=negatives)


def _cut(sweep: Sweep, rule: Rule) -> Confusion | None:
    """Return the table at the threshold that a rule chooses; None where no score meets it."""
    try:
        return operating_point(sweep, rule=rule, replicates=0).confusion
    except UndefinedMetricError:
        return None
