"""How likely a row is not to have been censored by a time: G, and what each row adds to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.censored.outcomes import Outcomes, read_outcomes
from curvewise.censored.product_limit import ProductLimit, uncensored
from curvewise.core.ranking import rank
from curvewise.errors import OptionError
from curvewise.rows.columns import shown

BY_SCORE = "by-score"
TENTHS = 10


@dataclass(frozen=True, eq=False)
class Censoring:
    """G of the rows that are judged: one estimate for all, or one in each tenth of the score.

    Attributes
    ----------
    curves
        The Kaplan–Meier estimates of not being censored.
    group
        By row: which of the curves is the row's own; None where there is one for all.
    members
        The places of the rows that each curve was made from; None where one curve was made from all rows.
    kind
        ``"rows"``, ``"by-score"``, or ``"sample"``: of other rows, so that these rows add nothing to it.
    """

    curves: tuple[ProductLimit, ...]
    rows: int
    kind: str = "rows"
    group: NDArray[np.intp] | None = None
    members: tuple[NDArray[np.intp], ...] | None = None

    def left(self, t: Any) -> Floats:
        """Return by row G(t-), with one t for all rows or one for each."""
        t = np.broadcast_to(np.asarray(t, dtype=np.float64), (self.rows,))
        if self.members is None:
            return np.asarray(self.curves[0].left(t))
        found = np.empty(self.rows)
        for curve, rows in zip(self.curves, self.members, strict=True):
            found[rows] = curve.left(t[rows])
        return found

    def own_left(self, time: Floats) -> Floats:
        """Return by row G(T-) at the row's own time, for the times of these rows."""
        if self.kind == "sample":
            return self.left(time)
        if self.members is None:
            return self.curves[0].own_left
        found = np.empty(self.rows)
        for curve, rows in zip(self.curves, self.members, strict=True):
            found[rows] = curve.own_left
        return found

    def lowest_left(self, t: float) -> float:
        """Return G(t-), the lowest one where there are several."""
        return min(float(curve.left(t)) for curve in self.curves)

    @property
    def last(self) -> float:
        """The time up to which G(t-) is known: that of the last row, of the group whose last row is earliest."""
        return min(curve.last for curve in self.curves)

    def log_derivatives(self, points: Any, sensitivity: Floats) -> Floats:
        """Return by row the derivative of Σ sensitivity · log G(point-) by the row's weight; both given by row.

        The chain rule in O(n): what a number of the form F(G) loses through G when a row counts for more.
        """
        points = np.broadcast_to(np.asarray(points, dtype=np.float64), (self.rows,))
        if self.kind == "sample":
            return np.zeros(self.rows)
        if self.members is None:
            return self.curves[0].log_derivatives(points, sensitivity, left=True)
        found = np.empty(self.rows)
        for curve, rows in zip(self.curves, self.members, strict=True):
            found[rows] = curve.log_derivatives(points[rows], sensitivity[rows], left=True)
        return found


def censoring_of(outcomes: Outcomes, how: object = None) -> Censoring:
    """Return G for the rows of outcomes.

    Parameters
    ----------
    outcomes
        The rows that are judged.
    how
        None: one Kaplan–Meier estimate of these rows, which assumes that censoring depends neither on the event's
        time nor on the score. ``"by-score"``: one in each tenth of the score of the only model; rows with equal scores
        stay together. ``(time, event)`` of another sample: its estimate, taken as known.

    Examples
    --------
    >>> from curvewise.censored.outcomes import read_outcomes
    >>> rows = read_outcomes([1, 2, 2, 3, 4], [0, 1, 0, 1, 0])
    >>> censoring_of(rows).left(rows.time).round(4).tolist()
    [1.0, 0.8, 0.8, 0.5333, 0.5333]
    """
    if how is None:
        return Censoring((uncensored(outcomes),), len(outcomes))
    if isinstance(how, str) and how == BY_SCORE:
        group = score_groups(outcomes)
        members = tuple(np.flatnonzero(group == k) for k in range(int(group.max()) + 1))
        curves = tuple(uncensored(outcomes.take(rows)) for rows in members)
        return Censoring(curves, len(outcomes), BY_SCORE, group, members)
    if isinstance(how, tuple) and len(how) == 2:
        return Censoring((uncensored(read_outcomes(*how)),), len(outcomes), "sample")
    raise OptionError.of("censoring", f"expected None, 'by-score' or a pair (time, event), got {shown(how)}.")


def score_groups(outcomes: Outcomes, groups: int = TENTHS) -> NDArray[np.intp]:
    """Return by row which tenth of the score, by weight, it belongs to, from 0; equal scores stay together."""
    ranking = rank(outcomes.score)
    until = ranking.cumulated(outcomes.weights).astype(np.float64)
    middle = until - np.diff(until, prepend=0.0) / 2
    tenth = np.minimum((groups * middle / until[-1]).astype(np.intp), groups - 1)
    return np.asarray(np.unique(tenth, return_inverse=True)[1][ranking.block])
