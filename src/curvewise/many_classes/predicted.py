"""Rows with a true and a predicted class, and what their confusion matrix tells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curvewise.errors import CurvewiseError
from curvewise.many_classes.matrix import KappaWeights, Matrix, matrix_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from curvewise.many_classes.averages import Average
    from curvewise.many_classes.prepared import Prepared


@dataclass(frozen=True, eq=False, repr=False)
class Predicted:
    """Rows of many classes: ``truth`` and ``predicted`` are places in ``classes``."""

    classes: tuple[Any, ...]
    truth: NDArray[np.intp]
    predicted: NDArray[np.intp]
    occurs: NDArray[np.bool_]
    weight: NDArray[Any] | None = None
    cluster: NDArray[np.intp] | None = None
    dropped: int = 0
    notes: tuple[str, ...] = ()
    ordered: bool = True
    trouble: str | None = None
    backend: str | None = None
    ready: Prepared | None = None

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        total: float = len(self.truth) if self.weight is None else self.weight.sum().item()
        return total

    @cached_property
    def matrix(self) -> Matrix:
        """The confusion matrix: a row a true class, a column a predicted class."""
        return matrix_of(self.classes, self.truth, self.predicted, self.weight, self.occurs, self.backend)

    @property
    def accuracy(self) -> float:
        """The share of rows predicted rightly; the micro average of precision, recall and F1."""
        return self.matrix.accuracy

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall over the classes that occur."""
        return self.matrix.balanced_accuracy

    @property
    def mcc(self) -> float:
        """Matthews' correlation for many classes (Gorodkin's R_K)."""
        return self.matrix.mcc

    def precision(self, average: Average = "macro", zero: float = math.nan) -> float:
        """Return how often a predicted class is right.

        A class that occurs and is never predicted has precision 0/0: the mean is then undefined, unless
        ``zero`` says what that is worth (0 or 1; scikit-learn takes 0).
        """
        return self.matrix.averaged("precision", lambda c: c.precision, average, zero)

    def recall(self, average: Average = "macro") -> float:
        """Return how much of each class is found."""
        return self.matrix.averaged("recall", lambda c: c.recall, average)

    def f_beta(self, beta: float = 1, average: Average = "macro") -> float:
        """Return F_β: recall counts β times as much as precision."""
        return self.matrix.averaged(f"F{beta:g}", lambda c: c.f_beta(beta), average)

    def kappa(self, weights: KappaWeights = None) -> float:
        """Return Cohen's κ, in which a confusion costs 1, the distance of the classes, or its square.

        The last two take the order of ``classes`` for real.
        """
        if weights is not None and not self.ordered:
            raise CurvewiseError(
                f"weights={weights!r} needs the order of the classes, and sorted text is none: "
                "pass classes=, from the lowest to the highest."
            )
        return self.matrix.kappa(weights)
