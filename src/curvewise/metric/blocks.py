"""A sweep of probabilities as blocks, with what a variance needs of weights, clusters and strata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats, Places
from curvewise.core import kernel
from curvewise.core.keys import slices
from curvewise.core.probability import rows_and_sweep
from curvewise.core.ranking import rank
from curvewise.core.strata import Strata, strata_of
from curvewise.core.threads import in_threads
from curvewise.curves.hull import hull_places
from curvewise.errors import UndefinedMetricError, note
from curvewise.metric.condensed import condensed
from curvewise.metric.horizon_blocks import HorizonBlocks
from curvewise.metric.log_odds import log_odds

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.rows.rows import RowOptions

    Lines = Callable[[slice], Floats]  # one line per sum, for a piece of the blocks


def _added(where: Places, values: Floats, size: int) -> Floats:
    """Return the sum of the values at each of so many places."""
    return np.asarray(np.bincount(where, values, size), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Clusters:
    """Rows of one cluster with one probability, as cells: how clusters make counts less certain."""

    place: Places  # the block, bin or point of each cell
    cluster: Places
    positives: Floats
    negatives: Floats
    own: Floats  # what rows add to a variance if independent: squared weights, or 1 where they count alike
    correlation: float = 1.0  # of two rows of a cluster around the isotonic curve: 1 if they are as one row

    @property
    def number(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max()) + 1

    @property
    def degrees(self) -> float:
        """The degrees of freedom of a variance between clusters."""
        return max(self.number - 1, 1)

    @property
    def weight(self) -> Floats:
        """The rows, or their weight, in each cell."""
        return self.positives + self.negatives

    def sums(self, each: Floats) -> Floats:
        """Return the sum over the cells of each cluster."""
        return _added(self.cluster, each, self.number)

    def squares(self, factor: Floats) -> float:
        """Return Σ w²·factor², one factor per place, of rows that vary alike if independent (Kish)."""
        each = factor[self.place]
        together, apart = np.sum(self.sums(self.weight * each) ** 2), np.sum(self.own * each**2)
        return (1 - self.correlation) * float(apart) + self.correlation * float(together)

    def worth(self, each: Floats, inverse: Floats) -> float:
        """Return the degrees of freedom of a variance between clusters: how many alike would vary as much.

        ``each`` are the standard deviations that a row of weight 1 of each cell adds to some sums, and
        ``inverse`` weighs the sums. (Σv)²/Σv² - 1 with v what a cluster adds to the variance (Satterthwaite).
        """
        shared = np.stack([self.sums(self.weight * line) for line in each])
        together = np.einsum("jg,jk,kg->g", shared, inverse, shared)
        apart = self.sums(self.own * np.einsum("ji,jk,ki->i", each, inverse, each))
        added = self.correlation * together + (1 - self.correlation) * apart
        return max(float(added.sum() ** 2 / (np.sum(added**2) or np.inf)) - 1, 1.0)

    def by_place(self, size: int) -> tuple[Floats, Places, Places]:
        """Return the weight of each cluster at each place that it has rows at, with place and cluster."""
        code, which = np.unique(self.cluster * size + self.place, return_inverse=True)
        cluster, place = np.divmod(code, size)
        return _added(which, self.weight, len(code)), place, cluster

    def squares_by_place(self, size: int) -> Floats:
        """Return Σ w² at each place, as `squares` does."""
        weight, place, _ = self.by_place(size)
        together, apart = _added(place, weight**2, size), _added(self.place, self.own, size)
        return (1 - self.correlation) * apart + self.correlation * together

    def keep(self, here: slice) -> Clusters:
        """Return the cells of the blocks of a slice, numbered from its start."""
        on = (self.place >= here.start) & (self.place < here.stop)
        cells = {k: getattr(self, k)[on] for k in ("cluster", "positives", "negatives", "own")}
        return replace(self, place=self.place[on] - here.start, **cells)

    def turned(self, size: int) -> Clusters:
        """Return the cells with so many places in the other order."""
        return replace(self, place=size - 1 - self.place)


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Rows that were sampled within strata, with the block of each."""

    place: Places
    positives: Floats  # the weight of a positive row, 0 of a negative one
    negatives: Floats
    strata: Strata

    def keep(self, here: slice) -> SampledRows:
        """Return the rows of the blocks of a slice; units without a row there add nothing, and remain."""
        on = (self.place >= here.start) & (self.place < here.stop)
        strata = replace(self.strata, unit=self.strata.unit[on])
        return SampledRows(self.place[on] - here.start, self.positives[on], self.negatives[on], strata)

    def scatter(self, positive: Floats, negative: Floats) -> Floats:
        """Return outer products of what units add, within strata."""
        added = positive[:, self.place] * self.positives + negative[:, self.place] * self.negatives
        return self.strata.apart(self.strata.sums(added)).products


@dataclass(frozen=True, eq=False)
class Blocks:
    """Distinct probabilities, falling, with the weight of positives and negatives that have each."""

    p: Floats
    positives: Floats
    negatives: Floats
    squares: tuple[Floats, Floats] | None  # sums of squared weights of both classes; counts where rows are alike
    whole: bool  # counts are numbers of rows
    unit: float = 1.0  # of all weights
    clusters: Clusters | None = None  # where rows of one cluster may depend on each other
    sampled: SampledRows | None = None  # within strata
    horizon: HorizonBlocks | None = None  # where outcomes are censored
    nodes: Floats | None = None  # the log odds where they are more exact than p

    @property
    def is_plain(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.whole and self.clusters is None and self.sampled is None

    @property
    def degrees(self) -> float:
        """The degrees of freedom of `scatter`: those between clusters, or within strata; infinite without either."""
        if self.horizon is not None:
            return self.horizon.degrees
        if self.sampled is not None:
            return self.sampled.strata.degrees
        return np.inf if self.clusters is None else self.clusters.degrees

    @property
    def weight(self) -> Floats:
        """The rows, or their weight, that have each probability."""
        return self.positives + self.negatives

    @cached_property
    def n(self) -> float:
        """All rows, or all weight."""
        return float(self.summed(lambda here: (self.positives[here] + self.negatives[here]).sum()))

    @cached_property
    def expected(self) -> float:
        """The positives that the probabilities predict."""
        return float(self.summed(lambda here: ((self.positives[here] + self.negatives[here]) * self.p[here]).sum()))

    @cached_property
    def odds(self) -> Floats:
        """The log odds of each probability, infinite at 0 and 1."""
        return log_odds(self.p) if self.nodes is None else self.nodes

    @cached_property
    def uncertain(self) -> Blocks:
        """The blocks with a probability between 0 and 1."""
        return self.keep(slice(int(self.p[0] == 1), len(self.p) - int(self.p[-1] == 0)))  # they fall, each in one block

    @property
    def impossible(self) -> float:
        """The rows, or their weight, of probability 0 or 1 that turned out otherwise."""
        return float((self.p[0] == 1) * self.negatives[0] + (self.p[-1] == 0) * self.positives[-1])

    @cached_property
    def condensed(self) -> Blocks:
        """Fewer blocks with the same sums of smooth functions; of probabilities between 0 and 1."""
        return condensed(self)

    def summed(self, term: Callable[[slice], Any]) -> Any:
        """Return the sum of what a term finds in pieces of the blocks; the number of threads does not show in it."""
        size = len(self.p)
        return sum(in_threads(term, list(slices(size)), size))

    def residual(self, here: slice = slice(None)) -> Floats:
        """Return Σ w·(y - p) of each block of a piece."""
        left = self.positives[here] + self.negatives[here]
        left *= self.p[here]
        return np.subtract(self.positives[here], left, out=left)

    def keep(self, here: slice) -> Blocks:
        """Return the blocks of a slice."""
        if here == slice(0, len(self.p)):
            return self
        columns = {k: getattr(self, k)[here] for k in ("p", "positives", "negatives")}
        squares = None if self.squares is None else (self.squares[0][here], self.squares[1][here])
        clusters = None if self.clusters is None else self.clusters.keep(here)
        sampled = None if self.sampled is None else self.sampled.keep(here)
        horizon = None if self.horizon is None else self.horizon.keep(here)
        return replace(self, **columns, squares=squares, clusters=clusters, sampled=sampled, horizon=horizon)

    def need_squares(self, what: str) -> tuple[Floats, Floats]:
        """Return the squared weights, or say that a sweep has forgotten them."""
        if self.squares is None:
            raise UndefinedMetricError(
                f"{what} needs the rows where they are weighted, and a Sweep has forgotten them: "
                "pass labels, probabilities and weights.",
                why=note("weights_forgotten"),
            )
        return self.squares

    def variance(self, factor: Floats, what: str) -> float:
        """Return the variance of Σ w·factor·(y - p) that rows of variance 1 would give it."""
        squares = np.add(*self.need_squares(what))
        return float(np.sum(squares * factor**2)) if self.clusters is None else self.clusters.squares(factor)

    def null_sums(self, lines: Lines, what: str) -> tuple[Floats, Floats, float]:
        """Return Σ w·x·(y - p), one line of x per sum, its covariance if p is right, and its degrees of freedom.

        Clusters are as in `variance`; what holds for weights says `null_moments`.
        """
        if self.clusters is None:

            def sums(here: slice) -> Floats:
                x = lines(here)
                added = np.einsum("ji,i->j", x, self.residual(here))
                products = np.einsum("ji,ki->jk", x * self.null_moments(what, here)[0], x)
                return np.concatenate([added[None], products])

            total = self.summed(sums)
            return total[0], total[1:], np.inf
        cells, at, x = self.clusters, self.clusters.place, lines(slice(0, len(self.p)))
        each = x[:, at] * np.sqrt(self.p * (1 - self.p))[at]
        shared = np.stack([cells.sums(cells.weight * line) for line in each])
        apart = np.einsum("ji,ki->jk", each * cells.own, each)
        covariance = cells.correlation * shared @ shared.T + (1 - cells.correlation) * apart
        return np.einsum("ji,i->j", x, self.residual()), covariance, cells.worth(each, np.linalg.pinv(covariance))

    def null_moments(self, what: str, here: slice = slice(None)) -> tuple[Floats, Floats]:
        """Return variance and fourth cumulant of Σ w·(y - p) in each block if p is right and rows are independent.

        Weights may depend on p, and on the outcome by a factor (all cases, and a tenth of the rest): a row of
        outcome 1 weighs R·b(p) and one of outcome 0 b(p), with the R at which the positives' weights are those
        expected of rows with their probabilities.
        """
        pos, neg = (squares[here] for squares in self.need_squares(what))
        p = self.p[here]
        q = 1 - p
        spread = p * q
        if self.whole:  # Bernoulli's: pq and pq(1 - 6pq)
            variance = pos + neg
            variance *= spread
            return variance, variance * (1 - 6 * spread)
        weight, ratio = self.positives[here] + self.negatives[here], self._ratio
        squared, spread = pos / ratio + neg, spread * (q * ratio + p)
        third = np.divide(squared * squared * squared, weight * weight, out=np.zeros(len(p)), where=weight > 0)
        fourth = third * (p * np.square(q * q) * ratio**3 + q * np.square(p * p) - 3 * spread * spread)
        return squared * spread, fourth

    @cached_property
    def _ratio(self) -> float:
        """How much more a row of outcome 1 weighs than one of outcome 0 at equal p."""
        pos, neg = self.need_squares("The weight of an outcome")
        if not pos.any() or not (neg @ self.p) > 0:
            return 1.0
        ratio = (pos.sum() / self.positives.sum() * (self.weight @ self.p) - pos @ self.p) / (neg @ self.p)
        return float(max(ratio, 1e-6))

    def rows(self, what: str) -> float:
        """Return how many independent rows of equal weight would tell as much."""
        return self.n**2 / self.variance(np.ones(len(self.p)), what)

    def scatter(self, positive: Floats, negative: Floats) -> Floats:
        """Return the middle of a sandwich: outer products of what each cluster or row adds to some sums.

        A positive or negative row of weight 1 adds ``positive`` or ``negative`` of its block, one line per
        sum. Clusters have the factor G / (G - 1), in every stratum where there are strata. NaN where one cluster,
        or weighted counts, do not tell. At a horizon, outcomes add through the estimate of censoring too.
        """
        if self.horizon is not None:
            return self.horizon.scatter(positive, negative)
        if self.sampled is not None and not (self.clusters is not None and self.clusters.number < 2):
            return self.sampled.scatter(positive, negative)
        if self.clusters is not None:
            cells, g, at = self.clusters, self.clusters.number, self.clusters.place
            added = positive[:, at] * cells.positives + negative[:, at] * cells.negatives
            sums = np.stack([cells.sums(each) for each in added])
            return sums @ sums.T * (g / (g - 1) if g > 1 else np.nan)
        if self.squares is None:
            return np.full((len(positive), len(positive)), np.nan)
        products: Floats = sum(
            np.einsum("ji,ki->jk", each * squares, each)  # not BLAS, whose threads would fight with ours
            for each, squares in zip((positive, negative), self.squares, strict=True)
        )
        return products


def read_blocks(y: object, p: object, options: RowOptions) -> tuple[Sweep, Blocks]:
    """Read probabilities; fractional weights in units of their mean."""
    rows, sweep = rows_and_sweep(y, p, options)
    if rows is None or rows.is_plain:
        return sweep, blocks_of(sweep)
    place = _places(rows.score, sweep)
    weight, unit = np.ones(len(rows)) if rows.weight is None else rows.weight.astype(np.float64), 1.0
    if sweep.tp.dtype.kind == "f":
        # no answer depends on the unit, but squares of very small or large weights would be 0 or infinite
        unit = float(weight.mean())
        weight /= unit
        tp, fp = sweep.tp / unit, sweep.fp / unit
        sweep = replace(sweep, tp=tp, fp=fp, positives=tp[-1].item(), negatives=fp[-1].item())
    squares, size = weight if rows.is_whole else weight**2, len(sweep.threshold)
    pos, neg = (_added(place[on], squares[on], size) for on in (rows.positive, ~rows.positive))
    blocks = replace(blocks_of(sweep), squares=(pos, neg), whole=rows.is_whole, unit=unit)
    each = (np.where(rows.positive, weight, 0.0), np.where(rows.positive, 0.0, weight), squares)
    if rows.censored is not None:
        blocks = replace(blocks, horizon=HorizonBlocks(rows, rows.censored, place, each[0], each[1]))
    if (strata := strata_of(rows)) is not None:
        blocks = replace(blocks, sampled=SampledRows(place, each[0], each[1], strata))
    if rows.cluster is None:
        return sweep, blocks
    code, cell = np.unique(rows.cluster * size + place, return_inverse=True)
    cluster, at = np.divmod(code, size)
    cluster = np.unique(cluster, return_inverse=True)[1]  # rows may have been taken from more clusters
    pos, neg, squares = (_added(cell, v, len(code)) for v in each)
    cells = Clusters(at, cluster, pos, neg, squares)
    return sweep, replace(blocks, clusters=replace(cells, correlation=_correlation(cells, sweep, blocks)))


def _places(score: NDArray[Any], sweep: Sweep) -> Places:
    """Return the block of each row."""
    ranking = rank(score)  # quicker than a search, but does not know of scores that were clipped to one value
    if len(ranking) == len(sweep.threshold):
        return np.asarray(ranking.block, dtype=np.intp)
    return np.asarray(len(sweep.threshold) - 1 - np.searchsorted(sweep.threshold[::-1], np.clip(score, 0, 1)))


def blocks_of(sweep: Sweep) -> Blocks:
    """Return the blocks of a sweep that passed the door."""
    pos, neg = (kernel.steps(c, np.float64) for c in (sweep.tp, sweep.fp))
    return Blocks(sweep.threshold, pos, neg, (pos, neg) if sweep.is_whole else None, sweep.is_whole)


def _correlation(cells: Clusters, sweep: Sweep, blocks: Blocks) -> float:
    """Return how strongly two outcomes of one cluster go together, beyond what their probabilities say.

    The sum of products of residuals over all pairs of rows, as a share of what it is if one uniform number
    decides all rows of a cluster: Σ min(p, q) - pq. Residuals are those of the isotonic fit, so that wrong
    probabilities do not look like clusters. 1, the cautious answer, where there is nothing to learn from.
    """
    g = cells.number
    if g < 2 or blocks.squares is None:
        return 1.0
    share = isotonic_shares(sweep.tp, sweep.fp, np.arange(len(blocks.p)))
    pos, neg = blocks.squares
    here, weight = share[cells.place], cells.weight
    away = cells.sums(cells.positives * (1 - here) - cells.negatives * here)
    between = np.sum(away**2) * g / (g - 1) - np.sum(pos * (1 - share) ** 2 + neg * share**2)
    # cells come by cluster with falling share, so the smaller of two shares is that of the later one
    up_to = np.cumsum(weight) - np.append(0, np.cumsum(cells.sums(weight)))[cells.cluster]
    smaller = np.sum(here * weight * (2 * up_to - weight))
    most = smaller - np.sum(cells.sums(weight * here) ** 2)
    pairs = most - np.sum((pos + neg) * share * (1 - share))
    return float(np.clip(between / pairs, 0, 1)) if pairs > 1e-9 * most else 1.0


def isotonic_shares(tp: kernel.Counts, fp: kernel.Counts, places: Places) -> Floats:
    """Return the isotonic fit of cumulated counts at some blocks."""
    ends = hull_places(tp, fp)[1:]
    pos, neg = (np.diff(c[ends - 1], prepend=c.dtype.type(0)) for c in (tp, fp))
    return np.asarray((pos / (pos + neg))[np.searchsorted(ends, places, side="right")])
