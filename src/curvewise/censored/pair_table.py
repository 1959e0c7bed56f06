"""Pairs of rows counted in a table of keys by risks: for data with many ties, where few cells hold many rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.rows.columns import EXACT_FLOAT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = NDArray[Any]
    Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairTable:
    """The weight of the rows with each key (line) and each risk (column), as the earlier and as the later of a pair.

    ``key`` and ``risk`` are numbers of rows from 0 on; ``earlier`` and ``later`` are their weights.
    """

    key: Codes
    risk: Codes
    earlier: Weights
    later: Weights

    @cached_property
    def _shape(self) -> tuple[int, int]:
        return int(self.key.max()) + 1, int(self.risk.max()) + 1

    @property
    def fits(self) -> bool:
        """Whether there are no more cells than rows, and sums in them are exact."""
        keys, risks = self._shape
        whole = self.earlier.dtype.kind != "i" or int(self.earlier.sum()) + int(self.later.sum()) < EXACT_FLOAT
        return keys * risks <= len(self.key) and whole

    @cached_property
    def cell(self) -> Codes:
        """The cell of each row."""
        return np.asarray(self.key * self._shape[1] + self.risk)

    def _summed(self, weight: Weights) -> Weights:
        keys, risks = self._shape
        found = np.bincount(self.cell, weight, keys * risks).reshape(keys, risks)
        return found.astype(weight.dtype)

    @cached_property
    def before(self) -> Weights:
        """By cell: the weight of earlier rows with the same risk, before its key."""
        table = self._summed(self.earlier)
        return np.asarray(np.cumsum(table, axis=0) - table)

    @cached_property
    def after(self) -> Weights:
        """By cell: the weight of later rows with the same risk, after its key."""
        table = self._summed(self.later)
        return np.asarray(np.cumsum(table[::-1], axis=0)[::-1] - table)

    @cached_property
    def above_before(self) -> Weights:
        """By cell: the weight of earlier rows with a higher risk, before its key."""
        return np.asarray(np.cumsum(self.before[:, ::-1], axis=1)[:, ::-1] - self.before)

    @cached_property
    def below_after(self) -> Weights:
        """By cell: the weight of later rows with a lower risk, after its key."""
        return np.asarray(np.cumsum(self.after, axis=1) - self.after)

    def of_rows(self, cells: Weights) -> Weights:
        """Return by row what its cell has."""
        return np.asarray(cells.reshape(-1)[self.cell])
