"""The confusion table at a threshold, and every metric that four counts define, each registered."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from curvewise.core.rate import METHODS, RateMethod, rate_interval
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import FLOATS, as_float, cost_number, one_of, real
from curvewise.rows.columns import shown
from curvewise.rows.weight_scale import far_exponent
from curvewise.words import words

ALL = ("tp", "fp", "fn", "tn")
# plain proportions: the cells of the part, and of the whole
RATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "accuracy": (("tp", "tn"), ALL),
    "error": (("fp", "fn"), ALL),
    "precision": (("tp",), ("tp", "fp")),
    "npv": (("tn",), ("tn", "fn")),
    "recall": (("tp",), ("tp", "fn")),
    "specificity": (("tn",), ("fp", "tn")),
    "fpr": (("fp",), ("fp", "tn")),
    "fnr": (("fn",), ("tp", "fn")),
    "fdr": (("fp",), ("tp", "fp")),
    "false_omission_rate": (("fn",), ("tn", "fn")),
    "prevalence": (("tp", "fn"), ALL),
    "predicted_rate": (("tp", "fp"), ALL),
}
OF_FOUR_COUNTS = (
    *(*RATES, "balanced_accuracy", "balanced_error", "f1", "jaccard", "fowlkes_mallows", "g_mean", "youden"),
    *("markedness", "mcc", "kappa", "lr_positive", "lr_negative", "diagnostic_odds_ratio", "lift"),
    "number_needed_to_evaluate",
)


def checked_costs(**costs: float) -> dict[str, float]:
    """Check four costs, and that an alarm is worth something; whole ones stay whole."""
    read = {name: cost_number(name, value) for name, value in costs.items()}
    if read["fp"] <= read["tn"] and read["fn"] <= read["tp"]:
        got = ", ".join(f"{k}={v:g}" for k, v in read.items())
        raise CurvewiseError(
            f"These costs make every mistake the better answer: expected fp above tn or fn above tp, got {got}."
        )
    return {k: int(v) if v.is_integer() else v for k, v in read.items()}


@dataclass(frozen=True, repr=False)
class Confusion(Result, schema="confusion"):
    """True and false positives and negatives, and what follows from them.

    Parameters
    ----------
    tp, fp, fn, tn
        Counts of rows, or sums of weights. ``tn`` is None where negatives were not enumerated, as in
        detection; what needs it is then refused.
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
    tn: float | None
    zero: float = math.nan
    threshold: float | None = None
    dropped: int = 0

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            if name == "tn" and value is None:
                continue
            plain = value.item() if isinstance(value, np.generic) else value
            if not isinstance(plain, (int, float)) or not 0 <= plain < math.inf:
                raise CurvewiseError(f"{name}: expected a finite count of 0 or more, got {shown(value)}.")
            # a whole number is kept as Python's int, so that products cannot overflow
            object.__setattr__(self, name, int(plain) if plain == int(plain) else plain)
        if self.threshold is not None and not (type(self.threshold) is int and abs(self.threshold) < FLOATS):
            object.__setattr__(self, "threshold", as_float(self.threshold))
        zero: object = self.zero
        if not (isinstance(zero, (int, float)) and (zero in (0, 1) or zero != zero)):  # noqa: PLR0124 - NaN
            raise CurvewiseError(f"zero: expected nan, 0 or 1, got {shown(zero)}.")

    @property
    def _true_negatives(self) -> float:
        """TN, or a refusal."""
        if self.tn is None:
            raise UndefinedMetricError("The number of true negatives is unknown here: only false alarms were counted.")
        return self.tn

    @property
    def _near_one(self) -> Confusion:
        """The table with sums of weights near 1 where products of them would leave float64; else itself."""
        cells = {k: v for k in ("tp", "fp", "fn", "tn") if (v := getattr(self, k)) is not None}
        exponent = far_exponent(max(cells.values()))
        if not exponent:
            return self
        # Python divides whole numbers of any size
        scaled = {
            # mutants: the only values
            k: v / 2**exponent if exponent > 0 and isinstance(v, int) else math.ldexp(v, -exponent)
            for k, v in cells.items()
        }
        return replace(self, **scaled)  # type: ignore[arg-type]  # of four cells only

    def _ratio(self, part: float, whole: float) -> float:
        if whole == 0:
            return float(self.zero) if part == 0 else math.copysign(math.inf, part)
        return part / whole

    _root, _sum = staticmethod(math.sqrt), staticmethod(math.fsum)

    @property
    def n(self) -> float:
        """All rows."""
        return self.tp + self.fp + self.fn + self._true_negatives

    @property
    def positives(self) -> float:
        """Rows that are positive: TP + FN."""
        return self.tp + self.fn

    @property
    def negatives(self) -> float:
        """Rows that are negative: FP + TN."""
        return self.fp + self._true_negatives

    @property
    def accuracy(self) -> float:
        """(TP + TN) / n."""
        return self._ratio(self.tp + self._true_negatives, self.n)

    @property
    def error(self) -> float:
        """(FP + FN) / n."""
        return self._ratio(self.fp + self.fn, self.n)

    @property
    def precision(self) -> float:
        """TP / (TP + FP): positive predictive value."""
        return self._ratio(self.tp, self.tp + self.fp)

    @property
    def npv(self) -> float:
        """TN / (TN + FN): negative predictive value."""
        return self._ratio(self._true_negatives, self._true_negatives + self.fn)

    @property
    def recall(self) -> float:
        """TP / (TP + FN): sensitivity, true positive rate."""
        return self._ratio(self.tp, self.positives)

    @property
    def specificity(self) -> float:
        """TN / (TN + FP): true negative rate."""
        return self._ratio(self._true_negatives, self.negatives)

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
        return self._ratio(self.fn, self._true_negatives + self.fn)

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
        root = math.inf if as_float(beta) == math.inf else real("beta", beta, 0, math.inf)
        b = root * root
        if math.isinf(b):
            return self.recall  # what F_β tends to
        b = int(b) if b == int(b) else b
        c = self._near_one
        return c._ratio((1 + b) * c.tp, (1 + b) * c.tp + b * c.fn + c.fp)

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
        return self._root(self.precision * self.recall)

    @property
    def g_mean(self) -> float:
        """√(recall · specificity)."""
        return self._root(self.recall * self.specificity)

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
        c = self._near_one
        product = (c.tp + c.fp) * c.positives * c.negatives * (c._true_negatives + c.fn)
        return c._ratio(c.tp * c._true_negatives - c.fp * c.fn, c._root(product))

    @property
    def kappa(self) -> float:
        """2(TP·TN - FP·FN) / ((TP+FP)(FP+TN) + (TP+FN)(FN+TN)): Cohen's κ."""
        c = self._near_one
        below = (c.tp + c.fp) * c.negatives + c.positives * (c._true_negatives + c.fn)
        return c._ratio(2 * (c.tp * c._true_negatives - c.fp * c.fn), below)

    @property
    def lr_positive(self) -> float:
        """TPR / FPR: how much a flag multiplies the odds of being positive."""
        c = self._near_one
        return c._ratio(c.tp * c.negatives, c.fp * c.positives)

    @property
    def lr_negative(self) -> float:
        """FNR / TNR: how much the lack of a flag multiplies the odds of being positive."""
        c = self._near_one
        return c._ratio(c.fn * c.negatives, c._true_negatives * c.positives)

    @property
    def diagnostic_odds_ratio(self) -> float:
        """(TP·TN) / (FP·FN)."""
        c = self._near_one
        return c._ratio(c.tp * c._true_negatives, c.fp * c.fn)

    @property
    def lift(self) -> float:
        """Precision / prevalence: how much richer in positives the flagged rows are."""
        c = self._near_one
        return c._ratio(c.tp * c.n, (c.tp + c.fp) * c.positives)

    @property
    def number_needed_to_evaluate(self) -> float:
        """1 / precision: flagged rows to check per true positive."""
        return self._ratio(self.tp + self.fp, self.tp)

    def expected_cost(self, *, fp: float, fn: float, tp: float = 0, tn: float = 0) -> float:
        """Return the mean cost per row: (c_FP·FP + c_FN·FN + c_TP·TP + c_TN·TN) / n.

        A gain is a negative cost.
        """
        costs = [cost_number(k, v) for k, v in (("fp", fp), ("fn", fn), ("tp", tp), ("tn", tn))]
        counts = (self.fp, self.fn, self.tp, self._true_negatives)
        return self._ratio(self._sum(c * k for c, k in zip(costs, counts, strict=True)), self.n)

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

    @property
    def table(self) -> Table:
        """Every metric with its Wilson interval at 95%, what it says, or why it is undefined."""
        return self.rates()

    def rates(self, level: float = 0.95, method: RateMethod = "wilson") -> Table:
        """Return every metric with its interval, its meaning in plain words, or why it is undefined.

        Rates of whole counts carry a Wilson (or ``"clopper-pearson"``) interval.
        """
        level = real("level", level, 0, 1, closed=False)  # mutants: refused below
        estimates = self.estimates(level, method)
        values = [getattr(self, name) if e.reason is None or e.is_defined else e.value for name, e in estimates.items()]
        columns: dict[str, list[Any]] = {
            "metric": list(estimates),
            "value": values,
            "low": [e.low if e.has_interval else None for e in estimates.values()],
            "high": [e.high if e.has_interval else None for e in estimates.values()],
            "meaning": [
                words("en")(f"metric.meaning.{name}", value=e.value) if e.reason is None else str(e.reason)
                for name, e in estimates.items()
            ],
        }
        at = "" if self.threshold is None else f" at threshold {show(float(self.threshold))}"
        cells = ", ".join(f"{k.upper()} {show(getattr(self, k)) or 'unknown'}" for k in ALL)
        intervals = (
            f"{100 * level:.4g}% {method} intervals" if self.is_counted else "fractional weights: no binomial intervals"
        )
        return Table(f"Confusion{at}: {cells} ({intervals})", columns)

    @property
    def is_counted(self) -> bool:
        """Whether all counts are whole."""
        return all(isinstance(getattr(self, k), int) for k in ALL if getattr(self, k) is not None)

    def estimates(self, level: float = 0.95, method: RateMethod = "wilson") -> dict[str, Estimate]:
        """Return every metric by name, with an interval where it is a rate of whole counts."""
        level = real("level", level, 0, 1, closed=False)
        one_of("method", method, METHODS)
        by_name = {}
        for name in OF_FOUR_COUNTS:
            try:
                value = float(getattr(self, name))
            except UndefinedMetricError:
                by_name[name] = undefined(name, level, note("negatives_unknown"))
                continue
            low = high = math.nan
            if name in RATES and self.is_counted:
                k, n = (sum(getattr(self, cell) for cell in cells) for cells in RATES[name])
                low, high = rate_interval(k, n, level=level, method=method)
            has = not math.isnan(low)
            bare = value if math.isnan(self.zero) else float(getattr(replace(self, zero=math.nan), name))
            reason = self.reason(name) if math.isnan(bare) else None
            by_name[name] = Estimate(name, value, low, high, level, method if has else None, reason=reason)
        return by_name

    def reason(self, name: str) -> Note:  # noqa: ARG002 - every 0/0 has its reason in the margins
        """Say why a metric is 0/0."""
        margins = {
            "no_positives": self.positives,
            "no_negatives": None if self.tn is None else self.negatives,
            "none_flagged": self.tp + self.fp,
            "all_flagged": None if self.tn is None else self.tn + self.fn,
        }
        empty = [code for code, total in margins.items() if total == 0]
        if math.isnan(self.zero):
            return note("zero_over_zero", empty=empty)
        return note("zero_over_zero_taken", empty=empty, taken=float(self.zero))

    def content(self) -> dict[str, Any]:
        """Return the four counts, the threshold and the rows dropped, JSON-safe."""
        cut = None if self.threshold is None else float(self.threshold)
        counts = {k: getattr(self, k) for k in ALL}
        return {**counts, "threshold": json_safe(cut), "dropped": self.dropped}
