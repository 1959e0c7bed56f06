"""Every metric of every model in one table: what `curvewise metrics` shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note, unknown_option
from curvewise.inference.interval import intervals_of, split_options
from curvewise.metric.registry import ROW_OPTIONS, Bound, every, find, names_of_metrics, several
from curvewise.results.estimate import Estimate, undefined, value_alone
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import flag, real, values_of, whole
from curvewise.rows.columns import shown
from curvewise.rows.reading import as_rows

if TYPE_CHECKING:
    from curvewise.core.confusion import Confusion
    from curvewise.rows.rows import Rows

CELLS = ("tp", "fp", "fn", "tn")
ENDS = ("metric", "value", "low", "high")


@dataclass(frozen=True, repr=False)
class MetricTable(Result, schema="metric_table"):
    """Metrics of models side by side, and of each model at thresholds.

    ``facts`` are the numbers of rows, rows dropped, positives and negatives, and the prevalence;
    ``distinct_scores`` how many different scores each model gives: fewer than rows means ties. ``estimates``
    has a value, its interval, or why there is none, by model and metric; ``confusions`` and
    ``at_thresholds`` have the counts, and the metrics, by model and threshold. ``options`` are those with
    which each metric was read, ``level`` that of the intervals, ``prevalence`` the one at which metrics that
    depend on it are expressed.
    """

    facts: dict[str, float]
    distinct_scores: dict[str, int | None]  # None where bins of scores were counted
    estimates: dict[str, dict[str, Estimate]]
    confusions: dict[str, dict[float, Confusion]]
    at_thresholds: dict[str, dict[float, dict[str, Estimate]]]
    options: dict[str, dict[str, Any]]
    level: float = 0.95
    prevalence: float | None = None
    higher_is: str = "positive"
    notes: tuple[Note, ...] = ()

    @property
    def every(self) -> list[tuple[str, float | None, Estimate]]:
        """All estimates with their model and threshold."""
        rows: list[tuple[str, float | None, Estimate]] = []
        for model, estimates in self.estimates.items():
            rows += [(model, None, e) for e in estimates.values()]
            cuts = self.at_thresholds[model].items()
            rows += [(model, threshold, e) for threshold, cut in cuts for e in cut.values()]
        return rows

    @property
    def table(self) -> Table:
        """One row per number: of the data, of each model, of each threshold."""
        rows: list[tuple[Any, ...]] = []
        for model, estimates in self.estimates.items():
            facts = {**self.facts, "distinct_scores": self.distinct_scores[model]}
            rows += [(model, None, name, value, None, None) for name, value in facts.items()]
            rows += [(model, None, *_ends(e)) for e in estimates.values()]
            for threshold, cut in self.at_thresholds[model].items():
                counts = self.confusions[model][threshold]
                rows += [(model, threshold, k, getattr(counts, k), None, None) for k in CELLS]
                rows += [(model, threshold, *_ends(e)) for e in cut.values()]
        return Table("", _columns(("score", "threshold", *ENDS), rows))

    def parts(self) -> list[Table | Note]:
        """Return models side by side, the metrics at each threshold, and notes."""
        parts: list[Table | Note] = [self.side_by_side()] if any(self.estimates.values()) else []
        parts += [
            note("metric_undefined", metric=e.metric, model=model, why=str(e.reason))
            for model, at, e in self.every
            if at is None and not e.is_defined and e.reason
        ]
        bare = {e.metric: e.reason for _, _, e in self.every if e.is_defined and find(e.metric).interval == "none"}
        parts += [note("about", who=name, what=str(why)) for name, why in bare.items() if why is not None]
        for model, cuts in self.at_thresholds.items():
            parts += [self._at(model, threshold) for threshold in cuts]
        return [*parts, *self.notes]

    def need_something(self) -> None:
        """Raise `UndefinedMetricError` where the data define no number at all.

        Losses, which one class alone defines, count only where nothing else was asked for.
        """
        estimates = [e for _, _, e in self.every]
        estimates = [e for e in estimates if find(e.metric).family != "probability"] or estimates
        if not any(e.is_defined for e in estimates):
            absent = not (self.facts["positives"] and self.facts["negatives"])
            needs = "A table of metrics needs both classes: " if absent else ""
            raise UndefinedMetricError(f"{needs}{estimates[0].reason}." if estimates else "No metric was asked for.")

    def side_by_side(self) -> Table:
        """Return one row per metric and one column per model, with the meaning of each metric."""
        metrics = list(next(iter(self.estimates.values())))
        known = None not in self.distinct_scores.values()
        columns = {"metric": [*(["distinct_scores"] if known else []), *metrics]}
        for model, estimates in self.estimates.items():
            head = f"score {model}" if model in ("metric", "meaning") else model
            first = [str(self.distinct_scores[model])] if known else []
            columns[head] = [*first, *(estimates[m].brief() for m in metrics)]
        first = ["fewer than rows means ties"] if known else []
        columns["meaning"] = [*first, *(self._meaning(m) for m in metrics)]
        some = any(e.has_interval for estimates in self.estimates.values() for e in estimates.values())
        return Table("Metrics" + (f" ({percent(self.level)} intervals)" if some else ""), columns)

    def _meaning(self, metric: str) -> str:
        options = ", ".join(f"{name} {value!r}" for name, value in self.options[metric].items())
        return find(metric).meaning() + (f" ({options})" if options else "")

    def _at(self, model: str, threshold: float) -> Table:
        estimates, counts = self.at_thresholds[model][threshold], self.confusions[model][threshold]
        cells = ", ".join(f"{k.upper()} {show(getattr(counts, k))}" for k in CELLS)
        level = f"; {percent(self.level)} intervals" if any(e.has_interval for e in estimates.values()) else ""
        title = f"{model} at threshold {threshold}: {cells} ({self._rule(model, threshold)}{level})"
        rows = [
            (*_ends(e), find(e.metric).meaning(value=e.value) if e.is_defined else str(e.reason))
            for e in estimates.values()
        ]
        return Table(title, _columns((*ENDS, "meaning"), rows))

    def _rule(self, model: str, threshold: float) -> str:
        return f"flagged where {model} {'≥' if self.higher_is == 'positive' else '≤'} {threshold}"

    def content(self) -> dict[str, Any]:
        """Return the facts, and everything of each model, JSON-safe."""
        return {"data": json_safe(self.facts), "scores": [self._model(name) for name in self.estimates]}

    def _model(self, name: str) -> dict[str, Any]:
        cuts = []
        for threshold, estimates in self.at_thresholds[name].items():
            counts = {k: getattr(self.confusions[name][threshold], k) for k in CELLS}
            cut = {"threshold": threshold, "rule": self._rule(name, threshold), "counts": counts}
            cuts.append(
                {**json_safe(cut), "metrics": [_as_dict(e, self.options[e.metric]) for e in estimates.values()]}
            )
        metrics = [_as_dict(e, self.options[metric]) for metric, e in self.estimates[name].items()]
        distinct = self.distinct_scores[name]
        return {"name": name, "distinct_scores": distinct, "metrics": metrics, "thresholds": cuts}


def metric_table(
    y: object,
    score: object = None,
    *,
    metrics: Iterable[str] | None = None,
    also: Iterable[str] = (),
    thresholds: Sequence[float] | Mapping[str, Sequence[float]] = (),
    prevalence: float | None = None,
    intervals: bool = True,
    level: float = 0.95,
    rng: np.random.Generator | int | None = 0,
    replicates: int = REPLICATES,
    **options: Any,
) -> MetricTable:
    """Return every metric of one model or of several, side by side.

    Parameters
    ----------
    y, score
        `Rows` alone, or labels and scores of one model, or of several in a dict by name.
    metrics
        Names of metrics; by default all that are marked for tables: those of the ranking, those of
        probabilities where all scores are in [0, 1], and with ``thresholds`` those at a threshold.
    also
        Names of further metrics.
    thresholds, intervals
        Where scores are cut, for all models or in a dict by model; whether to compute intervals.
    prevalence
        Express metrics that depend on prevalence at this share of positives; they then have no interval.
    level, rng, replicates, **options
        As in `curvewise.interval`; options are each for the metrics that have it.

    Examples
    --------
    >>> import curvewise as cw
    >>> t = cw.metric_table([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]}, metrics=["auc"])
    >>> t.estimates["a"]["roc_auc"].value, t.estimates["b"]["roc_auc"].value
    (0.75, 1.0)
    """
    reading, metric_options = split_options(options)
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    rows = as_rows(y, score, reading)
    sweeps = {name: sweep_of(rows.of(name)) for name in rows.models}
    inside = (s.threshold[0] <= 1 and s.threshold[-1] >= 0 for s in sweeps.values())
    probabilities = rows.higher_is == "positive" and all(inside)
    cut_at = _cuts(thresholds, list(sweeps))
    every_cut = list(dict.fromkeys(t for cuts in cut_at.values() for t in cuts))
    bounds = _bounds(metrics, also, metric_options, every_cut, probabilities=probabilities)
    moved = {n: s if prevalence is None else s.at_prevalence(prevalence) for n, s in sweeps.items()}
    drawing: Any = {"rng": rng, "replicates": replicates} if flag("intervals", intervals) else None

    def of_model(name: str, some: list[Bound]) -> dict[str, Estimate]:
        return _estimates(some, rows.of(name), sweeps[name], moved[name], drawing, level)

    whole_range = [b for b in bounds if "threshold" not in b.options]
    at_cut = [b for b in bounds if "threshold" in b.options]
    first = next(iter(sweeps.values()))
    estimates = {name: of_model(name, whole_range) for name in sweeps}
    facts = {"rows": len(rows) + rows.dropped, "dropped": rows.dropped, "positives": first.positives}
    facts |= {"negatives": first.known_negatives("A table of metrics"), "prevalence": first.prevalence}
    if (here := first.horizon) is not None:  # rows, not weights
        facts |= {"rows": facts["rows"] + here.unknown, "positives": here.cases, "negatives": here.controls}
        facts["unknown"] = here.unknown
    notes = _notes(estimates)
    if prevalence is not None:
        notes = (note("at_prevalence", prevalence=prevalence, here=show(first.prevalence)), *notes)
    distinct: dict[str, int | None] = {name: len(s.threshold) for name, s in sweeps.items()}
    confusions = {name: {t: moved[name].at(t) for t in cut_at[name]} for name in sweeps}
    cuts = {t: [b.metric.bind({**b.options, "threshold": t}) for b in at_cut] for t in every_cut}
    at_thresholds = {name: {t: of_model(name, cuts[t]) for t in cut_at[name]} for name in sweeps}
    own_options = {b.name: {k: v for k, v in b.options.items() if k != "threshold"} for b in bounds}
    found_all = (facts, distinct, estimates, confusions, at_thresholds, own_options)
    return MetricTable(*found_all, level, prevalence, rows.higher_is, notes)


def _cuts(thresholds: Sequence[float] | Mapping[str, Sequence[float]], models: list[str]) -> dict[str, Sequence[float]]:
    """Return the thresholds of each model."""
    if not isinstance(thresholds, Mapping):
        return dict.fromkeys(models, _numbers(thresholds))
    for name in thresholds:
        if name not in models:
            raise CurvewiseError(f"thresholds: there is no model {shown(name)}; there are {', '.join(models)}.")
    return {name: _numbers(thresholds.get(name, ())) for name in models}


def _numbers(thresholds: object) -> list[float]:
    """Check thresholds; whole ones stay whole, since scores may be long integers."""
    checked = [(t, real("thresholds", t, -math.inf, math.inf)) for t in values_of("thresholds", thresholds)]
    return [t if isinstance(t, int) else value for t, value in checked]


def _bounds(
    metrics: Iterable[str] | None,
    also: Iterable[str],
    options: dict[str, Any],
    thresholds: Sequence[float],
    *,
    probabilities: bool,
) -> list[Bound]:
    """Return the metrics with their options, which are for those that were named, not for all of a table."""
    cut = {"threshold": thresholds[0]} if len(thresholds) else {}  # of a metric at any threshold
    families = {"ranking", "probability" if probabilities else "", *(["threshold"] if cut else [])}
    bounds: dict[str, Bound] = {}
    if metrics is None:
        for m in every():
            if m.family in families and m.shown is not None and set(m.required) <= {*m.shown, *cut}:
                bounds[m.name] = m.bind({**m.shown, **(cut if m.family == "threshold" else {})})
    named = [] if metrics is None else [find(name).name for name in names_of_metrics("metrics", metrics)]
    named += [
        name
        for name in dict.fromkeys(find(n).name for n in names_of_metrics("also", also))
        if name not in [*named, *bounds]
    ]
    if named or metrics is not None:
        # what must be said and was not is as in the table of all metrics
        unsaid = {k: v for m in map(find, named) for k, v in (m.shown or {}).items() if k in m.required}
        for name, b in several(named, {**unsaid, **options, **cut}).items():
            bounds[name] = b.metric.bind({**(b.metric.shown or {}), **b.options})
    elif options:
        raise unknown_option(next(iter(options)), ROW_OPTIONS)
    return list(bounds.values())


def _estimates(
    bounds: list[Bound], rows: Rows, sweep: Sweep, moved: Sweep, drawing: dict[str, Any] | None, level: float
) -> dict[str, Estimate]:
    """Return metrics of one model; what another prevalence moves has a value there and no interval."""
    still = [b for b in bounds if moved is sweep or not b.metric.prevalence]
    estimates = intervals_of(still, rows, level=level, **drawing) if drawing else {}
    none = note("no_interval_asked" if moved is sweep else "no_interval_at_prevalence")
    for b in (b for b in bounds if b.name not in estimates):
        try:
            value = b(moved if b.metric.prevalence else sweep)
            estimates[b.name] = value_alone(b.name, value, level, none)
        except UndefinedMetricError as error:
            why = error.fields.get("why")
            why = why if isinstance(why, Note) else note("undefined", why=str(error).rstrip("."))
            estimates[b.name] = undefined(b.name, level, why)
    return {b.name: estimates[b.name] for b in bounds}


def _notes(estimates_of: dict[str, dict[str, Estimate]]) -> tuple[Note, ...]:
    """Return what careful readers should know, each sentence once, with what it is about."""
    about: dict[str, tuple[Note, dict[str, list[str]]]] = {}
    for model, estimates in estimates_of.items():
        for name, e in estimates.items():
            for n in (*e.notes, *([e.reason] if math.isinf(e.value) and e.reason else [])):
                about.setdefault(str(n), (n, {}))[1].setdefault(model, []).append(name)
    notes = []
    for text, (n, models) in about.items():
        # what is said of most metrics is said of the rows
        names = list(dict.fromkeys(name for metrics in models.values() for name in metrics))
        of_rows = all(2 * len(metrics) > len(estimates_of[model]) for model, metrics in models.items())
        who = [] if of_rows else [", ".join(names)]
        who += [] if len(models) == len(estimates_of) else [", ".join(models)]
        notes.append(note("about", who=" of ".join(who), what=text) if who else n)
    return tuple(notes)


def _ends(estimate: Estimate) -> tuple[Any, ...]:
    ends = (estimate.low, estimate.high) if estimate.has_interval else (None, None)
    return estimate.metric, estimate.value, *ends


def _columns(names: Sequence[str], rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return dict(zip(names, map(list, columns), strict=True))


def _as_dict(estimate: Estimate, options: dict[str, Any]) -> dict[str, Any]:
    kept = (*ENDS, "method", "replicates", "standard_error")
    meaning = find(estimate.metric).meaning(value=estimate.value) if estimate.is_defined else None
    reason = None if estimate.is_defined or estimate.reason is None else str(estimate.reason)
    facts = {"meaning": meaning, "reason": reason, "options": options}
    content: dict[str, Any] = json_safe({**{k: getattr(estimate, k) for k in kept}, **facts})
    return content
