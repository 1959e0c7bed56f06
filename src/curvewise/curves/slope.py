"""From costs and prevalence to the slope of lines of equal cost in ROC space."""

from __future__ import annotations

import math

from curvewise.errors import CurvewiseError
from curvewise.rows.checks import real


def cost_slope(fp: float, fn: float, prevalence: float) -> float:
    """Return (c_FP/c_FN)·(1 - π)/π: the TPR that must be gained for each unit of FPR."""
    for name, value in (("fp", fp), ("fn", fn)):
        if real(name, value, 0, math.inf) == 0:
            raise CurvewiseError(f"{name}: expected a cost above 0, got {value!r}.")
    share = real("prevalence", prevalence, 0, 1, closed=False)
    return (fp * (1 - share)) / (fn * share)
