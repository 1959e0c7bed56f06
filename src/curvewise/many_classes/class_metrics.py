"""What can be asked of many classes: numbers of all of them together, and means of any metric over them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, UndefinedMetricError, nearest, unknown_option
from curvewise.metric.registry import Better, find
from curvewise.rows.columns import shown

Values = Callable[[list[int]], Sequence[float]]

Average = Literal["macro", "weighted", "micro"]
AVERAGES = ("macro", "weighted", "micro")
LABEL_AVERAGES = (*AVERAGES, "samples")


@dataclass(frozen=True)
class ClassMetric:
    """A number of all classes together, or a mean over them, and what is known of it.

    ``read`` takes a `Multiclass` or a `Multilabel`; by default it calls the method of that name.
    """

    name: str
    better: Better = "higher"
    low: float = 0.0
    high: float = 1.0
    aliases: tuple[str, ...] = ()
    interval: str = "score"
    pairs: bool = False  # an area over pairs of rows, which varies less than a share of rows
    needs: Literal["labels", "scores"] = "scores"
    method: str | None = None
    read: Callable[[Any], float] | None = None

    def value(self, rows: Any) -> float:
        """Return the number."""
        if self.read is not None:
            return float(self.read(rows))
        found = getattr(rows, self.method or self.name)
        return float(found() if callable(found) else found)

    def or_nan(self, rows: Any) -> float:
        """Return the number, NaN where it is undefined."""
        try:
            return self.value(rows)
        except UndefinedMetricError:
            return math.nan

    def finite(self, rows: Any) -> float:
        """Return the number, or refuse one that has no interval."""
        value = self.value(rows)
        if not math.isfinite(value):
            raise UndefinedMetricError(self.infinite())
        return value

    def infinite(self) -> str:
        """Say why an infinite number has no interval."""
        bound = "; clip= would bound it" if self.name == "log_loss" else ""
        return f"{self.name} is infinite here, so it has no interval{bound}."


# what two classes do not have, or have in another form; everything else is a mean over classes
OF_CLASSES = (
    ClassMetric("accuracy", needs="labels"),
    ClassMetric("balanced_accuracy", needs="labels"),
    ClassMetric("kappa", low=-1.0, needs="labels"),
    ClassMetric("mcc", low=-1.0, needs="labels"),
    ClassMetric("f_beta", aliases=("fbeta",), needs="labels"),
    ClassMetric("top_k_accuracy", aliases=("top_k",)),
    ClassMetric("roc_auc", pairs=True),
    ClassMetric("hand_till", aliases=("m_measure", "hand_and_till"), pairs=True),
    # the same as log_loss, without a warning for each resample
    ClassMetric("log_loss", better="lower", high=math.inf, interval="log", method="mean_log_loss"),
    ClassMetric("brier_loss", better="lower", high=2.0),
)
OF_LABELS = (
    ClassMetric("label_ranking_ap", aliases=("lrap",)),
    ClassMetric("ranking_loss", better="lower"),
    ClassMetric("coverage_error", better="lower", high=math.inf, interval="log"),
    ClassMetric("f_beta", aliases=("fbeta",)),
    ClassMetric("hamming_loss", better="lower"),
    ClassMetric("subset_accuracy", aliases=("exact_match",)),
)
# what the tables show, each beside its meaning (``many.meaning`` in the words)
CLASS_TABLE = (
    *("accuracy", "balanced_accuracy", "precision", "recall", "f1", "kappa", "mcc"),
    *("roc_auc", "hand_till", "average_precision", "log_loss", "brier_loss"),
)
LABEL_TABLE = (
    *("roc_auc", "average_precision", "label_ranking_ap", "ranking_loss", "coverage_error"),
    *("precision", "recall", "f1", "hamming_loss", "subset_accuracy"),
)


def class_metric(
    rows: Any,
    own: Sequence[ClassMetric],
    metric: str | Callable[[Any], float],
    options: dict[str, Any],
    average: str | None = None,
) -> ClassMetric:
    """Find a number by any of its names: one of all classes together, or any metric averaged over classes.

    ``own`` are the numbers that the rows have methods for; a function of the rows is taken as it is.
    ``average`` goes to what has one.
    """
    if callable(metric):
        if options:
            raise CurvewiseError(f"{', '.join(options)}: a function of the rows takes no options here.")
        name = getattr(metric, "__name__", "statistic")
        return ClassMetric(name, "neither", -math.inf, math.inf, interval="percentile", read=metric)
    by_name = {key: fact for fact in own for key in (fact.name, *fact.aliases)}
    known = by_name.get(str(metric).casefold().replace("-", "_").replace(" ", "_"))
    if known is None:
        try:
            found = find(metric)
        except CurvewiseError:
            close = nearest(str(metric), by_name, 1)
            if not close:
                raise
            said = f"metric: there is no metric {shown(metric)}; did you mean {close[0]!r}?"
            raise CurvewiseError(said) from None
        known = by_name.get(found.name)
    if known is not None:
        return _with_options(type(rows), known, options, average)
    options = options if average is None else {"average": average, **options}
    # a mean over classes has the scale of one class, with the variance of resamples
    interval = "score" if math.isfinite(found.low) and math.isfinite(found.high) else "percentile"
    if found.interval in ("log", "log-complement", "none"):
        interval = found.interval
    pairs = found.trials == "pairs"

    def read(some: Any) -> float:
        return float(some.average(found, **options))

    return ClassMetric(found.name, found.better, found.low, found.high, interval=interval, pairs=pairs, read=read)


def _with_options(kind: type, known: ClassMetric, options: dict[str, Any], average: str | None) -> ClassMetric:
    """Bind the options of a method, or say which ones it has."""
    method = getattr(kind, known.method or known.name)
    if isinstance(method, property):
        if options:
            raise CurvewiseError(
                f"{', '.join(options)}: {known.name} is one number of all classes and takes no options; "
                f"average({known.name!r}) is the mean over classes."
            )
        return known
    allowed = [name for name in inspect.signature(method).parameters if name != "self"]
    for name in options:
        if name not in allowed:
            raise unknown_option(name, allowed, known.name)
    bound = {"average": average, **options} if average is not None and "average" in allowed else options
    return replace(known, read=lambda rows: float(method(rows, **bound)))


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
