"""Rows with several labels: which are flagged at a threshold, and how each row ranks its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.confusion import Confusion
from curvewise.core.resampling import RowSums
from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError
from curvewise.many_classes.class_metrics import LABEL_AVERAGES, over_rows
from curvewise.many_classes.class_scores import ClassScores
from curvewise.many_classes.confusion_matrix import (
    FromConfusion,
    Readable,
    average_cells,
    class_names,
    of_confusion,
    place_of,
)
from curvewise.results.numbers import show
from curvewise.results.result import Result, Table
from curvewise.rows.checks import as_float, one_of
from curvewise.rows.columns import count, shown

CELLS = 1 << 20  # pairs of a row and a label that are sorted at once


@dataclass(frozen=True, eq=False, repr=False)
class LabelFlags(Result, schema="label_flags"):
    """Which labels are true and which are flagged: one line per label, one column per row."""

    labels: tuple[Any, ...]
    threshold: float
    truth: NDArray[np.bool_]
    flags: NDArray[np.bool_]
    weight: NDArray[Any] | None = None
    backend: str | None = None
    sums: RowSums | None = None  # over the rows of each cell of each label, where they are known

    @cached_property
    def counts(self) -> dict[str, NDArray[Any]]:
        """True and false positives and negatives, one number per label."""
        sums = cell_sums(self.truth, self.flags) if self.sums is None else self.sums
        rows = np.ones(self.truth.shape[1], dtype=np.int64) if self.weight is None else self.weight
        tp, fp, fn = sums(rows).reshape(3, -1)
        # what is left of sums of fractions would not be exactly 0 where there is nothing
        tn = rows.sum(dtype=np.int64) - tp - fp - fn if rows.dtype.kind in "iu" else ~(self.truth | self.flags) @ rows
        return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}

    def of(self, label: object) -> Confusion:
        """Return the confusion table of one label."""
        return self.of_place(place_of(label, self.labels))

    def of_place(self, k: int, zero: float = math.nan) -> Confusion:
        """Return the confusion table of the label at one place."""
        return Confusion(**{name: c[k].item() for name, c in self.counts.items()}, zero=zero)

    @property
    def table(self) -> Table:
        """The counts, one row per label."""
        names = class_names(self.labels)
        title = f"Each label, flagged at {show(as_float(self.threshold))} or more"
        counts = {k: c.tolist() for k, c in self.counts.items()}
        return Table(title, {"label": names, **counts}, self.backend)

    def content(self) -> dict[str, Any]:
        """Return the threshold and the counts, JSON-safe."""
        return {"threshold": self.threshold, "labels": self.table.content()["rows"]}

    def wrong(self) -> NDArray[np.intp]:
        """Return how many labels of each row are wrong."""
        return np.asarray(np.count_nonzero(self.truth != self.flags, axis=0))

    def average(
        self, metric: Readable, average: str = "macro", zero: float = math.nan, name: str | None = None
    ) -> float:
        """Return a metric at a threshold averaged over labels, over rows, or of all pairs of both.

        ``metric`` is a name of `curvewise.metrics`, or a function of a `Confusion`.
        """
        one_of("average", average, LABEL_AVERAGES)
        of_counts = of_confusion(metric, name)
        if average == "samples":
            return self._over_rows(of_counts, zero)
        cells = [self.of_place(k, zero) for k in range(len(self.labels))]
        members = np.flatnonzero(with_needs(self.truth, ("positives", *of_counts.needs)))
        support = self.counts["tp"] + self.counts["fn"]
        return average_cells(cells, of_counts, average, members, support, self._empty, self.labels)

    def _empty(self, k: int, c: Confusion) -> str:
        empty = "is never flagged" if c.negatives else "has no negative row here"
        return f"label {shown(self.labels[k])} {empty if c.positives else 'has no positive row here'}"

    def _over_rows(self, metric: FromConfusion, zero: float) -> float:
        """Average over rows; rows with equal counts have equal values, so each is computed once.

        A row that lacks what the metric needs (a true label, for recall) is left out.
        """
        masks = (self.truth & self.flags, self.truth, self.flags)
        tp, true, flagged = (np.count_nonzero(mask, axis=0) for mask in masks)
        kinds, which = np.unique(np.stack([tp, flagged - tp, true - tp]), axis=1, return_inverse=True)
        rest = len(self.labels) - kinds.sum(axis=0)
        cells = zip(*kinds.tolist(), rest.tolist(), strict=True)
        read = [metric.read(Confusion(tp=a, fp=b, fn=c, tn=d, zero=zero)) for a, b, c, d in cells]
        values = np.array(read)[which.reshape(-1)]
        there = with_needs(self.truth.T, metric.needs)
        if self.weight is not None:
            there &= self.weight > 0
        values, weight = values[there], None if self.weight is None else self.weight[there]
        undefined = int(np.count_nonzero(np.isnan(values)))
        if undefined:
            raise UndefinedMetricError(
                f"The samples {metric.name} is undefined: it is 0/0 in {count(undefined, 'row')}, where "
                "nothing is flagged; zero=0 or zero=1 would count them as that."
            )
        if not len(values):
            raise UndefinedMetricError(f"The samples {metric.name} is undefined: no row has a true label.")
        return over_rows(values, weight)


def cell_sums(truth: NDArray[np.bool_], flags: NDArray[np.bool_]) -> RowSums:
    """Return sums over the true positives of all labels, then over false positives, then over false negatives."""
    return RowSums.of_marks(np.concatenate([truth & flags, ~truth & flags, truth & ~flags]))


def with_needs(truth: NDArray[np.bool_], needs: Sequence[str]) -> NDArray[np.bool_]:
    """Mark the lines that have what a metric needs: a true mark, a false one, or both."""
    there = np.ones(len(truth), dtype=bool)
    if "positives" in needs:
        there &= truth.any(axis=1)
    if "negatives" in needs:
        there &= ~truth.all(axis=1)
    return there


class RowRanking(NamedTuple):
    """One value per row; NaN where the row defines none.

    ``precision`` is the average precision of its labels, ``area`` the share of pairs of a true and a false
    label in order (ties half), ``misordered`` the share out of order (ties wrong), ``depth`` how many labels
    must be taken to have all true ones.
    """

    precision: Floats
    area: Floats
    misordered: Floats
    depth: NDArray[np.intp]


class LabelScores(ClassScores):
    """The scores of all labels beside the marks of those that each row has."""

    def __init__(self, scores: NDArray[Any], truth: NDArray[Any]) -> None:
        super().__init__(scores, truth)
        self._flagged: dict[float, tuple[NDArray[np.bool_], RowSums]] = {}

    def flagged(self, cut: float) -> tuple[NDArray[np.bool_], RowSums]:
        """Return which scores reach a threshold, and what sums over the cells; the last asked for is kept."""
        if cut not in self._flagged:
            flags = self.scores >= cut
            self._flagged = {cut: (flags, cell_sums(self.truth, flags))}
        return self._flagged[cut]

    @cached_property
    def with_label(self) -> RowSums:
        """Sums over the rows that have each label."""
        return RowSums.of_marks(self.truth)

    @cached_property
    def row_ranking(self) -> RowRanking:
        """How each row ranks its own labels."""
        labels, n = self.truth.shape
        step = max(CELLS // labels, 1)
        parts = [slice(start, min(start + step, n)) for start in range(0, n, step)]
        done = in_threads(lambda here: _rank(self.truth[:, here].T, self.scores[:, here].T), parts, self.truth.size)
        return RowRanking(*(np.concatenate(column) for column in zip(*done, strict=True)))


def _rank(truth: NDArray[np.bool_], scores: NDArray[Any]) -> RowRanking:
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
    return RowRanking(
        np.sum(hit * (hits_to_end / (end + 1)), axis=1) / np.where(p > 0, p, np.nan),
        1 - np.sum(hit * (misses_before + misses_to_end), axis=1) / (2 * pairs),
        np.sum(hit * misses_to_end, axis=1) / pairs,
        np.max(np.where(hit, end + 1, 0), axis=1),
    )
