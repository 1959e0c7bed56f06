"""Columns of several files put together as if they had been one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curvewise.errors import CurvewiseError, SourceError
from curvewise.sources._polars import pl
from curvewise.sources.formats.cells import TEXT
from curvewise.sources.formats.kinds import TEXT_KINDS, Kind, kind_name


@dataclass(frozen=True)
class FilePart:
    """The columns of one of several files."""

    path: str
    kind: Kind
    frame: pl.DataFrame
    first_line: int | None


def one_kind(files: Sequence[tuple[str, Kind]]) -> None:
    """Refuse text beside Parquet or Arrow: numbers of one and text of the other are not alike."""
    first, kind = files[0]
    for path, other in files[1:]:
        if other != kind and not (other in TEXT_KINDS and kind in TEXT_KINDS):
            raise SourceError(
                f"{first} is {kind_name(kind)} and {path} is {kind_name(other)}: files that are read together must be "
                "of one kind; name them by a pattern that ends alike, as '*.parquet'."
            )


def joined(parts: Sequence[FilePart], wanted: Sequence[str]) -> pl.DataFrame:
    """Return the rows of all files."""
    return pl.DataFrame({name: _joined_column(name, parts) for name in wanted})


def _joined_column(name: str, parts: Sequence[FilePart]) -> pl.Series:
    """Put a column together; types of numbers that differ are brought to one exactly, through text."""
    columns = [part.frame[name] for part in parts]
    there = [(part.path, c) for part, c in zip(parts, columns, strict=True) if c.dtype != pl.Null and len(c)]
    dtypes = {c.dtype for _, c in there}
    if len(dtypes) > 1:
        first, held = there[0][0], held_in(there[0][1].dtype)
        for path, column in there[1:]:
            same_in_both(name, (first, held), (path, held_in(column.dtype)))
        columns = [_as_text(c) for c in columns]
    elif dtypes:
        columns = [c.cast(next(iter(dtypes))) for c in columns]
    return pl.concat(columns)


def same_in_both(name: str, one: tuple[str, str], other: tuple[str, str]) -> None:
    """Refuse a column that holds one thing in one file and another thing in another."""
    if one[1] != other[1]:
        raise CurvewiseError(
            f"column {name!r}: holds {one[1]} in {one[0]} and {other[1]} in {other[0]}; write the files alike."
        )


def held_in(dtype: pl.DataType) -> str:
    """Say what a column holds."""
    if dtype in TEXT:
        return "text"
    if dtype == pl.Boolean:
        return "booleans"
    return "numbers" if dtype.is_numeric() else str(dtype)


def _as_text(column: pl.Series) -> pl.Series:
    """Write values so that they are read back exactly."""
    wide = column.cast(pl.Float64) if column.dtype.is_float() else column
    return wide.cast(pl.String)
