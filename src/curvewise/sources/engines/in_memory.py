"""Rows in memory: frames (pandas, PyArrow ...), read as `curvewise.sweep` reads columns, and files of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from curvewise.rows.category import category
from curvewise.rows.columns import Column, as_column, is_number
from curvewise.rows.labels import binary_labels, check_labels
from curvewise.rows.reading import names_of_rows, real_numbers
from curvewise.sources.engines.engine import Asked, Batch, Counted, Engine, Kind, LabelFacts
from curvewise.sources.engines.lazy_frame import kind_of_dtype
from curvewise.sources.file_names import folder_keys
from curvewise.sources.files import read_file
from curvewise.sources.formats.header import column_names


class InMemoryEngine(Engine):
    """A frame whose columns are arrays in this process."""

    name: ClassVar[str] = "memory"

    def __init__(self, native: Any, name: str | None = None) -> None:
        self.frame = nw.from_native(native, eager_only=True)
        self.shown_as = name or "data"
        self.backend = self.frame.implementation.value

    def kinds(self) -> dict[str, Kind]:
        """Return the columns, and what they hold; one of Python's objects holds what the first of them is."""
        return {
            name: _kind_of_objects(self.frame[name]) if dtype == nw.Object else kind_of_dtype(dtype)
            for name, dtype in self.frame.schema.items()
        }

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        label, no_score = self._column(asked.label, "y"), _absent(self._column(asked.score, "score"))
        number, present = np.ones(len(label)), ~no_score
        masks = {"no_score": no_score, "left": present}
        if asked.weight is not None:
            column = self._column(asked.weight, "weight")
            number, no_weight = real_numbers(column).astype(np.float64), _absent(column)
            zero = ~no_weight & (number == 0)
            present = present & ~no_weight & ~zero
            finite = np.isfinite(number)
            masks = {"no_score": no_score & ~zero, "left": present, "no_weight": no_weight, "zero": zero}
            masks["bad_weight"] = present & ~(finite & (number >= 0))
            masks["fractional"] = present & finite & (number != np.floor(number))
        check_labels(label.keep(present & ~_absent(label)))
        found = category("y", label)
        often = {k: _per_label(found.code, mask, len(found)) for k, mask in masks.items()}
        rows = _per_label(found.code, np.ones(len(label), dtype=bool), len(found))
        used = present & np.isfinite(number)
        weight = np.bincount(found.code[used], number[used], minlength=len(found)).tolist()
        return [
            LabelFacts(value, rows[at], weight=weight[at], **{k: v[at] for k, v in often.items()})
            for at, value in enumerate(found.labels)
        ]

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows, in one batch."""
        columns = [self._column(asked.label, "y"), self._column(asked.score, "score")]
        if asked.weight is not None:
            columns.append(self._column(asked.weight, "weight"))
        keep = ~np.logical_or.reduce([_absent(c) for c in columns])
        if asked.weight is not None:
            keep &= real_numbers(columns[2]) != 0
        label, score, *weight = (c.keep(keep) for c in columns)
        is_positive = np.zeros(len(label), dtype=bool) if positive is None else binary_labels(label, positive)
        by = tuple(names_of_rows(self._column(name, name).keep(keep)) for name in asked.by)
        yield Batch(real_numbers(score), is_positive, real_numbers(weight[0]) if weight else None, by)

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Return each row by itself: nothing is gained by counting twice."""
        (batch,) = self.batches(asked, positive)
        one = np.ones(len(batch.score), dtype=np.int64) if batch.weight is None else batch.weight
        none = np.zeros_like(one)
        pos, neg = np.where(batch.positive, one, none), np.where(batch.positive, none, one)
        return Counted(batch.score, pos, neg, batch.by)

    def _column(self, name: str, role: str) -> Column:
        return as_column(self.frame[name].to_native(), role)


def _absent(column: Column) -> NDArray[np.bool_]:
    return np.zeros(len(column), dtype=bool) if column.missing is None else column.missing


def _per_label(code: NDArray[np.intp], mask: NDArray[np.bool_], number: int) -> list[int]:
    counted: list[int] = np.bincount(code[mask], minlength=number).tolist()
    return counted


def _kind_of_objects(series: nw.Series[Any]) -> Kind:
    first = next(iter(series.drop_nulls().head(1).to_list()), None)
    if isinstance(first, bool | np.bool_):
        return "boolean"
    if first is None or is_number(first):
        return "number"
    return "text" if isinstance(first, str) else "other"


class TextFiles(Engine):
    """CSV, TSV, JSON or Excel, by the library's own strict reader.

    What a column holds is known once it is read as a label, a number or a name.
    """

    name: ClassVar[str] = "text files"

    def __init__(self, paths: Sequence[str], name: str) -> None:
        self.paths = list(paths)
        self.shown_as = name
        self._read: dict[Asked, InMemoryEngine] = {}

    def kinds(self) -> dict[str, Kind]:
        """Return the columns; that they hold numbers is found out by reading them."""
        return dict.fromkeys([*column_names(self.paths[0]), *folder_keys(self.paths)], "number")

    def _table(self, asked: Asked) -> InMemoryEngine:
        if asked not in self._read:
            numeric = [asked.score, *([] if asked.weight is None else [asked.weight])]
            found = read_file(self.paths, label=asked.label, numeric=numeric, names=asked.by)
            self._read = {asked: InMemoryEngine(found.frame, self.shown_as)}
        return self._read[asked]

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        return self._table(asked).facts(asked)

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once."""
        return self._table(asked).batches(asked, positive)

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows by score and group."""
        return self._table(asked).counts(asked, positive)
