"""Files of text: read by the library's own strict reader, all of them together, then held in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from curvewise.sources.engines.engine import Asked, Batch, Counted, Engine, Kind, LabelFacts
from curvewise.sources.engines.in_memory import InMemoryEngine
from curvewise.sources.file_names import folder_keys
from curvewise.sources.files import read_file
from curvewise.sources.header import column_names


class TextFiles(Engine):
    """CSV, TSV, JSON or Excel; what a column holds is known once it is read as a label, a number or a name."""

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
