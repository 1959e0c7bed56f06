"""LVIS: an image says which classes were looked for, and judges detections of those alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.detection.scene import Scene

    Ints = NDArray[Any]


def looked_for(scene: Scene) -> Scene:
    """Leave out detections of classes that are neither present in their image nor verified as absent."""
    if scene.federated is None:
        return scene
    kinds, truths, found = len(scene.classes), scene.truths, scene.found
    present = truths.image.astype(np.int64) * kinds + truths.label
    pair = found.image.astype(np.int64) * kinds + found.label
    judged = np.isin(pair, present) | np.isin(pair, scene.federated.negative)
    if judged.all():
        return scene
    kept = np.flatnonzero(judged)
    fewer = replace(
        found,
        **{name: getattr(found, name)[kept] for name in ("image", "label", "box", "score", "row")},
        mask=None if found.mask is None else [found.mask[k] for k in kept.tolist()],
        area=None if found.area is None else found.area[kept],
    )
    told = note("not_looked_for", rows=len(found) - len(kept), of=len(found))
    return replace(scene, found=fewer, notes=(*scene.notes, told))


def partly_marked(scene: Scene, rows: Ints) -> NDArray[np.bool_] | None:
    """Say which detections are of a class that is not marked everywhere in their image; None where there are none."""
    if scene.federated is None or not len(scene.federated.partial):
        return None
    found = scene.found
    pair = found.image[rows].astype(np.int64) * len(scene.classes) + found.label[rows]
    return np.isin(pair, scene.federated.partial)
