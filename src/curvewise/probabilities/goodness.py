"""Tests of the hypothesis that the probabilities are right: Spiegelhalter's, and Hosmer and Lemeshow's."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import UndefinedMetricError
from curvewise.metric.bins import in_bins
from curvewise.results.numbers import json_safe

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks


@dataclass(frozen=True)
class GoodnessTest:
    """A test statistic with its degrees of freedom, if it has any, and its p-value."""

    statistic: float
    p_value: float
    degrees: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, JSON-safe."""
        return {k: json_safe(v) for k, v in asdict(self).items()}


UNKNOWN = GoodnessTest(math.nan, math.nan)


def spiegelhalter(blocks: Blocks) -> GoodnessTest:
    """Return z = Σ(y - p)(1 - 2p) / √Σ(1 - 2p)²p(1 - p), the Brier score's excess over what p promises."""
    turn = 1 - 2 * blocks.p
    variance = blocks.p * (1 - blocks.p) * turn**2
    squares = sum(blocks.need_squares("Spiegelhalter's z"))
    scale = float(np.sum(squares * variance))
    if not scale:
        raise UndefinedMetricError(
            "Spiegelhalter's z needs a probability other than 0, 0.5 and 1: it looks at nothing there."
        )
    excess = float(np.sum((blocks.positives * (1 - blocks.p) - blocks.negatives * blocks.p) * turn))
    z = excess / math.sqrt(scale)
    return GoodnessTest(z, math.erfc(abs(z) / math.sqrt(2)))


def hosmer_lemeshow(sweep: Sweep, groups: int) -> GoodnessTest:
    """Return Σ(O - E)² / (E(1 - E/n)) over groups of equal mass, with as many degrees of freedom as groups.

    So for probabilities that were not fitted on these rows; for rows that the model was fitted on take
    two degrees fewer.
    """
    if sweep.tp.dtype.kind == "f":
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs rows that count alike: weights are fractional."
        )
    found = in_bins(sweep, groups, "mass")
    expected = found.n * found.mean
    away, variance = found.positives - expected, expected * (1 - found.mean)
    certain = (variance == 0) & (away == 0)  # probability 0 or 1, and rightly: no surprise is possible
    if certain.all():
        raise UndefinedMetricError("The Hosmer-Lemeshow test needs a probability between 0 and 1.")
    with np.errstate(divide="ignore"):
        statistic = float(np.sum(away[~certain] ** 2 / variance[~certain]))
    degrees = int((~certain).sum())
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    return GoodnessTest(statistic, float(chdtrc(degrees, statistic)), degrees)
