"""Sums of a value per row over sets of rows, asked for many times: rows are put in order once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[Any]


class RowSums:
    """Sets of rows: ``place`` has the rows of set after set, ``sizes`` how many each has."""

    def __init__(self, place: NDArray[np.intp] | None, sizes: NDArray[np.intp]) -> None:
        self._place = place  # None: the rows stand in order already
        self._used = np.flatnonzero(sizes)
        self._start = (np.cumsum(sizes) - sizes)[self._used]
        self._number = len(sizes)

    @classmethod
    def of_blocks(cls, block: NDArray[Any], number: int) -> RowSums:
        """Return the sums over blocks, of which each row belongs to one."""
        ordered = bool((block[1:] >= block[:-1]).all())  # mutants: same in the end
        small: Any = np.uint16 if number < 2**16 else np.int64  # whose sort takes one pass per byte
        place = None if ordered else np.argsort(block.astype(small), kind="stable")
        return cls(place, np.bincount(block, minlength=number))

    @classmethod
    def of_marks(cls, marks: NDArray[np.bool_]) -> RowSums:
        """Return the sums over the rows that each line of marks has."""
        return cls(np.nonzero(marks)[1], np.count_nonzero(marks, axis=1))

    def in_order(self, values: Values) -> Values:
        """Return the values set after set."""
        return values if self._place is None else values.take(self._place)

    def __call__(self, values: Values) -> Values:
        """Return the sum over each set."""
        return self.of_ordered(self.in_order(values))

    def of_ordered(self, values: Values) -> Values:
        """Return the sums of values that stand set after set."""
        found = np.zeros(self._number, dtype=np.int64 if values.dtype.kind in "biu" else values.dtype)
        if len(self._used):
            found[self._used] = np.add.reduceat(values, self._start)
        return found
