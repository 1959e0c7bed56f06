"""From the resamples of many classes to intervals and paired comparisons."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import replicate_draws
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.by_bootstrap import METHOD, pair_of_draws
from curvewise.inference.comparison import Comparison
from curvewise.inference.interval import FEW
from curvewise.inference.limits import from_replicates, logit_wald
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import real, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.many_classes.class_metrics import ClassMetric
    from curvewise.many_classes.class_rows import ClassRows


def estimate(
    m: ClassRows,
    metric: ClassMetric,
    value: float,
    drawn: NDArray[np.float64],
    failed: int,
    level: float,
    method: str | None,
) -> Estimate:
    """Return the estimate of a number whose resamples have been read.

    Where all of them agree on 0 or 1, an area has the bound that the AUC of two classes has.
    """
    chosen = method or metric.interval
    low, high = from_replicates(chosen, value, drawn, level, lambda: np.zeros(0))
    rarest, rows = _rarest(m)
    notes = _left_out(failed, len(drawn) + failed)
    if rows < FEW:
        notes = (note("few_of_class", rows=rows, label=shown(m.names[rarest])), *notes)
    if drawn.min() == drawn.max():
        if chosen == "logit-percentile" and value in (0, 1):
            low, high = logit_wald(value, 0.0, level, rows)
            notes += (note("all_resamples_equal_bound"),)
        else:
            notes += (note("all_resamples_equal"),)
    error = float(np.std(drawn, ddof=1)) if len(drawn) > 1 else None
    return Estimate(metric.name, value, low, high, level, chosen, error, len(drawn), notes)


def compare_rows(
    first: ClassRows,
    second: Any,
    metric: ClassMetric,
    *,
    level: float,
    margin: float | None,
    rng: np.random.Generator | int | None,
    replicates: int,
) -> Comparison:
    """Compare two models that scored the same rows, on the same resamples of them."""
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    _need_same(first, second)
    values = [finite(m, metric) for m in (first, second)]
    draw = first.drawer()

    def both(stream: np.random.Generator) -> list[float]:
        times = draw(stream)
        return [metric.value(m.weighed(times)) for m in (first, second)]

    drawn, failed = replicate_draws(both, replicates, rng)
    names, away = ("first", "second"), drawn[:, 0] - drawn[:, 1]
    pair = pair_of_draws(names, metric.name, values[0] - values[1], away, level, margin)
    return Comparison(
        metric.name,
        METHOD,
        dict(zip(names, values, strict=True)),
        (replace(pair, p_holm=pair.p_value),),
        None,
        _left_out(failed, replicates),
    )


def finite(m: ClassRows, metric: ClassMetric) -> float:
    """Return the value, or refuse one that has no interval."""
    value = metric.value(m)
    if not math.isfinite(value):
        raise UndefinedMetricError(infinite(metric))
    return value


def infinite(metric: ClassMetric) -> str:
    """Say why an infinite number has no interval."""
    bound = "; clip= would bound it" if metric.name == "log_loss" else ""
    return f"{metric.name} is infinite here, so it has no interval{bound}."


def or_nan(metric: ClassMetric, m: Any) -> float:
    """Return the value, NaN where it is undefined."""
    try:
        return metric.value(m)
    except UndefinedMetricError:
        return math.nan


def _rarest(m: ClassRows) -> tuple[int, int]:
    """Return the class with the fewest independent units, and how many: clusters, or rows."""
    units = [m.units(m.is_of(k)) for k in range(len(m.names))]
    rarest = min((k for k, number in enumerate(units) if number), key=units.__getitem__, default=0)
    return rarest, units[rarest]


def _need_same(first: ClassRows, second: Any) -> None:
    if type(second) is not type(first):
        raise CurvewiseError(f"other: expected a {type(first).__name__}, got {type(second).__name__}.")
    first.need_same_rows(second)
    for name in ("weight", "weight_kind", "cluster"):
        a, b = getattr(first, name), getattr(second, name)
        if (a is None) != (b is None) or (a is not None and not np.array_equal(a, b)):
            raise CurvewiseError(f"other: expected the same {name} for both models.")


def _left_out(failed: int, replicates: int) -> tuple[Note, ...]:
    return (note("resamples_undefined", failed=failed, replicates=replicates),) if failed else ()
