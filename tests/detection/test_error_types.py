"""Types of errors against the reference and a brute force in fractions; what correcting each would add to AP."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.detection.mistakes.error_types import error_types
from curvewise.detection.mistakes.false_detections import TYPES
from detection import brute_force_errors
from detection.scenes import golden, load, renamed, scenes
from ring import examples

EXPECTED = load("errors.json")
NAMES = {
    "Loc": "localisation",
    "Cls": "class",
    "Both": "both",
    "Dupe": "duplicate",
    "Bkg": "background",
    "Miss": "missed",
}
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def image(*rows):
    """Return columns of one image: (class, box) or (class, box, score)."""
    columns = {"image": [1] * len(rows), "class": [r[0] for r in rows], "box": [r[1] for r in rows]}
    return columns | ({"score": [r[2] for r in rows]} if len(rows[0]) > 2 else {})


def difficult(truth):
    """Return the same objects with those that are crowds as difficult ones, which VOC has instead."""
    return {**truth, "annotations": [{**g, "ignore": g["iscrowd"], "iscrowd": 0} for g in truth["annotations"]]}


def of_detection(found):
    """Return the type of each detection by its row."""
    rows = found.rows.columns
    return {row: kind for row, kind in zip(rows["row"], rows["error"], strict=True) if row is not None}


def test_the_reference_agrees_for_every_detection():
    truth, found = golden()
    errors = error_types(cw.detection.match(truth, found, max_detections=None))
    assert of_detection(errors) == {int(k): NAMES[v] for k, v in EXPECTED["type_of_false_positive_by_row"].items()}
    assert {k: errors.counts[k] for k in TYPES} == {NAMES[k]: v for k, v in EXPECTED["counts"].items()}
    ids = {c["name"]: str(c["id"]) for c in truth["categories"]}
    for name, counts in errors.by_class.items():
        want = {NAMES[k]: v for k, v in EXPECTED["counts_by_class"][ids[name]].items()}
        assert {k: v for k, v in counts.items() if v and k in TYPES} == want
    assert errors.counts["all false"] == len(EXPECTED["type_of_false_positive_by_row"])


def test_the_reference_agrees_with_a_limit_of_detections():
    errors = error_types(cw.detection.match(*golden()))
    assert {k: errors.counts[k] for k in TYPES} == {NAMES[k]: v for k, v in EXPECTED["counts_with_max_100"].items()}


def test_tidecv_agrees_but_for_objects_that_two_types_are_about():
    scene = load("tide.json")
    theirs = scene["tidecv_1.0.1"]
    errors = error_types(cw.detection.match(scene["truth"], scene["detections"]))
    assert {k: errors.counts[k] for k in TYPES} == theirs["counts"]
    assert 100 * errors.ap == pytest.approx(theirs["ap"])
    same = {k: 100 * v for k, v in errors.delta_ap.items() if k != "localisation"}
    assert same == pytest.approx({k: v for k, v in theirs["delta_ap"].items() if k != "localisation"})
    # it leaves an object to the stronger one of two detections, of whatever type, even if that type is not corrected
    assert 100 * errors.delta_ap["localisation"] > theirs["delta_ap"]["localisation"]


@pytest.mark.parametrize(("rule", "interpolation"), [("coco", "101-point"), ("voc", "all-point")])
def test_corrected_areas_agree_with_fractions(rule, interpolation):
    truth, found = golden()
    truth = difficult(truth) if rule == "voc" else truth
    m = cw.detection.match(truth, found, rule=rule)
    _agrees(m, truth, found, HALF, TENTH, rule, interpolation)


@given(scenes(classes=3), st.sampled_from(["coco", "voc"]), st.sampled_from([TENTH, Fraction(1, 4)]))
@settings(max_examples=examples(150), deadline=None)
def test_any_scene_agrees_with_fractions(scene, rule, background):
    truth, found = scene
    truth = difficult(truth) if rule == "voc" else truth
    m = cw.detection.match(truth, found, rule=rule)
    _agrees(m, truth, found, HALF, background, rule, "all-point" if rule == "voc" else "101-point")


def _agrees(m, truth, found, t, background, rule, interpolation):
    judged = brute_force_errors.matched(truth, found, t, rule)
    typed, not_found, missed = brute_force_errors.errors(truth, judged, t, background)
    errors = error_types(m, iou=float(t), background=float(background))
    place = {id(d): k for k, d in enumerate(found)}
    assert of_detection(errors) == {place[id(d)]: kind for d, kind, _, _ in typed}
    rows = [r for r in errors.rows.rows() if r["row"] is not None]
    about = {r["row"]: (r["truth"], r["iou"]) for r in rows}
    ids = {id(g): k for k, g in enumerate(truth["annotations"])}
    boxes = [g["bbox"] for g in truth["annotations"]]
    for d, _, g, near in typed:
        name, overlap = about[place[id(d)]]
        if g is None:
            assert (name, overlap) == (None, None)
        else:
            got = next(k for k, other in enumerate(truth["annotations"]) if other["id"] == name)
            assert boxes[got] == boxes[ids[id(g)]]  # objects that are alike in all are not told apart
            assert overlap == pytest.approx(float(near), abs=1e-15)
    assert errors.counts["missed"] == len(missed)
    assert errors.counts["all missed"] == len(not_found)
    want = brute_force_errors.corrected(truth, judged, typed, not_found, missed, interpolation)
    now = want.pop("")
    assert errors.ap == pytest.approx(float(now), abs=1e-12)
    assert errors.delta_ap.keys() == want.keys()
    for name, value in want.items():
        if value is None:
            assert math.isnan(errors.delta_ap[name])
        else:
            assert errors.delta_ap[name] == pytest.approx(float(value - now), abs=1e-12), name


@given(scenes(classes=3), st.integers(0, 5))
@settings(max_examples=examples(60), deadline=None)
def test_no_order_of_rows_and_no_name_moves_a_number(scene, seed):
    first, second = (error_types(cw.detection.match(*s)) for s in (scene, renamed(*scene, seed)))
    assert first.counts == second.counts
    assert first.by_class == second.by_class
    assert (first.ap, first.delta_ap) == (second.ap, second.delta_ap) or any(map(math.isnan, first.delta_ap.values()))


def test_the_first_type_that_fits():
    truth = image(("a", [0, 0, 10, 10]), ("b", [40, 0, 10, 10]), ("a", [80, 0, 10, 10]))
    found = image(
        ("a", [0, 0, 10, 10], 0.9),  # found
        ("a", [0, 0, 10, 6], 0.8),  # 0.6 with what is found already
        ("a", [0, 0, 10, 4], 0.7),  # 0.4 with its own class
        ("a", [40, 0, 10, 8], 0.6),  # 0.8 with another class
        ("a", [40, 0, 10, 3], 0.5),  # 0.3 with another class
        ("a", [80, 0, 10, 1], 0.4),  # exactly 0.1 with its own class
        ("b", [80, 0, 10, 1], 0.3),  # exactly 0.1 with another class
        ("b", [200, 0, 10, 10], 0.2),  # nothing there
    )
    errors = error_types(cw.detection.match(truth, found))
    assert of_detection(errors) == {
        1: "duplicate", 2: "localisation", 3: "class", 4: "both", 5: "localisation", 6: "background", 7: "background",
    }  # fmt: skip
    assert errors.counts["missed"] == 0  # both objects that are not found have an error that is about them
    assert errors.counts["all missed"] == 2
    about = {r["row"]: (r["truth"], r["truth_class"]) for r in errors.rows.rows()}
    assert about == {
        1: (0, "a"), 2: (0, "a"), 3: (1, "b"), 4: (1, "b"), 5: (2, "a"), 6: (None, None), 7: (None, None),
    }  # fmt: skip


def test_the_strongest_detection_of_an_object_not_found_becomes_right():
    # one object of a class, detected as another; the class of the detections has its own object, found first
    truth = image(("a", [0, 0, 10, 10]), ("b", [40, 0, 10, 10]))
    found = image(("a", [0, 0, 10, 10], 0.9), ("a", [40, 0, 10, 9], 0.8), ("a", [40, 0, 10, 8], 0.7))
    errors = error_types(cw.detection.match(truth, found))
    assert errors.ap == 0.5
    assert errors.delta_ap["class"] == 0.5  # b is found, by the stronger one, and nothing is wrong any more
    assert errors.delta_ap["all false"] == 0
    assert errors.delta_ap["missed"] == 0
    assert errors.delta_ap["all missed"] == 0.5  # b has no object left, and is left out


def test_the_strongest_is_that_of_all_classes():
    truth = image(("a", [80, 0, 10, 10]), ("b", [120, 0, 10, 10]), ("c", [0, 0, 10, 10]))
    found = image(("a", [0, 0, 10, 9], 0.3), ("b", [0, 0, 10, 9], 0.8), ("c", [200, 0, 10, 10], 0.5))
    errors = error_types(cw.detection.match(truth, found))
    assert errors.ap == 0
    assert errors.delta_ap["class"] == pytest.approx(1 / 3)  # found before the false one of its class


def test_of_equal_boxes_the_area_decides_whatever_their_order_is():
    objects = [("a", [0, 0, 10, 10]), ("a", [0, 0, 10, 10])]
    found = image(("a", [0, 0, 10, 10], 0.9), ("a", [0, 0, 10, 4], 0.8))
    for areas in ([4, 9], [9, 4]):  # the larger one is found, and the second detection is about that one, too
        errors = error_types(cw.detection.match(image(*objects) | {"area": areas}, found))
        assert (errors.counts["localisation"], errors.counts["missed"]) == (1, 1)


def test_objects_that_nothing_points_at_are_missed():
    truth = image(("a", [0, 0, 10, 10]), ("a", [40, 0, 10, 10]))
    errors = error_types(cw.detection.match(truth, image(("a", [0, 0, 10, 10], 0.9))))
    assert errors.counts == dict.fromkeys(errors.counts, 0) | {"missed": 1, "all missed": 1}
    assert errors.delta_ap["missed"] == pytest.approx(1 - 51 / 101)
    (row,) = errors.rows.rows()
    assert (row["error"], row["truth"], row["class"], row["score"], row["row"], row["iou"]) == (
        *("missed", 1, "a", None, None, None),
    )


def test_nothing_inside_a_crowd_is_an_error():
    truth = image(("a", [0, 0, 10, 10]), ("b", [40, 0, 50, 50])) | {"crowd": [0, 1]}
    found = image(("a", [0, 0, 10, 10], 0.9), ("b", [45, 5, 10, 10], 0.8), ("a", [45, 5, 10, 10], 0.7))
    errors = error_types(cw.detection.match(truth, found))
    # the crowd of b excuses detections of b; for those of a it is no object at all
    assert of_detection(errors) == {2: "background"}
    assert errors.counts["all missed"] == 0


def test_absent_classes_enter_as_they_were_asked_to():
    truth = image(("a", [0, 0, 10, 10]), ("b", [40, 0, 10, 10]))
    found = image(("a", [0, 0, 10, 10], 0.9), ("c", [40, 0, 10, 10], 0.8))
    skip, zero = (
        error_types(cw.detection.match(truth, found, absent=absent, classes=["a", "b", "c"]))
        for absent in ("skip", "zero")
    )
    assert (skip.ap, zero.ap) == (1 / 2, 1 / 3)
    assert skip.delta_ap["class"] == pytest.approx(1 / 2)
    assert zero.delta_ap["class"] == pytest.approx(1 / 3)
    assert zero.delta_ap["all false"] == 0


def test_an_overlap_of_one_s_own_is_asked():
    truth = image(("a", [0, 0, 10, 10]), ("b", [40, 0, 10, 10]))
    found = image(("a", [0, 0, 1, 1], 0.9), ("a", [0, 0, 1, 1], 0.8))
    m = cw.detection.match(truth, found, overlap={1: np.array([[0.9, 0.0], [0.2, 0.7]])})
    errors = error_types(m)
    assert of_detection(errors) == {1: "localisation"}
    m = cw.detection.match(truth, found, overlap={1: np.array([[0.9, 0.0], [0.0, 0.7]])})
    assert of_detection(error_types(m)) == {1: "class"}


def test_other_thresholds():
    m = cw.detection.match(*golden())
    strict = error_types(m, iou=0.75, background=0.2)
    assert (strict.iou, strict.background) == (0.75, 0.2)
    assert strict.ap == m.ap75
    assert strict.counts["localisation"] > error_types(m).counts["localisation"]
    for background in (0, 0.5, 0.6, -1, math.nan, "x"):
        with pytest.raises(cw.CurvewiseError, match=r"background: expected a number strictly between 0 and 0\.5"):
            error_types(m, background=background)
    with pytest.raises(cw.CurvewiseError, match="iou: expected one of"):
        error_types(m, iou=0.42)


def test_no_detections_at_all():
    errors = error_types(cw.detection.match(image(("a", [0, 0, 1, 1])), []))
    assert errors.counts["missed"] == errors.counts["all missed"] == 1
    assert errors.ap == 0
    assert math.isnan(errors.delta_ap["missed"])  # no object is left
    assert len(errors.rows) == 1


def test_it_is_a_result():
    errors = error_types(cw.detection.match(*golden()))
    assert errors.table.columns["error"] == [*TYPES, "all false", "all missed"]
    assert "localisation     32" in str(errors)
    assert "do not sum to 1 − AP" in str(errors)
    assert "| localisation | 32 |" in errors.to_markdown()
    said = json.loads(json.dumps(errors.to_dict()))
    assert said["counts"]["background"] == 215
    assert said["by_class"][0] == {"name": "kite", **errors.by_class["kite"]}
    assert [len(t) for t in errors.tables()] == [8, 4, 336]
    assert errors.class_table.columns["class"] == ["kite", "mug", "boat", "ghost"]
    assert sum(errors.class_table.columns["class_error"]) == errors.counts["class"]
    assert "AP" in errors.notes[0].text("zh")


def test_rows_in_their_order_and_added_images_have_the_same_errors():
    truth, found = golden()
    in_order = cw.detection.match(truth, found, ties="row")
    errors = error_types(in_order)
    assert errors.ap == in_order.ap50
    assert errors.counts["all false"] == in_order.sweep().fp[-1]
    whole = error_types(cw.detection.match(truth, found))
    halves = []
    for part in (0, 1):
        images = [i for k, i in enumerate(truth["images"]) if k % 2 == part]
        kept = {i["id"] for i in images}
        objects = [g for g in truth["annotations"] if g["image_id"] in kept]
        half = {**truth, "images": images, "annotations": objects}
        halves.append(cw.detection.match(half, [d for d in found if d["image_id"] in kept]))
    added = error_types(halves[0] + halves[1])
    assert (added.counts, added.by_class) == (whole.counts, whole.by_class)
    assert added.delta_ap == pytest.approx(whole.delta_ap, abs=1e-15)
