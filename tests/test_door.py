"""Bad input at every verb: one error, one line, that says what, where, how many and what to do."""

import datetime as dt
import enum
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from curvewise import OptionError
from optional import optional, pandas_arrow

pa = optional("pyarrow")

NAN, INF = float("nan"), float("inf")
Y, SCORE = [0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]
SWEEP = cw.sweep(Y, SCORE)
SAVED = SWEEP.to_dict()
TABLE = cw.Confusion(tp=3, fp=1, fn=2, tn=4)
CURVE = cw.roc_curve(SWEEP)
TWO = pd.DataFrame({"a": SCORE, "b": SCORE})
DAY = dt.date(2020, 1, 1)
DAYS = np.array(["2020-01-01"] * 4, "M8[D]")
BOTH = (cw.roc_auc, cw.partial_roc_auc, cw.roc_curve, cw.roc_hull, cw.pr_gain_curve, cw.det_curve)
POSITIVES = (cw.pr_auc, cw.average_precision, cw.pr_curve, cw.lift_curve)

Grade = enum.Enum("Grade", ["GOOD", "POOR"])

UNDERSTOOD = "({0, 1}, {False, True} and {-1, 1} are recognised)."
MANY = "; for many classes use multiclass, for one against the rest pass y == "
SWAPPED = "found 4 classes (0.1, 0.35, 0.4, 0.8); labels and scores look swapped: the order is (y, score)."
NO_LABEL = "expected labels (numbers or text), got 4 other values (rows 0, 1, 2, 3), the first "
NO_NUMBER = "expected real numbers, got 4 other values (rows 0, 1, 2, 3), the first "
NO_COLUMN = "expected one value per row (a list, an array or a column of a frame), got "
DROP = "; fill the gaps, or pass missing='drop' to leave such rows out."
NO_WEIGHT = ": expected weights of 0 or more, all finite, got "
INDEX = " are pandas objects with different indexes; align them first, or pass .to_numpy() of each"
RANGE = "expected a pair (low, high) with 0 <= low < high <= 1, got "
SHARE = "expected a number strictly between 0 and 1, got "
FINITE = "expected a finite number of at least 0, got "
WHOLE = "expected a whole number of at least "


def bad(name, call, *says, error=cw.CurvewiseError):
    """Name a call that must fail, and literal pieces of its message in their order."""
    return pytest.param(call, says, error, id=name)


def labels(name, y, *says, **options):
    return bad(f"y: {name}", lambda: cw.sweep(y, SCORE, **options), "y: ", *says)


def scores(name, score, *says):
    return bad(f"score: {name}", lambda: cw.roc_auc(Y, score), "score", *says)


def weights(name, weight, *says):
    return bad(f"weight: {name}", lambda: cw.average_precision(Y, SCORE, weight=weight), "weight", *says)


def rows(name, y, score, *says, **options):
    return bad(f"rows: {name}", lambda: cw.sweep(y, score, **options), *says)


def predicted(name, y, guess, *says, **options):
    return bad(f"predicted: {name}", lambda: cw.confusion_from_labels(y, guess, **options), *says)


def counts(name, threshold, positives, negatives, *says, total=None):
    return bad(f"from_counts: {name}", lambda: cw.Sweep.from_counts(threshold, positives, negatives, total), *says)


def saved(name, *says, without=None, **changes):
    data = {k: v for k, v in {**SAVED, **changes}.items() if k != without}
    return bad(f"from_dict: {name}", lambda: cw.Sweep.from_dict(data), *says)


def option(name, call, says, *values):
    """Name one case for each value that an option must refuse, and that the message must show."""
    return [
        bad(f"{name}: {value!r}", lambda value=value: call(value), f"{name}: {says}", f"{value!r}") for value in values
    ]


def undefined(name, call, *says):
    return bad(f"undefined: {name}", call, *says, error=cw.UndefinedMetricError)


LABELS = [
    labels("text", list("abab"), "the classes are 'a' and 'b'; say which", "positive='b' " + UNDERSTOOD),
    labels("digits", list("0101"), "the classes are '0' and '1'; say which one is positive", UNDERSTOOD),
    labels("bytes", [b"a", b"b"] * 2, "the classes are b'a' and b'b'; say which", "positive=b'b'"),
    labels("{1, 2}", [1, 2, 1, 2], "the classes are 1 and 2; say which one is positive", UNDERSTOOD),
    labels("{0, 2}", [0, 2, 0, 2], "the classes are 0 and 2; say which one is positive", UNDERSTOOD),
    labels("{-1, 0}", [-1, 0, -1, 0], "the classes are -1 and 0; say which one is positive", UNDERSTOOD),
    labels("only 2", [2] * 4, "the only class is 2; say which one is positive", UNDERSTOOD),
    labels("unsigned", np.array([1, 255] * 2, np.uint8), "the classes are 1 and 255; say which", UNDERSTOOD),
    labels("fractions", [0.1, 0.2] * 2, "the classes are 0.1 and 0.2; say which one is positive", UNDERSTOOD),
    labels("infinite", [0.0, 1.0, INF, 1.0], "expected two classes, found 3 classes (0.0, 1.0, inf)"),
    labels("three", [0, 1, 2, 1], "expected two classes, found 3 classes (0, 1, 2)" + MANY + "2."),
    labels("three signs", [-1, 0, 1, 1], "expected two classes, found 3 classes (-1, 0, 1)" + MANY + "1."),
    labels("three texts", list("abca"), "found 3 classes ('a', 'b', 'c')" + MANY + "'c'."),
    labels("three, one positive", list("abca"), "found 3 classes", MANY + "'b'.", positive="b"),
    labels("two types", ["a", 1, "a", 1], "the classes are 'a' and 1; say which one is positive"),
    labels("many types", ["a", 1, 2.5, b"x"], "found 4 classes ('a', 1, 2.5, b'x')" + MANY + "b'x'."),
    labels("bytes and text", [b"a", "a", b"a", "a"], "the classes are b'a' and 'a'; say which one"),
    labels("enum", list(Grade) * 2, "the classes are Grade.GOOD and Grade.POOR; ", "positive=Grade.POOR"),
    labels("long text", ["x" * 999, "y" * 999] * 2, "the classes are 'xxx", "… and 'yyy", "…; say which"),
    labels("lines of text", ["a\nb", "c\r\n\td"] * 2, r"the classes are 'a\nb' and 'c\r\n\td'; say which"),
    labels("lists", pd.Series([[1], [2]] * 2), NO_LABEL + "a list, [1]."),
    labels("two sets", pd.Series([0, {1}, 1, {2}]), "got 2 other values (rows 1, 3), the first a set, {1}."),
    labels("dates", DAYS, NO_LABEL + "a date or time, 2020-01-01."),
    labels("date objects", [DAY] * 4, NO_LABEL + "a date or time, datetime.date(2020, 1, 1).", positive=DAY),
    labels("durations", np.array([1, 2, 1, 2], "m8[s]"), NO_LABEL + "a duration, 1 seconds."),
    labels("complex", [1j, 0, 1j, 0], NO_LABEL + "a complex number, 1j."),
    labels("records", np.zeros(4, [("a", float)]), NO_LABEL + "a record, (0.0,)."),
    labels("one-hot", np.eye(2)[Y], "got an array of shape (4, 2); which column? Pass y[:, 1] if the second"),
    labels("pairs", [(0, 1)] * 4, "expected one column, got an array of shape (4, 2); which column?"),
    labels("None", None, NO_COLUMN + "None."),
    labels("a sweep", SWEEP, NO_COLUMN + "a value of type Sweep."),
    labels("positive 7", Y, "no label equals positive=7; the classes are 0 and 1.", positive=7),
    labels("positive '1'", Y, "no label equals positive='1'; the classes are 0 and 1.", positive="1"),
    labels("positive NaN", Y, "no label equals positive=nan; the classes are 0 and 1.", positive=NAN),
    labels("positive 'z'", list("abab"), "no label equals positive='z'; the classes are 'a'", positive="z"),
    labels("positive 1 in text", list("0101"), "no label equals positive=1; the classes are '0'", positive=1),
    labels("positive b'b' in text", list("abab"), "no label equals positive=b'b'; the", positive=b"b"),
    labels("positive 'b' in bytes", [b"a", b"b"] * 2, "no label equals positive='b'; the", positive="b"),
    labels("positive a tuple", list("abab"), "no label equals positive=('a', 'b');", positive=("a", "b")),
    labels("positive of another kind", [0] * 4, "no label equals", "the only class is 0.", positive="ill"),
    labels("positive beyond float64", [0.5, 1.5] * 2, "no label equals positive=100", "…;", positive=10**400),
    bad("positive: list", lambda: cw.sweep(Y, SCORE, positive=[1]), "positive: expected one label, got [1]."),
    bad("positive: dict", lambda: cw.sweep(list("abab"), SCORE, positive={}), "expected one label, got {}."),
    bad("swapped: 0, 1", lambda: cw.roc_auc(SCORE, Y), SWAPPED),
    bad("swapped: -1, 1", lambda: cw.roc_auc(SCORE, [-1, 1, 1, -1]), SWAPPED),
    bad("swapped: booleans", lambda: cw.roc_auc(SCORE, [True, False, True, True]), SWAPPED),
    bad("swapped: text", lambda: cw.roc_auc(SCORE, list("abab")), SWAPPED),
    bad("not swapped: lists", lambda: cw.roc_auc(SCORE, pd.Series([[1], [2]] * 2)), "found 4 classes", MANY),
]

SCORES = [
    scores("text", list("abcd"), NO_NUMBER + "text, 'a'; convert first."),
    scores("numbers as text", ["0.1", "0.2", "0.3", "0.4"], NO_NUMBER + "text, '0.1'; convert first."),
    scores("text in NumPy", np.array(list("abcd")), NO_NUMBER + "text, 'a'; convert first."),
    scores("text in pandas", pd.Series(list("abcd")), NO_NUMBER + "text, 'a'; convert first."),
    scores("text in Polars", pl.Series(list("abcd")), NO_NUMBER + "text, 'a'; convert first."),
    scores("text in PyArrow", pa.array(list("abcd")), NO_NUMBER + "text, 'a'; convert first."),
    scores("bytes", [b"a", b"b", b"c", b"d"], NO_NUMBER + "bytes, b'a'; convert first."),
    scores("two texts", [0.1, "x", 0.3, "high"], "got 2 other values (rows 1, 3), the first text, 'x'; convert"),
    scores("dates", DAYS, NO_NUMBER + "a date or time, 2020-01-01; convert first."),
    scores("date objects", [DAY] * 4, NO_NUMBER + "a date or time, datetime.date(2020, 1, 1); convert first."),
    scores("times in pandas", pd.Series(pd.date_range("2020", periods=4)), NO_NUMBER + "a date or time, 2020"),
    scores("dates in Polars", pl.Series([DAY] * 4), NO_NUMBER + "a date or time, 2020-01-01; convert first."),
    scores("durations", np.array([1, 2, 3, 4], "m8[s]"), NO_NUMBER + "a duration, 1 seconds; convert first."),
    scores("duration objects", [dt.timedelta(1)] * 4, NO_NUMBER + "a duration, datetime.timedelta(days=1)"),
    scores("durations as objects", np.array([np.timedelta64(1, "s")] * 4, object), NO_NUMBER + "a duration"),
    scores("complex", [1j, 2, 3, 4], NO_NUMBER + "a complex number, 1j; convert first."),
    scores("records", np.zeros(4, [("a", float)]), NO_NUMBER + "a record, (0.0,); convert first."),
    scores("lists in Polars", pl.Series([[1], [2], [3], [4]]), NO_NUMBER + "a ndarray, array([1]); convert"),
    scores("None", [0.1, None, 0.3, None], " has 2 missing values (rows 1, 3)" + DROP),
    scores("NaN", [0.1, NAN, 0.3, 0.4], " has 1 missing value (row 1)" + DROP),
    scores("NaN in float32", np.array([NAN, 1, NAN, 2], np.float32), " has 2 missing values (rows 0, 2)" + DROP),
    scores("pd.NA", [0.1, pd.NA, 0.3, 0.4], " has 1 missing value (row 1)" + DROP),
    scores("NaT", [0.1, pd.NaT, 0.3, np.datetime64("NaT")], " has 2 missing values (rows 1, 3)" + DROP),
    scores("Decimal NaN", [Decimal("NaN"), Decimal("sNaN"), 1, 2], " has 2 missing values (rows 0, 1)" + DROP),
    scores("masked", np.ma.array(SCORE, mask=[0, 1, 0, 0]), " has 1 missing value (row 1)" + DROP),
    scores("masked, NaN", np.ma.array([NAN, 1, 2, 3], mask=[0, 1, 0, 0]), " has 2 missing values (rows 0, 1)"),
    scores("null in Int64", pd.Series([1, None, 2, 3], dtype="Int64"), " has 1 missing value (row 1)" + DROP),
    scores("null in pandas Arrow", pandas_arrow([1, None, 2, 3], "int64"), " has 1 missing value"),
    scores("null in Polars", pl.Series([1, None, 2, 3]), " has 1 missing value (row 1)" + DROP),
    scores("null, NaN in Polars", pl.Series([0.1, NAN, None, 0.4]), " has 2 missing values (rows 1, 2)" + DROP),
    scores("only null in Polars", pl.Series([None] * 4), " has 4 missing values (rows 0, 1, 2, 3)" + DROP),
    scores("null in PyArrow", pa.array([1, None, 2, 3]), " has 1 missing value (row 1)" + DROP),
    scores("null in chunks", pa.chunked_array([[1, None], [2, None]]), " has 2 missing values (rows 1, 3)" + DROP),
    scores("n×2", np.zeros((4, 2)), "got an array of shape (4, 2); which column? Pass score[:, 1] if the second"),
    scores("n×3", np.zeros((4, 3)), "got an array of shape (4, 3); pass one dimension, one value per row."),
    scores("1×n", np.zeros((1, 4)), "got an array of shape (1, 4); pass one dimension, one value per row."),
    scores("three dimensions", np.zeros((4, 1, 1)), "got an array of shape (4, 1, 1); pass one dimension"),
    scores("no dimension", np.array(3.0), NO_COLUMN + "a value of type float64."),
    scores("number", 3.0, NO_COLUMN + "a value of type float."),
    scores("NumPy number", np.int64(3), NO_COLUMN + "a value of type int64."),
    scores("string", "abcd", NO_COLUMN + "a value of type str."),
    scores("dict of numbers", dict(enumerate(SCORE)), NO_COLUMN + "a value of type float."),
    bad("two models", lambda: cw.roc_auc(Y, {"a": SCORE, "b": SCORE}), "Rows of 2 models (a, b): pick one"),
    scores("set", set(SCORE), NO_COLUMN + "a value of type set."),
    scores("generator", (s for s in SCORE), NO_COLUMN + "a value of type generator."),
    scores("nothing", None, NO_COLUMN + "None."),
    scores("sweep", SWEEP, NO_COLUMN + "a value of type Sweep."),
    scores("lazy frame", pl.LazyFrame({"a": SCORE}), NO_COLUMN + "a value of type LazyFrame."),
    scores(
        "ragged",
        [[1], [1, 2], [3], [4]],
        "expected one value per row, got rows of different lengths or kinds.",
    ),
    scores("pandas frame of two", TWO, "expected one column, got a frame with 2 ['a', 'b']; pass one column."),
    scores("Polars frame of two", pl.DataFrame({"a": Y, "b": Y}), "got a frame with 2 ['a', 'b']; pass one"),
    scores("PyArrow table of two", pa.table({"a": Y, "b": Y}), "got a frame with 2 ['a', 'b']; pass one column."),
    scores("wide frame", pd.DataFrame(np.zeros((4, 99))), "got a frame with 99 [0, 1, 2, 3, 4, …]; pass one"),
    scores("frame of none", pd.DataFrame(index=range(4)), "got a frame with 0 []; pass one column."),
    scores("one name twice", TWO.set_axis(["a", "a"], axis=1), "a frame with several of one name; pass one"),
    scores("beyond 64 bits", [2**70, 1, 2, 3], "whole numbers from 1 to 1180591620717411303424 do not fit in 64"),
    scores(
        "Polars Int128",
        pl.Series([2**70, 1, 2, 3], dtype=pl.Int128),
        "do not fit in 64 bits; rank them first.",
    ),
    scores("signed and unsigned", [2**63, -1, 2, 3], "whole numbers from -1 to 9223372036854775808 do not fit"),
    scores("near decimals", [Decimal(1), Decimal(1) + Decimal("1e-20"), 0.5, 2], "float64 cannot tell ", "rank"),
    scores(
        "decimal and float",
        [Decimal("0.1"), 0.1, 1, 2],
        "float64 cannot tell 0.1 from Decimal('0.1'); rank or",
    ),
    scores(
        "large integers, a half",
        [2**53, 2**53 + 1, 0.5, 1],
        "cannot tell 9007199254740993 from 9007199254740992",
    ),
    scores("NumPy integers, a half", [*np.arange(2**60, 2**60 + 3), 0.5], "float64 cannot tell 11529215"),
    scores(
        "huge fraction",
        [Fraction(10**400), 0.5, 1, 2],
        "float64 cannot tell Fraction(1000",
        " from inf; rank",
    ),
]

WEIGHTS = [
    weights("negative", [1, -1, 2, -3], NO_WEIGHT + "2 other values (rows 1, 3), the first -1."),
    weights("infinite", [1, INF, 2, 3], NO_WEIGHT + "1 other value (row 1), the first inf."),
    weights("beyond float64", np.array([1, 2, 3, "1e4000"], np.longdouble), NO_WEIGHT + "1 other value (row 3)"),
    weights("negative after zero", [0, 0, -1.5, 1], NO_WEIGHT + "1 other value (row 2), the first -1.5."),
    weights("NaN", [1, NAN, 2, 3], " has 1 missing value (row 1)" + DROP),
    weights("NaN after zero", [0, NAN, 2, 3], " has 1 missing value (row 1)" + DROP),
    weights("text", list("abcd"), ": " + NO_NUMBER + "text, 'a'; convert first."),
    weights("number", 2.0, ": " + NO_COLUMN + "a value of type float."),
    weights("all zero", [0, 0, 0, 0], ": all 4 weights are 0, so no row is left."),
    weights("sum infinite", [1e308] * 4, ": the sum is more than float64 can hold; scale the values down."),
    weights("sum beyond counts", [2**62] * 4, ": the sum is more than 2^62, beyond exact counts; scale the"),
    weights("too short", [1, 2], " must be equally long: y has 4 rows, weight has 2 rows."),
]

LATE = {"weight": [0, 1, 1, 1]}
ROWS = [
    rows(
        "two columns with gaps",
        [0, None],
        [NAN, 1],
        "y has 1 missing value (row 1) and score has 1 missing value (row 0);",
    ),
    rows("many gaps", [0] * 9, [NAN] * 9, "score has 9 missing values (rows 0, 1, 2, 3, 4, …)" + DROP),
    rows("gaps after zero weight", Y, [1, NAN, 2, NAN], "score has 2 missing values (rows 1, 3)" + DROP, **LATE),
    rows("text after zero weight", Y, [1, 2, 3, "x"], "score: ", "got 1 other value (row 3), the first", **LATE),
    rows("only gaps", [0, 1], [None, NAN], "No row is left: a value is missing in 2 of 2 rows.", missing="drop"),
    rows("only gaps of weight", Y, [NAN, 1, 2, 3], "in 1 of 1 row.", weight=[1, 0, 0, 0], missing="drop"),
    rows("lengths", [0, 1], SCORE, "y and score must be equally long: y has 2 rows, score has 4 rows."),
    rows("lengths by far", np.zeros(12_345), SCORE, "equally long: y has 12 345 rows, score has 4 rows."),
    rows("none", [], [], "Expected at least one row, got none."),
    rows("none in pandas", pd.Series(dtype=int), pd.Series(dtype=float), "Expected at least one row, got none."),
    rows("none in Polars", pl.Series([]), pl.Series([]), "Expected at least one row, got none."),
    rows("index", pd.Series(Y), pd.Series(SCORE, index=[1, 2, 3, 4]), "y and score" + INDEX),
    rows("order of the index", pd.Series(Y), pd.Series(SCORE, index=[3, 2, 1, 0]), "y and score" + INDEX),
    rows("index of a frame", pd.Series(Y), TWO[["a"]].set_axis(list("abcd")), "y and score" + INDEX),
    rows("index of weights", TWO["a"] > 0.3, SCORE, "y and weight" + INDEX, weight=pd.Series(Y, list("abcd"))),
    *option(
        "missing",
        lambda v: cw.sweep(Y, SCORE, missing=v),
        "expected one of 'raise', 'drop', got ",
        "skip",
        None,
    ),
    *option("missing", lambda v: cw.sweep(Y, SCORE, missing=v), "expected one of 'raise', 'drop'", np.ones(2)),
    *option("higher_is", lambda v: cw.roc_auc(Y, SCORE, higher_is=v), "expected one of 'positive', ", "neg", 1),
    *option("round_to", lambda v: cw.sweep(Y, SCORE, round_to=v), WHOLE + "0, got ", 1.5, True, -1, "2"),
    *(
        bad(
            f"{verb.__name__}: scores beside a sweep",
            lambda verb=verb: verb(SWEEP, SCORE),
            "score cannot apply",
        )
        for verb in BOTH + POSITIVES
    ),
    bad("a sweep with options", lambda: cw.roc_auc(SWEEP, positive=1), "A Sweep was given", "positive cannot"),
]

PREDICTED = [
    predicted("third class", ["a", "b"], ["a", "c"], "found 3 classes ('a', 'b', 'c')", "== 'a'.", positive="a"),
    predicted("other coding", [0, 1], [-1, 1], "y and predicted: expected two classes, found 3 classes (-1, 0, 1)"),
    predicted("other type", [0, 1], ["0", "1"], "found 4 classes (0, 1, '0', '1')", positive=1),
    predicted("no word", ["a", "b"], ["a", "a"], "y and predicted: the classes are 'a' and 'b'; say which"),
    predicted("scores", [0, 1, 1], [0, 0.2, 0.7], "got 2 other values (rows 1, 2), the first 0.2; for scores use"),
    predicted("dates", Y, DAYS, "y and predicted: " + NO_LABEL + "a date or time, datetime.date(2020, 1, 1)."),
    predicted("too long", [0, 1], Y, "y and predicted must be equally long: y has 2 rows, predicted has 4 rows."),
    predicted("gaps", [0, 1], [0, None], "predicted has 1 missing value (row 1)" + DROP),
    predicted("negative weight", Y, Y, "weight" + NO_WEIGHT + "1 other value (row 2)", weight=[1, 0, -1, 1]),
]

OPTIONS = [
    *option("scale", lambda v: cw.partial_roc_auc(SWEEP, scale=v), "expected one of 'raw', 'mean', ", "mcclich", 1),
    *option("ties", lambda v: cw.average_precision(SWEEP, ties=v), "expected one of 'block', ", "average", None),
    *option("interpolation", lambda v: cw.pr_auc(SWEEP, interpolation=v), "expected one of 'continuous', ", "x"),
    *option(
        "fpr",
        lambda v: cw.partial_roc_auc(SWEEP, fpr=v),
        RANGE,
        (0.5, 0.1),
        (0, 1.5),
        (-0.1, 0.5),
        (0.1, 0.1),
    ),
    *option("fpr", lambda v: cw.partial_roc_auc(SWEEP, fpr=v), RANGE, 0.5, (0, 0.1, 0.2), (0.1,), "01", {0, 1}),
    *option("fpr", lambda v: cw.partial_roc_auc(SWEEP, fpr=v), RANGE, (NAN, 1), (None, 1), ("0", "1"), [[0], [1]]),
    *option("tpr", lambda v: cw.partial_roc_auc(SWEEP, tpr=v), RANGE, (1, 0.8), np.array([0.8, 1.5])),
    *option("recall", lambda v: cw.pr_auc(SWEEP, recall=v), RANGE, (1, 0), None, np.array(0.5)),
    *option("recall", lambda v: cw.pr_auc_levels(0.5, recall=v), RANGE, (0.5, NAN)),
    *option("prevalence", SWEEP.at_prevalence, SHARE, 0, 1, -0.5, NAN, INF, "0.5", None, 1j, np.array([0.5])),
    *option("prevalence", cw.pr_auc_levels, SHARE, 1.0),
    *option("threshold", SWEEP.at, "expected a number, got ", NAN, "0.5", b"1", None, 1j, [0.5], np.array([0.5])),
    *option("threshold", SWEEP.at, "expected a number, got ", DAY, Decimal("NaN"), Decimal("sNaN")),
    *option("threshold", cw.sweep(Y, Y).at, "expected a number, got ", float("-nan"), "1"),
    *option("threshold", lambda v: cw.confusion(Y, SCORE, threshold=v), "expected a number, got ", (1,), "x"),
    *option("beta", TABLE.f_beta, FINITE, -1, NAN, "2"),
    *option("zero", lambda v: SWEEP.at(0.5, zero=v), "expected nan, 0 or 1, got ", 2),
    *option("level", lambda v: cw.rate_interval(1, 2, level=v), SHARE, 0, 1),
    *option("level", lambda v: TABLE.rates(level=v), SHARE, 95),
    *option("method", lambda v: cw.rate_interval(1, 2, method=v), "expected one of 'wilson', ", "wald"),
    *option("successes", lambda v: cw.rate_interval(v, 2), "expected a number from 0 to 2, got ", 3),
    *option("trials", lambda v: cw.rate_interval(1, v), FINITE, INF),
    *option("fp", lambda v: TABLE.expected_cost(fp=v, fn=1), "expected a finite number, got ", NAN, INF, "1"),
    *option("threshold_probability", TABLE.net_benefit, "expected a number ", 1, -0.1),
    *option(
        "tp",
        lambda v: cw.Confusion(v, 1, 2, 3),
        "expected a finite count of 0 or more, got ",
        -1,
        NAN,
        "3",
        None,
    ),
    *option("tn", lambda v: cw.Confusion(1, 2, 3, v), "expected a finite count of 0 or more, got ", INF),
    *option("threads", cw.set_threads, WHOLE + "1, got ", 0, 1.5, "2", True),
    *option("max_points", CURVE.thin, WHOLE + "2, got ", 1, 2.5, "many"),
    *option("recall", cw.pr_curve(SWEEP).precision_at, "expected a number from 0 to 1, got ", 2),
    *option("backend", SWEEP.to_frame, "expected one of 'polars', 'pandas', 'pyarrow', got ", "excel"),
    bad(
        "threshold: frame",
        lambda: SWEEP.at(pd.concat([TWO] * 99)),
        "threshold: expected a number, got ",
        "….",
    ),
]

PARTS = cw.sweep(Y, SCORE, weight=[0.5, 1, 1, 1])
COUNTS = [
    bad(
        "fractions: expected",
        lambda: cw.average_precision(PARTS, ties="expected"),
        "ties='expected' orders",
        "use",
    ),
    bad(
        "fractions: optimistic",
        lambda: cw.average_precision(PARTS, ties="optimistic"),
        "ties='optimistic' orders",
    ),
    bad("other direction", lambda: SWEEP + cw.sweep(Y, SCORE, higher_is="negative"), "different higher_is"),
    bad("inexact sum", lambda: SWEEP + cw.sweep(Y, [2**60, 1, 2, 3]), "int64", "cannot be added exactly"),
    counts("lengths", [1, 2], [1, 2, 3], [1, 2], "threshold", "2", "positives", "3"),
    counts("nothing", [], [], [], "Expected at least one", "got none."),
    counts("all zero", [1, 2], [0, 0], [0, 0], "positives", "negatives", "zero"),
    counts(
        "negative",
        [1, 2],
        [1, -2],
        [1, 2],
        "positives: expected counts of 0 or more",
        "(row 1), the first -2.",
    ),
    counts(
        "infinite",
        [1, 2],
        [1, 2],
        [INF, 2],
        "negatives: expected counts",
        "all finite",
        "(row 0), the first inf.",
    ),
    counts("NaN score", [1, NAN], [1, 2], [1, 2], "threshold", "missing value"),
    counts("missing count", [1, 2], [1, None], [1, 2], "positives", "missing value"),
    counts("text", ["a", "b"], [1, 2], [1, 2], "threshold: expected real numbers, got 2 other values (rows 0, 1)"),
    counts("sum", [1, 2], [2**61] * 2, [1, 2], "positives: the sum is more than 2^62, beyond exact counts; scale"),
    counts("float sum", [1, 2], [1e308] * 2, [1, 2], "positives: the sum is more than float64 can hold; scale"),
    counts("total small", [1, 2], [1, 2], [1, 2], "total_positives: expected at least the 3", "got 2.", total=2),
    counts("total NaN", [1, 2], [1, 2], [1, 2], f"total_positives: {FINITE}nan.", total=NAN),
    counts("total infinite", [1, 2], [1, 2], [1, 2], f"total_positives: {FINITE}inf.", total=INF),
    counts("total text", [1, 2], [1, 2], [1, 2], f"total_positives: {FINITE}'3'.", total="3"),
    bad("from_dict: no dict", lambda: cw.Sweep.from_dict([]), "Expected a dict with schema 'curvewise.sweep'"),
    saved("no schema", "Expected a dict with schema 'curvewise.sweep'", without="schema"),
    saved("newer", "Expected version 1 of curvewise.sweep, got 2", version=2),
    saved("tp gone", "tp", without="tp"),
    saved("dropped gone", "dropped", without="dropped"),
    saved("thresholds rise", "Thresholds must fall", threshold=[1, 2, 3, 4]),
    saved("counts fall", "counts must not", tp=[2, 1, 1, 0]),
    saved("lengths", "equally long", threshold=[1.0]),
    saved("nothing", "equally long and not empty", threshold=[], tp=[], fp=[], positives=0),
    saved("negative count", "tp: expected counts of 0 or more", "(row 0), the first -1.", tp=[-1, 0, 1, 2]),
    saved("missing count", "tp has 1 missing value (row 0)", tp=[None, 0, 1, 2]),
    saved("total small", "positives", "at least the last count", positives=0),
    saved("complex scores", "dtype: expected a real number type, got 'complex128'.", dtype="complex128"),
    saved("direction", "higher_is: expected one of 'positive', 'negative', got 'up'.", higher_is="up"),
]

NO_POSITIVE, NO_NEGATIVE = (
    "needs both classes: 0 of 4 rows are positive.",
    "needs both classes: 0 of 4 rows are neg",
)
CORNER = {"fpr": (0.5, 1), "tpr": (0, 0.1), "scale": "mcclish"}
UNDEFINED = [
    *(undefined(f"{verb.__name__}, none +", lambda verb=verb: verb([0] * 4, SCORE), NO_POSITIVE) for verb in BOTH),
    *(undefined(f"{verb.__name__}, none -", lambda verb=verb: verb([1] * 4, SCORE), NO_NEGATIVE) for verb in BOTH),
    *(
        undefined(f"{verb.__name__}, none +", lambda verb=verb: verb([-1] * 4, SCORE), "needs positive rows: 0 of 4")
        for verb in POSITIVES
    ),
    undefined("at_prevalence, none +", lambda: cw.sweep([0] * 4, SCORE).at_prevalence(0.5), NO_POSITIVE),
    undefined("at_prevalence, none -", lambda: cw.sweep([1] * 4, SCORE).at_prevalence(0.5), NO_NEGATIVE),
    undefined("no positive of that name", lambda: cw.roc_auc(["b"] * 4, SCORE, positive="a"), NO_POSITIVE),
    undefined(
        "chance fills the region",
        lambda: cw.partial_roc_auc(SWEEP, **CORNER),
        "scale='mcclish' is undef",
        "use",
    ),
]

CASES = LABELS + SCORES + WEIGHTS + ROWS + PREDICTED + OPTIONS + COUNTS + UNDEFINED


@pytest.mark.parametrize(("call", "says", "error"), CASES)
def test_message_says_what_where_how_many_and_what_to_do(call, says, error):
    with pytest.raises(Exception) as caught:
        call()
    message = str(caught.value)
    found = type(caught.value)
    assert (cw.CurvewiseError if found is OptionError else found) is error, message
    assert re.search(".*".join(map(re.escape, says)), message), message
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert len(message.splitlines()) == 1
    assert message.endswith((".", "?"))
    assert len(message) < 400


NO_COLUMNS = {
    "number": 3,
    "text": "abcd",
    "bytes": b"abcd",
    "dict": {0: 1},
    "set": {1, 2},
    "object": object(),
    "class": float,
    "slice": slice(4),
    "no dimension": np.array(1.0),
    "two columns": np.zeros((4, 2)),
    "three dimensions": np.zeros((4, 1, 2)),
    "ragged": [[0], [0, 1], [1], [1]],
    "frame": pd.DataFrame({"a": Y, "b": Y}),
    "empty frame": pl.DataFrame(),
    "complex": np.array([1j, 0, 1, 1]),
    "dates": np.array(["2020-01-01"] * 4, "M8[ns]"),
    "durations": pl.Series([dt.timedelta(1)] * 4),
    "records": np.zeros(4, [("a", float), ("b", int)]),
    "sets": [{1}, {2}, {1}, {2}],
    "arrays": pl.Series([[0], [1], [0], [1]]),
    "objects": [object() for _ in range(4)],
    "missing": [None, NAN, pd.NA, pd.NaT],
    "long": [1] * 5,
}
VERBS = {
    "sweep": cw.sweep,
    "roc_auc": cw.roc_auc,
    "pr_curve": cw.pr_curve,
    "confusion": lambda **given: cw.confusion(**given, threshold=0.5),
    "confusion_from_labels": cw.confusion_from_labels,
}


@pytest.mark.parametrize("column", NO_COLUMNS)
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("verb", VERBS)
def test_what_is_no_column_is_refused_by_name_wherever_it_is_put(verb, place, column):
    given = {"y": Y, "predicted": Y} if verb == "confusion_from_labels" else {"y": Y, "score": SCORE}
    given["weight"] = [1, 1, 1, 1]
    name = list(given)[place]
    given[name] = NO_COLUMNS[column]
    with pytest.raises(cw.CurvewiseError, match=rf"\b{name}\b.*\.$") as caught:
        VERBS[verb](**given)
    assert len(str(caught.value)) < 400
