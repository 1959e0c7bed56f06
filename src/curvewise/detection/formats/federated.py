"""LVIS: an image says which classes were looked for, and judges detections of those alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Ints
from curvewise.detection.formats.scene import Federated, Scene
from curvewise.detection.formats.wording import wrong
from curvewise.errors import OptionName, note
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.formats.join import Joined
    from curvewise.detection.formats.side import Side


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


# ---- Which classes were looked for in an image, as LVIS has it ----


def federated_of(truth: Side, images: Joined, classes: Joined) -> Federated:
    """Return which classes are verified as absent, and which are not all marked, in each image that is judged."""
    listed, kinds = truth.images, truth.classes
    if listed is None or kinds is None or listed.negative is None or listed.partial is None:
        raise wrong(
            truth.where,
            "{rule} needs the images and categories of LVIS, with 'neg_category_ids' and "
            "'not_exhaustive_category_ids'; for other data use {other}.",
            rule=OptionName("rule", "lvis"),
            other=OptionName("rule", "coco"),
        )
    frequency = None
    if kinds.frequency is not None:
        of_class = dict(zip(kinds.ids, kinds.frequency, strict=True))
        frequency = tuple(str(of_class[k]) for k in classes.ids)
    place = {name: k for k, name in enumerate(images.names)}
    at = [place.get(name) for name in listed.names]
    known = {**dict.fromkeys(kinds.ids), **{c: k for k, c in enumerate(classes.ids)}}
    negative, partial = (
        _pairs(lists, at, known, len(classes.ids), truth.where) for lists in (listed.negative, listed.partial)
    )
    return Federated(negative, partial, frequency)


def _pairs(
    lists: Sequence[Any], at: Sequence[int | None], known: dict[Any, int | None], classes: int, where: str
) -> Ints:
    """Return image × number of classes + class of each pair that is judged, rising."""
    found = []
    for image, kinds in zip(at, lists, strict=True):
        for kind in kinds:
            if kind not in known:
                raise wrong(
                    where, "an image names the class {kind}, which 'categories' does not list.", kind=shown(kind)
                )
            label = known[kind]
            if image is not None and label is not None:
                found.append(image * classes + label)
    return np.unique(np.array(found, np.intp))
