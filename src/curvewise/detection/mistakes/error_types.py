"""What kinds of errors a detector makes, and what each costs in average precision."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Ints
from curvewise.detection.matching.row_table import named, or_none, truth_names
from curvewise.detection.mistakes.false_detections import (
    CLASS,
    LOCALISATION,
    MISSED,
    TYPES,
    FalseDetections,
    false_detections,
)
from curvewise.detection.numbers.catalogue import class_mean
from curvewise.detection.numbers.ranked import Column, Ranked
from curvewise.errors import Note, note
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.detection.matching.matches import Matches


@dataclass(frozen=True, eq=False, repr=False)
class DetectionErrors(Result, schema="detection_errors"):
    """The errors of a detector by type, made by `Matched.errors`.

    Attributes
    ----------
    iou, background
        As asked for: the overlap of a match, and that up to which there is nothing.
    ap
        Average precision at this IoU, mean over classes.
    counts
        How many errors there are of each type, and of ``"all false"`` detections and ``"all missed"`` objects, which
        are all that were not found.
    by_class
        The same for each class: that of the detection, or of the missed object.
    delta_ap
        What correcting a type alone would add to ``ap``. The types do not sum to 1 - AP.
    """

    iou: float
    background: float
    ap: float
    counts: dict[str, int]
    by_class: dict[Any, dict[str, int]]
    delta_ap: dict[str, float]
    matched: Matches = field(repr=False)
    errors: FalseDetections = field(repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """One row per type, with its number and what correcting it would add to AP."""
        columns: dict[str, list[Any]] = {
            "error": list(self.counts),
            "count": list(self.counts.values()),
            "delta_ap": [self.delta_ap[name] for name in self.counts],
        }
        at = f"IoU ≥ {self.iou:g}, background up to {self.background:g}"
        return Table(f"Errors at {at}; AP there {self.ap:.4f}", columns)

    @property
    def class_table(self) -> Table:
        """One row per class, one column per type."""
        columns: dict[str, list[Any]] = {"class": class_names(tuple(self.by_class))}
        for name in self.counts:
            columns["class_error" if name == "class" else name] = [c[name] for c in self.by_class.values()]
        return Table("Errors by class", columns)

    @cached_property
    def rows(self) -> Table:
        """Every error: false detections with the object that each is about, then the objects that are missed.

        ``row`` is the place of a detection in what was given; ``truth`` the id of the object, or its row where objects
        have no ids. Background detections are about none, missed objects have no detection.
        """
        m, errors = self.matched, self.errors
        missed, rows = np.flatnonzero(errors.missed), m.found[errors.found]
        kinds = np.append(errors.kind, np.full(len(missed), MISSED))
        image, label = (
            np.append(getattr(m.scene.found, k)[rows], getattr(m.scene.truths, k)[missed]) for k in ("image", "label")
        )
        about = np.append(errors.truth, missed)
        of_truth = np.where(about >= 0, m.scene.truths.label[about], -1)
        none = [None] * len(missed)
        columns = {
            "error": named(TYPES, kinds),
            "image": named(m.images, image),
            "class": named(m.classes, label),
            "score": m.scene.found.score[rows].tolist() + none,
            "row": m.scene.found.row[rows].tolist() + none,
            "truth": truth_names(m, about),
            "truth_class": named(m.classes, of_truth),
            "iou": or_none(errors.overlap) + none,
        }
        return Table("Errors, one row each", columns)

    def tables(self) -> list[Table]:
        """Return the types, the types by class, and every error."""
        return [self.table, self.class_table, self.rows]

    def content(self) -> dict[str, Any]:
        """Return the numbers by type and by class, JSON-safe; `rows` has every error."""
        told = {k: getattr(self, k) for k in ("iou", "background", "ap", "counts", "delta_ap", "notes")}
        by_class = [{"name": name, **counts} for name, counts in self.by_class.items()]
        found: dict[str, Any] = json_safe({**told, "by_class": by_class})
        return found


def error_types(m: Matches, *, iou: float = 0.5, background: float = 0.1) -> DetectionErrors:
    """Return what `Matched.errors` describes."""
    place = m.options.iou_place(iou)
    least = real("background", background, 0, m.iou[place], closed=False)
    errors = false_detections(m, place, least)
    label, of_truth = m.scene.found.label[m.found[errors.found]], m.scene.truths.label
    kinds = len(m.classes)
    columns = {name: np.bincount(label[errors.kind == k], minlength=kinds) for k, name in enumerate(TYPES[:-1])}
    columns["missed"] = np.bincount(of_truth[errors.missed], minlength=kinds)
    columns[ALL_FALSE] = np.bincount(label, minlength=kinds)
    columns[ALL_MISSED] = np.bincount(of_truth[errors.not_found], minlength=kinds)
    ap, delta = delta_ap(m, place, errors)
    return DetectionErrors(
        iou=m.iou[place],
        background=least,
        ap=ap,
        counts={name: int(count.sum()) for name, count in columns.items()},
        by_class={c: {name: int(count[k]) for name, count in columns.items()} for k, c in enumerate(m.classes)},
        delta_ap=delta,
        matched=m,
        errors=errors,
        notes=(note("delta_ap_do_not_sum"),),
    )


__all__ = ["TYPES", "DetectionErrors", "error_types"]


# ---- How much average precision would rise if errors of one type were corrected, and nothing else ----

ALL_FALSE, ALL_MISSED = "all false", "all missed"
ASIDE = -1


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What is decided about detections and objects.

    ``label`` and ``status`` are the class of each of `Matched.found`, and 1 where it is a true positive, 0 where
    false, -1 where it counts neither way; ``counts`` says which objects of the scene count.
    """

    label: Ints
    status: NDArray[np.int8]
    counts: Bools


def delta_ap(m: Matches, iou: int, errors: FalseDetections) -> tuple[float, dict[str, float]]:
    """Return average precision at a threshold, given by its place, and what correcting each type would add to it.

    A type is corrected as follows, all else being the same. Localisation and class: of the detections about an object
    that was not found, the one with the highest score becomes a true positive, in the object's class; all others of
    the type go. Both, duplicate, background: they go. Missed: the objects go.
    """
    status = m.status(m.iou[iou])
    as_is = Verdicts(m.scene.found.label[m.found], status, m.counting[:, 0])
    counted = m.counted(iou)
    zero = (counted.positives == 0) & (counted.detections > 0) & (m.options.absent == "zero")

    def ap(decided: Verdicts) -> float:
        return _mean_ap(m, decided, zero)

    now = ap(as_is)
    corrected = {name: ap(_corrected(m, as_is, errors, kind)) for kind, name in enumerate(TYPES[:-1])}
    corrected["missed"] = ap(replace(as_is, counts=as_is.counts & ~errors.missed))
    corrected[ALL_FALSE] = ap(replace(as_is, status=np.where(status == 0, ASIDE, status)))
    corrected[ALL_MISSED] = ap(replace(as_is, counts=as_is.counts & ~errors.not_found))
    return now, {name: value - now for name, value in corrected.items()}


def _corrected(m: Matches, as_is: Verdicts, errors: FalseDetections, kind: int) -> Verdicts:
    """Return the verdicts with one type of false detections corrected."""
    ours = np.flatnonzero(errors.kind == kind)
    label, status = as_is.label.copy(), as_is.status.copy()
    status[errors.found[ours]] = ASIDE
    if kind in (LOCALISATION, CLASS):
        about = ours[errors.not_found[errors.truth[ours]]]
        about = about[np.argsort(m.level[errors.found[about]], kind="stable")]
        truth, first = np.unique(errors.truth[about], return_index=True)  # the highest score of each object
        found = errors.found[about[first]]
        status[found], label[found] = 1, m.scene.truths.label[truth]
    return replace(as_is, label=label, status=status)


def _mean_ap(m: Matches, decided: Verdicts, zero: Bools) -> float:
    """Return the mean over classes; those left without any object have no value, those in ``zero`` count as 0."""
    kept = np.flatnonzero(decided.status != ASIDE)
    levels = int(m.level.max(initial=0)) + 1
    kept = kept[np.argsort(decided.label[kept].astype(np.int64) * levels + m.level[kept], kind="stable")]
    none = np.zeros(0, dtype=np.intp)
    objects = np.flatnonzero(decided.counts)
    column = Column(
        ranked=Ranked(
            classes=len(m.classes),
            label=decided.label[kept].astype(np.int32),
            image=m.scene.found.image[m.found[kept]].astype(np.int32),
            level=m.level[kept],
            rank=m.rank[kept],
        ),
        hits=np.flatnonzero(decided.status[kept] == 1),
        base=None,
        corrected=none,
        correction=none,
        truth_image=m.scene.truths.image[objects],
        truth_label=m.scene.truths.label[objects],
        order="block" if m.options.ties == "block" else "row",
    )
    values = column.read(m.once).areas(m.options.interpolation)
    return class_mean(np.where(zero, 0.0, values)).value
