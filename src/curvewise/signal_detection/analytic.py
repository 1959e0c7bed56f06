"""Smooth ROC curves: any function of FPR, and the binormal curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.checks import real
from curvewise.signal_detection.smooth import PLACES, SmoothRoc, checked_fpr, spread

if TYPE_CHECKING:
    from collections.abc import Callable

SLACK = 1e-12  # rounding that a formula may show
VISIBLE = (0.001, 0.999)  # a hook beyond this range of FPR is not seen


@dataclass(frozen=True)
class AnalyticRoc(SmoothRoc):
    """A ROC curve given by TPR as a function of FPR.

    Parameters
    ----------
    function
        TPR for an array of FPR. It must stay within [0, 1] and may not fall.

    Notes
    -----
    ``auc``, ``partial_auc(fpr)``, ``slope(fpr)``, ``cost_optimum(fp=, fn=, prevalence=)`` answer from the
    formula; ``to_sweep()`` opens every other verb.

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
            raise CurvewiseError(f"function: expected TPR as a function of FPR, got {self.function!r}.")
        x = spread(PLACES)
        t = self.tpr(x)
        if np.shape(t) != x.shape:
            raise CurvewiseError("function: expected one TPR for each FPR of an array.")
        inside = (t >= -SLACK) & (t <= 1 + SLACK)  # False for NaN
        if not inside.all() or (np.diff(t) < -SLACK).any():
            raise CurvewiseError("function: expected TPR within [0, 1] that does not fall as FPR rises.")

    def tpr(self, fpr: Any) -> Any:
        """Return TPR at one FPR, or at an array of them."""
        heights = np.asarray(self.function(np.asarray(fpr, dtype=np.float64)), dtype=np.float64)
        return float(heights) if heights.ndim == 0 else heights

    def slope(self, fpr: float) -> float:
        """Return the slope at an FPR strictly between 0 and 1, by differences of fourth order."""
        x = checked_fpr(fpr)
        step = 1e-3 * min(x, 1 - x)
        far_left, left, right, far_right = self.tpr(x + step * np.array([-2, -1, 1, 2]))
        return float((8 * (right - left) - (far_right - far_left)) / (12 * step))


@dataclass(frozen=True)
class BinormalRoc(SmoothRoc):
    """The binormal ROC curve, TPR = Φ(a + b·Φ⁻¹(FPR)).

    Parameters
    ----------
    a, b
        Where some rising transform of the score makes negatives normal with mean μ₀ and deviation σ₀,
        positives with μ₁ and σ₁: a = (μ₁ - μ₀)/σ₁ and b = σ₀/σ₁ > 0.

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
            raise CurvewiseError(f"b: expected a number above 0, got {self.b!r}.")
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    def tpr(self, fpr: Any) -> Any:
        """Return TPR at one FPR, or at an array of them."""
        from scipy.special import ndtr, ndtri  # noqa: PLC0415 - slow to load

        heights = ndtr(self.a + self.b * ndtri(fpr))
        return heights if np.ndim(heights) else float(heights)

    def slope(self, fpr: float) -> float:
        """Return b·φ(a + b·z)/φ(z) at z = Φ⁻¹(FPR)."""
        from scipy.special import ndtri  # noqa: PLC0415 - slow to load

        z = float(ndtri(checked_fpr(fpr)))
        with np.errstate(over="ignore"):
            return self.b * float(np.exp((z * z - (self.a + self.b * z) ** 2) / 2))

    @property
    def auc(self) -> float:
        """Φ(a/√(1+b²)): the area under the whole curve."""
        from scipy.special import ndtr  # noqa: PLC0415 - slow to load

        return float(ndtr(self.a / math.hypot(1, self.b)))

    @property
    def hook(self) -> float | None:
        """The FPR at which the curve crosses the chance line; None where b = 1."""
        from scipy.special import ndtr  # noqa: PLC0415 - slow to load

        return None if self.b == 1 else float(ndtr(self.a / (1 - self.b)))

    @property
    def hook_visible(self) -> bool:
        """Whether the hook lies within FPR 0.001 to 0.999, where somebody would see it."""
        return self.hook is not None and VISIBLE[0] < self.hook < VISIBLE[1]
