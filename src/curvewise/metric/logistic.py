"""Logistic regression of the outcome on functions of the probability, from the blocks of a sweep."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.probability import of_probabilities
from curvewise.core.registry import metric
from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError, note
from curvewise.metric.blocks import blocks_of
from curvewise.metric.jackknife import jackknife
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks

    Floats = NDArray[np.float64]

MOST_STEPS = 100
MANY, COARSE = 50_000, 2000  # more blocks than this are first fitted as so many
ROUNDING = 1e-12  # of a sum: less is no fall
CLOSE = 1e-8  # Newton's error is squared by each step, so the next one would not show
# not shown: `calibration` has intervals by a formula, and a table would wait for 1000 fits
COX: dict[str, Any] = {"family": "probability", "better": "target", "shown": None, "interval": "wald"}
COX |= {"reference": "Cox (1958) Biometrika 45:562-565"}


@dataclass(frozen=True)
class Fit:
    """Coefficients, the intercept first where there is one, with covariance and log-likelihood."""

    coefficients: Floats
    covariance: Floats  # inverse information of independent rows that count alike, else jackknife; or NaN
    log_likelihood: float
    left_out: float = 0.0  # rows of probability 0 or 1
    degrees: Floats | None = None  # of freedom of each variance, where it is one between clusters or weighted rows


def log_odds(p: Floats) -> Floats:
    """Return ln(p / (1 - p)), infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log1p(-p))


def slope_fit(blocks: Blocks) -> Fit:
    """Fit logit P(y) = a + b·logit(p)."""
    used, left_out = between_0_and_1(blocks, "A calibration slope")
    need_overlap(used, "A calibration slope")
    return fit_logistic([log_odds(used.p)], used, left_out=left_out)


def in_the_large_fit(blocks: Blocks) -> Fit:
    """Fit logit P(y) = a + logit(p)."""
    used, left_out = between_0_and_1(blocks, "Calibration in the large")
    need_both(used, "Calibration in the large")
    return fit_logistic([], used, offset=log_odds(used.p), left_out=left_out)


@metric(
    aliases=("slope",),
    unit="ratio",
    target=1.0,
    **COX,
    formula="b in logit P(y = 1) = a + b·logit p",
)
def calibration_slope(sweep: Sweep) -> float:
    """Return b of logit P(y) = a + b·logit(p)."""
    return float(slope_fit(blocks_of(of_probabilities(sweep))).coefficients[1])


@metric(
    aliases=("intercept",),
    unit="log_odds",
    target=0.0,
    **COX,
    formula="a in logit P(y = 1) = a + b·logit p",
)
def calibration_intercept(sweep: Sweep) -> float:
    """Return a of logit P(y) = a + b·logit(p)."""
    return float(slope_fit(blocks_of(of_probabilities(sweep))).coefficients[0])


@metric(
    aliases=("citl",),
    unit="log_odds",
    target=0.0,
    **COX,
    formula="a in logit P(y = 1) = a + logit p",
)
def calibration_in_the_large(sweep: Sweep) -> float:
    """Return a of logit P(y) = a + logit(p)."""
    return float(in_the_large_fit(blocks_of(of_probabilities(sweep))).coefficients[0])


def between_0_and_1(blocks: Blocks, what: str) -> tuple[Blocks, float]:
    """Leave out rows of probability 0 or 1, and say how many; refuse where one of them is wrong.

    Right ones have likelihood 1 whatever the coefficients; wrong ones are impossible with any.
    """
    one, zero = blocks.p[0] == 1, blocks.p[-1] == 0  # probabilities fall, each in one block
    wrong = float(one * blocks.negatives[0] + zero * blocks.positives[-1])
    if wrong:
        raise UndefinedMetricError(
            f"{what} cannot take rows of probability 0 or 1 that turned out otherwise ({show(wrong)} of "
            f"{show(blocks.n)}): their log odds are infinitely wrong; clip p, and say at what.",
            why=note("certain_rows_wrong", wrong=wrong, rows=blocks.n),
        )
    used = blocks.keep(slice(int(one), len(blocks.p) - int(zero)))
    return used, float(one * blocks.positives[0] + zero * blocks.negatives[-1])


def need_both(blocks: Blocks, what: str) -> None:
    """Refuse where a class is absent."""
    for name, weight in (("positive", blocks.positives), ("negative", blocks.negatives)):
        if not weight.any():
            raise UndefinedMetricError(
                f"{what} needs both classes: 0 of {show(blocks.n)} rows with a probability between 0 and 1 are {name}.",
                why=note(f"no_{name}_rows", rows=blocks.n),
            )


def need_overlap(blocks: Blocks, what: str) -> None:
    """Refuse where a fit of one coefficient and an intercept has no finite answer."""
    need_both(blocks, what)
    if len(blocks.p) == 1:
        raise UndefinedMetricError(
            f"{what} needs two different probabilities or more: all are {show(float(blocks.p[0]))}.",
            why=note("one_probability", p=float(blocks.p[0])),
        )
    pos, neg = np.flatnonzero(blocks.positives), np.flatnonzero(blocks.negatives)
    # exactly then the likelihood has a maximum: each class reaches into the other's range
    if pos[-1] <= neg[0] or neg[-1] <= pos[0]:
        raise UndefinedMetricError(
            f"{what} has no finite answer: the probabilities separate the classes perfectly, so the steeper, "
            "the better it fits.",
            why=note("separated_no_fit"),
        )


def fit_logistic(
    features: Sequence[Floats],
    blocks: Blocks,
    *,
    intercept: bool = True,
    offset: Floats | None = None,
    left_out: float = 0.0,
) -> Fit:
    """Maximise the likelihood of logit P(y) = offset + intercept + Σ βⱼ·featureⱼ by Newton's method."""
    back, design = _standardised(features, blocks.weight, intercept=intercept)
    shift = np.zeros(len(blocks.p)) if offset is None else offset
    model = _Model(design, shift, blocks.positives, blocks.negatives)
    beta = np.zeros(len(design))
    if len(shift) > MANY:  # start where a coarse version of the data ends: the steps are cheap there
        with suppress(UndefinedMetricError):
            beta = _newton(model.coarse(), beta)
    beta = _newton(model, beta)
    likelihood, _, information = model.at(beta)
    inverse: Floats = np.asarray(np.linalg.inv(information), dtype=np.float64)
    if blocks.is_plain:
        return Fit(back @ beta, back @ inverse @ back.T, likelihood, left_out)
    with np.errstate(over="ignore"):  # a chance of 0
        chance = 1 / (1 + np.exp(-(shift + _dot("j,ji->i", beta, design))))
    if blocks.sampled is not None or blocks.horizon is not None:  # units within strata, or all outcomes
        scatter = blocks.scatter(design * (1 - chance), -design * chance)
        within = back @ inverse @ scatter @ inverse @ back.T
        return Fit(back @ beta, within, likelihood, left_out, np.full(len(beta), blocks.degrees))
    covariance, degrees = jackknife(blocks, design, chance, inverse, back)
    return Fit(back @ beta, covariance, likelihood, left_out, degrees)


@dataclass(frozen=True)
class _Model:
    """The log-likelihood with its derivatives, summed piece by piece."""

    design: Floats
    offset: Floats
    positives: Floats
    negatives: Floats

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Return log-likelihood, gradient and information."""

        def sums(here: slice) -> tuple[float, Floats, Floats]:
            x, pos, neg = self.design[:, here], self.positives[here], self.negatives[here]
            eta = self.offset[here] + _dot("j,ji->i", beta, x)
            weight, small = pos + neg, np.exp(-np.abs(eta))
            both = 1 + small
            likelihood = _dot("i,i->", pos, np.minimum(eta, 0)) - _dot("i,i->", neg, np.maximum(eta, 0))
            likelihood -= _dot("i,i->", weight, np.log(both))
            small /= both  # the smaller one of P(1) and P(0)
            large = 1 - small
            weight *= small
            weight *= large
            below = eta < 0
            residual = pos * np.where(below, large, small) - neg * np.where(below, small, large)
            return float(likelihood), _dot("ji,i->j", x, residual), _dot("ji,ki->jk", x * weight, x)

        parts = in_threads(sums, list(slices(self.design.shape[1])), self.design.shape[1])
        gradient: Floats = np.sum([p[1] for p in parts], axis=0)
        information: Floats = np.sum([p[2] for p in parts], axis=0)
        return math.fsum(p[0] for p in parts), gradient, information

    def coarse(self) -> _Model:
        """Return the model of neighbouring blocks put together."""
        m = self.design.shape[1]
        starts = np.arange(0, m, -(-m // COARSE))
        size = np.diff(starts, append=m)
        every = (self.design, self.offset, self.positives, self.negatives)
        design, offset, pos, neg = (np.add.reduceat(each, starts, axis=-1) for each in every)
        return _Model(design / size, offset / size, pos, neg)


def _dot(indices: str, *arrays: Floats) -> Any:
    """Multiply and sum without BLAS, whose threads would fight with ours, and round differently."""
    return np.einsum(indices, *arrays)


def _newton(model: _Model, beta: Floats) -> Floats:
    likelihood, gradient, information = model.at(beta)
    for _ in range(MOST_STEPS):
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(step).all():
            break
        if np.abs(step).max() < CLOSE:
            return beta + step
        size = 1.0
        while True:  # a full step may overshoot where the likelihood is flat
            value, slope, bend = model.at(beta + size * step)
            if value >= likelihood - ROUNDING * abs(likelihood) or size < CLOSE:
                break
            size /= 2
        beta, likelihood, gradient, information = beta + size * step, value, slope, bend
    raise UndefinedMetricError(
        "The logistic fit has no finite answer: its likelihood rises without end.",
        why=note("separated_no_fit"),
    )


def _standardised(features: Sequence[Floats], weight: Floats, *, intercept: bool) -> tuple[Floats, Floats]:
    """Return the design in units that Newton's equations like, and the matrix that undoes them."""
    total, start = weight.sum(), int(intercept)
    size = start + len(features)
    design, back = np.ones((size, len(weight))), np.eye(size)
    for k, feature in enumerate(features, start):
        centre = _dot("i,i->", weight, feature) / total if intercept else 0.0
        design[k] = feature - centre
        spread = math.sqrt(_dot("i,i,i->", weight, design[k], design[k]) / total) or 1.0
        design[k] /= spread
        back[k, k] = 1 / spread
        if intercept:
            back[0, k] = -centre / spread
    return back, design
