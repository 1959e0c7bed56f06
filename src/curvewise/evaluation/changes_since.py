"""Put an evaluation beside an earlier one: pair up models, take differences, measure drift."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.breakdown.pair_ends import difference_ends, ends_of_two
from curvewise.curves.histogram import ScoreHistogram, score_histogram
from curvewise.decisions.predictive_values import rates_at
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, Word, note
from curvewise.evaluation.evaluation import Evaluation
from curvewise.evaluation.saved.evaluation import SavedEvaluation, SavedModel, SavedPoint
from curvewise.evaluation.saved.read import baseline_of
from curvewise.evaluation.then_and_now import MetricChange, ModelThenAndNow, ThenAndNow
from curvewise.evaluation.two_classes import QUANTILES, ModelEvaluation
from curvewise.inference.compare import compare
from curvewise.inference.score_drift import PARTS, ScoreDrift, score_drift
from curvewise.metric.registry import find
from curvewise.probabilities.calibration import MEASURES
from curvewise.results.estimate import Estimate, undefined

if TYPE_CHECKING:
    from curvewise.decisions.operating_point import OperatingPoint
    from curvewise.rows.rows import Rows

    AnyEvaluation = Evaluation | SavedEvaluation
    AnyModel = ModelEvaluation | SavedModel

CALIBRATION = ("observed_expected", "slope")
AT_THRESHOLD = ("recall", "fpr", "precision", "predicted_rate")
ALIKE = ("positive", "weight", "cluster", "stratum", "id")  # what rows must share to be the same rows
SEVERAL = "multiclass"  # the name of a model of many classes


def changes_since(now: Evaluation, baseline: object) -> ThenAndNow:
    """Return what has changed since a baseline: an evaluation, a saved one, its dict or the path of its JSON."""
    if now.survival is not None:
        raise CurvewiseError("baseline: censored outcomes cannot be compared with an earlier evaluation yet.")
    then = baseline_of(baseline)
    pairs, notes = _pairs(now, then)
    same = _same_rows(now, then)
    if same:
        notes.append(note("same_rows"))
    elif now.origin.sha256 is not None and now.origin.sha256 == then.origin.sha256:
        notes.append(note("same_file", file=now.origin.name))
    level = now.options.level
    if then_level(then) != level:
        notes.append(note("levels_differ_so", then=then_level(then), now=level))
    if not now.models:
        changes = _unpaired(then.multiclass_estimates, now.multiclass_estimates)
        models = {SEVERAL: ModelThenAndNow(SEVERAL, SEVERAL, changes, {}, {}, None, {})}
        prevalence = None
    else:
        models = {a: _model(now.models[a], then.models[b], now, then, same=same) for a, b in pairs.items()}
        prevalence = None if same or then.prevalence is None else change(then.prevalence, now.prevalence)
    notes += _without_interval(c for m in models.values() for c in m.changes)
    if any(m.at_threshold for m in models.values()):
        notes.append(note("threshold_of_baseline"))
    if any(m.scores for m in models.values()):
        notes.append(note("psi_convention", beyond=1 - level))
    within = max((d.within for m in models.values() for d in m.scores.values()), default=0.0)
    if within:
        notes.append(note("ks_within", within=within))
    sizes = {k: float(found.data.get("rows") or math.nan) for k, found in (("rows_then", then), ("rows_now", now))}
    return ThenAndNow(models, prevalence, then.origin, **sizes, level=level, is_paired=same, notes=tuple(notes))


def then_level(then: AnyEvaluation) -> float:
    """Return the confidence level of the baseline."""
    return then.options.level if isinstance(then, Evaluation) else then.level


def change(then: Estimate, now: Estimate) -> MetricChange:
    """Return the difference of two independent estimates; its interval is joined from theirs (MOVER).

    References
    ----------
    Zou & Donner (2008) Statist. Med. 27:1693-1702. Newcombe (1998) Statist. Med. 17:873-890.
    """
    metric, level = now.metric, now.level
    name = f"difference of {metric}"
    for when, found in (("when_then", then), ("when_now", now)):
        if not found.is_defined:
            why = note("change_undefined", when=note(when), why=found.reason or note("function_nan"))
            return MetricChange(metric, then, now, undefined(name, level, why))
    if math.isinf(then.value) and then.value == now.value:
        return MetricChange(metric, then, now, undefined(name, level, note("change_infinite")))
    value, why_not = now.value - then.value, _no_interval(then, now)
    if why_not is not None:
        return MetricChange(metric, then, now, Estimate(name, value, math.nan, math.nan, level, None, reason=why_not))
    with np.errstate(over="ignore"):  # a damaged file may hold any number
        ends = ends_of_two(difference_ends, now, then, 0.0)
    return MetricChange(metric, then, now, Estimate(name, value, *ends, level, "MOVER"))


def _no_interval(then: Estimate, now: Estimate) -> Note | None:
    """Say why a difference has no interval."""
    for when, found in (("when_then", then), ("when_now", now)):
        if not found.has_interval:
            return found.reason or note("change_no_interval", when=note(when))
        if math.isinf(found.value):
            return note("change_infinite")
    return None if then.level == now.level else note("levels_differ", then=then.level, now=now.level)


def _without_interval(changes: Iterable[MetricChange]) -> Iterator[Note]:
    """Say which differences have no interval, each metric once."""
    found = {c.metric: c.difference.reason for c in changes}
    for metric, why in found.items():
        if why is not None and why.code != "levels_differ":  # of which there is a note of its own
            yield note("difference_without", metric=Word("metric", metric), why=why)


def _unpaired(then: dict[str, Estimate], now: dict[str, Estimate]) -> dict[str, MetricChange]:
    return {name: change(then[name], e) for name, e in now.items() if name in then}


def _pairs(now: Evaluation, then: AnyEvaluation) -> tuple[dict[str, str], list[Note]]:
    """Return which model then belongs to each now, and notes on those that have no partner."""
    names, earlier = list(now.models), list(then.models)
    if bool(names) != bool(earlier):
        kinds = ["two classes" if found else "many classes" for found in (earlier, names)]
        raise CurvewiseError(f"baseline: it has {kinds[0]}, and these rows have {kinds[1]}; they cannot be compared.")
    if len(names) == len(earlier) == 1:
        renamed = names != earlier
        return {names[0]: earlier[0]}, [note("renamed", now=names[0], then=earlier[0])] if renamed else []
    shared = [name for name in names if name in earlier]
    if names and not shared:
        raise CurvewiseError(
            f"baseline: its models are {_listed(earlier)}, and these are {_listed(names)}; name a column as in the "
            "baseline, or compare one model with one."
        )
    notes = []
    for code, some, others in (("only_now", names, earlier), ("only_then", earlier, names)):
        alone = [name for name in some if name not in others]
        notes += [note(code, names=alone, count=len(alone))] if alone else []
    return {name: name for name in shared}, notes


def _listed(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _same_rows(now: Evaluation, then: AnyEvaluation) -> bool:
    """Say whether both are the same rows, as far as all but the scores tells."""
    if not isinstance(then, Evaluation) or now.rows is None or then.rows is None:
        return False
    for name in ALIKE:
        first, second = getattr(now.rows, name), getattr(then.rows, name)
        if (first is None) != (second is None) or not (first is None or np.array_equal(first, second)):
            return False
    return now.rows.weight_kind == then.rows.weight_kind and now.rows.higher_is == then.rows.higher_is


def _model(now: ModelEvaluation, then: AnyModel, new: Evaluation, old: AnyEvaluation, *, same: bool) -> ModelThenAndNow:
    metrics = _unpaired(then.estimates, now.estimates)
    fits = _unpaired(_fits(then), _fits(now))
    if same and isinstance(then, ModelEvaluation):
        both = replace(now.rows, scores={"now": now.rows.score, "then": then.rows.score})
        metrics, fits = (_paired(changes.values(), both, now) for changes in (metrics, fits))
    one_way = then.sweep.higher_is == now.sweep.higher_is
    point = None if same or not one_way or then.point is None or then.point.flags_nothing else then.point
    return ModelThenAndNow(
        now.name,
        then.name,
        metrics,
        fits,
        {} if point is None else _at_threshold(now, point),
        None if point is None else point.threshold,
        _scores(now, then, independent=not same and _independent(new) and _independent(old)) if one_way else {},
        (then.histogram, _in_bins(now, then.histogram)) if one_way else None,
    )


def _in_bins(now: ModelEvaluation, then: ScoreHistogram) -> ScoreHistogram:
    """Count the scores now in the bins of the baseline; what lies beyond them, in the outer ones."""
    return score_histogram(now.sweep, bins=len(then.positives), limits=(float(then.edges[0]), float(then.edges[-1])))


def _fits(model: AnyModel) -> dict[str, Estimate]:
    return {} if model.calibration is None else {MEASURES[k]: getattr(model.calibration, k) for k in CALIBRATION}


def _paired(changes: Iterable[MetricChange], rows: Rows, model: ModelEvaluation) -> dict[str, MetricChange]:
    """Take the differences on the same rows instead; what has no interval keeps none."""
    found = {}
    for c in changes:
        found[c.metric] = c
        if not c.difference.has_interval:
            continue
        how: dict[str, Any] = {"level": model.level, "rng": model.seed, "replicates": model.replicates}
        try:
            pair = compare(rows, metric=c.metric, **how, **(find(c.metric).shown or {}))
        except UndefinedMetricError:
            continue
        found[c.metric] = replace(c, difference=pair.difference, p_value=pair.p_value)
    return found


def _at_threshold(now: ModelEvaluation, point: OperatingPoint | SavedPoint) -> dict[str, MetricChange]:
    """Return the rates at the threshold of the baseline."""
    stated = point.stated_prevalence if isinstance(point, SavedPoint) else point.rule.prevalence
    counts = now.sweep.at(point.threshold)
    here = rates_at(now.source, now.sweep, counts, stated, now.level)
    return _unpaired(point.expected, {name: here[name] for name in AT_THRESHOLD})


def _scores(now: ModelEvaluation, then: AnyModel, *, independent: bool) -> dict[str, ScoreDrift]:
    sweep, within = then.sweep, 0.0
    if isinstance(then, SavedModel):
        sweep = then.quantiles
        within = 1 / QUANTILES if len(sweep.threshold) < then.distinct else 0.0
    how: dict[str, Any] = {"level": now.level, "independent": independent, "within": within}
    return {part: score_drift(sweep, now.sweep, part, **how) for part in PARTS}


def _independent(found: AnyEvaluation) -> bool:
    """Say whether rows are independent and count alike."""
    if isinstance(found, Evaluation):
        return found.rows is not None and found.rows.is_plain
    data = found.data
    whole = not data.get("weighted") or found.options.get("weight_kind") == "count"
    return whole and data.get("clusters") is None and data.get("strata") is None
