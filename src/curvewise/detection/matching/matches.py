"""Which detection took which object, and the counts, columns and sweeps that follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Ints
from curvewise.core.sweep import Sweep
from curvewise.detection.formats.boxes import box_area
from curvewise.detection.formats.federated import partly_marked
from curvewise.detection.matching.options import ALL, MatchOptions, limit_for
from curvewise.detection.numbers.ranked import Column, Counted, Order, Ranked, Weights
from curvewise.errors import OptionError, UndefinedMetricError, nearest, note
from curvewise.results.result import Result
from curvewise.rows.columns import count, shown
from curvewise.rows.labels import is_label

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import Scene
    from curvewise.detection.matching.pairs import Overlap


def counting(scene: Scene, options: MatchOptions) -> Bools:
    """Say which objects count, by size range (second axis): no crowd, none to be ignored, of that size."""
    truths = scene.truths
    ranges = np.array(list(options.areas.values()))
    sized = (truths.area[:, None] >= ranges[:, 0]) & (truths.area[:, None] <= ranges[:, 1])
    return sized & ~(truths.crowd | truths.ignored)[:, None]


@dataclass(frozen=True, eq=False, repr=False)
class Matches(Result):
    """Which detection took which object; `Matched` adds the numbers that are read from it.

    Attributes
    ----------
    scene
        Objects and detections as they were read.
    options
        How they were matched.
    found, rank, level
        The detections within the limit, as places in the scene, by image and class, then by falling score; their
        places within image and class; the place of each score among all distinct ones, the highest first.
    hit, hit_truth
        Which of ``found`` overlap an object, rising; and the object (a place in the scene, or -1) that each takes, by
        IoU threshold and size range.
    beyond
        How many detections the limit left out.
    """

    scene: Scene
    options: MatchOptions
    found: Ints
    rank: Ints
    level: Ints
    hit: Ints
    hit_truth: NDArray[np.int32]
    beyond: int
    overlap: Overlap | None = field(default=None, repr=False)

    # ---- what was matched ----

    @property
    def images(self) -> tuple[Any, ...]:
        """The names of the images."""
        return self.scene.images

    @property
    def classes(self) -> tuple[Any, ...]:
        """The names of the classes."""
        return self.scene.classes

    @property
    def iou(self) -> tuple[float, ...]:
        """The IoU thresholds."""
        return self.options.iou

    @cached_property
    def counting(self) -> Bools:
        """Which objects count, by size range (second axis)."""
        return counting(self.scene, self.options)

    @cached_property
    def ranked(self) -> Ranked:
        """The detections by class, then by falling score; of equal ones by image."""
        side = self.scene.found
        label = side.label[self.found]
        order = self._by_class
        return Ranked(
            classes=len(self.classes),
            label=label[order].astype(np.int32),
            image=side.image[self.found][order].astype(np.int32),
            level=self.level[order],
            rank=self.rank[order],
        )

    @cached_property
    def _by_class(self) -> Ints:
        """The order of `found` by class, then by falling score; of equal ones by image, or for VOC by row."""
        levels = int(self.level.max(initial=0)) + 1
        key = self.scene.found.label[self.found].astype(np.int64) * levels + self.level
        if self.options.rule == "voc" and self.options.ties == "row":
            return np.lexsort((self.scene.found.row[self.found], key))
        return np.argsort(key, kind="stable")

    @cached_property
    def _hit_order(self) -> tuple[Ints, Ints]:
        """Where the detections that overlap an object stand among the ranked, rising, and their order in `hit`."""
        place = np.empty(len(self.found), dtype=np.int32)
        place[self._by_class] = np.arange(len(self.found), dtype=np.int32)
        at = place[self.hit]
        order = np.argsort(at)
        return at[order], order

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        """Columns and bases that were made before."""
        return {}

    def _base(self, area: int, limit: int | None) -> Bools | None:
        """Say which ranked detections would count as false if they took no object; None where all would."""
        key = ("base", area, limit)
        if key not in self._kept:
            low, high = list(self.options.areas.values())[area]
            rows = self.found[self._by_class]
            side = self.scene.found
            size = (box_area(side.box) if side.area is None else side.area)[rows]
            base = (size >= low) & (size <= high)
            partly = partly_marked(self.scene, rows)
            if partly is not None:
                base &= ~partly
            if limit is not None:
                base &= self.ranked.rank < limit
            self._kept[key] = None if base.all() else base
        found: Bools | None = self._kept[key]
        return found

    def _objects(self, area: int) -> tuple[Bools, Ints, Ints]:
        """Say which objects count in a size range, with image and class of those that do."""
        key = ("objects", area)
        if key not in self._kept:
            counts = np.ascontiguousarray(self.counting[:, area])
            those = np.flatnonzero(counts)
            self._kept[key] = counts, self.scene.truths.image[those], self.scene.truths.label[those]
        found: tuple[Bools, Ints, Ints] = self._kept[key]
        return found

    def column(
        self, iou: int, area: int = 0, limit: int | None = None, order: Order | None = None, *, keep: bool = False
    ) -> Column:
        """Return what was matched at one IoU threshold and one size range, both given by their places.

        ``limit`` keeps the first detections of each image and class; ``order`` says how equal scores enter, by default
        as they were matched. ``keep`` remembers the column for whoever reads it again, as resampling does.
        """
        key = (iou, area, limit, order)
        if key in self._kept:
            kept: Column = self._kept[key]
            return kept
        ranked, base = self.ranked, self._base(area, limit)
        at, rows = self._hit_order
        truth = self.hit_truth[:, iou, area].take(rows)
        took = np.flatnonzero(truth >= 0 if limit is None else (truth >= 0) & (ranked.rank.take(at) < limit))
        at, (counts, truth_image, truth_label) = at.take(took), self._objects(area)
        true = counts.take(truth.take(took))
        change = true.astype(np.int8) - (np.int8(1) if base is None else base.take(at))
        moved = np.flatnonzero(change)
        made = Column(
            ranked=ranked,
            hits=at.take(np.flatnonzero(true)),
            base=base,
            corrected=at.take(moved),
            correction=change.take(moved).astype(np.int64),
            truth_image=truth_image,
            truth_label=truth_label,
            order=order or ("block" if self.options.ties == "block" else "row"),
        )
        if keep:
            self._kept[key] = made
        return made

    @cached_property
    def once(self) -> Weights:
        """Every image counted once."""
        return Weights(np.ones(len(self.images), dtype=np.int64))

    def counted(self, iou: int, area: int = 0, limit: int | None = None, order: Order | None = None) -> Counted:
        """Return the counts of all classes at one IoU threshold and one size range, given by their places."""
        return self.column(iou, area, limit, order).read(self.once)

    def class_place(self, name: object) -> int:
        """Return the place of a class, given by its name or its id."""
        for names in (self.classes, self.scene.class_ids):
            if is_label(name) and name in names:
                return names.index(name)
        texts = [str(c) for c in self.classes]
        close = nearest(name, texts, 1) if isinstance(name, str) else []
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(shown, self.classes[:12]))}."
        raise OptionError.of("class", f"there is no class {shown(name)}; {hint}")

    # ---- from matches to sweeps ----

    def status(self, iou: float = 0.5, area: str = ALL, max_detections: int | None = None) -> NDArray[np.int8]:
        """Return for each of `found` 1 where it is a true positive, 0 where false, -1 where it counts neither way."""
        t, a = self.options.iou_place(iou), self.options.area_place(area)
        column = self.column(t, a, limit_for(self.options, max_detections))
        ranked = np.zeros(len(self.found), dtype=np.int8)
        if column.base is not None:
            ranked[~column.base] = -1
        ranked[column.corrected[column.correction < 0]] = -1
        ranked[column.hits] = 1
        status = np.empty_like(ranked)
        status[self._by_class] = ranked
        return status

    def sweep(
        self, cls: object = None, *, iou: float = 0.5, area: str = ALL, max_detections: int | None = None
    ) -> Sweep:
        """Return the sweep of one class, or of all classes together.

        All other readings of curvewise work on it: `curvewise.pr_curve`, `curvewise.operating_point`, ``.at()``. What
        needs true negatives, which detection has not, is refused. Equal scores are one block, whatever ``ties`` was.

        Parameters
        ----------
        cls
            The name or id of a class; None pools all classes, which needs scores that mean the same in each.
        iou, area, max_detections
            Which matches: one of the IoU thresholds, one of the size ranges, a smaller limit of detections.
        """
        status = self.status(iou, area, max_detections)
        counts = self.counting[:, self.options.area_place(area)]
        score = self.scene.found.score[self.found]
        if cls is not None:
            place = self.class_place(cls)
            own = self.scene.found.label[self.found] == place
            counts, status, score = counts & (self.scene.truths.label == place), status[own], score[own]
        judged = status >= 0
        total = int(np.count_nonzero(counts))
        if not total and not judged.any():
            raise UndefinedMetricError(
                "{cls} has no annotated object and no detection{where}.",
                cls="The data" if cls is None else f"Class {shown(cls)}",
                where="" if area == ALL else f" of size {area!r}",
                why=note("absent_class", truths=0, detections=0),
            )
        true = status[judged].astype(np.int64)
        return Sweep.from_counts(score[judged], true, 1 - true, total_positives=total, negatives_known=False)

    def refuse_absent(self) -> None:
        """Raise `UndefinedMetricError` where a class has no object."""
        counted = self.counted(0)
        absent = [c for c, p in zip(self.classes, counted.positives.tolist(), strict=True) if not p]
        if absent:
            raise UndefinedMetricError(
                "{classes} without any annotated object ({names}), so average precision is undefined for them; "
                "absent='skip' leaves them out of means, absent='zero' counts those with detections as 0.",
                classes=f"There {'is' if len(absent) == 1 else 'are'} {count(len(absent), 'class')}",
                names=", ".join(map(shown, absent[:5])) + (", …" if len(absent) > 5 else ""),
                why=note("no_truths"),
            )
