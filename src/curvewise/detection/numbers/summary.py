"""The numbers that sum up a detector, each with the number of classes behind it, and what a reader should know."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.matching.options import ALL
from curvewise.detection.numbers.catalogue import Number, Reader, number_of, numbers
from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.estimate import Estimate
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.words import Lang, words

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched

NO_INTERVAL = {"low": math.nan, "high": math.nan, "level": 0.95, "method": None}
DECIMALS = 3  # to which published numbers are compared
FEW_TRUTHS, FEW_IMAGES = 20, 100
OF_INTERVALS = ("value_too_high", "value_too_low", "few_clusters", "resamples_lost_class")  # that concern every number


@dataclass(frozen=True, eq=False, repr=False)
class DetectionSummary(Result, schema="detection_summary"):
    """The numbers that sum up a detector.

    Attributes
    ----------
    matched
        What they were read from.
    numbers
        Each number by name, with its interval where one was asked for.
    classes
        How many classes each is a mean of: those that have an object of that size.
    """

    matched: Matched
    numbers: dict[str, Estimate]
    classes: dict[str, int]

    @cached_property
    def tie_range(self) -> tuple[float, float]:
        """The least and the greatest AP that any order of equal scores could give."""
        return self.matched.tie_range()

    @cached_property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]
        """What a careful reader should know: about the input, ties, limits, absent and rare classes."""
        of_ap = [said for said in self.numbers["ap"].notes if said.code in OF_INTERVALS]
        return (*notes_of(self.matched, self.tie_range), *of_ap)

    @property
    def table(self) -> Table:
        """One row per number."""
        return self.table_in("en")

    def table_in(self, lang: Lang) -> Table:
        """Return the table with the meaning of each number in a language."""
        m = self.matched
        columns: dict[str, list[Any]] = {"number": list(self.numbers)}
        columns["value"] = [e.value for e in self.numbers.values()]
        if any(e.has_interval for e in self.numbers.values()):
            columns["low"] = [e.low for e in self.numbers.values()]
            columns["high"] = [e.high for e in self.numbers.values()]
        columns["classes"] = [self.classes[name] for name in self.numbers]
        columns["meaning"] = [meaning(m, number_of(m, name), lang) for name in self.numbers]
        counts = (len(m.images), int(np.count_nonzero(m.counting[:, 0])), len(m.scene.found))
        w = words(lang)
        title = w("detection.summary", images=counts[0], truths=counts[1], found=counts[2])
        return Table(title, columns)

    def parts(self) -> list[Table | Note]:
        """Return the numbers, what pycocotools would say where that differs, and the notes."""
        pycocotools = pycocotools_note(self.matched)
        return [self.table, *([] if pycocotools is None else [pycocotools]), *self.notes]

    def content(self) -> dict[str, Any]:
        """Return numbers, classes, options, tie range and notes, JSON-safe."""
        m, (low, high) = self.matched, self.tie_range
        options = {k: getattr(m.options, k) for k in ("rule", "iou", "areas", "ties", "absent")}
        found: dict[str, Any] = json_safe(
            {
                "images": len(m.images),
                "classes": len(m.classes),
                "truths": int(np.count_nonzero(m.counting[:, 0])),
                "detections": len(m.scene.found),
                "options": {**options, "max_detections": m.options.limit, "interpolation": m.options.interpolation},
                "numbers": {
                    name: {k: getattr(e, k) for k in ("value", "low", "high", "method")}
                    | {"classes": self.classes[name]}
                    for name, e in self.numbers.items()
                },
                "tie_range": {"low": low, "high": high},
                "notes": self.notes,
            }
        )
        return found


def summary(m: Matched, estimates: dict[str, Estimate] | None = None) -> DetectionSummary:
    """Return the numbers that sum up a detector, with the intervals given."""
    found, classes = {}, {}
    for name, number in numbers(m).items():
        mean = m.number(name)
        classes[name] = mean.classes
        reason = note("no_class_of_size", area=number.area) if not mean.classes else None
        found[name] = (estimates or {}).get(name) or Estimate(name, mean.value, **NO_INTERVAL, reason=reason)  # type: ignore[arg-type]
    return DetectionSummary(m, found, classes)


def meaning(m: Matched, number: Number, lang: Lang = "en") -> str:
    """Return what a number is a mean of."""
    w, options = words(lang), m.options
    kind = w(f"detection.{number.kind}")
    thresholds = [options.iou[k] for k in number.iou]
    if len(thresholds) == 1:
        over = w("detection.at_iou", iou=thresholds[0])
    else:
        over = w("detection.mean_iou", low=thresholds[0], high=thresholds[-1])
    parts = [over]
    if number.area != ALL:
        parts.append(w("detection.of_size", area=w.known("detection.size", number.area)))
    if number.frequency is not None:
        parts.append(w(f"detection.frequency.{number.frequency}"))
    if number.limit is not None:
        parts.append(w("detection.limit", limit=number.limit))
    return kind + w("colon") + w("space") + w.listed(parts)


def like_pycocotools(m: Matched) -> dict[str, float]:
    """Return COCO's twelve numbers as pycocotools counts them; NaN where it says -1.

    Equal scores in the order of rows and of image ids; recall compared with rounded grid points; ``ignore`` of an
    annotation not read. (An object whose id is 0 is a hit here; pycocotools takes it for none.)
    """
    from curvewise.detection.matching.match import match_scene  # noqa: PLC0415 - which makes what this reads

    if m.options.rule != "coco":
        raise CurvewiseError(f"pycocotools has no rule {m.options.rule!r}: its numbers are those of rule='coco'.")
    truths = m.scene.truths
    scene = replace(m.scene, truths=replace(truths, ignored=np.zeros_like(truths.ignored)))
    same = m.options.ties == "row" and not truths.ignored.any()
    theirs = m if same else match_scene(scene, replace(m.options, ties="row", absent="skip"), m.overlap)
    reader = Reader(theirs, interpolation="101-point (pycocotools)")
    return {name: reader.mean(number).value for name, number in numbers(theirs).items()}


def pycocotools_note(m: Matched) -> Note | None:
    """Say what pycocotools gives where that differs at three decimals; None where it does not."""
    if m.options.rule != "coco":
        return None
    theirs, ours = like_pycocotools(m), {name: m.number(name).value for name in numbers(m)}
    names = [n for n in ours if round(ours[n], DECIMALS) != round(theirs[n], DECIMALS) and not math.isnan(ours[n])]
    if not names:
        return None
    said = ", ".join(f"{n} {theirs[n]:.{DECIMALS}f}" for n in names)
    return note("as_pycocotools_counts", numbers=said)


def notes_of(m: Matched, ties: tuple[float, float]) -> tuple[Note, ...]:
    """Return what a careful reader should know about matched detections."""
    counted, ranked = m.counted(0), m.ranked
    found = list(m.scene.notes)
    tied = int(np.count_nonzero(ranked.block_ends != ranked.block_starts))
    if tied:
        found.append(note("tied_detections", tied=tied, of=len(ranked), low=ties[0], high=ties[1]))
    if m.beyond:
        code = "beyond_limit_image" if m.options.per_image else "beyond_limit"
        found.append(note(code, rows=m.beyond, limit=m.options.limit))
    positives, shown = counted.positives.tolist(), np.bincount(m.scene.found.label, minlength=len(m.classes)).tolist()
    absent = [(c, n) for c, p, n in zip(m.classes, positives, shown, strict=True) if not p]
    if absent:
        names = [f"{c} ({n})" for c, n in absent]
        found.append(note(f"absent_classes_{m.options.absent}", count=len(absent), names=names))
    few = [str(c) for c, p in zip(m.classes, positives, strict=True) if 0 < p < FEW_TRUTHS]
    if few:
        found.append(note("few_truths", count=len(few), least=FEW_TRUTHS, names=few))
    if len(m.images) < FEW_IMAGES:
        found.append(note("few_images", images=len(m.images), least=FEW_IMAGES))
    return tuple(found)
