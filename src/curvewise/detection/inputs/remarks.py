"""What a reader should know about truths and detections that are legal and odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.boxes import box_area
from curvewise.detection.inputs.names import repeated
from curvewise.errors import Note, Word, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.detection.boxes import Pixels
    from curvewise.detection.inputs.kept import Kept
    from curvewise.detection.scene import Bools, Floats

BEYOND = 1.0  # pixels that a box may end outside its image without a word
UNLIKE = 0.01  # share by which a stated area may differ from width × height, beside one pixel
ODD = np.uint64(0x9E3779B97F4A7C15)


def remarks(truth: Kept, found: Kept, score: NDArray[Any], pixels: Pixels) -> list[Note]:
    """Return notes on both sides, boxes being x, y, width, height."""
    told = [_zero_area(truth), _zero_area(found), _no_area(truth), _ignored(truth), _ids(truth)]
    if pixels == "real":  # else boxes are one larger than any stated area
        told.append(_unlike_area(truth))
    if not len(found):
        return [t for t in (*told, note("detection_none_found")) if t is not None]
    told += [_identical(found, score), _mixed_scores(score)]
    return [t for t in told if t is not None]


def ends_beyond(kept: Kept, sizes: Floats | None) -> Bools | None:
    """Return which boxes begin or end outside their image by more than a pixel; None where no size is known."""
    if sizes is None or not len(kept):
        return None
    beyond = np.zeros(len(kept), dtype=bool)
    for axis in (0, 1):
        start = kept.box[:, axis]
        beyond |= start < -BEYOND
        beyond |= start + kept.box[:, axis + 2] > sizes[kept.image, axis] + BEYOND
    return beyond


def beyond_image(truth: Kept, found: Kept, beyond: tuple[Bools | None, Bools | None]) -> list[Note]:
    """Return notes on boxes that end beyond their image: how many, and whether they may be corners."""
    rows = [0 if b is None else int(b.sum()) for b in beyond]
    most = all(2 * n > len(k) for n, k in zip(rows, (truth, found), strict=True))
    if most and "xywh" in (truth.side.form, found.side.form):
        return [note("detection_most_beyond", truths=rows[0], found=rows[1])]
    return [
        note("detection_beyond", side=Word("side", k.side.wanted.name), rows=n, of=len(k))
        for k, n in zip((truth, found), rows, strict=True)
        if n
    ]


def _zero_area(kept: Kept) -> Note | None:
    zero = int(np.count_nonzero((kept.box[:, 2] == 0) | (kept.box[:, 3] == 0)))
    return note(f"detection_zero_{kept.side.wanted.name}", rows=zero, of=len(kept)) if zero else None


def _no_area(truth: Kept) -> Note | None:
    """Tell of truths whose format has areas, and that lack one."""
    area = truth.of(truth.side.area)
    lacking = len(truth) if area is None else int(np.isnan(area).sum())
    if not lacking or not (truth.side.has_areas or area is not None):
        return None
    return note("detection_no_area", rows=lacking, of=len(truth))


def _unlike_area(truth: Kept) -> Note | None:
    """Tell of areas that are not those of boxes; an area within a box may be that of a mask, where there are masks."""
    stated = truth.of(truth.side.area)
    if stated is None or not len(truth):
        return None
    area = box_area(truth.box)
    more = stated - area
    unlike = more > UNLIKE * area + 1
    if not truth.side.has_masks:
        unlike |= -more > UNLIKE * area + 1
    rows = int(np.count_nonzero(unlike))
    return note("detection_unlike_area", rows=rows, of=len(truth)) if rows else None


def _ignored(truth: Kept) -> Note | None:
    ignore = truth.of(truth.side.ignore)
    rows = 0 if ignore is None else int(np.count_nonzero(ignore))
    return note("detection_ignored", rows=rows, of=len(truth)) if rows else None


def _ids(truth: Kept) -> Note | None:
    ids = truth.side.id
    if ids is None:
        return None
    twice = repeated(i for i in ids if i is not None)
    return note("detection_ids_repeat", ids=len(twice), first=str(twice[0])) if twice else None


def _mixed_scores(score: NDArray[Any]) -> Note | None:
    above = int(np.count_nonzero(score > 1))
    if not 0 < above < len(score) / 2 or score.min() < 0 or score.dtype.kind != "f":
        return None
    return note("detection_mixed_scores", rows=above, of=len(score), most=float(score.max()))


def _identical(found: Kept, score: NDArray[Any]) -> Note | None:
    """Count detections that are the same as another in image, class, box and score."""
    if np.isnan(found.box[0, 0]):  # masks alone are compared
        return None
    columns = [found.image, found.label, *found.box.T, score]
    key = np.zeros(len(found), dtype=np.uint64)
    for column in columns:
        bits = np.ascontiguousarray(column, dtype=np.float64).view(np.uint64)
        key ^= bits ^ (bits >> np.uint64(32))
        key *= ODD
        key ^= key >> np.uint64(29)
    ranked = np.sort(key)
    again = ranked[1:][ranked[1:] == ranked[:-1]]
    if not len(again):
        return None
    same = np.flatnonzero(np.isin(key, again))  # of equal keys, those with equal values
    rows = len(same) - len(np.unique(np.column_stack([c[same].astype(np.float64) for c in columns]), axis=0))
    return note("detection_identical", rows=rows, of=len(found)) if rows else None
