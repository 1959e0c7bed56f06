"""From whatever a user gives as truth and detections to a `Scene`: every check of it, once, in one wording."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.detection.boxes import FORMS, box_area, turn_into_xywh
from curvewise.detection.inputs.checks import check_finite, check_lengths, missing_rows
from curvewise.detection.inputs.forms import read_side
from curvewise.detection.inputs.image_sizes import image_sizes, scale_shares
from curvewise.detection.inputs.join_classes import join_classes
from curvewise.detection.inputs.join_images import image_facts, join_images
from curvewise.detection.inputs.kept import Kept, kept_rows
from curvewise.detection.inputs.lvis import federated_of
from curvewise.detection.inputs.misread import corners_at_default, other_forms, sample_of
from curvewise.detection.inputs.remarks import beyond_image, ends_beyond, remarks
from curvewise.detection.inputs.side import Wanted
from curvewise.detection.scene import Detections, Scene, Truths
from curvewise.errors import OptionError, note
from curvewise.rows.checks import as_float, one_of
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.detection.boxes import Pixels
    from curvewise.detection.scene import Bools, BoxForm, Floats, Unknown
    from curvewise.errors import Note
    from curvewise.rows.rows import Missing


def read_scene(
    truth: object,
    found: object,
    *,
    rule: str = "coco",
    classes: Any = None,
    images: Any = None,
    boxes: BoxForm | tuple[BoxForm, BoxForm] = "xywh",
    pixels: Pixels = "real",
    unknown: Unknown = "raise",
    missing: Missing = "raise",
    score: float | None = None,
    sizes: Any = None,
    masks: bool = False,
) -> Scene:
    """Read annotated objects and detections in any form, check them, and bring them under one naming.

    Options are those of `match`; ``masks`` keeps the segmentation of every row. Nothing given is modified.

    Examples
    --------
    >>> truth = [{"image_id": 1, "category_id": "dog", "bbox": [0, 0, 10, 10]}]
    >>> found = [{"image_id": 1, "category_id": "dog", "bbox": [0, 0, 10, 9], "score": 0.9}]
    >>> scene = read_scene(truth, found)
    >>> scene.images, scene.classes, scene.found.box
    ((1,), ('dog',), array([[ 0.,  0., 10.,  9.]]))
    """
    one_of("pixels", pixels, ("real", "inclusive"))
    one_of("unknown", unknown, ("raise", "drop"))
    one_of("missing", missing, ("raise", "drop"))
    forms = _forms(boxes)
    one_class = isinstance(classes, str) and classes == "one"
    if one_class and rule == "lvis":
        raise OptionError.of("classes", "LVIS says which classes were looked for, so they cannot be taken for one.")
    of_truth = Wanted("truth", forms[0], classes=not one_class, masks=masks, federated=rule == "lvis")
    of_found = replace(of_truth, name="found", form=forms[1], federated=False, score=_constant(score))
    given = read_side(truth, of_truth), read_side(found, of_found)
    gone = [missing_rows(side, missing) for side in given]
    named = join_images(*given, images, unknown)
    kinds = join_classes(*given, None if one_class else classes, unknown)
    truths = kept_rows(given[0], named.truth, kinds.truth, gone[0][0])
    hits = kept_rows(given[1], named.found, kinds.found, gone[1][0])
    listed = given[0].images or given[1].images
    known, attributes = (None, {}) if listed is None else image_facts(listed, named.names)
    size = image_sizes(sizes, known, named.names)
    notes = [*given[0].notes, *given[1].notes, *gone[0][1], *gone[1][1], *named.notes, *kinds.notes]
    in_shares = _in_shares(truths, hits, size, named.names, asked=sizes is not None, pixels=pixels)
    notes += [note("detection_in_shares")] if in_shares else []
    notes += _as_xywh(truths, hits, size, len(named.names), default=boxes == "xywh", pixels=pixels)
    scores = hits.of(given[1].score)
    return Scene(
        images=tuple(named.names),
        classes=tuple(kinds.names),
        truths=_truths(truths),
        found=Detections(hits.image, hits.label, hits.box, scores, hits.row, hits.of_list(given[1].mask)),
        class_ids=tuple(kinds.ids),
        sizes=size,
        federated=federated_of(given[0], named, kinds) if rule == "lvis" else None,
        attributes=attributes,
        notes=(*notes, *remarks(truths, hits, scores, pixels)),
        in_shares=in_shares and any(side.shares for side in given),
    )


def _forms(boxes: Any) -> tuple[BoxForm, BoxForm]:
    """Return what the four numbers of a box mean in truth and in found."""
    pair = tuple(boxes) if isinstance(boxes, list | tuple) else (boxes, boxes)
    if len(pair) != 2:
        raise OptionError.of("boxes", f"expected one form, or a pair for truth and found, got {shown(boxes)}.")
    for form in pair:
        one_of("boxes", form, FORMS)
    return pair[0], pair[1]


def _constant(score: Any) -> float | None:
    if score is not None and not math.isfinite(as_float(score)):
        raise OptionError.of("score", f"expected one number, the score of every detection, got {shown(score)}.")
    return None if score is None else as_float(score)


def _in_shares(
    truth: Kept, found: Kept, sizes: Floats | None, names: Sequence[Any], *, asked: bool, pixels: Pixels
) -> bool:
    """Turn boxes in shares of the image into pixels, in place; say whether all stay shares, no size being known."""
    for kept in (truth, found):
        check_finite(kept)
    in_shares = scale_shares(truth, found, sizes, asked=asked, names=names)
    if in_shares and pixels == "inclusive":
        raise OptionError.of("pixels", "boxes are shares of the image; pass sizes= to have them in pixels.")
    return in_shares


def _as_xywh(
    truth: Kept, found: Kept, sizes: Floats | None, images: int, *, default: bool, pixels: Pixels
) -> list[Note]:
    """Turn boxes of both sides into x, y, width, height, in place; doubt the form that they are said to have."""
    notes: list[Note] = []
    if len(truth) and len(found):
        notes += corners_at_default(truth, found, by_default=default, known=sizes is not None)
    sample = sample_of(truth, found, images)
    for kept in (truth, found):
        turn_into_xywh(kept.box, kept.side.form)
        check_lengths(kept)
        if pixels == "inclusive":
            turn_into_xywh(kept.box, "xywh", pixels)
    beyond = ends_beyond(truth, sizes), ends_beyond(found, sizes)
    if sample is not None:
        notes += other_forms(sample, truth, found, 0.0 if beyond[1] is None else float(beyond[1].mean()))
    return notes + beyond_image(truth, found, beyond)


def _truths(kept: Kept) -> Truths:
    side, none = kept.side, np.zeros(len(kept), dtype=bool)
    area, crowd = kept.of(side.area), kept.of(side.crowd)
    aside: list[Bools] = [flag for flag in (kept.of(side.ignore), kept.of(side.difficult)) if flag is not None]
    of_box = box_area(kept.box)
    return Truths(
        image=kept.image,
        label=kept.label,
        box=kept.box,
        area=of_box if area is None else np.where(np.isnan(area), of_box, area),
        crowd=none if crowd is None else crowd,
        ignored=np.logical_or.reduce(aside) if aside else none,
        row=kept.row,
        id=kept.of_list(side.id),
        mask=kept.of_list(side.mask),
    )
