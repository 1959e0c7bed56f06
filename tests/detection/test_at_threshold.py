"""Counts and rates at a threshold, F against the threshold, the threshold with the greatest F."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.detection.numbers.at_threshold import detections_at
from curvewise.detection.numbers.f_curve import best_threshold, f_curve
from detection.scenes import golden, renamed, scenes
from ring import examples

AREAS = ("all", "small", "medium", "large")


@pytest.fixture(scope="module")
def matched():
    return cw.detection.match(*golden())


# two classes with objects, one without; b is found only with a low score
TRUTH = {"image": [1, 1, 2, 2], "class": ["a", "a", "a", "b"], "box": [[0, 0, 9, 9], [50, 0, 9, 9]] * 2}
FOUND = {
    "image": [1, 1, 2, 2],
    "class": ["a", "a", "b", "c"],
    "box": [[0, 0, 9, 9], [90, 90, 9, 9], [50, 0, 9, 9], [0, 0, 9, 9]],
    "score": [0.9, 0.8, 0.2, 0.7],
}
SMALL = {"classes": ["a", "b", "c"]}


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("iou", [0.5, 0.75, 0.95])
@pytest.mark.parametrize("threshold", [-1, 0.3, 0.31, 0.6, 2])
def test_each_class_is_its_sweep_at_that_threshold(matched, threshold, iou, area):
    found = detections_at(matched, threshold, iou=iou, area=area)
    for name, row in found.by_class.items():
        try:
            want = matched.sweep(name, iou=iou, area=area).at(threshold)
        except cw.UndefinedMetricError:
            assert (row.truths, row.tp, row.fp) == (0, 0, 0)
            continue
        assert (row.tp, row.fp, row.missed) == (want.tp, want.fp, want.fn)
        np.testing.assert_equal((row.precision, row.recall, row.f), (want.precision, want.recall, want.f1))
        assert row.false_positives_per_image == want.fp / 40
    pooled = matched.sweep(iou=iou, area=area).at(threshold)
    assert (found.pooled.tp, found.pooled.fp, found.pooled.missed) == (pooled.tp, pooled.fp, pooled.fn)
    np.testing.assert_equal(found.pooled.f, pooled.f1)


@given(scenes(classes=3), st.sampled_from([0.0, 0.25, 0.3, 0.75]), st.integers(0, 5))
@settings(max_examples=examples(60), deadline=None)
def test_no_order_of_rows_and_no_name_moves_a_number(scene, threshold, seed):
    first, second = (detections_at(cw.detection.match(*s), threshold) for s in (scene, renamed(*scene, seed)))
    for name, row in first.by_class.items():
        np.testing.assert_equal(vars(row), vars(second.by_class[name]))
    for name in ("mean_precision", "mean_recall", "mean_f"):
        np.testing.assert_equal(vars(getattr(first, name)), vars(getattr(second, name)))


def test_raw_counts_and_not_the_envelope():
    # F T T: precision at 0.9 is 0, at 0.8 1/2; the envelope would say 2/3 at both
    truth = {"image": [1, 1], "class": ["a", "a"], "box": [[0, 0, 9, 9], [50, 0, 9, 9]]}
    boxes = [[90, 90, 9, 9], [0, 0, 9, 9], [50, 0, 9, 9]]
    found = {"image": [1] * 3, "class": ["a"] * 3, "box": boxes, "score": [0.9, 0.8, 0.7]}
    m = cw.detection.match(truth, found)
    assert [detections_at(m, t).pooled.precision for t in (0.9, 0.8, 0.7)] == [0, 1 / 2, 2 / 3]
    assert f_curve(m).precision.tolist() == [0, 1 / 2, 2 / 3]


def test_what_is_zero_over_zero():
    m = cw.detection.match(TRUTH, FOUND, **SMALL)
    found = detections_at(m, 0.5)
    a, b, c = found.by_class.values()
    assert (a.precision, a.recall, a.f) == (0.5, 1 / 3, 0.4)
    assert math.isnan(b.precision)  # nothing shown
    assert (b.recall, b.f, b.missed) == (0, 0, 1)
    assert math.isnan(c.recall)  # no object
    assert (c.precision, c.f, c.fp) == (0, 0, 1)
    assert (found.mean_precision.value, found.mean_precision.classes) == (0.5, 1)
    assert (found.mean_recall.value, found.mean_recall.classes) == (1 / 6, 2)
    assert (found.mean_f.value, found.mean_f.classes) == (0.2, 2)
    assert (found.pooled.truths, found.pooled.tp, found.pooled.fp, found.pooled.missed) == (4, 1, 2, 3)
    one = detections_at(m, 0.5, empty="one")
    assert one.by_class["b"].precision == 1
    assert (one.mean_precision.value, one.mean_precision.classes) == (0.75, 2)
    assert one.mean_f == found.mean_f
    nothing = detections_at(m, 1)
    assert math.isnan(nothing.pooled.precision)
    assert nothing.mean_precision.classes == 0
    assert math.isnan(nothing.mean_precision.value)
    assert detections_at(m, 1, empty="one").pooled.precision == 1


def test_absent_classes_count_as_zero_where_asked_to():
    found = detections_at(cw.detection.match(TRUTH, FOUND, absent="zero", **SMALL), 0.1)
    assert (found.mean_precision.value, found.mean_precision.classes) == (pytest.approx((0.5 + 1 + 0) / 3), 3)
    assert (found.mean_recall.value, found.mean_recall.classes) == (pytest.approx((1 / 3 + 1 + 0) / 3), 3)
    assert (found.mean_f.value, found.mean_f.classes) == (pytest.approx((0.4 + 1 + 0) / 3), 3)


def test_bad_options(matched):
    for options, said in (
        ({"threshold": math.nan}, "threshold: expected a number"),
        ({"threshold": "a"}, "threshold: expected a number"),
        ({"threshold": 0.5, "iou": 0.51}, "iou: expected one of"),
        ({"threshold": 0.5, "area": "tiny"}, "area: expected one of"),
        ({"threshold": 0.5, "beta": -1}, "beta: expected"),
        ({"threshold": 0.5, "empty": "zero"}, "empty: expected one of"),
    ):
        with pytest.raises(cw.CurvewiseError, match=said):
            detections_at(matched, **options)


def test_true_negatives_are_refused(matched):
    at = matched.sweep("kite").at(0.3)
    for name in ("specificity", "accuracy", "mcc", "kappa", "npv", "fpr"):
        with pytest.raises(cw.UndefinedMetricError, match="true negatives is unknown"):
            getattr(at, name)


def test_the_table_ends_with_all_classes_together(matched):
    found = detections_at(matched, 0.3, beta=2)
    assert found.table.columns["class"] == ["kite", "mug", "boat", "ghost", "(all)"]
    assert found.table.columns["f2"][-1] == found.pooled.f
    assert found.pooled.f == pytest.approx(matched.sweep().at(0.3).f_beta(2))
    assert "score ≥ 0.3, matched at IoU ≥ 0.5" in str(found)
    assert "means over classes: precision 0.366 (3 classes)" in str(found)
    assert "召回率" in found.notes[0].text("zh")
    assert "size small" in detections_at(matched, 0.3, area="small").table.title
    assert "| (all) |" in found.to_markdown()
    said = json.loads(json.dumps(found.to_dict()))
    assert (said["images"], said["threshold"], said["by_class"][3]["recall"]) == (40, 0.3, None)
    assert said["by_class"][0] == {"name": "kite", **vars(found.by_class["kite"])}


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2])
@pytest.mark.parametrize("cls", [None, "kite", "mug", "boat"])
def test_the_best_threshold_is_that_of_the_rule(matched, cls, beta):
    sweep = matched.sweep(cls, iou=0.5)
    curve = f_curve(matched, cls=cls, beta=beta)
    assert curve.threshold.tolist() == sweep.threshold.tolist()
    assert curve.f.tolist() == pytest.approx([sweep.at(t).f_beta(beta) for t in sweep.threshold])
    best, point = best_threshold(matched, cls, beta=beta), cw.operating_point(sweep, cw.rules.max_f(beta))
    assert best.threshold == float(best) == point.threshold == curve.threshold[curve.best]
    assert best.f == pytest.approx(point.value)
    assert (best.precision, best.recall) == (point.confusion.precision, point.confusion.recall)
    assert best.false_positives_per_image == point.confusion.fp / 40
    assert best.f == pytest.approx(max(sweep.at(t).f_beta(beta) for t in sweep.threshold))


def test_a_class_by_its_id_is_called_by_its_name(matched):
    assert best_threshold(matched, 14).cls == f_curve(matched, cls=14).cls == "kite"


def test_where_nothing_is_found_no_threshold_is_best():
    found = {**FOUND, "class": ["a"] * 4, "box": [[90, 90, 9, 9]] * 4}
    m = cw.detection.match(TRUTH, found)
    best = best_threshold(m, "a")
    assert math.isnan(best.threshold)
    assert (best.f, best.recall) == (0, 0)
    assert best.notes[0].code == "nothing_found_at_any_threshold"
    none = best_threshold(cw.detection.match(TRUTH, []), "a")
    assert math.isnan(none.threshold)
    assert f_curve(cw.detection.match(TRUTH, [])).best == -1
    with pytest.raises(cw.UndefinedMetricError, match="needs positive rows"):
        best_threshold(cw.detection.match(TRUTH, FOUND, **SMALL), "c")


def test_the_f_curve_is_a_curve(matched):
    curve = f_curve(matched, beta=2)
    threshold, precision, recall, f, per_image = curve
    assert len(threshold) == len(precision) == len(recall) == len(f) == len(per_image) == len(curve)
    assert (curve.iou, curve.beta, curve.cls, curve.images, curve.positives) == (0.5, 2, None, 40, 166)
    thin = curve.thin(30)
    assert len(thin) <= 30
    assert thin.f[thin.best] <= curve.f[curve.best]
    assert curve.axes()[1] is curve.f
    assert json.loads(json.dumps(curve.to_dict()))["beta"] == 2
    assert "greatest F1" in str(best_threshold(matched))
    assert "chosen on the same images" in str(best_threshold(matched))
    assert json.loads(json.dumps(best_threshold(matched).to_dict()))["cls"] is None
