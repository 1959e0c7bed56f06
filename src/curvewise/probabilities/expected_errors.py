"""What ECE, MCE, SmoothECE, ICI, E50 and E90 would be if the probabilities were right: consistency resampling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.resampling import replicate_draws
from curvewise.core.threads import in_threads
from curvewise.metric.probability_bins import MANY, Bins, Points, points, points_at, starts_of_equal_counts
from curvewise.metric.smooth_ece import on_grid, smooth_errors
from curvewise.metric.smooth_reliability import smoothed
from curvewise.probabilities.isotonic import labels_if_right
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks

BIASED = ("ece", "mce", "smooth_ece", "ici", "e50", "e90")
AT_ONCE = 100  # samples  # mutants: work
GAPS = 512  # places at which the gaps to a smooth curve are read
GRIDS = (256, 1024, 2048)  # of SmoothECE: the first one that is fine enough


@dataclass(frozen=True, repr=False)
class ExpectedError(Result, schema="expected_error"):
    """A calibration error that is biased upward, beside what right probabilities would give.

    Attributes
    ----------
    measure, value
        Which error, and its value on these rows.
    expected
        Its mean over samples in which the same probabilities are right.
    limit, level
        What it does not exceed in so many of those samples (0.95 of them, for a level of 0.95).
    p_value
        How often it is at least the value there, (1 + how many) / (1 + replicates).
    replicates
        The samples.
    """

    measure: str
    value: float
    expected: float
    limit: float
    level: float
    p_value: float
    replicates: int

    @property
    def table(self) -> Table:
        """One row."""
        names = ("measure", "value", "expected", "limit", "level", "p_value", "replicates")
        return Table("", {name: [getattr(self, name)] for name in names})


def expected_errors(
    sweep: Sweep,
    blocks: Blocks,
    values: dict[str, float],
    binned: Bins,
    *,
    level: float,
    replicates: int,
    rng: np.random.Generator | int | None,
) -> dict[str, ExpectedError]:
    """Draw labels with the probabilities given, on the same rows, and measure the errors again.

    More than `MANY` distinct probabilities are drawn in cells that lie within the bins. Labels of one cluster
    are drawn with the correlation that the rows have; weights are kept.
    """
    data, of_bin = _cells(sweep, blocks, binned)
    # labels are drawn from the highest p down
    drawn = np.ascontiguousarray(replicate_draws(labels_if_right(data), replicates, rng)[0][:, ::-1], dtype=np.float64)
    at = data.grid()
    # the curve of `smooth_gaps`, which does not look at clusters
    squares = data.n.astype(np.float64) if sweep.tp.dtype.kind == "i" else data.squares
    weight = smoothed(replace(data, clusters=None, squares=squares), at).weight
    pieces = [drawn[k : k + AT_ONCE] for k in range(0, len(drawn), AT_ONCE)]
    residuals = in_threads(partial(_of_residuals, data, of_bin), pieces, drawn.size)
    # after the threads, which those of BLAS would slow down
    curves = [np.clip(piece @ weight.T, 0, 1) for piece in pieces]
    of_curves = [_of_curves(data, data.p[at], curve) for curve in curves]
    samples = np.concatenate([np.concatenate(residuals), np.concatenate(of_curves)], axis=1)
    found = {}
    for name, own in zip(BIASED, samples.T, strict=True):
        if np.isnan(values[name]):
            continue
        # a sample that differs by rounding alone is not below
        beyond = int(np.count_nonzero(own >= values[name] - 1e-9))  # mutants: rounding
        limit, p_value = float(np.quantile(own, level)), (1 + beyond) / (1 + len(own))
        found[name] = ExpectedError(name, values[name], float(own.mean()), limit, level, p_value, len(own))
    return found


def _cells(sweep: Sweep, blocks: Blocks, cut: Bins) -> tuple[Points, NDArray[np.intp]]:
    """Return the rows as points that lie in one bin each, and the first point of each bin."""
    squares = blocks.need_squares("A sample of labels")
    if len(sweep.threshold) <= MANY:
        return points(sweep, blocks, squares), cut.start
    starts = np.union1d(cut.start, starts_of_equal_counts(sweep, MANY))
    return points_at(sweep, blocks, squares, starts), np.searchsorted(starts, cut.start)


def _of_residuals(data: Points, of_bin: NDArray[np.intp], drawn: Floats) -> Floats:
    """Return ECE, MCE and SmoothECE of each sample, one row per sample."""
    n, total = data.n.astype(np.float64), float(data.n.sum())
    residual = drawn - n * data.p
    gap = np.abs(np.add.reduceat(residual, of_bin, axis=1))
    smooth = smooth_errors(on_grid(data.p, residual / total), GRIDS, close=1e-7)  # mutants: rounding
    return np.stack([gap.sum(axis=1) / total, (gap / np.add.reduceat(n, of_bin)).max(axis=1), smooth], axis=1)


def _of_curves(data: Points, at: Floats, curve: Floats) -> Floats:
    """Return ICI, E50 and E90 of smooth curves at some places, one row per curve."""
    p, mass = _fewer(data.p, data.n.astype(np.float64))
    away = np.abs(_between(p, at, curve) - p)
    order = np.argsort(away, axis=1)
    up_to = np.cumsum(mass[order], axis=1)
    rising = np.take_along_axis(away, order, axis=1)
    total = mass.sum()
    quantiles = [
        # mutants: rounding
        np.take_along_axis(rising, np.argmax(up_to >= share * total * (1 - 1e-12), axis=1)[:, None], axis=1)[:, 0]
        for share in (0.5, 0.9)
    ]
    return np.stack([away @ mass / total, *quantiles], axis=1)


def _fewer(p: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return at most `GAPS` probabilities with their mass: where there are more, at equal steps of mass."""
    if len(p) <= GAPS:
        return p, n
    mass = np.cumsum(n)
    at = np.searchsorted(mass, mass[-1] * (np.arange(GAPS) + 0.5) / GAPS)
    return p[at], np.full(GAPS, mass[-1] / GAPS)


def _between(p: Floats, at: Floats, values: Floats) -> Floats:
    """Interpolate each line of values at some places; constant beyond the ends."""
    if len(at) == 1:
        return np.repeat(values, len(p), axis=1)
    right = np.clip(np.searchsorted(at, p), 1, len(at) - 1)  # mutants: cut beside it
    share = np.clip((p - at[right - 1]) / (at[right] - at[right - 1]), 0, 1)
    return np.asarray(values[:, right - 1] * (1 - share) + values[:, right] * share)
