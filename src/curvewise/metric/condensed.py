"""Many blocks as some thousands whose sums of smooth functions of the probability are the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.arrays import Floats, Places
from curvewise.core.kernel import sums_within
from curvewise.metric.log_odds import chance, log_odds

if TYPE_CHECKING:
    from curvewise.metric.blocks import Blocks

MANY = 100_000  # fewer blocks are used as they are  # mutants: work
CELLS = 4096  # of equal numbers of blocks,  # mutants: work
WIDEST = 1 / 128  # each cut further until its log odds are as close as this  # mutants: work
NODES = 3


def condensed(blocks: Blocks) -> Blocks:
    """Return three nodes for each cell of neighbouring blocks, or the blocks themselves where they are not many.

    The nodes of a cell are its lowest log odds, the middle and its highest; weights of positives and negatives are
    shared among them so that sum, mean and mean square of the log odds stay. What is left of a function that is
    smooth in the log odds is its third derivative times the cube of half a cell: 1e-10 of a sum and less (see
    `curvewise.metric.logistic` for functions that may be steep). A share may be below 0: nodes serve for sums alone.
    """
    size = len(blocks.p)
    if size <= MANY or blocks.nodes is not None:
        return blocks
    starts = _starts(blocks.p)
    ends = np.append(starts[1:], size) - 1
    high, low = log_odds(blocks.p[starts]), log_odds(blocks.p[ends])
    middle, half = (high + low) / 2, (high - low) / 2

    def lines(here: slice) -> Floats:
        first, stop = np.searchsorted(starts, (here.start, here.stop), side="right").tolist()
        inside = np.diff(starts[first:stop], prepend=here.start, append=here.stop)
        away = log_odds(blocks.p[here])
        away -= np.repeat(middle[first - 1 : stop], inside)
        moments = np.empty((6, len(away)))
        for k, weight in enumerate((blocks.positives[here], blocks.negatives[here])):
            moments[3 * k] = weight
            np.multiply(weight, away, out=moments[3 * k + 1])
            np.multiply(moments[3 * k + 1], away, out=moments[3 * k + 2])
        return moments

    sums = sums_within(lines, starts, size).reshape(2, 3, -1)
    half[half == 0] = 1.0  # one block: all of it is in the middle
    total, mean, square = sums[:, 0], sums[:, 1] / half, sums[:, 2] / (half * half)
    shares = np.stack([(square + mean) / 2, total - square, (square - mean) / 2], axis=-1).reshape(2, -1)
    odds = np.stack([high, middle, low], axis=-1).ravel()  # mutants: the only values
    positives, negatives = shares
    return replace(
        blocks,
        p=np.minimum(chance(odds), np.nextafter(1, 0)),
        positives=positives,
        negatives=negatives,
        squares=(positives, negatives) if blocks.is_plain else None,
        clusters=None,
        sampled=None,
        horizon=None,
        nodes=odds,
    )


def _starts(p: Floats) -> Places:
    """Return where cells of falling probabilities start."""
    size = len(p)
    first = np.unique(np.linspace(0, size, CELLS, endpoint=False).astype(np.intp))
    odds = log_odds(p[np.append(first, size - 1)])
    pieces = np.ceil((odds[:-1] - odds[1:]) / WIDEST).astype(np.intp).clip(1)
    number = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    cut = np.repeat(odds[:-1], pieces) - number * np.repeat((odds[:-1] - odds[1:]) / pieces, pieces)
    there = size - np.searchsorted(p[::-1], chance(cut[number > 0]))
    return np.unique(np.append(first, np.minimum(there, size - 1)))  # rounding may lead below the least of all
