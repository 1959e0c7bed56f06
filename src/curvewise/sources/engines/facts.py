"""Facts about rows that are counted where these lie, held to the same rules as rows in memory, in the same words."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import ColumnName, CurvewiseError
from curvewise.rows.columns import Column, as_column, count
from curvewise.rows.labels import binary_labels, is_label
from curvewise.rows.reading import MOST_WEIGHT, missing_values
from curvewise.sources.engines.engine import Asked, CheckedRows, Engine

if TYPE_CHECKING:
    from curvewise.rows.rows import WeightKind
    from curvewise.sources.streams.stream import HowRead

MOST_LABELS = 1000  # of which facts are asked for: two are needed


@dataclass(frozen=True)
class LabelFacts:
    """What is known of the rows with one label, counted where they lie.

    Rows of weight 0 are counted in ``zero`` alone. ``label`` is None where it is missing (NULL or NaN).
    ``left`` rows have a score and a weight; ``no_score`` and ``no_weight`` rows lack one (NULL or NaN). Of the rows
    left, ``bad_weight`` have one that is negative or infinite, ``fractional`` one that is finite and not whole;
    ``weight`` is the sum of their finite weights.
    """

    label: Any
    rows: int
    left: int
    no_score: int
    no_weight: int = 0
    zero: int = 0
    bad_weight: int = 0
    fractional: int = 0
    weight: float = 0.0


class FactsEngine(Engine):
    """An engine whose rows are checked by facts that it counts; these see rows with missing values, too."""

    @abstractmethod
    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label; of labels beyond the first few thousand nothing need be known."""

    def check(self, asked: Asked, how: HowRead) -> CheckedRows:
        """Ask for facts about the rows, and refuse what rows in memory would be refused for."""
        kinds = self.kinds()
        for role, name in (("score", asked.score), ("weight", asked.weight)):
            if name is not None and kinds[name] not in ("number", "boolean"):
                held = kinds[name] if kinds[name] == "text" else "values that are no numbers"
                message = f"{{column}}: expected real numbers, got {held}; convert first."
                raise CurvewiseError(message, column=ColumnName(role))
        facts = self.facts(asked)
        if len(facts) >= MOST_LABELS:
            raise _too_many(self, asked)
        rows = sum(f.rows - f.zero for f in facts)
        if not rows:
            zero = sum(f.zero for f in facts)
            if zero:
                raise CurvewiseError(
                    f"{{column}}: all {count(zero, 'weight')} are 0, so no row is left.", column=ColumnName("weight")
                )
            raise CurvewiseError("Expected at least one row, got none.")
        gaps = {
            "y": sum(f.rows - f.zero for f in facts if f.label is None),
            "score": sum(f.no_score for f in facts),
            "weight": sum(f.no_weight for f in facts),
        }
        if how.missing == "raise" and any(gaps.values()):
            raise missing_values((name, number, None) for name, number in gaps.items() if number)
        used = [f for f in facts if f.label is not None and f.left]
        left = sum(f.left for f in used)
        if not left:
            raise CurvewiseError(f"No row is left: a value is missing in {rows} of {count(rows, 'row')}.")
        _check_weights(used, asked, how.weight_kind)
        values = _labels(used)
        mask = binary_labels(Column("y", values), how.positive, other=_scores_if_swapped(self, asked, values))
        yes, no = (next(iter(values[m].tolist()), None) for m in (mask, ~mask))
        number = np.array([f.left if asked.weight is None else f.weight for f in used])
        classes = number[mask].sum().item(), number[~mask].sum().item()
        return CheckedRows(yes, no, left, rows - left, not any(f.fractional for f in used), classes)


def _too_many(engine: FactsEngine, asked: Asked) -> CurvewiseError:
    """Return the error of so many labels that not all of them were counted."""
    swapped = len(engine.facts(Asked(asked.score, asked.label))) <= 2
    advice = "labels and scores look swapped" if swapped else "check that this is the column of labels"
    message = f"{{column}}: expected two classes, found {count(MOST_LABELS, 'class')} or more; {advice}."
    return CurvewiseError(message, column=ColumnName("y"))


def _labels(used: list[LabelFacts]) -> NDArray[Any]:
    """Return the labels that occur; refuse what no label can be."""
    bad = sum(f.left for f in used if not is_label(f.label))
    if bad:
        message = f"{{column}}: expected labels (numbers or text), got {count(bad, 'other value')}."
        raise CurvewiseError(message, column=ColumnName("y"))
    return as_column([f.label for f in used], "y").values


def _scores_if_swapped(engine: FactsEngine, asked: Asked, labels: NDArray[Any]) -> Column | None:
    """Return the scores, each once, where labels look like scores: by them swapped columns are told."""
    if labels.dtype.kind != "f" or len(labels) <= 2:
        return None
    scores = [f.label for f in engine.facts(Asked(asked.score, asked.label)) if f.label is not None]
    return Column("score", as_column(scores, "score").values)


def _check_weights(used: list[LabelFacts], asked: Asked, kind: WeightKind) -> None:
    if asked.weight is None:
        return
    weight = ColumnName("weight")
    bad = sum(f.bad_weight for f in used)
    if bad:
        raise CurvewiseError(
            f"{{column}}: expected weights of 0 or more, all finite, got {count(bad, 'other value')}.", column=weight
        )
    fractional = sum(f.fractional for f in used)
    if kind == "count" and fractional:
        raise CurvewiseError(
            f"{{column}}: expected whole numbers, since they are counts, got {count(fractional, 'other value')}.",
            column=weight,
        )
    if not fractional and sum(f.weight for f in used) >= MOST_WEIGHT:
        raise CurvewiseError(
            "{column}: the sum is more than 2^62, beyond exact counts; scale the values down.", column=weight
        )
