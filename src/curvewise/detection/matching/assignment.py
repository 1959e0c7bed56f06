"""Which detection takes which truth: COCO's and VOC's rules, for all images, IoU thresholds and sizes at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats, Ints
from curvewise.detection.matching.grouping import place_within

if TYPE_CHECKING:
    from curvewise.detection.matching.pairs import Pairs

NONE = -1  # the truth of a detection that takes none


@dataclass(frozen=True, eq=False)
class Taken:
    """The truth that each detection takes, for detections that overlap any.

    ``found`` are places among the grouped detections, rising; ``truth`` has a row for each, and a truth, or `NONE`, for
    every IoU threshold (second axis) and size range (third). In memory, a threshold and a size lie together.
    """

    found: Ints
    truth: NDArray[np.int32]


def take_best_free(pairs: Pairs, group: Ints, truth: Ints, iou: Floats, counts: Bools, crowd: Bools) -> Taken:
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
    truth
        The truths in their order, as the places by which they are called in ``counts``, ``crowd`` and the answer.
    iou
        The thresholds, rising.
    counts, crowd
        Whether a truth counts, by size range (second axis), and whether it is a crowd.
    """
    best_last = np.lexsort((pairs.truth, pairs.overlap, pairs.found))
    whose, overlap = truth[pairs.truth[best_last]].astype(np.int32), pairs.overlap[best_last]
    found, first, many = np.unique(pairs.found, return_index=True, return_counts=True)
    taken = _none_taken(len(found), len(iou), counts.shape[1])
    used = np.zeros((len(counts), *taken.shape[1:]), dtype=bool)
    ahead = int(many.max(initial=0)) + 1  # what puts a counting truth before any other
    small = np.min_scalar_type(2 * ahead)
    before = counts.astype(small) * small.type(ahead)
    for step in _steps(group[found]):
        starts, length = first[step], many[step]
        place = _within(length)
        rows = np.repeat(starts, length) + place
        which = whose[rows]
        key = (before[which] + (place + 1).astype(small)[:, None])[:, None, :] * (
            (overlap[rows][:, None] >= iou)[:, :, None] & ~used[which]
        )
        best = np.maximum.reduceat(key, np.cumsum(length) - length, axis=0)
        took = best > 0
        own = whose[starts[:, None, None] + np.where(took, (best - small.type(1)) % small.type(ahead), 0)]
        taken[step] = np.where(took, own, NONE)
        at, t, a = np.nonzero(took & ~crowd[own] if crowd.any() else took)
        used[own[at, t, a], t, a] = True
    return Taken(found, taken)


def take_only_best(pairs: Pairs, truth: Ints, iou: Floats, counts: Bools) -> Taken:
    """Let each detection look at its best truth only, free or not, the first of equal ones (VOC).

    A truth that counts is taken by the first detection that looks at it; one that does not is not used up.
    """
    best_last = np.lexsort((-pairs.truth, pairs.overlap, pairs.found))
    found, many = np.unique(pairs.found, return_counts=True)
    best = best_last[np.cumsum(many) - 1]
    whose, overlap = truth[pairs.truth[best]], pairs.overlap[best]
    taken = _none_taken(len(found), len(iou), counts.shape[1])
    for t, least in enumerate(iou):
        looking = np.flatnonzero(overlap >= least)
        _, first = np.unique(whose[looking], return_index=True)
        hits = looking[first]  # places rise with falling scores within an image, and a truth lies in one image
        taken[hits, t, :] = whose[hits, None]
        aside = looking[~counts[whose[looking], 0]]
        taken[aside, t, :] = whose[aside, None]
    return Taken(found, taken)


def _none_taken(found: int, iou: int, sizes: int) -> NDArray[np.int32]:
    """Return room for an answer, in which all detections of one threshold and size lie together."""
    return np.full((iou, sizes, found), NONE, dtype=np.int32).transpose(2, 0, 1)


def _steps(group: Ints) -> list[Ints]:
    """Return which detections take their turn together: the first of each group, then the second, and so on."""
    turn = place_within(group)
    return np.split(np.argsort(turn, kind="stable"), np.cumsum(np.bincount(turn))[:-1]) if len(group) else []


def _within(many: Ints) -> Ints:
    """Count from 0 within runs of these lengths."""
    within: Ints = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    return within
