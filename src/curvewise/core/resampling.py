"""One bootstrap loop for every statistic: sort once, then draw counts, never rows.

A resample of rows is a resample of how many positives and negatives each block has. Draws come in batches,
each with a random stream of its own, so the replicates are the same for any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.progress import Progress
from curvewise.core.ranking import rank
from curvewise.core.strata import strata_of
from curvewise.core.sweep import Sweep
from curvewise.core.threads import ROWS_PER_THREAD, in_threads
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.rows.checks import threshold_for
from curvewise.rows.seeds import random_stream

if TYPE_CHECKING:
    from curvewise.rows.horizon_rows import HorizonRows
    from curvewise.rows.rows import Rows

    Counts = NDArray[Any]
    Times = NDArray[np.uint8]
    Values = NDArray[Any]

REPLICATES = 1000  # the default of every verb that resamples
BATCH = 50  # replicates to a random stream
MANY = 50_000  # more rows than this are drawn as bins of equal mass
ROWS_PER_OWNER = 32  # from which on a multinomial number costs less than the rows one by one
WORTH_THREADS = 30_000  # rows to a draw from which on threads save time  # mutants: work
BINS = 2048  # half of them with equal numbers of rows, half with equal numbers of positives


@dataclass(frozen=True)
class Resampler:
    """Draws counts of positives and negatives for the blocks of ``like``, and reads statistics from them.

    ``binned`` says that neighbouring blocks were put together because rows are many.
    """

    like: Sweep
    draw: Callable[[np.random.Generator], tuple[Counts, Counts]]
    binned: bool = False

    def replicate(
        self, read: Callable[[Sweep, Counts, Counts], Any], replicates: int, rng: np.random.Generator | int | None
    ) -> tuple[Floats, int]:
        """Return what is read of ``like`` with the counts of each resample, where defined, and how often it was not."""
        rows = MANY if self.binned else min(int(self.like.n), ROWS_PER_OWNER * len(self.like.threshold))
        return replicate_draws(lambda stream: read(self.like, *self.draw(stream)), replicates, rng, rows)


def resampler(rows: Rows | None, sweep: Sweep, *, stratified: bool, threshold: float | None = None) -> Resampler:
    """Choose what to resample: rows where weights or clusters need them, else the sweep's counts."""
    if rows is not None and not rows.is_plain:
        return resample_rows(rows, stratified=stratified, threshold=threshold)
    if not sweep.is_whole:
        raise CurvewiseError("A sweep of weighted rows has no resamples of its own: pass labels, scores and weights.")
    if threshold is not None:
        sweep = at_one_threshold(sweep, threshold)
    return resample_sweep(sweep, stratified=stratified)


def resample_sweep(sweep: Sweep, *, stratified: bool) -> Resampler:
    """Resample the rows of a sweep with whole counts, each row alike; in bins when rows are many."""
    sweep, place = merged_blocks(sweep)
    binned = place is not None
    p, n = int(sweep.tp[-1]), int(sweep.fp[-1])
    draw_pos, draw_neg = (owner_draws(counts) for counts in (sweep.block_positives, sweep.block_negatives))

    def draw(rng: np.random.Generator) -> tuple[Counts, Counts]:
        take = p if stratified else int(rng.binomial(p + n, p / (p + n)))
        return draw_pos(rng, take), draw_neg(rng, p + n - take)

    return Resampler(sweep, draw, binned=binned)


def merged_blocks(sweep: Sweep, many: int = MANY, bins: int = BINS) -> tuple[Sweep, NDArray[np.intp] | None]:
    """Put neighbouring blocks of many rows together; return also where each block went, None if none did."""
    rows = sweep.n if sweep.is_whole else len(sweep.threshold)  # weights have no scale
    if rows <= many or len(sweep.threshold) <= bins:
        return sweep, None
    ends = bin_ends(sweep.tp, sweep.fp, bins)
    merged = sweep.with_cumulated(sweep.threshold[ends], sweep.tp[ends], sweep.fp[ends])
    return merged, np.searchsorted(ends, np.arange(len(sweep.threshold)))


def at_one_threshold(sweep: Sweep, threshold: float) -> Sweep:
    """Return the two blocks that a single threshold tells apart: all that a metric there depends on."""
    c = sweep.at(threshold)
    beyond = np.nextafter(float(threshold), -np.inf if sweep.higher_is == "positive" else np.inf)
    pos, neg = np.array([c.tp, c.fn]), np.array([c.fp, sweep.known_negatives("A resample") - c.fp])
    two = sweep.with_cumulated(np.array([float(threshold), beyond]), np.cumsum(pos), np.cumsum(neg))
    return two.with_counts(pos, neg)


def resample_rows(rows: Rows, *, stratified: bool, threshold: float | None = None) -> Resampler:
    """Resample whole clusters of rows, or single rows with fractional weights."""
    draw, ((like, binned),) = draw_models(rows, [threshold], stratified=stratified)
    return Resampler(like, lambda rng: draw(rng)[0], binned=binned)


def draw_models(
    rows: Rows, thresholds: Sequence[float | None], *, stratified: bool
) -> tuple[Callable[[np.random.Generator], list[tuple[Counts, Counts]]], list[tuple[Sweep, bool]]]:
    """Return what draws rows and counts them for each model, and its blocks with whether these are bins.

    A metric at a threshold needs two blocks: ``thresholds`` has one for each model, or None.
    """
    rows = _settled(rows)
    times = draw_times(rows, stratified=stratified)
    models = [row_counter(rows.of(name), cut) for name, cut in zip(rows.models, thresholds, strict=True)]

    def draw(rng: np.random.Generator) -> list[tuple[Counts, Counts]]:
        drawn = times(rng)
        return [count(drawn) for _, count, _ in models]

    return draw, [(like, binned) for like, _, binned in models]


def _settled(rows: Rows) -> Rows:
    """Return many independent rows in an order that is theirs, so that resamples do not depend on how they came.

    Where many are alike, they become one that counts for so many.
    """
    if len(rows) <= MANY or rows.cluster is not None or rows.stratum is not None or rows.horizon is not None:
        return rows
    keys = [rows.positive, *rows.scores.values(), *([] if rows.weight is None else [rows.weight])]
    order = np.lexsort(keys[::-1])[::-1]  # positives first, as they are drawn, and the highest score
    keys = [key.take(order) for key in keys]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    first = np.flatnonzero(is_first)
    if rows.weight is not None or len(first) * ROWS_PER_OWNER > len(order):
        return rows.take(order)
    each = np.diff(first, append=len(order))
    return replace(rows.take(order[first]), weight=each, weight_kind="count")


def units(rows: Rows) -> NDArray[np.intp]:
    """Return the number of the independent unit that each row belongs to: its cluster, or the row itself."""
    return np.arange(len(rows)) if rows.cluster is None else rows.cluster


def class_order(rows: Rows) -> NDArray[np.intp]:
    """Return the places of the positives, then of the negatives: the order in which rows are drawn."""
    return np.argsort(~rows.positive, kind="stable")


def draw_times(rows: Rows, *, stratified: bool) -> Callable[[np.random.Generator], Counts]:
    """Return what draws how often each row is taken, in `class_order`.

    Whole clusters are drawn, or rows, within classes if ``stratified``. A weight that counts independent rows
    is so many rows to draw from. Rows that were sampled within strata are drawn within these, not within classes. At
    a horizon, outcomes are drawn, the unknown ones too, and what is returned are the weights that these give.
    """
    if (horizon := rows.censored) is not None:
        return _draw_outcomes(rows, horizon)
    positives, n, order = int(np.count_nonzero(rows.positive)), len(rows), class_order(rows)
    # a row that counts for several is taken so many times with its cluster
    counted = rows.cluster is not None and rows.weight is not None and rows.weight_kind == "count"
    each = rows.weight[order] if counted and rows.weight is not None else 1
    if (strata := strata_of(rows)) is not None:
        unit, draw = strata.unit[order], strata.draw()
        return lambda rng: draw(rng)[unit] * each
    if rows.cluster is not None:
        cluster, draw = rows.cluster[order], alike_draws(int(rows.cluster.max()) + 1)
        return lambda rng: draw(rng).take(cluster) * each
    sizes = [positives, n - positives] if stratified else [n]
    if rows.weight is None or rows.weight_kind == "sampling":
        alike = [alike_draws(k) for k in sizes]
        return lambda rng: np.concatenate([draw(rng) for draw in alike])
    owners = np.split(rows.weight[order].astype(np.int64), np.cumsum(sizes)[:-1])
    draws = [(owner_draws(counts), int(counts.sum())) for counts in owners]
    return lambda rng: np.concatenate([draw(rng, total) for draw, total in draws])


def _draw_outcomes(rows: Rows, horizon: HorizonRows) -> Callable[[np.random.Generator], Counts]:
    """Return what draws all outcomes, whole clusters of them where there are any, and weighs the rows anew."""
    everyone = horizon.everyone
    times, order, place = (
        draw_times(everyone, stratified=False),
        class_order(everyone),
        horizon.place[class_order(rows)],
    )

    def weights(rng: np.random.Generator) -> Counts:
        drawn = np.empty(len(order))
        drawn[order] = times(rng)
        return horizon.weighing.weights(drawn * horizon.own)[place]

    return weights


def row_counter(
    rows: Rows, threshold: float | None = None
) -> tuple[Sweep, Callable[[Counts], tuple[Counts, Counts]], bool]:
    """Return the sweep of the rows, what counts rows drawn in `class_order`, and whether blocks are bins."""
    ranking = rank(rows.score, falling=rows.higher_is == "positive")
    unique = ranking.threshold
    binned = threshold is None and len(rows) > MANY and len(unique) > BINS
    ends = np.arange(len(unique))
    if threshold is not None:
        ends = _two_blocks(unique, threshold, rows.higher_is)
    elif binned:
        ends = bin_ends(*ranking.cumulated_counts(rows.positive, None))
    order, positives = class_order(rows), int(np.count_nonzero(rows.positive))
    block = np.searchsorted(ends, ranking.block)[order]
    weights = np.ones(len(block), dtype=np.int64) if rows.weight is None else rows.weight[order]
    block[positives:] += len(ends)  # those of negatives behind those of positives
    sums = RowSums.of_blocks(block, 2 * len(ends))
    weight = None if rows.weight is None or rows.weight_in_draws else sums.in_order(weights)

    def counted(counts: Counts, weight: Counts | None) -> tuple[Counts, Counts]:
        each = sums.in_order(counts)
        counts_of_blocks = sums.of_ordered(each if weight is None else each * weight).astype(weights.dtype)
        return counts_of_blocks[: len(ends)], counts_of_blocks[len(ends) :]

    tp, fp = (np.cumsum(c) for c in counted(weights, None))
    like = Sweep(
        unique[ends],
        tp,
        fp,
        positives=tp[-1].item(),
        negatives=fp[-1].item(),
        weight_kind=None if rows.weight is None else rows.weight_kind,
        higher_is=rows.higher_is,
        horizon=None if rows.horizon is None else replace(rows.horizon.facts(rows), mean_score=None),
    )
    return like, lambda times: counted(times, weight), binned


def _two_blocks(unique: NDArray[Any], threshold: float, higher_is: str) -> NDArray[np.intp]:
    """Return the last block that a threshold flags, and the last of all."""
    falling = higher_is == "positive"
    cut = threshold_for(unique.dtype, threshold, falling=falling)
    flagged = int(np.count_nonzero(unique >= cut if falling else unique <= cut))
    return np.unique([(flagged or len(unique)) - 1, len(unique) - 1])


def bin_ends(tp: Counts, fp: Counts, bins: int = BINS) -> NDArray[np.intp]:
    """Return the last blocks of bins, from cumulated counts; where positives are, bins are narrow."""
    half = bins // 2
    steps = np.arange(1, half + 1) / half
    ends = [np.searchsorted(c, steps * c[-1] * (1 - 1e-12)) for c in (tp + fp, tp)]
    return np.unique(np.minimum(np.concatenate(ends), len(tp) - 1))


def alike_draws(size: int) -> Callable[[np.random.Generator], Counts]:
    """Return what draws as many units as there are with replacement, and counts how often each is taken."""
    if size > MANY:
        return poisson_draws(size)
    return lambda rng: np.bincount(rng.integers(0, size, size), minlength=size)


def owner_draws(counts: Counts) -> Callable[[np.random.Generator, int], Counts]:
    """Return what draws rows with replacement and counts them by owner, where each owner has so many.

    Few rows are drawn one by one; where owners have many, how many each gets is drawn, a multinomial number. Memory
    and time are then those of the owners, however much they own.
    """
    total = int(counts.sum())
    if total > ROWS_PER_OWNER * len(counts):
        there = np.flatnonzero(counts)  # or the last one, who gets what rounding leaves, might own nothing
        share = counts[there] / total

        def drawn(rng: np.random.Generator, take: int) -> Counts:
            times = np.zeros(len(counts), dtype=np.int64)
            times[there] = rng.multinomial(take, share)
            return times

        return drawn
    owner = np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    def picked(rng: np.random.Generator, take: int) -> Counts:
        if not total or not take:
            return np.zeros(len(counts), dtype=np.int64)
        rows = rng.integers(0, total, take, dtype=np.uint32)
        return np.bincount(owner.take(rows), minlength=len(counts))

    return picked


def replicate_draws(
    one: Callable[[np.random.Generator], Any],
    replicates: int,
    rng: np.random.Generator | int | None,
    rows: int = MANY,
) -> tuple[Floats, int]:
    """Repeat one draw in batches, each with a stream of its own; leave out those that define nothing.

    ``rows`` says how many are drawn at a time: of few, threads would only wait for each other.
    """
    streams = random_stream(rng).spawn(-(-replicates // BATCH))
    sizes = [min(BATCH, replicates - start) for start in range(0, replicates, BATCH)]

    def batch(which: int) -> list[Any]:
        drawn = []
        for _ in range(sizes[which]):
            try:
                drawn.append(one(streams[which]))
            except UndefinedMetricError:
                continue
            finally:
                progress.step()
        return drawn

    with Progress("Resampling", replicates) as progress:
        worth = len(sizes) * ROWS_PER_THREAD if rows >= WORTH_THREADS else 0
        parts = in_threads(batch, range(len(sizes)), worth)
    values = [value for part in parts for value in part]
    if not values:
        raise UndefinedMetricError(f"None of {replicates} resamples defines this number: a class is too rare.")
    return np.asarray(values), replicates - len(values)


# ---- Very many rows drawn with replacement: how often each is taken, in one pass over memory ----
# Poisson numbers, given their sum, are multinomial. So each row is taken a Poisson number of times with a mean a little
# below 1, and the rows that are then still missing are drawn one by one: together an exact resample.

BELOW = 4.0  # standard deviations that the mean of the sum lies below the rows
UNSURE = 255  # marks a number that 16 random bits do not decide
MOST = 60  # times that a row is taken at most; beyond, less than 1e-80 is left


def poisson_draws(size: int) -> Callable[[np.random.Generator], Times]:
    """Return what draws ``size`` of as many rows with replacement, and counts how often each is taken."""
    law = _law(1 - BELOW / math.sqrt(size))
    cells = np.arange(2**16 + 1) / 2**16  # mutants: work
    first, last = np.searchsorted(law, cells[:-1], side="right"), np.searchsorted(law, cells[1:], side="left")
    table = np.where(first == last, first, UNSURE).astype(np.uint8)

    def drawn(rng: np.random.Generator) -> Times:
        while True:  # a sum beyond the rows is drawn again: which rows have it does not depend on the sum
            bits = rng.integers(0, 2**16, size, dtype=np.uint16)
            times: Times = table.take(bits)
            unsure = np.flatnonzero(times == UNSURE)
            uniform = (bits[unsure] + rng.random(len(unsure))) / 2**16
            times[unsure] = np.searchsorted(law, uniform, side="right")
            missing = size - int(times.sum())
            if missing >= 0:
                np.add.at(times, rng.integers(0, size, missing), 1)
                return times

    return drawn


def _law(mean: float) -> NDArray[np.float64]:
    """Return the cumulative law of a Poisson number."""
    counts = np.arange(MOST)
    log_factorial = np.array([math.lgamma(k + 1) for k in counts])
    law = np.cumsum(np.exp(counts * math.log(mean) - mean - log_factorial))
    law[-1] = 1.0
    return np.asarray(np.minimum(law, 1.0))


# ---- Sums of a value per row over sets of rows, asked for many times: rows are put in order once ----


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
        totals = np.zeros(self._number, dtype=np.int64 if values.dtype.kind in "biu" else values.dtype)
        if len(self._used):
            totals[self._used] = np.add.reduceat(values, self._start)
        return totals
