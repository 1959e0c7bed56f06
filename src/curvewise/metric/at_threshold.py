"""The metrics of four counts at a threshold: what is known of each; how it is computed stands in `Confusion`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from curvewise.core.confusion import RATES, Confusion
from curvewise.errors import UndefinedMetricError
from curvewise.metric import AREA, SHARE
from curvewise.metric.registry import Metric, add

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

SIGNED = {**AREA, "low": -1.0, "chance": 0.0}  # 0 at chance, below it where the score ranks the wrong way round
BALANCED = {**SHARE, "prevalence": False, "chance": 0.5}
RATIO: dict[str, Any] = {"unit": "ratio", "low": 0.0, "chance": 1.0}
ODDS = {**RATIO, "prevalence": False}
OF_POSITIVES: dict[str, Any] = {"prevalence": False, "needs": ("positives",)}
OF_NEGATIVES: dict[str, Any] = {"prevalence": False, "needs": ("negatives",)}


def at_threshold(name: str, formula: str, counted: Callable[..., Any] | None = None, **facts: Any) -> None:
    """Register a property of `Confusion`, or a function of one and of options, as a metric at a threshold."""

    def of_property(counts: Confusion, *, threshold: float) -> Any:  # noqa: ARG001 - the counts were taken at it
        return getattr(counts, name)

    of_counts = of_property if counted is None else counted

    def function(sweep: Sweep, *, threshold: float, **options: Any) -> float:
        counts = sweep.at(threshold)
        value = float(of_counts(counts, threshold=threshold, **options))
        if math.isnan(value):
            raise UndefinedMetricError("{metric} is {why}.", metric=name, why=counts.reason(name))
        return value

    described = getattr(Confusion, name) if counted is None else counted
    function.__doc__, function.__qualname__ = described.__doc__, f"Confusion.{name}"
    facts = {"interval": "jeffreys", "counted": of_counts, "formula": formula, **facts}
    # a threshold that separates the classes puts every one of them at the end of its range
    best = facts.get({"lower": "low", "neither": "none"}.get(facts.get("better", "higher"), "high"))
    add(Metric(name, function, "threshold", **{"perfect": best, **facts}))


def rate(name: str, **facts: Any) -> None:
    """Register a plain proportion."""
    part, whole = RATES[name]
    above, below = (" + ".join(cells).upper() for cells in (part, whole))
    formula = f"({above})/({below})" if len(part) > 1 else f"{above}/({below})"
    at_threshold(name, formula, **SHARE, interval="wilson", rate=RATES[name], **facts)


rate("accuracy", aliases=("acc",), needs=())
rate("error", aliases=("error_rate",), better="lower", needs=())
rate("precision", aliases=("ppv", "positive_predictive_value", "prec"), needs=(), chance="prevalence")
rate("npv", aliases=("negative_predictive_value",), needs=())
rate("recall", aliases=("sensitivity", "sens", "tpr", "true_positive_rate", "hit_rate"), **OF_POSITIVES)
rate("specificity", aliases=("spec", "tnr", "true_negative_rate"), **OF_NEGATIVES)
rate("fpr", aliases=("false_positive_rate", "false_alarm_rate", "fall_out"), better="lower", **OF_NEGATIVES)
rate("fnr", aliases=("false_negative_rate", "miss_rate"), better="lower", **OF_POSITIVES)
rate("fdr", aliases=("false_discovery_rate",), better="lower", needs=())
rate("false_omission_rate", aliases=("for",), better="lower", needs=())
rate("prevalence", aliases=("base_rate",), better="neither", needs=())
rate("predicted_rate", aliases=("flag_rate", "selection_rate"), better="neither", needs=())
at_threshold("balanced_accuracy", "(TP/(TP + FN) + TN/(TN + FP))/2", **BALANCED, aliases=("bacc", "balanced_acc"))
at_threshold("balanced_error", "(FN/(TP + FN) + FP/(TN + FP))/2", **BALANCED, aliases=("ber",), better="lower")
at_threshold("f1", "2·TP/(2·TP + FN + FP)", **AREA, aliases=("f1_score", "f_score", "f_measure", "dice"), needs=())
at_threshold(
    "jaccard", "TP/(TP + FP + FN)", **AREA, aliases=("threat_score", "iou", "critical_success_index"), needs=()
)
at_threshold("fowlkes_mallows", "√(TP/(TP + FP)·TP/(TP + FN))", **AREA, needs=("positives",))
at_threshold("g_mean", "√(TP/(TP + FN)·TN/(TN + FP))", **AREA, prevalence=False)
at_threshold(
    "youden",
    "TP/(TP + FN) + TN/(TN + FP) - 1",
    **SIGNED,
    aliases=("youden_j", "youden_index", "informedness"),
    prevalence=False,
)
at_threshold("markedness", "TP/(TP + FP) + TN/(TN + FN) - 1", **SIGNED, needs=())
at_threshold(
    "mcc",
    "(TP·TN - FP·FN)/√((TP + FP)·(TP + FN)·(TN + FP)·(TN + FN))",
    **SIGNED,
    aliases=("matthews", "matthews_corrcoef", "phi"),
)
at_threshold(
    "kappa",
    "2·(TP·TN - FP·FN)/((TP + FP)·(FP + TN) + (TP + FN)·(FN + TN))",
    **SIGNED,
    aliases=("cohen_kappa", "cohens_kappa"),
    needs=(),
)
at_threshold("lr_positive", "(TP/(TP + FN))/(FP/(FP + TN))", **ODDS, aliases=("lr+", "lr_plus", "plr"))
at_threshold("lr_negative", "(FN/(TP + FN))/(TN/(FP + TN))", **ODDS, aliases=("lr_minus", "nlr"), better="lower")
at_threshold("diagnostic_odds_ratio", "TP·TN/(FP·FN)", **ODDS, aliases=("dor",))
at_threshold("lift", "(TP/(TP + FP))/((TP + FN)/(TP + FP + FN + TN))", **RATIO, needs=("positives",))
at_threshold("number_needed_to_evaluate", "(TP + FP)/TP", aliases=("nne",), better="lower", low=1.0, needs=())
