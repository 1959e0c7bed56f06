"""Detections and objects of one image, of whatever class: which are left over, and which overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Ints
from curvewise.detection.matching.assignment import NONE
from curvewise.detection.matching.pairs import Pairs, overlapping
from curvewise.many_classes.confusion_matrix import class_names

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches


def taken_truth(m: Matches, iou: int) -> Ints:
    """Return for each of `Matched.found` the object that it takes at a threshold given by its place, or -1."""
    taken = np.full(len(m.found), NONE, dtype=np.intp)
    taken[m.hit] = m.hit_truth[:, iou, 0]
    return taken


def image_pairs(m: Matches, found: Ints, truth: Ints, least: float) -> Pairs:
    """Return which detections and objects of one image overlap by at least ``least``, whatever their class.

    ``found`` are places in `Matched.found`, rising, ``truth`` places in the scene; so are the pairs. They are by
    detection, and for each by overlap, the best one last; of equal ones as `tie_order` says.
    """
    image = m.scene.truths.image
    truth = truth[np.lexsort((tie_order(m, truth), image[truth]))]
    rows = m.found[found]
    near = overlapping(m.scene, rows, m.scene.found.image[rows], truth, image[truth], least, m.overlap)
    order = np.lexsort((near.truth, near.overlap, near.found))
    return Pairs(found[near.found[order]], truth[near.truth[order]], near.overlap[order])


def tie_order(m: Matches, truth: Ints) -> Ints:
    """Return the rank of each object among equals: by box, area and name of its class, or by row."""
    truths = m.scene.truths
    if m.options.ties == "row":
        return truths.row[truth]
    name = names_of(m)[truths.label[truth]]
    return place_of_each(np.lexsort((name, truths.area[truth], *truths.box[truth].T[::-1])))


def names_of(m: Matches) -> Ints:
    """Return the rank of each class by its name, which no order of the classes can move."""
    return place_of_each(np.argsort(class_names(m.classes), kind="stable"))


def place_of_each(order: Ints) -> Ints:
    """Return the place that each has in an order."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place
