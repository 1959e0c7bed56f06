"""The engines that every case goes through: how rows get there, and what an engine cannot hold."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from optional import optional
from sources.engines.servers import postgres_server
from sources.engines.spark_server import spark_session

duckdb, ibis = optional("duckdb"), optional("ibis")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Somewhere that rows can lie.

    ``put`` takes a Polars frame, an empty folder and pytest's request (for a server or a session, as in
    ``request.getfixturevalue("spark")``), and returns what `scan` is given, with options of it. ``lacks`` says what of
    `Case.holds` it cannot hold, and why: such cases are skipped.
    """

    put: Callable[[pl.DataFrame, Path, Any], tuple[object, dict[str, Any]]]
    lacks: dict[str, str] = field(default_factory=dict)
    marks: tuple[Any, ...] = ()

    def needing(self, *packages: str) -> Place:
        """Return the place, left out where a package is missing."""
        return replace(self, marks=(*self.marks, pytest.mark.needs(*packages)))


def _parquet(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
    frame.write_parquet(folder / "t.parquet")
    return folder / "t.parquet", {}


def parts(frame: pl.DataFrame, folder: Path) -> list[Path]:
    """Write rows to several files, one of them without rows."""
    paths = []
    third = -(-frame.height // 3)
    for k, part in enumerate([frame[:third], frame.clear(), frame[third : 2 * third], frame[2 * third :]]):
        paths.append(folder / f"part-{k}.parquet")
        part.write_parquet(paths[-1])
    return paths


def _parts(engine: str) -> Callable[..., tuple[object, dict[str, Any]]]:
    def put(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
        parts(frame, folder)
        return str(folder / "part-*.parquet"), {"engine": engine}

    return put


def _arrow(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
    for k, part in enumerate([frame[:2], frame[2:]]):
        part.write_ipc(folder / f"{k}.arrow")
    return folder, {}


def _duckdb(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
    frame.write_parquet(folder / "t.parquet")
    return duckdb.connect().read_parquet(str(folder / "t.parquet")), {}


def _ibis(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
    pytest.importorskip("pyarrow_hotfix", reason="Ibis cannot use DuckDB here: pip install 'ibis-framework[duckdb]'")
    frame.write_parquet(folder / "t.parquet")
    return ibis.duckdb.connect().read_parquet(folder / "t.parquet"), {}


def _postgres(frame: pl.DataFrame, _: Path, request: Any) -> tuple[object, dict[str, Any]]:
    server = request.getfixturevalue("postgres")
    server.run("drop table if exists t")
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("t", wide_enough(frame).to_arrow(compat_level=pl.CompatLevel.oldest()), mode="create")
    return server.address, {"query": "select * from t"}


def _sqlite(frame: pl.DataFrame, folder: Path, _: Any) -> tuple[object, dict[str, Any]]:
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in frame.columns)
    with closing(sqlite3.connect(folder / "t.db")) as connection, connection:
        connection.execute(f"create table t ({names})")
        connection.executemany(f"insert into t values ({', '.join('?' * frame.width)})", frame.rows())
    return f"sqlite:///{folder / 't.db'}", {"query": "select * from t"}


def wide_enough(frame: pl.DataFrame) -> pl.DataFrame:
    """Give categories the type that PostgreSQL has for them."""
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def _spark(frame: pl.DataFrame, folder: Path, request: Any) -> tuple[object, dict[str, Any]]:
    session = request.getfixturevalue("spark")
    return session.read.parquet(*map(str, parts(frame, folder))), {}


@pytest.fixture(scope="session")
def spark():
    """A session of Spark on two cores, one per test process; a task that fails is tried once more."""
    with spark_session() as session:
        yield session


@pytest.fixture(scope="session")
def postgres():
    """A server of PostgreSQL, one per test process."""
    with postgres_server() as server:
        yield server


def _no(database: str, *types: str) -> dict[str, str]:
    return dict.fromkeys(types, f"{database} has no such type")


LONG = {"long Decimal": "decimals of more digits than float64 keeps are refused there"}
NO_CAPITALS = {"capitals": "DuckDB does not tell apart names that differ in capitals alone"}
SPARK_LACKS = {
    "capitals": "Spark does not tell apart names that differ in capitals alone",
    **{f"UInt{bits}": "Spark has no whole numbers without a sign" for bits in (8, 16, 32, 64)},
}
SERVER = (pytest.mark.servers,)
PLACES = {
    "polars": Place(lambda frame, *_: (frame, {})),
    "polars lazy": Place(lambda frame, *_: (frame.lazy(), {})),
    "pandas": Place(lambda frame, *_: (frame.to_pandas(use_pyarrow_extension_array=True), {})).needing("pyarrow"),
    "pyarrow": Place(lambda frame, *_: (frame.to_arrow(), {})).needing("pyarrow"),
    "parquet": Place(_parquet),
    "parquet files": Place(_parts("auto")),
    "parquet files, duckdb": Place(_parts("duckdb"), NO_CAPITALS).needing("duckdb"),
    "arrow files": Place(_arrow),
    "duckdb": Place(_duckdb, NO_CAPITALS).needing("duckdb"),
    "ibis": Place(_ibis, NO_CAPITALS).needing("ibis", "duckdb"),
    "postgres": Place(_postgres, _no("PostgreSQL", "Int8", "UInt8", "UInt16", "UInt32", "UInt64") | LONG, SERVER),
    "sqlite": Place(
        _sqlite,
        _no("SQLite", "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Boolean score")
        | _no("SQLite", "Decimal", "long Decimal", "Date", "Datetime")
        | {"capitals": "SQLite does not tell apart names that differ in capitals alone"},
    ).needing("adbc_driver_sqlite"),
    "spark": Place(_spark, SPARK_LACKS, (*SERVER, pytest.mark.xdist_group("spark"))),
}


@pytest.fixture(params=[pytest.param(name, marks=place.marks) for name, place in PLACES.items()])
def place(request):
    """Each place in turn."""
    return PLACES[request.param]


@pytest.fixture
def put(place, tmp_path, request):
    """Bring rows to a place: what `scan` is given, with options of it."""
    return lambda frame: place.put(frame, tmp_path, request)
