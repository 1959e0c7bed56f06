"""One sort for all groups: each group's sweep is the sweep of its rows; names of any kind."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.breakdown.partition import _value, partition, ranked, without
from curvewise.metric.registry import bound
from curvewise.rows.category import MISSING, Category, combined, named_columns
from curvewise.rows.reading import read_rows
from strategies import labelled, weights


def dealt(y, s, codes, **options):
    rows, codes = read_rows(y, s, **options), np.asarray(codes)
    names = tuple(map(str, range(int(codes.max()) + 1)))
    return partition(rows, ranked(rows), Category("group", codes, names, names))


@given(labelled(), st.data(), st.sampled_from(["positive", "negative"]), st.booleans())
def test_sweeps_are_those_of_the_groups_rows(data, draw, higher_is, weighted):
    y, s = map(np.asarray, data)
    codes = np.unique(draw.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))), return_inverse=True)[1]
    w = np.array(draw.draw(st.lists(weights, min_size=len(y), max_size=len(y)))) if weighted else None
    parts = dealt(y, s, codes, weight=w, higher_is=higher_is).sweeps()
    for g, part in enumerate(parts):
        on = codes == g
        alone = cw.sweep(y[on], s[on], weight=None if w is None else w[on], higher_is=higher_is)
        assert part == alone
        assert part.dropped == alone.dropped
        assert part.threshold.dtype == alone.threshold.dtype
        assert not np.signbit(part.threshold[part.threshold == 0]).any()  # -0.0 is 0.0


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint64, np.bool_])
def test_scores_keep_their_dtype(dtype):
    s = np.array([0, 1, 1, 0, 1, 1]).astype(dtype)
    part = dealt([1, 0, 1, 0, 1, 1], s, [0, 0, 0, 1, 1, 1]).sweeps()[0]
    assert part == cw.sweep([1, 0, 1], s[:3])


def test_fractional_weights_and_many_groups():
    rng = np.random.default_rng(0)
    n = 3000
    y, s, w, g = rng.random(n) < 0.3, rng.integers(0, 40, n), rng.random(n), rng.integers(0, 300, n)
    g = np.unique(g, return_inverse=True)[1]
    found = dealt(y, s, g, weight=w)
    for k in (0, 7, len(found) - 1):
        on = g == k
        alone = cw.sweep(y[on], s[on], weight=w[on])
        part = found.sweeps()[k]
        assert part.threshold.tolist() == alone.threshold.tolist()
        np.testing.assert_allclose(part.tp, alone.tp)
        np.testing.assert_allclose(part.fp, alone.fp)
        assert sorted(found.rows_of(k).weight) == sorted(w[on])
        assert len(found.rows_of_the_rest(k).score) == n - on.sum()


@given(labelled(min_size=4), st.sampled_from(["positive", "negative"]))
def test_the_rest_is_the_difference(data, higher_is):
    y, s = map(np.asarray, data)
    whole = cw.sweep(y, s, higher_is=higher_is)
    part = cw.sweep(y[:2], s[:2], higher_is=higher_is)
    assert without(whole, part) == cw.sweep(y[2:], s[2:], higher_is=higher_is)
    assert without(whole, part) + part == whole


def names(group, n=4):
    rows = read_rows([0, 1] * (n // 2), list(range(n)), group=group)
    found = next(iter(rows.groups.values()))
    return found.names, found.code.tolist()


def test_names_of_any_kind():
    assert names(["b", "a", "b", "a"]) == (("a", "b"), [1, 0, 1, 0])
    assert names(np.array([10, 2, 10, 2])) == (("2", "10"), [1, 0, 1, 0])
    assert names(np.array([True, False, True, False])) == (("False", "True"), [1, 0, 1, 0])
    assert names(np.array(["b", "a", "b", "a"])) == (("a", "b"), [1, 0, 1, 0])
    assert names(pd.Series(pd.Categorical(["x", None, "y", "x"]))) == (("x", "y", MISSING), [0, 2, 1, 0])
    assert names(pl.Series("sex", ["f", "m", None, "f"])) == (("f", "m", MISSING), [0, 1, 2, 0])
    assert names([1, None, float("nan"), 1])[0] == ("1", MISSING)
    day = np.array(["2024-01-02", "NaT", "2024-01-01", "NaT"], dtype="datetime64[D]")
    assert names(day) == (("2024-01-01", "2024-01-02", MISSING), [1, 2, 0, 2])
    assert names([dt.date(2024, 1, 2), dt.date(2024, 1, 1)] * 2)[0] == ("2024-01-01", "2024-01-02")
    assert names([None] * 4) == ((MISSING,), [0, 0, 0, 0])
    assert names(np.ma.array([1, 2, 1, 2], mask=[0, 0, 0, 1]))[0] == ("1", "2", MISSING)


def test_names_that_look_alike_stay_apart():
    assert names(["(missing)", None, "a", "a"])[0] == ("'(missing)'", "a", MISSING)
    found, code = names(np.array([1, "1", 1, "1"], dtype=object))
    assert found == ("1", "'1'")
    assert code == [0, 1, 0, 1]


def test_a_series_brings_its_name_and_a_frame_its_columns():
    assert list(named_columns(pl.Series("sex", ["f"]))) == ["sex"]
    assert list(named_columns(pd.Series(["f"]))) == ["group"]
    assert list(named_columns(pd.DataFrame({"a": [1], "b": [2]}))) == ["a", "b"]
    assert list(named_columns({1: ["x"], "b": ["y"]})) == ["1", "b"]
    with pytest.raises(cw.CurvewiseError, match="empty dict"):
        named_columns({})


def test_combinations_are_those_that_occur():
    given_columns = {"sex": ["f", "m", "f", None], "age": [1, 2, 2, 2]}
    rows = read_rows([0, 1, 0, 1], [1, 2, 3, 4], group=given_columns)
    both = combined(list(rows.groups.values()))
    assert both.column == "sex, age"
    assert both.names == ("sex=f, age=1", "sex=f, age=2", "sex=m, age=2", "sex=(missing), age=2")
    assert both.labels == (("f", 1), ("f", 2), ("m", 2), (None, 2))
    assert both.code.tolist() == [0, 2, 1, 3]


def test_dropped_rows_take_their_group_along():
    y, s = [0, None, 1, 1, 0], [1, 2, 3, 4, 5]
    names = ["a", "b", "c", "d", "e"]
    rows = read_rows(y, s, group={"g": names}, missing="drop", weight=[1, 1, 0, 2, 3])
    assert rows.groups["g"].names == ("a", "d", "e")
    assert rows.groups["g"].code.tolist() == [0, 1, 2]
    assert (rows.dropped, rows.weight.tolist()) == (1, [1, 2, 3])


@pytest.mark.parametrize(
    ("group", "words"),
    [
        (["a", "b"], "y and group must be equally long: y has 4 rows, group has 2 rows"),
        ({"sex": ["a"], "age": [1] * 4}, "y and group 'sex' must be equally long"),
        ([["a"], ["b"], "c", "d"], "group: expected"),
        (
            pd.Series([{}, "a", "b", {}]),
            r"group: expected a name for each row's group .*2 other values \(rows 0, 3\)",
        ),
        (None, "group: expected one value per row"),
        ("abcd", "group: expected one value per row"),
        (np.ones((4, 3)), "group: expected one column"),
        (pd.Series(list("abcd"), index=[3, 2, 1, 0]), "different indexes"),
    ],
)
def test_refusals(group, words):
    y = pd.Series([0, 1, 0, 1])
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.by_group(y, [1, 2, 3, 4], group)


def test_rows_are_still_checked():
    with pytest.raises(cw.CurvewiseError, match="score has 1 missing value"):
        cw.by_group([0, 1], [1, None], ["a", "b"])
    with pytest.raises(cw.CurvewiseError, match="nonsense: unknown option"):
        cw.by_group([0, 1], [1, 2], ["a", "b"], nonsense=1)
    with pytest.raises(cw.CurvewiseError, match="y: expected one value per row"):
        cw.by_group(cw.sweep([0, 1], [1, 2]), None, ["a", "b"])


def test_areas_between_groups_go_together_as_far_as_clusters_join_them():
    """Group 0's positives against group 1's negatives, and the other way round, drawn by whole clusters."""
    rng = np.random.default_rng(3)
    clusters = 40
    shared = np.repeat(rng.normal(size=clusters), 4)  # moves the positives of both groups alike
    y = np.tile([True, False, True, False], clusters)
    codes = np.tile([0, 1, 1, 0], clusters)
    s = y * (1 + 2 * shared) + rng.normal(size=4 * clusters)
    target = bound("roc_auc")
    joined = dealt(y, s, codes, cluster=np.repeat(np.arange(clusters), 4))
    found = joined.correlation_between(0, 1, target, 300, 0)
    assert 0.3 < found < 0.99
    assert joined.correlation_between(1, 0, target, 300, 0) == pytest.approx(found, abs=0.1)
    # no cluster has rows of both: nothing joins them
    apart = dealt(y, s, codes, cluster=np.repeat(np.arange(2 * clusters), 2))
    assert apart.correlation_between(0, 1, target, 300, 0) == 0


def test_a_resample_without_a_class_still_has_what_needs_the_other():
    like, none = cw.Sweep.from_counts([2, 1], [1, 1], [1, 1]), np.zeros(2, dtype=int)
    recall = bound("recall", {"threshold": 2})
    assert _value(recall, like, (np.array([1, 0]), none)) == 1
    assert _value(recall, like, (np.array([1, 3]), np.array([0, 1]))) == 0.25
    for counts in ((none, np.array([1, 1])), (none, none)):
        assert np.isnan(_value(recall, like, counts))
