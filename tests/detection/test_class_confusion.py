"""Which class is detected as which, against a brute force in fractions."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.detection.mistakes.class_confusion import class_confusion
from curvewise.detection.numbers.at_threshold import detections_at
from detection import brute_force_errors
from detection.scenes import golden, renamed, scenes
from ring import examples


def cells(found):
    """Return the counts above 0 by names, None for missed and background."""
    names = [*found.classes, None]
    rows, columns = np.nonzero(found.matrix)
    return {(names[i], names[j]): int(found.matrix[i, j]) for i, j in zip(rows, columns, strict=True)}


@pytest.mark.parametrize("iou", [0.5, 0.75])
@pytest.mark.parametrize("threshold", [0, 0.3, 0.6, 1])
def test_the_reference_files(threshold, iou):
    truth, found = golden()
    t = Fraction(iou)
    judged = brute_force_errors.matched(truth, found, t)
    got = class_confusion(cw.detection.match(truth, found), threshold, iou=iou)
    assert cells(got) == brute_force_errors.confusion(truth, judged, t, threshold)


@given(scenes(classes=3, found=16), st.sampled_from([0, 0.25, 0.5]), st.sampled_from(["coco", "voc"]))
@settings(max_examples=examples(200), deadline=None)
def test_any_scene(scene, threshold, rule):
    truth, found = scene
    if rule == "voc":
        truth = {**truth, "annotations": [{**g, "ignore": g["iscrowd"], "iscrowd": 0} for g in truth["annotations"]]}
    judged = brute_force_errors.matched(truth, found, Fraction(1, 2), rule)
    m = cw.detection.match(truth, found, rule=rule)
    got = class_confusion(m, threshold)
    assert cells(got) == brute_force_errors.confusion(truth, judged, Fraction(1, 2), threshold)
    at = detections_at(m, threshold).by_class
    assert np.diag(got.matrix)[:-1].tolist() == [row.tp for row in at.values()]  # the diagonal is what was matched
    assert got.matrix[:-1].sum(axis=1).tolist() == [row.truths for row in at.values()]
    assert got.matrix[:, :-1].sum(axis=0).tolist() == [row.tp + row.fp for row in at.values()]
    assert got.matrix[-1, -1] == 0


@given(scenes(classes=3, found=16), st.integers(0, 5))
@settings(max_examples=examples(60), deadline=None)
def test_no_order_of_rows_and_no_name_moves_a_count(scene, seed):
    first, second = (class_confusion(cw.detection.match(*s), 0.2) for s in (scene, renamed(*scene, seed)))
    assert cells(first) == cells(second)


def test_a_lower_score_does_not_take_an_object_from_a_higher_one_of_another_class():
    truth = {"image": [1], "class": ["a"], "box": [[0, 0, 10, 10]]}
    found = {
        "image": [1, 1, 1],
        "class": ["b", "a", "c"],
        "box": [[0, 0, 10, 10], [0, 0, 10, 6], [0, 0, 10, 9]],
        "score": [0.9, 0.4, 0.8],
    }
    m = cw.detection.match(truth, found, classes=["a", "b", "c"], unknown="drop")
    # with the right class shown, its class keeps the object, whatever the scores of other classes are
    assert cells(class_confusion(m, 0.3)) == {("a", "a"): 1, (None, "b"): 1, (None, "c"): 1}
    # without it, the strongest other one has it
    assert cells(class_confusion(m, 0.5)) == {("a", "b"): 1, (None, "c"): 1}
    assert cells(class_confusion(m, 0.95)) == {("a", None): 1}


def test_of_equal_boxes_the_name_of_the_class_decides_whatever_their_order_is():
    found = {"image": [1], "class": ["a"], "box": [[0, 0, 9, 9]], "score": [0.9]}
    for order in (["a", "b", "c"], ["c", "a", "b"]):
        boxes = [[50, 0, 9, 9] if name == "a" else [0, 0, 9, 9] for name in order]
        m = cw.detection.match({"image": [1] * 3, "class": order, "box": boxes}, found, classes=order)
        assert cells(class_confusion(m, 0)) == {("c", "a"): 1, ("a", None): 1, ("b", None): 1}


def test_voc_leaves_an_object_of_its_own_class_alone():
    # both overlap the left object best; VOC says the weaker one is a duplicate, though the right one is free
    truth = {"image": [1, 1], "class": ["a", "a"], "box": [[0, 0, 100, 10], [20, 0, 100, 10]]}
    found = {"image": [1, 1], "class": ["a", "a"], "box": [[2, 0, 100, 10], [4, 0, 100, 10]], "score": [0.9, 0.8]}
    got = class_confusion(cw.detection.match(truth, found, rule="voc"), 0.1)
    assert cells(got) == {("a", "a"): 1, ("a", None): 1, (None, "a"): 1}
    assert cells(class_confusion(cw.detection.match(truth, found), 0.1)) == {("a", "a"): 2}


def test_an_overlap_of_one_s_own_is_asked():
    truth = {"image": [1, 1], "class": ["a", "b"], "box": [[0, 0, 1, 1]] * 2}
    found = {"image": [1], "class": ["a"], "box": [[50, 50, 1, 1]], "score": [0.9]}
    m = cw.detection.match(truth, found, overlap=lambda d, g: np.array([[0.0, 0.8]]))
    assert cells(class_confusion(m, 0.5)) == {("a", None): 1, ("b", "a"): 1}


def test_scores_that_are_whole_numbers_or_infinite():
    truth = {"image": [1], "class": ["a"], "box": [[0, 0, 1, 1]]}
    found = {"image": [1, 1], "class": ["a", "a"], "box": [[0, 0, 1, 1], [5, 5, 1, 1]], "score": [7, 3]}
    m = cw.detection.match(truth, found)
    assert cells(class_confusion(m, 3.5)) == {("a", "a"): 1}
    assert cells(class_confusion(m, 3)) == {("a", "a"): 1, (None, "a"): 1}
    assert cells(class_confusion(m, float("inf"))) == {("a", None): 1}
    for threshold in (float("nan"), "0.5", None):
        with pytest.raises(cw.CurvewiseError, match="threshold: expected a number"):
            class_confusion(m, threshold)


def test_it_is_a_result():
    got = class_confusion(cw.detection.match(*golden()), 0.3)
    assert got.table.columns["class"] == ["kite", "mug", "boat", "ghost", "(background)"]
    assert list(got.table.columns) == ["class", "as kite", "as mug", "as boat", "as ghost", "missed"]
    assert got.of("kite", "mug") == 1
    assert got.confused().columns == {
        "class": ["kite"], "taken_for": ["mug"], "objects": [1], "share_of_class": [1 / 67],
    }  # fmt: skip
    assert len(got.confused(0)) == 0
    assert "(background)" in got.to_markdown()
    said = json.loads(json.dumps(got.to_dict()))
    assert (said["matrix"], said["classes"]) == (got.matrix.tolist(), list(got.classes))
    assert (said["threshold"], said["iou"]) == (0.3, 0.5)
    assert got.missed.tolist() == got.matrix[:-1, -1].tolist()
    assert got.background.sum() == got.matrix[-1].sum()
    with pytest.raises(ValueError, match="read-only"):
        got.matrix[0, 0] = 1
    with pytest.raises(cw.CurvewiseError, match="class: expected one of 'kite'"):
        got.of("cat", "mug")
