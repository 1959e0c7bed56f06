"""A rate over sites from its exact counts: the mean of its logit and a new site, for every spread that counts allow.

Each site has x of n, binomial with a logit that is normal over sites: N(μ, τ²). The likelihood of (μ, τ) is integrated
over a grid, flat in μ and with Cauchy's weight 1/(1 + (τ/2)²) for τ, which matters for few sites alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from curvewise.breakdown.q_profile import mixture_ends
from curvewise.metric.log_odds import chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.breakdown.q_profile import Ends

    Floats = NDArray[np.float64]

MEANS, SPREADS, ZOOMS = 61, 32, 8
LARGEST = 6.0  # τ: logits ± 12 are rates of 0 and 1
TYPICAL = 2.0  # τ at which its weight has fallen to one half
TINY = 1e-6  # a density below this share of the largest is left out  # mutants: rounding
FARTHEST = 15.0  # logits
STEPS, LONGEST = 8, 3.0  # of Newton's method
NODE, WEIGHT = np.polynomial.hermite_e.hermegauss(9)
LOG_WEIGHT = np.log(WEIGHT / math.sqrt(2 * math.pi))


def likelihood(x: Floats, n: Floats, mean: Floats, tau: Floats) -> Floats:
    """Return the log-likelihood at each τ and mean, by adaptive Gauss-Hermite quadrature over each site's logit."""
    m, t = mean[None, :, None], tau[:, None, None]
    wanted = 1 / t**2
    rate = (x + 0.5) / (n + 1)
    own = (n + 1) * rate * (1 - rate)
    b = (np.log(rate / (1 - rate)) * own + m * wanted) / (own + wanted)
    for _ in range(STEPS):
        p = chance(b)
        b = b + np.clip((x - n * p - (b - m) * wanted) / (n * p * (1 - p) + wanted), -LONGEST, LONGEST)
    p = chance(b)
    width = 1 / np.sqrt(n * p * (1 - p) + wanted)
    terms = []
    for z, share in zip(NODE, LOG_WEIGHT, strict=True):
        at = b + width * z
        terms.append(x * at - n * np.logaddexp(0, at) - ((at - m) / t) ** 2 / 2 + z * z / 2 + share)
    found = np.logaddexp.reduce(np.array(terms), axis=0) + np.log(width / t)
    return np.asarray(found.sum(axis=-1))


def mean_and_new(x: Floats, n: Floats, level: float) -> tuple[Ends, Ends]:
    """Return, as logits, the interval of the mean and that of a new site; a site with n = 0 says nothing."""
    x, n = x[n > 0], n[n > 0]
    logits = np.log((x + 0.5) / (n - x + 0.5))
    means = (max(float(logits.min()) - 3, -FARTHEST), min(float(logits.max()) + 3, FARTHEST))
    roots = (0.0, math.sqrt(LARGEST))  # of τ, so that small ones lie closer
    for _ in range(ZOOMS):
        mean: Floats = np.linspace(*means, MEANS)
        step = (roots[1] - roots[0]) / SPREADS
        root = np.asarray(roots[0] + step * (np.arange(SPREADS) + 0.5), dtype=np.float64)
        tau = root**2
        log = likelihood(x, n, mean, tau) + np.log(root / (1 + (tau / TYPICAL) ** 2))[:, None]
        density = np.exp(log - log.max())
        where = [_range(mean, density.sum(axis=0)), _range(root, density.sum(axis=1))]
        seen = [where[0], (max(where[1][0], 0.0), where[1][1])]
        if all(b - a > 0.6 * (d - c) for (a, b), (c, d) in zip(seen, (means, roots), strict=True)):
            break
        means, roots = (max(seen[0][0], -FARTHEST), min(seen[0][1], FARTHEST)), seen[1]
    share = density / density.sum()
    of_mean = share.sum(axis=0)
    below = np.cumsum(of_mean) - of_mean / 2
    low, high = np.interp([(1 - level) / 2, (1 + level) / 2], below, mean).tolist()
    # each cell of the grid is a normal as wide as the cell is
    spread = np.sqrt(tau**2 + (mean[1] - mean[0]) ** 2 / 12)
    centres, spreads = (v.ravel() for v in np.broadcast_arrays(mean[None], spread[:, None]))
    reach = 12 * float(spread.max())
    # mutants: search range
    new = mixture_ends(centres, spreads, share.ravel(), level, mean[0] - reach, mean[-1] + reach)
    return (low, high), new


def _range(at: Floats, density: Floats) -> Ends:
    """Return where a density is not negligible, and one cell more on each side."""
    kept = np.flatnonzero(density > TINY * density.max())
    cell = at[1] - at[0]
    return float(at[kept[0]] - cell), float(at[kept[-1]] + cell)
