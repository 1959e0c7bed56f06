"""Rules that choose a threshold: pass one to `curvewise.operating_point`.

Every rule takes ``prevalence=``: the share of positives where the threshold will be used. None takes that
of the rows. For rules of recall and FPR alone it changes no choice, only what alarms will be worth.

The answer is an observed score, except that `min_cost`, `max_net_benefit` and `max_of` may answer "flag no
row" (an infinite threshold), where no alarm is worth its price. Of equally good thresholds the highest is
chosen and all are listed. Whole counts are compared exactly where a rule is linear in them (Youden, costs in
whole numbers, equal errors, highest recall); elsewhere a difference below 1e-12 of the scale is none.

A limit (`max_fpr`, `min_recall`, …) holds on the rows at hand; on new ones it is broken about every other time. With
``confidence=`` it holds on new rows of the same population with that confidence: exactly where rows are independent,
approximately with clusters, sampling weights or folds. `curvewise.operating_point` says what is guaranteed.

>>> import curvewise as cw
>>> cw.rules.min_cost(fp=1, fn=10, prevalence=0.02)
min_cost(fp=1, fn=10, prevalence=0.02)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curvewise.decisions.choice import Candidates, Limit, Measure, Rule
from curvewise.decisions.choice import metric_measure as _metric
from curvewise.decisions.guarantee import UPWARD
from curvewise.decisions.row_costs import CostColumn, read_costs
from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion

DecideBy = Literal["score", "expected_cost"]


def min_cost(
    *,
    fp: object,
    fn: object,
    tp: object = 0,
    tn: object = 0,
    prevalence: float | None = None,
    decide_by: DecideBy = "score",
    unit: str = "",
) -> Rule:
    """Least expected cost, given what each outcome costs; a gain is a negative cost.

    The cost per row is c_FP·(1−π)·FPR + c_FN·π·(1−TPR), plus what hits and passes cost. The best point is the
    vertex of the ROC hull with slope (c_FP−c_TN)/(c_FN−c_TP)·(1−π)/π.

    A cost is a number, or one value per row (an amount); rates still count rows. ``decide_by="expected_cost"`` cuts no
    score: each row is flagged where an alarm is expected to save, p·(c_FN−c_TP) ≥ (1−p)·(c_FP−c_TN), so scores must be
    probabilities (Elkan 2001). ``unit`` is what costs are counted in, such as ``"EUR"``.
    """
    costs = read_costs(fp=fp, fn=fn, tp=tp, tn=tn)
    one_of("decide_by", decide_by, get_args(DecideBy))
    share, by_row = _share(prevalence), any(isinstance(cost, CostColumn) for cost in costs.values())
    if decide_by == "expected_cost" and share is not None:
        raise OptionError.of("prevalence", "with decide_by='expected_cost' probabilities say it; leave it out.")

    def key(c: Candidates) -> NDArray[Any]:
        if c.saved is not None:
            return -c.cost
        gain, loss = costs["fn"] - costs["tp"], costs["fp"] - costs["tn"]
        if share is None:
            return c.linear(gain, loss)
        return c.linear(gain * share / c.positives, loss * (1 - share) / c.negatives)

    given = {k: v for k, v in costs.items() if k in ("fp", "fn") or isinstance(v, CostColumn) or v}
    given |= {k: v for k, v in (("decide_by", decide_by), ("unit", unit)) if v not in ("score", "")}
    function = _only_by_row if by_row else lambda c: c.expected_cost(**costs)
    return Rule("min_cost", given, share, key, {"expected_cost": Measure(function)}, may_flag_none=True)


def _only_by_row(_: Confusion) -> float:
    """Refuse to read a cost from counts, where it differs from row to row."""
    raise CurvewiseError("costs: one value per row needs rows, not a sweep or counts; pass labels and scores.")


def max_net_benefit(threshold_probability: float, *, prevalence: float | None = None) -> Rule:
    """Highest net benefit TP/n − FP/n · p/(1−p): costs said as the risk p at which one would act."""
    p = real("threshold_probability", threshold_probability, 0, 1)
    if p == 1:
        raise OptionError.of("threshold_probability", "expected a number below 1, got 1.")

    def key(c: Candidates) -> NDArray[Any]:
        up, down = c.scale
        return c.linear((1 - p) * up, p * down)

    options = {"threshold_probability": threshold_probability}
    measures = {"net_benefit": Measure(lambda c: c.net_benefit(p))}
    return Rule("max_net_benefit", options, _share(prevalence), key, measures, may_flag_none=True)


def youden(*, prevalence: float | None = None) -> Rule:
    """Highest Youden's J = recall + specificity − 1: both rates count alike."""
    return Rule("youden", {}, _share(prevalence), _beyond_chance, {"youden": _metric("youden")})


def closest_topleft(*, prevalence: float | None = None) -> Rule:
    """Least distance to the perfect corner of the ROC plot, √(FPR² + FNR²)."""
    measures = {"distance": Measure(lambda c: math.hypot(c.fpr, c.fnr), 0, math.sqrt(2))}

    def key(c: Candidates) -> NDArray[Any]:
        return np.asarray(-((c.fp / c.negatives) ** 2 + ((c.positives - c.tp) / c.positives) ** 2))

    return Rule("closest_topleft", {}, _share(prevalence), key, measures)


def equal_error(*, prevalence: float | None = None) -> Rule:
    """FPR and FNR as equal as an observed score can make them.

    The equal error rate of `curvewise.det_curve` lies on the hull, where one may have to mix two thresholds.
    """

    def key(c: Candidates) -> NDArray[Any]:
        crossed = c.linear(c.negatives, -c.positives)  # FPR − FNR, times P·N, plus P·N
        return np.asarray(-np.abs(crossed - c.positives * c.negatives))

    mean_error = Measure(lambda c: (c.fpr + c.fnr) / 2, 0, 1)
    measures = {"mean_error": mean_error, "fpr": _metric("fpr"), "fnr": _metric("fnr")}
    return Rule("equal_error", {}, _share(prevalence), key, measures)


def max_f(beta: float = 1, *, prevalence: float | None = None) -> Rule:
    """Highest F_β: recall counts β times as much as precision."""
    b = real("beta", beta, 0, 1e150) ** 2

    def key(c: Candidates) -> NDArray[Any]:
        up, _ = c.scale
        with np.errstate(invalid="ignore"):
            return np.asarray(up * c.tp / (b / (1 + b) * up * c.positives + c.alarms / (1 + b)))

    measures = {"f_beta": Measure(lambda c: c.f_beta(beta), 0, 1)}
    return Rule("max_f", {"beta": beta}, _share(prevalence), key, measures, needs_negatives=False)


def max_mcc(*, prevalence: float | None = None) -> Rule:
    """Highest Matthews correlation of flag and label."""

    def key(c: Candidates) -> NDArray[Any]:
        spread = c.alarms * _passed(c)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(spread > 0, _beyond_chance(c) / (np.sqrt(spread) * c.n), np.nan)  # mutants: constant factor

    return Rule("max_mcc", {}, _share(prevalence), key, {"mcc": _metric("mcc")})


def max_kappa(*, prevalence: float | None = None) -> Rule:
    """Highest Cohen's κ: agreement beyond chance."""

    def key(c: Candidates) -> NDArray[Any]:
        up, down = c.scale
        chance = c.alarms * (down * c.negatives) + _passed(c) * (up * c.positives)
        return np.asarray(_beyond_chance(c) / chance)

    return Rule("max_kappa", {}, _share(prevalence), key, {"kappa": _metric("kappa")})


def max_fpr(at: float, *, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """Highest recall with a false positive rate of ``at`` or less."""
    x, words = real("at", at, 0, 1), f"an FPR of {at} or less"
    limit = Limit(words, lambda c: c.fp, lambda c: c.negatives, x, at_most=True, metric="fpr")
    return _limited("max_fpr", at, confidence, prevalence, limit)


def min_specificity(at: float, *, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """Highest recall with a specificity of ``at`` or more."""
    x, words = real("at", at, 0, 1), f"a specificity of {at} or more"
    limit = Limit(words, lambda c: c.negatives - c.fp, lambda c: c.negatives, x, metric="specificity")
    return _limited("min_specificity", at, confidence, prevalence, limit)


def min_recall(at: float, *, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """Lowest false positive rate with a recall of ``at`` or more."""
    x, words = real("at", at, 0, 1), f"a recall of {at} or more"
    limit = Limit(words, lambda c: c.tp, lambda c: c.positives, x, metric="recall")
    return _limited("min_recall", at, confidence, prevalence, limit)


def min_precision(at: float, *, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """Highest recall with a precision of ``at`` or more."""
    x, words = real("at", at, 0, 1), f"a precision of {at} or more"
    limit = Limit(words, lambda c: c.scale[0] * c.tp, lambda c: c.alarms, x, metric="precision")
    return _limited("min_precision", at, confidence, prevalence, limit, needs_negatives=False)


def max_alarms(at: float, *, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """Highest recall with at most so many rows flagged: a whole number of these rows, or a share below 1.

    With a stated prevalence, the number is of as many rows as were given. A guarantee takes a share.
    """
    share = isinstance(at, (float, np.floating))
    if share and not 0 < at < 1:
        expected = "expected a whole number of rows, or a share between 0 and 1"
        raise OptionError.of("at", f"{expected}, got {shown(at)}.")
    bound = float(at) if share else whole("at", at, 1)
    if confidence is not None and not share:
        raise OptionError.of("at", f"a guarantee for new rows is of a share below 1, as in 0.05; got {shown(at)}.")
    words = f"{at} of the rows flagged or fewer" if share else f"{at} alarms or fewer"
    limit = Limit(words, lambda c: c.alarms, lambda c: c.n if share else 1.0, bound, True, "predicted_rate")
    return _limited("max_alarms", at, confidence, prevalence, limit, needs_negatives=share)


def all_of(*rules: Rule, confidence: float | None = None, prevalence: float | None = None) -> Rule:
    """All limits of several rules, and as much as they allow of what the first one wants.

    With ``confidence``, it holds for all limits together; state it here, not in the rules.
    """
    for rule in rules:
        if not isinstance(rule, Rule) or not rule.limits:
            raise CurvewiseError(f"rules: expected rules with a limit, as in max_fpr(0.05), got {shown(rule)}.")
        for name in ("confidence", "prevalence"):
            if getattr(rule, name) is not None:
                raise OptionError.of(name, f"state it once, for all limits together, not in {rule!r}.")
    if len(rules) < 2:
        raise CurvewiseError("rules: expected two rules or more, as in all_of(max_fpr(0.05), min_precision(0.3)).")
    measures = {name: measure for rule in rules for name, measure in rule.measures.items()}
    limits = tuple(limit for rule in rules for limit in rule.limits)
    needs_negatives = any(rule.needs_negatives for rule in rules)
    options = {"rules": rules}
    return _kept("all_of", options, confidence, prevalence, limits, measures, needs_negatives=needs_negatives)


def max_of(function: Callable[[Confusion], float], *, prevalence: float | None = None) -> Rule:
    """Highest value of any function of a `Confusion`; NaN is never chosen.

    A function passed to `curvewise.operating_point` as it is means the same. It is called once for each
    threshold, and again in every resample: slow with many thousands; the other rules are vectorised.
    """
    if not callable(function):
        raise CurvewiseError(f"function: expected a function of a Confusion, got {shown(function)}.")
    name = getattr(function, "__name__", "function").strip("<>")

    def key(c: Candidates) -> NDArray[Any]:
        values = [function(c.at(k)) for k in range(len(c.tp))]
        try:
            return np.array([float(v) for v in values])
        except (TypeError, ValueError):
            got = f"{name}: expected a number for each Confusion, got {shown(values[0])}."
            raise CurvewiseError(got) from None

    options, measures = {"function": function}, {name: Measure(function)}
    share = _share(prevalence)
    # whether negatives must be known, the function says itself
    return Rule("max_of", options, share, key, measures, may_flag_none=True, quick=False, needs_negatives=False)


def _limited(
    name: str,
    at: float,
    confidence: float | None,
    prevalence: float | None,
    limit: Limit,
    *,
    needs_negatives: bool = True,
) -> Rule:
    """Return the rule that makes recall as high, or FPR as low, as the limit of another rate allows."""
    measures = {metric: _metric(metric) for metric in ("fpr" if limit.metric == UPWARD else "recall", limit.metric)}
    return _kept(name, {"at": at}, confidence, prevalence, (limit,), measures, needs_negatives=needs_negatives)


def _kept(
    name: str,
    options: dict[str, Any],
    confidence: float | None,
    prevalence: float | None,
    limits: tuple[Limit, ...],
    measures: dict[str, Measure],
    *,
    needs_negatives: bool,
) -> Rule:
    """Return a rule with limits, which hold on the rows at hand or, with a confidence, on new ones.

    On new rows a lower threshold never has a lower recall, and a higher one never a higher FPR, whatever these rows
    say: a guarantee therefore takes the lowest or the highest threshold that has it.
    """
    upward = limits[0].metric == UPWARD

    def key(c: Candidates) -> NDArray[Any]:
        if confidence is not None:
            return np.arange(len(c.tp)) * (-1 if upward else 1)
        return -c.fp if upward else c.tp

    if confidence is not None:
        confidence = real("confidence", confidence, 0, 1, closed=False)
        options = {**options, "confidence": confidence}
        for limit in limits:
            if limit.bound in (0, 1):
                every = (limit.bound == 1) is limit.at_most
                why = "every threshold keeps" if every else "no number of rows can guarantee"
                raise OptionError.of("at", f"{why} {limit.words}; expected a number strictly between 0 and 1.")
            if prevalence is not None and limit.metric in ("precision", "predicted_rate"):
                raise OptionError.of("prevalence", f"there is no guarantee of {limit.words} at another prevalence.")
    return Rule(
        name,
        options,
        _share(prevalence),
        key,
        measures,
        limits,
        confidence,
        needs_negatives=needs_negatives,
    )


def _beyond_chance(c: Candidates) -> NDArray[Any]:
    return c.linear(c.negatives, c.positives)


def _passed(c: Candidates) -> NDArray[Any]:
    up, down = c.scale
    return np.asarray(up * (c.positives - c.tp) + down * (c.negatives - c.fp))


def _share(prevalence: float | None) -> float | None:
    return None if prevalence is None else real("prevalence", prevalence, 0, 1, closed=False)


__all__ = ["all_of", "closest_topleft", "equal_error", "max_alarms", "max_f", "max_fpr", "max_kappa", "max_mcc",
           "max_net_benefit", "max_of", "min_cost", "min_precision", "min_recall", "min_specificity",
           "youden"]  # fmt: skip
