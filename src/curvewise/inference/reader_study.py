"""Whether readers do better in one modality than in another: several readers, the same cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import CurvewiseError, Note, OptionError, UndefinedMetricError, note
from curvewise.inference.comparison import Pair, holm, pair_of_models
from curvewise.inference.delong import placements
from curvewise.inference.interval import interval_of, split_options
from curvewise.inference.limits import critical_value, expit
from curvewise.inference.pivots import Spread, WaldPivot
from curvewise.inference.reader_anova import ReaderAnova, jackknife_covariance
from curvewise.inference.reader_rows import ReaderRows, read_readers
from curvewise.metric.registry import Bound, bound
from curvewise.results.estimate import Estimate, value_alone
from curvewise.results.numbers import percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real

Sampled = Literal["random", "fixed"]

VERB = ("reader", "modality", "case", "metric", "readers", "cases", "method", "margin", "level")
SAMPLED = ("random", "fixed")
FEW_CASES = 10  # of a class, below which any interval is unreliable
FEW = 4  # readers below which the test of 5% may reject 7%


@dataclass(frozen=True, repr=False)
class ReaderStudy(Result, schema="reader_study"):
    """Readers by modalities on the same cases, by Obuchowski and Rockette's analysis of variance.

    Made by `curvewise.reader_study`.

    Attributes
    ----------
    means
        The mean over readers by modality, with its interval.
    pairs
        Every difference of two modalities, with interval and tests.
    statistic, degrees_of_freedom, p_value
        The F test that all modalities are equal; the second degrees of freedom are infinite for fixed readers,
        where F times the first is chi-square. None where there is one modality.
    by_reader
        One estimate per reader, by modality.
    components
        ``error``, ``cov1``, ``cov2``, ``cov3``, ``reader``, ``reader_by_modality``.
    positives, negatives
        How many cases there are of each class.
    """

    metric: str
    method: str
    readers: str
    cases: str
    level: float
    means: dict[str, Estimate]
    pairs: tuple[Pair, ...]
    statistic: float | None
    degrees_of_freedom: tuple[float, float] | None
    p_value: float | None
    by_reader: dict[str, dict[str, Estimate]]
    components: dict[str, float]
    positives: int
    negatives: int
    notes: tuple[Note, ...] = ()

    @property
    def difference(self) -> Estimate:
        """The first modality minus the second, where there are two."""
        if len(self.pairs) != 1:
            raise CurvewiseError(f"{len(self.means)} modalities have {len(self.pairs)} differences: see pairs.")
        return self.pairs[0].difference

    @property
    def table(self) -> Table:
        """One row per modality (its mean over readers) and per difference of two."""
        rows = [{"of": name, "value": e.value, **_ends(e)} for name, e in self.means.items()]
        for pair in self.pairs:
            tests = {"p": pair.p_value, "p_holm": pair.p_holm if len(self.pairs) > 1 else None}
            margins = {"p_non_inferior": pair.p_non_inferior, "p_equivalent": pair.p_equivalent}
            gap = {"value": pair.difference.value, **_ends(pair.difference)}
            rows.append({"of": f"{pair.first} - {pair.second}", **gap, **tests, **margins})
        names = list(dict.fromkeys(key for row in rows for key, value in row.items() if value is not None))
        number = len(next(iter(self.by_reader.values())))
        how = f"{number} {self.readers} readers, {self.positives} + {self.negatives} {self.cases} cases"
        title = f"{self.metric}, mean over readers ({how}, {self.method}, {percent(self.level)} intervals)"
        return Table(title, {name: [row.get(name) for row in rows] for name in names})

    @property
    def reader_table(self) -> Table:
        """One row per reader and modality."""
        estimates = [(m, r, e) for m, of_modality in self.by_reader.items() for r, e in of_modality.items()]
        rows = [{"modality": m, "reader": r, "value": e.value, **_ends(e)} for m, r, e in estimates]
        return Table("By reader", {name: [row[name] for row in rows] for name in rows[0]})

    @property
    def component_table(self) -> Table:
        """Variance components and covariances, and each covariance as a correlation."""
        error, components = self.components["error"], self.components
        known = {k: v for k, v in components.items() if not math.isnan(v)}
        shares = [v / error if k.startswith("cov") and error else None for k, v in known.items()]
        columns: dict[str, list[Any]] = {"component": list(known), "variance": list(known.values())}
        return Table("Variance components", columns | {"correlation": shares})

    def tables(self) -> list[Table]:
        """Return means and differences, the readers, and the components."""
        return [self.table, self.reader_table, self.component_table]

    def parts(self) -> list[Table | Note]:
        """Return the tables and the notes."""
        return [*self.tables(), *self.notes]


def _ends(estimate: Estimate) -> dict[str, float | None]:
    known = estimate.has_interval
    return {"low": estimate.low if known else None, "high": estimate.high if known else None}


def reader_study(
    y: object,
    score: object,
    *,
    reader: object = None,
    modality: object = None,
    case: object = None,
    metric: str | Callable[[Sweep], float] = "roc_auc",
    readers: Sampled = "random",
    cases: Sampled = "random",
    method: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
    **options: Any,
) -> ReaderStudy:
    """Compare modalities (or with and without a model's help) that several readers read on the same cases.

    Parameters
    ----------
    y, score
        Long columns, one row per reader, modality and case: the case's label and the reader's score. Or one label
        per case, and scores as ``{modality: {reader: scores}}``.
    reader, modality, case
        Who read each row, how, and which case it is (long columns only). Every reader must have read every case in
        every modality. ``modality`` may be left out where there is one.
    metric
        As in `curvewise.interval`: a name, or a function of a `Sweep`.
    readers
        ``"random"`` (default): they are a sample, and the result speaks of readers like these. ``"fixed"``: it
        speaks of these readers alone.
    cases
        ``"random"`` (default), or ``"fixed"``: the result speaks of these cases alone, for random readers.
    method
        How the covariances of the readers are estimated: ``"delong"`` (AUC, its default) or ``"jackknife"``
        (anything; cases are left out one by one).
    margin
        A difference too small to matter: adds tests of non-inferiority (of the first to the second; which end is
        better, the metric knows) and of equivalence.
    level
        The confidence level of the intervals.
    **options
        Options of the metric, and of `curvewise.sweep`. ``missing="drop"`` leaves out a case for all readers if one
        score is missing. ``cluster=`` and ``weight=`` belong to cases.

    Returns
    -------
    ReaderStudy
        ``means``, ``pairs`` (or ``difference``), ``p_value``, ``by_reader``, ``components``.

    Notes
    -----
    With mean squares of the readers' values over t modalities and r readers,
    F = MS(T)/[MS(TR) + r·max(Cov2 − Cov3, 0)] on t − 1 and (t − 1)(r − 1)·[denominator/MS(TR)]² degrees of freedom;
    the difference of two modalities has variance 2/r times the denominator, and t quantiles with the same degrees.
    A mean over readers uses the data of its modality alone, with variance [MS(R) + r·max(Cov2, 0)]/r; the interval of
    what lies between 0 and 1 is made on the logit scale, unlike in other programs. For fixed readers the denominator
    is Var − Cov1 + (r − 1)·max(Cov2 − Cov3, 0), with a chi-square test; for fixed cases it is MS(TR).

    To test each reader alone, or to pool all rows as if one reader had read them, ignores that readers differ: the
    result then says nothing about other readers.

    References
    ----------
    Obuchowski & Rockette (1995) Communications in Statistics - Simulation 24:285-308. Hillis (2007) Statistics in
    Medicine 26:596-619. Hillis (2014) Statistics in Medicine 33:330-360.

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) < 25  # 60 cases, of which 25 are positive
    >>> difficulty = rng.normal(size=60)
    >>> def read(help):
    ...     return {name: 1.2 * help * y + difficulty + rng.normal(size=60) for name in ("ann", "bob", "eve", "kim")}
    >>> study = cw.reader_study(y, {"with model": read(1.6), "alone": read(1.0)})
    >>> study.table
    roc_auc, mean over readers (4 random readers, 25 + 35 random cases, delong, 95% intervals)
    <BLANKLINE>
    of                   value     low    high       p
    ──────────────────  ──────  ──────  ──────  ──────
    with model          0.8309  0.7450  0.8920
    alone               0.7126  0.6117  0.7960
    with model - alone  0.1183  0.0045  0.2321  0.0452
    """
    level = real("level", level, 0, 1, closed=False)
    margin = None if margin is None else real("margin", margin, 0, math.inf)
    one_of("readers", readers, SAMPLED)
    one_of("cases", cases, SAMPLED)
    if readers == cases == "fixed":
        raise OptionError.of("cases", "with fixed readers and fixed cases nothing is uncertain; leave one 'random'.")
    reading, metric_options = split_options(options)
    target = bound(metric, metric_options, VERB)
    choices = ("delong", "jackknife") if target.name == "roc_auc" else ("jackknife",)
    one_of("method", method, (None, *choices))
    read = read_readers(y, score, reader, modality, case, reading)
    if readers == "random" and len(read.readers) < 2:
        raise OptionError.of("readers", "one reader is no sample of readers; pass readers='fixed'.")
    anova = _anova(read, target, method or choices[0], readers=readers, cases=cases)
    better = target.metric.better
    if margin is not None and better not in ("higher", "lower"):
        raise OptionError.of("margin", f"{target.name} has no better end to be inferior at; leave out margin.")
    sampled = (readers, cases)
    return _result(read, target, anova, method or choices[0], sampled, level, -1 if better == "lower" else 1, margin)


def _anova(read: ReaderRows, target: Bound, method: str, *, readers: str, cases: str) -> ReaderAnova:
    """Return the values of every reader and modality, and their covariance."""
    rows = read.rows
    sweep_of(rows.of(rows.models[0])).need_both_classes("A reader study")
    shape = len(read.modalities), len(read.readers)
    sampled = readers == "random", cases == "random"
    if method == "delong":
        placed = placements(rows)
        return ReaderAnova(placed.auc().reshape(shape), placed.covariance(), *sampled)
    values = np.array([target(sweep_of(rows.of(name))) for name in rows.models]).reshape(shape)
    try:
        return ReaderAnova(values, jackknife_covariance(rows, target), *sampled)
    except UndefinedMetricError as error:
        raise UndefinedMetricError(f"Without one of the cases the jackknife is undefined: {error}") from None


def _result(
    read: ReaderRows,
    target: Bound,
    anova: ReaderAnova,
    method: str,
    sampled: tuple[str, str],
    level: float,
    sign: int,
    margin: float | None,
) -> ReaderStudy:
    names, rows = read.modalities, read.rows
    means = {}
    for k, name in enumerate(names):
        value, spread = float(anova.values[k].mean()), anova.mean(k)
        means[name] = _estimate(f"{target.name} of {name}", value, *spread, level, method, target)
    pairs = [
        _pair(anova, target, (i, j), names, level, method, sign, margin) for i, j in combinations(range(len(names)), 2)
    ]
    test = anova.test() if len(names) > 1 else None
    by_reader = {
        name: {reader: _of_reader(read, target, anova, (k, j), method, level) for j, reader in enumerate(read.readers)}
        for k, name in enumerate(names)
    }
    notes = [note("reader_study_fixed_readers" if sampled[0] == "fixed" else f"reader_study_{sampled[1]}_cases")]
    if test is not None:
        notes.insert(0, note("modalities_equal", f=test[0], first=test[1], second=test[2], p=test[3]))
    if sampled[0] == "random" and len(read.readers) < FEW:
        notes.append(note("few_readers", count=len(read.readers)))
    if rows.dropped:
        notes.append(note("reader_cases_dropped", cases=rows.dropped))
    positives = int(rows.positive.sum())
    notes += _few_cases(positives, len(rows) - positives)
    return ReaderStudy(
        target.name,
        method,
        *sampled,
        level,
        means,
        holm(pairs),
        None if test is None else test[0],
        None if test is None else (test[1], test[2]),
        None if test is None else test[3],
        by_reader,
        anova.components,
        positives,
        len(rows) - positives,
        tuple(notes),
    )


def _few_cases(positives: int, negatives: int) -> list[Note]:
    if min(positives, negatives) >= FEW_CASES:
        return []
    return [note("few_positives" if positives <= negatives else "few_negatives", count=min(positives, negatives))]


def _estimate(
    name: str, value: float, variance: float, degrees: float, level: float, method: str, target: Bound | None
) -> Estimate:
    """Return value ± t standard errors: on the logit scale for a metric from 0 to 1, else cut to its range.

    Values near 1 vary less the nearer they are, so that plain t intervals hold the truth too rarely there: 87% of
    the time for three readers with a mean AUC of 0.95, where those on the logit scale do 93%.
    """
    if not variance > 0:
        return value_alone(name, value, level, note("readers_do_not_vary"))
    error = math.sqrt(variance)
    reach = critical_value(level, degrees) * error
    low, high = (-math.inf, math.inf) if target is None else (target.metric.low, target.metric.high)
    if (low, high) == (0, 1) and 0 < value < 1:
        centre, reach = math.log(value / (1 - value)), reach / (value * (1 - value))
        ends = expit(centre - reach), expit(centre + reach)
    else:
        ends = max(value - reach, low), min(value + reach, high)
    return Estimate(name, value, *ends, level, method, error)


def _pair(
    anova: ReaderAnova,
    target: Bound,
    which: tuple[int, int],
    names: tuple[str, ...],
    level: float,
    method: str,
    sign: int,
    margin: float | None,
) -> Pair:
    """Test one difference of two modalities; where lower is better, inferior means higher by the margin or more."""
    i, j = which
    away = float(anova.values[i].mean() - anova.values[j].mean())
    variance, degrees = anova.difference
    gap = _estimate(f"difference of {target.name}", away, variance, degrees, level, method, None)
    pair = names[i], names[j]
    if not variance > 0:
        return pair_of_models(pair, gap, 0.0 if away == 0 else None, 1.0 if away == 0 else math.nan)
    pivot = WaldPivot(sign * away, Spread(variance, degrees))
    margins = None if margin is None else (pivot.p_above(-margin), pivot.p_below(margin))
    known = None if math.isinf(degrees) else degrees
    return pair_of_models(pair, gap, away / pivot.spread.error, pivot.p_value(0), margins, degrees_of_freedom=known)


def _of_reader(
    read: ReaderRows, target: Bound, anova: ReaderAnova, which: tuple[int, int], method: str, level: float
) -> Estimate:
    """Return what one reader does in one modality: the interval of AUC as `interval` gives it, else the jackknife's."""
    rows = read.rows.of(read.model(*which))
    if method == "delong":
        return replace(interval_of(target, rows, level=level), metric=target.name)
    place = which[0] * len(read.readers) + which[1]
    variance = float(anova.covariance[place, place])
    return _estimate(target.name, float(anova.values[which]), variance, len(rows) - 1, level, method, target)
