"""Sums of a sigmoid over all pairs of two sets of numbers, exact, in one pass over the sorted numbers.

The sigmoid is S(x) = 1 − (2 + x) e^(−x) / 4 for x ≥ 0, and S(−x) = 1 − S(x): the distribution function of the sum of
two independent Laplace variables. Like the logistic one it rises from 0 to 1 with slope 1/4 at 0 and exponential
tails, and it is never more than 0.017 away from it. Unlike it, a sum over pairs is exact without visiting the pairs:
with a_l the weight of number z_l and d = z_m − z_l ≥ 0,

    Σ a_l e^(−d) over l ≤ m   and   Σ a_l d e^(−d) over l ≤ m

follow from the same sums at m − 1, since e^(−d) is a product over the gaps between. Every term is positive, so
nothing cancels. Such a recursion is the solution of a bidiagonal system, and LAPACK solves it in one pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAR = 750.0  # e^(−FAR) is 0 in float64


def sigmoid(x: Floats) -> Floats:
    """Return S(x)."""
    away = np.minimum(np.abs(x), FAR)
    tail = (2 + away) * np.exp(-away) / 4
    return np.where(x < 0, tail, 1 - tail)


def slope(x: Floats) -> Floats:
    """Return the derivative of the sigmoid, (1 + |x|) e^(−|x|) / 4."""
    away = np.minimum(np.abs(x), FAR)
    return np.asarray((1 + away) * np.exp(-away) / 4)


class Neighbours:
    """Numbers in rising order, and how much of each reaches its neighbours."""

    def __init__(self, sorted_: Floats) -> None:
        self.gap = np.minimum(np.diff(sorted_), FAR)
        self.decay = np.exp(-self.gap)
        self.band = np.ones((2, len(sorted_)), order="F")  # the diagonal and the one below it, as LAPACK wants them
        self.band[1, :-1] = -self.decay

    def sums(self, weight: Floats) -> tuple[Floats, Floats]:
        """Return at each number the sums over all others and itself of weight·S and of weight·S'."""
        below, below_far = self._decayed(weight, "N")
        above, above_far = self._decayed(weight, "T")
        rank = np.cumsum(weight)
        # a number counts itself as one below it; the same term stands in the sums above, where it does not belong
        values = rank - (2 * below + below_far) / 4 + (2 * (above - weight) + above_far) / 4
        slopes = (below + below_far + above - weight + above_far) / 4
        return values, slopes

    def _decayed(self, weight: Floats, side: str) -> tuple[Floats, Floats]:
        """Return the sums of e^(−d) and of d e^(−d) over the numbers on one side: "N" below, "T" above."""
        near = self._solve(weight, side)
        carried = np.zeros_like(weight)
        if side == "N":
            carried[1:] = self.decay * self.gap * near[:-1]
        else:
            carried[:-1] = self.decay * self.gap * near[1:]
        return near, self._solve(carried, side)

    def _solve(self, right: Floats, side: str) -> Floats:
        from scipy.linalg.lapack import dtbtrs  # noqa: PLC0415 - slow to load

        found, _ = dtbtrs(self.band, right[:, None], uplo="L", trans=side, diag="U")
        return np.asarray(found[:, 0])


def pair_sums(first: Floats, weight: Floats, second: Floats, other: Floats) -> tuple[float, Floats, Floats]:
    """Return Σᵢⱼ weightᵢ otherⱼ S(firstᵢ − secondⱼ), and its derivatives by each of ``first`` and of ``second``."""
    both = np.concatenate([first, second])
    order = np.argsort(both, kind="stable")
    is_first = order < len(first)
    weights = np.concatenate([weight, other])[order]
    neighbours = Neighbours(both[order])
    values, slopes = neighbours.sums(np.where(is_first, 0.0, weights))
    _, back = neighbours.sums(np.where(is_first, weights, 0.0))
    total = float(weights[is_first] @ values[is_first])
    derivative = np.empty(len(both))
    derivative[order] = weights * np.where(is_first, slopes, -back)
    return total, derivative[: len(first)], derivative[len(first) :]
