"""How many rows a comparison of AUCs needs, and what a study of a given size can show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import CurvewiseError, OptionError
from curvewise.inference.binormal_variance import NORMAL, auc_covariance, auc_variance
from curvewise.inference.delong import placements
from curvewise.inference.limits import critical_value
from curvewise.rows.checks import one_of, real
from curvewise.rows.reading import as_rows

if TYPE_CHECKING:
    from curvewise.rows.rows import RowOptions

    Test = Callable[[float, float], float]  # from cases and controls to the power

PowerMethod = Literal["binormal", "obuchowski"]
ROOT = 1.414  # the authors' own rounding of √2, which pROC follows
NULL = 0.0792  # Obuchowski's variance at AUC 0.5, per case, before the controls' share
STEP = 1e-4  # of an AUC, for the slope of its standard error


def power(
    auc: float,
    other: float | None = None,
    *,
    cases: float,
    controls: float,
    correlation: float | None = None,
    score_correlation: float | None = None,
    level: float = 0.95,
    method: PowerMethod = "binormal",
) -> float:
    """Return the chance that a study of this size finds a difference that is there.

    Parameters
    ----------
    auc, other
        The AUC that the model is expected to have, and that of a second model; None is chance, 0.5. Which of two
        models is named first does not matter.
    cases, controls
        How many positives and negatives.
    correlation
        Of the two models' AUC estimates: 0, the default, for different rows; often 0.3 to 0.7 for the same rows.
    score_correlation
        In its place: the correlation of the two models' scores (as ranks turned into normal deviates) within the
        cases and within the controls, from which that of the AUCs follows; it is a little smaller.
    level
        The test is two-sided at 1 - ``level``, so that it agrees with an interval of that level.
    method
        ``"binormal"`` (default), or ``"obuchowski"``: pROC's formulas, in which the order of two models matters.

    Notes
    -----
    Scores are taken to be normal in each class with equal spread, for which the variance of an AUC is known
    exactly: V = (A(1-A) + (m+n-2)(Q-A²))/mn, with Q = A - 2T(Φ⁻¹(A), 1/√3) and Owen's T.

    *Against chance*: Wilcoxon's test, whose variance is (m+n+1)/12mn if there is nothing to find, so that the
    power is Φ((|A-½| - z·√V₀)/√V).

    *Two models*: the test of `curvewise.compare`, which estimates the variance V = V₁ + V₂ - 2r√(V₁V₂) from the
    rows. It rejects where W = |A₁-A₂| - z·√V is above 0. As V follows both AUCs, the variance of W is that of
    its linear part, ∇W′Σ∇W with the covariance Σ of the two estimates, and the power is Φ(W/√(∇W′Σ∇W)). In
    simulations it was right within 0.02 with 30 positives or more and AUCs up to 0.95, else within 0.05.

    ``"obuchowski"``: with A = 1.414·Φ⁻¹(AUC) and κ controls per case, the variance per case is
    0.0099·e^(-A²/2)·(5A² + 8 + (A² + 8)/κ), and without a difference 0.0792·(1 + 1/κ) against chance, 2(1-r)V₁ for
    two models. V₁ is that of the first model alone, so that turning two models round changes the answer.

    References
    ----------
    Bamber (1975) J. Math. Psychol. 12:387-415. Owen (1956) Ann. Math. Statist. 27:1075-1090. Obuchowski &
    McClish (1997) Statistics in Medicine 16:1529-1542. Obuchowski, Lieber & Wians (2004) Clinical Chemistry
    50:1118-1125.

    Examples
    --------
    >>> import curvewise as cw
    >>> round(cw.power(0.7, cases=50, controls=50), 3)
    0.952
    >>> round(cw.power(0.85, 0.80, cases=160, controls=640, correlation=0.5), 3)
    0.795
    """
    test = _test(auc, other, correlation, score_correlation, level, method)
    cases, controls = (real(k, v, 2, math.inf) for k, v in (("cases", cases), ("controls", controls)))
    return test(cases, controls)


def sample_size(
    auc: float,
    other: float | None = None,
    *,
    power: float = 0.9,
    ratio: float = 1,
    correlation: float | None = None,
    score_correlation: float | None = None,
    level: float = 0.95,
    method: PowerMethod = "binormal",
) -> tuple[int, int]:
    """Return how many cases and controls a study needs to find a difference that is there.

    Parameters
    ----------
    auc, other, correlation, score_correlation, level, method
        As in `curvewise.power`.
    power, ratio
        The chance of finding it; controls for each case. Cases are the fewest that reach it; controls are
        rounded up.

    Examples
    --------
    >>> import curvewise as cw
    >>> cw.sample_size(0.8, power=0.9)
    (17, 17)
    >>> cw.sample_size(0.85, 0.80, power=0.8, ratio=4, correlation=0.5)
    (163, 652)
    >>> cw.sample_size(0.80, 0.85, power=0.8, ratio=4, correlation=0.5)
    (163, 652)
    """
    ratio = real("ratio", ratio, 0, math.inf, closed=False)
    wanted = share("power", power)
    test = _test(auc, other, correlation, score_correlation, level, method)
    first = max(2, math.ceil(2 / ratio))
    cases = fewest(lambda m: test(m, m * ratio) >= wanted, first)
    return cases, math.ceil(cases * ratio)


def pilot_power(
    y: object,
    scores: Mapping[str, object] | None = None,
    *,
    cases: float | None = None,
    controls: float | None = None,
    level: float = 0.95,
    method: Literal["delong", "obuchowski"] = "delong",
    **rows: Unpack[RowOptions],
) -> float:
    """Return the chance that a study of this size tells two models apart, if the pilot is right.

    Parameters
    ----------
    y, scores
        Labels, and the scores of two models on the same rows, as in `curvewise.compare`; or `Rows` of two
        models alone. Which of them is named first does not matter.
    cases, controls, level
        As in `curvewise.power`; positives and negatives are by default those of the pilot.
    method
        ``"delong"`` (default), or ``"obuchowski"``: pROC's formula, in which the order of the models matters.
    **rows
        Of `curvewise.sweep`; rows with weights or clusters are refused: a pilot of such rows says too little
        about a larger study.

    Notes
    -----
    With DeLong's variances V₁, V₂ and covariance C of the two AUCs at the study's size, the power is
    Φ(|A₁ - A₂|/√(V₁ + V₂ - 2C) - z). ``"obuchowski"`` takes 2V₁ - 2C for the variance if there is no difference:
    Φ((|A₁ - A₂| - z·√(2V₁ - 2C)) / √(V₁ + V₂ - 2C)). A pilot's difference is itself uncertain: treat
    the answer as a guess, and never use it to explain a study that is over (Obuchowski & McClish 1997).

    Examples
    --------
    >>> import curvewise as cw
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [9, 8, 7, 3, 6, 5, 2, 1], [9, 4, 3, 2, 8, 7, 6, 1]
    >>> round(cw.pilot_power(y, {"a": a, "b": b}, cases=20, controls=20), 3)
    0.979
    """
    one_of("method", method, ("delong", "obuchowski"))
    table = as_rows(y, scores, rows)
    if len(table.scores) != 2:
        raise CurvewiseError('scores: expected two models, as in {"a": scores_a, "b": scores_b}.')
    if not table.is_plain or table.weight is not None:
        raise CurvewiseError(
            "weight, cluster, stratum: power from a pilot takes rows that are independent and count alike; "
            "leave them out."
        )
    sweep_of(table.of(table.models[0])).need_both_classes("The power to compare AUCs")
    placed = placements(table)
    sizes = {"cases": cases, "controls": controls}
    variance = np.zeros((2, 2))
    for on, (name, size) in zip((table.positive, ~table.positive), sizes.items(), strict=True):
        count = int(on.sum())
        if count < 2:
            raise CurvewiseError(f"y: expected at least two {name} in the pilot, got {count}.")
        variance += np.cov(placed.value[:, on]) / (count if size is None else real(name, size, 2, math.inf))
    first, second = placed.auc()
    gap = abs(first - second)
    alternative = variance[0, 0] + variance[1, 1] - 2 * variance[0, 1]
    null = alternative if method == "delong" else 2 * variance[0, 0] - 2 * variance[0, 1]
    if alternative <= 0 or gap == 0:
        raise CurvewiseError("scores: expected two models that differ; no study finds a difference of 0.")
    return NORMAL.cdf((gap - reach(level) * math.sqrt(max(null, 0.0))) / math.sqrt(alternative))


def _test(
    auc: float,
    other: float | None,
    correlation: float | None,
    score_correlation: float | None,
    level: float,
    method: str,
) -> Test:
    """Check what is planned, and return the power of its test as a function of cases and controls."""
    one_of("method", method, ("binormal", "obuchowski"))
    first, second = share("auc", auc), 0.5 if other is None else share("other", other)
    if first == second:
        raise CurvewiseError("auc, other: expected two AUCs that differ; no study finds a difference of 0.")
    correlations = {"correlation": correlation, "score_correlation": score_correlation}
    together = {name: real(name, r, -1, 1) for name, r in correlations.items() if r is not None}
    if together and other is None:
        raise OptionError.of(next(iter(together)), "one model alone is correlated with nothing; leave it out.")
    if len(together) == 2:
        raise OptionError.of("score_correlation", "it stands in the place of correlation; leave one of them out.")
    z = reach(level)
    if method == "obuchowski":
        if score_correlation is not None:
            raise OptionError.of("score_correlation", "method='obuchowski' takes correlation, that of the AUCs.")
        return _obuchowski(first, None if other is None else second, together.get("correlation", 0.0), z)
    if other is None:
        return _against_chance(first, z)
    return _two_models(max(first, second), min(first, second), together, z)


def _against_chance(auc: float, z: float) -> Test:
    def test(m: float, n: float) -> float:
        null = (m + n + 1) / (12 * m * n)
        return NORMAL.cdf((abs(auc - 0.5) - z * math.sqrt(null)) / math.sqrt(auc_variance(auc, m, n)))

    return test


def _two_models(high: float, low: float, together: Mapping[str, float], z: float) -> Test:
    by_scores = together.get("score_correlation")

    def covariance(a: float, b: float, m: float, n: float) -> tuple[float, float, float]:
        one, two = auc_variance(a, m, n), auc_variance(b, m, n)
        if by_scores is not None:
            return one, two, auc_covariance(a, b, by_scores, m, n)
        return one, two, together.get("correlation", 0.0) * math.sqrt(one * two)

    def error(a: float, b: float, m: float, n: float) -> float:
        one, two, both = covariance(a, b, m, n)
        if one + two - 2 * both <= 1e-12 * (one + two):
            raise CurvewiseError(
                "correlation: with these AUCs it leaves the difference no variance; expected one nearer to 0."
            )
        return math.sqrt(one + two - 2 * both)

    def test(m: float, n: float) -> float:
        def slope(a: float, b: float) -> float:
            return (error(high + a, low + b, m, n) - error(high - a, low - b, m, n)) / (2 * (a + b))

        steps = [min(STEP, auc / 2, (1 - auc) / 2) for auc in (high, low)]
        # more of the first model's AUC, or less of the second's, never makes the test reject less
        up, down = max(1 - z * slope(steps[0], 0.0), 0.0), min(-1 - z * slope(0.0, steps[1]), 0.0)
        one, two, both = covariance(high, low, m, n)
        variance = up**2 * one + down**2 * two + 2 * up * down * both
        margin = high - low - z * error(high, low, m, n)
        if variance <= 0:
            return float(margin > 0)
        return NORMAL.cdf(margin / math.sqrt(variance))

    return test


def _obuchowski(first: float, second: float | None, correlation: float, z: float) -> Test:
    def variance(auc: float, ratio: float) -> float:
        square = (ROOT * NORMAL.inv_cdf(auc)) ** 2
        return 0.0099 * math.exp(-square / 2) * (5 * square + 8 + (square + 8) / ratio)

    def test(m: float, n: float) -> float:
        one = variance(first, n / m)
        if second is None:
            null, alternative, gap = NULL * (1 + m / n), one, abs(first - 0.5)
        else:
            two = variance(second, n / m)
            null, gap = 2 * (1 - correlation) * one, abs(first - second)
            alternative = one + two - 2 * correlation * math.sqrt(one * two)
        if alternative <= 0:
            raise CurvewiseError(
                "correlation: with these AUCs it leaves the difference no variance; expected one nearer to 0."
            )
        return NORMAL.cdf((gap * math.sqrt(m) - z * math.sqrt(null)) / math.sqrt(alternative))

    return test


def fewest(enough: Callable[[int], bool], first: int) -> int:
    """Return the smallest whole number from ``first`` on that is enough, if more are enough, too."""
    high = first
    while not enough(high):
        if high > 1 << 50:
            raise CurvewiseError("No study of fewer than 10^15 rows is large enough; ask for less.")
        high *= 2
    low = max(high // 2, first - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def reach(level: float) -> float:
    """Return how many standard errors an interval of this level reaches."""
    return critical_value(share("level", level))


def share(name: str, value: float) -> float:
    """Check a number strictly between 0 and 1."""
    return real(name, value, 0, 1, closed=False)
