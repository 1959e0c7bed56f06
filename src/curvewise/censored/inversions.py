"""Pairs of rows in the wrong order, counted by merging blocks: O(n log n), exact for whole numbers.

Rows stand in an order, and each has a rank, a permutation of 0 to n - 1. A pair is inverted if the row that stands
earlier has the higher rank. Blocks of neighbouring rows are sorted by rank, twice as long at each level; where two
halves are merged, all pairs with one row in each are seen at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ranks = NDArray[Any]
    Weights = NDArray[Any]  # int64, or float64

MOST_SMALL = 2**30  # ranks and two bits beside them fit in 32 bits


def count_inversions(rank: Ranks, counted: NDArray[np.bool_]) -> int:
    """Count inverted pairs whose earlier row is ``counted``.

    When halves are merged, a row of the left half moves past as many rows as there are of lower rank in the right
    half. So the sum of the places of counted rows after the merge, less that before it, is their number of pairs.

    >>> count_inversions(np.array([2, 0, 1]), np.array([True, True, False]))
    2
    """
    packed = _padded(rank, 2)
    packed[: len(rank)] |= counted
    total, half, right = 0, 1, packed.dtype.type(2)
    while half < len(packed):
        packed.reshape(-1, 2, half)[:, 1] |= right
        before = np.flatnonzero((packed & 3) == 1).sum()
        packed.reshape(-1, 2 * half).sort(axis=1)
        total += int(np.flatnonzero((packed & 3) == 1).sum() - before)
        packed &= ~right
        half *= 2
    return total


def weight_above_before(rank: Ranks, weight: Weights) -> Weights:
    """Return for each row the weight of all rows that stand before it and have a higher rank.

    >>> weight_above_before(np.array([2, 0, 1]), np.array([10, 20, 30])).tolist()
    [0, 10, 10]
    """
    packed = _padded(rank, 1)
    of_rank = np.zeros(len(packed), dtype=weight.dtype)
    of_rank[rank] = weight
    found = np.zeros_like(of_rank)
    half, right = 1, packed.dtype.type(1)
    while half < len(packed):
        packed.reshape(-1, 2, half)[:, 1] |= right
        packed.reshape(-1, 2 * half).sort(axis=1)
        is_right, ranks = (packed & right).astype(bool), packed >> right
        left = of_rank[ranks]
        left[is_right] = 0
        passed = np.cumsum(left.reshape(-1, 2 * half), axis=1)
        above = passed[:, -1:] - passed
        found[ranks[is_right]] += above.reshape(-1)[is_right]
        packed &= ~right
        half *= 2
    return found[rank]


def _padded(rank: Ranks, bits: int) -> NDArray[Any]:
    """Return ranks with free bits below, as many as a power of 2; rows that fill up stand and rank last."""
    size = 1 << (len(rank) - 1).bit_length()
    packed: NDArray[Any] = np.arange(size, dtype=np.uint32 if size <= MOST_SMALL else np.uint64)
    packed[: len(rank)] = rank
    return np.asarray(packed << packed.dtype.type(bits))
