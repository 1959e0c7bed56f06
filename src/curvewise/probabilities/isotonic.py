"""The isotonic fit: the share of positives as a rising step function of the score; and its bands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.resampling import replicate_draws
from curvewise.core.sweep import Sweep, as_sweep
from curvewise.core.threads import in_threads
from curvewise.curves.hull import hull_places
from curvewise.errors import CurvewiseError, Note
from curvewise.metric.blocks import Clusters, isotonic_shares
from curvewise.results.result import Result, Table
from curvewise.rows.columns import count
from curvewise.rows.reading import read_columns, real_numbers

if TYPE_CHECKING:
    from curvewise.core import kernel
    from curvewise.metric.probability_bins import Points
    from curvewise.rows.rows import RowOptions

    Draw = Callable[[np.random.Generator], NDArray[Any]]

COLUMNS = ("low", "high", "n", "positives", "value")
MOST_SHOWN = 20  # blocks in a notebook
LARGE = 5.0  # a standard deviation from which on a binomial number may be drawn as a normal one
Z = 2.0  # normal quantile by which windows are chosen: one for every level, so that bands nest


@dataclass(frozen=True, eq=False, repr=False)
class Isotonic(Result, schema="isotonic"):
    """The blocks of an isotonic fit, in rising order of score.

    Attributes
    ----------
    low, high, n, positives
        The lowest and highest score of each block; its rows (or weight), and how many of them positive.
    value, higher_is
        The share of positives in the block; with higher_is ``"negative"`` the values fall.
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

        Between blocks it runs in a straight line, as in scikit-learn's ``IsotonicRegression``; beyond the
        scores that were fitted it stays at the last value.
        """
        column = read_columns({"score": score}, "raise")[0]["score"]
        ends = np.column_stack([self.low, self.high]).ravel()
        ends, new = np.unique(ends, return_index=True)  # a block of one score has one end
        values = np.repeat(self.value, 2)[new]
        return np.asarray(np.interp(real_numbers(column).astype(np.float64, copy=False), ends, values))

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
            falls = np.append(falls, False)  # the last block always ends a segment: it is added below
        return np.asarray(np.flatnonzero(rises & falls) + here.start)

    found: NDArray[np.intp] = np.concatenate(in_threads(part, list(slices(len(tp))), len(tp)))
    return np.append(found, len(tp) - 1)


def consistency(
    data: Points, at: NDArray[np.intp], level: float, replicates: int, rng: np.random.Generator | int | None
) -> tuple[Floats, Floats]:
    """Return quantiles of the isotonic fit of labels that are drawn with the probabilities given."""
    n, places = data.n[::-1], len(data.p) - 1 - at
    draw = labels_if_right(data)

    def one(rng: np.random.Generator) -> Floats:
        pos = draw(rng)
        return isotonic_shares(np.cumsum(pos), np.cumsum(n - pos), places)

    values, _ = replicate_draws(one, replicates, rng)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def labels_if_right(data: Points) -> Draw:
    """Return what draws the positives of each point, falling, as if the probabilities were right."""
    return _labels(data) if data.clusters is None else _labels_by_cluster(data, data.clusters)


def _labels(data: Points) -> Draw:
    """Return what draws the positives of each point, falling."""
    p, n = data.p[::-1], data.n[::-1]
    if data.whole:
        return binomial_draws(n, p)
    trials = np.maximum(np.rint(data.rows[::-1]), 1).astype(np.int64)  # a tiny weight may be lost in the sums
    draw = binomial_draws(trials, p)
    return lambda rng: draw(rng) * (n / trials)


def binomial_draws(trials: NDArray[Any], p: Floats) -> Draw:
    """Return what draws a binomial number for each point.

    Where its standard deviation is large it is drawn as a normal number bent to the same mean, variance and skewness
    (Cornish & Fisher 1937), in a fifth of the time; sums of such numbers cannot be told from those of whole ones.
    """
    mean = trials * p
    variance = mean * (1 - p)
    many = variance >= LARGE**2
    if not many.any():
        return lambda rng: rng.binomial(trials, p)
    few, spread = ~many, np.sqrt(variance[many])
    bend = (1 - 2 * p[many]) / 6
    spread = np.sqrt(spread**2 - 2 * bend**2)  # what the bend adds

    def draw(rng: np.random.Generator) -> Floats:
        found, z = mean.copy(), rng.standard_normal(len(spread))
        found[many] += spread * z + bend * (z * z - 1)
        found[few] = rng.binomial(trials[few], p[few])
        return found

    return draw


def _labels_by_cluster(data: Points, cells: Clusters) -> Draw:
    """Return what draws labels that go together within clusters as those of the rows do.

    A label is positive where a uniform number lies below p. With the chance √correlation a row takes its
    cluster's number, else its own, so two rows of a cluster share one as often as the correlation says.
    """
    p, place, shared = data.p[cells.place], len(data.p) - 1 - cells.place, math.sqrt(cells.correlation)
    trials = np.rint(cells.weight**2 / cells.own).astype(np.int64)
    weight, single = cells.weight / trials, bool((trials == 1).all())  # mutants: work

    def draw(rng: np.random.Generator) -> NDArray[Any]:
        common = rng.random(cells.number)[cells.cluster] < p  # mutants: rounding
        if single:  # much quicker: what is left of one uniform number after the first choice is uniform
            number = rng.random(len(p))
            hits = np.where(number < shared, common, number < shared + (1 - shared) * p)  # mutants: rounding
        else:
            together = rng.binomial(trials, shared)
            hits = rng.binomial(trials - together, p) + together * common
        return np.asarray(np.minimum(np.bincount(place, hits * weight, len(data.p)), data.n[::-1]))

    return draw


def confidence(data: Points, at: NDArray[np.intp], level: float) -> tuple[Floats, Floats]:
    """Return limits of the true share of positives at each place, for any share that rises with p.

    The rows just below a place have on average no larger a share, so the lower limit of theirs (Clopper
    and Pearson's) is one of the place; the rows just above give the upper limit. How many rows are taken
    is decided by the probabilities alone, as if they were right, so labels cannot choose.
    """
    return _below(data, at, level), 1 - _below(data.turned(), len(data.p) - 1 - at, level)


def _below(data: Points, at: NDArray[np.intp], level: float) -> Floats:
    """Return the lower limit at each place, from the window of rows that should give the highest one."""
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to load

    n, p, positives, squares = (
        np.append(0.0, np.cumsum(c)) for c in (data.n, data.n * data.p, data.positives, data.squares)
    )
    share, rows = np.empty(len(at)), np.empty(len(at))
    effect = data.design_effect
    for k, j in enumerate(at):
        mass = n[j + 1] - n[: j + 1]
        count = mass**2 / (squares[j + 1] - squares[: j + 1]) / effect
        told = (p[j + 1] - p[: j + 1]) / mass
        spread = np.sqrt(np.maximum(told * (1 - told), 0) / count + Z**2 / (4 * count**2))  # mutants: the only values
        # mutants: the only values
        best = np.argmax((told + Z**2 / (2 * count) - Z * spread) / (1 + Z**2 / count))  # Wilson's limit
        share[k], rows[k] = (positives[j + 1] - positives[best]) / mass[best], count[best]
        if data.clusters is not None:
            window = np.zeros(len(data.p))
            window[best : j + 1] = 1
            rows[k] = mass[best] ** 2 / data.clusters.squares(window)
    hits = np.clip(share, 0, 1) * rows
    return np.where(hits > 0, betaincinv(hits, rows - hits + 1, (1 - level) / 2), 0.0)
