"""Labels that are understood: unasked, by `positive=`, and in every type a class can have."""

import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from optional import optional, pandas_arrow

pa = optional("pyarrow")

TRUE = np.array([False, True, True, False, True])
SCORE = np.array([0.1, 0.9, 0.4, 0.6, 0.6])
EXPECTED = cw.sweep(TRUE, SCORE)

Colour = enum.Enum("Colour", ["RED", "BLUE"])
Rank = enum.IntEnum("Rank", ["LOW", "HIGH"])
Word = enum.StrEnum("Word", ["NO", "YES"])


def coded(negative, positive):
    return [positive if t else negative for t in TRUE]


UNASKED = {
    "booleans": coded(False, True),
    "0, 1": coded(0, 1),
    "-1, 1": coded(-1, 1),
    "0., 1.": coded(0.0, 1.0),
    "-1., 1.": coded(-1.0, 1.0),
    "-0., 1.": coded(-0.0, 1.0),
    "booleans and numbers": [0, True, 1.0, False, np.True_],
    "Decimal": coded(Decimal(0), Decimal(1)),
    "Fraction": coded(Fraction(-1), Fraction(1)),
    "objects": np.array(coded(-1, 1), dtype=object),
    "objects of NumPy": np.array(coded(np.False_, np.True_), dtype=object),
    "IntEnum": coded(enum.IntEnum("Flag", {"NO": 0, "YES": 1}).NO, 1),
    "category": pd.Series(coded(0, 1), dtype="category"),
    "nullable boolean": pd.Series(coded(False, True), dtype="boolean"),
    "nullable Int8": pd.Series(coded(-1, 1), dtype="Int8"),
    "Polars boolean": pl.Series(coded(False, True)),
    "Polars decimal": pl.Series(coded(0, 1)).cast(pl.Decimal(3, 1)),
    "PyArrow boolean": pa.array(coded(False, True)),
    "PyArrow dictionary": pa.array(coded(-1, 1)).dictionary_encode(),
} | {
    f"{dtype} {low}, 1": np.array(coded(low, 1), dtype)
    for dtype in [
        "?",
        "i1",
        "i2",
        "i4",
        "i8",
        "u1",
        "u2",
        "u4",
        "u8",
        "f2",
        "f4",
        "f8",
        "g",
        ">i4",
        ">f8",
        ">u2",
    ]
    for low in (0, -1)
    if low == 0 or np.dtype(dtype).kind in "if"
}


@pytest.mark.parametrize("y", UNASKED.values(), ids=UNASKED)
def test_understood_unasked(y):
    assert cw.sweep(y, SCORE) == EXPECTED
    assert cw.roc_auc(y, SCORE) == cw.roc_auc(EXPECTED)


@pytest.mark.parametrize(("only", "positives"), [(0, 0), (1, 4), (-1, 0), (False, 0), (True, 4), (1.0, 4)])
def test_one_class_alone_is_understood(only, positives):
    sweep = cw.sweep([only] * 4, [1, 2, 3, 4])
    assert (sweep.positives, sweep.negatives) == (positives, 4 - positives)


NAMED = {
    "text": (coded("well", "ill"), "ill"),
    "text, first in the alphabet": (coded("zebra", "ape"), "ape"),
    "text with NULs": (coded("a", "a\0"), "a\0"),
    "empty text": (coded("x", ""), ""),
    "NumPy text": (np.array(coded("no", "yes")), "yes"),
    "NumPy text, asked in NumPy": (np.array(coded("no", "yes")), np.str_("yes")),
    "NumPy variable text": (np.array(coded("no", "yes"), np.dtypes.StringDType()), "yes"),
    "big-endian text": (np.array(coded("no", "yes"), ">U3"), "yes"),
    "bytes": (coded(b"no", b"yes"), b"yes"),
    "NumPy bytes": (np.array(coded(b"no", b"yes")), b"yes"),
    "bytes beside text": (coded("a", b"a"), b"a"),
    "integers": (coded(1, 2), 2),
    "integers, the lower": (coded(2, 1), 1),
    "0, 1 turned": (coded(1, 0), 0),
    "-1, 1 turned": (coded(1, -1), -1),
    "booleans turned": (coded(True, False), False),
    "booleans asked as 1": (np.array(coded(False, True)), 1),
    "integers asked as True": (np.array(coded(0, 1)), True),
    "integers asked as 2.0": (np.array(coded(1, 2)), 2.0),
    "integers asked in NumPy": (np.array(coded(1, 2), np.int8), np.uint64(2)),
    "integers asked as Decimal": (np.array(coded(1, 2)), Decimal(2)),
    "integers beyond 2^53": (coded(2**60, 2**60 + 1), 2**60 + 1),
    "uint64": (np.array(coded(0, 2**64 - 1), np.uint64), 2**64 - 1),
    "fractions": (coded(0.25, 0.75), 0.75),
    "float32 asked as float": (np.array(coded(0.1, 0.7), np.float32), 0.7),
    "float16 with infinity": (np.array(coded(0.1, np.inf), np.float16), np.inf),
    "enum": (coded(Colour.RED, Colour.BLUE), Colour.BLUE),
    "IntEnum": (coded(Rank.HIGH, Rank.LOW), Rank.LOW),
    "IntEnum asked as 1": (coded(Rank.HIGH, Rank.LOW), 1),
    "StrEnum": (coded(Word.NO, Word.YES), Word.YES),
    "StrEnum asked as text": (coded(Word.NO, Word.YES), "yes"),
    "types mixed": (coded("no", 7), 7),
    "tuples": (pd.Series(coded((1, 2), (1, 3))), (1, 3)),
    "frozen sets": (coded(frozenset(), frozenset({1})), frozenset({1})),
    "category": (pd.Series(coded("no", "yes"), dtype="category"), "yes"),
    "category, one unused": (pd.Series(pd.Categorical(coded("no", "yes"), ["no", "yes", "maybe"])), "yes"),
    "pd.Categorical": (pd.Categorical(coded("no", "yes")), "yes"),
    "pandas text": (pd.Series(coded("no", "yes")), "yes"),
    "pandas string": (pd.Series(coded("no", "yes"), dtype="string"), "yes"),
    "pandas Arrow text": (pandas_arrow(coded("no", "yes"), "string"), "yes"),
    "Polars text": (pl.Series(coded("no", "yes")), "yes"),
    "Polars categorical": (pl.Series(coded("no", "yes"), dtype=pl.Categorical), "yes"),
    "Polars enum": (pl.Series(coded("no", "yes"), dtype=pl.Enum(["no", "yes"])), "yes"),
    "Polars bytes": (pl.Series(coded(b"no", b"yes")), b"yes"),
    "PyArrow text": (pa.array(coded("no", "yes")), "yes"),
    "PyArrow dictionary": (pa.array(coded("no", "yes")).dictionary_encode(), "yes"),
}


@pytest.mark.parametrize(("y", "positive"), NAMED.values(), ids=NAMED)
def test_named_by_positive(y, positive):
    assert cw.sweep(y, SCORE, positive=positive) == EXPECTED


@pytest.mark.parametrize(("y", "positive"), NAMED.values(), ids=NAMED)
def test_predicted_labels_share_the_coding(y, positive):
    table = cw.confusion_from_labels(y, y, positive=positive)
    assert (table.tp, table.fp, table.fn, table.tn) == (3, 0, 0, 2)


@pytest.mark.parametrize(("y", "positive"), [(["well"] * 5, "ill"), ([2] * 5, 3), ([b"n"] * 5, b"y")])
def test_the_other_class_may_be_alone(y, positive):
    assert cw.sweep(y, SCORE, positive=positive).positives == 0


@pytest.mark.parametrize(
    ("y", "predicted"),
    [
        ([0, 1, 1], [False, True, True]),
        (np.array([0, 1, 1], np.int8), np.array([0, 1, 1], np.uint64)),
        ([0, 1, 1], [0.0, 1.0, 1.0]),
        ([-1, 1, 1], np.array([-1, 1, 1], np.float32)),
        (pd.Series([0, 1, 1], dtype="Int64"), pl.Series([False, True, True])),
        (pa.array([True, None, True, False]), [True, True, True, False]),
    ],
)
def test_predicted_labels_may_have_another_type(y, predicted):
    table = cw.confusion_from_labels(y, predicted, missing="drop")
    assert (table.tp, table.fp, table.fn, table.tn) == (2, 0, 0, 1)


@pytest.mark.parametrize(
    "predicted", [np.array(["a", "a"]), pd.Series(["a", "a"], dtype="category"), pl.Series(["a", "a"])]
)
def test_predicted_text_may_have_another_container(predicted):
    table = cw.confusion_from_labels(["a", "b"], predicted, positive="a")
    assert (table.tp, table.fp, table.fn, table.tn) == (1, 1, 0, 0)


def test_predicted_integers_of_two_signs_are_not_merged_as_floats():
    y, predicted = np.array([2**60, 2**60 + 1]), np.array([2**60, 2**60 + 1], np.uint64)
    table = cw.confusion_from_labels(y, predicted, positive=2**60)
    assert (table.tp, table.fp, table.fn, table.tn) == (1, 0, 0, 1)


def test_fractions_may_be_labels_when_named():
    table = cw.confusion_from_labels([0.25, 0.75], [0.25, 0.25], positive=0.75)
    assert (table.tp, table.fp, table.fn, table.tn) == (0, 0, 1, 1)


GAPS = {
    "list": ["no", None, "yes", "no"],
    "list with NaN": ["no", float("nan"), "yes", "no"],
    "NumPy variable text": np.array(["no", None, "yes", "no"], np.dtypes.StringDType(na_object=None)),
    "NumPy variable text with NaN": np.array(["no", np.nan, "yes", "no"], np.dtypes.StringDType(na_object=np.nan)),
    "masked": np.ma.array(["no", "third", "yes", "no"], mask=[0, 1, 0, 0]),
    "pandas": pd.Series(["no", None, "yes", "no"]),
    "pandas string": pd.Series(["no", None, "yes", "no"], dtype="string"),
    "pandas category": pd.Series(["no", None, "yes", "no"], dtype="category"),
    "Polars": pl.Series(["no", None, "yes", "no"]),
    "Polars categorical": pl.Series(["no", None, "yes", "no"], dtype=pl.Categorical),
    "PyArrow dictionary": pa.array(["no", None, "yes", "no"]).dictionary_encode(),
}


@pytest.mark.parametrize("y", GAPS.values(), ids=GAPS)
def test_missing_labels_are_found_in_any_text(y):
    with pytest.raises(cw.CurvewiseError, match=r"^y has 1 missing value \(row 1\); "):
        cw.sweep(y, [1, 2, 3, 4], positive="yes")
    sweep = cw.sweep(y, [1, 2, 3, 4], positive="yes", missing="drop")
    assert sweep == cw.sweep([0, 1, 0], [1, 3, 4])
    assert sweep.dropped == 1
