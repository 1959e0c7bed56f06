"""How much average precision would rise if errors of one type were corrected, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.false_detections import CLASS, LOCALISATION, TYPES
from curvewise.detection.numbers import class_mean
from curvewise.detection.ranked import Column, Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.detection.false_detections import FalseDetections
    from curvewise.detection.matches import Matches

    Ints = NDArray[Any]
    Bools = NDArray[np.bool_]

ALL_FALSE, ALL_MISSED = "all false", "all missed"
ASIDE = -1


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What is decided about detections and objects.

    ``label`` and ``status`` are the class of each of `Matched.found`, and 1 where it is a true positive, 0 where
    false, -1 where it counts neither way; ``counts`` says which objects of the scene count.
    """

    label: Ints
    status: NDArray[np.int8]
    counts: Bools


def delta_ap(m: Matches, iou: int, errors: FalseDetections) -> tuple[float, dict[str, float]]:
    """Return average precision at a threshold, given by its place, and what correcting each type would add to it.

    A type is corrected as follows, all else being the same. Localisation and class: of the detections about an object
    that was not found, the one with the highest score becomes a true positive, in the object's class; all others of
    the type go. Both, duplicate, background: they go. Missed: the objects go.
    """
    status = m.status(m.iou[iou])
    as_is = Verdicts(m.scene.found.label[m.found], status, m.counting[:, 0])
    counted = m.counted(iou)
    zero = (counted.positives == 0) & (counted.detections > 0) & (m.options.absent == "zero")

    def ap(decided: Verdicts) -> float:
        return _mean_ap(m, decided, zero)

    now = ap(as_is)
    corrected = {name: ap(_corrected(m, as_is, errors, kind)) for kind, name in enumerate(TYPES[:-1])}
    corrected["missed"] = ap(replace(as_is, counts=as_is.counts & ~errors.missed))
    corrected[ALL_FALSE] = ap(replace(as_is, status=np.where(status == 0, ASIDE, status)))
    corrected[ALL_MISSED] = ap(replace(as_is, counts=as_is.counts & ~errors.not_found))
    return now, {name: value - now for name, value in corrected.items()}


def _corrected(m: Matches, as_is: Verdicts, errors: FalseDetections, kind: int) -> Verdicts:
    """Return the verdicts with one type of false detections corrected."""
    ours = np.flatnonzero(errors.kind == kind)
    label, status = as_is.label.copy(), as_is.status.copy()
    status[errors.found[ours]] = ASIDE
    if kind in (LOCALISATION, CLASS):
        about = ours[errors.not_found[errors.truth[ours]]]
        about = about[np.argsort(m.level[errors.found[about]], kind="stable")]
        truth, first = np.unique(errors.truth[about], return_index=True)  # the highest score of each object
        found = errors.found[about[first]]
        status[found], label[found] = 1, m.scene.truths.label[truth]
    return replace(as_is, label=label, status=status)


def _mean_ap(m: Matches, decided: Verdicts, zero: Bools) -> float:
    """Return the mean over classes; those left without any object have no value, those in ``zero`` count as 0."""
    kept = np.flatnonzero(decided.status != ASIDE)
    levels = int(m.level.max(initial=0)) + 1
    kept = kept[np.argsort(decided.label[kept].astype(np.int64) * levels + m.level[kept], kind="stable")]
    none = np.zeros(0, dtype=np.intp)
    objects = np.flatnonzero(decided.counts)
    column = Column(
        ranked=Ranked(
            classes=len(m.classes),
            label=decided.label[kept].astype(np.int32),
            image=m.scene.found.image[m.found[kept]].astype(np.int32),
            level=m.level[kept],
            rank=m.rank[kept],
        ),
        hits=np.flatnonzero(decided.status[kept] == 1),
        base=None,
        corrected=none,
        correction=none,
        truth_image=m.scene.truths.image[objects],
        truth_label=m.scene.truths.label[objects],
        order="block" if m.options.ties == "block" else "row",
    )
    values = column.read(m.once).areas(m.options.interpolation)
    return class_mean(np.where(zero, 0.0, values)).value
