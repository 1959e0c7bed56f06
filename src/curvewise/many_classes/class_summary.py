"""All numbers of many classes with their intervals, the classes one by one, and the confusion matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.core.rate import rate_interval
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.influence import lonely_notes
from curvewise.inference.interval import FEW, estimate_of
from curvewise.inference.limits import BOOTSTRAPS, from_replicates
from curvewise.inference.methods import corrected, small_strata
from curvewise.inference.pivots import Pivot, ScorePivot, Spread, WaldPivot, expected_of_pairs, expected_of_share
from curvewise.many_classes.confusion_matrix import ConfusionMatrix, class_names
from curvewise.metric.registry import bound, find
from curvewise.results.estimate import Estimate, value_alone
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import whole
from curvewise.rows.columns import shown
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.many_classes.class_rows import ClassRows
    from curvewise.many_classes.label_flags import LabelFlags
    from curvewise.many_classes.multiclass import Multiclass
    from curvewise.metric.registry import Bound

    Ends = tuple[float | None, float | None]

MOST_CELLS = 200_000  # scores up to which resampling a summary takes seconds
RATES = ("precision", "recall")  # what each class has an interval of, beside its AUC


@dataclass(frozen=True, eq=False, repr=False)
class ClassSummary(Result, schema="class_summary"):
    """What many classes have to say, as `Multiclass.summary` and `Multilabel.summary` return it.

    ``estimates`` has every number by name, with its interval where it was asked for; ``average`` is the kind
    of mean over classes; ``each`` has each class or label against the rest, and ``matrix`` is the confusion
    matrix where a row has one class.
    """

    title: str
    average: str
    estimates: dict[str, Estimate]
    each: Table
    matrix: ConfusionMatrix | None = None
    notes: tuple[Note, ...] = ()
    backend: str | None = None

    @property
    def table(self) -> Table:
        """Every number with its meaning, or why it is undefined."""
        estimates = self.estimates.values()
        columns: dict[str, list[Any]] = {"metric": list(self.estimates), "value": [e.value for e in estimates]}
        title = f"{self.title}, {self.average} means"
        if any(e.has_interval for e in estimates):
            columns["low"] = [e.low if e.has_interval else None for e in estimates]
            columns["high"] = [e.high if e.has_interval else None for e in estimates]
            title += f" ({percent(next(iter(estimates)).level)} intervals)"
        columns["meaning"] = [self.meaning(e) for e in estimates]
        return Table(title, columns, self.backend)

    def meaning(self, estimate: Estimate, lang: Lang = "en") -> str:
        """Return what one of the numbers says, or why it is undefined."""
        key, say = f"many.meaning.{estimate.metric}", words(lang)
        if math.isnan(estimate.value) and estimate.reason is not None:
            return say("many.undefined", why=estimate.reason)
        average = say.known("many.average", self.average)
        if key in say:
            return say(key, average=average)
        return say("many.average_of", meaning=find(estimate.metric).meaning(lang, estimate.value), average=average)

    def tables(self) -> list[Table]:
        """Return the numbers of all classes, and of each."""
        return [self.table, self.each]

    def parts(self) -> list[Table | Note]:
        """Return the numbers, each class with its intervals in brackets, the matrix, and the notes."""
        matrix = [] if self.matrix is None else [self.matrix.table]
        return [self.table, _in_brackets(self.each), *matrix, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return all numbers, JSON-safe."""
        metrics = []
        for name, e in self.estimates.items():
            numbers = {k: json_safe(getattr(e, k)) for k in ("value", "low", "high")}
            texts = {"meaning": self.meaning(e), "reason": json_safe(e.reason)}
            metrics.append({"metric": name, **numbers, **texts})
        numbers_by_name = {"average": self.average, "metrics": metrics, "each": self.each.content()["rows"]}
        matrix = {} if self.matrix is None else self.matrix.content()
        return {**numbers_by_name, **matrix, "notes": json_safe(self.notes)}


def _in_brackets(each: Table) -> Table:
    """Write the ends of intervals behind their values."""
    columns: dict[str, list[Any]] = {}
    for name, values in each.columns.items():
        if name.endswith(("_low", "_high")):
            continue
        low, high = (each.columns.get(f"{name}_{end}", [None] * len(values)) for end in ("low", "high"))
        columns[name] = values
        if any(end is not None for end in low):
            columns[name] = [
                show(v) if a is None else f"{show(float(v))} ({show(float(a))} to {show(float(b))})"
                for v, a, b in zip(values, low, high, strict=True)
            ]
    if not any(columns.get("undefined", [])):
        columns.pop("undefined", None)
    return Table(each.title, columns, each.backend)


def with_draws(m: ClassRows, target: Bound, alone: Estimate, drawn: NDArray[np.float64], level: float) -> Estimate:
    """Return a number with the interval of its resamples, NaN where undefined; alone where none defines it."""
    defined = drawn[np.isfinite(drawn)]
    if not len(defined):
        return replace(alone, reason=note("no_resample_defines", replicates=len(drawn)))
    return estimate(m, target, alone.value, defined, len(drawn) - len(defined), level)


def estimate(
    m: ClassRows,
    target: Bound,
    value: float,
    drawn: NDArray[np.float64],
    failed: int,
    level: float,
    method: str | None = None,
) -> Estimate:
    """Return the estimate of a number whose resamples have been read.

    They give the variance. A number with two ends then has the score interval that the areas of two classes have.
    """
    metric, name, method = target.metric, target.name, method or target.metric.interval
    units = [m.units(m.is_of(k)) for k in range(len(m.names))]
    rarest = min((k for k, number in enumerate(units) if number), key=units.__getitem__, default=0)
    notes = left_out(failed, len(drawn) + failed)
    if units[rarest] < FEW:
        notes = (note("few_of_class", rows=units[rarest], label=shown(m.names[rarest])), *notes)
    if (strata := m.strata()) is not None:
        notes = (*lonely_notes(strata), *notes)
    if method == "none":
        return value_alone(name, value, level, note("no_interval_known"), notes)
    error = float(np.std(drawn, ddof=1)) if len(drawn) > 1 else 0.0
    if method in BOOTSTRAPS:
        low, high = from_replicates(method, value, drawn, level, lambda: np.zeros(0))
        low, high = max(low, metric.low), min(high, metric.high)
        if error == 0:
            notes += (note("all_resamples_equal"),)
        notes += small_strata(strata)
        return Estimate(name, value, low, high, level, method, error or None, len(drawn), notes)
    pivot = _pivot(m, target, value, method, [number for number in units if number], error)
    if isinstance(pivot, WaldPivot) and pivot.is_degenerate:
        return value_alone(name, value, level, note("no_variance"), notes)
    return Estimate(name, value, *pivot.ends(level), level, method, error or None, len(drawn), notes)


def _pivot(m: ClassRows, target: Bound, value: float, method: str, units: list[int], error: float) -> Pivot:
    """Return what gives a number its interval, from the units of each class that has any and the standard error."""
    trials = len(units) ** 2 / sum(1 / number for number in units)  # of a mean over classes
    spread, rows = Spread(*corrected(error**2, trials, m.strata())), float(m.units(np.ones(len(m), dtype=bool)))
    if target.name == "log_loss" and m.ready is not None:
        of_row, degrees = m.ready.log_loss_spread(m.weight)
        spread = replace(spread, degrees=min(spread.degrees, degrees)).no_less_than(of_row / rows)
    low, high = target.metric.low, target.metric.high
    if method != "score":
        return WaldPivot(value, spread, cast("Any", method), high)
    is_area = target.metric.trials == "pairs"  # which varies less than a share of rows
    expected = expected_of_pairs(trials, max(rows, 2.0)) if is_area else expected_of_share(trials)
    return ScorePivot(value, spread, expected, trials, trials, low, high)


def left_out(failed: int, replicates: int) -> tuple[Note, ...]:
    """Note how many resamples do not define a number."""
    return (note("resamples_undefined", failed=failed, replicates=replicates),) if failed else ()


def each_of(
    m: ClassRows,
    counts: ConfusionMatrix | LabelFlags,
    title: str,
    flagged: str,
    lacks: tuple[str, str | None, str],
    level: float | None = None,
    resampled: dict[tuple[int, str], Ends] | None = None,
) -> Table:
    """Return each class against the rest, with a level also the intervals of its rates and of its AUC.

    ``flagged`` names the column of rows taken as it; ``lacks`` says that none is of it, of another, or taken.
    """
    rows: list[dict[str, Any]] = []
    for k in range(len(m.names)):
        c = counts.of_place(k)
        flagged_rows = c.tp + c.fp
        row: dict[str, Any] = {"rows": c.positives, "prevalence": c.prevalence, flagged: flagged_rows}
        for rate, total in zip(RATES, (flagged_rows, c.positives), strict=True):
            row[rate] = getattr(c, rate)
            if level is not None:
                ends = (resampled or {}).get((k, rate), (None, None))
                if m.is_plain and total:
                    ends = rate_interval(c.tp, total, level=level)
                row[f"{rate}_low"], row[f"{rate}_high"] = ends
        row["f1"] = c.f1
        if m.ready is not None:
            row |= _areas(m, k, level)
        empty = zip((c.positives, c.negatives, flagged_rows), lacks, strict=True)
        row["undefined"] = " and ".join(why for total, why in empty if total == 0 and why) or None
        rows.append(row)
    columns = {m.noun: class_names(m.names), **{k: [row[k] for row in rows] for k in rows[0]}}
    return Table(title, columns, m.backend)


def _areas(m: ClassRows, k: int, level: float | None) -> dict[str, Any]:
    """Return AUC and average precision of one class, NaN where they are undefined."""
    sweep = m.sweep_at(k)
    areas: dict[str, Any] = {}
    if level is not None:
        auc = estimate_of(bound("roc_auc"), sweep if m.is_plain else m.rows(m.names[k]), level=level)
        low, high = (auc.low, auc.high) if auc.has_interval else (None, None)
        areas = {"roc_auc": auc.value, "roc_auc_low": low, "roc_auc_high": high}
    for name in ("average_precision",) if areas else ("roc_auc", "average_precision"):
        try:
            areas[name] = bound(name)(sweep)
        except CurvewiseError:
            areas[name] = math.nan
    return areas


def resampled_rates(m: Multiclass, level: float, rng: Any, replicates: int) -> dict[tuple[int, str], Ends]:
    """Return the intervals of every class's rates, all from the same resamples."""

    def rates(some: Multiclass) -> NDArray[np.float64]:
        right = np.diag(some.matrix.counts)
        totals = (some.matrix.counts.sum(axis=axis) for axis in (0, 1))
        with np.errstate(invalid="ignore"):
            return np.stack([right / total for total in totals], axis=1)

    drawn, _ = m.replicate(rates, whole("replicates", replicates, 2), rng)
    ends_of: dict[tuple[int, str], Ends] = {}
    for k, values in enumerate(rates(m).tolist()):
        for j, (name, place) in enumerate(zip(RATES, (m.predicted, m.truth), strict=True)):
            rates_drawn, trials = drawn[~np.isnan(drawn[:, k, j]), k, j], m.units(place == k)
            if len(rates_drawn) > replicates / 2 and not math.isnan(values[j]) and trials:
                spread = Spread(float(np.var(rates_drawn, ddof=1)), max(trials - 1.0, 1.0))
                ends_of[k, name] = ScorePivot(values[j], spread, expected_of_share(trials), trials, trials).ends(level)
    return ends_of
