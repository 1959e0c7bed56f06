"""Weights so large or so small that products of them would leave float64, brought to a scale near 1.

No rate, area or interval depends on the scale of sampling weights. It is changed by a power of two, so that every
weight stays exact, and only where it must be; whole weights are counted in integers and stay as they are.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import ColumnName, CurvewiseError

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows

FAR = 100  # binary exponents beyond ±FAR are scaled
MOST_SPREAD = 300  # binary orders between the largest and the smallest weight: cubes of the smallest are still numbers


def far_exponent(largest: float) -> int:
    """Return the binary exponent of a number that is far from 1; 0 where it is not."""
    exponent = largest.bit_length() if isinstance(largest, int) else math.frexp(largest)[1]
    return exponent if abs(exponent) > FAR else 0


def near_one(weight: NDArray[Any]) -> NDArray[Any]:
    """Return positive weights at a scale near 1; refuse those that no scale brings together."""
    if weight.dtype.kind != "f" or not len(weight):
        return weight
    largest, smallest = float(weight.max()), float(weight.min())
    if math.frexp(largest)[1] - math.frexp(smallest)[1] > MOST_SPREAD:
        raise CurvewiseError(
            "{column}: the largest ({largest}) is more than 2^{most} times the smallest ({smallest}), too far apart to "
            "be added up; leave out the rows that count for nothing.",
            column=ColumnName("weight"),
            largest=f"{largest:.3g}",
            smallest=f"{smallest:.3g}",
            most=MOST_SPREAD,
        )
    exponent = far_exponent(largest)
    return np.ldexp(weight, -exponent) if exponent else weight


def with_near_weights(rows: Rows) -> Rows:
    """Return rows whose weights are near 1, for verbs that multiply them."""
    if rows.weight is None:
        return rows
    scaled = near_one(rows.weight)
    return rows if scaled is rows.weight else replace(rows, weight=scaled)
