"""The reliability diagram: how often it happened when p was said."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.core.resampling import REPLICATES
from curvewise.errors import CurvewiseError, Note, note
from curvewise.inference.limits import critical_value
from curvewise.metric.blocks import BINNINGS, in_bins, points, read_blocks
from curvewise.metric.smooth_reliability import smoothed
from curvewise.probabilities.isotonic import Isotonic, fitted
from curvewise.probabilities.isotonic_bands import confidence, consistency
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Binning, Blocks, Points
    from curvewise.metric.smooth_reliability import Smooth
    from curvewise.rows.reading import RowOptions

    Floats = NDArray[np.float64]

Method = Literal["isotonic", "smooth", "bins"]
BandKind = Literal["consistency", "confidence", "none"]
BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """A reliability curve: ``observed`` share of positives where ``p`` was said, rising in p.

    Attributes
    ----------
    p
        Probabilities as told; the mean in bins.
    observed
        The share of positives there.
    n
        The rows (or weight) behind each: of the isotonic block, of the bin, or as many as the smooth value
        is worth.
    low, high
        The ends of the band, or None.
    method
        ``"isotonic"``, ``"smooth"`` or ``"bins"``.
    bins, binning
        How many bins were asked for, of equal ``"width"`` or ``"count"``; else None.
    bands, level, replicates
        ``"consistency"``, ``"confidence"`` or ``"none"``; their level; resamples, where there were any.
    start, stop
        The edges of the bins, else None.
    blocks
        The isotonic fit itself, block by block, else None.
    empty
        Bins without a row: they are left out.
    notes
        What a careful reader should know.
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
        names = ("method", "bins", "binning", "bands", "level", "replicates", "empty", "notes")
        made = {name: json_safe(getattr(self, name)) for name in names}
        blocks = {} if self.blocks is None else {"blocks": self.blocks.content()}
        return {**made, **self.table.content(), **blocks}

    def _title(self) -> str:
        if self.bins is not None:
            kind = f"{count(self.bins, 'bin')} of equal {self.binning}"
            kind += f", {self.empty} without a row" if self.empty else ""
        else:
            kind = "smooth" if self.blocks is None else f"isotonic, {count(len(self.blocks), 'block')}"
        if self.bands == "none":
            return f"Reliability: {kind}"
        times = f", {self.replicates} replicates" if self.replicates else ""
        return f"Reliability: {kind}; {100 * self.level:.4g} % {self.bands}{times}"

    def __str__(self) -> str:
        return f"{self._title()}; {count(len(self), 'point')}"


def reliability(
    y: object,
    p: object = None,
    *,
    method: Method | None = None,
    bins: int | None = None,
    binning: Binning | None = None,
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
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` or `Rows` of probabilities alone.
    method
        ``"isotonic"`` (default): the best rising curve, nothing to choose. ``"smooth"``: a local line.
        ``"bins"`` (default where ``bins`` or ``binning`` is given): shares in bins.
    bins, binning
        How many bins, 10 by default, of equal ``"width"`` (default) or equal ``"count"``.
    bands
        ``"consistency"`` (default of isotonic): where the curve would lie if the probabilities were right.
        ``"confidence"`` (default of the others): where the truth may lie. ``"none"``: neither.
    level
        Of the bands, at each point by itself.
    replicates, rng
        Resamples of the consistency band, and their seed or generator: 0 by default, so that the same call
        gives the same band; None draws a fresh seed.

    Returns
    -------
    Reliability
        ``p``, ``observed``, ``n``, ``low``, ``high``. Isotonic and smooth curves are read at no more than 101
        places; ``blocks`` has the whole isotonic fit.

    Notes
    -----
    *Consistency*: labels are drawn with the probabilities themselves and fitted again; a curve that leaves
    the band speaks against calibration. *Confidence* of the isotonic curve: for a lower limit at p, the rows
    at and just below p, whose mean share can only be lower, with Clopper and Pearson's limit; above p
    likewise. It holds for any number of rows and any true curve that rises, and is therefore wide; resampling
    the fit is not used since it does not cover. *Bins* have Wilson's interval. The *smooth*
    curve has value ± z standard errors, which know nothing of the bias of smoothing.

    Equal widths are (k/bins, (k+1)/bins]. Smooth: a straight line through the n^(4/5) nearest rows, with
    tricube weights. Weighted rows count as Kish's effective number.

    *Clusters*: rows of one cluster count as fewer rows, W² / ((1 - ρ)Σw² + ρΣ(cluster's weight)²), with ρ the
    correlation of two outcomes of a cluster around the isotonic curve, estimated from all pairs of rows; a
    note gives it. The labels of the consistency band are drawn with that correlation. Rows that are copies of
    each other have ρ = 1 and tell as much as one of them.

    Bins hide what happens inside them, and another number of bins tells another story: look at the isotonic
    curve first.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118. Bröcker & Smith (2007) Weather and
    Forecasting 22:651-661. Clopper & Pearson (1934) Biometrika 26:404-413. Wilson (1927) J. Am. Stat. Assoc.
    22:209-212. Cleveland (1979) J. Am. Stat. Assoc. 74:829-836. Kish (1965) Survey Sampling, ch. 5.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> cw.reliability(y, p)
    Reliability: isotonic, 2 blocks; 95 % consistency, 1000 replicates; 6 points
    >>> print(cw.reliability(y, p, bins=2))
    Reliability: 2 bins of equal width; 95 % confidence
    <BLANKLINE>
    start    stop       p  observed     low    high  n
    ──────  ──────  ──────  ────────  ──────  ──────  ─
         0  0.5000  0.3000    0.4000  0.1176  0.7693  5
    0.5000       1  0.9000         1  0.2065       1  1
    """
    method, kind = _choices(method, bins, binning, bands)
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    sweep, blocks = read_blocks(y, p, rows)
    if method == "isotonic":
        found = _isotonic(sweep, blocks, kind, level, replicates, rng)
    elif method == "smooth":
        found = _smooth(sweep, blocks, kind, level)
    else:
        found = _binned(sweep, blocks, BINS if bins is None else bins, binning or "width", kind, level)
    return replace(found, notes=cluster_notes(blocks), backend=sweep.backend)


def cluster_notes(blocks: Blocks) -> tuple[Note, ...]:
    """Say how clusters were counted, where there are any."""
    cells = blocks.clusters
    if cells is None:
        return ()
    return (note("clusters_counted", clusters=cells.number, correlation=cells.correlation),)


def _choices(
    method: Method | None, bins: int | None, binning: Binning | None, bands: BandKind | None
) -> tuple[Method, str]:
    one_of("method", method, (None, "isotonic", "smooth", "bins"))
    one_of("binning", binning, (None, *BINNINGS))
    one_of("bands", bands, (None, "consistency", "confidence", "none"))
    cut = "bins" if bins is not None else "binning" if binning is not None else None
    chosen: Method = method or ("isotonic" if cut is None else "bins")
    if bins is not None:
        whole("bins", bins, 1)
    if cut is not None and chosen != "bins":
        raise CurvewiseError(f"{cut}: method={chosen!r} has no bins; leave one of them out.")
    if bands == "consistency" and chosen != "isotonic":
        raise CurvewiseError(
            f"bands: method={chosen!r} has bands='confidence'; 'consistency' is for the isotonic curve."
        )
    return chosen, bands or ("consistency" if chosen == "isotonic" else "confidence")


def _isotonic(
    sweep: Sweep,
    blocks: Blocks,
    kind: str,
    level: float,
    replicates: int,
    rng: np.random.Generator | int | None,
) -> Reliability:
    squares = blocks.weight if kind == "none" else np.add(*blocks.need_squares("A band"))
    fit, data = fitted(sweep), points(sweep, blocks, squares)
    at = data.grid()
    p = data.p[at]
    observed = fit.apply(p)
    rows = fit.n[np.searchsorted(fit.low, p, side="right") - 1]
    low = high = None
    if kind == "consistency":
        low, high = consistency(data, at, level, replicates, rng)
    elif kind == "confidence":
        low, high = confidence(data, at, level)
        low, high = np.minimum(low, observed), np.maximum(high, observed)
    drawn = replicates if kind == "consistency" else None
    return Reliability(p, observed, rows, low, high, "isotonic", kind, level, replicates=drawn, blocks=fit)


def _smooth(sweep: Sweep, blocks: Blocks, kind: str, level: float) -> Reliability:
    data = points(sweep, blocks, np.add(*blocks.need_squares("A smooth curve")))
    at = data.grid()
    curve = smoothed(data, at)
    rows = 1 / data.variance(curve.weight)  # of equal weight, that each value is worth
    low = high = None
    if kind != "none":
        low, high = _smooth_band(data, at, curve, rows, level)
    return Reliability(data.p[at], curve.value, rows, low, high, "smooth", kind, level)


def _smooth_band(
    data: Points, at: NDArray[np.intp], curve: Smooth, rows: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return value ± z standard errors, cut to [0, 1].

    A row varies as its own share, read from the curve, says; shares are drawn a little to the middle (as
    by Agresti and Coull), so that a window without a positive is not taken to be certain.
    """
    z = critical_value(level, math.inf if data.clusters is None else data.clusters.degrees)
    drawn = (curve.value * rows + z * z / 2) / (rows + z * z)
    share = np.interp(data.p, data.p[at], drawn)
    error = np.sqrt(data.variance(curve.weight * np.sqrt(share * (1 - share))))
    return np.maximum(curve.value - z * error, 0), np.minimum(curve.value + z * error, 1)


def _binned(
    sweep: Sweep, blocks: Blocks, bins: int, binning: Binning, kind: str, level: float
) -> Reliability:
    cut = in_bins(sweep, bins, binning)
    low = high = None
    if kind != "none":
        rows = cut.n**2 / cut.squares(blocks, "A band")
        ends = [rate_interval(s * n, n, level=level) for s, n in zip(cut.observed, rows, strict=True)]
        low, high = np.array(ends).T
    return Reliability(
        cut.mean,
        cut.observed,
        cut.n,
        low,
        high,
        "bins",
        kind,
        level,
        bins=bins,
        binning=binning,
        start=cut.low,
        stop=cut.high,
        empty=cut.empty,
    )
