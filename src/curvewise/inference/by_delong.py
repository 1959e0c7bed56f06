"""AUCs compared by the variance of their placements (DeLong; Obuchowski for clusters)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from curvewise.core.sweep import sweep_of
from curvewise.errors import Note, OptionError
from curvewise.inference.comparison import Pair
from curvewise.inference.delong import placements
from curvewise.results.estimate import Estimate

if TYPE_CHECKING:
    from curvewise.rows.reading import Rows


class ByDelong:
    """AUCs compared by the variance of their placements."""

    method = "delong"

    def __init__(self, tables: list[Rows], level: float, against: float | None) -> None:
        self.level = level
        self.notes: tuple[Note, ...] = ()
        for t in tables:
            if t.positive.all() or not t.positive.any():
                sweep_of(t.of(next(iter(t.scores)))).need_both_classes("A comparison of AUCs")
        self.placed = [placements(t) for t in tables]
        if against is not None:  # a model that places every row there has that AUC, and no variance
            if len(tables) > 1:
                raise OptionError.of("against", "expected models on the same rows.")
            flat = np.full((1, len(tables[0].positive)), against)
            self.placed = [replace(p, value=np.concatenate([p.value, flat])) for p in self.placed]
        self.values = [float(v) for p in self.placed for v in p.auc()]

    def _variance(self, i: int, j: int) -> tuple[float, float | None]:
        """Return the variance of a difference, and Welch's degrees of freedom for different rows."""
        if len(self.placed) == 1:
            return self.placed[0].variance_of_difference(i, j), None
        one, two = (float(self.placed[k].covariance()[0, 0]) for k in (i, j))
        rows = [len(self.placed[k].positive) - 1 for k in (i, j)]
        below = one**2 / rows[0] + two**2 / rows[1]
        return one + two, (one + two) ** 2 / below if below else None

    def pair(self, i: int, j: int, names: list[str], margin: float | None) -> Pair:
        """Test one difference."""
        from scipy.special import ndtr, ndtri, stdtr, stdtrit  # noqa: PLC0415 - slow to load

        away = self.values[i] - self.values[j]
        variance, degrees = self._variance(i, j)
        error = math.sqrt(max(variance, 0.0))
        below = ndtr if degrees is None else lambda x: stdtr(degrees, x)
        reach = float(
            ndtri((1 + self.level) / 2) if degrees is None else stdtrit(degrees, (1 + self.level) / 2)
        )

        def z(from_value: float) -> float:
            gap = away - from_value
            return gap / error if error else math.copysign(math.inf, gap) if gap else 0.0

        at_zero = z(0)
        low, high = away - reach * error, away + reach * error
        worse, better = (
            (None, None) if margin is None else (float(below(-z(-margin))), float(below(z(margin))))
        )
        return Pair(
            names[i],
            names[j],
            Estimate("difference of roc_auc", away, low, high, self.level, self.method, error),
            at_zero,
            2 * float(below(-abs(at_zero))),
            math.nan,
            degrees,
            worse,
            None if worse is None or better is None else max(worse, better),
        )

    def omnibus(self) -> tuple[float, float, float] | None:
        """Test that three models or more are all equal."""
        k = len(self.values)
        if k < 3 or len(self.placed) > 1:
            return None
        from scipy.special import chdtrc  # noqa: PLC0415 - slow to load

        contrast = np.eye(k)[:-1] - np.eye(k)[1:]
        apart = contrast @ np.array(self.values)
        covariance = contrast @ self.placed[0].covariance() @ contrast.T
        degrees = int(np.linalg.matrix_rank(covariance))
        chi = float(apart @ np.linalg.pinv(covariance) @ apart)
        return chi, float(degrees), float(chdtrc(degrees, chi)) if degrees else 1.0
