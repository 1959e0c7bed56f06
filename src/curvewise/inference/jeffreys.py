"""Intervals of numbers that the four counts at a threshold define, from Jeffreys' posterior of the counts.

The shares of the four cells have a Dirichlet distribution with half a row added to each cell, and the interval has
equal tails. It holds for ratios and correlations alike, does not collapse where a cell is empty, and its limits are
numbers that the metric can have.

Split the cells in two, and each part again: the three shares are independent, each with a Beta distribution. Every
number here rises or falls with one of them all the way. Given the others, the chance that it lies below x is
therefore a Beta distribution at one place, and the mean over the others is a sum over equally spaced angles, which
converges fast because a Beta density is smooth on that scale (p = sin² θ).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.confusion import ALL, Confusion
from curvewise.core.rate import flagged_rows, units_and_weights
from curvewise.inference.influence import influences_of
from curvewise.inference.limits import critical_value, crossing, expit, logit
from curvewise.inference.pivots import Pivot, t_tail

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Ends = tuple[float, float]

ADDED = 0.5  # rows to each cell: Jeffreys' prior
STEP = 1e-4  # of a row, to find derivatives
DROP, DEEPER, DEEPEST, SPARE = 30.0, 3.0, 800.0, 18.0  # how far below its peak, in logs, a density is summed
SMOOTH, NARROWEST = 0.6, 0.05  # a step in standard deviations; of that, where another share hardly moves the number
FINE = 400, 100  # the fewest steps on the whole scale for one share, and for each of two
STEPS_OF_TABLE, FAR = 64, 300.0  # logits at which a number is tabulated, and how far these go
CLOSE, MOST_STEPS = 1e-7, 60  # of a standard deviation, to the place that is sought
LEAST = float(np.finfo(np.float64).tiny)
NOTHING = 1e-9  # of the largest effect of a share on a number, below which it has none
MOST_ROWS = 1e12  # more count as so many: a number in float64 is not known more closely
Split = tuple[tuple[int, ...], tuple[int, ...]]
Splits = tuple[Split, Split, Split]
# tp, fp, fn and tn split in two, and these parts again; and which of the shares a number rises or falls with
TREES: tuple[tuple[Splits, tuple[int, ...]], ...] = (
    ((((0, 2), (1, 3)), ((0,), (2,)), ((1,), (3,))), (1, 2)),  # by class
    ((((0, 1), (2, 3)), ((0,), (1,)), ((2,), (3,))), (1, 2)),  # by decision
    ((((0, 1, 2), (3,)), ((0,), (1, 2)), ((1,), (2,))), (1,)),  # without true negatives
)


class _Cells(Confusion):
    """Four counts as arrays: the metrics of many tables at once."""

    def __post_init__(self) -> None:
        """Take the arrays as they are."""

    @property
    def _near_one(self) -> _Cells:
        return self

    def _ratio(self, part: Any, whole: Any) -> Any:
        return part / whole

    _root, _sum = staticmethod(np.sqrt), staticmethod(sum)  # type: ignore[assignment]  # of arrays


@dataclass(frozen=True)
class Share:
    """A share with a Beta(a, b) distribution."""

    a: float
    b: float

    @property
    def middle(self) -> float:
        """The logit of the mean."""
        return math.log(self.a / self.b)

    @cached_property
    def error(self) -> float:
        """The standard deviation of the logit, nearly."""
        return math.sqrt(1 / self.a + 1 / self.b)

    def nodes(self, narrow: float, fewest: int, drop: float) -> tuple[Floats, Floats]:
        """Return logits at equal steps of the angle, as far as the density is near its peak, and their weights.

        ``narrow`` says how much narrower the steps are than the density alone needs.
        """
        error = 0.5 / math.sqrt(self.a + self.b)
        steps = max(math.ceil(math.pi / 2 / (SMOOTH * narrow * error)), fewest)
        peak, step = math.atan2(math.sqrt(self.a), math.sqrt(self.b)), math.pi / 2 / steps
        reach = math.ceil((math.sqrt(2 * drop) + 2) * error * 1.5 / step)
        first = int(peak / step)
        angle = (np.arange(max(first - reach, 0), min(first + reach + 1, steps)) + 0.5) * step
        logits = 2 * np.log(np.tan(angle))
        density = (self.a - 0.5) * -np.logaddexp(0, -logits) + (self.b - 0.5) * -np.logaddexp(0, logits)
        density -= density.max()
        there = density >= -drop
        weight = np.exp(density[there])
        return logits[there], weight / weight.sum()


@dataclass(frozen=True)
class CountsPivot(Pivot):
    """A number of four counts, with the distribution that it has under Jeffreys' posterior.

    ``degrees`` are those of the variance by which rows were counted: the tails are then those of t.
    """

    value: float
    read: Callable[..., Any] = field(repr=False)
    cells: tuple[float, ...]
    low: float
    high: float
    degrees: float = math.inf
    drop: float = DROP

    def ends(self, level: float) -> Ends:
        """Return limits with equal tails, or the value where it lies beyond them, as at the end of its range."""
        tail = t_tail(-critical_value(level, self.degrees))
        return min(self._quantile(tail, 0), self.value), max(self._quantile(tail, 1), self.value)

    def log_tail(self, null: float) -> float:
        """Return the logarithm of the one-sided p-value on the side of ``null`` where the value lies: at most ½."""
        tail = t_tail(_deviate(self.tail(null, int(self.value < null))), self.degrees)
        return math.log(0.5 if null == self.value else min(max(tail, LEAST), 0.5))

    def tail(self, x: float, side: int) -> float:
        """Return the chance that the number lies below x (side 0), or above (1)."""
        if not self.low < x < self.high:
            return 1.0 if (x <= self.low) == bool(side) else LEAST
        chance = self._tail(x, side)
        deeper = chance < math.exp(SPARE - self.drop) and self.drop < DEEPEST
        return self._deeper.tail(x, side) if deeper else max(chance, LEAST)

    @cached_property
    def _deeper(self) -> CountsPivot:
        return replace(self, drop=min(DEEPER * self.drop, DEEPEST))

    def _quantile(self, tail: float, side: int) -> float:
        """Return the number with that chance below it (side 0), or above it (1)."""
        aim, sign = _deviate(max(tail, LEAST)), 1 if side else -1

        def inside(place: float) -> float:  # falls towards that side
            gap = _deviate(self.tail(self._at(sign * place), side)) - aim
            return 0.0 if abs(gap) < CLOSE else gap

        middle, error = self._centre
        low, step = sign * middle, error * max(-aim, 1.0)
        while inside(low) < 0 and abs(low) < FAR:
            low -= step
        while inside(low + step) > 0 and abs(low) < FAR:
            low, step = low + step, 2 * step
        return self._at(sign * crossing(inside, low, low + step))

    def _at(self, place: float) -> float:
        """Return the number at a place on its scale: a logit between two ends, a logarithm above one."""
        if math.isinf(self.high):
            return self.low + math.exp(min(place, FAR))
        return self.low + (self.high - self.low) * expit(place)

    def _number(self, splits: Splits, logits: Any) -> Any:
        """Return the number where the shares of a tree have these logits."""
        from scipy.special import expit as share  # noqa: PLC0415 - slow to load

        cells: list[Any] = [1.0] * len(ALL)
        for parts, at in zip(splits, logits, strict=True):
            near = np.clip(at, -FAR, FAR)
            for part, times in zip(parts, (share(near), share(-near)), strict=True):
                for k in part:
                    cells[k] = cells[k] * times
        with np.errstate(all="ignore"):
            return self.read(*cells)

    @cached_property
    def _tree(self) -> tuple[Splits, list[Share], list[float], int]:
        """The tree in which the fewest shares move the number, how far each does, and which moves it most."""
        trees: list[tuple[Splits, list[Share], list[float], int]] = []
        for splits, monotone in TREES:
            shares = [Share(*(sum(self.cells[k] for k in part) for part in split)) for split in splits]
            middle, away = np.array([s.middle for s in shares])[:, None], np.diag([s.error for s in shares])
            ends = [self._number(splits, middle + far) for far in (away, -away)]
            moved = np.abs(ends[0] - ends[1]) / 2
            effects = np.where(moved > NOTHING * moved.max(), moved, 0.0).tolist()
            trees.append((splits, shares, effects, max(monotone, key=effects.__getitem__)))
        return min(trees, key=lambda tree: (np.count_nonzero(tree[2]), -tree[2][tree[3]]))

    @cached_property
    def _centre(self) -> tuple[float, float]:
        """Where the number is on its scale in the middle of the distribution, and its error there."""
        splits, shares, effects, _ = self._tree
        above = max(float(self._number(splits, [s.middle for s in shares])) - self.low, LEAST)
        error = max(math.hypot(*effects), NOTHING * above)
        if math.isinf(self.high):
            return math.log(above), error / above
        width = self.high - self.low
        share = min(max(above / width, NOTHING), 1 - NOTHING)
        return logit(share), error / width / (share * (1 - share))

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats, list[Any]]:
        """Logits of the share that moves the number most, the number there for all of the others, their weights."""
        _, shares, effects, inner = self._tree
        share, others, weight = shares[inner], [np.array([s.middle]) for s in shares], np.ones(1)
        outer = [k for k in range(len(shares)) if k != inner and effects[k]]
        for k in outer:
            narrow = max(effects[inner] / math.hypot(effects[inner], effects[k]), NARROWEST)
            at, heavy = shares[k].nodes(narrow, FINE[len(outer) - 1], self.drop)
            others = [np.repeat(line, len(at)) for line in others]
            others[k], weight = np.tile(at, len(weight)), np.outer(weight, heavy).ravel()
        kept = weight > math.exp(-self.drop)
        others = [line[kept] for line in others]
        reach = math.asinh(FAR / share.error)
        at = share.middle + share.error * np.sinh(np.linspace(-reach, reach, STEPS_OF_TABLE + 1))
        table = self._given(at[:, None], others)
        return at, table, weight[kept] / weight[kept].sum(), others

    def _given(self, at: Any, others: list[Any]) -> Any:
        """Return the number where the share that moves it most has these logits and the others have theirs."""
        splits, _, _, inner = self._tree
        return self._number(splits, [at if k == inner else line for k, line in enumerate(others)])

    def _tail(self, x: float, side: int) -> float:
        """Return the chance that the number lies below x or above, as far as the density is summed."""
        from scipy import special  # noqa: PLC0415 - slow to load

        at, table, weight, others = self._table
        own, sign = self._tree[1][self._tree[3]], 1.0 if table[-1, 0] > table[0, 0] else -1.0
        place = np.count_nonzero(table < x if sign > 0 else table > x, axis=0)
        logits = np.where(place == 0, -np.inf, np.inf)
        there = np.flatnonzero((place > 0) & (place < len(at)))
        upper, others = place[there], [line[there] for line in others]
        low, high = at[upper - 1], at[upper]
        below, above = (sign * (table[k, there] - x) for k in (upper - 1, upper))
        close = CLOSE * own.error * np.exp(np.minimum(np.abs(high - own.middle) / own.error / 2, 12.0))
        middle = high
        for _ in range(MOST_STEPS):  # false position, the end that stays halved (Illinois)
            before, middle = middle, high - (high - low) * above / (above - below)
            gap = sign * (self._given(middle, others) - x)
            if np.all(np.abs(middle - before) <= close):
                break
            up = gap < 0
            stays = np.where(up == (before == low), 0.5, 1.0)
            low, high = np.where(up, middle, low), np.where(up, high, middle)
            below, above = np.where(up, gap, below * stays), np.where(up, above * stays, gap)
        logits[there] = middle
        below_x = (side == 0) == (sign > 0)
        ends = (own.a, own.b, special.expit(logits)) if below_x else (own.b, own.a, special.expit(-logits))
        return float(weight @ special.betainc(*ends))


def _deviate(share: float) -> float:
    """Return the normal quantile of a share."""
    from scipy.special import ndtri  # noqa: PLC0415 - slow to load

    return float(ndtri(share))


def jeffreys(target: Bound, value: float, rows: Rows | None, sweep: Sweep) -> CountsPivot:
    """Return a number at a threshold with its distribution under the posterior of its four counts."""
    threshold, counted, degrees = target.threshold, target.metric.counted, math.inf
    assert threshold is not None and counted is not None  # noqa: S101, PT018 - only what four counts define comes here

    def read(*cells: Any) -> Any:
        return counted(_Cells(*cells), **target.options)

    cells = np.array([float(getattr(sweep.at(threshold), cell)) for cell in ALL])
    if rows is not None and not rows.is_plain:
        cells, degrees = _effective(rows, threshold, cells, read)
    added = tuple((cells * min(MOST_ROWS / max(cells.sum(), 1.0), 1.0) + ADDED).tolist())
    return CountsPivot(value, read, added, *target.bounds, degrees)


def _effective(rows: Rows, threshold: float, cells: Floats, read: Callable[..., Any]) -> tuple[Floats, float]:
    """Return the counts of as many independent rows as clustered or weighted rows are worth for this number.

    That is the variance which independent rows would give it, over the one that clusters or weights do, both by
    derivatives (delta method). Beside them the degrees of freedom of the latter.
    """
    flagged, positive = flagged_rows(rows, threshold), rows.positive
    cell = np.where(flagged, np.where(positive, 0, 1), np.where(positive, 2, 3))
    unit, weight = units_and_weights(rows)
    each = np.bincount(unit, weight)
    total = float(cells.sum())
    # units of equal weight: what is known at the least
    most = total if rows.are_units else 1 / float(np.sum((each / each.sum()) ** 2))
    number = total if rows.is_whole else float(len(rows))
    inside = cells + ADDED * total / max(most, 1.0)
    step = STEP * 2.0 ** round(math.log2(total / number))  # of a row: weights have no scale
    slope = (read(*(inside[:, None] + step * np.eye(4))) - read(*inside)) / step
    slope -= float(slope @ cells) / total  # so that what the rows add sums to nothing
    spread = influences_of(slope[cell] * weight, rows).spread()
    alone = float(cells @ slope**2)
    if not (spread.variance > 0 and alone > 0 and math.isfinite(alone)):
        return cells * min(most, number) / total, math.inf
    return cells * min(alone / spread.variance, number / total), spread.degrees
