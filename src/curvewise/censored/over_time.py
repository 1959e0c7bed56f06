"""Everything over time: several models at several horizons, with one estimate of censoring for all."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.censored.censoring import BY_SCORE, Censoring, censoring_of
from curvewise.censored.concordance import Concordance, concordance_of
from curvewise.censored.follow_up import follow_up_of
from curvewise.censored.horizon import OPTIONS, Controls, Horizon
from curvewise.censored.pair_share import pair_share
from curvewise.censored.predictions import Predictions, read_horizons, read_predictions
from curvewise.censored.survival_model import BY_PROBABILITY, SurvivalModel
from curvewise.censored.survival_result import Survival, horizon_at
from curvewise.core.resampling import REPLICATES
from curvewise.errors import Note, OptionError, UndefinedMetricError, Word, note, unknown_option
from curvewise.inference.interval import FEW, intervals_of
from curvewise.metric.registry import bound
from curvewise.probabilities.calibration import turned_notes
from curvewise.results.estimate import value_alone
from curvewise.results.numbers import exactly
from curvewise.rows.checks import one_of, real, whole

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes
    from curvewise.results.estimate import Estimate
    from curvewise.rows.rows import HigherIs, Missing

VERB = ("horizons", "probability", "survival", "times", "level", "replicates", "rng")


def survival(
    time: object,
    event: object,
    risk: object = None,
    *,
    horizons: object,
    probability: object = None,
    survival: object = None,
    times: object = None,
    cause: object = None,
    controls: Controls = "all",
    censoring: object = None,
    weight: object = None,
    cluster: object = None,
    stratum: object = None,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    level: float = 0.95,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = 0,
    **unknown: object,
) -> Survival:
    """Judge models on censored outcomes: concordance, and AUC, Brier score, IPA and O/E at several horizons.

    Parameters
    ----------
    time, event
        As in `curvewise.horizon`.
    risk
        Risk scores of one model, or a dict by model; may be left out where probabilities are given.
    horizons
        Times, as the ``at`` of `curvewise.horizon`.
    probability
        The predicted probabilities of the event by each horizon: ``{365: p365, 1095: p1095}``, or a dict of such
        dicts by model. Some horizons, or some models, may have none.
    survival, times
        Instead of ``probability``: predicted survival curves S(t), a matrix with one row per row and one column per
        time of ``times``, or a dict of such matrices by model. Every horizon must be one of ``times``.
    cause, controls, censoring, weight, cluster, stratum, missing
        As in `curvewise.horizon`; ``censoring="by-score"`` takes the tenths of each model's own score.
    higher_is
        ``"positive"``: a higher risk score means an earlier event; ``"negative"``: a later one.
    level, replicates, rng
        As in `curvewise.interval`.

    Returns
    -------
    Survival
        ``table``, ``at(t, model)``, ``concordance``, ``follow_up``, ``censoring_check``, ``compare()``,
        ``auc_curve()``, ``brier_curve()``, ``integrated_brier()``, ``mean_auc()``, ``risk_groups()``.

    Notes
    -----
    At a horizon a model is judged by its probability for that horizon, and by its risk score where it has none.
    Concordance ranks by the risk score; a model without one is ranked by its probability at the last horizon, which a
    note says. IPA is 1 - Brier(t) / (S(t)(1 - S(t))); O/E is the Kaplan–Meier share over the mean probability of all
    rows. Censoring is estimated once for all horizons.

    References
    ----------
    Blanche, Kattan & Gerds (2019) Biostatistics 20:347-357. Kattan & Gerds (2018) Diagn. Progn. Res. 2:7.

    Examples
    --------
    >>> import curvewise as cw
    >>> time, event = [2, 3, 4, 6, 7, 8, 9, 9, 5, 1], [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    >>> risk = [0.9, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.1, 0.7, 0.8]
    >>> sv = cw.survival(time, event, risk, horizons=[4, 7])
    >>> [round(v, 4) for v in sv.table.columns["roc_auc"]]
    [0.8182, 0.9474]
    >>> round(sv.concordance["score"].value, 4), sv.follow_up.at[7]["unknown"]
    (0.8824, 1)
    """
    for name in unknown:
        if name == "entry":
            raise OptionError.of("entry", "delayed entry is for concordance alone, not for horizons; leave it out.")
        raise unknown_option(name, [*VERB, *(o for o in OPTIONS if o != "round_to")], "survival")
    one_of("controls", controls, ("all", "event-free"))
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    when = read_horizons(horizons)
    reading: dict[str, Any] = {"cause": cause, "weight": weight, "cluster": cluster, "stratum": stratum}
    reading |= {"higher_is": higher_is, "missing": missing}
    told = read_predictions(time, event, risk, when, probability, survival, times, reading)
    estimates = _censorings(told.outcomes, censoring)
    drawing: dict[str, Any] = {"level": level, "replicates": replicates, "rng": rng}
    found: dict[str, dict[float, dict[str, Estimate]]] = {name: {} for name in told.models}
    kept: list[Horizon] = []
    notes: list[Note] = [*told.outcomes.notes, *told.notes]
    for at in when:
        shared = None if None not in estimates else horizon_at(told, estimates, at, None, controls)
        for k, name in enumerate(told.models):
            own = horizon_at(told, estimates, at, name, controls) if shared is None else shared.of(name)
            found[name][at] = _judged(told, own, name, drawing)
            if told.has_probability(name, at):
                notes += turned_notes(own.sweep)
            notes += _undefined(found[name][at], name, exactly(at))
            if k == 0:
                kept.append(own)
            notes += own.notes
    models = {}
    for name in told.models:
        outcomes = told.outcomes.of(name)
        concordance, value = _concordance(outcomes, level)
        check = censoring_check(outcomes, level)
        own_notes = (*(() if concordance is None else concordance.notes), *check.notes)
        if value.reason is not None and not value.is_defined:
            own_notes += (note("survival_no_concordance", why=value.reason),)
        models[name] = SurvivalModel(name, value, check, found[name], concordance, own_notes, outcomes.backend)
    notes += _notes_of_models(models)
    if any(h.unknown for h in kept):
        notes.append(note("survival_assumes"))
    return Survival(
        horizons=when,
        models=models,
        follow_up=follow_up_of(told.outcomes, kept),
        level=level,
        controls=controls,
        cause=cause,
        predictions=told,
        censorings=estimates,
        drawing=drawing,
        notes=tuple({said.text(): said for said in notes}.values()),
        backend=told.outcomes.backend,
    )


def _censorings(outcomes: Outcomes, how: object) -> dict[str | None, Censoring]:
    """Return the estimate of censoring: one for all models (None), or one of each model's own score."""
    if isinstance(how, str) and how == BY_SCORE:
        return {name: censoring_of(outcomes.of(name), how) for name in outcomes.models}
    return {None: censoring_of(outcomes, how)}


def _judged(told: Predictions, own: Horizon, model: str, drawing: dict[str, Any]) -> dict[str, Estimate]:
    """Return the numbers of a model at a horizon; those of probabilities where it has any."""
    names = ["roc_auc", *(BY_PROBABILITY if told.has_probability(model, own.at) else ())]
    return intervals_of([bound(name, {}) for name in names], own.rows, **drawing)


def _notes_of_models(models: dict[str, SurvivalModel]) -> list[Note]:
    """Return the notes of all models, with the name of the model where they are not of every one."""
    texts = [{said.text() for said in model.notes} for model in models.values()]
    shared = set.intersection(*texts)
    return [
        said if said.text() in shared else note("survival_of_model", model=name, said=said)
        for name, model in models.items()
        for said in model.notes
    ]


def _undefined(found: dict[str, Estimate], model: str, at: str) -> list[Note]:
    """Say why a model has no number at a horizon."""
    lacking = {name: e.reason for name, e in found.items() if not e.is_defined and e.reason is not None}
    return [
        note("survival_undefined", metric=Word("metric", name), model=model, at=at, why=why)
        for name, why in lacking.items()
    ]


def _concordance(outcomes: Outcomes, level: float) -> tuple[Concordance | None, Estimate]:
    """Return the concordance of a model with its interval; where it is undefined, the reason."""
    if outcomes.has_competing:
        return None, value_alone("concordance", float("nan"), level, note("survival_competing"))
    try:
        found = concordance_of(outcomes)
    except UndefinedMetricError as error:
        return None, value_alone("concordance", float("nan"), level, error.reason)
    return found, found.interval(level)


# ---- Whether censoring depends on the score: the assumption behind every number that weighs by censoring ----

NAME = "concordance with censoring"


def censoring_check(outcomes: Outcomes, level: float = 0.95) -> Estimate:
    """Return the concordance of the score with the times of censoring: Harrell's, with roles exchanged.

    Censored rows have the event, and rows with an event of any kind are the censored ones. Near ½, censoring does not
    depend on the score, as one G for all rows assumes; where the interval excludes ½, a note says so. Without a
    censored row, or a comparable pair, the value is NaN and ``reason`` says why.

    Examples
    --------
    >>> from curvewise.censored.outcomes import read_outcomes
    >>> rows = read_outcomes([2, 3, 5, 6, 8, 9], [1, 0, 0, 1, 0, 1], [9, 4, 7, 6, 1, 2])
    >>> round(censoring_check(rows).value, 4)
    0.625
    """
    level = real("level", level, 0, 1, closed=False)
    exchanged = replace(outcomes, code=outcomes.censored.astype(np.int8), notes=())
    censored = int(np.count_nonzero(exchanged.code))
    if not censored:
        return value_alone(NAME, math.nan, level, note("survival_none_censored"))
    try:
        found = pair_share(exchanged, exchanged.event).estimate(NAME, level)
    except UndefinedMetricError as error:
        return value_alone(NAME, math.nan, level, error.reason)
    notes = found.notes
    notes += (note("survival_few_censored", censored=censored),) if censored < FEW else ()
    if found.has_interval and not found.low <= 0.5 <= found.high:
        notes += (note("survival_censoring_follows", value=found.value, ends=(found.low, found.high)),)
    return replace(found, notes=notes)
