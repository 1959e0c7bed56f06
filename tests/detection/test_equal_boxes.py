"""Who is matched where overlaps, boxes or scores are equal: geometry decides, and the convention of each rule."""

import itertools

import pytest

import curvewise as cw


def scene(objects, found):
    truth = {
        "images": [{"id": 1}],
        "categories": [{"id": 1, "name": "a"}],
        "annotations": [
            {"id": k, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": o["bbox"][2] * o["bbox"][3], **o}
            for k, o in enumerate(objects)
        ],
    }
    return truth, [{"image_id": 1, "category_id": 1, **d} for d in found]


def taken(m, iou=0.5):
    """Return the id of the object that each detection takes, by row."""
    rows = m.rows().rows()
    return [r["truth"] for r in sorted(rows, key=lambda r: r["row"])]


LEFT, RIGHT, BETWEEN = [20, 10, 10, 10], [24, 10, 10, 10], [22, 10, 10, 10]  # between is equally near both


@pytest.mark.parametrize(("rule", "which"), [("coco", 1), ("voc", 0)])
def test_of_equally_near_objects_coco_takes_the_last_and_voc_the_first(rule, which):
    for order in ([LEFT, RIGHT], [RIGHT, LEFT]):
        objects = [{"bbox": b, "id": [LEFT, RIGHT].index(b)} for b in order]
        found = [{"bbox": BETWEEN, "score": 0.9}]
        block = cw.detection.match(*scene(objects, found), rule=rule, iou=0.5)
        assert taken(block) == [which]  # by box
        rows = cw.detection.match(*scene(objects, found), rule=rule, iou=0.5, ties="row")
        assert taken(rows) == [objects[-1 if rule == "coco" else 0]["id"]]  # by row


def test_equal_boxes_are_told_apart_by_area():
    sizes = {"small": (0, 50), "large": (50, 1e10)}
    found = [{"bbox": LEFT, "score": 0.9}]
    for areas in itertools.permutations([40, 60]):
        objects = [{"bbox": LEFT, "area": a} for a in areas]
        m = cw.detection.match(*scene(objects, found), areas=sizes, iou=0.5)
        assert taken(m) == [areas.index(60)]  # the last in the order of areas


@pytest.mark.parametrize("side", range(4))
def test_equal_scores_are_ordered_by_every_side_of_the_box(side):
    first, second = list(LEFT), list(LEFT)
    second[side] += 1
    objects = [{"bbox": LEFT}]
    for order in ([first, second], [second, first]):
        found = [{"bbox": b, "score": 0.5} for b in order]
        m = cw.detection.match(*scene(objects, found), iou=0.5)
        told = taken(m)
        assert told[order.index(first)] == 0
        assert told[order.index(second)] is None


def test_ignored_objects_are_read_here_and_not_by_pycocotools():
    objects = [{"bbox": LEFT, "ignore": 1}, {"bbox": [60, 10, 10, 10]}]
    found = [{"bbox": LEFT, "score": 0.9}, {"bbox": [60, 10, 10, 10], "score": 0.8}]
    m = cw.detection.match(*scene(objects, found[1:]))
    assert m.ap == 1
    assert m.like_pycocotools()["ap"] == pytest.approx(51 / 101)
    assert m.errors().counts["missed"] == 0
