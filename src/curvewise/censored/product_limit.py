"""Kaplan–Meier estimates with one tie rule: at one time, events come before censorings.

Rows leave one after the other by their key (time, then events before censorings), so the rows at risk at a jump are
all that have its key or a later one. This gives events the usual risk set, and censorings the one without the events
of the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes


@dataclass(frozen=True, eq=False)
class ProductLimit:
    """A Kaplan–Meier estimate: Π over the times c ≤ t of remaining/at_risk.

    Attributes
    ----------
    time
        The times at which somebody leaves, rising.
    at_risk, remaining
        The weight at risk just before each, and what remains of it just after: int64 where weights are whole.
    value
        The estimate at and after each time, until the next; before the first it is 1.
    last
        The largest time of any row: the estimate is not known after it, unless it is 0.
    reach
        By row: how many of these times the row is at risk at.
    jump
        By row: which of these times it leaves at, -1 for none.
    """

    time: Floats
    at_risk: NDArray[Any]
    remaining: NDArray[Any]
    value: Floats
    last: float
    reach: Places
    jump: Places

    @cached_property
    def _stairs(self) -> Floats:
        return np.append(1.0, self.value)

    @property
    def leaving(self) -> NDArray[Any]:
        """The weight that leaves at each time."""
        return np.asarray(self.at_risk - self.remaining)

    def at(self, t: Any) -> Any:
        """Return the estimate at one time, or at several."""
        return self._stairs[np.searchsorted(self.time, t, side="right")]

    def left(self, t: Any) -> Any:
        """Return the estimate just before one time, or before several."""
        return self._stairs[np.searchsorted(self.time, t, side="left")]

    @cached_property
    def before_own(self) -> Places:
        """By row: how many of these times lie before the row's own time."""
        return np.asarray(self.reach - (self.jump >= 0))

    def past(self, passed: Places) -> Floats:
        """Return the estimate after so many of these times."""
        return self._stairs[passed]

    @property
    def own_left(self) -> Floats:
        """By row: the estimate just before the row's own time."""
        return self.past(self.before_own)

    def log_derivatives(self, points: Any, sensitivity: Any, *, left: bool) -> Floats:
        """Return by row the derivative, by the row's weight, of Σ sensitivity · log of the estimate at points.

        With ``left``, of the estimate just before the points. Of log G(s) by the weight of row k it is
        -Σ_{c ≤ s} ([k leaves at c] - (D_c/R_c)[k at risk at c]) / (R_c - D_c); summed over points it is one pass
        over the times.
        """
        points, sensitivity = np.atleast_1d(points), np.atleast_1d(np.asarray(sensitivity, dtype=np.float64))
        reached = np.searchsorted(self.time, points, side="left" if left else "right")
        return self.derivatives_past(reached, np.broadcast_to(sensitivity, reached.shape))

    def derivatives_past(self, reached: Places, sensitivity: Floats) -> Floats:
        """Return the same for points of which is known how many times each is past."""
        jumps = len(self.time)
        summed = np.bincount(reached, sensitivity, jumps + 1)
        past = np.cumsum(summed[::-1])[::-1][1:]  # by time: the sensitivity of all points past it
        # where nobody remains the estimate is 0 from then on, and no point has a logarithm
        per_weight = np.divide(past, self.remaining, out=np.zeros(jumps), where=self.remaining > 0)
        at_risk = np.append(0.0, np.cumsum(per_weight * (self.leaving / self.at_risk)))[self.reach]
        leaves = np.where(self.jump >= 0, np.append(per_weight, 0.0)[self.jump], 0.0)
        return np.asarray(at_risk - leaves)


def event_free(outcomes: Outcomes) -> ProductLimit:
    """Return S, the Kaplan–Meier estimate of having had no event of any kind."""
    return _product_limit(outcomes, ~outcomes.censored)


def uncensored(outcomes: Outcomes) -> ProductLimit:
    """Return G, the Kaplan–Meier estimate of not being censored: events of one time are gone before."""
    return _product_limit(outcomes, outcomes.censored)


def _product_limit(outcomes: Outcomes, leaves: NDArray[np.bool_]) -> ProductLimit:
    """Return the estimate of not leaving; rows of one key leave together or not at all."""
    order = outcomes.order
    key, leaver, weight = outcomes.key[order], leaves[order], outcomes.weights[order]
    later = np.append(np.cumsum(weight[::-1])[::-1], weight.dtype.type(0))  # the weight from each place on
    first = np.append(True, key[1:] != key[:-1])
    start = np.flatnonzero(first & leaver)
    stop = np.append(np.flatnonzero(first)[1:], len(key))[np.cumsum(first)[start] - 1]
    at_risk, remaining = later[start], later[stop]
    reached = np.cumsum(first & leaver)
    reach, jump = np.empty(len(key), dtype=np.intp), np.empty(len(key), dtype=np.intp)
    reach[order] = reached
    jump[order] = np.where(leaver, reached - 1, -1)
    return ProductLimit(
        time=outcomes.time[order[start]],
        at_risk=at_risk,
        remaining=remaining,
        value=np.cumprod(remaining / at_risk),
        last=float(outcomes.time[order[-1]]),
        reach=reach,
        jump=jump,
    )


@dataclass(frozen=True, eq=False)
class Incidence:
    """The Aalen–Johansen estimate of the event of interest by a time, in the presence of other events.

    Without competing events it is 1 - S.
    """

    of_any: ProductLimit
    own: NDArray[Any]  # the weight with the event of interest at each time
    is_own: NDArray[np.bool_]  # by row

    @cached_property
    def _steps(self) -> Floats:
        return np.asarray(self.of_any.left(self.of_any.time) * (self.own / self.of_any.at_risk))

    def at(self, t: float) -> float:
        """Return the share that has had the event of interest by a time."""
        return float(np.sum(self._steps[: np.searchsorted(self.of_any.time, t, side="right")]))

    def derivatives(self, t: float) -> Floats:
        """Return by row the derivative of the estimate at a time by the row's weight.

        F = Σ_{c ≤ t} S(c-) d_c/R_c: through d, through R, and through S.
        """
        any_event = self.of_any
        steps = np.where(any_event.time <= t, self._steps, 0.0)
        before = np.where(any_event.time <= t, any_event.left(any_event.time) / any_event.at_risk, 0.0)
        own = np.where(self.is_own, np.append(before, 0.0)[any_event.jump], 0.0)
        at_risk = np.append(0.0, np.cumsum(steps / any_event.at_risk))[any_event.reach]
        return np.asarray(own - at_risk + any_event.log_derivatives(any_event.time, steps, left=True))


def incidence(outcomes: Outcomes) -> Incidence:
    """Return the Aalen–Johansen estimate of the event of interest."""
    of_any, own = event_free(outcomes), outcomes.event
    weight = np.bincount(of_any.jump[own], outcomes.weights[own], len(of_any.time))
    return Incidence(of_any, weight, own)
