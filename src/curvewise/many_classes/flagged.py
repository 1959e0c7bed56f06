"""Labels flagged at a threshold: counts of each label, and of each row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.core.confusion import Confusion
from curvewise.errors import UndefinedMetricError
from curvewise.many_classes.averages import over_classes, over_rows
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Flagged:
    """Which labels are true and which are flagged: one row a label, one column a row."""

    labels: tuple[Any, ...]
    truth: NDArray[np.bool_]
    flags: NDArray[np.bool_]
    weight: NDArray[Any] | None

    def of(self, k: int, zero: float = math.nan) -> Confusion:
        """Return the confusion table of one label."""
        truth, flags = self.truth[k], self.flags[k]
        return Confusion(
            tp=self._total(truth & flags),
            fp=self._total(~truth & flags),
            fn=self._total(truth & ~flags),
            tn=self._total(~truth & ~flags),
            zero=zero,
        )

    def _total(self, mask: NDArray[np.bool_]) -> float:
        return int(np.count_nonzero(mask)) if self.weight is None else self.weight[mask].sum().item()

    def wrong(self) -> NDArray[np.intp]:
        """Return how many labels of each row are wrong."""
        return np.asarray(np.count_nonzero(self.truth != self.flags, axis=0))

    def averaged(self, name: str, metric: Callable[[Confusion], float], average: str, zero: float) -> float:
        """Return a metric averaged over labels, over rows, or of all pairs of both."""
        if average == "samples":
            return self._over_rows(name, metric, zero)
        cells = [self.of(k, zero) for k in range(len(self.labels))]
        if average == "micro":
            total = {k: sum(getattr(c, k) for c in cells) for k in ("tp", "fp", "fn", "tn")}
            value = metric(Confusion(**total, zero=zero))
            if math.isnan(value):
                raise UndefinedMetricError(f"The micro {name} is undefined: it is 0/0 for these counts.")
            return value

        def values_of(members: list[int]) -> list[float]:
            values = [metric(cells[k]) for k in members]
            for k, value in zip(members, values, strict=True):
                if math.isnan(value):
                    raise UndefinedMetricError(
                        f"The {average} {name} is undefined: label {shown(self.labels[k])} is never flagged, "
                        f"so its {name} is 0/0; zero=0 or zero=1 would count it as that."
                    )
            return values

        support = np.array([c.positives for c in cells], dtype=np.float64)
        return over_classes(average, f"The {average} {name}", values_of, np.flatnonzero(support), support)

    def _over_rows(self, name: str, metric: Callable[[Confusion], float], zero: float) -> float:
        """Average over rows; rows with equal counts have equal values, so each is computed once."""
        tp, true, said = (
            np.count_nonzero(mask, axis=0) for mask in (self.truth & self.flags, self.truth, self.flags)
        )
        kinds, which = np.unique(np.stack([tp, said - tp, true - tp]), axis=1, return_inverse=True)
        rest = len(self.labels) - kinds.sum(axis=0)
        cells = [
            Confusion(tp=a, fp=b, fn=c, tn=d, zero=zero)
            for a, b, c, d in zip(*kinds.tolist(), rest.tolist(), strict=True)
        ]
        values = np.array([metric(c) for c in cells])[which.reshape(-1)]
        undefined = np.isnan(values)
        if name == "recall":  # rows without a true label have none to find
            undefined &= true > 0
            there = true > 0
            values, weight = values[there], None if self.weight is None else self.weight[there]
        else:
            weight = self.weight
        if undefined.any():
            raise UndefinedMetricError(
                f"The samples {name} is undefined: it is 0/0 in {count(int(undefined.sum()), 'row')}, where "
                "nothing is flagged; zero=0 or zero=1 would count them as that."
            )
        if not len(values):
            raise UndefinedMetricError(f"The samples {name} is undefined: no row has a true label.")
        return over_rows(values, weight)
