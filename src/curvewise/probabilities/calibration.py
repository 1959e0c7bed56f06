"""Whether probabilities mean what they say: the measures of calibration in one table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.resampling import REPLICATES
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.inference.influence import lonely_notes
from curvewise.inference.logistic_intervals import fit_estimate, ratio_estimate
from curvewise.metric.blocks import Blocks, read_blocks
from curvewise.metric.calibration_error import largest_gap, mean_gap, squared_error
from curvewise.metric.logistic import Fit, in_the_large_fit, slope_fit
from curvewise.metric.probability_bins import BINNINGS, Binning, in_bins
from curvewise.metric.smooth_ece import smooth_error
from curvewise.metric.smooth_reliability import SmoothGaps, smooth_gaps
from curvewise.probabilities.expected_errors import ExpectedError, expected_errors
from curvewise.probabilities.goodness_tests import GoodnessTest, hosmer_lemeshow, joint_test, spiegelhalter
from curvewise.probabilities.reliability import cluster_notes, horizon_notes
from curvewise.probabilities.verdict import signs, verdict_of
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import percent, show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.seeds import random_stream
from curvewise.words import words

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.horizon_rows import AtHorizon
    from curvewise.rows.rows import RowOptions

FAR, NEAR = math.log(2), math.log(1.5)  # of O/E from 1: probabilities that look like those of surviving
# the name of each measure, which is a metric's where there is one, by its attribute
MEASURES = {k: f"calibration_{k}" for k in ("in_the_large", "slope", "intercept")}
MEASURES |= {k: k for k in ("observed_expected", "ece", "mce", "smooth_ece", "squared_error", "ici", "e50", "e90")}
MEASURES |= {"joint": "joint_test", "spiegelhalter": "spiegelhalter", "hosmer_lemeshow": "hosmer_lemeshow"}


@dataclass(frozen=True, repr=False)
class Calibration(Result, schema="calibration"):
    """Measures of calibration; what the data do not define is NaN, and ``reasons`` says why.

    Attributes
    ----------
    in_the_large, slope, intercept, observed_expected
        With Wald intervals, as `Estimate`.
    ece, mce, smooth_ece, squared_error, ici, e50, e90
        As in `curvewise.calibration`. All but the squared error are biased upward and have no interval.
    expected
        By the name of a biased error, an `ExpectedError`: what right probabilities would give on these rows.
        Empty with ``replicates=0``, and where a sweep has forgotten its weights.
    joint, spiegelhalter, hosmer_lemeshow
        Tests: ``statistic``, ``p_value``, ``degrees``.
    verdict, signs
        Whether the probabilities are right, as a note; and in what way they are not, a note for each.
    n, positives, weighted, clusters, horizon
        What it was made from: rows, or their weight; how many clusters, None without; and the rows of a horizon.
    reasons
        By the name of a measure, as the table has it, why it is undefined.
    """

    in_the_large: Estimate
    slope: Estimate
    intercept: Estimate
    observed_expected: Estimate
    ece: float
    mce: float
    smooth_ece: float
    squared_error: float
    ici: float
    e50: float
    e90: float
    expected: dict[str, ExpectedError]
    joint: GoodnessTest
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
    horizon: AtHorizon | None = field(default=None, repr=False)

    @property
    def signs(self) -> tuple[Note, ...]:
        """In what way the probabilities are wrong: level, slope, or what the joint test alone sees; () if in none."""
        return signs(self.observed_expected, self.slope, self.joint)

    @property
    def verdict(self) -> Note:
        """Whether the probabilities are right, as far as these rows tell."""
        return verdict_of(self.signs, self.observed_expected, self.slope, self.joint)

    @property
    def table(self) -> Table:
        """Every measure with its interval, or what is expected of right probabilities, or p-value; and its meaning.

        ``expected`` and ``limit`` are mean and quantile of a biased error if the probabilities are right.
        """
        rows = []
        for attribute, name in MEASURES.items():
            found, right = getattr(self, attribute), self.expected.get(name)
            value, p_value = found, None
            ends: tuple[float | None, float | None] = (None, None)
            if isinstance(found, Estimate):
                value = found.value
                if found.has_interval:
                    ends = found.low, found.high
            elif isinstance(found, GoodnessTest):
                value, p_value = found.statistic, None if found.reason else found.p_value
            expected = (None, None) if right is None else (right.expected, right.limit)
            if right is not None:
                p_value = right.p_value
            if name in self.reasons:
                meaning = f"undefined: {self.reasons[name]}"
            else:
                degrees = found.degrees if isinstance(found, GoodnessTest) else None
                meaning = words()(f"metric.meaning.{name}", degrees=degrees)
            rows.append((name, value, *ends, *expected, p_value, meaning))
        names = ("metric", "value", "low", "high", "expected", "limit", "p_value", "meaning")
        columns = {k: list(cells) for k, cells in zip(names, zip(*rows, strict=True), strict=True)}
        size = f"weight {show(self.n)}" if self.weighted else f"{show(self.n)} rows"
        size = size if self.horizon is None else self.horizon.text
        size += "" if self.clusters is None else f" in {self.clusters} clusters"
        size += "" if self.horizon is not None else f", {show(self.positives)} positive"
        method = next((f"{e.method} " for e in (self.slope, self.in_the_large) if e.method), "")
        made = f"{percent(self.level)} {method}intervals; {self.bins} bins of equal {self.binning}"
        return Table(f"Calibration: {size} ({made})", columns, self.backend)

    def parts(self) -> list[Table | Note]:
        """Return the table, the verdict and the notes."""
        return [self.table, self.verdict, *self.notes]

    def content(self) -> dict[str, Any]:
        """Return all measures and the verdict, JSON-safe."""
        return {**super().content(), "verdict": self.verdict.to_dict()}


def calibration(
    y: object,
    p: object = None,
    *,
    bins: int = 10,
    binning: Binning = "width",
    groups: int = 10,
    level: float = 0.95,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = 0,
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
    replicates, rng
        Samples in which the probabilities are right, by which the biased errors are judged, and the seed or
        generator that draws them; 0 leaves them out.

    Notes
    -----
    *In the large* is a of logit P(y) = a + logit(p), and *slope* and *intercept* are b and a of
    logit P(y) = a + b·logit(p), by maximum likelihood. Their intervals are Wald's with the variance from leaving
    out one row at a time (HC3) and t of Satterthwaite's degrees of freedom, so they hold however the
    probabilities are wrong. Rows of probability exactly 0 or 1 hold no information about a and b if they are
    right, and are left out and counted in a note; if one is wrong, its log odds are infinitely wrong, and the
    three are undefined.

    *O/E* is Σy / Σp, with a Wald interval on the log scale that lets both vary, likewise; Wilson's with one positive.

    *ECE* = Σ nᵦ/n |ȳᵦ - p̄ᵦ| and *MCE* = max |ȳᵦ - p̄ᵦ| depend on the bins; *SmoothECE* has none
    (`curvewise.metrics`). *ICI*, *E50*, *E90* are mean, median and 90% quantile over rows of |smooth(p) - p|,
    where smooth is the curve of `curvewise.reliability` with ``method="smooth"``; the reference's loess of span
    0.75 is stiffer, and its values are somewhat smaller. All six are **biased upward**: perfect probabilities
    do not reach 0 on finitely many rows, and a bootstrap adds the same bias once more, so none has an interval.
    Instead, labels are drawn with the probabilities themselves, and ``expected`` has the mean of each error in
    such samples, the limit that it rarely exceeds, and a p-value. *squared_error* is Σ nᵦ/n (ȳᵦ - p̄ᵦ)² less
    what chance adds, Σ nᵦ/n ȳᵦ(1 - ȳᵦ)/(nᵦ - 1), so it is about 0 for perfect ones, and may be below.

    *The joint test* sees level, slope and curvature: the score test of 1, logit(p) and a restricted cubic
    spline of it with 4 knots beside logit(p). Nothing is fitted, so the statistic's mean and variance are known
    exactly, and it keeps its size: 0.038 to 0.05 at 0.05 in simulations with 10 to 600 positives among 50 to
    2 000 rows. *Spiegelhalter's z* tests whether the Brier score is what the probabilities predict; errors of
    both directions can cancel in it. *Hosmer-Lemeshow* has as many degrees of freedom as groups, as is right
    for rows that the model was not fitted on (else two fewer); groups that expect fewer than 3 positives or
    negatives are merged. Its verdict depends on the grouping; with many rows it rejects what is harmless, with
    few it misses what is not. Report curve and slope besides.

    *The verdict* looks at the intervals of O/E and slope, and at the joint test. Without a sign it says how much
    the rows could have shown: with few positives, "no sign" says little.

    *Clusters*: variances of slope, intercept, in the large and O/E leave out one cluster at a time (CR3), with t
    of Satterthwaite's degrees of freedom. *squared_error*, the tests and the drawn samples use the
    correlation within clusters, as the bands of `curvewise.reliability` do. Weighted rows: a row of weight 10
    is one row, unless ``weight_kind="count"``. The drawn samples take weights for unrelated to the outcome at equal
    p; where they are not (all cases, a tenth of the rest), read the joint test, not ``expected``.
    *Strata*: variances of the fits and of O/E compare rows, or clusters, within strata; *squared_error*, the tests
    and the drawn samples take outcomes as independent of strata given the probability, and a note says so.

    *At a horizon* (`curvewise.horizon`) O/E is the share that had the event by Kaplan–Meier over the mean probability
    of all rows, the unknown ones too, with the influence of all rows on both. Slope, intercept and in the large are a
    logistic regression of the known rows with weights of inverse probability; ICI, E50 and E90 average the gaps of all
    rows. The tests take the weights as known: in simulations with 200 and 500 rows, 35 to 54% of them unknown, the
    joint test rejected right probabilities in 3.5 to 6.3 of 100 samples at 0.05. No labels are drawn.

    References
    ----------
    Cox (1958) Biometrika 45:562-565. Van Calster et al. (2019) BMC Medicine 17:230. Kumar, Liang & Ma (2019)
    NeurIPS. Austin & Steyerberg (2019) Statist. Med. 38:4051-4065. Bröcker & Smith (2007) Weather and
    Forecasting 22:651-661. Błasiok & Nakkiran (2024) ICLR. Rao (1948) Proc. Camb. Phil. Soc. 44:50-57.
    Spiegelhalter (1986) Statist. Med. 5:421-433. Hosmer & Lemeshow (1980) Commun. Stat. A 9:1043-1069. Bell &
    McCaffrey (2002) Survey Methodology 28:169-181.

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1]
    >>> p = [0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8, 0.9]
    >>> c = cw.calibration(y, p)
    >>> c.slope
    calibration_slope 0.8142, 95% interval −0.5541 to 2.1824 (robust-wald)
    >>> round(c.observed_expected.value, 4), round(c.ece, 4)
    (0.8929, 0.3)
    """
    level = real("level", level, 0, 1, closed=False)
    bins, groups, replicates = whole("bins", bins, 1), whole("groups", groups, 2), whole("replicates", replicates, 0)
    random_stream(rng)  # refuses what is no seed
    one_of("binning", binning, BINNINGS)
    sweep, blocks = read_blocks(y, p, rows)
    reasons: dict[str, Note] = {}

    def found(work: Callable[[], Any], otherwise: Callable[[Note], Any], *names: str) -> Any:
        """Return what the work finds; if that is undefined, keep the reason under each name."""
        try:
            with np.errstate(over="ignore"):  # probabilities near the least float64: a statistic may be infinite
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
    binned = in_bins(sweep, bins, binning)
    squared, alone = found(lambda: squared_error(binned, blocks), lambda _: (math.nan, 0.0), "squared_error")
    none = SmoothGaps(*[math.nan] * 3)
    gaps = found(lambda: smooth_gaps(sweep, blocks), lambda _: none, "ici", "e50", "e90")
    errors: dict[str, Any] = {"ece": mean_gap(binned), "mce": largest_gap(binned), "smooth_ece": smooth_error(blocks)}
    errors |= {"ici": gaps.mean, "e50": gaps.median, "e90": gaps.ninety}
    expected: dict[str, ExpectedError] = {}
    if replicates and blocks.squares is not None and blocks.horizon is None:
        expected = expected_errors(sweep, blocks, errors, binned, level=level, replicates=replicates, rng=rng)
    errors["squared_error"] = squared
    unit = 1 if blocks.unit == 1 else blocks.unit  # whole numbers stay whole
    return Calibration(
        fit_estimate(in_the_large, large, 0, blocks, level),
        fit_estimate(slope, line, 1, blocks, level),
        fit_estimate(intercept, line, 0, blocks, level),
        found(lambda: ratio_estimate(sweep, blocks, level), partial(undefined, ratio, level), ratio),
        **errors,
        expected=expected,
        joint=tested("joint_test", lambda: joint_test(blocks)),
        spiegelhalter=tested("spiegelhalter", lambda: spiegelhalter(blocks)),
        hosmer_lemeshow=tested("hosmer_lemeshow", lambda: hosmer_lemeshow(sweep, blocks, groups)),
        n=sweep.n * unit,
        positives=sweep.positives * unit,
        level=level,
        **cut,
        weighted=not blocks.whole,
        clusters=None if blocks.clusters is None else blocks.clusters.number,
        notes=_notes(large, alone, blocks) + horizon_notes(sweep, "calibration_at_horizon") + turned_notes(sweep),
        reasons=reasons,
        backend=sweep.backend,
        horizon=sweep.horizon,
    )


def turned_notes(sweep: Sweep) -> tuple[Note, ...]:
    """Ask whether the probabilities of a horizon are those of surviving: 1 - p fits far better."""
    mean = None if sweep.horizon is None else sweep.horizon.mean_score
    share = 0.0 if sweep.horizon is None else sweep.prevalence
    if mean is None or not (0 < mean < 1 and 0 < share < 1):
        return ()
    far, near = (abs(math.log(share / expected)) for expected in (mean, 1 - mean))
    return (note("survival_probabilities", mean=mean, share=share),) if far > FAR and near < NEAR else ()


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
