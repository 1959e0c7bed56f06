"""Segmentations in COCO's form: their overlap and their areas, by pycocotools' run-length code."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, MissingExtraError
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene


def mask_overlap(found: dict[str, Any], truth: dict[str, Any]) -> Any:
    """Return the overlap of the masks of one image; with a crowd, as a share of the detection's area."""
    if not len(found["row"]) or not len(truth["row"]):
        return np.zeros((len(found["row"]), len(truth["row"])))
    image, size = found["image"], found["size"]
    sides = [[_encoded(m, size, image) for m in side["mask"]] for side in (found, truth)]
    return _code().iou(*sides, truth["crowd"].astype(np.uint8).tolist())


def with_mask_areas(scene: Scene) -> Scene:
    """Return the scene with the areas of the masks of its detections, and of objects that state none."""
    found, truths = scene.found, scene.truths
    unknown = np.isnan(truths.area)
    return replace(
        scene,
        found=replace(found, area=_areas(scene, found, np.ones(len(found), dtype=bool))),
        truths=replace(truths, area=np.where(unknown, _areas(scene, truths, unknown), truths.area)),
    )


def _areas(scene: Scene, side: Any, wanted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the areas of masks, NaN where they are not wanted."""
    areas = np.full(len(side), np.nan)
    for row in np.flatnonzero(wanted).tolist():
        image = int(side.image[row])
        size = None if scene.sizes is None else tuple(scene.sizes[image])
        areas[row] = float(_code().area(_encoded(side.mask[row], size, scene.images[image])))
    return areas


def _encoded(mask: Any, size: tuple[float, float] | None, image: object) -> Any:
    """Return a mask as run-length code; polygons and plain counts need the size of the image."""
    if isinstance(mask, dict) and not isinstance(mask["counts"], list):
        return mask
    width, height = size or (math.nan, math.nan)
    if isinstance(mask, dict) and "size" in mask:
        height, width = mask["size"]
    if not (math.isfinite(width) and math.isfinite(height)):
        raise CurvewiseError(f"overlap='mask': the size of image {shown(image)} is needed and not given.")
    made = _code().frPyObjects(mask, int(height), int(width))
    return _code().merge(made) if isinstance(made, list) else made


def _code() -> Any:
    try:
        from pycocotools import mask  # noqa: PLC0415 - an extra that only masks need
    except ImportError:
        raise MissingExtraError("overlap='mask' needs pycocotools: pip install pycocotools") from None
    return mask
