"""Mean average precision: one number about a detector."""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any, Literal, get_args

from curvewise.detection.matching.match import match, refuse_unknown
from curvewise.detection.matching.matched import Matched
from curvewise.detection.matching.options import ALL, limit_for
from curvewise.detection.numbers.catalogue import Number, Reader, class_mean
from curvewise.detection.numbers.ranked import Interpolation
from curvewise.errors import CurvewiseError, OptionError, UndefinedMetricError, note
from curvewise.metric.pr_auc import Interpolation as PrInterpolation
from curvewise.metric.pr_auc import pr_auc
from curvewise.rows.checks import one_of, values_of

POOLED: dict[Interpolation, PrInterpolation] = {
    "101-point": "101-point",
    "11-point": "11-point",
    "all-point": "envelope",
    "step": "step",
}


def mean_ap(
    truth: object,
    found: object = None,
    *,
    iou: Any = None,
    area: str = ALL,
    classes: Any = None,
    interpolation: Interpolation | None = None,
    max_detections: int | None = None,
    average: Literal["macro", "micro"] = "macro",
    **matching: Any,
) -> float:
    """Return the mean average precision of a detector: the mean over classes and over IoU thresholds.

    Parameters
    ----------
    truth, found
        What `match` returned, alone; or objects and detections, with the options of `match`.
    iou
        One of the IoU thresholds that were matched at, or several; None takes all.
    area
        One of the size ranges.
    classes
        The classes to average over, by name or id; None takes all that have an object.
    interpolation
        ``"101-point"`` (COCO), ``"11-point"`` (VOC 2007), ``"all-point"`` (VOC from 2010): the mean of the envelope,
        the greatest precision at that recall or any greater one. ``"step"``: no envelope, curvewise's
        `average_precision`; no benchmark of detectors reports it. ``"101-point (pycocotools)"``: with its rounded
        recalls. None takes that of the rule.
    max_detections
        Fewer detections per image and class than were matched.
    average
        ``"macro"`` (default): mean of the classes. ``"micro"``: all classes in one sweep, which needs scores that mean
        the same in each class.
    **matching
        Options of `match`, with ``truth`` and ``found``.

    Notes
    -----
    AP of a class is Σ Δrecall · max precision at that recall or beyond. Classes without objects have none, and are left
    out. The value is too high in small samples: see `Matched.interval`.

    References
    ----------
    Everingham et al. (2010) IJCV 88:303-338. Lin et al. (2014) ECCV, LNCS 8693:740-755.

    Examples
    --------
    >>> import curvewise as cw
    >>> truth = {"image": [1, 1, 1], "class": ["a", "a", "a"], "box": [[0, 0, 9, 9], [20, 0, 9, 9], [40, 0, 9, 9]]}
    >>> found = {"image": [1, 1], "class": ["a", "a"], "box": [[0, 0, 9, 9], [20, 0, 9, 9]], "score": [0.9, 0.8]}
    >>> cw.detection.mean_ap(truth, found) == 67 / 101
    True
    >>> round(cw.detection.mean_ap(truth, found, interpolation="all-point"), 6)
    0.666667
    """
    refuse_unknown(matching, mean_ap)
    if isinstance(truth, Matched):
        if found is not None or matching:
            given = "found" if found is not None else next(iter(matching))
            raise OptionError.of(given, "has no meaning where matched detections are given; pass it to match.")
        m, places = truth, None
    else:
        m, places = match(truth, found, iou=iou, **matching), range(0)
    one_of("average", average, ("macro", "micro"))
    if interpolation is not None:
        one_of("interpolation", interpolation, get_args(Interpolation))
    thresholds = tuple(range(len(m.iou))) if iou is None or places is not None else _places(m, iou)
    m.options.area_place(area)
    number = Number("ap", "ap", thresholds, area, limit_for(m.options, max_detections))
    if average == "micro":
        return _pooled(m, number, classes, interpolation or m.options.interpolation)
    reader = Reader(m, interpolation=interpolation)
    values = reader.per_class(number)
    if classes is not None:
        values = values[[m.class_place(c) for c in _several("classes", classes)]]
    found_mean = class_mean(values)
    if not found_mean.classes:
        raise UndefinedMetricError(
            "Mean average precision is undefined: no class has an annotated object{where}.",
            where="" if area == ALL else f" of size {area!r}",
            why=note("no_truths"),
        )
    return found_mean.value


def _pooled(m: Matched, number: Number, classes: Any, interpolation: Interpolation) -> float:
    """Return the area of all classes in one sweep, a mean over IoU thresholds."""
    if interpolation not in POOLED:
        raise CurvewiseError(f"average='micro' has no interpolation {interpolation!r}; there are {', '.join(POOLED)}.")
    if classes is not None:
        raise CurvewiseError("average='micro' pools all classes; match with classes= to pool some.")
    sweeps = [m.sweep(iou=m.iou[t], area=number.area, max_detections=number.limit) for t in number.iou]
    return math.fsum(pr_auc(s, interpolation=POOLED[interpolation]) for s in sweeps) / len(sweeps)


def _places(m: Matched, iou: Any) -> tuple[int, ...]:
    return tuple(m.options.iou_place(t) for t in _several("iou", iou))


def _several(option: str, value: Any) -> list[Any]:
    return list(value) if isinstance(value, Set) else values_of(option, value)
