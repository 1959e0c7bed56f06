"""What each metric at a threshold says in plain words, and why it may have no value."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from curvewise._table import Table, show
from curvewise._validate import one_of, real
from curvewise.counts.rates import METHODS, RateMethod, rate_interval

if TYPE_CHECKING:
    from curvewise.counts.confusion import Confusion

# A rate is a part of a whole: (metric, part, whole, what it says of 100).
RATES = (
    ("accuracy", ("tp", "tn"), ("tp", "fp", "fn", "tn"), "of 100 rows, {} are judged rightly"),
    ("error", ("fp", "fn"), ("tp", "fp", "fn", "tn"), "of 100 rows, {} are judged wrongly"),
    ("precision", ("tp",), ("tp", "fp"), "of 100 flagged rows, {} are positive (PPV)"),
    ("npv", ("tn",), ("tn", "fn"), "of 100 rows not flagged, {} are negative"),
    ("recall", ("tp",), ("tp", "fn"), "of 100 positives, {} are flagged (sensitivity, TPR)"),
    ("specificity", ("tn",), ("fp", "tn"), "of 100 negatives, {} are not flagged (TNR)"),
    ("fpr", ("fp",), ("fp", "tn"), "of 100 negatives, {} are flagged wrongly"),
    ("fnr", ("fn",), ("tp", "fn"), "of 100 positives, {} are missed"),
    ("fdr", ("fp",), ("tp", "fp"), "of 100 flagged rows, {} are false alarms"),
    ("false_omission_rate", ("fn",), ("tn", "fn"), "of 100 rows not flagged, {} are positive"),
    ("prevalence", ("tp", "fn"), ("tp", "fp", "fn", "tn"), "of 100 rows, {} are positive"),
    ("predicted_rate", ("tp", "fp"), ("tp", "fp", "fn", "tn"), "of 100 rows, {} are flagged"),
)

# Everything else: (metric, what it says).
OTHERS = (
    ("balanced_accuracy", "mean of recall and specificity; 0.5 is chance"),
    ("balanced_error", "1 − balanced accuracy (BER)"),
    ("f1", "harmonic mean of precision and recall; ignores true negatives"),
    ("jaccard", "hits among all rows flagged or positive (threat score)"),
    ("fowlkes_mallows", "geometric mean of precision and recall"),
    ("g_mean", "geometric mean of recall and specificity"),
    ("youden", "recall + specificity − 1; 0 is chance, 1 perfect"),
    ("markedness", "PPV + NPV − 1; 0 is chance, 1 perfect"),
    ("mcc", "correlation of flag and label; 0 is chance, 1 perfect"),
    ("kappa", "agreement beyond chance; 0 is chance, 1 perfect"),
    ("lr_positive", "a flag multiplies the odds of being positive by this"),
    ("lr_negative", "no flag multiplies the odds of being positive by this"),
    ("diagnostic_odds_ratio", "odds of a flag among positives over those among negatives"),
    ("lift", "flagged rows are this many times as rich in positives as all rows"),
    ("number_needed_to_evaluate", "flagged rows to look at for one true positive"),
)


def confusion_table(c: Confusion, level: float, method: RateMethod) -> Table:
    """Lay out every metric of a confusion table with interval, meaning or reason."""
    level = real("level", level, 0, 1, closed=False)
    one_of("method", method, METHODS)
    counts = (c.tp, c.fp, c.fn, c.tn)
    counted = all(isinstance(k, int) for k in counts)
    columns: dict[str, list[object]] = {
        "metric": [],
        "value": [],
        "low": [],
        "high": [],
        "meaning": [],
    }

    def add(name: str, value: float, low: float | None, high: float | None, meaning: str) -> None:
        for column, cell in zip(columns.values(), (name, value, low, high, meaning), strict=True):
            column.append(cell)

    for name, part, whole, words in RATES:
        k, n = (sum(getattr(c, cell) for cell in cells) for cells in (part, whole))
        value = getattr(c, name)
        if n == 0:
            add(name, value, None, None, _reason(c, value))
            continue
        low, high = rate_interval(k, n, level=level, method=method) if counted else (None, None)
        add(name, value, low, high, words.format(f"{100 * value:.4g}"))
    for name, words in OTHERS:
        value = getattr(c, name)
        undefined = math.isnan(_bare(c, name))
        add(name, value, None, None, _reason(c, value) if undefined else words)
    at = "" if c.threshold is None else f" at threshold {show(float(c.threshold))}"
    cells = ", ".join(f"{k} {show(v)}" for k, v in zip(("TP", "FP", "FN", "TN"), counts, strict=True))
    note = f"{level:.0%} {method} intervals" if counted else "fractional weights: no binomial intervals"
    return Table(f"Confusion{at}: {cells} ({note})", columns)


def _bare(c: Confusion, name: str) -> float:
    """Evaluate a metric with 0/0 undefined, whatever the caller chose for display."""
    value: float = getattr(replace(c, zero=math.nan), name)
    return value


def _reason(c: Confusion, value: float) -> str:
    empty = [
        words
        for total, words in (
            (c.positives, "no row is positive"),
            (c.negatives, "no row is negative"),
            (c.tp + c.fp, "no row is flagged"),
            (c.tn + c.fn, "every row is flagged"),
        )
        if total == 0
    ]
    verdict = "undefined" if math.isnan(value) else f"0/0, taken as {show(float(c.zero))}"
    return f"{verdict}: {' and '.join(empty)}"
