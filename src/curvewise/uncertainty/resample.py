"""One bootstrap loop for every statistic: sort once, then draw counts, never rows.

A resample of rows is a resample of how many positives and negatives each block has. Draws come in batches,
each with a random stream of its own, so the replicates are the same for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._errors import CurvewiseError, UndefinedMetricError
from curvewise._progress import Progress
from curvewise._sweep import Sweep, refuse_rows_beside_sweep
from curvewise._threads import ROWS_PER_THREAD, in_threads
from curvewise._validate import read_rows, threshold_for
from curvewise.areas.roc_auc import roc_auc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from curvewise._paired import Paired
    from curvewise._validate import HigherIs, Rows
    from curvewise.uncertainty.known import Known

    Counts = NDArray[Any]
    Floats = NDArray[np.float64]
    Statistic = Callable[[Sweep], Any]  # a number, or an array of them

BATCH = 50  # replicates to a random stream
MANY = 50_000  # more rows than this are drawn as bins of equal mass
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
        self, statistic: Statistic, replicates: int, rng: np.random.Generator | int | None
    ) -> tuple[Floats, int]:
        """Return the statistic of every resample that defines it, and how many did not."""
        return replicate_draws(
            lambda stream: read_counts(self.like, statistic, *self.draw(stream)), replicates, rng
        )


def read_counts(like: Sweep, statistic: Statistic, pos: Counts, neg: Counts) -> Any:
    """Return the statistic of other counts in the blocks of a sweep."""
    pairs = 2 * pos.sum().item() * neg.sum().item()
    if statistic is roc_auc and 0 < pairs < 2**63:  # needs no sweep, and is asked for most
        wins = np.cumsum(pos)
        wins *= 2
        wins -= pos
        wins *= neg
        return float(wins.sum() / pairs)
    used = np.flatnonzero((pos + neg) > 0)
    tp, fp = np.cumsum(pos[used]), np.cumsum(neg[used])
    return statistic(_with_counts(like.higher_is, like.threshold[used], tp, fp))


def read_source(y: object, score: object, cluster: object, reading: dict[str, Any]) -> Sweep | Rows:
    """Take a sweep, or read rows; a sweep must know the scores of all its positives."""
    if not isinstance(y, Sweep):
        return read_rows(y, score, cluster=cluster, **reading)
    refuse_rows_beside_sweep(score, reading)
    if cluster is not None:
        raise CurvewiseError("cluster: needs labels and scores; a Sweep has forgotten its rows.")
    if y.positives != y.tp[-1]:
        raise CurvewiseError("A sweep in which some positives have no score has no interval yet.")
    return y


def resampler(
    rows: Rows | None, sweep: Sweep, *, stratified: bool, threshold: float | None = None
) -> Resampler:
    """Choose what to resample: rows where weights or clusters need them, else the sweep's counts."""
    if rows is not None and (rows.cluster is not None or sweep.tp.dtype.kind == "f"):
        return resample_rows(rows, stratified=stratified, threshold=threshold)
    if threshold is not None:
        sweep = at_one_threshold(sweep, threshold)
    return resample_sweep(sweep, stratified=stratified)


def resample_sweep(sweep: Sweep, *, stratified: bool) -> Resampler:
    """Resample the rows of a sweep with whole counts, each row alike; in bins when rows are many."""
    binned = sweep.n > MANY and len(sweep.threshold) > BINS
    if binned:
        ends = _bin_ends(sweep.tp, sweep.fp)
        sweep = _with_counts(sweep.higher_is, sweep.threshold[ends], sweep.tp[ends], sweep.fp[ends])
    p, n = int(sweep.tp[-1]), int(sweep.fp[-1])
    by = _by_bin if binned else _by_row
    draw_pos, draw_neg = by(np.diff(sweep.tp, prepend=0), p), by(np.diff(sweep.fp, prepend=0), n)

    def draw(rng: np.random.Generator) -> tuple[Counts, Counts]:
        take = p if stratified else int(rng.binomial(p + n, p / (p + n)))
        return draw_pos(rng, take), draw_neg(rng, p + n - take)

    return Resampler(sweep, draw, binned=binned)


def at_one_threshold(sweep: Sweep, threshold: float) -> Sweep:
    """Return the two blocks that a single threshold tells apart: all that a metric there depends on."""
    c = sweep.at(threshold)
    beyond = -np.inf if sweep.higher_is == "positive" else np.inf
    tp, fp = np.array([c.tp, c.tp + c.fn]), np.array([c.fp, c.fp + c.tn])
    used = [k for k in (0, 1) if (c.tp + c.fp, c.fn + c.tn)[k]]
    return _with_counts(sweep.higher_is, np.array([float(threshold), beyond])[used], tp[used], fp[used])


def resample_rows(rows: Rows, *, stratified: bool, threshold: float | None = None) -> Resampler:
    """Resample whole clusters of rows, or single rows with fractional weights."""
    times, (like, count, binned) = _times(rows, stratified=stratified), _counter(rows, threshold)
    return Resampler(like, lambda rng: count(times(rng)), binned=binned)


def _times(rows: Rows, *, stratified: bool) -> Callable[[np.random.Generator], Counts]:
    """Return what draws how often each row is taken: the positives first, then the negatives."""
    positives, n = int(rows.positive.sum()), len(rows.positive)
    if rows.cluster is not None:
        cluster, groups = rows.cluster[_by_class(rows)], int(rows.cluster.max()) + 1
        return lambda rng: np.bincount(rng.integers(0, groups, groups), minlength=groups)[cluster]
    sizes = [positives, n - positives] if stratified else [n]
    return lambda rng: np.concatenate([np.bincount(rng.integers(0, k, k), minlength=k) for k in sizes])


def _counter(
    rows: Rows, threshold: float | None
) -> tuple[Sweep, Callable[[Counts], tuple[Counts, Counts]], bool]:
    """Return the sweep of the rows, what counts drawn rows block by block, and whether blocks are bins."""
    unique, block = np.unique(rows.score, return_inverse=True)
    if rows.higher_is == "positive":
        unique, block = unique[::-1], len(unique) - 1 - block
    binned = threshold is None and len(block) > MANY and len(unique) > BINS
    ends = np.arange(len(unique))
    if threshold is not None:
        ends = _two_blocks(unique, threshold, rows.higher_is)
    elif binned:
        by_class = (np.bincount(block[on], minlength=len(unique)) for on in (rows.positive, ~rows.positive))
        ends = _bin_ends(*(np.cumsum(c) for c in by_class))
    order, positives = _by_class(rows), int(rows.positive.sum())
    block = np.searchsorted(ends, block)[order]
    weight = np.ones(len(block), dtype=np.int64) if rows.weight is None else rows.weight[order]
    classes = slice(positives), slice(positives, None)

    def count(times: Counts) -> tuple[Counts, Counts]:
        counts = times * weight
        pos, neg = (np.bincount(block[own], counts[own], len(ends)) for own in classes)
        return pos.astype(weight.dtype), neg.astype(weight.dtype)

    tp, fp = (np.cumsum(c) for c in count(np.ones(len(block), dtype=np.int64)))
    return _with_counts(rows.higher_is, unique[ends], tp, fp), count, binned


def _two_blocks(unique: NDArray[Any], threshold: float, higher_is: str) -> NDArray[np.intp]:
    """Return the last block that a threshold flags, and the last of all."""
    falling = higher_is == "positive"
    cut = threshold_for(unique.dtype, threshold, falling=falling)
    flagged = int(np.count_nonzero(unique >= cut if falling else unique <= cut))
    return np.unique([(flagged or len(unique)) - 1, len(unique) - 1])


def _by_class(rows: Rows) -> NDArray[np.intp]:
    """Return the places of the positives, then of the negatives."""
    return np.argsort(~rows.positive, kind="stable")


def _bin_ends(tp: Counts, fp: Counts) -> NDArray[np.intp]:
    """Return the last blocks of bins, from cumulated counts; where positives are, bins are narrow."""
    half = BINS // 2
    steps = np.arange(1, half + 1)
    ends = [np.searchsorted(c, steps * int(c[-1]) // half) for c in (tp + fp, tp)]
    return np.unique(np.minimum(np.concatenate(ends), len(tp) - 1))


def _by_row(counts: Counts, total: int) -> Callable[[np.random.Generator, int], Counts]:
    block = np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    def draw(rng: np.random.Generator, take: int) -> Counts:
        if not total or not take:
            return np.zeros(len(counts), dtype=np.int64)
        rows = rng.integers(0, total, take, dtype=np.uint32)
        return np.bincount(block.take(rows), minlength=len(counts))

    return draw


def _by_bin(counts: Counts, total: int) -> Callable[[np.random.Generator, int], Counts]:
    share = counts / max(total, 1)

    def draw(rng: np.random.Generator, take: int) -> Counts:
        return rng.multinomial(take, share) if total else np.zeros(len(counts), dtype=np.int64)

    return draw


def _with_counts(higher_is: HigherIs, threshold: NDArray[Any], tp: Counts, fp: Counts) -> Sweep:
    p, n = tp[-1].item(), fp[-1].item()
    return Sweep(threshold, tp, fp, positives=p, negatives=n, higher_is=higher_is)


def replicate_paired(
    table: Paired,
    targets: Sequence[Known],
    replicates: int,
    rng: np.random.Generator | int | None,
) -> tuple[Floats, int, float]:
    """Return the statistic of every model (a row each) on the same resampled rows.

    Also how many resamples failed to define one, and how far binning moved a value (0 for few rows).
    """
    names = list(table.scores)
    times = _times(table.rows(names[0]), stratified=all(target.stratified for target in targets))
    models = [
        (target.statistic, *_counter(table.rows(name), target.threshold))
        for name, target in zip(names, targets, strict=True)
    ]
    away = np.zeros(len(names))
    for k, (statistic, like, _, binned) in enumerate(models):
        if binned:
            away[k] = statistic(table.sweep(names[k])) - statistic(like)

    def one(stream: np.random.Generator) -> list[float]:
        drawn = times(stream)
        return [read_counts(like, statistic, *count(drawn)) for statistic, like, count, _ in models]

    values, failed = replicate_draws(one, replicates, rng)
    return values.T + away[:, None], failed, float(np.abs(away).max())


def replicate_draws(
    one: Callable[[np.random.Generator], Any], replicates: int, rng: np.random.Generator | int | None
) -> tuple[Floats, int]:
    """Repeat one draw in batches, each with a stream of its own; leave out those that define nothing."""
    streams = np.random.default_rng(rng).spawn(-(-replicates // BATCH))
    sizes = [min(BATCH, replicates - start) for start in range(0, replicates, BATCH)]

    def batch(which: int) -> list[Any]:
        found = []
        for _ in range(sizes[which]):
            try:
                found.append(one(streams[which]))
            except UndefinedMetricError:
                continue
            finally:
                progress.step()
        return found

    with Progress("Resampling", replicates) as progress:
        # a batch is always worth a thread, however few its rows
        parts = in_threads(batch, range(len(sizes)), len(sizes) * ROWS_PER_THREAD)
    values = [value for part in parts for value in part]
    if not values:
        raise UndefinedMetricError(
            f"None of {replicates} resamples defines this number: a class is too rare."
        )
    return np.asarray(values), replicates - len(values)
