"""The reliability diagram: how often it happened when p was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from curvewise.core.rate import rate_interval
from curvewise.errors import CurvewiseError
from curvewise.metric.bin_points import points
from curvewise.metric.bins import WAYS, in_bins
from curvewise.metric.blocks import read_blocks
from curvewise.metric.local_mean import effective_rows, smooth_interval, smoothed
from curvewise.probabilities.isotonic import Isotonic, fitted
from curvewise.probabilities.monotone import confidence, consistency
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, real, whole
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.bins import BinWay
    from curvewise.metric.blocks import Blocks
    from curvewise.rows.reading import RowOptions

    Floats = NDArray[np.float64]

How = Literal["isotonic", "width", "mass", "smooth"]
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
    how, bins
        ``"isotonic"``, ``"smooth"``, or bins of equal ``"width"`` or ``"mass"`` and how many were asked for.
    bands, level, replicates
        ``"consistency"``, ``"confidence"`` or ``"none"``; their level; resamples, where there were any.
    start, stop
        The edges of the bins, else None.
    blocks
        The isotonic fit itself, block by block, else None.
    empty
        Bins without a row: they are left out.
    """

    p: Floats
    observed: Floats
    n: Floats
    low: Floats | None
    high: Floats | None
    how: str
    bands: str
    level: float
    bins: int | None = None
    replicates: int | None = None
    start: Floats | None = None
    stop: Floats | None = None
    blocks: Isotonic | None = None
    empty: int = 0
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

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``)."""
        return self.table.to_frame(backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, JSON-safe."""
        made = {k: getattr(self, k) for k in ("how", "bins", "bands", "level", "replicates", "empty")}
        blocks = {} if self.blocks is None else {"blocks": self.blocks.to_dict()}
        return {**{k: json_safe(v) for k, v in made.items()}, **self.table.to_dict(), **blocks}

    def _title(self) -> str:
        if self.bins is not None:
            kind = f"{count(self.bins, 'bin')} of equal {self.how}"
            kind += f", {self.empty} without a row" if self.empty else ""
        else:
            kind = "smooth" if self.blocks is None else f"isotonic, {count(len(self.blocks), 'block')}"
        if self.bands == "none":
            return f"Reliability: {kind}"
        times = f", {self.replicates} replicates" if self.replicates else ""
        return f"Reliability: {kind}; {100 * self.level:.4g} % {self.bands}{times}"

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return f"{self._title()}; {count(len(self), 'point')}"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def reliability(
    y: object,
    p: object = None,
    *,
    bins: int | None = None,
    how: How | None = None,
    bands: BandKind | None = None,
    level: float = 0.95,
    replicates: int = 1000,
    rng: np.random.Generator | int | None = None,
    **rows: Unpack[RowOptions],
) -> Reliability:
    """Return how often it happened when p was said: the reliability diagram.

    Parameters
    ----------
    y, p
        Labels and probabilities of the positive class, with the options of `curvewise.sweep`; or a
        `Sweep` of probabilities alone.
    bins
        None (default): no bins. A number: that many bins.
    how
        ``"isotonic"`` (default): the best rising curve, nothing to choose. ``"width"`` (default where
        ``bins`` is given) or ``"mass"``: bins, 10 of them if no number is given. ``"smooth"``: a local line.
    bands
        ``"consistency"`` (default of isotonic): where the curve would lie if the probabilities were right.
        ``"confidence"`` (default of the others): where the truth may lie. ``"none"``: neither.
    level
        Of the bands, at each point by itself.
    replicates, rng
        Resamples, and their seed or generator, of the consistency band.

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
    tricube weights. With fractional weights, rows count as Kish's effective number.

    Bins hide what happens inside them, and another number of bins tells another story: look at the isotonic
    curve first.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118. Bröcker & Smith (2007) Weather and
    Forecasting 22:651-661. Clopper & Pearson (1934) Biometrika 26:404-413. Wilson (1927) J. Am. Stat. Assoc.
    22:209-212. Cleveland (1979) J. Am. Stat. Assoc. 74:829-836.

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> cw.reliability(y, p, rng=0)
    Reliability: isotonic, 2 blocks; 95 % consistency, 1000 replicates; 6 points
    >>> print(cw.reliability(y, p, bins=2))
    Reliability: 2 bins of equal width; 95 % confidence
    <BLANKLINE>
    start    stop       p  observed     low    high  n
    ──────  ──────  ──────  ────────  ──────  ──────  ─
         0  0.5000  0.3000    0.4000  0.1176  0.7693  5
    0.5000       1  0.9000         1  0.2065       1  1
    """
    how, kind = _choices(bins, how, bands)
    level = real("level", level, 0, 1, closed=False)
    replicates = whole("replicates", replicates, 2)
    sweep, blocks = read_blocks(y, p, rows)
    if how == "isotonic":
        return _isotonic(sweep, blocks, kind, level, replicates, rng)
    if how == "smooth":
        return _smooth(sweep, blocks, kind, level)
    return _binned(sweep, blocks, BINS if bins is None else bins, how, kind, level)


def _choices(bins: int | None, how: How | None, bands: BandKind | None) -> tuple[How, str]:
    one_of("how", how, (None, "isotonic", *WAYS, "smooth"))
    one_of("bands", bands, (None, "consistency", "confidence", "none"))
    chosen: How = how or ("isotonic" if bins is None else "width")
    if bins is not None:
        whole("bins", bins, 1)
        if chosen not in WAYS:
            raise CurvewiseError(f"bins: how={chosen!r} has no bins; leave bins out, or how.")
    if bands == "consistency" and chosen != "isotonic":
        raise CurvewiseError(
            f"bands: how={chosen!r} comes with bands='confidence'; 'consistency' is for the isotonic curve."
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
    fit, data = fitted(sweep), points(sweep, blocks, squares=kind != "none")
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
    return Reliability(
        p,
        observed,
        rows,
        low,
        high,
        "isotonic",
        kind,
        level,
        replicates=replicates if kind == "consistency" else None,
        blocks=fit,
        backend=sweep.backend,
    )


def _smooth(sweep: Sweep, blocks: Blocks, kind: str, level: float) -> Reliability:
    data = points(sweep, blocks)
    at = data.grid()
    curve = smoothed(data, at)
    low = high = None
    if kind != "none":
        low, high = smooth_interval(data, at, curve, level)
    rows = effective_rows(data, curve)
    return Reliability(data.p[at], curve.value, rows, low, high, "smooth", kind, level, backend=sweep.backend)


def _binned(sweep: Sweep, blocks: Blocks, bins: int, how: BinWay, kind: str, level: float) -> Reliability:
    cut = in_bins(sweep, bins, how)
    low = high = None
    if kind != "none":
        squares = np.add.reduceat(np.add(*blocks.need_squares("A band"))[::-1], cut.start)
        low, high = _wilson(cut.observed, cut.n**2 / squares, level)
    return Reliability(
        cut.mean,
        cut.observed,
        cut.n,
        low,
        high,
        how,
        kind,
        level,
        bins=bins,
        start=cut.low,
        stop=cut.high,
        empty=cut.empty,
        backend=sweep.backend,
    )


def _wilson(share: Floats, rows: Floats, level: float) -> tuple[Floats, Floats]:
    ends = [rate_interval(s * n, n, level=level) for s, n in zip(share, rows, strict=True)]
    low, high = np.array(ends).T
    return low, high
