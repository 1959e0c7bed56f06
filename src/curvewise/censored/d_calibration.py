"""D-calibration: whether predicted survival at each row's own time is uniform, as it should be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from curvewise.censored.outcomes import outcomes_of_columns
from curvewise.core.probability import SLIP, outside_error
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import whole
from curvewise.rows.columns import Column, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.rows import Missing

    Floats = NDArray[np.float64]

BINS = 10
ROLE = "survival_at_own_time"
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
        Pearson's χ² with one degree less than bins.
    rows, events
        How many rows, and how many of them had the event.
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
    notes: tuple[Note, ...] = ()
    backend: str | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """One row per bin."""
        title = f"D-calibration: χ² {show(self.statistic)}, {self.degrees} degrees of freedom, p {show(self.p_value)}"
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

    The test judges whole curves and has little power; with many censored rows, which are spread evenly by
    construction, it rejects too rarely.

    References
    ----------
    Haider, Hoehn, Davis & Greiner (2020) J. Mach. Learn. Res. 21(85):1-63.

    Examples
    --------
    >>> import curvewise as cw
    >>> found = cw.d_calibration([5, 3, 9, 9], [1, 0, 1, 0], [0.7, 0.8, 0.2, 0.4], bins=2)
    >>> found.counts.tolist(), round(found.p_value, 4)
    ([2.625, 1.375], 0.532)
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
    edges = np.arange(bins + 1) / bins
    own = np.searchsorted(edges[1:-1], s, side="right")
    counts = np.bincount(own[read.event], minlength=bins).astype(np.float64)
    censored = read.censored
    at, where = s[censored], own[censored]
    share = np.divide(at - edges[where], at, out=np.ones(len(at)), where=at > 0)  # all of it where s is 0
    counts += np.bincount(where, share, bins)
    below = np.divide(1.0, bins * at, out=np.zeros(len(at)), where=where > 0)  # nothing is below the lowest bin
    per_bin = np.bincount(where, below, bins)
    counts += np.append(np.cumsum(per_bin[::-1])[::-1][1:], 0.0)
    n = len(read)
    expected = n / bins
    statistic = float(np.sum((counts - expected) ** 2) / expected)
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    notes = read.notes
    lost = float(np.mean(censored))
    notes += (note("d_calibration_censored", share=lost),) if lost > 0.5 else ()
    notes += (note("d_calibration_few", expected=expected),) if expected < FEW else ()
    return DCalibration(
        start=edges[:-1],
        stop=edges[1:],
        counts=counts,
        expected=expected,
        statistic=statistic,
        degrees=bins - 1,
        p_value=float(chdtrc(bins - 1, statistic)),
        rows=n,
        events=int(np.count_nonzero(read.event)),
        notes=notes,
        backend=read.backend,
    )
