"""The K × K confusion matrix, and every metric that its counts define."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.core.confusion import Confusion
from curvewise.errors import CurvewiseError, UndefinedMetricError, note
from curvewise.many_classes.class_metrics import AVERAGES, over_classes
from curvewise.metric.registry import Bound, find
from curvewise.results.numbers import json_safe
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.rows.columns import shown
from curvewise.rows.labels import is_label

Readable = str | Callable[[Confusion], float] | Bound

KappaWeights = Literal["linear", "quadratic"] | None


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Result, schema="confusion_matrix"):
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
        return self.of_place(place_of(label, self.classes, "class"))

    def of_place(self, k: int, zero: float = math.nan) -> Confusion:
        """Return the confusion table of the class at one place."""
        line, column = self.counts[k], self.counts[:, k]
        tp, true, predicted = line[k].item(), line.sum().item(), column.sum().item()
        fn, fp = max(true - tp, 0), max(predicted - tp, 0)
        return Confusion(tp=tp, fp=fp, fn=fn, tn=max(self.n - tp - fp - fn, 0), zero=zero)

    def average(
        self, metric: Readable, average: str = "macro", zero: float = math.nan, name: str | None = None
    ) -> float:
        """Return the mean over classes of any metric at a threshold, each class against the rest.

        ``metric`` is one of `curvewise.metrics` or a function of a `Confusion`; ``zero`` is the value of 0/0.
        """
        one_of("average", average, AVERAGES)
        cells = [self.of_place(k, zero) for k in range(len(self.classes))]
        members = np.flatnonzero(self.occurs)
        return average_cells(
            cells, of_confusion(metric, name), average, members, self.support, self._empty, self.classes
        )

    def _empty(self, k: int, c: Confusion) -> str:
        empty = "is the only one here" if c.tp + c.fp else "is never predicted"
        return f"class {shown(self.classes[k])} {empty if c.positives else 'has no row here'}"

    @property
    def accuracy(self) -> float:
        """The share of rows predicted correctly."""
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
        true, predicted = (self.counts.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
        expected = float(np.sum(cost * np.outer(true, predicted))) / self.n
        if expected == 0:
            raise UndefinedMetricError("κ is undefined: one class is the only true and the only predicted one.")
        return 1 - float(np.sum(cost * self.counts)) / expected

    @property
    def mcc(self) -> float:
        """Gorodkin's R_K, the correlation of truth and prediction; Matthews' for two classes."""
        n = self.n
        true, predicted = (self.counts.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
        spread = (n * n - float(predicted @ predicted)) * (n * n - float(true @ true))
        if spread <= 0:
            one = "predicted" if len(np.flatnonzero(predicted)) == 1 else "true"
            raise UndefinedMetricError(f"MCC is undefined: there is only one {one} class.")
        return (float(np.trace(self.counts)) * n - float(true @ predicted)) / math.sqrt(spread)

    @property
    def table(self) -> Table:
        """The counts, one row per true class."""
        names = class_names(self.classes)
        across = {f"as {name}": self.counts[:, k].tolist() for k, name in enumerate(names)}
        title = "Rows by true class and what they were taken as"
        return Table(title, {"class": names, **across}, self.backend)

    def confused(self, most: int | None = None) -> Table:
        """Return which class is taken for which, the most rows first, with their share of the true class."""
        mistakes = self.counts.copy()
        np.fill_diagonal(mistakes, 0)
        order = np.argsort(-mistakes, axis=None, kind="stable")[: np.count_nonzero(mistakes)]
        true, predicted = np.unravel_index(order[:most], mistakes.shape)
        names, rows = class_names(self.classes), mistakes[true, predicted]
        columns: dict[str, list[Any]] = {
            "class": [names[k] for k in true],
            "taken_for": [names[k] for k in predicted],
            "rows": rows.tolist(),
            "share_of_class": (rows / self.support[true]).tolist(),
        }
        return Table("Most frequent confusions, by rows", columns, self.backend)

    def content(self) -> dict[str, Any]:
        """Return classes and counts, JSON-safe."""
        return {"classes": json_safe(self.classes), "counts": self.counts.tolist()}


class FromConfusion(NamedTuple):
    """What reads a metric at a threshold from a `Confusion`, what it is called, and what it needs."""

    read: Callable[[Confusion], float]
    name: str
    needs: tuple[str, ...] = ()


def of_confusion(metric: Readable, name: str | None = None) -> FromConfusion:
    """Find a metric at a threshold by its name; a function is taken as it is."""
    if callable(metric) and not isinstance(metric, Bound):
        return FromConfusion(metric, name or str(getattr(metric, "__name__", "statistic")))
    target = metric if isinstance(metric, Bound) else find(metric).bind({"threshold": math.nan})
    counted = target.metric.counted
    if counted is None:
        raise CurvewiseError(f"metric: {target.name} is not a number at a threshold: counts alone have none.")
    return FromConfusion(lambda c: float(counted(c, **target.options)), target.name, target.metric.needs)


def average_cells(
    cells: list[Confusion],
    metric: FromConfusion,
    average: str,
    members: NDArray[np.intp],
    support: NDArray[Any],
    empty: Callable[[int, Confusion], str],
    names: Sequence[Any],
) -> float:
    """Average over classes, or read from the sums of their counts; ``empty`` says what a class lacks."""
    what = f"The {average} {metric.name}"
    if average == "micro":
        total = {k: sum(getattr(c, k) for c in cells) for k in ("tp", "fp", "fn", "tn")}
        value = metric.read(Confusion(**total, zero=cells[0].zero))
        if math.isnan(value):
            raise UndefinedMetricError(f"{what} is undefined: it is 0/0 for these counts.")
        return value

    def value_of(k: int) -> float:
        value = metric.read(cells[k])
        if math.isnan(value):
            raise UndefinedMetricError(
                "{said}",
                said=f"{what} is undefined: {empty(k, cells[k])}, so its {metric.name} is 0/0; "
                "zero=0 or zero=1 would count it as that.",
                why=note("class_zero_over_zero", label=shown(names[k])),
            )
        return value

    return over_classes(average, what, lambda ks: [value_of(k) for k in ks], members, support)


def class_names(classes: tuple[Any, ...]) -> list[str]:
    """Return the classes as text; as in Python where plain text would make two of them one."""
    plain = [str(c) for c in classes]
    return plain if len(set(plain)) == len(plain) else [shown(c) for c in classes]


def place_of(label: object, names: tuple[Any, ...], noun: str = "label") -> int:
    """Return where a class is, or say which ones there are."""
    if not is_label(label) or label not in names:
        listed = ", ".join(map(shown, names[:8]))
        raise CurvewiseError(f"{noun}: expected one of {listed}, got {shown(label)}.")
    return names.index(label)
