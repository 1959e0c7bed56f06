"""What cannot all be equal: precision, recall and false positive rate, where prevalence differs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise.results.numbers import show
from curvewise.results.result import Table

if TYPE_CHECKING:
    from curvewise.breakdown.breakdown import Groups


def implied_fpr(prevalence: float, precision: float, recall: float) -> float:
    """Return the FPR that follows from the rest: π/(1-π) · (1-PPV)/PPV · TPR (Chouldechova 2017)."""
    if prevalence == 1 or precision == 0:
        return math.nan
    return prevalence / (1 - prevalence) * (1 - precision) / precision * recall


def impossibility(found: Groups, column: str, threshold: float) -> tuple[Table, list[str]] | None:
    """Say what equal precision and recall would force on the FPR of each group; None where nothing clashes.

    Nothing clashes where prevalence is the same in all groups, or no alarm is false.
    """
    groups = found.breakdowns[column]
    shares = [g.sweep.prevalence for g in groups]
    whole = found.overall.sweep.at(threshold)
    if len(groups) < 2 or min(shares) == max(shares):
        return None
    if math.isnan(whole.precision) or whole.precision in (0, 1) or not whole.recall > 0:
        return None
    implied = [implied_fpr(p, whole.precision, whole.recall) for p in shares]
    table = Table(
        f"FPR that follows from a common precision {show(whole.precision)} and recall {show(whole.recall)}",
        {
            "group": [g.name for g in groups],
            "prevalence": shares,
            "implied_fpr": implied,
            "fpr": [g.sweep.at(threshold).fpr for g in groups],
        },
    )
    low, high = shares.index(min(shares)), shares.index(max(shares))
    beyond = " (more than 1: out of reach)" if implied[high] > 1 else ""
    first, last = groups[low].name, groups[high].name
    rates = (
        f"prevalence differs ({show(shares[low])} in {first}, {show(shares[high])} in {last}), so precision, "
        f"recall and false positive rate cannot all be equal: with the overall precision "
        f"{show(whole.precision)} and recall {show(whole.recall)} everywhere, the false positive rate would "
        f"be {show(implied[low])} in {first} and {show(implied[high])} in {last}{beyond} (Chouldechova 2017)"
    )
    scores = (
        "for the same reason a score that is calibrated in every group cannot have equal error rates in all "
        "of them, unless it is perfect (Kleinberg et al. 2016): choose which of the two matters here"
    )
    return table, [rates, scores]
