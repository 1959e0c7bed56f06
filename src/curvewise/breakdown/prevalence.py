"""Precision in a population with another share of positives, with its interval."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.gaps import ratio_ends
from curvewise.breakdown.measures import measures, undefined
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


def precision_at(sweep: Sweep, threshold: float, prevalence: float, level: float) -> Estimate:
    """Return π·TPR / (π·TPR + (1-π)·FPR), which rises with LR+ = TPR/FPR, whose interval is MOVER-R's."""
    found = measures(("recall", "fpr"), threshold)
    if sweep.tp.dtype.kind == "f" and sweep.positives and sweep.negatives:
        moved = sweep.at_prevalence(prevalence).at(threshold).precision
        return replace(
            undefined("precision", level, "fractional weights have no binomial interval"),
            value=moved,
            method="no interval",
        )
    recall, fpr = (m.estimate(sweep, level) for m in found.values())
    for rate in (recall, fpr):
        if math.isnan(rate.value):
            return undefined("precision", level, *rate.notes)
    if recall.value == 0 and fpr.value == 0:
        return undefined("precision", level, "no row is flagged")
    low, high = ratio_ends(
        np.array(recall.value),
        (np.array(recall.low), np.array(recall.high)),
        np.array(fpr.value),
        (np.array(fpr.low), np.array(fpr.high)),
    )
    odds = prevalence / (1 - prevalence)

    def share(ratio: float) -> float:
        return 1.0 if math.isinf(ratio) else odds * ratio / (1 + odds * ratio)

    value = share(recall.value / fpr.value if fpr.value else math.inf)
    return Estimate("precision", value, share(float(low)), share(float(high)), level, "MOVER-R of LR+")
