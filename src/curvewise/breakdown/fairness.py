"""Fairness between groups: every criterion as a gap with its interval, and what cannot be had together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.breakdown.by_group import AT_THRESHOLD, RANKING, are_probabilities, break_down, read_groups
from curvewise.breakdown.criteria import Criterion, criteria, impossibility
from curvewise.breakdown.cross_auc import Cross, cross
from curvewise.breakdown.group_gaps import MOST_PAIRED, because, listed
from curvewise.breakdown.group_metrics import OBSERVED_EXPECTED, Group, Groups, columns_of, remarks, stacked
from curvewise.breakdown.threshold_policies import ThresholdPolicies, threshold_policies
from curvewise.core.confusion import Confusion
from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import as_sweep
from curvewise.decisions.choice import Rule
from curvewise.decisions.operating_point import operating_point
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, nearest, note
from curvewise.inference.interval import FEW
from curvewise.metric.registry import several
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.category import combined
from curvewise.rows.checks import as_float
from curvewise.rows.columns import shown
from curvewise.rows.reading import refuse_unknown

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import RowOptions, Rows

FEW_GROUPS = 10  # whose AUCs between each other are shown unasked
RATES = ("recall", "fpr", "precision", "predicted_rate", "accuracy")
CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, repr=False)
class GroupThresholds(Result, schema="group_thresholds"):
    """One threshold per group, chosen by the same rule in each.

    ``thresholds`` are those chosen, by group; ``per_group`` says what happens there, None where the rule has
    no answer. ``overall`` is all rows together: at the threshold that was given, at one threshold chosen by
    the rule on all rows, and with a threshold for each group. The difference is what the constraint costs.
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
        groups, overall = (t.content()["rows"] for t in (self.table, self.overall))
        return {"rule": self.rule, "groups": groups, "overall": overall, "notes": json_safe(self.notes)}


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(Result, schema="fairness"):
    """Groups measured by the criteria of fairness, made by `curvewise.fairness`.

    ``groups`` has every metric of every group with its interval, ``criteria`` one `Criterion` each, ``xauc``
    the AUC within (diagonal) and between groups; ``threshold`` is where scores are cut, and ``notes`` say
    what cannot be had together here, and what a careful reader should know.
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
        level = f"{percent(self.groups.level)} intervals"
        title = f"Fairness by {self.column} at threshold {show(as_float(self.threshold))} ({level})"
        return Table(title, stacked([c.row() for c in self.criteria]), self.backend)

    def criterion(self, name: str) -> Criterion:
        """Return one criterion by its name or code."""
        wanted = name.casefold().replace("-", "_").replace(" ", "_") if isinstance(name, str) else ""
        known = {c.code: c for c in self.criteria}
        if wanted in known:
            return known[wanted]
        close = [known[code].name for code in nearest(wanted, known)] or [c.name for c in self.criteria]
        hint = " or ".join(map(repr, close))
        raise CurvewiseError(f"criterion: there is no criterion {shown(name)}; did you mean {hint}?")

    def thresholds(self, rule: Rule | Callable[[Confusion], float], *, together: bool = False) -> GroupThresholds:
        """Choose a threshold for each group by the same rule, and say what that costs overall.

        Parameters
        ----------
        rule
            One of `curvewise.rules`: ``rules.min_recall(0.9)`` makes recall at least 0.9 in every group
            (equal opportunity), ``rules.max_fpr(0.05)`` bounds false alarms in each.
        together
            Whether the ``confidence`` of the rule is to hold for all groups together, not in each: what is left of 1
            is then divided by their number.
        """
        groups, part = self.groups.groups(self.column), self.groups.partitions[self.column]
        sources: list[Sweep | Rows] = [group.sweep for group in groups]
        whole: Sweep | Rows = self.groups.overall.sweep
        confidence = getattr(rule, "confidence", None)
        if together and confidence is None:
            raise OptionError.of("together", "the rule has no confidence; leave it out.")
        if isinstance(rule, Rule) and confidence is not None:  # it needs to know which rows depend on each other
            sources, whole = [part.rows_of(k) for k in range(len(groups))], part.rows
            rule = rule.at_confidence(1 - (1 - confidence) / len(groups)) if together else rule
        return group_thresholds(groups, sources, whole, self.threshold, rule)

    def policies(self, *, prevalence: float | None = None) -> ThresholdPolicies:
        """Return one threshold for all groups, and one for each by same recall, same FPR and same share flagged.

        Parameters
        ----------
        prevalence
            The share of positives where thresholds are used; None takes that of the rows. The odds of every
            group change by the same factor.
        """
        groups, whole = self.groups.groups(self.column), self.groups.overall.sweep
        return threshold_policies(groups, whole, self.threshold, prevalence)

    def parts(self) -> list[Table | Note]:
        """Return the criteria and why any is undefined, all groups, AUC between groups, and the notes."""
        why = {c.name: because(c.gap.reason) for c in self.criteria if not c.gap.is_defined}
        undefined = [note("criterion_undefined", criterion=name, why=reason) for name, reason in why.items()]
        crossed = [self.xauc.table] if len(self.xauc.names) <= FEW_GROUPS else []
        return [self.table, *undefined, self.groups.wide, *crossed, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return criteria, AUCs between groups (of 1000 at most) and all groups, JSON-safe."""
        names = ("column", "threshold", "criteria")
        return {
            **{name: json_safe(getattr(self, name)) for name in names},
            "xauc": self.xauc.table.content()["rows"] if len(self.xauc.names) <= MOST_PAIRED else [],
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
    y, score, group, level, rng, replicates
        As in `curvewise.by_group`; several group columns are measured by their combinations.
    threshold
        Where scores are cut.
    **rows
        Options of `curvewise.sweep` (``weight``, ``cluster``, ``positive`` …).

    Returns
    -------
    Fairness
        ``table``, ``criteria``, ``groups``, ``xauc``, ``thresholds(rule)``, ``notes``.

    Notes
    -----
    Criteria: equal opportunity (recall), equalised odds (the larger gap of recall and FPR), demographic
    parity (predicted rate), predictive parity (precision), false-omission parity, calibration by group
    (observed over expected, where scores lie in [0, 1]), AUC within each group, and xAUC between groups. The
    AUC of all rows is a mean of those: A·P·N = Σ P_g·N_h·A_gh. Pairs of more than 1000 groups are not compared.

    One of several criteria differs by chance more often than one alone: intervals and p-values hold for all
    of them together (Bonferroni), so that of groups that are alike in everything at most 1 - ``level`` have any
    interval without 0. `curvewise.by_group` has the gap of a single metric that was chosen beforehand.

    Where prevalence differs beyond chance and the model is not perfect, these criteria exclude each other;
    ``notes`` says so with the numbers. Which one matters is not for statistics to say. A gap of 0 on the rows at hand
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
    found_by = tuple(criteria(found, column, crossed))
    notes.append(note("criteria_together", criteria=len(found_by) - 1))
    if OBSERVED_EXPECTED not in found.targets:
        notes.append(note("no_calibration_by_group"))
    small = [g.name for g in groups if g.is_small]
    if small:
        notes.append(note("small_groups_say_little", few=FEW, groups=listed(small)))
    implied = None if clash is None else clash[0]
    return Fairness(found, column, found_by, crossed, threshold, implied, tuple(notes), found.backend)


def group_thresholds(
    groups: Sequence[Group],
    sources: Sequence[Sweep | Rows],
    whole: Sweep | Rows,
    threshold: float,
    rule: Rule | Callable[[Confusion], float],
) -> GroupThresholds:
    """Apply a rule to each group, and to all rows."""
    rows: list[list[Any]] = []
    chosen: dict[str, float] = {}
    after: list[Confusion] = []
    why: list[Note] = []
    for group, source in zip(groups, sources, strict=True):
        before = group.sweep.at(threshold)
        try:
            point = operating_point(source, rule=rule, replicates=0)
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
    ways = [(f"one threshold {threshold:g}", as_sweep(whole, None, {}).at(threshold))]
    try:
        common = operating_point(whole, rule=rule, replicates=0)
        ways.append((f"one threshold {common.threshold:g}, by the rule on all rows", common.confusion))
    except UndefinedMetricError as error:
        why.append(note("no_common_threshold", why=error.reason))
    summed = Confusion(**{k: sum(getattr(c, k) for c in after) for k in CELLS})
    ways.append(("a threshold for each group", summed))
    columns: dict[str, list[Any]] = {"way": [way for way, _ in ways]}
    columns |= {k: [getattr(c, k) for _, c in ways] for k in (*CELLS, *RATES)}
    confidence = getattr(rule, "confidence", None)
    if confidence is not None and chosen:
        least = max(1 - len(chosen) * (1 - confidence), 0.0)
        why.append(note("guarantee_by_group", confidence=confidence, groups=len(chosen), together=least))
    caution = note("chosen_on_these_rows"), note("treats_by_group")
    return GroupThresholds(name, chosen, table, Table("All rows together", columns), (*why, *caution))
