"""Every class of a detector: objects, detections, average precision with its interval, the best threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.core.sweep import Sweep
from curvewise.decisions.choice import TOLERANCE
from curvewise.detection.matching.options import ALL, SAME_IOU
from curvewise.detection.numbers.catalogue import Number, Reader
from curvewise.detection.numbers.summary import FEW_TRUTHS
from curvewise.detection.resampling.image_resampling import Drawing, DrawOptions
from curvewise.detection.resampling.intervals import resampled_numbers
from curvewise.errors import Note, note
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.estimate import Estimate, undefined
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.matching.matches import Matches
    from curvewise.detection.resampling.replicates import Replicates

NAMED_IOU = (0.5, 0.75)  # of `ap50` and `ap75`
COUNTS_AT = 0.5  # the IoU threshold of counts, where it was matched at


@dataclass(frozen=True)
class ClassRow:
    """One class.

    Attributes
    ----------
    name
        What it is called.
    truths, detections
        Objects that count, and detections that count as right or wrong.
    tp, fp, missed
        Of these: right, wrong, and objects without a right detection, whatever the score.
    ap
        Average precision with its interval; NaN without objects.
    ap50, ap75
        At these IoU thresholds; None where they were not matched at.
    ar
        Average recall.
    best_f, best_threshold
        The greatest F1 of any threshold of the scores, and that threshold; NaN where nothing is found.
    reason
        Why average precision is undefined, where it is.
    """

    name: Any
    truths: int
    detections: int
    tp: int
    fp: int
    missed: int
    ap: Estimate
    ap50: float | None
    ap75: float | None
    ar: float
    best_f: float
    best_threshold: float
    reason: Note | None = None


@dataclass(frozen=True, eq=False, repr=False)
class ClassTable(Result, schema="class_table"):
    """Every class of a detector, made by `Matched.per_class`.

    Attributes
    ----------
    rows
        One per class, in their order.
    iou
        The IoU threshold of average precision and recall; None for the mean over all.
    counts_iou
        The one that detections are counted at.
    level
        The confidence level.
    """

    rows: tuple[ClassRow, ...]
    iou: float | None
    counts_iou: float
    level: float
    notes: tuple[Note, ...] = ()

    @property
    def classes(self) -> tuple[Any, ...]:
        """The names of the classes."""
        return tuple(row.name for row in self.rows)

    @property
    def table(self) -> Table:
        """One row per class."""
        columns: dict[str, list[Any]] = {"class": list(class_names(self.classes))}
        for name in ("truths", "detections", "tp", "fp", "missed"):
            columns[name] = [getattr(row, name) for row in self.rows]
        columns["ap"] = [row.ap.value for row in self.rows]
        if any(row.ap.has_interval for row in self.rows):
            columns |= {end: [getattr(row.ap, end) for row in self.rows] for end in ("low", "high")}
        for name in ("ap50", "ap75", "ar", "best_f", "best_threshold"):
            values = [getattr(row, name) for row in self.rows]
            columns |= {name: values} if values[0] is not None else {}
        if any(row.reason for row in self.rows):
            columns["note"] = ["" if row.reason is None else str(row.reason) for row in self.rows]
        over = "mean over IoU thresholds" if self.iou is None else f"at IoU {self.iou:g}"
        title = (
            f"Average precision by class, {over}; counts at IoU {self.counts_iou:g} ({percent(self.level)} intervals)"
        )
        return Table(title, columns)

    def content(self) -> dict[str, Any]:
        """Return all classes, JSON-safe."""
        rows = [{f.name: json_safe(getattr(row, f.name)) for f in fields(row)} for row in self.rows]
        told = {"iou": self.iou, "counts_iou": self.counts_iou, "level": self.level, "notes": self.notes}
        found: dict[str, Any] = json_safe({**told, "classes": rows})
        return found


def per_class(
    m: Matched,
    *,
    iou: float | None = None,
    intervals: bool = True,
    resampled: Replicates | None = None,
    **drawing: Unpack[DrawOptions],
) -> ClassTable:
    """Return what `Matched.per_class` describes; ``resampled`` are draws made before, of all IoU thresholds."""
    level = Drawing.of(drawing).level
    every = tuple(range(len(m.iou))) if iou is None else (m.options.iou_place(iou),)
    number, recall = Number("ap", "ap", every), Number("ar", "ar", every)
    if resampled is None and intervals:
        resampled = resampled_numbers(m, [], by_class=number, **drawing)
    counts_at = every[0] if iou is not None else _place(m, COUNTS_AT) or 0
    reader = Reader(m)
    counted, sweeps = reader.counted(counts_at), class_sweeps(m, iou=m.iou[counts_at])
    ap, ar = reader.per_class(number).tolist(), reader.per_class(recall).tolist()
    named = [_at(m, reader, value) for value in NAMED_IOU]
    rows = []
    for k, name in enumerate(m.classes):
        truths, tp, shown = (int(c[k]) for c in (counted.positives, counted.hits, counted.detections))
        absent = None if truths else note("absent_class", truths=0, detections=shown)
        estimate = Estimate(f"ap of {name}", ap[k], math.nan, math.nan, level, None)
        if math.isnan(ap[k]) and absent is not None:
            estimate = undefined(f"ap of {name}", level, absent)
        elif resampled is not None:
            estimate = resampled.class_estimate(k)
        ap50, ap75 = (None if values is None else values[k] for values in named)
        counts = (truths, shown, tp, shown - tp, truths - tp)
        best = _best_f(sweeps.get(name))
        rows.append(ClassRow(name, *counts, estimate, ap50, ap75, ar[k], *best, absent))
    asked = None if iou is None else m.iou[every[0]]
    told = _notes(rows, resampled)
    return ClassTable(tuple(rows), asked, m.iou[counts_at], level if resampled is None else resampled.level, told)


def _place(m: Matched, iou: float) -> int | None:
    """Return the place of a threshold; None where it was not matched at."""
    return next((k for k, t in enumerate(m.iou) if abs(t - iou) <= SAME_IOU), None)


def _at(m: Matched, reader: Reader, iou: float) -> list[float] | None:
    """Return average precision of each class at one threshold; None where it was not matched at."""
    place = _place(m, iou)
    return None if place is None else reader.per_class(Number("ap", "ap", (place,))).tolist()


def _best_f(sweep: Sweep | None) -> tuple[float, float]:
    """Return the greatest F1 and the highest threshold that has it."""
    if sweep is None:
        return math.nan, math.nan
    if not len(sweep.threshold) or not sweep.tp[-1]:
        return 0.0, math.nan
    f = 2 * sweep.tp / (sweep.tp + sweep.fp + sweep.positives)
    place = int(np.argmax(f >= f.max() * (1 - TOLERANCE)))
    return float(f[place]), float(sweep.threshold[place])


def _notes(rows: list[ClassRow], resampled: Replicates | None) -> tuple[Note, ...]:
    """Say that intervals are unreliable, once for all classes."""
    if resampled is None:
        return ()
    few = [str(row.name) for row in rows if 0 < row.truths < FEW_TRUTHS]
    told = (note("few_truths", count=len(few), least=FEW_TRUTHS, names=few),) if few else ()
    return (*resampled.unit_notes(), *told)


# ---- The sweeps of all classes, read in one pass ----


def class_sweeps(m: Matches, iou: float = 0.5, area: str = ALL) -> dict[Any, Sweep]:
    """Return `Matched.sweep` of every class that has an object; one without any detection has no threshold."""
    status = m.status(iou, area)
    judged = status >= 0
    score, true = m.scene.found.score[m.found][judged], status[judged].astype(np.int64)
    label = m.scene.found.label[m.found][judged]
    order = np.argsort(label, kind="stable")
    ends = np.searchsorted(label[order], np.arange(len(m.classes) + 1))
    counts = m.counting[:, m.options.area_place(area)]
    objects = np.bincount(m.scene.truths.label[counts], minlength=len(m.classes)).tolist()
    found = {}
    for place, name in enumerate(m.classes):
        own = order[ends[place] : ends[place + 1]]
        if objects[place]:
            total = objects[place]
            found[name] = Sweep.from_counts(
                score[own], true[own], 1 - true[own], total_positives=total, negatives_known=False
            )
    return found
