"""Rules that choose a threshold: pass one to `curvewise.operating_point`.

Every rule takes ``prevalence=``: the share of positives where the threshold will be used. None takes that
of the rows. For rules of recall and FPR alone it changes no choice, only what alarms will be worth.

The answer is an observed score, except that `min_cost`, `max_net_benefit` and `max_of` may answer
"flag nobody" (an infinite threshold), where no alarm is worth its price. Of equally good thresholds the
highest is chosen and all are listed. Whole counts are compared exactly where a rule is linear in them
(Youden, costs in whole numbers, equal errors, highest recall); elsewhere a difference below 1e-12 of the
scale is none.

>>> import curvewise as cw
>>> cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)
min_cost(fp=1, fn=10, prevalence=0.02)
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.decisions.cost import checked_costs
from curvewise.decisions.rule import Limit, Rule
from curvewise.errors import CurvewiseError
from curvewise.rows.checks import real, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.confusion import Confusion
    from curvewise.decisions.cuts import Cuts
    from curvewise.decisions.rule import Measure

RECALL = {"recall": attrgetter("recall")}


def min_cost(*, fp: float, fn: float, tp: float = 0, tn: float = 0, prevalence: float | None = None) -> Rule:
    """Least expected cost, given what each outcome costs; a gain is a negative cost.

    The cost per row is c_FP·(1−π)·FPR + c_FN·π·(1−TPR), plus what hits and passes cost. The best point is the
    vertex of the ROC hull with slope (c_FP−c_TN)/(c_FN−c_TP)·(1−π)/π.
    """
    costs = checked_costs(fp=fp, fn=fn, tp=tp, tn=tn)
    share = _share(prevalence)

    def key(cuts: Cuts) -> NDArray[Any]:
        gain, loss = costs["fn"] - costs["tp"], costs["fp"] - costs["tn"]
        if share is None:
            return cuts.linear(gain, loss)
        return cuts.linear(gain * share / cuts.positives, loss * (1 - share) / cuts.negatives)

    given = {k: v for k, v in costs.items() if k in ("fp", "fn") or v}
    measures = {"expected_cost": lambda c: c.expected_cost(**costs)}
    return Rule("min_cost", given, share, key, measures, nobody=True)


def max_net_benefit(threshold_probability: float, *, prevalence: float | None = None) -> Rule:
    """Highest net benefit TP/n − FP/n · p/(1−p): costs said as the risk p at which one would act."""
    p = real("threshold_probability", threshold_probability, 0, 1)
    if p == 1:
        raise CurvewiseError("threshold_probability: expected a number below 1, got 1.")

    def key(cuts: Cuts) -> NDArray[Any]:
        return cuts.linear((1 - p) * cuts.up, p * cuts.down)

    return Rule(
        "max_net_benefit",
        {"threshold_probability": threshold_probability},
        _share(prevalence),
        key,
        {"net_benefit": lambda c: c.net_benefit(p)},
        nobody=True,
    )


def youden(*, prevalence: float | None = None) -> Rule:
    """Highest Youden's J = recall + specificity − 1: both rates count alike."""

    def key(cuts: Cuts) -> NDArray[Any]:
        return cuts.linear(cuts.negatives, cuts.positives)

    return Rule("youden", {}, _share(prevalence), key, {"youden": attrgetter("youden")})


def closest_topleft(*, prevalence: float | None = None) -> Rule:
    """Least distance to the perfect corner of the ROC plot, √(FPR² + FNR²)."""

    def key(cuts: Cuts) -> NDArray[Any]:
        fpr, fnr = cuts.fp / cuts.negatives, (cuts.positives - cuts.tp) / cuts.positives
        return np.asarray(-(fpr**2 + fnr**2))

    measures = {"distance": lambda c: math.hypot(c.fpr, c.fnr)}
    return Rule("closest_topleft", {}, _share(prevalence), key, measures)


def equal_error(*, prevalence: float | None = None) -> Rule:
    """FPR and FNR as equal as an observed score can make them.

    The equal error rate of `curvewise.det_curve` lies on the hull, where one may have to mix two thresholds.
    """

    def key(cuts: Cuts) -> NDArray[Any]:
        crossed = cuts.linear(cuts.negatives, -cuts.positives)  # FPR − FNR, times P·N, plus P·N
        return -np.abs(crossed - cuts.positives * cuts.negatives)

    measures: dict[str, Measure] = {
        "mean_error": lambda c: (c.fpr + c.fnr) / 2,
        "fpr": attrgetter("fpr"),
        "fnr": attrgetter("fnr"),
    }
    return Rule("equal_error", {}, _share(prevalence), key, measures)


def max_f(beta: float = 1, *, prevalence: float | None = None) -> Rule:
    """Highest F_β: recall counts β times as much as precision."""
    b = real("beta", beta, 0, 1e150) ** 2

    def key(cuts: Cuts) -> NDArray[Any]:
        hits = cuts.up * cuts.tp
        with np.errstate(invalid="ignore"):
            return np.asarray(hits / (b / (1 + b) * cuts.up * cuts.positives + cuts.alarms / (1 + b)))

    return Rule("max_f", {"beta": beta}, _share(prevalence), key, {"f_beta": lambda c: c.f_beta(beta)})


def max_mcc(*, prevalence: float | None = None) -> Rule:
    """Highest Matthews correlation of flag and label."""

    def key(cuts: Cuts) -> NDArray[Any]:
        beyond_chance = cuts.linear(cuts.negatives, cuts.positives)
        spread = cuts.alarms * _passed(cuts)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(spread > 0, beyond_chance / (np.sqrt(spread) * cuts.n), np.nan)

    return Rule("max_mcc", {}, _share(prevalence), key, {"mcc": attrgetter("mcc")})


def max_kappa(*, prevalence: float | None = None) -> Rule:
    """Highest Cohen's κ: agreement beyond chance."""

    def key(cuts: Cuts) -> NDArray[Any]:
        beyond_chance = cuts.linear(cuts.negatives, cuts.positives)
        alarms, passed = cuts.alarms, _passed(cuts)
        chance = alarms * (cuts.down * cuts.negatives) + passed * (cuts.up * cuts.positives)
        return np.asarray(beyond_chance / chance)

    return Rule("max_kappa", {}, _share(prevalence), key, {"kappa": attrgetter("kappa")})


def max_fpr(at: float, *, prevalence: float | None = None) -> Rule:
    """Highest recall with a false positive rate of ``at`` or less."""
    x = real("at", at, 0, 1)
    limit = Limit(f"an FPR of {at} or less", lambda c: c.fp, lambda c: c.negatives, x, at_most=True)
    measures = {**RECALL, "fpr": attrgetter("fpr")}
    return Rule("max_fpr", {"at": at}, _share(prevalence), _hits, measures, limit)


def min_specificity(at: float, *, prevalence: float | None = None) -> Rule:
    """Highest recall with a specificity of ``at`` or more."""
    x = real("at", at, 0, 1)
    limit = Limit(f"a specificity of {at} or more", lambda c: c.negatives - c.fp, lambda c: c.negatives, x)
    measures = {**RECALL, "specificity": attrgetter("specificity")}
    return Rule("min_specificity", {"at": at}, _share(prevalence), _hits, measures, limit)


def min_recall(at: float, *, prevalence: float | None = None) -> Rule:
    """Lowest false positive rate with a recall of ``at`` or more."""
    x = real("at", at, 0, 1)
    limit = Limit(f"a recall of {at} or more", lambda c: c.tp, lambda c: c.positives, x)
    measures = {"fpr": attrgetter("fpr"), **RECALL}
    return Rule("min_recall", {"at": at}, _share(prevalence), lambda c: -c.fp, measures, limit)


def min_precision(at: float, *, prevalence: float | None = None) -> Rule:
    """Highest recall with a precision of ``at`` or more."""
    x = real("at", at, 0, 1)
    limit = Limit(f"a precision of {at} or more", lambda c: c.up * c.tp, lambda c: c.alarms, x)
    measures = {**RECALL, "precision": attrgetter("precision")}
    return Rule("min_precision", {"at": at}, _share(prevalence), _hits, measures, limit)


def max_alarms(at: float, *, prevalence: float | None = None) -> Rule:
    """Highest recall with at most so many rows flagged: a whole number of these rows, or a share below 1.

    With a stated prevalence, the number is of as many rows as were given.
    """
    share = isinstance(at, (float, np.floating)) and 0 < at < 1
    if isinstance(at, (float, np.floating)) and not share:
        raise CurvewiseError(f"at: expected a whole number of rows, or a share between 0 and 1, got {at!r}.")
    bound = float(at) if share else whole("at", at, 1)
    words = f"{at} of the rows flagged or fewer" if share else f"{at} alarms or fewer"
    limit = Limit(words, lambda c: c.alarms, lambda c: c.n if share else 1.0, bound, at_most=True)
    measures = {**RECALL, "predicted_rate": attrgetter("predicted_rate")}
    return Rule("max_alarms", {"at": at}, _share(prevalence), _hits, measures, limit)


def max_of(function: Callable[[Confusion], float], *, prevalence: float | None = None) -> Rule:
    """Highest value of any function of a `Confusion`; NaN is never chosen.

    A function passed to `curvewise.operating_point` as it is means the same. It is called once for each
    threshold, and again in every resample: slow with many thousands; the other rules are vectorised.
    """
    if not callable(function):
        raise CurvewiseError(f"function: expected a function of a Confusion, got {function!r}.")
    name = getattr(function, "__name__", "function").strip("<>")

    def key(cuts: Cuts) -> NDArray[Any]:
        values = [function(cuts.at(k)) for k in range(len(cuts.tp))]
        try:
            return np.array([float(v) for v in values])
        except (TypeError, ValueError):
            raise CurvewiseError(
                f"{name}: expected a number for each Confusion, got {values[0]!r}."
            ) from None

    options = {"function": function}
    return Rule("max_of", options, _share(prevalence), key, {name: function}, nobody=True, quick=False)


def _hits(cuts: Cuts) -> NDArray[Any]:
    return cuts.tp


def _passed(cuts: Cuts) -> NDArray[Any]:
    return cuts.up * (cuts.positives - cuts.tp) + cuts.down * (cuts.negatives - cuts.fp)


def _share(prevalence: float | None) -> float | None:
    return None if prevalence is None else real("prevalence", prevalence, 0, 1, closed=False)


__all__ = [
    "closest_topleft",
    "equal_error",
    "max_alarms",
    "max_f",
    "max_fpr",
    "max_kappa",
    "max_mcc",
    "max_net_benefit",
    "max_of",
    "min_cost",
    "min_precision",
    "min_recall",
    "min_specificity",
    "youden",
]
