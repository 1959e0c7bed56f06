"""The same rows in any container give the same sweep, exact in the dtype given, and stay untouched."""

import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from optional import optional, pandas_arrow

pa = optional("pyarrow")

INF, NAN = float("inf"), float("nan")
Y = [0, 1, 0, 1, 1, 0]
WHOLE = [3, 9, 3, 7, 1, 0]
SIGNED = [-3, 9, -3, 7, 1, 0]
HALVES = [-1.5, 2.5, -1.5, 0.5, 1.0, 0.0]  # exact in every float dtype
BIG = [2**60 + 1, 2**60, 2**60 + 2, 5, 2**60 + 1, -7]
ROWS = ["r1", "r3", "r2", "r6", "r5", "r4"]


class OnlyArray:
    """What a tensor of another library shows of itself."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


def read_only(values):
    values = np.array(values)
    values.flags.writeable = False
    return values


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "NumPy": np.array,
    "NumPy objects": lambda v: np.array(v, dtype=object),
    "list of NumPy scalars": lambda v: list(np.array(v)),
    "read-only": read_only,
    "every second": lambda v: np.repeat(v, 2)[::2],
    "reversed twice": lambda v: np.array(v[::-1])[::-1],
    "column of a matrix": lambda v: np.column_stack([v, v])[:, 0],
    "n×1": lambda v: np.array(v)[:, None],
    "big-endian": lambda v: np.array(v).astype(np.array(v).dtype.newbyteorder(">")),
    "little-endian": lambda v: np.array(v).astype(np.array(v).dtype.newbyteorder("<")),
    "nothing masked": np.ma.array,
    "masked n×1": lambda v: np.ma.array(np.array(v)[:, None]),
    "memoryview": lambda v: memoryview(np.array(v)),
    "only __array__": OnlyArray,
    "pandas": pd.Series,
    "pandas with an index": lambda v: pd.Series(v, index=ROWS),
    "pandas with an index twice over": lambda v: pd.Series(v, index=[0, 0, 0, 1, 1, 1]),
    "pandas nullable": lambda v: pd.Series(v).convert_dtypes(),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas Arrow": lambda v: pd.Series(v).convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "pandas index": pd.Index,
    "pandas array": pd.array,
    "pandas frame": lambda v: pd.DataFrame({"only": v}, index=ROWS),
    "Polars": pl.Series,
    "Polars frame": lambda v: pl.DataFrame({"only": v}),
    "PyArrow": pa.array,
    "PyArrow chunks": lambda v: pa.chunked_array([v[:2], v[2:]]),
    "PyArrow table": lambda v: pa.table({"only": v}),
    "narwhals": lambda v: nw.from_native(pl.Series(v), series_only=True),
}

ARROW = pytest.mark.needs("pyarrow")
CASES = [
    pytest.param(container, id=name, marks=ARROW if "Arrow" in name else ()) for name, container in CONTAINERS.items()
]


@pytest.mark.parametrize("values", [WHOLE, SIGNED, HALVES, BIG], ids=["whole", "signed", "halves", "big"])
@pytest.mark.parametrize("container", CASES)
def test_same_sweep_from_every_container(container, values):
    expected = cw.sweep(Y, np.array(values))
    assert cw.sweep(Y, container(values)) == expected
    assert cw.sweep(container(Y), container(values)) == expected
    assert cw.roc_auc(container(Y), container(values)) == cw.roc_auc(expected)


@pytest.mark.parametrize("container", CASES)
def test_same_weights_from_every_container(container):
    assert cw.sweep(Y, WHOLE, weight=container(WHOLE)) == cw.sweep(np.repeat(Y, WHOLE), np.repeat(WHOLE, WHOLE))


@pytest.mark.parametrize(("y", "score"), [("PyArrow", "pandas"), ("pandas with an index", "Polars"), ("list", "NumPy")])
def test_containers_may_be_mixed(y, score):
    assert cw.sweep(CONTAINERS[y](Y), CONTAINERS[score](HALVES)) == cw.sweep(Y, HALVES)


def test_ranges_and_typed_arrays_are_columns():
    expected = cw.sweep(Y, [0, 1, 2, 3, 4, 5])
    assert cw.sweep(Y, range(6)) == expected
    assert cw.sweep(array.array("b", Y), array.array("d", range(6))) == expected


@pytest.mark.parametrize("code", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g"])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("higher_is", ["positive", "negative"])
def test_every_dtype_is_kept(code, order, higher_is):
    dtype = np.dtype(order + code)
    sweep = cw.sweep(Y, np.array(WHOLE, dtype), higher_is=higher_is)
    assert sweep.threshold.dtype == dtype.newbyteorder("=")
    assert sweep.threshold.dtype.isnative
    assert sweep == cw.sweep(Y, WHOLE, higher_is=higher_is)


@pytest.mark.parametrize("code", ["f2", "f4", "f8", "g"])
def test_byte_order_of_floats_does_not_matter(code):
    given = np.array([-1.5, 2.5, -INF, INF, -0.0, 0.0], code)
    swapped = given.astype(np.dtype(code).newbyteorder(">"))
    assert cw.sweep(Y, swapped) == cw.sweep(Y, given)
    assert cw.roc_auc(Y, swapped) == cw.roc_auc(Y, given)


def test_booleans_are_scores():
    flags = np.array([False, True, False, True, False, True])
    assert cw.sweep(Y, flags) == cw.sweep(Y, flags.astype(int))
    assert cw.sweep(Y, flags[::-1]) == cw.sweep(Y, flags[::-1].astype(int))


BIG_WITH_A_GAP = {
    "list with None": [2**60, 2**60 + 1, None, 3],
    "list with NaN": [2**60, 2**60 + 1, NAN, 3],
    "list with pd.NA": [2**60, 2**60 + 1, pd.NA, 3],
    "masked": np.ma.array([2**60, 2**60 + 1, 5, 3], mask=[0, 0, 1, 0]),
    "pandas nullable": pd.Series([2**60, 2**60 + 1, None, 3], dtype="Int64"),
    "pandas index": pd.Index(pd.array([2**60, 2**60 + 1, None, 3], dtype="Int64")),
    "pandas array": pd.array([2**60, 2**60 + 1, None, 3], dtype="Int64"),
    "pandas Arrow": pandas_arrow([2**60, 2**60 + 1, None, 3], "int64"),
    "pandas category": pd.Series([2**60, 2**60 + 1, None, 3], dtype="Int64").astype("category"),
    "Polars": pl.Series([2**60, 2**60 + 1, None, 3]),
    "Polars Int128": pl.Series([2**60, 2**60 + 1, None, 3], dtype=pl.Int128),
    "PyArrow": pa.array([2**60, 2**60 + 1, None, 3]),
    "PyArrow chunks": pa.chunked_array([[2**60], [2**60 + 1, None, 3]]),
}


@pytest.mark.parametrize("score", BIG_WITH_A_GAP.values(), ids=BIG_WITH_A_GAP)
def test_integers_beyond_2_to_53_stay_distinct_beside_a_gap(score):
    sweep = cw.sweep([0, 1, 1, 0], score, missing="drop")
    assert sweep.threshold.tolist() == [2**60 + 1, 2**60, 3]
    assert sweep.dropped == 1


@pytest.mark.parametrize(
    "score",
    [
        [2**53, 2**53 + 1, 2.0],
        [2**64 - 1, 2**64 - 2, 0],
        [np.int64(2**60), np.int64(2**60 + 1), np.uint64(5)],
        [2**60, Fraction(2**60 + 1), Decimal(2)],
        [-(2**63), -(2**63) + 1, 1.0],
        deque([2**60, 2**60 + 1, 3.0]),
    ],
)
def test_integers_beyond_2_to_53_stay_distinct_beside_other_numbers(score):
    assert cw.sweep([0, 1, 1], score).threshold.tolist() == sorted(map(int, score), reverse=True)


@pytest.mark.parametrize(
    "score",
    [
        [2**53 + 2, 2**53 + 4, 0.5, 1.5],
        [2**70, 1.5, 2, 3],
        [INF, 1, 2, -INF],
        [Decimal("0.1"), Decimal("0.2"), Decimal("Infinity"), Decimal("-1e5")],
        [Fraction(1, 3), Fraction(2, 3), 0.5, True],
        pa.array([Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("0.40")]),
        pl.Series(["0.1", "0.2", "0.3", "0.4"]).cast(pl.Decimal(10, 2)),
    ],
)
def test_other_numbers_are_read_as_float64_that_keeps_them_apart(score):
    values = [float(v) for v in (getattr(score, "to_pylist", lambda: score)())]
    sweep = cw.sweep([0, 1, 1, 0], score)
    assert sweep.threshold.dtype == np.float64
    assert sweep == cw.sweep([0, 1, 1, 0], np.array(values))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("weight", [None, [1, 1, 1, 1]])
def test_zeros_are_equal_and_infinities_rank(dtype, weight):
    sweep = cw.sweep([0, 1, 1, 0], np.array([-0.0, 0.0, INF, -INF], dtype), weight=weight)
    assert sweep.threshold.tolist() == [INF, 0, -INF]
    assert not np.signbit(sweep.threshold[1])
    assert (sweep.tp.tolist(), sweep.fp.tolist()) == ([1, 2, 2], [0, 1, 2])


def test_float32_is_compared_as_float32():
    near = np.array([0.7, 0.7 + 1e-9], np.float64)
    assert len(cw.sweep([0, 1], near).threshold) == 2
    narrow = cw.sweep([0, 1], near.astype(np.float32))
    assert len(narrow.threshold) == 1
    assert narrow.at(0.7).tp == 1
    assert cw.confusion([0, 1], near.astype(np.float32), threshold=0.7).tp == 1


@pytest.mark.parametrize(
    ("score", "threshold", "flagged"),
    [
        (np.array([1, 2, 3]), 1.5, 2),
        (np.array([1, 2, 3]), Fraction(5, 2), 1),
        (np.array([1, 2, 3]), Decimal(2), 2),
        (np.array([1, 2, 3]), INF, 0),
        (np.array([1, 2, 3]), -INF, 3),
        (np.array([1, 2, 3], np.uint8), -1, 3),
        (np.array([1, 2, 3], np.uint8), 10**400, 0),
        (np.array([1, 2, 3], np.uint8), -(10**400), 3),
        (np.array([2**60, 2**60 + 1, 3]), 2**60 + 1, 1),
        (np.array([2**60, 2**60 + 1, 3]), Fraction(2**61 + 1, 2), 1),
        (np.array([0.5, 1.5, INF]), 10**400, 1),
        (np.array([0.5, 1.5, INF], np.float32), 1e300, 1),
        (np.array([0.5, 1.5, -INF], np.float32), -1e300, 2),
        (np.array([0.5, 1.5, -INF], np.float32), -INF, 3),
        (np.array([0.5, 1.5, 2.5]), np.array(1.5), 2),
        (np.array([0.5, 1.5, 2.5], np.longdouble), np.longdouble(1.5), 2),
        (np.array([0.5, 1.5, 2.5], np.float16), Decimal("1.5"), 2),
    ],
)
def test_thresholds_of_any_number(score, threshold, flagged):
    y = [0, 1, 1]
    for table in (cw.sweep(y, score).at(threshold), cw.confusion(y, score, threshold=threshold)):
        assert table.tp + table.fp == flagged
    if score.dtype.kind == "f":
        turned = cw.confusion(y, -score, threshold=-threshold, higher_is="negative")
        assert turned.tp + turned.fp == flagged


def test_rows_of_weight_zero_are_left_out_first():
    expected = cw.sweep([0, 1, 1], [1, 2, 3])
    kept = [1, 1, 1]
    for y, score, weight in (
        ([0, 1, 1, 2], [1, 2, 3, 4], [*kept, 0]),
        ([0, 1, 1, None], [1, 2, 3, 4], [*kept, 0]),
        ([0, 1, 1, "third"], [1, 2, 3, 4], [*kept, 0.0]),
        ([0, 1, 1, 0], [1, 2, 3, NAN], [*kept, -0.0]),
        ([0, 1, 1, 0], [1, 2, 3, "text"], [*kept, False]),
        ([0, 1, 1, NAN], [1, 2, 3, None], np.array([*kept, 0], np.uint8)),
        ([2, 0, 1, 1], [9, 1, 2, 3], pl.Series([0, *kept])),
    ):
        sweep = cw.sweep(y, score, weight=weight)
        assert sweep == expected
        assert sweep.dropped == 0


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 4)), min_size=1).filter(
        lambda r: any(w for *_, w in r)
    )
)
def test_whole_weights_are_repetition(rows):
    y, score, weight = map(np.array, zip(*rows, strict=True))
    repeated = cw.sweep(np.repeat(y, weight), np.repeat(score, weight))
    for given_weight in (
        weight,
        weight.astype(float),
        weight.astype(object),
        weight.astype(np.uint8),
        weight.tolist(),
    ):
        sweep = cw.sweep(y, score, weight=given_weight)
        assert sweep == repeated
        assert sweep.tp.dtype == np.int64
        assert sweep.weight_kind == "sampling"


def test_large_whole_weights_stay_exact():
    sweep = cw.sweep([0, 1], [1, 2], weight=[2**60 + 1, 2**60 + 3])
    assert (sweep.positives, sweep.negatives) == (2**60 + 3, 2**60 + 1)


@pytest.mark.parametrize("container", [list, lambda v: np.array(v, float), pd.Series, pl.Series, pa.array])
def test_dropped_rows_are_counted_once(container):
    y = container([0, 1, None, 1, 0])
    score = container([1.0, None, None, 3.0, 2.0])
    weight = container([1.0, 1.0, 1.0, 1.0, None])
    sweep = cw.sweep(y, score, weight=weight, missing="drop")
    assert sweep.dropped == 3
    assert sweep == cw.sweep([0, 1], [1, 3])


def test_nothing_is_dropped_where_nothing_is_missing():
    assert cw.sweep(Y, HALVES, missing="drop").dropped == 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_round_to_merges_near_ties_and_is_recorded(dtype):
    score = np.array([0.301, 0.299, 0.7, 0.704, -0.001, INF], dtype)
    sweep = cw.sweep(Y, score, round_to=np.int64(2))
    assert sweep.threshold.dtype == dtype
    assert np.array_equal(sweep.threshold, np.array(["inf", "0.7", "0.3", "0"], dtype))
    assert sweep.round_to == 2
    assert isinstance(sweep.round_to, int)
    assert cw.sweep(Y, score).round_to is None


@pytest.mark.parametrize(
    ("score", "round_to"),
    [
        (np.array([60000, 0.5, 0.25, 1, 2, 3], np.float16), 5),
        (np.array([3e38, 0.5, 0.25, 1, 2, 3], np.float32), 40),
        (np.array([1e300, -1e300, 0.25, 1, 2, 3]), 20),
        (np.array([1e300, -1e300, 0.25, 1, INF, -INF]), 400),
        (np.array([2**60, 2**60 + 1, 3, 4, 5, 6]), 2),
        (np.array([255, 254, 3, 4, 5, 6], np.uint8), 0),
    ],
)
def test_round_to_leaves_alone_what_has_no_such_decimals(score, round_to):
    assert cw.sweep(Y, score, round_to=round_to) == cw.sweep(Y, score)


@pytest.mark.parametrize("code", ["i1", "i4", "i8", "u1", "u4", "u8", "f2", "f4", "f8", "g"])
@pytest.mark.parametrize("weight", [None, [1, 2, 1, 3, 1, 1], [0.5, 1, 1, 1, 0.25, 1]])
def test_higher_is_negative_mirrors_the_answer(code, weight):
    dtype = np.dtype(code)
    ends = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    score = np.array([ends.max, ends.min, 5, 3, 5, ends.max], dtype)
    turned = cw.sweep(Y, score, higher_is="negative", weight=weight)
    order = np.array([-int(s) for s in score], dtype=object)  # Python's integers cannot overflow
    mirror = cw.sweep(Y, np.unique(order, return_inverse=True)[1], weight=weight)
    assert turned.threshold.tolist() == sorted(set(score.tolist()))
    assert np.array_equal(turned.tp, mirror.tp)
    assert np.array_equal(turned.fp, mirror.fp)
    assert cw.roc_auc(Y, score, higher_is="negative", weight=weight) == cw.roc_auc(mirror)
    assert cw.roc_auc(turned) == pytest.approx(1 - cw.roc_auc(Y, score, weight=weight), abs=1e-15)


@pytest.mark.parametrize("options", [{}, {"higher_is": "negative"}, {"round_to": 1}, {"weight": WHOLE}])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.uint64, bool, object])
def test_input_is_never_changed(options, dtype):
    y, score = np.array(Y), np.array(WHOLE).astype(dtype)
    weight = np.array(options["weight"]) if "weight" in options else None
    before = [None if a is None else a.copy() for a in (y, score, weight)]
    for verb in (cw.sweep, cw.roc_auc, cw.pr_curve):
        verb(y, score, **{**options, "weight": weight})
    for array_now, array_then in zip((y, score, weight), before, strict=True):
        assert np.array_equal(array_now, array_then)
        assert array_now is None or array_now.flags.writeable


def test_results_are_read_only_and_share_nothing_with_the_input():
    y, score, weight = np.array(Y, bool), np.array(HALVES), np.ones(6)
    sweep = cw.sweep(y, score, weight=weight)
    for result in (sweep.threshold, sweep.tp, sweep.fp, *cw.roc_curve(sweep)):
        assert not any(np.shares_memory(result, given) for given in (y, score, weight))
        with pytest.raises(ValueError, match="read-only"):
            result[0] = 0


@pytest.mark.parametrize(("container", "backend"), [("pandas", "pandas"), ("Polars", "polars"), ("PyArrow", "pyarrow")])
def test_frames_come_back_in_the_library_of_the_rows(container, backend):
    frame = cw.sweep(Y, CONTAINERS[container](HALVES)).to_frame()
    assert nw.from_native(frame).implementation.value == backend


def test_a_tensor_that_cannot_be_read_is_refused_in_its_own_words():
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.\nUse tensor.detach().numpy() instead.")

    with pytest.raises(cw.CurvewiseError, match=r"^score: a Tensor cannot be read as a column \(.*detach.*\)\.$"):
        cw.sweep(Y, Tensor())
