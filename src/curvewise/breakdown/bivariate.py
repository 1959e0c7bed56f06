"""The bivariate random-effects model: logits of sensitivity and specificity that differ together between sites."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.metric.log_odds import chance

STEPS, LONGEST = 8, 3.0  # of Newton's method for a site's effects
NODE, WEIGHT = np.polynomial.hermite_e.hermegauss(7)
ONE, TWO = (v.ravel() for v in np.meshgrid(NODE, NODE))
LOG_WEIGHT = np.log(np.outer(WEIGHT, WEIGHT).ravel() / (2 * math.pi))
ROUNDING = 1e-12  # of a likelihood
SHARE, STRONGEST = 0.7, 0.8  # of the spread seen, and the correlation seen, where a fit starts


@dataclass(frozen=True)
class Bivariate:
    """Means of the two logits, their covariance between sites, and the covariance of the estimated means."""

    mean: tuple[float, float]
    between: tuple[tuple[float, float], tuple[float, float]]
    of_mean: tuple[tuple[float, float], tuple[float, float]]


def normal_fit(logits: Floats, variances: Floats) -> Bivariate:
    """Fit by restricted maximum likelihood, each site's logits normal with known variances (Reitsma et al. 2005)."""
    within = np.zeros((len(logits), 2, 2))
    within[:, [0, 1], [0, 1]] = variances

    def means(between: Floats) -> tuple[Floats, Floats, Floats]:
        precision = np.linalg.inv(within + between).astype(np.float64)
        total = precision.sum(axis=0)
        weighted: Floats = np.einsum("kij,kj->i", precision, logits)
        return np.linalg.solve(total, weighted), precision, total

    def cost(root: Floats) -> float:
        mean, precision, total = means(_square(root))
        away = logits - mean
        fit = np.einsum("ki,kij,kj->", away, precision, away)
        return float(fit - np.linalg.slogdet(precision)[1].sum() + np.linalg.slogdet(total)[1]) / 2

    between = _square(_minimum(cost, _start(logits)))
    mean, _, total = means(between)
    return _found(mean, between, total)


def binomial_fit(hits: Floats, of: Floats) -> Bivariate:
    """Fit by maximum likelihood with exact binomial counts: ``hits`` of ``of``, two columns, one row per site."""
    logits = np.log((hits + 0.5) / (of - hits + 0.5))
    start = np.average(logits, axis=0, weights=of > 0)
    logits = np.where(of > 0, logits, start)

    def cost(at: Floats) -> float:
        return -binomial_likelihood(hits, of, at[:2], at[2:])

    best = _minimum(cost, np.concatenate([start, _start(logits)]))
    mean, between = best[:2], _square(best[2:])
    rate = chance(mean)
    information = np.zeros((len(hits), 2, 2))
    information[:, [0, 1], [0, 1]] = of * rate * (1 - rate)
    # (D⁻¹ + Σ)⁻¹ = D(I + ΣD)⁻¹ holds for sites without a class, too
    total = (information @ np.linalg.inv(np.eye(2) + between @ information)).sum(axis=0)
    return _found(mean, between, total)


def binomial_likelihood(hits: Floats, of: Floats, mean: Floats, root: Floats) -> float:
    """Return the log-likelihood but for a constant; adaptive Gauss-Hermite quadrature over each site's two effects.

    Effects are the root of the covariance times standard normals, so that nothing is special about τ = 0 or a
    correlation of 1.
    """
    a, b, c = root
    z = np.zeros_like(hits)

    def logits(z: Floats) -> Floats:
        return np.stack([mean[0] + a * z[..., 0], mean[1] + b * z[..., 0] + c * z[..., 1]], axis=-1)

    def curvature(p: Floats) -> tuple[Floats, Floats, Floats]:
        d = of * p * (1 - p)
        return 1 + a * a * d[:, 0] + b * b * d[:, 1], b * c * d[:, 1], 1 + c * c * d[:, 1]

    for _ in range(STEPS):
        p = chance(logits(z))
        away = hits - of * p
        slope = np.stack([a * away[:, 0] + b * away[:, 1], c * away[:, 1]], axis=-1) - z
        h11, h12, h22 = curvature(p)
        step = np.stack([h22 * slope[:, 0] - h12 * slope[:, 1], h11 * slope[:, 1] - h12 * slope[:, 0]], axis=-1)
        z = z + np.clip(step / (h11 * h22 - h12**2)[:, None], -LONGEST, LONGEST)
    h11, h12, h22 = curvature(chance(logits(z)))
    # the root of the inverse of the curvature, lower triangular
    r11 = np.sqrt(h22 / (h11 * h22 - h12**2))
    r21, r22 = -h12 / h22 * r11, 1 / np.sqrt(h22)
    at = np.stack([z[:, :1] + r11[:, None] * ONE, z[:, 1:] + r21[:, None] * ONE + r22[:, None] * TWO], axis=-1)
    eta = logits(at)
    terms = (hits[:, None] * eta - of[:, None] * np.logaddexp(0, eta) - at**2 / 2).sum(axis=-1)
    terms += (ONE**2 + TWO**2) / 2 + LOG_WEIGHT
    return float(np.sum(np.logaddexp.reduce(terms, axis=1) + np.log(r11 * r22)))


def _minimum(cost: Callable[[Floats], float], start: Floats) -> Floats:
    """Return where the cost is least; the last three are a root, and a variance that lowers no cost is 0 exactly."""
    from scipy.optimize import minimize  # noqa: PLC0415 - slow to load

    best = minimize(cost, start, jac="3-point", method="BFGS", options={"gtol": 1e-7})
    a, b, c = best.x[-3:]
    for root in ((0, 0, 0), (0, 0, math.hypot(b, c)), (a, 0, 0)):
        simpler = np.concatenate([best.x[:-3], root])
        if cost(simpler) <= best.fun + ROUNDING * abs(best.fun):
            return simpler
    return np.asarray(best.x)


def _square(root: Floats) -> Floats:
    a, b, c = root
    return np.array([[a * a, a * b], [a * b, b * b + c * c]])


def _start(logits: Floats) -> Floats:
    """Return the root of a covariance, lower triangular, somewhat smaller than that of the logits."""
    (a, b), (_, c) = np.cov(logits.T) + 0.01 * np.eye(2)
    correlation = max(-STRONGEST, min(b / math.sqrt(a * c), STRONGEST))
    one, two = math.sqrt(SHARE * a), math.sqrt(SHARE * c)
    return np.array([one, correlation * two, math.sqrt(1 - correlation**2) * two])


def _found(mean: Floats, between: Floats, precision: Floats) -> Bivariate:
    def pairs(matrix: NDArray[Any]) -> tuple[tuple[float, float], tuple[float, float]]:
        (a, b), (c, d) = matrix.tolist()
        return (a, b), (c, d)

    return Bivariate((float(mean[0]), float(mean[1])), pairs(between), pairs(np.linalg.inv(precision)))
