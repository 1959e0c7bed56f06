"""What was observed over time in groups of predicted risk, by Kaplan–Meier or Aalen–Johansen.

In bins of probabilities at one horizon, `curvewise.reliability` of it with ``bins=`` has the same estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.censored.censoring import censoring_of, score_groups
from curvewise.censored.horizon_weights import HorizonWeights
from curvewise.censored.time_curve import some_times
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes

GROUPS = 3
POINTS = 200  # times of a curve, more of which do not show


@dataclass(frozen=True, eq=False, repr=False)
class RiskGroup(Result, schema="risk_group"):
    """The share of one group that had the event by each time.

    Attributes
    ----------
    lowest, highest
        The ends of the scores of the group.
    rows, events
        How many rows, and how many of them had the event.
    time, observed, low, high
        The times, rising from 0, and the share with log-log limits at each; NaN where there are none.
    """

    lowest: float
    highest: float
    rows: int
    events: int
    time: Floats
    observed: Floats
    low: Floats
    high: Floats
    level: float
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per time."""
        names = ("time", "observed", "low", "high")
        return Table(f"Observed; {percent(self.level)} at each time", {k: getattr(self, k).tolist() for k in names})


@dataclass(frozen=True, eq=False, repr=False)
class RiskGroups(Result, schema="risk_groups"):
    """Rows in groups of equal size by predicted risk, from the lowest on, with what was observed in each.

    Attributes
    ----------
    model
        The model whose risk made the groups.
    groups
        A `RiskGroup` each.
    method
        ``"Kaplan-Meier"``, or ``"Aalen-Johansen"`` where there are competing events.
    """

    model: str
    groups: tuple[RiskGroup, ...]
    method: str
    level: float
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per group: its scores, its rows and events, and the share observed at its last time."""
        names = ("lowest", "highest", "rows", "events")
        columns: dict[str, list[object]] = {"group": list(range(1, len(self.groups) + 1))}
        columns |= {k: [getattr(g, k) for g in self.groups] for k in names}
        columns["until"] = [float(g.time[-1]) for g in self.groups]
        columns |= {k: [float(getattr(g, k)[-1]) for g in self.groups] for k in ("observed", "low", "high")}
        title = f"Risk groups of {self.model}: {self.method}, log-log; {percent(self.level)} at each time"
        return Table(title, columns, self.backend)

    def tables(self) -> list[Table]:
        """Return the groups, and the curve of each."""
        return [self.table, *(g.table for g in self.groups)]


def risk_groups_of(
    outcomes: Outcomes, groups: int = GROUPS, level: float = 0.95, horizons: Sequence[float] = ()
) -> RiskGroups:
    """Return what was observed over time in groups of equal size of the score of the only model.

    Rows with equal scores stay together, so there may be fewer groups. Horizons are among the times of every group
    that was followed so long.

    Examples
    --------
    >>> from curvewise.censored.outcomes import read_outcomes
    >>> rows = read_outcomes([2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1], [9, 4, 7, 6, 1, 2])
    >>> [g.observed[-1].round(4).item() for g in risk_groups_of(rows, 2).groups]
    [1.0, 1.0]
    """
    groups, level = whole("groups", groups, 2), real("level", level, 0, 1, closed=False)
    if outcomes.entry is not None:
        raise CurvewiseError("entry: delayed entry is for concordance alone, not for risk groups.")
    which = score_groups(outcomes, groups)
    number = int(which.max()) + 1
    places = range(number - 1, -1, -1) if outcomes.higher_is == "positive" else range(number)
    found = tuple(_group(outcomes.take(np.flatnonzero(which == k)), level, horizons) for k in places)
    method = "Aalen-Johansen" if outcomes.has_competing else "Kaplan-Meier"
    notes: tuple[Note, ...] = (note("survival_pointwise"),)
    if number < groups:
        notes += (note("survival_fewer_groups", groups=number, wanted=groups),)
    return RiskGroups(outcomes.models[0], found, method, level, notes, outcomes.backend)


def _group(rows: Outcomes, level: float, horizons: Sequence[float]) -> RiskGroup:
    """Return the curve of one group: from 0, over the times of its events and horizons, to its last time."""
    score, censoring = rows.score, censoring_of(rows)
    last = float(rows.time.max())
    ends = [last, *(t for t in horizons if t < last)]
    times = np.unique(np.append(some_times(np.unique(rows.time[rows.event]), POINTS), ends))
    shares = np.array([HorizonWeights(rows, float(t), censoring).share(level) for t in times])
    observed, _, low, high = shares.T
    return RiskGroup(
        lowest=float(score.min()),
        highest=float(score.max()),
        rows=len(rows),
        events=int(np.count_nonzero(rows.event)),
        time=np.append(0.0, times),
        observed=np.append(0.0, observed),
        low=np.append(np.nan, low),
        high=np.append(np.nan, high),
        level=level,
        backend=rows.backend,
    )
