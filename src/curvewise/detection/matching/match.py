"""Match detections to annotated objects: the door to everything about detectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.detection.formats.federated import looked_for
from curvewise.detection.formats.masks import with_mask_areas
from curvewise.detection.formats.reading import read_scene
from curvewise.detection.matching.assignment import take_best_free, take_only_best
from curvewise.detection.matching.grouping import Ties, grouped
from curvewise.detection.matching.matched import Matched
from curvewise.detection.matching.matches import counting
from curvewise.detection.matching.options import ALL, Absent, MatchOptions, Rule, read_options
from curvewise.detection.matching.pairs import Overlap, overlapping
from curvewise.errors import OptionError, UndefinedMetricError, note, unknown_option
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.detection.formats.scene import BoxForm, Scene, Unknown
    from curvewise.detection.numbers.ranked import Interpolation
    from curvewise.rows.rows import Missing


def match(
    truth: object,
    found: object,
    *,
    rule: Rule = "coco",
    iou: Any = None,
    areas: Mapping[str, tuple[float, float]] | None = None,
    max_detections: int | Literal["rule"] | None = "rule",
    classes: Any = None,
    images: Any = None,
    boxes: BoxForm | tuple[BoxForm, BoxForm] = "xywh",
    pixels: Literal["real", "inclusive"] = "real",
    sizes: Any = None,
    score: float | None = None,
    ties: Ties = "block",
    overlap: Overlap | None = None,
    absent: Absent = "skip",
    interpolation: Interpolation | None = None,
    unknown: Unknown = "raise",
    missing: Missing = "raise",
) -> Matched:
    """Match detections to annotated objects, and return what every number about a detector is read from.

    Parameters
    ----------
    truth, found
        Annotated objects and detections: paths (COCO or LVIS JSON, folders of YOLO or VOC files, tables), COCO dicts,
        lists of dicts, frames or dicts of columns, per-image dicts as torchvision has them. Nothing is modified.
    rule
        ``"coco"`` (default): each detection, by falling score, takes the best object of its class still free.
        ``"voc"``: each looks at its best object only; ``difficult`` ones count neither way. ``"lvis"``: as COCO, where
        an image lists which classes were looked for; 300 detections per image.
    iou
        The least overlap of a match, a number or several; None takes those of the rule: .50, .55 … .95, or .5 (VOC).
    areas
        Size ranges by name, in pixels; both ends belong. None takes COCO's small, medium and large; ``{}`` none.
    max_detections
        The detections that count, the highest scores first: per image and class (LVIS: per image). None takes all,
        ``"rule"`` (default) 100 for COCO, 300 for LVIS, all for VOC.
    classes
        Judge these classes only, by name or id; ``"one"`` takes all for one class.
    images
        Judge these images only.
    boxes
        What four numbers mean: ``"xywh"``, ``"xyxy"`` or ``"cxcywh"``; a pair where truth and found differ.
    pixels
        ``"inclusive"``: both ends of a box lie inside it, as in the devkit of VOC, so a side is x2 - x1 + 1.
    sizes
        (width, height) of the images, or one pair per image, where boxes are shares of the image.
    score
        One score for all detections, where there are none.
    ties
        ``"block"`` (default): equal scores enter together, and geometry decides who is matched first, so no order of
        rows and no name of a file can move a number. ``"row"``: in the order of the file, as pycocotools.
    overlap
        What to use instead of the overlap of boxes: a function of the detections and the objects of one image (dicts
        with ``row``, ``box``, ``class``, ``mask``, ``crowd`` …) that returns a matrix; such a matrix per image; or
        ``"mask"`` for COCO's segmentations (needs pycocotools).
    absent
        Classes without any object: ``"skip"`` (default) leaves them out of means, ``"zero"`` counts those with
        detections as 0, ``"raise"`` refuses.
    interpolation
        How areas under precision-recall curves are read, see `mean_ap`; None takes that of the rule:
        ``"101-point"``, for VOC ``"all-point"``.
    unknown
        Detections in images or of classes that the truth does not list: ``"raise"`` (default) or ``"drop"``.
    missing
        Boxes, classes or scores that are missing: ``"raise"`` (default) or ``"drop"``.

    Returns
    -------
    Matched

    Notes
    -----
    Matching is greedy, not optimal: a strong detection may take the only object of a weaker one. That is the
    convention that all published numbers follow.

    References
    ----------
    Lin et al. (2014) ECCV, LNCS 8693:740-755. Everingham et al. (2010) IJCV 88:303-338. Gupta, Dollár & Girshick
    (2019) CVPR, 5356-5364.

    Examples
    --------
    >>> import curvewise as cw
    >>> truth = [{"image_id": 1, "category_id": "dog", "bbox": [0, 0, 10, 10]},
    ...          {"image_id": 1, "category_id": "dog", "bbox": [50, 0, 10, 10]}]
    >>> found = [{"image_id": 1, "category_id": "dog", "bbox": [0, 0, 10, 9], "score": 0.9}]
    >>> m = cw.detection.match(truth, found)
    >>> round(m.ap50, 4), m.sweep("dog", iou=0.5).at(0.5).recall
    (0.505, 0.5)
    """
    options = read_options(rule, iou, areas, max_detections, ties, absent, interpolation)
    masks = isinstance(overlap, str) and overlap == "mask"
    scene = read_scene(
        truth,
        found,
        rule=options.rule,
        classes=classes,
        images=images,
        boxes=boxes,
        pixels=pixels,
        unknown=unknown,
        missing=missing,
        score=score,
        sizes=sizes,
        masks=masks,
    )
    if scene.in_shares:  # areas in shares of the image belong to no size range in pixels
        if areas:
            raise OptionError.of("areas", "boxes are shares of the image; pass sizes= to have them in pixels.")
        options = replace(options, areas={ALL: options.areas[ALL]})
    return match_scene(with_mask_areas(scene) if masks else scene, options, overlap)


def refuse_unknown(options: Mapping[str, Any], verb: Callable[..., Any]) -> None:
    """Refuse options that neither a verb nor `match`, to which it hands them, has."""
    known = [
        p.name for f in (verb, match) for p in signature(f).parameters.values() if p.kind is Parameter.KEYWORD_ONLY
    ]
    for name in options:
        if name not in known:
            raise unknown_option(name, known, verb.__name__)


def match_scene(scene: Scene, options: MatchOptions, overlap: Overlap | None = None) -> Matched:
    """Match what has been read."""
    scene = looked_for(scene) if options.rule == "lvis" else scene
    order = grouped(scene, options.ties, limit=options.limit, per_image=options.per_image)
    iou = np.array(options.iou)
    counts = counting(scene, options)
    groups = (order.found, order.found_group, order.truth, order.truth_group)
    pairs = overlapping(scene, *groups, least=float(iou[0]), overlap=overlap)
    if options.rule == "voc":
        taken = take_only_best(pairs, order.truth, iou, counts)
    else:
        taken = take_best_free(pairs, order.found_group, order.truth, iou, counts, scene.truths.crowd)
    found = Matched(
        scene=scene,
        options=options,
        found=order.found,
        rank=order.rank,
        level=order.level,
        hit=taken.found,
        hit_truth=taken.truth,
        beyond=order.beyond,
        overlap=overlap,
    )
    if not found.counting[:, 0].any():
        raise UndefinedMetricError(
            "Nothing can be judged: no annotated object counts, in {images} and {classes}.",
            images=count(len(scene.images), "image"),
            classes=count(len(scene.classes), "class"),
            why=note("no_truths"),
        )
    if options.absent == "raise":
        found.refuse_absent()
    return found
