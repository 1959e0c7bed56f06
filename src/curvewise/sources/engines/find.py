"""Which engine holds what a user names: by the kind of the object, or by the look of the address."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import narwhals as nw

from curvewise.errors import CurvewiseError, OptionError
from curvewise.rows.checks import one_of
from curvewise.sources.engines.engine import Engine

REMOTE = ("s3", "gs", "gcs", "az", "abfs", "abfss", "adl", "hf", "http", "https", "hdfs")  # where files may lie, too
ENGINES = ("auto", "polars", "duckdb", "spark")
HOMES = {  # of frames, by what narwhals calls their library
    "polars": ("polars", "PolarsEngine"),
    "duckdb": ("duckdb", "DuckDBEngine"),
    "pyspark": ("spark", "SparkEngine"),
    "pyspark[connect]": ("spark", "SparkEngine"),
    "ibis": ("ibis", "IbisEngine"),
    "dask": ("dask", "DaskEngine"),
}


def find_engine(source: object, engine: str = "auto", query: str | None = None) -> Any:
    """Return the engine that holds the rows."""
    one_of("engine", engine, ENGINES)
    if isinstance(source, Engine):
        return source
    if query is not None:
        return _load("sql", "SqlEngine")(source, query)
    if isinstance(source, str) and source.partition("://")[0].lower() in REMOTE:
        raise CurvewiseError(
            "source: files are read from this machine; for others pass a lazy frame, as polars.scan_parquet makes one."
        )
    if isinstance(source, str) and "://" in source and not source.startswith("file://"):
        raise OptionError.of("query", "a database needs the query whose rows are to be judged, as select y, p from t.")
    if isinstance(source, str | os.PathLike) or (isinstance(source, Sequence) and source):
        return import_module("curvewise.sources.engines.file_list").open_files(source, engine)
    try:
        frame: Any = nw.from_native(source)
    except TypeError:
        raise CurvewiseError(
            "source: expected a lazy frame, a frame, a path, a list of paths or the address of a database, got "
            f"{type(source).__name__}."
        ) from None
    except nw.exceptions.DuplicateError:
        raise CurvewiseError("data: several columns have one name; rename them, so that one is meant.") from None
    if engine != "auto":
        raise OptionError.of("engine", "says what reads files; a frame belongs to its own engine.")
    other = ("in_memory", "InMemoryEngine") if isinstance(frame, nw.DataFrame) else ("lazy_frame", "LazyFrameEngine")
    home, name = HOMES.get(frame.implementation.value, other)
    return _load(home, name)(source)


def _load(home: str, name: str) -> Any:
    return getattr(import_module(f"curvewise.sources.engines.{home}"), name)
