"""The reliability diagram: how often it happened when p was said."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import rate_interval
from curvewise.core.resampling import REPLICATES
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.limits import critical_value
from curvewise.metric.blocks import Blocks, read_blocks
from curvewise.metric.log_odds import log_odds
from curvewise.metric.logistic import between_0_and_1, fit_logistic, need_overlap
from curvewise.metric.probability_bins import BINNINGS, Binning, Points, in_bins, points
from curvewise.metric.smooth_reliability import Smooth, smoothed
from curvewise.metric.spline import QUANTILES, knots_of, spline_columns
from curvewise.probabilities.isotonic import Isotonic, confidence, consistency, fitted
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import count
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.metric.horizon_blocks import HorizonBlocks
    from curvewise.rows.rows import RowOptions

Method = Literal["isotonic", "smooth", "spline", "bins"]
BandKind = Literal["consistency", "confidence", "none"]
BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result, schema="reliability"):
    """A reliability curve: ``observed`` share of positives where ``p`` was said, rising in p.

    Attributes
    ----------
    p, observed
        Probabilities as told, the mean in bins; the share of positives there.
    n
        The rows (or weight) of the isotonic block, of the bin, or as many as the smooth value is worth.
    low, high
        The ends of the band, or None.
    method, bins, binning, knots, bands, level, replicates
        As in `curvewise.reliability`; None where the method has no such thing.
    start, stop, empty
        The edges of the bins, else None; how many had no row and are left out.
    blocks
        The isotonic fit itself, block by block, else None.
    """

    p: Floats
    observed: Floats
    n: Floats
    low: Floats | None
    high: Floats | None
    method: str
    bands: str
    level: float
    bins: int | None = None
    binning: str | None = None
    knots: int | None = None
    replicates: int | None = None
    start: Floats | None = None
    stop: Floats | None = None
    blocks: Isotonic | None = None
    empty: int = 0
    notes: tuple[Note, ...] = ()
    backend: str | None = None

    def __post_init__(self) -> None:
        for values in self._columns().values():
            values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.p)

    def _columns(self) -> dict[str, NDArray[Any]]:
        names = ("start", "stop", "p", "observed", "low", "high", "n")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    @property
    def table(self) -> Table:
        """The points as a table."""
        columns = {name: values.tolist() for name, values in self._columns().items()}
        return Table(self._title(), columns, self.backend)

    def content(self) -> dict[str, Any]:
        """Return how it was made, one dict per point, and the isotonic blocks."""
        names = ("method", "bins", "binning", "knots", "bands", "level", "replicates", "empty", "notes")
        made = {name: json_safe(getattr(self, name)) for name in names}
        blocks = {} if self.blocks is None else {"blocks": self.blocks.content()}
        return {**made, **self.table.content(), **blocks}

    def _title(self) -> str:
        if self.bins is not None:
            kind = f"{count(self.bins, 'bin')} of equal {self.binning}"
            kind += f", {self.empty} without a row" if self.empty else ""
        elif self.knots is not None:
            kind = f"spline, {count(self.knots, 'knot')}"
        else:
            kind = "smooth" if self.blocks is None else f"isotonic, {count(len(self.blocks), 'block')}"
        if self.bands == "none":
            return f"Reliability: {kind}"
        times = f", {self.replicates} replicates" if self.replicates else ""
        return f"Reliability: {kind}; {percent(self.level)} {self.bands}{times}"

    def __str__(self) -> str:
        return f"{self._title()}; {count(len(self), 'point')}"


def reliability(
    y: object,
    p: object = None,
    *,
    method: Method | None = None,
    bins: int | None = None,
    binning: Binning | None = None,
    knots: int | None = None,
    bands: BandKind | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = 0,
    **rows: Unpack[RowOptions],
) -> Reliability:
    """Return how often it happened when p was said: the reliability diagram.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`.
    method
        ``"isotonic"`` (default): the best rising curve, nothing to choose. ``"smooth"``: a local line.
        ``"spline"``: a logistic regression on a restricted cubic spline of logit(p). ``"bins"`` (default where
        ``bins`` or ``binning`` is given): shares in bins.
    bins, binning
        How many bins, 10 by default, of equal ``"width"`` (default) or equal ``"count"``.
    knots
        Of the spline, 3, 4 or 5: by default 3 with fewer than 30 rows of a class, 4 with fewer than 100, else 5.
    bands
        ``"consistency"`` (default of isotonic): where the curve would lie if the probabilities were right.
        ``"confidence"`` (default of the others): where the truth may lie. ``"none"``: neither.
    level, replicates, rng
        As in `curvewise.interval`: of the bands, at each point by itself; resamples of the consistency band.

    Notes
    -----
    Isotonic and smooth curves are read at no more than 101 places; ``blocks`` has the whole isotonic fit.

    *Consistency*: labels are drawn with the probabilities themselves and fitted again; a curve that leaves
    the band speaks against calibration. *Confidence* of the isotonic curve: for a lower limit at p, the rows
    at and just below p, whose mean share can only be lower, with Clopper and Pearson's limit; above p
    likewise. It holds for any number of rows and any true curve that rises, and is therefore wide; resampling
    the fit is not used since it does not cover. *Bins* have Wilson's interval. The *smooth*
    curve has value ± z standard errors, which know nothing of the bias of smoothing. The *spline* has logit ± z
    standard errors of the fit (with clusters or weights from a jackknife); its knots are Harrell's quantiles of
    the information p(1 - p), and beyond the outer ones it is a straight line of the log odds. Its band covers
    where the truth bends no more than the knots allow.

    Equal widths are (k/bins, (k+1)/bins]. Smooth: a straight line through the n^(4/5) nearest rows, with
    tricube weights. Weighted rows count as Kish's effective number.

    *Clusters*: rows of one cluster count as fewer rows, W² / ((1 - ρ)Σw² + ρΣ(cluster's weight)²), with ρ the
    correlation of two outcomes of a cluster around the isotonic curve, estimated from all pairs of rows; a
    note gives it. The labels of the consistency band are drawn with that correlation. Rows that are copies of
    each other have ρ = 1 and tell as much as one of them.

    *At a horizon* (`curvewise.horizon`) bins hold all rows, the unknown ones too: the share in each is observed by
    Kaplan–Meier (Aalen–Johansen with competing events), with log-log limits; it is undefined where follow-up ends
    before the horizon, and has no limits where no row, or every one, had the event. The other curves are of the known
    rows, with weights of inverse probability.

    Bins hide what happens inside them, and depend on their number: look at the isotonic curve first.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118. Bröcker & Smith (2007) Weather and
    Forecasting 22:651-661. Clopper & Pearson (1934) Biometrika 26:404-413. Wilson (1927) J. Am. Stat. Assoc.
    22:209-212. Cleveland (1979) J. Am. Stat. Assoc. 74:829-836. Kish (1965) Survey Sampling, ch. 5. Harrell
    (2015) Regression Modeling Strategies, ch. 2.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> cw.reliability(y, p)
    Reliability: isotonic, 2 blocks; 95% consistency, 1000 replicates; 6 points
    >>> print(cw.reliability(y, p, bins=2).table)
    Reliability: 2 bins of equal width; 95% confidence
    <BLANKLINE>
    start    stop       p  observed     low    high  n
    ──────  ──────  ──────  ────────  ──────  ──────  ─
         0  0.5000  0.3000    0.4000  0.1176  0.7693  5
    0.5000       1  0.9000         1  0.2065       1  1
    """
    one_of("method", method, (None, *get_args(Method)))
    one_of("binning", binning, (None, *BINNINGS))
    one_of("bands", bands, (None, *get_args(BandKind)))
    cut_by = "bins" if bins is not None else "binning" if binning is not None else None
    method = method or ("isotonic" if cut_by is None else "bins")
    if bins is not None:
        whole("bins", bins, 1)
    if cut_by is not None and method != "bins":
        raise CurvewiseError(f"{cut_by}: method={method!r} has no bins; leave one of them out.")
    if knots is not None and method != "spline":
        raise CurvewiseError(f"knots: method={method!r} has none; leave it out, or pass method='spline'.")
    one_of("knots", knots, (None, *QUANTILES))
    if bands == "consistency" and method != "isotonic":
        raise CurvewiseError(
            f"bands: method={method!r} has bands='confidence'; 'consistency' is for the isotonic curve."
        )
    kind = bands or ("consistency" if method == "isotonic" else "confidence")
    level, replicates = real("level", level, 0, 1, closed=False), whole("replicates", replicates, 2)
    random_stream(rng)  # refuses what is no seed
    sweep, blocks = read_blocks(y, p, rows)
    common: dict[str, Any] = {"method": method, "bands": kind, "level": level, "backend": sweep.backend}
    common["notes"] = _notes(sweep, blocks, method)
    low = high = fit = None
    if method == "bins":
        common |= {"bins": BINS if bins is None else bins, "binning": binning or "width"}
        if blocks.horizon is not None:
            return _horizon_bins(blocks.horizon, common)
        cut = in_bins(sweep, common["bins"], common["binning"])
        if kind != "none":
            worth = zip(cut.observed, cut.n**2 / cut.squares(blocks, "A band"), strict=True)
            low, high = np.array([rate_interval(share * n, n, level=level) for share, n in worth]).T
        common |= {"start": cut.low, "stop": cut.high, "empty": cut.empty}
        return Reliability(cut.mean, cut.observed, cut.n, low, high, **common)
    squares = (blocks.positives, blocks.negatives)
    if method in ("smooth", "spline") or kind != "none":
        squares = blocks.need_squares("A band" if method == "isotonic" else "A smooth curve")
    data = points(sweep, blocks, squares)
    at = data.grid()
    if method == "spline":
        return _spline(blocks, data.p[at], knots, common)
    if method == "smooth":
        curve = smoothed(data, at)
        observed, n = curve.value, 1 / data.variance(curve.weight)  # rows of equal weight that it is worth
        if kind != "none":
            low, high = _smooth_band(data, at, curve, n, level)
    else:
        fit = fitted(sweep)
        observed, n = fit.apply(data.p[at]), fit.n[np.searchsorted(fit.low, data.p[at], side="right") - 1]
        if kind == "consistency":
            low, high = consistency(data, at, level, replicates, rng)
            common["replicates"] = replicates
        elif kind == "confidence":
            low, high = confidence(data, at, level)
            low, high = np.minimum(low, observed), np.maximum(high, observed)
    return Reliability(data.p[at], observed, n, low, high, blocks=fit, **common)


def _notes(sweep: Sweep, blocks: Blocks, method: str) -> tuple[Note, ...]:
    """Say how clusters, strata and the rows of a horizon were counted."""
    at = "reliability_in_bins_at_horizon" if method == "bins" else "reliability_at_horizon"
    return cluster_notes(blocks) + _strata_notes(blocks) + horizon_notes(sweep, at)


def horizon_notes(sweep: Sweep, code: str) -> tuple[Note, ...]:
    """Say which rows are behind the numbers of a horizon, and by a note how they are counted."""
    if (here := sweep.horizon) is None:
        return ()
    return (here.counts,) if here.is_known else (here.counts, note(code))


def _horizon_bins(horizon: HorizonBlocks, common: dict[str, Any]) -> Reliability:
    """Return bins of all rows, the unknown ones too: the mean probability, and the share observed by Kaplan–Meier.

    A bin whose follow-up ends before the horizon has no share; where no row, or every one, had the event, no limits.
    """
    at, rows = horizon.at, horizon.rows
    name = rows.models[0]
    kept = replace(at.everyone, scores={name: np.clip(at.everyone.scores[name].astype(np.float64), 0, 1)})
    cut = in_bins(sweep_of(kept.take(at.standing_for)), common["bins"], common["binning"])
    p, unique = kept.scores[name], np.unique(kept.scores[name][at.standing_for])
    which = np.searchsorted(cut.start, np.searchsorted(unique, p), side="right") - 1
    found = [at.weighing.observed(at.standing_for & (which == k), common["level"]) for k in range(len(cut.start))]
    observed, _, low, high = np.array(found).T
    if common["bands"] == "none":
        low = high = None
    edges: dict[str, Any] = {"start": cut.low, "stop": cut.high, "empty": cut.empty}
    return Reliability(cut.mean, observed, cut.n, low, high, **common, **edges)


def _strata_notes(blocks: Blocks) -> tuple[Note, ...]:
    """Say that a curve takes outcomes as independent of strata, where rows have any."""
    if blocks.sampled is None:
        return ()
    return (note("strata_given_probability", strata=blocks.sampled.strata.number),)


def _spline(blocks: Blocks, at: Floats, knots: int | None, common: dict[str, Any]) -> Reliability:
    found = spline_curve(blocks, at, knots, common["level"])
    if found.left_out:
        common["notes"] += (note("certain_rows_left_out", left_out=found.left_out, rows=blocks.n),)
    low, high = (None, None) if common["bands"] == "none" else (found.low, found.high)
    return Reliability(found.p, found.observed, found.rows, low, high, knots=found.knots, **common)


def cluster_notes(blocks: Blocks) -> tuple[Note, ...]:
    """Say how clusters were counted, where there are any."""
    if (cells := blocks.clusters) is None:
        return ()
    return (note("clusters_counted", clusters=cells.number, correlation=cells.correlation),)


def _smooth_band(
    data: Points, at: NDArray[np.intp], curve: Smooth, rows: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return value ± z standard errors, cut to [0, 1]."""
    z = critical_value(level, math.inf if data.clusters is None else data.clusters.degrees)
    # drawn a little to the middle (as by Agresti and Coull): a window without a positive is not certain
    drawn = (curve.value * rows + z * z / 2) / (rows + z * z)
    share = np.interp(data.p, data.p[at], drawn)
    error = np.sqrt(data.variance(curve.weight * np.sqrt(share * (1 - share))))
    return np.maximum(curve.value - z * error, 0), np.minimum(curve.value + z * error, 1)


# ---- The share of positives as a logistic regression on a spline of logit(p), with a band by the delta method ----

FEW, SOME = 30, 100  # rows of the smaller class below which 3 knots, or 4, are all that the rows can bear
STEEP = 700.0  # log odds beyond which e overflows


class SplineCurve(NamedTuple):
    """Probabilities, rising, the fitted share at each, its ends, and the rows that it is worth."""

    p: Floats
    observed: Floats
    low: Floats
    high: Floats
    rows: Floats
    knots: int
    left_out: float


def spline_curve(blocks: Blocks, at: Floats, knots: int | None, level: float) -> SplineCurve:
    """Fit logit P(y) = a + b·logit(p) + bends, and read it at the places between 0 and 1.

    Knots are Harrell's quantiles of the information p(1 - p), so that they lie where the outcome tells.
    """
    used, left_out = between_0_and_1(blocks, "A spline curve")
    need_overlap(used, "A spline curve")
    if knots is None:
        smaller = min(used.positives.sum(), used.negatives.sum()) * blocks.rows("A spline curve") / blocks.n
        knots = 3 if smaller < FEW else 4 if smaller < SOME else 5
    found = knots_of(used, knots)
    fit = fit_logistic(lambda some: spline_columns(some.odds, found), used, left_out=left_out)
    at = at[(at > 0) & (at < 1)]
    x = np.stack([np.ones(len(at)), *spline_columns(log_odds(at), found)])
    middle = fit.coefficients @ x
    error = np.sqrt(np.einsum("ji,jk,ki->i", x, fit.covariance, x))
    degrees = math.inf if fit.degrees is None else float(np.nanmin(fit.degrees))
    away = critical_value(level, degrees) * error
    ends = (middle, middle - away, middle + away)
    value, low, high = (1 / (1 + np.exp(-np.clip(each, -STEEP, STEEP))) for each in ends)
    rows = 1 / np.maximum(value * (1 - value) * error**2, 1e-300)
    return SplineCurve(at, value, low, high, rows, len(found), left_out)
