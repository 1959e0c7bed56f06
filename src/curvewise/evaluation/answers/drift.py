"""One answer to "what has changed since the baseline?", for the summary, the section and the terminal alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, Word, note
from curvewise.probabilities.verdict import together

if TYPE_CHECKING:
    from curvewise.evaluation.then_and_now import MetricChange, ModelThenAndNow, ThenAndNow
    from curvewise.inference.score_drift import ScoreDrift

HEADLINES = ("roc_auc", "average_precision", "accuracy")  # the last of many classes


def verdicts_of(found: ThenAndNow) -> tuple[Note, ...]:
    """Say of each model what has clearly changed, and in one sentence what has not; then of the prevalence."""
    said = [verdict for model in found.models.values() for verdict in _model(model, found)]
    if found.prevalence is not None:
        said.append(on_prevalence(found.prevalence))
    return tuple(said)


def _model(model: ModelThenAndNow, whole: ThenAndNow) -> Iterator[Note]:
    unclear: list[Note] = []
    for change in (*(model.metrics[name] for name in HEADLINES if name in model.metrics), *model.calibration.values()):
        if change.difference.has_interval and not change.is_clear:
            gap = change.difference
            values: dict[str, Any] = {"difference": gap.value, "low": gap.low, "high": gap.high}
            unclear.append(note("unclear_metric", metric=Word("metric", change.metric), **values))
        else:
            yield on_number(change, model.name)
    ap = model.metrics.get("average_precision")
    if ap is not None and ap.is_clear and whole.prevalence is not None and whole.prevalence.is_clear:
        yield _said("ap_with_prevalence", model.name)
    for rate in model.at_threshold.values():
        if rate.is_clear:
            yield _rate(rate, model)
    scores = model.scores.get("all")
    if scores is not None and scores.size is not None and scores.psi <= scores.psi_limit:
        unclear.append(note("unclear_scores", psi=scores.psi, limit=scores.psi_limit))
    elif scores is not None:
        yield on_scores(scores, model.name)
    if unclear:
        yield _said("no_clear_change", model.name, what=together(tuple(unclear)), level=whole.level)


def on_number(found: MetricChange, model: str | None = None) -> Note:
    """Speak of a clear change, or of one that has no interval."""
    if not found.difference.is_defined:
        return _said("change_unknown", model, metric=Word("metric", found.metric), why=found.difference.reason)
    if not found.difference.has_interval:
        return _said("metric_then_now", model, **values_of(found), why=found.difference.reason)
    serious = found.worse_by > 0
    if found.better == "target":
        code = "fit_farther" if serious else "fit_closer"
        return _said(code, model, serious=serious, target=found.target, **values_of(found))
    return _said(f"metric_{_way(found)}", model, serious=serious, **values_of(found))


def _rate(found: MetricChange, model: ModelThenAndNow) -> Note:
    values = {"threshold": model.threshold, **values_of(found, "difference_points")}
    return _said(f"rate_{_way(found)}", model.name, serious=found.worse_by > 0, **values)


def on_prevalence(found: MetricChange) -> Note:
    """Speak of the share of positives, whether it has clearly changed or not."""
    values = values_of(found, "difference_points")
    if not found.difference.has_interval:
        return _said("prevalence_then_now", None, **values, why=found.difference.reason)
    if not found.is_clear:
        return _said("prevalence_no_clear_change", None, **values)
    return _said(f"prevalence_{_way(found)}", None, serious=True, **values)


def _way(found: MetricChange) -> str:
    return "rose" if found.difference.value > 0 else "fell"


def values_of(found: MetricChange, ends: str = "difference_ends") -> dict[str, Any]:
    """Return the numbers that a sentence about a change has."""
    gap = found.difference
    return {
        "metric": Word("metric", found.metric),
        "then": found.then.value,
        "now": found.now.value,
        "difference": gap.value,
        "size": abs(gap.value),
        "ends": note(ends, ends=(gap.low, gap.high), level=gap.level),
    }


def on_scores(found: ScoreDrift, model: str | None = None) -> Note:
    """Speak of scores that have clearly moved, or of which that cannot be said."""
    values: dict[str, Any] = {"psi": found.psi, "limit": found.psi_limit, "ks": found.ks}
    if found.size is None:
        return _said("scores_equal_then", model, **values)
    values["size"] = Word("drift_size", found.size)
    if not found.is_clear:
        return _said("scores_drift_unsure", model, **values)
    return _said("scores_drifted", model, serious=found.size != "little", **values)


def _said(code: str, model: str | None, *, serious: bool = False, **values: Any) -> Note:
    return note(code, severity="warn" if serious else "note", model=model, **values)
