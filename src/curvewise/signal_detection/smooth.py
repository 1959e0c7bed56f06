"""What every smooth ROC curve can do: areas, slopes, the cheapest point, and a sweep close to it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.curves.slope import cost_slope
from curvewise.rows.checks import real, unit_range, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEFT, RIGHT = -8.5, 5.0  # FPR 1e-17 to 1 - 3e-7: nearer to 1 float64 has no digits left for a slope
PLACES = 4000  # where a curve is looked at before its cheapest point is refined


@dataclass(frozen=True)
class CostOptimum:
    """The cheapest point of a curve; ``slope`` is that of a line of equal cost."""

    fpr: float
    tpr: float
    cost: float
    slope: float


class SmoothRoc(ABC):
    """A ROC curve given by a formula; the methods answer from the formula itself."""

    @abstractmethod
    def tpr(self, fpr: Any) -> Any:
        """Return TPR at one FPR, or at an array of them."""

    @abstractmethod
    def slope(self, fpr: float) -> float:
        """Return the slope at an FPR strictly between 0 and 1: the likelihood ratio there."""

    @property
    def auc(self) -> float:
        """The area under the whole curve, as `curvewise.roc_auc` has it for rows."""
        return self.partial_auc(fpr=(0, 1))

    def partial_auc(self, fpr: tuple[float, float]) -> float:
        """Return the area over a range of FPR, as `curvewise.partial_roc_auc` has it for rows."""
        from scipy.integrate import quad  # noqa: PLC0415 - slow to load
        from scipy.special import ndtr, ndtri  # noqa: PLC0415 - slow to load

        low, high = unit_range("fpr", fpr)

        # over normal deviates, where a curve that leaves (0, 0) upright is smooth
        def term(z: float) -> float:
            return float(self.tpr(ndtr(z))) * math.exp(-z * z / 2)

        left, right = max(ndtri(low), LEFT), min(ndtri(high), -LEFT)
        area, _ = quad(term, left, right, epsabs=1e-13, epsrel=1e-12, limit=500)
        return float(area / math.sqrt(2 * math.pi))

    def cost_optimum(self, *, fp: float, fn: float, prevalence: float) -> CostOptimum:
        """Return the point with the least c_FP·(1-π)·FPR + c_FN·π·(1-TPR)."""
        from scipy.optimize import brentq, minimize_scalar  # noqa: PLC0415 - slow to load

        slope = cost_slope(fp, fn, prevalence)

        def cost(x: Any) -> Any:
            return fp * (1 - prevalence) * x + fn * prevalence * (1 - self.tpr(x))

        grid = spread(PLACES)
        k = int(np.argmin(cost(grid)))  # of equal ones the first, with the fewest flagged
        best = float(grid[k])
        if 1 < k < len(grid) - 2:
            around = float(grid[k - 1]), float(grid[k + 1])
            found = float(minimize_scalar(cost, bounds=around, method="bounded", options={"xatol": 1e-14}).x)
            best = found if cost(found) < cost(best) else best
            if self.slope(around[0]) > slope > self.slope(around[1]):
                # the cost is flat at its least, so a slope tells the place to more digits; not at a kink
                found = float(brentq(lambda x: self.slope(x) - slope, *around, xtol=1e-15))
                best = found if cost(found) <= cost(best) * (1 + 1e-14) else best
        return CostOptimum(best, float(self.tpr(best)), float(cost(best)), slope)

    def to_sweep(self, points: int = 10_000) -> Sweep:
        """Return a sweep through about ``points`` places of the curve, each class of total weight 1.

        Every verb that reads a sweep then reads the curve (`curvewise.roc_hull`, `curvewise.cost_curve`,
        `curvewise.h_measure` …). Thresholds are 1 - FPR. Between two places the sweep is straight.
        """
        x = spread(whole("points", points, 4))
        t = np.clip(self.tpr(x), 0, 1)
        t[-1] = 1.0
        return Sweep.from_counts(1 - x, np.diff(t, prepend=0), np.diff(x, prepend=0))


def spread(places: int) -> Floats:
    """Return FPR from 0 to 1, half of them evenly, half so dense at the ends as normal deviates are."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to load

    even = np.linspace(0, 1, places // 2)
    return np.unique(np.concatenate([even, ndtr(np.linspace(LEFT, RIGHT, places - places // 2))]))


def checked_fpr(fpr: float) -> float:
    """Check one FPR at which a curve has a slope."""
    return real("fpr", fpr, 0, 1, closed=False)
