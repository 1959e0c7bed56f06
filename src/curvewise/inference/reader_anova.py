"""The analysis of variance of readers by modalities, whose errors are correlated because the cases are the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curvewise.arrays import Floats
from curvewise.core.resampling import class_order, row_counter, units

if TYPE_CHECKING:
    from curvewise.metric.registry import Bound
    from curvewise.rows.rows import Rows

    Spread = tuple[float, float]  # a variance, and its degrees of freedom


@dataclass(frozen=True)
class ReaderAnova:
    """Obuchowski and Rockette's model of t modalities (first axis) and r readers.

    ``covariance`` is that of all t·r numbers, given the readers. ``random_readers`` and ``random_cases`` say over
    what the variances speak.
    """

    values: Floats
    covariance: Floats
    random_readers: bool
    random_cases: bool

    @property
    def modalities(self) -> int:
        """How many modalities there are."""
        return int(self.values.shape[0])

    @property
    def readers(self) -> int:
        """How many readers there are."""
        return int(self.values.shape[1])

    @cached_property
    def mean_squares(self) -> tuple[float, float, float]:
        """The mean squares of modalities, of readers, and of both together; NaN without degrees of freedom."""
        t, r = self.values.shape
        by_modality, by_reader, mean = self.values.mean(axis=1), self.values.mean(axis=0), self.values.mean()
        left = self.values - by_modality[:, None] - by_reader + mean
        sums = (
            r * float(np.sum((by_modality - mean) ** 2)),
            t * float(np.sum((by_reader - mean) ** 2)),
            float(np.sum(left**2)),
        )
        degrees = t - 1, r - 1, (t - 1) * (r - 1)
        first, second, third = (s / d if d else math.nan for s, d in zip(sums, degrees, strict=True))
        return first, second, third

    @cached_property
    def _blocks(self) -> NDArray[np.float64]:
        """The covariance by modality, reader, modality, reader."""
        return self.covariance.reshape(*self.values.shape, *self.values.shape)

    def within(self, modality: int) -> tuple[float, float]:
        """Return the mean variance of the readers of one modality, and the mean covariance of two of them."""
        covariance, r = self._blocks[modality, :, modality, :], self.readers
        diagonal = float(np.trace(covariance))
        return diagonal / r, (float(covariance.sum()) - diagonal) / (r * (r - 1)) if r > 1 else 0.0

    @cached_property
    def components(self) -> dict[str, float]:
        """Error variance, covariances, and the variances of readers and of readers by modality.

        ``cov1``: the same reader in two modalities. ``cov2``: two readers in one modality. ``cov3``: two readers,
        two modalities. A variance of readers may come out below 0, which is read as 0.
        """
        t, r = self.values.shape
        each = [self.within(k) for k in range(t)]
        error, cov2 = (float(np.mean(part)) for part in zip(*each, strict=True))
        parts = {"error": error, "cov1": math.nan, "cov2": cov2 if r > 1 else math.nan, "cov3": math.nan}
        if t > 1:
            pairs = [self._blocks[i, :, j, :] for i in range(t) for j in range(t) if i != j]
            parts["cov1"] = float(np.mean([np.trace(p) / r for p in pairs]))
            if r > 1:
                parts["cov3"] = float(np.mean([(p.sum() - np.trace(p)) / (r * (r - 1)) for p in pairs]))
        _, of_readers, of_both = self.mean_squares
        if t > 1:
            parts["reader"] = (of_readers - of_both) / t - parts["cov1"] + parts["cov3"]
        else:
            parts["reader"] = of_readers - error + cov2
        parts["reader_by_modality"] = of_both - error + parts["cov1"] + max(parts["cov2"] - parts["cov3"], 0.0)
        return parts

    def mean(self, modality: int) -> Spread:
        """Return the variance of the mean over readers, from the data of this modality alone."""
        r = self.readers
        variance, covariance = self.within(modality)
        if not self.random_readers:
            return (variance + (r - 1) * max(covariance, 0.0)) / r, math.inf
        square = float(np.var(self.values[modality], ddof=1))
        total = square + (r * max(covariance, 0.0) if self.random_cases else 0.0)
        return total / r, _degrees(total, square, r - 1)

    @cached_property
    def denominator(self) -> Spread:
        """What the mean square of modalities is compared with, and its degrees of freedom (Hillis 2007)."""
        components, r = self.components, self.readers
        shared = max(components["cov2"] - components["cov3"], 0.0) if r > 1 else 0.0
        if not self.random_readers:
            return components["error"] - components["cov1"] + (r - 1) * shared, math.inf
        square = self.mean_squares[2]
        total = square + (r * shared if self.random_cases else 0.0)
        return total, _degrees(total, square, (self.modalities - 1) * (r - 1))

    @property
    def difference(self) -> Spread:
        """The variance of the difference of two modalities, pooled over all pairs."""
        total, degrees = self.denominator
        return 2 * total / self.readers, degrees

    def test(self) -> tuple[float, float, float, float]:
        """Return F of all modalities being equal, its two degrees of freedom, and p.

        With fixed readers the second are infinite, and F times the first is chi-square.
        """
        from scipy.special import chdtrc, fdtrc  # noqa: PLC0415 - slow to load

        (total, degrees), square, first = self.denominator, self.mean_squares[0], self.modalities - 1
        if total <= 0:
            return (0.0, first, degrees, 1.0) if square <= 0 else (math.nan, first, degrees, math.nan)
        ratio = square / total
        p_value = chdtrc(first, first * ratio) if math.isinf(degrees) else fdtrc(first, degrees, ratio)
        return ratio, float(first), degrees, float(p_value)


def _degrees(total: float, square: float, degrees: int) -> float:
    """Return Hillis' degrees of freedom: those of the one mean square that is estimated from the readers."""
    return degrees * (total / square) ** 2 if square > 0 else math.inf


def left_out(rows: Rows, target: Bound) -> tuple[Floats, Floats]:
    """Return a metric of every model without each case (or cluster), and how many cases stand for each.

    A weight that counts cases is left out one case at a time.
    """
    order = class_order(rows)
    counted = rows.weight is not None and rows.weight_kind == "count"
    each = rows.weight[order].astype(np.float64) if counted and rows.weight is not None else np.ones(len(rows))
    unit = units(rows)[order]
    models = [row_counter(rows.of(name), target.threshold) for name in rows.models]
    clustered = rows.cluster is not None
    values = []
    for k in np.unique(unit):
        times = each.copy()
        here = unit == k
        times[here] -= times[here] if clustered or not counted else 1
        values.append([target.of_counts(like, *counter(times)) for like, counter, _ in models])
    stand_for = np.ones(len(values)) if clustered or not counted else each[np.argsort(unit)]
    return np.asarray(values, dtype=np.float64), stand_for


def jackknife_covariance(rows: Rows, target: Bound) -> Floats:
    """Return the covariance of a metric of all models from the cases left out one by one."""
    without, stand_for = left_out(rows, target)
    total = float(stand_for.sum())
    away = without - np.average(without, axis=0, weights=stand_for)
    return np.asarray((total - 1) / total * (away * stand_for[:, None]).T @ away)
