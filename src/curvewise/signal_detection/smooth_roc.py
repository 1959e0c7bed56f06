"""Smooth ROC curves given by a formula: any function of FPR, and the binormal curve."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from curvewise.arrays import Floats
from curvewise.core.sweep import Sweep
from curvewise.curves.cost import cost_slope
from curvewise.errors import CurvewiseError
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, unit_range, values_of, whole
from curvewise.rows.columns import is_number, shown

LEFT, RIGHT = -8.5, 5.0  # FPR 1e-17 to 1 - 3e-7: nearer to 1 float64 has no digits left for a slope
PLACES = 4000  # where a curve is looked at before its cheapest point is refined
SHOWN = 101  # points of its table
SLACK = 1e-12  # rounding that a formula may show
VISIBLE = (0.001, 0.999)  # a hook beyond this range of FPR is not seen


@dataclass(frozen=True, repr=False)
class CostOptimum(Result, schema="cost_optimum"):
    """The cheapest point of a curve; ``slope`` is that of a line of equal cost."""

    fpr: float
    tpr: float
    cost: float
    slope: float


@dataclass(frozen=True, repr=False)
class SmoothRoc(Result):
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

        # over normal deviates, where a curve that leaves (0, 0) upright is smooth
        def term(z: float) -> float:
            return float(self.tpr(ndtr(z))) * math.exp(-z * z / 2)

        low, high = unit_range("fpr", fpr)
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

    @property
    def table(self) -> Table:
        """TPR at equally spaced FPR."""
        x = np.linspace(0, 1, SHOWN)
        return Table(str(self), {"fpr": x.tolist(), "tpr": np.asarray(self.tpr(x)).tolist()})

    def content(self) -> dict[str, Any]:
        """Return what the curve was made from, its area and its points, JSON-safe."""
        made = {k: getattr(v, "__name__", None) or json_safe(v) for k, v in vars(self).items()}
        return {**made, "auc": self.auc, "points": self.table.content()["rows"]}

    def __str__(self) -> str:
        made = (f"{k}={getattr(v, '__name__', None) or v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({', '.join(made)})"


@dataclass(frozen=True, repr=False)
class AnalyticRoc(SmoothRoc, schema="analytic_roc"):
    """A ROC curve given by TPR as a function of FPR.

    ``function`` gives TPR for an array of FPR; it must stay within [0, 1] and may not fall. ``auc``,
    ``partial_auc(fpr)``, ``slope(fpr)``, ``cost_optimum(fp=, fn=, prevalence=)`` answer from the formula;
    ``to_sweep()`` opens every other verb.

    Examples
    --------
    Equal areas, different decisions:

    >>> import curvewise as cw
    >>> import numpy as np
    >>> steep, late = cw.AnalyticRoc(np.sqrt), cw.AnalyticRoc(lambda x: 2 * x - x**2)
    >>> round(steep.auc, 6), round(late.auc, 6)
    (0.666667, 0.666667)
    >>> [round(c.cost_optimum(fp=1, fn=10, prevalence=0.1).fpr, 6) for c in (steep, late)]
    [0.308642, 0.55]
    """

    function: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise CurvewiseError(f"function: expected TPR as a function of FPR, got {shown(self.function)}.")
        x = spread(PLACES)
        t = self.tpr(x)
        if np.shape(t) != x.shape:
            raise CurvewiseError("function: expected one TPR for each FPR of an array.")
        inside = (t >= -SLACK) & (t <= 1 + SLACK)  # False for NaN
        if not inside.all() or (np.diff(t) < -SLACK).any():
            raise CurvewiseError("function: expected TPR within [0, 1] that does not fall as FPR rises.")

    def tpr(self, fpr: Any) -> Any:
        """Return TPR at one FPR, or at an array of them."""
        heights = np.asarray(self.function(_rates(fpr)), dtype=np.float64)
        return heights if heights.ndim else float(heights)

    def slope(self, fpr: float) -> float:
        """Return the slope at an FPR strictly between 0 and 1, by differences of fourth order."""
        x = real("fpr", fpr, 0, 1, closed=False)
        step = 1e-3 * min(x, 1 - x)
        far_left, left, right, far_right = self.tpr(x + step * np.array([-2, -1, 1, 2]))
        return float((8 * (right - left) - (far_right - far_left)) / (12 * step))


@dataclass(frozen=True, repr=False)
class BinormalRoc(SmoothRoc, schema="binormal_roc"):
    """The binormal ROC curve, TPR = Φ(a + b·Φ⁻¹(FPR)).

    Where some rising transform of the score makes negatives normal with mean μ₀ and deviation σ₀, positives
    with μ₁ and σ₁, a = (μ₁ - μ₀)/σ₁ and b = σ₀/σ₁ > 0.

    Notes
    -----
    AUC = Φ(a/√(1+b²)). With a = d′ and b = 1 variances are equal and the curve is proper: its slope falls
    all the way. With any other b it has a hook: it crosses the chance line at ``hook``, Φ(a/(1-b)), where
    no real test would be that bad; ``hook_visible`` says whether that lies within FPR 0.001 to 0.999.

    References
    ----------
    Green & Swets (1966) Signal Detection Theory and Psychophysics. Pan & Metz (1997) Academic Radiology
    4:380-389 (hooks).

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.BinormalRoc(a=1, b=1).auc, 10)            # d′ = 1
    0.7602499389
    >>> round(cw.BinormalRoc(a=1.5 / 2, b=1 / 2).auc, 10)  # positives (1.5, 2), negatives (0, 1)
    0.7488325228
    """

    a: float
    b: float = 1.0

    def __post_init__(self) -> None:
        a, b = real("a", self.a, -math.inf, math.inf), real("b", self.b, 0, math.inf)
        if b == 0:
            raise CurvewiseError(f"b: expected a number above 0, got {shown(self.b)}.")
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    def tpr(self, fpr: Any) -> Any:
        """Return TPR at one FPR, or at an array of them."""
        heights = ndtr(self.a + self.b * ndtri(_rates(fpr)))
        return heights if np.ndim(heights) else float(heights)

    def slope(self, fpr: float) -> float:
        """Return b·φ(a + b·z)/φ(z) at z = Φ⁻¹(FPR)."""
        z = float(ndtri(real("fpr", fpr, 0, 1, closed=False)))
        with np.errstate(over="ignore"):
            return self.b * float(np.exp((z * z - (self.a + self.b * z) ** 2) / 2))

    @property
    def auc(self) -> float:
        """Φ(a/√(1+b²)): the area under the whole curve."""
        return float(ndtr(self.a / math.hypot(1, self.b)))

    @property
    def hook(self) -> float | None:
        """The FPR at which the curve crosses the chance line; None where b = 1."""
        return None if self.b == 1 else float(ndtr(self.a / (1 - self.b)))

    @property
    def hook_visible(self) -> bool:
        """Whether the hook lies within FPR 0.001 to 0.999, where somebody would see it."""
        return self.hook is not None and VISIBLE[0] < self.hook < VISIBLE[1]


def _rates(fpr: object) -> Floats:
    """Check one FPR, or those of an array or any column."""
    if isinstance(fpr, np.ndarray) and fpr.dtype == np.float64 and ((fpr >= 0) & (fpr <= 1)).all():
        return fpr
    found = np.array([real("fpr", x, 0, 1) for x in values_of("fpr", fpr)])
    return found.reshape(()) if is_number(fpr) or getattr(fpr, "ndim", 1) == 0 else found


def spread(places: int) -> Floats:
    """Return FPR from 0 to 1, half of them evenly, half so dense at the ends as normal deviates are."""
    even = np.linspace(0, 1, places // 2)
    return np.unique(np.concatenate([even, ndtr(np.linspace(LEFT, RIGHT, places - places // 2))]))
