"""Columns come from frames, dicts and files alike, and a lazy frame runs once."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

from curvewise import CurvewiseError, SourceError
from curvewise.sources.table import read_table
from optional import optional

pa = optional("pyarrow")

DATA = {"y": [1, 0, 1], "p": [0.5, 0.25, 0.75], "who": ["a", None, "c"], "more": [1, 2, 3]}


@pytest.mark.parametrize(
    "given",
    [DATA, pl.DataFrame(DATA), pl.LazyFrame(DATA), pd.DataFrame(DATA), pa.table(DATA)],
    ids=["dict", "polars", "lazy", "pandas", "pyarrow"],
)
def test_columns_of_anything(given):
    found = read_table(given, label="y", numeric=["p"], names=["who"])
    assert list(found.columns) == ["y", "p", "who"]
    assert np.asarray(found["p"]).tolist() == [0.5, 0.25, 0.75]
    assert (found.name, found.path, found.dropped, found.notes) == (None, None, 0, ())


def shuffled(runs):
    """Return a plan that puts the rows into another order each time it runs."""
    rng = np.random.default_rng(0)
    n = 200

    def run(frame):
        runs.append(1)
        return frame[rng.permutation(n)]

    y = np.arange(n) % 2
    frame = pl.DataFrame({"y": y, "p": np.arange(n) + 1000.0 * y, "who": np.arange(n)})
    return frame.lazy().map_batches(run, projection_pushdown=False)


def test_a_plan_that_shuffles_is_collected_once():
    runs = []
    found = read_table(shuffled(runs), label="y", numeric=["p"], names=["who"])
    assert len(runs) == 1
    y, p, who = (np.asarray(found[name]) for name in ("y", "p", "who"))
    np.testing.assert_array_equal(p, who + 1000.0 * y)  # each label stays beside its score
    assert not np.array_equal(who, np.sort(who))


def test_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y;p;who\n1;0,5;a\n0;;b\n")
    found = read_table(path, label="y", numeric=["p"], names=["who"])
    assert (found.name, found.path, found.first_line) == ("t.csv", str(path), 2)
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [n.code for n in found.notes] == ["delimiter_detected", "decimal_comma_detected"]
    with pytest.raises(SourceError, match="no such file"):
        read_table(str(tmp_path / "no.csv"), label="y", numeric=["p"])


def test_rows_without_a_label_or_a_number_are_left_out_on_request():
    data = {**DATA, "p": [0.5, None, 0.75]}
    assert read_table(data, label="y", numeric=["p"]).dropped == 0
    found = read_table(data, label="y", numeric=["p"], names=["who"], drop_missing=True)
    assert found.dropped == 1
    assert list(found["p"]) == [0.5, 0.75]
    assert list(found["who"]) == ["a", "c"]
    kept = read_table(DATA, label="y", numeric=["p"], names=["who"], drop_missing=True)
    assert kept.dropped == 0  # a missing name is a group of its own
    with pytest.raises(CurvewiseError, match="no row is left"):
        read_table({"y": [None], "p": [1]}, label="y", numeric=["p"], drop_missing=True)


def test_what_is_not_there_is_named():
    for data in (DATA, pl.LazyFrame(DATA)):
        with pytest.raises(CurvewiseError, match=r"no column 'P' \(did you mean 'p'\?\); there are 'y', 'p'"):
            read_table(data, label="y", numeric=["P"])
    with pytest.raises(CurvewiseError, match="expected a frame, a dict of columns or the path of a file, got int"):
        read_table(3, label="y", numeric=["p"])
