"""Bands for an isotonic reliability curve: where it would lie if calibrated, and where the truth may lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import Resampler
from curvewise.core.sweep import Sweep
from curvewise.curves.hull import hull_places
from curvewise.metric.bin_points import Points

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Z = 2.0  # normal quantile by which windows are chosen: one for every level, so that bands nest


def consistency(
    data: Points, at: NDArray[np.intp], level: float, replicates: int, rng: np.random.Generator | int | None
) -> tuple[Floats, Floats]:
    """Return quantiles of the isotonic fit of labels that are drawn with the probabilities given."""
    whole = data.n.dtype.kind == "i"
    p, n = data.p[::-1], data.n[::-1]
    trials = n if whole else np.maximum(np.rint(data.rows[::-1]), 1).astype(np.int64)
    places = len(p) - 1 - at

    def draw(rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        drawn = rng.binomial(trials, p)
        pos = drawn if whole else drawn * (n / trials)
        return pos, n - pos

    def fit(sweep: Sweep) -> Floats:
        ends = hull_places(sweep.tp, sweep.fp)[1:]
        tp, fp = (np.diff(c[ends - 1], prepend=0) for c in (sweep.tp, sweep.fp))
        fitted: Floats = (tp / (tp + fp))[np.searchsorted(ends, places, side="right")]
        return fitted

    like = Sweep(p, np.zeros(0), np.zeros(0), 0, 0)
    values, _ = Resampler(like, draw).replicate(fit, replicates, rng)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def confidence(data: Points, at: NDArray[np.intp], level: float) -> tuple[Floats, Floats]:
    """Return limits of the true share of positives at each place, for any share that rises with p.

    The rows just below a place have on average no larger a share, so the lower limit of theirs (Clopper
    and Pearson's) is one of the place; the rows just above give the upper limit. How many rows are taken
    is decided by the probabilities alone, as if they were right, so labels cannot choose.
    """
    return _below(data, at, level), 1 - _below(_turned(data), len(data.p) - 1 - at, level)


def _turned(data: Points) -> Points:
    return Points(1 - data.p[::-1], data.n[::-1], (data.n - data.positives)[::-1], data.squares[::-1])


def _below(data: Points, at: NDArray[np.intp], level: float) -> Floats:
    """Return the lower limit at each place, from the window of rows that promises the highest one."""
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to load

    n, p, positives, squares = (
        np.append(0.0, np.cumsum(c)) for c in (data.n, data.n * data.p, data.positives, data.squares)
    )
    share, rows = np.empty(len(at)), np.empty(len(at))
    for k, j in enumerate(at):
        mass = n[j + 1] - n[: j + 1]
        count = mass**2 / (squares[j + 1] - squares[: j + 1])
        told = (p[j + 1] - p[: j + 1]) / mass
        spread = np.sqrt(np.maximum(told * (1 - told), 0) / count + Z**2 / (4 * count**2))
        best = np.argmax((told + Z**2 / (2 * count) - Z * spread) / (1 + Z**2 / count))  # Wilson's limit
        share[k], rows[k] = (positives[j + 1] - positives[best]) / mass[best], count[best]
    hits = np.clip(share, 0, 1) * rows
    limit = betaincinv(np.maximum(hits, 1e-300), rows - hits + 1, (1 - level) / 2)
    low: Floats = np.where(hits > 0, limit, 0.0)
    return low
