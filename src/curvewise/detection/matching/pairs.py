"""Which detections overlap which truths: pairs of one group, or of one image, whose overlap is large enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.arrays import Floats, Ints
from curvewise.detection.formats.boxes import pair_iou
from curvewise.detection.formats.masks import mask_overlap
from curvewise.errors import CurvewiseError
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene

# a function of the detections and the truths of one image, or a matrix per image
Overlap = Callable[[dict[str, Any], dict[str, Any]], Any] | Mapping[Any, Any] | Literal["mask"]
CHUNK = 200_000  # pairs that are looked at together: more would cost memory and no time


@dataclass(frozen=True, eq=False)
class Pairs:
    """Detections and truths that overlap: places in what was searched, rising by detection, and their overlap."""

    found: Ints
    truth: Ints
    overlap: Floats


def overlapping(
    scene: Scene, found: Ints, found_group: Ints, truth: Ints, truth_group: Ints, least: float, overlap: Overlap | None
) -> Pairs:
    """Return the pairs of one group with an overlap of at least ``least``.

    ``found`` and ``truth`` are places in the scene, each sorted by group; the pairs are places in these two.
    """
    measure = _measure(scene, overlap)
    parts = []
    for left, right in _candidates(found_group, truth_group):
        near = measure(found[left], truth[right])
        enough = near >= least
        parts.append((left[enough], right[enough], near[enough]))
    none = np.zeros(0, dtype=np.intp)
    columns = zip(*parts, strict=True) if parts else ((none,), (none,), (none.astype(np.float64),))
    return Pairs(*(np.concatenate(c) for c in columns))


def _candidates(found_group: Ints, truth_group: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield all pairs of one group, so many at a time: for each detection the window of truths of its group."""
    first = np.searchsorted(truth_group, found_group, side="left")
    count = np.searchsorted(truth_group, found_group, side="right") - first
    some = np.flatnonzero(count)
    first, count = first[some], count[some]
    ends = np.cumsum(count)
    start = 0
    while start < len(some):
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + CHUNK, side="right")), start + 1)
        many = count[start:stop]
        left = np.repeat(some[start:stop], many)
        within = np.arange(len(left)) - np.repeat(ends[start:stop] - many - before, many)
        yield left, np.repeat(first[start:stop], many) + within
        start = stop


def _measure(scene: Scene, overlap: Overlap | None) -> Callable[[Ints, Ints], Floats]:
    """Return what tells the overlap of detections and truths, given as places in the scene."""
    truths, found = scene.truths, scene.found
    if overlap is None:
        crowds = truths.crowd.any()

        def boxes(left: Ints, right: Ints) -> Floats:
            return pair_iou(found.box[left], truths.box[right], truths.crowd[right] if crowds else None)

        return boxes
    tables = _Tables(scene, overlap)

    def looked_up(left: Ints, right: Ints) -> Floats:
        return tables.look_up(left, right)

    return looked_up


class _Tables:
    """Overlaps of all detections with all truths of an image, asked for once per image."""

    def __init__(self, scene: Scene, overlap: Overlap) -> None:
        self.scene = scene
        self.overlap = mask_overlap if isinstance(overlap, str) and overlap == "mask" else overlap
        self.found, self.truth = (_Members(side.image, len(scene.images)) for side in (scene.found, scene.truths))
        self.known: dict[int, Floats] = {}

    def look_up(self, left: Ints, right: Ints) -> Floats:
        """Return the overlap of each pair."""
        image = self.scene.found.image[left]
        values = np.empty(len(left))
        for one in np.unique(image).tolist():
            here = image == one
            table = self.known.get(one)
            if table is None:
                table = self.known[one] = self._table(one)
            values[here] = table[self.found.place[left[here]], self.truth.place[right[here]]]
        return values

    def _table(self, image: int) -> Floats:
        scene, name = self.scene, self.scene.images[image]
        found, truth = self.found.of(image), self.truth.of(image)
        sides = (_described(scene, scene.found, found), _described(scene, scene.truths, truth))
        if callable(self.overlap):
            given = self.overlap(*sides)
        elif isinstance(self.overlap, Mapping):
            given = self.overlap.get(name)
        else:
            raise CurvewiseError(
                "overlap: expected a function of the detections and truths of an image, a matrix per image, or "
                f"'mask', got {shown(self.overlap)}."
            )
        try:
            table = np.asarray(np.nan if given is None else given, dtype=np.float64)
        except (TypeError, ValueError):
            raise CurvewiseError(
                f"overlap: expected a matrix of numbers for image {shown(name)}, got {shown(given)}."
            ) from None
        if table.shape != (len(found), len(truth)):
            raise CurvewiseError(
                f"overlap: expected {len(found)} rows (detections) and {len(truth)} columns (truths) for image "
                f"{shown(name)}, got {'nothing' if given is None else f'the shape {table.shape}'}."
            )
        if not ((table >= 0) & (table <= 1)).all():
            raise CurvewiseError(f"overlap: expected numbers from 0 to 1 for image {shown(name)}.")
        return table


class _Members:
    """The rows of each image, in the order in which they were given, and the place of each row among them."""

    def __init__(self, image: Ints, images: int) -> None:
        self.order = np.argsort(image, kind="stable")
        self.starts = np.searchsorted(image[self.order], np.arange(images + 1))
        self.place = np.empty(len(image), dtype=np.intp)
        self.place[self.order] = np.arange(len(image)) - np.repeat(self.starts[:-1], np.diff(self.starts))

    def of(self, image: int) -> Ints:
        """Return the rows of one image."""
        return self.order[self.starts[image] : self.starts[image + 1]]


def _described(scene: Scene, side: Any, rows: Ints) -> dict[str, Any]:
    """Return what a function of overlap is told about the detections, or the truths, of one image."""
    told = {name: getattr(side, name)[rows] for name in ("row", "box")}
    told["class"] = [scene.classes[k] for k in side.label[rows].tolist()]
    more = [name for name in ("score", "area", "crowd", "ignored") if getattr(side, name, None) is not None]
    told |= {name: getattr(side, name)[rows] for name in more}
    masks = side.mask
    told["mask"] = None if masks is None else [masks[k] for k in rows.tolist()]
    sizes = scene.sizes
    told["image"] = scene.images[int(side.image[rows[0]])] if len(rows) else None
    told["size"] = None if sizes is None or not len(rows) else tuple(sizes[int(side.image[rows[0]])])
    return told
