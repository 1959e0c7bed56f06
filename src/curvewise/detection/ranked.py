"""Detections of every class by falling score, and what is read from them with any weights of the images.

Matching is within an image, so a resample of images changes no match: it only weighs what each image adds to the
counts. All classes are read together: hits alone are walked through, since precision falls between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

Interpolation = Literal["101-point", "11-point", "all-point", "step", "101-point (pycocotools)"]
Order = Literal["block", "row", "optimistic"]
PYCOCOTOOLS_GRID = np.linspace(0.0, 1.0, 101)  # ten of its points lie above the quotient that they stand for


@dataclass(frozen=True, eq=False)
class Ranked:
    """Kept detections by class, then by falling score.

    Attributes
    ----------
    classes
        The number of classes.
    label, image, level, rank
        Of each detection in that order: its class, its image, the place of its score among all distinct ones, its
        place in its group.
    """

    classes: int
    label: Ints
    image: Ints
    level: Ints
    rank: Ints

    def __len__(self) -> int:
        return len(self.label)

    @cached_property
    def starts(self) -> Ints:
        """Where each class begins, and the end."""
        return np.searchsorted(self.label, np.arange(self.classes + 1))

    @cached_property
    def block_starts(self) -> Ints:
        """Where the block of equal scores of each detection begins."""
        new = np.append(True, (np.diff(self.level) != 0) | (np.diff(self.label) != 0))[: len(self)]
        firsts = np.flatnonzero(new)
        return np.repeat(firsts, np.diff(np.append(firsts, len(self)))).astype(np.int32)

    @cached_property
    def block_ends(self) -> Ints:
        """Where the block of equal scores of each detection ends: the place of its last one."""
        starts = self.block_starts
        lasts = np.flatnonzero(np.append(np.diff(starts) != 0, True)[: len(self)])
        return np.repeat(lasts, np.diff(np.append(-1, lasts))).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Column:
    """What matching found at one IoU threshold, size range and limit of detections.

    Attributes
    ----------
    ranked
        The detections.
    hits
        Places of the true positives, rising.
    base
        Whether a detection would count as false if it took no truth; None where all would.
    corrected, correction
        Places of detections that took a truth and count otherwise than ``base`` says, rising, and by how much.
    truth_image, truth_label
        Image and class of every truth that counts.
    order
        How equal scores enter: together, in the order of the rows, or hits first.
    """

    ranked: Ranked
    hits: Ints
    base: Bools | None
    corrected: Ints
    correction: Ints
    truth_image: Ints
    truth_label: Ints
    order: Order

    @cached_property
    def last(self) -> Ints:
        """Of every run of hits that enter together, the last, as a place among the hits."""
        if self.order != "block":
            return np.arange(len(self.hits))
        ends = self.ranked.block_ends[self.hits]
        return np.flatnonzero(np.append(ends[1:] != ends[:-1], True)[: len(ends)])

    @cached_property
    def place(self) -> Ints:
        """Up to which place detections have been shown when these hits have entered."""
        at = self.hits[self.last]
        if self.order == "block":
            return self.ranked.block_ends[at].astype(np.intp)
        return at if self.order == "row" else self.ranked.block_starts[at].astype(np.intp) - 1

    @cached_property
    def label(self) -> Ints:
        """The class of every such run."""
        return self.ranked.label[self.hits[self.last]].astype(np.intp)

    @cached_property
    def first_hit(self) -> Ints:
        """How many hits come before each class."""
        return np.searchsorted(self.hits, self.ranked.starts)

    @cached_property
    def first_run(self) -> Ints:
        """Which runs are the first of their class."""
        return np.flatnonzero(np.append(True, self.label[1:] != self.label[:-1])[: len(self.label)])

    @cached_property
    def hit_image(self) -> Ints:
        """The image of each hit."""
        return self.ranked.image[self.hits]

    @cached_property
    def corrections_before(self) -> Ints:
        """How many corrections lie at or before the place of each run."""
        return np.searchsorted(self.corrected, self.place, side="right")

    def read(self, weigh: Weights) -> Counted:
        """Return the counts at every run of hits, per class, images counting as often as ``weigh`` says."""
        hits = _from_zero(weigh.image[self.hit_image])
        shown = weigh.shown(self.ranked, self.base)
        moved = _from_zero(weigh.image[self.ranked.image[self.corrected]] * self.correction)
        starts = self.ranked.starts
        tp = hits[self.last + 1] - hits[self.first_hit[self.label]]
        so_far = shown[self.place + 1] + moved[self.corrections_before]
        before = shown[starts] + moved[np.searchsorted(self.corrected, starts)]
        if self.order == "optimistic":  # of the block only the hits up to this one have been shown
            block = self.ranked.block_starts[self.hits[self.last]]
            so_far += hits[self.last + 1] - hits[np.searchsorted(self.hits, block)]
        positives = np.bincount(self.truth_label, weigh.image[self.truth_image], self.ranked.classes).astype(np.int64)
        return Counted(
            label=self.label,
            first=self.first_run,
            tp=tp,
            shown=so_far - before[self.label],
            positives=positives,
            hits=hits[self.first_hit[1:]] - hits[self.first_hit[:-1]],
            detections=before[1:] - before[:-1],
        )


class Weights:
    """How often each image counts; what columns share with these weights is summed once."""

    def __init__(self, image: Ints) -> None:
        self.image = image
        self._shown: dict[int, Ints] = {}

    def shown(self, ranked: Ranked, base: Bools | None) -> Ints:
        """Return how many detections of ``base`` lie before each place."""
        found = self._shown.get(id(base))
        if found is None:
            weight = self.image[ranked.image]
            found = self._shown[id(base)] = _from_zero(weight if base is None else weight * base)
        return found


@dataclass(frozen=True, eq=False)
class Counted:
    """Counts of all classes: at every run of hits, and in the end.

    ``tp`` and ``shown`` are hits and detections (that count) of the class up to and with a run; ``label`` is its
    class, ``first`` are the runs that begin a class. ``positives``, ``hits`` and ``detections`` are totals per class.
    """

    label: Ints
    first: Ints
    tp: Ints
    shown: Ints
    positives: Ints
    hits: Ints
    detections: Ints

    def recall(self) -> Floats:
        """Return the greatest recall of each class; NaN without truths."""
        return np.where(self.positives > 0, self.hits / np.maximum(self.positives, 1), np.nan)

    def areas(self, interpolation: Interpolation) -> Floats:
        """Return the area under the precision-recall curve of each class; NaN without truths.

        The recall grid is exact: recall tp/P reaches k/100 where 100·tp ≥ k·P, so the number of grid points that a
        run is the first to reach is ⌊100·tp/P⌋ less that of the run before, and one more, recall 0, for the first.
        """
        precision = self.tp / np.maximum(self.shown, 1)
        if interpolation != "step":
            precision = self._envelope(precision)
        share, whole = SHARES[interpolation](self)
        areas = np.bincount(self.label, share * precision, len(self.positives)) / whole
        return np.where(self.positives > 0, areas, np.nan)

    def _envelope(self, precision: Floats) -> Floats:
        """Return the greatest precision at this or any later run of the class.

        One running maximum for all classes, from the last run back: whole numbers of which the class has the highest
        bits, so that none reaches into another class. The value is that of the run where the maximum lies.
        """
        bits = 62 - len(self.positives).bit_length()
        classes = len(self.positives) - 1 - self.label[::-1]
        key = (classes << bits) + (precision[::-1] * 2.0**bits).astype(np.int64)
        greatest = np.maximum.accumulate(key)
        where = np.maximum.accumulate(np.where(key == greatest, np.arange(len(key)), 0))
        return precision[::-1][where][::-1]

    def added(self, reached: Ints) -> Ints:
        """Return how much each run adds to what the runs of its class before it have reached."""
        gain = np.diff(reached, prepend=0)
        gain[self.first] = reached[self.first]
        return gain

    def grid(self, steps: int) -> tuple[Ints, float]:
        """Return how many points of a recall grid each run is the first to reach, and how many there are."""
        points = self.added(steps * self.tp // np.maximum(self.positives, 1)[self.label])
        points[self.first] += 1
        return points, float(steps + 1)

    def pycocotools_grid(self) -> tuple[Ints, float]:
        """Return the same for a grid of rounded recalls, compared with rounded quotients."""
        recall = self.tp / np.maximum(self.positives, 1)[self.label]
        reached = np.searchsorted(PYCOCOTOOLS_GRID, recall, side="right")
        return self.added(reached), float(len(PYCOCOTOOLS_GRID))

    def every_hit(self) -> tuple[Floats, Floats]:
        """Return the hits of each run, and the truths of each class."""
        return self.added(self.tp).astype(np.float64), np.maximum(self.positives, 1).astype(np.float64)


SHARES: dict[Interpolation, Callable[[Counted], tuple[Any, Any]]] = {
    "101-point": lambda counted: counted.grid(100),
    "11-point": lambda counted: counted.grid(10),
    "all-point": Counted.every_hit,
    "step": Counted.every_hit,
    "101-point (pycocotools)": Counted.pycocotools_grid,
}


def _from_zero(values: Ints) -> Ints:
    """Return running sums that begin with 0."""
    sums = np.empty(len(values) + 1, dtype=np.int64)
    sums[0] = 0
    np.cumsum(values, out=sums[1:])
    return sums
