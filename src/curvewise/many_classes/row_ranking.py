"""How well each row ranks its own labels: every row is a small ranking problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.threads import in_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CELLS = 1 << 20  # pairs of a row and a label that are sorted at once


@dataclass(frozen=True, eq=False)
class RowRanking:
    """One value a row; NaN where the row defines none.

    ``precision`` is the average precision of its labels, ``area`` the share of pairs of a true and a false
    label in order (ties half), ``misordered`` the share out of order (ties wrong), ``depth`` how many labels
    must be taken to have all true ones.
    """

    precision: Floats
    area: Floats
    misordered: Floats
    depth: NDArray[np.intp]


def rank_rows(truth: NDArray[np.bool_], scores: NDArray[Any]) -> RowRanking:
    """Rank the labels of every row; arguments have one row a label, one column a row."""
    labels, n = truth.shape
    step = max(CELLS // labels, 1)
    parts = [slice(start, min(start + step, n)) for start in range(0, n, step)]
    done = in_threads(lambda here: _rank(truth[:, here].T, scores[:, here].T), parts, truth.size)
    return RowRanking(*(np.concatenate(column) for column in zip(*done, strict=True)))


def _rank(truth: NDArray[np.bool_], scores: NDArray[Any]) -> tuple[Floats, Floats, Floats, NDArray[np.intp]]:
    n, labels = truth.shape
    order = np.argsort(scores, axis=1)[:, ::-1]
    score, hit = np.take_along_axis(scores, order, axis=1), np.take_along_axis(truth, order, axis=1)
    places = np.arange(labels)
    differs = score[:, 1:] != score[:, :-1]
    ends = np.where(np.append(differs, np.ones((n, 1), dtype=bool), axis=1), places, labels)
    end = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]  # the last place of each block of ties
    starts = np.where(np.append(np.ones((n, 1), dtype=bool), differs, axis=1), places, 0)
    start = np.maximum.accumulate(starts, axis=1)
    hits, misses = np.cumsum(hit, axis=1), np.cumsum(~hit, axis=1)
    hits_to_end, misses_to_end = (np.take_along_axis(c, end, axis=1) for c in (hits, misses))
    misses_before = np.where(start > 0, np.take_along_axis(misses, np.maximum(start - 1, 0), axis=1), 0)
    p, q = hits[:, -1], misses[:, -1]
    pairs = np.where(p * q > 0, p * q, np.nan)
    return (
        np.sum(hit * (hits_to_end / (end + 1)), axis=1) / np.where(p > 0, p, np.nan),
        1 - np.sum(hit * (misses_before + misses_to_end), axis=1) / (2 * pairs),
        np.sum(hit * misses_to_end, axis=1) / pairs,
        np.max(np.where(hit, end + 1, 0), axis=1),
    )
