"""Values of all kinds that somebody may hold, most of them wrong where they are given."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse as sp

import curvewise as cw
from calls import BOTH, CLASS, FOUND, THREE, TRUTH, N, P, Q, Y
from optional import optional

pa = optional("pyarrow")


class NoEquals:
    """Compares with nothing."""

    __hash__ = None

    def __eq__(self, other):
        raise TypeError("no comparisons")


class NoTruth:
    """Is equal to something that is neither true nor false, as arrays are."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("ambiguous")


class NoText:
    """Cannot be written."""

    def __repr__(self):
        raise RuntimeError("no text")


class NoData:
    """An array of another library whose values cannot be had, as tensors on a device, quantised or meta ones are."""

    def __init__(self, error, ndim=1):
        self.error, self.ndim, self.shape = error, ndim, (N,) * ndim

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of a 0-d tensor")
        return N

    def fail(self, *_, **__):
        raise self.error

    __array__ = __iter__ = __getitem__ = __float__ = __bool__ = item = tolist = fail


def rows(value):
    return [value] * N


def pairs(one, other):
    return [one, other] * (N // 2)


NAN, INF, DAY = math.nan, math.inf, dt.date(2020, 1, 1)
ALONE = {
    "nothing": [
        None,
        True,
        False,
        ...,
        NotImplemented,
        slice(1),
        object(),
        int,
        len,
        np,
        ValueError("x"),
        Path("/no/such"),
    ],
    "text": ["", "x", "1", "a\0b", "a\nb", "\ud800", "{x}", "x" * 10_000, b"1", bytearray(b"12")],
    "whole": [0, 1, -1, 2, 2**53 + 1, 2**63, 10**400, -(10**400), np.int8(1), np.bool_(True)],
    "real": [0.5, NAN, INF, -INF, 1e308, 5e-324, 1 - 2**-53, np.float32(0.5), np.longdouble("1e4000")],
    "exact": [Decimal("0.5"), Decimal("sNaN"), Decimal("Infinity"), Fraction(1, 3), Fraction(10**400, 3)],
    "neither": [1j, DAY, dt.datetime(2020, 1, 1), dt.timedelta(1), np.datetime64("NaT"), pd.NaT, pd.NA],
    "containers": [
        [],
        (),
        {},
        set(),
        frozenset([1]),
        [[1], [2]],
        [[1], [2, 3]],
        [1],
        (1, 2),
        (0.2, 0.1),
        ["a", 1, None],
    ],
    "strange": [NoEquals(), NoTruth(), NoText(), lambda x: "no number", Counter(), {1: 2}.keys()],
    "random": [np.random.default_rng(1), np.random.RandomState(1), np.random.PCG64(1), np.random.SeedSequence(1)],
}
COLUMNS = {
    "values": [rows(v) for v in (0.5, None, NAN, INF, {}, [1], DAY, 1j, 10**400, (1, 2), {1}, -1, 2, 0, 1e308)],
    "exact": [rows(Decimal("0.1")), rows(Decimal("sNaN")), rows(Fraction(1, 3))],
    "mixed": [pairs("a", "b"), pairs("a", 1), pairs(b"a", b"b"), pairs(0, 1), pairs(None, 1), pairs(NAN, "x")],
    "strange": [[NoEquals() for _ in range(N)], [NoTruth() for _ in range(N)], [object() for _ in range(N)]],
    "views": [
        range(N),
        deque(rows(0.5)),
        memoryview(bytes(N)),
        memoryview(np.zeros(N)),
        dict.fromkeys(range(N), 1).values(),
    ],
    "numpy": [
        np.array(0.5),
        np.array(None),
        np.zeros(0),
        np.zeros((N, 2)),
        np.zeros((N, 2, 2)),
        np.matrix(np.zeros((N, 1))),
    ],
    "dtypes": [
        np.zeros(N, d) for d in (">f8", np.float16, np.longdouble, complex, "V3", "m8[s]", "M8[D]", [("a", float)])
    ],
    "masked": [np.ma.masked_array(rows(0.5), mask=rows(True)), np.zeros(2 * N)[::2], np.array(pairs("a", "b"))],
    "pandas": [
        pd.Series(rows(0.5)),
        pd.Series(rows(0.5), index=range(3, 3 + N)),
        pd.DataFrame({"a": rows(0.5), "b": rows(0.1)}),
        pd.DataFrame(np.zeros((N, 2)), columns=["a", "a"]),
        pd.DataFrame(THREE),
        pd.DataFrame(),
        pd.Categorical(pairs("a", "b")),
        pd.arrays.SparseArray(rows(0.5)),
        pd.interval_range(0, N),
        pd.period_range("2020", periods=N),
        pd.array(pairs(1, None), dtype="Int64"),
        pd.Index(rows(0.5)),
    ],
    "polars": [
        pl.Series("x", rows(0.5)),
        pl.Series(rows(None)),
        pl.Series(rows([1])),
        pl.Series(rows({"a": 1})),
        pl.DataFrame({"a": rows(0.5)}),
        pl.LazyFrame({"a": rows(0.5)}),
        pl.Series(pairs("a", "b"), dtype=pl.Categorical),
        pl.Series(rows(Decimal("0.1"))),
        pl.col("a"),
        pl.Series(rows(object()), dtype=pl.Object),
    ],
    "arrow": [
        pa.array(rows(0.5)),
        pa.chunked_array([rows(0.5)[:3], rows(0.5)[3:]]),
        pa.array(pairs("a", "b")).dictionary_encode(),
        pa.nulls(N),
        pa.table({"a": rows(0.5)}),
        pa.scalar(1.0),
        pa.array(rows([1])),
    ],
    "sparse": [sp.csr_matrix(np.eye(N)), sp.csr_matrix(np.ones((N, 1))), sp.coo_array(np.ones(N))],
    "no data": [
        NoData(NotImplementedError("Cannot copy out of meta tensor; no data!")),
        NoData(RuntimeError("Tensor.item() cannot be called on meta tensors"), ndim=0),
        NoData(RuntimeError("Can't call numpy() on Tensor that requires grad.")),
        NoData(TypeError("can't convert cuda:0 device type tensor to numpy.")),
    ],
    "dicts": [
        {"a": 1},
        {1: rows(0.5)},
        {None: None},
        {"a": P},
        {"a": {"b": 1}},
        {(1, 2): P, "b": Q},
        {"a": P, "b": None},
    ],
    "ours": [
        cw.sweep(Y, P),
        cw.read_rows(Y, P),
        cw.read_rows(Y, BOTH),
        cw.rules.youden(),
        cw.interval("auc", Y, P),
        cw.confusion(Y, P, threshold=0.5),
        cw.Stream(),
        cw.Stream(resolution=0.1).update(Y, P),
        cw.multiclass(CLASS, THREE),
        cw.detection.match(TRUTH, FOUND),
        cw.Sweep.from_counts([3, 2, 1], [0.5, 0.2, 1], [0.1, 0.2, 3]),
    ],
}
KINDS = [value for some in (*ALONE.values(), *COLUMNS.values()) for value in some]
FRESH = [
    lambda: iter(rows(0.5)),
    lambda: (v for v in rows(0.5)),
    lambda: map(float, rows(1)),
    lambda: zip([1], [2], strict=False),
]
