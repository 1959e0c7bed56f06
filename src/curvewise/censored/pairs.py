"""Comparable pairs of rows: how many, how many concordant, and which part of them each row has.

In a pair the earlier row had an event, and the later one was still under observation: its key (time, then events
before censorings) is larger. The pair is concordant if the earlier row has the higher risk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.core.ranking import rank
from curvewise.rows.columns import EXACT_FLOAT

if TYPE_CHECKING:
    from curvewise.censored.outcomes import Outcomes

    Weights = NDArray[Any]  # int64, or float64 where weights are fractional
    Codes = NDArray[np.int64]
    Ranks = NDArray[Any]

LARGEST = 2**63  # sums of products below this are exact in int64


class Totals(NamedTuple):
    """The weight of all comparable pairs, of the concordant ones, and of those with equal risks.

    Whole numbers are Python's, which do not overflow.
    """

    concordant: int | float
    tied: int | float
    comparable: int | float

    def minus(self, other: Totals) -> Totals:
        """Return these pairs without others."""
        return Totals(*(a - b for a, b in zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """(concordant + ½ tied) / comparable: whole numbers are divided once."""
        return float((2 * self.concordant + self.tied) / (2 * self.comparable))


class RowSums(NamedTuple):
    """By row: the weight of the other rows of its pairs, where it is the earlier and where it is the later one.

    ``doubled`` counts concordant pairs twice and those with equal risks once, so that whole weights stay whole.
    """

    doubled_as_earlier: Weights
    comparable_as_earlier: Weights
    doubled_as_later: Weights
    comparable_as_later: Weights


@dataclass(frozen=True, eq=False)
class PairRows:
    """Rows that make pairs.

    Attributes
    ----------
    key
        Row i is before row j if its key is smaller.
    risk
        The risk of each row as a whole number from 0 on; equal risks have equal numbers.
    earlier, later
        The weight of each row as the earlier and as the later one of a pair: the weight of a pair is their product.
        ``later`` is None where each row counts 1; ``earlier`` is then True or False.
    order
        The rows by rising key, where that is known.
    """

    key: NDArray[np.uint64]
    risk: Codes
    earlier: Weights
    later: Weights | None = None
    order: NDArray[np.intp] | None = None

    @cached_property
    def _by_key(self) -> tuple[NDArray[np.intp], Codes]:
        """The rows by rising key, and the number of the key of each row, from 0."""
        order = np.argsort(self.key) if self.order is None else self.order
        code = np.empty(len(order), dtype=np.int64)
        code[order] = _numbered(self.key[order])
        return order, code

    @cached_property
    def _by_risk(self) -> NDArray[np.intp]:
        """The rows by rising risk, then by key."""
        _, code = self._by_key
        return np.argsort(self.risk * (int(code.max()) + 1) + code)

    @property
    def _has_ties(self) -> bool:
        return int(self.risk.max()) + 1 < len(self.risk)

    @cached_property
    def _merging(self) -> tuple[NDArray[np.intp], Codes]:
        """The rows by rising key, then by risk, and the rank of the risk of each.

        Ranks are distinct; of rows with one risk the earlier has the lower one, and rows of one key stand by rising
        rank, so that neither makes an inversion.
        """
        order, code = self._by_key
        ranked = self.risk
        if self._has_ties:
            ranked = np.empty(len(order), dtype=np.int64)
            ranked[self._by_risk] = np.arange(len(order))
        if int(code.max()) + 1 < len(code):
            order = np.argsort(code * len(code) + ranked)
        return order, ranked[order]

    @cached_property
    def _weights(self) -> tuple[Weights, Weights]:
        """The weights of each row as the earlier and as the later one, as numbers."""
        if self.later is None:
            return self.earlier.astype(np.int64), np.ones(len(self.earlier), dtype=np.int64)
        return self.earlier, self.later

    @cached_property
    def _table(self) -> PairTable | None:
        """The rows as a table of keys by risks, where that is not larger than the rows."""
        table = PairTable(self._by_key[1], self.risk, *self._weights)
        return table if table.fits else None

    def totals(self) -> Totals:
        """Return the weight of all pairs."""
        later = self._weights[1]
        comparable = product(self._comparable_as_later(), later)
        if not int(self.risk.max()):
            return Totals(0, comparable, comparable)  # all risks are equal, exactly
        tied = product(self._tied_as_later(), later) if self._has_ties else 0
        if self.later is None and self._table is None:
            order, ranked = self._merging
            return Totals(count_inversions(ranked, self.earlier[order]), tied, comparable)
        return Totals(product(self._above_before(), later), tied, comparable)

    def row_sums(self) -> RowSums:
        """Return by row the weight of the other rows of its pairs."""
        if not int(self.risk.max()):
            as_earlier, as_later = self._comparable_as_earlier(), self._comparable_as_later()
            return RowSums(as_earlier, as_earlier.copy(), as_later, as_later.copy())
        return RowSums(
            2 * self._below_after() + self._tied_as_earlier(),
            self._comparable_as_earlier(),
            2 * self._above_before() + self._tied_as_later(),
            self._comparable_as_later(),
        )

    def _above_before(self) -> Weights:
        """Return by row the weight of earlier rows with a higher risk."""
        if (table := self._table) is not None:
            return table.of_rows(table.above_before)
        order, ranked = self._merging
        found = np.empty_like(self._weights[0])
        found[order] = weight_above_before(ranked, self._weights[0][order])
        return found

    def _below_after(self) -> Weights:
        """Return by row the weight of later rows with a lower risk.

        Seen from the end, with all ranks turned round, they are those before it with a higher one.
        """
        if (table := self._table) is not None:
            return table.of_rows(table.below_after)
        order, ranked = self._merging
        found = np.empty_like(self._weights[1])
        found[order[::-1]] = weight_above_before(len(ranked) - 1 - ranked[::-1], self._weights[1][order[::-1]])
        return found

    def _comparable_as_later(self) -> Weights:
        order, code = self._by_key
        return _sums_before(order, code[order], None, self._weights[0])

    def _comparable_as_earlier(self) -> Weights:
        order, code = self._by_key
        return _sums_before(order[::-1], code[order][::-1], None, self._weights[1])

    def _tied_as_later(self) -> Weights:
        if (table := self._table) is not None:
            return table.of_rows(table.before)
        order, code = self._by_risk, self._by_key[1]
        return _sums_before(order, code[order], self.risk[order], self._weights[0])

    def _tied_as_earlier(self) -> Weights:
        if (table := self._table) is not None:
            return table.of_rows(table.after)
        order, code = self._by_risk[::-1], self._by_key[1]
        return _sums_before(order, code[order], self.risk[order], self._weights[1])


def _sums_before(order: NDArray[np.intp], key: Codes, group: Codes | None, weight: Weights) -> Weights:
    """Return by row the weight of the rows that stand before all of its key, within its group.

    ``key`` and ``group`` are given in the order of the rows; rows of one group, and in it of one key, are neighbours.
    """
    passed = np.append(weight.dtype.type(0), np.cumsum(weight[order]))
    new_group = np.zeros(len(key), dtype=bool) if group is None else np.append(True, group[1:] != group[:-1])
    new_key = np.append(True, key[1:] != key[:-1]) | new_group
    before = passed[_last_marked(new_key)]
    if group is not None:
        before = before - passed[_last_marked(new_group)]
    found = np.empty_like(before)
    found[order] = before
    return found


def _last_marked(mark: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each place the last marked place up to it."""
    return np.asarray(np.flatnonzero(mark)[np.cumsum(mark) - 1])


def _numbered(ordered: NDArray[Any]) -> Codes:
    """Return the number of each distinct value of what is sorted, from 0."""
    return np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))


def product(a: Weights, b: Weights) -> int | float:
    """Return Σ ab: an exact Python integer where both are whole."""
    if a.dtype.kind == "f" or b.dtype.kind == "f":
        return float(a @ b)
    if int(a.max(initial=0)) * int(b.sum()) < LARGEST:
        return int(a @ b)
    return int(a.astype(object) @ b.astype(object))


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of outcomes: rows under observation when the earlier one of a pair had its event.

    With delayed entry, pairs whose later row entered at that time or after are taken away: they too are pairs, of
    events and entries, in which an event comes before an entry at the same time.
    """

    rows: PairRows
    entries: PairRows | None
    events: NDArray[np.intp]  # the rows that are the earlier one of a pair of `entries`

    def totals(self) -> Totals:
        """Return the weight of all pairs."""
        found = self.rows.totals()
        return found if self.entries is None else found.minus(self.entries.totals())

    def row_sums(self) -> RowSums:
        """Return by row the weight of the other rows of its pairs."""
        found, count = self.rows.row_sums(), len(self.events)
        if self.entries is None:
            return found
        late = self.entries.row_sums()
        for mine, other in zip(found[:2], late[:2], strict=True):
            mine[self.events] -= other[:count]
        as_later = (mine - other[count:] for mine, other in zip(found[2:], late[2:], strict=True))
        return RowSums(found[0], found[1], *as_later)


def pairs_of(outcomes: Outcomes, earlier: Weights) -> Pairs:
    """Return the pairs of outcomes; ``earlier`` is the weight of each row as the earlier one of a pair.

    It may be a mask where rows have no weights.
    """
    ranking = rank(outcomes.score, falling=outcomes.higher_is == "negative")
    risk = ranking.block.astype(np.int64)
    later = None if earlier.dtype.kind == "b" else outcomes.weights
    rows = PairRows(outcomes.key, risk, earlier, later, outcomes.order)
    events = np.flatnonzero(earlier)
    if outcomes.entry is None:
        return Pairs(rows, None, events)
    entered = (outcomes.entry.view(np.uint64) << np.uint64(1)) | np.uint64(1)
    weight = earlier.astype(np.int64) if later is None else earlier
    entries = PairRows(
        key=np.concatenate([outcomes.key[events], entered]),
        risk=np.concatenate([risk[events], risk]),
        earlier=np.concatenate([weight[events], np.zeros_like(weight)]),
        later=np.concatenate([np.zeros(len(events), dtype=outcomes.weights.dtype), outcomes.weights]),
    )
    return Pairs(rows, entries, events)


# ---- Pairs of rows in the wrong order, counted by merging blocks: O(n log n), exact for whole numbers ----
# Rows stand in an order, and each has a rank, a permutation of 0 to n - 1. A pair is inverted if the row that stands
# earlier has the higher rank. Blocks of neighbouring rows are sorted by rank, twice as long at each level; where two
# halves are merged, all pairs with one row in each are seen at once.

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


# ---- Pairs of rows counted in a table of keys by risks: for data with many ties, where few cells hold many rows ----


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
