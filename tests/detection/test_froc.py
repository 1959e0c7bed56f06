"""Recall against false positives per image; how often a detection with some score is right."""

import json

import numpy as np
import pytest

import curvewise as cw
from curvewise.detection.numbers.at_threshold import detections_at
from curvewise.detection.numbers.froc import froc
from detection.scenes import golden


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(*golden())


@pytest.mark.parametrize("cls", [None, "mug"])
def test_a_point_per_distinct_score(matched, cls):
    curve = froc(matched, cls=cls)
    for x, y, t in list(zip(*curve, strict=True))[::7]:
        at = detections_at(matched, t)
        row = at.pooled if cls is None else at.by_class[cls]
        assert (x, y) == (row.false_positives_per_image, row.recall)
    assert (curve.images, curve.cls, curve.iou) == (40, cls, 0.5)
    assert curve.positives == (166 if cls is None else 79)
    assert (np.diff(curve.threshold) < 0).all()


def test_recall_at_a_rate_is_never_interpolated():
    truth = {"image": [1, 2], "class": ["a", "a"], "box": [[0, 0, 9, 9]] * 2}
    boxes = [[0, 0, 9, 9], [50, 0, 9, 9], [0, 0, 9, 9]]
    found = {"image": [1, 1, 2], "class": ["a"] * 3, "box": boxes, "score": [0.9, 0.8, 0.7]}
    curve = froc(cw.detection.match(truth, found))
    assert [curve.recall_at(r) for r in (0, 0.49, 0.5, 8)] == [0.5, 0.5, 1, 1]
    assert curve.mean_recall((0, 0.5)) == 0.75
    assert curve.mean_recall() == pytest.approx((0.5 + 0.5 + 1 + 1 + 1 + 1 + 1) / 7)
    tied = froc(cw.detection.match(truth, {**found, "score": [1, 1, 1]}))
    assert len(tied) == 1
    assert tied.recall_at(0.4) == 0
    assert froc(cw.detection.match(truth, [])).recall_at(1) == 0


def test_bad_options(matched):
    curve = froc(matched)
    with pytest.raises(cw.CurvewiseError, match="false_positives_per_image: expected a finite number"):
        curve.recall_at(-1)
    with pytest.raises(cw.CurvewiseError, match="rates: expected at least one"):
        curve.mean_recall([])
    with pytest.raises(cw.CurvewiseError, match="there is no class 'cat'"):
        froc(matched, cls="cat")
    with pytest.raises(cw.UndefinedMetricError, match="A FROC curve needs positive rows"):
        froc(matched, cls="ghost")


def test_it_is_a_curve(matched):
    curve = froc(matched)
    assert str(curve).startswith("Froc(")
    assert len(curve.thin(50)) <= 50
    assert list(curve.table.columns) == ["false_positives_per_image", "recall", "threshold"]
    assert json.loads(json.dumps(curve.to_dict()))["images"] == 40


def test_reliability_is_that_of_the_judged_detections(matched):
    status = matched.status(0.5)
    judged = status >= 0
    rows = matched.found[judged]
    found = matched.scene.found
    want = cw.reliability(status[judged] == 1, found.score[rows], bins=5, cluster=found.image[rows])
    got = matched.reliability(bins=5)
    assert got.table == want.table
    assert got.notes == want.notes
    assert got.n.sum() == judged.sum()
    mug = matched.reliability(cls="mug", iou=0.75, bins=5)
    assert (mug.n * mug.observed).sum() == pytest.approx(matched.sweep("mug", iou=0.75).tp[-1])
    assert matched.reliability(area="small", bins=5).n.sum() < got.n.sum()


def test_scores_that_are_no_probabilities_are_refused():
    truth = {"image": [1], "class": ["a"], "box": [[0, 0, 9, 9]]}
    found = {"image": [1, 1], "class": ["a"] * 2, "box": [[0, 0, 9, 9], [50, 0, 9, 9]], "score": [7.5, 2.0]}
    with pytest.raises(cw.CurvewiseError, match=r"probabilit|between 0 and 1|\[0, 1\]"):
        cw.detection.match(truth, found).reliability()
    with pytest.raises(cw.UndefinedMetricError, match="there is no detection"):
        cw.detection.match(truth, []).reliability()
