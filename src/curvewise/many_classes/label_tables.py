"""Every number of several labels a row in two tables: all together, and label by label."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.errors import UndefinedMetricError
from curvewise.many_classes.matrix import class_names
from curvewise.metric.average_precision import average_precision
from curvewise.metric.roc_auc import roc_auc
from curvewise.results.result import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.core.sweep import Sweep
    from curvewise.many_classes.multilabel import LabelAverage, Multilabel


def overall(m: Multilabel, average: LabelAverage, threshold: float) -> Table:
    """Lay out the metrics of all labels together, each with its meaning or why it is undefined."""
    rows: tuple[tuple[str, Callable[[], float], str], ...] = (
        ("roc_auc", lambda: m.roc_auc(average), f"{average}; 0.5 is chance, 1 perfect"),
        ("average_precision", lambda: m.average_precision(average), f"{average}; 1 perfect"),
        (
            "label_ranking_ap",
            m.label_ranking_ap,
            "precision with which a row ranks its own labels; 1 perfect",
        ),
        ("ranking_loss", m.ranking_loss, "share of a row's (true, false) pairs out of order; 0 perfect"),
        ("coverage_error", m.coverage_error, "labels to take, best first, to have all true ones"),
        ("precision", lambda: m.precision(average, threshold), f"{average}; how often a flag is right"),
        ("recall", lambda: m.recall(average, threshold), f"{average}; how much of what is true is flagged"),
        ("f1", lambda: m.f_beta(1, average, threshold), f"{average}; harmonic mean of the two"),
        ("hamming_loss", lambda: m.hamming_loss(threshold), "share of pairs of row and label that are wrong"),
        ("subset_accuracy", lambda: m.subset_accuracy(threshold), "share of rows with all labels right"),
    )
    found = [(name, *_value(read, words)) for name, read, words in rows]
    names, values, meanings = (list(column) for column in zip(*found, strict=True))
    title = f"{m!r}, {average} means, flagged at {threshold:g} or more"
    return Table(title, {"metric": names, "value": values, "meaning": meanings}, m.backend)


def _value(read: Callable[[], float], words: str) -> tuple[float, str]:
    try:
        return read(), words
    except UndefinedMetricError as error:
        return math.nan, f"undefined: {error}"


def by_label(m: Multilabel, threshold: float) -> Table:
    """Lay out each label."""
    flagged = m.at(threshold)
    columns: dict[str, list[Any]] = {"label": class_names(m.labels)}
    for k, label in enumerate(m.labels):
        c, sweep = flagged.of(k), m.sweep(label)
        row = {
            "rows": c.positives,
            "prevalence": c.prevalence,
            "flagged": c.tp + c.fp,
            "precision": c.precision,
            "recall": c.recall,
            "f1": c.f1,
            "roc_auc": _read(roc_auc, sweep),
            "average_precision": _read(average_precision, sweep),
            "undefined": _why(c.positives, c.negatives, c.tp + c.fp),
        }
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return Table(f"Each label, flagged at {threshold:g} or more", columns, m.backend)


def _read(metric: Callable[[Sweep], float], sweep: Sweep) -> float:
    try:
        return metric(sweep)
    except UndefinedMetricError:
        return math.nan


def _why(positives: float, negatives: float, flagged: float) -> str | None:
    empty = (
        (positives, "no row is positive"),
        (negatives, "no row is negative"),
        (flagged, "no row is flagged"),
    )
    return " and ".join(words for total, words in empty if total == 0) or None
