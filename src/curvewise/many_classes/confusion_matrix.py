"""The K × K confusion matrix, and every metric that its counts define."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

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
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

KappaWeights = Literal["linear", "quadratic"] | None


class ClassCounts(Result):
    """The counts of each of several classes: what a confusion matrix and the flags of labels share."""

    noun: ClassVar[str]
    averages: ClassVar[tuple[str, ...]] = AVERAGES

    @property
    def names(self) -> tuple[Any, ...]:
        """The classes or labels."""
        raise NotImplementedError

    @property
    def support(self) -> NDArray[Any]:
        """The rows, or the weight, of each class."""
        raise NotImplementedError

    def of_place(self, k: int, zero: float = math.nan) -> Confusion:
        """Return the confusion table of the class at one place."""
        raise NotImplementedError

    def _members(self, needs: Sequence[str]) -> NDArray[np.intp]:
        raise NotImplementedError

    def _empty(self, c: Confusion) -> str:
        raise NotImplementedError

    def of(self, label: object) -> Confusion:
        """Return the confusion table of one class against the rest."""
        return self.of_place(place_of(label, self.names, self.noun))

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
        one_of("average", average, self.averages)
        read, name, needs = of_confusion(metric, name)
        cells = [self.of_place(k, zero) for k in range(len(self.names))]
        if average == "micro":
            total = {k: sum(getattr(c, k) for c in cells) for k in ("tp", "fp", "fn", "tn")}
            value = read(Confusion(**total, zero=zero))
            if math.isnan(value):
                raise UndefinedMetricError(f"The micro {name} is undefined: it is 0/0 for these counts.")
            return value

        def value_of(k: int) -> float:
            value = read(cells[k])
            if math.isnan(value):
                raise UndefinedMetricError(
                    f"The {average} {name} is undefined: {self.noun} {shown(self.names[k])} "
                    f"{self._empty(cells[k])}, so its {name} is 0/0; zero=0 or zero=1 would count it as that."
                )
            return value

        what, members = f"The {average} {name}", self._members(needs)
        return over_classes(average, what, lambda ks: [value_of(k) for k in ks], members, self.support)


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(ClassCounts):
    """How many rows of each true class (rows) were predicted as each class (columns).

    ``occurs`` marks the classes that means go over: those that occur in y.
    """

    noun: ClassVar[str] = "class"

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

    @property
    def names(self) -> tuple[Any, ...]:
        """The classes."""
        return self.classes

    def of_place(self, k: int, zero: float = math.nan) -> Confusion:
        """Return the confusion table of the class at one place."""
        line, column = self.counts[k], self.counts[:, k]
        tp, true, said = line[k].item(), line.sum().item(), column.sum().item()
        fn, fp = max(true - tp, 0), max(said - tp, 0)
        return Confusion(tp=tp, fp=fp, fn=fn, tn=max(self.n - tp - fp - fn, 0), zero=zero)

    def _members(self, needs: Sequence[str]) -> NDArray[np.intp]:  # noqa: ARG002 - the base's
        return np.flatnonzero(self.occurs)

    def _empty(self, c: Confusion) -> str:
        if not c.positives:
            return "has no row here"
        return "is the only one here" if c.tp + c.fp else "is never predicted"

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


def class_names(classes: tuple[Any, ...]) -> list[str]:
    """Return the classes as text; as in Python where plain text would make two of them one."""
    plain = [str(c) for c in classes]
    return plain if len(set(plain)) == len(plain) else [shown(c) for c in classes]


def place_of(label: object, names: tuple[Any, ...], noun: str = "label") -> int:
    """Return where a class is, or say which ones there are."""
    if label not in names:
        listed = ", ".join(map(shown, names[:8]))
        raise CurvewiseError(f"{noun}: expected one of {listed}, got {shown(label)}.")
    return names.index(label)
