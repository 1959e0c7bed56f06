"""D-calibration: whether predicted survival at each row's own time is uniform, as it should be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.censored.outcomes import outcomes_of_columns
from curvewise.core.probability import SLIP, outside_error
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import whole
from curvewise.rows.columns import Column, count

if TYPE_CHECKING:
    from curvewise.rows.rows import Missing

BINS = 10
ROLE = "survival_at_own_time"
LEAST = 1e-100  # survival, as a smaller one counts where events are expected: 0 would expect any number
FEW = 5  # rows expected in a bin below which χ² is no good approximation


@dataclass(frozen=True, eq=False, repr=False)
class DCalibration(Result, schema="d_calibration"):
    """Predicted survival at each row's own time, counted in bins of equal width, with a test of uniformity.

    Attributes
    ----------
    start, stop, counts
        The ends of the bins, from low survival on, and how many rows each holds; a censored row is spread over its
        own bin and those below.
    expected
        How many each would hold if the predictions are right.
    statistic, degrees, p_value
        Pearson's χ² with one degree less than bins; the p-value allows for what censoring takes from its variance.
    rows, events
        How many rows, and how many of them had the event.
    expected_events, p_events
        How many events the predictions expect up to each row's own time, and the p-value of the one-sample log-rank
        test of that number.
    """

    start: Floats
    stop: Floats
    counts: Floats
    expected: float
    statistic: float
    degrees: int
    p_value: float
    rows: int
    events: int
    expected_events: float
    p_events: float
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per bin."""
        title = f"D-calibration: χ² {show(self.statistic)}, {self.degrees} degrees of freedom, p {show(self.p_value)}; "
        title += f"{self.events} events, {show(self.expected_events)} expected, p {show(self.p_events)}"
        columns = {k: getattr(self, k).tolist() for k in ("start", "stop", "counts")}
        return Table(title, {**columns, "expected": [self.expected] * len(self.counts)}, self.backend)


def d_calibration(
    time: object,
    event: object,
    survival_at_own_time: object,
    bins: int = BINS,
    *,
    cause: object = None,
    missing: Missing = "raise",
) -> DCalibration:
    """Test whether predicted survival curves, each read at its row's own time, are uniform.

    Parameters
    ----------
    time, event
        As in `curvewise.concordance`.
    survival_at_own_time
        For each row the predicted probability S(T) of having no event up to the row's own time T.
    bins
        How many bins of equal width.
    cause
        The code of the event, where events are not 0 and 1. Competing events are refused.
    missing
        ``"raise"`` (default) or ``"drop"``.

    Returns
    -------
    DCalibration
        ``counts``, ``statistic``, ``p_value``.

    Notes
    -----
    If the curves are right, S(T) of a row with an event is uniform on [0, 1]. A censored row with s = S(T) would have
    had its event later, at a survival below s: it adds (s - a)/s to its own bin, where a is the lower end of that
    bin, and 1/(Ks) to each of the K bins below. Bin k is [(k-1)/K, k/K); s = 1 lies in the last one. The counts are
    compared with n/K by χ² with K - 1 degrees of freedom.

    A censored row varies less than one whose bin is known, so that χ² alone hardly ever rejects. What rows add to the
    counts has mean 1/K each if the curves are right, and the covariance of what they add gives the mean and the
    variance of χ²; a multiple of χ² with the same two gives the p-value (Rao and Scott's second correction).

    The test looks at the whole shape and needs many rows. If predictions are wrong in one direction, the events are
    too many or too few: the one-sample log-rank test compares their number O with E = Σ -log s by (O - E)/√E.

    References
    ----------
    Haider, Hoehn, Davis & Greiner (2020) J. Mach. Learn. Res. 21(85):1-63. Rao & Scott (1981) J. Am. Stat. Assoc.
    76:221-230. Breslow (1975) Int. Stat. Rev. 43:45-57.

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.d_calibration([5, 3, 9, 9], [1, 0, 1, 0], [0.7, 0.8, 0.2, 0.4], bins=2)
    >>> found.counts.tolist(), round(found.p_value, 4)
    ([2.625, 1.375], 0.4751)
    """
    bins = whole("bins", bins, 2)
    read = outcomes_of_columns(time, event, {"s": (ROLE, survival_at_own_time)}, cause=cause, missing=missing)
    if read.has_competing:
        rows = count(int(np.count_nonzero(read.code > 1)), "row")
        raise CurvewiseError(f"event: {rows} had a competing event, and D-calibration does not support these.")
    values = read.score
    if values.max() > 1 + SLIP or values.min() < -SLIP:
        raise outside_error(Column(ROLE, values, rows=read.kept), np.unique(values)[::-1])
    s = np.clip(values.astype(np.float64), 0, 1)
    shares = _shares_of_bins(s, read.event, bins)
    counts, n = shares.sum(axis=0), len(read)
    expected = n / bins
    statistic = float(np.sum((counts - expected) ** 2) / expected)
    lost = float(np.mean(read.censored))
    hazard, events = float(-np.log(np.maximum(s, LEAST)).sum()), int(np.count_nonzero(read.event))
    notes = read.notes
    notes += (note("d_calibration_censored", share=lost),) if lost else ()
    notes += (note("d_calibration_few", expected=expected),) if expected < FEW else ()
    return DCalibration(
        start=np.arange(bins) / bins,
        stop=np.arange(1, bins + 1) / bins,
        counts=counts,
        expected=expected,
        statistic=statistic,
        degrees=bins - 1,
        p_value=_p_value(statistic, shares, censored=lost > 0),
        rows=n,
        events=events,
        expected_events=hazard,
        p_events=math.erfc(abs(events - hazard) / math.sqrt(2 * hazard)) if hazard else float(not events),
        notes=notes,
        backend=read.backend,
    )


def _shares_of_bins(s: Floats, event: NDArray[np.bool_], bins: int) -> Floats:
    """Return what each row adds to each bin: 1 to that of its event, or shares to those where it may still lie."""
    edges, s = np.arange(bins) / bins, s[:, None]
    own = np.searchsorted(edges[1:], s, side="right")
    above, known = np.maximum(s, 1 / bins), event[:, None]  # nothing is below the lowest bin
    in_own = np.where(known, 1.0, 1 - edges[own] / above)
    in_lower = np.where(known | (np.arange(bins) > own), 0.0, 1 / bins / above)
    return np.where(np.arange(bins) == own, in_own, in_lower)


def _p_value(statistic: float, shares: Floats, *, censored: bool) -> float:
    """Return the p-value of χ², whose mean and variance are those of rows of which some were censored."""
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    n, bins = shares.shape
    if not censored or n == 1:
        return float(chdtrc(bins - 1, statistic))
    away = (shares - 1 / bins) * math.sqrt(bins)
    covariance, squares = away.T @ away / n, np.sum(away**2, axis=1)
    mean = float(np.trace(covariance))
    # tr Σ² without the products of a row with itself, and no less than that of equal variances
    square = (n * n * float(np.sum(covariance**2)) - float(squares @ squares)) / (n * (n - 1))
    square = max(square, mean**2 / (bins - 1))
    return float(chdtrc(mean**2 / square, statistic * mean / square)) if mean else 1.0
