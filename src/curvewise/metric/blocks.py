"""A sweep of probabilities as blocks: each distinct probability with its positives and negatives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.probability import of_probabilities, probability_sweep
from curvewise.core.sweep import Sweep, sweep_of
from curvewise.errors import UndefinedMetricError
from curvewise.rows.reading import read_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from curvewise.rows.reading import RowOptions

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Blocks:
    """Distinct probabilities, falling, with the weight of positives and negatives that have each.

    ``squares`` are the sums of squared weights of both classes: a variance needs them where weights
    are fractional. For whole counts, where a weight means repetition, they are the counts themselves.
    All weights are in terms of ``unit``.
    """

    p: Floats
    positives: Floats
    negatives: Floats
    squares: tuple[Floats, Floats] | None
    whole: bool
    unit: float = 1.0

    @property
    def weight(self) -> Floats:
        """The rows, or their weight, that have each probability."""
        return self.positives + self.negatives

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        return float(self.weight.sum())

    def keep(self, here: slice) -> Blocks:
        """Return the blocks of a slice."""
        squares = None if self.squares is None else (self.squares[0][here], self.squares[1][here])
        return replace(
            self,
            p=self.p[here],
            positives=self.positives[here],
            negatives=self.negatives[here],
            squares=squares,
        )

    def need_squares(self, what: str) -> tuple[Floats, Floats]:
        """Return the squared weights, or say that a sweep has forgotten them."""
        if self.squares is None:
            raise UndefinedMetricError(
                f"{what} needs the rows where weights are fractional, and a Sweep has forgotten them: "
                "pass labels, probabilities and weights."
            )
        return self.squares


def read_blocks(y: object, p: object, rows: RowOptions) -> tuple[Sweep, Blocks]:
    """Read probabilities; fractional weights in units of their mean, with their squares if there are rows."""
    sweep = probability_sweep(y, p, rows)
    if sweep.tp.dtype.kind == "i" or isinstance(y, Sweep):
        return sweep, blocks_of(sweep)
    read = read_rows(y, p, **rows)
    assert read.weight is not None  # noqa: S101 - counts are fractional, so there are weights
    # no answer depends on the unit, but squares of very small or large weights would be 0 or infinite
    unit = float(read.weight.mean())
    scaled = replace(
        sweep,
        tp=sweep.tp / unit,
        fp=sweep.fp / unit,
        positives=sweep.positives / unit,
        negatives=sweep.negatives / unit,
    )
    squared = of_probabilities(sweep_of(replace(read, weight=(read.weight / unit) ** 2)))
    squares = np.diff(squared.tp, prepend=0), np.diff(squared.fp, prepend=0)
    return scaled, replace(blocks_of(scaled), squares=squares, unit=unit)


def blocks_of(sweep: Sweep) -> Blocks:
    """Return the blocks of a sweep that passed the door."""
    pos, neg = (np.diff(c, prepend=0).astype(np.float64, copy=False) for c in (sweep.tp, sweep.fp))
    whole = sweep.tp.dtype.kind == "i"
    return Blocks(sweep.threshold, pos, neg, (pos, neg) if whole else None, whole)
