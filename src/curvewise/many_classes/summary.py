"""Every number of many classes in two tables: all together, and class by class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.core.rate import rate_interval
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.inference.interval import interval_of
from curvewise.many_classes.averages import AVERAGES, Average
from curvewise.many_classes.matrix import class_names
from curvewise.metric.average_precision import average_precision
from curvewise.metric.roc_auc import roc_auc
from curvewise.results.result import Table
from curvewise.rows.checks import one_of, real
from curvewise.rows.reading import Rows

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.many_classes.multiclass import Multiclass

# what each metric says; {} is the kind of mean, where it is one over classes
COUNTS = {
    "accuracy": "share of rows predicted rightly",
    "balanced_accuracy": "mean recall of the classes",
    "precision": "how often a predicted class is right, {}",
    "recall": "how much of a class is found, {}",
    "f1": "harmonic mean of the two, {}",
    "kappa": "agreement beyond chance; 0 is chance, 1 perfect",
    "mcc": "correlation of truth and prediction; 0 is chance, 1 perfect",
}
SCORES = {
    "roc_auc": "one class against the rest, {}; 0.5 is chance, 1 perfect",
    "hand_till": "mean AUC of all pairs of classes; 0.5 is chance, 1 perfect",
    "average_precision": "one class against the rest, {}; 1 perfect",
    "log_loss": "mean −log of the true class's probability; 0 is perfect",
    "brier_loss": "mean squared error summed over classes; 0 is perfect, 2 worst",
}
METHODS = {"f1": "f_beta", "log_loss": "mean_log_loss"}


def meanings(m: Multiclass) -> dict[str, str]:
    """Return every metric that these rows have, with its meaning."""
    return COUNTS if m.ready is None else COUNTS | SCORES


def read(m: Multiclass, metric: str, average: Average) -> float:
    """Return a metric by its name in the table."""
    found = getattr(m, METHODS.get(metric, metric))
    if callable(found):
        found = found(average=average) if "{}" in meanings(m)[metric] else found()
    return float(found)


def overall(m: Multiclass, average: Average) -> Table:
    """Lay out the metrics of all classes together, each with its meaning or why it is undefined."""
    one_of("average", average, AVERAGES)
    columns: dict[str, list[Any]] = {"metric": [], "value": [], "meaning": []}
    for metric, words in meanings(m).items():
        try:
            value, meaning = read(m, metric, average), words.format(average)
        except CurvewiseError as error:
            value, meaning = math.nan, f"undefined: {error}"
        for column, cell in zip(columns.values(), (metric, value, meaning), strict=True):
            column.append(cell)
    return Table(f"{m!r}, {average} means", columns, m.backend)


def by_class(m: Multiclass, level: float) -> Table:
    """Lay out each class against the rest, with the intervals that have a formula."""
    level = real("level", level, 0, 1, closed=False)
    columns: dict[str, list[Any]] = {"class": class_names(m.classes)}
    for k in range(len(m.classes)):
        for name, value in _one_class(m, k, level).items():
            columns.setdefault(name, []).append(value)
    title = f"Each class against the rest ({100 * level:.4g} % intervals)"
    return Table(title, columns, m.backend)


def _one_class(m: Multiclass, k: int, level: float) -> dict[str, Any]:
    c = m.matrix.of(m.classes[k])
    plain = m.cluster is None and isinstance(c.n, int)  # rows that are independent and count alike
    row: dict[str, Any] = {"rows": c.positives, "prevalence": c.prevalence, "predicted": c.tp + c.fp}
    for name, whole in (("precision", c.tp + c.fp), ("recall", c.positives)):
        low, high = rate_interval(c.tp, whole, level=level) if plain and whole else (None, None)
        row |= {name: getattr(c, name), f"{name}_low": low, f"{name}_high": high}
    row["f1"] = c.f1
    if m.ready is not None:
        row |= _ranking(m, k, level, plain=plain)
    row["undefined"] = _why(c)
    return row


def _ranking(m: Multiclass, k: int, level: float, *, plain: bool) -> dict[str, Any]:
    sweep = m.sweep(m.classes[k])
    row: dict[str, Any] = dict.fromkeys(("roc_auc", "roc_auc_low", "roc_auc_high"))
    row |= {"roc_auc": math.nan, "average_precision": math.nan}
    if sweep.positives:
        row["average_precision"] = average_precision(sweep)
    if sweep.positives and sweep.negatives:
        row["roc_auc"] = roc_auc(sweep)
        scores = m.need_scores("An interval").scores[k]
        rows = Rows(scores, m.truth == k, m.weight, 0, None, "positive", None, m.cluster)
        try:
            found = interval_of("roc_auc", sweep if plain else rows, level=level)
        except UndefinedMetricError:  # one row of the class alone has no variance
            return row
        row |= {"roc_auc_low": found.low, "roc_auc_high": found.high}
    return row


def _why(c: Confusion) -> str | None:
    empty = [
        words
        for total, words in (
            (c.positives, "no row is of this class"),
            (c.tp + c.fp, "no row is predicted so"),
        )
        if total == 0
    ]
    return " and ".join(empty) or None
