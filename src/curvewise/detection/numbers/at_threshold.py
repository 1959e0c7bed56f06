"""What is found, and what is wrongly shown, where detections with at least some score are shown."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from curvewise.core.confusion import Confusion
from curvewise.detection.matching.options import ALL
from curvewise.detection.numbers.catalogue import ClassMean, class_mean
from curvewise.detection.numbers.f_curve import MOST_BETA, f_name
from curvewise.errors import Note, note
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float, one_of, real, threshold_for

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches

Empty = Literal["ignore", "one"]
COUNTS = ("truths", "tp", "fp", "missed")
TOGETHER = "(all)"


@dataclass(frozen=True)
class ClassAt:
    """Counts and rates of one class, or of all together, at a threshold; NaN where a rate is 0/0.

    ``truths`` are the objects that count, ``tp`` those found, ``missed`` the others; ``fp`` are detections shown
    wrongly. Detections set aside are in none of them.
    """

    truths: int
    tp: int
    fp: int
    missed: int
    precision: float
    recall: float
    f: float
    false_positives_per_image: float


@dataclass(frozen=True, eq=False, repr=False)
class DetectionsAt(Result, schema="detections_at"):
    """What is found and what is wrongly shown at a threshold, made by `Matched.at`.

    Attributes
    ----------
    threshold, iou, area, beta, empty
        As asked for: detections with this score or more, matched at this overlap.
    images
        How many there are.
    by_class
        The counts and rates of each class by its name.
    pooled
        Those of all classes together, each object and each detection counted once.
    mean_precision, mean_recall, mean_f
        Means over classes, each with the number of classes behind it: those that have an object and define the rate
        (``absent="zero"`` counts 0 for classes with detections and no object).
    """

    threshold: float
    iou: float
    area: str
    beta: float
    empty: Empty
    images: int
    by_class: dict[Any, ClassAt]
    pooled: ClassAt
    mean_precision: ClassMean
    mean_recall: ClassMean
    mean_f: ClassMean

    @property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """The means over classes."""
        means = {"precision": self.mean_precision, "recall": self.mean_recall, "f": self.mean_f}
        values = {name: _said(mean.value) for name, mean in means.items()}
        return (note("means_at_threshold", **values, **{f"{k}_classes": mean.classes for k, mean in means.items()}),)

    @property
    def table(self) -> Table:
        """One row per class, and a last one of all together."""
        rows = [*self.by_class.values(), self.pooled]
        columns: dict[str, list[Any]] = {"class": [*class_names(tuple(self.by_class)), TOGETHER]}
        for name in (*COUNTS, "precision", "recall", "f", "false_positives_per_image"):
            columns[f_name(self.beta) if name == "f" else name] = [getattr(row, name) for row in rows]
        size = "" if self.area == ALL else f", size {self.area}"
        return Table(f"Detections with score ≥ {self.threshold:g}, matched at IoU ≥ {self.iou:g}{size}", columns)

    def content(self) -> dict[str, Any]:
        """Return what was asked for, counts and rates by class and together, and means, JSON-safe."""
        asked = {k: getattr(self, k) for k in ("threshold", "iou", "area", "beta", "empty", "images")}
        found = {k: getattr(self, k) for k in ("pooled", "mean_precision", "mean_recall", "mean_f")}
        by_class = [{"name": name, **asdict(row)} for name, row in self.by_class.items()]
        said: dict[str, Any] = json_safe({**asked, "by_class": by_class, **found})
        return said


def detections_at(
    m: Matches, threshold: float, *, iou: float = 0.5, area: str = ALL, beta: float = 1.0, empty: Empty = "ignore"
) -> DetectionsAt:
    """Return what `Matched.at` describes."""
    one_of("empty", empty, ("ignore", "one"))
    root = real("beta", beta, 0, MOST_BETA)
    status = m.status(iou, area)
    shown = at_least(m, threshold) & (status >= 0)
    label = m.scene.found.label[m.found]
    kinds = len(m.classes)
    counts = m.counting[:, m.options.area_place(area)]
    truths = np.bincount(m.scene.truths.label[counts], minlength=kinds)
    tp, fp = (np.bincount(label[shown & (status == said)], minlength=kinds) for said in (1, 0))

    def row(p: int, t: int, f: int) -> ClassAt:
        cells = Confusion(tp=t, fp=f, fn=p - t, tn=None)
        precision = 1.0 if empty == "one" and not t + f else cells.precision
        return ClassAt(p, t, f, p - t, precision, cells.recall, cells.f_beta(root), f / len(m.images))

    rows = [row(*line) for line in zip(truths.tolist(), tp.tolist(), fp.tolist(), strict=True)]
    counted = _counted(m, truths, np.bincount(label[status >= 0], minlength=kinds))

    def mean(name: str) -> ClassMean:
        return class_mean(np.where(truths > 0, [getattr(r, name) for r in rows], 0.0)[counted])

    return DetectionsAt(
        threshold=as_float(threshold),
        iou=m.iou[m.options.iou_place(iou)],
        area=area,
        beta=root,
        empty=empty,
        images=len(m.images),
        by_class=dict(zip(m.classes, rows, strict=True)),
        pooled=row(int(truths.sum()), int(tp.sum()), int(fp.sum())),
        mean_precision=mean("precision"),
        mean_recall=mean("recall"),
        mean_f=mean("f"),
    )


def at_least(m: Matches, threshold: object) -> NDArray[np.bool_]:
    """Say which of `Matched.found` have a score of at least ``threshold``."""
    score = m.scene.found.score[m.found]
    above: NDArray[np.bool_] = score >= threshold_for(score.dtype, threshold, falling=True)
    return above


def _counted(m: Matches, truths: NDArray[Any], detections: NDArray[Any]) -> NDArray[np.bool_]:
    """Say which classes enter means: those with an object; with ``absent="zero"`` those with a detection, too."""
    return (truths > 0) | ((detections > 0) & (m.options.absent == "zero"))


def _said(value: float) -> float | None:
    return None if math.isnan(value) else value
