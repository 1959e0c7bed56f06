"""What a reader should know about truths and detections that are legal and odd."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Bools, Floats, Ints
from curvewise.detection.formats.boxes import FORMS, Pixels, as_xywh, box_area, pair_iou
from curvewise.detection.formats.names import repeated
from curvewise.detection.formats.wording import wrong
from curvewise.errors import Advice, Note, Word, note
from curvewise.rows.columns import count

if TYPE_CHECKING:
    from curvewise.detection.formats.reading import Kept
    from curvewise.detection.formats.scene import BoxForm

BEYOND = 1.0  # pixels that a box may end outside its image without a word
UNLIKE = 0.01  # share by which a stated area may differ from width × height, beside one pixel
ODD = np.uint64(0x9E3779B97F4A7C15)


def remarks(truth: Kept, found: Kept, score: NDArray[Any], pixels: Pixels) -> list[Note]:
    """Return notes on both sides, boxes being x, y, width, height."""
    told = [_zero_area(truth), _zero_area(found), _no_area(truth), _ignored(truth), _ids(truth)]
    if pixels == "real":  # else boxes are one larger than any stated area
        told.append(_unlike_area(truth))
    if not len(found):
        return [t for t in (*told, note("detection_none_found")) if t is not None]
    told += [_identical(found, score), _mixed_scores(score)]
    return [t for t in told if t is not None]


def ends_beyond(kept: Kept, sizes: Floats | None) -> Bools | None:
    """Return which boxes begin or end outside their image by more than a pixel; None where no size is known."""
    if sizes is None or not len(kept):
        return None
    beyond = np.zeros(len(kept), dtype=bool)
    for axis in (0, 1):
        start = kept.box[:, axis]
        beyond |= start < -BEYOND
        beyond |= start + kept.box[:, axis + 2] > sizes[kept.image, axis] + BEYOND
    return beyond


def beyond_image(truth: Kept, found: Kept, beyond: tuple[Bools | None, Bools | None]) -> list[Note]:
    """Return notes on boxes that end beyond their image: how many, and whether they may be corners."""
    rows = [0 if b is None else int(b.sum()) for b in beyond]
    most = all(2 * n > len(k) for n, k in zip(rows, (truth, found), strict=True))
    if most and "xywh" in (truth.side.form, found.side.form):
        return [note("detection_most_beyond", truths=rows[0], found=rows[1])]
    return [
        note("detection_beyond", side=Word("side", k.side.wanted.name), rows=n, of=len(k))
        for k, n in zip((truth, found), rows, strict=True)
        if n
    ]


def _zero_area(kept: Kept) -> Note | None:
    zero = int(np.count_nonzero((kept.box[:, 2] == 0) | (kept.box[:, 3] == 0)))
    return note(f"detection_zero_{kept.side.wanted.name}", rows=zero, of=len(kept)) if zero else None


def _no_area(truth: Kept) -> Note | None:
    """Tell of truths whose format has areas, and that lack one."""
    area = truth.of(truth.side.area)
    lacking = len(truth) if area is None else int(np.isnan(area).sum())
    if not lacking or not (truth.side.has_areas or area is not None):
        return None
    return note("detection_no_area", rows=lacking, of=len(truth))


def _unlike_area(truth: Kept) -> Note | None:
    """Tell of areas that are not those of boxes; an area within a box may be that of a mask, where there are masks."""
    stated = truth.of(truth.side.area)
    if stated is None or not len(truth):
        return None
    area = box_area(truth.box)
    more = stated - area
    unlike = more > UNLIKE * area + 1
    if not truth.side.has_masks:
        unlike |= -more > UNLIKE * area + 1
    rows = int(np.count_nonzero(unlike))
    return note("detection_unlike_area", rows=rows, of=len(truth)) if rows else None


def _ignored(truth: Kept) -> Note | None:
    ignore = truth.of(truth.side.ignore)
    rows = 0 if ignore is None else int(np.count_nonzero(ignore))
    return note("detection_ignored", rows=rows, of=len(truth)) if rows else None


def _ids(truth: Kept) -> Note | None:
    ids = truth.side.id
    if ids is None:
        return None
    twice = repeated(i for i in ids if i is not None)
    return note("detection_ids_repeat", ids=len(twice), first=str(twice[0])) if twice else None


def _mixed_scores(score: NDArray[Any]) -> Note | None:
    above = int(np.count_nonzero(score > 1))
    if not 0 < above < len(score) / 2 or score.min() < 0 or score.dtype.kind != "f":
        return None
    return note("detection_mixed_scores", rows=above, of=len(score), most=float(score.max()))


def _identical(found: Kept, score: NDArray[Any]) -> Note | None:
    """Count detections that are the same as another in image, class, box and score."""
    if np.isnan(found.box[0, 0]):  # masks alone are compared
        return None
    columns = [found.image, found.label, *found.box.T, score]
    key = np.zeros(len(found), dtype=np.uint64)
    for column in columns:
        bits = np.ascontiguousarray(column, dtype=np.float64).view(np.uint64)
        key ^= bits ^ (bits >> np.uint64(32))
        key *= ODD
        key ^= key >> np.uint64(29)
    ranked = np.sort(key)
    again = ranked[1:][ranked[1:] == ranked[:-1]]
    if not len(again):
        return None
    same = np.flatnonzero(np.isin(key, again))  # of equal keys, those with equal values
    rows = len(same) - len(np.unique(np.column_stack([c[same].astype(np.float64) for c in columns]), axis=0))
    return note("detection_identical", rows=rows, of=len(found)) if rows else None


# ---- Whether boxes may be in another form than the one said: told by what matches, on a sample of images ----

MOST_IMAGES = 50
MOST_PAIRS = 200_000
MATCH = 0.5  # least overlap
LITTLE = 0.1  # share of truths matched below which the form is in doubt
MANY = 0.5  # share of truths that another form must match to be worth a word
FEW = 3  # matches of another form below which chance may have made them
ENOUGH = 20  # boxes that no chance makes look like corners


@dataclass(frozen=True, eq=False)
class Sample:
    """Boxes as given of some images, and which pairs of them share image and class."""

    truth: Floats
    found: Floats
    of_truth: Ints
    of_found: Ints

    def matched(self, truth: BoxForm, found: BoxForm) -> float:
        """Return the share of truths that some detection overlaps by half, boxes read in these forms."""
        overlap = pair_iou(as_xywh(self.found, found)[self.of_found], as_xywh(self.truth, truth)[self.of_truth])
        best = np.zeros(len(self.truth))
        np.maximum.at(best, self.of_truth, overlap)
        return float((best >= MATCH).mean())


def sample_of(truth: Kept, found: Kept, images: int) -> Sample | None:
    """Take the boxes of some images that have truths and detections, before they are brought into one form."""
    there = np.bincount(truth.image, minlength=images) * np.bincount(found.image, minlength=images) > 0
    chosen = np.flatnonzero(there)
    if not len(chosen):
        return None
    some = np.zeros(images, dtype=bool)
    some[chosen[np.linspace(0, len(chosen) - 1, min(MOST_IMAGES, len(chosen))).astype(np.intp)]] = True
    a, b = np.flatnonzero(some[truth.image]), np.flatnonzero(some[found.image])
    kinds = 1 + max(int(truth.label.max()), int(found.label.max()))
    of_truth, of_found = _pairs(truth.image[a] * kinds + truth.label[a], found.image[b] * kinds + found.label[b])
    return Sample(truth.box[a], found.box[b], of_truth, of_found) if len(of_truth) else None


def other_forms(sample: Sample, truth: Kept, found: Kept, beyond: float) -> list[Note]:
    """Say that other forms of boxes would match far more; refuse if most detections also end beyond their image.

    ``beyond`` is the share of those.
    """
    said = (truth.side.form, found.side.form)
    as_given = sample.matched(*said)
    if as_given >= LITTLE:
        return []
    choices: list[tuple[BoxForm, BoxForm]] = [
        (a, b)
        for a in ((said[0],) if truth.side.stated else FORMS)
        for b in ((said[1],) if found.side.stated else FORMS)
        if (a, b) != said
    ]
    # of equally good readings the one that changes least
    best = max(choices, key=lambda c: (sample.matched(*c), c[0] == said[0], c[1] == said[1]), default=said)
    share = sample.matched(*best)
    if share * len(sample.truth) < FEW:
        return []
    form = best[0] if best[0] == best[1] else best
    advice = Advice(f"boxes={form!r}", f"--boxes {','.join(dict.fromkeys(best))}")
    if beyond > MANY and best[1] != said[1] and share >= max(0.3, 5 * as_given):
        raise wrong(
            found.side.where,
            "boxes end beyond their image in most rows ({beyond}), and as given {as_given} of the truths are matched "
            "(IoU ≥ 0.5), with {advice} {share} (of {sample}); pass {advice}.",
            beyond=f"{beyond:.0%}",
            as_given=f"{as_given:.0%}",
            share=f"{share:.0%}",
            sample=count(len(sample.truth), "truth"),
            advice=advice,
        )
    return [note("detection_other_form", as_given=as_given, share=share, form=str(advice))] if share >= MANY else []


def corners_at_default(truth: Kept, found: Kept, *, by_default: bool, known: bool) -> list[Note]:
    """Say that all boxes look like corners though they are said to be x, y, width, height.

    Dicts per image are torchvision's form, whose boxes are corners: refused where the form was left at its default.
    Where sizes of images are ``known``, boxes that end beyond them say more.
    """
    if known:
        return []
    like = [k for k in (truth, found) if k.side.form == "xywh" and _all_look_like_corners(k.box)]
    for kept in like:
        if kept.side.by_image and by_default:
            raise wrong(
                kept.side.where,
                "in all {rows} boxes the third number is not less than the first, nor the fourth than the second, as "
                "in corners; pass {corners}, or {sides} if these are widths and heights.",
                rows=len(kept),
                corners=Advice("boxes='xyxy'", "--boxes xyxy"),
                sides=Advice("boxes=('xywh', 'xywh')", "--boxes xywh,xywh"),
            )
    return [note("detection_like_corners", rows=sum(map(len, like)))] if like else []


def _all_look_like_corners(box: Floats) -> bool:
    return len(box) >= ENOUGH and bool((box[:, 2:] >= box[:, :2]).all())


def _pairs(truth: Ints, found: Ints) -> tuple[Ints, Ints]:
    """Return the places of all pairs with the same key, of both sides."""
    order = np.argsort(truth, kind="stable")
    keys = truth[order]
    first, last = np.searchsorted(keys, found, "left"), np.searchsorted(keys, found, "right")
    times = last - first
    ends = np.cumsum(times)
    few = int(np.searchsorted(ends, MOST_PAIRS, "right"))
    times, starts = times[:few], (ends - times)[:few]
    of_found = np.repeat(np.arange(few), times)
    at = np.arange(len(of_found)) + np.repeat(first[:few] - starts, times)
    return order[at], of_found
