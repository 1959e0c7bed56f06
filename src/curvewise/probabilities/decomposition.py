"""A loss taken apart: miscalibration, discrimination, uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from curvewise.core.probability import probability_sweep
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.metric.losses import LOSSES, warned
from curvewise.metric.probability_bins import BINNINGS, Binning, in_bins
from curvewise.probabilities.isotonic import fitted
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of, whole

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

LossName = Literal["brier", "log", "spherical"]


@dataclass(frozen=True, repr=False)
class Decomposition(Result, schema="decomposition"):
    """Parts that add up: score = miscalibration - discrimination + uncertainty + within.

    Attributes
    ----------
    loss, score
        Which loss was taken apart, and its mean.
    miscalibration, discrimination
        What recalibrating would save, and what the recalibrated probabilities save against the base rate.
    uncertainty
        The loss of the base rate: how hard these rows are to tell.
    method, bins, binning
        ``"isotonic"``, or ``"bins"``: how many, of equal ``"width"`` or ``"count"``.
    within
        What bins hide: the loss of the probabilities less that of their bins' means. 0 for isotonic.
    """

    loss: str
    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    method: str = "isotonic"
    bins: int | None = None
    binning: str | None = None
    within: float = 0.0

    @property
    def skill(self) -> float:
        """The share of the base rate's loss that is saved: 1 - score / uncertainty."""
        if self.uncertainty == 0:
            raise UndefinedMetricError("A skill score needs both classes, and one is absent here.")
        return 1 - self.score / self.uncertainty

    @property
    def table(self) -> Table:
        """The loss and its parts, one row per part, each with its sign in the sum."""
        parts = {"score": "=", "miscalibration": "+", "discrimination": "-", "uncertainty": "+"}
        if self.bins is not None:
            parts["within"] = "+"
        columns = {"part": [*parts], "sign": [*parts.values()], "value": [getattr(self, k) for k in parts]}
        return Table(f"{self.loss} loss ({self._how()})", columns)

    def _how(self) -> str:
        return "isotonic" if self.bins is None else f"{self.bins} bins of equal {self.binning}"

    def __str__(self) -> str:
        within = "" if self.bins is None else f" + within bins {show(self.within)}"
        return (
            f"{self.loss} loss {show(self.score)} = miscalibration {show(self.miscalibration)} "
            f"- discrimination {show(self.discrimination)} + uncertainty {show(self.uncertainty)}"
            f"{within} ({self._how()})"
        )


def decompose(
    y: object,
    p: object = None,
    *,
    loss: LossName = "brier",
    bins: int | None = None,
    binning: Binning | None = None,
    **rows: Unpack[RowOptions],
) -> Decomposition:
    """Take a mean loss apart into miscalibration, discrimination and uncertainty.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`.
    loss
        ``"brier"`` (default), ``"log"`` or ``"spherical"``.
    bins
        None (default) recalibrates by the isotonic fit, with nothing to choose. A number gives the
        classical decomposition in so many bins, for comparison.
    binning
        Bins of equal ``"width"`` (default) or equal ``"count"``.

    Notes
    -----
    With S the mean loss of p, R that of the recalibrated probabilities and U that of the base rate:
    miscalibration S - R, discrimination U - R, uncertainty U (CORP). Both parts are 0 or more. R is fitted
    on the rows it is judged on, so with few rows both are somewhat too large, by the same amount.

    In bins, recalibrated means the bin's share of positives. Miscalibration (Murphy's reliability) compares
    it with the bin's mean probability, and ``within`` is the rest: for Brier, the variance of p within bins
    less twice its covariance with y. What bins say depends on the bins.

    An infinite log loss is all miscalibration; a fitted 0 or 1 costs nothing, since it is never wrong on the
    rows it was fitted to. When a class is absent, uncertainty and discrimination are 0.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118 (CORP). Murphy (1973) J. Appl. Meteorol.
    12:595-600. Stephenson, Coelho & Jolliffe (2008) Weather and Forecasting 23:752-757 (within bins).

    Examples
    --------
    >>> import curvewise as cw
    >>> y, p = [0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9]
    >>> cw.decompose(y, p)
    brier loss 0.2267 = miscalibration 0.1017 - discrimination 0.1250 + uncertainty 0.2500 (isotonic)
    >>> round(cw.decompose(y, p, loss="log").miscalibration, 7)
    0.3237327
    """
    one_of("loss", loss, tuple(LOSSES))
    one_of("binning", binning, (None, *BINNINGS))
    if bins is None and binning is not None:
        raise CurvewiseError("binning: says how bins are cut, so it needs bins=.")
    if bins is not None:
        whole("bins", bins, 1)
    sweep = probability_sweep(y, p, rows)
    lost = LOSSES[loss]
    score, base = warned(lost.mean(sweep), sweep), lost.at_base_rate(sweep)
    if bins is None:
        blocks = fitted(sweep)
        best = lost.total(blocks.value, blocks.positives, blocks.n - blocks.positives) / sweep.n
        # neither part can be negative; a last bit of rounding can
        return Decomposition(loss, score, max(score - best, 0.0), max(base - best, 0.0), base)
    cut = in_bins(sweep, bins, binning or "width")
    both = cut.positives, cut.n - cut.positives
    told, best = (lost.total(p, *both) / sweep.n for p in (cut.mean, cut.observed))
    within = score - told if np.isfinite(told) else 0.0  # an infinite loss of means is miscalibration
    made = "bins", bins, binning or "width", within
    return Decomposition(loss, score, told - best, base - best, base, *made)
