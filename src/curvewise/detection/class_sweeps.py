"""The sweeps of all classes, read in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.detection.options import ALL

if TYPE_CHECKING:
    from curvewise.detection.matches import Matches


def class_sweeps(m: Matches, iou: float = 0.5, area: str = ALL) -> dict[Any, Sweep]:
    """Return `Matched.sweep` of every class that has an object; one without any detection has no threshold."""
    status = m.status(iou, area)
    judged = status >= 0
    score, true = m.scene.found.score[m.found][judged], status[judged].astype(np.int64)
    label = m.scene.found.label[m.found][judged]
    order = np.argsort(label, kind="stable")
    ends = np.searchsorted(label[order], np.arange(len(m.classes) + 1))
    counts = m.counting[:, m.options.area_place(area)]
    objects = np.bincount(m.scene.truths.label[counts], minlength=len(m.classes)).tolist()
    found = {}
    for place, name in enumerate(m.classes):
        own = order[ends[place] : ends[place + 1]]
        if objects[place]:
            total = objects[place]
            found[name] = Sweep.from_counts(
                score[own], true[own], 1 - true[own], total_positives=total, negatives_known=False
            )
    return found
