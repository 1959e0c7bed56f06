"""On every engine: limits contain the exact value, many groups come from one pass, and what fails is one sentence."""

from __future__ import annotations

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from sources.engines.cases import CASES, Case, frame, in_memory
from sources.engines.test_same_everywhere import assert_same

ASKED = {"label": "ill", "score": "risk"}


@pytest.mark.parametrize("resolution", [1e-2, 1e-3])
@pytest.mark.parametrize("weighted", [False, True])
def test_limits_contain_the_exact_value(put, resolution, weighted):
    weight = {"weight": "weight"} if weighted else {}
    rows = frame(20_000, seed=4, weight=np.random.default_rng(5).integers(1, 4, 20_000))
    source, options = put(rows)
    found = cw.scan(source, **ASKED, **weight, **options, resolution=resolution)
    exact = cw.sweep(rows["ill"], rows["risk"], weight=rows["weight"] if weighted else None)
    assert found.bins is not None
    assert found.n == exact.n
    for metric in (cw.roc_auc, cw.average_precision):
        assert metric(found).low <= metric(exact) <= metric(found).high
        assert metric(found).high - metric(found).low <= resolution


def test_areas_are_exact_after_ranking(put):
    rows = frame(200_000, seed=6)
    source, options = put(rows)
    found, exact = cw.scan(source, **ASKED, **options, resolution=0), cw.sweep(rows["ill"], rows["risk"])
    assert cw.roc_auc(found) == cw.roc_auc(exact)
    assert cw.average_precision(found) == pytest.approx(cw.average_precision(exact), rel=1e-12)


def test_thousands_of_groups(put):
    rng = np.random.default_rng(7)
    rows = frame(100_000, seed=8, site=np.repeat(np.arange(2000), 50), risk=rng.integers(0, 20, 100_000) / 8)
    rows = rows.sample(fraction=1.0, shuffle=True, seed=9)
    source, options = put(rows)
    found = cw.scan(source, **ASKED, by="site", **options)
    expected = in_memory(Case("many groups", rows, {"by": "site"}))
    assert list(found) == list(expected) == list(range(2000))
    assert all(found[k] == expected[k] for k in expected)
    table = found.metrics("roc_auc")
    assert np.asarray(table.columns["roc_auc"]).tolist() == [cw.roc_auc(expected[k]) for k in expected]


def test_groups_in_bins(put):
    rows = frame(30_000, seed=10, site=np.arange(30_000) % 3)
    source, options = put(rows)
    found = cw.scan(source, **ASKED, by="site", resolution=1e-2, **options)
    for k, exact in in_memory(Case("groups", rows, {"by": "site"})).items():
        assert found[k].bins is not None
        assert cw.roc_auc(found[k]).low <= cw.roc_auc(exact) <= cw.roc_auc(found[k]).high


@pytest.mark.parametrize("name", ["il", "Risk", "cw_score", 'x"; drop table t; --'])
def test_a_column_that_is_not_there(put, name):
    source, options = put(frame(10))
    with pytest.raises(cw.CurvewiseError, match="there is no column") as refusal:
        cw.scan(source, label=name, score="risk", **options)
    assert repr(name) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_pandas_with_objects(case):
    """Columns of Python's objects, as pandas has them after many a step."""
    if case.holds & {"Float32", "UInt8", "UInt64", "Boolean score"} or case.name.startswith(
        ("scores of Int", "scores of U")
    ):
        pytest.skip("an object of Python has no such type")
    objects = pd.DataFrame({c.name: pd.Series(c.to_list(), dtype=object) for c in case.frame})
    expected = in_memory(case)
    if isinstance(expected, str):
        with pytest.raises(cw.CurvewiseError):
            cw.scan(objects, **case.asked)
        return
    found = cw.scan(objects, **case.asked)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
    else:
        assert_same(found, expected, exact=case.exact)


def test_columns_of_one_name():
    rows = pd.DataFrame([[1, 0.5, 0.2], [0, 0.1, 0.3]], columns=["ill", "risk", "risk"])
    with pytest.raises(cw.CurvewiseError, match="several columns have one name"):
        cw.scan(rows, **ASKED)


@pytest.mark.parametrize("pieces", [1, 4])
@pytest.mark.parametrize("name", ["ties", "groups by text with gaps", "whole weights", "missing scores dropped"])
def test_dask(name, pieces):
    case = next(c for c in CASES if c.name == name)
    rows = dd.from_pandas(case.frame.to_pandas(), npartitions=pieces)
    found, expected = cw.scan(rows, **case.asked), in_memory(case)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        assert all(found[k] == expected[k] for k in expected)
    else:
        assert_same(found, expected, exact=True)


def test_metrics_come_as_a_frame_of_the_callers_library():
    rows = frame(60, site=np.arange(60) % 3)
    for source, kind in ((rows, pl.DataFrame), (rows.to_pandas(), pd.DataFrame)):
        table = cw.scan(source, **ASKED, by="site").metrics()
        assert isinstance(table.to_frame(), kind)
