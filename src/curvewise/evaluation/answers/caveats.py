"""What a careful reader should know of these data, and which parts do not apply."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, Word, note
from curvewise.inference.interval import FEW
from curvewise.probabilities.verdict import together
from curvewise.results.numbers import exactly

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.two_classes import ModelEvaluation

TOO_GOOD = 0.999
MANY = 50  # rows, fewer of which may have distinct scores by chance
DISTINCT = 0.95  # of rows with a score of their own, which an identifier has
QUIET = ("survival_assumes", "survival_ranked_by", "survival_none_censored", "survival_competing")  # not a warning
TOLD = ("horizon_equal_scores", "survival_equal_scores")  # what a caveat of the model says already
FEW_ROWS = ("horizon_few_cases", "horizon_few_controls")  # and of the main horizon those of the data
IN_BINS = "scan_in_bins"  # of what was detected in the source, what numbers depend on
UNLIKE = 2.0  # sample and stated prevalence differ by this factor or more, in odds


def caveats(evaluation: Evaluation) -> tuple[Note, ...]:
    """Return all caveats, those of the data first."""
    if evaluation.classes is not None:
        own = (note(n.code, **{"model": None, **n.values}) for n in evaluation.classes.caveats)
        return (*_data(evaluation), *own)
    models = evaluation.models.values()
    return (*_data(evaluation), *(c for m in models for c in _model(m)), *_groups(evaluation), *_folds(evaluation))


def left_out(evaluation: Evaluation) -> tuple[Note, ...]:
    """Return what was not done and why."""
    if evaluation.classes is not None:
        found = [_left("point", "classes_no_threshold")]
        found += [] if evaluation.classes.groups is not None else [_left("groups", "no_column")]
        return tuple(found)
    found = []
    if len(evaluation.models) < 2:
        found.append(_left("comparison", "one_model"))
    found += [_left(part, "no_column") for part in ("groups", "sites") if not getattr(evaluation, part)]
    for model in evaluation.models.values():
        if not model.is_probability:
            found.append(_left("probabilities", f"scores_{model.why_not_probability}", model.name))
        if model.point is None:
            rule, why = Word("rule", model.rule.name), model.unmet
            guaranteed = {"why": why} if why is not None and why.code.startswith("guarantee_") else {}
            code = "guarantee_not_met" if guaranteed else "rule_not_met"
            found.append(_left("point", code, model.name, rule=rule, **guaranteed))
    return tuple(found)


def _data(evaluation: Evaluation) -> Iterator[Note]:
    rows = evaluation.rows
    dropped = evaluation.data["dropped"]
    if dropped:
        yield _warn("dropped_rows", rows=dropped)
    yield from (_remark(said.code, **said.values) for said in evaluation.origin.notes if said.code == IN_BINS)
    if rows is None:
        if evaluation.data["weighted"]:
            yield _remark("weighted_rows", column=evaluation.options.reading.get("weight"))
        return
    sweep = next(iter(evaluation.models.values())).sweep
    for name in ("positives", "negatives"):
        count = evaluation.data[name]
        if count < FEW:
            yield _warn(f"too_few_{name}", count=count)
    if evaluation.data["weighted"]:
        yield _remark("weighted_rows", column=evaluation.options.reading.get("weight"))
    stated = evaluation.options.prevalence
    if stated is not None:
        apart = abs(math.log(stated / (1 - stated)) - math.log(sweep.prevalence / (1 - sweep.prevalence)))
        if apart >= math.log(UNLIKE):
            yield _warn("prevalence_unlike", sample=sweep.prevalence, stated=stated)
    yield _remark("threshold_on_same_rows")
    yield from _over_time(evaluation)


def _over_time(evaluation: Evaluation) -> Iterator[Note]:
    """Yield what outcomes that are censored add: the assumption, and each thing that speaks against a number."""
    found, asked = evaluation.survival, evaluation.options.outcome
    if found is None or asked is None:
        return
    every = [(m.name, said) for m in found.models.values() for said in m.notes]
    shared = [(None, n) for n in found.notes if n.code != "survival_of_model" and n not in [said for _, said in every]]
    at = exactly(asked.main_horizon)
    for name, said in (*shared, *every):
        if said.code in TOLD or (said.code in FEW_ROWS and said.values["at"] == at):
            continue
        about = {"severity": "note" if said.code in QUIET else "warn", "model": name}
        # a sentence that names its model itself is not told after that name again
        named = "model" in said.values
        yield note("survival_said", said=said, **about) if named else note(said.code, **said.values, **about)
    taken = [name for name, m in evaluation.models.items() if m.is_probability]
    for name in taken:
        if asked.main_horizon not in asked.probability.get(name, {}):
            yield _remark("horizon_score_is_probability", name, at=at)


def _model(model: ModelEvaluation) -> Iterator[Note]:
    name, sweep, auc = model.name, model.sweep, model.estimates["roc_auc"]
    if len(sweep.threshold) == 1:
        yield _warn("constant_score", name)
        return
    if auc.high < 0.5:
        yield _warn("reversed", name, auc=auc.value)
    elif auc.low <= 0.5:
        many, distinct = len(model.rows) >= MANY, len(sweep.threshold) > DISTINCT * len(model.rows)
        looks = many and distinct and not model.is_probability
        yield _warn("looks_like_id" if looks else "no_skill", name, auc=auc.value)
    if auc.value == 1:
        yield _warn("perfect", name)
    elif auc.value >= TOO_GOOD:
        yield _warn("training_rows_suspected", name, auc=auc.value)
    if len(sweep.threshold) < len(model.rows) / 2:
        yield _remark("tied_scores", name, distinct=len(sweep.threshold), rows=len(model.rows))
    loss = model.estimates.get("log_loss")
    if loss is not None and math.isinf(loss.value) and loss.reason is not None:
        yield _warn(loss.reason.code, name, **loss.reason.values)
    found = model.calibration
    if found is not None and found.signs:
        yield _warn("miscalibrated", name, signs=together(found.signs))


def _groups(evaluation: Evaluation) -> Iterator[Note]:
    groups = next(iter(evaluation.groups.values()), None)  # the same for every model
    yield from (_warn(said.code, **said.values) for said in (() if groups is None else groups.notes))
    for column, found in ({} if groups is None else groups.breakdowns).items():
        for group in found:
            here = group.sweep.horizon
            few = min(group.sweep.positives, group.sweep.known_negatives("A group"))
            few = few if here is None else min(here.cases, here.controls)
            values: dict[str, Any] = {"column": column, "group": group.name, "rows": group.sizes["n"]}
            if few == 0:
                yield _warn("one_class_group", **values)
            elif group.is_small:
                yield _remark("small_group", **values, few=few)


def _folds(evaluation: Evaluation) -> Iterator[Note]:
    """Yield what speaks against pooling folds, or why there are none."""
    if evaluation.why_no_folds is not None:
        yield _warn("folds_left_out", why=evaluation.why_no_folds)
    found = evaluation.folds
    if found is None:
        return
    for name, model in found.models.items():
        if (said := model.warning()) is not None:
            yield _warn(said.code, name, **said.values)
    yield from (_warn(n.code, **n.values) for n in found.notes if n.code == "clusters_span_folds")
    yield from (_remark(n.code, **n.values) for n in found.notes if n.code == "small_folds")


def _warn(code: str, model: str | None = None, **values: Any) -> Note:
    return note(code, severity="warn", model=model, **values)


def _remark(code: str, model: str | None = None, **values: Any) -> Note:
    return note(code, severity="note", model=model, **values)


def _left(part: str, reason: str, model: str | None = None, **values: Any) -> Note:
    return note(reason, part=part, model=model, **values)
