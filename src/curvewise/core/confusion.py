"""The confusion table at a threshold, and every metric that four counts define, each registered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from curvewise.core.rate import METHODS, RateMethod, rate_interval
from curvewise.core.registry import Metric, add, every
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import FLOATS, as_float, cost_number, one_of, real
from curvewise.rows.columns import shown
from curvewise.rows.weight_scale import far_exponent

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

Getter = TypeVar("Getter", bound="Callable[[Any], float]")
ALL = ("tp", "fp", "fn", "tn")
AREA: dict[str, Any] = {"unit": "area", "low": 0.0, "high": 1.0}
SIGNED = {**AREA, "low": -1.0, "chance": 0.0}  # 0 at chance, below it where the score ranks the wrong way round
BALANCED: dict[str, Any] = {"unit": "share", "low": 0.0, "high": 1.0, "prevalence": False, "chance": 0.5}
RATIO: dict[str, Any] = {"unit": "ratio", "low": 0.0}


def at_threshold(**facts: Any) -> Callable[[Getter], Getter]:
    """Register a property of `Confusion` as a metric at a threshold."""

    def register(getter: Getter) -> Getter:
        name = getter.__name__

        def function(sweep: Sweep, *, threshold: float) -> float:
            counts = sweep.at(threshold)
            value = float(getattr(counts, name))
            if math.isnan(value):
                raise UndefinedMetricError("{metric} is {why}.", metric=name, why=counts.reason(name))
            return value

        function.__doc__, function.__qualname__ = getter.__doc__, f"Confusion.{name}"
        # a threshold that separates the classes puts every one of them at the end of its range
        best = facts.get({"lower": "low", "neither": "none"}.get(facts.get("better", "higher"), "high"))
        add(Metric(name, function, "threshold", **{"perfect": best, "interval": "jeffreys", **facts}))
        return getter

    return register


def rate(part: str, whole: tuple[str, ...], **facts: Any) -> Callable[[Getter], Getter]:
    """Register a plain proportion: the cells of the part, and of the whole."""
    cells = tuple(part.split("+")), whole
    above, below = (" + ".join(several).upper() for several in cells)
    formula = f"({above})/({below})" if len(cells[0]) > 1 else f"{above}/({below})"
    defaults = {"unit": "share", "low": 0.0, "high": 1.0, "interval": "wilson", "rate": cells, "formula": formula}
    return at_threshold(**{**defaults, **facts})


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

    _root = staticmethod(math.sqrt)

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
    @rate("tp+tn", ALL, aliases=("acc",), needs=())
    def accuracy(self) -> float:
        """(TP + TN) / n."""
        return self._ratio(self.tp + self._true_negatives, self.n)

    @property
    @rate("fp+fn", ALL, aliases=("error_rate",), better="lower", needs=())
    def error(self) -> float:
        """(FP + FN) / n."""
        return self._ratio(self.fp + self.fn, self.n)

    @property
    @rate("tp", ("tp", "fp"), aliases=("ppv", "positive_predictive_value", "prec"), needs=(), chance="prevalence")
    def precision(self) -> float:
        """TP / (TP + FP): positive predictive value."""
        return self._ratio(self.tp, self.tp + self.fp)

    @property
    @rate("tn", ("tn", "fn"), aliases=("negative_predictive_value",), needs=())
    def npv(self) -> float:
        """TN / (TN + FN): negative predictive value."""
        return self._ratio(self._true_negatives, self._true_negatives + self.fn)

    @property
    @rate(
        "tp",
        ("tp", "fn"),
        aliases=("sensitivity", "sens", "tpr", "true_positive_rate", "hit_rate"),
        prevalence=False,
        needs=("positives",),
    )
    def recall(self) -> float:
        """TP / (TP + FN): sensitivity, true positive rate."""
        return self._ratio(self.tp, self.positives)

    @property
    @rate("tn", ("fp", "tn"), aliases=("spec", "tnr", "true_negative_rate"), prevalence=False, needs=("negatives",))
    def specificity(self) -> float:
        """TN / (TN + FP): true negative rate."""
        return self._ratio(self._true_negatives, self.negatives)

    @property
    @rate(
        "fp",
        ("fp", "tn"),
        aliases=("false_positive_rate", "false_alarm_rate", "fall_out"),
        better="lower",
        prevalence=False,
        needs=("negatives",),
    )
    def fpr(self) -> float:
        """FP / (FP + TN): false positive rate."""
        return self._ratio(self.fp, self.negatives)

    @property
    @rate(
        "fn",
        ("tp", "fn"),
        aliases=("false_negative_rate", "miss_rate"),
        better="lower",
        prevalence=False,
        needs=("positives",),
    )
    def fnr(self) -> float:
        """FN / (FN + TP): false negative rate."""
        return self._ratio(self.fn, self.positives)

    @property
    @rate("fp", ("tp", "fp"), aliases=("false_discovery_rate",), better="lower", needs=())
    def fdr(self) -> float:
        """FP / (FP + TP): false discovery rate."""
        return self._ratio(self.fp, self.tp + self.fp)

    @property
    @rate("fn", ("tn", "fn"), aliases=("for",), better="lower", needs=())
    def false_omission_rate(self) -> float:
        """FN / (FN + TN)."""
        return self._ratio(self.fn, self._true_negatives + self.fn)

    @property
    @rate("tp+fn", ALL, aliases=("base_rate",), better="neither", needs=())
    def prevalence(self) -> float:
        """(TP + FN) / n."""
        return self._ratio(self.positives, self.n)

    @property
    @rate("tp+fp", ALL, aliases=("flag_rate", "selection_rate"), better="neither", needs=())
    def predicted_rate(self) -> float:
        """(TP + FP) / n: the share of rows flagged."""
        return self._ratio(self.tp + self.fp, self.n)

    @property
    @at_threshold(**BALANCED, aliases=("bacc", "balanced_acc"), formula="(TP/(TP + FN) + TN/(TN + FP))/2")
    def balanced_accuracy(self) -> float:
        """(recall + specificity) / 2."""
        return (self.recall + self.specificity) / 2

    @property
    @at_threshold(**BALANCED, aliases=("ber",), better="lower", formula="(FN/(TP + FN) + FP/(TN + FP))/2")
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
    @at_threshold(
        **AREA, aliases=("f1_score", "f_score", "f_measure", "dice"), needs=(), formula="2·TP/(2·TP + FN + FP)"
    )
    def f1(self) -> float:
        """2TP / (2TP + FN + FP)."""
        return self.f_beta(1)

    @property
    @at_threshold(
        **AREA, aliases=("threat_score", "iou", "critical_success_index"), needs=(), formula="TP/(TP + FP + FN)"
    )
    def jaccard(self) -> float:
        """TP / (TP + FP + FN): threat score, critical success index."""
        return self._ratio(self.tp, self.tp + self.fp + self.fn)

    @property
    @at_threshold(**AREA, needs=("positives",), formula="√(TP/(TP + FP)·TP/(TP + FN))")
    def fowlkes_mallows(self) -> float:
        """√(precision · recall)."""
        return self._root(self.precision * self.recall)

    @property
    @at_threshold(**AREA, prevalence=False, formula="√(TP/(TP + FN)·TN/(TN + FP))")
    def g_mean(self) -> float:
        """√(recall · specificity)."""
        return self._root(self.recall * self.specificity)

    @property
    @at_threshold(
        **SIGNED,
        aliases=("youden_j", "youden_index", "informedness"),
        prevalence=False,
        formula="TP/(TP + FN) + TN/(TN + FP) - 1",
    )
    def youden(self) -> float:
        """Recall + specificity - 1: Youden's J, informedness."""
        return self.recall + self.specificity - 1

    @property
    @at_threshold(**SIGNED, needs=(), formula="TP/(TP + FP) + TN/(TN + FN) - 1")
    def markedness(self) -> float:
        """PPV + NPV - 1."""
        return self.precision + self.npv - 1

    @property
    @at_threshold(
        **SIGNED,
        aliases=("matthews", "matthews_corrcoef", "phi"),
        formula="(TP·TN - FP·FN)/√((TP + FP)·(TP + FN)·(TN + FP)·(TN + FN))",
    )
    def mcc(self) -> float:
        """(TP·TN - FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN)): Matthews' correlation."""
        c = self._near_one
        product = (c.tp + c.fp) * c.positives * c.negatives * (c._true_negatives + c.fn)
        return c._ratio(c.tp * c._true_negatives - c.fp * c.fn, c._root(product))

    @property
    @at_threshold(
        **SIGNED,
        aliases=("cohen_kappa", "cohens_kappa"),
        needs=(),
        formula="2·(TP·TN - FP·FN)/((TP + FP)·(FP + TN) + (TP + FN)·(FN + TN))",
    )
    def kappa(self) -> float:
        """2(TP·TN - FP·FN) / ((TP+FP)(FP+TN) + (TP+FN)(FN+TN)): Cohen's κ."""
        c = self._near_one
        below = (c.tp + c.fp) * c.negatives + c.positives * (c._true_negatives + c.fn)
        return c._ratio(2 * (c.tp * c._true_negatives - c.fp * c.fn), below)

    @property
    @at_threshold(
        **RATIO,
        aliases=("lr+", "lr_plus", "plr"),
        prevalence=False,
        chance=1.0,
        formula="(TP/(TP + FN))/(FP/(FP + TN))",
    )
    def lr_positive(self) -> float:
        """TPR / FPR: how much a flag multiplies the odds of being positive."""
        c = self._near_one
        return c._ratio(c.tp * c.negatives, c.fp * c.positives)

    @property
    @at_threshold(
        **RATIO,
        aliases=("lr_minus", "nlr"),
        better="lower",
        prevalence=False,
        chance=1.0,
        formula="(FN/(TP + FN))/(TN/(FP + TN))",
    )
    def lr_negative(self) -> float:
        """FNR / TNR: how much the lack of a flag multiplies the odds of being positive."""
        c = self._near_one
        return c._ratio(c.fn * c.negatives, c._true_negatives * c.positives)

    @property
    @at_threshold(**RATIO, aliases=("dor",), prevalence=False, chance=1.0, formula="TP·TN/(FP·FN)")
    def diagnostic_odds_ratio(self) -> float:
        """(TP·TN) / (FP·FN)."""
        c = self._near_one
        return c._ratio(c.tp * c._true_negatives, c.fp * c.fn)

    @property
    @at_threshold(**RATIO, needs=("positives",), chance=1.0, formula="(TP/(TP + FP))/((TP + FN)/(TP + FP + FN + TN))")
    def lift(self) -> float:
        """Precision / prevalence: how much richer in positives the flagged rows are."""
        c = self._near_one
        return c._ratio(c.tp * c.n, (c.tp + c.fp) * c.positives)

    @property
    @at_threshold(
        aliases=("nne",),
        unit="number",
        better="lower",
        low=1.0,
        needs=(),
        formula="(TP + FP)/TP",
    )
    def number_needed_to_evaluate(self) -> float:
        """1 / precision: flagged rows to check per true positive."""
        return self._ratio(self.tp + self.fp, self.tp)

    def expected_cost(self, *, fp: float, fn: float, tp: float = 0, tn: float = 0) -> float:
        """Return the mean cost per row: (c_FP·FP + c_FN·FN + c_TP·TP + c_TN·TN) / n.

        A gain is a negative cost.
        """
        costs = [cost_number(k, v) for k, v in (("fp", fp), ("fn", fn), ("tp", tp), ("tn", tn))]
        counts = (self.fp, self.fn, self.tp, self._true_negatives)
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

    @property
    def table(self) -> Table:
        """Every metric with its Wilson interval at 95%, what it says, or why it is undefined."""
        return self.rates()

    def rates(self, level: float = 0.95, method: RateMethod = "wilson") -> Table:
        """Return every metric with its interval, its meaning in plain words, or why it is undefined.

        Rates of whole counts carry a Wilson (or ``"clopper-pearson"``) interval.
        """
        level = real("level", level, 0, 1, closed=False)  # mutants: refused below
        found = self.estimates(level, method)
        metrics = {m.name: m for m in every() if m.family == "threshold"}
        values = [getattr(self, name) if e.reason is None or e.is_defined else e.value for name, e in found.items()]
        columns: dict[str, list[Any]] = {
            "metric": list(found),
            "value": values,
            "low": [e.low if e.has_interval else None for e in found.values()],
            "high": [e.high if e.has_interval else None for e in found.values()],
            "meaning": [
                metrics[name].meaning(value=e.value) if e.reason is None else str(e.reason) for name, e in found.items()
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
        found = {}
        for m in every():
            if m.family != "threshold":
                continue
            try:
                value = float(getattr(self, m.name))
            except UndefinedMetricError:
                found[m.name] = Estimate(
                    m.name, math.nan, math.nan, math.nan, level, None, reason=note("negatives_unknown")
                )
                continue
            low = high = math.nan
            if m.rate is not None and self.is_counted:
                k, n = (sum(getattr(self, cell) for cell in cells) for cells in m.rate)
                low, high = rate_interval(k, n, level=level, method=method)
            has = not math.isnan(low)
            bare = value if math.isnan(self.zero) else float(getattr(replace(self, zero=math.nan), m.name))
            reason = self.reason(m.name) if math.isnan(bare) else None
            found[m.name] = Estimate(m.name, value, low, high, level, method if has else None, reason=reason)
        return found

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
