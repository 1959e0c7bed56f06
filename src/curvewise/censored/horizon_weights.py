"""Who had the event by a horizon, and the weights of inverse probability with which the known rows stand for all.

A case weighs 1/G(T-) and a control 1/G(t-), with G the chance of not being censored. The weights sum to the number of
rows, and the weighted share of cases is the Kaplan–Meier (Aalen–Johansen) estimate, both exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.censored.censoring import Censoring, censoring_of
from curvewise.censored.event_codes import CENSORED, COMPETING, EVENT
from curvewise.censored.spread import spread_of_influence
from curvewise.errors import UndefinedMetricError
from curvewise.inference.limits import critical_value
from curvewise.rows.horizon_rows import CASE, CONTROL, LEFT_OUT, UNKNOWN, Observed
from curvewise.rows.rows import Rows

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes
    from curvewise.censored.product_limit import ProductLimit

NOBODY = 1e-12  # of a risk set, or of all rows: less is rounding


@dataclass(frozen=True, eq=False)
class HorizonWeights:
    """The labels and weights of outcomes at a horizon, and what each outcome adds to the weights.

    ``event_free`` leaves competing events out of the controls; they still count among those at risk of censoring.
    """

    outcomes: Outcomes
    at: float
    censoring: Censoring
    event_free: bool = False

    @cached_property
    def label(self) -> NDArray[np.int8]:
        """1 a case, 0 a control, -1 unknown, -2 left out.

        "By" the horizon includes it: an event there is a case, and a row censored there is a control.
        """
        time, code = self.outcomes.time, self.outcomes.code
        by, found = time <= self.at, np.full(len(time), CONTROL, dtype=np.int8)
        found[by & (code == EVENT)] = CASE
        found[(time < self.at) & (code == CENSORED)] = UNKNOWN
        if self.event_free:
            found[by & (code == COMPETING)] = LEFT_OUT
        return found

    @cached_property
    def everyone(self) -> Rows:
        """All outcomes as rows, positive the cases, with their own weights."""
        o = self.outcomes
        return Rows(
            self.label == CASE,
            o.scores,
            o.weight,
            cluster=o.cluster,
            stratum=o.stratum,
            sampled=o.sampled,
            higher_is=o.higher_is,
            backend=o.backend,
        )

    @cached_property
    def own(self) -> Floats:
        """The weight of every outcome before censoring."""
        return self.outcomes.weights.astype(np.float64)

    @cached_property
    def points(self) -> Floats:
        """By row: the time just before which G weighs it."""
        return np.minimum(self.outcomes.time, self.at)

    @cached_property
    def left(self) -> Floats:
        """By row: G just before its point."""
        found = np.empty(len(self.outcomes))
        for curve, rows, before in self._parts:
            found[rows] = curve.past(before)
        return found

    @cached_property
    def all_weights(self) -> Floats:
        """The weight of every row, 0 of an unknown one; of competing events too, where these are left out."""
        return self._divided(self.own, self.left)

    @property
    def weight(self) -> Floats:
        """The weight of every row, 0 of one that is unknown or left out."""
        return np.where(self.label == LEFT_OUT, 0.0, self.all_weights)

    def _divided(self, own: Floats, left: Floats) -> Floats:
        known = (self.label != UNKNOWN) & (own > 0)
        return np.divide(own, left, out=np.zeros(len(own)), where=known)

    @cached_property
    def ends(self) -> float:
        """When follow-up ends, if that is too early to know the outcome at the horizon; else infinity.

        So it is where the last row is censored before; with several estimates of censoring, in any of these.
        """
        key = self.outcomes.key
        last = [rows[int(np.argmax(key[rows]))] for _, rows, _ in self._parts]
        return min((float(self.outcomes.time[k]) for k in last if self.label[k] == UNKNOWN), default=math.inf)

    @property
    def is_known(self) -> bool:
        """Whether nobody was censored before the horizon, so that rows weigh what they weighed."""
        return not (self.label == UNKNOWN).any() and bool((self.left == 1).all())

    def weights(self, own: Floats) -> Floats:
        """Return the weight of every row if rows count as ``own`` says, with censoring estimated anew."""
        if self.censoring.kind == "sample":
            return np.where(self.label == LEFT_OUT, 0.0, self._divided(own, self.left))
        left = np.empty(len(own))
        for curve, rows, before in self._parts:
            weight, jumps = own[rows], len(curve.time)
            at_risk = np.cumsum(np.bincount(curve.reach, weight, jumps + 1)[:0:-1])[::-1]
            leaves = curve.jump >= 0
            leaving = np.bincount(curve.jump[leaves], weight[leaves], jumps)
            stays = np.ones(jumps)
            np.divide(at_risk - leaving, at_risk, out=stays, where=at_risk > 0)
            stays[stays < NOBODY] = 0.0
            steps = np.concatenate([[1.0], np.cumprod(stays)])
            if steps[int(np.searchsorted(curve.time, self.at, side="left"))] == 0:
                raise UndefinedMetricError("Nobody is followed up to the horizon in these rows.")
            left[rows] = steps[before]
        return np.where(self.label == LEFT_OUT, 0.0, self._divided(own, left))

    @cached_property
    def _parts(self) -> list[tuple[ProductLimit, NDArray[np.intp], NDArray[np.intp]]]:
        """By estimate of censoring: the estimate, its rows, and how many of its times lie before each row's point."""
        members = self.censoring.members or (np.arange(len(self.outcomes)),)
        found = []
        for curve, rows in zip(self.censoring.curves, members, strict=self.censoring.members is not None):
            if self.censoring.kind == "sample":
                found.append((curve, rows, np.searchsorted(curve.time, self.points, side="left")))
                continue
            # of the row's own time and the horizon the earlier one is past fewer of the curve's times
            by_horizon = np.searchsorted(curve.time, self.at, side="left")
            found.append((curve, rows, np.minimum(curve.before_own, by_horizon)))
        return found

    def through(self, each: Floats) -> Floats:
        """Return by row the derivative, by its own weight, of Σ each·log(weight) through censoring alone."""
        found = np.zeros(len(each))
        if self.censoring.kind != "sample":
            for curve, rows, before in self._parts:
                found[rows] = -curve.derivatives_past(before, each[rows])
        return found

    def observed(self, on: NDArray[np.bool_], level: float) -> Observed:
        """Return the share of some rows that had the event, by Kaplan–Meier or Aalen–Johansen in these rows."""
        if not on.any():
            return Observed(*[math.nan] * 4)
        some = self.outcomes.take(np.flatnonzero(on))
        return HorizonWeights(some, self.at, censoring_of(some)).share(level)

    def share(self, level: float) -> Observed:
        """Return the weighted share of cases, with limits on the log-log scale of the share without the event.

        Its variance is the sum of squared influences, which without weights and clusters is Greenwood's.
        """
        if math.isfinite(self.ends):
            return Observed(*[math.nan] * 4)
        weight, case = self.all_weights, self.label == CASE
        total = float(weight.sum())
        value = float(weight[case].sum()) / total
        each = weight * (case - value) / total
        free = 1 - value
        if free < NOBODY:  # all of them, and nothing says how surely
            return Observed(1.0, *[math.nan] * 3)
        try:
            error = spread_of_influence(self.outcomes, each + self.own * self.through(each)).error
        except UndefinedMetricError:  # one cluster
            error = math.nan
        if not value or not error > 0:
            return Observed(value, error, math.nan, math.nan)
        reach = critical_value(level) * error / (free * abs(math.log(free)))
        low, high = (1 - free ** math.exp(side * reach) for side in (-1, 1))
        return Observed(value, error, low, high)
