"""Which detection takes which truth: COCO's and VOC's rules, for all images, IoU thresholds and sizes at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.grouping import place_within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.detection.pairs import Pairs

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

NONE = -1  # the truth of a detection that takes none


@dataclass(frozen=True, eq=False)
class Taken:
    """The truth that each detection takes, for detections that overlap any.

    ``found`` are places among the grouped detections, rising; ``truth`` has a row for each, and a place among the
    grouped truths, or `NONE`, for every IoU threshold (second axis) and size range (third).
    """

    found: Ints
    truth: NDArray[np.int32]


def take_best_free(pairs: Pairs, group: Ints, iou: Floats, counts: Bools, crowd: Bools) -> Taken:
    """Let each detection take the best truth still free (COCO).

    Detections of a group come one after the other, by falling score; of the truths still free with enough overlap
    each takes the counting one with the greatest overlap, of equal ones the last; only if there is none, the best of
    those set aside. A crowd is never used up. All groups, thresholds and sizes take this step together.

    Parameters
    ----------
    pairs
        Detections and truths of one group that overlap.
    group
        The group of each detection.
    iou
        The thresholds, rising.
    counts, crowd
        Whether a truth counts, by size range (second axis), and whether it is a crowd.
    """
    best_last = np.lexsort((pairs.truth, pairs.overlap, pairs.found))
    truth, overlap = pairs.truth[best_last], pairs.overlap[best_last]
    found, first, many = np.unique(pairs.found, return_index=True, return_counts=True)
    taken = np.full((len(found), len(iou), counts.shape[1]), NONE, dtype=np.int32)
    used = np.zeros((len(counts), *taken.shape[1:]), dtype=bool)
    ahead = many.max(initial=0) + 1  # what puts a counting truth before any other
    for step in _steps(group[found]):
        starts = first[step]
        rows = np.repeat(starts, many[step]) + _within(many[step])
        which, begins = truth[rows], np.cumsum(many[step]) - many[step]
        place = (rows - np.repeat(starts, many[step]) + 1)[:, None, None]
        free = (overlap[rows][:, None] >= iou)[:, :, None] & ~used[which]
        key = (place + ahead * counts[which][:, None, :]).astype(np.int32) * free
        best = np.maximum.reduceat(key, begins, axis=0)
        own = truth[starts[:, None, None] + np.maximum(best - 1, 0) % ahead]
        taken[step] = np.where(best > 0, own, NONE)
        at, t, a = np.nonzero((best > 0) & ~crowd[own])
        used[own[at, t, a], t, a] = True
    return Taken(found, taken)


def take_only_best(pairs: Pairs, iou: Floats, counts: Bools) -> Taken:
    """Let each detection look at its best truth only, free or not, the first of equal ones (VOC).

    A truth that counts is taken by the first detection that looks at it; one that does not is not used up.
    """
    best_last = np.lexsort((-pairs.truth, pairs.overlap, pairs.found))
    found, many = np.unique(pairs.found, return_counts=True)
    best = best_last[np.cumsum(many) - 1]
    truth, overlap = pairs.truth[best], pairs.overlap[best]
    taken = np.full((len(found), len(iou), counts.shape[1]), NONE, dtype=np.int32)
    for t, least in enumerate(iou):
        looking = np.flatnonzero(overlap >= least)
        _, first = np.unique(truth[looking], return_index=True)
        hits = looking[first]  # places rise with falling scores within an image, and a truth lies in one image
        taken[hits, t, :] = truth[hits, None]
        aside = looking[~counts[truth[looking], 0]]
        taken[aside, t, :] = truth[aside, None]
    return Taken(found, taken)


def _steps(group: Ints) -> list[Ints]:
    """Return which detections take their turn together: the first of each group, then the second, and so on."""
    turn = place_within(group)
    return np.split(np.argsort(turn, kind="stable"), np.cumsum(np.bincount(turn))[:-1]) if len(group) else []


def _within(many: Ints) -> Ints:
    """Count from 0 within runs of these lengths."""
    within: Ints = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    return within
