"""What a threshold costs, the slope of equal costs in the ROC plot, and the costs a point is best for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.confusion import checked_costs
from curvewise.core.rate import flagged_rows
from curvewise.core.sweep import Sweep, as_source, as_sweep
from curvewise.curves.cost import cost_slope
from curvewise.curves.hull import hull_places
from curvewise.decisions.row_costs import costs_by_row
from curvewise.decisions.rules import DecideBy, min_cost
from curvewise.decisions.trivial import stated_costs
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.decisions.choice import Rule
    from curvewise.rows.rows import RowOptions

Range = tuple[float, float]


def expected_cost(
    y: object,
    score: object = None,
    threshold: float | None = None,
    *,
    fp: object,
    fn: object,
    tp: object = 0,
    tn: object = 0,
    prevalence: float | None = None,
    decide_by: DecideBy = "score",
    **rows: Unpack[RowOptions],
) -> float:
    """Return the mean cost per row where scores are cut at a threshold.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone (then name ``threshold=``), or labels and scores with the options of
        `curvewise.sweep`.
    threshold
        Positive means score ≥ threshold. An infinite one flags no row.
    fp, fn, tp, tn
        What a false positive, a false negative, a true positive and a true negative cost; a gain is a
        negative cost. Each a number, or one value per row.
    prevalence
        The share of positives where the threshold is used; None takes that of the rows.
    decide_by
        ``"score"``, cut at the threshold; or ``"expected_cost"``, without one: each row is flagged where its
        probability and its costs say that an alarm saves. See `curvewise.rules.min_cost`.

    Notes
    -----
    c_FP·(1−π)·FPR + c_FN·π·(1−TPR) + c_TP·π·TPR + c_TN·(1−π)·(1−FPR).

    Examples
    --------
    >>> import curvewise as cw
    >>> y, score = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    >>> cw.expected_cost(y, score, 0.7, fp=1, fn=10)
    0.2
    >>> round(cw.expected_cost(y, score, 0.7, fp=1, fn=10, prevalence=0.01), 4)
    0.33
    """
    rule = min_cost(fp=fp, fn=fn, tp=tp, tn=tn, prevalence=prevalence, decide_by=decide_by)
    if rule.decides_rows and threshold is not None:
        raise CurvewiseError("threshold: rows are decided by their costs; leave it out.")
    cut = 0.0 if rule.decides_rows else threshold
    if cut is None:
        raise CurvewiseError("threshold: say where the scores are cut.")
    if rule.by_row and (costs := costs_by_row(as_source(y, score, rows), rule)) is not None:
        return costs.mean(costs.of_rows(flagged_rows(costs.rows, cut)))
    sweep = as_sweep(y, score, rows)
    if prevalence is not None:
        sweep = sweep.at_prevalence(prevalence)
    return sweep.at(cut).expected_cost(**(stated_costs(rule) or {}))


def iso_cost_slope(*, fp: float, fn: float, prevalence: float, tp: float = 0, tn: float = 0) -> float:
    """Return the slope of the lines of equal cost in the ROC plot; costs as in `curvewise.expected_cost`.

    Notes
    -----
    (c_FP − c_TN)/(c_FN − c_TP) · (1−π)/π. The best point is where a line of this slope touches the ROC curve
    from above: steep slopes (rare positives, expensive false alarms) lie at the lower left, few alarms; flat
    ones at the upper right.

    References
    ----------
    Metz (1978) Semin. Nucl. Med. 8:283-298. Provost & Fawcett (2001) Machine Learning 42:203-231.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.iso_cost_slope(fp=5_000, fn=50_000, prevalence=0.01), 6)
    9.9
    """
    costs = checked_costs(fp=fp, fn=fn, tp=tp, tn=tn)
    gain, loss = costs["fn"] - costs["tp"], costs["fp"] - costs["tn"]
    if gain < 0 or loss < 0:
        when = "always" if loss < 0 else "never"
        raise CurvewiseError(
            f"These costs leave nothing to weigh: an alarm is {when} the cheaper answer, so there is no slope."
        )
    if gain == 0 or loss == 0:
        real("prevalence", prevalence, 0, 1, closed=False)
        return math.inf if gain == 0 else 0.0
    return cost_slope(loss, gain, prevalence)


@dataclass(frozen=True, repr=False)
class BestFor(Result, schema="best_for"):
    """The slopes, and the costs of a miss in false alarms, for which a point of the ROC curve is best.

    ``slope`` is (low, high) of the iso-cost lines that touch the curve here, None for a point below the hull
    (``reason`` says why); ``cost_ratio`` the same as c_FN/c_FP at ``prevalence``. ``ratio_above`` is the one
    c_FN/c_FP at which the two ends of the hull's segment above such a point are equally cheap: there it loses least.
    """

    slope: Range | None
    cost_ratio: Range | None
    prevalence: float
    reason: Note | None = None
    ratio_above: float | None = None

    @property
    def statement(self) -> Note:
        """The range in words, or why there is none."""
        if self.slope is None or self.cost_ratio is None:
            return self.reason or note("no_best_costs")
        few, many = self.cost_ratio
        code = "best_costs_from" if math.isinf(many) else "best_costs_to" if few == 0 else "best_costs"
        low, high = self.slope
        return note(code, few=few, many=many, prevalence=self.prevalence, low=low, high=high)

    def parts(self) -> list[Table | Note]:
        """Return the statement."""
        return [self.statement]

    def __str__(self) -> str:
        return f"{self.statement}."


def best_for(sweep: Sweep, place: int, prevalence: float) -> BestFor:
    """Find the segments of the hull that meet at a candidate; there is no hull where negatives are unknown."""
    if sweep.negatives is None:
        return BestFor(None, None, prevalence, note("best_costs_unknown"))
    vertices = hull_places(sweep.tp, sweep.fp)
    k = int(np.searchsorted(vertices, place))
    odds = (1 - prevalence) / prevalence
    if vertices[k] != place:
        first, second = (str(sweep.threshold[v - 1]) for v in vertices[k - 1 : k + 1])
        if vertices[k - 1]:
            why = note("no_best_costs", first=first, second=second)
        else:
            why = note("no_best_costs_or_none", second=second)
        above = _slope(sweep, int(vertices[k - 1]), int(vertices[k]))
        return BestFor(None, None, prevalence, why, odds / above if above else math.inf)
    steep = math.inf if k == 0 else _slope(sweep, int(vertices[k - 1]), place)
    flat = 0.0 if k == len(vertices) - 1 else _slope(sweep, place, int(vertices[k + 1]))
    few, many = (odds / s if s else math.inf for s in (steep, flat))
    return BestFor((flat, steep), (few, many), prevalence)


def implied_cost_ratio(rule: Rule, best: BestFor, chosen: Confusion) -> float:
    """Return how many false alarms one miss equals where a rule chooses a point; see `OperatingPoint.cost_ratio`."""
    given = rule.options
    if rule.name == "max_net_benefit":
        act = float(given["threshold_probability"])
        return (1 - act) / act if act else math.inf
    if rule.name == "youden":
        return (1 - best.prevalence) / best.prevalence
    if math.isnan(best.prevalence):
        return math.nan  # negatives are unknown
    if best.cost_ratio is None:
        above = math.nan if best.ratio_above is None else best.ratio_above
        # below the segment that begins at "no row flagged", its alarms would cost more than they are worth
        even = (1 - best.prevalence) / best.prevalence * chosen.fpr / chosen.recall if chosen.tp else 0.0
        return max(above, even)
    low, high = best.cost_ratio
    if low == 0:
        return 1.0 if math.isinf(high) else high / 2  # cheapest whatever a miss costs: as much as a false alarm
    return 2 * low if math.isinf(high) else math.sqrt(low) * math.sqrt(high)


def _slope(sweep: Sweep, start: int, stop: int) -> float:
    t, f = (c[stop - 1].item() - (c[start - 1].item() if start else 0) for c in (sweep.tp, sweep.fp))
    negatives = sweep.known_negatives("A slope of equal cost")
    return math.inf if f == 0 else (t * negatives) / (f * sweep.positives)
