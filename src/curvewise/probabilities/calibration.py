"""Whether probabilities mean what they say: the measures of calibration in one table."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.errors import UndefinedMetricError
from curvewise.metric.bins import WAYS
from curvewise.metric.blocks import read_blocks
from curvewise.metric.calibration_error import ece, mce, observed_expected, squared_error
from curvewise.metric.calibration_gap import SmoothGaps, smooth_gaps
from curvewise.metric.logistic import in_the_large_fit, slope_fit
from curvewise.probabilities.goodness import UNKNOWN, GoodnessTest, hosmer_lemeshow, spiegelhalter
from curvewise.probabilities.meanings import MEANINGS
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import json_safe, show
from curvewise.results.result import Table
from curvewise.rows.checks import one_of, real, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from curvewise.core.sweep import Sweep
    from curvewise.metric.bins import BinWay
    from curvewise.metric.blocks import Blocks
    from curvewise.metric.logistic import Fit
    from curvewise.rows.reading import RowOptions

TESTS = ("spiegelhalter", "hosmer_lemeshow")


@dataclass(frozen=True, repr=False)
class Calibration:
    """Measures of calibration; what the data do not define is NaN, and ``reasons`` says why.

    Attributes
    ----------
    in_the_large, slope, intercept, observed_expected
        With Wald intervals, as `Estimate`.
    ece, mce, squared_error
        Over ``bins`` bins, of equal width or mass as ``how`` says. ``squared_error`` is debiased.
    ici, e50, e90
        Mean, median and 90 % quantile of the gap between probability and smooth curve.
    spiegelhalter, hosmer_lemeshow
        Tests: ``statistic``, ``p_value``, ``degrees``.
    n, positives, level, bins, how
        What it was made from.
    notes
        What a careful reader should know.
    reasons
        By the name of a measure, why it is undefined.
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
    how: str
    notes: tuple[str, ...]
    reasons: dict[str, str]
    backend: str | None = None

    @property
    def table(self) -> Table:
        """Every measure with its interval or p-value, and what it means, or why it is undefined."""
        columns: dict[str, list[Any]] = {
            k: [] for k in ("measure", "value", "low", "high", "p_value", "meaning")
        }
        for name, meaning in MEANINGS.items():
            found = getattr(self, name)
            low = high = p_value = None
            value = found
            if isinstance(found, Estimate):
                value, low, high = found.value, found.low, found.high
            elif isinstance(found, GoodnessTest):
                value, p_value = found.statistic, found.p_value
            if low is not None and math.isnan(low):
                low = high = None
            why = self.reasons.get(name)
            words = meaning.format(self=self) if why is None else f"undefined: {why}"
            row = (name, value, low, high, None if why else p_value, words)
            for column, cell in zip(columns.values(), row, strict=True):
                column.append(cell)
        rows = f"{show(self.n)} rows" if self.slope.method == "wald" else f"weight {show(self.n)}"
        title = (
            f"Calibration: {rows}, {show(self.positives)} positive "
            f"({100 * self.level:.4g} % {self.slope.method} intervals; {self.bins} bins of equal {self.how})"
        )
        return Table(title, columns, self.backend)

    def __str__(self) -> str:
        return "\n".join([str(self.table), *(f"note: {note}" for note in self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe."""
        found: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "backend"}
        plain = {k: v.to_dict() if hasattr(v, "to_dict") else json_safe(v) for k, v in found.items()}
        return {**plain, "notes": list(self.notes)}


def calibration(
    y: object,
    p: object = None,
    *,
    bins: int = 10,
    how: BinWay = "width",
    groups: int = 10,
    level: float = 0.95,
    **rows: Unpack[RowOptions],
) -> Calibration:
    """Measure whether probabilities mean what they say: of 100 rows with p = 0.3, 30 should be positive.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.
    bins, how
        Bins of the binned errors (ECE, MCE, squared error), of equal ``"width"`` (default) or ``"mass"``.
    groups
        Groups of equal mass for the Hosmer-Lemeshow test.
    level
        The confidence level of the intervals.

    Returns
    -------
    Calibration
        Prints as a table that says what each measure means; ``table``, ``to_dict``.

    Notes
    -----
    *In the large* is a of logit P(y) = a + logit(p), and *slope* and *intercept* are b and a of
    logit P(y) = a + b·logit(p), by maximum likelihood. Their intervals are Wald's: from the information for
    whole counts, from the sandwich for fractional weights. Rows of probability exactly 0 or 1 hold no
    information about a and b if they are right, and are left out and counted in a note; if one is
    wrong, its log odds are infinitely wrong, and the three are undefined.

    *O/E* is Σy / Σp, with a Wald interval on the log scale that lets both vary (a ratio estimate).

    *ECE* = Σ nᵦ/n |ȳᵦ - p̄ᵦ| and *MCE* = max |ȳᵦ - p̄ᵦ| depend on the bins and are biased upward: perfect
    probabilities do not reach 0 on finitely many rows. *squared_error* is Σ nᵦ/n (ȳᵦ - p̄ᵦ)² less what chance
    adds, Σ nᵦ/n ȳᵦ(1 - ȳᵦ)/(nᵦ - 1), so it is about 0 for perfect ones, and may be below.

    *ICI*, *E50*, *E90* are mean, median and 90 % quantile over rows of |smooth(p) - p|, where smooth is the
    curve of `curvewise.reliability` with ``how="smooth"``; they are biased upward, too. The reference's loess
    of span 0.75 is stiffer, and its values are somewhat smaller.

    *Spiegelhalter's z* tests whether the Brier score is what the probabilities promise; errors of both
    directions can cancel in it. *Hosmer-Lemeshow*
    has as many degrees of freedom as groups, as is right for rows that the model was not fitted on (else two
    fewer). Its verdict depends on the grouping; with many rows it rejects what is harmless, with
    few it misses what is not. Report it if somebody insists, and the curve and slope besides.

    Rows of one patient depend on each other: for intervals use ``cw.interval("calibration_slope", y, p,
    cluster=...)``; likewise ``"calibration_in_the_large"``, ``"observed_expected"``, ``"ece"`` and so on.

    References
    ----------
    Cox (1958) Biometrika 45:562-565. Van Calster et al. (2019) BMC Medicine 17:230. Kumar, Liang & Ma (2019)
    NeurIPS. Austin & Steyerberg (2019) Statist. Med. 38:4051-4065. Spiegelhalter (1986) Statist. Med.
    5:421-433. Hosmer & Lemeshow (1980) Commun. Stat. A 9:1043-1069.

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
    one_of("how", how, WAYS)
    sweep, blocks = read_blocks(y, p, rows)
    reasons: dict[str, str] = {}
    large = _or_reason(lambda: in_the_large_fit(blocks), None, reasons, "in_the_large")
    line = _or_reason(lambda: slope_fit(blocks), None, reasons, "slope", "intercept")
    squared, alone = _or_reason(
        lambda: squared_error(sweep, blocks, bins=bins, how=how), (math.nan, 0.0), reasons, "squared_error"
    )
    gaps = _or_reason(
        lambda: smooth_gaps(sweep, blocks), SmoothGaps(*[math.nan] * 3), reasons, "ici", "e50", "e90"
    )
    return Calibration(
        in_the_large=fit_estimate("calibration_in_the_large", large, 0, blocks, level),
        slope=fit_estimate("calibration_slope", line, 1, blocks, level),
        intercept=fit_estimate("calibration_intercept", line, 0, blocks, level),
        observed_expected=_or_reason(
            lambda: ratio_estimate(sweep, blocks, level),
            _undefined("observed_expected", blocks, level),
            reasons,
            "observed_expected",
        ),
        ece=ece(sweep, bins=bins, how=how),
        mce=mce(sweep, bins=bins, how=how),
        squared_error=squared,
        ici=gaps.mean,
        e50=gaps.median,
        e90=gaps.ninety,
        spiegelhalter=_or_reason(lambda: spiegelhalter(blocks), UNKNOWN, reasons, "spiegelhalter"),
        hosmer_lemeshow=_or_reason(
            lambda: hosmer_lemeshow(sweep, groups), UNKNOWN, reasons, "hosmer_lemeshow"
        ),
        n=sweep.n if blocks.whole else sweep.n * blocks.unit,
        positives=sweep.positives if blocks.whole else sweep.positives * blocks.unit,
        level=level,
        bins=bins,
        how=how,
        notes=_notes(large, alone, blocks),
        reasons=reasons,
        backend=sweep.backend,
    )


def _or_reason(work: Callable[[], Any], otherwise: Any, reasons: dict[str, str], *names: str) -> Any:
    """Return what the work finds; if that is undefined, note why under each name."""
    try:
        return work()
    except UndefinedMetricError as error:
        reasons.update(dict.fromkeys(names, str(error)))
        return otherwise


def _method(blocks: Blocks) -> str:
    return "wald" if blocks.whole else "robust-wald"


def _undefined(name: str, blocks: Blocks, level: float) -> Estimate:
    return Estimate(name, math.nan, math.nan, math.nan, level, _method(blocks))


def fit_estimate(name: str, fit: Fit | None, which: int, blocks: Blocks, level: float) -> Estimate:
    """Return one coefficient of a logistic fit with its Wald interval."""
    if fit is None:
        return _undefined(name, blocks, level)
    value, error = float(fit.coefficients[which]), math.sqrt(fit.covariance[which, which])
    away = NormalDist().inv_cdf((1 + level) / 2) * error
    return Estimate(name, value, value - away, value + away, level, _method(blocks), error)


def ratio_estimate(sweep: Sweep, blocks: Blocks, level: float) -> Estimate:
    """Return O/E with an interval on the log scale, from the variance of Σ(y - O/E·p)."""
    name = "observed_expected"
    value, method = observed_expected(sweep), _method(blocks)
    expected = float(np.sum(blocks.weight * blocks.p))
    if not value:
        if not blocks.whole:
            return Estimate(name, value, math.nan, math.nan, level, method)
        high = rate_interval(0, blocks.n, level=level)[1] * blocks.n / expected
        return Estimate(name, value, 0.0, high, level, "wilson", notes=("no row is positive",))
    if blocks.squares is None:
        return Estimate(name, value, math.nan, math.nan, level, method)
    positives, negatives = blocks.squares
    promised = value * blocks.p
    variance = float(np.sum(positives * (1 - promised) ** 2 + negatives * promised**2))
    error = math.sqrt(variance) / expected
    times = math.exp(NormalDist().inv_cdf((1 + level) / 2) * error / value)
    return Estimate(name, value, value / times, value * times, level, method, error)


def _notes(fit: Fit | None, alone: float, blocks: Blocks) -> tuple[str, ...]:
    notes = []
    if fit is not None and fit.left_out:
        notes.append(
            f"{show(fit.left_out)} of {show(blocks.n)} rows have probability 0 or 1, and rightly: slope, "
            "intercept and calibration in the large leave them out, for they fit any"
        )
    if alone:
        notes.append(
            f"squared_error leaves out rows that are alone in their bin ({show(alone)} of {show(blocks.n)})"
        )
    if blocks.squares is None:
        notes.append(
            "weights are fractional and a Sweep has forgotten its rows: no intervals; pass labels, "
            "probabilities and weights"
        )
    return tuple(notes)
