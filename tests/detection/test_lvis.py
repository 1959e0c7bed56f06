"""LVIS: classes that were looked for, classes that are not all marked, 300 detections per image, frequencies."""

import math

import pytest

import curvewise as cw


def scene():
    """Three classes; image 1 has cats (not all marked), dogs are verified absent in 2; owls were never looked for."""
    box, far = [0, 0, 10, 10], [50, 50, 10, 10]
    truth = {
        "images": [
            {"id": 1, "neg_category_ids": [], "not_exhaustive_category_ids": [1]},
            {"id": 2, "neg_category_ids": [2], "not_exhaustive_category_ids": []},
            {"id": 3, "neg_category_ids": [], "not_exhaustive_category_ids": []},
        ],
        "categories": [
            {"id": 1, "name": "cat", "frequency": "f"},
            {"id": 2, "name": "dog", "frequency": "r"},
            {"id": 3, "name": "owl", "frequency": "c"},
        ],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": box, "area": 100},
            {"id": 2, "image_id": 3, "category_id": 2, "bbox": box, "area": 100},
        ],
    }
    found = [
        {"image_id": 1, "category_id": 1, "bbox": far, "score": 0.9},  # a cat that may be there: aside
        {"image_id": 1, "category_id": 1, "bbox": box, "score": 0.8},
        {"image_id": 2, "category_id": 2, "bbox": box, "score": 0.7},  # no dog is there: false
        {"image_id": 3, "category_id": 2, "bbox": box, "score": 0.6},
        {"image_id": 1, "category_id": 2, "bbox": box, "score": 0.95},  # nobody looked for dogs here: left out
        {"image_id": 3, "category_id": 3, "bbox": box, "score": 0.5},  # nor for owls
    ]
    return truth, found


def test_only_what_was_looked_for_counts():
    m = cw.detection.match(*scene(), rule="lvis")
    cat, dog = m.sweep("cat"), m.sweep("dog")
    assert (cat.tp.tolist(), cat.fp.tolist()) == ([1], [0])
    assert (dog.tp.tolist(), dog.fp.tolist()) == ([0, 1], [1, 1])
    assert m.number("ap_frequent").value == 1
    assert m.number("ap_rare").value == pytest.approx(0.5)
    assert math.isnan(m.number("ap_common").value)
    assert m.ap == pytest.approx(0.75)
    assert "2 of 6 detections were left out" in str(m)


def test_coco_judges_them_all():
    m = cw.detection.match(*scene())
    assert m.sweep("cat").fp.tolist() == [1, 1]
    assert m.sweep("dog").fp.tolist() == [1, 2, 2]


def test_the_limit_is_per_image():
    truth, found = scene()
    truth["images"][0]["neg_category_ids"] = [2]
    m = cw.detection.match(truth, found, rule="lvis", max_detections=2)
    assert m.beyond == 1  # of image 1 the two highest scores stay, over classes
    assert m.sweep("cat").positives == 1
    assert m.sweep("cat").tp.tolist() == []
    with pytest.raises(cw.OptionError, match="limit of LVIS is per image"):
        m.sweep("cat", max_detections=1)


def test_names_of_the_numbers():
    m = cw.detection.match(*scene(), rule="lvis")
    names = list(m.table.columns["number"])
    assert names == [
        *("ap", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "ap_rare", "ap_common", "ap_frequent"),
        *("ar_300", "ar_small", "ar_medium", "ar_large"),
    ]


def test_halves_add():
    truth, found = scene()
    whole = cw.detection.match(truth, found, rule="lvis")

    def part(ids):
        rows = [[r for r in side if r["image_id"] in ids] for side in (truth["annotations"], found)]
        images = [i for i in truth["images"] if i["id"] in ids]
        return cw.detection.match({**truth, "images": images, "annotations": rows[0]}, rows[1], rule="lvis")

    both = part([1]) + part([2, 3])
    assert both.number("ap") == whole.number("ap")
    assert both.number("ap_rare") == whole.number("ap_rare")
    assert both.scene.federated.partial.tolist() == whole.scene.federated.partial.tolist()
