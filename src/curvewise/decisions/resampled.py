"""Choose again on bootstrap resamples, and judge each choice on the rows that were not drawn.

Only the counts between neighbouring cuts are needed. With many thresholds, cuts are kept close together
near the chosen one and ever further apart away from it, by about one per cent of the distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.resampling import MANY
from curvewise.core.resampling import replicate_draws as replicate
from curvewise.decisions.cuts import Cuts
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.decisions.rule import Rule
    from curvewise.rows.reading import Rows

    Counts = NDArray[Any]
    Stream = np.random.Generator
    Bag = tuple[Counts, Counts]  # what was drawn, what was not, between cuts
    Draw = Callable[[Stream], tuple[Bag, Bag]]  # of positives, of negatives

CUTS, CUTS_OF_MANY = 8192, 2048  # cuts to choose from, drawn by row and by bin
CUTS_OF_FUNCTION = 256  # which is called for each cut in each resample


@dataclass(frozen=True)
class Resampled:
    """What the rule chose on resamples, and what became of each choice.

    ``place`` is the cut chosen on each resample; ``drawn``, ``all_rows`` and ``not_drawn`` its counts
    (TP, FP, P, N) in the resample, on all rows, and on the rows not drawn. ``cuts`` says how many cuts there
    were to choose from.
    """

    place: NDArray[np.intp]
    drawn: NDArray[np.float64]
    all_rows: NDArray[np.float64]
    not_drawn: NDArray[np.float64]
    failed: int
    cuts: int


def resampled(
    rows: Rows | None, sweep: Sweep, rule: Rule, chosen: int, replicates: int, rng: Stream | int | None
) -> Resampled:
    """Repeat the choice; rows are needed where weights are fractional."""
    by_bin = sweep.tp.dtype.kind == "i" and sweep.n > MANY
    budget = (CUTS_OF_MANY if by_bin else CUTS) if rule.quick else CUTS_OF_FUNCTION
    places = _grid(len(sweep.threshold), chosen, budget)
    stratified = rule.prevalence is not None  # else what alarms are worth varies with the class sizes
    if sweep.tp.dtype.kind == "i":
        draw = _whole(sweep, places, stratified=stratified)
    elif rows is not None:
        draw = _weighted(rows, sweep, places, stratified=stratified)
    else:
        raise UndefinedMetricError("A sweep with fractional counts cannot be resampled.")
    led = np.concatenate([[0], places])

    def one(stream: Stream) -> tuple[float, ...]:
        (pos, no_pos), (neg, no_neg) = draw(stream)
        cuts = _cuts(pos, neg, rule)
        if not (cuts.positives and cuts.negatives):
            raise UndefinedMetricError("A class was not drawn.")
        k = int(rule.best(cuts)[0])
        return led[k], *_counts(cuts, k), *_counts(_cuts(no_pos, no_neg, rule), k)

    found, failed = replicate(one, replicates, rng)
    place = found[:, 0].astype(np.intp)
    whole = Cuts.of(sweep, None)
    totals = np.broadcast_to([sweep.positives, sweep.negatives], (len(place), 2))
    all_rows = np.column_stack([whole.tp[place], whole.fp[place], totals]).astype(np.float64)
    return Resampled(place, found[:, 1:5], all_rows, found[:, 5:], failed, len(places))


def _grid(blocks: int, chosen: int, budget: int) -> NDArray[np.intp]:
    """Return the places of cuts: all if they are few, else each near the chosen one, fewer further off."""
    if blocks <= budget:
        return np.arange(1, blocks + 1)
    near = budget // 8
    away = np.concatenate([np.arange(near), np.geomspace(near, blocks, budget // 2 - near).astype(np.intp)])
    places = np.concatenate([chosen - away, chosen + away, [blocks]])
    return np.unique(places[(places >= 1) & (places <= blocks)])


def _whole(sweep: Sweep, places: NDArray[np.intp], *, stratified: bool) -> Draw:
    """Draw rows that count alike; the last count is of positives that no cut reaches."""
    totals = int(sweep.positives), int(sweep.negatives)
    pos, neg = (
        np.diff(c[places - 1], prepend=0, append=total)
        for c, total in zip((sweep.tp, sweep.fp), totals, strict=True)
    )
    if sum(totals) > MANY:
        return lambda rng: (_poisson(rng, pos), _poisson(rng, neg))
    bins = [np.repeat(np.arange(len(c)), c) for c in (pos, neg)]
    return _by_row(bins, [None, None], len(pos), stratified=stratified)


def _weighted(rows: Rows, sweep: Sweep, places: NDArray[np.intp], *, stratified: bool) -> Draw:
    """Draw rows with fractional weights."""
    falling = sweep.higher_is == "positive"
    rising = sweep.threshold[::-1] if falling else sweep.threshold
    found = np.searchsorted(rising, rows.score)
    block = len(rising) - 1 - found if falling else found
    bins = np.searchsorted(places, block + 1)
    classes = rows.positive, ~rows.positive
    weight = np.asarray(rows.weight)
    return _by_row(
        [bins[on] for on in classes], [weight[on] for on in classes], len(places) + 1, stratified=stratified
    )


def _by_row(
    bins: list[NDArray[np.intp]], weights: list[Counts | None], size: int, *, stratified: bool
) -> Draw:
    """Draw as many rows as there are, with replacement; classes keep their sizes when ``stratified``."""
    p, n = len(bins[0]), len(bins[1])

    def bag(rng: Stream, which: int, take: int) -> Bag:
        here, weight = bins[which], weights[which]
        times = np.bincount(rng.integers(0, len(here), take), minlength=len(here))
        never = times == 0
        if weight is None:
            drawn = np.bincount(here, times, size).astype(np.int64)
            return drawn, np.bincount(here[never], minlength=size)
        return np.bincount(here, times * weight, size), np.bincount(here[never], weight[never], size)

    def draw(rng: Stream) -> tuple[Bag, Bag]:
        take = p if stratified else int(rng.binomial(p + n, p / (p + n)))
        return bag(rng, 0, take), bag(rng, 1, p + n - take)

    return draw


def _poisson(rng: Stream, counts: Counts) -> Bag:
    """Draw each row a Poisson(1) number of times, as a resample of many rows does, counted by bin.

    A binomial number of rows is drawn at all. How often they are drawn beyond once is then looked up for a
    uniform number, exactly; in a bin of many, it is drawn from the normal law of its mean and variance.
    """
    some = rng.binomial(counts, 1 - math.exp(-1))
    few = some < len(_laws())
    beyond = np.zeros(len(counts), dtype=np.int64)
    beyond[few] = _looked_up(some[few], rng.random(int(few.sum())))
    many = some[~few]
    mean = 1 / (1 - math.exp(-1))  # how often a row is drawn that is drawn; its variance is mean · (2 - mean)
    times = rng.normal((mean - 1) * many, np.sqrt(mean * (2 - mean) * many))
    beyond[~few] = np.maximum(np.rint(times), 0).astype(np.int64)
    return some + beyond, counts - some


def _looked_up(rows: Counts, uniform: NDArray[np.float64]) -> Counts:
    """Return how often so many drawn rows are drawn beyond once, by inverting the law for that many."""
    laws = _laws()
    # all laws as one rising table: the law for k rows lies between k and k + 1
    table = (np.arange(len(laws))[:, None] + laws).ravel()
    beyond: Counts = np.searchsorted(table, rows + uniform, side="right") - rows * laws.shape[1]
    return beyond


@cache
def _laws() -> NDArray[np.float64]:
    """Return, for 0 to 31 rows, the cumulative law of the sum of X - 1 where X is Poisson(1) and above 0."""
    size = 80  # beyond this sum, less than 1e-20 is left
    one = np.array([1 / math.factorial(k + 1) for k in range(size)]) / (math.e - 1)
    law, laws = np.zeros(size), []
    law[0] = 1
    for _ in range(32):
        laws.append(np.minimum(np.cumsum(law), 1.0))
        law = np.convolve(law, one)[:size]
    found = np.array(laws)
    found[:, -1] = 1
    return found


def _cuts(pos: Counts, neg: Counts, rule: Rule) -> Cuts:
    tp, fp = (np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg))
    return Cuts(tp[:-1], fp[:-1], tp[-1].item(), fp[-1].item(), rule.prevalence)


def _counts(cuts: Cuts, k: int) -> tuple[float, ...]:
    return cuts.tp[k].item(), cuts.fp[k].item(), cuts.positives, cuts.negatives
