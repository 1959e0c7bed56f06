"""Sizes of images, and boxes measured in shares of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Bools, Floats
from curvewise.detection.formats.join import listed
from curvewise.detection.formats.wording import wrong
from curvewise.errors import OptionError, OptionName
from curvewise.rows.checks import as_float, values_of
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.detection.formats.reading import Kept

SHARES = (-0.5, 1.5)  # a box in shares of its image may end a little outside it
EXPECTED = "expected (width, height) in pixels, or such a pair per image as in {image: (width, height)}"


def image_sizes(given: Any, known: Floats | None, names: Sequence[Any]) -> Floats | None:
    """Return width and height per image: those of the option where it has them, else those that the truth lists."""
    if given is None:
        return known
    sizes = np.full((len(names), 2), np.nan) if known is None else known.copy()
    if not isinstance(given, Mapping):
        sizes[:] = _pair(given)
        return sizes
    place = {name: k for k, name in enumerate(names)}
    for name, pair in given.items():
        size = _pair(pair)
        if name in place:  # sizes of images that are not judged do no harm
            sizes[place[name]] = size
    if given and not set(given) & set(place):
        raise OptionError.of("sizes", f"none of its images is judged; there are {listed(names)}.")
    return sizes


def scale_shares(truth: Kept, found: Kept, sizes: Floats | None, *, asked: bool, names: Sequence[Any]) -> bool:
    """Turn boxes in shares of the image into pixels, in place; say whether both sides stay shares.

    A format may define shares (YOLO); else boxes are in shares if all look so and the user gave sizes (``asked``).
    Sides of different measures are refused.
    """
    sides = (truth, found)
    look = [_looks_like_shares(k.box) for k in sides]
    declared = [k.side.shares or (asked and like) for k, like in zip(sides, look, strict=True)]
    both = all(d or like or not len(k) for d, like, k in zip(declared, look, sides, strict=True))
    if any(declared) and sizes is not None:
        for k, in_shares in zip(sides, declared, strict=True):
            if in_shares:
                _multiply(k, sizes, names)
        return False
    if any(declared) and not both:
        side = sides[declared.index(True)].side
        advice = "boxes are shares of the image, those of the other side are not; pass {option} as (width, height)."
        raise wrong(side.where, advice, option=OptionName("sizes"))
    if look[0] != look[1] and len(truth) and len(found):
        _refuse_other_measure(sides[look.index(True)], sides[look.index(False)])
    return both and any(declared + look)


def _looks_like_shares(box: Floats) -> bool:
    low, high = SHARES
    return bool(len(box) and low <= box.min() and box.max() <= high and (box != np.floor(box)).any())


def _multiply(kept: Kept, sizes: Floats, names: Sequence[Any]) -> None:
    unknown: Bools = np.logical_or.reduce(np.isnan(sizes), axis=1)
    lacking = np.unique(kept.image[unknown[kept.image]]).tolist() if unknown.any() else []
    if lacking:
        raise wrong(
            kept.side.where,
            "boxes are shares of the image, and the size of {number} images is unknown ({images}); pass {option}.",
            number=len(lacking),
            images=listed([names[k] for k in lacking]),
            option=OptionName("sizes"),
        )
    for axis in (0, 1):
        length = sizes[kept.image, axis]
        kept.box[:, axis] *= length
        kept.box[:, axis + 2] *= length


def _refuse_other_measure(shares: Kept, pixels: Kept) -> None:
    reach = float(pixels.box.max())
    if reach <= 2:
        return
    raise wrong(
        shares.side.where,
        "all coordinates lie in [{low}, {high}], {other}'s reach {reach}: in shares of the image? Multiply them by its "
        "width and height, or pass {option}.",
        low=math.floor(shares.box.min()),
        high=math.ceil(shares.box.max()),
        other=pixels.side.where,
        reach=f"{reach:g}",
        option=OptionName("sizes"),
    )


def _pair(given: Any) -> tuple[float, float]:
    pair = [as_float(v) for v in values_of("sizes", given)]
    if len(pair) != 2 or not all(0 < v < math.inf for v in pair):
        raise OptionError.of("sizes", f"{EXPECTED}, got {shown(given)}.")
    return pair[0], pair[1]
