"""Bands for an isotonic reliability curve: where it would lie if calibrated, and where the truth may lie."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import replicate_draws
from curvewise.metric.blocks import isotonic_shares

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.metric.blocks import Clusters, Points

    Floats = NDArray[np.float64]
    Draw = Callable[[np.random.Generator], NDArray[Any]]

Z = 2.0  # normal quantile by which windows are chosen: one for every level, so that bands nest


def consistency(
    data: Points, at: NDArray[np.intp], level: float, replicates: int, rng: np.random.Generator | int | None
) -> tuple[Floats, Floats]:
    """Return quantiles of the isotonic fit of labels that are drawn with the probabilities given."""
    n, places = data.n[::-1], len(data.p) - 1 - at
    draw = _labels(data) if data.clusters is None else _labels_by_cluster(data, data.clusters)

    def one(rng: np.random.Generator) -> Floats:
        pos = draw(rng)
        return isotonic_shares(np.cumsum(pos), np.cumsum(n - pos), places)

    values, _ = replicate_draws(one, replicates, rng)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def _labels(data: Points) -> Draw:
    """Return what draws the positives of each point, falling."""
    p, n = data.p[::-1], data.n[::-1]
    if data.whole:
        return lambda rng: rng.binomial(n, p)
    trials = np.maximum(np.rint(data.rows[::-1]), 1).astype(np.int64)
    return lambda rng: rng.binomial(trials, p) * (n / trials)


def _labels_by_cluster(data: Points, cells: Clusters) -> Draw:
    """Return what draws labels that go together within clusters as those of the rows do.

    A label is positive where a uniform number lies below p. With the chance √correlation a row takes its
    cluster's number, else its own, so that two rows of one cluster share a number as often as the
    correlation says, and every row is positive with its own probability.
    """
    p, place, shared = data.p[cells.place], len(data.p) - 1 - cells.place, math.sqrt(cells.correlation)
    trials = np.maximum(np.rint(cells.weight**2 / cells.own), 1).astype(np.int64)
    weight, single = cells.weight / trials, bool((trials == 1).all())

    def draw(rng: np.random.Generator) -> NDArray[Any]:
        common = rng.random(cells.number)[cells.cluster] < p
        if single:  # much quicker: what is left of one uniform number after the first choice is uniform
            number = rng.random(len(p))
            hits = np.where(number < shared, common, number < shared + (1 - shared) * p)
        else:
            together = rng.binomial(trials, shared)
            hits = rng.binomial(trials - together, p) + together * common
        found: NDArray[Any] = np.minimum(np.bincount(place, hits * weight, len(data.p)), data.n[::-1])
        return found

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
        spread = np.sqrt(np.maximum(told * (1 - told), 0) / count + Z**2 / (4 * count**2))
        best = np.argmax((told + Z**2 / (2 * count) - Z * spread) / (1 + Z**2 / count))  # Wilson's limit
        share[k], rows[k] = (positives[j + 1] - positives[best]) / mass[best], count[best]
        if data.clusters is not None:
            window = np.zeros(len(data.p))
            window[best : j + 1] = 1
            rows[k] = mass[best] ** 2 / data.clusters.squares(window)
    hits = np.clip(share, 0, 1) * rows
    limit = betaincinv(np.maximum(hits, 1e-300), rows - hits + 1, (1 - level) / 2)
    low: Floats = np.where(hits > 0, limit, 0.0)
    return low
