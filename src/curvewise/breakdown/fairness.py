"""Fairness between groups: every criterion as a gap with its interval, and what cannot be had together."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Unpack

from curvewise.breakdown.balance import OBSERVED_EXPECTED, are_probabilities
from curvewise.breakdown.breakdown import listed
from curvewise.breakdown.by_group import AREAS, AT_THRESHOLD, break_down
from curvewise.breakdown.criteria import Criterion, judged
from curvewise.breakdown.cross import Cross, cross
from curvewise.breakdown.group_thresholds import GroupThresholds, group_thresholds
from curvewise.breakdown.impossible import impossibility
from curvewise.breakdown.measures import measures
from curvewise.breakdown.membership import read_grouped
from curvewise.inference.interval import FEW
from curvewise.results.numbers import json_safe
from curvewise.results.result import Table
from curvewise.rows.category import combined, named_columns
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from curvewise.breakdown.breakdown import Groups
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.rule import Rule
    from curvewise.rows.reading import RowOptions


@dataclass(frozen=True, eq=False, repr=False)
class Fairness:
    """Groups judged by the criteria of fairness, made by `curvewise.fairness`.

    Attributes
    ----------
    groups
        Every metric of every group, with its interval.
    criteria
        One `Criterion` each: ``name``, ``meaning``, ``gap`` and ``ratio`` as estimates, ``p_value``.
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
    notes: tuple[str, ...] = field(default=())

    @property
    def table(self) -> Table:
        """A row for each criterion."""
        columns: dict[str, list[Any]] = {
            "criterion": [c.name for c in self.criteria],
            "gap": [c.gap.value for c in self.criteria],
            "low": [c.gap.low for c in self.criteria],
            "high": [c.gap.high for c in self.criteria],
            "ratio": [None if c.ratio is None else c.ratio.value for c in self.criteria],
            "p_equal": [None if math.isnan(c.p_value) else c.p_value for c in self.criteria],
            "met when": [c.meaning for c in self.criteria],
        }
        level = f"{100 * self.groups.level:.4g} % intervals"
        return Table(f"Fairness by {self.column} at threshold {self.threshold:g} ({level})", columns)

    def criterion(self, name: str) -> Criterion:
        """Return one criterion by its name."""
        return next(c for c in self.criteria if c.name == name)

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

    def to_frame(self, backend: str | None = None) -> Any:
        """Return ``table`` as a frame."""
        return self.table.to_frame(backend or self.groups.overall.sweep.backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        return {
            "column": self.column,
            "threshold": json_safe(self.threshold),
            "criteria": [
                {
                    "criterion": c.name,
                    "meaning": c.meaning,
                    "gap": c.gap.to_dict(),
                    "ratio": None if c.ratio is None else c.ratio.to_dict(),
                    "p_equal": None if math.isnan(c.p_value) else c.p_value,
                }
                for c in self.criteria
            ],
            "xauc": self.xauc.table.to_dict()["rows"],
            "implied_fpr": None if self.implied is None else self.implied.to_dict()["rows"],
            "groups": self.groups.to_dict(),
            "notes": list(self.notes),
        }

    @cached_property
    def _text(self) -> str:
        wide = self.groups.wide
        parts = [str(self.table), *(_reasons(self.criteria)), str(wide)]
        if len(self.xauc.names) <= 10:
            parts.append(str(self.xauc.table))
        return "\n\n".join([*parts, "\n".join(f"note: {n}" for n in self.notes)])

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(n)}</p>" for n in self.notes)
        return self.table._repr_html_() + self.groups._repr_html_() + notes


def fairness(
    y: object,
    score: object,
    group: object,
    *,
    threshold: float,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    replicates: int = 500,
    **rows: Unpack[RowOptions],
) -> Fairness:
    """Judge how alike groups are treated at a threshold, by every usual criterion.

    Parameters
    ----------
    y, score, group
        As in `curvewise.by_group`; several group columns are judged by their combinations.
    threshold
        Where scores are cut.
    level
        The confidence level of the intervals.
    rng, replicates
        For rates with fractional weights, which are resampled.

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
    level = real("level", level, 0, 1, closed=False)
    read, members = read_grouped(y, score, named_columns(group), rows)
    members = members if len(members) == 1 else [combined(members)]
    names = (*AREAS, *AT_THRESHOLD)
    wanted = measures((*names, OBSERVED_EXPECTED) if are_probabilities(read) else names, threshold)
    found = break_down(read, members, wanted, level, threshold, rng, replicates)
    return fairness_of(found, members[0].column, threshold)


def fairness_of(found: Groups, column: str, threshold: float) -> Fairness:
    """Judge groups that were measured already, at least by AUC and the metrics at a threshold."""
    groups = found.breakdowns[column]
    crossed = cross(found.partitions[column], [g.name for g in groups], [g.sweep for g in groups])
    clash = impossibility(found, column, threshold)
    notes = [] if clash is None else clash[1]
    if OBSERVED_EXPECTED not in found.measures:
        notes.append("the scores do not lie in [0, 1], so calibration by group is not judged")
    small = [g.name for g in groups if g.is_small]
    if small:
        notes.append(
            f"small groups (fewer than {FEW} positives or negatives): {listed(small)}; no gap there says much"
        )
    return Fairness(
        found,
        column,
        tuple(judged(found, column, crossed)),
        crossed,
        threshold,
        None if clash is None else clash[0],
        tuple(notes),
    )


def _reasons(criteria: tuple[Criterion, ...]) -> list[str]:
    """Say why a criterion cannot be judged."""
    lines = [f"{c.name} is undefined: {'; '.join(c.gap.notes)}" for c in criteria if math.isnan(c.gap.value)]
    return ["\n".join(lines)] if lines else []
