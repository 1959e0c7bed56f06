"""One metric of one group: its estimate, or why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from curvewise.breakdown.balance import BY_FORMULA, by_formula
from curvewise.breakdown.by_group import AT_THRESHOLD
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.inference.interval import interval_of
from curvewise.inference.known import known
from curvewise.inference.limits import logit_wald
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from curvewise.core.sweep import Sweep
    from curvewise.inference.known import Known
    from curvewise.rows.reading import Rows

    Metric = str | Callable[[Sweep], float]

NONE = "undefined"  # the method of an estimate that is none


@dataclass(frozen=True)
class Measure:
    """A metric with its threshold, ready to be read from any sweep."""

    metric: Metric
    name: str
    threshold: float | None = None

    @property
    def options(self) -> dict[str, Any]:
        """What the metric itself asks for."""
        at = isinstance(self.metric, str) and self.metric in AT_THRESHOLD
        return {"threshold": self.threshold} if at else {}

    @property
    def known(self) -> Known:
        """The statistic, with what its interval needs to know."""
        return known(self.metric, self.options)

    def estimate(
        self,
        sweep: Sweep,
        level: float,
        *,
        rows: Rows | None = None,
        rng: np.random.Generator | int | None = None,
        replicates: int = 500,
    ) -> Estimate:
        """Return the metric with its interval; where it is undefined, NaN with the reason as a note."""
        try:
            value = float(self.known.statistic(sweep))
        except UndefinedMetricError as error:
            return undefined(self.name, level, self._reason(sweep) or str(error).rstrip("."))
        if math.isnan(value):
            return undefined(self.name, level, "the function returned NaN")
        try:
            if self.metric in BY_FORMULA and sweep.tp.dtype.kind == "i":
                return by_formula(self.name, sweep, level)
            return interval_of(
                self.metric,
                sweep if rows is None else rows,
                level=level,
                rng=rng,
                replicates=replicates,
                **self.options,
            )
        except UndefinedMetricError as error:
            why = str(error).rstrip(".")
            return replace(undefined(self.name, level, why), value=value, method="no interval")

    def ends(self, estimate: Estimate, sweep: Sweep, level: float) -> tuple[float, float]:
        """Return the ends of the interval at another level; of resampled metrics from the standard error."""
        if estimate.method in (NONE, "no interval"):
            return math.nan, math.nan
        if estimate.replicates is None and sweep.tp.dtype.kind == "i":
            other = self.estimate(sweep, level)
            return other.low, other.high
        error = estimate.standard_error or 0.0
        if estimate.method in ("delong", "logit-percentile"):
            return logit_wald(estimate.value, error, level, min(sweep.positives, sweep.negatives))
        away = NormalDist().inv_cdf((1 + level) / 2) * error
        return estimate.value - away, estimate.value + away

    def _reason(self, sweep: Sweep) -> str | None:
        """Say why a metric at a threshold is 0/0."""
        if self.threshold is None or not self.options:
            return None
        table = sweep.at(self.threshold).table().rows()
        meaning = next(row["meaning"] for row in table if row["metric"] == self.name)
        return str(meaning).removeprefix("undefined: ")


def measures(metrics: Sequence[Metric] | Metric, threshold: float | None) -> dict[str, Measure]:
    """Find metrics by name, each once."""
    several = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    if not several:
        raise CurvewiseError("metrics: expected at least one metric, got none.")
    found: dict[str, Measure] = {}
    for metric in several:
        measure = Measure(metric, "", threshold)
        measure = replace(measure, name=measure.known.name)
        if measure.name in found:
            raise CurvewiseError(f"metrics: {measure.name!r} is named twice.")
        found[measure.name] = measure
    return found


def undefined(metric: str, level: float, *reasons: str) -> Estimate:
    """Return the estimate of what the data do not define."""
    return Estimate(metric, math.nan, math.nan, math.nan, level, NONE, notes=reasons)
