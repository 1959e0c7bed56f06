"""Smooth ROC curves, which know their own areas, to the verbs that read areas."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Smooth(Protocol):
    """A ROC curve given by a formula."""

    @property
    def auc(self) -> float:
        """The area under the whole curve."""

    def partial_auc(self, fpr: tuple[float, float]) -> float:
        """Return the area over a range of FPR."""

    def tpr(self, fpr: Any) -> Any:
        """Return TPR at an FPR."""


def smooth_area(curve: Smooth, a: float, b: float, c: float, d: float) -> float:
    """Return the area within FPR (a, b) and TPR (c, d)."""
    full = _reach(curve, d)  # from here on the curve is above the region
    left, right = max(a, _reach(curve, c)), min(b, full)
    total = (d - c) * max(b - max(a, full), 0.0)
    if right > left:
        total += curve.partial_auc((left, right)) - c * (right - left)
    return total


def _reach(curve: Smooth, height: float) -> float:
    """Return the lowest FPR at which the curve is this high, by bisection to the last bit."""
    if float(curve.tpr(0.0)) >= height:
        return 0.0
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if float(curve.tpr(middle)) < height else (low, middle)
    return high
