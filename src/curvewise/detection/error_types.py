"""What kinds of errors a detector makes, and what each costs in average precision."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.corrected_ap import ALL_FALSE, ALL_MISSED, delta_ap
from curvewise.detection.false_detections import MISSED, TYPES, false_detections
from curvewise.detection.row_table import named, or_none, truth_names
from curvewise.errors import Note, note
from curvewise.many_classes.confusion_matrix import class_names
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real

if TYPE_CHECKING:
    from curvewise.detection.false_detections import FalseDetections
    from curvewise.detection.matches import Matches


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
