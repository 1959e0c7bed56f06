"""Figures of finished results, one file each; matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError
from curvewise.figures.band import draw_band
from curvewise.figures.brier import draw_brier
from curvewise.figures.confusion import draw_confusion
from curvewise.figures.cost import draw_cost
from curvewise.figures.decision import draw_decision
from curvewise.figures.det import draw_det
from curvewise.figures.difference import draw_difference
from curvewise.figures.displays import (
    BrierDisplay,
    ConfusionDisplay,
    CostDisplay,
    DecisionDisplay,
    DetDisplay,
    DistributionDisplay,
    GainDisplay,
    LiftDisplay,
    PrDisplay,
    PrGainDisplay,
    ReliabilityDisplay,
    RocDisplay,
    ThresholdsDisplay,
)
from curvewise.figures.distribution import draw_distribution
from curvewise.figures.drawing import Drawing, Frame, save, to_svg
from curvewise.figures.gain import draw_gain
from curvewise.figures.groups import draw_groups
from curvewise.figures.hull import draw_hull
from curvewise.figures.lift import draw_lift
from curvewise.figures.look import COLOURS, figure
from curvewise.figures.pr import draw_pr
from curvewise.figures.pr_gain import draw_pr_gain
from curvewise.figures.reliability import draw_reliability
from curvewise.figures.roc import draw_roc
from curvewise.figures.sites import draw_sites
from curvewise.figures.thresholds import draw_thresholds
from curvewise.figures.words import CHINESE, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

# by the name of the class, so that drawing one result does not load all the others
FIGURES: dict[str, Callable[..., Axes]] = {
    "RocCurve": draw_roc,
    "RocHull": draw_hull,
    "JointHull": draw_hull,
    "PrCurve": draw_pr,
    "PrGainCurve": draw_pr_gain,
    "DetCurve": draw_det,
    "LiftCurve": draw_gain,
    "CostCurve": draw_cost,
    "BrierCurve": draw_brier,
    "DecisionCurve": draw_decision,
    "Band": draw_band,
    "Reliability": draw_reliability,
    "Confusion": draw_confusion,
    "Sweep": draw_distribution,
    "Groups": draw_groups,
    "Sites": draw_sites,
    "Comparison": draw_difference,
}


def draw(result: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw a result by the function for its kind; this is what ``result.plot()`` does."""
    for kind in type(result).__mro__:
        if kind.__name__ in FIGURES:
            return FIGURES[kind.__name__](result, ax=ax, **style)
    raise CurvewiseError(
        f"There is no figure of {type(result).__name__}; there are figures of {', '.join(FIGURES)}."
    )


__all__ = [
    "CHINESE",
    "COLOURS",
    "ENGLISH",
    "BrierDisplay",
    "ConfusionDisplay",
    "CostDisplay",
    "DecisionDisplay",
    "DetDisplay",
    "DistributionDisplay",
    "Drawing",
    "Frame",
    "GainDisplay",
    "LiftDisplay",
    "PrDisplay",
    "PrGainDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "ThresholdsDisplay",
    "draw",
    "draw_band",
    "draw_brier",
    "draw_confusion",
    "draw_cost",
    "draw_decision",
    "draw_det",
    "draw_difference",
    "draw_distribution",
    "draw_gain",
    "draw_groups",
    "draw_hull",
    "draw_lift",
    "draw_pr",
    "draw_pr_gain",
    "draw_reliability",
    "draw_roc",
    "draw_sites",
    "draw_thresholds",
    "figure",
    "save",
    "to_svg",
]
