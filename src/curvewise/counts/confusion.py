"""The confusion table at a threshold, and every metric that four counts define."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise._errors import CurvewiseError
from curvewise._plot import Plotted
from curvewise._table import json_safe
from curvewise._validate import (
    Missing,
    RowOptions,
    read_labels,
    read_rows,
    real,
    refuse_unknown,
    threshold_for,
)
from curvewise.counts.meanings import confusion_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise._table import Table
    from curvewise.counts.rates import RateMethod


@dataclass(frozen=True)
class Confusion(Plotted):
    """True and false positives and negatives, and what follows from them.

    Parameters
    ----------
    tp, fp, fn, tn
        Counts of rows, or sums of weights.
    zero
        What a metric of the form 0/0 is worth: NaN (default: it is undefined), or 0 or 1 for
        those who want scikit-learn's habit. x/0 with x > 0 is infinite, whatever ``zero`` is.
    threshold
        The threshold the counts were taken at, where there was one.
    dropped
        How many rows with a missing value were left out.

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.Confusion(tp=30, fp=20, fn=20, tn=430)
    >>> c.precision, c.recall, c.accuracy
    (0.6, 0.6, 0.92)
    >>> cw.Confusion(tp=0, fp=0, fn=20, tn=980).precision
    nan
    """

    tp: float
    fp: float
    fn: float
    tn: float
    zero: float = math.nan
    threshold: float | None = None
    dropped: int = 0

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            plain = value.item() if isinstance(value, np.generic) else value
            if not isinstance(plain, (int, float)) or not 0 <= plain < math.inf:
                raise CurvewiseError(f"{name}: expected a finite count of 0 or more, got {value!r}.")
            # a whole number is kept as Python's int, so that products cannot overflow
            object.__setattr__(self, name, int(plain) if plain == int(plain) else plain)
        zero: object = self.zero
        if not isinstance(zero, (int, float)) or not (zero in (0, 1) or math.isnan(zero)):
            raise CurvewiseError(f"zero: expected nan, 0 or 1, got {zero!r}.")

    def _ratio(self, part: float, whole: float) -> float:
        if whole == 0:
            return float(self.zero) if part == 0 else math.copysign(math.inf, part)
        return part / whole

    @property
    def n(self) -> float:
        """All rows."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def positives(self) -> float:
        """Rows that are positive: TP + FN."""
        return self.tp + self.fn

    @property
    def negatives(self) -> float:
        """Rows that are negative: FP + TN."""
        return self.fp + self.tn

    @property
    def accuracy(self) -> float:
        """(TP + TN) / n."""
        return self._ratio(self.tp + self.tn, self.n)

    @property
    def error(self) -> float:
        """(FP + FN) / n."""
        return self._ratio(self.fp + self.fn, self.n)

    @property
    def recall(self) -> float:
        """TP / (TP + FN): sensitivity, true positive rate."""
        return self._ratio(self.tp, self.positives)

    @property
    def specificity(self) -> float:
        """TN / (TN + FP): true negative rate."""
        return self._ratio(self.tn, self.negatives)

    @property
    def precision(self) -> float:
        """TP / (TP + FP): positive predictive value."""
        return self._ratio(self.tp, self.tp + self.fp)

    @property
    def npv(self) -> float:
        """TN / (TN + FN): negative predictive value."""
        return self._ratio(self.tn, self.tn + self.fn)

    @property
    def fpr(self) -> float:
        """FP / (FP + TN): false positive rate."""
        return self._ratio(self.fp, self.negatives)

    @property
    def fnr(self) -> float:
        """FN / (FN + TP): false negative rate."""
        return self._ratio(self.fn, self.positives)

    @property
    def fdr(self) -> float:
        """FP / (FP + TP): false discovery rate."""
        return self._ratio(self.fp, self.tp + self.fp)

    @property
    def false_omission_rate(self) -> float:
        """FN / (FN + TN)."""
        return self._ratio(self.fn, self.tn + self.fn)

    @property
    def prevalence(self) -> float:
        """(TP + FN) / n."""
        return self._ratio(self.positives, self.n)

    @property
    def predicted_rate(self) -> float:
        """(TP + FP) / n: the share of rows flagged."""
        return self._ratio(self.tp + self.fp, self.n)

    @property
    def balanced_accuracy(self) -> float:
        """(recall + specificity) / 2."""
        return (self.recall + self.specificity) / 2

    @property
    def balanced_error(self) -> float:
        """1 - balanced accuracy: BER."""
        return 1 - self.balanced_accuracy

    def f_beta(self, beta: float = 1) -> float:
        """(1+β²)TP / ((1+β²)TP + β²FN + FP): recall counts β times as much as precision."""
        root = real("beta", beta, 0, math.inf)
        b = root * root
        if math.isinf(b):
            return self.recall  # what F_β tends to
        b = int(b) if b == int(b) else b
        return self._ratio((1 + b) * self.tp, (1 + b) * self.tp + b * self.fn + self.fp)

    @property
    def f1(self) -> float:
        """2TP / (2TP + FN + FP)."""
        return self.f_beta(1)

    @property
    def jaccard(self) -> float:
        """TP / (TP + FP + FN): threat score, critical success index."""
        return self._ratio(self.tp, self.tp + self.fp + self.fn)

    @property
    def fowlkes_mallows(self) -> float:
        """√(precision · recall)."""
        return math.sqrt(self.precision * self.recall)

    @property
    def g_mean(self) -> float:
        """√(recall · specificity)."""
        return math.sqrt(self.recall * self.specificity)

    @property
    def youden(self) -> float:
        """Recall + specificity - 1: Youden's J, informedness."""
        return self.recall + self.specificity - 1

    @property
    def markedness(self) -> float:
        """PPV + NPV - 1."""
        return self.precision + self.npv - 1

    @property
    def mcc(self) -> float:
        """(TP·TN - FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN)): Matthews' correlation."""
        product = (self.tp + self.fp) * self.positives * self.negatives * (self.tn + self.fn)
        return self._ratio(self.tp * self.tn - self.fp * self.fn, math.sqrt(product))

    @property
    def kappa(self) -> float:
        """2(TP·TN - FP·FN) / ((TP+FP)(FP+TN) + (TP+FN)(FN+TN)): Cohen's κ."""
        flagged, passed = self.tp + self.fp, self.tn + self.fn
        below = flagged * self.negatives + self.positives * passed
        return self._ratio(2 * (self.tp * self.tn - self.fp * self.fn), below)

    @property
    def lr_positive(self) -> float:
        """TPR / FPR: how much a flag multiplies the odds of being positive."""
        return self._ratio(self.tp * self.negatives, self.fp * self.positives)

    @property
    def lr_negative(self) -> float:
        """FNR / TNR: how much the lack of a flag multiplies the odds of being positive."""
        return self._ratio(self.fn * self.negatives, self.tn * self.positives)

    @property
    def diagnostic_odds_ratio(self) -> float:
        """(TP·TN) / (FP·FN)."""
        return self._ratio(self.tp * self.tn, self.fp * self.fn)

    @property
    def lift(self) -> float:
        """Precision / prevalence: how much richer in positives the flagged rows are."""
        return self._ratio(self.tp * self.n, (self.tp + self.fp) * self.positives)

    @property
    def number_needed_to_evaluate(self) -> float:
        """1 / precision: flagged rows to look at for one true positive."""
        return self._ratio(self.tp + self.fp, self.tp)

    def expected_cost(self, *, fp: float, fn: float, tp: float = 0, tn: float = 0) -> float:
        """Return the mean cost per row: (c_FP·FP + c_FN·FN + c_TP·TP + c_TN·TN) / n.

        A gain is a negative cost.
        """
        costs = [real(k, v, -math.inf, math.inf) for k, v in (("fp", fp), ("fn", fn), ("tp", tp), ("tn", tn))]
        counts = (self.fp, self.fn, self.tp, self.tn)
        total = math.fsum(c * k for c, k in zip(costs, counts, strict=True))
        return self._ratio(total, self.n)

    def net_benefit(self, threshold_probability: float) -> float:
        """TP/n - FP/n · p_t/(1-p_t): true positives per row, net of false ones at their odds."""
        p = real("threshold_probability", threshold_probability, 0, 1)
        if p == 1:
            raise CurvewiseError("threshold_probability: expected a number below 1, got 1.")
        return self._ratio(self.tp - self.fp * (p / (1 - p)), self.n)

    # other names of the field for the same quantities
    ppv = precision
    tpr = recall
    sensitivity = recall
    tnr = specificity
    ber = balanced_error
    threat_score = jaccard
    informedness = youden

    def table(self, level: float = 0.95, method: RateMethod = "wilson") -> Table:
        """Return every metric with its interval, its meaning in plain words, or why it is undefined.

        Rates of whole counts carry a Wilson (or ``"clopper-pearson"``) interval.
        """
        return confusion_table(self, level, method)

    def to_dict(self) -> dict[str, Any]:
        """Return the four counts, the threshold and the rows dropped, JSON-safe."""
        cut = None if self.threshold is None else float(self.threshold)
        counts = {k: getattr(self, k) for k in ("tp", "fp", "fn", "tn")}
        return {**counts, "threshold": json_safe(cut), "dropped": self.dropped}

    def __str__(self) -> str:
        return str(self.table())


def confusion(
    y: object,
    score: object,
    *,
    threshold: float,
    zero: float = math.nan,
    **rows: Unpack[RowOptions],
) -> Confusion:
    """Count the rows on either side of a threshold: positive means score ≥ threshold.

    Parameters
    ----------
    y, score
        Labels and scores; the options of `curvewise.sweep` (``weight``, ``positive``,
        ``higher_is``, ``missing``, ``round_to``) apply. With ``higher_is="negative"``, positive
        means score ≤ threshold.
    threshold
        Where to cut. It is compared in the scores' own dtype, so that the float32 score 0.7 is at
        the threshold 0.7.
    zero
        What 0/0 is worth: NaN, 0 or 1; see `Confusion`.

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.confusion([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], threshold=0.35)
    >>> c.tp, c.fp, c.fn, c.tn
    (2, 1, 0, 1)
    """
    refuse_unknown(rows)
    read = read_rows(y, score, **rows)
    cut = threshold_for(read.score.dtype, threshold, falling=read.higher_is == "positive")
    flagged = read.score >= cut if read.higher_is == "positive" else read.score <= cut
    return _counted(read.positive, flagged, read.weight, zero, threshold, read.dropped)


def confusion_from_labels(
    y: object,
    predicted: object,
    *,
    weight: object = None,
    positive: object = None,
    missing: Missing = "raise",
    zero: float = math.nan,
) -> Confusion:
    """Compare true labels with predicted ones, where there is no score.

    Examples
    --------
    >>> import curvewise as cw
    >>> c = cw.confusion_from_labels(["ill", "well", "ill"], ["ill", "ill", "well"], positive="ill")
    >>> c.tp, c.fp, c.fn, c.tn
    (1, 1, 1, 0)
    """
    truth, guess, weights, dropped = read_labels(
        y, predicted, weight=weight, positive=positive, missing=missing
    )
    return _counted(truth, guess, weights, zero, None, dropped)


def _counted(
    positive: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    weight: NDArray[Any] | None,
    zero: float,
    threshold: float | None,
    dropped: int,
) -> Confusion:
    def total(mask: NDArray[np.bool_]) -> float:
        return int(np.count_nonzero(mask)) if weight is None else weight[mask].sum().item()

    return Confusion(
        tp=total(positive & flagged),
        fp=total(~positive & flagged),
        fn=total(positive & ~flagged),
        tn=total(~positive & ~flagged),
        zero=zero,
        threshold=threshold,
        dropped=dropped,
    )
