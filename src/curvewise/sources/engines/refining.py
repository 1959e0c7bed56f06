"""Further passes over rows that were counted in bins: only the bins that matter are counted more finely."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.core import kernel
from curvewise.core.bins import Summary
from curvewise.core.row_order import turned
from curvewise.sources.byte_source import changed

if TYPE_CHECKING:
    from curvewise.core.bins import Bins
    from curvewise.core.kernel import Blocks
    from curvewise.core.sweep import Sweep
    from curvewise.sources.engines.engine import Batch, Ranges

    Ranked = dict[str, NDArray[Any]]  # wins and sums of precision of each bin, and its positives and negatives
    Pass = Callable[[], Iterator[Batch]]
    CountedPass = Callable[[int, Ranges], Iterable[Summary]]

MOST_PASSES = 6
MOST_ROWS = 1 << 23  # that are ranked together in memory


def doubt(summary: Summary) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by how much each bin leaves ROC AUC, and average precision, open."""
    pos, neg = summary.positives.astype(np.float64), summary.negatives.astype(np.float64)
    mixed = summary.low < summary.high
    pairs = max(float(pos.sum()) * float(neg.sum()), 1.0)
    auc = np.where(mixed, pos * neg / pairs, 0.0)
    # bins rise with the score: what lies above a bin is what is left after it
    tp, fp = (np.cumsum(c[::-1])[::-1] for c in (pos, neg))
    best, worst = tp / np.maximum(tp + fp - neg, 1e-300), (tp - pos) / np.maximum(tp - pos + fp, 1e-300)
    total = max(float(pos.sum()), 1e-300)
    ap = np.where(mixed, pos * np.maximum(np.minimum(best, 1.0) - worst, 0.0) / total, 0.0)
    return auc, ap


def refined(summary: Summary, counted: CountedPass, resolution: float, most: int) -> Summary:
    """Count again the bins that leave most open, until neither area is open by more than ``resolution``.

    ``counted`` counts the rows of some bins: it takes how many finer ones there may be, and the ends of the bins.
    """
    for _ in range(MOST_PASSES):
        again = np.zeros(len(summary), dtype=bool)
        for gap in doubt(summary):
            if gap.sum() > resolution:
                order = np.argsort(gap)
                again[order[np.cumsum(gap[order]) > resolution / 2]] = True
        if not again.any():
            break
        finer = _counted_again((summary.low[again], summary.high[again]), counted, 4 * most)
        first = summary.positives[again].sum().item(), summary.negatives[again].sum().item()
        hold(first, (finer.positives.sum(), finer.negatives.sum()))
        left = ~again
        rest = Summary(summary.low[left], summary.high[left], summary.positives[left], summary.negatives[left])
        summary = rest.overlapping(finer) if len(rest) else finer
    return summary


def _counted_again(inside: Ranges, counted: CountedPass, most: int) -> Summary:
    """Count the rows of some bins by finer ones."""
    total: Summary | None = None
    for part in counted(most, inside):
        total = (part if total is None else Summary.total([total, part])).within(most)
    if total is None:
        raise changed("data")
    return total


def hold(first: Sequence[float], later: Sequence[float] | NDArray[np.float64], name: str = "data") -> None:
    """Refuse the positives and negatives of a later pass where they are not those of the first."""
    exact = isinstance(first[0], int)  # sums of fractional weights are taken in another order
    if not all(a == b or (not exact and math.isclose(a, b, rel_tol=1e-9)) for a, b in zip(first, later, strict=True)):
        (p, n), (q, m) = (map("{:,.10g}".format, classes) for classes in (first, later))
        raise changed(name, f" ({p} positives and {n} negatives in the first pass, {q} and {m} in a later one)")


class Stretch(NamedTuple):
    """Neighbouring bins, and the positives and negatives that come before the first of them."""

    bins: slice
    above: tuple[Any, Any]


def with_ranks(
    sweep: Sweep, rank: Callable[[Bins, list[Stretch]], Iterable[Ranked | None]], most: int = MOST_ROWS
) -> Sweep:
    """Return a sweep whose areas are exact: ``rank`` ranks the rows within the bins of each stretch."""
    bins = sweep.bins
    if bins is None or not sweep.is_binned:
        return sweep
    pos, neg = sweep.block_positives, sweep.block_negatives
    wins = pos * neg  # of a bin of one score: every pair is a tie
    gained = pos * (sweep.tp / (sweep.tp + sweep.fp))
    tp, fp = sweep.tp - pos, sweep.fp - neg
    parts = [Stretch(k, (tp[k.start].item(), fp[k.start].item())) for k in stretches(bins.mixed, pos + neg, most)]
    for (here, _), ranked in zip(parts, rank(bins, parts), strict=True):
        if ranked is None or not (
            np.array_equal(ranked["positives"], pos[here]) and np.array_equal(ranked["negatives"], neg[here])
        ):  # they must hold the rows that they held in the first pass
            raise changed("data")
        wins[here], gained[here] = ranked["wins"], ranked["gained"]
    return replace(sweep, bins=replace(bins, wins=wins, gained=gained))


def ranked_within(sweep: Sweep, rows: Pass) -> Sweep:
    """Rank the rows of all bins of several scores, as many bins at a time as fit in memory: areas are then exact."""
    falling = sweep.higher_is == "positive"

    def rank(bins: Bins, parts: list[Stretch]) -> Iterator[Ranked]:
        pos, neg = sweep.block_positives, sweep.block_negatives
        for here, above in parts:
            score, positive = _rows_between(rows, bins.low[here].min(), bins.high[here].max())
            hold((pos[here].sum().item(), neg[here].sum().item()), (positive.sum(), (~positive).sum()))
            blocks = kernel.blocks(score, positive, falling=falling)
            yield rank_bins(blocks, bins.low[here], bins.high[here], above, falling=falling)

    return with_ranks(sweep, rank)


def rank_bins(
    blocks: Blocks, low: NDArray[Any], high: NDArray[Any], above: tuple[Any, Any], *, falling: bool
) -> Ranked:
    """Return the doubled wins and the sum of precision within each of some neighbouring bins, and their rows.

    ``blocks`` are those of all their rows, ``above`` the positives and negatives that come before the first bin.
    """
    threshold, tp, fp = blocks
    edge = turned(low) if falling else high  # rises from bin to bin
    place = np.searchsorted(edge, turned(threshold) if falling else threshold, side="left")
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    pos_here, neg_here = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    often = np.diff(np.append(starts, len(place)))
    inside = tp - np.repeat(tp[starts] - pos_here[starts], often)  # positives of the bin down to this score
    wins = np.add.reduceat(neg_here * (2 * inside - pos_here), starts)
    total = above[0] + tp, above[1] + fp
    gained = np.add.reduceat(pos_here * (total[0] / (total[0] + total[1])), starts)
    pos, neg = np.add.reduceat(pos_here, starts), np.add.reduceat(neg_here, starts)
    return {"wins": wins, "gained": gained, "positives": pos, "negatives": neg}


def stretches(mixed: NDArray[np.bool_], rows: NDArray[Any], most: int = MOST_ROWS) -> Iterator[slice]:
    """Cut the bins into stretches, each from a bin of several scores to another one, of at most so many rows.

    A bin of more rows is a stretch of its own.
    """
    some = np.flatnonzero(mixed)
    total = np.cumsum(rows)
    while len(some):
        first = int(some[0])
        room = total[first] - rows[first] + most
        last = max(int(some[np.searchsorted(total[some], room, side="right") - 1]), first)
        yield slice(first, last + 1)
        some = some[some > last]


def _rows_between(rows: Pass, low: Any, high: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the rows with scores from one to another."""
    scores, positives = [], []
    for batch in rows():
        inside = (batch.score >= low) & (batch.score <= high)
        scores.append(batch.score[inside])
        positives.append(batch.positive[inside])
    if not scores:
        raise changed("data")
    return np.concatenate(scores), np.concatenate(positives)
