"""How wrong answers are if only the surest are given: risk against coverage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.rate import rate_of_rows, units_and_weights
from curvewise.core.sweep import Sweep, as_source, counted_rows
from curvewise.curves.base import Curve, Scores
from curvewise.errors import CurvewiseError, note
from curvewise.inference.influence import influences_of
from curvewise.inference.pivots import WaldPivot
from curvewise.many_classes.multiclass import Multiclass, multiclass
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import real
from curvewise.rows.reading import ONE, rows_within
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RiskCoverage(Curve, schema="risk_coverage"):
    """The share of wrong answers against the share of rows answered, the surest first.

    Attributes
    ----------
    coverage, risk, confidence
        The share of rows that are answered, the share of wrong answers among them, and the confidence from which on
        they are: the distance of the score from the threshold, or the highest score of all classes. One point for each
        confidence that occurs.
    aurc
        The area under the curve: the mean risk over all coverages (Geifman & El-Yaniv).
    excess
        How much of it is due to the order: the area less that of the same answers with all wrong ones last (E-AURC).
    error
        The share of wrong answers where every row is answered.
    by_answer
        For many classes, the curve of the rows that were given each class as their answer.

    ``positives`` and ``negatives`` are the rows, or the weight, answered correctly and incorrectly.
    """

    points = ("coverage", "risk", "confidence")
    coverage: Floats
    risk: Floats
    confidence: Scores
    aurc: Estimate
    excess: Estimate
    error: Estimate
    by_answer: dict[str, RiskCoverage] = field(default_factory=dict)


def risk_coverage(
    y: object, score: object = None, *, threshold: float = 0.5, level: float = 0.95, **rows: Unpack[RowOptions]
) -> RiskCoverage:
    """Return how often answers are wrong if only the surest rows are answered.

    Parameters
    ----------
    y, score
        A `Sweep`, `Rows` or `Multiclass` alone, or labels and scores with the options of `curvewise.sweep`; for many
        classes one column of scores per class, as in `curvewise.multiclass`.
    threshold
        Of two classes: where scores are cut; the farther a score is from it, the surer the answer.
    level
        The confidence level of the intervals.

    Notes
    -----
    The area is the mean over rows, from the surest on, of the share of wrong answers so far; rows that are equally sure
    come in random order, whose mean is taken exactly where they weigh alike. Its variance follows from what each row
    adds: e·(-ln u) with e the error of a row and u the coverage at which it is answered, and by how much it delays
    others. The intervals of ``aurc`` and ``excess`` are those of t on the scale of logarithms, that of ``error``
    Wilson's, with as many rows as clustered or weighted ones are worth.

    References
    ----------
    Geifman & El-Yaniv (2017) NeurIPS (risk and coverage). Geifman, Uziel & El-Yaniv (2019) ICLR (E-AURC).

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.risk_coverage([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.45])
    >>> found.coverage, found.risk
    (array([0.25, 0.5 , 0.75, 1.  ]), array([0.        , 0.        , 0.33333333, 0.25      ]))
    >>> round(found.aurc.value, 4), round(found.excess.value, 4)
    (0.1458, 0.0833)
    """
    level = real("level", level, 0, 1, closed=False)
    many = isinstance(score, Mapping) or getattr(score, "ndim", 1) == 2 or hasattr(score, "columns")
    if isinstance(y, Multiclass) or many:
        classes = y if isinstance(y, Multiclass) else multiclass(y, score, **rows)
        sure = np.max(classes.need_scores("Risk and coverage").scores, axis=0)
        answers = _answers(classes, classes.truth == classes.predicted, sure)
        places = {str(name): np.flatnonzero(classes.predicted == k) for k, name in enumerate(classes.classes)}
        each = {name: _curve(answers.take(which), level) for name, which in places.items() if len(which)}
        return replace(_curve(answers, level), by_answer=each)
    source = as_source(rows_within(y), score, rows)
    table = counted_rows(source) if isinstance(source, Sweep) else source
    if table.horizon is not None:
        raise CurvewiseError("y: risk and coverage take outcomes that are known, not outcomes at a horizon.")
    away = table.score - real("threshold", threshold, -math.inf, math.inf)
    flagged = away >= 0 if table.higher_is == "positive" else away <= 0
    return _curve(_answers(table, flagged == table.positive, np.abs(away)), level)


def _answers(table: Any, right: Any, sure: Scores) -> Rows:
    """Return rows whose label is whether the answer is right, and whose score is how sure it is."""
    names = ("weight", "weight_kind", "cluster", "stratum", "sampled", "dropped", "backend")
    return Rows(right, {ONE: sure}, **{name: getattr(table, name) for name in names})


def _curve(rows: Rows, level: float) -> RiskCoverage:
    order = np.argsort(-rows.score, kind="stable")
    rows = rows.take(order)
    weight, wrong = units_and_weights(rows)[1], ~rows.positive
    ends = np.flatnonzero(np.r_[np.diff(rows.score) != 0, True])  # the last row of each confidence
    done, errors = np.cumsum(weight), np.cumsum(weight * wrong)
    total, error = done[-1], errors[-1] / done[-1]
    area = _area(done, errors, ends, weight)
    last = np.flatnonzero(np.r_[np.diff(np.sort(wrong)) != 0, True])
    ideal = weight[np.argsort(wrong, kind="stable")]
    least = _area(np.cumsum(ideal), np.cumsum(ideal * np.sort(wrong)), last, ideal)
    # what each row adds
    block = np.searchsorted(ends, np.arange(len(rows)))
    answered = ((done[ends] + np.r_[0, done[ends]][:-1]) / 2 / total)[block]
    late = np.cumsum((weight * wrong / answered)[::-1])[::-1] / total
    late = late[np.r_[0, ends + 1][:-1]][block]  # of all that are no surer
    adds = wrong * -np.log(answered) - late + error - area
    adds -= np.average(adds, weights=weight)
    of_least = -math.log1p(-error) * (wrong - error) if error < 1 else np.zeros(len(rows))
    numbers = {"aurc": (area, adds), "excess": (area - least, adds - of_least)}
    found = {
        name: _estimate(name, value, each * weight / total, rows, level) for name, (value, each) in numbers.items()
    }
    rate = rate_of_rows(rows, wrong, level=level)
    return RiskCoverage(
        coverage=done[ends] / total,
        risk=errors[ends] / done[ends],
        confidence=rows.score[ends],
        positives=float(total - errors[-1]),
        negatives=float(errors[-1]),
        backend=rows.backend,
        aurc=found["aurc"],
        excess=found["excess"],
        error=Estimate("error", rate.value, *rate.interval(level), level, "wilson"),
    )


def _area(done: Floats, errors: Floats, ends: Any, weight: Floats) -> float:
    """Return the mean share of errors so far; within a block errors come evenly, as they do on average."""
    so_far = np.interp(done, np.r_[0, done[ends]], np.r_[0, errors[ends]])
    return float(np.average(so_far / done, weights=weight))


def _estimate(name: str, value: float, each: Floats, rows: Rows, level: float) -> Estimate:
    spread = influences_of(each, rows).spread()
    if value < 1e-12 or spread.variance <= 0:
        return Estimate(name, max(value, 0.0), math.nan, math.nan, level, None, reason=note("risk_without_spread"))
    low, high = WaldPivot(value, spread, "log").ends(level)
    return Estimate(name, value, low, min(high, 1.0), level, "log", spread.error)


__all__ = ["RiskCoverage", "risk_coverage"]
