"""Matching and areas on random scenes: against a brute force in fractions, and against pycocotools itself."""

import contextlib
import copy
import io
import math
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.detection.numbers.catalogue import Number, Reader, numbers
from detection import brute_force
from detection.scenes import golden, renamed, scenes
from ring import examples

SIZES = {"small": (0.0, 4.0), "large": (4.0, 1e10)}
QUICK = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def numbers_of(m):
    return {name: m.number(name) for name in numbers(m)}


@QUICK
@given(scenes(), st.sampled_from(["block", "row"]), st.sampled_from([1, 2, 100]))
def test_coco_equals_the_brute_force(scene, ties, limit):
    truth, found = scene
    m = cw.detection.match(truth, found, ties=ties, areas=SIZES, iou=[0.25, 0.5, 0.9], max_detections=limit)
    for area, ends in {"all": (0, 10**10), **SIZES}.items():
        for t, iou in enumerate(m.iou):
            for place, category in enumerate(m.scene.class_ids):
                judged, positives = brute_force.of_class(
                    truth, found, category, ties=ties, t=iou, area=ends, limit=limit
                )
                points = brute_force.curve(judged, ties)
                want = brute_force.areas(points, positives)
                for interpolation in ("101-point", "11-point", "all-point", "step"):
                    number = Number("ap", "ap", (t,), area)
                    value = Reader(m, interpolation=interpolation).at(number, t)[place]
                    if want is None:
                        assert math.isnan(value)
                    else:
                        assert value == pytest.approx(float(want[interpolation]), abs=1e-14)
                counted = m.counted(t, list(m.options.areas).index(area))
                tp, fp = points[-1] if points else (0, 0)
                assert (counted.positives[place], counted.hits[place]) == (positives, tp)
                assert counted.detections[place] == tp + fp


@QUICK
@given(scenes(crowds=False), st.sampled_from(["block", "row"]))
def test_voc_equals_the_brute_force(scene, ties):
    truth, found = scene
    for k, row in enumerate(truth["annotations"][1:]):
        row["ignore"] = k % 4 == 0
    m = cw.detection.match(truth, found, rule="voc", ties=ties, iou=[0.25, 0.5])
    for t, iou in enumerate(m.iou):
        for place, category in enumerate(m.scene.class_ids):
            judged, positives = brute_force.of_class(truth, found, category, brute_force.voc, ties, t=iou)
            want = brute_force.areas(brute_force.curve(judged, ties), positives)
            value = Reader(m).at(Number("ap", "ap", (t,)), t)[place]
            assert math.isnan(value) if want is None else value == pytest.approx(float(want["all-point"]), abs=1e-14)


@QUICK
@given(scenes(), st.integers(0, 99), st.sampled_from([str, int, lambda k: f"image {k}.jpg"]))
def test_no_order_and_no_name_moves_a_bit(scene, seed, name):
    m = cw.detection.match(*scene)
    other = cw.detection.match(*renamed(*scene, seed=seed, name=name))
    for key, mean in numbers_of(m).items():
        again = other.number(key)
        assert again.value == mean.value or math.isnan(mean.value)
        assert again.classes == mean.classes
    assert m.tie_range() == other.tie_range() or math.isnan(m.ap)
    for cls in m.classes:
        with contextlib.suppress(cw.UndefinedMetricError):
            assert m.sweep(cls) == other.sweep(cls)


def test_golden_scene_under_other_names():
    m = cw.detection.match(*golden())
    for seed in range(5):
        other = cw.detection.match(*renamed(*golden(), seed=seed))
        assert numbers_of(other) == numbers_of(m)
        assert other.tie_range() == m.tie_range()


@QUICK
@given(scenes())
def test_every_image_twice_changes_no_area(scene):
    truth, found = scene
    copies = [{**i, "id": i["id"] + 100} for i in truth["images"]]
    twice = {
        **truth,
        "images": truth["images"] + copies,
        "annotations": truth["annotations"]
        + [{**a, "image_id": a["image_id"] + 100, "id": a["id"] + 100} for a in truth["annotations"]],
    }
    again = found + [{**d, "image_id": d["image_id"] + 100} for d in found]
    one, two = cw.detection.match(truth, found), cw.detection.match(twice, again)
    for name, mean in numbers_of(one).items():
        assert two.number(name).value == mean.value or math.isnan(mean.value)


@QUICK
@given(scenes())
def test_ties_lie_within_their_range(scene):
    truth, found = scene
    m = cw.detection.match(truth, found)
    low, high = m.tie_range()
    assert m.ap == low
    assert low <= high + 1e-15
    # other orders of rows, the matches being the same: only where no group has equal scores
    keys = [(d["image_id"], d["category_id"], d["score"]) for d in found]
    if len(set(keys)) == len(keys):
        for seed in range(3):
            order = random.Random(seed).sample(range(1, 4), 3)
            names = dict(zip(range(1, 4), order, strict=True))
            moved = [{**d, "image_id": names[d["image_id"]]} for d in found]
            there = {**truth, "annotations": [{**a, "image_id": names[a["image_id"]]} for a in truth["annotations"]]}
            value = cw.detection.match(there, moved, ties="row").ap
            assert low - 1e-12 <= value <= high + 1e-12


@QUICK
@given(scenes())
def test_sweeps_say_the_same(scene):
    m = cw.detection.match(*scene)
    for iou in (0.5, 0.9):
        t = m.options.iou_place(iou)
        for place, cls in enumerate(m.classes):
            counted = m.counted(t)
            if not counted.positives[place]:
                continue
            s = m.sweep(cls, iou=iou)
            names = {"101-point": "101-point", "11-point": "11-point", "all-point": "envelope", "step": "step"}
            for ours, verb in names.items():
                value = Reader(m, interpolation=ours).at(Number("ap", "ap", (t,)), t)[place]
                assert value == pytest.approx(cw.pr_auc(s, interpolation=verb), abs=1e-14)


@QUICK
@given(scenes(images=4))
def test_matches_of_different_images_add(scene):
    truth, found = scene

    def part(keep):
        rows = [[r for r in side if r["image_id"] in keep] for side in (truth["annotations"], found)]
        there = {**truth, "images": [{"id": k} for k in keep], "annotations": rows[0]}
        return cw.detection.match(there, rows[1])

    whole = cw.detection.match(truth, found)
    try:
        sums = [part((1, 3)) + part((2, 4)), part((4, 2)) + part((3, 1))]
    except cw.UndefinedMetricError:  # a part without any object
        return
    for both in sums:
        assert both.images == whole.images
        for name, mean in numbers_of(whole).items():
            assert both.number(name).value == mean.value or math.isnan(mean.value)
        np.testing.assert_array_equal(both.status(), whole.status())


def test_an_image_in_both_is_refused():
    m = cw.detection.match(*golden())
    with pytest.raises(cw.CurvewiseError, match="40 images in both"):
        m + m
    rows = cw.detection.match(*golden(), ties="row")
    with pytest.raises(cw.CurvewiseError, match="different options cannot be added: ties"):
        m + rows


def pycocotools_numbers(truth, found):
    pytest.importorskip("pycocotools")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        theirs = COCO()
        theirs.dataset = copy.deepcopy(truth)
        theirs.createIndex()
        judged = COCOeval(theirs, theirs.loadRes(copy.deepcopy(found)), "bbox")
        judged.evaluate()
        judged.accumulate()
        judged.summarize()
    return judged


def random_scene(seed):
    """Return boxes of all sizes, jittered, with rounded scores, crowds, classes that are absent."""
    rng = np.random.default_rng(seed)
    images, classes, n = 25, 5, 160
    wh = np.exp(rng.normal(3.9, 0.9, (n, 2))).round(1)
    boxes = np.c_[rng.uniform(0, 400, (n, 2)).round(1), wh]
    image, label = rng.integers(1, images + 1, n), rng.integers(1, classes, n)
    truth = {
        "info": {},
        "images": [{"id": int(k), "width": 640, "height": 480} for k in rng.permutation(images) + 1],
        "categories": [{"id": k, "name": f"c{k}"} for k in range(1, classes + 1)],
        "annotations": [
            {"id": k + 1, "image_id": int(image[k]), "category_id": int(label[k]), "bbox": boxes[k].tolist(),
             "area": float(boxes[k, 2] * boxes[k, 3]), "iscrowd": int(rng.random() < 0.06)}
            for k in range(n)
        ],
    }  # fmt: skip
    rows = rng.integers(0, n, 500)
    moved = boxes[rows] + rng.normal(0, 0.12, (500, 4)) * np.tile(wh[rows], 2)
    moved[:, 2:] = np.maximum(moved[:, 2:], 1)
    found = [
        {"image_id": int(image[r]) if rng.random() < 0.8 else int(rng.integers(1, images + 1)),
         "category_id": int(label[r]) if rng.random() < 0.8 else int(rng.integers(1, classes + 1)),
         "bbox": b.round(2).tolist(), "score": round(float(rng.beta(2, 2)), 2)}
        for r, b in zip(rows, moved, strict=True)
    ]  # fmt: skip
    return truth, found


@pytest.mark.parametrize("seed", range(6))
def test_pycocotools_agrees(seed):
    truth, found = random_scene(seed)
    theirs = pycocotools_numbers(truth, found)
    ours = cw.detection.match(truth, found)
    for value, told in zip(ours.like_pycocotools().values(), theirs.stats, strict=True):
        assert value == pytest.approx(told, abs=1e-12) if told > -1 else math.isnan(value)
    rows = cw.detection.match(truth, found, ties="row")
    reader = Reader(rows, interpolation="101-point (pycocotools)")
    precision = theirs.eval["precision"]  # IoU, recall, class, size, limit
    for t in range(10):
        for a, area in enumerate(rows.options.areas):
            told = precision[t, :, :, a, 2].mean(axis=0)
            value = reader.at(Number("ap", "ap", (t,), area), t)
            np.testing.assert_allclose(np.where(np.isnan(value), -1, value), told, atol=1e-12)


def test_nothing_given_is_modified():
    truth, found = golden()
    before = copy.deepcopy((truth, found))
    cw.detection.match(truth, found).like_pycocotools()
    assert (truth, found) == before
