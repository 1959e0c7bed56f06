"""The calibration belt: where the true share of positives may lie, for all probabilities at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from curvewise.arrays import Floats
from curvewise.errors import CurvewiseError, Note, UndefinedMetricError, note
from curvewise.inference.limits import crossing
from curvewise.metric.blocks import Blocks, read_blocks
from curvewise.metric.log_odds import chance, log_odds
from curvewise.metric.logistic import Fit, between_0_and_1, fit_logistic, need_overlap
from curvewise.metric.probability_bins import MANY
from curvewise.results.numbers import json_safe, percent
from curvewise.results.result import Result, Table
from curvewise.rows.checks import real, values_of, whole
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

GRID = 101
NODES = 48  # of Gauss and Legendre: the distribution to about 1e-9
MOST_STEPS = 60


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationBelt(Result, schema="calibration_belt"):
    """The fitted share of positives over p, with belts of one or more levels, and the test that goes with them.

    Attributes
    ----------
    p, observed
        Probabilities as told, rising, and the share of positives that the polynomial has there.
    low, high
        The ends of the belts, one line per level.
    levels
        The confidence levels, rising.
    degree
        Of the polynomial of logit(p) that the forward selection chose.
    statistic, p_value
        The likelihood ratio of the polynomial against the diagonal, and its p-value given the degree.
    n, positives
        The rows, and how many of them positive.
    """

    p: Floats
    observed: Floats
    low: Floats
    high: Floats
    levels: tuple[float, ...]
    degree: int
    statistic: float
    p_value: float
    n: float
    positives: float
    notes: tuple[Note, ...] = ()
    backend: str | None = None

    def __post_init__(self) -> None:
        for values in (self.p, self.observed, self.low, self.high):
            values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.p)

    @property
    def table(self) -> Table:
        """The belts as a table: ``low95`` and ``high95`` are the ends at 95%."""
        columns = {"p": self.p.tolist(), "observed": self.observed.tolist()}
        for level, low, high in zip(self.levels, self.low, self.high, strict=True):
            columns |= {f"low{100 * level:.4g}": low.tolist(), f"high{100 * level:.4g}": high.tolist()}
        return Table(self._title(), columns, self.backend)

    def outside(self, level: float | None = None) -> list[tuple[float, float, str]]:
        """Return the ranges of p in which the belt leaves the diagonal: from, to, ``"above"`` or ``"below"``.

        ``level`` is one of the levels, by default the highest. Above means that there are more positives than p
        says. The ends are those of the places at which the belt was read.
        """
        which = len(self.levels) - 1 if level is None else self._place(level)
        side = np.where(self.low[which] > self.p, 1, np.where(self.high[which] < self.p, -1, 0))
        starts = np.flatnonzero(np.diff(side, prepend=0))
        ends = np.append(starts, len(side))[1:]
        return [
            (float(self.p[a]), float(self.p[b - 1]), "above" if side[a] > 0 else "below")
            for a, b in zip(starts, ends, strict=True)
            if side[a]
        ]

    def content(self) -> dict[str, Any]:
        """Return how it was made, and one dict per point."""
        names = ("levels", "degree", "statistic", "p_value", "n", "positives", "notes")
        return {**{name: json_safe(getattr(self, name)) for name in names}, **self.table.content()}

    def _place(self, level: float) -> int:
        if level not in self.levels:
            raise CurvewiseError(f"level: expected one of {', '.join(map(str, self.levels))}, got {shown(level)}.")
        return self.levels.index(level)

    def _title(self) -> str:
        return f"Calibration belt: degree {self.degree}, p-value {self.p_value:.4g}"

    def __str__(self) -> str:
        top = f"{percent(self.levels[-1])}"
        ranges = [f"{side} the diagonal from {a:.4g} to {b:.4g}" for a, b, side in self.outside()]
        where = f"the {top} belt lies {', '.join(ranges)}" if ranges else f"the {top} belt holds the diagonal"
        return "\n".join([f"{self._title()}; {where}", *(f"  note: {n}" for n in self.notes)])


def calibration_belt(
    y: object,
    p: object = None,
    *,
    levels: Sequence[float] = (0.8, 0.95),
    max_degree: int = 4,
    selection: float = 0.95,
    **rows: Unpack[RowOptions],
) -> CalibrationBelt:
    """Return the calibration belt: where the true share of positives may lie, for all p at once.

    Parameters
    ----------
    y, p
        As in `curvewise.brier_loss`, of rows that the model was not fitted on.
    levels
        Confidence levels of the belts.
    max_degree
        The highest degree of the polynomial, 1 to 4.
    selection
        A further degree is taken where its likelihood ratio test rejects at 1 - selection.

    Notes
    -----
    logit P(y) = β₀ + β₁·logit(p) + … + βₘ·logit(p)ᵐ by maximum likelihood; the degree m is raised from 1 as
    long as the likelihood ratio of one more is significant. The test compares the last model with the
    diagonal (β₁ = 1, all others 0): given m, its statistic is a chi-square of two degrees of freedom plus one
    chi-square of one degree for each step that was taken, each above the selection's limit. The belt
    at each p is the range of fitted shares over all β that the same test would not reject. It is a band for
    the whole curve: a belt that leaves the diagonal anywhere means p_value < 1 - level. The reverse need not
    hold, as a polynomial may differ from the diagonal beyond the probabilities that there are.

    The joint test of `curvewise.calibration` is the better one with few rows: this one rejected right
    probabilities in 4 to 7 of 100 samples with 10 to 50 positives at 0.05. Weights and clusters are refused:
    a likelihood ratio needs independent rows that count alike (``weight_kind="count"`` is taken).

    References
    ----------
    Nattino, Finazzi & Bertolini (2014) Statist. Med. 33:2390-2407. Finazzi et al. (2011) PLoS ONE 6:e16110.

    Examples
    --------
    >>> import numpy as np
    >>> import curvewise as cw
    >>> p = np.arange(1, 200) / 200
    >>> y = (np.arange(199) * 89 % 199) / 199 < p**2
    >>> cw.calibration_belt(y, p)
    Calibration belt: degree 3, p-value 1.67e-06; the 95% belt lies below the diagonal from 0.1991 to 0.6537
    """
    max_degree = whole("max_degree", max_degree, 1)
    if max_degree > 4:
        raise CurvewiseError(f"max_degree: expected 1 to 4, got {max_degree}.")
    selection = real("selection", selection, 0, 1, closed=False)
    wanted = tuple(sorted({real("levels", level, 0, 1, closed=False) for level in values_of("levels", levels)}))
    if not wanted:
        raise CurvewiseError("levels: expected at least one confidence level, got none.")
    sweep, blocks = read_blocks(y, p, rows)
    if not blocks.is_plain:
        what = "in clusters" if blocks.clusters is not None else "in strata" if blocks.sampled else "weighted"
        raise CurvewiseError(
            f"A calibration belt needs independent rows that count alike, and these are {what}; "
            "cw.calibration and cw.reliability take them."
        )
    used, left_out = between_0_and_1(blocks, "A calibration belt")
    need_overlap(used, "A calibration belt")
    few = used.condensed
    odds = few.odds
    centre, scale = float(odds.mean()), float(odds.std()) or 1.0

    def powers(x: Floats, degree: int) -> list[Floats]:
        return [((x - centre) / scale) ** k for k in range(1, degree + 1)]

    fit, degree = _selected(used, powers, max_degree, selection)
    at = _places(odds)
    model = _Likelihood(np.stack([np.ones(len(odds)), *powers(odds, degree)]), few, fit)
    x = np.stack([np.ones(len(at)), *powers(at, degree)])
    statistic = max(2 * (fit.log_likelihood - model.diagonal), 0.0)
    ends = [model.extremes(x, _quantile(level, degree, selection)) for level in wanted]
    low, high = (np.stack([chance(end[side]) for end in ends]) for side in (0, 1))
    notes = (note("certain_rows_left_out", left_out=left_out, rows=blocks.n),) if left_out else ()
    return CalibrationBelt(
        chance(at),
        chance(fit.coefficients @ x),
        low,
        high,
        wanted,
        degree,
        statistic,
        beyond(statistic, degree, selection),
        sweep.n,
        sweep.positives,
        notes,
        sweep.backend,
    )


def beyond(statistic: float, degree: int, selection: float) -> float:
    """Return how often the statistic is larger if the probabilities are right, given the degree selected.

    S₁(t) = e^(-t/2), and each further degree adds a chi-square s of one degree above its limit k:
    Sₘ(t) = ∫ₖ f(s)·Sₘ₋₁(t - s) ds / (1 - selection), with S = 1 below 0.
    """
    from scipy.special import chdtri, erfc  # noqa: PLC0415 - slow to load

    limit = float(chdtri(1, 1 - selection))
    nodes, weights = np.polynomial.legendre.leggauss(NODES)

    def above(t: Floats, steps: int) -> Floats:
        if not steps:
            return np.asarray(np.exp(-np.maximum(t, 0) / 2))
        # s = u², whose density is smooth; the other steps take at least their limits
        start, end = math.sqrt(limit), np.sqrt(np.maximum(t - (steps - 1) * limit, limit))
        half = (end - start) / 2
        u = start + half[..., None] * (nodes + 1)
        dense = np.exp(-(u**2) / 2) * math.sqrt(2 / math.pi)
        inside = (weights * dense * above(t[..., None] - u**2, steps - 1)).sum(axis=-1) * half
        return np.asarray((inside + erfc(end / math.sqrt(2))) / (1 - selection))

    return float(np.clip(above(np.array(statistic), degree - 1), 0, 1))


def _quantile(level: float, degree: int, selection: float) -> float:
    return crossing(lambda t: beyond(t, degree, selection) - (1 - level), 0.0, 200.0)


def _selected(
    blocks: Blocks, powers: Callable[[Floats, int], list[Floats]], highest: int, selection: float
) -> tuple[Fit, int]:
    """Raise the degree as long as one more is significant."""
    from scipy.special import chdtri  # noqa: PLC0415 - slow to load

    def fitted(degree: int) -> Fit:
        return fit_logistic(lambda some: powers(some.odds, degree), blocks)

    fit, degree, limit = fitted(1), 1, float(chdtri(1, 1 - selection))
    most = min(highest, len(blocks.p) - 1)
    while degree < most:
        try:
            more = fitted(degree + 1)
        except UndefinedMetricError:  # this degree separates the classes: it has no finite answer
            break
        if 2 * (more.log_likelihood - fit.log_likelihood) <= limit:
            break
        fit, degree = more, degree + 1
    return fit, degree


def _places(odds: Floats) -> Floats:
    """Return the log odds at which the belt is read: half at equal steps of p, half of log odds."""
    low, high = float(odds.min()), float(odds.max())
    ends = chance(np.array([low, high]))
    inner = np.linspace(ends[0], ends[1], GRID // 2 + 2)[1:-1]
    return np.unique(np.append(np.linspace(low, high, GRID // 2 + 1), log_odds(inner)))


class _Likelihood:
    """The log-likelihood of a polynomial, and the range of its values where that falls by so much."""

    def __init__(self, design: Floats, blocks: Blocks, fit: Fit) -> None:
        p, pos, neg = blocks.p, blocks.positives, blocks.negatives
        self.diagonal = -float(np.sum(pos * np.logaddexp(0, -blocks.odds) + neg * np.logaddexp(0, blocks.odds)))
        self.best, self.fit = fit.log_likelihood, fit
        if len(p) > MANY:  # neighbours together: the belt is a smooth function of them
            starts = np.linspace(0, len(p), MANY, endpoint=False).astype(np.intp)
            n = np.add.reduceat(pos + neg, starts)
            design = np.add.reduceat(design * (pos + neg), starts, axis=1) / n
            pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
        self.design, self.positives, self.negatives = design, pos, neg
        self.best = self.at(fit.coefficients[:, None])[0].item()

    def at(self, beta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return value, gradient and information of each column of coefficients."""
        eta = self.design.T @ beta
        small = np.exp(-np.abs(eta))
        pos, neg = self.positives[:, None], self.negatives[:, None]
        value = np.sum(pos * np.minimum(eta, 0) - neg * np.maximum(eta, 0) - (pos + neg) * np.log1p(small), axis=0)
        right = np.where(eta < 0, small, 1.0) / (1 + small)
        gradient = self.design @ (pos * (1 - right) - neg * right)
        weight = (pos + neg) * small / (1 + small) ** 2
        return value, gradient, np.einsum("ji,ib,ki->bjk", self.design, weight, self.design)

    def extremes(self, x: Floats, limit: float) -> tuple[Floats, Floats]:
        """Return least and largest x'β at each column of x over all β with 2·(best - value) ≤ limit."""
        best = self.fit.coefficients
        move = np.linalg.solve(self.at(best[:, None])[2][0], x)
        move *= math.sqrt(limit) / np.sqrt(np.sum(x * move, axis=0))
        both = np.hstack([-x, x])  # the least of x'β is the largest of -x'β
        beta = best[:, None] + np.hstack([-move, move])
        for _ in range(MOST_STEPS):
            value, gradient, information = self.at(beta)
            short = 2 * (self.best - value) - limit
            # Newton's step to the largest both'β where 2·(best - value) = limit
            along = np.linalg.solve(information, both.T[..., None])[..., 0].T
            down = np.linalg.solve(information, gradient.T[..., None])[..., 0].T
            slope = np.sum(gradient * along, axis=0)
            times = (short - 2 * np.sum(gradient * down, axis=0)) / (2 * slope)
            step = down + times * along
            size = np.sqrt(np.einsum("jb,bjk,kb->b", step, information, step))
            beta = beta + step * np.minimum(1, 1 / np.maximum(size, 1e-300))
            if size.max() < 1e-7:
                break
        else:
            raise UndefinedMetricError(
                "The calibration belt has no finite ends: too few rows of a class.", why=note("separated_no_fit")
            )
        found = np.sum(both * beta, axis=0)
        return -found[: x.shape[1]], found[x.shape[1] :]
