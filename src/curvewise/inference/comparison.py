"""The result of comparing models: differences, tests, and the table of all pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError, Note, note
from curvewise.results.estimate import SHOWN_AS, Estimate
from curvewise.results.numbers import json_safe, percent, show
from curvewise.results.result import Result, Table

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Parts = Sequence[tuple[NDArray[np.float64], float]]

LEAST_P = math.ulp(0.0)
MANY = 200  # degrees of freedom, from which on F is as good as chi-square
RANK = 1e-12  # of the largest variance of a contrast, below which there is none
EXPLAINED = ("statistic", "p", "p_non_inferior", "p_equivalent")  # columns with a note on what they are


@dataclass(frozen=True, repr=False)
class Pair(Result, schema="pair"):
    """Two models: the first minus the second, and whether that differs from nothing.

    ``p_holm`` is the p-value corrected for all tests that are read together (all pairs, by all metrics that decide
    together), and ``simultaneous`` the difference with an interval valid together with those of all others
    (Bonferroni; None for a single test): it excludes 0 exactly where p times their number is below 1 - level.
    Holm's p-value is never larger than that product, so it may be below 1 - level where the interval still has 0.
    With a margin, ``p_non_inferior`` tests that the first is worse by the margin or more, ``p_equivalent`` that they
    differ by it or more.
    ``drawn`` are the differences of all resamples, rising, where a bootstrap made them.
    """

    first: str
    second: str
    difference: Estimate
    statistic: float | None
    p_value: float
    p_holm: float
    degrees_of_freedom: float | None = None
    p_non_inferior: float | None = None
    p_equivalent: float | None = None
    p_margins: tuple[float, float] | None = field(default=None, repr=False)  # below -margin, above margin
    simultaneous: Estimate | None = None
    drawn: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)

    @property
    def is_clear(self) -> bool:
        """Whether the two differ by the p-value that is corrected for all that are read together."""
        return self.p_holm < 1 - self.difference.level

    @property
    def table(self) -> Table:
        """One row: the difference with its interval, and the tests that were made."""
        gap = {"difference": self.difference.value, "low": self.difference.low, "high": self.difference.high}
        if self.simultaneous is not None:
            gap |= {"low_simultaneous": self.simultaneous.low, "high_simultaneous": self.simultaneous.high}
        tests = {"p": self.p_value, "p_holm": self.p_holm, "p_non_inferior": self.p_non_inferior}
        row = {"first": self.first, "second": self.second, **gap, "statistic": self.statistic, **tests}
        row["p_equivalent"] = self.p_equivalent
        return Table(self.difference.metric, {k: [v] for k, v in row.items() if v is not None})


@dataclass(frozen=True, repr=False)
class Comparison(Result, schema="comparison"):
    """Models compared on one metric.

    ``difference``, ``statistic`` and ``p_value`` speak of two models; of more, ``statistic`` and
    ``p_value`` are those of the test that all are equal, and ``pairs`` has the differences. ``family`` is how many
    comparisons are read together, by as many metrics: their p-values and simultaneous intervals allow for all.
    """

    metric: str
    method: str
    values: dict[str, float]
    pairs: tuple[Pair, ...]
    omnibus: tuple[float, float, float] | None = None  # chi-square (or Hotelling's T²), degrees of freedom, p
    notes: tuple[Note, ...] = ()
    family: int = 1

    @property
    def tests(self) -> int:
        """How many tests p-values are corrected for: the pairs, by every metric of the family."""
        return self.family * len(self.pairs)

    def clearly_better(self, *, higher: bool = True) -> set[tuple[str, str]]:
        """Return the pairs (better, worse) that the corrected tests tell apart; ``higher`` is better, or lower."""
        clear = [pair for pair in self.pairs if pair.is_clear]
        return {(p.first, p.second) if (p.difference.value > 0) == higher else (p.second, p.first) for p in clear}

    @property
    def selection_bias(self) -> float:
        """By how much the best of these values is too good on average if all models are equally good.

        That is the mean of the greatest of k normal deviates times the standard error of one of k values whose
        differences have the standard errors of the pairs: the root mean square of those, over √2.
        """
        from scipy.special import ndtr  # noqa: PLC0415 - slow to load

        gaps = [pair.difference for pair in self.pairs]
        reach = NormalDist().inv_cdf((1 + gaps[0].level) / 2)
        error = math.sqrt(np.mean([((gap.high - gap.low) / (2 * reach)) ** 2 for gap in gaps]) / 2)
        x, k = np.linspace(0, 9, 1001), len(self.values)
        return error * float(np.trapezoid(1 - ndtr(x) ** k - ndtr(-x) ** k, x))

    @property
    def difference(self) -> Estimate:
        """The first model minus the second."""
        if len(self.pairs) != 1:
            raise CurvewiseError(f"{len(self.values)} models have {len(self.pairs)} differences: see pairs or table.")
        return self.pairs[0].difference

    @property
    def statistic(self) -> float | None:
        """The test statistic: z (or t) of two models, chi-square of more; None where a bootstrap has none."""
        if len(self.pairs) == 1:
            return self.pairs[0].statistic
        return None if self.omnibus is None else self.omnibus[0]

    @property
    def p_value(self) -> float:
        """The p-value of two models being equal, or of all."""
        if len(self.pairs) == 1:
            return self.pairs[0].p_value
        if self.omnibus is None:
            raise CurvewiseError("This method has no test of all models at once: see pairs or table.")
        return self.omnibus[2]

    @property
    def table(self) -> Table:
        """All pairs, one row per pair."""
        rows = [pair.table.rows()[0] for pair in self.pairs]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        values = ", ".join(f"{k} {show(v)}" for k, v in self.values.items())
        level, how = self.pairs[0].difference.level, SHOWN_AS.get(self.method, self.method)
        return Table(f"{self.metric}: {values} ({how}, {percent(level)} intervals)", columns)

    def tables(self) -> list[Table]:
        """Return all pairs, and the test that all models are equal."""
        if self.omnibus is None:
            return [self.table]
        chi, degrees, p = self.omnibus
        row = {"first": "(all equal)", "statistic": chi, "degrees_of_freedom": degrees, "p": p}
        return [self.table, Table("", {name: [value] for name, value in row.items()})]

    def content(self) -> dict[str, Any]:
        """Return values, pairs and the test of all models, JSON-safe."""
        facts = {"metric": self.metric, "method": self.method, "level": self.pairs[0].difference.level}
        tests = {"values": self.values, "pairs": self.table.content()["rows"], "omnibus": self.omnibus}
        safe: dict[str, Any] = json_safe({**facts, **tests, "notes": self.notes})
        return safe

    def parts(self) -> list[Table | Note]:
        """Return the pairs, the test that all models are equal, and the notes."""
        columns = [f"column_{name}" for name in EXPLAINED if name in self.table.columns]
        notes = [*self.notes, note("columns", columns=columns), note("not_fitted_rows", tests=self.tests)]
        if self.pairs[0].simultaneous is not None:
            notes.append(note("simultaneous", tests=self.tests, alpha=1 - self.pairs[0].difference.level))
        if len(self.pairs) > 1 and self.pairs[0].p_margins is not None:
            notes.append(note("margins_uncorrected", pairs=len(self.pairs)))
        if self.omnibus is not None:
            chi, degrees, p = self.omnibus
            notes.insert(0, note("all_equal", chi=chi, degrees=degrees, p=p))
        return [self.table, *notes]


@runtime_checkable
class Comparable(Protocol):
    """What has a comparison of its own, as matched detections have: `curvewise.compare` hands it a dict of them."""

    @staticmethod
    def compare_models(models: Mapping[str, Any], **options: Any) -> Comparison:
        """Compare models by name; options as in `curvewise.compare`, those that were not given left out."""


@dataclass(frozen=True)
class Task:
    """What is compared: the models of tables, each by its metric, and perhaps a fixed value; and how.

    ``by_default`` says that the method was not asked for.
    """

    tables: list[Rows]
    targets: list[Bound]
    method: str
    level: float
    against: float | None
    rng: np.random.Generator | int | None
    replicates: int
    by_default: bool = False


class ModelTest:
    """How models are compared: their values, a test of each pair, and perhaps one of all at once."""

    values: list[float]
    notes: tuple[Note, ...] = ()

    def __init__(self, task: Task) -> None:
        self.task, self.method, self.level = task, task.method, task.level
        self.name = task.targets[0].name  # mutants: all alike

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        raise NotImplementedError

    def covariances(self) -> Parts:
        """Return parts whose sum is the covariance of all numbers, each from so many units; none if it is unknown."""
        return []

    def omnibus(self) -> tuple[float, float, float] | None:
        """Test that three numbers or more are all equal, where their covariance is known."""
        if len(self.values) < 3 or not np.isfinite(self.values).all():
            return None
        if not (parts := self.covariances()):
            self.notes += (note("no_omnibus", method=self.method),)
            return None
        square, rank, p_value, degrees = all_equal(self.values, parts)
        if degrees < MANY:
            self.notes += (note("omnibus_degrees", degrees=degrees),)
        return square, rank, p_value


def pair_of_models(
    names: tuple[str, str],
    difference: Estimate,
    statistic: float | None,
    p_value: float,
    margins: tuple[float, float] | None = None,
    **more: Any,
) -> Pair:
    """Return a pair; ``margins`` are the p-values of being lower, and higher, by the margin or more.

    A p-value smaller than any float is the smallest.
    """
    p_value, margins = max(p_value, LEAST_P), margins and (max(margins[0], LEAST_P), max(margins[1], LEAST_P))
    worse, equivalent = (None, None) if margins is None else (margins[0], max(margins))
    tests: Any = {"p_non_inferior": worse, "p_equivalent": equivalent, "p_margins": margins, **more}
    return Pair(*names, difference, statistic, p_value, math.nan, **tests)


def with_simultaneous(
    test: ModelTest, pairs: list[Pair], which: list[tuple[int, int]], names: list[str], family: int = 1
) -> list[Pair]:
    """Add intervals that hold for all pairs together: each at the level 1 - α/k, of k tests (Bonferroni)."""
    level, kept, tests = test.level, test.notes, family * len(pairs)
    if tests < 2 or not all(pair.difference.has_interval for pair in pairs):
        return pairs
    try:
        test.level = 1 - (1 - level) / tests
        wider = [test.pair(i, j, names, None).difference for i, j in which]
    finally:
        test.level, test.notes = level, kept
    return [replace(pair, simultaneous=replace(gap, level=level)) for pair, gap in zip(pairs, wider, strict=True)]


def all_equal(values: list[float], parts: Parts) -> tuple[float, float, float, float]:
    """Test that several numbers are all equal: Hotelling's T², how many differences, p, and degrees of freedom.

    The covariance is the sum of the parts, each an estimate from so many units. Their sum has the degrees of freedom
    of Krishnamoorthy and Yu; p is that of F, or of chi-square if the degrees are infinite.

    References
    ----------
    Krishnamoorthy & Yu (2004) Stat. Probab. Lett. 66:161-169.
    """
    from scipy.special import chdtrc, fdtrc  # noqa: PLC0415 - slow to load

    contrast = np.eye(len(values))[:-1] - np.eye(len(values))[1:]
    covariances = [np.pad(each, (0, len(values) - len(each))) for each, _ in parts]  # a fixed value does not vary
    within = [contrast @ each @ contrast.T for each in covariances]
    sizes, axes = np.linalg.eigh(sum(within))
    kept = sizes > RANK * max(sizes.max(), 0.0)
    white = axes[:, kept] / np.sqrt(sizes[kept])
    rank, square = int(kept.sum()), float(np.sum((white.T @ contrast @ np.array(values)) ** 2))
    if not rank:
        return 0.0, 0.0, 1.0, math.inf
    share = [white.T @ each @ white for each in within]
    lost = sum(
        (float(np.sum(each**2)) + float(np.trace(each)) ** 2) / max(units - 1, 1)
        for each, (_, units) in zip(share, parts, strict=True)
    )
    degrees = max(rank * (rank + 1) / lost, rank) if lost else math.inf
    if math.isinf(degrees):
        return square, float(rank), float(chdtrc(rank, square)), degrees
    left = degrees - rank + 1
    return square, float(rank), float(fdtrc(rank, left, square * left / (degrees * rank))), degrees


def holm(pairs: list[Pair]) -> tuple[Pair, ...]:
    """Correct p-values for their number, step by step from the smallest."""
    corrected = holm_corrected([pair.p_value for pair in pairs])
    return tuple(replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True))


def in_one_family(*comparisons: Comparison) -> dict[str, Comparison]:
    """Correct the p-values of comparisons by several metrics for all of their tests, step by step; by metric."""
    corrected = iter(holm_corrected([pair.p_value for comparison in comparisons for pair in comparison.pairs]))
    return {
        comparison.metric: replace(
            comparison, pairs=tuple(replace(pair, p_holm=next(corrected)) for pair in comparison.pairs)
        )
        for comparison in comparisons
    }


def holm_corrected(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, step by step from the smallest; NaN is no test and stays."""
    corrected = np.array(p_values, dtype=np.float64)
    tests = np.argsort(corrected, kind="stable")[: np.count_nonzero(~np.isnan(corrected))]
    steps = np.minimum(np.arange(len(tests), 0, -1) * corrected[tests], 1.0)
    corrected[tests] = np.maximum.accumulate(steps)
    found: list[float] = corrected.tolist()
    return found
