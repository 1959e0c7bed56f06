"""Boxes in any form as x, y, width, height; their areas; how much two of them overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import BoxForm

FORMS: tuple[BoxForm, ...] = ("xywh", "xyxy", "cxcywh")
Pixels = Literal["real", "inclusive"]


def as_xywh(boxes: NDArray[Any], form: BoxForm = "xywh", pixels: Pixels = "real") -> Floats:
    """Return a copy of boxes, one per row, as x, y, width, height in float64.

    ``"xyxy"`` are two corners, ``"cxcywh"`` the centre and the sides. With ``pixels="inclusive"`` a box contains the
    pixels at both of its ends, as in the devkit of Pascal VOC: each side is one longer.

    Examples
    --------
    >>> import numpy as np
    >>> as_xywh(np.array([[10, 20, 30, 60]]), "xyxy")
    array([[10., 20., 20., 40.]])
    >>> as_xywh(np.array([[10, 20, 30, 60]]), "xyxy", pixels="inclusive")
    array([[10., 20., 21., 41.]])
    """
    box = np.array(boxes, dtype=np.float64, order="C").reshape(-1, 4)
    turn_into_xywh(box, form, pixels)
    return box


def turn_into_xywh(box: Floats, form: BoxForm, pixels: Pixels = "real") -> None:
    """Do what `as_xywh` does in place, for an array that nobody else holds."""
    if form == "xyxy":
        box[:, 2:] -= box[:, :2]
    elif form == "cxcywh":
        box[:, :2] -= box[:, 2:] / 2
    if pixels == "inclusive":
        box[:, 2:] += 1


def box_area(box: Floats) -> Floats:
    """Return width times height of each box."""
    return box[:, 2] * box[:, 3]


def pair_iou(a: Floats, b: Floats, crowd: Bools | None = None) -> Floats:
    """Return the overlap of each row of ``a`` with the same row of ``b``, both x, y, width, height.

    Intersection over union, |A ∩ B| / (|A| + |B| − |A ∩ B|); where ``crowd``, intersection over the area of ``a``, the
    detection. It is 0 where two boxes only touch or one has no area. Operations and their order are those of
    ``bbIou`` in pycocotools, so that an overlap equal to a threshold is equal here too.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([[0.0, 0.0, 10.0, 10.0]]), np.array([[5.0, 0.0, 10.0, 10.0]])
    >>> pair_iou(a, b), pair_iou(a, b, np.array([True]))
    (array([0.33333333]), array([0.5]))
    """
    inter = _common_side(a, b, 0)
    inter *= _common_side(a, b, 1)
    union = box_area(a)
    where = True if crowd is None else ~crowd
    np.add(union, box_area(b), out=union, where=where)
    np.subtract(union, inter, out=union, where=where)
    return np.divide(inter, union, out=np.zeros_like(inter), where=union > 0)


def _common_side(a: Floats, b: Floats, axis: int) -> Floats:
    """Return the length that two boxes have in common along an axis, at least 0."""
    side = a[:, axis] + a[:, axis + 2]
    end = b[:, axis] + b[:, axis + 2]
    np.minimum(side, end, out=side)
    np.maximum(a[:, axis], b[:, axis], out=end)
    side -= end
    return np.maximum(side, 0.0, out=side)
