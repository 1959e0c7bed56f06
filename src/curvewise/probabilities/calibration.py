"""Whether probabilities mean what they say: the measures of calibration in one table."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.influence import lonely_notes
from curvewise.inference.limits import critical_value
from curvewise.metric.blocks import BINNINGS, read_blocks
from curvewise.metric.calibration_error import ece, mce, observed_expected, squared_error
from curvewise.metric.logistic import in_the_large_fit, slope_fit
from curvewise.metric.smooth_reliability import SmoothGaps, smooth_gaps
from curvewise.probabilities.goodness_tests import GoodnessTest, hosmer_lemeshow, spiegelhalter
from curvewise.probabilities.reliability import cluster_notes
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Binning, Blocks
    from curvewise.metric.logistic import Fit
    from curvewise.rows.rows import RowOptions

# the name of each measure, which is a metric's where there is one, by its attribute
MEASURES = {k: f"calibration_{k}" for k in ("in_the_large", "slope", "intercept")}
MEASURES |= {k: k for k in ("observed_expected", "ece", "mce", "squared_error", "ici", "e50", "e90")}
MEASURES |= {k: k for k in ("spiegelhalter", "hosmer_lemeshow")}


@dataclass(frozen=True, repr=False)
class Calibration(Result):
    """Measures of calibration; what the data do not define is NaN, and ``reasons`` says why.

    Attributes
    ----------
    in_the_large, slope, intercept, observed_expected
        With Wald intervals, as `Estimate`.
    ece, mce, squared_error, ici, e50, e90
        As in `curvewise.calibration`.
    spiegelhalter, hosmer_lemeshow
        Tests: ``statistic``, ``p_value``, ``degrees``.
    n, positives, weighted, clusters
        What it was made from: rows, or their weight; how many clusters, None without.
    reasons
        By the name of a measure, as the table has it, why it is undefined.
    """

    in_the_large: Estimate
    slope: Estimate
    intercept: Estimate
    observed_expected: Estimate
    ece: float
    mce: float
    squared_error: float
    ici: float
    e50: float
    e90: float
    spiegelhalter: GoodnessTest
    hosmer_lemeshow: GoodnessTest
    n: float
    positives: float
    level: float
    bins: int
    binning: str
    weighted: bool
    clusters: int | None
    reasons: dict[str, Note]
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """Every measure with its interval or p-value, and what it means, or why it is undefined."""
        rows = []
        for attribute, name in MEASURES.items():
            found, low, high, p_value = getattr(self, attribute), None, None, None
            value = found
            if isinstance(found, Estimate):
                value = found.value
                if found.has_interval:
                    low, high = found.low, found.high
            elif isinstance(found, GoodnessTest):
                value, p_value = found.statistic, None if found.reason else found.p_value
            if name in self.reasons:
                meaning = f"undefined: {self.reasons[name]}"
            else:
                meaning = words()(f"metric.meaning.{name}", degrees=self.hosmer_lemeshow.degrees)
            rows.append((name, value, low, high, p_value, meaning))
        names = ("metric", "value", "low", "high", "p_value", "meaning")
        columns = {k: list(cells) for k, cells in zip(names, zip(*rows, strict=True), strict=True)}
        size = f"weight {show(self.n)}" if self.weighted else f"{show(self.n)} rows"
        size += "" if self.clusters is None else f" in {self.clusters} clusters"
        method = next((f"{e.method} " for e in (self.slope, self.in_the_large) if e.method), "")
        made = f"{100 * self.level:.4g} % {method}intervals; {self.bins} bins of equal {self.binning}"
        return Table(f"Calibration: {size}, {show(self.positives)} positive ({made})", columns, self.backend)


def calibration(
    y: object,
    p: object = None,
    *,
    bins: int = 10,
    binning: Binning = "width",
    groups: int = 10,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> Calibration:
    """Measure whether probabilities mean what they say: of 100 rows with p = 0.3, 30 should be positive.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`.
    bins, binning
        Bins of the binned errors (ECE, MCE, squared error), of equal ``"width"`` (default) or ``"count"``.
    groups
        Groups of equal count for the Hosmer-Lemeshow test.
    level
        As in `curvewise.interval`.

    Notes
    -----
    *In the large* is a of logit P(y) = a + logit(p), and *slope* and *intercept* are b and a of
    logit P(y) = a + b·logit(p), by maximum likelihood. Their intervals are Wald's: from the information where
    rows are independent and count alike, else from the sandwich. Rows of probability exactly 0 or 1 hold no
    information about a and b if they are right, and are left out and counted in a note; if one is
    wrong, its log odds are infinitely wrong, and the three are undefined.

    *O/E* is Σy / Σp, with a Wald interval on the log scale that lets both vary (a ratio estimate).

    *ECE* = Σ nᵦ/n |ȳᵦ - p̄ᵦ| and *MCE* = max |ȳᵦ - p̄ᵦ| depend on the bins and are biased upward: perfect
    probabilities do not reach 0 on finitely many rows. *squared_error* is Σ nᵦ/n (ȳᵦ - p̄ᵦ)² less what chance
    adds, Σ nᵦ/n ȳᵦ(1 - ȳᵦ)/(nᵦ - 1), so it is about 0 for perfect ones, and may be below.

    *ICI*, *E50*, *E90* are mean, median and 90 % quantile over rows of |smooth(p) - p|, where smooth is the
    curve of `curvewise.reliability` with ``method="smooth"``; they are biased upward, too. The reference's
    loess of span 0.75 is stiffer, and its values are somewhat smaller.

    *Spiegelhalter's z* tests whether the Brier score is what the probabilities predict; errors of both
    directions can cancel in it. *Hosmer-Lemeshow* has as many degrees of freedom as groups, as is right for
    rows that the model was not fitted on (else two fewer). Its verdict depends on the grouping; with many
    rows it rejects what is harmless, with few it misses what is not. Report curve and slope besides.

    *Clusters*: the sandwich of slope, intercept, in the large and O/E adds up each cluster's scores first
    (times G/(G - 1) for G clusters, and t with G - 1 degrees of freedom). *squared_error* and both tests use
    the variance that the correlation within clusters implies, as the bands of `curvewise.reliability` do.
    *Strata*: the sandwich compares rows, or clusters, within strata. *squared_error* and both tests take outcomes as
    independent of strata given the probability, and strata do not enter them; a note says so.
    Weighted rows: a row of weight 10 is one row, unless ``weight_kind="count"``. Intervals by resampling,
    also for ECE, MCE and ICI: ``cw.interval("ece", y, p, cluster=...)``.

    References
    ----------
    Cox (1958) Biometrika 45:562-565. Van Calster et al. (2019) BMC Medicine 17:230. Kumar, Liang & Ma (2019)
    NeurIPS. Austin & Steyerberg (2019) Statist. Med. 38:4051-4065. Spiegelhalter (1986) Statist. Med.
    5:421-433. Hosmer & Lemeshow (1980) Commun. Stat. A 9:1043-1069. Liang & Zeger (1986) Biometrika 73:13-22.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1]
    >>> p = [0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8, 0.9]
    >>> c = cw.calibration(y, p)
    >>> c.slope
    calibration_slope 0.8142, 95 % interval −0.2364 to 1.8647 (wald)
    >>> round(c.observed_expected.value, 4), round(c.ece, 4)
    (0.8929, 0.3)
    """
    level = real("level", level, 0, 1, closed=False)
    bins, groups = whole("bins", bins, 1), whole("groups", groups, 2)
    one_of("binning", binning, BINNINGS)
    sweep, blocks = read_blocks(y, p, rows)
    reasons: dict[str, Note] = {}

    def found(work: Callable[[], Any], otherwise: Callable[[Note], Any], *names: str) -> Any:
        """Return what the work finds; if that is undefined, keep the reason under each name."""
        try:
            return work()
        except UndefinedMetricError as error:
            reasons.update(dict.fromkeys(names, error.reason))
            return otherwise(error.reason)

    def tested(name: str, work: Callable[[], GoodnessTest]) -> Any:
        return found(work, lambda why: GoodnessTest(name, math.nan, math.nan, reason=why), name)

    in_the_large, slope, intercept, ratio, *_ = MEASURES.values()
    large = found(lambda: in_the_large_fit(blocks), lambda why: why, in_the_large)
    line = found(lambda: slope_fit(blocks), lambda why: why, slope, intercept)
    cut: dict[str, Any] = {"bins": bins, "binning": binning}
    squared, alone = found(lambda: squared_error(sweep, blocks, **cut), lambda _: (math.nan, 0.0), "squared_error")
    none = SmoothGaps(*[math.nan] * 3)
    gaps = found(lambda: smooth_gaps(sweep, blocks), lambda _: none, "ici", "e50", "e90")
    errors = {"ece": ece(sweep, **cut), "mce": mce(sweep, **cut), "squared_error": squared}
    errors |= {"ici": gaps.mean, "e50": gaps.median, "e90": gaps.ninety}
    unit = 1 if blocks.unit == 1 else blocks.unit  # whole numbers stay whole
    return Calibration(
        fit_estimate(in_the_large, large, 0, blocks, level),
        fit_estimate(slope, line, 1, blocks, level),
        fit_estimate(intercept, line, 0, blocks, level),
        found(lambda: ratio_estimate(sweep, blocks, level), partial(undefined, ratio, level), ratio),
        **errors,
        spiegelhalter=tested("spiegelhalter", lambda: spiegelhalter(blocks)),
        hosmer_lemeshow=tested("hosmer_lemeshow", lambda: hosmer_lemeshow(sweep, blocks, groups)),
        n=sweep.n * unit,
        positives=sweep.positives * unit,
        level=level,
        **cut,
        weighted=not blocks.whole,
        clusters=None if blocks.clusters is None else blocks.clusters.number,
        notes=_notes(large, alone, blocks),
        reasons=reasons,
        backend=sweep.backend,
    )


def fit_estimate(name: str, fit: Fit | Note, which: int, blocks: Blocks, level: float) -> Estimate:
    """Return one coefficient of a logistic fit with its Wald interval, or the reason why there is none."""
    if isinstance(fit, Note):
        return undefined(name, level, fit)
    value, error = float(fit.coefficients[which]), math.sqrt(fit.covariance[which, which])
    away = _reach(blocks, level) * error
    return _wald(name, value, (value - away, value + away), error, blocks, level)


def ratio_estimate(sweep: Sweep, blocks: Blocks, level: float) -> Estimate:
    """Return O/E with an interval on the log scale, from the variance of Σ(y - O/E·p)."""
    name, value = "observed_expected", observed_expected(sweep)
    expected = float(np.sum(blocks.weight * blocks.p))
    if not value and blocks.squares is not None:
        high = rate_interval(0, blocks.rows("O/E"), level=level)[1] * blocks.n / expected
        return Estimate(name, value, 0.0, high, level, "wilson", notes=(note("no_positives"),))
    predicted = value * blocks.p
    error = math.sqrt(blocks.scatter(1 - predicted[None], -predicted[None])[0, 0]) / expected
    times = math.exp(_reach(blocks, level) * error / value) if value else math.nan
    return _wald(name, value, (value / times, value * times), error, blocks, level)


def _reach(blocks: Blocks, level: float) -> float:
    return critical_value(level, blocks.degrees)


def _wald(name: str, value: float, ends: tuple[float, float], error: float, blocks: Blocks, level: float) -> Estimate:
    """Return the estimate, without its interval where nothing is known of it."""
    method = "wald" if blocks.is_plain else "robust-wald"
    found = Estimate(name, value, *ends, level, method, error)
    if found.has_interval:
        return found
    one = blocks.clusters is not None and blocks.clusters.number == 1
    return found.without_interval(note("one_cluster" if one else "weights_forgotten"))


def _notes(fit: Fit | Note, alone: float, blocks: Blocks) -> tuple[Note, ...]:
    notes = cluster_notes(blocks)
    if blocks.sampled is not None:
        strata = blocks.sampled.strata
        notes = (*lonely_notes(strata), note("strata_of_fits", strata=strata.number), *notes)
    if blocks.squares is None:
        notes = (note("weights_forgotten"), *notes)
    if alone:
        notes = (note("alone_in_bin", alone=alone, rows=blocks.n), *notes)
    if not isinstance(fit, Note) and fit.left_out:
        notes = (note("certain_rows_left_out", left_out=fit.left_out, rows=blocks.n), *notes)
    return notes
