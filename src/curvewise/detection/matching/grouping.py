"""The order in which detections are matched: by group (image and class), by falling score, ties by their boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Ints

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene

Ties = Literal["block", "row"]


@dataclass(frozen=True, eq=False)
class Grouped:
    """Truths and detections sorted by group; a group is ``image * number of classes + class``.

    ``truth`` and ``found`` are places in the scene, ``truth_group`` and ``found_group`` the group of each, rising;
    ``rank`` counts the detections of a group from 0, the highest score first; ``level`` is the place of a score
    among all distinct ones, the highest first. ``beyond`` detections were left out by the limit.
    """

    truth: Ints
    truth_group: Ints
    found: Ints
    found_group: Ints
    rank: Ints
    level: Ints
    beyond: int


def grouped(scene: Scene, ties: Ties, *, limit: int | None, per_image: bool) -> Grouped:
    """Sort truths and detections into groups, and leave out detections beyond the limit.

    Nothing but geometry decides about equal scores (``ties="block"``), or the order of the rows (``"row"``).
    """
    kinds = len(scene.classes)
    truths, found = scene.truths, scene.found
    level = falling_level(found.score)
    of_truth = truths.image.astype(np.int64) * kinds + truths.label
    of_found = found.image.astype(np.int64) * kinds + found.label
    if per_image and limit is not None:
        keep = np.sort(_first_of(found.image.astype(np.int64), level, found.box, ties, limit))
        order = keep[_sorted(of_found[keep], level[keep], found.box[keep], ties)]
    else:
        order = _sorted(of_found, level, found.box, ties)
    rank = place_within(of_found[order])
    if limit is not None and not per_image:
        inside = rank < limit
        order, rank = order[inside], rank[inside]
    if ties == "block":
        in_order = np.lexsort((truths.area, *_by_box(truths.box), of_truth))
    else:
        in_order = np.argsort(of_truth, kind="stable")
    return Grouped(
        truth=in_order,
        truth_group=of_truth[in_order],
        found=order,
        found_group=of_found[order],
        rank=rank.astype(np.int32),
        level=level[order],
        beyond=len(found) - len(order),
    )


def falling_level(score: NDArray[Any]) -> Ints:
    """Return the place of each score among the distinct ones, the highest first."""
    distinct, place = np.unique(score, return_inverse=True)
    return (len(distinct) - 1 - place).astype(np.int64)


def place_within(group: Ints) -> Ints:
    """Count from 0 within runs of one group."""
    if not len(group):
        return np.zeros(0, dtype=np.intp)
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    return np.arange(len(group)) - np.repeat(starts, np.diff(np.append(starts, len(group))))


def _first_of(unit: Ints, level: Ints, box: NDArray[np.float64], ties: Ties, limit: int) -> Ints:
    """Return the places of the first so many of each unit."""
    order = _sorted(unit, level, box, ties)
    return order[place_within(unit[order]) < limit]


def _sorted(group: Ints, level: Ints, box: NDArray[np.float64], ties: Ties) -> Ints:
    """Return the order by group, then by falling score, then by row or by box."""
    levels = int(level.max(initial=0)) + 1
    if int(group.max(initial=0)) >= 2**62 // levels:  # the product would not fit: number the groups that exist
        group = np.unique(group, return_inverse=True)[1]
    key = group * levels + level
    order = np.argsort(key, kind="stable")
    if ties == "block":
        ranked = key[order]
        same = ranked[1:] == ranked[:-1]
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        rows = order[tied]
        order[tied] = rows[np.lexsort((*_by_box(box[rows]), key[rows]))]
    return order


def _by_box(box: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Return the keys of an order by x, then y, width, height for `numpy.lexsort`, whose last key decides first."""
    return tuple(box[:, k] for k in (3, 2, 1, 0))
