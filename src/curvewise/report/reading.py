"""Take the columns of an evaluation from a frame, a dict of columns or a file, once."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import CurvewiseError
from curvewise.rows.columns import as_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curvewise.rows.columns import Column
    from curvewise.rows.reading import Missing


@dataclass(frozen=True)
class Source:
    """Named columns of equal length, and where they came from."""

    columns: dict[str, Any]
    name: str | None = None
    path: str | None = None
    sha256: str | None = None
    dropped: int = 0
    notes: list[str] = field(default_factory=list)

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


def read_source(
    data: object,
    label: str,
    scores: Sequence[str],
    weight: str | None,
    others: Sequence[str],
    missing: Missing,
) -> Source:
    """Read the columns that are asked for; ``others`` are names (groups, sites, clusters)."""
    needed = [label, *scores, *([weight] if weight else [])]
    wanted = list(dict.fromkeys([*needed, *others]))
    if isinstance(data, str | os.PathLike):
        found = _file(os.fspath(data), label, [*scores, *([weight] if weight else [])], others)
    else:
        found = Source({name: _column(data, name) for name in wanted})
    if missing == "raise":
        return found  # each reader refuses what is missing, in its own words
    return _without_missing(found, needed)


def _file(path: str, label: str, numeric: list[str], names: Sequence[str]) -> Source:
    from curvewise.sources.files import read_file  # noqa: PLC0415 - needs Polars

    read = read_file(path, label=label, numeric=numeric, names=list(names))
    columns = {name: read.frame[name] for name in read.frame.columns}
    return Source(columns, Path(path).name, path, _digest(path), notes=read.notes)


def _digest(path: str) -> str:
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _column(data: object, name: str) -> Any:
    if isinstance(data, dict):
        there, get = list(data), data.__getitem__
    else:
        import narwhals as nw  # noqa: PLC0415 - only a frame needs it

        try:
            frame = nw.from_native(data)  # type: ignore[call-overload]
        except TypeError:
            raise CurvewiseError(
                f"data: expected a frame, a dict of columns or the path of a file, got {type(data).__name__}."
            ) from None
        if isinstance(frame, nw.LazyFrame):
            frame = frame.select(name).collect()
        there = frame.columns

        def get(key: str) -> Any:
            return frame[key].to_native()

    if name not in there:
        found = ", ".join(map(repr, map(str, there[:20])))
        raise CurvewiseError(f"data: there is no column {name!r}; there are {found}.")
    return get(name)


def _without_missing(source: Source, needed: list[str]) -> Source:
    """Leave out rows in which a label, score or weight is missing; a missing name is a group of its own."""
    read: dict[str, Column] = {name: as_column(source[name], name) for name in needed}
    masks = [c.missing for c in read.values() if c.missing is not None and c.missing.any()]
    if not masks:
        return source
    keep = np.flatnonzero(~np.logical_or.reduce(masks))
    if not len(keep):
        raise CurvewiseError("data: no row is left: every row lacks a label, a score or a weight.")
    columns = {}
    for name, column in source.columns.items():
        taken = as_column(column, name) if name not in read else read[name]
        values = taken.values[keep]
        if taken.missing is not None and taken.missing[keep].any():
            values = values.astype(object)
            values[taken.missing[keep]] = None
        columns[name] = values
    gone = len(next(iter(read.values())).values) - len(keep)
    return replace(source, columns=columns, dropped=gone)
