"""Tables of different types of columns, such as files written at different times, read as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curvewise.core.bins import joined_scores
from curvewise.rows.columns import as_column
from curvewise.rows.reading import names_of_rows
from curvewise.sources.engines.engine import Asked, Batch, Counted, Kind
from curvewise.sources.engines.facts import FactsEngine, LabelFacts
from curvewise.sources.files import same_in_both
from curvewise.sources.table import need_columns

HELD = {"number": "numbers", "boolean": "booleans", "text": "text", "other": "other values"}


class SeveralTables(FactsEngine):
    """Engines that hold a part of the rows each; a column may be whole in one and fractional in another."""

    name: ClassVar[str] = "several tables"

    def __init__(self, parts: Sequence[FactsEngine], name: str) -> None:
        self.parts = list(parts)
        self.shown_as = name

    def kinds(self) -> dict[str, Kind]:
        """Return the columns of all parts, and what they hold."""
        return {name: kind for part in reversed(self.parts) for name, kind in part.kinds().items()}

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        self._check(asked)
        by_label: dict[Any, list[LabelFacts]] = defaultdict(list)
        for part in self.parts:
            for fact in part.facts(asked):
                by_label[fact.label].append(fact)
        sums = [f.name for f in fields(LabelFacts) if f.name != "label"]
        return [
            LabelFacts(label, **{k: sum(getattr(f, k) for f in facts) for k in sums})
            for label, facts in by_label.items()
        ]

    def _check(self, asked: Asked) -> None:
        """Refuse a column that one part lacks, or that holds text in one part and numbers in another."""
        first: dict[str, tuple[Kind, str]] = {}
        for part in self.parts:
            kinds = part.kinds()
            need_columns(list(kinds), asked.names, part.shown_as)
            for name in asked.names:
                kind, where = first.setdefault(name, (kinds[name], part.shown_as))
                same_in_both(name, (where, HELD[kind]), (part.shown_as, HELD[kinds[name]]))

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once."""
        for part in self.parts:
            yield from part.batches(asked, positive)

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group, part by part."""
        counts = [part.counts(asked, positive) for part in self.parts]
        by = tuple(_values([one.by[k] for one in counts], name) for k, name in enumerate(asked.by))
        positives, negatives = ([getattr(one, k) for one in counts] for k in ("positives", "negatives"))
        return Counted(
            joined_scores([one.score for one in counts]), np.concatenate(positives), np.concatenate(negatives), by
        )


def _values(columns: list[Any], name: str) -> NDArray[Any]:
    """Put columns of groups together, None where a value is missing."""
    return np.concatenate([names_of_rows(as_column(data, name)).astype(object) for data in columns])
