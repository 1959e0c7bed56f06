"""Named columns from a frame, a dict, a lazy frame or a file, all of them taken in one step."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from curvewise.errors import CurvewiseError, Note, nearest
from curvewise.rows.columns import as_column, by_text, frame_columns, shown
from curvewise.rows.reading import names_of_rows
from curvewise.sources.file_names import digest_of, files_of

MOST_LISTED = 20


@dataclass(frozen=True)
class Source:
    """Named columns of equal length, as the frame or the file had them, and where they came from.

    ``name``, ``path`` and ``sha256`` are those of the file, or of the folder or glob (the digest of the digests of its
    files); ``first_line`` is the line of the first row in one file of text; ``notes`` say what was detected in it;
    ``dropped`` rows lacked a value.
    """

    columns: dict[str, Any]
    name: str | None = None
    path: str | None = None
    sha256: str | None = None
    first_line: int | None = None
    dropped: int = 0
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


def read_table(
    data: object,
    *,
    label: str,
    numeric: Sequence[str],
    names: Sequence[str] = (),
    as_is: Sequence[str] = (),
    drop_missing: bool = False,
) -> Source:
    """Take columns of labels, numbers and names from wherever they are.

    ``data`` is any frame that narwhals knows, a dict of columns, or the path of a file. A lazy frame is
    collected once, all columns together: a plan that does not keep the order of rows, run for each column,
    would pair labels and scores of different rows. ``numeric`` are scores and weights; ``names`` are groups,
    sites and clusters; ``as_is`` are columns that no value may be read from. ``drop_missing`` leaves out rows that
    lack a label or a number, not a name; else whoever reads the columns refuses them, in words that name them.

    Examples
    --------
    >>> source = read_table({"ill": [1, 0], "risk": [0.9, 0.2], "id": [7, 8]}, label="ill", numeric=["risk"])
    >>> list(source.columns)
    ['ill', 'risk']
    """
    wanted = list(dict.fromkeys([label, *numeric, *names, *as_is]))
    if isinstance(data, str | os.PathLike):
        source = _from_file(os.fspath(data), label, numeric, names, as_is)
    elif isinstance(data, Mapping):
        columns = by_text(data, "data")
        need_columns(list(columns), wanted)
        source = Source({name: columns[name] for name in wanted})
    else:
        source = Source(_from_frame(data, wanted))
    return _without_missing(source, [label, *numeric]) if drop_missing else source


def _from_file(path: str, label: str, numeric: Sequence[str], names: Sequence[str], as_is: Sequence[str]) -> Source:
    from curvewise.sources.files import read_file  # noqa: PLC0415 - needs Polars

    read = read_file(path, label=label, numeric=numeric, names=names, as_is=as_is)
    columns = {name: read.frame[name] for name in read.frame.columns}
    if path == "-":
        return Source(columns, "standard input", first_line=read.first_line, notes=tuple(read.notes))
    digest = read.sha256 or digest_of(files_of(path))
    return Source(columns, Path(path).name, path, digest, read.first_line, notes=tuple(read.notes))


def _from_frame(data: object, wanted: list[str]) -> dict[str, Any]:
    import narwhals as nw  # noqa: PLC0415 - only a frame needs it

    try:
        frame = nw.from_native(data)  # type: ignore[call-overload]
        named = frame.collect_schema().names()
    except TypeError:
        raise CurvewiseError(
            f"data: expected a frame, a dict of columns or the path of a file, got {type(data).__name__}."
        ) from None
    except nw.exceptions.ColumnNotFoundError as error:
        raise CurvewiseError(
            f"data: the lazy frame asks for a column that is not there ({str(error).partition(chr(10))[0]})."
        ) from None
    except nw.exceptions.DuplicateError:
        raise CurvewiseError("data: expected columns of different names, got several of one name.") from None
    if not all(isinstance(name, str) for name in named):  # as pandas has them
        columns = by_text(frame_columns(data, "data") or {}, "data")
        need_columns(list(columns), wanted)
        return {name: columns[name] for name in wanted}
    need_columns(named, wanted)
    return taken(frame, wanted)


def taken(frame: Any, wanted: Sequence[str]) -> dict[str, Any]:
    """Return columns of a frame of narwhals by name; a lazy one is collected once, all columns together."""
    if not hasattr(frame, "collect"):
        return {name: frame[name].to_native() for name in wanted}
    from curvewise.sources.engines.find import find_engine  # noqa: PLC0415 - only a lazy frame needs it

    engine = find_engine(frame.to_native())
    columns = {f"c{k}": name for k, name in enumerate(wanted)}
    held = engine.computed(lambda: engine.named(columns).collect())
    return {name: held[alias].to_native() for alias, name in columns.items()}


def need_columns(there: Sequence[Any], wanted: Sequence[str], where: str = "data") -> None:
    """Refuse a column that is not there; say which there are."""
    for name in wanted:
        if name not in there:
            close = nearest(str(name), map(str, there), 1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            listed = ", ".join(repr(str(c)) for c in there[:MOST_LISTED])
            raise CurvewiseError(f"{where}: there is no column {shown(name)}{hint}; there are {listed}.")


def _without_missing(source: Source, needed: list[str]) -> Source:
    """Leave out rows in which a label or a number is missing; a missing name is a group of its own."""
    read = {name: as_column(column, name) for name, column in source.columns.items()}
    masks = [m for name in needed if (m := read[name].missing) is not None and m.any()]
    if not masks:
        return source
    keep = ~np.logical_or.reduce(masks)
    if not keep.any():
        raise CurvewiseError("data: no row is left: every row lacks a label, a score or a weight.")
    columns = {name: names_of_rows(column.keep(keep)) for name, column in read.items()}
    # rows that are left out shift all those behind them: their lines are no longer known
    return replace(source, columns=columns, first_line=None, dropped=int(np.count_nonzero(~keep)))
