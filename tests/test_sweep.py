"""The sweep as an object: frozen, additive, serialisable, readable."""

import dataclasses
import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given

import curvewise as cw
from curvewise.core.bins import Bins
from curvewise.core.sweep import counted_rows
from optional import optional
from strategies import labelled

pa = optional("pyarrow")

Y, S = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.4]


def test_is_frozen():
    sweep = cw.sweep(Y, S)
    with pytest.raises(dataclasses.FrozenInstanceError):
        sweep.positives = 7
    for array in (sweep.threshold, sweep.tp, sweep.fp):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        hash(sweep)


def test_facts_and_recorded_choices():
    sweep = cw.sweep([0, 1, None, 1], [0.111, 0.112, 0.5, np.inf], weight=[1, 2, 3, 0.5], missing="drop", round_to=2)
    assert (sweep.n, sweep.positives, sweep.negatives) == (3.5, 2.5, 1)
    assert sweep.prevalence == pytest.approx(2.5 / 3.5)
    assert (sweep.weight_kind, sweep.dropped, sweep.round_to) == ("sampling", 1, 2)
    assert sweep.threshold.tolist() == [np.inf, 0.11]
    plain = cw.sweep(Y, S)
    assert (plain.weight_kind, plain.dropped, plain.round_to, plain.higher_is) == (None, 0, None, "positive")


@pytest.mark.parametrize(
    ("threshold", "counts"),
    [
        (0.8, (1, 0)),
        (0.81, (0, 0)),
        (0.4, (2, 1)),
        (0.39, (2, 1)),
        (-9, (3, 2)),
        (np.inf, (0, 0)),
        (-np.inf, (3, 2)),
    ],
)
def test_at(threshold, counts):
    c = cw.sweep(Y, S).at(threshold)
    assert (c.tp, c.fp) == counts
    assert (c.fn, c.tn) == (3 - counts[0], 2 - counts[1])


def test_at_in_the_scores_own_dtype():
    scores = np.array([0.1, 0.7], dtype=np.float32)
    assert cw.sweep([0, 1], scores).at(0.7).tp == 1  # float32(0.7) < 0.7 as float64
    assert cw.confusion([0, 1], scores, threshold=0.7).tp == 1


def test_at_with_whole_scores():
    big = 2**53
    for dtype in (np.int64, np.uint64):
        sweep = cw.sweep([0, 1, 1], np.array([big, big + 1, big + 2], dtype=dtype))
        assert [sweep.at(t).tp for t in (big, big + 1, big + 2, big + 3)] == [2, 2, 1, 0]
        assert sweep.at(-0.5).tp == 2
        assert sweep.at(np.inf).tp == 0
        assert sweep.at(-np.inf).fp == 1
    ratings = cw.sweep([0, 1, 1], [1, 2, 3])
    assert ratings.at(1.5).fp == 0
    assert ratings.at(1.0).fp == 1


def test_lower_is_positive():
    sweep = cw.sweep(Y, S, higher_is="negative")
    assert sweep.threshold.tolist() == [0.1, 0.35, 0.4, 0.8]
    for t in (0.05, 0.1, 0.4, 0.5, 0.8, 1, -np.inf, np.inf):
        c = sweep.at(t)
        assert (c.tp, c.fp) == (
            sum(y and s <= t for y, s in zip(Y, S, strict=True)),
            sum(not y and s <= t for y, s in zip(Y, S, strict=True)),
        )
        assert c == cw.confusion(Y, S, threshold=t, higher_is="negative")
    assert cw.roc_curve(sweep).threshold[0] == -np.inf
    halves = cw.sweep(Y[:2], S[:2], higher_is="negative") + cw.sweep(Y[2:], S[2:], higher_is="negative")
    assert halves == sweep


def test_adding_needs_like_with_like():
    sweep = cw.sweep(Y, S)
    with pytest.raises(cw.CurvewiseError, match="different higher_is"):
        sweep + cw.sweep(Y, S, higher_is="negative")
    with pytest.raises(cw.CurvewiseError, match="different round_to"):
        sweep + cw.sweep(Y, S, round_to=1)
    with pytest.raises(TypeError):
        sweep + 1
    big = cw.sweep([0, 1], np.array([1, 2**53 + 1]))
    with pytest.raises(cw.CurvewiseError, match="beyond 2\\^53"):
        sweep + big
    mixed = cw.sweep([0, 1], np.array([1, 2])) + cw.sweep([1, 0], np.array([2.0, 0.5]))
    assert mixed.threshold.tolist() == [2.0, 1.0, 0.5]
    assert mixed.tp.tolist() == [2, 2, 2]


def test_adding_weighted_sweeps():
    a, b = cw.sweep([0, 1], [1, 2], weight=[0.5, 0.25]), cw.sweep([1, 0], [2, 3])
    both = a + b
    assert both.weight_kind == "sampling"
    assert both.tp.tolist() == [0, 1.25, 1.25]
    assert both.fp.tolist() == [1, 1, 1.5]


@given(labelled())
def test_json_round_trip(data):
    for dtype in (np.float64, np.float16):
        with np.errstate(over="ignore"):
            sweep = cw.sweep(data[0], np.array(data[1], dtype=dtype))
        text = json.dumps(sweep.to_dict(), allow_nan=False)
        again = cw.Sweep.from_dict(json.loads(text))
        assert again == sweep
        assert again.threshold.dtype == sweep.threshold.dtype
        assert again.tp.dtype == sweep.tp.dtype
        assert again.to_dict() == sweep.to_dict()


def test_json_of_special_sweeps():
    for sweep in (
        cw.sweep(Y, S, weight=[0.5, 1, 1, 1, 1]),
        cw.sweep(Y, S).at_prevalence(0.2),
        cw.sweep(Y, np.array([2**60 + k for k in range(5)])),
        cw.sweep(Y, S, higher_is="negative"),
        cw.Sweep.from_counts([2, 1], [6, 2], [0, 2], total_positives=10),
    ):
        again = cw.Sweep.from_dict(json.loads(json.dumps(sweep.to_dict(), allow_nan=False)))
        assert again == sweep
        assert again.to_dict() == sweep.to_dict()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "other"}, "schema"),
        ({"version": 2}, "version 1 of"),
        ({"threshold": [0.1, 0.8, 0.4, 0.2]}, "no sweep"),
        ({"tp": [3, 2, 1, 1]}, "no sweep"),
        ({"tp": [1]}, "equally long"),
        ({"positives": 1}, "at least the last count"),
        ({"dtype": "object"}, "real number type"),
        ({"higher_is": "up"}, "expected one of"),
        ({"threshold": ["a", 1, 2, 3]}, "not a whole sweep"),
    ],
)
def test_from_dict_refuses(change, words):
    data = cw.sweep(Y, S).to_dict() | change
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.Sweep.from_dict(data)


def test_from_dict_refuses_missing_parts():
    data = cw.sweep(Y, S).to_dict()
    del data["fp"]
    with pytest.raises(cw.CurvewiseError, match="fp"):
        cw.Sweep.from_dict(data)


def test_from_counts():
    sweep = cw.Sweep.from_counts([1, 3, 2, 3], [1, 1, 0, 1], [2, 0, 1, 0], total_positives=5)
    assert sweep.threshold.tolist() == [3, 2, 1]
    assert sweep.tp.tolist() == [2, 2, 3]
    assert sweep.fp.tolist() == [0, 1, 3]
    assert (sweep.positives, sweep.negatives) == (5, 3)
    assert sweep.at(0).fn == 2
    assert cw.Sweep.from_counts([2, 1, 0], [1, 0, 0], [0, 1, 0]).threshold.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("backend", "kind"),
    [
        ("polars", pl.DataFrame),
        ("pandas", pd.DataFrame),
        pytest.param("pyarrow", pa.Table, marks=pytest.mark.needs("pyarrow")),
    ],
)
def test_to_frame(backend, kind):
    frame = cw.sweep(Y, S).to_frame(backend)
    assert isinstance(frame, kind)
    assert list(frame.columns if backend != "pyarrow" else frame.column_names) == ["threshold", "tp", "fp"]
    for curve in (
        cw.roc_curve(Y, S),
        cw.pr_curve(Y, S),
        cw.det_curve(Y, S),
        cw.lift_curve(Y, S),
        cw.pr_gain_curve(Y, S),
        cw.roc_hull(Y, S),
    ):
        made = curve.to_frame(backend)
        assert isinstance(made, kind)
        assert len(made) == len(curve)


def test_to_frame_is_of_the_callers_library():
    assert isinstance(cw.sweep(pd.Series(Y), pd.Series(S)).to_frame(), pd.DataFrame)
    assert isinstance(cw.sweep(pl.Series(Y), S).to_frame(), pl.DataFrame)
    assert isinstance(cw.roc_curve(Y, pa.array(S)).to_frame(), pa.Table)
    with pytest.raises(cw.CurvewiseError, match="backend: expected one of"):
        cw.sweep(Y, S).to_frame("excel")


def test_reprs():
    assert repr(cw.sweep(Y, S)) == "Sweep(5 rows: 3 positive, 2 negative; 4 thresholds, 0.8 to 0.1)"
    assert repr(cw.sweep([1], [2])) == "Sweep(1 rows: 1 positive, 0 negative; 1 threshold, 2)"
    moved = repr(cw.sweep(Y, S, missing="drop", round_to=1).at_prevalence(0.1))
    assert "rounded to 1 decimals" in moved
    assert "sample prevalence 0.6" in moved
    page = cw.sweep(Y, S)._repr_html_()
    assert "<td>5</td>" in page
    assert repr(cw.roc_curve(Y, S)) == "RocCurve(5 points, auc=0.75)"


def test_a_sweep_takes_no_reading_options():
    sweep = cw.sweep(Y, S)
    for call in (
        lambda: cw.roc_auc(sweep, S),
        lambda: cw.roc_curve(sweep, weight=[1] * 5),
        lambda: cw.average_precision(sweep, positive=1),
    ):
        with pytest.raises(cw.CurvewiseError, match="already read"):
            call()
    with pytest.raises(TypeError, match="sample_weight"):
        cw.roc_auc(Y, S, sample_weight=[1] * 5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"positives": float("nan")}, "positives: expected a finite number"),
        ({"positives": "x"}, "positives: expected a finite number"),
        ({"dropped": -1}, "dropped: expected a whole number"),
        ({"weight_kind": "x"}, "weight_kind: expected one of None, 'sampling', 'count'"),
        ({"round_to": "x"}, "round_to: expected a whole number"),
        ({"sample_prevalence": 7}, "sample_prevalence: expected a number from 0 to 1"),
        ({"dtype": None}, "not a whole sweep"),
    ],
)
def test_from_dict_refuses_nonsense_beside_the_counts(change, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.Sweep.from_dict(cw.sweep(Y, S).to_dict() | change)


def test_json_of_long_floats():
    long = np.array([0.1, 0.2, 0.3, 0.4, np.inf], dtype=np.longdouble) + np.finfo(np.longdouble).eps
    sweep = cw.sweep(Y, long)
    assert cw.Sweep.from_dict(json.loads(json.dumps(sweep.to_dict()))) == sweep


def test_undefined_with_fractional_weights_says_so():
    with pytest.raises(cw.UndefinedMetricError, match=r"0 of rows of total weight 0\.7000 are positive"):
        cw.roc_auc([0, 0], [1, 2], weight=[0.3, 0.4])


def test_an_unknown_option_is_named_with_those_that_exist():
    for verb in (cw.roc_auc, cw.roc_curve, cw.average_precision):
        with pytest.raises(TypeError, match="sample_weight: unknown option; did you mean 'weight'"):
            verb(Y, S, sample_weight=[1] * 5)


def test_a_sum_beyond_exact_counts_is_refused():
    half = cw.Sweep.from_counts([2, 1], [2**60, 1], [1, 2**60])
    with pytest.raises(cw.CurvewiseError, match=r"sum of both sweeps is more than 2\^62 rows"):
        sum([half] * 3)
    assert cw.roc_auc(half) == pytest.approx(1)


BEYOND = [2**53 + k for k in (0, 2, 4, 6)]
CUTS = [Fraction(2**54 + k, 2) for k in range(-2, 16)] + [2**53 + k for k in range(-1, 8)]


@pytest.mark.parametrize("direction", ["positive", "negative"])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, object])
@pytest.mark.parametrize(
    "make", [lambda t: t, lambda t: Decimal(t.numerator) / t.denominator], ids=["exact", "decimal"]
)
def test_thresholds_beyond_the_whole_floats_are_compared_as_they_are(dtype, direction, make):
    sweep = cw.sweep([0, 1, 0, 1], np.array(BEYOND, dtype=dtype), higher_is=direction)
    for cut in map(make, CUTS):
        flagged = [s >= cut if direction == "positive" else s <= cut for s in BEYOND]
        assert (sweep.at(cut).tp, sweep.at(cut).fp) == (flagged[1] + flagged[3], flagged[0] + flagged[2])


def test_thresholds_among_scores_of_few_digits():
    few = cw.sweep([0, 1, 1], np.array([0.7, 2**24, 2**24 + 2], dtype=np.float32))
    assert few.at(0.7).fp == 1  # as it is written, not as float32 has it
    assert few.at(2**24 + 1).tp == 1
    assert type(cw.sweep(Y, S).at(np.array(0.4)).threshold) is float  # no array of the caller's


def test_a_sweep_as_rows_is_the_sweep_again():
    sweep = cw.Sweep.from_counts([3, 2, 1], [2, 0, 1], [0, 4, 5])
    rows = counted_rows(sweep)
    assert (rows.positive.tolist(), rows.weight.tolist()) == ([True, True, False, False], [2, 1, 4, 5])
    assert rows.scores["score"].tolist() == [3, 1, 2, 1]
    assert cw.sweep(rows.positive, rows.scores["score"], weight=rows.weight, weight_kind="count") == sweep
    for forgotten in (
        sweep.at_prevalence(0.5),
        cw.Sweep.from_counts([1], [0.5], [0.5]),
        cw.Sweep.from_counts([1], [1], [1], total_positives=2),
    ):
        with pytest.raises(cw.CurvewiseError, match="has forgotten its rows"):
            counted_rows(forgotten)


def test_sweeps_that_differ_in_anything_are_not_equal():
    one = cw.Sweep.from_counts([3, 2, 1], [2, 1, 0], [0, 1, 2])
    assert one == cw.Sweep.from_counts([1, 2, 3], [0, 1, 2], [2, 1, 0])
    others = (
        cw.Sweep.from_counts([4, 2, 1], [2, 1, 0], [0, 1, 2]),
        cw.Sweep.from_counts([3, 2, 1], [1, 2, 0], [0, 1, 2]),
        cw.Sweep.from_counts([3, 2, 1], [2, 1, 0], [1, 0, 2]),
        cw.Sweep.from_counts([3, 2, 1], [2, 1, 0], [0, 1, 2], total_positives=4),
        cw.Sweep.from_counts([3, 2, 1], [2, 1, 0], [0, 1, 2], negatives_known=False),
        dataclasses.replace(one, higher_is="negative"),
        dataclasses.replace(one, bins=Bins(one.threshold - 0.5, one.threshold)),
    )
    for other in others:
        assert one != other
        assert other != one
    assert others[-1] == dataclasses.replace(others[-1])
    assert others[-1] != dataclasses.replace(one, bins=Bins(one.threshold - 0.25, one.threshold))


def test_points_of_a_published_curve():
    """Partial areas of (0, 0), (.05, .4), (.10, .6) are .010 + .025."""
    fpr, tpr = [0, 0.05, 0.10], [0, 0.4, 0.6]
    for counts in ({"positives": 50, "negatives": 100}, {"positives": 7, "negatives": 3}):
        found = cw.Sweep.from_points(fpr, tpr, **counts)
        assert cw.partial_roc_auc(found, fpr=(0, 0.1)) == pytest.approx(0.035)
        assert cw.partial_roc_auc(found, fpr=(0, 0.1), scale="mcclish") == pytest.approx(0.657895, abs=1e-6)
        assert (found.positives, found.negatives) == pytest.approx(tuple(counts.values()))
    whole = cw.Sweep.from_points(fpr, tpr, positives=50, negatives=100)
    assert (whole.tp.tolist(), whole.fp.tolist(), whole.threshold.tolist()) == ([20, 30, 50], [5, 10, 100], [3, 2, 1])
    assert cw.interval("partial_roc_auc", whole, fpr=(0, 0.1)).low < 0.035


def test_points_that_are_no_curve():
    for fpr, tpr, message in (
        ([0, 0.2, 0.1], [0, 0.3, 0.4], "fpr: expected rates from 0 to 1 that never fall, got 0.1 at point 2"),
        ([0, 0.2], [0, 1.3], "tpr: expected rates from 0 to 1 that never fall, got 1.3 at point 1"),
    ):
        with pytest.raises(cw.CurvewiseError, match=message):
            cw.Sweep.from_points(fpr, tpr, positives=10, negatives=10)
    with pytest.raises(cw.CurvewiseError, match="positives: expected a finite number of at least 0"):
        cw.Sweep.from_points([0, 1], [0, 1], positives=-1, negatives=10)
