"""Intervals of the same metrics for very many sweeps at once, such as those of groups.

Where an interval is a formula of counts (rates by Wilson, AUC by DeLong), the formula is applied to all sweeps
together, and O/E and calibration in the large as calibration has them; everything else is asked of one sweep after
another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Ints, Places
from curvewise.core.rate import PRIOR_DEGREES, averaged
from curvewise.inference.influence import OBSERVED_EXPECTED
from curvewise.inference.interval import independent, intervals_of, notes_on
from curvewise.inference.limits import crossings
from curvewise.inference.methods import is_auc, method_of
from curvewise.inference.pivots import (
    FARTHEST,
    KNOWN_BY_LOSS,
    LEAST_KNOWN,
    LEVEL_BY_RANKS,
    variance_of_pairs,
)
from curvewise.metric.log_odds import chance, log_odds
from curvewise.metric.logistic import CLOSE, LEFT, settled
from curvewise.results.estimate import Estimate
from curvewise.rows.checks import threshold_for

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.registry import Bound

    Columns = tuple[Floats, Floats, Floats, Floats | None]  # values, both ends, standard errors

IN_THE_LARGE = "calibration_in_the_large"
CALIBRATION = (OBSERVED_EXPECTED, IN_THE_LARGE)
MANY = 100  # sweeps from which on one formula for all of them saves time
MOST_STEPS = 100  # of Newton's method, each of 1 at the most; what needs more is asked alone
MOST_ROWS = 2**25  # of a sweep, beyond which products of counts are not exact as float64


class ManySweeps:
    """Sweeps of plain rows, their counts side by side."""

    def __init__(self, sweeps: Sequence[Sweep]) -> None:
        self.sweeps = sweeps
        self._known_cells: dict[float, dict[str, Floats]] = {}
        sizes = np.array([len(s.threshold) for s in sweeps])
        self.start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.of_block = np.repeat(np.arange(len(sweeps)), sizes)

    @cached_property
    def _cumulated(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.concatenate([s.tp for s in self.sweeps]), np.concatenate([s.fp for s in self.sweeps])

    @cached_property
    def sizes(self) -> tuple[Floats, Floats]:
        """How many positives and negatives each has."""
        positives, negatives = np.array([independent(None, s) for s in self.sweeps], dtype=np.float64).T
        return positives, negatives

    def _cells(self, threshold: float) -> dict[str, Floats]:
        """Return the four cells of each at a threshold."""
        first = self.sweeps[0]
        falling = first.higher_is == "positive"
        cut = threshold_for(first.threshold.dtype, threshold, falling=falling)
        if cut in self._known_cells:
            return self._known_cells[cut]
        score = np.concatenate([s.threshold for s in self.sweeps])
        reached = np.add.reduceat((score >= cut if falling else score <= cut).astype(np.int64), self.start)
        last, some = np.maximum(self.start + reached - 1, 0), reached > 0
        tp, fp = (np.where(some, c[last], 0).astype(np.float64) for c in self._cumulated)
        self._known_cells[cut] = {"tp": tp, "fp": fp, "fn": self.sizes[0] - tp, "tn": self.sizes[1] - fp}
        return self._known_cells[cut]

    def rate(self, target: Bound) -> tuple[Floats, Floats]:
        """Return the part and the whole of a rate, one of each sweep."""
        cells = self._cells(target.options["threshold"])
        assert target.metric.rate is not None  # noqa: S101 - only proportions come here
        part, whole = (sum(cells[cell] for cell in names) for names in target.metric.rate)
        return np.asarray(part), np.asarray(whole)

    def columns(self, target: Bound, level: float) -> Columns | None:
        """Return the number of each, its ends and standard errors by one formula, NaN where undefined; None without."""
        of_many = method_of(target).of_many
        return None if of_many is None else of_many(target, self, level)

    def calibration(self, name: str, level: float) -> Columns | None:
        """Return a measure of calibration of each with its interval and standard error; None where there is none."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

        if name not in CALIBRATION or not self._are_probabilities:
            return None
        value, error, degrees = self._ratios if name == OBSERVED_EXPECTED else self._in_the_large
        reach = stdtrit(degrees, min((1 + level) / 2, math.nextafter(1, 0))) * error
        if name == IN_THE_LARGE:
            return value, value - reach, value + reach, error
        times = np.exp(np.minimum(reach / value, FARTHEST))
        return value, value / times, value * times, error

    @cached_property
    def _are_probabilities(self) -> bool:
        ends = [end for s in self.sweeps for end in (float(s.threshold[0]), float(s.threshold[-1]))]
        return self.sweeps[0].higher_is == "positive" and min(ends) >= 0 and max(ends) <= 1

    @cached_property
    def _ratios(self) -> tuple[Floats, Floats, Floats]:
        """O/E of each, its standard error and degrees of freedom, as `logistic_intervals.ratio_estimate` finds them.

        NaN where a row holds all that there is.
        """
        p = np.concatenate([s.threshold for s in self.sweeps]).astype(np.float64)
        pos, neg = self._blocks
        expected = np.add.reduceat((pos + neg) * p, self.start)
        with np.errstate(divide="ignore", invalid="ignore"):
            value, rows = self.sizes[0] / expected, sum(self.sizes)
            without = np.log1p(-p / expected[self.of_block])
            moved = np.log1p(-1 / self.sizes[0])[self.of_block] - without
            right = np.minimum(value[self.of_block] * p, 1)
            added = right * (1 - right)
            lines = (pos * moved**2 + neg * without**2, (pos + neg) * added, (pos + neg) * added**2)
            variance, total, squares = (np.add.reduceat(line, self.start) for line in lines)
            value[~np.isfinite(variance)] = math.nan
            error = value * np.sqrt(variance * (rows - 1) / rows)
            return value, error, np.maximum(total**2 / np.where(squares > 0, squares, math.inf) - 1, 1.0)

    @cached_property
    def _in_the_large(self) -> tuple[Floats, Floats, Floats]:
        """Calibration in the large, its error and degrees of freedom, as `logistic.in_the_large_fit` finds them (HC3).

        NaN where a certainty is wrong, a class is absent or a row holds all that there is.
        """
        p = np.concatenate([s.threshold for s in self.sweeps]).astype(np.float64)
        (pos, neg), of, count = self._blocks, self.of_block, len(self.start)
        wrong = np.bincount(of, (p == 0) * pos + (p == 1) * neg, count)
        inside = (p > 0) & (p < 1)
        odds, of, pos, neg = log_odds(p[inside]), of[inside], pos[inside], neg[inside]
        rows, hits = np.bincount(of, pos + neg, count), np.bincount(of, pos, count)
        there = (wrong == 0) & (hits > 0) & (hits < rows)
        value, step = np.zeros(count), np.ones(count)
        for _ in range(MOST_STEPS):
            share = chance(value[of] + odds)
            within = (pos + neg) * share * (1 - share)
            held = np.bincount(of, within, count)
            if not (np.abs(step[there]) > CLOSE).any():
                break
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.clip(np.bincount(of, pos * (1 - share) - neg * share, count) / held, -1, 1)
            value = np.where(np.isfinite(step), value + step, value)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = 1 - share * (1 - share) / held[of]
            one, other = (1 - share) / left / held[of], share / left / held[of]
            variance = np.bincount(of, pos * one**2 + neg * other**2, count) * (rows - 1) / rows
            fourth = np.bincount(of, pos * one**4 + neg * other**4, count)
            degrees = np.maximum(held**2 / np.bincount(of, within * share * (1 - share), count) - 1, 1.0)
            variance, degrees = settled(variance, fourth.astype(np.float64), rows, 1 / held, degrees)
        alone = np.bincount(of, ~(left >= LEFT), count) > 0
        value[alone | ~there | ~(np.abs(step) <= CLOSE)] = math.nan
        return value, np.sqrt(variance), degrees

    @cached_property
    def _blocks(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many positives and negatives have each score."""
        (tp, fp), first = self._cumulated, self.start
        pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
        pos[first], neg[first] = tp[first], fp[first]
        return pos, neg

    @cached_property
    def _areas(self) -> tuple[Floats, Floats, Floats]:
        """The AUC of each, NaN where it has no variance, DeLong's variance and its degrees of freedom."""
        auc, variance, degrees = areas_of(*self._cumulated, self.start, *self.sizes)
        return np.where(np.isnan(variance), math.nan, auc), variance, degrees

    def areas(self, level: float) -> Columns:
        """Return the AUC of each with its score interval and its standard error."""
        auc, variance, degrees = self._areas
        return auc, *area_ends(auc, variance, degrees, *self.sizes, level), np.sqrt(np.maximum(variance, 0))


def areas_of(tp: Ints, fp: Ints, start: Places, p: Floats, n: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the AUC of sweeps side by side, DeLong's variance and its degrees of freedom.

    They are found as `delong.spread_of_sweep` finds them; the variance is NaN where a class has one row. ``start`` says
    where the blocks of each sweep begin, ``p`` and ``n`` how many positives and negatives it has.
    """
    sizes = np.diff(start, append=len(tp))
    pos, neg = tp.copy(), fp.copy()
    for count, total in ((pos, tp), (neg, fp)):
        count[1:] -= total[:-1]
        count[start] = total[start]
    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = 2 * tp - pos, 2 * fp - neg
        auc, sums = np.add.reduceat(neg * above, start) / (2 * p * n), []
        for placed, centre, count, scale in ((below, 1 - auc, pos, 2 * n), (above, auc, neg, 2 * p)):
            squares = placed - np.repeat(centre * scale, sizes)
            squares *= squares
            shares = count * squares
            both = np.add.reduceat(shares, start), np.add.reduceat(np.multiply(shares, squares, out=shares), start)
            sums += [both[0] / (2 * p * n) ** 2, both[1] / (2 * p * n) ** 4]
        return auc, *degrees_of_many(sums, p, n)


def degrees_of_many(sums: Sequence[Floats], p: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return variances and their degrees of freedom, as `influence.degrees_of_sums` finds them.

    ``sums`` are those of the squares of what positives add, of their squares, and the same of negatives.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = sums[0] * p / (p - 1) + sums[2] * n / (n - 1)
        of_variance = sums[1] - sums[0] ** 2 / p + sums[3] - sums[2] ** 2 / n
        most = np.maximum(p + n - 2, 1.0)
        degrees = np.clip(2 * variance**2 / of_variance, 1.0, most)
    degrees = np.where(of_variance <= 1e-12 * variance**2, most, degrees)
    degrees = np.where(variance <= 0, np.minimum(4.0, most), degrees)
    return np.where(np.minimum(p, n) < 2, math.nan, variance), degrees


def area_ends(
    auc: Floats, variance: Floats, degrees: Floats, p: Floats, n: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the score interval of AUCs, as `pivots.ScorePivot` finds it; NaN where there is no variance."""
    from scipy.special import gammaln, stdtrit  # noqa: PLC0415 - slow to load

    there = np.flatnonzero(~np.isnan(variance))
    share, p, n = auc[there], p[there], n[there]
    lost = np.minimum(p, n) * np.minimum(share, 1 - share)
    known = np.minimum(degrees[there], LEAST_KNOWN + KNOWN_BY_LOSS * lost**2)
    inside = np.minimum((share * p * n + 0.5) / (p * n + 1), math.nextafter(1.0, 0.0))
    times = averaged(1.0, variance[there] / variance_of_pairs(inside, p, n), known)
    reach = stdtrit(known + PRIOR_DEGREES, min((1 + level) / 2, math.nextafter(1, 0)))

    def away(x: Floats, which: NDArray[np.intp]) -> Floats:
        """Return how many standard errors, those that hold at x, the estimate lies above x."""
        gap, own = share[which] - x, (x > 0) & (x < 1)
        at = variance_of_pairs(np.where(own, x, 0.5), p[which], n[which])
        spread = np.where(own, times[which] * at, 0.0)
        beyond = np.where(gap == 0, 0.0, np.copysign(math.inf, gap))
        return np.divide(gap, np.sqrt(spread), out=beyond, where=spread > 0)

    zero, one = np.zeros(len(share)), np.ones(len(share))
    low = crossings(lambda x, which: away(x, which) - reach[which], zero, share)
    high = crossings(lambda x, which: away(x, which) + reach[which], share, one)
    # at separation the exact test decides on which side of chance the interval ends
    orders = gammaln(p + n + 1) - gammaln(p + 1) - gammaln(n + 1)
    beyond = np.minimum(1.0, 2 * np.exp(-orders)) < 1 - level
    above, below = math.nextafter(0.5, math.inf), math.nextafter(0.5, -math.inf)
    low = np.where(share == 1, np.where(beyond, np.maximum(low, above), np.minimum(low, 0.5)), low)
    high = np.where(share == 0, np.where(beyond, np.minimum(high, below), np.maximum(high, 0.5)), high)
    ends = np.full((2, len(auc)), math.nan)
    ends[:, there] = low, high
    return ends[0], ends[1]


def many_sweeps(sweeps: Sequence[Sweep]) -> ManySweeps | None:
    """Return sweeps side by side where they are many, and formulas hold for them."""
    plain = all(s.is_whole and s.horizon is None and s.bins is None and s.n < MOST_ROWS for s in sweeps)
    return ManySweeps(sweeps) if len(sweeps) >= MANY and plain else None


def intervals_of_many(
    targets: Sequence[Bound], many: ManySweeps, *, level: float, rng: int, replicates: int
) -> list[dict[str, Estimate]]:
    """Return for each sweep what `intervals_of` returns for it."""
    by_formula: list[tuple[Bound, list[tuple[float, float, float, float | None]]]] = []
    for target in targets:
        columns = None if is_auc(target) and level > LEVEL_BY_RANKS else many.columns(target, level)
        if columns is not None:
            value, low, high, error = columns
            errors = [None] * len(value) if error is None else error.tolist()
            by_formula.append((target, list(zip(value.tolist(), low.tolist(), high.tolist(), errors, strict=True))))
    answers = []
    for k, sweep in enumerate(many.sweeps):
        estimates: dict[str, Estimate] = {}
        notes = notes_on("", sweep, math.nan)
        for target, rows in by_formula:
            here = rows[k]
            if not math.isnan(here[0]):
                about = notes_on(target.name, sweep, here[0]) if here[0] in (0, 1) else notes
                method = "robust-wald" if target.name in CALIBRATION else target.metric.interval
                estimates[target.name] = Estimate(target.name, *here[:3], level, method, here[3], notes=about)
        rest = [target for target in targets if target.name not in estimates]
        if rest:
            estimates |= intervals_of(rest, sweep, level=level, rng=rng, replicates=replicates)
        answers.append({target.name: estimates[target.name] for target in targets})
    return answers
