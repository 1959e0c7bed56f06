"""What no box, score or name may be: missing, infinite, of negative width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from curvewise.detection.inputs.wording import wrong, wrong_rows
from curvewise.errors import CurvewiseError, Note, OptionName, Word, note
from curvewise.rows.columns import count, row_numbers

if TYPE_CHECKING:
    from curvewise.detection.inputs.side import Side
    from curvewise.detection.reading import Kept
    from curvewise.detection.scene import Bools, BoxForm

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
