"""How often a detection with some score is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise.detection.options import ALL
from curvewise.errors import UndefinedMetricError, note
from curvewise.probabilities.reliability import Reliability, reliability
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.matches import Matches


def score_reliability(
    m: Matches, *, iou: float = 0.5, area: str = ALL, cls: object = None, **options: Any
) -> Reliability:
    """Return what `Matched.reliability` describes."""
    status = m.status(iou, area)
    judged = status >= 0
    found = m.scene.found
    if cls is not None:
        judged &= found.label[m.found] == m.class_place(cls)
    if not judged.any():
        raise UndefinedMetricError(
            "Reliability is undefined: there is no detection{whose}{where}.",
            whose="" if cls is None else f" of class {shown(cls)}",
            where="" if area == ALL else f" of size {area!r}",
            why=note("no_detections"),
        )
    rows = m.found[judged]
    return reliability(status[judged] == 1, found.score[rows], cluster=found.image[rows], **options)
