"""DuckDB: what is its own, beside the table of inputs of every engine."""

from __future__ import annotations

import importlib
import sys

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curvewise as cw

ASKED = {"label": "ill", "score": "risk"}


@pytest.mark.parametrize("written_by", ["polars", "pyarrow", "duckdb"])
def test_nan_in_parquet_is_seen(tmp_path, written_by):
    """DuckDB answers isnan from the statistics of the file, in which there is no NaN."""
    rows = pl.DataFrame({"ill": [1, 0, 1, 0], "risk": [0.5, np.nan, 0.75, 0.25]})
    path = str(tmp_path / "t.parquet")
    if written_by == "polars":
        rows.write_parquet(path)
    elif written_by == "pyarrow":
        pq.write_table(pa.table({name: rows[name].to_numpy() for name in rows.columns}), path)
    else:
        duckdb.connect().from_arrow(rows.to_arrow()).write_parquet(path)
    for source, options in ((duckdb.connect().read_parquet(path), {}), (path, {"engine": "duckdb"})):
        with pytest.raises(cw.CurvewiseError, match="column 'risk' has 1 missing value"):
            cw.scan(source, **ASKED, **options)
        assert cw.scan(source, **ASKED, **options, missing="drop").n == 3


def test_the_users_connection_stays_usable():
    database = duckdb.connect()
    database.sql("create table t as select i % 2 as ill, i / 8 as risk from range(100) r(i)")
    rows = database.table("t")
    assert cw.scan(rows, **ASKED).n == 100
    assert database.sql("select count(*) from t").fetchall() == [(100,)]


def test_whole_numbers_of_128_bits():
    rows = duckdb.sql("select i % 2 as ill, (i + 9007199254740992)::hugeint as risk from range(10) r(i)")
    assert cw.scan(rows, **ASKED).threshold.tolist() == list(range(2**53 + 9, 2**53 - 1, -1))
    far = duckdb.sql(
        "select i % 2 as ill, i + 170141183460469231731687303715884105000::hugeint as risk from range(9) r(i)"
    )
    with pytest.raises(cw.CurvewiseError, match="do not fit in 64 bits"):
        cw.scan(far, **ASKED)


def test_a_query_that_fails_is_one_sentence():
    rows = duckdb.sql(
        "select 1 as ill, case when i = 5 then error('no such thing') else 0.5 end as risk from range(9) r(i)"
    )
    with pytest.raises(cw.SourceError, match="the engine failed") as refusal:
        cw.scan(rows.select("ill, risk::double as risk"), **ASKED)
    assert "\n" not in str(refusal.value)


def test_duckdb_may_be_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "curvewise.sources.engines.duckdb", raising=False)
    with pytest.raises(cw.MissingExtraError, match=r"pip install 'curvewise\[duckdb\]'"):
        importlib.import_module("curvewise.sources.engines.duckdb")
