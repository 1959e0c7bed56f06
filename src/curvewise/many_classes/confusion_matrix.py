"""The K × K confusion matrix, and every metric that its counts define."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.core.registry import find
from curvewise.errors import CurvewiseError, UndefinedMetricError
from curvewise.many_classes.class_metrics import AVERAGES, over_classes
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.rows.columns import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

KappaWeights = Literal["linear", "quadratic"] | None


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Result):
    """How many rows of each true class (rows) were predicted as each class (columns).

    ``occurs`` marks the classes that means go over: those that occur in y.
    """

    classes: tuple[Any, ...]
    counts: NDArray[Any]
    occurs: NDArray[np.bool_]
    backend: str | None = None

    @property
    def n(self) -> float:
        """All rows, or all weight."""
        total: float = self.counts.sum().item()
        return total

    @property
    def support(self) -> NDArray[np.float64]:
        """The rows of each true class."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    def of(self, label: object) -> Confusion:
        """Return the confusion table of one class against the rest."""
        if label not in self.classes:
            names = ", ".join(map(shown, self.classes[:8]))
            raise CurvewiseError(f"class: expected one of {names}, got {shown(label)}.")
        return self._one(self.classes.index(label))

    def _one(self, k: int, zero: float = math.nan) -> Confusion:
        tp, true, said = (
            v.item() for v in (self.counts[k, k], self.counts[k].sum(), self.counts[:, k].sum())
        )
        fn, fp = max(true - tp, 0), max(said - tp, 0)
        return Confusion(tp=tp, fp=fp, fn=fn, tn=max(self.n - tp - fp - fn, 0), zero=zero)

    def average(
        self,
        metric: str | Callable[[Confusion], float],
        average: str = "macro",
        zero: float = math.nan,
        name: str | None = None,
    ) -> float:
        """Return the mean over classes of any metric at a threshold, each class against the rest.

        ``metric`` is a name of `curvewise.metrics`, or a function of a `Confusion`. ``zero`` says what 0/0 is
        worth.
        """
        one_of("average", average, AVERAGES)
        read, name, _ = of_confusion(metric, name)
        if average == "micro":
            cells = [self._one(k, zero) for k in range(len(self.classes))]
            return micro(cells, read, name, zero)

        def value_of(k: int) -> float:
            c = self._one(k, zero)
            value = read(c)
            if math.isnan(value):
                empty = "has no row here" if not c.positives else "is the only one here"
                if c.positives and not c.tp + c.fp:
                    empty = "is never predicted"
                raise UndefinedMetricError(
                    f"The {average} {name} is undefined: class {shown(self.classes[k])} {empty}, so its "
                    f"{name} is 0/0; zero=0 or zero=1 would count it as that."
                )
            return value

        members = np.flatnonzero(self.occurs)
        return over_classes(
            average, f"The {average} {name}", lambda ks: [value_of(k) for k in ks], members, self.support
        )

    @property
    def accuracy(self) -> float:
        """The share of rows predicted rightly."""
        right: float = np.trace(self.counts).item()
        return right / self.n

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall over the classes that occur."""
        return self.average("recall")

    def kappa(self, weights: KappaWeights = None) -> float:
        """Cohen's κ: 1 - Σ w·observed / Σ w·expected, with w = 1 off the diagonal, |i - j| or (i - j)²."""
        one_of("weights", weights, (None, "linear", "quadratic"))
        places = np.arange(len(self.classes))
        apart = np.abs(places[:, None] - places)
        cost = {None: apart > 0, "linear": apart, "quadratic": apart**2}[weights]
        true, said = (self.counts.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
        expected = float(np.sum(cost * np.outer(true, said))) / self.n
        if expected == 0:
            raise UndefinedMetricError(
                "κ is undefined: one class is the only true and the only predicted one."
            )
        return 1 - float(np.sum(cost * self.counts)) / expected

    @property
    def mcc(self) -> float:
        """Gorodkin's R_K, the correlation of truth and prediction; Matthews' for two classes."""
        n = self.n
        true, said = (self.counts.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
        spread = (n * n - float(said @ said)) * (n * n - float(true @ true))
        if spread <= 0:
            one = "predicted" if len(np.flatnonzero(said)) == 1 else "true"
            raise UndefinedMetricError(f"MCC is undefined: there is only one {one} class.")
        return (float(np.trace(self.counts)) * n - float(true @ said)) / math.sqrt(spread)

    @property
    def table(self) -> Table:
        """The counts, one row per true class."""
        names = class_names(self.classes)
        across = {f"as {name}": self.counts[:, k].tolist() for k, name in enumerate(names)}
        return Table(
            "Rows by true class and what they were taken as", {"class": names, **across}, self.backend
        )

    def content(self) -> dict[str, Any]:
        """Return classes and counts, JSON-safe."""
        return {"classes": json_safe(self.classes), "counts": self.counts.tolist()}


def of_confusion(
    metric: str | Callable[[Confusion], float], name: str | None = None
) -> tuple[Callable[[Confusion], float], str, tuple[str, ...]]:
    """Return what reads a metric at a threshold from a `Confusion`, what it is called, and what it needs."""
    if callable(metric):
        return metric, name or str(getattr(metric, "__name__", "statistic")), ()
    found = find(metric)
    if found.family != "threshold":
        raise CurvewiseError(f"metric: {found.name} is not a number at a threshold: counts alone have none.")
    return lambda c: float(getattr(c, found.name)), found.name, found.needs


def micro(cells: list[Confusion], read: Callable[[Confusion], float], name: str, zero: float) -> float:
    """Return a metric of the sums of the counts of all classes."""
    total = {k: sum(getattr(c, k) for c in cells) for k in ("tp", "fp", "fn", "tn")}
    value = read(Confusion(**total, zero=zero))
    if math.isnan(value):
        raise UndefinedMetricError(f"The micro {name} is undefined: it is 0/0 for these counts.")
    return value


def class_names(classes: tuple[Any, ...]) -> list[str]:
    """Return the classes as text; as in Python where plain text would make two of them one."""
    plain = [str(c) for c in classes]
    return plain if len(set(plain)) == len(plain) else [shown(c) for c in classes]


def matrix_of(
    classes: tuple[Any, ...],
    truth: NDArray[np.intp],
    predicted: NDArray[np.intp],
    weight: NDArray[Any] | None,
    occurs: NDArray[np.bool_],
    backend: str | None = None,
) -> ConfusionMatrix:
    """Count rows by true and predicted class; whole counts stay whole."""
    k = len(classes)
    counts = np.bincount(truth * k + predicted, weight, k * k).reshape(k, k)
    whole = weight is None or weight.dtype.kind == "i"
    return ConfusionMatrix(classes, counts.astype(np.int64) if whole else counts, occurs, backend)
