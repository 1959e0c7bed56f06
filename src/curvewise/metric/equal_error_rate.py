"""The equal error rate: where as many negatives are flagged as positives are missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.core.registry import metric
from curvewise.curves.det import det_curve

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep


@metric(
    aliases=("eer",),
    unit="share",
    better="lower",
    low=0.0,
    high=1.0,
    chance=0.5,
    perfect=0.0,
    prevalence=False,
    interval="basic",
    place=4,
    reference="Martin et al. (1997) Eurospeech 4:1895-1898",
)
def equal_error_rate(sweep: Sweep) -> float:
    """Return the rate at which FPR equals FNR, on the hull of the ROC curve."""
    return det_curve(sweep).eer
