"""A metric over time, with limits at each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.results.numbers import percent, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.censored.horizon import Horizon
    from curvewise.results.estimate import Estimate

POINTS = 50  # times of a curve, by default


@dataclass(frozen=True, eq=False, repr=False)
class TimeCurve(Result, schema="time_curve"):
    """A metric of one model at several horizons, with limits that hold at each time.

    Attributes
    ----------
    metric, model
        ``"roc_auc"`` or ``"brier_loss"``, and the name of the model.
    time, value, low, high
        The horizons, rising, with the metric and its limits at each; limits are NaN where there are none.
    reference
        What a model that knows nothing has at each time: ½ for the AUC, S(t)(1 - S(t)) for the Brier score.
    level
        The confidence level of the limits.
    """

    metric: str
    model: str
    time: Floats
    value: Floats
    low: Floats
    high: Floats
    reference: Floats
    level: float
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per time."""
        names = ("time", "value", "low", "high", "reference")
        title = f"{self.metric} of {self.model} over time; {percent(self.level)} at each time"
        return Table(title, {k: getattr(self, k).tolist() for k in names}, self.backend)

    def __str__(self) -> str:
        start, stop = (show(float(t)) for t in self.time[[0, -1]])
        ends = f"{show(float(self.value.min()))} to {show(float(self.value.max()))}"
        head = f"TimeCurve({self.metric} of {self.model}: {ends}, at {len(self.time)} times from {start} to {stop})"
        return "\n".join([head, *(f"  note: {said}" for said in self.notes)])


def time_curve(
    metric: str,
    model: str,
    times: Iterable[float],
    horizon: Callable[[float], Horizon],
    estimate: Callable[[Horizon], Estimate],
    level: float,
) -> TimeCurve:
    """Return a metric at several times; times at which it is undefined are left out, and a note says how many."""
    found: list[tuple[float, float, float, float, float]] = []
    undefined, why, backend = 0, None, None
    for t in times:
        try:
            at = horizon(t)
            own = estimate(at)
        except UndefinedMetricError as error:
            undefined, why = undefined + 1, why or error.reason
            continue
        if not own.is_defined:
            undefined, why = undefined + 1, why or own.reason
            continue
        share, backend = at.observed.value, at.backend
        reference = 0.5 if metric == "roc_auc" else share * (1 - share)
        found.append((t, own.value, own.low, own.high, reference))
    if not found:
        said = "" if why is None else f": {why}"
        raise UndefinedMetricError(f"{metric} of {model} is undefined at every one of {undefined} times{said}.")
    notes: tuple[Note, ...] = (note("survival_pointwise"),)
    if undefined:
        notes += (note("survival_times_left_out", left_out=undefined, times=undefined + len(found), why=why),)
    time, value, low, high, reference = np.array(found, dtype=np.float64).T
    return TimeCurve(metric, model, time, value, low, high, reference, level, notes, backend)


def some_times(times: Floats, most: int) -> Floats:
    """Return at most so many of rising times, evenly by rank, with the first and the last."""
    if len(times) <= most:
        return times
    return np.asarray(times[np.unique(np.linspace(0, len(times) - 1, most).round().astype(np.intp))])
