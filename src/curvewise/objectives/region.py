"""Which pairs of rows count: a region of the ROC square, and the smooth mean over the pairs that it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.errors import UndefinedMetricError
from curvewise.rows.checks import as_float, real, unit_range
from curvewise.rows.columns import count

Share = float | tuple[float, float]
TEMPERATURE = 0.1  # of the spread of scores; 0.03 to 0.3 did equally well (simulations/partial_auc_training.py)
WHOLE = (0.0, 1.0)


class Objective(NamedTuple):
    """A value to be made as high as possible, and its gradient: the derivative by the score of each row.

    A tuple, so that ``value, gradient = partial_auc(y, score)`` works, as optimisers expect it.
    """

    value: float
    gradient: Floats


@dataclass(frozen=True)
class Region:
    """Ranges of FPR and TPR, and how smooth the objective is.

    ``spread`` is None where the temperature is relative to the spread of the scores.
    """

    fpr: tuple[float, float]
    tpr: tuple[float, float] = WHOLE
    temperature: float = TEMPERATURE
    spread: float | None = None

    @classmethod
    def read(cls, fpr: object, tpr: object, temperature: object, spread: object = None) -> Region:
        """Check the options of an objective: one number is the highest FPR, or the lowest TPR."""
        return cls(
            unit_range("fpr", fpr) if np.isnan(as_float(fpr)) else (0.0, _share("fpr", fpr)),
            WHOLE if tpr is None else unit_range("tpr", tpr) if np.isnan(as_float(tpr)) else (_share("tpr", tpr), 1.0),
            _above_zero("temperature", temperature),
            None if spread is None else _above_zero("spread", spread),
        )

    def at(self, positive: NDArray[np.bool_], score: Floats, weight: Floats) -> Objective:
        """Return the objective of finite scores; each class has some weight."""
        balanced = np.where(positive, weight, 0.0) / weight[positive].sum()
        balanced += np.where(positive, 0.0, weight) / weight[~positive].sum()
        centred = score - float(balanced @ score) / 2
        spread = self.spread or _spread(centred, balanced)
        tau = self.temperature * spread
        up, down = np.flatnonzero(positive), np.flatnonzero(~positive)
        of_up = mean_weights(score[up], balanced[up], self.tpr)
        of_down = mean_weights(score[down], balanced[down], self.fpr)
        up, of_up = up[of_up > 0], of_up[of_up > 0]
        down, of_down = down[of_down > 0], of_down[of_down > 0]
        value, by_up, by_down = pair_sums(centred[up] / tau, of_up, centred[down] / tau, of_down)
        gradient = np.zeros(len(score))
        gradient[up], gradient[down] = by_up / tau, by_down / tau
        if self.spread is None:
            # V depends on scores and τ through their ratio, so ∂V/∂τ = −Σ s ∂V/∂s / τ; ∂τ/∂s is proportional to s
            gradient -= float(centred @ gradient) / spread * (balanced / 2) * (centred / spread)
        return Objective(min(max(value, 0.0), 1.0), gradient)


def _spread(centred: Floats, balanced: Floats) -> float:
    """Return the standard deviation, both classes weighing the same; scaled, so that no square overflows."""
    largest = float(np.abs(centred).max())
    if centred.min() == centred.max():
        raise UndefinedMetricError(
            f"All {count(len(centred), 'score')} are equal, so a temperature relative to their spread is 0: "
            "start from scores that differ, or pass spread=, a number in the place of theirs."
        )
    return largest * float(np.sqrt(balanced @ (centred / largest) ** 2 / 2))


def mean_weights(score: Floats, weight: Floats, share: tuple[float, float]) -> Floats:
    """Return weights, which add up to 1, for a mean over a range of ranks counted from the highest score.

    A row at the end of the range counts by the part of its weight within. Equal scores are one block, of which every
    row has the same part, so that no order of rows matters. ``weight`` adds up to 1.
    """
    if share == WHOLE:
        return weight
    order = np.argsort(-score)
    falling = score[order]
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))  # the last row of each block
    end = np.cumsum(weight[order])[last]
    end /= end[-1]
    start = np.append(0.0, end[:-1])
    inside = np.minimum(end, share[1]) - np.maximum(start, share[0])
    part = np.divide(inside, end - start, out=np.zeros_like(end), where=(inside > 0) & (end > start))
    inside_range = np.empty_like(weight)
    inside_range[order] = weight[order] * np.repeat(np.minimum(part, 1.0), np.diff(last, prepend=-1))
    return inside_range / (share[1] - share[0])


def _share(name: str, value: object) -> float:
    """Check one number: an FPR above 0, a TPR below 1."""
    number = real(name, value, 0, 1)
    unit_range(name, (0.0, number) if name == "fpr" else (number, 1.0))
    return number


def _above_zero(name: str, value: object) -> float:
    return real(name, value, 0, float("inf"), closed=False)


# ---- Sums of a sigmoid over all pairs of two sets of numbers, exact, in one pass over the sorted numbers ----
# The sigmoid is S(x) = 1 − (2 + x) e^(−x) / 4 for x ≥ 0, and S(−x) = 1 − S(x): the distribution function of the sum of
# two independent Laplace variables. Like the logistic one it rises from 0 to 1 with slope 1/4 at 0 and exponential
# tails, and it is never more than 0.017 away from it. Unlike it, a sum over pairs is exact without visiting the pairs:
# with a_l the weight of number z_l and d = z_m − z_l ≥ 0,
#
#     Σ a_l e^(−d) over l ≤ m   and   Σ a_l d e^(−d) over l ≤ m
#
# follow from the same sums at m − 1, since e^(−d) is a product over the gaps between. Every term is positive, so
# nothing cancels. Such a recursion is the solution of a bidiagonal system, and LAPACK solves it in one pass.

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

        solution, _ = dtbtrs(self.band, right[:, None], uplo="L", trans=side, diag="U")
        return np.asarray(solution[:, 0])


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
