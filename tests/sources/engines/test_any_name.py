"""A name of a column is a name in every source: never a pattern, a star, a path or a piece of SQL."""

from __future__ import annotations

import json
import string

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.sources.table import read_table
from optional import optional

duckdb = optional("duckdb")
Y = [1, 0] * 4
FALLING, RISING = (sign * np.arange(8) - 10 * sign * np.array(Y) for sign in (1.0, -1.0))  # AUC 0 and 1
PATTERNS = ["^s.*$", "^.*$", "*", "COLUMNS(*)", "a.b", "`a`", "\"'", "$1 %s", "{x}", "\\d", "é "]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8) | st.text("^.*$s_`\"'", max_size=5)


def beside(name):
    """Return rows whose other columns rank perfectly, while the one called so ranks none rightly."""
    return pl.DataFrame({"ill": Y, "s_ill": RISING, "s": RISING, name: FALLING})


@pytest.mark.parametrize("name", PATTERNS)
def test_what_looks_like_a_pattern_in_every_engine(name, place, put):
    source, options = put(beside(name))
    assert cw.roc_auc(cw.scan(source, label="ill", score=name, **options)) == 0
    swept = cw.scan(source, label="ill", score="s", by=name, **options)
    assert sorted(swept) == sorted(FALLING)


def written(frame, folder):
    """Return the same rows in every frame and file that needs no server."""
    frame.write_parquet(folder / "t.parquet")
    frame.write_ipc(folder / "t.arrow")
    frame.write_ipc_stream(folder / "stream.arrow")
    frame.write_csv(folder / "t.csv")
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))
    (folder / "t.json").write_text(json.dumps(frame.to_dicts()))
    columns = {name: frame[name].to_list() for name in frame.columns}
    files = [str(folder / f) for f in ("t.parquet", "t.arrow", "stream.arrow", "t.csv", "t.jsonl", "t.json")]
    return [columns, frame, frame.lazy(), pd.DataFrame(columns), *files]


@settings(max_examples=12)
@given(TEXT.filter(lambda name: name not in ("ill", "s", "s_ill")))
@example("^s.*$")
@example("*")
@example("")
def test_any_text_in_frames_and_files(tmp_path_factory, name):
    for source in written(beside(name), tmp_path_factory.mktemp("names")):
        if not isinstance(source, dict):
            assert cw.roc_auc(cw.scan(source, label="ill", score=name)) == 0, source
        for roles in ({"numeric": [name]}, {"numeric": ["s"], "names": [name]}, {"numeric": ["s"], "as_is": [name]}):
            column = read_table(source, label="ill", **roles)[name]
            assert [float(value) for value in column] == FALLING.tolist(), (source, roles)


@pytest.mark.parametrize("name", ["*", "^s.*$", string.punctuation])
def test_evaluate_takes_names_as_they_are(name):
    for rows in (beside(name).lazy(), duckdb.from_arrow(beside(name).to_arrow())):
        evaluation = cw.evaluate(rows, label="ill", scores=[name], replicates=20, rng=0)
        assert cw.roc_auc(evaluation.models[name].sweep) == 0


def test_evaluate_says_in_one_sentence_that_a_plan_failed():
    rows = pl.LazyFrame({"ill": ["1", "x"], "risk": [0.5, 0.25]}).with_columns(pl.col("ill").cast(pl.Int64))
    with pytest.raises(cw.SourceError, match=r"^data: the engine failed \(InvalidOperationError"):
        cw.evaluate(rows, label="ill", scores=["risk"])


@pytest.mark.parametrize("name", ["*", "^s.*$", ""])
def test_columns_given_as_series(name):
    column = beside(name)[name]
    assert cw.roc_auc(pl.Series("^y.*$", Y), column) == 0
