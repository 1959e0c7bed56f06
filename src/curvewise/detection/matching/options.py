"""The options of matching, checked: rule, IoU thresholds, size ranges, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from curvewise.detection.numbers.ranked import Interpolation
from curvewise.errors import OptionError
from curvewise.rows.checks import as_float, one_of, values_of, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.matching.grouping import Ties

Rule = Literal["coco", "voc", "lvis"]
Absent = Literal["skip", "zero", "raise"]
ALL = "all"
WHOLE = (0.0, 1e10)
SIZES = {"small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}  # COCO's, in pixels
COCO_IOU = tuple(k / 20 for k in range(10, 20))
LIMITS: dict[Rule, int | None] = {"coco": 100, "voc": None, "lvis": 300}
SAME_IOU = 1e-9  # a threshold asked for by value is found to this


@dataclass(frozen=True)
class MatchOptions:
    """How detections are matched, and how absent classes enter a mean."""

    rule: Rule
    iou: tuple[float, ...]
    areas: dict[str, tuple[float, float]]
    limit: int | None
    ties: Ties
    absent: Absent
    interpolation: Interpolation

    @property
    def per_image(self) -> bool:
        """Whether the limit is per image, over all classes, and not per image and class."""
        return self.rule == "lvis"

    def iou_place(self, iou: object, option: str = "iou") -> int:
        """Return the place of a threshold that was matched at; ``option`` is what gave it."""
        wanted = as_float(iou)
        near = [k for k, t in enumerate(self.iou) if abs(t - wanted) <= SAME_IOU]
        if near:
            return near[0]
        there = ", ".join(f"{t:g}" for t in self.iou)
        raise OptionError.of(
            option,
            f"expected one of the thresholds that were matched at ({there}), got {shown(iou)}; match again with it.",
        )

    def area_place(self, area: object) -> int:
        """Return the place of a size range."""
        one_of("area", area, tuple(self.areas))
        return list(self.areas).index(str(area))


def read_options(
    rule: object,
    iou: object,
    areas: object,
    max_detections: object,
    ties: object,
    absent: object,
    interpolation: object = None,
) -> MatchOptions:
    """Check the options of `match`."""
    one_of("rule", rule, ("coco", "voc", "lvis"))
    one_of("ties", ties, ("block", "row"))
    one_of("absent", absent, ("skip", "zero", "raise"))
    if interpolation is None:
        interpolation = "all-point" if rule == "voc" else "101-point"
    one_of("interpolation", interpolation, get_args(Interpolation))
    known: Any = {"rule": rule, "ties": ties, "absent": absent, "interpolation": interpolation}
    limit: Any = (
        LIMITS[known["rule"]] if isinstance(max_detections, str) and max_detections == "rule" else max_detections
    )
    return MatchOptions(
        **known,
        iou=_iou(iou, known["rule"]),
        areas=_areas(areas, known["rule"]),
        limit=limit if limit is None else whole("max_detections", limit, 1),
    )


def _iou(iou: object, rule: Rule) -> tuple[float, ...]:
    if iou is None:
        return (0.5,) if rule == "voc" else COCO_IOU
    values = sorted(as_float(v) for v in values_of("iou", iou))
    if not values or not all(0 < v <= 1 for v in values):
        raise OptionError.of("iou", f"expected a number above 0 and up to 1, or several, got {shown(iou)}.")
    if any(b - a <= SAME_IOU for a, b in pairwise(values)):
        raise OptionError.of("iou", f"a threshold is given twice: {shown(iou)}.")
    return tuple(values)


def _areas(areas: object, rule: Rule) -> dict[str, tuple[float, float]]:
    if areas is None:
        return {ALL: WHOLE} if rule == "voc" else {ALL: WHOLE, **SIZES}
    if not isinstance(areas, Mapping):
        raise OptionError.of("areas", f"expected a dict of names and (low, high), got {shown(areas)}.")
    if areas and rule == "voc":
        raise OptionError.of("areas", "VOC has no size ranges; leave them out, or use rule='coco'.")
    found: dict[str, tuple[float, float]] = {}
    for name, ends in areas.items():
        pair = [as_float(v) for v in ends] if isinstance(ends, (tuple, list, np.ndarray)) else []
        if not isinstance(name, str) or len(pair) != 2 or not 0 <= pair[0] < pair[1]:
            raise OptionError.of(
                "areas", f"expected a name and (low, high) with 0 <= low < high, got {shown(name)}: {shown(ends)}."
            )
        found[name] = (pair[0], pair[1])
    ordered = sorted((ends, name) for name, ends in found.items() if name != ALL)
    for (first, a), (second, b) in pairwise(ordered):
        if second[0] < first[1]:
            raise OptionError.of("areas", f"{a!r} {first} and {b!r} {second} overlap by more than an end.")
    return {ALL: found.pop(ALL, WHOLE), **found}


def limit_for(options: MatchOptions, asked: object) -> int | None:
    """Check a smaller limit of detections: matching is done once, for the greatest."""
    if asked is None:
        return None
    number = whole("max_detections", asked, 1)
    if options.per_image:
        raise OptionError.of("max_detections", "the limit of LVIS is per image; match again with another one.")
    if options.limit is not None and number > options.limit:
        raise OptionError.of(
            "max_detections",
            f"matched with {options.limit} per image and class, so {number} cannot be read; match again.",
        )
    return None if number == options.limit else number
