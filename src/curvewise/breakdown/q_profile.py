"""What estimates and their errors say of the variance between sites, of the mean and of a new site: one distribution.

At the true τ² the generalised Q(τ²) = Σ(yᵢ - μ(τ²))²/(sᵢ² + τ²) follows χ² with k - 1 degrees of freedom, whatever the
errors, and is independent of the mean μ(τ²), which is normal with variance 1/Σw. So each quantile of χ² stands for the
one τ² that gives it (0 where none does), and the mean and a new site follow a mixture of normals over those τ².
"""

from __future__ import annotations

import numpy as np

from curvewise.arrays import Floats
from curvewise.inference.limits import crossing

Ends = tuple[float, float]

NODES, FARTHEST = 161, 5.0  # normal quantiles at which χ² is taken
HALVINGS = 50  # of the range in which a τ² lies  # mutants: rounding
REACH = 12.0  # standard deviations beyond which a normal has nothing  # mutants: search range


def weighted(y: Floats, v: Floats, tau2: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean, its variance and the generalised Q at each τ²."""
    w = 1 / (v + tau2[:, None])
    total = w.sum(axis=1)
    mean = (w * y).sum(axis=1) / total
    return mean, 1 / total, (w * (y - mean[:, None]) ** 2).sum(axis=1)


def tau2_at(y: Floats, v: Floats, q: Floats) -> Floats:
    """Return the τ² at which Q has each of these values, 0 where it is smaller from the start."""
    low = np.zeros(len(q))
    high: Floats = np.sum((y - y.mean()) ** 2) / q  # Q(τ²) is at most the sum of squares over τ²
    high[weighted(y, v, low)[2] <= q] = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = weighted(y, v, middle)[2] > q  # mutants: rounding
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return high


def tau2_ends(y: Floats, v: Floats, level: float) -> Ends:
    """Return the Q-profile interval of τ² (Viechtbauer 2007)."""
    from scipy.special import chdtri  # noqa: PLC0415 - slow to load

    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = tau2_at(y, v, chdtri(len(y) - 1, tails)).tolist()
    return low, high


def mean_and_new(y: Floats, v: Floats, level: float) -> tuple[Ends, Ends]:
    """Return the interval of the mean, and that of the true value of a new site."""
    from scipy.special import chdtri, ndtr  # noqa: PLC0415 - slow to load

    z = np.linspace(-FARTHEST, FARTHEST, NODES)
    share = np.exp(-(z**2) / 2)
    share /= share.sum()
    tau2 = tau2_at(y, v, chdtri(len(y) - 1, ndtr(z)))
    mean, variance, _ = weighted(y, v, tau2)
    ends = []
    for spread in (np.sqrt(variance), np.sqrt(variance + tau2)):
        low, high = float((mean - REACH * spread).min()), float((mean + REACH * spread).max())
        ends.append(mixture_ends(mean, spread, share, level, low, high))
    return ends[0], ends[1]


def mixture_ends(mean: Floats, spread: Floats, share: Floats, level: float, low: float, high: float) -> Ends:
    """Return where a mixture of normals has a tail of (1 - level)/2 on either side."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    def end(tail: float) -> float:
        return crossing(lambda x: tail - float(share @ ndtr((x - mean) / spread)), low, high)

    return end((1 - level) / 2), end((1 + level) / 2)
