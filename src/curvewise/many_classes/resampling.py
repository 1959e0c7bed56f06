"""Intervals and paired comparisons for many classes: rows, or whole clusters, are resampled."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import replicate_draws
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.inference.by_bootstrap import METHOD, pair_of_draws
from curvewise.inference.comparison import Comparison
from curvewise.inference.interval import FEW
from curvewise.inference.limits import from_replicates
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from curvewise.many_classes.multiclass import Multiclass

    Statistic = Callable[[Multiclass], float]
    Seed = np.random.Generator | int | None

METRICS = (
    *("roc_auc", "hand_till", "average_precision", "precision", "recall", "f_beta", "accuracy"),
    *("balanced_accuracy", "kappa", "mcc", "top_k_accuracy", "log_loss", "brier_loss"),
)
METHODS = ("percentile", "basic", "logit-percentile")
# areas lie in [0, 1], and their replicates crowd at the ends
AREAS = ("roc_auc", "hand_till", "average_precision")


def interval_of_rows(
    m: Multiclass,
    metric: str | Statistic,
    options: dict[str, Any],
    *,
    level: float,
    method: str | None,
    rng: Seed,
    replicates: int,
) -> Estimate:
    """Return a metric of many classes with its bootstrap interval."""
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    name, statistic = named(metric, options)
    one_of("method", method, (None, *METHODS))
    chosen = method or _method(metric)
    value = statistic(m)
    _need_finite(name, value)
    draw = drawer(m)
    drawn, failed = replicate_draws(lambda stream: statistic(m.weighed(draw(stream))), replicates, rng)
    low, high = from_replicates(chosen, value, drawn, level, _nobody)
    error = float(np.std(drawn, ddof=1)) if len(drawn) > 1 else None
    notes = (*_few(m), *_left_out(failed, replicates))
    if drawn.min() == drawn.max():
        notes += ("every resample gives the same value: an interval without width is no certainty",)
    return Estimate(name, value, low, high, level, chosen, error, len(drawn), notes)


def ends_of_rows(
    m: Multiclass, statistics: Mapping[str, Statistic], *, level: float, rng: Seed, replicates: int
) -> dict[str, tuple[float, float]]:
    """Return the intervals of many statistics from the same resamples, without those that are undefined."""
    draw = drawer(m)

    def every(stream: np.random.Generator) -> list[float]:
        drawn = m.weighed(draw(stream))
        return [_or_nan(statistic, drawn) for statistic in statistics.values()]

    drawn, _ = replicate_draws(every, replicates, rng)
    found = {}
    for (name, statistic), column in zip(statistics.items(), drawn.T, strict=True):
        value, defined = _or_nan(statistic, m), column[np.isfinite(column)]
        if math.isfinite(value) and len(defined) > replicates / 2:
            found[name] = from_replicates(_method(name), value, defined, level, _nobody)
    return found


def _method(metric: object) -> str:
    return "logit-percentile" if metric in AREAS else "percentile"


def _or_nan(statistic: Statistic, m: Multiclass) -> float:
    try:
        return statistic(m)
    except CurvewiseError:
        return math.nan


def _nobody() -> NDArray[np.float64]:
    """Stand for the rows left out in turn, which only BCa asks for."""
    return np.zeros(0)


def compare_on_rows(
    first: Multiclass,
    second: Multiclass,
    metric: str | Statistic,
    options: dict[str, Any],
    *,
    level: float,
    margin: float | None,
    rng: Seed,
    replicates: int,
) -> Comparison:
    """Compare two models that judged the same rows, on the same resamples of them."""
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    _need_same_rows(first, second)
    name, statistic = named(metric, options)
    draw = drawer(first)

    def both(stream: np.random.Generator) -> list[float]:
        times = draw(stream)
        return [statistic(m.weighed(times)) for m in (first, second)]

    values = [statistic(m) for m in (first, second)]
    for value in values:
        _need_finite(name, value)
    drawn, failed = replicate_draws(both, replicates, rng)
    pair = pair_of_draws(
        ("first", "second"), name, values[0] - values[1], drawn[:, 0] - drawn[:, 1], level, margin
    )
    return Comparison(
        name,
        METHOD,
        dict(zip(("first", "second"), values, strict=True)),
        (replace(pair, p_holm=pair.p_value),),
        None,
        _left_out(failed, replicates),
    )


def named(metric: str | Statistic, options: dict[str, Any]) -> tuple[str, Statistic]:
    """Find a metric by the name of its method, with that method's options; or take a function."""
    if callable(metric):
        if options:
            raise CurvewiseError(f"{', '.join(options)}: a function of the rows takes no options here.")
        return getattr(metric, "__name__", "statistic"), metric
    one_of("metric", metric, METRICS)

    method = "mean_log_loss" if metric == "log_loss" else metric  # the same, without a warning each time

    def statistic(m: Multiclass) -> float:
        found = getattr(m, method)
        if not callable(found):
            if options:
                raise CurvewiseError(f"{', '.join(options)}: {metric} takes no options.")
            return float(found)
        try:
            return float(found(**options))
        except TypeError as error:
            raise CurvewiseError(f"{metric}: {error}.") from None

    return metric, statistic


def drawer(m: Multiclass) -> Callable[[np.random.Generator], NDArray[Any]]:
    """Return what draws the weights of a resample.

    Clusters are drawn whole. Whole weights mean repetition, so every repeated row is drawn for itself;
    fractional ones go with their row.
    """
    n, weight, cluster = len(m.truth), m.weight, m.cluster
    if cluster is not None:
        groups = int(cluster.max()) + 1

        def clusters(rng: np.random.Generator) -> NDArray[Any]:
            times = np.bincount(rng.integers(0, groups, groups), minlength=groups)[cluster]
            return times if weight is None else times * weight

        return clusters
    if weight is not None and weight.dtype.kind == "i":
        total = int(weight.sum())
        share = weight / total
        return lambda rng: rng.multinomial(total, share)

    def rows(rng: np.random.Generator) -> NDArray[Any]:
        times = np.bincount(rng.integers(0, n, n), minlength=n)
        return times if weight is None else times * weight

    return rows


def _need_finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise UndefinedMetricError(
            f"{name} is infinite: a class came that was given no chance, so it has no interval; "
            "clip= would bound it."
        )


def _few(m: Multiclass) -> tuple[str, ...]:
    """Say which class is so rare that no interval knows much."""
    rows = np.where(m.occurs, np.bincount(m.truth, minlength=len(m.classes)), len(m.truth))
    rarest = int(np.argmin(rows))
    if rows[rarest] >= FEW:
        return ()
    found = count(int(rows[rarest]), "row")
    return (f"only {found} of class {shown(m.classes[rarest])}: any interval is shaky",)


def _left_out(failed: int, replicates: int) -> tuple[str, ...]:
    if not failed:
        return ()
    return (f"{failed} of {replicates} resamples do not define it and were left out",)


def _need_same_rows(first: Multiclass, second: Multiclass) -> None:
    if set(first.classes) != set(second.classes):
        odd = sorted(map(str, set(first.classes) ^ set(second.classes)))
        raise CurvewiseError(f"other: expected the same classes; {', '.join(odd)} is in only one of both.")
    place = np.array([first.classes.index(c) for c in second.classes])
    if len(first.truth) != len(second.truth) or not np.array_equal(first.truth, place[second.truth]):
        raise CurvewiseError(
            f"other: expected a model of the same rows, got {len(second.truth)} rows beside "
            f"{len(first.truth)}, or other labels; read both from the same rows, in the same order."
        )
    for name in ("weight", "cluster"):
        a, b = getattr(first, name), getattr(second, name)
        if (a is None) != (b is None) or (a is not None and not np.array_equal(a, b)):
            raise CurvewiseError(f"other: expected the same {name} for both models.")
