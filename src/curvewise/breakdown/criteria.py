"""The criteria of fairness, each as a gap between groups with its interval, and which exclude each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.breakdown.group_gaps import MOST_PAIRED, p_equal, too_many_pairs
from curvewise.breakdown.group_metrics import Groups, stacked
from curvewise.breakdown.pair_ends import difference_ends, ends_of_two
from curvewise.errors import Note, note
from curvewise.metric.registry import bound, several
from curvewise.results.estimate import Estimate, undefined, value_alone
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.breakdown.cross_auc import Cross

# code, metric: the gap of which metric each criterion looks at
CRITERIA = {
    "equal_opportunity": "recall",
    "equal_false_alarms": "fpr",
    "demographic_parity": "predicted_rate",
    "predictive_parity": "precision",
    "false_omission_parity": "false_omission_rate",
    "calibration_by_group": "observed_expected",
    "equal_ranking": "roc_auc",
}
ODDS, BETWEEN = "equalised_odds", "equal_ranking_between"


@dataclass(frozen=True, repr=False)
class Criterion(Result, schema="criterion"):
    """One way to be fair: how far from it the groups are, and the test that they are equal.

    The interval of ``gap`` and ``p_value`` hold together with those of all other criteria (Bonferroni).

    ``code`` is its name for programs, ``metric`` the metric whose gap it looks at; ``name`` and ``meaning``
    are in plain words, `label` and `told` in any language.
    """

    code: str
    metric: str
    gap: Estimate
    ratio: Estimate | None
    p_value: float

    @property
    def name(self) -> str:
        """What it is called in English."""
        return self.code.replace("_", " ").replace("false omission", "false-omission")

    @property
    def meaning(self) -> str:
        """What is equal where it is met, in English."""
        return self.told()

    def label(self, lang: Lang = "en") -> str:
        """Return what a reader calls it."""
        return words(lang)(f"criterion.{self.code}")

    def told(self, lang: Lang = "en") -> str:
        """Return what is equal where it is met."""
        return words(lang)(f"criterion.meaning.{self.code}")

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", stacked([self.row()]))

    def parts(self) -> list[Table | Note]:
        """Return the row, and what to know of the gap."""
        return [self.table, *self.gap.notes, *([self.gap.reason] if self.gap.reason else [])]

    def row(self) -> dict[str, Any]:
        """Return the cells of a table of criteria."""
        ratio = None if self.ratio is None else self.ratio.value
        p = None if math.isnan(self.p_value) else self.p_value
        gap = {"criterion": self.name, "gap": self.gap.value, "low": self.gap.low, "high": self.gap.high}
        return {**gap, "ratio": ratio, "p_equal": p, "met when": self.meaning}

    def content(self) -> dict[str, Any]:
        """Return code, metric, gap, ratio and p-value, JSON-safe."""
        said = {"criterion": self.name, "code": self.code, "metric": self.metric, "meaning": self.meaning}
        return {**said, **json_safe({"gap": self.gap, "ratio": self.ratio, "p_equal": self.p_value})}


def criteria(found: Groups, column: str, crossed: Cross) -> list[Criterion]:
    """Measure the groups of a column by every criterion that their metrics allow.

    Intervals and p-values hold for all criteria together, each at its share of the error (Bonferroni). Equalised odds
    are two of them, and take no share.
    """
    measured = {code: metric for code, metric in CRITERIA.items() if metric in found.targets}
    many = len(measured) + 1
    wider, listed = replace(found, level=1 - (1 - found.level) / many), []

    def together(gap: Estimate) -> Estimate:
        method = None if gap.method is None else f"{gap.method.removesuffix(', Bonferroni')}, Bonferroni"
        return replace(gap, level=found.level, method=method)

    for code, metric in measured.items():
        gap, ratio = (together(of(metric, column=column)) for of in (wider.gap, wider.ratio))
        p = min(many * p_equal(wider, found.targets[metric], column), 1.0)  # NaN stays
        listed.append(Criterion(code, metric, gap, ratio, p))
        if metric == "fpr":
            listed.append(_odds(listed[-2], listed[-1]))
    return [*listed, Criterion(BETWEEN, "roc_auc", together(_between(wider, crossed)), None, math.nan)]


def _odds(recall: Criterion, fpr: Criterion) -> Criterion:
    """Take the larger of two gaps, which hold at once."""
    label = "gap of equalised odds"
    bad = next((c.gap.reason for c in (recall, fpr) if not c.gap.is_defined), None)
    if bad is not None:
        return Criterion(ODDS, "recall", undefined(label, recall.gap.level, bad), None, math.nan)
    worst = max(recall, fpr, key=lambda c: c.gap.value)
    ends = {end: max(getattr(c.gap, end) for c in (recall, fpr)) for end in ("low", "high")}
    gap = replace(worst.gap, metric=label, **ends)
    return Criterion(ODDS, worst.metric, gap, None, min(recall.p_value, fpr.p_value))


def _between(found: Groups, crossed: Cross) -> Estimate:
    """Return the largest |A_gh - A_hg|; the two rest on different rows, but may share clusters."""
    label, level, names = "gap of xAUC", found.level, crossed.names
    if len(names) < 2:
        return undefined(label, level, note("only_one_group", column=crossed.partition.category.column))
    lacking = np.flatnonzero((crossed.positives == 0) | (crossed.negatives == 0))
    if len(lacking):
        why = note("xauc_needs_both", first=names[0], second=names[max(int(lacking[0]), 1)])
        return undefined(label, level, why)
    if len(names) > MOST_PAIRED:
        return undefined(label, level, too_many_pairs(len(names)))
    auc, (first, second) = crossed.auc, np.triu_indices(len(names), 1)
    away = np.abs(auc[first, second] - auc[second, first])
    k = int(np.argmax(away))
    g, h = int(first[k]), int(second[k])
    g, h = (g, h) if auc[g, h] >= auc[h, g] else (h, g)
    # as many comparisons as there are pairs of groups: each at its share of the error
    wider = level if len(first) == 1 else 1 - (1 - level) / len(first)
    one, two = crossed.estimate(g, h, wider), crossed.estimate(h, g, wider)
    told = note("xauc_pair", first=names[g], second=names[h], first_value=one.value, second_value=two.value)
    if not (one.has_interval and two.has_interval):
        return value_alone(label, float(away[k]), level, note("member_without_interval"), (told,))
    together = crossed.partition.correlation_between(g, h, bound("roc_auc"), found.replicates, found.seed)
    low, high = ends_of_two(difference_ends, one, two, together)
    # which of the two is the larger was seen in the data: the interval of the absolute difference
    ends = max(low, 0.0), max(high, -low)
    method = "MOVER" if len(first) == 1 else "MOVER, Bonferroni"
    return Estimate(label, float(away[k]), *ends, level, method, notes=(told,))


def implied_fpr(prevalence: float, precision: float, recall: float) -> float:
    """Return the FPR that follows from the rest: π/(1-π) · (1-PPV)/PPV · TPR (Chouldechova 2017)."""
    if prevalence == 1 or precision == 0:
        return math.nan
    return prevalence / (1 - prevalence) * (1 - precision) / precision * recall


def _prevalence_differs(found: Groups, column: str, threshold: float) -> bool:
    """Say whether groups differ in prevalence beyond chance."""
    (target,) = several(("prevalence",), {"threshold": threshold}).values()
    part, groups = found.partitions[column], found.breakdowns[column]
    rows = (None if found.is_plain else part.rows_of(k) for k in range(len(groups)))
    each = (found.estimate(target, g.sweep, some, found.level) for g, some in zip(groups, rows, strict=True))
    counted = tuple(replace(g, estimates={target.name: e}) for g, e in zip(groups, each, strict=True))
    by_prevalence = replace(found, targets={target.name: target}, breakdowns={column: counted})
    return p_equal(by_prevalence, target, column) < 1 - found.level


def impossibility(found: Groups, column: str, threshold: float) -> tuple[Table, list[Note]] | None:
    """Say what equal precision and recall would force on the FPR of each group; None where nothing clashes.

    Nothing clashes where prevalence is the same in all groups, or no alarm is false. No more is said of it where
    prevalence differs by no more than chance would make it.
    """
    groups = found.breakdowns[column]
    shares = [g.sweep.prevalence for g in groups]
    whole = found.overall.sweep.at(threshold)
    if len(groups) < 2 or min(shares) == max(shares):
        return None
    if math.isnan(whole.precision) or whole.precision in (0, 1) or not whole.recall > 0:
        return None
    implied = [implied_fpr(p, whole.precision, whole.recall) for p in shares]
    title = f"FPR that follows from a common precision {show(whole.precision)} and recall {show(whole.recall)}"
    names, actual = [g.name for g in groups], [g.sweep.at(threshold).fpr for g in groups]
    table = Table(title, {"group": names, "prevalence": shares, "implied_fpr": implied, "fpr": actual})
    if not _prevalence_differs(found, column, threshold):
        return table, []
    low, high = shares.index(min(shares)), shares.index(max(shares))
    values = {"low": groups[low].name, "high": groups[high].name, "low_prevalence": shares[low]}
    values |= {"high_prevalence": shares[high], "precision": whole.precision, "recall": whole.recall}
    code = "criteria_clash_beyond" if implied[high] > 1 else "criteria_clash"
    rates = note(code, **values, low_fpr=implied[low], high_fpr=implied[high])
    return table, [rates, note("calibration_clash")]
