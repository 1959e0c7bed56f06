"""From whatever a user gives as truth and detections to a `Scene`: every check of it, once, in one wording."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats, Ints
from curvewise.detection.formats.boxes import FORMS, Pixels, box_area, turn_into_xywh
from curvewise.detection.formats.coco import is_coco, read_coco
from curvewise.detection.formats.dict_rows import read_dicts
from curvewise.detection.formats.federated import federated_of
from curvewise.detection.formats.frames import read_columns, read_frame
from curvewise.detection.formats.image_sizes import image_sizes, scale_shares
from curvewise.detection.formats.join import image_facts, join_classes, join_images
from curvewise.detection.formats.paths import read_path
from curvewise.detection.formats.per_image import is_per_image, read_per_image
from curvewise.detection.formats.remarks import (
    beyond_image,
    corners_at_default,
    ends_beyond,
    other_forms,
    remarks,
    sample_of,
)
from curvewise.detection.formats.scene import BoxForm, Detections, Scene, Truths, Unknown
from curvewise.detection.formats.side import FIELDS, Side, Wanted
from curvewise.detection.formats.wording import wrong, wrong_rows
from curvewise.errors import CurvewiseError, Note, OptionError, OptionName, Word, note
from curvewise.rows.checks import as_float, one_of
from curvewise.rows.columns import count, row_numbers, shown

if TYPE_CHECKING:
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


# ---- The rows of a side that are judged ----


@dataclass(frozen=True, eq=False)
class Kept:
    """The rows of a side that are judged: their numbers, and their places among images and classes.

    ``box`` is nobody else's, and becomes x, y, width, height in pixels.
    """

    side: Side
    row: Ints
    image: Ints
    label: Ints
    box: Floats

    def __len__(self) -> int:
        return len(self.row)

    def of(self, values: NDArray[Any] | None) -> Any:
        """Return these rows of a column of the side."""
        return values if values is None or len(self.row) == len(self.side) else values[self.row]

    def of_list(self, values: list[Any] | None) -> list[Any] | None:
        """Return these rows of a list."""
        return values if values is None or len(self.row) == len(self.side) else [values[k] for k in self.row.tolist()]


def kept_rows(side: Side, image: Ints, label: Ints, gone: Bools | None) -> Kept:
    """Keep the rows of judged images and classes that lack nothing."""
    if gone is None and (not len(side) or (image.min() >= 0 and label.min() >= 0)):
        return Kept(side, np.arange(len(side), dtype=np.intp), image, label, side.box)
    keep = (image >= 0) & (label >= 0)
    if gone is not None:
        keep &= ~gone
    return Kept(side, np.flatnonzero(keep), image[keep], label[keep], side.box[keep])


# ---- Tell in which form a side is given, and read it ----


def read_side(data: Any, wanted: Wanted) -> Side:
    """Read truth or detections in any form."""
    if isinstance(data, str | os.PathLike):
        side = read_path(os.fspath(data), wanted, _in_memory)
    else:
        side = _in_memory(data, wanted, wanted.name)
    if side.stated is not None and wanted.form not in ("xywh", side.stated):
        raise wrong(
            side.where,
            "boxes of this format are {stated}, so {option} cannot apply to it; give a pair, the form of truth first.",
            stated=side.stated,
            option=OptionName("boxes", wanted.form),
        )
    return side


def _in_memory(data: Any, wanted: Wanted, where: str) -> Side:
    if isinstance(data, Mapping):
        return _mapping(data, wanted, where)
    if isinstance(data, list | tuple):
        by_image = data and is_per_image(data[0])
        return read_per_image(data, wanted, where) if by_image else read_dicts(data, wanted, where)
    return read_frame(data, wanted, where)


def _mapping(data: Mapping[Any, Any], wanted: Wanted, where: str) -> Side:
    """Tell COCO's dict, a dict of images and a dict of columns apart by what they hold."""
    if is_coco(data):
        return read_coco(data, wanted, where)
    if all(isinstance(v, Mapping) for v in data.values()):
        return read_per_image(list(data.values()), wanted, where, names=list(data))
    if not any(name in data for names in FIELDS.values() for name in names):
        raise wrong(
            where,
            "neither COCO's dict (with 'annotations', 'images', 'categories') nor columns ('image', 'class', 'box' …); "
            "the keys are {keys}.",
            keys=", ".join(shown(k) for k in list(data)[:12]),
        )
    return read_columns(data, wanted, where)


# ---- What no box, score or name may be: missing, infinite, of negative width ----

LARGEST = 1e100  # of a coordinate
OTHER_FORM: dict[BoxForm, tuple[str, BoxForm]] = {
    "xywh": ("corners", "xyxy"),
    "xyxy": ("width and height", "xywh"),
    "cxcywh": ("corners", "xyxy"),
}


def missing_rows(side: Side, missing: str) -> tuple[Bools | None, list[Note]]:
    """Return which rows lack a name, a number or a score, None for none, with a note; refuse them unless asked."""
    without_box: Bools | None = None
    if len(side) and np.isnan(side.box.min()):
        without_box = np.logical_or.reduce(np.isnan(side.box), axis=1)
    if without_box is not None and side.mask is not None and without_box.all():
        without_box = None  # masks are compared, and there are no boxes
    masks = {
        "image is missing": side.image.missing,
        "class is missing": None if side.label is None else side.label.missing,
        "box is NaN": without_box,
        "score is NaN": side.score_missing,
    }
    there = {problem: mask for problem, mask in masks.items() if mask is not None and mask.any()}
    if not there:
        return None, []
    if missing == "raise":
        raise _has_missing(side, there)
    gone: Bools = np.logical_or.reduce(list(there.values()))
    told = note("detection_dropped_missing", rows=int(gone.sum()), of=len(gone), side=Word("side", side.wanted.name))
    return gone, [told]


def check_finite(kept: Kept) -> None:
    """Refuse boxes that are infinite, or whose area would be."""
    box = kept.box
    if len(box) and (box.min() < -LARGEST or box.max() > LARGEST):
        bad: Bools = np.logical_or.reduce(np.abs(box) > LARGEST, axis=1)
        raise wrong_rows(kept.side.where, "box is infinite or nearly so", bad, "correct such rows", kept.row)


def check_lengths(kept: Kept) -> None:
    """Refuse boxes, by now x, y, width, height, one of whose sides is negative."""
    box = kept.box
    if not len(box) or not box[:, 2:].min() < 0:
        return
    wide, high = box[:, 2] < 0, box[:, 3] < 0
    what = " or ".join(name for name, bad in (("width", wide), ("height", high)) if bad.any())
    given, other = OTHER_FORM[kept.side.form]
    raise wrong_rows(
        kept.side.where,
        f"{what} is negative",
        wide | high,
        given + " given? {option}",
        kept.row,
        option=OptionName("boxes", other),
    )


def _has_missing(side: Side, there: dict[str, Bools]) -> CurvewiseError:
    parts, fields = [], dict[str, object]()
    for k, (problem, mask) in enumerate(there.items()):
        parts.append(f"{problem} in {int(mask.sum())} of {count(len(mask), 'row')} ({{rows{k}}})")
        fields[f"rows{k}"] = row_numbers(mask)
    advice = "; correct such rows, or pass {option} to leave them out."
    return wrong(side.where, " and ".join(parts) + advice, **fields, option=OptionName("missing", "drop"))
