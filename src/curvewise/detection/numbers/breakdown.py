"""Average precision by size of object, by overlap, or by group of images, and how far groups lie apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Ints
from curvewise.detection.matching.options import ALL
from curvewise.detection.numbers.catalogue import Number, Reader, number_of
from curvewise.detection.numbers.ranked import Weights
from curvewise.detection.numbers.summary import FEW_TRUTHS
from curvewise.detection.resampling.image_labels import image_labels
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions, ImageDraws, image_draws
from curvewise.detection.resampling.intervals import AT_IOU, class_parts, quantity_of, resampled_numbers
from curvewise.detection.resampling.replicates import Parts, Quantity, replicated, unit_notes
from curvewise.errors import Note, OptionError, note
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.resampling.replicates import Key, Replicates

AREA, IOU = "area", "iou"
OVERALL = "ap"


@dataclass(frozen=True)
class DetectionGroup:
    """One group of images, one size range, or one IoU threshold.

    Attributes
    ----------
    name
        What it is called; a threshold is a number.
    images, truths
        Images in it (of a size: images that hold such objects), and objects that count.
    classes
        How many classes its average precision is a mean of.
    ap
        Average precision with its interval.
    absent
        Classes that have an object elsewhere and none here; its mean leaves them out.
    gap
        Average precision of the best group less that of this one; None for the best, and where there are no gaps.
    """

    name: Any
    images: int
    truths: int
    classes: int
    ap: Estimate
    absent: tuple[Any, ...] = ()
    gap: Estimate | None = None


@dataclass(frozen=True, eq=False, repr=False)
class DetectionGroups(Result, schema="detection_groups"):
    """Average precision by group, made by `Matched.by`.

    Attributes
    ----------
    column
        What the groups are: ``"area"``, ``"iou"``, or the name of the labels of the images.
    groups
        Each group.
    overall
        Average precision of all images, objects and IoU thresholds together.
    level
        The confidence level; intervals of gaps hold at this level for all pairs of groups together.
    """

    column: str
    groups: tuple[DetectionGroup, ...]
    overall: Estimate
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def gap(self) -> Estimate | None:
        """The best group less the worst, its interval valid for all pairs together; None where there are no gaps."""
        gaps = [g.gap for g in self.groups if g.gap is not None and g.gap.is_defined]
        return max(gaps, key=lambda e: e.value) if gaps else None

    @property
    def table(self) -> Table:
        """One row per group."""
        columns: dict[str, list[Any]] = {self.column: [g.name for g in self.groups]}
        columns |= {name: [getattr(g, name) for g in self.groups] for name in ("images", "truths", "classes")}
        columns["ap"] = [g.ap.value for g in self.groups]
        if any(g.ap.has_interval for g in self.groups):
            columns |= {end: [getattr(g.ap, end) for g in self.groups] for end in ("low", "high")}
        if any(g.gap is not None for g in self.groups):
            ends = {"gap": "value", "gap_low": "low", "gap_high": "high"}
            columns |= {name: [_end(g.gap, end) for g in self.groups] for name, end in ends.items()}
        title = f"Average precision by {self.column}, all together {self.overall.brief()}"
        return Table(f"{title} ({percent(self.level)} intervals)", columns)

    def content(self) -> dict[str, Any]:
        """Return all groups, JSON-safe."""
        told = {k: getattr(self, k) for k in ("column", "level", "overall", "groups", "notes")}
        found: dict[str, Any] = json_safe(told)
        return found


def _end(gap: Estimate | None, end: str) -> float | None:
    return None if gap is None else float(getattr(gap, end))


def by_images(
    m: Matched,
    column: object,
    *,
    intervals: bool = True,
    resampled: Replicates | None = None,
    **drawing: Unpack[DrawOptions],
) -> DetectionGroups:
    """Return what `Matched.by` describes; ``resampled`` are draws of all numbers made before (sizes and overlaps)."""
    how = Drawing.of(drawing)
    if isinstance(column, str) and column in (AREA, IOU):
        parts = _sizes(m) if column == AREA else _overlaps(m)
        if resampled is None and intervals:
            resampled = resampled_numbers(m, None, by_class=None, **drawing)
        return _grouped(column, m, parts, resampled, how.level, gaps=column == AREA)
    labels = image_labels(m.scene, column, "by")
    masks = {name: labels.code == k for k, name in enumerate(labels.names)}
    masks = {name: mask for name, mask in masks.items() if mask.any()}
    parts = [_Part(name, ("group", k), *_of_images(m, mask)) for k, (name, mask) in enumerate(masks.items())]
    drawn = _resampled_groups(m, masks, image_draws([m], how.cluster), how) if intervals else None
    return _grouped(labels.column, m, parts, drawn, how.level, gaps=True)


@dataclass(frozen=True)
class _Part:
    """A group before its interval is known: which column of the replicates it is, its counts, its value."""

    name: Any
    key: Key
    images: int
    truths: int
    value: float
    positives: Ints = field(repr=False)


def _sizes(m: Matched) -> list[_Part]:
    names = [name for name in m.options.areas if name != ALL]
    if not names:
        raise OptionError.of("by", "there are no size ranges here; match with areas= to have some.")
    return [_part(m, name, f"ap_{name}", number_of(m, f"ap_{name}")) for name in names]


def _overlaps(m: Matched) -> list[_Part]:
    return [_part(m, t, (AT_IOU, k), Number("ap", "ap", (k,))) for k, t in enumerate(m.iou)]


def _part(m: Matched, name: Any, key: Key, number: Number) -> _Part:
    """Return all images at one size or one overlap."""
    reader, counts = Reader(m), m.counting[:, m.options.area_place(number.area)]
    positives = reader.counted(number.iou[0], number.area).positives
    images = len(m.images) if number.area == ALL else len(np.unique(m.scene.truths.image[counts]))
    return _Part(name, key, images, int(counts.sum()), reader.mean(number).value, positives)


def _of_images(m: Matched, mask: Bools) -> tuple[int, int, float, Ints]:
    """Return images, objects, average precision and objects per class of some images."""
    reader = Reader(m, Weights(mask.astype(np.int32)))
    positives = reader.counted(0).positives
    return int(mask.sum()), int(positives.sum()), reader.mean(number_of(m, "ap")).value, positives


def _resampled_groups(m: Matched, masks: dict[str, Bools], draws: ImageDraws, how: Drawing) -> Replicates:
    """Read each group, and all images, from the same resamples."""
    number, groups = number_of(m, "ap"), list(masks.values())
    quantities: dict[Key, Quantity] = {OVERALL: quantity_of(m, number, draws)}
    for k, (name, mask) in enumerate(masks.items()):
        positives = _of_images(m, mask)[3]
        rare = int(np.count_nonzero((positives > 0) & (positives < FEW_TRUTHS)))
        units = len(np.unique(draws.unit[mask]))
        quantities["group", k] = Quantity(f"ap of {name}", units, None, int(np.count_nonzero(positives)), rare)

    def readers(weights: Ints) -> list[Reader]:
        return [Reader(m, Weights(weights)), *(Reader(m, Weights(weights * mask)) for mask in groups)]

    def read(weights: Ints) -> NDArray[np.float64]:
        means = [reader.mean(number) for reader in readers(weights)]
        return np.array([[x.value for x in means], [x.classes for x in means]]).ravel()

    def of_classes(weights: Ints) -> NDArray[np.float64]:
        return np.concatenate([class_parts(reader, number) for reader in readers(weights)])

    parts = Parts(np.repeat(np.arange(len(quantities)), len(m.classes)), of_classes)
    return replicated(quantities, read, draws, how, parts)


def _grouped(
    column: str, m: Matched, parts: list[_Part], resampled: Replicates | None, level: float, *, gaps: bool
) -> DetectionGroups:
    """Put groups together: their estimates, gaps to the best, and what is not alike between them."""
    level = level if resampled is None else resampled.level
    known = [p for p in parts if not math.isnan(p.value)]
    best = max(known, key=lambda p: p.value) if gaps and len(known) > 1 else None
    alone = 1 - (1 - level) / max(math.comb(len(known), 2), 1)  # so that all pairs hold together (Bonferroni)
    everywhere = m.counted(0).positives > 0
    groups, notes = [], [] if resampled is None else list(unit_notes(resampled.draws))
    for p in parts:
        absent = tuple(m.classes[k] for k in np.flatnonzero(everywhere & (p.positives == 0)))
        gap = None
        if best is not None and p is not best and not math.isnan(p.value):
            gap = Estimate("gap of ap", best.value - p.value, math.nan, math.nan, level, None)
            if resampled is not None:
                gap = resampled.gap(best.key, p.key, alone)
        groups.append(
            DetectionGroup(p.name, p.images, p.truths, _classes(p), _estimate(p, resampled, level), absent, gap)
        )
        if absent:
            notes.append(note("group_lacks_classes", group=p.name, classes=[str(c) for c in absent], of=_classes(p)))
    if best is not None and resampled is not None:
        notes.append(note("gaps_of_groups", best=best.name, pairs=math.comb(len(known), 2)))
    overall = Estimate(OVERALL, m.ap, math.nan, math.nan, level, None)
    return DetectionGroups(
        column, tuple(groups), overall if resampled is None else resampled.estimate(OVERALL), level, tuple(notes)
    )


def _classes(part: _Part) -> int:
    return int(np.count_nonzero(part.positives))


def _estimate(part: _Part, resampled: Replicates | None, level: float) -> Estimate:
    name = f"ap of {part.name}"
    if math.isnan(part.value):
        return undefined(name, level, note("no_truths"))
    if resampled is None:
        return Estimate(name, part.value, math.nan, math.nan, level, None)
    return resampled.estimate(part.key)
