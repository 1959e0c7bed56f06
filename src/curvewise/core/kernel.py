"""From scores and labels to thresholds, true and false positives: the only place that sorts.

Unweighted rows are sorted as keys that hold score and label together (`_keys`), in disjoint ranges
of score, one per thread; the ranges' results are joined with exact int64 offsets, so the answer
does not depend on how many there were. Weighted rows are ordered by `row_order`. Passes over sorted rows go
chunk by chunk, so that what one step writes the next finds in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from curvewise.core.keys import CHUNK, Keys, ScoreRange, odd, ranges, slices
from curvewise.core.ranking import MOST_EXACT, rank
from curvewise.core.row_order import turned
from curvewise.core.threads import in_threads

if TYPE_CHECKING:
    Counts = NDArray[Any]  # int64, or float64 where weights are fractional
    Blocks = tuple[NDArray[Any], Counts, Counts]

R = TypeVar("R")

FEW = 2048  # rows up to which no key is made  # mutants: work
DEALT = 16  # tasks into which a long sum is dealt
LOOKED_AT = 6  # keys from a tie on before its end is searched  # mutants: work


def blocks(
    score: NDArray[Any],
    positive: NDArray[np.bool_],
    weight: Counts | None = None,
    *,
    falling: bool = True,
) -> Blocks:
    """Return the unique scores, most positive first, with the counts at or above each."""
    if not falling:
        threshold, tp, fp = blocks(turned(score), positive, weight)
        return turned(threshold), tp, fp
    if weight is not None:
        return _blocks_by_rank(score, positive, weight)
    if len(score) <= FEW:
        return _few_blocks(score, positive)
    parts = ranges(score, positive)
    if parts is None:
        return _blocks_by_rank(score, positive, None)
    done = in_threads(_Sorted, parts, len(score))
    starts = np.cumsum([[0, 0, 0]] + [[p.distinct, p.positives, p.negatives] for p in done], axis=0).tolist()
    m = starts[-1][0]
    # with room for one more in front: a curve that starts at nothing need not copy (see curves.base)
    threshold = np.empty(m + 1, dtype=score.dtype)[1:]
    tp, fp = np.empty(m + 1, dtype=np.int64)[1:], np.empty(m + 1, dtype=np.int64)[1:]

    def write(which: int) -> None:
        start, positives, negatives = starts[which]
        here = slice(start, starts[which + 1][0])
        done[which].write(threshold[here], tp[here], fp[here], positives, negatives)

    in_threads(write, range(len(done)), m)
    return threshold, tp, fp


def doubled_wins(score: NDArray[Any], positive: NDArray[np.bool_], *, falling: bool = True) -> int:
    """Count pairs, 2 for a positive above a negative and 1 for a tie, without building the sweep."""
    score = score if falling else turned(score)
    if len(score) <= FEW:
        ours, theirs = score[positive], score[~positive]
        ours.sort()
        theirs.sort()
        return int(sum(np.add.reduce(theirs.searchsorted(ours, side)) for side in ("left", "right")))
    parts = ranges(score, positive)
    if parts is None:
        _, tp, fp = blocks(score, positive)
        return int(doubled_area(tp, fp))
    total = above = 0
    for positives, negatives, wins in in_threads(_wins, parts, len(score)):
        total += wins + 2 * above * negatives
        above += positives
    return total


def weighted_wins(
    score: NDArray[Any], positive: NDArray[np.bool_], weight: Counts, *, falling: bool = True
) -> tuple[Any, Any, Any]:
    """Return the weights of positives, of negatives and of pairs, these as `doubled_wins` counts them."""
    ranking = rank(score, falling=falling)
    # of few rows, bit for bit what their sweep says; of many, fractional weights round differently
    if len(score) > CHUNK and (weight.dtype.kind == "f" or weight.sum() < MOST_EXACT):
        return ranking.weighted_wins(positive, weight)
    tp, fp = ranking.cumulated_counts(positive, weight)
    return tp[-1].item(), fp[-1].item(), doubled_area(tp, fp)


def doubled_area(tp: Counts, fp: Counts) -> int | float:
    """Sum (fp_k - fp_{k-1})(tp_k + tp_{k-1}): an exact integer for whole counts."""
    if tp.dtype.kind == "i" and 2 * int(tp[-1]) * int(fp[-1]) >= 2**63:  # mutants: work
        tp, fp = tp.astype(object), fp.astype(object)  # Python's integers do not overflow

    def area(t: Counts, f: Counts) -> Counts:
        width: Counts = f[1:] - f[:-1]
        width *= t[1:] + t[:-1]
        return width

    total: int | float = summed(area, tp, fp)
    return total


def precision_sum(tp: Counts, fp: Counts) -> float:
    """Sum (tp_k - tp_{k-1}) · tp_k / (tp_k + fp_k)."""

    def gained(t: Counts, f: Counts) -> Counts:
        share: Counts = t[1:] / (t[1:] + f[1:])
        share *= t[1:] - t[:-1]
        return share

    total: float = summed(gained, tp, fp)
    return total


def summed(term: Callable[[Counts, Counts], Counts], tp: Counts, fp: Counts) -> Any:
    """Sum a term of the counts before and at each block: term(t, f) gets them from t[:-1] and t[1:].

    Sums of chunks are added exactly, so the number of threads does not show in the result.
    """

    def chunk_sum(t: Counts, f: Counts) -> Any:
        total = term(t, f).sum()
        return total.item() if isinstance(total, np.generic) else total

    sums = in_chunks(chunk_sum, tp, fp)
    return sum(sums) if not sums or isinstance(sums[0], int) else math.fsum(sums)


def in_chunks(read: Callable[[Counts, Counts], R], tp: Counts, fp: Counts) -> list[R]:
    """Return what ``read`` finds in each chunk of blocks, in no order.

    Each chunk is led by the counts before it, (0, 0) for the first.
    """

    def several(chunks: list[slice]) -> list[R]:
        answers = []
        for here in chunks:
            led = slice(max(here.start - 1, 0), here.stop)
            t, f = tp[led], fp[led]
            if here.start == 0:
                t, f = np.concatenate([[0], t]), np.concatenate([[0], f])
            answers.append(read(t, f))
        return answers

    if len(tp) <= FEW:
        return [read(np.concatenate([[0], tp]), np.concatenate([[0], fp]))] if len(tp) else []
    chunks = list(slices(len(tp)))
    dealt = [chunks[k::DEALT] for k in range(min(DEALT, len(chunks)))]
    return [one for part in in_threads(several, dealt, len(tp)) for one in part]


def steps(cumulated: Counts, dtype: Any = None) -> Counts:
    """Return how much each block adds to a cumulated count, in its dtype or another."""
    added: Counts = np.empty(len(cumulated), dtype=dtype or cumulated.dtype)
    if len(added):
        added[0] = cumulated[0]

    def write(here: slice) -> None:
        np.subtract(cumulated[1:][here], cumulated[:-1][here], out=added[1:][here])

    in_threads(write, list(slices(len(added) - 1)), len(added))  # mutants: work
    return added


def steps_in(cumulated: Counts, here: slice) -> Counts:
    """Return how much each block of a piece adds to a cumulated count."""
    led = cumulated[max(here.start - 1, 0) : here.stop]
    return np.diff(led) if here.start else np.diff(led, prepend=led.dtype.type(0))


def sums_within(lines: Callable[[slice], Counts], starts: NDArray[np.intp], size: int) -> Counts:
    """Return the sum of each line over ranges of so many blocks; the first range starts at 0, none is empty.

    ``lines`` are read for pieces of the blocks, in threads, whose number does not show in the result.
    """

    def piece(here: slice) -> tuple[slice, Counts]:
        first, stop = np.searchsorted(starts, (here.start + 1, here.stop)).tolist()
        inner = np.append(0, starts[first:stop] - here.start)
        return slice(first - 1, stop), np.add.reduceat(lines(here), inner, axis=-1)

    pieces = in_threads(piece, list(slices(size)), size)
    total: Counts = np.zeros((*pieces[0][1].shape[:-1], len(starts)), dtype=pieces[0][1].dtype)
    for ranges_here, sums in pieces:
        total[..., ranges_here] += sums
    return total


def first_reach(rising: Counts, other: Counts, wanted: float) -> float:
    """Return the other count where the rising one first reaches ``wanted``, within a block in proportion.

    Where it never does, the other count's last value.
    """
    k = int(np.searchsorted(rising, wanted, side="left"))
    if k == len(rising):
        return float(other[-1])
    r0, o0 = (float(rising[k - 1]), float(other[k - 1])) if k else (0.0, 0.0)
    r1, o1 = float(rising[k]), float(other[k])
    return o0 + (o1 - o0) * (wanted - r0) / (r1 - r0) if r1 > r0 else o0


def merged(threshold: NDArray[Any], positives: Counts, negatives: Counts) -> Blocks:
    """Put counts per score in falling order, equal scores together, and cumulate."""
    threshold = threshold + threshold.dtype.type(0)  # -0.0 is 0.0
    order = np.argsort(threshold, kind="stable")[::-1]
    threshold = threshold[order]
    starts = np.concatenate([[0], np.flatnonzero(threshold[1:] != threshold[:-1]) + 1])
    tp = np.cumsum(np.add.reduceat(positives[order], starts))
    fp = np.cumsum(np.add.reduceat(negatives[order], starts))
    return threshold[starts], tp, fp


class _Sorted:
    """The sorted keys of one range; the last row of every block is marked."""

    def __init__(self, part: ScoreRange) -> None:
        self.part = part
        self.keys = part.sorted_keys()
        self.is_last = np.ones(len(self.keys), dtype=bool)
        self.negatives = 0
        for here in slices(len(self.keys)):
            keys = self.keys[here.start : here.stop + 1]  # mutants: not read
            np.greater(keys[1:] ^ keys[:-1], 1, out=self.is_last[here.start : here.start + len(keys) - 1])
            self.negatives += int(np.count_nonzero(odd(self.keys[here])))
        self.positives = len(self.keys) - self.negatives
        self.distinct = int(np.count_nonzero(self.is_last))
        if self.distinct == len(self.keys):  # no ties: every row is a block, and nothing need be marked
            self.is_last = np.zeros(0, dtype=bool)

    def write(self, threshold: NDArray[Any], tp: Counts, fp: Counts, positives: int, negatives: int) -> None:
        """Write this range's blocks, counting on from the positives and negatives above it."""
        start, above = 0, positives + negatives
        for here in slices(len(self.keys)):
            keys = self.keys[here]
            counts = odd(keys).astype(np.int64)
            counts[0] += negatives
            np.cumsum(counts, out=counts)
            negatives = counts[-1]
            ends = np.flatnonzero(self.is_last[here]) if len(self.is_last) else np.arange(len(keys))
            if len(ends) < len(keys):  # mutants: takes all
                keys, counts = keys[ends], counts[ends]
            out = slice(start, start + len(ends))
            self.part.read_scores(keys, threshold[out])
            fp[out] = counts
            ends += above + here.start + 1
            np.subtract(ends, counts, out=tp[out])
            start = out.stop


def _wins(part: ScoreRange) -> tuple[int, int, int]:
    """Return positives, negatives, and doubled wins within a range."""
    keys = part.sorted_keys()
    is_negative = odd(keys)
    n, negatives = len(keys), int(np.count_nonzero(is_negative))
    positives = n - negatives
    # the j-th negative, at place i, stands below i - j positives (those tied with it included)
    if negatives <= positives:  # mutants: same sum
        places = int(np.flatnonzero(is_negative).sum())
    else:
        places = n * (n - 1) // 2 - int(np.flatnonzero(~is_negative).sum())
    return positives, negatives, 2 * places - negatives * (negatives - 1) - _tied_pairs(keys)


def _tied_pairs(keys: Keys) -> int:
    """Count pairs of a positive and a negative with one score: an even key, then that key plus one.

    Most ties of continuous scores are one of each, and need no look at their places.
    """
    pairs, places = 0, [np.zeros(0, dtype=np.intp)]
    for here in slices(len(keys) - 1):  # mutants: no neighbour
        some = keys[here.start : here.stop + 1]
        apart = some[1:] ^ some[:-1]
        meet, same = apart == 1, apart == 0
        pairs += int(np.count_nonzero(meet))
        meet[1:-1] &= same[:-2] | same[2:]  # longer ones; at the ends of a piece it is not known
        hits = np.flatnonzero(meet)
        if len(hits):
            places.append(hits + here.start)
    last_positive = np.concatenate(places)
    if not len(last_positive):
        return pairs
    each = np.dot(_alike(keys, last_positive, -1), _alike(keys, last_positive + 1, 1))
    return pairs + int(each) - len(last_positive)


def _alike(keys: Keys, places: NDArray[np.intp], step: int) -> NDArray[np.intp]:
    """Count the keys that equal the one at each place, from there on forward or (-1) backward."""
    key = keys.take(places)
    sizes, still = np.ones(len(places), dtype=np.intp), np.arange(len(places))
    for away in range(1, LOOKED_AT):  # most ties of continuous scores are short, and a look is cheaper than a search
        beside = places[still] + step * away
        same = keys.take(beside, mode="clip") == key[still]
        same &= (beside >= 0) & (beside < len(keys))  # mutants: search range
        still = still[same]
        sizes[still] += 1
    if len(still):
        end = np.searchsorted(keys, key[still], side="left" if step < 0 else "right")  # mutants: the only values
        sizes[still] = end - places[still] if step > 0 else places[still] + 1 - end  # mutants: the only values
    return sizes


def _few_blocks(score: NDArray[Any], positive: NDArray[np.bool_]) -> Blocks:
    """Return the same of few rows, for which keys and threads cost more than the sort."""
    order = score.argsort()[::-1]
    threshold, last = score[order], np.ones(len(score), dtype=bool)
    np.not_equal(threshold[1:], threshold[:-1], out=last[:-1])
    ends = last.nonzero()[0]
    tp = np.add.accumulate(positive[order], dtype=np.int64)[ends]
    return threshold[ends] + score.dtype.type(0), tp, ends + 1 - tp  # -0.0 is 0.0


def _blocks_by_rank(score: NDArray[Any], positive: NDArray[np.bool_], weight: Counts | None) -> Blocks:
    ranking = rank(score)
    return ranking.threshold, *ranking.cumulated_counts(positive, weight)
