"""What can be asked of many classes: numbers of all of them together, and means of any metric over them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, UndefinedMetricError, nearest, unknown_option
from curvewise.metric.registry import Bound, Metric, find, known
from curvewise.rows.columns import shown

Method = TypeVar("Method", bound=Callable[..., Any])
Values = Callable[[list[int]], Sequence[float]]

Average = Literal["macro", "weighted", "micro"]
AVERAGES = ("macro", "weighted", "micro")
LABEL_AVERAGES = (*AVERAGES, "samples")

_of_all: dict[str, dict[str, Metric]] = {}  # by kind of rows, by each of their names


def of_all_classes(
    name: str | None = None, *, low: float = 0.0, high: float = 1.0, interval: str = "score", **facts: Any
) -> Callable[[Method], Method]:
    """Register a method, or what a property reads, as a number of all classes together: see `Metric` for the facts.

    What two classes do not have, or have in another form; everything else is a mean over classes. Those of the family
    ``"threshold"`` need no scores.
    """

    def register(method: Method) -> Method:
        kind, own = method.__qualname__.split(".")
        read = partial(_read, number=own)
        whole = Metric(name or own, read, low=low, high=high, interval=interval, **{"family": "custom", **facts})
        _of_all.setdefault(kind, {}).update(dict.fromkeys((whole.name, *whole.aliases), whole))
        return method

    return register


def _read(rows: Any, number: str, **options: Any) -> float:
    value = getattr(rows, number)
    return float(value(**options) if callable(value) else value)


def metrics_of_all(kind: type) -> dict[str, Metric]:
    """Return the numbers of all classes together that a kind of rows has, by each of their names."""
    return _of_all[kind.__name__]


# what the tables show, each beside its meaning (``many.meaning`` in the words)
CLASS_TABLE = (
    *("accuracy", "balanced_accuracy", "precision", "recall", "f1", "kappa", "mcc"),
    *("roc_auc", "hand_till", "average_precision", "log_loss", "brier_loss"),
)
LABEL_TABLE = (
    *("roc_auc", "average_precision", "label_ranking_ap", "ranking_loss", "coverage_error"),
    *("precision", "recall", "f1", "hamming_loss", "subset_accuracy"),
)


def find_metric(kind: type, name: str) -> Metric:
    """Find a number of a kind of rows by any of its names: one of all classes together, or one of two classes."""
    of_all = metrics_of_all(kind)
    whole = of_all.get(str(name).casefold().replace("-", "_").replace(" ", "_"))
    if whole is not None:
        return whole
    try:
        metric = find(name)
    except CurvewiseError:
        close = nearest(str(name), of_all, 1)
        if not close:
            raise
        raise CurvewiseError(f"metric: there is no metric {shown(name)}; did you mean {close[0]!r}?") from None
    return of_all.get(metric.name, metric)


def class_metric(
    kind: type, metric: str | Callable[[Any], float], options: dict[str, Any], average: str | None = None
) -> Bound:
    """Return a number of rows of many classes by any of its names, to be read from them.

    A function of the rows is taken as it is. ``average`` goes to what has one.
    """
    if callable(metric):
        if options:
            raise CurvewiseError(f"{', '.join(options)}: a function of the rows takes no options here.")
        return Bound(Metric(getattr(metric, "__name__", "statistic"), metric, "custom"))
    fact = find_metric(kind, metric)
    if fact in metrics_of_all(kind).values():
        return _with_options(kind, fact, options, average)
    options = options if average is None else {"average": average, **options}
    # a mean over classes has the scale of one class, with the variance of resamples
    interval = "score" if math.isfinite(fact.low) and math.isfinite(fact.high) else "percentile"
    if fact.interval in ("log", "log-complement", "none"):
        interval = fact.interval

    mean = partial(_mean_over_classes, metric=fact, options=options)
    return Bound(replace(fact, function=mean, family="custom", interval=interval))


def _mean_over_classes(rows: Any, metric: Metric, options: dict[str, Any]) -> float:
    return float(rows.average(metric, **options))


def _with_options(kind: type, whole: Metric, options: dict[str, Any], average: str | None) -> Bound:
    """Bind the options of a number of all classes, or say which ones it has."""
    member = getattr(kind, cast("Any", whole.function).keywords["number"])
    allowed = [] if isinstance(member, property) else list(inspect.signature(member).parameters)[1:]
    if options and not allowed and known(whole.name) is not None:
        raise CurvewiseError(
            f"{', '.join(options)}: {whole.name} is one number of all classes and takes no options; "
            f"average({whole.name!r}) is the mean over classes."
        )
    for name in options:
        if name not in allowed:
            raise unknown_option(name, allowed, whole.name)
    return Bound(whole, {"average": average, **options} if average is not None and "average" in allowed else options)


def value_or_nan(target: Bound, rows: Any) -> float:
    """Return the number, NaN where it is undefined."""
    try:
        return target.value(rows)
    except UndefinedMetricError:
        return math.nan


def finite_value(target: Bound, rows: Any) -> float:
    """Return the number, or refuse one that has no interval."""
    value = target.value(rows)
    if not math.isfinite(value):
        raise UndefinedMetricError(why_no_interval(target))
    return value


def why_no_interval(target: Bound) -> str:
    """Say why an infinite number has no interval."""
    bound = "; clip= would bound it" if target.name == "log_loss" else ""
    return f"{target.name} is infinite here, so it has no interval{bound}."


def over_classes(how: str, what: str, values_of: Values, members: Iterable[int], support: NDArray[Any]) -> float:
    """Return the plain mean over the classes that count (macro), or the mean by their rows (weighted).

    A class without rows has no weight, so the weighted mean need not know its value.
    """
    counted = [int(k) for k in members if how == "macro" or support[k] > 0]
    if not counted:
        raise UndefinedMetricError(f"{what} is undefined: no class or label defines it.")
    values = values_of(counted)
    if how == "macro":
        return math.fsum(values) / len(values)
    weights = [float(support[k]) for k in counted]
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)


def over_rows(values: NDArray[Any], weight: NDArray[Any] | None) -> float:
    """Return the mean over rows; infinite where one of them is."""
    if weight is None:
        return float(np.mean(values))
    used = weight > 0  # 0 times an infinite loss is no loss
    return float(np.sum(values[used] * weight[used]) / np.sum(weight))
