"""Everything at once: read the rows, decide what applies, and hand over an `Evaluation`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import numpy as np

from curvewise.censored.horizon_names import with_names
from curvewise.core.resampling import REPLICATES
from curvewise.decisions import rules
from curvewise.decisions.choice import Rule
from curvewise.decisions.row_costs import CostColumn, CostsOfRows, with_costs
from curvewise.decisions.trivial import stated_costs
from curvewise.errors import CurvewiseError, OptionError
from curvewise.evaluation.evaluation import Evaluation
from curvewise.evaluation.inputs.outcomes import outcome_columns, outcome_options, read_over_time, refuse_outcome
from curvewise.evaluation.inputs.table import ROLES, columns_and_names, is_model, refuse_columns
from curvewise.evaluation.options import EvaluationOptions, Origin
from curvewise.evaluation.saved.read import baseline_of
from curvewise.rows.checks import one_of, real, values_of, whole
from curvewise.rows.columns import as_column, as_text, shown
from curvewise.rows.reading import read_rows, refuse_beside, refuse_unknown
from curvewise.rows.rows import RowOptions, Rows
from curvewise.rows.weight_scale import with_near_weights
from curvewise.sources.table import Source, read_table

if TYPE_CHECKING:
    from curvewise.censored.horizon import Controls
    from curvewise.censored.survival_result import Survival
    from curvewise.evaluation.saved.evaluation import SavedEvaluation

    Baseline = Evaluation | SavedEvaluation

COSTS = ("fp", "fn", "tp", "tn")
OUTCOME = ("time", "event", "horizons", "main_horizon", "probability", "cause", "controls", "censoring")
OWN = (
    *("label", *OUTCOME, "scores", "group", "site", "fold", "id"),
    *("costs", "prevalence", "rule", "level", "replicates", "rng", "baseline"),
)


def evaluate(
    data: object,
    *more: object,
    label: str | None = None,
    time: str | None = None,
    event: str | None = None,
    horizons: Sequence[float] | float | None = None,
    main_horizon: float | None = None,
    probability: Mapping[Any, Any] | None = None,
    cause: object = None,
    controls: Controls = "all",
    censoring: Literal["by-score"] | None = None,
    scores: Sequence[str] | str | None = None,
    group: Any = None,
    site: Any = None,
    fold: Any = None,
    id: Any = None,  # noqa: A002 - the name that a user would give it
    costs: Mapping[str, object] | None = None,
    prevalence: float | None = None,
    rule: Rule | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    rng: int | None = 0,
    baseline: object = None,
    **rows: Unpack[RowOptions],
) -> Evaluation:
    """Evaluate one model or several on the same rows: ranking, threshold, probabilities, groups, folds.

    There are four forms::

        evaluate(data, label="ill", scores=["a", "b"])   # columns of a frame or of a file, by name
        evaluate(data, time="days", event="dead", horizons=[365, 1095], scores=["a", "b"])   # censored outcomes
        evaluate(y, {"a": p_a, "b": p_b})                # labels and scores; or evaluate(y, p)
        evaluate(model, X, y)                            # fitted models; or evaluate({"a": m_a, "b": m_b}, X, y)

    Parameters
    ----------
    data
        A frame (Polars, pandas, PyArrow; a lazy one is collected once), a dict of columns, or the path of a
        file (CSV, Parquet …). Or `Rows`, which have their columns already. Or labels, as in `curvewise.sweep`. Or
        a fitted classifier, or a dict of classifiers by name.
    *more
        After labels: the scores of one model, those of several in a dict or a frame, or an array with a column per
        class. After models: the rows that they are to score, and their labels. A model has ``predict_proba``, of
        which the column of the positive class is taken, or ``decision_function``, which is turned round where the
        positive class is ``classes_[0]``. The positive class is 1 of 0 and 1 or of -1 and 1, else ``classes_[1]``,
        or what ``positive=`` says. With more than two classes there is a column per class.
    label, scores
        The column of labels, and one column of scores per model. With more than two classes, one column of
        scores per class, named as the classes are.
    time, event, horizons, main_horizon
        In the place of ``label``: the columns of times and of events, as in `curvewise.horizon`, and the horizons. All
        that an evaluation has is then of the main horizon, by default the first one given: who had the event by then
        is positive. ``survival`` has all horizons, and the report a section on them. `baseline` is refused.
    probability
        With ``time``: the columns of predicted probabilities of the event by each horizon, ``{365: "p365"}``, or a
        dict of such dicts by score. Without one for the main horizon, scores between 0 and 1 are taken for
        probabilities by then.
    cause, controls, censoring
        With ``time``: as in `curvewise.horizon`; ``"by-score"`` takes one score.
    group, site, fold, id
        Columns: groups to break down by (one or several), the site, the fold in which each row was held out (see
        `curvewise.by_fold`), and the name of each row, by which the costliest ``mistakes`` are told. With a frame or
        file their names; with labels or models the columns themselves, ``group={"sex": sex}`` with names. Many
        classes have groups and names of rows; what speaks of a threshold (``costs``, ``prevalence``, ``rule``), and
        ``site`` and ``fold``, is refused for them.
    costs
        What errors cost, as in ``{"fp": 1, "fn": 10}``: the threshold is then the cheapest one. A cost is a number, the
        name of a column (``{"fp": 4, "fn": "amount", "unit": "EUR"}``) or, beside labels and scores, one value per row.
    prevalence
        The share of positives where the model will be used; None takes that of the rule, or of the rows.
    rule
        Another way to choose the threshold, of `curvewise.rules`. By default the least cost where costs
        are given, else Youden's.
    level
        The confidence level of all intervals.
    replicates, rng
        How many resamples (of bands that are drawn, at most 500), and their seed: a whole number, which the
        result records. None draws a fresh one.
    baseline
        An earlier evaluation to compare with, as in `Evaluation.compare`: the report then says what has changed.
    **rows
        The options of `curvewise.sweep`; ``weight``, ``cluster`` and ``stratum`` are names of columns of a frame or
        file, else the columns themselves.

    Returns
    -------
    Evaluation
        Parts are computed when they are asked for. ``table``, ``to_dict()``, ``to_markdown()``,
        ``report(path)``.

    Examples
    --------
    >>> import curvewise as cw
    >>> data = {"ill": [1, 1, 0, 1, 0, 0], "risk": [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]}
    >>> ev = cw.evaluate(data, label="ill", scores="risk", costs={"fp": 1, "fn": 5})
    >>> round(ev.models["risk"].estimates["roc_auc"].value, 3), ev.models["risk"].point.threshold
    (0.889, 0.6)
    >>> same = cw.evaluate(data["ill"], {"risk": data["risk"]}, costs={"fp": 1, "fn": 5})
    >>> same.metrics() == ev.metrics()
    True
    >>> trial = {"days": [2, 3, 4, 6, 7, 8, 9, 9], "dead": [1, 0, 1, 1, 0, 1, 0, 0]}
    >>> trial["risk"] = [0.9, 0.5, 0.4, 0.6, 0.3, 0.5, 0.2, 0.1]
    >>> ev = cw.evaluate(trial, time="days", event="dead", horizons=[6, 7], main_horizon=7, scores="risk")
    >>> round(ev.models["risk"].estimates["roc_auc"].value, 4), ev.data["positives"], ev.data["unknown"]
    (0.9125, 3, 1)
    """
    refuse_unknown(rows, OWN)
    one_of("higher_is", rows.get("higher_is", "positive"), ("positive", "negative"))
    outcome: dict[str, Any] = {
        "time": time,
        "event": event,
        "horizons": horizons,
        "main_horizon": main_horizon,
        "probability": probability,
        "cause": cause,
        "controls": controls,
        "censoring": censoring,
    }
    one_of("controls", controls, ("all", "event-free"))
    is_censored = time is not None or any(outcome[k] is not None for k in OUTCOME if k != "controls")
    if is_censored or controls != "all":
        refuse_outcome(data, more, {**outcome, "label": label, "baseline": baseline}, rows)
    last = None if baseline is None else baseline_of(baseline)
    asked = {"label": label, "scores": scores, "group": group, "site": site, "fold": fold, "id": id, **rows}
    if more:
        data, asked = columns_and_names(data, more, asked)
        label, scores, group, site, fold, id = (asked.pop(k, None) for k in ROLES[:6])  # type: ignore[assignment]  # noqa: A001
        rows = cast("RowOptions", asked)
    elif is_model(data):
        raise CurvewiseError("y: a model takes rows and their labels, evaluate(model, X, y); got the model alone.")
    elif not isinstance(data, Rows):
        refuse_columns(data, {k: v for k, v in asked.items() if k in ROLES})
        texts = {k: _column_name(k, v) for k, v in asked.items() if k in ROLES}
        label, scores, group, site, fold, id = (texts[k] for k in ROLES[:6])  # noqa: A001
        rows = cast("RowOptions", {**rows, **{k: v for k, v in texts.items() if k in rows}})
    if prevalence is not None:
        prevalence = real("prevalence", prevalence, 0, 1, closed=False)
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if rng is None else whole("rng", rng, 0)
    names, groups = _column_names("scores", scores), _column_names("group", group)
    for role, name in {"label": label, "site": site, "fold": fold, "id": id, **rows}.items():
        if role in ROLES:
            _column_names(role, name)
    named = {} if more or isinstance(data, Rows) else cost_columns(costs)
    threshold_rule = chosen_by(rule, None if named else costs, prevalence)
    if threshold_rule.decides_rows:
        raise CurvewiseError(
            "rule: an evaluation cuts scores; operating_point and compare_costs decide by expected cost."
        )
    options = EvaluationOptions(
        label=label,
        scores=names,
        group=groups,
        site=site,
        fold=fold,
        id=id,
        costs=None if threshold_rule.by_row or threshold_rule.name != "min_cost" else stated_costs(threshold_rule),
        prevalence=threshold_rule.prevalence,
        level=real("level", level, 0, 1, closed=False),
        rule=threshold_rule,
        replicates=whole("replicates", replicates, 2),
        seed=seed,
        reading=dict(rows),
        outcome=outcome_options(outcome, names) if is_censored else None,
    )
    if isinstance(data, Rows):
        refuse_beside("Rows were", scores, {k: v for k, v in rows.items() if v is not None})
        return _of_rows(data, options, Origin(), last)
    _check_roles(options)
    asked_of = options.outcome
    weight, cluster, stratum = (options.reading.get(k) for k in ("weight", "cluster", "stratum"))
    source = read_table(
        data,
        label=str(label) if asked_of is None else asked_of.event,
        numeric=list(
            dict.fromkeys([*names, *([weight] if weight else []), *named.values(), *outcome_columns(asked_of)])
        ),
        names=[*groups, *(c for c in (site, fold, cluster, stratum) if c)],
        as_is=[id] if id else [],
    )
    if named:
        options = replace(options, rule=chosen_by(rule, {**(costs or {}), **_columns_in(source, named)}, prevalence))
    if asked_of is None and rows.get("positive") is None and len(names) > 2 and _has_many_classes(source[str(label)]):
        from curvewise.evaluation.inputs.classes import read_classes  # noqa: PLC0415 - only for many classes

        given = {"costs": costs, "rule": rule, "prevalence": prevalence, "site": site, "fold": fold}
        classes = read_classes(source, options, _reading(source, options), given)
        return Evaluation(None, options, _origin(source), classes, baseline=last)
    beside = {k: source[name] for k, name in (("site", site), ("fold", fold), ("id", id)) if name}
    if asked_of is not None:
        found = read_over_time(source, options, _reading(source, options))
        known = with_names(found.at(asked_of.main_horizon), {name: source[name] for name in groups}, **beside)
        return _of_rows(known, options, _origin(source), None, found)
    read = read_rows(
        source[str(label)],
        {name: source[name] for name in names},
        group={name: source[name] for name in groups} or None,
        **beside,
        **_reading(source, options),
    )
    return _of_rows(read, options, _origin(source), last)


def _column_name(role: str, name: Any) -> Any:
    """Return the name of a column as text where it is a whole number, as columns of pandas may have."""
    return as_text(name, role) if isinstance(name, Integral) else name


def _column_names(role: str, given: Any) -> list[str]:
    """Return the names of columns as text; refuse what is none."""
    names = [] if given is None else values_of(role, given) if role in ("scores", "group") else [given]
    if bad := [name for name in names if not isinstance(name, (str, Integral))]:
        raise OptionError.of(role, f"expected the name of a column, got {shown(bad[0])}.")
    return [as_text(name, role) for name in names]


def _of_rows(
    rows: Rows,
    options: EvaluationOptions,
    origin: Origin,
    last: Baseline | None,
    over_time: Survival | None = None,
) -> Evaluation:
    if options.rule.by_row:
        rows = with_costs(rows, options.rule.options)
        options = replace(options, costs=CostsOfRows(rows).typical())
    found = Evaluation(with_near_weights(rows), options, origin, baseline=last, survival=over_time)
    for model in found.models.values():
        model.sweep.need_both_classes("An evaluation")
    _ = found.folds  # what is wrong with them is said at once
    return found


def _origin(source: Source) -> Origin:
    return Origin(source.name, source.path, source.sha256, source.notes)


def _reading(source: Source, options: EvaluationOptions) -> dict[str, Any]:
    """Return the options of rows, columns in the place of their names."""
    given = {k: v for k, v in options.reading.items() if v is not None}
    return {k: source[v] if k in ("weight", "cluster", "stratum") else v for k, v in given.items()}


def _check_roles(options: EvaluationOptions) -> None:
    """Refuse a column that is missing where it must be there, or used twice."""
    weight = options.reading.get("weight")
    found = options.outcome
    held = {"label": options.label} if found is None else {"time": found.time, "event": found.event}
    roles = {**{role: [name] if name else [] for role, name in held.items()}, "scores": options.scores}
    seen: dict[str, str] = {}
    for role, names in {**roles, "weight": [weight] if weight else []}.items():
        if not names and role in roles:
            raise CurvewiseError(f"{role}: expected the name of at least one column.")
        for name in names:
            if name in seen:
                raise CurvewiseError(f"{role}: the column {shown(name)} is already used as {seen[name]}.")
            seen[name] = role


def chosen_by(rule: object, costs: Mapping[str, object] | None, prevalence: float | None) -> Rule:
    """Return the rule that chooses thresholds, at the prevalence stated."""
    if rule is not None:
        if not isinstance(rule, Rule):
            raise CurvewiseError(f"rule: expected one of curvewise.rules, got {shown(rule)}.")
        if costs is not None:
            raise CurvewiseError("rule, costs: expected one of them; costs are a rule of their own.")
        if rule.decides_rows:
            raise CurvewiseError("rule: an evaluation cuts scores; see operating_point, compare_costs for decide_by.")
        return _at_prevalence(rule, prevalence)
    if costs is None:
        return rules.youden(prevalence=prevalence)
    if not isinstance(costs, Mapping) or not {"fp", "fn"} <= set(costs) <= {*COSTS, "unit"}:
        raise CurvewiseError(f'costs: expected {{"fp": …, "fn": …}} (and tp, tn, unit), got {shown(costs)}.')
    return rules.min_cost(**cast("Any", dict(costs)), prevalence=prevalence)


def _columns_in(source: Source, named: Mapping[str, str]) -> dict[str, CostColumn]:
    """Return the columns of costs that are named."""
    return {outcome: CostColumn.read(outcome, source[column], column) for outcome, column in named.items()}


def cost_columns(costs: object) -> dict[str, str]:
    """Return the columns that costs name, by the outcome."""
    given = costs if isinstance(costs, Mapping) else {}
    return {k: v for k, v in given.items() if isinstance(v, str) and k in COSTS}


def _at_prevalence(rule: Rule, prevalence: float | None) -> Rule:
    """Return the rule for the prevalence stated, so that all of a report speaks of the same one."""
    if prevalence is None or rule.prevalence == prevalence:
        return rule
    make = getattr(rules, rule.name, None)
    if rule.prevalence is not None or make is None:
        raise CurvewiseError(
            f"prevalence, rule: {prevalence!r} was stated, and the rule has {rule.prevalence!r}; state it once."
        )
    return rule.at_prevalence(prevalence)


def _has_many_classes(label: object) -> bool:
    column = as_column(label, "label")
    values = column.values if column.missing is None else column.values[~column.missing]
    return len(set(values.tolist() if values.dtype.kind == "O" else np.unique(values).tolist())) > 2
