"""One rate where the other is held: TPR at a fixed FPR, FPR at a fixed TPR, with the interval of each.

Two things are uncertain. Where the threshold of an FPR f lies among the scores: with n negatives, the true FPR at
the y-th of the n + 1 gaps between them has a Beta(y, n + 1 - y) distribution, whatever the scores are. And the
share of positives above a threshold, of m: Beta(k + ½, m - k + ½) after k (Jeffreys). The interval has the
quantiles of both together, those of the mixture of Beta distributions. Where counting
alone is uncertain, its ends are halfway between Jeffreys' and Clopper and Pearson's: Jeffreys' alone would hold
some rates, of 10 rows, in 87 of 100 studies only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.rate import flagged_rows, rate_of_rows
from curvewise.core.sweep import Sweep, sweep_of

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Mixture = tuple[Floats, Floats, Floats, Floats, Floats, Floats]

Held = Literal["fpr", "tpr"]
NODES = 80  # positions of the threshold that are weighed, over five standard deviations to either side
REACH = 5.0
ROUNDING = 1e-9
DISCRETE = 0.25  # of a row: halfway from Jeffreys' to Clopper and Pearson's interval
SHARES = 32  # values of the prevalence that are weighed, each as probable
HALVINGS = 30
HALVED = 40.0  # log odds that no precision exceeds
MOST = 4.0  # by which factor the correlation of the classes within clusters may change the effective numbers


@dataclass(frozen=True, eq=False)
class RateAtRate:
    """What is known of one rate at fixed values of the other: a mixture of Beta distributions per place.

    ``weight`` is how probable each position of the threshold is, one row per place, and ``mean`` and ``variance``
    are those of the rate if the threshold is there.

    ``none`` and ``all`` are the probabilities that none, or all, of the rows counted lie beyond the threshold:
    nothing then bounds the rate from that side. ``counting`` is the share of the variance that is due to counting,
    not to where the threshold lies. ``size`` is how many rows hold the fixed rate, as many
    independent ones as they are worth.
    """

    x: Floats
    value: Floats
    mean: Floats
    variance: Floats
    weight: Floats
    none: Floats
    all: Floats
    counting: Floats
    size: Floats
    held: Held

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """Return the ends at each place.

        Where few rows, or none, are to be expected beyond the threshold of the fixed rate (at most 1 at the level
        0.95, more at higher levels), nothing bounds the rate from below: the lower end is 0. Where so few are to be
        expected on the other side, the upper end is 1.
        """
        tail = (1 - level) / 2
        low, high = self._quantile(tail, -1), self._quantile(1 - tail, 1)
        few = max(1 + math.log(0.025 / tail), 0.0) + ROUNDING
        low = np.where((self.none > tail) | (self.x * self.size <= few), 0.0, low)  # mutants: rounding
        high = np.where((self.all > tail) | ((1 - self.x) * self.size <= few), 1.0, high)  # mutants: rounding
        low, high = np.minimum(low, self.value), np.maximum(high, self.value)
        # all rows are flagged at FPR 1, none at TPR 0: that is certain
        sure = self.x == (1 if self.held == "fpr" else 0)
        ends = np.where(sure, self.value, low), np.where(sure, self.value, high)
        unknown = np.isnan(self.size)
        return np.where(unknown, np.nan, ends[0]), np.where(unknown, np.nan, ends[1])

    def _quantile(self, share: float, side: int) -> Floats:
        """Return a quantile of the mixture at each place, moved outwards for counts, which move in steps."""
        from scipy.special import betainc  # noqa: PLC0415 - slow to load

        both = self.mean * (1 - self.mean) / self.variance - 1
        # the smaller the part of counting is, the less its steps move the mixture
        out = side * DISCRETE * self.counting[:, None] ** 2
        a = np.maximum(self.mean * both + out, ROUNDING)
        b = np.maximum((1 - self.mean) * both - out, ROUNDING)
        low, high = np.zeros(len(self.x)), np.ones(len(self.x))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = np.sum(self.weight * betainc(a, b, middle[:, None]), axis=1) < share
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray((low + high) / 2)

    @property
    def centre(self) -> Floats:
        """The mean of each mixture."""
        return np.asarray(np.sum(self.weight * self.mean, axis=1))

    @property
    def shapes(self) -> tuple[Floats, Floats]:
        """The two parameters of Beta distributions with the mean and the variance of each mixture."""
        centre = self.centre
        spread = np.sum(self.weight * (self.variance + self.mean**2), axis=1) - centre**2
        both = centre * (1 - centre) / spread - 1
        return centre * both, (1 - centre) * both


def rate_at_rate(source: Sweep | Rows, places: Floats, *, held: Held = "fpr", level: float = 0.95) -> RateAtRate:
    """Return what rows tell of TPR at fixed FPRs (``held="fpr"``), or of FPR at fixed TPRs (``held="tpr"``).

    Parameters
    ----------
    source
        A sweep of whole counts with both classes, or rows of one model: those with clusters or sampling weights
        count as many independent rows as they are worth at each place.
    places
        The values of the fixed rate, from 0 to 1.
    level
        The level of the interval that will be asked for: how many independent rows few clusters are worth
        depends on it.

    Notes
    -----
    Within a block of tied scores both rates rise in proportion, and what a tied row adds is less uncertain: it
    counts for the share λ of it that lies beyond the threshold, and its variance with λ².

    References
    ----------
    Hilgers (1991) Methods Inf. Med. 30:96-101. Gu, Ghosal & Roy (2008) Statistics in Medicine 27:5407-5420.
    Brown, Cai & DasGupta (2001) Statist. Sci. 16:101-133.
    """
    sweep = source if isinstance(source, Sweep) else sweep_of(source)
    places = np.asarray(places, dtype=np.float64)
    value = (tpr_at if held == "fpr" else fpr_at)(sweep, places)
    path = _path(sweep, held)
    if isinstance(source, Sweep) or source.is_plain:
        known = _mixture(path, places, float(path.x[-1]), float(path.y[-1]))
        return RateAtRate(places, value, *known, np.full(len(places), float(path.x[-1])), held)
    path = replace(path, tied=_path(sweep_of(replace(source, weight=None)), held).tied)
    sizes = np.array([_worth(source, sweep, path, v, held, level) for v in places.tolist()]).reshape(-1, 2)
    each = [_mixture(path, places[k : k + 1], n, m) for k, (n, m) in enumerate(sizes.tolist())]
    each = each or [_mixture(path, places, 1.0, 1.0)]  # no place, no mixture
    known = cast("Mixture", tuple(np.concatenate(part) for part in zip(*each, strict=True)))
    return RateAtRate(places, value, *known, sizes[:, 0], held)


def tpr_at(sweep: Sweep, fpr: Floats) -> Floats:
    """Return the highest TPR that each FPR allows, straight lines within a block."""
    f, t = np.append(0, sweep.fp / sweep.negatives), np.append(0, sweep.tp / sweep.positives)
    return np.asarray(np.interp(fpr, f, t))


def fpr_at(sweep: Sweep, tpr: Floats) -> Floats:
    """Return the lowest FPR at which each TPR is reached."""
    return first_at(sweep.tp / sweep.positives, sweep.fp / sweep.negatives, tpr)


def first_at(rising: Floats, other: Floats, wanted: Floats) -> Floats:
    """Return the other count where the rising one first reaches what is wanted."""
    k = np.minimum(np.searchsorted(rising, wanted * (1 - 1e-12), side="left"), len(rising) - 1)
    r0, o0 = (np.where(k > 0, c[k - 1], 0.0) for c in (rising, other))
    step = rising[k] - r0
    share = np.divide(wanted - r0, step, out=np.zeros(len(k)), where=step > 0)
    return np.asarray(o0 + (other[k] - o0) * np.clip(share, 0, 1))


def precision_ends(known: RateAtRate, sizes: tuple[float, float], level: float) -> tuple[Floats, Floats]:
    """Return the ends of precision at fixed recalls, from what is known of FPR there and of the prevalence.

    ``sizes`` are how many independent rows the positives, and the negatives, are worth for the prevalence π,
    which then is Beta(P + ½, N + ½). The odds of precision are r·π/(1 - π)/f.
    """
    from scipy.special import betainc, betaincinv  # noqa: PLC0415 - slow to load

    tail, (p, n) = (1 - level) / 2, sizes
    shares = betaincinv(p + 0.5, n + 0.5, (np.arange(SHARES) + 0.5) / SHARES)
    odds = known.x[:, None] * (shares / (1 - shares))
    a, b = (shape[:, None] for shape in known.shapes)
    ends = []
    for wanted in (tail, 1 - tail):
        low, high = np.full(len(known.x), -HALVED), np.full(len(known.x), HALVED)  # log odds
        for _ in range(60):
            middle = (low + high) / 2
            fpr = np.minimum(odds * np.exp(-middle)[:, None], 1.0)
            above = np.mean(1 - betainc(a, b, fpr), axis=1) > wanted  # precision lies below
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        ends.append(1 / (1 + np.exp(-(low + high) / 2)))
    free, bound = known.interval(level)
    least = odds[:, 0] / (1 + odds[:, 0])
    # nothing bounds the FPR from below, or from above; and precision at recall 0 may be anything
    low = np.where(bound == 1, np.minimum(ends[0], least), ends[0])
    return np.where(known.x == 0, 0.0, low), np.where(free == 0, 1.0, ends[1])


@dataclass(frozen=True, eq=False)
class _Path:
    """The ROC curve as counts: ``x`` of the class whose rate is fixed, once each; ``y`` of the other.

    At one ``x`` the other count may jump, from ``bottom`` to ``top``; ``tied`` says of each step to the next ``x``
    whether several rows of the class share a score.
    """

    x: Floats
    bottom: Floats
    top: Floats
    tied: NDArray[np.bool_]

    @property
    def y(self) -> Floats:
        return self.top

    def scaled(self, n: float, m: float) -> _Path:
        """Return the path of other numbers of rows."""
        across, up = n / self.x[-1], m / self.top[-1]
        x = self.x * across
        # half a row of what was not seen lies beyond the first and the last row; with ties there, in their block
        if self.tied[0] and not self.top[0]:
            x[0] -= 0.5
        if self.tied[-1] and self.bottom[-1] == self.top[-1]:
            x[-1] += 0.5
        return replace(self, x=x, bottom=self.bottom * up, top=self.top * up)

    def heights(self, k: Floats) -> Floats:
        """Return the other count at places along x; a jump is spread over half a gap to either side."""
        gap = np.diff(self.x) / 2
        jump = self.top > self.bottom
        left = np.where(jump, np.minimum(np.append(0.5, gap), 0.5), 0.0)
        right = np.where(jump, np.minimum(np.append(gap, 0.5), 0.5), 0.0)
        along = np.stack([self.x - left, self.x + right], axis=1).ravel()
        return np.asarray(np.interp(k, along, np.stack([self.bottom, self.top], axis=1).ravel()))

    def within(self, k: Floats) -> tuple[NDArray[np.bool_], Floats, Floats, Floats, Floats, Floats]:
        """Return whether places lie within tied blocks, the ends of these in both counts, and how far along."""
        j = np.clip(np.searchsorted(self.x, k, side="left"), 1, len(self.x) - 1)
        start, stop = self.x[j - 1], self.x[j]
        inside = self.tied[j - 1] & (k > start) & (k < stop)
        return inside, start, stop, self.top[j - 1], self.bottom[j], (k - start) / (stop - start)


def _path(sweep: Sweep, held: Held) -> _Path:
    counts = (sweep.fp, sweep.tp) if held == "fpr" else (sweep.tp, sweep.fp)
    across, up = (np.append(0, c).astype(np.float64) for c in counts)
    x, first = np.unique(across, return_index=True)
    last = np.append(first[1:], len(across)) - 1
    return _Path(x, up[first], up[last], np.diff(x) > 1)


def _mixture(path: _Path, places: Floats, n: float, m: float) -> Mixture:
    """Return mean, variance and weight of every position at each place, and what the mixture says of its ends."""
    if math.isnan(n):
        each, one = np.full((len(places), NODES), np.nan), np.full(len(places), np.nan)
        return each, each, each, one, one, one
    path = path.scaled(n, m)
    at = np.clip(places, 1 / (n + 1), n / (n + 1))[:, None]  # further out nothing more is known
    edge = np.clip((n + 1) * at + np.sqrt(n * at * (1 - at) + 1) * np.linspace(-REACH, REACH, NODES + 1), 0, n + 1)
    weight = np.diff(_position(path, edge, at, n), axis=1)
    k = (edge[:, 1:] + edge[:, :-1]) / 2 - 0.5
    height = path.heights(k)
    inside, _, _, t0, t1, share = path.within(k)
    mean = (height + 0.5) / (m + 1)
    whole, square = ((t0 + 0.5 + share**power * (t1 - t0)) / (m + 1) for power in (1, 2))
    variance = np.where(inside, square - whole**2, mean - mean**2)
    variance = np.maximum(variance, ROUNDING) / (m + 2)
    counted, centre = np.sum(weight * variance, axis=1), np.sum(weight * mean, axis=1)
    spread = counted + np.maximum(np.sum(weight * mean**2, axis=1) - centre**2, 0.0)  # rounding may go below
    none, every = (np.sum(weight * on, axis=1) for on in (height <= ROUNDING, height >= m - ROUNDING))
    return mean, variance, weight, none, every, counted / spread


def _position(path: _Path, edge: Floats, at: Floats, n: float) -> Floats:
    """Return the probability that the threshold of each rate lies before each edge, counted in gaps."""
    from scipy.special import betainc  # noqa: PLC0415 - slow to load

    inside, start, stop, _, _, share = path.within(edge - 0.5)
    mean = edge / (n + 1)
    plain = np.maximum(mean * (1 - mean), ROUNDING)
    square = np.where(inside, (start + 0.5 + share**2 * (stop - start)) / (n + 1), mean)
    both = (n + 2) * plain / np.where(inside, np.maximum(square - mean**2, ROUNDING), plain) - 1
    below = 1 - betainc(np.maximum(mean * both, ROUNDING), np.maximum((1 - mean) * both, ROUNDING), at)
    below = np.where(edge <= 0, 0.0, np.where(edge >= n + 1, 1.0, below))
    below[:, 0], below[:, -1] = 0.0, 1.0
    # at the ends of a tied block the variance changes at once; the mean of both ways to keep the order has no side
    up, down = np.maximum.accumulate(below, axis=1), np.minimum.accumulate(below[:, ::-1], axis=1)[:, ::-1]
    return np.asarray((up + down) / 2)


def _worth(rows: Rows, sweep: Sweep, path: _Path, place: float, held: Held, level: float) -> tuple[float, float]:
    """Return how many independent rows of each class know both rates as well at the threshold of a place.

    Errors of the two rates go together where clusters have rows of both classes; of the rate that is sought,
    part of them then cancels. Both numbers are multiplied by how much that changes its variance.
    """
    rate = sweep.fp / sweep.negatives if held == "fpr" else sweep.tp / sweep.positives
    k = min(int(np.searchsorted(rate, place * (1 - 1e-12))), len(rate) - 1)
    flagged = flagged_rows(rows, sweep.threshold[k].item())
    one, two = (rows.positive, ~rows.positive) if held == "tpr" else (~rows.positive, rows.positive)
    fixed, sought = (rate_of_rows(rows, flagged, on, level=level) for on in (one, two))
    if math.isnan(fixed.trials) or math.isnan(sought.trials):
        return math.nan, math.nan
    n, m = max(fixed.trials, 1.0), max(sought.trials, 1.0)
    away = math.sqrt(max(place * (1 - place), 0.0) / n)
    ends = np.clip([place - away, place + away], 0, 1)
    rise = np.interp(ends, path.x / path.x[-1], (path.bottom + path.top) / 2 / path.top[-1])
    slope = float(rise[1] - rise[0]) / float(ends[1] - ends[0]) if ends[1] > ends[0] else 0.0
    across, up = slope * away, math.sqrt(max(sought.value * (1 - sought.value), 0.0) / m)
    apart = across**2 + up**2
    if not apart:
        return n, m
    together = (apart - 2 * fixed.correlation(sought) * across * up) / apart
    factor = min(max(together, 1 / MOST), MOST)
    return n / factor, m / factor


def interval_at_fixed(target: Bound, source: Sweep | Rows, level: float) -> tuple[float, float]:
    """Return the interval of a metric that is one rate where the other is held.

    These are ``recall_at_fpr``, ``sensitivity_at_specificity`` and ``specificity_at_sensitivity``.
    """
    options = target.options
    if target.name == "recall_at_fpr":
        held, place = "fpr", float(options["fpr"])
    elif target.name == "sensitivity_at_specificity":
        held, place = "fpr", 1 - float(options["specificity"])
    else:
        held, place = "tpr", float(options["sensitivity"])
    known = rate_at_rate(source, np.array([place]), held=cast("Held", held), level=level)
    low, high = (float(end[0]) for end in known.interval(level))
    return (1 - high, 1 - low) if held == "tpr" else (low, high)
