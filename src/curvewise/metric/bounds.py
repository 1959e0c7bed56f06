"""What a number of all scores can be where only bins of scores were counted: never less, never more.

Within a bin any order of its rows is possible, and any score from its least to its greatest. A number that no move of a
positive up, or of a negative down, makes worse is worst where the negatives of every bin stand above its positives, and
best the other way round; both are sweeps. At a threshold inside a bin, any part of its rows may lie above.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from curvewise.core.bins import Bins
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound

ROUNDING = 1e-13  # more than sums of floats are wrong by, and far less than a bin is wide


class Bounds(float):
    """A number read from bins of scores, and the limits between which the number of all scores lies.

    It is a float, the value, and can be used as one.

    Attributes
    ----------
    value
        The number with the rows of each bin tied.
    low, high
        The number of all scores is neither less nor more, whatever they are within their bins. None where no such
        limits are known for this metric: the value is then right but for moves of scores within their bins.

    Examples
    --------
    >>> import curvewise as cw
    >>> b = cw.results.Bounds(0.9, 0.89, 0.91)
    >>> b, b.width
    (Bounds(0.9, 0.89, 0.91), 0.020000000000000018)
    """

    __slots__ = ("high", "low")
    low: float | None
    high: float | None

    def __new__(cls, value: float, low: float | None = None, high: float | None = None) -> Self:
        """Make bounds of a value."""
        bounds = super().__new__(cls, value)
        bounds.low, bounds.high = low, high
        return bounds

    @property
    def value(self) -> float:
        """The number with the rows of each bin tied, as a plain float."""
        return float(self)

    @property
    def width(self) -> float:
        """How far apart the limits are; NaN where there are none."""
        return math.nan if self.low is None or self.high is None else self.high - self.low

    def __reduce__(self) -> tuple[Any, ...]:
        return Bounds, (float(self), self.low, self.high)

    def __repr__(self) -> str:
        return f"Bounds({float(self)!r}, {self.low!r}, {self.high!r})"

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{show(float(self))} (no guaranteed bounds)"
        return f"{show(float(self))} (certain: {self.low!r} to {self.high!r})"


def bounds_of(bound: Bound, sweep: Sweep) -> Bounds:
    """Return a metric of a binned sweep with its limits."""
    assert sweep.bins is not None  # noqa: S101 - whoever calls has looked
    if bound.threshold is not None:
        return _at_corners(bound, sweep)
    value = bound(sweep)
    if not sweep.is_binned:
        return Bounds(value, value, value)
    if bound.metric.within is not None:
        ends = bound.metric.within(sweep, **bound.options)
        return Bounds(value) if ends is None else _bounded(value, ends)
    if not bound.metric.monotone:
        return Bounds(value)
    return _bounded(value, outward(bound(worst(sweep)), bound(best(sweep))))


def note_on_bins(bound: Bound, sweep: Sweep, **more: Any) -> tuple[Note, ...]:
    """Say within which limits the number of all scores lies, where scores were counted in bins."""
    if not sweep.is_binned:
        return ()
    limits = bounds_of(bound, sweep)
    if limits.low is None or limits.high is None:
        return (note("in_bins_open", **more),)
    return (note("in_bins", low=limits.low, high=limits.high, width=limits.width, **more),)


def worst(sweep: Sweep) -> Sweep:
    """Return the sweep in which negatives stand above the positives of their bin, and at its other end."""
    return _split(sweep, positives_first=False)


def best(sweep: Sweep) -> Sweep:
    """Return the sweep in which positives stand above the negatives of their bin, and at its other end."""
    return _split(sweep, positives_first=True)


def _split(sweep: Sweep, *, positives_first: bool) -> Sweep:
    """Put one class of every bin of several scores at its most positive end, the other class at the other end."""
    bins: Bins = sweep.bins  # type: ignore[assignment]
    pos, neg = sweep.block_positives, sweep.block_negatives
    mixed, none = bins.mixed, np.zeros_like(pos)
    upper, lower = (bins.high, bins.low) if sweep.higher_is == "positive" else (bins.low, bins.high)

    def twice(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:  # bin after bin
        return np.column_stack([first, second]).reshape(-1)

    goes_up = (np.ones_like(mixed), ~mixed) if positives_first else (~mixed, np.ones_like(mixed))
    counts = [
        twice(np.where(up, counts_of, none), np.where(up, none, counts_of))
        for counts_of, up in zip((pos, neg), goes_up, strict=True)
    ]
    used = (counts[0] + counts[1]) > 0
    tp, fp = (np.cumsum(c[used]) for c in counts)
    return replace(sweep, threshold=twice(upper, lower)[used], tp=tp, fp=fp, bins=None, backend=None)


def _at_corners(bound: Bound, sweep: Sweep) -> Bounds:
    """Return the number at a threshold; where it splits a bin, from the least to the greatest at its corners."""
    bins: Bins = sweep.bins  # type: ignore[assignment]
    cut: float = bound.threshold  # type: ignore[assignment]
    falling = sweep.higher_is == "positive"
    split = np.flatnonzero((bins.low < cut) & (bins.high >= cut) if falling else (bins.low <= cut) & (bins.high > cut))
    if not len(split):
        value = bound(sweep)
        return Bounds(value, value, value)
    at = int(split[0])
    above = (sweep.tp[at - 1].item(), sweep.fp[at - 1].item()) if at else (0, 0)
    below = sweep.tp[at].item(), sweep.fp[at].item()
    corners = (above, below, (above[0], below[1]), (below[0], above[1]))
    values = [_defined(bound, _one_point(sweep, cut, *corner)) for corner in dict.fromkeys(corners)]
    there = [v for v in values if not math.isnan(v)]
    if not there:
        return Bounds(bound(sweep))  # which says why there is none
    # 0/0 at a corner says nothing about the points beside it
    ends = (min(there), max(there)) if len(there) == len(values) else bound.bounds
    return Bounds(there[0], *ends)


def _defined(bound: Bound, sweep: Sweep) -> float:
    try:
        return bound(sweep)
    except UndefinedMetricError:
        return math.nan


def _one_point(sweep: Sweep, cut: float, tp: float, fp: float) -> Sweep:
    """Return a sweep that has these counts at a threshold, and all rows below it."""
    below = math.nextafter(cut, -math.inf if sweep.higher_is == "positive" else math.inf)
    counts = [np.array([c, total]) for c, total in ((tp, sweep.positives), (fp, sweep.negatives))]
    return replace(sweep, threshold=np.array([cut, below], dtype=np.float64), tp=counts[0], fp=counts[1], bins=None)


def outward(*ends: float) -> tuple[float, float]:
    """Return the lower and the higher of two limits, moved apart by what sums of floats may be wrong by."""
    low, high = min(ends), max(ends)
    moved = low - ROUNDING * max(abs(low), 1.0), high + ROUNDING * max(abs(high), 1.0)
    return low if math.isinf(low) else moved[0], high if math.isinf(high) else moved[1]


def _bounded(value: float, ends: Iterable[float]) -> Bounds:
    low, high = ends
    return Bounds(min(max(value, low), high), low, high)
