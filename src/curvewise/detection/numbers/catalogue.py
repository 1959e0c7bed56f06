"""The numbers that sum up a detector: each with its name, what it is read from, and the classes it is a mean of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.arrays import Floats
from curvewise.detection.matching.options import ALL, MatchOptions
from curvewise.errors import OptionError, nearest
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.matching.matched import Matched
    from curvewise.detection.numbers.ranked import Counted, Interpolation, Order, Weights

SMALLER_LIMITS = (1, 10)  # of COCO's average recall, beside the limit itself
FREQUENCIES = {"rare": "r", "common": "c", "frequent": "f"}


@dataclass(frozen=True)
class Number:
    """A mean over classes, and over IoU thresholds.

    Attributes
    ----------
    name
        What it is called: ``"ap"``, ``"ap50"``, ``"ar_10"``.
    kind
        Average precision, or average recall: the greatest recall, a mean over IoU thresholds and not over scores.
    iou
        The places of the thresholds.
    area
        The size range.
    limit
        Detections per image and class, where fewer than were matched.
    frequency
        Classes of LVIS that are rare, common or frequent in training; None for all.
    """

    name: str
    kind: Literal["ap", "ar"]
    iou: tuple[int, ...]
    area: str = ALL
    limit: int | None = None
    frequency: str | None = None


@dataclass(frozen=True)
class ClassMean:
    """A mean over classes: its value, NaN where no class defines it, and the number of classes behind it."""

    value: float
    classes: int


def numbers(m: Matched) -> dict[str, Number]:
    """Return the numbers that sum up a detector by name: COCO's twelve, or those that the options define."""
    federated = m.scene.federated
    return numbers_for(m.options, frequency=federated is not None and federated.frequency is not None)


def numbers_for(options: MatchOptions, *, frequency: bool = False) -> dict[str, Number]:
    """Return the numbers that options define; with ``frequency`` those of rare, common and frequent classes, too."""
    every = tuple(range(len(options.iou)))
    found = [Number("ap", "ap", every)]
    if len(every) > 1:
        places = {f"ap{round(100 * t)}": k for k, t in enumerate(options.iou) if round(100 * t) in (50, 75)}
        found += [Number(name, "ap", (place,)) for name, place in places.items()]
    sizes = [name for name in options.areas if name != ALL]
    found += [Number(f"ap_{name}", "ap", every, area=name) for name in sizes]
    if frequency:
        found += [Number(f"ap_{name}", "ap", every, frequency=letter) for name, letter in FREQUENCIES.items()]
    limit = options.limit
    if not options.per_image:
        smaller = [k for k in SMALLER_LIMITS if limit is not None and k < limit]
        found += [Number(f"ar_{k}", "ar", every, limit=k) for k in smaller]
    found.append(Number("ar" if limit is None else f"ar_{limit}", "ar", every))
    found += [Number(f"ar_{name}", "ar", every, area=name) for name in sizes]
    return {number.name: number for number in found}


def number_of(m: Matched, name: object) -> Number:
    """Return a number of matched detections by its name."""
    return find_number(numbers(m), name)


def find_number(known: dict[str, Number], name: object) -> Number:
    """Return a number by its name; ``"map"`` is ``"ap"``, ``"ar"`` the recall with all detections."""
    text = (name if isinstance(name, str) else "").casefold().replace("@", "_").replace("-", "_")
    text = text.removeprefix("m") if text.startswith("map") else text
    key = text if text in known else f"ar_{text[2:]}" if text.startswith("ar") and text[2:].isdigit() else text
    if key == "ar" and key not in known:
        return next(n for n in known.values() if n.kind == "ar" and n.area == ALL and n.limit is None)
    if key not in known:
        close = nearest(text, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}."
        raise OptionError.of("metric", f"there is no number {shown(name)} of detection here; {hint}")
    return known[key]


class Reader:
    """Reads numbers of all classes with some weights of the images; what numbers share is read once."""

    def __init__(
        self,
        m: Matched,
        weights: Weights | None = None,
        *,
        interpolation: Interpolation | None = None,
        order: Order | None = None,
    ) -> None:
        self.m, self.weights = m, weights or m.once
        self.interpolation = interpolation or m.options.interpolation
        self.order = order
        self._areas = list(m.options.areas)
        self._counted: dict[tuple[int, int, int | None], Counted] = {}
        self._ap: dict[tuple[int, int, int | None], Floats] = {}
        self._positives: dict[int, Any] = {}

    def counted(self, iou: int, area: str = ALL, limit: int | None = None) -> Counted:
        """Return the counts of all classes at one threshold."""
        key = (iou, self._areas.index(area), limit)
        if key not in self._counted:
            column = self.m.column(*key, self.order, keep=self.weights is not self.m.once)
            counted = column.read(self.weights, self._positives.get(key[1]))
            self._counted[key], self._positives[key[1]] = counted, counted.positives
        return self._counted[key]

    def at(self, number: Number, iou: int) -> Floats:
        """Return a number of each class at one threshold; NaN without objects, or as `absent` says."""
        counted = self.counted(iou, number.area, number.limit)
        if number.kind == "ar":
            values = counted.recall()
        else:
            key = (iou, self._areas.index(number.area), number.limit)
            if key not in self._ap:
                self._ap[key] = counted.areas(self.interpolation)
            values = self._ap[key]
        if self.m.options.absent == "zero":
            values = np.where((counted.positives == 0) & (counted.detections > 0), 0.0, values)
        return values

    def per_class(self, number: Number) -> Floats:
        """Return a number of each class, a mean over its IoU thresholds."""
        columns = [self.at(number, t) for t in number.iou]
        if len(columns) == 1:
            return columns[0]
        return np.array([math.fsum(row) for row in np.array(columns).T.tolist()]) / len(columns)

    def mean(self, number: Number) -> ClassMean:
        """Return the mean over classes."""
        return class_mean(self.per_class(number)[self.members(number)])

    def members(self, number: Number) -> Any:
        """Return which classes a number is about."""
        federated = self.m.scene.federated
        if number.frequency is None or federated is None or federated.frequency is None:
            return slice(None)
        return np.array([f == number.frequency for f in federated.frequency])


def class_mean(values: Floats) -> ClassMean:
    """Return the mean of the classes that have a value; summed exactly, so that no order of classes can move it."""
    some = values[~np.isnan(values)].tolist()
    return ClassMean(math.fsum(some) / len(some) if some else math.nan, len(some))
