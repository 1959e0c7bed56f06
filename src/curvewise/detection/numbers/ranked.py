"""Detections of every class by falling score, and what is read from them with any weights of the images.

Matching is within an image, so a resample of images changes no match: it only weighs what each image adds to the
counts. All classes are read together: hits alone are walked through, since precision falls between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from curvewise.arrays import Bools, Floats, Ints

Interpolation = Literal["101-point", "11-point", "all-point", "step", "101-point (pycocotools)"]
Order = Literal["block", "row", "optimistic"]
SAFE = 2**31  # sums below this are kept in 32 bits
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
    def images(self) -> Ints:
        """The image of each detection as an index, which NumPy takes without conversion."""
        return self.image.astype(np.intp)

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
    def runs(self) -> Ints:
        """How many runs each class has."""
        return np.bincount(self.label, minlength=self.ranked.classes)

    @cached_property
    def first_run(self) -> Ints:
        """Which runs are the first of their class."""
        return (np.cumsum(self.runs) - self.runs)[self.runs > 0]

    @cached_property
    def hits_before(self) -> tuple[Ints, Ints]:
        """How many hits come before each class, and how many up to and with each run."""
        return np.searchsorted(self.hits, self.ranked.starts), self.last + 1

    @cached_property
    def hit_image(self) -> Ints:
        """The image of each hit."""
        return self.ranked.images[self.hits]

    @cached_property
    def places_before(self) -> tuple[Ints, Ints]:
        """How many detections come before each class, and how many up to and with each run."""
        return self.ranked.starts, self.place + 1

    @cached_property
    def corrected_image(self) -> Ints:
        """The image of each correction."""
        return self.ranked.images[self.corrected]

    @cached_property
    def corrections_before(self) -> tuple[Ints, Ints]:
        """How many corrections lie before each class, and at or before the place of each run."""
        at = np.searchsorted(self.corrected, self.ranked.starts)
        return at, np.searchsorted(self.corrected, self.place, side="right")

    @cached_property
    def block_hits_before(self) -> Ints:
        """How many hits come before the block of equal scores of each run."""
        return np.searchsorted(self.hits, self.ranked.block_starts[self.hits[self.last]])

    def read(self, weigh: Weights, positives: Ints | None = None) -> Counted:
        """Return the counts at every run of hits, per class, images counting as often as ``weigh`` says.

        ``positives`` may be handed over where they are known: they are the same at every IoU threshold.
        """
        if positives is None:
            own = weigh.image.take(self.truth_image)
            positives = np.bincount(self.truth_label, own, self.ranked.classes).astype(np.int64)
        return Counted(self, weigh, positives)


class Weights:
    """How often each image counts; what columns share with these weights is summed once."""

    def __init__(self, image: Ints) -> None:
        self.image = image.astype(np.int32, copy=False) if image.max(initial=0) < SAFE else image
        self._shown: dict[tuple[int, int], tuple[Ints, Any, Any]] = {}

    def sums(self, images: Ints, times: Ints | None = None) -> Ints:
        """Return running sums, from 0, of how often images count."""
        weight = self.image.take(images) if times is None else self.image.take(images) * times
        total = int(self.image.max(initial=0)) * len(images)
        sums = np.empty(len(images) + 1, dtype=np.int32 if total < SAFE else np.int64)
        sums[0] = 0
        np.cumsum(weight, dtype=sums.dtype, out=sums[1:])
        return sums

    def shown(self, ranked: Ranked, base: Bools | None) -> Ints:
        """Return how many detections of ``base`` lie before each place."""
        key = id(ranked), id(base)
        if key not in self._shown:  # kept with what it was made of, so that no other object can get its id
            self._shown[key] = self.sums(ranked.images, base), ranked, base
        return self._shown[key][0]


@dataclass(frozen=True, eq=False)
class Counted:
    """Counts of all classes: at every run of hits, and in the end."""

    column: Column
    weigh: Weights
    positives: Ints

    @property
    def label(self) -> Ints:
        """The class of each run."""
        return self.column.label

    @cached_property
    def _hits(self) -> Ints:
        return self.weigh.sums(self.column.hit_image)

    @cached_property
    def _shown(self) -> Ints:
        return self.weigh.shown(self.column.ranked, self.column.base)

    @cached_property
    def _moved(self) -> Ints:
        return self.weigh.sums(self.column.corrected_image, self.column.correction)

    @cached_property
    def hits(self) -> Ints:
        """The hits of each class."""
        return np.diff(self._hits.take(self.column.hits_before[0]))

    @cached_property
    def _shown_before(self) -> Ints:
        """Detections that count before each class."""
        column = self.column
        return self._shown.take(column.places_before[0]) + self._moved.take(column.corrections_before[0])

    @cached_property
    def detections(self) -> Ints:
        """The detections of each class that count."""
        return np.diff(self._shown_before)

    @cached_property
    def tp(self) -> Ints:
        """The hits of the class up to and with each run."""
        before, upto = self.column.hits_before
        tp = self._hits.take(upto)
        tp -= np.repeat(self._hits.take(before[:-1]), self.column.runs)
        return tp

    @cached_property
    def shown(self) -> Ints:
        """The detections of the class that count, up to and with each run."""
        column = self.column
        shown = self._shown.take(column.places_before[1])
        if len(column.corrected):
            shown += self._moved.take(column.corrections_before[1])
        if column.order == "optimistic":  # of the block only the hits up to this one have been shown
            shown += self._hits.take(column.hits_before[1]) - self._hits.take(column.block_hits_before)
        shown -= np.repeat(self._shown_before[:-1], column.runs)
        return shown

    def recall(self) -> Floats:
        """Return the greatest recall of each class; NaN without truths."""
        return np.where(self.positives > 0, self.hits / np.maximum(self.positives, 1), np.nan)

    def areas(self, interpolation: Interpolation) -> Floats:
        """Return the area under the precision-recall curve of each class; NaN without truths.

        The recall grid is exact: recall tp/P reaches k/100 where 100·tp ≥ k·P, so the number of grid points that a
        run is the first to reach is ⌊100·tp/P⌋ less that of the run before, and one more, recall 0, for the first.
        """
        share, whole = SHARES[interpolation](self)
        some = np.flatnonzero(share)
        precision = self.tp / np.maximum(self.shown, 1)
        if interpolation == "step":
            precision = precision.take(some)
        else:  # a resample may hold no hit
            precision = self._envelope(precision, some) if len(some) else precision[:0]
        areas = np.bincount(self.label.take(some), share.take(some) * precision, len(self.positives)) / whole
        return np.where(self.positives > 0, areas, np.nan)

    def _envelope(self, precision: Floats, at: Ints) -> Floats:
        """Return the greatest precision at these or any later runs of the class; the first of each class is there.

        One running maximum for all classes, from the last run back: whole numbers of which the class has the highest
        bits, so that none reaches into another class. The value is that of the run where the maximum lies.
        """
        best = np.maximum.reduceat(precision, at)[::-1]
        bits = 62 - len(self.positives).bit_length()
        key = (best * 2.0**bits).astype(np.int64)
        key += (len(self.positives) - 1 - self.label.take(at)[::-1]) << bits
        greatest = np.maximum.accumulate(key)
        highest = np.flatnonzero(key == greatest)
        until = np.append(highest[1:], len(key)) - highest
        return np.repeat(best.take(highest), until)[::-1]

    def added(self, reached: Ints) -> Ints:
        """Return how much each run adds to what the runs of its class before it have reached."""
        gain = reached.copy()
        gain[1:] -= reached[:-1]
        gain[self.column.first_run] = reached[self.column.first_run]
        return gain

    def grid(self, steps: int) -> tuple[Ints, float]:
        """Return how many points of a recall grid each run is the first to reach, and how many there are."""
        # a quotient of whole numbers below 2**53 is never rounded up to a whole number that it is not
        positives = np.repeat(np.maximum(self.positives, 1).astype(np.float64), self.column.runs)
        points = self.added((steps * self.tp.astype(np.float64) / positives).astype(np.int64))
        points[self.column.first_run] += 1
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
