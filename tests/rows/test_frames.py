"""Columns of frames whose names are whole numbers, as pandas makes them, and names that are one text."""

import numpy as np
import pandas as pd
import pytest

import curvewise as cw

RNG = np.random.default_rng(8)
N = 60
Y = np.arange(N) % 3 == 0
A, B = RNG.normal(Y * 1.0), RNG.normal(Y * 0.5)
CLASS = np.arange(N) % 3
THREE = RNG.dirichlet([1, 1, 1], N)
GROUP = np.arange(N) % 2


def test_columns_named_by_whole_numbers():
    scores = pd.DataFrame({0: A, 1: B})
    by_dict = {"0": A, "1": B}
    assert cw.compare(Y, scores).p_value == cw.compare(Y, by_dict).p_value
    assert cw.evaluate(Y, scores).metrics() == cw.evaluate(Y, by_dict).metrics()
    assert cw.multiclass(CLASS, pd.DataFrame(THREE)).to_dict() == cw.multiclass(CLASS, THREE).to_dict()
    found = cw.multilabel(pd.DataFrame(THREE > 0.3), pd.DataFrame(THREE))
    assert str(found) == str(cw.multilabel(THREE > 0.3, THREE))
    assert str(cw.by_group(Y, A, pd.DataFrame({5: GROUP, 6: CLASS}))) == str(
        cw.by_group(Y, A, {"5": GROUP, "6": CLASS})
    )
    one = cw.fairness(Y, A, pd.DataFrame({0: GROUP}), threshold=0.5)
    assert str(one) == str(cw.fairness(Y, A, {"0": GROUP}, threshold=0.5))


def test_evaluate_names_columns_by_whole_numbers():
    frame = pd.DataFrame({0: Y.astype(int), 1: A, 2: B, 3: GROUP, 4: np.arange(N) + 1.0})
    found = cw.evaluate(frame, label=0, scores=[1, 2], group=3, weight=4)
    text = {str(k): v for k, v in frame.items()}
    assert found.metrics() == cw.evaluate(text, label="0", scores=["1", "2"], group="3", weight="4").metrics()
    one = cw.evaluate(dict(frame.items()), label=0, scores=1)
    assert one.metrics() == cw.evaluate(text, label="0", scores="1").metrics()


@pytest.mark.parametrize(
    "make", [pd.Categorical, pd.arrays.SparseArray, pd.array], ids=["categorical", "sparse", "array"]
)
def test_columns_that_pandas_holds_without_a_frame(make):
    scores = {"a": make(A), "b": B}
    assert cw.compare(make(Y.astype(int)), scores).p_value == cw.compare(Y, {"a": A, "b": B}).p_value
    with pytest.raises(cw.CurvewiseError, match="scores: expected a dict of models"):
        cw.compare(Y, make(A))
    with pytest.raises(cw.CurvewiseError, match="metric: there is no metric"):
        cw.compare(Y, scores, metric=make(A))


TWICE = {1: A, "1": B}
BOXES = {"image": [1, 2], "class": ["a", "a"], "box": [[0, 0, 9, 9], [20, 0, 9, 9]]}
FOUND = {**BOXES, "score": [0.9, 0.8]}
MATCHED = cw.detection.match(BOXES, FOUND)
SWEEPS = {1: cw.sweep(Y, A), "1": cw.sweep(Y, B)}
ALIKE = {
    "compare": lambda: cw.compare(Y, TWICE),
    "unpaired": lambda: cw.compare({1: Y, "1": Y}, TWICE),
    "sweeps": lambda: cw.compare(SWEEPS),
    "hull": lambda: cw.joint_hull(SWEEPS),
    "evaluate": lambda: cw.evaluate(Y, TWICE),
    "groups": lambda: cw.by_group(Y, A, {1: GROUP, "1": CLASS}),
    "survival": lambda: cw.survival(1 + np.arange(N), Y, TWICE, horizons=[20.0]),
    "surface": lambda: cw.volume_under_surface(CLASS, TWICE),
    "detectors": lambda: cw.detection.evaluate(BOXES, {1: FOUND, "1": FOUND}),
    "matched": lambda: cw.compare({1: MATCHED, "1": MATCHED}),
    "thresholds": lambda: cw.compare(Y, {"1": A, "b": B}, metric="f1", threshold={1: 0.1, "1": 0.2, "b": 0.3}),
}


@pytest.mark.parametrize("call", ALIKE)
def test_names_that_are_one_text_are_refused(call):
    with pytest.raises(cw.CurvewiseError, match="two names are '1' as text; rename one of them"):
        ALIKE[call]()


def test_models_on_different_rows_are_matched_by_the_text_of_their_names():
    mixed = cw.compare({1: Y, "2": Y}, {"1": A, 2: B})
    assert mixed.p_value == cw.compare({"1": Y, "2": Y}, {"1": A, "2": B}).p_value


def test_a_frame_with_one_name_twice():
    frame = pd.DataFrame(np.column_stack([Y, A, B]), columns=["y", "a", "a"])
    for call in (lambda: cw.evaluate(frame, label="y", scores="a"), lambda: cw.compare(Y, frame)):
        with pytest.raises(cw.CurvewiseError, match="expected columns of different names"):
            call()
