"""Every metric, in any container, dtype and range of numbers: the right number or a refusal, and nothing else."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from fuzz.effort import effort, only_refusals
from optional import optional
from registry import CASES

pa = optional("pyarrow")

BIG = np.finfo(np.float64).max
TINY = 5e-324
EXTREMES = [0.0, -0.0, 1.0, 0.5, TINY, -TINY, 1e-310, BIG, -BIG, math.inf, -math.inf, 2.0**53, 2.0**53 + 2, 1e-16]
NUMBERS = st.one_of(st.sampled_from(EXTREMES), st.floats(allow_nan=False), st.floats(0, 1))
INTEGERS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**63 - 1, -(2**63), 2**53, 2**53 + 1, 0]))
WEIGHTS = st.one_of(st.floats(0, allow_infinity=False), st.integers(0, 5), st.sampled_from([1e-300, 1e300, TINY, BIG]))
CONTAINERS = [
    list,
    tuple,
    np.array,
    pd.Series,
    lambda v: pd.Series(v, index=range(5, 5 + len(v))),
    pd.Categorical,
    pd.arrays.SparseArray,
    pl.Series,
    pa.array,
    lambda v: pa.chunked_array([v[:1], v[1:]]),
    lambda v: np.array(v, dtype=object),
    lambda v: np.array(v)[:, None],
    lambda v: np.array(v)[::-1][::-1],
    np.ma.masked_array,
    lambda v: np.array(v).astype(np.longdouble),
    memoryview,
    iter,
    pl.DataFrame,
    pd.DataFrame,
    str,
    set,
]
DTYPES = [np.float16, np.float32, np.float64, np.int8, np.uint64, np.int64, bool, str, complex, "M8[s]"]
JUNK = st.sampled_from(
    [
        None,
        float("nan"),
        "",
        "1",
        "x",
        b"1",
        1j,
        [],
        {},
        (1, 2),
        object,
        np.datetime64("2020-01-01"),
        10**400,
        Fraction(1, 3),
    ]
)


@st.composite
def rows(draw, values=NUMBERS):
    n = draw(st.integers(1, 12))
    y = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    s = draw(st.lists(values, min_size=n, max_size=n))
    w = draw(st.none() | st.lists(WEIGHTS, min_size=n, max_size=n))
    return y, s, w


def pairs(y, s, w):
    """Return the area under the ROC curve from all pairs, in fractions; None where a class is missing."""
    w = [Fraction(1)] * len(y) if w is None else [Fraction(v) for v in w]
    found = total = Fraction(0)
    for a, x, p in zip(y, s, w, strict=True):
        for b, z, q in zip(y, s, w, strict=True):
            if a == 1 and b == 0:
                total += p * q
                found += p * q * (2 * (x > z) + (x == z)) / 2
    return None if not total else found / total


@effort(150)
@given(rows() | rows(INTEGERS))
def test_the_area_is_right_or_refused(data):
    y, s, w = data
    expected = pairs(y, s, w)
    with only_refusals():
        found = cw.roc_auc(y, s, **({} if w is None else {"weight": w}))
        assert expected is not None
        assert abs(found - float(expected)) < 1e-12


@effort(150)
@given(st.sampled_from(CASES), rows(), st.sampled_from(["positive", "negative"]))
def test_every_metric_of_extreme_numbers(case, data, direction):
    y, s, w = data
    with only_refusals():
        found = case(y, s, higher_is=direction, **({} if w is None else {"weight": w}))
        room = 1e-9
        assert math.isnan(found) or case.low - room <= found <= case.high + room


@effort(100)
@given(st.sampled_from(CASES), rows(), st.sampled_from(CONTAINERS), st.sampled_from(CONTAINERS))
def test_a_container_changes_nothing(case, data, of_labels, of_scores):
    y, s, _ = data
    try:
        labels, scores = of_labels(y), of_scores(s)
    except (TypeError, ValueError):
        return  # the other library refuses
    if of_scores is CONTAINERS[14] or of_labels in (str, set) or of_scores in (str, set):
        with only_refusals():
            case(labels, scores)
        return
    with only_refusals():
        found = case(labels, scores)
        expected = case(y, s)
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@effort(80)
@given(st.sampled_from(CASES), rows(st.integers(0, 3)), st.sampled_from(DTYPES), st.sampled_from(DTYPES))
def test_any_dtype_is_read_or_refused(case, data, of_labels, of_scores):
    y, s, _ = data
    with only_refusals():
        case(np.array(y).astype(of_labels), np.array(s).astype(of_scores))


VERBS = {
    "interval": lambda y, s, **o: cw.interval("roc_auc", y, s, **o),
    "compare": lambda y, s, **o: cw.compare(y, {"a": s, "b": s}, replicates=9, **o),
    "calibration": lambda y, s, **o: cw.calibration(y, s, replicates=9, **o),
    "operating_point": lambda y, s, **o: cw.operating_point(y, s, cw.rules.youden(), **o),
    "confusion": lambda y, s, **o: cw.confusion(y, s, threshold=0.5, **o),
    "by_group": lambda y, s, **o: cw.by_group(y, s, group=["a", "b"] * (len(y) // 2) + ["a"] * (len(y) % 2), **o),
    "roc_curve": cw.roc_curve,
    "pr_curve": cw.pr_curve,
    "pr_gain_curve": cw.pr_gain_curve,
    "roc_hull": cw.roc_hull,
    "reliability": cw.reliability,
    "score_histogram": cw.score_histogram,
    "lift_curve": cw.lift_curve,
    "cost_curve": cw.cost_curve,
    "decision_curve": cw.decision_curve,
    "roc_band": cw.roc_band,
}


@effort(250)
@given(st.sampled_from(sorted(VERBS)), rows() | rows(st.floats(0, 1)))
def test_every_verb_of_extreme_numbers(verb, data):
    y, s, w = data
    with only_refusals():
        found = VERBS[verb](y, s, **({} if w is None else {"weight": w}))
        str(found)
        found.to_dict()


@effort(150)
@given(
    st.sampled_from(sorted(VERBS)),
    st.sampled_from(["level", "weight", "cluster", "positive", "higher_is", "missing", "round_to", "rng", "nonsense"]),
    JUNK,
)
def test_any_option_is_taken_or_refused(verb, option, value):
    y, s = [0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.9, 0.3]
    with only_refusals():
        VERBS[verb](y, s, **{option: value})


@effort(100)
@given(st.sampled_from(sorted(VERBS)), st.lists(JUNK | NUMBERS, max_size=5), st.lists(JUNK | NUMBERS, max_size=5))
def test_any_rows_are_read_or_refused(verb, y, s):
    with only_refusals():
        VERBS[verb](y, s)
