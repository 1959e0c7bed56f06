"""The area under the precision-recall-gain curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.core.registry import metric
from curvewise.curves.pr_gain import pr_gain_curve

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@metric(
    aliases=("auprg",),
    unit="area",
    high=1.0,
    chance=0.0,
    perfect=1.0,
    shown=None,
    reference="Flach & Kull (2015) NeurIPS 28:838-846",
)
def pr_gain_area(sweep: Sweep) -> float:
    """Return the area under the precision-recall-gain curve, where chance is 0 at any prevalence."""
    return pr_gain_curve(sweep).area
