"""Fairness between groups: every criterion as a gap with its interval, and what cannot be had together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from curvewise.breakdown.by_group import AT_THRESHOLD, RANKING, are_probabilities, break_down, read_groups
from curvewise.breakdown.criteria import Criterion, criteria, impossibility
from curvewise.breakdown.cross_auc import Cross, cross
from curvewise.breakdown.group_gaps import because, listed
from curvewise.breakdown.group_metrics import OBSERVED_EXPECTED, columns_of
from curvewise.breakdown.group_thresholds import GroupThresholds, group_thresholds
from curvewise.core.registry import several
from curvewise.core.resampling import REPLICATES
from curvewise.errors import CurvewiseError, Note, nearest, note
from curvewise.inference.interval import FEW
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.category import combined
from curvewise.rows.reading import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from curvewise.breakdown.group_metrics import Groups
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.choice import Rule
    from curvewise.rows.reading import RowOptions

FEW_GROUPS = 10  # whose AUCs between each other are shown unasked


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(Result):
    """Groups measured by the criteria of fairness, made by `curvewise.fairness`.

    Attributes
    ----------
    groups
        Every metric of every group, with its interval.
    criteria
        One `Criterion` each: ``name``, ``code``, ``metric``, ``meaning``, ``gap`` and ``ratio`` as estimates,
        ``p_value``.
    xauc
        AUC within (diagonal) and between groups.
    threshold
        Where scores are cut.
    notes
        What cannot be had together here, and what a careful reader should know.
    """

    groups: Groups
    column: str
    criteria: tuple[Criterion, ...]
    xauc: Cross
    threshold: float
    implied: Table | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per criterion."""
        rows = [c.row() for c in self.criteria]
        level = f"{100 * self.groups.level:.4g} % intervals"
        title = f"Fairness by {self.column} at threshold {self.threshold:g} ({level})"
        return Table(title, columns_of(list(rows[0]), [list(r.values()) for r in rows]), self.backend)

    def criterion(self, name: str) -> Criterion:
        """Return one criterion by its name or code."""
        wanted = str(name).casefold().replace("-", "_").replace(" ", "_")
        known = {c.code: c for c in self.criteria}
        if wanted in known:
            return known[wanted]
        close = [known[code].name for code in nearest(wanted, known)] or [c.name for c in self.criteria]
        hint = " or ".join(map(repr, close))
        raise CurvewiseError(f"criterion: there is no criterion {name!r}; did you mean {hint}?")

    def thresholds(self, rule: Rule | Callable[[Confusion], float]) -> GroupThresholds:
        """Choose a threshold for each group by the same rule, and say what that costs overall.

        Parameters
        ----------
        rule
            One of `curvewise.rules`: ``rules.min_recall(0.9)`` makes recall at least 0.9 in every group
            (equal opportunity), ``rules.max_fpr(0.05)`` bounds false alarms in each.
        """
        return group_thresholds(
            self.groups.groups(self.column), self.groups.overall.sweep, self.threshold, rule
        )

    def parts(self) -> list[Table | Note]:
        """Return the criteria and why any is undefined, all groups, AUC between groups, and the notes."""
        undefined = [
            note("criterion_undefined", criterion=c.name, why=because(c.gap.reason))
            for c in self.criteria
            if not c.gap.is_defined
        ]
        crossed = [self.xauc.table] if len(self.xauc.names) <= FEW_GROUPS else []
        return [self.table, *undefined, self.groups.wide, *crossed, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return criteria, AUCs between groups and all groups, JSON-safe."""
        return {
            "column": self.column,
            "threshold": json_safe(self.threshold),
            "criteria": json_safe(self.criteria),
            "xauc": self.xauc.table.content()["rows"],
            "implied_fpr": None if self.implied is None else self.implied.content()["rows"],
            "groups": self.groups.content(),
            "notes": json_safe(self.notes),
        }


def fairness(
    y: object,
    score: object = None,
    group: object = None,
    *,
    threshold: float,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **rows: Unpack[RowOptions],
) -> Fairness:
    """Measure how alike groups are treated at a threshold, by every usual criterion.

    Parameters
    ----------
    y, score, group
        As in `curvewise.by_group`; several group columns are measured by their combinations. The options of
        `curvewise.sweep` (``weight``, ``cluster``, ``positive`` …) apply.
    threshold
        Where scores are cut.
    level
        The confidence level of the intervals.
    rng, replicates
        Seed and number of resamples, for rows with clusters or sampling weights.

    **rows
        Options of `curvewise.sweep`.

    Returns
    -------
    Fairness
        ``table``, ``criteria``, ``groups``, ``xauc``, ``thresholds(rule)``, ``notes``.

    Notes
    -----
    Criteria: equal opportunity (recall), equalised odds (the larger gap of recall and FPR), demographic
    parity (predicted rate), predictive parity (precision), false-omission parity, calibration by group
    (observed over expected, where scores lie in [0, 1]), AUC within each group, and xAUC between groups. The
    AUC of all rows is a mean of those: A·P·N = Σ P_g·N_h·A_gh.

    Where prevalence differs and the model is not perfect, these criteria exclude each other; ``notes``
    says so with the numbers. Which one matters is not for statistics to say. A gap of 0 on the rows at hand
    does not prove fairness: labels may be biased, and a small group hides much.

    References
    ----------
    Hardt, Price & Srebro (2016) NeurIPS. Kleinberg, Mullainathan & Raghavan (2016) arXiv:1609.05807.
    Chouldechova (2017) Big Data 5:153-163. Kallus & Zhou (2019) NeurIPS (xAUC).

    Examples
    --------
    >>> import curvewise as cw
    >>> y     = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> score = [9, 6, 4, 2, 8, 3, 5, 1]
    >>> f = cw.fairness(y, score, list("aaaabbbb"), threshold=5)
    >>> f.criterion("equal opportunity").gap.value, f.criterion("equalised odds").gap.value
    (0.5, 0.5)
    >>> f.xauc.auc.tolist()
    [[1.0, 1.0], [0.75, 0.75]]
    """
    refuse_unknown(rows, ("threshold", "group", "level", "rng", "replicates"))
    read, categories = read_groups(y, score, group, rows)
    members = categories if len(categories) == 1 else [combined(categories)]
    names = (*RANKING, *AT_THRESHOLD, *((OBSERVED_EXPECTED,) if are_probabilities(read) else ()))
    targets = several(names, {"threshold": threshold})
    found = break_down(read, members, targets, level, threshold, rng, replicates)
    return fairness_of(found, members[0].column, threshold)


def fairness_of(found: Groups, column: str, threshold: float) -> Fairness:
    """Measure groups that were broken down already, at least by AUC and the metrics at a threshold."""
    groups = found.breakdowns[column]
    crossed = cross(found.partitions[column], [g.sweep for g in groups])
    clash = impossibility(found, column, threshold)
    notes = [] if clash is None else clash[1]
    if OBSERVED_EXPECTED not in found.targets:
        notes.append(note("no_calibration_by_group"))
    small = [g.name for g in groups if g.is_small]
    if small:
        notes.append(note("small_groups_say_little", few=FEW, groups=listed(small)))
    return Fairness(
        found,
        column,
        tuple(criteria(found, column, crossed)),
        crossed,
        threshold,
        None if clash is None else clash[0],
        tuple(notes),
        found.backend,
    )
