"""Score and label of a row as one number, so that one plain sort of numbers sorts rows in place.

The bits of a float without its sign, shifted left by one, leave the lowest bit for the label. Scores below zero are
packed apart from the others. Numbers rise as scores fall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from curvewise.core.keys import Keys

    Ints = NDArray[np.int64]

CODES: dict[np.dtype[Any], Any] = {np.dtype(np.float64): np.uint64, np.dtype(np.float32): np.uint32}


def pack(score: NDArray[Any], positive: NDArray[np.bool_], *, is_below: bool) -> Keys:
    """Return score and label as one number per row, for scores below zero or for the others."""
    rows = score < 0
    if not is_below:
        np.logical_not(rows, out=rows)
    some, label = (score, positive) if rows.all() else (score[rows], positive[rows])
    keys: Keys = np.ascontiguousarray(some).view(CODES[some.dtype]) << 1  # the sign goes, and -0.0 is 0.0
    if not is_below:
        np.subtract(keys.dtype.type(_last(keys)), keys, out=keys)
    keys |= label
    return keys


def sorted_keys(score: NDArray[Any], positive: NDArray[np.bool_]) -> dict[bool, Keys]:
    """Return the sorted numbers of all rows, by whether scores are below zero."""
    packed = {is_below: pack(score, positive, is_below=is_below) for is_below in (True, False)}
    for keys in packed.values():
        keys.sort()
    return packed


def distinct(packed: dict[bool, Keys]) -> int:
    """Count different scores."""
    return sum(1 + int(np.count_nonzero(np.diff(k >> 1))) for k in packed.values() if len(k))


def scores(codes: Keys, *, is_below: bool) -> NDArray[Any]:
    """Read scores from numbers without labels, in their place."""
    if not is_below:
        np.subtract(codes.dtype.type(_last(codes) >> 1), codes, out=codes)
    values = codes.view(next(d for d, code in CODES.items() if code == codes.dtype))
    return np.negative(values, out=values) if is_below else values


def rising(packed: dict[bool, Keys]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return scores and labels of all rows by rising score."""
    parts = [(scores(k >> 1, is_below=b)[::-1], (k & 1).astype(bool)[::-1]) for b, k in packed.items() if len(k)]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([s for s, _ in parts]), np.concatenate([p for _, p in parts])


def counts(packed: dict[bool, Keys]) -> tuple[NDArray[Any], Ints, Ints]:
    """Return the different scores by rising score, with positives and negatives of each."""
    by_sign = []
    for is_below in (True, False):
        keys = packed[is_below]
        if not len(keys):
            continue
        codes = keys >> 1
        starts = np.concatenate([[0], np.flatnonzero(codes[1:] != codes[:-1]) + 1])
        rows = np.diff(np.append(starts, len(keys)))
        pos = np.add.reduceat((keys & 1).astype(np.int64), starts)
        by_sign.append((scores(codes[starts], is_below=is_below)[::-1], pos[::-1], (rows - pos)[::-1]))
    if len(by_sign) == 1:
        return by_sign[0]
    low, pos, neg = (np.concatenate(parts) for parts in zip(*by_sign, strict=True))
    return low, pos, neg


def _last(keys: Keys) -> int:
    """Return the greatest even number that fits."""
    return int(np.iinfo(keys.dtype).max) - 1
