"""How well the variance between units of unequal weight is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats

OF_DESIGN = 2.0  # how many times what the outcome tells; chosen by simulation, with clusters of five kinds of sizes


def design_degrees(weights: Sequence[Floats], variances: Sequence[float], alone: float) -> float:
    """Return the degrees of freedom that a variance between clusters of these weights in each class has by design.

    A variance that few large clusters make is known as well as few clusters know it, whatever their number. How large
    the share of each is expected to be (Satterthwaite) follows from ``variances``, what the clusters of each class make
    of the variance, and from ``alone``, the variance of independent rows: as much goes with the weight of a cluster,
    the rest with its square.

    References
    ----------
    Bell & McCaffrey (2002) Survey Methodology 28:169-181. Imbens & Kolesár (2016) Rev. Econ. Stat. 98:701-712.
    """
    total = sum(variances)
    within = min(alone / total, 1.0) if total > 0 else 0.0
    expected = np.zeros(len(weights[0]))
    for weight, variance in zip(weights, variances, strict=True):
        if weight.any():
            expected += variance * (within * weight / weight.sum() + (1 - within) * weight**2 / (weight @ weight))
    return max(float(expected.sum() ** 2 / (expected @ expected)) - 1, 1.0) if expected.any() else math.inf


def fewer_degrees(
    degrees: float,
    cluster: NDArray[np.intp],
    weight: Floats,
    positive: NDArray[np.bool_],
    each: Floats,
    alone: float,
) -> float:
    """Return the degrees of freedom that the outcome tells, or fewer where the design has fewer.

    A large cluster that came out near the mean by luck makes the former too many. The relative variances 2/ν of the
    variance are then averaged. ``each`` is what each row adds to a number; one row per cluster is no cluster.
    """
    if np.bincount(cluster).max() == 1:
        return degrees
    held = [np.bincount(cluster, np.where(on, weight, 0.0)).astype(np.float64) for on in (positive, ~positive)]
    of_class = [float(np.sum(np.bincount(cluster, each * on) ** 2)) for on in (positive, ~positive)]
    design = design_degrees(held, of_class, alone)
    return degrees if degrees <= design else (1 + OF_DESIGN) / (1 / degrees + OF_DESIGN / design)
