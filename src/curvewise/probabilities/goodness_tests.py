"""Tests of the hypothesis that the probabilities are right: a joint one, Spiegelhalter's, Hosmer and Lemeshow's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.errors import Note, UndefinedMetricError, note
from curvewise.metric.probability_bins import in_bins
from curvewise.metric.spline import knots_of, spline_columns
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.core.sweep import Sweep
    from curvewise.metric.blocks import Blocks, Clusters, Lines

KNOTS = 4
LEAST = 3.0  # positives and negatives that a group of the Hosmer-Lemeshow test must expect
CLUSTERS = 5  # per group: with fewer, the groups' covariance is known too badly


@dataclass(frozen=True, repr=False)
class GoodnessTest(Result, schema="goodness_test"):
    """A test statistic with its p-value, and degrees of freedom if any; NaN where ``reason`` says why."""

    test: str
    statistic: float
    p_value: float
    degrees: int | None = None
    reason: Note | None = None

    @property
    def table(self) -> Table:
        """One row."""
        return Table("", {k: [getattr(self, k)] for k in ("test", "statistic", "p_value", "degrees")})

    def parts(self) -> list[Table | Note]:
        """Return the row, and why it is undefined where it is."""
        return [self.table, *([] if self.reason is None else [self.reason])]


def spiegelhalter(blocks: Blocks) -> GoodnessTest:
    """Return z = Σ(y - p)(1 - 2p) / √Σ(1 - 2p)²p(1 - p), the Brier score's excess over what p predicts."""
    some, beyond = blocks, 0.0
    if blocks.is_plain and len(blocks.uncertain.p):  # others do not vary, and add 1 each where they are wrong
        some, beyond = blocks.uncertain.condensed, blocks.impossible

    def turn(here: slice) -> Floats:
        return 1 - 2 * some.p[None, here]

    excess, covariance, _ = some.null_sums(turn, "Spiegelhalter's z")
    scale = float(covariance[0, 0])
    if not scale:
        raise UndefinedMetricError(
            "Spiegelhalter's z needs a probability other than 0, 0.5 and 1: it looks at nothing there.",
            why=note("nothing_to_test"),
        )
    z = (float(excess[0]) + beyond) / math.sqrt(scale)
    return GoodnessTest("spiegelhalter", z, math.erfc(abs(z) / math.sqrt(2)))


def joint_test(blocks: Blocks) -> GoodnessTest:
    """Test level, slope and curvature together: the score test of a spline of logit(p) beside logit(p) itself.

    U'V⁻¹U with U = Σ w·x·(y - p), x = 1, logit(p) and the bends of a restricted cubic spline, and V the
    covariance of U if p is right. Knots are quantiles of the information p(1 - p), so that rare positives have
    a say. As nothing is fitted, mean and variance of the statistic are known exactly: it is compared with the
    chi-square distribution of that mean and variance (with clusters, with F).
    """
    inside, impossible = _uncertain(blocks, "A test of calibration")
    if impossible:
        return GoodnessTest("joint_test", math.inf, 0.0)
    knots = knots_of(inside, KNOTS)
    if inside.is_plain:
        inside = inside.condensed
    x = _independent(inside, knots)
    away, covariance, degrees = inside.null_sums(x, "A test of calibration")
    k = len(away)
    if inside.clusters is not None and degrees < k + 1:
        number = inside.clusters.number
        raise UndefinedMetricError(
            f"A joint test of calibration needs more clusters: there are {number}, and they tell as much as "
            f"{degrees + 1:.1f} that are alike.",
            why=note("few_clusters_joint", clusters=number),
        )
    inverse = np.asarray(np.linalg.inv(covariance), dtype=np.float64)
    statistic = float(away @ inverse @ away)
    from scipy.special import chdtrc, fdtrc  # noqa: PLC0415 - slow to load

    if inside.clusters is not None:
        return GoodnessTest("joint_test", statistic, float(fdtrc(k, degrees, statistic / k)), k)

    def excess(here: slice) -> float:
        lines = x(here)
        reach = (lines * _combined(inverse, lines)).sum(axis=0)
        fourth = inside.null_moments("A test of calibration", here)[1]
        fourth *= reach  # in this order no square of a huge number overflows
        return float(np.sum(fourth * reach))

    # a sum of squares of normal variables has the variance 2k; y - p has a fourth cumulant besides
    variance = 2 * k + float(inside.summed(excess))
    if variance < 1e-9:  # a single row of p = 0.5: the statistic cannot vary  # mutants: rounding
        return GoodnessTest("joint_test", statistic, 1.0, k)
    found = 2 * k * k / variance
    return GoodnessTest("joint_test", statistic, float(chdtrc(found, statistic * found / k)), k)


def _uncertain(blocks: Blocks, what: str) -> tuple[Blocks, bool]:
    """Return the rows with a probability between 0 and 1, and whether any other is wrong, which is impossible."""
    wrong, inside = blocks.impossible, blocks.uncertain
    if not wrong and not len(inside.p):
        raise UndefinedMetricError(f"{what} needs a probability between 0 and 1.", why=note("probabilities_certain"))
    return inside, wrong > 0


def _independent(blocks: Blocks, knots: Floats) -> Lines:
    """Return what reads 1, the log odds and the bends of their spline, each less what the ones before say of it."""
    few = blocks.condensed

    def columns(odds: Floats) -> list[Floats]:
        return [np.ones(len(odds)), *spline_columns(odds, knots)]

    information = few.weight * few.p * (1 - few.p)
    some = np.stack(columns(few.odds))
    found: list[Floats] = []
    for k, column in enumerate(some):
        rest = np.eye(len(some))[k]
        for _ in range(2):  # again for what rounding has left  # mutants: rounding
            for other in found:
                rest = rest - np.sum(information * (rest @ some) * (other @ some)) * other
        length = math.sqrt(np.sum(information * (rest @ some) ** 2))
        if length > 1e-6 * math.sqrt(np.sum(information * column**2)):  # mutants: rounding
            found.append(rest / length)
    combination = np.stack(found)
    # a piece at a time: all of them would not fit the cache, and take longer to write down than to find again
    return lambda here: _combined(combination, columns(blocks.odds[here]))


def _combined(factors: Floats, lines: Sequence[Floats] | Floats) -> Floats:
    """Return sums of lines, each with its factors, without BLAS, whose threads would fight with ours."""
    found = np.zeros((len(factors), len(lines[0])))
    for k, each in enumerate(factors.tolist()):
        for factor, line in zip(each, lines, strict=True):
            if factor:
                found[k] += factor * line  # mutants: sign not seen
    return found


def hosmer_lemeshow(sweep: Sweep, blocks: Blocks, groups: int) -> GoodnessTest:
    """Return Σ(O - E)² / (E(1 - E/n)) over groups of equal count, with as many degrees of freedom as groups.

    Neighbouring groups are put together until each expects `LEAST` positives and negatives: with fewer the
    statistic is no chi-square, and rejected right probabilities in 9 to 12 of 100 samples with 10 to 50
    positives. With clusters, (O - E)'V⁻¹(O - E): groups that share clusters vary together.
    """
    if not blocks.whole:
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs rows that count alike: these are weighted.",
            why=note("needs_equal_weights"),
        )
    if _uncertain(blocks, "The Hosmer-Lemeshow test")[1]:
        return GoodnessTest("hosmer_lemeshow", math.inf, 0.0)
    found = in_bins(sweep, groups, "count")
    predicted, cells = found.n * found.mean, found.clusters(blocks)
    alike = 1.0 if cells is None else blocks.rows("The Hosmer-Lemeshow test") / blocks.n
    into = _merged(predicted * alike, (found.n - predicted) * alike)
    n, positives, expected = (
        np.bincount(into, each).astype(np.float64) for each in (found.n, found.positives, predicted)
    )
    away, variance, degrees = positives - expected, expected * (1 - expected / n), len(n)
    if cells is None:
        statistic = float(np.sum(away**2 / variance))
    else:
        together = _together(replace(cells, place=into[cells.place]), variance, n)
        statistic = float(away @ np.linalg.solve(together, away))
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

    return GoodnessTest("hosmer_lemeshow", statistic, float(chdtrc(degrees, statistic)), degrees)


def _merged(positives: Floats, negatives: Floats) -> NDArray[np.intp]:
    """Return the number of each group after merging: from the lowest, one ends when it expects enough."""
    into, current, held = np.zeros(len(positives), dtype=np.intp), 0, np.zeros(2)
    for k, both in enumerate(zip(positives, negatives, strict=True)):
        into[k] = current
        held = held + both
        if held.min() >= LEAST:
            current, held = current + 1, np.zeros(2)
    if held.any() and current:  # what is left goes to the group before
        into[into == current] = current - 1
    return into


def _together(cells: Clusters, variance: Floats, n: Floats) -> Floats:
    """Return the covariance of O - E of groups that share clusters."""
    if cells.number < CLUSTERS * len(n):
        raise UndefinedMetricError(
            f"The Hosmer-Lemeshow test needs {CLUSTERS} clusters per group: there are {cells.number} for "
            f"{len(n)} groups.",
            why=note("few_clusters_per_group", clusters=cells.number, groups=len(n), least=CLUSTERS),
        )
    weight, group, cluster = cells.by_place(len(n))
    share = np.zeros((cells.number, len(n)))
    share[cluster, group] = weight * np.sqrt(variance / n)[group]
    return np.asarray(cells.correlation * share.T @ share + (1 - cells.correlation) * np.diag(variance))
