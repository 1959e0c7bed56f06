"""A rule applied again to bootstrap resamples, with the counts of its choices on rows drawn and not drawn.

Only the counts between neighbouring candidates are needed. With many thresholds, candidates are kept close
together near the chosen one and ever further apart away from it, by about one per cent of the distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.core.resampling import MANY, class_order, draw_times, replicate_draws
from curvewise.decisions.choice import Candidates, Rule
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.decisions.row_costs import CostsOfRows
    from curvewise.rows.rows import Rows

    Counts = NDArray[Any]
    Stream = np.random.Generator
    Bag = tuple[Counts, Counts]  # what was drawn, what was not, between candidates
    Draw = Callable[[Stream], tuple[Bag, ...]]  # of positives, of negatives; what these save, and cost unflagged

CANDIDATES, CANDIDATES_OF_MANY = 8192, 2048  # to choose from, drawn by row and by bin
CANDIDATES_OF_FUNCTION = 256  # which is called for each candidate in each resample  # mutants: work


@dataclass(frozen=True)
class Choices:
    """What the rule chose on each resample, with its counts (TP, FP, P, N) on rows drawn and not drawn."""

    place: NDArray[np.intp]
    drawn: NDArray[np.float64]
    not_drawn: NDArray[np.float64]
    failed: int
    candidates: int  # how many there were to choose from
    costs: tuple[float, float] | None = None  # of all choices, per row drawn and not drawn; of costs by row


def repeat_choice(
    rows: Rows | None,
    sweep: Sweep,
    rule: Rule,
    chosen: int,
    replicates: int,
    rng: Stream | int | None,
    costs: CostsOfRows | None = None,
) -> Choices:
    """Repeat the choice on resamples; rows are needed unless they are independent and count and cost alike."""
    place = (lambda c: rule.best(c)[:1]), (chosen,)
    return repeat_places(rows, sweep, rule.prevalence, *place, replicates, rng, costs, quick=rule.quick)[0]


def repeat_places(
    rows: Rows | None,
    sweep: Sweep,
    prevalence: float | None,
    choose: Callable[[Candidates], Sequence[int] | NDArray[np.intp]],
    chosen: Sequence[int],
    replicates: int,
    rng: Stream | int | None,
    costs: CostsOfRows | None = None,
    *,
    quick: bool = True,
) -> list[Choices]:
    """Repeat a choice of one place or of several, one `Choices` for each."""
    plain = costs is None and (rows is None or rows.is_plain)
    by_bin = plain and sweep.n > MANY
    budget = (CANDIDATES_OF_MANY if by_bin else CANDIDATES) if quick else CANDIDATES_OF_FUNCTION
    places = np.unique(np.concatenate([_grid(len(sweep.threshold), k, budget) for k in set(chosen)]))
    stratified = prevalence is not None  # else what alarms are worth varies with the class sizes
    if rows is None or plain:
        draw = _draw_counts(sweep, places, stratified=stratified)
    else:
        draw = _draw_rows(rows, sweep, places, costs, stratified=stratified)
    led = np.concatenate([[0], places])

    def one(stream: Stream) -> tuple[float, ...]:
        (pos, no_pos), (neg, no_neg), *money = draw(stream)
        drawn, not_drawn = ([bags[which] for bags in money] for which in (0, 1))
        candidates = _candidates(pos, neg, prevalence, drawn)
        others = _candidates(no_pos, no_neg, prevalence, not_drawn)
        if not (candidates.positives and candidates.negatives):
            raise UndefinedMetricError("A class was not drawn.")
        each = []
        for k in choose(candidates):
            spent = (*_spent(candidates, k), *_spent(others, k)) if money else ()
            each += [led[k], *candidates.counts(k), *others.counts(k), *spent]
        return tuple(each)

    values, failed = replicate_draws(one, replicates, rng)
    of_each = np.split(values, len(chosen), axis=1)
    return [_choices(of_one, failed, len(places), prevalence, by_row=costs is not None) for of_one in of_each]


def _choices(values: Counts, failed: int, candidates: int, prevalence: float | None, *, by_row: bool) -> Choices:
    """Return what was chosen: places, counts on rows drawn and not drawn, and the mean costs of both."""
    total = values.sum(axis=0).tolist()
    drawn, others = (total[9:11], total[3:5]), (total[11:13], total[7:9])
    means = (_mean_cost(*drawn, prevalence), _mean_cost(*others, prevalence)) if by_row else None
    return Choices(values[:, 0].astype(np.intp), values[:, 1:5], values[:, 5:9], failed, candidates, means)


def _spent(candidates: Candidates, place: int) -> list[float]:
    """Return what the rows of each class cost at one place."""
    assert candidates.saved is not None and candidates.unflagged is not None  # noqa: S101, PT018 - of costs by row
    spent: list[float] = (candidates.unflagged - candidates.saved[:, place]).tolist()
    return spent


def _mean_cost(spent: list[float], rows: list[float], prevalence: float | None) -> float:
    """Return the mean cost per row, from what each class cost and how many rows it has, at a stated prevalence."""
    if not all(rows):
        return math.nan
    share = rows[0] / sum(rows) if prevalence is None else prevalence
    return share * spent[0] / rows[0] + (1 - share) * spent[1] / rows[1]


def _grid(blocks: int, chosen: int, budget: int) -> NDArray[np.intp]:
    """Return places: all if they are few, else each near the chosen one, fewer further off."""
    if blocks <= budget:
        return np.arange(1, blocks + 1)
    near = budget // 8
    away = np.concatenate([np.arange(near), np.geomspace(near, blocks, budget // 2 - near).astype(np.intp)])
    places = np.concatenate([chosen - away, chosen + away, [blocks]])
    return np.unique(places[(places >= 1) & (places <= blocks)])


def _draw_counts(sweep: Sweep, places: NDArray[np.intp], *, stratified: bool) -> Draw:
    """Draw rows that are independent and count alike; the last count is of positives without a score."""
    p, n = int(sweep.positives), int(sweep.known_negatives("A resample"))
    ends = ((sweep.tp, p), (sweep.fp, n))
    pos, neg = (np.diff(c[places - 1], prepend=0, append=total) for c, total in ends)
    if p + n > MANY:
        return lambda rng: (_poisson(rng, pos), _poisson(rng, neg))
    bins, size = [np.repeat(np.arange(len(c)), c) for c in (pos, neg)], len(pos)

    def bag(rng: Stream, here: NDArray[np.intp], take: int) -> Bag:
        times = np.bincount(rng.integers(0, len(here), take), minlength=len(here))
        return np.bincount(here, times, size).astype(np.int64), np.bincount(here[times == 0], minlength=size)

    def draw(rng: Stream) -> tuple[Bag, Bag]:
        take = p if stratified else int(rng.binomial(p + n, p / (p + n)))
        return bag(rng, bins[0], take), bag(rng, bins[1], p + n - take)

    return draw


def _draw_rows(
    rows: Rows, sweep: Sweep, places: NDArray[np.intp], costs: CostsOfRows | None, *, stratified: bool
) -> Draw:
    """Draw whole clusters, or rows with weights; where rows have costs of their own, count these, too."""
    falling = sweep.higher_is == "positive"
    rising = sweep.threshold[::-1] if falling else sweep.threshold
    found = np.searchsorted(rising, rows.score)
    block = len(rising) - 1 - found if falling else found
    order, size = class_order(rows), len(places) + 1
    positives = int(np.count_nonzero(rows.positive))
    bins = np.searchsorted(places, block + 1)[order]
    bins[positives:] += size  # those of negatives behind those of positives
    by_bin = np.argsort(bins, kind="stable")
    used, start = np.unique(bins[by_bin], return_index=True)
    own = np.ones(len(rows), dtype=np.int64) if rows.weight is None else rows.weight[order][by_bin]
    each = 1 if rows.weight_in_draws else own
    times = draw_times(rows, stratified=stratified)
    money = [] if costs is None else [values[order][by_bin] for values in (costs.saves, costs.passed)]

    def summed(counts: Counts) -> list[Counts]:
        found = np.zeros(2 * size, dtype=counts.dtype)
        found[used] = np.add.reduceat(counts, start)
        return np.split(found, 2)

    def draw(rng: Stream) -> tuple[Bag, ...]:
        drawn = times(rng)[by_bin]
        here, left = drawn * each, np.where(drawn == 0, own, 0)
        (pos, neg), (no_pos, no_neg) = summed(here), summed(left)
        spent = [(np.stack(summed(here * v)), np.stack(summed(left * v))) for v in money]
        return (pos, no_pos), (neg, no_neg), *spent

    return draw


def _poisson(rng: Stream, counts: Counts) -> Bag:
    """Draw each row a Poisson(1) number of times, as a resample of many rows does, counted by bin.

    A binomial number of rows is drawn at all. How often they are drawn beyond once is then looked up for a
    uniform number, exactly; in a bin of many, it is drawn from the normal law of its mean and variance.
    """
    some, laws = rng.binomial(counts, 1 - math.exp(-1)), _laws()
    few = some < len(laws)
    beyond = np.zeros(len(counts), dtype=np.int64)
    # all laws as one rising table: the law for k rows lies between k and k + 1
    table = (np.arange(len(laws))[:, None] + laws).ravel()
    uniform = rng.random(int(few.sum()))
    beyond[few] = np.searchsorted(table, some[few] + uniform, side="right") - some[few] * laws.shape[1]
    several = some[~few]
    mean = 1 / (1 - math.exp(-1))  # how often a row is drawn that is drawn; its variance is mean · (2 - mean)
    times = rng.normal((mean - 1) * several, np.sqrt(mean * (2 - mean) * several))
    beyond[~few] = np.maximum(np.rint(times), 0).astype(np.int64)
    return some + beyond, counts - some


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


def _candidates(pos: Counts, neg: Counts, prevalence: float | None, money: list[Counts]) -> Candidates:
    """Return the candidates of counts between them, and of what flagging saves there and rows cost unflagged."""
    tp, fp = (np.concatenate([[0], np.cumsum(c)]) for c in (pos, neg))
    saved = np.cumsum(np.insert(money[0][:, :-1], 0, 0.0, axis=1), axis=1) if money else None
    unflagged = money[1].sum(axis=1) if money else None
    totals = tp[-1].item(), fp[-1].item()
    return Candidates(tp[:-1], fp[:-1], *totals, prevalence, saved=saved, unflagged=unflagged)
