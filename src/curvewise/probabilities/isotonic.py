"""The isotonic fit: the share of positives as a rising step function of the score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Unpack

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.sweep import as_sweep
from curvewise.core.threads import in_threads
from curvewise.curves.hull import hull_places
from curvewise.errors import CurvewiseError
from curvewise.results.result import Result, Table
from curvewise.rows.columns import count
from curvewise.rows.reading import read_columns, real_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.core import kernel
    from curvewise.core.sweep import Sweep
    from curvewise.errors import Note
    from curvewise.rows.reading import RowOptions

    Floats = NDArray[np.float64]

COLUMNS = ("low", "high", "n", "positives", "value")
MOST_SHOWN = 20  # blocks in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class Isotonic(Result):
    """The blocks of an isotonic fit, in rising order of score.

    Attributes
    ----------
    low, high
        The lowest and the highest score of each block.
    n, positives
        How many rows (or how much weight), and how many of them positive.
    value
        The fitted probability: the share of positives in the block.
    higher_is
        Which end of the scores means positive; with ``"negative"`` the values fall.
    """

    low: Floats
    high: Floats
    n: kernel.Counts
    positives: kernel.Counts
    value: Floats
    higher_is: str = "positive"
    backend: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in COLUMNS:
            getattr(self, name).flags.writeable = False

    def __len__(self) -> int:
        return len(self.value)

    def apply(self, score: object) -> Floats:
        """Return the fitted probability of each score.

        Between two blocks it runs in a straight line from the end of one to the start of the next, as in
        scikit-learn's ``IsotonicRegression``; beyond the scores that were fitted it stays at the last value.
        """
        column = read_columns({"score": score}, "raise")[0]["score"]
        ends = np.column_stack([self.low, self.high]).ravel()
        values = np.repeat(self.value, 2)
        new = np.append(True, ends[1:] != ends[:-1])  # a block of one score has one end
        fitted: Floats = np.interp(real_numbers(column), ends[new], values[new])
        return fitted

    @property
    def table(self) -> Table:
        """One row per block."""
        return Table(str(self), {name: getattr(self, name).tolist() for name in COLUMNS}, self.backend)

    def parts(self) -> list[Table | Note]:
        """Return the blocks if they are few, else their number and their ends."""
        if len(self) <= MOST_SHOWN:
            return [self.table]
        ends = {name: getattr(self, name)[[0, -1]].tolist() for name in COLUMNS}
        return [Table(str(self), {"block": [1, len(self)], **ends})]

    def __str__(self) -> str:
        return (
            f"Isotonic({count(len(self), 'block')}, scores {self.low[0]:.6g} to {self.high[-1]:.6g}, "
            f"fitted {self.value[0]:.6g} to {self.value[-1]:.6g})"
        )


def isotonic(y: object, score: object = None, **rows: Unpack[RowOptions]) -> Isotonic:
    """Fit the share of positives as a rising function of the score.

    Parameters
    ----------
    y, score
        A `Sweep` or `Rows` alone, or labels and finite scores with the options of `curvewise.sweep`. Scores
        need not be probabilities: any that rank will do.

    Notes
    -----
    The maximum likelihood fit, and the least squares fit, among all rising functions. Its blocks are the
    segments of the ROC curve's convex hull, and are read from there (`curvewise.roc_hull`): pooling adjacent
    violators and dropping points below a chord are one operation. Exact for whole counts; linear in time
    after the sort. Fitted and judged on the same rows it looks better than it is; its first and last blocks
    are often 0 and 1, which a few rows do not prove.

    References
    ----------
    Ayer et al. (1955) Ann. Math. Statist. 26:641-647. Zadrozny & Elkan (2002) KDD 694-699. Fawcett &
    Niculescu-Mizil (2007) Machine Learning 68:97-106.

    Examples
    --------
    >>> import curvewise as cw
    >>> fit = cw.isotonic([0, 0, 0, 1, 1, 1], [0.4, 0.3, 0.2, 0.1, 0.5, 0.9])
    >>> fit
    Isotonic(2 blocks, scores 0.1 to 0.9, fitted 0.25 to 1)
    >>> fit.apply([0.2, 0.45, 0.95])
    array([0.25 , 0.625, 1.   ])
    """
    sweep = as_sweep(y, score, rows)
    if not sweep.all_scored:
        raise CurvewiseError("A sweep in which some positives have no score has no isotonic fit.")
    ends = sweep.threshold[[0, -1]].astype(np.float64)
    if not np.isfinite(ends).all():
        raise CurvewiseError("score: an isotonic fit needs finite scores, and an end of these is infinite.")
    return fitted(sweep)


def fitted(sweep: Sweep) -> Isotonic:
    """Fit a sweep that passed the door."""
    corners = _corners(sweep.tp, sweep.fp)
    places = hull_places(sweep.tp[corners], sweep.fp[corners])
    ends = corners[places[1:] - 1]
    pos, neg = (np.diff(c[ends], prepend=c.dtype.type(0)) for c in (sweep.tp, sweep.fp))
    first, last = sweep.threshold[np.append(0, ends[:-1] + 1)], sweep.threshold[ends]
    # fractional weights round: what is equal may seem to fall by a last bit
    value = np.minimum.accumulate(pos / (pos + neg))
    turn = slice(None, None, -1 if sweep.higher_is == "positive" else 1)
    low, high = (last, first) if sweep.higher_is == "positive" else (first, last)
    bounds = low[turn].astype(np.float64), high[turn].astype(np.float64)
    n, positives, value = (c[turn].copy() for c in (pos + neg, pos, value))
    return Isotonic(*bounds, n, positives, value, sweep.higher_is, sweep.backend)


def _corners(tp: kernel.Counts, fp: kernel.Counts) -> NDArray[np.intp]:
    """Return the blocks that may end a segment of the hull: with a positive, before one with a negative.

    The hull would drop the others too, but by multiplying; most rows of a large sweep go this way.
    """

    def part(here: slice) -> NDArray[np.intp]:
        led, next_fp = tp[max(here.start - 1, 0) : here.stop], fp[here.start : here.stop + 1]
        rises = led[1:] != led[:-1]
        if not here.start:
            rises = np.append(led[0] != 0, rises)
        falls = next_fp[1:] != next_fp[:-1]
        if here.stop == len(tp):
            falls = np.append(falls, True)
        return np.asarray(np.flatnonzero(rises & falls) + here.start)

    found: NDArray[np.intp] = np.concatenate(in_threads(part, list(slices(len(tp))), len(tp)))
    last = len(tp) - 1
    return found if len(found) and found[-1] == last else np.append(found, last)
