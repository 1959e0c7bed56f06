"""The mean of the curves of all classes: TPR at each FPR, precision at each recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.curves.base import Curve
from curvewise.metric.average_precision import average_precision
from curvewise.metric.roc_auc import roc_auc

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MeanRocCurve(Curve, schema="mean_roc_curve"):
    """The mean TPR of all classes at each FPR, straight lines between points; no threshold belongs to it.

    The area under it is the mean of the classes' areas. ``positives`` and ``negatives`` are summed over
    classes.
    """

    points = ("fpr", "tpr")

    fpr: Floats
    tpr: Floats
    auc: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MeanPrCurve(Curve, schema="mean_pr_curve"):
    """The mean precision of all classes at each recall, a step that holds back to the recall before it.

    The area under the steps is the mean of the classes' average precisions. A class's precision at a recall
    is that of the first threshold that reaches it.
    """

    points = ("precision", "recall")

    precision: Floats
    recall: Floats
    average_precision: float

    def axes(self) -> tuple[Floats, Floats]:
        """Return recall and precision."""
        return self.recall, self.precision


def mean_roc_curve(sweeps: Sequence[Sweep]) -> MeanRocCurve:
    """Average ROC curves over the union of their FPRs; where a curve rises at one FPR, from low to high."""
    lines = [_line(s) for s in sweeps]
    x = np.unique(np.concatenate([fpr for fpr, _, _ in lines]))
    low, high = np.zeros(len(x)), np.zeros(len(x))
    for fpr, first, last in lines:
        k = np.searchsorted(fpr, x, side="right") - 1
        here = fpr[k] == x
        after = np.minimum(k + 1, len(fpr) - 1)
        width = np.where(here, 1.0, fpr[after] - fpr[k])
        between = last[k] + (first[after] - last[k]) * (x - fpr[k]) / width
        low += np.where(here, first[k], between)
        high += np.where(here, last[k], between)
    # where no curve rises, low and high are one point
    twice = np.repeat(np.arange(len(x)), 1 + (low < high))
    is_high = np.append(twice[1:] != twice[:-1], True)
    tpr = np.where(is_high, high[twice], low[twice]) / len(lines)
    area = float(np.mean([roc_auc(s) for s in sweeps]))
    return MeanRocCurve(fpr=x[twice], tpr=tpr, auc=area, **_totals(sweeps))


def mean_pr_curve(sweeps: Sequence[Sweep]) -> MeanPrCurve:
    """Average PR curves over the union of their recalls."""
    steps = []
    for s in sweeps:
        rises = np.flatnonzero(s.block_positives)
        steps.append((s.tp[rises] / s.positives, s.tp[rises] / (s.tp[rises] + s.fp[rises])))
    recall = np.unique(np.concatenate([r for r, _ in steps]))
    precision = np.zeros(len(recall))
    for recalls, height in steps:
        precision += height[np.searchsorted(recalls, recall, side="left")]
    area = float(np.mean([average_precision(s) for s in sweeps]))
    mean = precision / len(steps)
    return MeanPrCurve(precision=mean, recall=recall, average_precision=area, **_totals(sweeps))


def _line(sweep: Sweep) -> tuple[Floats, Floats, Floats]:
    """Return the FPRs at which a ROC curve bends, with the lowest and the highest TPR at each."""
    fp, tp = np.append(0, sweep.fp), np.append(0, sweep.tp)
    last = np.append(np.flatnonzero(np.diff(fp)), len(fp) - 1)
    first = np.append(0, last[:-1] + 1)
    x, low, high = fp[last], tp[first], tp[last]
    right, up = np.diff(x), low[1:] - high[:-1]
    bends = (low < high)[1:-1] | (right[:-1] * up[1:] != right[1:] * up[:-1])
    kept = np.concatenate([[0], np.flatnonzero(bends) + 1, [len(x) - 1]])
    negatives, positives = sweep.known_negatives("A ROC curve"), sweep.positives
    return x[kept] / negatives, low[kept] / positives, high[kept] / positives


def _totals(sweeps: Sequence[Sweep]) -> dict[str, Any]:
    negatives = sum(s.known_negatives("A ROC curve") for s in sweeps)
    positives = sum(s.positives for s in sweeps)
    return {"positives": positives, "negatives": negatives, "backend": sweeps[0].backend}
