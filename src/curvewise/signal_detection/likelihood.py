"""Maximum likelihood of the binormal curve for counts in ordered categories.

With categories most positive first and cuts z₁ < z₂ < …, a negative lies at or above cut k with probability
Φ(z_k), a positive with Φ(a + b·z_k). Given a and b the likelihood is concave in the cuts, with a tridiagonal
second derivative: Newton's method costs one banded solution per step, and what is left is two parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded
from scipy.special import ndtr, ndtri

from curvewise.arrays import Floats
from curvewise.errors import UndefinedMetricError

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

MOST = 400  # more categories than this tell nothing more about two parameters
STEPS = 200
# the gain in log-likelihood that a Newton step promises
NEAR = 1e-6  # so near the maximum a step is right as it stands, and rounding hides what it gains
CLOSE = 1e-18  # nothing is left to gain: the estimates are within 1e-9 standard errors
STEEPEST = 100.0  # b beyond this, or below its inverse, is a curve of straight lines
LOOSEST = 5.0  # a standard error of log b beyond this: nothing is known about b


@dataclass(frozen=True)
class Maximum:
    """The estimates."""

    a: float
    b: float
    cuts: Floats
    log_likelihood: float
    information: Floats  # about (a, log b), as observed
    by_cuts: Floats  # how much of a change of each cut the two parameters take over

    @property
    def covariance(self) -> Floats:
        """The covariance of (a, log b)."""
        return np.asarray(np.linalg.inv(self.information), dtype=np.float64)


@dataclass(frozen=True)
class _Side:
    """One class: its log-likelihood as a function of its own cuts, with two derivatives."""

    value: float
    first: Floats
    diagonal: Floats
    beside: Floats

    def times(self, x: Floats) -> Floats:
        """Multiply the second derivative with a vector."""
        out: Floats = self.diagonal * x
        out[:-1] += self.beside * x[1:]
        out[1:] += self.beside * x[:-1]
        return out


def maximum(pos: Floats, neg: Floats) -> Maximum:
    """Find a, b and the cuts that make the counts most likely, or say why there are none."""
    a, log_b, cuts = _start(pos, neg)
    value = _value(pos, neg, a, log_b, cuts)
    step = 0
    while step < STEPS and abs(log_b) < math.log(STEEPEST):
        step += 1
        try:
            d_a, d_log_b, d_cuts, gain, information, by_cuts = _newton(pos, neg, a, log_b, cuts)
        except np.linalg.LinAlgError:  # flat to the last digit
            break
        if gain < CLOSE:
            found = Maximum(a, math.exp(log_b), cuts, value, information, by_cuts)
            if found.covariance[1, 1] > LOOSEST**2:
                break
            return found
        size = _longest(cuts, d_cuts)
        there = a, log_b, cuts
        while size > 1e-12:
            there = a + size * d_a, log_b + size * d_log_b, cuts + size * d_cuts
            reached = _value(pos, neg, *there)
            if reached > value + 1e-4 * size * gain or (gain < NEAR and reached > -math.inf):
                break
            size /= 2
        else:
            break
        (a, log_b, cuts), value = there, reached
    raise UndefinedMetricError(
        f"The binormal fit does not converge: after {step} steps a = {a:.4g} and b = {math.exp(log_b):.4g}, "
        "and the likelihood is flat or still rises; the thresholds do not determine a smooth curve, so use "
        "the empirical one."
    )


def _start(pos: Floats, neg: Floats) -> tuple[float, float, Floats]:
    """Fit a line to the operating points as normal deviates; place the cuts by the classes' mixture."""
    p, n = pos.sum(), neg.sum()
    hit, alarm = (ndtri((np.cumsum(c)[:-1] + 0.5) / (c.sum() + 1)) for c in (pos, neg))
    b = float(np.clip(hit.std() / alarm.std() if alarm.std() else 1.0, 0.25, 4.0))
    a = float(hit.mean() - b * alarm.mean())
    z = np.linspace(-12, 12, 2001)
    z = np.unique(np.concatenate([z, (z - a) / b]))
    share = (n * ndtr(z) + p * ndtr(a + b * z)) / (n + p)
    rising = np.flatnonzero(np.diff(share, prepend=-1) > 0)
    wanted = np.cumsum(pos + neg)[:-1] / (p + n)
    return a, math.log(b), np.interp(wanted, share[rising], z[rising])


def _side(counts: Floats, cuts: Floats) -> _Side:
    cell = _cells(cuts)
    used = counts > 0
    if (cell[used] < 1e-150).any():  # beyond what squares can hold: as good as impossible
        nothing = np.zeros(len(cuts))
        return _Side(-math.inf, nothing, nothing, nothing[1:])
    cell = np.where(used, cell, 1.0)
    density = np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi)
    once, twice = counts / cell, counts / cell**2
    first = density * (once[:-1] - once[1:])
    diagonal = -cuts * first - density**2 * (twice[:-1] + twice[1:])
    beside = density[:-1] * density[1:] * twice[1:-1]
    return _Side(float(counts[used] @ np.log(cell[used])), first, diagonal, beside)


def _cells(cuts: Floats) -> Floats:
    """Return the probability of each category between cuts."""
    left, right = np.append(-np.inf, cuts), np.append(cuts, np.inf)
    # both edges on one side of 0 are subtracted in their own tail, where digits are left
    return np.asarray(np.where(left > 0, ndtr(-left) - ndtr(-right), ndtr(right) - ndtr(left)))


def row_scores(best: Maximum) -> tuple[Floats, Floats]:
    """Return what one positive, and one negative, of each category adds to the slope in (a, log b).

    The cuts follow: this is the efficient score, whose sum over all rows is 0 at the maximum.
    """
    moves = np.stack([np.ones(len(best.cuts)), best.b * best.cuts])
    signal = best.a + best.b * best.cuts, moves + best.b * best.by_cuts
    found = []
    for cuts, along in (signal, (best.cuts, best.by_cuts)):
        cell = np.maximum(_cells(cuts), 1e-150)
        pull = along * np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi)
        score = np.zeros((2, len(cell)))
        score[:, :-1] += pull / cell[:-1]
        score[:, 1:] -= pull / cell[1:]
        found.append(score)
    return found[0], found[1]


def _value(pos: Floats, neg: Floats, a: float, log_b: float, cuts: Floats) -> float:
    if (np.diff(cuts) <= 0).any():
        return -math.inf
    return _side(neg, cuts).value + _side(pos, a + math.exp(log_b) * cuts).value


def _newton(
    pos: Floats, neg: Floats, a: float, log_b: float, cuts: Floats
) -> tuple[float, float, Floats, float, Floats, Floats]:
    """Return the step, its expected gain, the information about (a, log b) beside the cuts, and by_cuts."""
    b = math.exp(log_b)
    noise, signal = _side(neg, cuts), _side(pos, a + b * cuts)
    # what (a, log b) move the positives' cuts by
    moves = np.stack([np.ones(len(cuts)), b * cuts])
    moved = np.stack([signal.times(m) for m in moves])
    slope_two = moves @ signal.first
    slope_cuts = noise.first + b * signal.first
    two = moves @ moved.T
    two[1, 1] += b * float(cuts @ signal.first)
    across = b * moved
    across[1] += b * signal.first
    band = np.zeros((2, len(cuts)))
    band[1] = -(noise.diagonal + b * b * signal.diagonal)
    band[0, 1:] = -(noise.beside + b * b * signal.beside)
    solved = solveh_banded(band, np.column_stack([slope_cuts, across.T]))
    information = -(two + across @ solved[:, 1:])
    slope = slope_two + across @ solved[:, 0]
    values, axes = np.linalg.eigh(information)
    # away from the maximum the likelihood may curve upwards: then go uphill all the same
    upright = np.maximum(np.abs(values), 1e-8 * max(1.0, float(np.abs(values).max())))
    d_two = axes @ ((axes.T @ slope) / upright)
    d_cuts = solved[:, 0] + solved[:, 1:] @ d_two
    gain = float(slope_two @ d_two + slope_cuts @ d_cuts) / 2
    if values.min() <= 0:
        gain = max(gain, 1e-6)  # a saddle is no maximum
    return float(d_two[0]), float(d_two[1]), d_cuts, gain, information, solved[:, 1:].T


def _longest(cuts: Floats, step: Floats) -> float:
    """Return how much of a step keeps the cuts in order, at most all of it."""
    gaps, change = np.diff(cuts), np.diff(step)
    closing = change < 0
    return min(1.0, 0.9 * float(np.min(-gaps[closing] / change[closing], initial=np.inf)))


@dataclass(frozen=True)
class Categories:
    """Positives and negatives in each category, most positive first."""

    pos: Floats
    neg: Floats
    threshold: NDArray[Any]  # the last score of each category but the last
    runs: int  # how many there were before neighbours were put together to keep to the limit


def categories(sweep: Sweep) -> Categories:
    """Put together neighbouring blocks of one class alone, then neighbours until there are `MOST`.

    A cut between two blocks of the same single class can always be placed so that it explains both shares
    exactly, whatever the curve: it says nothing about the curve, and leaving it out changes no estimate
    (Metz, Herman & Shen's truth runs).
    """
    pos, neg = sweep.block_positives, sweep.block_negatives
    kind = np.where(neg == 0, 1, np.where(pos == 0, -1, 0))
    goes_on = (kind[1:] == kind[:-1]) & (kind[1:] != 0)
    last = np.append(np.flatnonzero(~goes_on), len(kind) - 1)
    runs = len(last)
    if runs > MOST:
        # of equal mass, the two classes counted alike: rare positives keep their detail
        mass = sweep.tp[last] / sweep.positives + sweep.fp[last] / sweep.negatives
        wanted = np.arange(1, MOST + 1) * (2 / MOST)
        last = last[np.unique(np.minimum(np.searchsorted(mass, wanted - 1e-12), runs - 1))]
    pos, neg = (np.diff(c[last].astype(np.float64), prepend=0) for c in (sweep.tp, sweep.fp))
    return Categories(pos, neg, sweep.threshold[last[:-1]], runs)
