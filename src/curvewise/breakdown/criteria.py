"""The criteria of fairness, each as a gap between groups with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.equality import p_equal
from curvewise.breakdown.gaps import difference_ends
from curvewise.breakdown.measures import undefined
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from curvewise.breakdown.breakdown import Groups
    from curvewise.breakdown.cross import Cross

# criterion, metric, what is equal where it is met
CRITERIA = (
    ("equal opportunity", "recall", "of 100 positives as many are found in every group"),
    ("equal false alarms", "fpr", "of 100 negatives as many are flagged in every group"),
    ("demographic parity", "predicted_rate", "of 100 rows as many are flagged in every group"),
    ("predictive parity", "precision", "of 100 alarms as many are right in every group"),
    (
        "false-omission parity",
        "false_omission_rate",
        "of 100 not flagged as many are positive in every group",
    ),
    ("calibration by group", "observed_expected", "probabilities promise what each group has"),
    ("equal ranking", "roc_auc", "positives outrank negatives as often within every group"),
)
ODDS = ("equalised odds", "the larger of the gaps of recall and FPR")
CROSSED = ("equal ranking between", "xAUC: a positive of one group outranks a negative of the other as often")


@dataclass(frozen=True)
class Criterion:
    """One way to be fair: how far from it the groups are, and the test that they are not."""

    name: str
    meaning: str
    gap: Estimate
    ratio: Estimate | None
    p_value: float


def judged(found: Groups, column: str, crossed: Cross) -> list[Criterion]:
    """Judge the groups of a column by every criterion that their metrics allow."""
    criteria = []
    for name, metric, meaning in CRITERIA:
        if metric not in found.measures:
            continue
        gap, ratio = found.gap(metric, column=column), found.ratio(metric, column=column)
        p_value = p_equal(found, found.measures[metric], column)
        criteria.append(Criterion(name, meaning, gap, ratio, p_value))
        if metric == "fpr":
            criteria.append(_odds(found, column, criteria[-2], criteria[-1]))
    name, meaning = CROSSED
    return [*criteria, Criterion(name, meaning, _between(crossed, found.level), None, math.nan)]


def _odds(found: Groups, column: str, recall: Criterion, fpr: Criterion) -> Criterion:
    """Take the larger of two gaps; each at half the error, so that both hold at once."""
    name, meaning = ODDS
    label = "gap of equalised odds"
    bad = next((c.gap for c in (recall, fpr) if math.isnan(c.gap.value)), None)
    if bad is not None:
        return Criterion(name, meaning, undefined(label, found.level, *bad.notes), None, math.nan)
    both = replace(found, level=1 - (1 - found.level) / 2)
    gaps = [both.gap(metric, column=column) for metric in ("recall", "fpr")]
    worst = max(gaps, key=lambda g: g.value)
    ends = max(g.low for g in gaps), max(g.high for g in gaps)
    gap = Estimate(label, worst.value, *ends, found.level, f"{worst.method}, Bonferroni", notes=worst.notes)
    return Criterion(name, meaning, gap, None, min(1.0, 2 * min(recall.p_value, fpr.p_value)))


def _between(crossed: Cross, level: float) -> Estimate:
    """Return the widest |A_gh - A_hg|; the two rest on different rows, so they are independent."""
    label = "gap of xAUC"
    auc = crossed.auc
    first, second = np.triu_indices(len(crossed.names), 1)
    if not len(first):
        return undefined(label, level, "there is only one group")
    away = np.abs(auc[first, second] - auc[second, first])
    if np.isnan(away).any():
        k = int(np.flatnonzero(np.isnan(away))[0])
        pair = f"{crossed.names[first[k]]} and {crossed.names[second[k]]}"
        return undefined(label, level, f"xAUC between {pair} needs both classes in both")
    k = int(np.argmax(away))
    g, h = int(first[k]), int(second[k])
    g, h = (g, h) if auc[g, h] >= auc[h, g] else (h, g)
    # as many comparisons as there are pairs of groups: each at its share of the error
    wider = level if len(first) == 1 else 1 - (1 - level) / len(first)
    one, two = crossed.estimate(g, h, wider), crossed.estimate(h, g, wider)
    low, high = difference_ends(
        np.array(one.value),
        (np.array(one.low), np.array(one.high)),
        np.array(two.value),
        (np.array(two.low), np.array(two.high)),
    )
    # which of the two is the larger was seen in the data: the interval of the absolute difference
    ends = math.nan, math.nan
    if not math.isnan(float(low)):
        ends = max(float(low), 0.0), max(float(high), -float(low))
    names = crossed.names
    note = (
        f"a positive of {names[g]} outranks a negative of {names[h]} with chance {show(one.value)}, "
        f"a positive of {names[h]} a negative of {names[g]} with {show(two.value)}"
    )
    method = "MOVER" if len(first) == 1 else "MOVER, Bonferroni"
    return Estimate(label, float(away[k]), *ends, level, method, notes=(note,))
