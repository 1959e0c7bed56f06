"""A sweep of probabilities in bins of equal width or count, and as points to draw a curve through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.core import kernel
from curvewise.rows.checks import one_of, whole

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks, Clusters

Binning = Literal["width", "count"]
BINNINGS = ("width", "count")
MANY = 4096  # more blocks than this are put into bins of equal count
GRID = 101


@dataclass(frozen=True, eq=False)
class Bins:
    """Rows in bins of probability, rising; bins without a row are left out and counted in ``empty``."""

    low: Floats  # edges of equal widths, or the lowest and highest probability in bins of equal count
    high: Floats
    n: kernel.Counts
    positives: kernel.Counts
    mean: Floats  # of the probabilities
    start: Places  # of each bin's first block in the sweep turned round
    empty: int = 0

    @property
    def observed(self) -> Floats:
        """The share of positives in each bin."""
        return np.asarray(self.positives / self.n)

    def clusters(self, blocks: Blocks) -> Clusters | None:
        """Return the clusters of the blocks with the bins as places."""
        if blocks.clusters is None:
            return None
        cells = blocks.clusters.turned(len(blocks.p))
        return replace(cells, place=np.searchsorted(self.start, cells.place, side="right") - 1)

    def squares(self, blocks: Blocks, what: str) -> Floats:
        """Return the sum of squared weights in each bin, of rows that are as if independent."""
        pos, neg = blocks.need_squares(what)
        cells = self.clusters(blocks)
        if cells is not None:
            return cells.squares_by_place(len(self.start))
        return _within(lambda here: pos[here] + neg[here], self.start, len(blocks.p))


def in_bins(sweep: Sweep, bins: int, binning: Binning = "width") -> Bins:
    """Put the rows of a sweep of probabilities into bins.

    Equal widths are (k/bins, (k+1)/bins], and the first takes 0 too. Equal counts hold about n/bins rows
    each; rows with one probability stay together.
    """
    bins = whole("bins", bins, 1)
    one_of("binning", binning, BINNINGS)
    if binning == "count":
        starts = starts_of_equal_counts(sweep, bins)
        return replace(bins_at(sweep, starts), empty=bins - len(starts))
    edges, p = np.linspace(0, 1, bins + 1), sweep.threshold[::-1]
    starts = np.append(0, np.searchsorted(p, edges[1:-1], side="right"))
    used = np.flatnonzero(np.append(starts[1:], len(p)) > starts)
    filled = bins_at(sweep, starts[used])
    return replace(filled, low=edges[used], high=edges[used + 1], empty=bins - len(used))


def bins_at(sweep: Sweep, start: Places) -> Bins:
    """Put the rows of a sweep of probabilities into bins that start at some blocks of the sweep turned round."""
    p, size = sweep.threshold[::-1], len(sweep.threshold)
    last = np.append(start[1:], size) - 1

    def counts(here: slice) -> NDArray[Any]:
        pos, neg = (kernel.steps_in(c, here) for c in (sweep.tp, sweep.fp))
        n = pos + neg
        predicted = n * sweep.threshold[here]
        return predicted[None] if sweep.tp.dtype.kind == "i" else np.stack([predicted, n, pos])

    sums = _within(counts, start, size)
    if sweep.tp.dtype.kind == "i":  # exact
        pos, neg = (_between(c, start) for c in (sweep.tp, sweep.fp))
        n = pos + neg
    else:
        n, pos = sums[1:]
    # between the ends, whatever rounding does to a sum
    mean = np.clip(sums[0] / n, p[start], p[last])
    return Bins(p[start], p[last], n, pos, mean, start)


def starts_of_equal_counts(sweep: Sweep, bins: int) -> Places:
    """Return where bins of about equal count start in the sweep turned round; blocks stay whole, so some have none."""
    size, total = len(sweep.threshold), sweep.tp[-1] + sweep.fp[-1]
    shares = np.arange(1, bins) / bins - 1e-12
    low, high = np.zeros(len(shares), dtype=np.intp), np.full(len(shares), size - 1)
    while (low < high).any():  # bisection: a search would need all of the sums
        middle = (low + high) // 2
        above = size - 2 - middle  # the lowest block that is not among these
        there = ((total - sweep.tp[above] - sweep.fp[above]) / sweep.n >= shares) | (above < 0)
        low, high = np.where(there, low, middle + 1), np.where(there, middle, high)
    return np.unique(np.append(0, (low + 1)[low + 1 < size]))


def _turned(start: Places, size: int) -> Places:
    """Return where ranges of blocks start if the blocks are turned round, first to last."""
    return np.asarray(size - np.append(start[1:], size))[::-1]


def _within(lines: Callable[[slice], NDArray[Any]], start: Places, size: int) -> NDArray[Any]:
    """Return sums over ranges of the blocks turned round; ``lines`` have the blocks as they are."""
    return kernel.sums_within(lines, _turned(start, size), size)[..., ::-1]


def _between(cumulated: kernel.Counts, start: Places) -> kernel.Counts:
    """Return the counts in ranges of the blocks turned round, from counts that fall."""
    here = _turned(start, len(cumulated))
    ends = cumulated[np.append(here[1:], len(cumulated)) - 1]
    return kernel.steps(ends)[::-1]


@dataclass(frozen=True, eq=False)
class Points:
    """Distinct probabilities, rising, with their rows, positives and squared weights, in bins where many."""

    p: Floats
    n: NDArray[Any]
    positives: NDArray[Any]
    squares: Floats
    whole: bool  # n are numbers of rows
    clusters: Clusters | None = None  # with the points as places

    @property
    def rows(self) -> Floats:
        """How many rows of equal weight would tell as much (Kish); the rows themselves if unweighted."""
        return self.n**2 / self.squares

    @property
    def design_effect(self) -> float:
        """How many times more all rows together vary than if clusters did not matter."""
        if self.clusters is None:
            return 1.0
        return max(self.clusters.squares(np.ones(len(self.p))) / float(self.squares.sum()), 1.0)

    def variance(self, factors: Floats) -> Floats:
        """Return Σ w²·factor² for each row of factors, of rows that are as if independent."""
        if self.clusters is None:
            return np.asarray(factors**2 @ self.squares)
        return np.array([self.clusters.squares(factor) for factor in factors])

    def turned(self) -> Points:
        """Return the points of the other class: negatives, with probabilities 1 - p."""
        cells = self.clusters
        if cells is not None:
            cells = replace(cells.turned(len(self.p)), positives=cells.negatives, negatives=cells.positives)
        n, positives, squares = self.n[::-1], (self.n - self.positives)[::-1], self.squares[::-1]
        return Points(1 - self.p[::-1], n, positives, squares, self.whole, cells)

    def grid(self) -> Places:
        """Return at most `GRID` places: half of them at equal steps of mass, half at equal steps of p."""
        if len(self.p) <= GRID:
            return np.arange(len(self.p))
        mass, half = np.cumsum(self.n), GRID // 2
        by_mass = np.searchsorted(mass, np.linspace(0, mass[-1], half + 1))
        by_p = np.searchsorted(self.p, np.linspace(self.p[0], self.p[-1], half))
        return np.unique(np.minimum(np.append(by_mass, by_p), len(self.p) - 1))


def points(sweep: Sweep, blocks: Blocks, squares: tuple[Floats, Floats]) -> Points:
    """Turn a sweep of probabilities and the squared weights of its blocks round, in bins if they are many."""
    if len(sweep.threshold) <= MANY:
        pos, neg = sweep.block_positives[::-1], sweep.block_negatives[::-1]
        cells = None if blocks.clusters is None else blocks.clusters.turned(len(blocks.p))
        return Points(sweep.threshold[::-1], pos + neg, pos, np.add(*squares)[::-1], blocks.whole, cells)
    return points_at(sweep, blocks, squares, starts_of_equal_counts(sweep, MANY))


def points_at(sweep: Sweep, blocks: Blocks, squares: tuple[Floats, Floats], start: Places) -> Points:
    """Return bins that start at some blocks of the sweep turned round as points."""
    cut = bins_at(sweep, start)
    squared = _within(lambda here: squares[0][here] + squares[1][here], start, len(sweep.threshold))
    return Points(cut.mean, cut.n, cut.positives, squared, blocks.whole, cut.clusters(blocks))
