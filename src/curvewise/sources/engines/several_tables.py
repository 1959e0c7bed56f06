"""Tables of different types of columns, such as files written at different times, read as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import EXACT_FLOAT, as_column
from curvewise.rows.reading import names_of_rows
from curvewise.sources.engines.engine import Asked, Batch, Counted, Engine, Kind, LabelFacts
from curvewise.sources.table import need_columns

HELD = {"number": "numbers", "boolean": "booleans", "text": "text", "other": "other values"}


class SeveralTables(Engine):
    """Engines that hold a part of the rows each; a column may be whole in one and fractional in another."""

    name: ClassVar[str] = "several tables"

    def __init__(self, parts: Sequence[Engine], name: str) -> None:
        self.parts = list(parts)
        self.shown_as = name

    def kinds(self) -> dict[str, Kind]:
        """Return the columns of all parts, and what they hold."""
        return {name: kind for part in reversed(self.parts) for name, kind in part.kinds().items()}

    def facts(self, asked: Asked) -> list[LabelFacts]:
        """Return facts per label."""
        self._check(asked)
        found: dict[Any, list[LabelFacts]] = defaultdict(list)
        for part in self.parts:
            for fact in part.facts(asked):
                found[fact.label].append(fact)
        sums = [f.name for f in fields(LabelFacts) if f.name != "label"]
        return [
            LabelFacts(label, **{k: sum(getattr(f, k) for f in facts) for k in sums}) for label, facts in found.items()
        ]

    def _check(self, asked: Asked) -> None:
        """Refuse a column that one part lacks, or that holds text in one part and numbers in another."""
        first: dict[str, tuple[Kind, str]] = {}
        for part in self.parts:
            kinds = part.kinds()
            need_columns(list(kinds), asked.names, part.shown_as)
            for name in asked.names:
                kind, where = first.setdefault(name, (kinds[name], part.shown_as))
                if kind != kinds[name]:
                    raise CurvewiseError(
                        f"column {name!r}: holds {HELD[kind]} in {where} and {HELD[kinds[name]]} in {part.shown_as}; "
                        "write the files alike."
                    )

    def batches(self, asked: Asked, positive: Any) -> Iterator[Batch]:
        """Hand out all rows once."""
        for part in self.parts:
            yield from part.batches(asked, positive)

    def counts(self, asked: Asked, positive: Any) -> Counted:
        """Count rows, or sum their weights, by score and group, part by part."""
        found = [part.counts(asked, positive) for part in self.parts]
        by = tuple(_values([one.by[k] for one in found], name) for k, name in enumerate(asked.by))
        positives, negatives = ([getattr(one, k) for one in found] for k in ("positives", "negatives"))
        return Counted(_exactly([one.score for one in found]), np.concatenate(positives), np.concatenate(negatives), by)


def _exactly(scores: list[NDArray[Any]]) -> NDArray[Any]:
    """Put scores of several types together; refuse where different ones would become equal."""
    common = np.result_type(*scores)
    if common.kind == "f":
        for some in scores:
            if some.dtype.kind in "iu" and len(some) and max(abs(int(some.min())), abs(int(some.max()))) > EXACT_FLOAT:
                raise CurvewiseError(
                    f"Scores of {some.dtype} and {common} cannot be put together exactly: integers beyond 2^53."
                )
    return np.concatenate(scores)


def _values(columns: list[Any], name: str) -> NDArray[Any]:
    """Put columns of groups together, None where a value is missing."""
    return np.concatenate([names_of_rows(as_column(data, name)).astype(object) for data in columns])
