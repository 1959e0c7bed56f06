"""One number for many classes: macro, weighted, micro."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

Average = Literal["macro", "weighted", "micro"]
AVERAGES = ("macro", "weighted", "micro")


def over_classes(
    how: str,
    what: str,
    values_of: Callable[[list[int]], Sequence[float]],
    members: Iterable[int],
    support: NDArray[Any],
) -> float:
    """Return the plain mean over the classes that count (macro), or the mean by their rows (weighted).

    A class without rows has no weight, so the weighted mean need not know its value.
    """
    counted = [int(k) for k in members if how == "macro" or support[k] > 0]
    if not counted:
        raise UndefinedMetricError(f"{what} is undefined: no class or label defines it.")
    values = values_of(counted)
    if how == "macro":
        return math.fsum(values) / len(values)
    weights = [float(support[k]) for k in counted]
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)


def over_rows(values: NDArray[Any], weight: NDArray[Any] | None) -> float:
    """Return the mean over rows; infinite where one of them is."""
    if weight is None:
        return float(np.mean(values))
    used = weight > 0  # 0 times an infinite loss is no loss
    return float(np.sum(values[used] * weight[used]) / np.sum(weight))
