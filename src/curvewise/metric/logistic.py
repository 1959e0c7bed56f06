"""Logistic regression of the outcome on functions of the probability, from the blocks of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.arrays import Floats
from curvewise.core.keys import slices
from curvewise.core.probability import of_probabilities
from curvewise.core.rate import PRIOR_DEGREES, averaged
from curvewise.core.threads import in_threads
from curvewise.errors import UndefinedMetricError, note
from curvewise.metric.blocks import Blocks, Clusters, blocks_of
from curvewise.metric.condensed import NODES
from curvewise.metric.registry import metric
from curvewise.results.numbers import show

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep

MOST_STEPS = 100  # mutants: work
ROUNDING = 1e-12  # of a sum: less is no fall  # mutants: rounding
CLOSE = 1e-8  # Newton's error is squared by each step, so the next one would not show  # mutants: rounding
SAME = 1e-10  # steps below which information need not be found again  # mutants: rounding
STRAIGHT = 1e-6  # a mean cube within half a cell up to which no error of condensed blocks shows  # mutants: work
# not shown: `calibration` has intervals by a formula, and a table would wait for 1000 fits
COX: dict[str, Any] = {"family": "probability", "better": "target", "shown": None, "interval": "wald"}
COX |= {"reference": "Cox (1958) Biometrika 45:562-565"}


@dataclass(frozen=True)
class Fit:
    """Coefficients, the intercept first where there is one, with covariance and log-likelihood."""

    coefficients: Floats
    covariance: Floats  # by leaving out rows or clusters, whether or not the model is right; NaN if that cannot tell
    log_likelihood: float
    left_out: float = 0.0  # rows of probability 0 or 1
    degrees: Floats | None = None  # of freedom of each variance


def slope_fit(blocks: Blocks) -> Fit:
    """Fit logit P(y) = a + b·logit(p)."""
    used, left_out = between_0_and_1(blocks, "A calibration slope")
    need_overlap(used, "A calibration slope")
    return fit_logistic(lambda b: [b.odds], used, left_out=left_out)


def in_the_large_fit(blocks: Blocks) -> Fit:
    """Fit logit P(y) = a + logit(p)."""
    used, left_out = between_0_and_1(blocks, "Calibration in the large")
    need_both(used, "Calibration in the large")
    return fit_logistic(lambda _: [], used, offset=lambda b: b.odds, left_out=left_out)


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
    if wrong := blocks.impossible:
        raise UndefinedMetricError(
            f"{what} cannot take rows of probability 0 or 1 that turned out otherwise ({show(wrong)} of "
            f"{show(blocks.n)}): their log odds are infinitely wrong; clip p, and say at what.",
            why=note("certain_rows_wrong", wrong=wrong, rows=blocks.n),
        )
    left_out = (blocks.p[0] == 1) * blocks.positives[0] + (blocks.p[-1] == 0) * blocks.negatives[-1]
    return blocks.uncertain, float(left_out)


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
    pos, neg = _reach(blocks.positives), _reach(blocks.negatives)
    # exactly then the likelihood has a maximum: each class reaches into the other's range
    if pos[-1] <= neg[0] or neg[-1] <= pos[0]:  # mutants: the only values
        raise UndefinedMetricError(
            f"{what} has no finite answer: the probabilities separate the classes perfectly, so the steeper, "
            "the better it fits.",
            why=note("separated_no_fit"),
        )


def _reach(weight: Floats) -> tuple[int, int]:
    """Return the first and the last place that has weight; most weights need not be looked at."""
    pieces = list(slices(len(weight)))
    first, last = (
        next(used for here in order if len(used := np.flatnonzero(weight[here]) + here.start))
        for order in (pieces, pieces[::-1])
    )
    return int(first[0]), int(last[-1])


def fit_logistic(
    features: Callable[[Blocks], Sequence[Floats]],
    blocks: Blocks,
    *,
    intercept: bool = True,
    offset: Callable[[Blocks], Floats] | None = None,
    left_out: float = 0.0,
) -> Fit:
    """Maximise the likelihood of logit P(y) = offset + intercept + Σ βⱼ·featureⱼ by Newton's method.

    Features and offset are smooth functions of the probability, so that condensed blocks have the same maximum.
    """

    def model_of(some: Blocks) -> _Model:
        offsets = None if offset is None else offset(some)
        return _Model(features(some), offsets, some.positives, some.negatives, intercept=intercept)

    def fitted(some: Blocks) -> tuple[_Model, tuple[Floats, float, Floats]]:
        model = model_of(some).standardised()
        return model, _greatest(model)

    few, answer = blocks.condensed, None
    if few is not blocks:
        with suppress(UndefinedMetricError):  # all blocks will tell
            model, coefficients = fitted(few)
            if model.bend(coefficients[0]) <= STRAIGHT:  # mutants: never equal
                answer = model, coefficients
    model, (beta, likelihood, information) = answer or fitted(blocks)
    back = model.back
    inverse: Floats = np.asarray(np.linalg.inv(information), dtype=np.float64)
    if answer is not None and blocks.is_plain:
        blocks = few  # their sums serve
    model = replace(model_of(blocks), units=model.units)
    design = model.design(slice(0, len(blocks.p)))
    with np.errstate(over="ignore"):  # a chance of 0
        chance = 1 / (1 + np.exp(-model.predicted(beta, design, slice(None))))
    if blocks.horizon is not None or (blocks.sampled is not None and blocks.clusters is not None):
        scatter = blocks.scatter(design * (1 - chance), -design * chance)
        within = back @ inverse @ scatter @ inverse @ back.T
        return Fit(back @ beta, within, likelihood, left_out, np.full(len(beta), blocks.degrees))
    covariance, degrees = jackknife(blocks, design, chance, inverse, back)
    return Fit(back @ beta, covariance, likelihood, left_out, degrees)


@dataclass(frozen=True)
class _Model:
    """The log-likelihood with its derivatives, summed piece by piece.

    Features are taken in units that Newton's equations like: less a centre, divided by a spread.
    """

    features: Sequence[Floats]
    offset: Floats | None
    positives: Floats
    negatives: Floats
    intercept: bool
    units: tuple[tuple[float, float], ...] = ()  # centre and spread of each feature

    def standardised(self) -> _Model:
        """Return the model in units of each feature's mean and standard deviation; without an intercept, about 0."""

        def sums(here: slice) -> Floats:
            weight = self.positives[here] + self.negatives[here]
            return np.array([weight.sum(), *(_dot("i,i->", weight, each[here]) for each in self.features)])

        total, *products = self._summed(sums)
        centres = [product / total if self.intercept else 0.0 for product in products]

        def squares(here: slice) -> Floats:
            weight, moments = self.positives[here] + self.negatives[here], []
            for each, centre in zip(self.features, centres, strict=True):
                away = each[here] - centre
                moments.append(_dot("i,i,i->", weight, away, away))
            return np.array(moments)

        spreads = np.sqrt(self._summed(squares) / total) if self.features else []
        return replace(self, units=tuple((float(c), float(s) or 1.0) for c, s in zip(centres, spreads, strict=True)))

    @property
    def back(self) -> Floats:
        """The matrix that turns coefficients into those of the features as they were given."""
        start = int(self.intercept)
        matrix = np.eye(start + len(self.units))
        for k, (centre, spread) in enumerate(self.units, start):
            matrix[k, k] = 1 / spread
            if self.intercept:
                matrix[0, k] = -centre / spread
        return matrix

    def design(self, here: slice) -> Floats:
        """Return a piece of the design, the intercept first where there is one."""
        start = int(self.intercept)
        columns = np.ones((start + len(self.features), len(self.positives[here])))
        for line, each, (centre, spread) in zip(columns[start:], self.features, self.units, strict=True):
            np.subtract(each[here], centre, out=line)
            np.divide(line, spread, out=line)
        return columns

    def predicted(self, beta: Floats, design: Floats, here: slice) -> Floats:
        """Return the log odds of a piece of the design."""
        eta = np.zeros(design.shape[1]) if self.offset is None else self.offset[here].copy()
        for coefficient, line in zip(beta.tolist(), design, strict=True):
            eta += coefficient * line
        return eta

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Return log-likelihood, gradient and information."""

        def sums(here: slice) -> Floats:
            x, pos, neg = self.design(here), self.positives[here], self.negatives[here]
            eta = self.predicted(beta, x, here)
            weight, small = pos + neg, np.exp(-np.abs(eta))
            both = 1 + small
            # what each outcome adds, all of one sign: where nearly all rows are of one class, a difference of large
            # sums would hide how the likelihood rises
            below, above = (_dot("i,i->", some, np.maximum(away, 0)) for some, away in ((pos, -eta), (neg, eta)))
            likelihood = -(_dot("i,i->", weight, np.log(both)) + below + above)
            small /= both  # the smaller one of P(1) and P(0)
            large = 1 - small
            residual = pos - weight * np.where(eta < 0, small, large)  # mutants: equal at 0
            weight *= small
            weight *= large
            products = _dot("ji,ki->jk", x * weight, x)
            return np.concatenate([[likelihood], _dot("ji,i->j", x, residual), products.ravel()])

        likelihood, *rest = self._summed(sums)
        size = len(beta)
        return float(likelihood), np.array(rest[:size]), np.reshape(rest[size:], (size, size))

    def _summed(self, term: Callable[[slice], Floats]) -> Floats:
        """Return the sum of what a term finds in pieces of the blocks."""
        size = len(self.positives)
        total: Floats = np.sum(in_threads(term, list(slices(size)), size), axis=0)
        return total

    def bend(self, beta: Floats) -> float:
        """Return the mean cube of how far the log odds go within half a cell of condensed blocks."""
        here = slice(0, len(self.positives))
        eta = self.predicted(beta, self.design(here), here).reshape(-1, NODES)
        weight = (self.positives + self.negatives).reshape(-1, NODES).sum(axis=1)
        return float(weight @ np.abs(np.diff(eta)).max(axis=1) ** 3 / weight.sum())


def _dot(indices: str, *arrays: Floats) -> Any:
    """Multiply and sum without BLAS, whose threads would fight with ours, and round differently."""
    return np.einsum(indices, *arrays)


def _greatest(model: _Model) -> tuple[Floats, float, Floats]:
    """Return the coefficients at which the likelihood is greatest, with that and the information there."""
    beta = np.zeros(len(model.back))
    likelihood, gradient, information = model.at(beta)
    for _ in range(MOST_STEPS):
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(step).all():
            break
        if np.abs(step).max() < CLOSE:  # mutants: never equal
            beta = beta + step
            if np.abs(step).max() >= SAME:  # mutants: never equal
                likelihood, _, information = model.at(beta)
            return beta, likelihood, information
        size = 1.0
        while True:  # a full step may overshoot where the likelihood is flat
            value, slope, bend = model.at(beta + size * step)
            if value >= likelihood - ROUNDING * abs(likelihood) or size < CLOSE:  # mutants: rounding, never equal
                break
            size /= 2  # mutants: work
        beta, likelihood, gradient, information = beta + size * step, value, slope, bend
    raise UndefinedMetricError(
        "The logistic fit has no finite answer: its likelihood rises without end.",
        why=note("separated_no_fit"),
    )


# ---- Variances of coefficients by leaving out one cluster, or one row, at a time ----

LEFT = 1e-9  # of all information: less is nothing to learn from without one cluster or row


def jackknife(blocks: Blocks, design: Floats, chance: Floats, inverse: Floats, back: Floats) -> tuple[Floats, Floats]:
    """Return the covariance of ``back @ β`` of a logistic fit, and the degrees of freedom of each variance.

    Without cluster g the coefficients move by about (H - H_g)⁻¹U_g, with information H and scores U; the
    covariance is (G - 1)/G · Σ of the outer products (CR3). A sandwich of the scores alone is too small where
    clusters are few: a nominal 0.95 covered 0.90 to 0.93 of 15 to 40 clusters, this 0.92 to 0.97. Rows without
    clusters are left out likewise (HC3), within their strata. The inverse information would be their variance only
    if probabilities were wrong in no way but this model's: calibration in the large covered 0.80 to 0.90 where
    the slope was 0.5, however many rows there were, and covers 0.93 to 0.97 so. Degrees of freedom are
    Satterthwaite's: fewer where few clusters or rows hold most of the information. NaN where one holds all of it,
    or where the weights are not known.
    """
    spread = np.sqrt(chance * (1 - chance))
    lines = back @ inverse @ design  # what a row's residual adds to each coefficient
    if blocks.clusters is not None:
        moved = _without_each(blocks.clusters, design, chance, inverse)
        groups = blocks.clusters.number
        moved = back @ moved
        products = moved @ moved.T * ((groups - 1) / groups if groups > 1 else np.nan)
        at = blocks.clusters.place
        worth = [blocks.clusters.worth((line * spread)[None, at], np.ones((1, 1))) for line in lines]
        alone = (lines * spread)[:, at] ** 2 @ blocks.clusters.own
        return _settled(products, np.sum(moved**4, axis=1), groups, alone, np.array(worth))
    if blocks.squares is None:
        return np.full((len(back), len(back)), np.nan), np.full(len(back), np.nan)
    leverage = np.einsum("ji,jk,ki->i", design, inverse, design) * spread**2
    sums = (blocks.positives, blocks.negatives)
    left = [1 - leverage * _typical(s, w) for s, w in zip(blocks.squares, sums, strict=True)]
    if min(float(v.min()) for v in left) < LEFT:
        return np.full((len(back), len(back)), np.nan), np.full(len(back), np.nan)
    positive, negative = design * (1 - chance) / left[0], -design * chance / left[1]
    squares = np.add(*blocks.squares)
    rows, weight = _typical(blocks.weight**2, squares), _typical(squares, blocks.weight)
    units = float(rows.sum()) if blocks.sampled is None else blocks.sampled.strata.units
    factor = (units - 1) / units  # within strata squared: for n/(n - 1) is in their scatter
    middle = blocks.scatter(positive, negative) * (factor if blocks.sampled is None else factor**2)
    added = (weight * lines * spread) ** 2
    degrees = np.einsum("ji,i->j", added, rows) ** 2 / np.einsum("ji,i->j", added**2, rows) - 1
    fourth = np.zeros(len(back))
    for line, squared, total in zip((positive, negative), blocks.squares, sums, strict=True):
        each = _typical(squared, total) * (back @ inverse @ line)
        fourth += np.einsum("ji,i->j", each**4, _typical(total**2, squared))
    covariance = back @ inverse @ middle @ inverse @ back.T
    return _settled(covariance, fourth, units, np.einsum("ji,i->j", added, rows), np.clip(degrees, 1.0, blocks.degrees))


def _settled(
    covariance: Floats, fourth: Floats, units: float, expected: Floats, degrees: Floats
) -> tuple[Floats, Floats]:
    variance = np.diag(covariance)
    larger, degrees = settled(variance, fourth, units, expected, degrees)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.sqrt(np.where(variance < expected, larger / variance, 1.0))
    return covariance * np.outer(times, times), degrees


def settled(variance: Floats, fourth: Floats, units: Any, expected: Floats, degrees: Floats) -> tuple[Floats, Floats]:
    """Return variances, averaged with those expected of a right model where these are larger, and their degrees.

    They count as `PRIOR_DEGREES` beside those that the kurtosis of what units add gives the variance: ``fourth`` sums
    their fourth powers. Few rows of a small probability may turn out positive, and a variance without one of them
    is too small: with 20 positives of 400 and a bounded score the slope held 0.90, and holds 0.93 to 0.95 so.
    """
    rest = fourth - variance**2 / np.maximum(units, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        known = np.clip(np.where(rest > 0, 2 * variance**2 / rest, np.inf), 1.0, np.maximum(units - 1, 1.0))
        mean = averaged(expected, variance, known)
    larger = np.where(variance < expected, mean, variance)
    return larger, np.maximum(np.minimum(degrees, known + PRIOR_DEGREES), 1.0)


def _without_each(cells: Clusters, design: Floats, chance: Floats, inverse: Floats) -> Floats:
    """Return how far the coefficients move without each cluster, one column per cluster."""
    at, size = cells.place, len(design)
    x, q = design[:, at], chance[at]
    scores = np.stack([cells.sums(line * (cells.positives * (1 - q) - cells.negatives * q)) for line in x])
    held = cells.weight * q * (1 - q)
    information = np.empty((cells.number, size, size))
    for j in range(size):
        for k in range(j + 1):
            information[:, j, k] = information[:, k, j] = cells.sums(x[j] * x[k] * held)
    left = np.eye(size) - inverse @ information
    if (np.linalg.det(left) < LEFT).any():  # mutants: rounding
        return np.full(scores.shape, np.nan)
    return np.asarray(np.linalg.solve(left, (inverse @ scores).T[..., None])[..., 0].T)


def _typical(squares: Floats, weight: Floats) -> Floats:
    """Return the weight of a row of each block: Σw²/Σw, and 0 where there is none."""
    return np.divide(squares, weight, out=np.zeros(len(weight)), where=weight != 0)
