"""Rows that change between two passes: each pass is held to the first, or all of them see one moment."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.sources.engines.lazy_frame import LazyFrameEngine
from optional import optional

duckdb = optional("duckdb")
ASKED = {"label": "ill", "score": "risk"}
RNG = np.random.default_rng(0)
ROWS = pl.DataFrame({"ill": RNG.integers(0, 2, 4000), "risk": RNG.normal(size=4000), "weight": RNG.random(4000)})
CHANGES = {
    "fewer rows": ROWS[:3000],
    "more rows": pl.concat([ROWS, ROWS[:7]]),
    "a third class": ROWS.with_columns(ill=pl.Series([*ROWS["ill"][:-1], 2])).vstack(ROWS[:1]),
    "labels turned round": ROWS.with_columns(ill=1 - pl.col("ill")),
}


def after_facts(monkeypatch, engine, change):
    """Let rows change once the first pass is over."""
    facts = engine.facts

    def and_then(self, asked):
        found = facts(self, asked)
        change()
        return found

    monkeypatch.setattr(engine, "facts", and_then)


@pytest.mark.parametrize("options", [{}, {"resolution": 1e-2}, {"resolution": 0}, {"weight": "weight"}], ids=str)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "kind",
    ["polars", "file", *(pytest.param(k, marks=pytest.mark.needs("duckdb")) for k in ("duckdb", "file, duckdb"))],
)
def test_every_pass_is_held_to_the_first(tmp_path, monkeypatch, kind, change, options):
    path, now = tmp_path / "t.parquet", {"rows": ROWS}
    ROWS.write_parquet(path)

    def write():
        CHANGES[change].write_parquet(path)
        now["rows"] = CHANGES[change]

    after_facts(monkeypatch, LazyFrameEngine, write)
    source = {
        "polars": lambda: ROWS.lazy().map_batches(lambda _: now["rows"], projection_pushdown=False),
        "duckdb": lambda: duckdb.connect().read_parquet(str(path)),
    }.get(kind, lambda: str(path))()
    engine = {"engine": "duckdb"} if kind == "file, duckdb" else {}
    # Polars may have kept where the columns of the old file were
    said = "changed while it was being read" + ("|the engine failed" if kind == "file" else "")
    with pytest.raises(cw.SourceError, match=said):
        cw.scan(source, **ASKED, **options, **engine)


@pytest.mark.parametrize("later", [ROWS.with_columns(risk=pl.col("risk").sort()), ROWS.clear()], ids=["sorted", "none"])
@pytest.mark.parametrize("resolution", [1e-2, 0])
def test_rows_that_change_after_they_were_counted_in_bins(tmp_path, monkeypatch, resolution, later):
    """As many of each class, with other scores: only the bins that are counted once more can tell."""
    path = tmp_path / "t.parquet"
    ROWS.write_parquet(path)
    scan = import_module("curvewise.sources.scan")
    monkeypatch.setattr(scan, "EXACT_BINS", 50)
    monkeypatch.setattr(scan, "bins_for", lambda _: 50)
    in_bins = scan.Stream.summary

    def and_then(self):
        later.write_parquet(path)
        return in_bins(self)

    monkeypatch.setattr(scan.Stream, "summary", and_then)
    with pytest.raises(cw.SourceError, match="changed while it was being read"):
        cw.scan(pl.scan_parquet(path), **ASKED, resolution=resolution)


def test_a_file_that_is_written_to_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    ROWS.write_csv(path)
    delimited = import_module("curvewise.sources.formats.delimited")
    read = delimited.read

    def and_then(*arguments, **options):
        found = read(*arguments, **options)
        os.utime(path, ns=(1, 1))
        return found

    monkeypatch.setattr(delimited, "read", and_then)
    with pytest.raises(cw.SourceError, match=r"t\.csv: changed while it was being read; read a copy"):
        cw.evaluate(str(path), label="ill", scores=["risk"])


def sql_engine():
    return import_module("curvewise.sources.engines.sql").SqlEngine


def test_postgres_is_read_in_one_snapshot(postgres, monkeypatch):
    import adbc_driver_postgresql.dbapi as driver

    def third_class():
        postgres.run("insert into changing select 2, -k from generate_series(1, 50) as k")

    postgres.run(
        "drop table if exists changing",
        "create table changing as select k % 2 as ill, k as risk from generate_series(1, 100) as k",
    )
    after_facts(monkeypatch, sql_engine(), third_class)
    for resolution in (None, 0.4):
        postgres.run("delete from changing where ill = 2")
        found = cw.scan(postgres.address, query="select * from changing", **ASKED, resolution=resolution)
        assert (found.positives, found.negatives) == (50, 50)
    postgres.run("delete from changing where ill = 2")
    said = r"PostgreSQL: changed .* \(50 positives and 50 negatives in the first pass, 50 and 100 in a later one\)"
    # the transactions of a connection are the user's own
    with driver.connect(postgres.address) as connection, pytest.raises(cw.SourceError, match=said):
        cw.scan(connection, query="select * from changing", **ASKED)


def test_sqlite_is_read_in_one_snapshot(tmp_path, monkeypatch):
    pytest.importorskip("adbc_driver_sqlite")
    path = tmp_path / "t.db"

    def run(*statements):
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    run("pragma journal_mode = wal", "create table t (ill int, risk real)", "insert into t values (1, 0.9), (0, 0.1)")
    with closing(sqlite3.connect(path)):  # else the log of what is written would be gone with the last connection
        after_facts(monkeypatch, sql_engine(), lambda: run("insert into t values (2, 0.5)"))
        found = cw.scan(f"sqlite:///{path}", query="select * from t", **ASKED)
    assert (found.positives, found.negatives) == (1, 1)
    run("drop table t")  # nothing holds the file any longer


def test_whole_numbers_beside_fractions_in_sqlite(tmp_path):
    pytest.importorskip("adbc_driver_sqlite")
    address = f"sqlite:///{tmp_path / 't.db'}"
    for scores, is_exact in (((2**53 + 1, 2**53), False), ((2**53 + 2, 2**53), True), ((2**63 - 1, 2**63 - 2), False)):
        with closing(sqlite3.connect(tmp_path / "t.db")) as connection, connection:
            connection.execute("drop table if exists t")
            connection.execute("create table t (ill, risk)")
            connection.executemany("insert into t values (?, ?)", [(1, scores[0]), (0, scores[1]), (0, 0.5)])
        if is_exact:
            assert cw.roc_auc(cw.scan(address, query="select * from t", **ASKED)) == 1
            continue
        with pytest.raises(
            cw.CurvewiseError, match=r"column 'risk': holds \d numbers? of more digits than float64 keeps"
        ):
            cw.scan(address, query="select * from t", **ASKED)
