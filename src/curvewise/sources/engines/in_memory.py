"""Rows in memory: frames (pandas, PyArrow ...), read as `curvewise.sweep` reads columns, and files of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from inspect import unwrap
from typing import TYPE_CHECKING, Any, ClassVar

import narwhals as nw
import numpy as np

from curvewise.rows.columns import as_column
from curvewise.rows.reading import names_of_rows, read_rows
from curvewise.sources.engines.engine import Asked, Batch, CheckedRows, Counted, Engine, Kind
from curvewise.sources.engines.lazy_frame import kind_of_dtype
from curvewise.sources.file_names import folder_keys
from curvewise.sources.files import read_file
from curvewise.sources.formats.format import column_names
from curvewise.sources.streams.stream import label_of_class

if TYPE_CHECKING:
    from curvewise.rows.rows import Rows
    from curvewise.sources.streams.stream import HowRead


class InMemoryEngine(Engine):
    """A frame whose columns are arrays in this process."""

    name: ClassVar[str] = "memory"
    _rows: Rows  # since they were checked

    def __init__(self, native: Any, name: str | None = None) -> None:
        self.frame: nw.DataFrame[Any] = nw.from_native(native, eager_only=True)
        self.shown_as = name or "data"
        self.backend = self.frame.implementation.value

    def kinds(self) -> dict[str, Kind]:
        """Return the columns, and what they hold."""
        return {name: kind_of_dtype(dtype) for name, dtype in self.frame.schema.items()}

    def check(self, asked: Asked, how: HowRead) -> CheckedRows:
        """Read the rows as `curvewise.sweep` reads columns."""
        frame = self._frame(asked)
        roles = {"y": asked.label, "score": asked.score} | ({} if asked.weight is None else {"weight": asked.weight})
        columns = {role: frame[name].to_native() for role, name in roles.items()}
        read, options = unwrap(read_rows), asdict(how) | {"round_to": None}
        rows = self._rows = read(**columns, **options)
        weight = np.ones(len(rows), dtype=np.int64) if rows.weight is None else rows.weight
        classes = weight[rows.positive].sum().item(), weight[~rows.positive].sum().item()
        yes, no = (label_of_class(columns["y"], rows, positive=positive) for positive in (True, False))
        return CheckedRows(yes, no, len(rows), rows.dropped, weight.dtype.kind != "f", classes)

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:  # noqa: ARG002 - known since the check
        """Hand out all rows, in one batch."""
        rows, frame = self._rows, self._frame(asked)
        groups = (names_of_rows(as_column(frame[name].to_native(), name)) for name in asked.by)
        by = tuple(group if rows.kept is None else group[rows.kept] for group in groups)
        yield Batch(rows.score, rows.positive, rows.weight, by)

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Return each row by itself: nothing is gained by counting twice."""
        (batch,) = self.batches(asked, positive)
        one = np.ones(len(batch.score), dtype=np.int64) if batch.weight is None else batch.weight
        return Counted.of(batch.score, batch.positive, one, batch.by)

    def _frame(self, _: Asked) -> nw.DataFrame[Any]:
        """Return a frame that has the columns asked for."""
        return self.frame


class TextFiles(InMemoryEngine):
    """CSV, TSV, JSON or Excel, by the library's own strict reader.

    What a column holds is known once it is read as a label, a number or a name.
    """

    name: ClassVar[str] = "text files"

    def __init__(self, paths: Sequence[str], name: str) -> None:
        self.paths = list(paths)
        self.shown_as = name
        self._read: dict[Asked, nw.DataFrame[Any]] = {}

    def kinds(self) -> dict[str, Kind]:
        """Return the columns; that they hold numbers is found out by reading them."""
        return dict.fromkeys([*column_names(self.paths[0]), *folder_keys(self.paths)], "number")

    def _frame(self, asked: Asked) -> nw.DataFrame[Any]:
        """Read the columns asked for; another request takes their place."""
        if asked not in self._read:
            numeric = [asked.score, *([] if asked.weight is None else [asked.weight])]
            data = read_file(self.paths, label=asked.label, numeric=numeric, names=asked.by)
            frame: nw.DataFrame[Any] = nw.from_native(data.frame, eager_only=True)
            self._read = {asked: frame}
        return self._read[asked]
