"""Cross-validation on a sweep: rows with one probability and one label are alike, so counts are dealt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.rows.reading import Rows

    Counts = NDArray[Any]
    Dealt = Iterator[tuple[Counts, Counts]]  # what a fold leaves for fitting, and what it is judged on

MOST_DEALT = 10_000_000  # rows beyond this go to a fold each by its own chance


def folds(
    sweep: Sweep, rows: Rows | None, number: int, rng: np.random.Generator
) -> Iterator[tuple[Sweep, Sweep]]:
    """Yield a sweep to fit and a sweep to judge on, for each of so many folds; classes are dealt apart.

    ``rows`` are needed where weights are fractional: a row is then dealt with all its weight.
    """
    if rows is None or sweep.tp.dtype.kind == "i":
        deals = [_deal_counts(np.diff(c, prepend=0), number, rng) for c in (sweep.tp, sweep.fp)]
    else:
        rising = sweep.threshold[::-1]
        block = len(rising) - 1 - np.searchsorted(rising, np.clip(rows.score, 0, 1))
        assert rows.weight is not None  # noqa: S101 - counts are fractional, so there are weights
        deals = [
            _deal_rows(block[on], rows.weight[on], len(rising), number, rng)
            for on in (rows.positive, ~rows.positive)
        ]
    for (fit_pos, test_pos), (fit_neg, test_neg) in zip(*deals, strict=True):
        yield _with_counts(sweep, fit_pos, fit_neg), _with_counts(sweep, test_pos, test_neg)


def _deal_counts(counts: Counts, number: int, rng: np.random.Generator) -> Dealt:
    total = int(counts.sum())
    if total <= MOST_DEALT:
        block = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        yield from _deal_rows(block, None, len(counts), number, rng)
        return
    left = counts
    for k in range(number):
        test = rng.binomial(left, 1 / (number - k))
        left = left - test
        yield counts - test, test


def _deal_rows(
    block: NDArray[Any], weight: Counts | None, size: int, number: int, rng: np.random.Generator
) -> Dealt:
    fold = rng.permutation(len(block)) % number
    for k in range(number):
        test = fold == k
        fit_on, judge_on = (
            np.bincount(block[on], None if weight is None else weight[on], size) for on in (~test, test)
        )
        yield fit_on, judge_on


def _with_counts(sweep: Sweep, pos: Counts, neg: Counts) -> Sweep:
    used = np.flatnonzero(pos + neg)
    tp, fp = np.cumsum(pos[used]), np.cumsum(neg[used])
    totals = [c[-1].item() if len(c) else 0 for c in (tp, fp)]
    return replace(
        sweep, threshold=sweep.threshold[used], tp=tp, fp=fp, positives=totals[0], negatives=totals[1]
    )
