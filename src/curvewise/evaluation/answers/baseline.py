"""What has changed since the baseline, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curvewise.errors import Note, Word, note
from curvewise.evaluation.answers.caveats import of_model
from curvewise.evaluation.shown import spoken_of
from curvewise.probabilities.verdict import together

if TYPE_CHECKING:
    from curvewise.evaluation.evaluation import Evaluation
    from curvewise.evaluation.then_and_now import MetricChange, ModelThenAndNow, ThenAndNow
    from curvewise.inference.score_drift import ScoreDrift

MOST_CHANGES = 4  # since the baseline, that the summary names
HEADLINES = ("roc_auc", "average_precision", "accuracy")  # the last of many classes


def answer(evaluation: Evaluation) -> list[Note]:
    """Say what has changed, of the models that the answers are about and of the rows; nothing without a baseline."""
    changes = evaluation.then_and_now
    if changes is None:
        return []
    models = {model.name for model in spoken_of(evaluation)} or set(changes.models)
    notes = [of_model(verdict) for verdict in changes.verdicts if verdict.values["model"] in (None, *models)]
    more = len(notes) - MOST_CHANGES
    return [*notes[:MOST_CHANGES], note("more_changes", more=more)] if more > 1 else notes


def verdicts_of(changes: ThenAndNow) -> tuple[Note, ...]:
    """Say of each model what has clearly changed, and in one sentence what has not; then of the prevalence."""
    verdicts = [verdict for model in changes.models.values() for verdict in _model(model, changes)]
    if changes.prevalence is not None:
        verdicts.append(on_prevalence(changes.prevalence))
    return tuple(verdicts)


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
        yield _note("ap_with_prevalence", model.name)
    for rate in model.at_threshold.values():
        if rate.is_clear:
            yield _rate(rate, model)
    scores = model.scores.get("all")
    if scores is not None and scores.size is not None and scores.psi <= scores.psi_limit:
        unclear.append(note("unclear_scores", psi=scores.psi, limit=scores.psi_limit))
    elif scores is not None:
        yield on_scores(scores, model.name)
    if unclear:
        yield _note("no_clear_change", model.name, what=together(tuple(unclear)), level=whole.level)


def on_number(change: MetricChange, model: str | None = None) -> Note:
    """Speak of a clear change, or of one that has no interval."""
    if not change.difference.is_defined:
        return _note("change_unknown", model, metric=Word("metric", change.metric), why=change.difference.reason)
    if not change.difference.has_interval:
        return _note("metric_then_now", model, **values_of(change), why=change.difference.reason)
    serious = change.worse_by > 0
    if change.better == "target":
        code = "fit_farther" if serious else "fit_closer"
        return _note(code, model, serious=serious, target=change.target, **values_of(change))
    return _note(f"metric_{_way(change)}", model, serious=serious, **values_of(change))


def _rate(change: MetricChange, model: ModelThenAndNow) -> Note:
    values = {"threshold": model.threshold, **values_of(change, "difference_points")}
    return _note(f"rate_{_way(change)}", model.name, serious=change.worse_by > 0, **values)


def on_prevalence(change: MetricChange) -> Note:
    """Speak of the share of positives, whether it has clearly changed or not."""
    values = values_of(change, "difference_points")
    if not change.difference.has_interval:
        return _note("prevalence_then_now", None, **values, why=change.difference.reason)
    if not change.is_clear:
        return _note("prevalence_no_clear_change", None, **values)
    return _note(f"prevalence_{_way(change)}", None, serious=True, **values)


def _way(change: MetricChange) -> str:
    return "rose" if change.difference.value > 0 else "fell"


def values_of(change: MetricChange, ends: str = "difference_ends") -> dict[str, Any]:
    """Return the numbers that a sentence about a change has."""
    gap = change.difference
    return {
        "metric": Word("metric", change.metric),
        "then": change.then.value,
        "now": change.now.value,
        "difference": gap.value,
        "size": abs(gap.value),
        "ends": note(ends, ends=(gap.low, gap.high), level=gap.level),
    }


def on_scores(drift: ScoreDrift, model: str | None = None) -> Note:
    """Speak of scores that have clearly moved, or of which that cannot be said."""
    values: dict[str, Any] = {"psi": drift.psi, "limit": drift.psi_limit, "ks": drift.ks}
    if drift.size is None:
        return _note("scores_equal_then", model, **values)
    values["size"] = Word("drift_size", drift.size)
    if not drift.is_clear:
        return _note("scores_drift_unsure", model, **values)
    return _note("scores_drifted", model, serious=drift.size != "little", **values)


def _note(code: str, model: str | None, *, serious: bool = False, **values: Any) -> Note:
    return note(code, severity="warn" if serious else "note", model=model, **values)
