"""Labels given to rows at random: what the largest of many columns, and of many runs in time, may be by chance."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats, Places
from curvewise.breakdown.columns.ranks import placed_in_order
from curvewise.core.sweep import sweep_of
from curvewise.errors import OptionError

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

BATCH = 256  # draws whose sums are taken together
SAME = 1e-9  # deviates closer than this are alike but for rounding


class Shuffles:
    """Labels drawn anew: within strata, and within clusters, or of whole clusters where each has one class."""

    def __init__(self, rows: Rows, replicates: int, rng: np.random.Generator) -> None:
        positive, block = rows.positive, np.zeros(len(rows), np.intp) if rows.stratum is None else rows.stratum
        self.unit: Places | None = None
        if rows.cluster is not None:
            _, first, unit = np.unique(rows.cluster, return_index=True, return_inverse=True)
            if (positive[first][unit] == positive).all():  # whole clusters
                self.unit, positive, block = unit, positive[first], block[first]
            else:
                block = np.unique(np.stack([block, unit]), axis=1, return_inverse=True)[1].reshape(-1)
        self.order = np.argsort(block, kind="stable")
        self.start = np.flatnonzero(np.diff(block[self.order], prepend=-1))
        self.sizes = np.diff(self.start, append=len(block)).astype(np.float64)
        self.hits = np.add.reduceat(positive[self.order].astype(np.float64), self.start)
        if not (self.hits * (self.sizes - self.hits)).any():
            raise OptionError.of("method", "each stratum or cluster holds one class, so there is nothing to permute.")
        self.positive, self.drawn = positive, np.empty((replicates, len(block)), dtype=bool)
        for line in self.drawn:
            line[np.argsort(block + rng.random(len(block)))] = positive[self.order]

    def of_rows(self) -> Bools:
        """Return which rows are positive in each draw."""
        return self.drawn if self.unit is None else self.drawn[:, self.unit]

    def deviates(self, ranks: Floats) -> tuple[Floats, Floats]:
        """Return for each line how many standard errors its positives' ranks lie above chance, as it is and drawn."""
        if self.unit is not None:
            by_unit = np.argsort(self.unit, kind="stable")
            starts = np.flatnonzero(np.diff(self.unit[by_unit], prepend=-1))
            ranks = np.add.reduceat(ranks[:, by_unit], starts, axis=1)
        sums, squares = (np.add.reduceat(each[:, self.order], self.start, axis=1) for each in (ranks, ranks**2))
        expected = sums @ (self.hits / self.sizes)
        factor = self.hits * (self.sizes - self.hits) / (self.sizes * np.maximum(self.sizes - 1, 1))
        error = np.sqrt(np.maximum((squares - sums**2 / self.sizes) @ factor, 0))
        error[error <= SAME * np.abs(ranks).max(axis=1, initial=1.0)] = np.inf  # a constant column
        several = [self.drawn[k : k + BATCH] @ ranks.T for k in range(0, len(self.drawn), BATCH)]
        return (ranks @ self.positive - expected) / error, (np.concatenate(several) - expected) / error


def centred_ranks(values: NDArray[Any], inside: Bools, *, falling: bool) -> Floats:
    """Return mid-ranks of each line less their mean, 0 for rows that take no part."""
    placed, highest = placed_in_order(values, 1 << 62)
    placed = np.where(inside, placed if falling else highest - placed, highest + 1)
    order = np.argsort(placed, axis=1)
    rising = np.take_along_axis(placed, order, axis=1)
    last = np.ones(rising.shape, dtype=bool)
    np.not_equal(rising[:, 1:], rising[:, :-1], out=last[:, :-1])
    ends = np.flatnonzero(last)
    sizes = np.diff(ends, prepend=-1)
    ranks = np.empty(rising.shape)
    np.put_along_axis(ranks, order, np.repeat(ends - (sizes - 1) / 2, sizes).reshape(ranks.shape), axis=1)
    with np.errstate(invalid="ignore"):
        ranks -= (ranks.sum(axis=1, where=inside) / inside.sum(axis=1))[:, None]
    return np.where(inside, ranks, 0.0)


def drawn_deviates(target: Bound, rows: Rows, labels: Bools) -> tuple[float, Floats]:
    """Return how far any metric lies from the mean of its draws, in their standard deviations, and the draws so."""
    several = [rows.positive, *labels]
    values = np.array([target.value(sweep_of(replace(rows, positive=positive))) for positive in several])
    deviates = (values - values[1:].mean()) / (float(values[1:].std()) or np.inf)
    return deviates[0], deviates[1:]


def p_values(deviate: Floats, drawn: Floats) -> Floats:
    """Return for each deviate the share of its own draws, with the data, as far from 0."""
    beyond = np.abs(drawn) >= _reached(deviate)
    return np.asarray((1 + np.count_nonzero(beyond, axis=0)) / (1 + len(drawn)))


def p_of_largest(deviate: Floats, largest: Floats) -> Floats:
    """Return for each deviate the share of draws, with the data, whose largest is as far from 0; NaN stays."""
    below = np.searchsorted(np.sort(largest), _reached(deviate))
    return np.where(np.isnan(deviate), np.nan, (1 + len(largest) - below) / (1 + len(largest)))


def _reached(deviate: Floats) -> Floats:
    return np.asarray(np.abs(deviate) * (1 - SAME) - SAME)


def runs(deviate: Floats, limit: float) -> list[tuple[int, int, int, float]]:
    """Return line, first and last place, and sum of every run of neighbours beyond a limit, of one sign."""
    sign = np.sign(deviate) * (np.abs(deviate) > limit)
    edges = np.diff(sign, axis=1, prepend=0, append=0) != 0
    found = []
    for line, values in enumerate(deviate):
        places = np.flatnonzero(edges[line]).tolist()
        both = pairwise(places)
        found += [(line, i, j - 1, float(values[i:j].sum())) for i, j in both if sign[line, i]]
    return found


def largest_runs(deviate: Floats, limit: float) -> Floats:
    """Return the largest sum of such a run in each draw: the first axis has draws, the last is ordered."""
    found, sums = np.zeros(len(deviate)), np.zeros((2, *deviate.shape[:-1]))
    for k in range(deviate.shape[-1]):
        away = np.stack([deviate[..., k], -deviate[..., k]])
        sums = (sums + away) * (away > limit)
        found = np.maximum(found, sums.max(axis=(0, 2)))
    return found
