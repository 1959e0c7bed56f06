"""Everything at once: read the columns, decide what applies, and hand over an `Evaluation`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.paired import paired
from curvewise.core.sweep import sweep_of
from curvewise.decisions import rules
from curvewise.decisions.rule import Rule
from curvewise.errors import CurvewiseError
from curvewise.report.evaluation import Evaluation
from curvewise.report.judged import Judged
from curvewise.report.reading import read_source
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import as_column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from curvewise.report.reading import Source
    from curvewise.rows.reading import HigherIs, Missing

COSTS = ("fp", "fn", "tp", "tn")


@dataclass(frozen=True)
class Options:
    """What an evaluation was asked for."""

    label: str
    scores: list[str]
    positive: Any
    group: list[str]
    site: str | None
    cluster: str | None
    weight: str | None
    costs: dict[str, float] | None
    prevalence: float | None
    level: float
    rule: str
    seed: int


def evaluate(
    data: object,
    *,
    label: str,
    scores: Sequence[str] | str,
    group: Sequence[str] | str | None = None,
    site: str | None = None,
    cluster: str | None = None,
    weight: str | None = None,
    positive: object = None,
    costs: Mapping[str, float] | None = None,
    prevalence: float | None = None,
    rule: Rule | None = None,
    level: float = 0.95,
    higher_is: HigherIs = "positive",
    missing: Missing = "raise",
    replicates: int = 500,
    rng: int | None = None,
) -> Evaluation:
    """Judge models on a frame or file of predictions: ranking, threshold, probabilities, groups, sites.

    Parameters
    ----------
    data
        Any frame that narwhals knows, a dict of columns, or the path of a file (CSV, Parquet …).
    label, scores
        The column of labels, and one column of scores a model. With more than two classes, one column
        of scores a class, named as the classes are.
    group, site, cluster, weight
        Columns: groups to break down by (one or several), the site, what belongs together, weights.
    positive
        The positive class, where it is not plain.
    costs
        What errors cost, as in ``{"fp": 1, "fn": 10}``: the threshold is then the cheapest one.
    prevalence
        The share of positives where the model will be used; None takes that of the rows.
    rule
        Another way to choose the threshold, of `curvewise.rules`. By default the least cost where costs
        are given, else Youden's.
    level
        The confidence level of all intervals.
    higher_is, missing
        As in `curvewise.sweep`.
    replicates, rng
        How many resamples, and their seed; a whole number, so that it can be told.

    Returns
    -------
    Evaluation
        Parts are computed when they are asked for. ``to_dict()``, ``to_markdown()``, ``report(path)``.

    Examples
    --------
    >>> import curvewise as cw
    >>> data = {"ill": [1, 1, 0, 1, 0, 0], "risk": [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]}
    >>> ev = cw.evaluate(data, label="ill", scores="risk", costs={"fp": 1, "fn": 5})
    >>> round(ev.models["risk"].estimates["roc_auc"].value, 3), ev.models["risk"].point.threshold
    (0.889, 0.6)
    """
    names = [scores] if isinstance(scores, str) else [str(s) for s in scores]
    groups = [] if group is None else [group] if isinstance(group, str) else [str(g) for g in group]
    _check_roles({"label": [label], "scores": names, "weight": [weight] if weight else []})
    one_of("missing", missing, ("raise", "drop"))
    level = real("level", level, 0, 1, closed=False)
    if prevalence is not None:
        prevalence = real("prevalence", prevalence, 0, 1, closed=False)
    others = [*groups, *(c for c in (site, cluster) if c is not None)]
    source = read_source(data, label, names, weight, others, missing)
    chosen = _rule(rule, costs, prevalence)
    seed = whole("rng", 0 if rng is None else rng, 0)
    options = Options(
        label, names, positive, groups, site, cluster, weight, None if costs is None else dict(costs),
        prevalence, level, chosen.name, seed,
    )  # fmt: skip
    if positive is None and len(names) > 2 and _many_classes(source[label]):
        return _many(source, options)
    reading: dict[str, Any] = {"positive": positive, "higher_is": higher_is}
    if weight is not None:
        reading["weight"] = source[weight]
    table = paired(
        source[label],
        {name: source[name] for name in names},
        cluster=None if cluster is None else source[cluster],
        **reading,
    )
    models = {}
    for name in names:
        rows = table.rows(name)
        sweep = sweep_of(rows)
        sweep.need_both_classes("An evaluation")
        models[name] = Judged(name, rows, sweep, chosen, level, seed, whole("replicates", replicates, 2))
    return Evaluation(models, source, asdict(options), reading)


def _check_roles(roles: dict[str, list[str]]) -> None:
    if not roles["scores"]:
        raise CurvewiseError("scores: expected the name of at least one column.")
    seen: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name in seen:
                raise CurvewiseError(f"{role}: the column {name!r} is already used as {seen[name]}.")
            seen[name] = role


def _rule(rule: object, costs: Mapping[str, float] | None, prevalence: float | None) -> Rule:
    if rule is not None:
        if not isinstance(rule, Rule):
            raise CurvewiseError(f"rule: expected one of curvewise.rules, got {rule!r}.")
        if costs is not None:
            raise CurvewiseError("rule, costs: expected one of them; costs are a rule of their own.")
        return rule
    if costs is None:
        return rules.youden(prevalence=prevalence)
    unknown = [k for k in costs if k not in COSTS]
    if unknown or not {"fp", "fn"} <= set(costs):
        raise CurvewiseError(f'costs: expected {{"fp": …, "fn": …}} (and tp, tn), got {dict(costs)!r}.')
    return rules.min_cost(**dict(costs), prevalence=prevalence)


def _many_classes(label: object) -> bool:
    column = as_column(label, "label")
    values = column.values if column.missing is None else column.values[~column.missing]
    return len(set(values.tolist() if values.dtype.kind == "O" else np.unique(values).tolist())) > 2


def _many(source: Source, options: Options) -> Evaluation:
    from curvewise.many_classes.multiclass import multiclass  # noqa: PLC0415 - only for many classes

    found = multiclass(
        source[options.label],
        {name: source[name] for name in options.scores},
        weight=None if options.weight is None else source[options.weight],
        cluster=None if options.cluster is None else source[options.cluster],
    )
    return Evaluation({}, source, asdict(options), {}, found)
