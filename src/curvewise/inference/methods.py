"""The methods of intervals: each makes the interval of a number, and perhaps its test, from what is known of it.

A new method is one `Method` here, in `METHODS`. Which method a metric has by default stands where the
metric is registered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.core.probability import of_probabilities
from curvewise.core.rate import RateMethod, RateOfRows, rate_interval, rate_of_cells, wilson_ends
from curvewise.core.resampling import BINS, REPLICATES, Resampler, merged_blocks, resampler
from curvewise.core.strata import Strata, strata_of
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.delong import placements, spread_of_sweep
from curvewise.inference.influence import OBSERVED_EXPECTED, independent_sizes, spread_of
from curvewise.inference.jeffreys import jeffreys
from curvewise.inference.limits import BOOTSTRAPS, from_replicates, wald
from curvewise.inference.logistic_intervals import FORMULAS, formula_estimate, formula_pivot
from curvewise.inference.pivots import (
    LEAST_DEVIATE,
    EndsPivot,
    Pivot,
    RatePivot,
    Scale,
    ScorePivot,
    Spread,
    WaldPivot,
    deviate_of,
    expected_of_pairs,
    expected_of_share,
    log_t_tail,
)
from curvewise.inference.rate_at_rate import interval_at_fixed
from curvewise.metric.losses import why_infinite
from curvewise.results.estimate import Estimate, value_alone
from curvewise.rows.checks import one_of

if TYPE_CHECKING:
    from curvewise.inference.many_intervals import Columns, ManySweeps
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows


WHOLE_AREAS = ("roc_auc", "gini")
# Mann-Whitney deviates between which the score test goes over into that of ranks. By simulation: where an AUC is 0.5
# and 20 positives of 400 rows are spread twice as widely, p < .05, .01, .001 in .043, .009, .0017 of 3,000 runs.
BY_RANKS = (3.0, 7.0)
FEW_UNITS = 10  # units of a stratum below which its resamples vary too little


@dataclass(frozen=True)
class Draws:
    """A number of each resample that defines it, and how many do not."""

    source: Resampler
    values: NDArray[np.float64]
    undefined: int


@dataclass(frozen=True, eq=False)
class Case:
    """A number with all that its interval is made from: its sweep, the rows of that, and resamples where needed."""

    target: Bound
    value: float
    rows: Rows | None
    sweep: Sweep
    drawn: Draws | None = None

    @property
    def source(self) -> Rows | Sweep:
        """The rows, or the sweep where there are none."""
        return self.sweep if self.rows is None else self.rows

    @property
    def is_censored(self) -> bool:
        """Whether some outcomes are unknown."""
        return self.rows is not None and self.rows.censored is not None

    def sizes(self, *, clusters: bool = True) -> tuple[float, float]:
        """Return what is independent among positives and negatives."""
        return independent_sizes(self.rows, self.sweep, clusters=clusters)

    def with_interval(
        self, ends: tuple[float, float], level: float, method: str, error: float | None, notes: tuple[Note, ...]
    ) -> Estimate:
        """Return the number with its interval, which stays within the range of the metric."""
        (low, high), (least, most) = ends, self.target.bounds
        ends, replicates = (max(low, least), min(high, most)), None if self.drawn is None else len(self.drawn.values)
        return Estimate(self.target.name, self.value, *ends, level, method, error, replicates, notes)

    def without_interval(self, reason: str, level: float, notes: tuple[Note, ...]) -> Estimate:
        """Return the number without an interval, and why it has none."""
        return value_alone(self.target.name, self.value, level, note(reason), notes)


@dataclass(frozen=True)
class Method:
    """How an interval is made.

    Attributes
    ----------
    name
        What users call it. A metric that names it has it by default.
    pivot
        What makes the interval of any level and the test of any value; None where there is no test.
    drawn
        Whether rows are resampled: always, or for the variance of metrics without a derivative.
    alone
        What makes the interval where there is no pivot, or says more than a pivot.
    of_many
        One formula for very many sweeps; None, also as its answer, where they are asked one after another.
    also_for
        Which other metrics may have it.
    """

    name: str
    pivot: Callable[[Case], Pivot] | None = None
    drawn: Literal["never", "for variance", "always"] = "never"
    alone: Callable[[Case, float, tuple[Note, ...]], Estimate] | None = None
    of_many: Callable[[Bound, ManySweeps, float], Columns | None] | None = None
    also_for: Callable[[Bound], bool] = lambda _: False

    def needs_draws(self, target: Bound) -> bool:
        """Say whether rows are resampled for a metric."""
        return self.drawn == "always" or (self.drawn == "for variance" and not target.metric.smooth)

    def estimate(self, case: Case, level: float, notes: tuple[Note, ...]) -> Estimate:
        """Return the number with its interval, or without one and the reason."""
        if self.alone is not None:
            return self.alone(case, level, notes)
        if self.pivot is None:
            return case.without_interval(case.target.metric.why_none, level, notes)
        pivot = self.pivot(case)
        if isinstance(pivot, WaldPivot) and pivot.is_degenerate:
            return case.without_interval("no_variance", level, notes)
        ends = pivot.ends(level)
        if math.isnan(ends[0]):
            return case.without_interval("one_cluster", level, notes)
        spread: Spread | None = getattr(pivot, "spread", None)
        return case.with_interval(ends, level, self.name, None if spread is None else spread.error, notes)


def _of_rate(case: Case, method: RateMethod) -> Pivot:
    """Return a plain proportion of rows; of those that are not plain, of as many as they are worth."""
    rows = case.rows
    if rows is None or rows.is_plain:
        of = case.target.rate(case.sweep) or (0.0, 0.0)
        ends = partial(_rate_ends, *of, method)
        return RatePivot(case.value, ends, of[1]) if method == "wilson" else EndsPivot(case.value, ends)

    def of_units(level: float) -> tuple[float, float]:
        trials = rate_of(case.target, rows, level).trials
        return (math.nan, math.nan) if math.isnan(trials) else _rate_ends(case.value * trials, trials, method, level)

    return EndsPivot(case.value, of_units)


def _rate_ends(part: float, trials: float, method: RateMethod, level: float) -> tuple[float, float]:
    return rate_interval(part, trials, level=level, method=method)


def _rates_of_many(target: Bound, many: ManySweeps, level: float) -> Columns:
    part, whole = many.rate(target)
    value = np.divide(part, whole, out=np.full(len(part), math.nan), where=whole > 0)
    return value, *wilson_ends(part, whole, level), None


def _calibration(case: Case, level: float, notes: tuple[Note, ...]) -> Estimate:
    """Return a measure of calibration by the formula of its fit."""
    estimate = formula_estimate(case.target.name, case.source, level)
    return replace(estimate, notes=(*estimate.notes, *notes))


def _spread(case: Case, variance: Callable[[Case], Spread]) -> Spread:
    """Return the variance by what rows add, or of resamples; it may be expected beforehand to be larger."""
    if case.drawn is not None:
        values, strata = case.drawn.values, None if case.rows is None else strata_of(case.rows)
        of_draws = float(np.var(values, ddof=1)) if len(values) > 1 else 0.0
        spread = Spread(*corrected(of_draws, min(case.sizes()), strata))
    else:
        spread = variance(case)
    expected = case.target.metric.expected
    if expected is None or case.is_censored:
        return spread
    return spread.no_less_than(expected(case.sweep, **case.target.options) / sum(case.sizes(clusters=False)))


def _by_rows(case: Case) -> Spread:
    return spread_of(case.target, case.rows, case.sweep)


def _by_placements(case: Case) -> Spread:
    low, high = case.target.bounds
    return auc_spread(case).times(high - low)


def _with_unseen(case: Case, spread: Spread) -> float | None:
    """Return the number with a part of a row more than were drawn; None where no row of that class was."""
    unseen = case.target.metric.unseen
    unseen = unseen(**case.target.options) if callable(unseen) else unseen
    if unseen is None:
        return None
    (which, part), (positives, negatives) = unseen, case.sizes(clusters=False)
    alike = negatives if which == "negative" else positives
    return case.target.value(_with_more(case.sweep, which, part * spread.effect / alike)) if alike > 0 else None


def _wald(case: Case, scale: Scale) -> Pivot:
    spread = _spread(case, _by_rows)
    drawn_from = not case.is_censored and 0 < case.sweep.prevalence < 1
    return WaldPivot(case.value, spread, scale, better=_with_unseen(case, spread) if drawn_from else None)


def _score(case: Case, variance: Callable[[Case], Spread] = _by_rows) -> Pivot:
    spread, (low, high), of = _spread(case, variance), case.target.bounds, case.target.metric.trials
    # clusters come in by their design effect
    sizes = case.sizes(clusters=spread.of_rows is None or spread.of_rows.variance <= 0)
    if of == "pairs":
        expected, ranks = expected_of_pairs(*sizes), _test_of_ranks(case)
        return ScorePivot(case.value, spread, expected, sizes[0] * sizes[1], min(sizes), low, high, *ranks)
    rows_of = {"positives": sizes[0], "negatives": sizes[1], "smaller": min(sizes)}
    trials, worse = of(*sizes, **case.target.options) if callable(of) else rows_of[of], _with_unseen(case, spread)
    expected = expected_of_share(trials)
    return ScorePivot(case.value, spread, expected, trials, trials, low, high, worse=worse, of_share=True)


def _areas_of_many(target: Bound, many: ManySweeps, level: float) -> Columns | None:
    return many.areas(level) if is_auc(target) else None


def _wald_of_area(case: Case, level: float, notes: tuple[Note, ...], method: str) -> Estimate:
    """Return an AUC plus and minus normal standard errors, DeLong's or Hanley and McNeil's."""
    error = (auc_spread(case) if method == "delong-wald" else hanley_mcneil(case)).error
    return case.with_interval(wald(case.value, error, level), level, method, error, notes)


def _of_resamples(case: Case, level: float, notes: tuple[Note, ...], method: str) -> Estimate:
    """Return the estimate of a statistic whose interval is made of quantiles of resamples."""
    assert case.drawn is not None  # noqa: S101 - drawn for every bootstrap
    source, values, target = case.drawn.source, case.drawn.values, case.target
    if case.rows is not None:
        notes += small_strata(strata_of(case.rows))
    if source.binned:
        away = case.value - target.value(source.like)
        values = values + away
        notes += (note("binned", bins=len(source.like.threshold), moved=abs(away)),)
    # a reflected quantile may leave the range that the metric cannot leave
    ends = from_replicates(method, case.value, values, level, lambda: left_out(target, source.like))
    if values.min() == values.max():
        notes += (note("all_resamples_equal"),)
    if target.metric.interval == "none":
        notes += (note("biased_resamples", metric=target.name),)
    some = len(values) > 1 and bool(np.isfinite(values).all())
    return case.with_interval(ends, level, method, float(np.std(values, ddof=1)) if some else None, notes)


def is_auc(target: Bound) -> bool:
    """Say whether a metric is the area under the ROC curve itself, and not a function of that name."""
    return target.name == "roc_auc" and target.metric.family == "ranking"


# where several are for one metric, they are listed in this order
METHODS: tuple[Method, ...] = (
    Method("delong", partial(_score, variance=_by_placements), of_many=_areas_of_many),
    Method("delong-wald", alone=partial(_wald_of_area, method="delong-wald"), also_for=is_auc),
    Method("hanley-mcneil", alone=partial(_wald_of_area, method="hanley-mcneil"), also_for=is_auc),
    Method("wilson", partial(_of_rate, method="wilson"), of_many=_rates_of_many),
    Method(
        "clopper-pearson",
        partial(_of_rate, method="clopper-pearson"),
        also_for=lambda target: target.metric.rate is not None,
    ),
    Method("beta", lambda case: EndsPivot(case.value, partial(interval_at_fixed, case.target, case.source))),
    Method("jeffreys", lambda case: jeffreys(case.target, case.value, case.rows, case.sweep)),
    Method("score", _score, "for variance"),
    Method("wald", partial(_wald, scale="plain"), "for variance"),
    Method("log", partial(_wald, scale="log"), "for variance"),
    Method("log-complement", partial(_wald, scale="log-complement"), "for variance"),
    Method("none"),
    *(Method(m, None, "always", partial(_of_resamples, method=m)) for m in BOOTSTRAPS),
)
OF_CALIBRATION = Method(
    "wald",
    lambda case: formula_pivot(case.target.name, case.source),
    alone=_calibration,
    of_many=lambda target, many, level: many.calibration(target.name, level),
)


def method_of(target: Bound, name: str | None = None) -> Method:
    """Return a method of a metric by its name, by default its best one."""
    wanted = name or target.metric.interval
    if wanted == OF_CALIBRATION.name and target.name in FORMULAS:
        return OF_CALIBRATION
    return next(method for method in METHODS if method.name == wanted)


def has_pivot(target: Bound) -> bool:
    """Say whether the default interval of a metric comes with a test of any value."""
    ordered = target.options.get("ties", "block") != "block"  # of whole rows, which have no derivative
    return method_of(target).pivot is not None and not ordered


def method_for(wanted: str | None, target: Bound, rows: Rows | None, sweep: Sweep) -> Method:
    """Choose the method of an interval, or refuse the one that was asked for."""
    best = target.metric.interval
    if wanted is not None:
        fitting = [m.name for m in METHODS if m.name == best or m.also_for(target)]
        one_of("method", wanted, (None, *dict.fromkeys((*fitting, "bootstrap", *BOOTSTRAPS))))
    if rows is None and not sweep.is_whole:
        raise CurvewiseError(
            "A sweep with weighted or fractional counts has no interval of its own: pass labels, scores and weights."
        )
    drawn = wanted is not None and wanted != best
    if rows is not None and rows.censored is not None and drawn and target.name == OBSERVED_EXPECTED:
        raise OptionError.of("method", "O/E at a horizon has one method, the influence of all rows; leave it out.")
    if wanted == "bootstrap":
        return method_of(target, best if best in BOOTSTRAPS else "percentile")
    chosen = wanted or best
    if chosen in ("hanley-mcneil", "bca") and not (rows is None or rows.is_plain):
        raise OptionError.of(
            "method", f"{chosen!r} takes rows that are independent and count alike, without strata; use 'percentile'."
        )
    if chosen == "score" and wanted is None and target.options.get("ties", "block") != "block":
        chosen = "percentile"  # whole rows are put in order: no derivative
    return method_of(target, chosen)


def default_pivot(target: Bound, rows: Rows, rng: np.random.Generator | int | None = 0, replicates: int = 0) -> Pivot:
    """Return what gives a number its default interval, and its tests."""
    sweep = sweep_of(rows)
    method, value = method_for(None, target, rows, sweep), value_of(target, sweep)
    count = replicates or REPLICATES
    drawn = draws_of(target, rows, sweep, rng, count) if method.needs_draws(target) else None
    assert method.pivot is not None  # noqa: S101 - asked of metrics that have one
    return method.pivot(Case(target, value, rows, sweep, drawn))


def draws_of(
    target: Bound,
    rows: Rows | None,
    sweep: Sweep,
    rng: np.random.Generator | int | None,
    replicates: int,
    stratified: bool | None = None,
) -> Draws:
    """Resample rows, and read the number from each resample."""
    keep = target.stratified if stratified is None else stratified
    drawn_from = resampler(rows, sweep, stratified=keep, threshold=target.threshold)
    return Draws(drawn_from, *drawn_from.replicate(target.of_counts, replicates, rng))


def value_of(target: Bound, sweep: Sweep) -> float:
    """Return the value; one that the rows do not define, or an infinite loss, has no interval."""
    value = target(sweep)
    if math.isinf(value) and target.metric.unit == "loss":
        why = why_infinite(of_probabilities(sweep))
        raise UndefinedMetricError("{why}, so it has no interval; pass clip= to bound it.", why=why)
    return value


def _with_more(sweep: Sweep, which: str, share: float) -> Sweep:
    """Return the sweep with a share more of negatives above all scores, of positives below all, or at the highest."""
    tp, fp = (c.astype(np.float64) for c in (sweep.tp, sweep.fp))
    if which == "hit":
        return sweep.with_cumulated(sweep.threshold, tp + share * tp[-1], fp)
    above = math.inf if sweep.higher_is == "positive" else -math.inf
    if which == "negative":
        threshold = np.append(above, sweep.threshold)
        return sweep.with_cumulated(threshold, np.append(0, tp), np.append(0, fp) + share * fp[-1])
    threshold = np.append(sweep.threshold, -above)
    return sweep.with_cumulated(threshold, np.append(tp, tp[-1] * (1 + share)), np.append(fp, fp[-1]))


def _test_of_ranks(case: Case) -> tuple[float, Callable[[float], float]] | tuple[()]:
    """Return chance, and how far from it the test of an area goes over into the test of ranks.

    Near chance rows say how much the area varies, and the score test holds. What they say near an end of the range is
    little known of chance: there it is Mann and Whitney's normal deviate, whose variance is known, and, of few rows
    whose classes are separated, the number of orders.
    """
    target, value, rows, sweep = case.target, case.value, case.rows, case.sweep
    chance, separated = target.metric.chance, value in target.bounds
    whole = target.name in WHOLE_AREAS
    if not (isinstance(chance, float) and (whole or separated) and (rows is None or rows.is_plain)):
        return ()
    m, n = int(sweep.positives), int(sweep.known_negatives("A test of ranks"))

    def log_tail(tail: float) -> float:
        deviate = _rank_deviate(m, n, np.diff(sweep.tp) + np.diff(sweep.fp)) if whole else 0.0
        least, most = target.bounds
        deviate *= abs(2 * (value - least) / (most - least) - 1)
        if separated and deviate < BY_RANKS[1]:
            return math.lgamma(m + 1) + math.lgamma(n + 1) - math.lgamma(m + n + 1)  # of all orders, one
        by_score, (near, far) = deviate_of(tail), BY_RANKS
        share = float(np.clip((deviate - near) / (far - near), 0, 1) * np.clip(by_score - LEAST_DEVIATE, 0, 1))
        return log_t_tail(by_score + share * (deviate - by_score)) if share else tail

    return chance, log_tail


def _rank_deviate(positives: int, negatives: int, blocks: NDArray[np.int64]) -> float:
    """Return Mann and Whitney's normal deviate of separated classes, given how many rows each score has."""
    rows, sizes = positives + negatives, blocks.astype(np.float64)
    ties = float(np.sum(sizes**3 - sizes)) / (rows * (rows - 1))
    return math.sqrt(3 * positives * negatives / (rows + 1 - ties)) if rows + 1 > ties else 0.0


def corrected(variance: float, smaller: float, strata: Strata | None) -> tuple[float, float]:
    """Return the variance of resamples and its degrees of freedom.

    It has the factor that few rows of a class, or few units of a stratum, take from it.
    """
    factor, degrees = smaller / (smaller - 1) if smaller > 1 else 1.0, max(smaller - 1, 1.0)
    if strata is not None:
        factor, degrees = max(factor, strata.units / strata.degrees), min(degrees, strata.degrees)
    return variance * factor, degrees if variance else 1.0


def auc_spread(case: Case) -> Spread:
    """Return DeLong's variance of the area under the ROC curve."""
    plain = case.rows is None or case.rows.is_plain
    return spread_of_sweep(case.sweep) if plain or case.rows is None else placements(case.rows).spread()


def hanley_mcneil(case: Case) -> Spread:
    """Return the variance that Hanley and McNeil expect of an area."""
    value, p, n = case.value, case.sweep.positives, case.sweep.known_negatives("The variance of an AUC")
    q1, q2 = value / (2 - value), 2 * value**2 / (1 + value)
    variance = (value * (1 - value) + (p - 1) * (q1 - value**2) + (n - 1) * (q2 - value**2)) / (p * n)
    return Spread(variance, math.inf)


def rate_of(target: Bound, rows: Rows, level: float) -> RateOfRows:
    """Return a plain proportion at a threshold with what clustered or weighted rows tell of it."""
    assert target.metric.rate is not None  # noqa: S101 - only proportions come here
    return rate_of_cells(rows, target.options["threshold"], *target.metric.rate, level=level)


def left_out(target: Bound, sweep: Sweep) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the statistic without a row of each kind, and how many are of that kind, for the acceleration of BCa.

    Rows of one class in one block are alike, so one evaluation serves them all; more than 2048 blocks are put
    together as for resamples. Where classes are resampled apart, each class is centred on its own mean and
    weighed by (m - 1)/m, as for two samples (Davison & Hinkley 1997, eq. 5.23).
    """
    sweep, _ = merged_blocks(sweep, BINS)
    counts, parts, kinds = (sweep.block_positives, sweep.block_negatives), [], []
    for which, rows in enumerate(counts):
        values = []
        for k in np.flatnonzero(rows):
            fewer = [c.copy() for c in counts]
            fewer[which][k] -= 1
            values.append(target.value(sweep.with_counts(*fewer)))
        each, times = np.array(values), rows[rows > 0].astype(np.float64)
        if target.stratified and len(each):
            each = (each - np.average(each, weights=times)) * (1 - 1 / times.sum())
        parts.append(each)
        kinds.append(times)
    return np.concatenate(parts), np.concatenate(kinds)


def small_strata(strata: Strata | None) -> tuple[Note, ...]:
    """Say that resamples vary too little where strata have few units: by one part in as many as each has."""
    if strata is None or strata.units >= FEW_UNITS * strata.number:
        return ()
    return (note("small_strata", units=strata.units / strata.number),)
