"""What a careful reader should know of these data, and which parts do not apply: codes, not words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from curvewise.inference.interval import FEW
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curvewise.probabilities.calibration import Calibration
    from curvewise.report.evaluation import Evaluation
    from curvewise.report.judged import Judged

TOO_GOOD = 0.999
UNLIKE = 2.0  # sample and stated prevalence differ by this factor or more, in odds
MISCALIBRATED = 3.29  # standard errors: one time in a thousand by chance

Caveat = dict[str, Any]


def caveats(evaluation: Evaluation) -> list[Caveat]:
    """Return all caveats, those of the data first."""
    return [
        *_data(evaluation),
        *(c for m in evaluation.models.values() for c in _model(m)),
        *_groups(evaluation),
    ]


def left_out(evaluation: Evaluation) -> list[Caveat]:
    """Return what was not done and why."""
    found = []
    options = evaluation.options
    if evaluation.multiclass is not None:
        return [_left("models", "many_classes")]
    if len(evaluation.models) < 2:
        found.append(_left("comparison", "one_model"))
    found += [_left(part, "no_column") for part in ("groups", "sites") if not options[part[:-1]]]
    for model in evaluation.models.values():
        if not model.is_probability:
            reason = "decisions" if model.why_not_probability == "decisions" else "scores_not_probabilities"
            found.append(_left("probabilities", reason, model.name))
        if model.point is None:
            found.append(_left("point", "rule_not_met", model.name, rule=repr(model.rule)))
        if model.band is None:
            found.append(_left("band", "rows_not_alike", model.name))
    return found


def _data(evaluation: Evaluation) -> Iterator[Caveat]:
    if evaluation.source.dropped:
        yield _caveat("dropped_rows", rows=evaluation.source.dropped)
    if not evaluation.models:
        return
    sweep = next(iter(evaluation.models.values())).sweep
    for name, count in (("positives", sweep.positives), ("negatives", sweep.negatives)):
        if count < FEW:
            values: dict[str, Any] = {name: count}
            yield _caveat(f"few_{name}", **values)
    if evaluation.options["weight"] is not None:
        yield _caveat("weighted_rows", severity="note", column=evaluation.options["weight"])
    stated = evaluation.options["prevalence"]
    if stated is not None:
        apart = abs(math.log(stated / (1 - stated)) - math.log(sweep.prevalence / (1 - sweep.prevalence)))
        if apart >= math.log(UNLIKE):
            yield _caveat("prevalence_unlike", sample=sweep.prevalence, stated=stated)
    yield _caveat("threshold_on_same_rows", severity="note")


def _model(model: Judged) -> Iterator[Caveat]:
    name, sweep = model.name, model.sweep
    auc = model.estimates.get("roc_auc")
    if len(sweep.threshold) == 1:
        yield _caveat("constant_score", name)
        return
    if auc is not None and auc.high < 0.5:
        yield _caveat("reversed", name, auc=auc.value)
    if auc is not None and auc.value == 1:
        yield _caveat("perfect", name)
    elif auc is not None and auc.value >= TOO_GOOD:
        yield _caveat("training_rows_suspected", name, auc=auc.value)
    if sweep.tp.dtype.kind == "i" and len(sweep.threshold) < sweep.n / 2:
        yield _caveat("many_ties", name, severity="note", distinct=len(sweep.threshold), rows=sweep.n)
    found = model.calibration
    if found is not None and _is_off(found):
        ratio, slope = (json_safe(e.value) for e in (found.observed_expected, found.slope))
        yield _caveat("miscalibrated", name, ratio=ratio, slope=slope)


def _is_off(found: Calibration) -> bool:
    """Whether the level, the slope or Spiegelhalter's test says so; each is blind to what another sees."""
    errors = [(found.in_the_large, 0.0), (found.slope, 1.0)]
    apart = [
        abs(e.value - right) / e.standard_error
        for e, right in errors
        if e.standard_error  # None: undefined
    ]
    return max([*apart, abs(found.spiegelhalter.statistic)]) > MISCALIBRATED


def _groups(evaluation: Evaluation) -> Iterator[Caveat]:
    for groups in evaluation.groups.values():
        for column, found in groups.breakdowns.items():
            for group in found:
                few = min(group.sweep.positives, group.sweep.negatives)
                values: dict[str, Any] = {"column": column, "group": group.name, "rows": group.sweep.n}
                if few == 0:
                    yield _caveat("one_class_group", **values)
                elif group.is_small:
                    yield _caveat("small_group", severity="note", **values, few=few)
        return  # the groups are the same for every model


def _caveat(code: str, model: str | None = None, *, severity: str = "warn", **values: Any) -> Caveat:
    """Return a caveat; ``values`` fill the words that each language has for its code."""
    return {"code": code, "severity": severity, "model": model, "values": values}


def _left(part: str, reason: str, model: str | None = None, **values: Any) -> Caveat:
    return {"part": part, "model": model, "reason": reason, "values": values}
