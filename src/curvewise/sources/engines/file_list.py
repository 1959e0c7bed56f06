"""Files by path, folder or glob, as one table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise.errors import OptionError
from curvewise.rows.columns import count
from curvewise.sources._polars import FAILURES, by_name, pl
from curvewise.sources.byte_source import open_source, unreadable
from curvewise.sources.engines.in_memory import TextFiles
from curvewise.sources.engines.lazy_frame import failed
from curvewise.sources.engines.polars import PolarsEngine
from curvewise.sources.engines.several_tables import SeveralTables
from curvewise.sources.file_names import files_of, folder_keys, is_empty
from curvewise.sources.files import one_kind
from curvewise.sources.formats.cells import plain_names
from curvewise.sources.formats.columnar import scanned
from curvewise.sources.formats.format import Format, format_by_bytes, format_of

if TYPE_CHECKING:
    from curvewise.sources.engines.engine import Engine
    from curvewise.sources.engines.facts import FactsEngine

Schema = dict[str, pl.DataType]


def open_files(source: Any, engine: str) -> Engine:
    """Return the engine that reads files.

    Parquet and Arrow are read lazily; text is read by the library itself, as strictly as one file of text. Files
    whose columns have different types are tables of their own, counted together.
    """
    paths = files_of(source)
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else _name_of(paths)
    files = [(path, _format(path)) for path in paths if len(paths) == 1 or not is_empty(path)] or [
        (name, _format(paths[0]))
    ]
    one_kind(files)
    form, paths = files[0][1], [path for path, _ in files]
    if engine in ("duckdb", "spark") and form.kind != "parquet":
        raise OptionError.of("engine", f"{engine!r} reads Parquet, and this is {form.title}; leave it out.")
    if form.home != "columnar":
        return TextFiles(paths, name)
    opened = _open(paths, form.kind, name, engine)
    opened.files = tuple(paths)
    return opened


def _open(paths: list[str], kind: str, name: str, engine: str) -> Engine:
    """Return the engine that reads files of Parquet or Arrow."""
    if engine == "spark":
        home = import_module("curvewise.sources.engines.spark")
        return home.SparkEngine(home.spark_files(paths), name)  # type: ignore[no-any-return]
    tables = _by_schema(paths, kind)
    types = {name: dtype for schema, _ in tables for name, dtype in schema.items() if dtype != pl.Null}
    opened = _in_duckdb if engine == "duckdb" else _in_polars
    parts = [opened(some, kind, schema, types) for schema, some in tables]
    if len(parts) == 1:
        parts[0].shown_as = name
        return parts[0]
    return SeveralTables(parts, name)


def _by_schema(paths: Sequence[str], kind: str) -> list[tuple[Schema, list[str]]]:
    """Put files together whose columns have the same names and types."""
    alike: dict[frozenset[Any], tuple[Schema, list[str]]] = {}
    for path in paths:
        schema = _schema(path, kind)
        alike.setdefault(frozenset(schema.items()), (schema, []))[1].append(path)
    return list(alike.values())


def _schema(path: str, kind: str) -> Schema:
    try:
        return dict(scanned(kind, [Path(path).absolute()]).collect_schema())
    except FAILURES as error:
        raise failed(path, error) from None


def _in_polars(paths: list[str], kind: str, schema: Schema, types: Schema) -> FactsEngine:
    keys = _keys(paths, schema)
    full = [Path(path).absolute() for path in paths]  # a name alone may look like an address
    frame = scanned(kind, full, hive_partitioning=bool(keys), hive_schema=keys or None)
    typed = {by_name(name): dtype for name, dtype in _untyped(schema, types).items()}
    return PolarsEngine(frame.cast(typed), _name_of(paths))  # type: ignore[arg-type]


def _in_duckdb(paths: list[str], _: str, schema: Schema, types: Schema) -> FactsEngine:
    home = import_module("curvewise.sources.engines.duckdb")
    keys = _keys(paths, schema)
    relation = home.duckdb_files(paths, keys | _untyped(schema, types), folders=bool(keys))
    return home.DuckDBEngine(relation, _name_of(paths))  # type: ignore[no-any-return]


def _untyped(schema: Schema, types: Schema) -> Schema:
    """Return a type for each column without one, as all its values are missing: that of the other files."""
    return {name: types.get(name, pl.Float64()) for name, dtype in schema.items() if dtype == pl.Null}


def _keys(paths: Sequence[str], schema: Schema) -> Schema:
    """Return the columns that the names of folders add, as text, or as numbers where all are plainly that."""
    keys = folder_keys(paths)
    if schema.keys() & keys.keys():
        return {}
    return {name: plain_names(pl.Series(values, dtype=pl.String)).dtype for name, values in keys.items()}


def _format(path: str) -> Format:
    """Tell what a file is, from as few bytes as may do."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(8)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    form = format_by_bytes(head)
    return form if form is not None and form.home == "columnar" else format_of(open_source(path))


def _name_of(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {count(len(paths) - 1, 'other file')}"
